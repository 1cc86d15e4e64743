//! What searching has come to, counted in three ways.

use std::iter::Sum;
use std::ops::{Add, Sub};

/// The counts of an agent, of several together, or of a whole search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Nodes visited, the unit of every limit: [`Outcome::nodes`](crate::Outcome::nodes).
    pub nodes: u64,
    /// Positions entered: [`Outcome::iterations`](crate::Outcome::iterations).
    pub entered: u64,
    /// Positions that the game evaluated: [`Outcome::evaluated`](crate::Outcome::evaluated).
    pub evaluated: u64,
}

impl Add for Totals {
    type Output = Totals;

    fn add(self, other: Totals) -> Totals {
        Totals {
            nodes: self.nodes + other.nodes,
            entered: self.entered + other.entered,
            evaluated: self.evaluated + other.evaluated,
        }
    }
}

/// What is left without a part.
impl Sub for Totals {
    type Output = Totals;

    fn sub(self, part: Totals) -> Totals {
        Totals {
            nodes: self.nodes - part.nodes,
            entered: self.entered - part.entered,
            evaluated: self.evaluated - part.evaluated,
        }
    }
}

impl Sum for Totals {
    fn sum<I: Iterator<Item = Totals>>(parts: I) -> Totals {
        parts.fold(Totals::default(), Add::add)
    }
}
