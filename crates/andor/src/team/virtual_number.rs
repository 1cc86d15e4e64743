//! `T(n, c)`: how much the agents below a child count (see
//! [`virtual_numbers`](crate::virtual_numbers)).

use crate::dfpn::sums::Sums;
use crate::number::Number;

/// How much an agent below a child counts, and for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Virtual {
    /// What serves best with the settings of the search (BENCHMARKS.md), in the choice of the child to
    /// search and nowhere else.
    Usual,
    /// So much each, in the choice of the child to search and nowhere else.
    Steer(Number),
    /// As in the paper: `T(n, c)` is the number of agents below `c`, from the moment they enter it.
    /// It counts in thresholds and in what is stored too, and children are looked up again whenever
    /// the search comes back to their node.
    Paper,
}

impl Virtual {
    /// Agents do not count: `T = 0`.
    pub const OFF: Virtual = Virtual::Steer(0);

    /// With these sums, with nothing left to be chosen. Numbers are small where children that meet
    /// count once, and large where all are added up; an agent that counts too much sends the others to
    /// moves that are not worth it.
    pub(crate) fn with(self, sums: Sums) -> Virtual {
        match (self, sums) {
            (Virtual::Usual, Sums::Dag) => Virtual::Steer(1),
            (Virtual::Usual, Sums::Plain | Sums::Weak) => Virtual::Steer(8),
            (chosen, _) => chosen,
        }
    }

    /// `T` for so many agents below a child.
    pub fn of(self, agents: u32) -> Number {
        match self {
            Virtual::Steer(each) => each.saturating_mul(agents),
            Virtual::Usual | Virtual::Paper => agents,
        }
    }
}
