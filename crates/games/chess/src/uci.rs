//! Moves as the Universal Chess Interface writes them: from, to, and the piece a pawn becomes.
//!
//! Castling is the king's step (`e1g1`) where king and rook stand as in standard chess, and the
//! king taking his own rook (`e1h1`) elsewhere, where the step could be an ordinary move. Both are
//! read.

use cozy_chess::{File, Move, Piece, Square};
use thiserror::Error;

use crate::position::Position;

/// Why a text is no move here.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum UciError {
    /// Not a move in any position.
    #[error("`{text}` is no move; write from, to and promotion, as in e2e4 or e7e8q")]
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
}

fn read(text: &str) -> Option<Move> {
    let from = text.get(..2)?.parse().ok()?;
    let to = text.get(2..4)?.parse().ok()?;
    let promotion = match text.get(4..)? {
        "" => None,
        letter => Some(match letter.to_ascii_lowercase().as_str() {
            "n" => Piece::Knight,
            "b" => Piece::Bishop,
            "r" => Piece::Rook,
            "q" => Piece::Queen,
            _ => return None,
        }),
    };
    Some(Move { from, to, promotion })
}

impl Position {
    /// Reads a legal move.
    pub fn parse_uci(&self, text: &str) -> Result<Move, UciError> {
        let m = read(text).ok_or_else(|| UciError::NotAMove { text: text.to_owned() })?;
        let m = self.castling_of(m).unwrap_or(m);
        if self.is_legal(m) {
            Ok(m)
        } else {
            Err(UciError::Illegal { text: text.to_owned(), fen: self.fen() })
        }
    }

    /// Writes a move of this position.
    pub fn uci(&self, m: Move) -> String {
        let king = self.board().king(self.side_to_move());
        let mut written = m;
        if m.from == king && king.file() == File::E && self.is_castling(m) {
            match m.to.file() {
                File::H => written.to = Square::new(File::G, king.rank()),
                File::A => written.to = Square::new(File::C, king.rank()),
                _ => {}
            }
        }
        written.to_string()
    }

    /// The castling move that a king's step of two squares from the e file stands for.
    fn castling_of(&self, m: Move) -> Option<Move> {
        let side = self.side_to_move();
        let king = self.board().king(side);
        if m.from != king || king.file() != File::E || m.to.rank() != king.rank() {
            return None;
        }
        let rights = self.board().castle_rights(side);
        let rook = match m.to.file() {
            File::G => rights.short.filter(|&file| file == File::H)?,
            File::C => rights.long.filter(|&file| file == File::A)?,
            _ => return None,
        };
        Some(Move { to: Square::new(rook, king.rank()), ..m })
    }
}
