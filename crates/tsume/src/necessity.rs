//! Is every piece of a problem needed? The search for pieces that may go (不要駒).
//!
//! A sound problem has no piece too many. [`necessity`] takes each one away in turn, of either side,
//! on the board and in the attacker's hand (but for the kings), and where a weaker piece could stand
//! in its place, tries that too; and asks of every such position what a [check](crate::cook) asks of
//! the problem: is there still one solution, as long as before, with nothing left over? If so, the
//! piece may go, or be weaker; one at a time, so two that may go need not go together. Else there is something that it is needed for ([`Why`]), and that can
//! be certified as any other answer.
//!
//! What is taken away goes to the defender, who in tsume-shogi holds all the rest, so the set stays
//! complete; a weaker piece is taken from what he holds. Where a problem says that the defender
//! does not hold all the rest, what is taken away leaves the game, and a weaker piece comes from
//! outside.
//!
//! The question makes sense of a sound problem only, so of others nothing is asked.

use std::time::Duration;

use andor::{Claim, Reason, Rules, Value};
use yomikiri_shogi::{Color, Hand, Kind, Move, Piece, Position, Square};

use crate::cook::{self, CookLimits, CookReport, Finding};
use crate::mate::Mate;
use crate::tsume::Tsume;

/// What is done to a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// The piece.
    pub piece: Piece,
    /// Where it stands; none if the attacker holds it.
    pub square: Option<Square>,
    /// What stands there instead, if it is not just taken away.
    pub into: Option<Kind>,
}

/// What a piece is needed for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// The position cannot be otherwise: the king would be in check already.
    Position,
    /// There is no mate otherwise.
    NoMate,
    /// The mate is of another length: of so many plies, or less if that is not the exact length.
    Length(u16),
    /// There is another solution.
    Cook(Finding),
    /// Something is left over in the attacker's hand (駒余り).
    Surplus,
}

/// Is a piece needed as it is?
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Need {
    /// It is, for this.
    Needed(Why),
    /// It is not: there is one solution, as long as before.
    Spare {
        /// And with the same moves.
        same_line: bool,
        /// But there is more beside the solution than before that is permitted or a small flaw:
        /// other mates at the last move, replies that last as long. Who wants none of that needs
        /// the piece.
        blemished: bool,
    },
    /// It was not found out.
    Undecided,
}

/// What was found out of one change.
#[derive(Clone, Debug)]
pub struct Trial {
    /// What was changed.
    pub change: Change,
    /// The position after it.
    pub position: Position,
    /// What came of it.
    pub need: Need,
    /// The solution after the change; none if the position cannot be.
    pub line: Vec<Move>,
    claims: Vec<Claim<Tsume>>,
}

impl Trial {
    /// What it says, as statements to be certified: no mate, another length, another solution; of a
    /// piece that may go all that a check of the problem without it says.
    pub fn claims(&self) -> &[Claim<Tsume>] {
        &self.claims
    }
}

/// What was found out of all pieces.
#[derive(Clone, Debug, Default)]
pub struct Necessity {
    /// The changes tried: piece by piece along the board, then the hand; first without the piece,
    /// then with a weaker one.
    pub trials: Vec<Trial>,
    /// So many changes were not tried.
    pub untried: usize,
    /// Why not, if there are any.
    pub ended: Option<Reason>,
    /// Nodes searched.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
}

impl Necessity {
    /// The changes after which there is one solution, as long as before.
    pub fn spare(&self) -> impl Iterator<Item = &Trial> {
        self.trials.iter().filter(|trial| matches!(trial.need, Need::Spare { .. }))
    }

    /// How many changes were not decided, or not tried.
    pub fn open(&self) -> usize {
        let undecided = self.trials.iter().filter(|trial| trial.need == Need::Undecided);
        undecided.count() + self.untried
    }
}

/// Weaker kinds than this one, in whose place it is asked whether they do: of a promoted piece the
/// plain one, else a kind that moves less far, or is worth less.
fn weaker(kind: Kind) -> Option<Kind> {
    match kind {
        _ if kind.is_promoted() => Some(kind.raw()),
        Kind::ROOK => Some(Kind::LANCE),
        Kind::GOLD => Some(Kind::SILVER),
        Kind::SILVER | Kind::LANCE => Some(Kind::PAWN),
        _ => None,
    }
}

/// Every change there is to try.
fn changes(position: &Position, attacker: Color) -> Vec<Change> {
    let board = position.occupied().into_iter().filter_map(|square| {
        let piece = position.piece(square)?;
        (piece.kind() != Kind::KING).then_some((piece, Some(square)))
    });
    let held = position.hand(attacker).pieces();
    let held = held.map(|(kind, _)| (Piece::new(attacker, kind), None));
    let both = |(piece, square): (Piece, Option<Square>)| {
        let into = [None].into_iter().chain(weaker(piece.kind()).map(Some));
        into.map(move |into| Change { piece, square, into })
    };
    board.chain(held).flat_map(both).collect()
}

