//! Lines out, lines in: how the words reach an engine.
//!
//! A [`Transport`] knows where an engine is and opens a [`Link`] to it, again and again if need
//! be: [`Process`] starts a child, [`Tcp`] connects to one that listens, and
//! [`crate::nats::Slot`] leases one on another machine. Dropping the link ends the engine.

mod line;
mod process;
mod tcp;

use std::future::Future;
use std::pin::Pin;

use tokio::sync::mpsc;

use crate::program::split_words;

pub use line::{LineReader, MAX_LINE};
pub use process::Process;
pub(crate) use tcp::Tasks;
pub use tcp::Tcp;

/// So many lines may wait in either direction. An engine that does not read so many is hung.
pub(crate) const QUEUE: usize = 1024;

/// Something that comes from the other side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incoming {
    /// A line.
    Line(String),
    /// The beginning of a line that was longer than [`MAX_LINE`].
    Cut(String),
    /// Nothing more will come, for this reason.
    Closed(String),
}

/// An engine could not be reached.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OpenError(pub String);

/// The other side does not read what it is told, or is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("does not read what it is told")]
pub struct NotReading;

/// A connection to an engine. The engine ends when it is dropped.
pub struct Link {
    sender: mpsc::Sender<String>,
    receiver: mpsc::Receiver<Incoming>,
    _guard: Box<dyn Send + Sync>,
}

impl Link {
    /// A link of two channels. The guard is dropped with it, and ends the other side.
    pub fn new(
        sender: mpsc::Sender<String>,
        receiver: mpsc::Receiver<Incoming>,
        guard: impl Send + Sync + 'static,
    ) -> Link {
        Link { sender, receiver, _guard: Box::new(guard) }
    }

    /// Sends a line. Never waits.
    pub fn send(&self, line: String) -> Result<(), NotReading> {
        self.sender.try_send(line).map_err(|_| NotReading)
    }

    /// What comes next. May be dropped at any time without losing anything.
    pub async fn receive(&mut self) -> Incoming {
        let closed = || Incoming::Closed("the connection is closed".into());
        self.receiver.recv().await.unwrap_or_else(closed)
    }

    /// What is here already.
    pub(crate) fn try_receive(&mut self) -> Option<Incoming> {
        self.receiver.try_recv().ok()
    }
}

/// What [`Transport::open`] gives: a link, later.
pub type Opening<'a> = Pin<Box<dyn Future<Output = Result<Link, OpenError>> + Send + 'a>>;

/// Where an engine is.
pub trait Transport: Send + Sync {
    /// Opens a new link, to a fresh engine.
    fn open(&self) -> Opening<'_>;

    /// Where that is, for messages.
    fn name(&self) -> String;
}

/// The transport for an address: `tcp://host:port`, or the command of a child process.
pub fn parse(address: &str) -> Result<Box<dyn Transport>, OpenError> {
    match address.trim().strip_prefix("tcp://") {
        Some(host) => Ok(Box::new(Tcp::new(host)?)),
        None => Ok(Box::new(process(address)?)),
    }
}

/// The same for one of many engines: a child process is [modest](Process::modest).
pub fn parse_modest(address: &str) -> Result<Box<dyn Transport>, OpenError> {
    match address.trim().strip_prefix("tcp://") {
        Some(_) => parse(address),
        None => Ok(Box::new(process(address)?.modest())),
    }
}

fn process(command: &str) -> Result<Process, OpenError> {
    Process::new(split_words(command).map_err(|error| OpenError(error.to_string()))?)
}

/// Writes the lines of a channel until one side ends.
async fn write_lines(
    mut lines: mpsc::Receiver<String>,
    mut output: impl tokio::io::AsyncWrite + Unpin,
) {
    use tokio::io::AsyncWriteExt;
    while let Some(mut line) = lines.recv().await {
        // All that waits goes out in one write.
        line.push('\n');
        while let Ok(next) = lines.try_recv() {
            line.push_str(&next);
            line.push('\n');
        }
        if output.write_all(line.as_bytes()).await.is_err() || output.flush().await.is_err() {
            break;
        }
    }
}

/// Reads lines into a channel until one side ends. Is the reading side still there?
async fn read_lines(
    input: impl tokio::io::AsyncRead + Unpin,
    lines: &mpsc::Sender<Incoming>,
) -> bool {
    let mut reader = LineReader::new(input);
    while let Ok(Some(incoming)) = reader.next().await {
        if lines.send(incoming).await.is_err() {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests;
