//! The text of UCI and USI: one tokenizer, two dialects, both directions.
//!
//! UCI (Universal Chess Interface, Huber and Meyer-Kahlen 2000) and its shogi sister USI (Tord
//! Romstad 2007) are lines of words. A [`Command`] is what a user interface says, a [`Reply`]
//! what an engine says; each is read with `parse` and written with `to_line`. Reading never
//! fails: words that nobody knows are skipped, numbers out of range are brought into range, and
//! a line that makes no sense is kept as it is ([`Command::Unknown`], [`Reply::Other`]). Who would
//! rather say what is wrong than guess reads with [`Command::parse_strictly`].
//!
//! The rest is what every engine of ours needs besides: its [options](OptionTable), its
//! [clock](Clock), and [lines](Line) out of bytes. Nothing here does more input or output than
//! that.
//!
//! ```
//! use yomikiri_engine::protocol::{Command, Dialect, Reply, Value};
//!
//! let line = "go btime 1000 byoyomi 500";
//! let Command::Go(go) = Command::parse(line, Dialect::Usi) else { panic!() };
//! assert_eq!((go.time[0], go.byoyomi), (Some(1000), Some(500)));
//!
//! let line = "info depth 7 score mate -3 pv e8e7";
//! let Reply::Info(info) = Reply::parse(line, Dialect::Uci) else { panic!() };
//! assert_eq!(info.score.map(|score| score.value), Some(Value::Mate(-3)));
//! ```

mod clock;
mod command;
mod dialect;
mod go;
mod info;
mod line;
mod misread;
mod option;
mod reply;
mod score;
mod settings;
mod words;

pub use clock::{Clock, less_overhead};
pub use command::{Command, PositionText, Start};
pub use dialect::Dialect;
pub use go::{Go, Mate};
pub use info::Info;
pub use line::{LONGEST_COMMAND, Line, LineBuffer, TooLong, listen, read_line};
pub use misread::Misread;
pub use option::{OptionKind, OptionSpec};
pub use reply::{BestMove, Checkmate, Id, Reply, TableEntry};
pub use score::{Bound, Score, Value};
pub use settings::{Domain, OptionTable, SetError, Setting, Value as OptionValue};
pub use words::shown;

/// The name of the option by which an engine says that it has the table report.
///
/// The report is an extension of ours. At any time, also during a search, `tablereport N` asks
/// for up to N positions of the engine's transposition table below the position that it searches.
/// It answers at once with at most N lines `tableentry depth D score cp X moves m1 m2 …` and
/// then `tableend`; every proper prefix of a line's moves has a line of its own before it.
pub const TABLE_REPORT: &str = "TableReport";

#[cfg(test)]
mod tests;
