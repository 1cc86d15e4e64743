//! Which of several pieces moves, in a word.
//!
//! If several pieces of a kind could go to a square, words say which one does, after the rules of
//! the Shogi Federation: first how it moves (上 forward, 寄 sideways, 引 back); if that is not
//! enough, where it comes from (直 from straight behind, 左 or 右 from the left or the right); if
//! that is not enough either, both. A dragon or a horse is never 直: of two, one is 左 and the other
//! 右. Pieces that could go there count even if their own king would then stand in check.

use crate::attacks;
use crate::moves::Move;
use crate::piece::{Color, Kind};
use crate::position::Position;
use crate::square::{Bitboard, Square};

/// How a piece moves, for the side that moves it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Motion {
    Forward,
    Sideways,
    Back,
}

impl Motion {
    pub(super) fn of(color: Color, from: Square, to: Square) -> Motion {
        match (from.rank().cmp(&to.rank()), color) {
            (std::cmp::Ordering::Equal, _) => Motion::Sideways,
            (std::cmp::Ordering::Greater, Color::Black)
            | (std::cmp::Ordering::Less, Color::White) => Motion::Forward,
            _ => Motion::Back,
        }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Motion::Forward => "上",
            Motion::Sideways => "寄",
            Motion::Back => "引",
        }
    }
}

/// Where a piece comes from, for the side that moves it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    Left,
    Straight,
    Right,
}

impl Origin {
    pub(super) fn of(color: Color, from: Square, to: Square) -> Origin {
        match (from.file().cmp(&to.file()), color) {
            (std::cmp::Ordering::Equal, _) => Origin::Straight,
            (std::cmp::Ordering::Less, Color::Black)
            | (std::cmp::Ordering::Greater, Color::White) => Origin::Right,
            _ => Origin::Left,
        }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Origin::Left => "左",
            Origin::Straight => "直",
            Origin::Right => "右",
        }
    }
}

/// The pieces of a kind of the side to move that can go to a square.
pub(super) fn candidates(position: &Position, kind: Kind, to: Square) -> Bitboard {
    let (us, occupied) = (position.turn(), position.occupied());
    let can_go = |&from: &Square| attacks::attacks(kind, us, from, occupied).contains(to);
    position.pieces(us, kind).filter(can_go).collect()
}

/// The words that tell a move from those of other pieces of the kind: 右, 上, 打 or nothing.
pub(super) fn words(position: &Position, m: Move) -> (Option<Origin>, Option<Motion>, bool) {
    let (us, to) = (position.turn(), m.to());
    let Some(from) = m.from() else {
        let kind = m.dropped().unwrap_or(Kind::PAWN);
        return (None, None, !candidates(position, kind, to).is_empty());
    };
    let Some(piece) = position.piece(from) else { return (None, None, false) };
    let kind = piece.kind();
    let others = candidates(position, kind, to) & !from.bit();
    if others.is_empty() {
        return (None, None, false);
    }
    let (motion, origin) = (Motion::of(us, from, to), Origin::of(us, from, to));
    let mut same_motion = others.into_iter().filter(|&other| Motion::of(us, other, to) == motion);
    let Some(rival) = same_motion.next() else { return (None, Some(motion), false) };
    if kind == Kind::HORSE || kind == Kind::DRAGON {
        return (Some(Origin::of(us, from, rival)), None, false);
    }
    let mut same_origin = others.into_iter().filter(|&other| Origin::of(us, other, to) == origin);
    if origin == Origin::Straight || same_origin.next().is_none() {
        return (Some(origin), None, false);
    }
    (Some(origin), Some(motion), false)
}
