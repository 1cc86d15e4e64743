//! `T(n, c)`: how much the agents below a child count (see
//! [`virtual_numbers`](crate::virtual_numbers)).

use crate::number::Number;

/// How much an agent below a child counts, and for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Virtual {
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

    /// What serves best among so many agents (BENCHMARKS.md).
    pub fn among(agents: usize) -> Virtual {
        Virtual::Steer(agents.min(4) as Number)
    }

    /// `T` for so many agents below a child.
    pub fn of(self, agents: u32) -> Number {
        match self {
            Virtual::Steer(each) => each.saturating_mul(agents),
            Virtual::Paper => agents,
        }
    }
}
