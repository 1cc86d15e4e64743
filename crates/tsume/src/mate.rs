//! Is there a mate, and how does it go? The door for programs.
//!
//! [`Mate`] answers for one position at a time, on a table that stays: from many threads at once,
//! at the root of a game engine or deep inside its search, with as few nodes as the engine can
//! spare (the use of Fig. 1 in Kaneko, "Parallel depth first proof number search", 2010). What one
//! call finds, the next one knows.
//!
//! ```
//! use andor::{Table, Value, certificate};
//! use yomikiri_shogi::Position;
//! use yomikiri_tsume::{Length, Mate, MateLimits};
//!
//! let table = Table::new(1 << 20)?; // shared by all threads, kept between calls
//! let mate = Mate::new(&table);
//! let position = Position::from_sfen("8k/9/8N/9/9/9/9/9/9 b RGr2b3g4s3n4l18p 1")?;
//!
//! // Inside an engine: any mate, with a few nodes.
//! let limits = MateLimits { nodes: Some(1_000), ..MateLimits::default() };
//! let answer = mate.solve_position(&position, &limits);
//! assert_eq!(answer.outcome.value(), Some(Value::Proven));
//! assert_eq!(answer.solution.ok_or("no mate")?.line.len(), 3);
//!
//! // For people: the shortest against the longest defence.
//! let limits = MateLimits { length: Length::Shortest, ..MateLimits::default() };
//! let answer = mate.solve_position(&position, &limits);
//! let found = answer.solution.as_ref().ok_or("no mate")?;
//! assert!(found.exact && found.length == 3 && found.left_over.is_empty());
//!
//! // For people who do not believe it.
//! for claim in answer.claims() {
//!     let mut file = Vec::new();
//!     mate.certify(&claim, &limits.stop, &mut file)?;
//!     certificate::check(claim.by_ref(), &mut file.as_slice())?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The length of a mate
//!
//! The first proof has some length, and that is a bound: the attacker mates within so many plies. It
//! is brought down by what the table knows besides and by small searches ([`andor::strategy`]), and the
//! line is the longest defence against the strategy that it is the length of.
//! For [`Length::Shortest`] the search is asked for less along that line, until it is refuted at the
//! root ([`andor::shortest`]): then the proof is as short as can be against the longest defence.
//! Lengths are odd with the attacker to move and even with the defender to move, so nothing is asked
//! of the lengths between. If a limit is reached on the way, the answer is an interval.
//!
//! # Threads
//!
//! [`Mate::with_threads`] and [`Mate::with_scheme`] put several agents to one problem. Only large
//! questions go to them: the first one, if it may take many nodes, and later ones that one agent
//! did not answer soon. So a call with few nodes starts no thread.

use std::io::Write;

use andor::certificate::{self, WriteError, Written};
use andor::shortest::{self, Bounds};
use andor::{
    Agents, Claim, Dfpn, Limits, NodeKind, Outcome, Plies, Problem, Reason, Rules, Scheme, Solved,
    Stop, Table, Totals, Value, Verdict,
};
use yomikiri_shogi::{Move, Position};

use crate::answer::{Answer, Event, Length, MateLimits, Observer, Phase, Solution};
use crate::ask::{self, Asker, Told};
use crate::convention::{self, Effort};
use crate::line;
use crate::settings;
use crate::tsume::{Futile, Tsume};

/// Solves positions on one table. It may be copied, and used from many threads at once.
#[derive(Clone, Copy, Debug)]
pub struct Mate<'t> {
    table: &'t Table,
    settings: Dfpn,
    scheme: Option<Scheme>,
}

impl<'t> Mate<'t> {
    /// On this table, with the usual [`settings`].
    pub fn new(table: &'t Table) -> Mate<'t> {
        Mate { table, settings: settings::dfpn(), scheme: None }
    }

    /// The same with other settings of the search.
    pub fn with_settings(mut self, settings: Dfpn) -> Mate<'t> {
        self.settings = settings;
        self
    }

