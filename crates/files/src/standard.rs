//! Standard input and standard output, each of which can be used for one file.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, Result};

/// Standard input has been asked for.
static INPUT: AtomicBool = AtomicBool::new(false);
/// Standard output belongs to a file that was asked for.
static OUTPUT: AtomicBool = AtomicBool::new(false);

/// Takes standard input for a file. Only the first one gets it.
pub(crate) fn take_input() -> Result<()> {
    match INPUT.swap(true, Ordering::Relaxed) {
        true => Err(Error::InputTaken),
        false => Ok(()),
    }
}

/// Takes standard output for a file. Only the first one gets it.
pub(crate) fn take_output() -> Result<()> {
    match OUTPUT.swap(true, Ordering::Relaxed) {
        true => Err(Error::OutputTaken),
        false => Ok(()),
    }
}

/// Does standard output belong to a file, so that reports go to standard error?
pub fn is_output_taken() -> bool {
    OUTPUT.load(Ordering::Relaxed)
}

/// Where reports go: standard output, or standard error where the other is a file's.
pub fn report() -> Box<dyn Write> {
    match is_output_taken() {
        true => Box::new(io::stderr()),
        false => Box::new(io::stdout()),
    }
}
