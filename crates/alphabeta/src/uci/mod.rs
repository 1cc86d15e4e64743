//! The engine for user interfaces of chess: UCI, with the table report.
//!
//! One thread reads lines; the thread that called [`run`] does everything else, and while it
//! searches it looks every thousand nodes whether a line has come. `stop`, `isready`,
//! `ponderhit` and `tablereport` are answered then; everything else waits until the search is over,
//! so that nothing is lost and answers come in order.

mod options;
mod reader;
mod session;
mod steer;

use std::io::{self, BufRead, Write};

/// Speaks UCI until `quit` or the end of the input.
///
/// # Errors
/// If the output cannot be written.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write) -> io::Result<()> {
    session::Session::new(reader::start(input)?, output).run()
}

#[cfg(test)]
mod tests;
