//! What a front knows.

use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;
use yomikiri_engine::protocol::{Dialect, Info, PositionText, Reply};

use super::thinking::Thinking;
use crate::board::Game;
use crate::growth::Growth;
use crate::master::{Decision, Master};
use crate::mates::Mates;
use crate::options::Options;
use crate::pace::Pace;
use crate::pool::Pool;
use crate::ranks::Ranks;
use crate::readiness::Readiness;

/// How a front is set up.
pub struct Setup {
    /// The protocol, and with it the game.
    pub dialect: Dialect,
    /// How the tree grows.
    pub growth: Growth,
    /// The probabilities of ranks.
    pub ranks: Ranks,
    /// The name that the master has for others.
    pub name: String,
    /// Where it shows its tree from time to time, as JSON of [`yomikiri_engine::nats::Status`]. It does not wait for a
    /// place in the channel.
    pub publish: Option<mpsc::Sender<Vec<u8>>>,
}

/// The dialogue.
pub struct Front {
    pub(super) setup: Setup,
    pub(super) master: Master,
    pub(super) pool: Pool,
    pub(super) output: mpsc::UnboundedSender<String>,
    pub(super) position: PositionText,
    pub(super) thinking: Option<Thinking>,
    pub(super) mates: Mates,
    /// `isready` waits for its answer.
    pub(super) waiting: Option<Readiness>,
    pub(super) options: Options,
    /// The patience that it was started with.
    pub(super) patience: Duration,
    pub(super) debug: bool,
    pub(super) pace: Pace,
    pub(super) shown_at: Instant,
    pub(super) published_at: Instant,
    pub(super) shown: Option<Decision>,
}

impl Front {
    /// A dialogue that writes its lines to a channel.
    pub fn new(setup: Setup, pool: Pool, output: mpsc::UnboundedSender<String>) -> Front {
        let game = Game::from(setup.dialect);
        let master = Master::new(game, setup.ranks.clone(), setup.growth)
            .unwrap_or_else(|error| unreachable!("the start of a game is a position: {error}"));
        let now = Instant::now();
        let patience = pool.patience();
        let options = Options::new(setup.dialect, patience);
        Front {
            setup,
            master,
            pool,
            output,
            position: PositionText::initial(),
            thinking: None,
            mates: Mates::new(),
            waiting: None,
            options,
            patience,
            debug: false,
            pace: Pace::new(now),
            shown_at: now,
            published_at: now,
            shown: None,
        }
    }

    pub(super) fn say(&self, reply: Reply) {
        // Nobody listens any more: the loop sees that and ends.
        let _ = self.output.send(reply.to_line(self.setup.dialect));
    }

    pub(super) fn remark(&self, text: impl Into<String>) {
        self.say(Reply::Info(Box::new(Info::string(text))));
    }

    pub(super) fn obey(&mut self) {
        for order in self.master.orders() {
            self.pool.obey(order);
        }
    }

    pub(super) fn game(&self) -> Game {
        match self.options.chess960 {
            true => Game::Chess960,
            false => Game::from(self.setup.dialect),
        }
    }
}
