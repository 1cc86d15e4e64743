//! `T(n, c)`: how much the agents below a child count (see
//! [`virtual_numbers`](crate::virtual_numbers)).

use crate::number::Number;

/// How much an agent below a child counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Virtual(pub Number);

impl Virtual {
    /// As in the paper: `T(n, c)` is the number of agents below `c`.
    pub const PAPER: Virtual = Virtual(1);
    /// Agents do not count: `T = 0`.
    pub const OFF: Virtual = Virtual(0);

    /// What serves best among so many agents. The paper's 1 makes them meet too often, and more
    /// than 4 drives them too far apart (BENCHMARKS.md).
    pub fn among(agents: usize) -> Virtual {
        Virtual(agents.min(4) as Number)
    }

    /// `T` for so many agents below a child.
    pub fn of(self, agents: u32) -> Number {
        self.0.saturating_mul(agents)
    }
}
