//! Where a worker branches off: the nodes of a leader's path, and what a worker has to do there.

use std::fmt;
use std::str::FromStr;

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
    /// Its thresholds: for its proof number and its disproof number.
    pub thresholds: (Number, Number),
    /// The move to the next node of the path.
    pub m: M,
    /// The threshold for the next node's proof number.
    pub next_th_pn: Number,
}

/// How far a worker searches a child: the thresholds that "cover" its numbers.
///
/// The paper says that the thresholds of such a child are raised to cover its numbers, and not how
/// far. In all readings but the last the threshold for the disproof number is the one that df-pn
/// has for any child, th_dn(n) − dn(n) + dn(c), for at an OR node it is the proof number alone that
/// keeps df-pn away from the child; and both are above the child's numbers at least.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cover {
    /// Just beyond its proof number: a little of each child, and more in the next round.
    #[default]
    Least,
    /// As far as the branch node itself may go: th_pn(n).
    Branch,
    /// Until it is solved.
    Solved,
}

impl fmt::Display for Cover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cover::Least => "least",
            Cover::Branch => "branch",
            Cover::Solved => "solved",
        })
    }
}

/// A text says nothing of covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected least, branch or solved")]
pub struct CoverError;

impl FromStr for Cover {
    type Err = CoverError;

    fn from_str(text: &str) -> Result<Cover, CoverError> {
        match text {
            "least" => Ok(Cover::Least),
            "branch" => Ok(Cover::Branch),
            "solved" => Ok(Cover::Solved),
            _ => Err(CoverError),
        }
    }
}

/// Where a worker branches off.
#[derive(Debug)]
pub(super) struct Branch {
    /// Nodes above the one it branches off at.
    pub base: usize,
    /// The leader's thresholds for that node.
    pub thresholds: (Number, Number),
    /// The leader's threshold for the proof number of its own child there.
    pub next_th_pn: Number,
    /// How far its children are searched.
    pub cover: Cover,
    /// Which children need no turn any more.
    pub done: Vec<bool>,
}
