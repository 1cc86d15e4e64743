//! The transposition table: shared, bounded, and never wrong about what it holds.
//!
//! Entries live in clusters of four (`entry`), each under its own sequence lock (`cluster`). An
//! entry is *open* (numbers found so far, for one exact stock), *proven* (for its stock or any
//! larger one, within so many plies or more) or *disproven* (for its stock or any smaller one,
//! within so many plies or fewer). The entries of a board lie in one cluster, so that one look finds
//! what answers by dominance. Where that cluster is full, open entries, for which the exact stock
//! counts, go to a second place that depends on the stock too. A solved entry is never replaced by
//! an open one of the same node; when room is needed the entry worth least goes, and when the table
//! fills up `garbage_collect` sweeps it.

pub(crate) mod cluster;
mod count;
mod entry;
mod garbage_collect;
mod load;
pub(crate) mod memory;
mod save;
mod store;

pub use load::{Load, Work};
pub(crate) use memory::prefetch;
pub use memory::{MIN_BYTES, SizeError};
pub use save::LoadError;
pub(crate) use store::numbers;
pub use store::{Lengths, Lookup, Open, Solved, Table};
