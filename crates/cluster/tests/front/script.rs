//! Engines in this process: scripted ones with habits, and our own.

use std::io::{BufRead, BufReader, Write, pipe};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until};
use yomikiri_cluster::{Board, Game};
use yomikiri_engine::protocol::{Command, Dialect, Go, PositionText};
use yomikiri_engine::transport::{Incoming, Link, OpenError, Opening, Transport};

/// What a scripted engine does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Habit {
    /// All that it should.
    Good,
    /// It takes so long for every line that begins with this word, and hears nothing meanwhile.
    Slow(&'static str, Duration),
    /// When it is stopped it has just found that the first of its moves wins a queen.
    LastWord,
    /// It has no option `MultiPV`.
    OneLine,
    /// It names moves, and never a value.
    Valueless,
    /// It looks for mates, and finds the one of these moves.
    Mates(&'static str),
    /// It never says `uciok`.
    Mute,
    /// It exits at once.
    Exits,
    /// It searches, but says nothing of it.
    Silent,
    /// It answers nothing any more once it searches.
    Hangs,
    /// It ends, for ever, when it has searched for this time.
    Dies(Duration),
    /// It ends when it has searched for this time, and never says `uciok` again.
    Breaks(Duration),
    /// Its lines begin with a move that is not legal.
    IllegalLine,
    /// It ends its search by itself, with a move that is not legal.
    IllegalMove,
    /// It prints lines of a megabyte.
    LongLines,
    /// It can search no deeper than this. There it waits for `stop` if its search is `infinite`, as
    /// UCI wants it.
    Shallow(u64),
    /// It can search no deeper than this, and ends its search there in any case.
    EndsAt(u64),
}

/// An engine that does as it is scripted, and what it was told.
#[derive(Clone)]
pub struct Script {
    dialect: Dialect,
    habit: Habit,
    told: Arc<Mutex<Vec<String>>>,
}

/// A search that an engine was told to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    pub position: PositionText,
    pub go: Go,
}

impl Script {
    pub fn new(dialect: Dialect, habit: Habit) -> Script {
        Script { dialect, habit, told: Arc::default() }
    }

    pub fn told(&self) -> Vec<String> {
        self.told.lock().unwrap().clone()
    }

    /// How often it was told this.
    pub fn count(&self, line: &str) -> usize {
        self.told().iter().filter(|told| *told == line).count()
    }

    /// What it searches now, if it lives.
    pub fn job(&self) -> Option<Job> {
        let mut position = None;
        let mut job = None;
        for line in self.told() {
            match Command::parse(&line, self.dialect) {
                _ if line == CLOSED || line == ENDED => job = None,
                Command::Position(text) => position = Some(text),
                Command::Go(go) => job = position.clone().map(|position| Job { position, go }),
                Command::Stop => job = None,
                _ => {}
            }
        }
        job
    }

    fn note(&self, line: &str) {
        self.told.lock().unwrap().push(line.into());
    }
}

const CLOSED: &str = "(closed)";
/// A search has ended by itself.
const ENDED: &str = "(ended)";

impl Transport for Script {
    fn open(&self) -> Opening<'_> {
        let script = self.clone();
        Box::pin(async move {
            if matches!(script.habit, Habit::Dies(_)) && script.count(CLOSED) > 0 {
                return Err(OpenError("the machine is gone".into()));
            }
            let (sender, commands) = mpsc::channel(64);
            let (replies, receiver) = mpsc::channel(64);
            tokio::spawn(async move {
                let reason = Player::new(script.clone(), replies.clone()).run(commands).await;
                script.note(CLOSED);
                let _ = replies.send(Incoming::Closed(reason)).await;
            });
            Ok(Link::new(sender, receiver, ()))
        })
    }

    fn name(&self) -> String {
        format!("{:?}", self.habit)
    }
}

/// A scripted engine between its start and its end.
struct Player {
    script: Script,
    replies: mpsc::Sender<Incoming>,
    position: PositionText,
    game: Game,
    multipv: usize,
    search: Option<Search>,
}

struct Search {
    go: Go,
    start: Instant,
    depth: u64,
}

impl Player {
    fn new(script: Script, replies: mpsc::Sender<Incoming>) -> Player {
        let (position, game) = (PositionText::initial(), Game::from(script.dialect));
        Player { script, replies, position, game, multipv: 1, search: None }
    }

