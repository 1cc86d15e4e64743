//! Moves read as people write them.
//!
//! What is written is taken first as it stands, and then looked for among the legal moves of a
//! position: KIF says where a piece comes from, other texts leave that to the board and to words
//! such as 右 or 上. Where no legal move fits, the reader is told why the likeliest one is not legal.

use crate::attacks;
use crate::moves::Move;
use crate::piece::{Color, Kind};
use crate::position::Position;
use crate::square::Square;

use super::disambiguation::{Motion, Origin, candidates};
use super::error::{BrokenRule, MoveReason, ReadError, ReadReason};
use super::japanese::{
    kif_move_name, kind_from_char, kind_name, mark, may_promote, move_name, moving_kind,
    side_of_mark,
};
use super::numerals::{digit, kanji_digit};
use super::text::Cursor;

/// A move as it is written, before anyone has looked at the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// ▲ or △.
    pub side: Option<Color>,
    /// Where to; none for 同.
    pub to: Option<Square>,
    /// The kind before it moves.
    pub kind: Kind,
    pub origin: Option<Origin>,
    pub motion: Option<Motion>,
    pub drop: bool,
    /// 成 or 不成.
    pub promote: Option<bool>,
    /// Where from, in KIF.
    pub from: Option<Square>,
}

/// Takes the name of a kind.
fn scan_kind(cursor: &mut Cursor) -> Option<Kind> {
    for kind in [Kind::PRO_LANCE, Kind::PRO_KNIGHT, Kind::PRO_SILVER] {
        if cursor.eat(kind_name(kind)) {
            return Some(kind);
        }
    }
    cursor.next_as(kind_from_char)
}

/// A digit of a square, from 1 to 9: wide, narrow or kanji.
fn coordinate(c: char) -> Option<u8> {
    let arabic = digit(c).map(|digit| digit as u8).filter(|&digit| digit > 0);
    arabic.or_else(|| kanji_digit(c))
}

/// Takes a move.
pub(super) fn scan(cursor: &mut Cursor) -> Result<Written, ReadError> {
    let no_move = |cursor: &Cursor| {
        let word: String = cursor.word().chars().take(12).collect();
        cursor.error(ReadReason::NoMove(word))
    };
    let start = cursor.clone();
    let side = cursor.next_as(side_of_mark);
    cursor.skip_space();
    let mut to = None;
    let mut same = cursor.eat("同");
    if !same {
        let file = cursor.next_as(coordinate).ok_or_else(|| no_move(&start))?;
        let rank = cursor.next_as(coordinate).ok_or_else(|| no_move(&start))?;
        to = Square::new(file, rank);
        same = cursor.eat("同");
    }
    if same {
        cursor.skip_space();
    }
    let kind = scan_kind(cursor).ok_or_else(|| {
        cursor.error(ReadReason::NoPiece(cursor.peek().map_or("".into(), String::from)))
    })?;
    let mut written = Written {
        side,
        to,
        kind,
        origin: None,
        motion: None,
        drop: false,
        promote: None,
        from: None,
    };
    scan_words(cursor, &mut written);
    let mut after = cursor.clone();
    after.skip_space();
    if let Some(from) = scan_from(&mut after) {
        match Square::new(from.0, from.1) {
            Some(from) => written.from = Some(from),
            None => written.drop = true,
        }
        *cursor = after;
    }
    Ok(written)
}

/// Takes the words after the piece.
fn scan_words(cursor: &mut Cursor, written: &mut Written) {
    loop {
        let free = (written.origin.is_none(), written.motion.is_none(), written.promote.is_none());
        match cursor.peek() {
            Some('左') if free.0 => written.origin = Some(Origin::Left),
            Some('直') if free.0 => written.origin = Some(Origin::Straight),
            Some('右') if free.0 => written.origin = Some(Origin::Right),
            Some('上' | '行') if free.1 => written.motion = Some(Motion::Forward),
            Some('寄') if free.1 => written.motion = Some(Motion::Sideways),
            Some('引' | '下') if free.1 => written.motion = Some(Motion::Back),
            Some('打') if !written.drop => written.drop = true,
            Some('成') if free.2 => written.promote = Some(true),
            Some('生') if free.2 => written.promote = Some(false),
            Some('不') if free.2 && cursor.eat("不成") => {
                written.promote = Some(false);
                continue;
            }
            _ => return,
        }
        cursor.next();
    }
}

