//! Parallel df-pn with virtual proof numbers (Kaneko, "Parallel depth first proof number search",
//! 2010).
//!
//! Every thread is an agent that runs df-pn from the root on one shared table. So that they do not
//! all follow the same line, an agent takes a child's number for larger the more others are below
//! it: `vpn(c) = pn(c) + Cost(n, c) + T(n, c)` at an OR node, and likewise with disproof numbers at
//! an AND node. With `T = 0` every agent would be the sequential search. When one solves a node, it
//! tells those that are below it, and they come back up.
//!
//! [`Virtual::Paper`] is the paper's way. What differs from it otherwise:
//!
//! - Virtual numbers choose the way, and nothing else: a node is left by its true numbers, and the
//!   table gets the true ones.
//! - Who is below a child is looked at when it would be taken, and not of every child of a node.
//! - Among the children that are within the node's thresholds the one of least virtual number is
//!   taken, so an agent that has entered a node always finds work there.
//! - An agent looks its children up again after a while, not only when it enters a node, and stays
//!   below a node whose rivals others have made worse meanwhile.
//! - Disproofs that lean on a path are shared too.

use crate::control::{Control, REPORT, Stop};
use crate::dfpn::{Agent, Dfpn, Step};
use crate::problem::Problem;
use crate::table::{Solved, Table};
use crate::team::virtual_number::Virtual;
use crate::team::{Member, Team, desk};
use crate::totals::Totals;
use crate::verdict::Outcome;

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
        Agents { count, numbers: Virtual::Usual, turns: None }
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
    let team = Team::new(problem, count, &settings, table);
    let new_agent = |id: usize, stop: &Stop| {
        let mut agent = Agent::new(problem.clone(), settings, table, stop.clone());
        if count > 1 {
            agent.join(Member::new(&team, id, agents.numbers));
        }
        agent
    };
    desk::run(agents.threads(), table, control, |id, place| {
        let Some(turn) = agents.turns else {
            let mut agent = new_agent(id, place.over);
            loop {
                let step = agent.run_for(place.quantum, REPORT);
                place.report(problem, &agent, agent.totals());
                match step {
                    Step::Solved => return agent.result(),
                    Step::Stopped => return None,
                    Step::Budget => {}
                }
            }
        };
        let mut agents: Vec<_> = (0..count).map(|id| new_agent(id, place.over)).collect();
        let (mut totals, mut reported) = (Totals::default(), 0);
        loop {
            for i in 0..count {
                let others = totals - agents[i].totals();
                let step = place.turn(&mut agents[i], turn, others);
                totals = others + agents[i].totals();
                if step != Step::Budget || totals.nodes - reported >= place.quantum {
                    reported = totals.nodes;
                    place.report(problem, &agents[0], totals);
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
