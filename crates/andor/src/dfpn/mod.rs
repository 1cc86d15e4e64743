//! Depth-first proof-number search as a resumable agent.
//!
//! Df-pn (Nagai 1999, 2002) expands the same nodes as proof-number search but keeps no tree: it
//! goes down from the root with a pair of thresholds, stays below a node while both its numbers are
//! under them, and remembers what it found in the transposition table. It is written here as a
//! machine with an explicit stack: [`Agent::run`] goes on for a budget of nodes and can be called
//! again, so every driver (one agent, many in turns, many threads on one table) is a loop around
//! it, and no line of play is too long for the program's stack.
//!
//! Each technique on top of the plain algorithm has its own module and its own switch in [`Dfpn`]:
//! first numbers and costs of df-pn⁺ (`heuristics`), the 1+ε trick (`epsilon`), sums (`sums` and
//! `double_count`), first numbers from other stocks (`comparable`), threshold control (`threshold_control`), deep values (`deep`), the last plies of a
//! bounded question (`horizon`), and sound repetition (`repetition`), which is always on where positions
//! can repeat.
//!
//! Symbols: at an OR node φ is the proof number and δ the disproof number, at an AND node the
//! reverse. So φ is the least of what the children offer, and δ the sum of what they cost.

mod agent;
pub(crate) mod branch;
mod comparable;
mod descend;
mod double_count;
mod epsilon;
mod evaluations;
mod horizon;
mod leave;
mod look;
mod node;
pub(crate) mod repetition;
pub(crate) mod settings;
pub(crate) mod sums;
mod teamwork;
mod threshold_control;
mod worker;

pub use agent::{Agent, Step};
pub use branch::{Cover, CoverError};
pub use settings::Dfpn;
pub use sums::Sums;
