//! How the ranks are measured.

use std::fmt::Display;
use std::path::PathBuf;

use andor::Stop;

use super::records::Records;
use crate::error::Error;
use crate::folder;

/// Ranks with a class of their own; all later ones share another.
pub const LISTED: usize = 10;

/// How the ranks are measured.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder for the results.
    pub out: PathBuf,
    /// The command of the engine, or `tcp://host:port`.
    pub engine: String,
    /// Options of the engine, beside those that ranking needs.
    pub engine_options: Vec<(String, Option<String>)>,
    /// The depth of the searches.
    pub depth: u32,
    /// So many engines at a time.
    pub threads: usize,
    /// Ends the run.
    pub stop: Stop,
}

impl Options {
    /// The paper's depth, and as many engines as there are cores.
    pub fn new(engine: impl Into<String>) -> Options {
        Options {
            out: folder("ranks", false),
            engine: engine.into(),
            engine_options: Vec::new(),
            depth: 15,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            stop: Stop::default(),
        }
    }

    pub(super) fn settings(&self, records: &Records, engine: &str) -> String {
        format!(
            "# ranks: {engine}, depth {}{}; {} games, {} positions, {:016x}",
            self.depth,
            self.engine_options().iter().map(|option| format!(", {option}")).collect::<String>(),
            records.games(),
            records.places().count(),
            records.fingerprint()
        )
    }

    pub(super) fn engine_options(&self) -> Vec<String> {
        let written = |(name, value): &(String, Option<String>)| match value {
            Some(value) => format!("{name}={value}"),
            None => name.clone(),
        };
        self.engine_options.iter().map(written).collect()
    }

    /// How many engines, for so many positions.
    pub(super) fn engines(&self, positions: usize) -> usize {
        // One engine is at the other end of a connection, not many.
        let most = if self.engine.trim().starts_with("tcp://") { 1 } else { self.threads.max(1) };
        most.min(positions)
    }

    pub(super) fn failed(&self, reason: impl Display) -> Error {
        Error::BadOption(format!("{}: {reason}", self.engine))
    }
}
