//! An engine, the events it sends, and patience.
#![allow(dead_code, reason = "not every test needs everything")]

use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::timeout;
use yomikiri_engine::driver::{Engine, EngineId, Event, Ping, Settings};
use yomikiri_engine::program::find_program;
use yomikiri_engine::protocol::{BestMove, Dialect, Go, PositionText, Start};
use yomikiri_engine::transport::{Process, Transport};

/// Longer than anything here takes: only a hang takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Rig {
    pub engine: Engine,
    pub events: mpsc::Receiver<(EngineId, Event)>,
}

impl Rig {
    pub fn new(transport: Box<dyn Transport>, settings: Settings) -> Rig {
        let (sender, events) = mpsc::channel(100);
        Rig { engine: Engine::start(EngineId(7), transport, settings, sender), events }
    }

    /// The misbehaving engine with a habit, and deadlines that are short.
    pub fn misbehaving(arguments: &[&str]) -> Rig {
        Rig::new(misbehaving(arguments), hasty(Dialect::Uci))
    }

    pub async fn event(&mut self) -> Event {
        let event = timeout(PATIENCE, self.events.recv()).await.expect("no event for a minute");
        let (id, event) = event.expect("the engine is gone");
        assert_eq!(id, EngineId(7));
        event
    }

    /// Waits for an event of which this makes something.
    pub async fn wait<T>(&mut self, mut wanted: impl FnMut(&Event) -> Option<T>) -> T {
        loop {
            let event = self.event().await;
            if let Some(found) = wanted(&event) {
                return found;
            }
            assert!(!matches!(event, Event::Failed { .. }), "{event:?}");
        }
    }

    pub async fn ready(&mut self) -> String {
        self.wait(|event| match event {
            Event::Ready { name, .. } => Some(name.clone()),
            _ => None,
        })
        .await
    }

    pub async fn failed(&mut self) -> String {
        self.wait(|event| match event {
            Event::Failed { reason } => Some(reason.clone()),
            _ => None,
        })
        .await
    }

    pub async fn lost(&mut self) -> String {
        self.wait(|event| match event {
            Event::Lost { reason } => Some(reason.clone()),
            _ => None,
        })
        .await
    }

    pub async fn bestmove(&mut self) -> (u64, BestMove) {
        self.wait(|event| match event {
            Event::BestMove { job, best, .. } => Some((*job, best.clone())),
            _ => None,
        })
        .await
    }
}

pub fn misbehaving(arguments: &[&str]) -> Box<dyn Transport> {
    let mut words = vec![env!("CARGO_BIN_EXE_misbehaving-engine").to_string()];
    words.extend(arguments.iter().map(|&argument| argument.to_string()));
    Box::new(Process::new(words).expect("it is built"))
}

/// Settings with short deadlines and pauses.
pub fn hasty(dialect: Dialect) -> Settings {
    let short = Duration::from_millis(700);
    Settings {
        handshake: short,
        ping: Some(Ping { every: Duration::from_millis(100), timeout: Duration::from_secs(2) }),
        stop: short,
        max_failures: 3,
        first_pause: Duration::from_millis(10),
        ..Settings::new(dialect)
    }
}

/// A program, or a word about what is skipped.
pub fn needs(name: &str) -> Option<String> {
    let found = yomikiri_needs::program(name, find_program(name))?;
    Some(found.to_string_lossy().into_owned())
}

pub fn after(moves: &[&str]) -> PositionText {
    let moves = moves.iter().map(|&text| text.into()).collect();
    PositionText { start: Start::Initial, moves }
}

pub fn depth(depth: u64) -> Go {
    Go { depth: Some(depth), ..Go::default() }
}
