//! Hex for AND/OR search, from 1×1 to 11×11.
//!
//! [`Hex`] is the game as it is; [`StrongHex`] adds what makes it solvable: inferior cells and
//! virtual connections, each of them sound, so that its verdicts are those of the plain game and
//! its certificates are checked with the rules of [`Hex`] alone.
//!
//! ```
//! use andor::{Settings, Value, solve};
//! use yomikiri_hex::{Hex, StrongHex};
//!
//! // Black has opened in the centre. Does White, to move, win?
//! let hex: Hex = "hex 5 ...../...../..B../...../..... W".parse()?;
//! let outcome = solve(StrongHex::new(hex), &Settings::default());
//! assert_eq!(outcome.value(), Some(Value::Disproven));
//! # Ok::<(), yomikiri_hex::NotationError>(())
//! ```

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

andor::solvable!(Hex, StrongHex);

#[cfg(test)]
extern crate self as yomikiri_hex;
#[cfg(test)]
#[path = "../tests/support/mod.rs"]
mod support;
