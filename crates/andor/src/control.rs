//! Limits, stopping and progress: how a search is watched and ended.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::clock::Instant;
use crate::verdict::Reason;

/// When a search has to end without an answer. The default is no limit at all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// At most so many nodes.
    pub nodes: Option<u64>,
    /// At most so long.
    pub time: Option<Duration>,
}

/// A flag with which another thread ends a search. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A flag not yet raised.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Ends every search that holds this flag: within a look of the game at a position.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Takes the flag down, so that a stopped search can go on.
    pub fn lower(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Was it raised?
    #[inline]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What one agent of a search on many threads does.
#[derive(Clone, Debug)]
pub struct AgentStatus {
    /// Its nodes so far.
    pub nodes: u64,
    /// Length of the line it looks at.
    pub depth: usize,
    /// The first moves of that line.
    pub line: String,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Nodes so far.
    pub nodes: u64,
    /// Time so far.
    pub elapsed: Duration,
    /// Proof number of the root.
    pub pn: u32,
    /// Disproof number of the root.
    pub dn: u32,
    /// Length of the line being looked at.
    pub depth: usize,
    /// Entries in the table, or nodes of the tree.
    pub stored: usize,
    /// How many there is room for.
    pub capacity: usize,
    /// What the threads do; none if there is but one.
    pub agents: &'a [AgentStatus],
}

/// How a search is watched and ended from outside.
pub struct Control<'a> {
    /// When to give up.
    pub limits: Limits,
    /// Raised by another thread to end the search.
    pub stop: Stop,
    /// Called now and then, many times a second, from the calling thread.
    pub progress: Option<&'a mut dyn FnMut(&Progress<'_>)>,
}

impl Default for Control<'_> {
    fn default() -> Self {
        Control::new(Limits::default())
    }
}

impl Control<'_> {
    /// A control with limits and nothing else.
    pub fn new(limits: Limits) -> Self {
        Control { limits, stop: Stop::new(), progress: None }
    }
}

/// However slow the nodes are, a search reports, and looks at its limits, about so often.
pub(crate) const REPORT: Duration = Duration::from_millis(20);

/// A running search's clock: turns limits into reasons.
pub(crate) struct Watch {
    start: Instant,
    limits: Limits,
}

impl Watch {
    pub fn new(limits: Limits) -> Watch {
        Watch { start: Instant::now(), limits }
    }

    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// When the time is up.
    pub fn deadline(&self) -> Option<Instant> {
        self.limits.time.and_then(|limit| self.start.checked_add(limit))
    }

    /// The limit that is reached after `nodes` nodes, if any.
    pub fn reached(&self, nodes: u64) -> Option<Reason> {
        if self.limits.nodes.is_some_and(|limit| nodes >= limit) {
            Some(Reason::Nodes)
        } else if self.limits.time.is_some_and(|limit| self.elapsed() >= limit) {
            Some(Reason::Time)
        } else {
            None
        }
    }

    /// Why a search ended that was [interrupted](crate::Interrupted) after `nodes` nodes.
    pub fn interrupted(&self, stop: &Stop, nodes: u64) -> Reason {
        if stop.is_raised() {
            return Reason::Stopped;
        }
        self.reached(nodes).unwrap_or(Reason::Stopped)
    }

    /// Nodes that may be searched before the next report, if that is not [due](REPORT) before.
    pub fn quantum(&self, nodes: u64) -> u64 {
        const QUANTUM: u64 = 4096;
        self.limits.nodes.map_or(QUANTUM, |limit| QUANTUM.min(limit.saturating_sub(nodes)))
    }
}
