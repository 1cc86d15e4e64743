//! Is a problem sound? The search for other solutions (余詰).
//!
//! A tsume-shogi problem is meant to have one solution: along its line the attacker has one move at
//! a time that mates. [`check`] solves the problem, walks down the line and asks of every other
//! check at each of the attacker's turns whether it mates as well, at any length; [`check_line`]
//! does the same with the line that the author has in mind. Each question is an ordinary search, so
//! every answer can be certified ([`CookReport::claims`]), also that a move does *not* mate.
//!
//! What is found is sorted by what people call it ([`FindingKind`]). Two of the kinds are told
//! apart by one line of play only: a move counts as a change of order (手順前後) or a detour (迂回手順) if
//! the line found after it comes to a position of the solution again.
//!
//! # The convention
//!
//! - Other mates at the last move (最終手余詰) are permitted: the solution is told by what comes
//!   before it. Where the last move is also the attacker's first there is nothing before it, and
//!   every other mate is a second solution (余詰).
//! - A free choice of promotion or of the distance, and a detour, are small flaws (瑕疵); all other
//!   second ways make a problem unsound, and so does a reply that lasts longer than the author's
//!   line (変長) or escapes.
//! - A reply that lasts as long as that of the line (変同) is permitted, on our own line and on one
//!   that was given. If it leaves the attacker something in hand it is a variation as any other.
//! - Where several lines are equally long, each may be the one that was meant, and our own line is one
//!   that has the fewest flaws ([`CookReport::other_lines`]). A line that was given is looked at by
//!   itself.
//! - A sound problem leaves the attacker nothing in hand at the end (駒余り is a flaw). Of several
//!   lines of the same length one that leaves nothing is the solution, so a line of our own that
//!   leaves something is a flaw only if all of them do; one that was given is by itself.
//! - In a variation an alternative of the attacker is no flaw, of whatever kind it is. So what is
//!   found there ([`CookReport::asides`]) is told apart, and the verdict does not lean on it.

mod asides;
mod finding;
mod replies;
mod report;
mod turn;
mod walk;

use std::time::Duration;

use andor::{Limits, Plies, Rules, Stop, Value};
use yomikiri_shogi::Move;

use crate::answer::{Answer, Length, MateLimits, Phase, Solution};
use crate::convention::Effort;
use crate::line;
use crate::mate::{self, Mate};
use crate::tsume::{Futile, Tsume};
use walk::Walk;

pub use finding::{Aside, Asides, EqualDefence, Finding, FindingKind, OtherLines, Severity};
pub use report::CookReport;

/// Nodes that are enough for a question about the last move: raised, fewer stay open that do not
/// matter, and a check with much in hand takes longer.
pub const LAST_MOVE_NODES: u64 = 100_000;

/// When to give up.
#[derive(Clone, Debug, Default)]
pub struct CookLimits {
    /// At most about so many nodes for the solution, and for each question after it.
    pub nodes: Option<u64>,
    /// At most so long for everything.
    pub time: Option<Duration>,
    /// Raised by another thread to end the check.
    pub stop: Stop,
    /// The length that the author has in mind.
    pub intended: Option<u16>,
    /// At most about so many nodes for a question about the attacker's last move, unless it is his
    /// first: other mates there are permitted, so the verdict does not lean on the answer.
    pub last_move_nodes: Option<u64>,
    /// At most so many of the attacker's turns in variations are looked at; with 0 none is, and the
    /// report has no [asides](CookReport::asides).
    pub variation_turns: usize,
}

/// Has a problem one solution?
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Solutions {
    /// There is no mate.
    None,
    /// One, but for what is no [serious](FindingKind::is_serious) flaw.
    Unique,
    /// More than one: this is another.
    Several(Finding),
    /// It was not found out.
    Undecided,
}

/// A line was given that is no solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineError {
    /// A move that is not legal, or of the attacker's that is no check.
    #[error("move {} of the line, {m}, is not legal, or no check", ply + 1)]
    Illegal {
        /// After how many plies.
        ply: usize,
        /// The move.
        m: Move,
    },
    /// It does not end in mate.
    #[error("the line does not end in mate")]
    NoMate,
}

/// Solves a problem and looks for other solutions.
pub fn check(mate: &Mate<'_>, problem: &Tsume, limits: &CookLimits) -> CookReport {
    examine(mate, problem, None, limits, false)
}

/// Looks for other solutions beside the line that the author has in mind. At the defender's turns
/// it is asked whether he can last longer.
pub fn check_line(
    mate: &Mate<'_>,
    problem: &Tsume,
    intended: &[Move],
    limits: &CookLimits,
) -> Result<CookReport, LineError> {
    let mut at = problem.clone();
    let mut moves = Vec::new();
    for (ply, &m) in intended.iter().enumerate() {
        if line::is_mate(&at, &mut moves) || !moves.contains(&m) {
            return Err(LineError::Illegal { ply, m });
        }
        at.play(m);
    }
    if !line::is_mate(&at, &mut moves) {
        return Err(LineError::NoMate);
    }
    Ok(examine(mate, problem, Some(intended), limits, false))
}

