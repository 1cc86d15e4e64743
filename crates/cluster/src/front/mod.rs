//! The master as one engine: its dialogue with a user interface, in UCI or USI, and its clock.
//!
//! The answer waits for no worker in particular: when the time is over, or `stop` comes, the best
//! move by what is known is played. As long as nothing is known it takes more of its clock; when
//! that is over too, or `stop` comes, it plays a move of its own (`own`). With the option `Ponder`
//! the workers go on in the opponent's time, on the tree below the move that was played; `go ponder`
//! changes nothing then, for the expected answer is in that tree, with the others beside it.
//!
//! `state` is what it knows and `run` its loop. What is said is heard in `dialogue`; a search goes
//! from `go` to `bestmove` in `search`; `time` sees when it is over; `workers` takes in what engines
//! say; and `show` tells how things stand.

mod dialogue;
mod run;
mod search;
mod show;
mod state;
mod thinking;
mod time;
mod workers;

pub use state::{Front, Setup};
