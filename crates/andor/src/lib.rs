//! AND/OR search with proof numbers, and proofs that can be checked.
//!
//! A question with the answer yes or no about a game, "does the side to move win?", is an AND/OR
//! graph: at the attacker's turn one good move is enough, at the defender's every move must be met.
//! This crate answers such questions for any game that implements one small trait, and writes every
//! answer down as a [certificate] that a separate checker accepts or rejects by the game's rules
//! alone.
//!
//! ```text
//! Rules ──> Problem ──> search (agent + table) ──> Outcome ──> certificate::write ──> certificate::check
//!   └───────────────────────────────────────────────────────────────────────────────────────^
//! ```
//!
//! - [`Rules`] is the law of a game; [`Problem`] adds a hash key and, if the game has them,
//!   heuristics. The module [`problem`] shows a complete game in thirty lines; [`simple`] asks for
//!   less, and is slower.
//! - [`audit()`] plays random games and names the law that a game breaks: let it look at yours before
//!   the first search.
//! - [`solve`] is the short way to a verdict; [`search()`] takes a [`Table`] that stays,
//!   [`Limits`], a [`Stop`] flag for other threads and a progress callback.
//! - [`dfpn`] is df-pn as a resumable [`Agent`]: the base of every driver. [`pn_search`] is
//!   best-first PN-search with DeepPN. Each technique has its own module, named by the field's word
//!   for it.
//! - [`table`] is the shared transposition table.
//!
//! An agent inside another program, a thousand nodes at a time:
//!
//! ```
//! # use andor::{Key, NodeKind, Problem, Repetition, Rules, Value};
//! # #[derive(Clone)]
//! # struct Nim { heap: u8, kind: NodeKind }
//! # impl Rules for Nim {
//! #     type Move = u8; type Undo = (); type Stock = (); type Identity = (u8, NodeKind);
//! #     fn kind(&self) -> NodeKind { self.kind }
//! #     fn repetition(&self) -> Repetition { Repetition::Never }
//! #     fn terminal(&self) -> Option<Value> { None }
//! #     fn legal_moves(&self, moves: &mut Vec<u8>) { moves.extend(1..=self.heap.min(3)) }
//! #     fn play(&mut self, take: u8) { self.heap -= take; self.kind = self.kind.opponent(); }
//! #     fn undo(&mut self, take: u8, _: ()) { self.heap += take; self.kind = self.kind.opponent(); }
//! #     fn identity(&self) -> (u8, NodeKind) { (self.heap, self.kind) }
//! #     fn stock(&self) {}
//! #     fn encode_move(take: u8) -> u32 { take.into() }
//! #     fn describe_move(&self, take: u8) -> String { format!("take {take}") }
//! # }
//! # impl Problem for Nim { fn key(&self) -> Key { Key::of(&self.identity()) } }
//! # let position = Nim { heap: 21, kind: NodeKind::Or };
//! use andor::{Agent, Claim, Dfpn, Step, Stop, Table, certificate};
//!
//! let table = Table::new(1 << 20)?; // shared by all agents, kept between calls
//! let mut agent = Agent::new(position.clone(), Dfpn::default(), &table, Stop::new());
//! while agent.run(1_000) == Step::Budget {
//!     // the program's own work goes here
//! }
//! let solved = agent.result().expect("the agent is done");
//! assert_eq!(solved.value, Value::Proven);
//!
//! let claim = Claim::new(&position, solved.value, solved.plies);
//! let mut file = Vec::new();
//! certificate::write(claim, Dfpn::default(), &table, &Stop::new(), &mut file)?;
//! certificate::check(claim, &mut file.as_slice())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod ask;
mod assignment;
pub mod audit;
pub mod certificate;
pub mod clock;
mod control;
mod deep;
pub mod dfpn;
mod known;
pub mod length;
mod mirror;
mod number;
mod pincers;
mod plies;
pub mod pn_search;
pub mod problem;
mod pseudo_threads;
mod pulse;
mod questions;
mod random;
mod rules;
mod search;
pub mod shortest;
pub mod simple;
mod solvable;
pub mod strategy;
pub mod table;
mod team;
mod totals;
mod verdict;
mod virtual_numbers;

pub use assignment::{Assignment, AssignmentError};
pub use audit::audit;
pub use control::{AgentStatus, Control, Limits, Progress, Stop};
pub use deep::suggest_r;
pub use dfpn::{Agent, Cover, CoverError, Dfpn, Step, Sums};
pub use known::{Known, known};
pub use mirror::{Mirror, Reversed};
pub use number::{INFINITY, Number};
pub use plies::Plies;
pub use pn_search::{PnSearch, Selection};
pub use problem::{Evaluation, Key, MoveList, Problem, mix64};
pub use pseudo_threads::{Paths, Quanta, QuantaError};
pub use pulse::{Interrupted, Pulse};
pub use random::SplitMix64;
pub use rules::{NoValue, NodeKind, Repetition, Rules, Stock, Value};
pub use search::Scheme;
pub use search::{Algorithm, Settings, search, solve, together};
pub use solvable::Solvable;
pub use table::{Solved, Table};
pub use team::virtual_number::Virtual;
pub use totals::Totals;
pub use verdict::{Claim, Outcome, Reason, Share, Shares, Verdict};
pub use virtual_numbers::Agents;

/// What threads share without a lock, for the model check in `tests/loom.rs`.
#[cfg(loom)]
#[doc(hidden)]
pub mod internals {
    pub use crate::table::cluster::{Cluster, SharedWords};
    pub use crate::team::marks::Marks;
    pub use crate::team::notices::Notices;
}
