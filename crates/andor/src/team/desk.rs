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
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Desk {
    nodes: AtomicU64,
    entered: AtomicU64,
    numbers: (AtomicU32, AtomicU32),
    depth: AtomicUsize,
    line: Mutex<String>,
}

impl Default for Desk {
    fn default() -> Desk {
        Desk {
            nodes: AtomicU64::new(0),
            entered: AtomicU64::new(0),
            numbers: (AtomicU32::new(1), AtomicU32::new(1)),
            depth: AtomicUsize::new(0),
            line: Mutex::default(),
        }
    }
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
                // A thread that panics ends the others; the panic then goes on to the caller.
                let end = RaiseOnDrop(over);
                let result = work(id, desk, over, quantum);
                std::mem::forget(end);
                let mut ended = ended.lock().unwrap_or_else(PoisonError::into_inner);
                ended.result = ended.result.or(result);
                ended.threads += 1;
                bell.notify_one();
            });
        }
        // However this thread leaves, the others are ended.
        let _end = RaiseOnDrop(&over);
        let mut state = ended.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if state.result.is_some() || state.threads == threads || over.is_raised() {
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
        }
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

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    fn wait(over: &Stop) -> Option<Solved<()>> {
        while !over.is_raised() {
            std::thread::yield_now();
        }
        None
    }

    #[test]
    fn a_thread_that_panics_ends_the_others() {
        let table = Table::new(crate::table::MIN_BYTES).expect("a small table");
        let run = || {
            run::<()>(3, &table, &mut Control::default(), |id, _, over, _| {
                assert!(id != 1, "on purpose");
                wait(over)
            })
        };
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    }

    #[test]
    fn a_report_that_panics_ends_the_threads() {
        let table = Table::new(crate::table::MIN_BYTES).expect("a small table");
        let mut report = |_: &Progress<'_>| panic!("on purpose");
        let mut control = Control { progress: Some(&mut report), ..Control::default() };
        let run = || run::<()>(2, &table, &mut control, |_, _, over, _| wait(over));
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    }
}
