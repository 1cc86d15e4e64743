//! Where agents on many threads report, and from where they are ended.
//!
//! The caller's thread does not search: it sleeps, wakes up some hundred times a second to look at
//! the clock, the stop flag and the reports, and ends the agents when one of them is done or a
//! limit is reached. So an agent never waits for anything, and a stop is heeded at once.

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::control::{AgentStatus, Control, Outcome, Progress, Reason, Stop, Verdict, Watch};
use crate::dfpn::Agent;
use crate::number::{Number, UNBOUNDED};
use crate::problem::Problem;
use crate::rules::Stock;
use crate::table::{Solved, Table, numbers};

/// Moves of an agent's line that are told.
const TOLD: usize = 3;
/// Between two looks of the caller.
const WAIT: Duration = Duration::from_millis(4);

/// One thread's reports.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Desk {
    nodes: AtomicU64,
    entered: AtomicU64,
    numbers: (AtomicU32, AtomicU32),
    depth: AtomicUsize,
    line: Mutex<String>,
}

impl Desk {
    /// Reports an agent, and how many nodes and positions entered all of this thread's agents have.
    pub fn report<P: Problem>(
        &self,
        problem: &P,
        agent: &Agent<'_, P>,
        (nodes, entered): (u64, u64),
    ) {
        self.nodes.store(nodes, Ordering::Relaxed);
        self.entered.store(entered, Ordering::Relaxed);
        let (pn, dn) = agent.root_numbers();
        self.numbers.0.store(pn, Ordering::Relaxed);
        self.numbers.1.store(dn, Ordering::Relaxed);
        self.depth.store(agent.depth(), Ordering::Relaxed);
        let mut position = problem.clone();
        let mut words = Vec::with_capacity(TOLD);
        for m in agent.line().take(TOLD) {
            words.push(position.describe_move(m));
            position.play(m);
        }
        *self.line.lock().unwrap_or_else(PoisonError::into_inner) = words.join(" ");
    }

    fn status(&self) -> AgentStatus {
        AgentStatus {
            nodes: self.nodes.load(Ordering::Relaxed),
            depth: self.depth.load(Ordering::Relaxed),
            line: self.line.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }

    fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    fn numbers(&self) -> (Number, Number) {
        (self.numbers.0.load(Ordering::Relaxed), self.numbers.1.load(Ordering::Relaxed))
    }
}

/// What the threads have come to.
struct Ended<S> {
    result: Option<Solved<S>>,
    threads: usize,
}

/// Runs `work` on so many threads, each with its number, its desk, a flag that ends it and the
/// nodes after which it has to report, until one of them has a result, all have given up, or a
/// limit is reached.
pub(crate) fn run<S: Stock>(
    threads: usize,
    table: &Table,
    control: &mut Control<'_>,
    work: impl Fn(usize, &Desk, &Stop, u64) -> Option<Solved<S>> + Sync,
) -> (Outcome, Option<Solved<S>>) {
    let watch = Watch::new(control.limits);
    let desks: Box<[Desk]> = (0..threads).map(|_| Desk::default()).collect();
    let over = Stop::new();
    let (ended, bell) = (Mutex::new(Ended { result: None, threads: 0 }), Condvar::new());
    let most = watch.quantum(0);
    let quantum = control.limits.nodes.map_or(most, |n| (n / (8 * threads as u64)).clamp(1, most));
    let reason = std::thread::scope(|scope| {
        for (id, desk) in desks.iter().enumerate() {
            let (work, over, ended, bell) = (&work, &over, &ended, &bell);
            scope.spawn(move || {
                let result = work(id, desk, over, quantum);
                let mut ended = ended.lock().unwrap_or_else(PoisonError::into_inner);
                ended.result = ended.result.or(result);
                ended.threads += 1;
                bell.notify_one();
            });
        }
        let mut state = ended.lock().unwrap_or_else(PoisonError::into_inner);
        let reason = loop {
            if state.result.is_some() || state.threads == threads {
                break None;
            }
            let waited = bell.wait_timeout(state, WAIT).unwrap_or_else(PoisonError::into_inner);
            state = waited.0;
            let nodes = desks.iter().map(Desk::nodes).sum();
            if control.stop.is_raised() {
                break Some(Reason::Stopped);
            } else if let Some(reason) = watch.reached(nodes) {
                break Some(reason);
            } else if let Some(report) = &mut control.progress {
                let agents: Vec<AgentStatus> = desks.iter().map(Desk::status).collect();
                let (pn, dn) = desks[0].numbers();
                report(&Progress {
                    nodes,
                    elapsed: watch.elapsed(),
                    pn,
                    dn,
                    depth: agents[0].depth,
                    stored: table.stored(),
                    capacity: table.capacity(),
                    agents: &agents,
                });
            }
        };
        over.raise();
        reason
    });
    let result = ended.into_inner().unwrap_or_else(PoisonError::into_inner).result;
    let outcome = Outcome {
        verdict: match result {
            Some(solved) => solved.value.into(),
            None => Verdict::Unknown(reason.unwrap_or(Reason::Stopped)),
        },
        plies: result.map_or(UNBOUNDED, |solved| solved.plies),
        nodes: desks.iter().map(Desk::nodes).sum(),
        iterations: desks.iter().map(|desk| desk.entered.load(Ordering::Relaxed)).sum(),
        numbers: result.map_or_else(|| desks[0].numbers(), |solved| numbers(solved.value)),
        elapsed: watch.elapsed(),
    };
    (outcome, result)
}
