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
//! By convention other mates at the last move (最終手余詰) are no flaw: the solution is told by what
//! comes before it. Where the last move is also the attacker's first there is nothing before it, and
//! every other mate is a second solution (余詰).
//!
//! A sound problem leaves the attacker nothing in hand at the end (駒余り is a flaw). Of several lines
//! of the same length one that leaves nothing is the solution, so a line of our own that leaves
//! something is a flaw only if all of them do; one that was given is by itself.
//!
//! Only the line itself is examined, not the variations beside it: an alternative of the attacker
//! in a variation is no flaw by convention.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use andor::{Claim, Limits, NodeKind, Plies, Reason, Rules, Solved, Stop, Value};
use yomikiri_shogi::{Hand, Move, attacks};

use crate::answer::{Answer, Length, MateLimits, Phase, Solution};
use crate::ask::{self, Asker, length};
use crate::line::{self, GLANCE, Replies};
use crate::mate::{self, Mate};
use crate::tsume::{Futile, Tsume};

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
}

/// What a move beside the solution is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum FindingKind {
    /// 早詰: it mates sooner than the line does.
    Shorter,
    /// 余詰: it mates as well.
    Cook,
    /// 手順前後: it mates, and comes to the same positions in another order.
    Transposition,
    /// 迂回手順: it mates by coming back to the line with a loss of time.
    Detour,
    /// 成・不成: the move of the line with or without promotion, as long as the line.
    Promotion,
    /// 打ち場所の非限定: the piece of the line checks from farther or nearer on the same line, and by
    /// convention it is mate as soon.
    Distance,
    /// 最終手余詰: another mate at the last move, which is not the attacker's first; permitted.
    LastMove,
    /// 変長: a reply of the defender that lasts longer than the line given.
    LongerDefence,
}

impl FindingKind {
    /// Does it make the problem unsound? Other mates at the last move are permitted; a free choice
    /// of promotion or of the distance, and a detour, are held to be small flaws.
    pub fn is_serious(self) -> bool {
        matches!(
            self,
            FindingKind::Shorter
                | FindingKind::Cook
                | FindingKind::Transposition
                | FindingKind::LongerDefence
        )
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FindingKind::Shorter => "shorter mate (早詰)",
            FindingKind::Cook => "other mate (余詰)",
            FindingKind::Transposition => "other order (手順前後)",
            FindingKind::Detour => "detour (迂回手順)",
            FindingKind::Promotion => "promotion left open (成不成)",
            FindingKind::Distance => "distance left open (非限定)",
            FindingKind::LastMove => "other last move (最終手余詰)",
            FindingKind::LongerDefence => "longer defence (変長)",
        })
    }
}

/// A move beside the solution that mates too, or a reply that lasts longer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// After how many plies of the line.
    pub ply: usize,
    /// The move.
    pub m: Move,
    /// What it is.
    pub kind: FindingKind,
    /// From this ply on, it is mate within so many plies by the rules.
    pub length: u16,
    /// Is that the exact length?
    pub exact: bool,
    /// A line to the mate, with the move itself; a part of it if a limit was reached. It may be
    /// shorter than the length where futile interpositions are left out by
    /// [convention](crate::convention).
    pub line: Vec<Move>,
}

/// The result of a check.
#[derive(Clone, Debug)]
pub struct CookReport {
    /// The problem solved.
    pub answer: Answer,
    /// The line that was examined.
    pub line: Vec<Move>,
    /// What was found beside it.
    pub findings: Vec<Finding>,
    /// Other replies that last as long as those of the line, with the ply (変同).
    pub equal_defences: Vec<(usize, Move)>,
    /// Moves that were not decided within the limits, with the ply.
    pub undecided: Vec<(usize, Move)>,
    /// Why the check was ended before the line was examined to its end, if it was.
    pub ended: Option<Reason>,
    /// Is the solution shorter than the author has in mind?
    pub early: bool,
    /// What the attacker holds at the end of the line (駒余り).
    pub left_over: Hand,
    /// Is that a flaw? None if it was not found out. Where interpositions in vain count it is none:
    /// what they give away is left over nearly everywhere.
    pub surplus: Option<bool>,
    /// Nodes searched.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
    refuted: Vec<(usize, Move)>,
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

impl CookReport {
    /// Is the check complete: the exact length known, and every question decided?
    pub fn is_complete(&self) -> bool {
        self.all_moves_are_decided() && self.surplus.is_some()
    }

    fn all_moves_are_decided(&self) -> bool {
        let solved = self.answer.solution.as_ref().is_some_and(|solution| solution.exact);
        solved && self.ended.is_none() && self.undecided.is_empty()
    }

    /// The moves that make the problem unsound. It is so, too, if it ends [early](Self::early) or
    /// leaves a [surplus](Self::surplus).
    pub fn flaws(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.kind.is_serious())
    }

