//! SFEN, and the `position` command of USI.
//!
//! Errors name the character at which the text stops making sense, counted from 0.

use std::fmt;

use thiserror::Error;

use crate::hand::Hand;
use crate::moves::Move;
use crate::piece::{Color, Kind, Piece};
use crate::position::Position;
use crate::square::Square;
use crate::validate::Illegal;

/// The start of a game.
pub const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("character {at}: {fault}")]
pub struct SfenError {
    /// Where in the text, in characters from 0.
    pub at: usize,
    /// What is wrong there.
    pub fault: SfenFault,
}

/// What can be wrong in an SFEN.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SfenFault {
    /// A character that is no piece.
    #[error("'{0}' is no piece, number or '/'")]
    NoPiece(char),
    /// `+` before something that does not promote.
    #[error("'{0}' does not promote")]
    NotPromotable(char),
    /// Too few or too many squares.
    #[error("rank {rank} has {squares} squares instead of 9")]
    Squares {
        /// The rank, from 1.
        rank: usize,
        /// How many squares it has.
        squares: usize,
    },
    /// Too few or too many ranks.
    #[error("the board has {0} ranks instead of 9")]
    Ranks(usize),
    /// Neither `b` nor `w`.
    #[error("the side to move is b or w, not '{0}'")]
    Side(String),
    /// Something is missing at the end.
    #[error("the {0} is missing")]
    Missing(SfenPart),
    /// A hand that makes no sense.
    #[error("'{0}' does not belong into a hand: write pieces such as 2Rbg3p, or - for none")]
    Hand(char),
    /// None of a piece in hand, or more than can be counted.
    #[error("'{0}' is no number of pieces")]
    Count(String),
    /// The move number.
    #[error("'{0}' is no move number")]
    Number(String),
    /// Anything else than `moves` after the position.
    #[error("'{0}' is not expected here: only 'moves' and the moves may follow")]
    Trailing(String),
    /// A move that cannot be read.
    #[error("'{0}' is no move: moves are written like 7g7f, 8h2b+ or P*5e")]
    NoMove(String),
    /// A move that cannot be played.
    #[error("the move {0} is not legal in this position")]
    IllegalMove(Move),
    /// A position that cannot be.
    #[error(transparent)]
    Illegal(#[from] Illegal),
}

/// What an SFEN consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SfenPart {
    /// The nine ranks.
    Board,
    /// The side to move.
    Side,
    /// What both sides hold.
    Hand,
}

impl fmt::Display for SfenPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SfenPart::Board => "board",
            SfenPart::Side => "side to move",
            SfenPart::Hand => "hand",
        })
    }
}

/// Words with the character at which each begins.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let (mut start, mut chars) = (None, 0);
    for (byte, c) in text.char_indices() {
        match (c.is_whitespace(), start) {
            (true, Some((begin, at))) => {
                found.push((at, &text[begin..byte]));
                start = None;
            }
            (false, None) => start = Some((byte, chars)),
            _ => {}
        }
        chars += 1;
    }
    if let Some((begin, at)) = start {
        found.push((at, &text[begin..]));
    }
    found
}

fn fault(at: usize, fault: impl Into<SfenFault>) -> SfenError {
    SfenError { at, fault: fault.into() }
}

impl Position {
    /// Reads an SFEN: board, side to move, hands, and (if you like) the move number. The words
    /// `position` and `sfen` may stand before it, `startpos` instead of it, and `moves` with legal
    /// moves after it. The result is a position that can be: see [`Position::validate`].
    pub fn from_sfen(text: &str) -> Result<Position, SfenError> {
        let (mut position, moves) = Position::parse_with_moves(text)?;
        for (at, m) in moves {
            if !position.is_legal(m) {
                return Err(fault(at, SfenFault::IllegalMove(m)));
            }
            position.play(m);
        }
        Ok(position)
    }

    /// The position that a text begins with, and the moves after it with their places. The moves
    /// are not checked.
    pub fn parse_with_moves(text: &str) -> Result<(Position, Vec<(usize, Move)>), SfenError> {
        let words = words(text);
        let end = text.trim_end().chars().count();
        let mut words = words.into_iter().peekable();
        words.next_if(|&(_, word)| word == "position");
        let position = if words.next_if(|&(_, word)| word == "startpos").is_some() {
            Position::start()
        } else {
            words.next_if(|&(_, word)| word == "sfen");
            let mut position = Position::empty();
            let (at, board) =
                words.next().ok_or(fault(end, SfenFault::Missing(SfenPart::Board)))?;
            position.read_board(at, board)?;
            let (side_at, side) =
                words.next().ok_or(fault(end, SfenFault::Missing(SfenPart::Side)))?;
            position.set_turn(match side {
                "b" => Color::Black,
                "w" => Color::White,
                _ => return Err(fault(side_at, SfenFault::Side(side.into()))),
            });
            let (hand_at, hands) =
                words.next().ok_or(fault(end, SfenFault::Missing(SfenPart::Hand)))?;
            position.read_hands(hand_at, hands)?;
            if let Some((number_at, number)) = words.next_if(|&(_, word)| word != "moves")
                && (number.parse::<u32>().is_err() || number.starts_with('+'))
            {
                return Err(fault(number_at, SfenFault::Number(number.into())));
            }
            position.validate().map_err(|illegal| fault(at, illegal))?;
            position
        };
        let mut moves = Vec::new();
        if let Some((at, word)) = words.next() {
            if word != "moves" {
                return Err(fault(at, SfenFault::Trailing(word.into())));
            }
            for (at, word) in words {
                let m = Move::from_usi(word);
                moves.push((at, m.ok_or_else(|| fault(at, SfenFault::NoMove(word.into())))?));
            }
        }
        Ok((position, moves))
    }

