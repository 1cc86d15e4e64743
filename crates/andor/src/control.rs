//! Limits, stopping, progress, and what a search answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::plies::Plies;
use crate::rules::Value;

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

/// Why a search gives no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The limit on nodes was reached.
    Nodes,
    /// The limit on time was reached.
    Time,
    /// Memory ran out (PN-search keeps its whole tree).
    Memory,
    /// Somebody raised the [`Stop`] flag.
    Stopped,
    /// It is proven, but a bound on plies was asked for where repetition favours the attacker: a proof that
    /// goes round for ever has no length.
    Bound,
}

/// What a search says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The attacker reaches the goal.
    Proven,
    /// The attacker does not.
    Disproven,
    /// It was not found out.
    Unknown(Reason),
}

impl Verdict {
    /// The value, if there is one.
    pub fn value(self) -> Option<Value> {
        match self {
            Verdict::Proven => Some(Value::Proven),
            Verdict::Disproven => Some(Value::Disproven),
            Verdict::Unknown(_) => None,
        }
    }
}

impl From<Value> for Verdict {
    fn from(value: Value) -> Verdict {
        match value {
            Value::Proven => Verdict::Proven,
            Value::Disproven => Verdict::Disproven,
        }
    }
}

/// The result of a search, with what it took.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// Proven: within so many plies. Disproven: not within so many
    /// ([`Plies::UNBOUNDED`](crate::Plies::UNBOUNDED): never). Where repetition favours the attacker it is the
    /// other way round: disproven within so many plies, and a proof has no length.
    pub plies: Plies,
    /// Nodes visited. For df-pn: positions entered, again at every visit, plus those that the
    /// game's own small solver visited. For PN-search: nodes of the tree.
    pub nodes: u64,
    /// Expansions: for PN-search the iterations of the paper, for df-pn the positions entered.
    pub iterations: u64,
    /// Proof and disproof number of the root at the end.
    pub numbers: (u32, u32),
    /// Time taken.
    pub elapsed: Duration,
}

impl Outcome {
    /// The value, if the verdict has one.
    pub fn value(&self) -> Option<Value> {
        self.verdict.value()
    }
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