    /// All that the report says, as statements to be certified: the solution, that each finding
    /// mates, and that no other move at the attacker's turns does.
    pub fn claims(&self) -> Vec<Claim<Tsume>> {
        let mut claims = self.answer.claims();
        let mut at = self.answer.problem.clone();
        for ply in 0..self.line.len() {
            let mut add = |m: Move, value, plies| {
                let mut problem = at.clone();
                problem.play(m);
                claims.push(Claim { problem, value, plies });
            };
            for found in self.findings.iter().filter(|found| found.ply == ply) {
                let plies = Plies::at_most(found.length).one_less();
                add(found.m, Value::Proven, plies);
            }
            for &(_, m) in self.refuted.iter().filter(|refuted| refuted.0 == ply) {
                add(m, Value::Disproven, Plies::UNBOUNDED);
            }
            at.play(self.line[ply]);
        }
        claims
    }
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
    let answer = mate.solve(problem, &asked);
    let line = match (intended, answer.solution.as_ref()) {
        (Some(line), _) => line.to_vec(),
        (None, Some(solution)) if solution.complete => solution.shown_line().to_vec(),
        _ => Vec::new(),
    };
    let time = limits.time.map(|time| time.saturating_sub(answer.outcome.elapsed));
    let mut asker = mate.asker(Limits { nodes: None, time }, &limits.stop, None);
    asker.phase = Phase::Line;
    asker.patience = limits.nodes.unwrap_or(u64::MAX);
    let early = answer.solution.as_ref().is_some_and(|solution| {
        let length = usize::from(solution.shown_length());
        let short = limits.intended.is_some_and(|intended| length < usize::from(intended));
        short || intended.is_some_and(|line| length < line.len())
    });
    let mut walk = Walk {
        asker,
        at: problem.clone(),
        positions: positions(problem, &line),
        intended: intended.is_some(),
        report: CookReport {
            nodes: answer.outcome.nodes,
            elapsed: answer.outcome.elapsed,
            answer,
            line: Vec::new(),
            findings: Vec::new(),
            equal_defences: Vec::new(),
            undecided: Vec::new(),
            ended: None,
            early,
            left_over: Hand::EMPTY,
            surplus: None,
            refuted: Vec::new(),
        },
    };
    for (ply, &m) in line.iter().enumerate() {
        if let Some(reason) = walk.asker.reached() {
            walk.report.ended = Some(reason);
            break;
        }
        match walk.at.kind() {
            NodeKind::Or => walk.other_checks(ply, m, line.len() - ply),
            NodeKind::And => walk.other_replies(ply, m, line.len() - ply),
        }
        if first_only && walk.report.flaws().next().is_some() {
            break;
        }
        walk.at.play(m);
    }
    let mut end = problem.clone();
    for &m in &line {
        end.play(m);
    }
    let Walk { mut report, asker, .. } = walk;
    report.line = line;
    report.left_over = end.attackers_hand();
    report.surplus = match (intended, report.answer.solution.as_ref()) {
        _ if problem.futile() == Futile::Counted => Some(false),
        (Some(_), _) => Some(!report.left_over.is_empty()),
        (None, solution) => solution.and_then(|solution| solution.always_left_over),
    };
    report.nodes += asker.nodes();
    report.elapsed += asker.elapsed();
    report
}

/// Where the positions of a line are: board and hand to the ply.
type Positions = HashMap<([u64; 7], Hand), usize>;

/// The positions of a line but for the last: that two solutions end alike is no matter.
fn positions(problem: &Tsume, line: &[Move]) -> Positions {
    let mut at = problem.clone();
    let mut found = HashMap::new();
    for (ply, &m) in line.iter().enumerate() {
        found.entry((at.identity(), at.attackers_hand())).or_insert(ply);
        at.play(m);
    }
    found
}

/// A walk down the line.
struct Walk<'a, 't> {
    asker: Asker<'a, 't>,
    at: Tsume,
    positions: Positions,
    /// Was the line given?
    intended: bool,
    report: CookReport,
}

impl Walk<'_, '_> {
    /// Asks of every check but `played` whether it mates; `left` plies of the line are left.
    fn other_checks(&mut self, ply: usize, played: Move, left: usize) {
        let mut moves = Vec::new();
        self.at.legal_moves(&mut moves);
        for &m in moves.iter().filter(|&&m| m != played) {
            let mut child = self.at.clone();
            child.play(m);
            match self.asker.ask(&child, Plies::UNBOUNDED) {
                Some(proof) if proof.value == Value::Proven => {
                    self.found(ply, m, played, left, &child, length(proof));
                }
                Some(_) => self.report.refuted.push((ply, m)),
                None => self.report.undecided.push((ply, m)),
            }
        }
    }

