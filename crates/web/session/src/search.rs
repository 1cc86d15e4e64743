//! A search in slices.
//!
//! Who cannot be interrupted, as a worker in a browser, has to return now and then to hear what it is
//! told. So a search is asked again and again for a short time, on a table that stays: what it knew it
//! knows, and after a few nodes it is where it was. PN-search keeps its tree, not a table, and begins
//! anew: its slices double, so that all of them together cost twice the last one.

use std::time::Duration;

use andor::clock::Instant;
use andor::table::{Lookup, SizeError};
use andor::{
    Algorithm, Claim, Control, Dfpn, INFINITY, Limits, NodeKind, Outcome, Plies, Problem, Reason,
    Scheme, Solvable, Stop, Table, Value, Verdict, suggest_r,
};
use yomikiri_question::attempt;
use yomikiri_question::games::shogi::Shogi;
use yomikiri_question::games::{AnyProblem, Visitor};
use yomikiri_question::solution_line;
use yomikiri_question::solution_record::of_solution;
use yomikiri_shogi::notation::{self, Format};
use yomikiri_tsume::{Event, Length, Mate, MateLimits, Phase, Solution};

use crate::board;
use crate::contract::{Bounds, Number, Progress, Root};

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question {
    /// Its number.
    pub id: u64,
    /// The problem.
    pub problem: AnyProblem,
    /// How to search it.
    pub algorithm: Algorithm,
    /// Bytes for the table.
    pub bytes: usize,
    /// When to give up.
    pub limits: Limits,
    /// Shogi: which mate.
    pub length: Length,
}

/// A search.
#[derive(Debug)]
pub struct Search {
    /// What is asked.
    pub question: Question,
    /// What it knows.
    pub table: Table,
    /// Raised to end it at once.
    pub stop: Stop,
    state: State,
}

/// What has come of it so far.
#[derive(Clone, Debug, Default)]
struct State {
    nodes: u64,
    elapsed: Duration,
    slices: u32,
    /// Slices are so many times twice as long as they should be.
    stretch: u32,
    /// The numbers of the root when a slice came back to it last.
    root: Option<(u32, u32)>,
    bounds: Option<Bounds>,
}

/// What a search came to.
#[derive(Clone, Debug)]
pub struct Found {
    /// The verdict.
    pub verdict: Verdict,
    /// Within so many plies.
    pub plies: Plies,
    /// Is that the exact length?
    pub exact: bool,
    /// The line, as the game writes moves.
    pub line: Vec<String>,
    /// Does it go on to the end?
    pub complete: bool,
    /// Nodes in all.
    pub nodes: u64,
    /// Time in all.
    pub elapsed: Duration,
    /// What can be certified.
    pub claims: Vec<Claim<AnyProblem>>,
    /// In shogi, the mate.
    pub solution: Option<Solution>,
}

/// A slice is not shorter than this: what leans on the path is found again in each, and a slice without
/// a node would lead nowhere.
const SHORTEST: Duration = Duration::from_millis(10);
/// A slice that comes to fewer nodes is followed by one twice as long: where nodes take long, as in Hex,
/// a slice may be over before it is where the last one ended.
const FEW: u64 = 64;
/// One that comes to more is followed by a shorter one again.
const MANY: u64 = 1024;
/// A slice this long grows only if it came to nothing at all: whoever wants to speak to the search waits
/// for its end.
const LONG: Duration = Duration::from_millis(500);

/// What a slice came to: the answer, or that there is more to do.
type Slice = Option<Found>;

impl Search {
    /// A search that has not begun.
    pub fn new(question: Question) -> Result<Search, SizeError> {
        let table = Table::new(question.bytes)?;
        Ok(Search { question, table, stop: Stop::new(), state: State::default() })
    }

    /// The settings of df-pn by which certificates are written.
    pub fn dfpn(&self) -> Dfpn {
        match self.question.algorithm {
            Algorithm::Dfpn(dfpn) | Algorithm::Team(dfpn, _) => dfpn,
            Algorithm::Pn(pn) => Dfpn { heuristics: pn.heuristics, ..self.question.problem.dfpn() },
        }
    }