    /// The same with several agents for every large question. A scheme of one agent is none.
    pub fn with_scheme(mut self, scheme: Option<Scheme>) -> Mate<'t> {
        self.scheme = scheme.filter(|scheme| match scheme {
            Scheme::Virtual(agents) => agents.count > 1,
            Scheme::Paths(paths) => paths.assignment.pseudo_threads() > 1,
        });
        self
    }

    /// The same on so many threads, with virtual proof numbers.
    pub fn with_threads(self, threads: usize) -> Mate<'t> {
        self.with_scheme(Some(Scheme::Virtual(Agents::on_threads(threads))))
    }

    /// The table.
    pub fn table(&self) -> &'t Table {
        self.table
    }

    /// The settings of the search.
    pub fn settings(&self) -> Dfpn {
        self.settings
    }

    /// Solves a position as people would have it: for [`Length::Shortest`] futile interpositions
    /// do not count ([`Futile::NotCounted`]), for [`Length::First`] they are no matter.
    pub fn solve_position(&self, position: &Position, limits: &MateLimits) -> Answer {
        let futile = match limits.length {
            Length::First => Futile::Counted,
            Length::Shortest => Futile::NotCounted,
        };
        self.solve(&Tsume::new(position.clone()).with_futile(futile), limits)
    }

    /// Solves a problem.
    pub fn solve(&self, problem: &Tsume, limits: &MateLimits) -> Answer {
        self.answer(problem, limits, None)
    }

    /// Solves a problem and tells what happens, from the calling thread.
    pub fn solve_watched(
        &self,
        problem: &Tsume,
        limits: &MateLimits,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Answer {
        self.answer(problem, limits, Some(observer))
    }

    /// Writes the certificate of a claim from what is in the table.
    pub fn certify(
        &self,
        claim: &Claim<Tsume>,
        stop: &Stop,
        out: &mut impl Write,
    ) -> Result<Written, WriteError> {
        certificate::write(claim.by_ref(), self.settings, self.table, stop, out)
    }

    /// Someone to put questions to, within these limits.
    pub(crate) fn asker<'a>(
        &self,
        limits: Limits,
        stop: &Stop,
        observer: Option<Observer<'a>>,
    ) -> Asker<'a, 't> {
        let told = observer.map(Told);
        Asker::new(self.table, (self.settings, self.scheme), limits, stop.clone(), told)
    }

    fn answer<'a>(
        &self,
        problem: &Tsume,
        limits: &MateLimits,
        observer: Option<Observer<'a>>,
    ) -> Answer {
        let all = Limits { nodes: limits.nodes, time: limits.time };
        let mut asker = self.asker(all, &limits.stop, observer);
        let bound = of_parity(problem, limits.plies);
        let first = asker.ask(problem, bound);
        let numbers = asker.numbers;
        let (verdict, plies, solution) = match first {
            None => {
                let reason = asker.reached().unwrap_or(Reason::Stopped);
                (Verdict::Unknown(reason), Plies::UNBOUNDED, None)
            }
            Some(Solved { value: Value::Disproven, plies, .. }) => {
                let within = if limits.plies.is_bounded() { plies } else { Plies::UNBOUNDED };
                (Verdict::Disproven, within, None)
            }
            Some(proof) => {
                let plies = ask::length(proof);
                asker.set_limits(most_of(all));
                let mut bounds = match limits.length {
                    Length::First => shortest::bound(&mut asker, problem, plies),
                    Length::Shortest => {
                        shortest::shortest(&mut asker, problem, plies, |asker, bounds| {
                            tell_found(asker, problem, bounds);
                        })
                    }
                };
                asker.set_limits(all);
                if !bounds.line.complete && !bounds.is_exact() {
                    // What is left of the limits is for the line.
                    let again = shortest::bound(&mut asker, problem, bounds.known);
                    bounds = Bounds { least: bounds.least.max(again.least), ..again };
                }
                if limits.length == Length::Shortest && !bounds.is_exact() {
                    bounds = shortest::raise(&mut asker, problem, bounds);
                }
                if let Some(Told(observer)) = asker.observer.as_mut().filter(|_| bounds.is_exact())
                {
                    observer(Event::NotShorter { plies: bounds.known });
                }
                let solution = bounded_solution(&mut asker, problem, &bounds);
                (Verdict::Proven, Plies::at_most(bounds.known), Some(solution))
            }
        };
        let Totals { nodes, entered, evaluated } = asker.totals();
        let elapsed = asker.elapsed();
        let shares = std::mem::take(&mut asker.shares);
        let outcome = Outcome {
            verdict,
            plies,
            nodes,
            iterations: entered,
            evaluated,
            numbers,
            elapsed,
            shares,
        };
        Answer { problem: problem.clone(), outcome, solution }
    }
}

/// Do futile interpositions not count?
pub(crate) fn is_lenient(problem: &Tsume) -> bool {
    let lenient = Tsume::with_attacker(problem.position().clone(), problem.attacker())
        .with_futile(Futile::NotCounted);
    lenient.key() == problem.key()
}