    /// A check beside the line mates within `plies` plies more.
    fn found(&mut self, ply: usize, m: Move, played: Move, left: usize, child: &Tsume, plies: u16) {
        let (plies, exact) = ask::shortest(&mut self.asker, child, plies);
        let rest = mate::solution(&mut self.asker, child, plies, exact);
        let mut line = vec![m];
        line.extend(rest.shown_line());
        let length = plies.saturating_add(1);
        let shown = if rest.complete && exact { line.len() } else { usize::from(length) };
        let kind = if shown < left && self.intended {
            FindingKind::Shorter
        } else if left == 1 && ply > 1 {
            FindingKind::LastMove
        } else if shown == left && m.unpromoted() == played.unpromoted() {
            FindingKind::Promotion
        } else if shown == left && self.is_same_ray(m, played) {
            FindingKind::Distance
        } else {
            match self.joins(ply, &line) {
                Some((then, on)) if then == on => FindingKind::Transposition,
                Some(_) => FindingKind::Detour,
                None => FindingKind::Cook,
            }
        };
        self.report.findings.push(Finding { ply, m, kind, length, exact, line });
    }

    /// Do two moves bring the same piece, by a drop or from one square, onto one line with the
    /// king?
    fn is_same_ray(&self, m: Move, played: Move) -> bool {
        let position = self.at.position();
        let Some(king) = position.king(!self.at.attacker()) else { return false };
        let same = (m.from(), m.dropped()) == (played.from(), played.dropped());
        let (near, far) = (m.to(), played.to());
        let between = |far, near| attacks::between(king, far).contains(near);
        same && (between(far, near) || between(near, far))
    }

    /// The ply at which a line that parts at `ply` comes to a position of the solution again, and
    /// the ply of that position in the solution.
    fn joins(&self, ply: usize, line: &[Move]) -> Option<(usize, usize)> {
        let mut at = self.at.clone();
        for (i, &m) in line.iter().enumerate() {
            at.play(m);
            if let Some(&on) = self.positions.get(&(at.identity(), at.attackers_hand())) {
                return Some((ply + i + 1, on));
            }
        }
        None
    }

    /// Looks for replies that last as long as that of the line; if the line was given, for one that
    /// lasts longer.
    fn other_replies(&mut self, ply: usize, played: Move, left: usize) {
        let mut moves = Vec::new();
        if left > usize::from(u16::MAX) - 2 || line::is_mate(&self.at, &mut moves) {
            return;
        }
        let left = left as u16;
        if self.intended {
            match self.asker.ask(&self.at, Plies::at_most(left)) {
                Some(Solved { value: Value::Proven, .. }) => {}
                Some(_) => self.longer_reply(ply, played, left),
                None => self.report.undecided.push((ply, played)),
            }
            return;
        }
        if self.report.answer.solution.as_ref().is_none_or(|found| found.conventional.is_some()) {
            // The line is shorter than the game: its replies need not be the longest.
            return;
        }
        let mut replies = Replies::new(&self.at, &moves, left);
        for i in 0..replies.plain {
            let (m, _) = replies.list[i];
            let lasts = replies.lasts(&mut self.asker, &self.at, i, left - 1, GLANCE);
            if m != played && lasts == Some(true) {
                self.report.equal_defences.push((ply, m));
            }
        }
    }

    /// The defender can last for more than the `left` plies of the line: how, if it is not by
    /// futile interpositions alone?
    fn longer_reply(&mut self, ply: usize, played: Move, left: u16) {
        let Some(best) = self.solve_here(&self.at.clone()) else {
            self.report.undecided.push((ply, played));
            return;
        };
        let Some(&m) = best.shown_line().first().filter(|_| best.shown_length() > left) else {
            return;
        };
        if m == played {
            // It is a later reply that is at fault.
            return;
        }
        let mut child = self.at.clone();
        child.play(played);
        match self.solve_here(&child) {
            Some(given) if given.shown_length() + 1 < best.shown_length() => {
                let kind = FindingKind::LongerDefence;
                let line = best.shown_line().to_vec();
                let Solution { length, exact, .. } = best;
                self.report.findings.push(Finding { ply, m, kind, length, exact, line });
            }
            Some(_) => {}
            None => self.report.undecided.push((ply, played)),
        }
    }

    /// The exact solution from a position of the line, if it can be had.
    fn solve_here(&mut self, at: &Tsume) -> Option<Solution> {
        let solved = self.asker.ask(at, Plies::UNBOUNDED)?;
        if solved.value == Value::Disproven {
            return None;
        }
        let (length, exact) = ask::shortest(&mut self.asker, at, length(solved));
        let found = mate::solution(&mut self.asker, at, length, exact);
        (found.exact && found.complete).then_some(found)
    }
}
