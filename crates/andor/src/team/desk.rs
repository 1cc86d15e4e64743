//! Where agents on many threads report, and from where they are ended.
//!
//! The caller's thread does not search: it sleeps, wakes up some hundred times a second to look at
//! the clock, the stop flag and the reports, and ends the agents when one of them is done or a
//! limit is reached. So an agent never waits for anything, and a stop is heeded at once. The limit
//! on nodes is looked at with every report too.

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::control::{AgentStatus, Control, Progress, REPORT, Stop, Watch};
use crate::dfpn::{Agent, Step};
use crate::number::Number;
use crate::plies::Plies;
use crate::problem::Problem;
use crate::rules::Stock;
use crate::table::{Solved, Table, numbers};
use crate::totals::Totals;
use crate::verdict::{Outcome, Reason, Shares, Verdict};

/// Moves of an agent's line that are told.
const TOLD: usize = 3;
/// Between two looks of the caller.
const WAIT: Duration = Duration::from_millis(4);

/// One thread's reports.
#[derive(Debug)]
#[repr(align(128))]
struct Desk {
    nodes: AtomicU64,
    entered: AtomicU64,
    evaluated: AtomicU64,
    numbers: (AtomicU32, AtomicU32),
    depth: AtomicUsize,
    line: Mutex<String>,
}

impl Default for Desk {
    fn default() -> Desk {
        Desk {
            nodes: AtomicU64::new(0),
            entered: AtomicU64::new(0),
            evaluated: AtomicU64::new(0),
            numbers: (AtomicU32::new(1), AtomicU32::new(1)),
            depth: AtomicUsize::new(0),
            line: Mutex::default(),
        }
    }
}

impl Desk {
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

    fn totals(&self) -> Totals {
        Totals {
            nodes: self.nodes(),
            entered: self.entered.load(Ordering::Relaxed),
            evaluated: self.evaluated.load(Ordering::Relaxed),
        }
    }

    fn numbers(&self) -> (Number, Number) {
        (self.numbers.0.load(Ordering::Relaxed), self.numbers.1.load(Ordering::Relaxed))
    }
}

/// A thread's place in the team.
pub(crate) struct Place<'a> {
    desks: &'a [Desk],
    own: &'a Desk,
    /// At most so many nodes of all threads.
    limit: Option<u64>,
    /// Ends the thread.
    pub over: &'a Stop,
    /// The nodes after which it has to report.
    pub quantum: u64,
}

impl Place<'_> {
    /// Reports what all of this thread's agents have come to.
    pub fn count(&self, totals: Totals) {
        self.own.nodes.store(totals.nodes, Ordering::Relaxed);
        self.own.entered.store(totals.entered, Ordering::Relaxed);
        self.own.evaluated.store(totals.evaluated, Ordering::Relaxed);
        if self.limit.is_some_and(|limit| nodes_of(self.desks) >= limit) {
            self.over.raise();
        }
    }

    /// Reports an agent, and what all of this thread's agents have come to.
    pub fn report<P: Problem>(&self, problem: &P, agent: &Agent<'_, P>, totals: Totals) {
        let (pn, dn) = agent.root_numbers();
        self.own.numbers.0.store(pn, Ordering::Relaxed);
        self.own.numbers.1.store(dn, Ordering::Relaxed);
        self.own.depth.store(agent.depth(), Ordering::Relaxed);
        let mut position = problem.clone();
        let mut words = Vec::with_capacity(TOLD);
        for m in agent.line().take(TOLD) {
            words.push(position.describe_move(m));
            position.play(m);
        }
        *self.own.line.lock().unwrap_or_else(PoisonError::into_inner) = words.join(" ");
        self.count(totals);
    }

    /// The turn of one of this thread's agents: so many nodes, however long they take, with reports
    /// on the way. `others` is what the thread's other agents have come to.
    pub fn turn<P: Problem>(&self, agent: &mut Agent<'_, P>, nodes: u64, others: Totals) -> Step {
        let end = agent.nodes().saturating_add(nodes);
        loop {
            let left = end.saturating_sub(agent.nodes());
            let step = agent.run_for(left.min(self.quantum), REPORT);
            let is_done = agent.nodes() >= end || agent.is_idle() || agent.has_to_yield();
            if step != Step::Budget || is_done {
                return step;
            }
            self.count(others + agent.totals());
        }
    }
}

fn nodes_of(desks: &[Desk]) -> u64 {
    desks.iter().map(Desk::nodes).sum()
}

/// Ends all threads.
struct RaiseOnDrop<'a>(&'a Stop);

impl Drop for RaiseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.raise();
    }
}

/// What the threads have come to.
struct Ended<S> {
    result: Option<Solved<S>>,
    threads: usize,
}

