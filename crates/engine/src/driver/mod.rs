//! One engine, kept going.
//!
//! [`Engine::start`] makes a task that opens the transport, shakes hands, sets the options and
//! then searches what it is asked to. All that happens comes to the owner as [`Event`]s on one
//! channel, which many engines may share; all requests return at once. Nothing waits for ever:
//! every answer that an engine owes has a deadline, and one that misses it, or dies, is started
//! again after a growing pause, with its options and its job. After too many failures in a row it
//! is set aside with the last reason.
//!
//! A deadline begins when the engine's turn comes: an engine works off its lines one by one, and an
//! `isready` behind an option that takes ten seconds cannot be answered earlier. What may take long
//! (options, a new game) has a long deadline of its own. Long before a deadline is over an engine
//! may be [`Event::Late`]: it is slow, or hung, nobody knows yet. Its owner does without it until it
//! is [`Event::Back`].
//!
//! Searches have job numbers, chosen by the owner. A new search replaces the one that runs: that
//! one is stopped, and what it still says reaches nobody. In front of every search goes an
//! `isready`, and what comes before its `readyok` belongs to the past.

mod actor;
mod owed;
mod session;

use std::time::Duration;

use tokio::sync::mpsc;

use crate::protocol::{
    BestMove, Checkmate, Dialect, Go, Info, OptionSpec, PositionText, TableEntry,
};
use crate::transport::Transport;

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
    /// An engine that owes an answer for so long is [`Event::Late`]. One that was late before and
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

/// Something that an owner should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The engine is ready, for the first time or again. A job that it had is sent again.
    Ready {
        /// Its name, or that of the transport if it has none.
        name: String,
        /// Does it have the table report?
        has_table_report: bool,
        /// How often it has been started before.
        restarts: u32,
        /// What it lets others set.
        options: Vec<OptionSpec>,
    },
    /// What it tells while it searches.
    Info {
        /// Of this search.
        job: u64,
        /// The words.
        info: Box<Info>,
    },
    /// The end of a search.
    BestMove {
        /// Of this search.
        job: u64,
        /// What to play. Whether that is legal nobody has checked: see [`Engine::complain`].
        best: BestMove,
        /// The answer that it expects.
        ponder: Option<String>,
    },
    /// The end of a search for a mate (USI).
    Checkmate {
        /// Of this search.
        job: u64,
        /// What was found.
        checkmate: Checkmate,
    },
    /// What the table knows. Empty if the engine has no report or does another job.
    TableReport {
        /// Of this search.
        job: u64,
        /// The positions, every prefix of a line before the line.
        entries: Vec<TableEntry>,
    },
    /// The search was stopped while there was no engine to answer: no `BestMove` will come.
    Withdrawn {
        /// This search.
        job: u64,
    },
    /// It has worked off all that was said before [`Engine::ask_ready`].
    ReadyOk {
        /// What was asked with.
        token: u64,
    },
    /// It does not answer, and somebody waits for it.
    Late {
        /// What it has not done for how long.
        reason: String,
        /// It is known to have something to do that takes its time: an option, a new game.
        is_loading: bool,
    },
    /// It was late, and has answered now.
    Back,
    /// Something odd that does no harm: an option that is not there, a line too long.
    Warning(String),
    /// The engine was lost, for this reason. It will be started again.
    Lost {
        /// Why.
        reason: String,
    },
    /// The engine is set aside, for this reason. Nothing more will come.
    Failed {
        /// Why.
        reason: String,
    },
}

/// A search to be made.
#[derive(Clone, Debug)]
struct Search {
    job: u64,
    position: PositionText,
    go: Go,
}

#[derive(Debug)]
enum Request {
    Search(Box<Search>),
    Stop,
    PonderHit,
    NewGame,
    GameOver(String),
    SetOption(String, Option<String>),
    TableReport { job: u64, most: u64 },
    Ready(u64),
    Patience(Duration),
    Complain(String),
}

/// A handle to an engine. The engine quits when it is dropped. To an engine that is set aside all
/// requests are in vain.
#[derive(Debug)]
pub struct Engine {
    requests: mpsc::UnboundedSender<Request>,
}

impl Engine {
    /// Starts an engine. Its events go to the channel, each with `id`.
    pub fn start(
        id: EngineId,
        transport: Box<dyn Transport>,
        settings: Settings,
        events: mpsc::Sender<(EngineId, Event)>,
    ) -> Engine {
        let (requests, receiver) = mpsc::unbounded_channel();
        tokio::spawn(actor::Actor::new(id, transport.into(), settings, events, receiver).run());
        Engine { requests }
    }

    /// Searches this, and gives up what it searches now.
    pub fn search(&self, job: u64, position: PositionText, go: Go) {
        self.ask(Request::Search(Box::new(Search { job, position, go })));
    }

    /// Answer at once: `BestMove` or `Withdrawn` follows, if it searches.
    pub fn stop(&self) {
        self.ask(Request::Stop);
    }

    /// The expected move was played.
    pub fn ponder_hit(&self) {
        self.ask(Request::PonderHit);
    }

    /// What comes next is another game. Takes effect between searches; if nothing was searched since
    /// the last one, or since the start, that game is as new.
    pub fn new_game(&self) {
        self.ask(Request::NewGame);
    }

    /// The game has ended: `win`, `lose` or `draw` for this engine. USI says so to engines, UCI has
    /// no word for it. Takes effect between searches.
    pub fn game_over(&self, result: impl Into<String>) {
        self.ask(Request::GameOver(result.into()));
    }

    /// Sets an option, now and after every restart. Takes effect between searches.
    pub fn set_option(&self, name: impl Into<String>, value: Option<String>) {
        self.ask(Request::SetOption(name.into(), value));
    }

    /// Asks for up to `most` positions of the table, below the position of this job.
    pub fn table_report(&self, job: u64, most: u64) {
        self.ask(Request::TableReport { job, most });
    }

    /// Says [`Event::ReadyOk`] when all that was said before is worked off.
    pub fn ask_ready(&self, token: u64) {
        self.ask(Request::Ready(token));
    }

    /// From now on it may take so long for whatever it owes, also for what it is at now.
    pub fn set_patience(&self, patience: Duration) {
        self.ask(Request::Patience(patience));
    }

    /// It plays illegal moves, say: it is started again, and this counts as a failure.
    pub fn complain(&self, reason: impl Into<String>) {
        self.ask(Request::Complain(reason.into()));
    }

    fn ask(&self, request: Request) {
        // The task ends before its handle only if the engine is set aside or the owner is gone.
        let _ = self.requests.send(request);
    }
}
