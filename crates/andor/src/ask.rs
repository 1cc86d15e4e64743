//! Questions to the search, one after the other, within limits that hold for all of them together.
//!
//! An answer about a length is more than one search: the first proof, proofs and disproofs of bounded
//! length around it, and small searches along the line of play where the table has forgotten. All
//! of them are the same question, "is there a proof within so many plies?", asked of one position or
//! another; [`Asker`] puts it to the table first, then to the game's own look, and then to an
//! agent. A large question may go to several agents on many threads instead.

use std::fmt;
use std::time::Duration;

use crate::clock::Instant;
use crate::control::{AgentStatus, Control, Limits, Progress, Stop};
use crate::dfpn::{Agent, Dfpn, Step, Sums};
use crate::known::known;
use crate::number::{INFINITY, Number};
use crate::plies::Plies;
use crate::problem::Problem;
use crate::rules::Value;
use crate::search::{Scheme, together};
use crate::table::{Solved, Table};
use crate::totals::Totals;
use crate::verdict::{Outcome, Reason, Shares, Verdict};

/// A question of more nodes than this gets the agent with much room for results on one path.
const SMALL: u64 = 1 << 16;
/// Bytes that the other agent has for them: a new one is made for every call inside an engine.
const SMALL_PATH_BYTES: usize = 1 << 18;
/// See [`Asker::worth_waking`].
const WORTH_WAKING: u64 = 1 << 16;
/// Nodes between two looks at the clock.
const QUANTUM: u64 = 2048;

/// What the questions are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// It looks for a proof.
    First,
    /// It has one and looks for a shorter one.
    Shortest {
        /// There is no proof of fewer plies.
        least: u16,
        /// There is one within so many plies.
        known: u16,
        /// Is there one within so many, here or further down the line?
        asking: u16,
    },
    /// It looks for the line of play.
    Line,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Phase::First => f.write_str("first proof"),
            Phase::Shortest { least, known, asking } => {
                write!(f, "{least} to {known} plies: asking {asking}")
            }
            Phase::Line => f.write_str("line"),
        }
    }
}

/// How far it has come.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Nodes of all questions so far.
    pub nodes: u64,
    /// Time since the first one.
    pub elapsed: Duration,
    /// Proof number of the position being asked about.
    pub pn: Number,
    /// Its disproof number.
    pub dn: Number,
    /// Length of the line being looked at.
    pub depth: usize,
    /// What it is asked for.
    pub phase: Phase,
    /// Entries in the table.
    pub stored: usize,
    /// How many there is room for.
    pub capacity: usize,
    /// What the threads do; none if there is but one.
    pub agents: &'a [AgentStatus],
}

/// Who is told how far it has come, every few thousand nodes.
pub trait Watcher {
    /// It has come so far.
    fn progress(&mut self, asked: &Asked<'_>);
}

/// Nobody.
impl Watcher for () {
    fn progress(&mut self, _: &Asked<'_>) {}
}

/// Asks whether there is a proof, within limits.
pub struct Asker<'t, P: Problem, W> {
    table: &'t Table,
    settings: Dfpn,
    /// How large questions are searched, if several agents do it.
    scheme: Option<Scheme>,
    limits: Limits,
    stop: Stop,
    start: Instant,
    /// Time that was taken before.
    before: Duration,
    small: Option<Agent<'t, P>>,
    large: Option<Agent<'t, P>>,
    /// Of the questions that several agents searched.
    together: Totals,
    /// Why they cannot search any, if that is so.
    failed: Option<Reason>,
    /// Who searched them, where a leader and workers did.
    pub shares: Shares,
    /// Told what happens.
    pub observer: Option<W>,
    /// What the questions are asked for.
    pub phase: Phase,
    /// At most about so many nodes for any one question.
    pub patience: u64,
    /// Questions that do not depend on each other go to several agents at once, if all of them together
    /// may take so many nodes: fewer are not worth waking others for.
    pub worth_waking: u64,
    /// The numbers of the position asked about last.
    pub numbers: (Number, Number),
}

impl<'t, P: Problem, W: Watcher> Asker<'t, P, W> {
    /// Someone to put questions to, on this table.
    pub fn new(
        table: &'t Table,
        (settings, scheme): (Dfpn, Option<Scheme>),
        limits: Limits,
        stop: Stop,
        observer: Option<W>,
    ) -> Self {
        Asker {
            table,
            settings,
            // By the sums that suit the game: those of a bounded question are plain.
            scheme: scheme.map(|scheme| scheme.with(settings.sums)),
            limits,
            stop,
            start: Instant::now(),
            before: Duration::ZERO,
            small: None,
            large: None,
            together: Totals::default(),
            failed: None,
            shares: Shares::default(),
            observer,
            phase: Phase::First,
            patience: u64::MAX,
            worth_waking: WORTH_WAKING,
            numbers: (1, 1),
        }
    }

