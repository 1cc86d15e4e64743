//! Multiple-paths search with pseudo-threads (Takano, Maekawa and Kasahara, "Multiple-paths search
//! with concurrent thread scheduling for fast AND/OR tree search", 2009).
//!
//! Df-pn goes to what looks best. Where the solution lies below a child that looks bad, that takes
//! long. So one *leader* runs df-pn, and *workers* branch off its path at OR nodes and take the
//! children that look worst first (`dfpn::branch`). All of them are pseudo-threads of one
//! processor: agents that take turns of so many nodes, in a round, with no switch of threads and no
//! lock. When a worker solves a node on the leader's path, the leader's turn comes at once.
//!
//! This module is the scheduler of one processor. Which processors there are and where workers
//! branch off is in [`pincers`](crate::pincers).

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::assignment::{Assignment, LEADER};
use crate::control::Stop;
use crate::dfpn::{Agent, Dfpn, Step};
use crate::problem::Problem;
use crate::table::{Solved, Table};
use crate::team::desk::Place;
use crate::team::lead::Lead;
use crate::team::virtual_number::Virtual;
use crate::team::{Member, Team};

/// How long a processor waits whose workers have nothing to do.
const PAUSE: Duration = Duration::from_micros(20);

/// How the nodes of a round are divided between leader and workers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quanta {
    /// The workers have together as many as the leader: Eq. 1, the proposal of the paper.
    Shares,
    /// Everybody has the same ("equally").
    Equally,
    /// The workers have together a tenth of what the leader has: Eq. 3 ("10-times").
    Tenth,
    /// The leader has so many times what each worker has (1.75 in the paper on the parallel form).
    Weight(f32),
}

impl Quanta {
    /// The nodes of a worker's turn where the leader's are so many.
    pub fn of_worker(self, leader: u64, workers: usize) -> u64 {
        let workers = workers.max(1) as u64;
        let turn = match self {
            Quanta::Shares => leader / workers,
            Quanta::Equally => leader,
            Quanta::Tenth => leader / workers / 10,
            Quanta::Weight(weight) => (leader as f64 / f64::from(weight)) as u64,
        };
        turn.max(1)
    }
}

impl fmt::Display for Quanta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Quanta::Shares => f.write_str("shares"),
            Quanta::Equally => f.write_str("equally"),
            Quanta::Tenth => f.write_str("tenth"),
            Quanta::Weight(weight) => write!(f, "weight:{weight}"),
        }
    }
}

/// A text says nothing of quanta.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected shares, equally, tenth or weight:W, such as weight:1.75")]
pub struct QuantaError;

impl FromStr for Quanta {
    type Err = QuantaError;

    fn from_str(text: &str) -> Result<Quanta, QuantaError> {
        match text {
            "shares" => Ok(Quanta::Shares),
            "equally" => Ok(Quanta::Equally),
            "tenth" => Ok(Quanta::Tenth),
            _ => text
                .strip_prefix("weight:")
                .and_then(|weight| weight.parse().ok())
                .filter(|weight: &f32| weight.is_finite() && *weight > 0.0)
                .map(Quanta::Weight)
                .ok_or(QuantaError),
        }
    }
}

/// The settings of a multiple-paths search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paths {
    /// Which pseudo-threads run on which processor.
    pub assignment: Assignment,
    /// The nodes of the leader's turn.
    pub quantum: u64,
    /// And of the workers'.
    pub quanta: Quanta,
}

impl Paths {
    /// With these pseudo-threads, the other settings as the papers have them.
    pub fn new(assignment: Assignment) -> Paths {
        Paths { assignment, quantum: 1000, quanta: Quanta::Shares }
    }
}

/// What the schedulers of all processors share.
pub(crate) struct Company<'a, P: Problem> {
    pub problem: &'a P,
    pub settings: Dfpn,
    pub paths: &'a Paths,
    pub table: &'a Table,
    pub team: &'a Team,
    pub lead: &'a Lead<P::Move>,
}

impl<P: Problem> Company<'_, P> {
    fn agent(&self, id: usize, stop: &Stop, yields: bool) -> Agent<'_, P> {
        let mut agent = Agent::new(self.problem.clone(), self.settings, self.table, stop.clone());
        if self.paths.assignment.pseudo_threads() > 1 {
            let member = Member::new(self.team, id, Virtual::OFF);
            agent.join(if yields { member.yielding() } else { member });
        }
        agent
    }

    /// The scheduler of one processor: its pseudo-threads in turns, until the root is solved.
    pub fn run_processor(&self, processor: usize, place: &Place<'_>) -> Option<Solved<P::Stock>> {
        let Paths { assignment, quantum, quanta } = *self.paths;
        let ids: Vec<usize> = assignment.on(processor).collect();
        let has_leader = ids.contains(&LEADER);
        let worker_turn = quanta.of_worker(quantum, assignment.pseudo_threads() - 1);
        let over = place.over;
        let mut agents: Vec<_> = ids.iter().map(|&id| self.agent(id, over, has_leader)).collect();
        let (mut next, mut after_leader, mut idle) = (0, 0, 0);
        loop {
            let (id, agent) = (ids[next], &mut agents[next]);
            if id != LEADER && !self.has_branch(id, agent) {
                // Nothing to do for this worker, until the leader is elsewhere.
                idle += 1;
                if idle >= ids.len() {
                    idle = 0;
                    std::thread::sleep(PAUSE);
                }
                if over.is_raised() {
                    return None;
                }
                next = (next + 1) % ids.len();
                continue;
            }
            idle = 0;
            let others = totals(agents[..next].iter().chain(&agents[next + 1..]));
            let agent = &mut agents[next];
            let turn = if id == LEADER { quantum } else { worker_turn };
            let step = place.turn(agent, turn, others);
            if id == LEADER && assignment.pseudo_threads() > 1 {
                self.lead.publish(agent.waypoints());
            }
            let told_leader = agent.has_to_yield();
            let result = agent.result();
            place.report(self.problem, &agents[0], totals(&agents));
            match step {
                Step::Solved => return result,
                Step::Stopped => return None,
                Step::Budget => {}
            }
            if after_leader != 0 {
                // The leader's turn was out of turn: the round goes on where it was.
                next = std::mem::take(&mut after_leader);
            } else {
                next = (next + 1) % ids.len();
                if told_leader && next != 0 {
                    // The leader stands first among its processor's.
                    after_leader = std::mem::replace(&mut next, 0);
                }
            }
        }
    }

    /// Has a worker something to do, or could it be given something?
    fn has_branch(&self, id: usize, agent: &mut Agent<'_, P>) -> bool {
        while agent.is_idle() || agent.depth() == 0 {
            let Some(way) = self.lead.branch(id) else { return false };
            agent.take_branch(&way);
        }
        true
    }
}

/// The nodes of these agents, and the positions they have entered.
fn totals<'a, 't: 'a, P: Problem + 'a>(
    agents: impl IntoIterator<Item = &'a Agent<'t, P>>,
) -> (u64, u64) {
    agents
        .into_iter()
        .fold((0, 0), |(nodes, entered), agent| (nodes + agent.nodes(), entered + agent.entered()))
}
