//! What a short search found.

use yomikiri_engine::protocol::Score;

/// What the search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Own {
    /// The line, the move to play first.
    pub pv: Vec<String>,
    /// Its value for the side to move.
    pub score: Score,
    /// How deep it looked.
    pub depth: u64,
}