/// The limits with as many nodes more as were searched already, and some: the convention may cost
/// as much as the rest.
fn some_more(limits: Limits, nodes: u64) -> Limits {
    const SOME: u64 = 100_000;
    let most = nodes.saturating_mul(2).saturating_add(SOME);
    Limits { nodes: Some(limits.nodes.map_or(most, |limit| limit.min(most))), ..limits }
}

/// The longest length not above `plies` that a mate from here can have.
fn of_parity(problem: &Tsume, plies: Plies) -> Plies {
    let is_odd = problem.kind() == NodeKind::Or;
    match plies.bounded() {
        Some(bound) if bound.is_multiple_of(2) == is_odd => plies.one_less(),
        _ => plies,
    }
}

/// The fewest plies of a mate from a position that is not mate yet.
fn least_of(problem: &Tsume) -> u16 {
    match problem.kind() {
        NodeKind::Or => 1,
        NodeKind::And => 2,
    }
}

/// Seven eighths: what the search for a shorter mate may use, so that something is left for the
/// line of play and for the lower bound.
fn most_of(limits: Limits) -> Limits {
    Limits {
        nodes: limits.nodes.map(|nodes| nodes - nodes / 8),
        time: limits.time.map(|time| time - time / 8),
    }
}

/// The line of a mate of this length, and the line by convention where that is shorter.
pub(crate) fn solution(
    asker: &mut Asker<'_, '_>,
    problem: &Tsume,
    length: u16,
    exact: bool,
) -> Solution {
    let bounds = if exact {
        let line = andor::strategy::Line { moves: Vec::new(), complete: false };
        Bounds { least: length, known: length, line }
    } else {
        shortest::bound(asker, problem, length)
    };
    bounded_solution(asker, problem, &bounds)
}

/// The same where the length lies within bounds.
fn bounded_solution(asker: &mut Asker<'_, '_>, problem: &Tsume, bounds: &Bounds<Move>) -> Solution {
    asker.phase = Phase::Line;
    let length = bounds.known;
    let least = bounds.least.max(least_of(problem)).min(length);
    let exact = least == length;
    let known = &bounds.line;
    let line = match exact {
        true => Some(line::follow(asker, problem, length)),
        false => None,
    };
    // A limit may come while a line for people is looked for: the one of the strategy is as long.
    let line = line
        .filter(|line| line.complete || !known.complete)
        .unwrap_or_else(|| line::replay(problem, known));
    let doubtful = line.interposes || !line.left_over.is_empty();
    let mut solution = Solution {
        line: line.moves,
        complete: line.complete,
        length,
        least,
        exact,
        left_over: line.left_over,
        always_left_over: (exact && line.complete && !doubtful).then_some(false),
        conventional: None,
        is_convention_open: false,
    };
    let limits = asker.limits();
    asker.set_limits(some_more(limits, asker.nodes()));
    solution.is_convention_open = !settle(asker, problem, &mut solution, Effort::LITTLE);
    asker.set_limits(limits);
    solution
}

/// Finds the line by convention where it may be another one, and whether something is always left
/// over. False if a limit was reached first.
pub(crate) fn settle(
    asker: &mut Asker<'_, '_>,
    problem: &Tsume,
    solution: &mut Solution,
    effort: Effort,
) -> bool {
    let is_open = solution.exact && solution.complete && solution.always_left_over.is_none();
    if !is_open || !is_lenient(problem) {
        return true;
    }
    let found = convention::follow(asker, problem, solution.length, effort);
    let Some((conventional, is_certain)) = found else { return false };
    solution.improve(conventional);
    let something = !solution.shown_left_over().is_empty();
    solution.always_left_over = (is_certain || !something).then_some(something);
    true
}

/// Tells of a mate within so many plies, unless no shorter one is looked for.
fn tell_found(asker: &mut Asker<'_, '_>, problem: &Tsume, bounds: &Bounds<Move>) {
    let plies = bounds.known;
    if plies < 2 {
        return;
    }
    // Who is told may ask for the line, and so the asker; of that nothing is told.
    if let Some(Told(observer)) = asker.observer.take() {
        let nodes = asker.nodes();
        let mut line = || bounded_solution(asker, problem, bounds);
        observer(Event::Found { least: bounds.least, plies, nodes, solution: &mut line });
        asker.observer = Some(Told(observer));
    }
}
