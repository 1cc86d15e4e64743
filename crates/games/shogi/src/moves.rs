//! Moves, and their names in USI.

use std::fmt;

use crate::piece::Kind;
use crate::square::Square;

/// A move, in 16 bits: where to, where from or which kind is dropped, and whether it promotes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

const DROP: u16 = 81;
const PROMOTE: u16 = 1 << 14;

impl Move {
    /// A move of a piece on the board.
    #[inline]
    pub fn new(from: Square, to: Square, promote: bool) -> Move {
        Move(u16::from(to.0) | u16::from(from.0) << 7 | if promote { PROMOTE } else { 0 })
    }

    /// A drop.
    #[inline]
    pub fn drop(kind: Kind, to: Square) -> Move {
        Move(u16::from(to.0) | (DROP + u16::from(kind.0)) << 7)
    }

    /// Where the piece comes to.
    #[inline]
    pub fn to(self) -> Square {
        Square((self.0 & 127) as u8)
    }

    /// Where the piece comes from; none for a drop.
    #[inline]
    pub fn from(self) -> Option<Square> {
        let from = self.0 >> 7 & 127;
        (from < DROP).then_some(Square(from as u8))
    }

    /// The kind that is dropped, if it is a drop.
    #[inline]
    pub fn dropped(self) -> Option<Kind> {
        let from = self.0 >> 7 & 127;
        (from >= DROP).then(|| Kind((from - DROP) as u8))
    }

    /// Is it a drop?
    #[inline]
    pub fn is_drop(self) -> bool {
        self.0 >> 7 & 127 >= DROP
    }

    /// Does the piece promote?
    #[inline]
    pub fn promotes(self) -> bool {
        self.0 & PROMOTE != 0
    }

    /// The same move without promotion.
    pub fn unpromoted(self) -> Move {
        Move(self.0 & !PROMOTE)
    }

    /// A number, different for different moves.
    #[inline]
    pub fn code(self) -> u16 {
        self.0
    }

    /// Reads a move such as `7g7f`, `8h2b+` or `P*5e`. Whether it is legal is another question.
    pub fn from_usi(text: &str) -> Option<Move> {
        let bytes = text.as_bytes();
        if !text.is_ascii() || !(4..=5).contains(&bytes.len()) {
            return None;
        }
        let to = Square::from_usi(&text[2..4])?;
        if bytes[1] == b'*' {
            let kind =
                bytes[0].is_ascii_uppercase().then(|| Kind::from_letter(bytes[0] as char))??;
            return (bytes.len() == 4 && kind != Kind::KING).then(|| Move::drop(kind, to));
        }
        let from = Square::from_usi(&text[..2])?;
        let promote = bytes.len() == 5;
        if promote && bytes[4] != b'+' {
            return None;
        }
        Some(Move::new(from, to, promote))
    }
}

impl fmt::Display for Move {
    /// As in USI.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from(), self.dropped()) {
            (Some(from), _) => {
                write!(f, "{from}{}{}", self.to(), if self.promotes() { "+" } else { "" })
            }
            (None, kind) => write!(f, "{}*{}", kind.map_or('?', Kind::letter), self.to()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Move({self})")
    }
}
