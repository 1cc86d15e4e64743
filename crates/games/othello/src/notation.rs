//! Positions as text: 64 squares from a1 to h8, row by row, then the side to move.
//!
//! `X`, `x` and `*` are black, `O` and `o` white, `-` and `.` empty. White space may stand
//! anywhere, so the one-line form, a form with a tab before the side and a board in eight lines all
//! read the same. Any placing of discs is a position. Errors name the byte of the input at which
//! reading stopped.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::board::{Board, Square};

/// The two sides. Black, written `X`, moves first in a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// Black, `X`.
    Black,
    /// White, `O`.
    White,
}

impl Side {
    /// The other side.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }

    /// `X` or `O`.
    pub fn letter(self) -> char {
        match self {
            Side::Black => 'X',
            Side::White => 'O',
        }
    }

    fn of(letter: char) -> Option<Side> {
        match letter {
            'X' | 'x' | '*' => Some(Side::Black),
            'O' | 'o' => Some(Side::White),
            _ => None,
        }
    }
}

/// Discs on the board and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The discs, seen from the side to move.
    pub board: Board,
    /// The side to move. It may have to pass.
    pub side: Side,
}

/// Why a text is not a position. Every `at` is a byte offset into the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum PositionError {
    /// A character that means no square.
    #[error("byte {at}: `{found}` is no square (X, O or -)")]
    BadSquare {
        /// Where.
        at: usize,
        /// The character.
        found: char,
    },
    /// The text ends before the 64th square.
    #[error("byte {at}: the board ends after {squares} of 64 squares")]
    BoardTooShort {
        /// Where: the end of the text.
        at: usize,
        /// How many squares were read.
        squares: usize,
    },
    /// The text ends after the board.
    #[error("byte {at}: the side to move (X or O) is missing")]
    MissingSide {
        /// Where: the end of the text.
        at: usize,
    },
    /// A character that means no side.
    #[error("byte {at}: `{found}` is no side to move (X or O)")]
    BadSide {
        /// Where.
        at: usize,
        /// The character.
        found: char,
    },
    /// Something follows the side to move.
    #[error("byte {at}: `{found}` after the side to move")]
    TrailingJunk {
        /// Where.
        at: usize,
        /// The character.
        found: char,
    },
}

impl Position {
    /// The position before the first move.
    pub const START: Position = Position { board: Board::START, side: Side::Black };

    /// Reads a position.
    pub fn parse(text: &str) -> Result<Position, PositionError> {
        let mut letters = text.char_indices().filter(|(_, letter)| !letter.is_whitespace());
        let (mut black, mut white) = (0, 0);
        for square in 0..64 {
            let (at, found) = letters
                .next()
                .ok_or(PositionError::BoardTooShort { at: text.len(), squares: square })?;
            match (Side::of(found), found) {
                (Some(Side::Black), _) => black |= 1 << square,
                (Some(Side::White), _) => white |= 1 << square,
                (None, '-' | '.') => {}
                (None, _) => return Err(PositionError::BadSquare { at, found }),
            }
        }
        let (at, found) = letters.next().ok_or(PositionError::MissingSide { at: text.len() })?;
        let side = Side::of(found).ok_or(PositionError::BadSide { at, found })?;
        match letters.next() {
            Some((at, found)) => Err(PositionError::TrailingJunk { at, found }),
            None => Ok(Position::new(black, white, side)),
        }
    }

    /// A position from the discs of both sides. The two sets must not overlap.
    pub fn new(black: u64, white: u64, side: Side) -> Position {
        assert_eq!(black & white, 0, "a square holds two discs");
        let board = Board { own: black, opp: white };
        match side {
            Side::Black => Position { board, side },
            Side::White => Position { board: board.passed(), side },
        }
    }

    /// The discs of one side.
    pub fn discs(&self, side: Side) -> u64 {
        if side == self.side { self.board.own } else { self.board.opp }
    }

    fn letter(&self, square: u8) -> char {
        let bit = 1 << square;
        if self.discs(Side::Black) & bit != 0 {
            'X'
        } else if self.discs(Side::White) & bit != 0 {
            'O'
        } else {
            '-'
        }
    }

    /// The board for people: files and ranks at the rim, `.` where the side to move can play.
    pub fn diagram(&self) -> String {
        let moves = self.board.moves();
        let mut text = String::from("  a b c d e f g h\n");
        for rank in 0..8 {
            text.push(char::from(b'1' + rank));
            for file in 0..8 {
                let square = rank * 8 + file;
                text.push(' ');
                text.push(if moves >> square & 1 != 0 { '.' } else { self.letter(square) });
            }
            text.push('\n');
        }
        text.push(self.side.letter());
        text.push_str(" to move\n");
        text
    }

    /// The position after a move, or `None` if the move is not legal. The other side is to move
    /// then, even if it must pass.
    #[must_use]
    pub fn play(&self, square: Square) -> Option<Position> {
        (self.board.flips(square) != 0)
            .then(|| Position { board: self.board.after(square), side: self.side.other() })
    }

    /// The position after a pass.
    #[must_use]
    pub fn pass(&self) -> Position {
        Position { board: self.board.passed(), side: self.side.other() }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let squares: String = (0..64).map(|square| self.letter(square)).collect();
        write!(f, "{squares} {}", self.side.letter())
    }
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Position, PositionError> {
        Position::parse(text)
    }
}
