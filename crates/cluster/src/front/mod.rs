//! The master as one engine: its dialogue with a user interface, in UCI or USI, and its clock.
//!
//! The answer waits for no worker in particular: when the time is over, or `stop` comes, the best
//! move by what is known is played. As long as nothing is known it takes more of its clock; when
//! that is over too, or `stop` comes, it plays a move of its own (`own`). With the option `Ponder`
//! the workers go on in the opponent's time, on the tree below the move that was played; `go ponder`
//! changes nothing then, for the expected answer is in that tree, with the others beside it.
//!
//! This file has the loop; what is said is heard in `dialogue`, a search goes from `go` to
//! `bestmove` in `search`, `time` sees when it is over, `workers` takes in what engines say, and
//! `show` tells how things stand.

mod dialogue;
mod search;
mod show;
mod time;
mod workers;

use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};
use yomikiri_engine::protocol::{Command, Dialect, Info, Line, PositionText, Reply};

use self::search::Thinking;
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
    setup: Setup,
    master: Master,
    pool: Pool,
    output: mpsc::UnboundedSender<String>,
    position: PositionText,
    thinking: Option<Thinking>,
    mates: Mates,
    /// `isready` waits for its answer.
    waiting: Option<Readiness>,
    options: Options,
    /// The patience that it was started with.
    patience: Duration,
    debug: bool,
    pace: Pace,
    shown_at: Instant,
    published_at: Instant,
    shown: Option<Decision>,
}

/// How often the clock is looked at.
const TICK: Duration = Duration::from_millis(5);

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

    /// Talks until `quit`, or the end of the input.
    pub async fn run(mut self, mut input: mpsc::Receiver<Line>) {
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let due = self.due();
            tokio::select! {
                biased;
                line = input.recv() => {
                    match line.map(Line::text) {
                        None => return,
                        Some(Err(error)) => self.remark(error.to_string()),
                        Some(Ok(line)) => match Command::parse(&line, self.setup.dialect) {
                            Command::Quit => return self.quit(),
                            command => self.hear(command),
                        },
                    }
                }
                _ = tick.tick() => self.look_at_the_clock(),
                () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {
                    self.look_at_the_clock();
                }
                happening = self.pool.next() => self.notice(happening),
                (job, answer) = self.mates.next() => {
                    let outcome = self.mates.solved(job, answer, &self.pool);
                    self.answer_mate(outcome);
                }
            }
            self.obey();
            if self.output.is_closed() {
                return;
            }
        }
    }

    fn say(&self, reply: Reply) {
        // Nobody listens any more: the loop sees that and ends.
        let _ = self.output.send(reply.to_line(self.setup.dialect));
    }

    fn remark(&self, text: impl Into<String>) {
        self.say(Reply::Info(Box::new(Info::string(text))));
    }

    fn obey(&mut self) {
        for order in self.master.orders() {
            self.pool.obey(order);
        }
    }

    fn game(&self) -> Game {
        match self.options.chess960 {
            true => Game::Chess960,
            false => Game::from(self.setup.dialect),
        }
    }
}
