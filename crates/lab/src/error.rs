//! What can go wrong in an experiment.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why an experiment gave no figures.
#[derive(Debug, Error)]
pub enum Error {
    /// A file or folder could not be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another file could not be read or written.
    #[error(transparent)]
    Files(#[from] yomikiri_files::Error),
    /// The folder holds results of a run with other settings.
    #[error(
        "{}: results of a run with other settings: name another folder with --out, or remove the file\n  there: {found}\n  here:  {wanted}",
        path.display()
    )]
    OtherRun {
        /// The file with the other results.
        path: PathBuf,
        /// Its settings.
        found: String,
        /// The settings of this run.
        wanted: String,
    },
    /// The folder holds results of another build of this program.
    #[error(
        "{}: results of another build, which are not mixed with those of this one: go on with the program that made them, name another folder with --out, or remove the file\n  there: {found}\n  here:  {wanted}",
        path.display()
    )]
    OtherBuild {
        /// The file with the other results.
        path: PathBuf,
        /// The build that made them.
        found: String,
        /// This build.
        wanted: String,
    },
    /// The folder holds seconds that were measured on another machine.
    #[error(
        "{}: results of another machine, whose seconds are not mixed with those of this one: go on there, name another folder with --out, or remove the file\n  there: {found}\n  here:  {wanted}",
        path.display()
    )]
    OtherMachine {
        /// The file with the other results.
        path: PathBuf,
        /// The machine that made them.
        found: String,
        /// This machine.
        wanted: String,
    },
    /// Another run writes to the folder.
    #[error("{}: another run is writing this file: wait for it, or name another folder with --out", .0.display())]
    InUse(PathBuf),
    /// A result could not be written down: the disk is full, say.
    #[error(
        "a result could not be recorded; those before it are kept, and the same command goes on from there"
    )]
    NotRecorded(#[source] yomikiri_files::Error),
    /// A line of the recorded results makes no sense.
    #[error("{}: line {line}: `{text}` is no result of a search", path.display())]
    BadRow {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is there.
        text: String,
    },
    /// An option is out of range.
    #[error("{0}")]
    BadOption(String),
    /// The run was stopped; what was found so far is recorded.
    #[error("stopped after {done} of {total} searches; the same command goes on from there")]
    Stopped {
        /// Searches recorded.
        done: usize,
        /// Searches the figures need.
        total: usize,
    },
    /// A search ran out of memory before its limit.
    #[error("no memory for a tree of {limit} nodes: use fewer threads or a smaller limit")]
    OutOfMemory {
        /// The limit on nodes.
        limit: u64,
    },
    /// The problem sets are not part of the repository and were not found.
    #[error("skipped: needs problem sets ({0}); set YOMIKIRI_PROBLEMS to their folder")]
    NeedsProblems(String),
    /// A line of a problem set is no problem.
    #[error("{set}: line {line}: {reason}")]
    BadProblem {
        /// The set.
        set: String,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// A verdict has no certificate, or one that the checker rejects: the search was wrong.
    #[error("{problem} by {search}: the certificate does not hold: {reason}")]
    Uncertified {
        /// The problem.
        problem: String,
        /// How it was searched.
        search: String,
        /// What the writer or the checker said.
        reason: String,
    },
    /// Two searches of one problem gave opposite verdicts.
    #[error("{problem} by {search}: the verdict differs from that of df-pn")]
    Contradiction {
        /// The problem.
        problem: String,
        /// How it was searched.
        search: String,
    },
    /// A game in virtual time has no result.
    #[error(transparent)]
    Game(#[from] yomikiri_cluster::virtual_time::GameError),
    /// There is no memory for the search's table.
    #[error("no memory for a search: {0}")]
    Memory(#[from] andor::table::SizeError),
}

/// A word that stands for nothing that there is to choose from.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{word}` is none of {known}")]
pub struct UnknownWord {
    /// What was written.
    pub word: String,
    /// What can be.
    pub known: &'static str,
}

impl UnknownWord {
    pub(crate) fn new(word: &str, known: &'static str) -> UnknownWord {
        UnknownWord { word: word.into(), known }
    }
}

/// A result of an experiment.
pub type Result<T> = std::result::Result<T, Error>;

/// Names the file in an input or output error.
pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
    move |source| Error::File { path: path.into(), source }
}