/// Runs `work` on so many threads, each with its number and its place, until one of them has a
/// result, all have given up, or a limit is reached. Where the system does not give that many, those
/// that have begun are ended.
pub(crate) fn run<S: Stock>(
    threads: usize,
    table: &Table,
    control: &mut Control<'_>,
    work: impl Fn(usize, &Place<'_>) -> Option<Solved<S>> + Sync,
) -> (Outcome, Option<Solved<S>>) {
    run_on(thread::Builder::new, threads, table, control, work)
}

/// The same on threads of this making.
fn run_on<S: Stock>(
    new_thread: impl Fn() -> thread::Builder,
    threads: usize,
    table: &Table,
    control: &mut Control<'_>,
    work: impl Fn(usize, &Place<'_>) -> Option<Solved<S>> + Sync,
) -> (Outcome, Option<Solved<S>>) {
    let watch = Watch::new(control.limits);
    let desks: Box<[Desk]> = (0..threads).map(|_| Desk::default()).collect();
    let over = Stop::new();
    let (ended, bell) = (Mutex::new(Ended { result: None, threads: 0 }), Condvar::new());
    let most = watch.quantum(0).max(1);
    let quantum = control.limits.nodes.map_or(most, |n| (n / (8 * threads as u64)).clamp(1, most));
    let limit = control.limits.nodes;
    let reason = thread::scope(|scope| {
        // However this thread leaves, the others are ended.
        let _end = RaiseOnDrop(&over);
        for (id, own) in desks.iter().enumerate() {
            let (work, over, ended, bell) = (&work, &over, &ended, &bell);
            let place = Place { desks: &desks, own, limit, over, quantum };
            let started = new_thread().spawn_scoped(scope, move || {
                // A thread that panics ends the others; the panic then goes on to the caller.
                let end = RaiseOnDrop(over);
                let result = work(id, &place);
                std::mem::forget(end);
                let mut ended = ended.lock().unwrap_or_else(PoisonError::into_inner);
                ended.result = ended.result.or(result);
                ended.threads += 1;
                bell.notify_one();
            });
            if started.is_err() {
                return Some(Reason::Threads);
            }
        }
        let mut state = ended.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if state.result.is_some() || state.threads == threads || over.is_raised() {
                break None;
            }
            let waited = bell.wait_timeout(state, WAIT).unwrap_or_else(PoisonError::into_inner);
            state = waited.0;
            let nodes = nodes_of(&desks);
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
        }
    });
    let result = ended.into_inner().unwrap_or_else(PoisonError::into_inner).result;
    let totals: Totals = desks.iter().map(Desk::totals).sum();
    let outcome = Outcome {
        verdict: match (result, reason) {
            (Some(solved), _) => solved.value.into(),
            (None, Some(reason)) => Verdict::Unknown(reason),
            (None, None) => Verdict::Unknown(watch.interrupted(&control.stop, totals.nodes)),
        },
        plies: result.map_or(Plies::UNBOUNDED, |solved| solved.plies),
        nodes: totals.nodes,
        iterations: totals.entered,
        evaluated: totals.evaluated,
        numbers: result.map_or_else(|| desks[0].numbers(), |solved| numbers(solved.value)),
        elapsed: watch.elapsed(),
        shares: Shares::default(),
    };
    (outcome, result)
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    fn wait(over: &Stop) -> Option<Solved<()>> {
        while !over.is_raised() {
            thread::yield_now();
        }
        None
    }

    #[test]
    fn a_thread_that_panics_ends_the_others() {
        let table = Table::new(crate::table::MIN_BYTES).expect("a small table");
        let run = || {
            run::<()>(3, &table, &mut Control::default(), |id, place| {
                assert!(id != 1, "on purpose");
                wait(place.over)
            })
        };
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    }

    #[test]
    fn without_threads_there_is_no_answer_and_no_panic() {
        let table = Table::new(crate::table::MIN_BYTES).expect("a small table");
        // The second one wants a larger stack than any machine has room for.
        let started = AtomicUsize::new(0);
        let new_thread = || match started.fetch_add(1, Ordering::Relaxed) {
            0 => thread::Builder::new(),
            _ => thread::Builder::new().stack_size(isize::MAX as usize / 2),
        };
        let wait = |_, place: &Place<'_>| wait(place.over);
        let (outcome, result) = run_on(new_thread, 3, &table, &mut Control::default(), wait);
        assert_eq!((outcome.verdict, result), (Verdict::Unknown(Reason::Threads), None));
        assert_eq!(started.into_inner(), 2);
    }

    #[test]
    fn a_report_that_panics_ends_the_threads() {
        let table = Table::new(crate::table::MIN_BYTES).expect("a small table");
        let mut report = |_: &Progress<'_>| panic!("on purpose");
        let mut control = Control { progress: Some(&mut report), ..Control::default() };
        let run = || run::<()>(2, &table, &mut control, |_, place| wait(place.over));
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    }
}
