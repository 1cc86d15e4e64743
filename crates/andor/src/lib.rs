//! AND/OR search with proof numbers.

pub mod certificate;
pub mod control;
pub mod deep;
pub mod dfpn;
mod mirror;
mod number;
pub mod pn_search;
mod problem;
mod rules;
mod search;
pub mod table;

pub use control::{Control, Limits, Outcome, Progress, Reason, Stop, Verdict};
pub use dfpn::{Agent, Dfpn, Step, Sums};
pub use mirror::{Mirror, Reversed};
pub use number::{INFINITY, MAX_FINITE, Number, UNBOUNDED, add, one_more};
pub use pn_search::{PnSearch, Selection};
pub use problem::{Evaluation, Key, MoveList, Problem, mix64};
pub use rules::{NodeKind, Repetition, Rules, Stock, Value};
pub use search::{Algorithm, Settings, search, solve};
pub use table::{Solved, Table};
