//! How a server is run, and what all its connections share.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use yomikiri_session::Ceilings;
use yomikiri_session::shelf::{Own, Shelf};

use crate::room::Room;
use crate::token::Token;

/// The newest news of a cluster, as JSON; empty until there are any.
pub type News = watch::Receiver<String>;

/// How a server is run.
#[derive(Clone)]
pub struct Settings {
    /// Where it listens; port 0: at any that is free.
    pub address: SocketAddr,
    /// What visitors have to know. Without one the engine is for loopback only, whatever the address.
    pub token: Option<Token>,
    /// Searches that run at a time.
    pub searches: usize,
    /// Visitors at a time.
    pub visitors: usize,
    /// Bytes for the tables of all visitors, for their long tasks, and for answers that they do not read.
    /// Certificates that are open, long messages and short tasks may take a quarter more.
    pub memory: usize,
    /// What a visitor gets at most.
    pub ceilings: Ceilings,
    /// Sets of problems to choose from.
    pub shelf: Arc<dyn Shelf + Send + Sync>,
    /// How long things may take.
    pub pace: Pace,
    /// What a cluster's master says of its tree, to be shown at `/cluster`.
    pub cluster: Option<News>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            address: ([127, 0, 0, 1], 8080).into(),
            token: None,
            searches: 2,
            visitors: 64,
            memory: 2 << 30,
            ceilings: Ceilings { certificate: 12 << 20, ..Ceilings::default() },
            shelf: Arc::new(Own),
            pace: Pace::default(),
            cluster: None,
        }
    }
}

/// Bytes of a message around the certificate or text in it.
const AROUND: usize = 64 << 10;

impl Settings {
    /// Bytes of the longest message that a visitor may send.
    pub(crate) fn longest(&self) -> usize {
        // Letters may be written as \u1234.
        (self.ceilings.certificate.div_ceil(3) * 4).max(6 * self.ceilings.text) + AROUND
    }
}

/// How long things may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// A search works so long before it tells how it gets on and listens.
    pub slice: Duration,
    /// A search that has worked so long lets others work, if some wait.
    pub turn: Duration,
    /// Until a visitor has said hello.
    pub hello: Duration,
    /// A visitor may take so long to read or to send while others need the memory.
    pub grace: Duration,
    /// A message that is being sent stands still.
    pub stall: Duration,
    /// From one sign of life that is asked for to the next.
    pub ping: Duration,
    /// Without a sign of life.
    pub silence: Duration,
    /// Until a request has come in.
    pub request: Duration,
    /// A connection that is no WebSocket.
    pub connection: Duration,
    /// Until the other side has taken leave.
    pub goodbye: Duration,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace {
            slice: Duration::from_millis(100),
            turn: Duration::from_secs(3),
            hello: Duration::from_secs(5),
            grace: Duration::from_secs(2),
            stall: Duration::from_secs(20),
            ping: Duration::from_secs(20),
            silence: Duration::from_secs(180),
            request: Duration::from_secs(10),
            connection: Duration::from_secs(120),
            goodbye: Duration::from_secs(2),
        }
    }
}

/// What all connections share.
pub struct House {
    pub settings: Settings,
    pub room: Arc<Room>,
    pub closing: watch::Sender<bool>,
}
