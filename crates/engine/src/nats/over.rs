//! Why a lease is over, or is not given. The other side is told in words ([`Over::close`]).

use super::wire::{Body, LEASE, OutOfOrder, SILENCE};
use crate::transport::{NotReading, OpenError};

#[derive(Debug, thiserror::Error)]
pub(super) enum Over {
    /// The other side, or the engine, has ended it, for this reason.
    #[error("{0}")]
    Told(String),
    #[error(transparent)]
    OutOfOrder(#[from] OutOfOrder),
    #[error("messages came twice")]
    OpenedTwice,
    #[error("nothing was heard for {SILENCE:?}")]
    Silence,
    #[error("the master was silent for {LEASE:?}")]
    MasterIsSilent,
    #[error("the master does not need it any more")]
    NotNeeded,
    #[error("the master does not read")]
    MasterDoesNotRead,
    #[error("the master has opened it anew")]
    OpenedAnew,
    #[error("it is leased to another master")]
    Taken,
    #[error("the lease is over")]
    Already,
    #[error("worker {0} does not answer")]
    NoAnswer(String),
    #[error(transparent)]
    NotOpened(#[from] OpenError),
    #[error("the engine does not start in time")]
    SlowStart,
    #[error(transparent)]
    EngineDoesNotRead(#[from] NotReading),
    #[error("the connection to the NATS server is closed")]
    Closed,
    #[error("the connection to the NATS server is lost")]
    Lost,
    #[error(transparent)]
    NotSubscribed(#[from] async_nats::SubscribeError),
    #[error(transparent)]
    NotPublished(#[from] async_nats::PublishError),
    #[error(transparent)]
    NotWritten(#[from] serde_json::Error),
}

impl Over {
    /// The message that tells it.
    pub fn close(&self) -> Body {
        Body::Close { reason: self.to_string() }
    }
}
