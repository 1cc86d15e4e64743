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
    /// A file is read and was to be written.
    #[error("{}", both(input, output))]
    Both {
        /// What was named as an input.
        input: PathBuf,
        /// What was named as an output.
        output: PathBuf,
    },
    /// Another run, or another output of this one, is being written to this file.
    #[error("{} is being written already: wait for the other run, or give another name", .0.display())]
    InUse(PathBuf),
}

fn both(input: &Path, output: &Path) -> String {
    let (read, written) = (name(input, "standard input"), name(output, "standard output"));
    let read = if input == output { String::new() } else { format!(" ({read})") };
    format!("{written} is an input as well{read}: give the output another name")
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
