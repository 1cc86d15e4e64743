//! The engine as user interfaces of shogi speak to it: the Universal Shogi Interface, for the
//! search for mates (`go mate`).
//!
//! The table is kept from one `go` to the next, so that going through the variations of a problem
//! costs little; `usinewgame` and a new `USI_Hash` empty it, and so does a search that breaks down. From there on the same lines give the
//! same nodes and the same answers, on one thread.
//!
//! The words are those of [`yomikiri_engine::protocol`]: what is heard is a `Command`, what is said
//! a `Reply`.

mod answer;
mod clock;
mod info;
mod news;
pub mod options;
mod session;
mod store;
mod worker;

use std::io::{self, BufRead, Write};
use std::sync::mpsc::sync_channel;

use anyhow::{Context, Result};
use yomikiri_engine::protocol::listen;

use news::Event;
use options::Options;
use session::Session;

/// So many lines and reports may wait.
const QUEUE: usize = 256;

/// Speaks with a user interface until one of both ends it.
pub fn speak(
    input: impl BufRead + Send + 'static,
    out: impl Write,
    options: Options,
) -> Result<()> {
    let (sender, receiver) = sync_channel(QUEUE);
    let lines = sender.clone();
    let hear = move |line: io::Result<_>| {
        let event = match line {
            Ok(Some(line)) => Event::Line(line),
            Ok(None) => Event::End(None),
            Err(error) => Event::End(Some(error.to_string())),
        };
        lines.send(event).is_ok()
    };
    listen(input, hear).context("cannot start the reader")?;
    Session::new(out, (sender, receiver), options).run()
}

/// Speaks on standard input and output.
pub fn speak_here(options: Options) -> Result<()> {
    speak(io::BufReader::new(io::stdin()), io::stdout(), options)
}