    /// Until it ends: why?
    async fn run(mut self, mut commands: mpsc::Receiver<String>) -> String {
        if self.script.habit == Habit::Exits {
            return "it has ended (exit status: 3)".into();
        }
        loop {
            let next = self.search.as_ref().map(|search| search.start + step(search.depth));
            tokio::select! {
                line = commands.recv() => {
                    let Some(line) = line else { return "it is not needed".into() };
                    self.script.note(&line);
                    if let Habit::Slow(word, time) = self.script.habit
                        && line.split(' ').next() == Some(word)
                    {
                        sleep(time).await;
                        self.script.note(&format!("(done) {line}"));
                    }
                    let hangs = self.script.habit == Habit::Hangs && self.search.is_some();
                    if !hangs {
                        self.hear(&line).await;
                    }
                }
                () = async { sleep_until(next.unwrap()).await }, if next.is_some() => {
                    if !self.think().await {
                        return "it has ended (signal: 9)".into();
                    }
                }
            }
        }
    }

    /// Was it started before?
    fn has_ended(&self) -> bool {
        self.script.count(CLOSED) > 0
    }

    async fn say(&self, line: impl Into<String>) {
        let _ = self.replies.send(Incoming::Line(line.into())).await;
    }

    async fn hear(&mut self, line: &str) {
        let dialect = self.script.dialect;
        match Command::parse(line, dialect) {
            Command::Handshake => {
                self.say("id name Scripted").await;
                self.say("option name Hash type spin default 1 min 1 max 4096").await;
                if self.script.habit != Habit::OneLine {
                    self.say("option name MultiPV type spin default 1 min 1 max 256").await;
                }
                self.say("option name UCI_Chess960 type check default false").await;
                let is_broken = |habit| matches!(habit, Habit::Breaks(_) if self.has_ended());
                if self.script.habit != Habit::Mute && !is_broken(self.script.habit) {
                    self.say(dialect.handshake_ok()).await;
                }
            }
            Command::IsReady => self.say("readyok").await,
            Command::SetOption { name, value } => match (&name[..], value.as_deref()) {
                ("UCI_Chess960", Some("true")) => self.game = Game::Chess960,
                ("MultiPV", Some(_)) if self.script.habit == Habit::OneLine => {}
                ("MultiPV", Some(lines)) => self.multipv = lines.parse().expect("a number"),
                _ => {}
            },
            Command::Position(position) => self.position = position,
            Command::Go(Go { mate: Some(_), .. }) if self.script.dialect == Dialect::Usi => {
                if let Habit::Mates(line) = self.script.habit {
                    self.say(format!("checkmate {line}")).await;
                } else {
                    self.say("checkmate notimplemented").await;
                }
            }
            Command::Go(go) => {
                self.search = Some(Search { go, start: Instant::now(), depth: 0 });
            }
            Command::Stop => {
                if let Some(search) = self.search.take() {
                    if let (Habit::LastWord, Some(m)) = (self.script.habit, self.first(&search.go))
                    {
                        let depth = search.depth + 1;
                        self.say(format!("info depth {depth} score cp 900 pv {m}")).await;
                        return self.say(format!("bestmove {m}")).await;
                    }
                    let m = self.line(&search.go).into_iter().next();
                    self.say(format!("bestmove {}", m.unwrap_or("(none)".into()))).await;
                }
            }
            _ => {}
        }
    }