    /// Searches for about so long; tells how it gets on, and at the end what was found.
    pub fn step(&mut self, time: Duration, tell: &mut dyn FnMut(Progress)) -> Slice {
        let all = self.question.limits;
        let mut slice = match self.question.algorithm {
            Algorithm::Pn(_) => time.saturating_mul(1 << self.state.slices.min(20)),
            _ => time,
        };
        slice = slice.max(SHORTEST).saturating_mul(1 << self.state.stretch);
        if self.state.slices == 1 && cfg!(not(target_family = "wasm")) {
            // What was not over in a slice takes long, and is faster on a table that lies in huge pages.
            let start = Instant::now();
            let left = all.time.map(|limit| limit.saturating_sub(self.state.elapsed));
            attempt::prepare(&self.table, left, &self.stop);
            self.state.elapsed += start.elapsed();
        }
        self.state.slices += 1;
        if let Some(limit) = all.time {
            slice = slice.min(limit.saturating_sub(self.state.elapsed));
        }
        let before = self.state.nodes;
        let nodes = all.nodes.map(|nodes| nodes.saturating_sub(before));
        let limits = Limits { nodes, time: Some(slice) };
        let is_mate =
            self.dfpn().deep >= 1.0 && !matches!(self.question.algorithm, Algorithm::Pn(_));
        let found = match &self.question.problem {
            AnyProblem::Shogi(shogi) if is_mate => {
                let shogi = shogi.clone();
                self.mate(&shogi, limits, tell)
            }
            problem => {
                let problem = problem.clone();
                problem.visit(false, Any { search: self, limits, tell })
            }
        };
        match self.state.nodes - before {
            ..2 => self.state.stretch = (self.state.stretch + 1).min(16),
            ..FEW if slice < LONG => self.state.stretch = (self.state.stretch + 1).min(16),
            MANY.. => self.state.stretch = self.state.stretch.saturating_sub(1),
            _ => {}
        }
        let is_over = self.stop.is_raised()
            || all.time.is_some_and(|limit| self.state.elapsed >= limit)
            || all.nodes.is_some_and(|limit| self.state.nodes >= limit);
        let is_unfinished = match found.verdict {
            Verdict::Unknown(reason) => reason != Reason::Memory && reason != Reason::Bound,
            _ => self.question.length == Length::Shortest && !(found.exact && found.complete),
        };
        (!is_unfinished || is_over).then_some(found)
    }

    /// The mate with its variations, as KIF.
    pub fn kif(&self, found: &Found, stop: &Stop) -> Option<String> {
        let (AnyProblem::Shogi(shogi), Some(solution)) = (&self.question.problem, &found.solution)
        else {
            return None;
        };
        let mate = Mate::new(&self.table).with_settings(self.dfpn());
        let record = of_solution(&mate, shogi, solution, stop);
        Some(notation::write(&record, Format::Kif))
    }

    fn count(&mut self, outcome: &Outcome) {
        self.state.nodes += outcome.nodes;
        self.state.elapsed += outcome.elapsed;
    }

    fn mate(&mut self, shogi: &Shogi, limits: Limits, tell: &mut dyn FnMut(Progress)) -> Found {
        let tsume = shogi.tsume();
        let scheme: Option<Scheme> = match self.question.algorithm {
            Algorithm::Team(_, scheme) => Some(scheme),
            _ => None,
        };
        let asked = MateLimits {
            nodes: limits.nodes,
            time: limits.time,
            stop: self.stop.clone(),
            length: self.question.length,
            plies: Plies::UNBOUNDED,
        };
        let mate = Mate::new(&self.table).with_settings(self.dfpn()).with_scheme(scheme);
        let (mut latest, mut bounds) = (None, self.state.bounds);
        let answer = mate.solve_watched(&tsume, &asked, &mut |event| match event {
            Event::Progress(progress) => {
                if let Phase::Shortest { least, known, .. } = progress.phase {
                    bounds = Some(narrowed(bounds, least, known));
                }
                latest = Some((progress.pn, progress.dn, progress.depth));
            }
            Event::Found { least, plies, .. } => bounds = Some(narrowed(bounds, least, plies)),
            Event::NotShorter { plies } => bounds = Some(narrowed(bounds, plies, plies)),
        });
        if let Some(found) = &answer.solution {
            bounds = Some(narrowed(bounds, found.least, found.length));
        }
        self.count(&answer.outcome);
        self.state.bounds = bounds;
        if let Some((pn, dn, depth)) = latest {
            tell(self.progress(&tsume, (pn, dn), depth));
        }
        let claims = answer.claims();
        let claims = claims.iter().map(|claim| {
            let attacked = Shogi {
                position: claim.problem.position().clone(),
                attacker: shogi.attacker,
                futile: claim.problem.futile(),
            };
            Claim::new(AnyProblem::Shogi(Box::new(attacked)), claim.value, claim.plies)
        });
        let claims = claims.collect();
        let (line, exact, complete) = match &answer.solution {
            Some(found) => {
                let line = found.shown_line().iter().map(ToString::to_string).collect();
                (line, found.exact, found.complete)
            }
            None => {
                let dfpn = self.dfpn();
                let line = answer
                    .outcome
                    .value()
                    .map(|value| solution_line::line(&tsume, value, dfpn.plies, &self.table));
                let line = line.unwrap_or_default();
                (line.moves, true, line.is_complete)
            }
        };
        Found {
            verdict: answer.outcome.verdict,
            plies: answer.outcome.plies,
            exact,
            // A disproof has no length, and its line need not end.
            complete: complete || answer.outcome.value() == Some(Value::Disproven),
            line,
            nodes: self.state.nodes,
            elapsed: self.state.elapsed,
            claims,
            solution: answer.solution,
        }
    }

    /// How far it has come.
    fn progress<P: Problem>(&self, problem: &P, root: (u32, u32), depth: usize) -> Progress {
        let State { nodes, elapsed, bounds, .. } = self.state;
        let seconds = elapsed.as_secs_f64();
        let asked = &self.question.problem;
        Progress {
            id: self.question.id,
            seconds,
            nodes,
            rate: nodes as f64 / seconds.max(1e-3),
            pn: Number(root.0),
            dn: Number(root.1),
            depth,
            stored: self.table.stored(),
            capacity: self.table.capacity(),
            line: board::name_line(asked, &line(problem, &self.table)),
            roots: roots(problem, asked, &self.table),
            bounds,
        }
    }
}