/// Takes the two digits in brackets that say where a piece comes from.
fn scan_from(cursor: &mut Cursor) -> Option<(u8, u8)> {
    (cursor.eat("(") || cursor.eat("（")).then_some(())?;
    let file = cursor.next_as(digit)? as u8;
    let rank = cursor.next_as(digit)? as u8;
    (cursor.eat(")") || cursor.eat("）")).then_some((file, rank))
}

impl Written {
    /// The legal move that is meant, or why there is none.
    pub fn resolve(&self, position: &Position, last: Option<Square>) -> Result<Move, MoveReason> {
        let us = position.turn();
        if self.side.is_some_and(|side| side != us) {
            return Err(MoveReason::Marked(us));
        }
        let to = self.to.or(last).ok_or(MoveReason::NothingBefore)?;
        let m = match self.from {
            Some(from) => self.with_origin(position, from, to)?,
            None => self.choose(position, to)?,
        };
        match position.is_legal(m) {
            true => Ok(m),
            false => Err(why_illegal(position, m)),
        }
    }

    fn with_origin(
        &self,
        position: &Position,
        from: Square,
        to: Square,
    ) -> Result<Move, MoveReason> {
        match position.piece(from) {
            None => Err(MoveReason::EmptySquare(from)),
            Some(piece) if piece.color() != position.turn() => {
                Err(MoveReason::OtherSidesPiece(from))
            }
            Some(piece) if piece.kind() != self.kind => {
                let (there, said) = (piece.kind(), self.kind);
                Err(MoveReason::OtherKind { square: from, there, said })
            }
            Some(_) if self.drop => Err(MoveReason::DropFrom(from)),
            Some(_) => Ok(Move::new(from, to, self.promote == Some(true))),
        }
    }

    /// Finds the move among the legal ones.
    fn choose(&self, position: &Position, to: Square) -> Result<Move, MoveReason> {
        let us = position.turn();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.retain(|&m| m.to() == to && moving_kind(position, m) == self.kind);
        let promotes = self.promote == Some(true);
        let fits = |m: &&Move| m.promotes() == promotes;
        let drop = moves.iter().find(|m| m.is_drop() && !promotes).copied();
        let mut found: Vec<(Square, Move)> =
            moves.iter().filter(fits).filter_map(|&m| Some((m.from()?, m))).collect();
        let words = self.origin.is_some() || self.motion.is_some();
        if self.drop || found.is_empty() && !words {
            return drop.ok_or_else(|| self.why_none(position, to, &moves));
        }
        if let Some(motion) = self.motion {
            found.retain(|&(from, _)| Motion::of(us, from, to) == motion);
        }
        if let Some(origin) = self.origin {
            found.retain(|&(from, _)| self.comes_from(position, origin, from, to));
        }
        match found[..] {
            [(_, m)] => Ok(m),
            [] => Err(self.why_none(position, to, &moves)),
            _ => {
                let names: Vec<String> =
                    found.iter().map(|&(_, m)| move_name(position, m, None)).collect();
                Err(MoveReason::Ambiguous(names))
            }
        }
    }

    /// Is a piece there the one that 左, 直 or 右 means?
    fn comes_from(&self, position: &Position, origin: Origin, from: Square, to: Square) -> bool {
        let us = position.turn();
        let motion = Motion::of(us, from, to);
        if Origin::of(us, from, to) == origin {
            return origin != Origin::Straight || motion == Motion::Forward;
        }
        // Of two dragons or horses the one straight behind is 左 or 右 as the other is not.
        matches!(self.kind, Kind::HORSE | Kind::DRAGON)
            && Origin::of(us, from, to) == Origin::Straight
            && (candidates(position, self.kind, to) & !from.bit()).into_iter().any(|rival| {
                Motion::of(us, rival, to) == motion && Origin::of(us, from, rival) == origin
            })
    }

    /// Why no legal move fits, if `near` are those of the kind to the square.
    fn why_none(&self, position: &Position, to: Square, near: &[Move]) -> MoveReason {
        if !near.is_empty() {
            let names = near.iter().map(|&m| move_name(position, m, None));
            return MoveReason::NoSuchMove(names.collect());
        }
        // Say why the most likely move is not legal, if one can be guessed.
        let from = candidates(position, self.kind, to).first();
        let drop = Kind::HAND.contains(&self.kind) && position.hand(position.turn()).has(self.kind);
        match from {
            Some(from) if !self.drop => {
                why_illegal(position, Move::new(from, to, self.promote == Some(true)))
            }
            _ if drop => why_illegal(position, Move::drop(self.kind, to)),
            _ => MoveReason::NoneGoes { kind: self.kind, to },
        }
    }
}

