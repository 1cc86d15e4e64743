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
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::assignment::{Assignment, LEADER};
use crate::control::Stop;
use crate::dfpn::{Agent, Cover, Dfpn, Step};
use crate::problem::Problem;
use crate::table::{Solved, Table};
use crate::team::desk::Place;
use crate::team::lead::Lead;
use crate::team::virtual_number::Virtual;
use crate::team::{Member, Team};
use crate::totals::Totals;
use crate::verdict::{Share, Shares};

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
    /// How far a worker searches a child before it takes the next.
    pub cover: Cover,
}

impl Paths {
    /// With these pseudo-threads, the other settings as the papers have them: turns of 1,000 nodes for
    /// everybody, but on one processor only, where the workers have together as many as the leader.
    pub fn new(assignment: Assignment) -> Paths {
        let quanta = match assignment.processors() {
            1 => Quanta::Shares,
            _ => Quanta::Equally,
        };
        Paths { assignment, quantum: 1000, quanta, cover: Cover::Least }
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
    /// What each pseudo-thread has done, when its processor has ended.
    pub shares: Mutex<Shares>,
}

/// A pseudo-thread on its processor.
struct PseudoThread<'a, P: Problem> {
    id: usize,
    agent: Agent<'a, P>,
    /// The nodes of its turn.
    quantum: u64,
    /// Nodes that it may search now. A turn that was cut short, or was a node too long, is made up
    /// for in the next one.
    credit: i64,
    /// Nodes of its turns for which there was no branch.
    unused: u64,
}

impl<P: Problem> Company<'_, P> {
    fn pseudo_thread(&self, id: usize, stop: &Stop, yields: bool) -> PseudoThread<'_, P> {
        let Paths { assignment, quantum, quanta, .. } = *self.paths;
        let workers = assignment.pseudo_threads() - 1;
        let mut agent = Agent::new(self.problem.clone(), self.settings, self.table, stop.clone());
        if workers > 0 {
            let member = Member::new(self.team, id, Virtual::OFF);
            agent.join(if yields { member.yielding() } else { member });
        }
        let quantum = if id == LEADER { quantum } else { quanta.of_worker(quantum, workers) };
        PseudoThread { id, agent, quantum, credit: 0, unused: 0 }
    }

    /// The scheduler of one processor: its pseudo-threads in turns, until the root is solved.
    pub fn run_processor(&self, processor: usize, place: &Place<'_>) -> Option<Solved<P::Stock>> {
        let ids: Vec<usize> = self.paths.assignment.on(processor).collect();
        let has_leader = ids.contains(&LEADER);
        let mut threads: Vec<_> =
            ids.iter().map(|&id| self.pseudo_thread(id, place.over, has_leader)).collect();
        let result = self.run_rounds(&mut threads, has_leader, place);
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        for PseudoThread { id, agent, unused, .. } in &threads {
            // A worker that waits on a processor of its own has lost no nodes.
            let unused = if has_leader { *unused } else { 0 };
            shares.0[*id] = Share { nodes: agent.nodes(), unused };
        }
        result
    }

    /// In every round each of them has a turn, the leader first. When a worker has told the leader
    /// of a solved node, a new round begins at once, in which those come first that had no turn.
    fn run_rounds(
        &self,
        threads: &mut [PseudoThread<'_, P>],
        has_leader: bool,
        place: &Place<'_>,
    ) -> Option<Solved<P::Stock>> {
        // The leader, if it is here, is always the first.
        let mut order: Vec<usize> = (0..threads.len()).collect();
        let (mut told_leader, mut reported) = (false, 0);
        loop {
            threads.iter_mut().for_each(|thread| thread.credit += thread.quantum as i64);
            let mut worked = false;
            for turn in 0..order.len() {
                let before = totals(threads);
                let thread = &mut threads[order[turn]];
                let others = before - thread.agent.totals();
                if turn == 0 && std::mem::take(&mut told_leader) {
                    // It has to read what it was told, even if its last turn was too long.
                    thread.credit = thread.credit.max(1);
                }
                let step = self.turn(thread, place, others);
                let (told, result) = (thread.agent.yields(), thread.agent.result());
                if thread.id == LEADER && self.paths.assignment.pseudo_threads() > 1 {
                    self.lead.publish(thread.agent.waypoints());
                }
                let all = totals(threads);
                worked |= all.nodes != before.nodes;
                if step != Step::Budget || all.nodes - reported >= place.quantum {
                    reported = all.nodes;
                    place.report(self.problem, &threads[0].agent, all);
                } else {
                    place.count(all);
                }
                match step {
                    Step::Solved => return result,
                    Step::Stopped => return None,
                    Step::Budget => {}
                }
                if told && turn > 0 {
                    told_leader = true;
                    order[1..].rotate_left(turn);
                    break;
                }
            }
            if place.over.is_raised() {
                return None;
            }
            if !worked && !has_leader {
                // Nothing to do for anybody here, until the leader is elsewhere.
                std::thread::sleep(PAUSE);
            }
        }
    }

    /// The turn of a pseudo-thread. A worker that is done with its node takes the next one, until
    /// its nodes are used, no branch is left, or it has told the leader something.
    fn turn(&self, thread: &mut PseudoThread<'_, P>, place: &Place<'_>, others: Totals) -> Step {
        let PseudoThread { id, agent, credit, unused, .. } = thread;
        let start = agent.nodes();
        let end = start.saturating_add_signed(*credit);
        // Has it searched anything since it began with the leader's path?
        let mut searched = false;
        while agent.nodes() < end {
            if *id != LEADER && !self.has_branch(*id, agent, &mut searched) {
                *unused += end.saturating_sub(agent.nodes());
                *credit = 0;
                return Step::Budget;
            }
            let entered = agent.entered();
            let step = place.turn(agent, end - agent.nodes().min(end), others);
            searched |= agent.entered() > entered;
            if step != Step::Budget || agent.has_to_yield() {
                *credit -= (agent.nodes() - start) as i64;
                return step;
            }
        }
        *credit -= (agent.nodes() - start) as i64;
        Step::Budget
    }

    /// Sees to it that a worker has something to do, if it can. When all nodes of the leader's path
    /// had a worker, it begins with the first again: if that was of any use.
    fn has_branch(&self, id: usize, agent: &mut Agent<'_, P>, searched: &mut bool) -> bool {
        while agent.is_idle() || agent.depth() == 0 {
            match self.lead.branch(id) {
                Some(way) => agent.take_branch(&way, self.paths.cover),
                None if std::mem::take(searched) => {}
                None => return false,
            }
        }
        true
    }
}

/// What these pseudo-threads have come to.
fn totals<P: Problem>(threads: &[PseudoThread<'_, P>]) -> Totals {
    threads.iter().map(|thread| thread.agent.totals()).sum()
}
