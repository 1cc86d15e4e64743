//! The settings of the search that serve mates in chess best.

use andor::{Dfpn, Sums};

/// The settings of df-pn for mates: children that meet again count once (moves in another order
/// lead to the same position), a child may stay ahead for longer than usual, and there is more room
/// for results that hold on one path only.
pub fn dfpn() -> Dfpn {
    Dfpn { sums: Sums::Dag, epsilon: 0.5, path_bytes: 16 << 20, ..Dfpn::default() }
}