/// The position after a change, and whether it can be; none if there is no weaker piece to be had.
fn changed(position: &Position, attacker: Color, change: Change) -> Option<(Position, bool)> {
    let Change { piece, square, into } = change;
    let mut after = position.clone();
    let is_full = position.material() == Hand::full_set();
    let mut rest = position.hand(!attacker);
    let mut held = position.hand(attacker);
    if is_full {
        rest = rest.plus(piece.kind().raw());
    }
    if let Some(into) = into {
        // Of a set that is not full there may be none left either.
        let raw = into.raw();
        let is_left = match is_full {
            true => rest.has(raw),
            false => position.material().count(raw) < Kind::SET[raw.index()],
        };
        if !is_left && raw != piece.kind().raw() {
            return None;
        }
        if is_full {
            rest = rest.minus(raw);
        }
    }
    match square {
        Some(square) => {
            after.set(square, into.map(|into| Piece::new(piece.color(), into)));
        }
        None => {
            held = held.minus(piece.kind());
            held = into.map_or(held, |into| held.plus(into));
        }
    }
    after.set_hand(attacker, held);
    after.set_hand(!attacker, rest);
    let can_be = after.validate().is_ok();
    // A weaker piece that cannot stand there is no piece to try.
    (can_be || into.is_none()).then_some((after, can_be))
}

/// Asks of every piece of a problem whether it is needed. `report` is its check; nothing is asked
/// unless that says that it is sound. The limits are as those of a check, the time for all pieces
/// together.
pub fn necessity(mate: &Mate<'_>, report: &CookReport, limits: &CookLimits) -> Option<Necessity> {
    let problem = &report.answer.problem;
    let (position, attacker) = (problem.position(), problem.attacker());
    let length = report.answer.solution.as_ref().filter(|_| report.is_sound())?.shown_length();
    let mut found = Necessity::default();
    let all = changes(position, attacker).into_iter();
    let all = all.filter_map(|change| Some((change, changed(position, attacker, change)?)));
    let all: Vec<(Change, (Position, bool))> = all.collect();
    found.untried = all.len();
    for (change, (position, can_be)) in all {
        let time = limits.time.map(|time| time.saturating_sub(found.elapsed));
        if limits.stop.is_raised() {
            found.ended = Some(Reason::Stopped);
        } else if time.is_some_and(|time| time.is_zero()) {
            found.ended = Some(Reason::Time);
        }
        if found.ended.is_some() {
            break;
        }
        found.untried -= 1;
        // What may go may be weaker, too.
        let is_spare = found.spare().any(|trial| {
            (trial.change.square, trial.change.piece) == (change.square, change.piece)
        });
        if is_spare {
            continue;
        }
        if !can_be {
            let need = Need::Needed(Why::Position);
            let (line, claims) = Default::default();
            found.trials.push(Trial { change, position, need, line, claims });
            continue;
        }
        let altered =
            Tsume::with_attacker(position.clone(), attacker).with_futile(problem.futile());
        let asked = CookLimits { time, intended: None, variation_turns: 0, ..limits.clone() };
        let without = cook::first_flaw(mate, &altered, &asked);
        found.nodes += without.nodes;
        found.elapsed += without.elapsed;
        let need = need(&without, length, report);
        let claims = claims(&without, &need);
        found.trials.push(Trial { change, position, need, line: without.line, claims });
    }
    Some(found)
}

/// What the check of a position without a piece says of the piece.
fn need(without: &CookReport, length: u16, with: &CookReport) -> Need {
    if without.answer.outcome.value() == Some(Value::Disproven) {
        return Need::Needed(Why::NoMate);
    }
    let Some(solution) = &without.answer.solution else { return Need::Undecided };
    let (shown, exact) = (solution.shown_length(), solution.exact);
    if exact && shown != length || shown < length {
        return Need::Needed(Why::Length(shown));
    }
    if let Some(flaw) = without.flaws().next() {
        return Need::Needed(Why::Cook(flaw.clone()));
    }
    match without.surplus {
        Some(true) => Need::Needed(Why::Surplus),
        _ if without.is_sound() => Need::Spare {
            same_line: without.line == with.line,
            blemished: without.findings.len() > with.findings.len()
                || without.equal_defences.len() > with.equal_defences.len(),
        },
        _ => Need::Undecided,
    }
}

/// The statements that say so.
fn claims(without: &CookReport, need: &Need) -> Vec<Claim<Tsume>> {
    match need {
        Need::Undecided | Need::Needed(Why::Position) => Vec::new(),
        Need::Needed(Why::NoMate | Why::Length(_) | Why::Surplus) => without.answer.claims(),
        Need::Needed(Why::Cook(flaw)) => {
            let mut at = without.answer.problem.clone();
            for &m in without.line.iter().take(flaw.ply) {
                at.play(m);
            }
            without.answer.claims().into_iter().chain([flaw.claim(&at)]).collect()
        }
        Need::Spare { .. } => without.claims(),
    }
}