    /// The start of a game.
    pub fn start() -> Position {
        Position::from_sfen(START).unwrap_or_else(|_| Position::empty())
    }

    fn read_board(&mut self, start: usize, text: &str) -> Result<(), SfenError> {
        let (mut rank, mut squares) = (1, 0);
        let mut promoted = None;
        let mut rank_start = start;
        let length = text.chars().count();
        let end = |at, rank: usize, squares| match squares {
            9 => Ok(()),
            _ => Err(fault(at, SfenFault::Squares { rank, squares })),
        };
        for (at, c) in (start..).zip(text.chars()) {
            if let Some(plus) = promoted.take() {
                let kind = Kind::from_letter(c).filter(|kind| kind.can_promote());
                let kind = kind.ok_or_else(|| fault(plus + 1, SfenFault::NotPromotable(c)))?;
                self.read_square(at, rank, &mut squares, c, kind.promoted())?;
                continue;
            }
            match c {
                '+' => promoted = Some(at),
                '/' => {
                    end(at, rank, squares)?;
                    (rank, squares, rank_start) = (rank + 1, 0, at + 1);
                    if rank > 9 {
                        return Err(fault(at, SfenFault::Ranks(1 + text.matches('/').count())));
                    }
                }
                '1'..='9' => {
                    squares += c as usize - '0' as usize;
                    if squares > 9 {
                        return Err(fault(at, SfenFault::Squares { rank, squares }));
                    }
                }
                _ => {
                    let kind = Kind::from_letter(c);
                    let kind = kind.ok_or_else(|| fault(at, SfenFault::NoPiece(c)))?;
                    self.read_square(at, rank, &mut squares, c, kind)?;
                }
            }
        }
        if let Some(plus) = promoted {
            return Err(fault(plus, SfenFault::NoPiece('+')));
        }
        end(rank_start + (length - (rank_start - start)), rank, squares)?;
        if rank != 9 {
            return Err(fault(start + length, SfenFault::Ranks(rank)));
        }
        Ok(())
    }

    fn read_square(
        &mut self,
        at: usize,
        rank: usize,
        squares: &mut usize,
        letter: char,
        kind: Kind,
    ) -> Result<(), SfenError> {
        *squares += 1;
        let file = 10usize.checked_sub(*squares).filter(|&file| file > 0);
        let square = file.and_then(|file| Square::new(file as u8, rank as u8));
        let square =
            square.ok_or_else(|| fault(at, SfenFault::Squares { rank, squares: *squares }))?;
        let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
        if kind == Kind::KING && self.king(color).is_some() {
            return Err(fault(at, Illegal::TwoKings(color)));
        }
        self.set(square, Some(Piece::new(color, kind)));
        Ok(())
    }

    fn read_hands(&mut self, start: usize, text: &str) -> Result<(), SfenError> {
        if text == "-" {
            return Ok(());
        }
        let mut number = String::new();
        for (at, c) in (start..).zip(text.chars()) {
            if c.is_ascii_digit() {
                number.push(c);
                continue;
            }
            let kind = Kind::from_letter(c).filter(|&kind| kind != Kind::KING);
            let kind = kind.ok_or_else(|| fault(at, SfenFault::Hand(c)))?;
            let color = if c.is_ascii_uppercase() { Color::Black } else { Color::White };
            let hand = self.hand(color);
            let held = usize::from(hand.count(kind));
            let more = if number.is_empty() { Ok(1) } else { number.parse::<usize>() };
            let more = more.ok().filter(|&more| more > 0);
            let total = more.and_then(|more| held.checked_add(more));
            let limit = usize::from(Kind::SET[kind.index()]);
            match total {
                Some(total) if total <= limit => {
                    self.set_hand(color, hand.with(kind, total as u8));
                }
                Some(total) => {
                    let most = Illegal::TooMany { kind, count: total, most: limit };
                    return Err(fault(at - number.len(), most));
                }
                None => return Err(fault(at - number.len(), SfenFault::Count(number))),
            }
            number.clear();
        }
        match number.chars().next() {
            Some(c) => Err(fault(start + text.chars().count() - number.len(), SfenFault::Hand(c))),
            None => Ok(()),
        }
    }
}

struct SfenHand(Hand, Color);

impl fmt::Display for SfenHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (kind, count) in self.0.pieces() {
            if count > 1 {
                write!(f, "{count}")?;
            }
            write!(f, "{}", Piece::new(self.1, kind))?;
        }
        Ok(())
    }
}

impl fmt::Display for Position {
    /// The SFEN, with 1 as the number of the next move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in 1..=9 {
            let mut empty = 0;
            for file in (1..=9).rev() {
                let piece = Square::new(file, rank).and_then(|square| self.piece(square));
                match piece {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            write!(f, "{empty}")?;
                            empty = 0;
                        }
                        write!(f, "{piece}")?;
                    }
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if rank < 9 {
                f.write_str("/")?;
            }
        }
        f.write_str(match self.turn() {
            Color::Black => " b ",
            Color::White => " w ",
        })?;
        let [black, white] = Color::ALL.map(|color| self.hand(color));
        if black.is_empty() && white.is_empty() {
            f.write_str("-")?;
        }
        write!(f, "{}{} 1", SfenHand(black, Color::Black), SfenHand(white, Color::White))
    }
}

impl std::str::FromStr for Position {
    type Err = SfenError;
    fn from_str(text: &str) -> Result<Position, SfenError> {
        Position::from_sfen(text)
    }
}
