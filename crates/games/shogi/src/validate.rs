//! Positions that cannot be: what every reader refuses.

use thiserror::Error;

use crate::attacks;
use crate::piece::{Color, Kind};
use crate::position::Position;
use crate::square::{Bitboard, Square};

/// Why a position cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Illegal {
    /// More pieces of a kind than a set has.
    #[error("there are {count} {} ({}): a set has {most}", name(*kind), kanji(*kind))]
    TooMany {
        /// Which.
        kind: Kind,
        /// How many were counted, on the board and in hand.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// A side has two kings.
    #[error("{} has two kings", side(*.0))]
    TwoKings(Color),
    /// Neither side has a king.
    #[error("there is no king on the board")]
    NoKing,
    /// Two unpromoted pawns of a side on a file (二歩).
    #[error("{} has two unpromoted pawns on file {file} (二歩)", side(*color))]
    TwoPawns {
        /// Whose.
        color: Color,
        /// The file, from 1 to 9.
        file: u8,
    },
    /// A piece that could never move (行き所のない駒).
    #[error("the {} of {} on {square} can never move", singular(*kind), side(*color))]
    DeadEnd {
        /// Whose.
        color: Color,
        /// Which.
        kind: Kind,
        /// Where.
        square: Square,
    },
    /// The side to move could take the king.
    #[error("{} is to move and could take the king on {king}", side(*turn))]
    KingCanBeTaken {
        /// The side to move.
        turn: Color,
        /// The other side's king.
        king: Square,
    },
}

/// The English name of a raw kind, in the plural.
fn name(kind: Kind) -> &'static str {
    ["pawns", "lances", "knights", "silvers", "golds", "bishops", "rooks", "kings"]
        [kind.raw().index()]
}

fn singular(kind: Kind) -> &'static str {
    name(kind).trim_end_matches('s')
}

fn kanji(kind: Kind) -> char {
    ['歩', '香', '桂', '銀', '金', '角', '飛', '玉'][kind.raw().index()]
}

fn side(color: Color) -> &'static str {
    match color {
        Color::Black => "Black (先手)",
        Color::White => "White (後手)",
    }
}

impl Position {
    /// Checks that the position can be: no more pieces than a set has, a king at least, no two
    /// unpromoted pawns of a side on a file, no piece without a move for ever, and no king that
    /// can be taken.
    pub fn validate(&self) -> Result<(), Illegal> {
        for kind in Kind::HAND {
            let board = self.kind(kind).count() + promoted(self, kind);
            let held: u32 = Color::ALL.iter().map(|&c| u32::from(self.hand(c).count(kind))).sum();
            let (count, most) = ((board + held) as usize, usize::from(Kind::SET[kind.index()]));
            if count > most {
                return Err(Illegal::TooMany { kind, count, most });
            }
        }
        for color in Color::ALL {
            let pawns = self.pieces(color, Kind::PAWN);
            for square in pawns {
                if (pawns & Bitboard::file_of(square)).is_many() {
                    return Err(Illegal::TwoPawns { color, file: square.file() });
                }
            }
            for kind in [Kind::PAWN, Kind::LANCE, Kind::KNIGHT] {
                let stuck = |&square: &Square| attacks::reach(kind, color, square).is_empty();
                if let Some(square) = self.pieces(color, kind).find(stuck) {
                    return Err(Illegal::DeadEnd { color, kind, square });
                }
            }
            if self.pieces(color, Kind::KING).is_many() {
                return Err(Illegal::TwoKings(color));
            }
        }
        if self.kind(Kind::KING).is_empty() {
            return Err(Illegal::NoKing);
        }
        let turn = self.turn();
        if let Some(king) = self.king(!turn)
            && self.is_attacked(turn, king, self.occupied())
        {
            return Err(Illegal::KingCanBeTaken { turn, king });
        }
        Ok(())
    }
}

fn promoted(position: &Position, kind: Kind) -> u32 {
    if kind.can_promote() { position.kind(kind.promoted()).count() } else { 0 }
}
