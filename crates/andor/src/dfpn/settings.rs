//! The settings of df-pn: every technique can be switched off.

use super::sums::{Sums, WHOLE};
use crate::plies::Plies;
use crate::table::Table;

/// The settings of df-pn. [`Dfpn::plain`] is the algorithm of the textbook; the default is what
/// serves best over all games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dfpn {
    /// Use what the game knows: first numbers, costs, move order and small solvers (df-pn⁺).
    pub heuristics: bool,
    /// `H`: of that, use the first numbers, and what the game's small solver sees.
    pub first_numbers: bool,
    /// `Cost`: of that, use the costs of moves.
    pub costs: bool,
    /// ε of the 1+ε trick; 0 switches it off.
    pub epsilon: f32,
    /// How children are added up.
    pub sums: Sums,
    /// In sixteenths, 1 to 16: what the children beside the largest count for in a sum that is not weak.
    /// 16: in full.
    pub rest: u8,
    /// Where a position is new and the same one with another stock is not, take over what is known: with
    /// more stock it is no harder to prove, with less no harder to disprove. For games with a stock.
    pub comparable: bool,
    /// Threshold control against infinite loops. Without it, a search in a graph with cycles may
    /// never end.
    pub threshold_control: bool,
    /// `R` of deep df-pn; 1 switches it off.
    pub deep: f64,
    /// Look for proofs of at most so many plies ([`Plies::UNBOUNDED`]: of any length). Where repetition
    /// favours the attacker proofs have no length, and nothing is proven within a bound.
    pub plies: Plies,
    /// With at most so many plies left, a position is settled depth first, by what the game's look sees
    /// (`dfpn::horizon`): of use where few moves are to be looked at. 0 switches it off.
    pub horizon: u16,
    /// The most bytes for results that hold on one path only; used where positions repeat. Above
    /// 1 MiB it is never more than a 64th of the table.
    pub path_bytes: usize,
}

impl Default for Dfpn {
    fn default() -> Self {
        Dfpn {
            heuristics: true,
            first_numbers: true,
            costs: true,
            epsilon: 0.25,
            sums: Sums::Plain,
            rest: WHOLE,
            comparable: false,
            threshold_control: true,
            deep: 1.0,
            plies: Plies::UNBOUNDED,
            horizon: 0,
            path_bytes: 1 << 20,
        }
    }
}

impl Dfpn {
    /// Textbook df-pn: every technique off.
    pub fn plain() -> Self {
        Dfpn { heuristics: false, epsilon: 0.0, threshold_control: false, ..Dfpn::default() }
    }

    /// The table's size is what the user allows: what comes on top stays small beside it.
    pub(crate) fn path_bytes_on(&self, table: &Table) -> usize {
        self.path_bytes.min((table.bytes() / 64).max(1 << 20))
    }
}
