//! Othello endgames on the 8×8 board as AND/OR problems.
//!
//! A [`Position`] is read from text, a [`Goal`] asks how well the side to move can end, and
//! [`Othello`] (the rules alone) or [`ExpertOthello`] (with move order, first proof numbers and a
//! solver for the last moves) put the question to a search. The final score is the difference in
//! discs, with empty squares given to the winner.
//!
//! ```
//! use andor::{NodeKind, Rules};
//! use yomikiri_othello::{Goal, Othello, Position, endgame::Endgame};
//!
//! let position = Position::parse(
//!     "OOOOO----XXOOO--XXOXXOO-XXOOXX--OOXOXXXOXOOXXXOO--OOXXOO--X--XO- X",
//! )?;
//! let game = Othello::new(position, Goal::parse("win")?);
//! assert_eq!(game.kind(), NodeKind::Or);
//! assert_eq!(Endgame::default().score(position.board), -2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod board;
pub mod endgame;
mod expert;
mod goal;
mod notation;
mod problem;
mod random;
mod stability;

pub use board::{Board, Square};
pub use expert::SOLVED_EMPTIES;
pub use goal::{Goal, GoalError};
pub use notation::{Position, PositionError, Side};
pub use problem::{ExpertOthello, Game, Node, Othello};
pub use random::{random_move, random_position};

/// 500 positions with 16 empty squares and their exact scores: a line with the names of the columns,
/// then lines with tabs between these.
pub const POSITIONS_16: &str = include_str!("../tests/data/othello16.tsv");

andor::solvable!(Othello, ExpertOthello);
