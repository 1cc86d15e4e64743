//! The front door: choose an algorithm, run it within limits, get a verdict.

use crate::control::{Control, Limits, Progress, REPORT, Watch};
use crate::dfpn::{Agent, Dfpn, Step, Sums};
use crate::mirror::Mirror;
use crate::pincers;
use crate::plies::Plies;
use crate::pn_search::{self, PnSearch, Selection};
use crate::problem::Problem;
use crate::pseudo_threads::Paths;
use crate::rules::{Repetition, Value};
use crate::table::{Solved, Table};
use crate::verdict::{Outcome, Reason, Shares, Verdict};
use crate::virtual_numbers::{self, Agents};

/// A search algorithm with its settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Algorithm {
    /// Depth-first proof-number search: little memory, any size of problem.
    Dfpn(Dfpn),
    /// The same with several agents.
    Team(Dfpn, Scheme),
    /// Best-first proof-number search over a tree in memory, and DeepPN.
    Pn(PnSearch),
}

/// How several agents search one problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scheme {
    /// Agents from the root, steered apart by virtual numbers.
    Virtual(Agents),
    /// A leader, and workers on what it leaves aside.
    Paths(Paths),
}

impl Scheme {
    /// With how much agents count chosen for these sums, if that was not said.
    pub(crate) fn with(self, sums: Sums) -> Scheme {
        match self {
            Scheme::Virtual(agents) => {
                Scheme::Virtual(Agents { numbers: agents.numbers.with(sums), ..agents })
            }
            Scheme::Paths(_) => self,
        }
    }

    /// How many threads it takes.
    pub fn threads(&self) -> usize {
        match self {
            Scheme::Virtual(agents) => agents.threads(),
            Scheme::Paths(paths) => paths.assignment.processors(),
        }
    }
}

impl Default for Algorithm {
    fn default() -> Self {
        Algorithm::Dfpn(Dfpn::default())
    }
}

impl Algorithm {
    /// `R`, if this is an algorithm with deep values.
    pub fn r(&self) -> Option<f64> {
        match self {
            Algorithm::Dfpn(dfpn) | Algorithm::Team(dfpn, _) => {
                (dfpn.deep < 1.0).then_some(dfpn.deep)
            }
            Algorithm::Pn(pn) => match pn.selection {
                Selection::Deep(r) => Some(r),
                Selection::Proof | Selection::Deepest => None,
            },
        }
    }

    /// The same algorithm with another `R`, if it has deep values.
    pub fn with_r(mut self, r: f64) -> Algorithm {
        if self.r().is_some() {
            match &mut self {
                Algorithm::Dfpn(dfpn) | Algorithm::Team(dfpn, _) => dfpn.deep = r,
                Algorithm::Pn(pn) => pn.selection = Selection::Deep(r),
            }
        }
        self
    }
}

/// All that [`solve`] needs to know.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Bytes for the transposition table, or for the tree of PN-search.
    pub hash: usize,
    /// When to give up.
    pub limits: Limits,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { algorithm: Algorithm::default(), hash: 16 << 20, limits: Limits::default() }
    }
}

/// Solves a problem with a table of its own. For a table that stays, progress, or a stop from
/// another thread, use [`search`].
pub fn solve<P: Problem>(problem: P, settings: &Settings) -> Outcome {
    match Table::new(settings.hash.max(crate::table::MIN_BYTES)) {
        Ok(table) => {
            search(&problem, &settings.algorithm, &table, &mut Control::new(settings.limits))
        }
        Err(_) => nothing(Reason::Memory),
    }
}

/// What a search comes to that did not begin.
fn nothing(reason: Reason) -> Outcome {
    Outcome {
        verdict: Verdict::Unknown(reason),
        plies: Plies::NONE,
        nodes: 0,
        iterations: 0,
        evaluated: 0,
        numbers: (1, 1),
        elapsed: Default::default(),
        shares: Shares::default(),
    }
}

/// Searches `problem` with a table that may already know much, and leaves there what it finds: for
/// every verdict, enough to [write its certificate](crate::certificate::write).
pub fn search<P: Problem>(
    problem: &P,
    algorithm: &Algorithm,
    table: &Table,
    control: &mut Control<'_>,
) -> Outcome {
    if P::REPETITION_MAY_FAVOUR_ATTACKER && problem.repetition() == Repetition::FavoursAttacker {
        mirrored(problem, algorithm, table, control)
    } else {
        dispatch(problem, algorithm, table, control)
    }
}