    /// The same after a search that answered the first question: what it took counts.
    #[must_use]
    pub fn after(mut self, outcome: &Outcome) -> Self {
        self.together = self.together + outcome.totals();
        self.before += outcome.elapsed;
        self.shares.add(&outcome.shares);
        self
    }

    /// The table.
    pub fn table(&self) -> &'t Table {
        self.table
    }

    /// The settings of the search.
    pub(crate) fn settings(&self) -> Dfpn {
        self.settings
    }

    /// How large questions are searched, if several agents do it.
    pub(crate) fn scheme(&self) -> Option<Scheme> {
        self.scheme
    }

    /// Nodes of all questions so far.
    pub fn nodes(&self) -> u64 {
        self.totals().nodes
    }

    /// All that is counted of all questions so far.
    pub fn totals(&self) -> Totals {
        let agents = [&self.small, &self.large].into_iter().flatten();
        self.together + agents.map(Agent::totals).sum()
    }

    /// Time since the first question.
    pub fn elapsed(&self) -> Duration {
        self.before + self.start.elapsed()
    }

    /// The limits.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Changes the limits, which count from the first question.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Why no further question can be searched, if that is so.
    pub fn reached(&self) -> Option<Reason> {
        if self.stop.is_raised() {
            Some(Reason::Stopped)
        } else if self.limits.nodes.is_some_and(|limit| self.nodes() >= limit) {
            Some(Reason::Nodes)
        } else if self.limits.time.is_some_and(|limit| self.elapsed() >= limit) {
            Some(Reason::Time)
        } else {
            self.failed
        }
    }

    /// What is known without a search: by the table, or by a look at the position.
    pub fn known(&self, problem: &mut P, plies: Plies) -> Option<Solved<P::Stock>> {
        known(problem, self.table, plies).solved()
    }

    /// Is there a proof within `plies` plies? No answer if a limit is reached first.
    pub fn ask(&mut self, problem: &P, plies: Plies) -> Option<Solved<P::Stock>> {
        self.ask_for(problem, plies, u64::MAX)
    }

    /// The same with at most about `budget` nodes for this question.
    pub fn ask_for(&mut self, problem: &P, plies: Plies, budget: u64) -> Option<Solved<P::Stock>> {
        if let Some(solved) = self.known(&mut problem.clone(), plies) {
            self.numbers = match solved.value {
                Value::Proven => (0, INFINITY),
                Value::Disproven => (INFINITY, 0),
            };
            return Some(solved);
        }
        let budget = budget.min(self.patience);
        let end = self.nodes().saturating_add(budget);
        let limit = self.limits.nodes.unwrap_or(u64::MAX).saturating_sub(self.nodes());
        if budget.min(limit) > SMALL && self.phase == Phase::First {
            return self.run(true, problem, plies, end);
        }
        match self.run(false, problem, plies, end.min(self.nodes().saturating_add(SMALL))) {
            None if self.nodes() < end && self.reached().is_none() => {
                self.run(true, problem, plies, end)
            }
            answer => answer,
        }
    }

