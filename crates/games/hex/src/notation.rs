//! Positions as text: `hex`, the size, then the stones and the side to move, or the moves so far.

use std::fmt;
use std::str::FromStr;

use andor::Rules;
use thiserror::Error;

use crate::board::{Board, Cell, MAX_SIZE, Side};
use crate::hex::Hex;

/// The notation, for people.
pub const HELP: &str = "\
hex SIZE ROWS SIDE         rows from the first to the last, separated by '/', of B, W and '.';
                           then the side to move, B or W: hex 3 .../.B./... W
hex SIZE moves CELL...     the moves of a game, Black's first: hex 6 moves b3 c4
B connects the first row to the last, W column a to the last column. Cell b3 is column b, row 3; it
touches a3, c3, b2, b4, c2 and a4. Sizes 1 to 11. The question is whether the side to move wins.";

/// Why a text is not a position. Every `at` counts characters from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum NotationError {
    /// The text does not begin with `hex`.
    #[error("character {at}: a Hex position begins with 'hex'")]
    NotHex {
        /// Where.
        at: usize,
    },
    /// The size is missing or not a number from 1 to [`MAX_SIZE`].
    #[error("character {at}: expected a size from 1 to {MAX_SIZE}")]
    BadSize {
        /// Where.
        at: usize,
    },
    /// The rows, or the word `moves`, are missing.
    #[error("character {at}: expected the rows of the board or 'moves'")]
    NoBoard {
        /// Where.
        at: usize,
    },
    /// A character that is no cell of a row.
    #[error("character {at}: '{found}' is no cell (B, W or .)")]
    BadCell {
        /// Where.
        at: usize,
        /// The character.
        found: char,
    },
    /// A row ends too early.
    #[error("character {at}: the row ends after {cells} of {size} cells")]
    ShortRow {
        /// Where: just after the row.
        at: usize,
        /// How many cells it has.
        cells: usize,
        /// How many it should have.
        size: usize,
    },
    /// A row goes on after its last cell.
    #[error("character {at}: the row has more than {size} cells")]
    LongRow {
        /// Where: the first cell too many.
        at: usize,
        /// How many cells it should have.
        size: usize,
    },
    /// Rows are missing.
    #[error("character {at}: the board ends after {rows} of {size} rows")]
    FewRows {
        /// Where: just after the board.
        at: usize,
        /// How many rows there are.
        rows: usize,
        /// How many there should be.
        size: usize,
    },
    /// There are too many rows.
    #[error("character {at}: the board has more than {size} rows")]
    ManyRows {
        /// Where: the first row too many.
        at: usize,
        /// How many rows there should be.
        size: usize,
    },
    /// The side to move is missing or neither `B` nor `W`.
    #[error("character {at}: expected the side to move (B or W)")]
    BadSide {
        /// Where.
        at: usize,
    },
    /// A move that names no cell of the board.
    #[error("character {at}: no cell of this board")]
    BadMove {
        /// Where.
        at: usize,
    },
    /// A move onto a stone.
    #[error("character {at}: there is a stone on this cell")]
    Occupied {
        /// Where.
        at: usize,
    },
    /// A move after the game was won.
    #[error("character {at}: the game is over before this move")]
    GameOver {
        /// Where.
        at: usize,
    },
    /// Text after the position.
    #[error("character {at}: unexpected text after the position")]
    Trailing {
        /// Where.
        at: usize,
    },
}

/// The words of a text, each with the number of its first character.
struct Words<'a> {
    rest: &'a str,
    at: usize,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<(usize, &'a str)> {
        let trimmed = self.rest.trim_start();
        let skipped = &self.rest[..self.rest.len() - trimmed.len()];
        let at = self.at + skipped.chars().count();
        let end = trimmed.find(char::is_whitespace).unwrap_or(trimmed.len());
        let (word, rest) = trimmed.split_at(end);
        self.rest = rest;
        self.at = at + word.chars().count();
        (!word.is_empty()).then_some((at, word))
    }
}

fn parse_size(word: &str) -> Option<Board> {
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    Board::empty(if digits { word.parse().ok()? } else { return None })
}

fn parse_side(word: &str) -> Option<Side> {
    match word {
        "B" | "b" => Some(Side::Black),
        "W" | "w" => Some(Side::White),
        _ => None,
    }
}

