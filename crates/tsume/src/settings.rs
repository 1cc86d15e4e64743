//! The settings of the search that serve tsume-shogi best.

use andor::{Dfpn, Sums};

/// The settings of df-pn for tsume-shogi: children that meet again count once (different checks and
/// interpositions often lead to the same position), the others beside the largest by three quarters;
/// what is known of other hands counts; there is more room than usual for results that hold on one path
/// only; and a mate in five is looked for depth first.
pub fn dfpn() -> Dfpn {
    Dfpn {
        sums: Sums::Dag,
        rest: 12,
        comparable: true,
        horizon: 5,
        path_bytes: 16 << 20,
        ..Dfpn::default()
    }
}
