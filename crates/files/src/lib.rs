//! Files in and out: the one place of the project that opens what a user has named.
//!
//! A file that is written appears when it is complete, and what was there before stays until then:
//! see [`AtomicFile`], and [`write()`] for a text that is at hand. A file that grows line by line is a
//! [`Growing`]. No input is written to, whatever it is called ([`Error::Both`]), and no file by two at
//! once ([`Error::InUse`]). Links are followed. What is no file (a device, a pipe) is written to as it is and
//! never replaced, and `-` is standard input or standard output. Each of the two can be used once:
//! what else would go to standard output, a report, asks [`report`] where to go. What is written into
//! pages and pictures goes through [`escaped`].

mod atomic_file;
mod draft;
mod error;
mod growing;
mod markup;
mod name;
mod patient;
mod place;
mod same;
mod standard;

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use error::{reading, writing};
use place::{Place, parent};
use same::{check_output, note_input};
use standard::take_input;

pub use atomic_file::{AtomicFile, write};
pub use error::{Error, Result};
pub use growing::Growing;
pub use markup::escaped;
pub use name::{is_standard, name};
pub use place::is_file;
pub use standard::{is_output_taken, report};

/// Opens a file to read, or standard input (`-`).
pub fn open(path: &Path) -> Result<Box<dyn BufRead>> {
    if !is_standard(path) {
        let file = File::open(path).map_err(reading(path))?;
        note_input(path)?;
        return Ok(Box::new(BufReader::new(file)));
    }
    take_input()?;
    note_input(path)?;
    Ok(Box::new(BufReader::new(io::stdin())))
}

/// The same for a reader who does not wait for ever: where it is a pipe or a terminal, which may say
/// nothing, `is_over` is asked now and then, and if it is, reading fails with
/// [`TimedOut`](io::ErrorKind::TimedOut).
pub fn open_until<'a>(
    path: &Path,
    is_over: impl Fn() -> bool + 'a,
) -> Result<Box<dyn BufRead + 'a>> {
    if is_standard(path) {
        take_input()?;
        note_input(path)?;
        return patient::open(path, is_over);
    }
    match fs::metadata(path).map_err(reading(path))?.file_type() {
        kind if kind.is_file() || kind.is_dir() => Ok(open(path)?),
        _ => patient::open(path, is_over),
    }
}

/// All of a file, or of standard input (`-`).
pub fn read(path: &Path) -> Result<Vec<u8>> {
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
    let place = Place::of(path).map_err(writing(path))?;
    check_output(path, &place)?;
    match place {
        Place::File(file) => fs::metadata(parent(&file)).map(drop).map_err(writing(path)),
        Place::Standard | Place::Stream(_) => Ok(()),
    }
}
