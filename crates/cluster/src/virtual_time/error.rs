//! What goes wrong in virtual time.

use crate::board::BoardError;

/// A worker has ended before its cluster. What follows would be the play of a smaller cluster under
/// the name of this one, so the game is broken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a worker in virtual time has ended in the middle of a game, so the game does not count")]
pub struct Lost;

/// Why a game in virtual time has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// A position or a move is not one.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A worker was lost.
    #[error(transparent)]
    Lost(#[from] Lost),
    /// There is no thread for a worker.
    #[error("no thread for a worker: {0}")]
    Thread(String),
}