    /// Says what it has found. False if it is dead.
    async fn think(&mut self) -> bool {
        let Some(mut search) = self.search.take() else { return true };
        search.depth += 1;
        let mut line = self.line(&search.go);
        match self.script.habit {
            Habit::Silent | Habit::Hangs => line.clear(),
            Habit::Dies(after) | Habit::Breaks(after) if search.start.elapsed() >= after => {
                return false;
            }
            Habit::IllegalLine => line.insert(0, "e2e5".into()),
            Habit::IllegalMove => {
                self.say("bestmove e2e5").await;
                return true;
            }
            Habit::LongLines => {
                let cut = format!("info string {}", "x".repeat(60_000));
                let _ = self.replies.send(Incoming::Cut(cut)).await;
            }
            _ => {}
        }
        if self.script.habit == Habit::Valueless {
            self.say(format!("info pv {}", line.join(" "))).await;
            line.clear();
        }
        if !line.is_empty() {
            // A whole position is a little better for who is to move; the moves that others do not
            // search are worse. So the first line stays the best.
            let score = if search.go.searchmoves.is_empty() { 20 } else { -50 };
            let (depth, nodes) = (search.depth, 1000 * search.depth);
            let lines = if self.multipv > 1 { self.lines(&search.go) } else { vec![line] };
            for (rank, line) in (1..).zip(lines) {
                let (score, line) = (score - 10 * (rank - 1), line.join(" "));
                let rank = format!("multipv {rank} score cp {score}");
                self.say(format!("info depth {depth} {rank} nodes {nodes} pv {line}")).await;
            }
        }
        let deepest = match self.script.habit {
            Habit::Shallow(depth) if search.go.infinite && search.depth >= depth => {
                // It waits, and says nothing.
                search.start += Duration::from_secs(3600);
                None
            }
            Habit::Shallow(depth) | Habit::EndsAt(depth) => Some(depth),
            _ => None,
        };
        let wanted = search.go.depth.into_iter().chain(deepest).min();
        if wanted.is_some_and(|wanted| search.depth >= wanted) {
            let m = self.line(&search.go).into_iter().next();
            self.script.note(ENDED);
            self.say(format!("bestmove {}", m.unwrap_or("(none)".into()))).await;
            return true;
        }
        self.search = Some(search);
        true
    }

    /// Lines with other first moves, as many as were asked for.
    fn lines(&self, go: &Go) -> Vec<Vec<String>> {
        let mut left = go.clone();
        if left.searchmoves.is_empty() {
            left.searchmoves = Board::new(self.game, &self.position).expect("legal").moves();
        }
        let mut lines = Vec::new();
        while lines.len() < self.multipv && !left.searchmoves.is_empty() {
            let line = self.line(&left);
            left.searchmoves.retain(|m| *m != line[0]);
            lines.push(line);
        }
        lines
    }

    /// The first of the moves to be searched.
    fn first(&self, go: &Go) -> Option<String> {
        let moves = Board::new(self.game, &self.position).expect("legal").moves();
        go.searchmoves.first().cloned().or_else(|| moves.into_iter().next())
    }

    /// A line that depends on nothing but the position and the moves to be searched.
    fn line(&self, go: &Go) -> Vec<String> {
        let mut board =
            Board::new(self.game, &self.position).expect("the master sends legal positions");
        let mut moves = board.moves();
        if !go.searchmoves.is_empty() {
            assert!(go.searchmoves.iter().all(|m| moves.contains(m)), "{:?}", go.searchmoves);
            moves.clone_from(&go.searchmoves);
        }
        let mut line = Vec::new();
        while let Some(m) = moves.get(moves.len() / 2).filter(|_| line.len() < 5) {
            assert!(board.play(m));
            line.push(m.clone());
            moves = board.moves();
        }
        line
    }
}

/// When it has found something for the n-th time.
fn step(depth: u64) -> Duration {
    Duration::from_millis(20 * (depth + 1))
}

/// Our own engine, in a thread.
pub struct Own;

impl Transport for Own {
    fn open(&self) -> Opening<'_> {
        let failed = |error: std::io::Error| OpenError(error.to_string());
        Box::pin(async move {
            let (engine_input, mut to_engine) = pipe().map_err(failed)?;
            let (from_engine, engine_output) = pipe().map_err(failed)?;
            let (sender, mut commands) = mpsc::channel::<String>(64);
            let (replies, receiver) = mpsc::channel(64);
            std::thread::spawn(move || {
                yomikiri_alphabeta::uci::run(BufReader::new(engine_input), engine_output)
            });
            std::thread::spawn(move || {
                while let Some(line) = commands.blocking_recv() {
                    if writeln!(to_engine, "{line}").is_err() {
                        return;
                    }
                }
            });
            std::thread::spawn(move || {
                for line in BufReader::new(from_engine).lines().map_while(Result::ok) {
                    if replies.blocking_send(Incoming::Line(line)).is_err() {
                        return;
                    }
                }
                let _ = replies.blocking_send(Incoming::Closed("it has ended".into()));
            });
            Ok(Link::new(sender, receiver, ()))
        })
    }

    fn name(&self) -> String {
        "own".into()
    }
}
