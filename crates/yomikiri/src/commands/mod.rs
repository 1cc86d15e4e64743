//! The subcommands, one file each.

#[cfg(not(all(feature = "cluster", feature = "lab", feature = "serve")))]
pub mod absent;
pub mod algorithms;
pub mod bench;
pub mod check;
#[cfg(feature = "cluster")]
pub mod cluster;
pub mod completions;
pub mod engine;
mod exit;
pub mod games;
pub mod jobs;
#[cfg(feature = "lab")]
pub mod lab;
pub mod man;
#[cfg(feature = "cluster")]
pub mod match_play;
pub mod options;
#[cfg(feature = "serve")]
pub mod serve;
pub mod solve;
pub mod team;
pub mod tsume;
pub mod usi;
#[cfg(feature = "cluster")]
pub mod worker;

#[cfg(not(feature = "lab"))]
pub use absent::lab;
#[cfg(not(feature = "serve"))]
pub use absent::serve;
#[cfg(not(feature = "cluster"))]
pub use absent::{cluster, match_play, worker};

pub use exit::Exit;

use std::collections::HashSet;

use crate::input::unlike;

/// A file name for a problem, different from all names before.
pub fn file_stem(id: &str, names: &mut HashSet<String>) -> String {
    let is_safe = |c: char| c.is_alphanumeric() || "-_#".contains(c);
    let stem: String = id.chars().map(|c| if is_safe(c) { c } else { '_' }).collect();
    unlike(stem, names)
}