/// Why a move is not legal.
pub(super) fn why_illegal(position: &Position, m: Move) -> MoveReason {
    let (us, to) = (position.turn(), m.to());
    let name = format!("{}{}", mark(us), kif_move_name(position, m, None));
    let kind = moving_kind(position, m);
    let stuck = !m.promotes() && attacks::reach(kind, us, to).is_empty();
    let rule = match m.from() {
        None if kind == Kind::KING || !position.hand(us).has(kind) => BrokenRule::NoneInHand,
        None if position.piece(to).is_some() => BrokenRule::Occupied,
        None if stuck => BrokenRule::DeadEnd,
        None if kind == Kind::PAWN
            && position.pieces(us, kind).any(|pawn| pawn.file() == to.file()) =>
        {
            BrokenRule::TwoPawns
        }
        None if kind == Kind::PAWN && position.is_pawn_drop_mate(to) => BrokenRule::PawnDropMate,
        Some(from) if position.piece(from).is_none_or(|piece| piece.color() != us) => {
            BrokenRule::NoPiece
        }
        Some(_) if position.piece(to).is_some_and(|piece| piece.color() == us) => {
            BrokenRule::OwnPiece
        }
        Some(from) if !candidates(position, kind, to).contains(from) => BrokenRule::NotItsMove,
        Some(_) if m.promotes() && !may_promote(position, m) => BrokenRule::CannotPromote,
        Some(_) if stuck => BrokenRule::MustPromote,
        _ => BrokenRule::InCheck,
    };
    MoveReason::Illegal { name, rule }
}

/// The legal move that a Japanese text means in a position, or why there is none. `last` is where
/// the move before went.
pub fn read_move(
    position: &Position,
    last: Option<Square>,
    text: &str,
) -> Result<Move, ReadReason> {
    let mut cursor = Cursor::new(0, text);
    cursor.skip_space();
    let written = scan(&mut cursor).map_err(|error| error.reason)?;
    cursor.skip_space();
    match cursor.peek() {
        Some(_) => Err(ReadReason::AfterMove(cursor.rest().into())),
        None => Ok(written.resolve(position, last)?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(sfen: &str) -> Position {
        Position::from_sfen(sfen).unwrap()
    }

    #[test]
    fn moves_are_read_in_many_ways() {
        let start = Position::start();
        let wanted = Move::from_usi("7g7f").unwrap();
        for text in
            ["▲７六歩", "☗7六歩", "76歩", "７六歩(77)", "七六歩直", "▲７六歩上", " ７六歩（７７） "]
        {
            assert_eq!(read_move(&start, None, text), Ok(wanted), "{text}");
        }
        let faults = [
            ("△７六歩", "▲ is to move"),
            ("７五歩", "no 歩 can go to ７五"),
            ("７七角", "its own piece"),
            ("７六歩成", "▲７六歩 would be legal"),
            ("７六歩(78)", "there is no piece on ７八"),
            ("７六歩(28)", "the piece on ２八 is 飛, not 歩"),
            ("７六歩(33)", "the other side"),
            ("５九金", "own piece"),
            ("５八金", "▲５八金右, ▲５八金左"),
            ("同歩", "there is no move before"),
            ("７六", "is no piece"),
            ("７", "is no move"),
            ("", "is no move"),
            ("７六歩打", "▲７六歩 would be legal"),
            ("７六歩よ", "not expected"),
            ("９九角成(88)", "its own piece stands there"),
            ("２二角成(88)", "it does not go there"),
        ];
        for (text, reason) in faults {
            let error = read_move(&start, None, text).expect_err(text).to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn an_illegal_move_is_explained() {
        let pinned = position("4k4/4r4/9/9/9/9/4G4/4K4/4P4 b P 1");
        for (text, reason) in [
            ("４七金", "the king would stand in check"),
            ("５三歩", "二歩"),
            ("４一歩", "never move again"),
            ("５二歩", "not empty"),
            ("３三香", "no 香 can go"),
            ("３三香打", "no 香 can go"),
        ] {
            let error = read_move(&pinned, None, text).expect_err(text).to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
        let mate = position("8k/6G2/7G1/9/9/9/9/9/9 b P 1");
        let error = read_move(&mate, None, "１二歩").expect_err("打ち歩詰め").to_string();
        assert!(error.contains("打ち歩詰め"), "{error}");
        let forced = position("4k4/P8/9/9/9/9/9/9/9 b - 1");
        let error = read_move(&forced, None, "９一歩不成(92)").expect_err("dead end").to_string();
        assert!(error.contains("must promote"), "{error}");
    }
}
