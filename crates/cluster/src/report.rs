//! What workers say of positions.

use yomikiri_engine::protocol::Bound;

use crate::value::Value;

/// What an engine says of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// How deep it searched.
    pub depth: u64,
    /// The value for the side to move.
    pub value: Value,
    /// What the value says of the true one.
    pub bound: Bound,
    /// The best line, the best move first.
    pub pv: Vec<String>,
}
