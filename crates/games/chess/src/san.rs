//! Moves as people write them: Standard Algebraic Notation (SAN).
//!
//! Written as the PGN standard wants it. Read with more patience: `0-0`, missing or surplus `x`,
//! `+`, `#`, `!`, `?`, promotions as `e8=Q`, `e8Q`, `e8(Q)` or `e8=q`, more of the origin than is
//! needed (`Ng1f3`, `e2-e4`), and UCI's `e7e8q`. The move must be the only legal one that fits.

use cozy_chess::{File, Move, Piece, Rank, Square};
use thiserror::Error;

use crate::position::{Position, Status};

/// Why a text is no move here.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SanError {
    /// Not a move in any position.
    #[error("`{text}` is no move; write it as in e4, Nf3, exd5, O-O or e8=Q")]
    NotAMove {
        /// The text.
        text: String,
    },
    /// A move, but not in this position.
    #[error("`{text}` is not legal in {fen}")]
    Illegal {
        /// The text.
        text: String,
        /// The position.
        fen: String,
    },
    /// More than one legal move fits.
    #[error("`{text}` can be {first} or {second} in {fen}; name the file or rank it comes from")]
    Ambiguous {
        /// The text.
        text: String,
        /// One of them.
        first: String,
        /// Another.
        second: String,
        /// The position.
        fen: String,
    },
}

/// What a text says of a move.
enum Wanted {
    /// Castling, to the king's side if true.
    Castling(bool),
    /// Anything else.
    Move {
        piece: Piece,
        file: Option<File>,
        rank: Option<Rank>,
        to: Square,
        promotion: Option<Piece>,
    },
}

fn promoted(letter: char) -> Option<Piece> {
    match letter.to_ascii_lowercase() {
        'n' => Some(Piece::Knight),
        'b' => Some(Piece::Bishop),
        'r' => Some(Piece::Rook),
        'q' => Some(Piece::Queen),
        _ => None,
    }
}

fn read(text: &str) -> Option<Wanted> {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    let text = text.strip_suffix("e.p.").unwrap_or(text);
    match text.replace(['0', 'o'], "O").as_str() {
        "O-O" => return Some(Wanted::Castling(true)),
        "O-O-O" => return Some(Wanted::Castling(false)),
        _ => {}
    }
    let mut letters: Vec<char> =
        text.chars().filter(|letter| !"x:-=()/".contains(*letter)).collect();
    let piece = match letters.first()? {
        'K' => Piece::King,
        'Q' => Piece::Queen,
        'R' => Piece::Rook,
        'B' => Piece::Bishop,
        'N' => Piece::Knight,
        _ => Piece::Pawn,
    };
    if piece != Piece::Pawn || letters[0] == 'P' {
        letters.remove(0);
    }
    let promotion = letters.last().copied().and_then(promoted);
    if promotion.is_some() {
        letters.pop();
    }
    let rank = Rank::try_from(letters.pop()?).ok()?;
    let to = Square::new(File::try_from(letters.pop()?).ok()?, rank);
    let rank = letters.last().and_then(|&letter| Rank::try_from(letter).ok());
    if rank.is_some() {
        letters.pop();
    }
    let file = letters.last().and_then(|&letter| File::try_from(letter).ok());
    if file.is_some() {
        letters.pop();
    }
    letters.is_empty().then_some(Wanted::Move { piece, file, rank, to, promotion })
}

impl Position {
    /// Reads a legal move.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let wanted = read(text).ok_or_else(|| SanError::NotAMove { text: text.to_owned() })?;
        let mut fitting = self.legal_moves().into_iter().filter(|&m| self.fits(m, &wanted));
        match (fitting.next(), fitting.next()) {
            (Some(m), None) => Ok(m),
            (Some(first), Some(second)) => Err(SanError::Ambiguous {
                text: text.to_owned(),
                first: self.san(first),
                second: self.san(second),
                fen: self.fen(),
            }),
            // A king's step of two squares is castling in UCI's way to write moves.
            (None, _) => self
                .parse_uci(text)
                .map_err(|_| SanError::Illegal { text: text.to_owned(), fen: self.fen() }),
        }
    }

    fn fits(&self, m: Move, wanted: &Wanted) -> bool {
        match *wanted {
            Wanted::Castling(short) => self.is_castling(m) && (m.to > m.from) == short,
            Wanted::Move { piece, file, rank, to, promotion } => {
                !self.is_castling(m)
                    && (m.to, m.promotion) == (to, promotion)
                    && self.board().piece_on(m.from) == Some(piece)
                    && file.is_none_or(|file| m.from.file() == file)
                    && rank.is_none_or(|rank| m.from.rank() == rank)
            }
        }
    }

    /// Writes a legal move.
    pub fn san(&self, m: Move) -> String {
        let mut text = self.san_without_check(m);
        let next = self.after(m);
        match next.status() {
            Status::Checkmate => text.push('#'),
            _ if next.in_check() => text.push('+'),
            _ => {}
        }
        text
    }

    fn san_without_check(&self, m: Move) -> String {
        if self.is_castling(m) {
            return String::from(if m.to > m.from { "O-O" } else { "O-O-O" });
        }
        let piece = self.board().piece_on(m.from).unwrap_or(Piece::Pawn);
        let mut text = String::new();
        if piece == Piece::Pawn {
            if m.from.file() != m.to.file() {
                text.push(char::from(m.from.file()));
            }
        } else {
            text.push(char::from(piece).to_ascii_uppercase());
            text.push_str(&self.origin(m, piece));
        }
        if self.is_capture(m) {
            text.push('x');
        }
        text.push_str(&m.to.to_string());
        if let Some(piece) = m.promotion {
            text.push('=');
            text.push(char::from(piece).to_ascii_uppercase());
        }
        text
    }

    /// The least of file, rank, and both that tells the piece from others of its kind.
    fn origin(&self, m: Move, piece: Piece) -> String {
        let others: Vec<Move> = self
            .legal_moves()
            .into_iter()
            .filter(|other| other.to == m.to && other.from != m.from && !self.is_castling(*other))
            .filter(|other| self.board().piece_on(other.from) == Some(piece))
            .collect();
        if others.is_empty() {
            String::new()
        } else if others.iter().all(|other| other.from.file() != m.from.file()) {
            m.from.file().to_string()
        } else if others.iter().all(|other| other.from.rank() != m.from.rank()) {
            m.from.rank().to_string()
        } else {
            m.from.to_string()
        }
    }
}