/// Searches a problem in which repetition favours the attacker, from the other side.
fn mirrored<P: Problem>(
    problem: &P,
    algorithm: &Algorithm,
    table: &Table,
    control: &mut Control<'_>,
) -> Outcome {
    // The mirror's bound would be on refutations, and "not refuted within so many plies" is no proof.
    let mut algorithm = *algorithm;
    let bounded = match &mut algorithm {
        Algorithm::Dfpn(dfpn) | Algorithm::Team(dfpn, _) => {
            std::mem::replace(&mut dfpn.plies, Plies::UNBOUNDED) != Plies::UNBOUNDED
        }
        Algorithm::Pn(_) => false,
    };
    let mut outcome = dispatch(&Mirror(problem.clone()), &algorithm, table, control);
    if let Some(value) = outcome.value() {
        outcome.verdict = match value.other() {
            Value::Proven if bounded => Verdict::Unknown(Reason::Bound),
            value => value.into(),
        };
    }
    let (pn, dn) = outcome.numbers;
    outcome.numbers = (dn, pn);
    outcome
}

fn dispatch<P: Problem>(
    problem: &P,
    algorithm: &Algorithm,
    table: &Table,
    control: &mut Control<'_>,
) -> Outcome {
    match algorithm {
        Algorithm::Dfpn(settings) => sequential(problem, *settings, table, control),
        Algorithm::Team(settings, scheme) => together(problem, *settings, scheme, table, control).0,
        Algorithm::Pn(settings) => pn_search::search(problem, *settings, table, control),
    }
}

/// In a browser's module there is one thread; nothing of a team is compiled into it.
pub(crate) const HAS_THREADS: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Solves a problem with several agents on one table. Gives the result itself too.
pub fn together<P: Problem>(
    problem: &P,
    settings: Dfpn,
    scheme: &Scheme,
    table: &Table,
    control: &mut Control<'_>,
) -> (Outcome, Option<Solved<P::Stock>>) {
    if !HAS_THREADS {
        return (nothing(Reason::Threads), None);
    }
    match scheme {
        Scheme::Virtual(agents) => {
            virtual_numbers::search(problem, settings, *agents, table, control)
        }
        Scheme::Paths(paths) => pincers::search(problem, settings, paths, table, control),
    }
}

/// The simplest driver over an agent: one of them, until it is done.
fn sequential<P: Problem>(
    problem: &P,
    settings: Dfpn,
    table: &Table,
    control: &mut Control<'_>,
) -> Outcome {
    let watch = Watch::new(control.limits);
    let mut agent = Agent::new(problem.clone(), settings, table, control.stop.clone());
    agent.set_deadline(watch.deadline());
    let verdict = loop {
        let quantum = watch.quantum(agent.nodes());
        let step = match control.progress {
            Some(_) => agent.run_for(quantum, REPORT),
            None => agent.run(quantum),
        };
        match step {
            Step::Solved => break None,
            Step::Stopped => break Some(watch.interrupted(&control.stop, agent.nodes())),
            Step::Budget => {}
        }
        if let Some(report) = &mut control.progress {
            let (pn, dn) = agent.root_numbers();
            report(&Progress {
                nodes: agent.nodes(),
                elapsed: watch.elapsed(),
                pn,
                dn,
                depth: agent.depth(),
                stored: table.stored(),
                capacity: table.capacity(),
                agents: &[],
            });
        }
        if let Some(reason) = watch.reached(agent.nodes()) {
            break Some(reason);
        }
    };
    let (solved, totals) = (agent.result(), agent.totals());
    Outcome {
        verdict: match (verdict, solved) {
            (Some(reason), _) => Verdict::Unknown(reason),
            (None, Some(solved)) => solved.value.into(),
            (None, None) => unreachable!("a solved agent has a result"),
        },
        plies: solved.map_or(Plies::UNBOUNDED, |solved| solved.plies),
        nodes: totals.nodes,
        iterations: totals.entered,
        evaluated: totals.evaluated,
        numbers: agent.root_numbers(),
        elapsed: watch.elapsed(),
        shares: Shares::default(),
    }
}
