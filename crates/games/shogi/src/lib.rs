//! Shogi for Yomikiri: the board, legal moves, checks and evasions, notation, and pictures.
//!
//! This is what a user interface, an engine or a cluster of engines needs, and nothing here knows of
//! searches. What asks one whether there is a mate is in `yomikiri-tsume`.

pub mod attacks;
mod hand;
mod movegen;
mod moves;
pub mod notation;
pub mod perft;
pub mod picture;
mod piece;
mod position;
mod sfen;
mod square;
mod validate;

pub use hand::Hand;
pub use movegen::CheckInfo;
pub use moves::Move;
pub use piece::{Color, Kind, Piece};
pub use position::{Position, Undo};
pub use sfen::{START, SfenError, SfenFault, SfenPart};
pub use square::{Bitboard, Square};
pub use validate::Illegal;
