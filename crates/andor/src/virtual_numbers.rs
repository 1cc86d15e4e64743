//! Parallel df-pn with virtual proof numbers (Kaneko, "Parallel depth first proof number search",
//! 2010).
//!
//! Every thread is an agent that runs df-pn from the root on one shared table. So that they do not
//! all follow the same line, an agent takes a child's number for larger the more others are below
//! it: `vpn(c) = pn(c) + Cost(n, c) + T(n, c)` at an OR node, and likewise with disproof numbers at
//! an AND node. With `T = 0` every agent would be the sequential search. When one solves a node, it
//! tells those that are below it, and they come back up.
//!
//! What differs from the paper: virtual numbers are used where a way is chosen and when to leave a
//! node, but the table gets the true ones; and an agent looks its children up again after a while,
//! not only when it enters a node.

use crate::control::{Control, Outcome, Stop};
use crate::dfpn::{Agent, Dfpn, Step};
use crate::number::Number;
use crate::problem::Problem;
use crate::table::{Solved, Table};
use crate::team::{Member, Team, desk};

/// How agents below a child count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Virtual {
    /// Added for each agent.
    pub each: f32,
    /// And this share of the child's number.
    pub share: f32,
    /// But only if no more nodes than this were searched below the child.
    pub effort: u64,
}

impl Default for Virtual {
    fn default() -> Self {
        Virtual { each: 4.0, share: 0.0, effort: u64::MAX }
    }
}

impl Virtual {
    /// Agents do not count: `T = 0`.
    pub const OFF: Virtual = Virtual { each: 0.0, share: 0.0, effort: 0 };

    /// Do agents not count?
    pub fn is_off(&self) -> bool {
        *self == Virtual::OFF
    }

    /// `T` for so many agents below a child with this number.
    pub fn of(&self, agents: u32, number: Number) -> Number {
        const MOST: Number = 1 << 24;
        if agents == 0 {
            return 0;
        }
        let one = self.each + self.share * number as f32;
        ((agents as f32 * one) as Number).min(MOST)
    }
}

/// The agents of a search with virtual numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agents {
    /// How many there are.
    pub count: usize,
    /// How they heed each other.
    pub numbers: Virtual,
    /// All on one thread, in turns of so many nodes: what that many threads would do if they ran
    /// evenly, repeatable to the node. Without it each has a thread of its own.
    pub turns: Option<u64>,
}

impl Agents {
    /// So many agents with a thread each.
    pub fn on_threads(count: usize) -> Agents {
        Agents { count, numbers: Virtual::default(), turns: None }
    }

    /// How many threads they take.
    pub fn threads(&self) -> usize {
        if self.turns.is_some() { 1 } else { self.count }
    }
}

/// Solves a problem. One agent alone is the sequential search.
pub fn search<P: Problem>(
    problem: &P,
    settings: Dfpn,
    agents: Agents,
    table: &Table,
    control: &mut Control<'_>,
) -> (Outcome, Option<Solved<P::Stock>>) {
    let count = agents.count.max(1);
    let team = Team::new(count, &settings, table);
    let new_agent = |id: usize, stop: &Stop| {
        let mut agent = Agent::new(problem.clone(), settings, table, stop.clone());
        if count > 1 {
            agent.join(Member::new(&team, id, agents.numbers));
        }
        agent
    };
    desk::run(agents.threads(), table, control, |id, desk, over, quantum| {
        let Some(turn) = agents.turns else {
            let mut agent = new_agent(id, over);
            loop {
                let step = agent.run(quantum);
                desk.report(problem, &agent, (agent.nodes(), agent.entered()));
                match step {
                    Step::Solved => return agent.result(),
                    Step::Stopped => return None,
                    Step::Budget => {}
                }
            }
        };
        let mut agents: Vec<_> = (0..count).map(|id| new_agent(id, over)).collect();
        let mut reported = 0;
        loop {
            for i in 0..count {
                let step = agents[i].run(turn);
                let nodes = agents.iter().map(Agent::nodes).sum();
                if step != Step::Budget || nodes - reported >= quantum {
                    reported = nodes;
                    let entered = agents.iter().map(Agent::entered).sum();
                    desk.report(problem, &agents[0], (nodes, entered));
                }
                match step {
                    Step::Solved => return agents[i].result(),
                    Step::Stopped => return None,
                    Step::Budget => {}
                }
            }
        }
    })
}
