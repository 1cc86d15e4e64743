//! Hex for AND/OR search.

mod board;
mod connections;
mod hex;
mod inferior;
mod notation;
mod strong;

pub use board::{Board, Cell, Cells, MAX_SIZE, Side};
pub use hex::Hex;
pub use notation::{HELP, NotationError};
pub use strong::{Look, StrongHex};

#[cfg(test)]
extern crate self as yomikiri_hex;
#[cfg(test)]
#[path = "../tests/support/mod.rs"]
mod support;
