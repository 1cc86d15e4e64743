//! A small alpha-beta chess engine that reports its transposition table.
//!
//! One thread, no randomness: the same position, the same table and the same limits give the same
//! moves, scores and node counts, bit for bit. A search asks its [`Control`] at node counts that
//! the control chose itself, and waits there for as long as the control likes; so a search can be
//! paused at an exact node and continued as if nothing had happened.
//!
//! ```
//! use yomikiri_alphabeta::{Free, Job, Limits, Score, Searcher};
//!
//! let mut searcher = Searcher::new(1);
//! let board = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1".parse().unwrap();
//! let job = Job { limits: Limits { depth: Some(3), ..Limits::default() }, ..Job::new(board) };
//! let outcome = searcher.search(&job, &mut Free);
//! assert_eq!(outcome.best.unwrap().to_string(), "a1a8");
//! assert_eq!(outcome.lines[0].score, Score::Mate(1));
//! ```
//!
//! Moves are those of [`cozy_chess`]: castling is the king that takes its own rook.

pub mod bench;
pub mod clock;
mod control;
mod evaluation;
mod exchange;
mod iterate;
mod job;
mod moves;
mod order;
mod principal;
mod quiescence;
mod repetition;
mod report;
mod score;
mod settings;
mod table;
pub mod uci;

pub use control::{Control, Free, Line, Next, Until, View};
pub use evaluation::evaluate;
pub use iterate::{Outcome, Searcher};
pub use job::{Job, Limits};
pub use repetition::key;
pub use report::{ReportEntry, table_report};
pub use score::{Bound, MAX_DEPTH, Score};
pub use settings::Settings;
pub use table::Table;
