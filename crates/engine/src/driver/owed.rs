//! The `readyok`s that an engine owes, and since when.
//!
//! An engine works off its lines one by one. So of all `isready`s that were said, only the oldest
//! is its to answer, and its time runs from the moment when the one before it was answered. One that
//! speaks lives: with every line its time begins anew.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

use super::settings::Settings;

/// An `isready` that has not been answered.
pub(super) struct Owed {
    /// What was said before it and may take long: an option, a new game.
    pub work: Option<String>,
    /// Who of the owner's wants to know.
    pub tokens: Vec<u64>,
}

/// All of them, the oldest first.
pub(super) struct Ledger {
    queue: VecDeque<Owed>,
    turn: Instant,
}

impl Ledger {
    pub fn new() -> Ledger {
        Ledger { queue: VecDeque::new(), turn: Instant::now() }
    }

    pub fn len(&self) -> usize {
        self.queue.len()
    }

    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// The one that the engine has to answer now.
    pub fn first(&self) -> Option<&Owed> {
        self.queue.front()
    }

    pub fn last(&mut self) -> Option<&mut Owed> {
        self.queue.back_mut()
    }

    /// Since when it is the engine's turn, and it is silent.
    pub fn turn(&self) -> Instant {
        self.turn
    }

    /// `isready` is said.
    pub fn ask(&mut self, owed: Owed) {
        if self.queue.is_empty() {
            self.turn = Instant::now();
        }
        self.queue.push_back(owed);
    }

    /// The engine has said something.
    pub fn heard(&mut self) {
        self.turn = Instant::now();
    }

    /// `readyok` has come.
    pub fn answered(&mut self) -> Option<Owed> {
        self.queue.pop_front()
    }

    /// How long the engine may take for what it has to answer now.
    pub fn limit(&self, settings: &Settings) -> Option<Duration> {
        let ping = settings.ping.map_or(settings.ready, |ping| ping.timeout);
        self.first().map(|owed| if owed.work.is_some() { settings.ready } else { ping })
    }
}