/// Has the problem one solution? Ends at the first other one.
pub fn solutions(mate: &Mate<'_>, problem: &Tsume, limits: &CookLimits) -> Solutions {
    let report = examine(mate, problem, None, limits, true);
    if let Some(flaw) = report.flaws().next() {
        return Solutions::Several(flaw.clone());
    }
    match report.answer.outcome.value() {
        Some(Value::Disproven) => Solutions::None,
        _ if report.all_moves_are_decided() => Solutions::Unique,
        _ => Solutions::Undecided,
    }
}

/// The check of a problem that ends at the first flaw, for those who only ask whether there is one.
pub(crate) fn first_flaw(mate: &Mate<'_>, problem: &Tsume, limits: &CookLimits) -> CookReport {
    examine(mate, problem, None, limits, true)
}

fn examine(
    mate: &Mate<'_>,
    problem: &Tsume,
    intended: Option<&[Move]>,
    limits: &CookLimits,
    first_only: bool,
) -> CookReport {
    let asked = MateLimits {
        nodes: limits.nodes,
        time: limits.time,
        stop: limits.stop.clone(),
        length: Length::Shortest,
        plies: Plies::UNBOUNDED,
    };
    let mut answer = mate.solve(problem, &asked);
    let time = limits.time.map(|time| time.saturating_sub(answer.outcome.elapsed));
    let mut asker = mate.asker(Limits { nodes: None, time }, &limits.stop, None);
    asker.phase = Phase::Line;
    asker.patience = limits.nodes.unwrap_or(u64::MAX);
    let line = match (intended, answer.solution.as_ref()) {
        (Some(line), _) => line.to_vec(),
        (None, solution) => shown_line(solution),
    };
    let last_move_nodes = limits.last_move_nodes.unwrap_or(u64::MAX);
    let is_given = intended.is_some();
    let mut on = Walk { asker: &mut asker, problem, is_given, last_move_nodes };
    let most_flaws = if first_only { 1 } else { usize::MAX };
    let mut walked = on.walk(line, is_longest(&answer), most_flaws);
    if let (None, Some(solution)) = (intended, answer.solution.as_mut())
        && walked.flaws() < most_flaws
    {
        // This may take long, so what can be said without it comes first.
        if mate::settle(on.asker, problem, solution, Effort::MUCH) {
            solution.is_convention_open = false;
            let line = shown_line(Some(solution));
            if line != walked.line {
                walked = on.walk(line, solution.conventional.is_none(), most_flaws);
            }
        }
    }
    let other_lines = if first_only || is_given { None } else { on.fewest_flaws(&mut walked) };
    let left_over = on.left_over(&walked.line);
    let turns = limits.variation_turns;
    let asides = (turns > 0 && !walked.line.is_empty())
        .then(|| asides::asides(&mut asker, problem, &walked.line, turns));
    let early = answer.solution.as_ref().is_some_and(|solution| {
        let length = usize::from(solution.shown_length());
        let short = limits.intended.is_some_and(|intended| length < usize::from(intended));
        short || intended.is_some_and(|line| length < line.len())
    });
    let surplus = match (intended, answer.solution.as_ref()) {
        _ if problem.futile() == Futile::Counted => Some(false),
        (Some(_), _) => Some(!left_over.is_empty()),
        (None, Some(solution)) if left_over.is_empty() && !solution.is_convention_open => {
            solution.complete.then_some(false)
        }
        (None, solution) => solution.and_then(|solution| solution.always_left_over),
    };
    CookReport {
        nodes: answer.outcome.nodes + asker.nodes(),
        elapsed: answer.outcome.elapsed + asker.elapsed(),
        answer,
        line: walked.line,
        findings: walked.findings,
        equal_defences: walked.equal_defences,
        undecided: walked.undecided,
        ended: walked.ended,
        other_lines,
        asides,
        early,
        left_over,
        surplus,
        refuted: walked.refuted,
    }
}

/// The line to examine, if there is a whole one.
fn shown_line(solution: Option<&Solution>) -> Vec<Move> {
    let whole = solution.filter(|solution| solution.complete);
    whole.map_or_else(Vec::new, |solution| solution.shown_line().to_vec())
}

/// By convention the line may be shorter than the game: then its replies need not be the longest.
fn is_longest(answer: &Answer) -> bool {
    answer.solution.as_ref().is_some_and(|solution| solution.conventional.is_none())
}
