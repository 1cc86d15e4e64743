//! One engine at the board.
//!
//! A player starts its engine when a game begins and it has none: at first, and after the engine
//! was lost. While the opponent thinks somebody must listen to it ([`Player::attend`]): it ponders,
//! or dies. What it says meanwhile is kept until its turn comes.

use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, timeout, timeout_at};
use yomikiri_engine::driver::{Engine, EngineId, Event, Settings};
use yomikiri_engine::protocol::{BestMove, Dialect, Go, Info, PositionText};
use yomikiri_engine::transport::{self, OpenError, Transport};

use super::limits::Limits;
use super::spec::EngineSpec;

/// An engine that has played is tried so often in a row before it counts as one that cannot start.
const TRIES: u32 = 3;

/// Infos come at most so often.
const THROTTLE: Duration = Duration::from_millis(50);

/// Makes a way to the engine, every time that it is started.
pub type Connect = Arc<dyn Fn() -> Result<Box<dyn Transport>, OpenError> + Send + Sync>;

/// One of those that play a match.
#[derive(Clone)]
pub struct Contestant {
    /// What it is called.
    pub name: String,
    /// How it is reached.
    pub connect: Connect,
    /// How it is driven.
    pub settings: Settings,
    /// What its moves may cost.
    pub limits: Limits,
}

/// An engine that cannot be started: the match cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} cannot play: {reason}")]
pub struct StartError {
    /// Which one.
    pub name: String,
    /// Why.
    pub reason: String,
}

impl Contestant {
    /// An engine as it was described, for a match with these limits. Fails at once where its
    /// command can never work.
    pub fn new(
        spec: &EngineSpec,
        dialect: Dialect,
        limits: Limits,
        ponder: bool,
    ) -> Result<Contestant, StartError> {
        let failed =
            |error: OpenError| StartError { name: spec.name.clone(), reason: error.to_string() };
        transport::parse(&spec.cmd).map_err(failed)?;
        let cmd = spec.cmd.clone();
        let connect: Connect = Arc::new(move || transport::parse(&cmd));
        let mut options = spec.options.clone();
        let name = ponder_option(dialect);
        if ponder && !options.iter().any(|(known, _)| known.eq_ignore_ascii_case(name)) {
            options.push((name.into(), Some("true".into())));
        }
        let limits = if spec.limits.is_empty() { limits } else { spec.limits };
        let settings = Settings { options, ..settings(dialect) };
        Ok(Contestant { name: spec.name.clone(), connect, settings, limits })
    }
}

/// How engines are driven in a match.
pub fn settings(dialect: Dialect) -> Settings {
    Settings { throttle: Some(THROTTLE), ..Settings::new(dialect) }
}

fn ponder_option(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Uci => "Ponder",
        Dialect::Usi => "USI_Ponder",
    }
}

/// What a player decided.
#[derive(Clone, Debug)]
pub struct Thought {
    /// What to play.
    pub best: BestMove,
    /// The answer that it expects.
    pub ponder: Option<String>,
    /// What it said last with a score.
    pub info: Option<Box<Info>>,
    /// What it took.
    pub taken: Duration,
}

/// Why a player did not decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// No answer within its time.
    Late,
    /// The engine was lost.
    Lost(String),
}

/// A running engine.
struct Running {
    engine: Engine,
    events: mpsc::Receiver<(EngineId, Event)>,
    /// Does it ponder?
    can_ponder: bool,
    /// The answer to the search asked for last.
    answer: Option<(BestMove, Option<String>, Instant)>,
    info: Option<Box<Info>>,
    /// It died, or hung.
    lost: Option<String>,
}

/// A player.
pub struct Player {
    contestant: Contestant,
    running: Option<Running>,
    /// The search asked for last.
    job: u64,
    /// The move that it ponders on.
    expected: Option<String>,
    warnings: Vec<String>,
    /// What its engine calls itself; nothing until it has been ready.
    engine: Option<String>,
}

impl Player {
    /// A player whose engine is not started yet.
    pub fn new(contestant: Contestant) -> Player {
        let (running, expected, warnings) = (None, None, Vec::new());
        Player { contestant, running, job: 0, expected, warnings, engine: None }
    }

    /// What its moves may cost.
    pub fn limits(&self) -> Limits {
        self.contestant.limits
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.contestant.name
    }

    /// What its engine calls itself, once it has been ready.
    pub fn engine(&self) -> &str {
        self.engine.as_deref().unwrap_or_default()
    }

    /// Oddities since this was last asked, such as options that the engine does not have.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// Gets ready for a game that begins here.
    pub async fn new_game(&mut self, opening: &PositionText) -> Result<(), StartError> {
        self.expected = None;
        let mut tries = 0;
        loop {
            while let Some(running) = &mut self.running
                && let Ok((_, event)) = running.events.try_recv()
            {
                self.note(event);
            }
            match &mut self.running {
                Some(Running { lost: None, engine, .. }) => engine.new_game(),
                _ => self.start().await?,
            }
            let Err(reason) = self.warm_up(opening).await else { return Ok(()) };
            self.running = None;
            tries += 1;
            if tries == TRIES {
                return Err(StartError { name: self.contestant.name.clone(), reason });
            }
        }
    }

