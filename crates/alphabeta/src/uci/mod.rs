//! The engine for user interfaces of chess: UCI, with the table report.
//!
//! One thread reads lines; the thread that called [`run`] does everything else, and while it
//! searches it looks every thousand nodes whether a line has come. `stop`, `isready`,
//! `ponderhit` and `tablereport` are answered then; everything else waits until the search is over,
//! so that nothing is lost and answers come in order.

mod options;
mod session;
mod steer;

use std::io::{self, BufRead, Write};
use std::sync::mpsc::channel;
use std::time::Instant;

use yomikiri_engine::protocol::{Command, Dialect, listen};

use steer::Heard;

/// Speaks UCI until `quit` or the end of the input.
///
/// # Errors
/// If the output cannot be written.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write) -> io::Result<()> {
    let (sender, receiver) = channel::<Heard>();
    listen(input, move |line| {
        let Ok(Some(line)) = line else { return false };
        let command = match line.text() {
            Ok(text) => Command::parse(&text, Dialect::Uci),
            Err(error) => Command::Unknown(error.to_string()),
        };
        sender.send((command, Instant::now())).is_ok()
    })?;
    session::Session::new(receiver, output).run()
}

#[cfg(test)]
mod tests;
