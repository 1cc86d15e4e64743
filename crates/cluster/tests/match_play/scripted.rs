//! Engines in memory that do what a script says.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::mpsc;
use yomikiri_cluster::match_play::player::settings;
use yomikiri_cluster::match_play::{Contestant, Limits};
use yomikiri_cluster::{Board, Game};
use yomikiri_engine::driver::Settings;
use yomikiri_engine::protocol::{Command, Dialect, PositionText};
use yomikiri_engine::transport::{Incoming, Link, OpenError, Opening, Transport};

/// What to do when a search is asked for.
#[derive(Clone, Copy, Debug)]
pub enum Act {
    /// Play the first legal move, and expect the same of the opponent.
    Play,
    /// The same, but expect the opponent's last legal move.
    PlayAndHopeForLast,
    /// Say that this is the best move.
    Say(&'static str),
    /// Answer to `stop`, not before.
    Wait,
    /// Answer to nothing any more.
    Hang,
    /// End.
    Die,
}

type Script = Arc<dyn Fn(u64) -> Act + Send + Sync>;

#[derive(Clone)]
pub struct Scripted {
    name: String,
    /// What it calls itself.
    id: String,
    /// What to do in which search, counted from 0 over all lives.
    script: Script,
    /// Moves that are played whenever they are legal.
    moves: &'static [&'static str],
    is_stillborn: bool,
    ponders: bool,
    searches: Arc<AtomicU64>,
    starts: Arc<AtomicU64>,
    log: Arc<Mutex<Vec<String>>>,
}

impl Scripted {
    pub fn new(name: &str, script: impl Fn(u64) -> Act + Send + Sync + 'static) -> Scripted {
        Scripted {
            name: name.into(),
            id: name.into(),
            script: Arc::new(script),
            moves: &[],
            is_stillborn: false,
            ponders: true,
            searches: Arc::default(),
            starts: Arc::default(),
            log: Arc::default(),
        }
    }

    pub fn with_moves(self, moves: &'static [&'static str]) -> Scripted {
        Scripted { moves, ..self }
    }

    pub fn with_id(self, id: &str) -> Scripted {
        Scripted { id: id.into(), ..self }
    }

    pub fn stillborn(self) -> Scripted {
        Scripted { is_stillborn: true, ..self }
    }

    pub fn without_ponder(self) -> Scripted {
        Scripted { ponders: false, ..self }
    }

    pub fn contestant(&self, limits: Limits) -> Contestant {
        self.speaking(Dialect::Uci, limits)
    }

    pub fn usi(&self, limits: Limits) -> Contestant {
        self.speaking(Dialect::Usi, limits)
    }

    fn speaking(&self, dialect: Dialect, limits: Limits) -> Contestant {
        let engine = Speaking { engine: self.clone(), dialect };
        // A player starts a lost engine again before its driver does, unless it never started.
        let first_pause = Duration::from_secs(if self.is_stillborn { 0 } else { 60 });
        let settings = Settings {
            ping: None,
            stop: Duration::from_millis(100),
            first_pause,
            longest_pause: first_pause,
            ..settings(dialect)
        };
        Contestant {
            name: self.name.clone(),
            connect: Arc::new(move || Ok(Box::new(engine.clone()))),
            settings,
            limits,
        }
    }

    /// How often it was started.
    pub fn starts(&self) -> u64 {
        self.starts.load(Ordering::SeqCst)
    }

    /// All that it was told.
    pub fn log(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    /// The same, up to the `quit` that comes some time after a match.
    pub async fn log_to_end(&self) -> Vec<String> {
        let has_ended = || self.log().last().is_some_and(|line| line == "quit");
        let ended = tokio::time::timeout(Duration::from_secs(60), async {
            while !has_ended() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
        ended.await.unwrap_or_else(|_| panic!("no quit: {:?}", self.log()));
        self.log()
    }
}

#[derive(Clone)]
struct Speaking {
    engine: Scripted,
    dialect: Dialect,
}

impl Transport for Speaking {
    fn open(&self) -> Opening<'_> {
        if self.engine.is_stillborn {
            return Box::pin(async { Err(OpenError("it is stillborn".into())) });
        }
        let (to_engine, commands) = mpsc::channel(1024);
        let (replies, from_engine) = mpsc::channel(1024);
        self.engine.starts.fetch_add(1, Ordering::SeqCst);
        tokio::spawn(self.clone().live(commands, replies));
        Box::pin(async { Ok(Link::new(to_engine, from_engine, ())) })
    }

    fn name(&self) -> String {
        self.engine.name.clone()
    }
}

impl Speaking {
    async fn live(self, mut commands: mpsc::Receiver<String>, replies: mpsc::Sender<Incoming>) {
        let mut position = PositionText::initial();
        // The answer that is held back: until `stop`, and if it is true also until `ponderhit`.
        let mut held: Option<(String, bool)> = None;
        let mut is_hung = false;
        while let Some(line) = commands.recv().await {
            self.engine.log.lock().unwrap().push(line.clone());
            let mut say = Vec::new();
            match Command::parse(&line, self.dialect) {
                Command::Quit => return,
                _ if is_hung => {}
                Command::Handshake => {
                    say.push(format!("id name {}", self.engine.id));
                    if self.engine.ponders {
                        say.push("option name Ponder type check default false".into());
                    }
                    say.push(self.dialect.handshake_ok().into());
                }
                Command::IsReady => say.push("readyok".into()),
                Command::Position(text) => position = text,
                Command::Stop => say.extend(held.take().map(|(answer, _)| answer)),
                Command::PonderHit => {
                    if let Some((answer, _)) = held.take_if(|(_, is_ponder)| *is_ponder) {
                        say.push(answer);
                    }
                }
                Command::Go(go) => {
                    let search = self.engine.searches.fetch_add(1, Ordering::SeqCst);
                    let act = (self.engine.script)(search);
                    let answer = self.answer(&position, act);
                    match act {
                        Act::Die => return,
                        Act::Hang => is_hung = true,
                        Act::Wait => held = Some((answer, false)),
                        _ if go.ponder => held = Some((answer, true)),
                        _ => {
                            say.push("info depth 3 score cp 25 nodes 100 pv x".into());
                            say.push(answer);
                        }
                    }
                }
                _ => {}
            }
            for line in say {
                if replies.send(Incoming::Line(line)).await.is_err() {
                    return;
                }
            }
        }
    }

    fn answer(&self, position: &PositionText, act: Act) -> String {
        if let Act::Say(word) = act {
            return format!("bestmove {word}");
        }
        let mut board = Board::new(Game::from(self.dialect), position).unwrap();
        let legal = board.moves();
        let scripted = self.engine.moves.iter().find(|text| legal.iter().any(|m| m == *text));
        let best = scripted.map_or_else(|| legal[0].clone(), |text| text.to_string());
        assert!(board.play(&best));
        let answers = board.moves();
        let expected = match act {
            Act::PlayAndHopeForLast => answers.last().filter(|_| answers.len() > 1),
            _ => answers.first(),
        };
        match expected {
            Some(expected) => format!("bestmove {best} ponder {expected}"),
            None => format!("bestmove {best}"),
        }
    }
}
