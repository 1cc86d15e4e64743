//! Chess: positions and moves as text, records of games, and mates as a `Problem`.
//!
//! * [`Position`]: a position by the rules, read from and written as FEN ([`fen`]), with what
//!   a collection says of it as EPD ([`epd`]); moves as UCI
//!   text ([`uci`]) and as people write them ([`san`]).
//! * [`Game`]: a position and the moves since, which knows the draws that need a memory; [`pgn`] is
//!   its record.
//! * [`Mates`]: can one side force mate? A `Problem` for AND/OR search ([`mates`]).
//!
//! Boards and legal moves come from the crate `cozy_chess`; its [`Board`], [`Color`], [`Move`],
//! [`Piece`] and [`Square`] are used as they are. In a [`Move`], castling is the king taking his
//! own rook.

pub use cozy_chess::{Board, Color, Move, Piece, Square};

mod checks;
pub mod epd;
pub mod fen;
mod game;
pub mod mates;
pub mod pgn;
mod position;
pub mod san;
pub mod settings;
pub mod uci;

pub use fen::FenError;
pub use game::{Draw, Game, Outcome};
pub use mates::{Goal, Mates};
pub use position::{Identity, Position, Status};
pub use san::SanError;
pub use uci::UciError;

andor::solvable!(Mates);
