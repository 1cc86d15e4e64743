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
mod event;
mod life;
mod owed;
mod session;
mod settings;

use std::time::Duration;

use tokio::sync::mpsc;

use crate::protocol::{Go, PositionText};
use crate::transport::Transport;
use event::{Request, Search};

pub use event::Event;
pub use settings::{EngineId, Ping, Settings};

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
