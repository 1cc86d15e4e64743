//! A connection to an engine, and what can make one.

use std::future::Future;
use std::pin::Pin;

use tokio::sync::mpsc;

/// So many lines may wait in either direction. An engine that does not read so many is hung.
pub(crate) const QUEUE: usize = 1024;

/// Something that comes from the other side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incoming {
    /// A line.
    Line(String),
    /// The beginning of a line that was longer than [`MAX_LINE`](super::MAX_LINE).
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
