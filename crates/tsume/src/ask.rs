//! Questions to the search, one after the other, within limits that hold for all of them together.
//!
//! An answer about mate is more than one search: the first proof, proofs and disproofs of bounded
//! length around it, and small searches along the line of play where the table has forgotten. All
//! of them are the same question, "is there a mate within so many plies?", asked of one position or
//! another; [`Asker`] puts it to the table first, then to the game's own look, and then to an
//! agent. A large question may go to several agents on many threads instead.

use std::time::Duration;

use andor::clock::Instant;
use andor::{
    Agent, Control, Dfpn, Limits, Plies, Progress, Reason, Scheme, Shares, Solved, Step, Stop,
    Table, Totals, Value, Verdict, known, together,
};

use crate::answer::{Event, MateProgress, Observer, Phase};
use crate::stock::AttackersHand;
use crate::tsume::Tsume;

/// A question of more nodes than this gets the agent with much room for results on one path.
const SMALL: u64 = 1 << 16;
/// Bytes that the other agent has for them: a new one is made for every call inside an engine.
const SMALL_PATH_BYTES: usize = 1 << 18;
/// Nodes between two looks at the clock.
const QUANTUM: u64 = 2048;

/// The length that a proof of mate holds for. Each has one: tsume-shogi leaves out no move that would
/// matter for it.
pub(crate) fn length(proof: Solved<AttackersHand>) -> u16 {
    proof.plies.bounded().unwrap_or(u16::MAX)
}

/// Asks whether there is a mate, within limits.
pub(crate) struct Asker<'a, 't> {
    table: &'t Table,
    settings: Dfpn,
    /// How large questions are searched, if several agents do it.
    scheme: Option<Scheme>,
    limits: Limits,
    stop: Stop,
    start: Instant,
    small: Option<Agent<'t, Tsume>>,
    large: Option<Agent<'t, Tsume>>,
    /// Of the questions that several agents searched.
    together: Totals,
    /// Why they cannot search any, if that is so.
    failed: Option<Reason>,
    /// Who searched them, where a leader and workers did.
    pub shares: Shares,
    /// Told what happens.
    pub observer: Option<Observer<'a>>,
    /// What the questions are asked for.
    pub phase: Phase,
    /// At most about so many nodes for any one question.
    pub patience: u64,
    /// The numbers of the position asked about last.
    pub numbers: (u32, u32),
}

impl<'a, 't> Asker<'a, 't> {
    pub fn new(
        table: &'t Table,
        (settings, scheme): (Dfpn, Option<Scheme>),
        limits: Limits,
        stop: Stop,
        observer: Option<Observer<'a>>,
    ) -> Self {
        Asker {
            table,
            settings,
            scheme,
            limits,
            stop,
            start: Instant::now(),
            small: None,
            large: None,
            together: Totals::default(),
            failed: None,
            shares: Shares::default(),
            observer,
            phase: Phase::First,
            patience: u64::MAX,
            numbers: (1, 1),
        }
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
        self.start.elapsed()
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
    pub fn known(&self, problem: &mut Tsume, plies: Plies) -> Option<Solved<AttackersHand>> {
        known(problem, self.table, plies).solved()
    }

    /// Is there a mate within `plies` plies? No answer if a limit is reached first.
    pub fn ask(&mut self, problem: &Tsume, plies: Plies) -> Option<Solved<AttackersHand>> {
        self.ask_for(problem, plies, u64::MAX)
    }

    /// The same with at most about `budget` nodes for this question.
    pub fn ask_for(
        &mut self,
        problem: &Tsume,
        plies: Plies,
        budget: u64,
    ) -> Option<Solved<AttackersHand>> {
        if let Some(solved) = self.known(&mut problem.clone(), plies) {
            self.numbers = match solved.value {
                Value::Proven => (0, andor::INFINITY),
                Value::Disproven => (andor::INFINITY, 0),
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
        problem: &Tsume,
        plies: Plies,
        end: u64,
    ) -> Option<Solved<AttackersHand>> {
        if self.reached().is_some() {
            return None;
        }
        if let Some(scheme) = self.scheme.filter(|_| large) {
            return self.run_together(&scheme, problem, plies, end);
        }
        let agent = if large { &mut self.large } else { &mut self.small };
        let mut agent = match agent.take() {
            Some(mut agent) => {
                agent.restart(problem.clone(), plies);
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
                let settings = Dfpn { plies, path_bytes, ..self.settings };
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
                observer(Event::Progress(&MateProgress {
                    nodes,
                    elapsed: self.start.elapsed(),
                    pn,
                    dn,
                    depth: agent.depth(),
                    phase: self.phase,
                    stored: self.table.stored(),
                    capacity: self.table.capacity(),
                    agents: &[],
                }));
            }
            let late = self.limits.time.is_some_and(|limit| self.start.elapsed() >= limit);
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
        problem: &Tsume,
        plies: Plies,
        end: u64,
    ) -> Option<Solved<AttackersHand>> {
        let (others, start, phase) = (self.nodes(), self.start, self.phase);
        let end = end.min(self.limits.nodes.unwrap_or(u64::MAX));
        let mut control = Control::new(Limits {
            nodes: (end < u64::MAX).then(|| end.saturating_sub(others)),
            time: self.limits.time.map(|limit| limit.saturating_sub(start.elapsed())),
        });
        control.stop = self.stop.clone();
        let mut report = self.observer.as_mut().map(|observer| {
            move |progress: &Progress<'_>| {
                let Progress { nodes, pn, dn, depth, stored, capacity, agents, .. } = *progress;
                let (nodes, elapsed) = (others + nodes, start.elapsed());
                observer(Event::Progress(&MateProgress {
                    nodes,
                    elapsed,
                    pn,
                    dn,
                    depth,
                    phase,
                    stored,
                    capacity,
                    agents,
                }));
            }
        });
        control.progress = report.as_mut().map(|report| report as &mut dyn FnMut(&Progress<'_>));
        let settings = Dfpn { plies, ..self.settings };
        let (outcome, result) = together(problem, settings, scheme, self.table, &mut control);
        self.failed = match outcome.verdict {
            Verdict::Unknown(Reason::Threads) => Some(Reason::Threads),
            _ => None,
        };
        self.together = self.together + outcome.totals();
        self.shares.add(&outcome.shares);
        self.numbers = outcome.numbers;
        result
    }
}

/// The shortest length of a mate that is known to exist within `known` plies, and whether it is
/// certain that there is no shorter one.
pub(crate) fn shortest(asker: &mut Asker<'_, '_>, problem: &Tsume, known: u16) -> (u16, bool) {
    shorten(asker, problem, known, |_, _, _| {})
}

/// The same, and tells of each shorter mate.
pub(crate) fn shorten(
    asker: &mut Asker<'_, '_>,
    problem: &Tsume,
    mut known: u16,
    tell: impl Fn(&mut Asker<'_, '_>, &Tsume, u16),
) -> (u16, bool) {
    while let Some(asking) = known.checked_sub(2) {
        asker.phase = Phase::Shortest { known, asking };
        match asker.ask(problem, Plies::at_most(asking)) {
            Some(proof) if proof.value == Value::Proven => {
                known = length(proof).min(asking);
                tell(asker, problem, known);
            }
            Some(_) => return (known, true),
            None => return (known, false),
        }
    }
    (known, true)
}
