//! The thread that reads what the user interface says.

use std::io::{self, BufRead, Read};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

use yomikiri_engine::protocol::{Command, Dialect};

/// A longer line is no command: a game of five thousand moves takes a tenth of it.
const MOST_BYTES: u64 = 1 << 20;

/// A command, and when it came: a clock runs from there, not from when somebody had time to look.
pub type Heard = (Command, Instant);

/// Reads commands until the end, which hangs up. Bytes that are no text make no command.
pub fn start(mut input: impl BufRead + Send + 'static) -> io::Result<Receiver<Heard>> {
    let (sender, receiver) = channel();
    let read = move || {
        let mut line = Vec::new();
        loop {
            line.clear();
            match (&mut input).take(MOST_BYTES).read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            let now = Instant::now();
            let is_cut = line.len() as u64 == MOST_BYTES && line.last() != Some(&b'\n');
            if is_cut && input.skip_until(b'\n').is_err() {
                return;
            }
            let command = match is_cut {
                true => Command::Unknown("a line of more than a megabyte".into()),
                false => Command::parse(&String::from_utf8_lossy(&line), Dialect::Uci),
            };
            if sender.send((command, now)).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("reader".into()).spawn(read)?;
    Ok(receiver)
}