/// Bounds on a length with what is known besides. A slice may have forgotten what the one before it
/// knew.
fn narrowed(known: Option<Bounds>, least: u16, most: u16) -> Bounds {
    let at_least = known.map_or(least, |known| known.at_least.max(least)).max(1);
    let at_most = known.map_or(most, |known| known.at_most.min(most));
    Bounds { at_least: at_least.min(at_most), at_most }
}

/// A slice on a problem of any game.
struct Any<'a, 'b> {
    search: &'a mut Search,
    limits: Limits,
    tell: &'b mut dyn FnMut(Progress),
}

impl Visitor for Any<'_, '_> {
    type Output = Found;

    fn visit<P: Solvable>(self, problem: &P) -> Found {
        let Any { search, limits, tell } = self;
        let mut algorithm = search.question.algorithm;
        if algorithm.r().is_some() {
            algorithm = algorithm.with_r(suggest_r(problem));
        }
        let mut control = Control::new(limits);
        control.stop = search.stop.clone();
        let mut latest = None;
        let mut show = |progress: &andor::Progress<'_>| {
            latest = Some(((progress.pn, progress.dn), progress.depth));
        };
        control.progress = Some(&mut show);
        let outcome = problem.search(&algorithm, &search.table, &mut control);
        search.count(&outcome);
        let depth = latest.map_or(0, |(_, depth)| depth);
        // A slice that never came back to the root says nothing of it.
        if outcome.numbers != (1, 1) {
            search.state.root = Some(outcome.numbers);
        }
        let root = search.state.root.unwrap_or_else(|| from_moves(problem, &search.table));
        tell(search.progress(problem, root, depth));
        let claim = outcome.claim(search.question.problem.clone());
        let line = claim.as_ref().map(|claim| {
            solution_line::line(problem, claim.value, search.dfpn().plies, &search.table)
        });
        let line = line.unwrap_or_default();
        Found {
            verdict: outcome.verdict,
            plies: outcome.plies,
            exact: true,
            line: line.moves,
            complete: true,
            nodes: search.state.nodes,
            elapsed: search.state.elapsed,
            claims: claim.into_iter().collect(),
            solution: None,
        }
    }
}

/// The numbers of the root by those of its moves.
fn from_moves<P: Problem>(problem: &P, table: &Table) -> (u32, u32) {
    let moves = children(&mut problem.clone(), table);
    // The largest number is infinity.
    let all =
        |of: fn(&(P::Move, u32, u32)) -> u32| moves.iter().map(of).fold(0, u32::saturating_add);
    let best = |of: fn(&(P::Move, u32, u32)) -> u32| moves.iter().map(of).min().unwrap_or(1);
    match problem.kind() {
        NodeKind::Or => (best(|m| m.1), all(|m| m.2)),
        NodeKind::And => (all(|m| m.1), best(|m| m.2)),
    }
}

/// The numbers of the root's moves, as far as the table knows them.
fn roots<P: Problem>(problem: &P, asked: &AnyProblem, table: &Table) -> Vec<Root> {
    let children = children(&mut problem.clone(), table);
    let root = |(m, pn, dn)| Root {
        r#move: board::name(asked, &problem.describe_move(m)),
        pn: Number(pn),
        dn: Number(dn),
    };
    children.into_iter().map(root).collect()
}

/// The line by which the table goes on from the root: the best child by its numbers, again and again.
fn line<P: Problem>(problem: &P, table: &Table) -> Vec<String> {
    /// More is no use on a board.
    const MOST: usize = 24;
    let mut position = problem.clone();
    let mut line = Vec::new();
    while line.len() < MOST && position.terminal().is_none() {
        let kind = position.kind();
        let best =
            children(&mut position, table).into_iter().min_by_key(|&(_, pn, dn)| match kind {
                NodeKind::Or => pn,
                NodeKind::And => dn,
            });
        let Some((m, ..)) = best.filter(|&(_, pn, dn)| (pn, dn) != (1, 1)) else { break };
        line.push(position.describe_move(m));
        position.play(m);
    }
    line
}

/// The moves with the numbers that the table has after them; what it does not know has (1, 1).
fn children<P: Problem>(problem: &mut P, table: &Table) -> Vec<(P::Move, u32, u32)> {
    let mut moves = Vec::new();
    problem.legal_moves(&mut moves);
    let numbers = moves.into_iter().map(|m| {
        let (key, stock) = problem.key_after(m);
        let (pn, dn) = match table.lookup(key, stock, Plies::UNBOUNDED) {
            Lookup::Solved(solved) if solved.value == Value::Proven => (0, INFINITY),
            Lookup::Solved(_) => (INFINITY, 0),
            Lookup::Open(open) => (open.pn, open.dn),
            Lookup::Missing => (1, 1),
        };
        (m, pn, dn)
    });
    numbers.collect()
}