    /// Searches with one of the agents until it is done or all nodes together are `end`.
    fn run(
        &mut self,
        large: bool,
        problem: &P,
        plies: Plies,
        end: u64,
    ) -> Option<Solved<P::Stock>> {
        if self.reached().is_some() {
            return None;
        }
        if let Some(scheme) = self.scheme.filter(|_| large) {
            return self.run_together(&scheme, problem, plies, end);
        }
        let agent = if large { &mut self.large } else { &mut self.small };
        let mut agent = match agent.take() {
            Some(mut agent) => {
                agent.restart_with(problem.clone(), settings_for(self.settings, plies));
                agent
            }
            None => {
                let path_bytes = if large {
                    self.settings.path_bytes
                } else {
                    let most = self.limits.nodes.unwrap_or(u64::MAX).saturating_mul(64);
                    let most = usize::try_from(most).unwrap_or(usize::MAX);
                    self.settings.path_bytes.min(SMALL_PATH_BYTES).min(most.max(1 << 13))
                };
                let settings = Dfpn { path_bytes, ..settings_for(self.settings, plies) };
                Agent::new(problem.clone(), settings, self.table, self.stop.clone())
            }
        };
        let others = self.nodes();
        let end = end.min(self.limits.nodes.unwrap_or(u64::MAX));
        let done = loop {
            let nodes = others + agent.nodes();
            match agent.run(QUANTUM.min(end.saturating_sub(nodes))) {
                Step::Solved => break true,
                Step::Stopped => break false,
                Step::Budget => {}
            }
            let nodes = others + agent.nodes();
            if let Some(observer) = &mut self.observer {
                let (pn, dn) = agent.root_numbers();
                observer.progress(&Asked {
                    nodes,
                    elapsed: self.before + self.start.elapsed(),
                    pn,
                    dn,
                    depth: agent.depth(),
                    phase: self.phase,
                    stored: self.table.stored(),
                    capacity: self.table.capacity(),
                    agents: &[],
                });
            }
            let late = self.limits.time.is_some_and(|limit| self.elapsed() >= limit);
            if nodes >= end || late {
                break false;
            }
        };
        self.numbers = agent.root_numbers();
        let result = agent.result().filter(|_| done);
        *(if large { &mut self.large } else { &mut self.small }) = Some(agent);
        result
    }

    /// Searches with several agents until one is done or all nodes together are about `end`.
    fn run_together(
        &mut self,
        scheme: &Scheme,
        problem: &P,
        plies: Plies,
        end: u64,
    ) -> Option<Solved<P::Stock>> {
        let (settings, table) = (settings_for(self.settings, plies), self.table);
        let (outcome, result) =
            self.watched(end, |control| together(problem, settings, scheme, table, control));
        self.failed = match outcome.verdict {
            Verdict::Unknown(Reason::Threads) => Some(Reason::Threads),
            _ => None,
        };
        self.count(&outcome);
        self.numbers = outcome.numbers;
        result
    }

    /// Runs a search on many threads within what is left of the limits, until all nodes together are
    /// about `end`; the observer is told how far it has come.
    pub(crate) fn watched<R>(&mut self, end: u64, search: impl FnOnce(&mut Control<'_>) -> R) -> R {
        let (others, start, phase) = (self.nodes(), self.start, self.phase);
        let before = self.before;
        let end = end.min(self.limits.nodes.unwrap_or(u64::MAX));
        let mut control = Control::new(Limits {
            nodes: (end < u64::MAX).then(|| end.saturating_sub(others)),
            time: self.limits.time.map(|limit| limit.saturating_sub(self.elapsed())),
        });
        control.stop = self.stop.clone();
        let mut report = self.observer.as_mut().map(|observer| {
            move |progress: &Progress<'_>| {
                let Progress { nodes, pn, dn, depth, stored, capacity, agents, .. } = *progress;
                let (nodes, elapsed) = (others + nodes, before + start.elapsed());
                observer.progress(&Asked {
                    nodes,
                    elapsed,
                    pn,
                    dn,
                    depth,
                    phase,
                    stored,
                    capacity,
                    agents,
                });
            }
        });
        control.progress = report.as_mut().map(|report| report as &mut dyn FnMut(&Progress<'_>));
        search(&mut control)
    }

    /// Counts what several agents searched.
    pub(crate) fn count(&mut self, outcome: &Outcome) {
        self.together = self.together + outcome.totals();
        self.shares.add(&outcome.shares);
    }
}

/// How a question is searched. Where plies are few, children that meet again are few too, and to
/// look for them costs more than it saves: plain sums took 0.85 of the nodes that sums over a DAG
/// took for shortest mates.
pub(crate) fn settings_for(usual: Dfpn, plies: Plies) -> Dfpn {
    if plies.is_bounded() {
        Dfpn { plies, sums: Sums::Plain, rest: Dfpn::default().rest, ..usual }
    } else {
        Dfpn { plies, ..usual }
    }
}
