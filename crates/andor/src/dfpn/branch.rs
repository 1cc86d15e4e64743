//! Where a worker branches off: the nodes of a leader's path, and what a worker has to do there.

use crate::number::Number;
use crate::problem::Key;
use crate::rules::NodeKind;

/// A node on an agent's path, and the way on from it.
#[derive(Clone, Copy, Debug)]
pub struct Waypoint<M> {
    /// The node's key.
    pub key: Key,
    /// Whose turn it is there.
    pub kind: NodeKind,
    /// Children that are not solved.
    pub open: usize,
    /// The move to the next node of the path.
    pub m: M,
    /// The thresholds of the next node: for its proof number and its disproof number.
    pub thresholds: (Number, Number),
}

/// Where a worker branches off.
#[derive(Debug)]
pub(super) struct Branch {
    /// Nodes above the one it branches off at.
    pub base: usize,
    /// The leader's thresholds for its own child there.
    pub thresholds: (Number, Number),
    /// Which children need no turn any more.
    pub done: Vec<bool>,
}
