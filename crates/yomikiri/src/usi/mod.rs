//! The engine as user interfaces of shogi speak to it: the Universal Shogi Interface, for the
//! search for mates (`go mate`).
//!
//! The table is kept from one `go` to the next, so that going through the variations of a problem
//! costs little; `usinewgame` and a new `USI_Hash` empty it, and so does a search that breaks down. From there on the same lines give the
//! same nodes and the same answers, on one thread.

mod answer;
mod command;
mod debug;
mod info;
pub mod options;
mod reader;
mod session;
mod store;
mod worker;

use std::io::{self, BufRead, Write};
use std::sync::mpsc::sync_channel;

use anyhow::{Context, Result};

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
    reader::start(input, sender.clone()).context("cannot start the reader")?;
    Session::new(out, (sender, receiver), options).run()
}

/// Speaks on standard input and output.
pub fn speak_here(options: Options) -> Result<()> {
    speak(io::BufReader::new(io::stdin()), io::stdout(), options)
}