fn parse_cell(board: &Board, word: &str) -> Option<Cell> {
    let mut letters = word.chars();
    let column = (letters.next()?.to_ascii_lowercase() as usize).checked_sub('a' as usize)?;
    let digits = letters.as_str();
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let row = digits.parse::<usize>().ok()?.checked_sub(1)?;
    (column < board.size() && row < board.size()).then(|| Cell((row * board.size() + column) as u8))
}

/// Reads the rows of a board; `at` is the number of the first character.
fn parse_rows(mut board: Board, text: &str, mut at: usize) -> Result<Board, NotationError> {
    let size = board.size();
    let (mut row, mut column) = (0, 0);
    for found in text.chars() {
        match found {
            '/' if column < size => {
                return Err(NotationError::ShortRow { at, cells: column, size });
            }
            '/' if row + 1 == size => return Err(NotationError::ManyRows { at, size }),
            '/' => (row, column) = (row + 1, 0),
            'B' | 'b' | 'W' | 'w' | '.' if column == size => {
                return Err(NotationError::LongRow { at, size });
            }
            '.' => column += 1,
            'B' | 'b' | 'W' | 'w' => {
                let side = if found.eq_ignore_ascii_case(&'B') { Side::Black } else { Side::White };
                board.fill(side, 1 << (row * size + column));
                column += 1;
            }
            _ => return Err(NotationError::BadCell { at, found }),
        }
        at += 1;
    }
    if column < size {
        Err(NotationError::ShortRow { at, cells: column, size })
    } else if row + 1 < size {
        Err(NotationError::FewRows { at, rows: row + 1, size })
    } else {
        Ok(board)
    }
}

fn parse_moves(board: Board, words: &mut Words<'_>) -> Result<Hex, NotationError> {
    let mut hex = Hex::new(board, Side::Black);
    while let Some((at, word)) = words.next() {
        let cell = parse_cell(&board, word).ok_or(NotationError::BadMove { at })?;
        if hex.winner().is_some() {
            return Err(NotationError::GameOver { at });
        }
        if hex.board().at(cell).is_some() {
            return Err(NotationError::Occupied { at });
        }
        hex.play(cell);
    }
    let to_move = hex.to_move();
    Ok(hex.with_attacker(to_move))
}

/// Reads the notation that [`HELP`] describes.
impl FromStr for Hex {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Hex, NotationError> {
        let mut words = Words { rest: text, at: 0 };
        match words.next() {
            Some((_, word)) if word.eq_ignore_ascii_case("hex") => {}
            Some((at, _)) => return Err(NotationError::NotHex { at }),
            None => return Err(NotationError::NotHex { at: words.at }),
        }
        let (at, word) = words.next().unwrap_or((words.at, ""));
        let board = parse_size(word).ok_or(NotationError::BadSize { at })?;
        let (at, word) = words.next().ok_or(NotationError::NoBoard { at: words.at })?;
        if word == "moves" {
            return parse_moves(board, &mut words);
        }
        let board = parse_rows(board, word, at)?;
        let (at, word) = words.next().unwrap_or((words.at, ""));
        let to_move = parse_side(word).ok_or(NotationError::BadSide { at })?;
        match words.next() {
            Some((at, _)) => Err(NotationError::Trailing { at }),
            None => Ok(Hex::new(board, to_move)),
        }
    }
}

impl Hex {
    /// The board for people: columns and rows at the rim, and each row half a cell further to the
    /// right than the one above it, so that the neighbours of a cell are the six around it.
    pub fn diagram(&self) -> String {
        let (board, size) = (self.board(), self.board().size());
        let mut text = String::from("  ");
        text.extend((b'a'..).take(size).flat_map(|column| [' ', char::from(column)]));
        text.push('\n');
        for row in 0..size {
            text.push_str(&format!("{:row$}{:>2}", "", row + 1));
            for column in 0..size {
                let stone = board.at(Cell((row * size + column) as u8));
                text.extend([' ', stone.map_or('.', Side::letter)]);
            }
            text.push('\n');
        }
        text
    }
}

/// The form with rows.
impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = self.to_move().letter();
        write!(f, "hex {} {} {letter}", self.board().size(), self.board())
    }
}
