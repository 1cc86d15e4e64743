//! Which engine it is, and how it is treated.

use std::time::Duration;

use crate::protocol::Dialect;

/// Which of the owner's engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EngineId(pub usize);

/// Pings: `isready`, which an engine has to answer even while it searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ping {
    /// How often.
    pub every: Duration,
    /// Without an answer for so long, once it is its turn, it is hung.
    pub timeout: Duration,
}

/// How an engine is driven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What it speaks.
    pub dialect: Dialect,
    /// Options to set, also after every restart.
    pub options: Vec<(String, Option<String>)>,
    /// So long may opening and handshake take, each.
    pub handshake: Duration,
    /// So long may it take to get ready, after its options and after the start of every game, and to
    /// work off an option: tables are made, networks loaded.
    pub ready: Duration,
    /// Pings. UCI demands an answer at any time. In USI there are engines that forget their table
    /// at `isready`, or answer only after the search: there it is `None` unless one knows better,
    /// and a hung engine is found at the next `stop`.
    pub ping: Option<Ping>,
    /// So long may it take from `stop` to `bestmove`.
    pub stop: Duration,
    /// An engine that owes an answer for so long is [`Event::Late`](super::Event::Late). One that was late before and
    /// came back is known to be slow: it is late only after twice the time that it took then.
    pub late: Option<Duration>,
    /// Of the infos within such a span only the last of every `multipv` is told.
    pub throttle: Option<Duration>,
    /// After so many failures in a row the engine is set aside.
    pub max_failures: u32,
    /// The pause after the first failure; it doubles with every further one.
    pub first_pause: Duration,
    /// The longest pause.
    pub longest_pause: Duration,
}

impl Settings {
    /// The usual.
    pub fn new(dialect: Dialect) -> Settings {
        let ping = Ping { every: Duration::from_secs(1), timeout: Duration::from_secs(3) };
        Settings {
            dialect,
            options: Vec::new(),
            handshake: Duration::from_secs(30),
            ready: Duration::from_secs(60),
            ping: Some(ping).filter(|_| dialect == Dialect::Uci),
            stop: Duration::from_secs(2),
            late: None,
            throttle: None,
            max_failures: 5,
            first_pause: Duration::from_millis(100),
            longest_pause: Duration::from_secs(10),
        }
    }

    /// Whatever an engine owes, it may take so long.
    pub fn set_patience(&mut self, patience: Duration) {
        (self.handshake, self.ready, self.stop) = (patience, patience, patience);
        if let Some(ping) = &mut self.ping {
            ping.timeout = patience;
        }
    }
}
