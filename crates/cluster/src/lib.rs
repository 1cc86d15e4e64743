//! P-GPP: many engines as one, with a master tree (Yokoyama, Kaneko and Tanaka 2015); and matches
//! between engines.
//!
//! The [`Master`] does no input or output and knows no clock: it is told what the workers say and
//! which position is to be played, and gives orders. One driver connects it with engines on this
//! and other machines in real time, another one plays with workers whose time is counted in nodes.

mod board;
mod clock;
pub mod front;
pub mod growth;
mod lines;
mod master;
pub mod match_play;
mod mates;
mod multipv;
mod options;
mod own;
mod pace;
mod pool;
mod ranks;
mod readiness;
mod report;
mod status;
pub mod tally;
mod tree;
mod value;
pub mod virtual_time;

pub use board::{Board, BoardError, Castling, Ending, Game};
pub use growth::{Growth, UnknownGrowth};
pub use lines::{Line, Lines};
pub use master::{Decision, Inconsistency, Master, Order, WorkerId};
pub use multipv::Variation;
pub use pool::{Happening, Pool};
pub use ranks::{Ranks, RanksError};
pub use report::Report;
pub use status::status;
pub use tree::{BrokenTree, Node, NodeId, Place, Rerooted, Tree};
pub use value::Value;
