//! Files in and out: the one place of the project that opens what a user has named.
//!
//! A file that is written appears when it is complete, and what was there before stays until then:
//! see [`Draft`], and [`write()`] for a text that is at hand. A file that grows line by line is a
//! [`Growing`]. Links are followed. What is no file (a device, a pipe) is written to as it is and
//! never replaced, and `-` is standard input or standard output. Each of the two can be used once:
//! what else would go to standard output, a report, asks [`report`] where to go.

mod draft;
mod growing;
mod place;

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

pub use draft::{Draft, write};
pub use growing::Growing;
pub use place::is_file;

use place::{Place, parent};

/// Standard input has been asked for.
static INPUT: AtomicBool = AtomicBool::new(false);
/// Standard output belongs to a file that was asked for.
static OUTPUT: AtomicBool = AtomicBool::new(false);

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
fn reading(path: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
    move |source| Error::Read { path: path.into(), source }
}

/// Names the file in an error of writing.
fn writing(path: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
    move |source| Error::Write { path: path.into(), source }
}

/// Is this `-`, standard input or standard output?
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// What to call a file in messages: its path, or `standard` if that is what it is.
pub fn name(path: &Path, standard: &str) -> String {
    if is_standard(path) { standard.into() } else { path.display().to_string() }
}

/// Opens a file to read, or standard input (`-`).
pub fn open(path: &Path) -> Result<Box<dyn BufRead>> {
    if !is_standard(path) {
        return Ok(Box::new(BufReader::new(File::open(path).map_err(reading(path))?)));
    }
    match INPUT.swap(true, Ordering::Relaxed) {
        true => Err(Error::InputTaken),
        false => Ok(Box::new(BufReader::new(io::stdin()))),
    }
}

/// All of a file, or of standard input (`-`).
pub fn read(path: &Path) -> Result<Vec<u8>> {
    if !is_standard(path) {
        return fs::read(path).map_err(reading(path));
    }
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes).map_err(reading(path))?;
    Ok(bytes)
}

/// All of a file, or of standard input (`-`), which must be UTF-8.
pub fn read_to_string(path: &Path) -> Result<String> {
    String::from_utf8(read(path)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count();
        let reason = format!("line {line} is not UTF-8");
        reading(path)(io::Error::new(io::ErrorKind::InvalidData, reason))
    })
}

/// Fails where an output of this name could not be written.
pub fn check(path: &Path) -> Result<()> {
    let checked = Place::of(path).and_then(|place| match place {
        Place::File(file) => fs::metadata(parent(&file)).map(drop),
        Place::Standard | Place::Stream(_) => Ok(()),
    });
    checked.map_err(writing(path))
}

/// Takes standard output for a file. Only the first one gets it.
fn take_output() -> Result<()> {
    match OUTPUT.swap(true, Ordering::Relaxed) {
        true => Err(Error::OutputTaken),
        false => Ok(()),
    }
}

/// Where reports go: standard output, or standard error where the other is a file's.
pub fn report() -> Box<dyn Write> {
    match OUTPUT.load(Ordering::Relaxed) {
        true => Box::new(io::stderr()),
        false => Box::new(io::stdout()),
    }
}
