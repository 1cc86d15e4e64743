//! What is found beside a solution, and how much it matters.

use std::fmt;

use andor::{Claim, Plies, Rules, Value};
use yomikiri_shogi::Move;

use crate::tsume::Tsume;

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
    /// 逃れ: a reply of the defender after which there is no mate at all.
    Escape,
}

/// How much a finding matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Severity {
    /// In a variation: an alternative of the attacker there is no flaw by convention.
    Aside,
    /// Permitted: other mates at the last move.
    Permitted,
    /// A small flaw (瑕疵): a choice of promotion or of the distance, and a detour.
    Slight,
    /// It makes the problem unsound.
    Serious,
}

impl Severity {
    /// In one word, for programs.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Aside => "aside",
            Severity::Permitted => "permitted",
            Severity::Slight => "slight",
            Severity::Serious => "serious",
        }
    }
}

impl FindingKind {
    /// How much it matters on the line of the solution.
    pub fn severity(self) -> Severity {
        match self {
            FindingKind::Shorter
            | FindingKind::Cook
            | FindingKind::Transposition
            | FindingKind::LongerDefence
            | FindingKind::Escape => Severity::Serious,
            FindingKind::Detour | FindingKind::Promotion | FindingKind::Distance => {
                Severity::Slight
            }
            FindingKind::LastMove => Severity::Permitted,
        }
    }

    /// Does it make the problem unsound? Other mates at the last move are permitted; a free choice
    /// of promotion or of the distance, and a detour, are held to be small flaws.
    pub fn is_serious(self) -> bool {
        self.severity() == Severity::Serious
    }
}

impl FindingKind {
    /// What it is in English, without the Japanese term.
    pub fn english(self) -> &'static str {
        self.words().0
    }

    /// In English, and the term.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            FindingKind::Shorter => ("shorter mate", "早詰"),
            FindingKind::Cook => ("other mate", "余詰"),
            FindingKind::Transposition => ("other order", "手順前後"),
            FindingKind::Detour => ("detour", "迂回手順"),
            FindingKind::Promotion => ("promotion left open", "成不成"),
            FindingKind::Distance => ("distance left open", "非限定"),
            FindingKind::LastMove => ("other last move", "最終手余詰"),
            FindingKind::LongerDefence => ("longer defence", "変長"),
            FindingKind::Escape => ("escape", "逃れ"),
        }
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (english, term) = self.words();
        write!(f, "{english} ({term})")
    }
}

/// A move beside the solution that mates too, or a reply that lasts longer or escapes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// After how many plies of the line.
    pub ply: usize,
    /// The move.
    pub m: Move,
    /// What it is.
    pub kind: FindingKind,
    /// From this ply on, it is mate within so many plies by the rules; 0 of an escape.
    pub length: u16,
    /// Is that the exact length?
    pub exact: bool,
    /// A line to the mate, with the move itself; a part of it if a limit was reached, and the move
    /// alone if it escapes. It may be shorter than the length where futile interpositions are left
    /// out by [convention](crate::convention).
    pub line: Vec<Move>,
}

impl Finding {
    /// What it says of the position after its move, as a statement to be certified. `at` is the
    /// position before it.
    pub fn claim(&self, at: &Tsume) -> Claim<Tsume> {
        let mut problem = at.clone();
        problem.play(self.m);
        match self.kind {
            FindingKind::Escape => Claim::new(problem, Value::Disproven, Plies::UNBOUNDED),
            _ => Claim::new(problem, Value::Proven, Plies::at_most(self.length).one_less()),
        }
    }
}

/// A reply that lasts as long as that of the line (変同).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EqualDefence {
    /// After how many plies of the line.
    pub ply: usize,
    /// The reply.
    pub m: Move,
    /// From this ply on, it is mate within so many plies, and not within less.
    pub length: u16,
    /// A line to the mate, with the reply itself.
    pub line: Vec<Move>,
    /// Do all its lines leave the attacker something in hand? Then it is a variation as any other,
    /// and no 変同. None if that was not found out.
    pub surplus: Option<bool>,
}

/// Lines of play that are as long as the one examined, followed because that has a flaw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OtherLines {
    /// So many were followed.
    pub followed: usize,
    /// Were those all there are? Then none of them has fewer flaws.
    pub all: bool,
}

/// What the attacker may play otherwise in a variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Aside {
    /// The moves from the problem to the attacker's turn.
    pub path: Vec<Move>,
    /// What was found there; its ply is the length of the path.
    pub finding: Finding,
}

/// What was found in the variations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Asides {
    /// So many of the attacker's turns in variations were looked at.
    pub turns: usize,
    /// Were those all there are?
    pub complete: bool,
    /// What was found there, nearest to the solution first.
    pub findings: Vec<Aside>,
    /// So many moves were not decided within the limits.
    pub undecided: usize,
}
