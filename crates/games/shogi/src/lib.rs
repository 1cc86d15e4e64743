//! Shogi for Yomikiri: the board, legal moves, checks and evasions, notation, and tsume-shogi as a
//! [`Problem`](andor::Problem).

mod ask;
pub mod attacks;
pub mod convention;
pub mod cook;
mod hand;
mod line;
pub mod make;
mod mate;
mod movegen;
mod moves;
pub mod notation;
pub mod perft;
mod piece;
mod position;
pub mod settings;
mod sfen;
mod square;
mod tsume;
mod validate;
mod variations;

pub use hand::Hand;
pub use mate::{
    Answer, Claim, Conventional, Length, Mate, MateLimits, MateProgress, MateVerdict, Phase,
    Solution,
};
pub use movegen::CheckInfo;
pub use moves::Move;
pub use piece::{Color, Kind, Piece};
pub use position::{Position, Undo};
pub use sfen::{START, SfenError, SfenFault};
pub use square::{Bitboard, Square};
pub use tsume::{Futile, Tsume};
pub use validate::Illegal;
pub use variations::{Branch, VariationLimits, Variations, variations};

/// Our own 500 problems, each certified sound: lines of SFEN, id and length with tabs between them.
/// Lines that begin with `#` say how they were made.
pub const OWN_PROBLEMS: &str = include_str!("../tests/data/own500.tsv");

andor::solvable!(Tsume);