    async fn start(&mut self) -> Result<(), StartError> {
        let Contestant { name, connect, settings, .. } = &self.contestant;
        let failed = |reason: String| StartError { name: name.clone(), reason };
        let transport = connect().map_err(|error| failed(error.to_string()))?;
        let (sender, mut events) = mpsc::channel(64);
        // One that cannot start at all shall say so at once.
        let max_failures = if self.engine.is_some() { TRIES } else { 1 };
        let settings = Settings { max_failures, ..settings.clone() };
        let dialect = settings.dialect;
        let engine = Engine::start(EngineId(0), transport, settings, sender);
        let can_ponder = loop {
            match events.recv().await {
                Some((_, Event::Ready { name, options, .. })) => {
                    self.engine = Some(name);
                    let name = ponder_option(dialect);
                    let has = options.iter().any(|option| option.name.eq_ignore_ascii_case(name));
                    break has || dialect == Dialect::Usi;
                }
                Some((_, Event::Warning(warning))) => self.warnings.push(warning),
                Some((_, Event::Failed { reason })) => return Err(failed(reason)),
                Some(_) => {}
                None => return Err(failed("its driver has ended".into())),
            }
        };
        let (answer, info, lost) = (None, None, None);
        self.running = Some(Running { engine, events, can_ponder, answer, info, lost });
        Ok(())
    }

    /// Where time counts, a search of a moment comes before the game: its answer comes when the
    /// table is cleared and the network is loaded, and neither is taken from the first move. Where
    /// it does not count nothing is done, so that games by nodes can be repeated exactly.
    async fn warm_up(&mut self, opening: &PositionText) -> Result<(), String> {
        if !self.contestant.limits.is_timed() {
            return Ok(());
        }
        let moment = match self.contestant.settings.dialect {
            Dialect::Uci => Go { movetime: Some(1), ..Go::default() },
            Dialect::Usi => Go { time: [Some(0); 2], byoyomi: Some(1), ..Go::default() },
        };
        let limit = self.contestant.settings.ready;
        match self.think(opening, moment, limit).await {
            Ok(_) => Ok(()),
            Err(Failure::Lost(reason)) => Err(reason),
            Err(Failure::Late) => Err(format!("no answer to a search of 1 ms within {limit:?}")),
        }
    }

    /// Decides what to play, within this time.
    pub async fn think(
        &mut self,
        position: &PositionText,
        go: Go,
        within: Duration,
    ) -> Result<Thought, Failure> {
        let since = Instant::now();
        let expected = self.expected.take();
        let is_hit = expected.is_some() && expected.as_ref() == position.moves.last();
        match &self.running {
            Some(running) if is_hit => running.engine.ponder_hit(),
            _ => self.search(position, go),
        }
        loop {
            let Some(running) = &mut self.running else {
                return Err(Failure::Lost("the engine does not run".into()));
            };
            if let Some(reason) = running.lost.take() {
                self.running = None;
                return Err(Failure::Lost(reason));
            }
            if let Some((best, ponder, at)) = running.answer.take() {
                let (info, taken) = (running.info.take(), at.saturating_duration_since(since));
                return Ok(Thought { best, ponder, info, taken });
            }
            match timeout_at(since + within, running.events.recv()).await {
                Ok(event) => self.hear(event),
                Err(_) => {
                    self.call_off().await;
                    return Err(Failure::Late);
                }
            }
        }
    }

    /// Stops a search that is late, or not wanted any more. An engine that does not even answer to
    /// that is given up.
    async fn call_off(&mut self) {
        let patience = self.contestant.settings.stop + Duration::from_secs(1);
        if let Some(running) = &self.running {
            running.engine.stop();
        }
        let ended = timeout(patience, async {
            while let Some(running) = &mut self.running
                && running.answer.is_none()
                && running.lost.is_none()
            {
                let event = running.events.recv().await;
                self.hear(event);
            }
        });
        let has_ended = ended.await.is_ok();
        if !has_ended || self.running.as_ref().is_some_and(|running| running.lost.is_some()) {
            self.running = None;
        }
    }

    /// Thinks in the opponent's time, who is expected to play the last of the moves. Does nothing
    /// with an engine that does not ponder.
    pub fn ponder(&mut self, position: &PositionText, go: Go) {
        if self.running.as_ref().is_some_and(|running| running.can_ponder) {
            self.search(position, Go { ponder: true, ..go });
            self.expected = position.moves.last().cloned();
        }
    }

    /// The game is over: it stops pondering, and is told the result (`win`, `lose` or `draw`) if its
    /// protocol has a word for that.
    pub async fn end_game(&mut self, result: &str) {
        if self.expected.take().is_some() {
            self.call_off().await;
        }
        if let Some(running) = &self.running {
            running.engine.game_over(result);
        }
    }

    /// Its engine has broken the rules: another is started for the next game.
    pub fn give_up(&mut self) {
        self.running = None;
    }

    /// Listens while the opponent thinks, without end.
    pub async fn attend(&mut self) -> Infallible {
        while let Some(Running { events, lost: None, .. }) = &mut self.running {
            let event = events.recv().await;
            self.hear(event);
        }
        pending().await
    }

    fn search(&mut self, position: &PositionText, go: Go) {
        self.job += 1;
        if let Some(running) = &mut self.running {
            (running.answer, running.info) = (None, None);
            running.engine.search(self.job, position.clone(), go);
        }
    }

    fn hear(&mut self, event: Option<(EngineId, Event)>) {
        let ended = || Event::Failed { reason: "its driver has ended".into() };
        self.note(event.map_or_else(ended, |(_, event)| event));
    }

    fn note(&mut self, event: Event) {
        let Some(running) = &mut self.running else { return };
        match event {
            Event::Info { job, info } if job == self.job => {
                let is_main = info.multipv.unwrap_or(1) == 1;
                if info.score.is_some() && is_main {
                    running.info = Some(info);
                }
            }
            Event::BestMove { job, best, ponder } if job == self.job => {
                running.answer = Some((best, ponder, Instant::now()));
            }
            Event::Warning(warning) => self.warnings.push(warning),
            Event::Lost { reason } | Event::Failed { reason } => running.lost = Some(reason),
            _ => {}
        }
    }
}
