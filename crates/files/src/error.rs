//! What can go wrong with a file.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::name::name;

/// What cannot be read or written.
#[derive(Debug, Error)]
pub enum Error {
    /// A file cannot be read.
    #[error("cannot read {}", name(path, "standard input"))]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}", name(path, "standard output"))]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// `-` stands for standard input twice.
    #[error("standard input (`-`) can be read once only: give files for the rest")]
    InputTaken,
    /// `-` stands for standard output twice.
    #[error("two outputs go to standard output (`-`): give files for all but one")]
    OutputTaken,
}

/// A result of reading or writing.
pub type Result<T> = std::result::Result<T, Error>;

/// Names the file in an error of reading.
pub(crate) fn reading(path: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
    move |source| Error::Read { path: path.into(), source }
}

/// Names the file in an error of writing.
pub(crate) fn writing(path: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
    move |source| Error::Write { path: path.into(), source }
}
