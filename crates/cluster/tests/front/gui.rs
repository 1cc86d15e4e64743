//! A user interface at the other end of a front.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};
use yomikiri_cluster::front::{Front, Setup};
use yomikiri_cluster::{Board, Game, Growth, Pool, Ranks};
use yomikiri_engine::driver::{Ping, Settings};
use yomikiri_engine::protocol::{BestMove, Command, Dialect, Line, PositionText, Reply};
use yomikiri_engine::transport::Transport;

use super::script::{Habit, Job, Script};

/// Longer than anything here takes: only a hang takes longer.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Gui {
    dialect: Dialect,
    input: mpsc::Sender<Line>,
    output: mpsc::UnboundedReceiver<String>,
    position: PositionText,
    /// The positions that were asked about and have not been answered.
    asked: VecDeque<PositionText>,
    /// All that was said so far.
    pub heard: Vec<String>,
}

impl Gui {
    /// A front with these engines. It has not been told anything.
    pub fn new(dialect: Dialect, engines: Vec<Box<dyn Transport>>) -> Gui {
        let second = Duration::from_secs(1);
        let ping = Ping { every: second / 4, timeout: 10 * second };
        let mut pool = Pool::new(Settings {
            handshake: 2 * second,
            ready: 10 * second,
            ping: Some(ping).filter(|_| dialect == Dialect::Uci),
            stop: 10 * second,
            late: Some(6 * second / 10),
            throttle: Some(second / 100),
            max_failures: 3,
            first_pause: second / 100,
            ..Settings::new(dialect)
        });
        for engine in engines {
            pool.add_engine(engine);
        }
        let setup = Setup {
            dialect,
            growth: Growth::Pgpp,
            ranks: Ranks::paper(),
            name: "test".into(),
            publish: None,
        };
        let (input, commands) = mpsc::channel(1000);
        let (replies, output) = mpsc::unbounded_channel();
        tokio::spawn(Front::new(setup, pool, replies).run(commands));
        let (position, asked) = (PositionText::initial(), VecDeque::new());
        Gui { dialect, input, output, position, asked, heard: Vec::new() }
    }

    /// A front with scripted engines that is ready.
    pub async fn ready(dialect: Dialect, habits: &[Habit]) -> (Gui, Vec<Script>) {
        let scripts: Vec<Script> = habits.iter().map(|&h| Script::new(dialect, h)).collect();
        let engines = scripts.iter().map(|s| Box::new(s.clone()) as Box<dyn Transport>).collect();
        let mut gui = Gui::new(dialect, engines);
        gui.say(match dialect {
            Dialect::Uci => "uci",
            Dialect::Usi => "usi",
        });
        gui.hear(dialect.handshake_ok()).await;
        gui.say("isready");
        gui.hear("readyok").await;
        (gui, scripts)
    }

    pub fn say(&mut self, line: &str) {
        match Command::parse(line, self.dialect) {
            Command::Position(text) if Board::new(Game::from(self.dialect), &text).is_ok() => {
                self.position = text;
            }
            Command::Go(go) if self.dialect == Dialect::Uci || go.mate.is_none() => {
                self.asked.push_back(self.position.clone());
            }
            _ => {}
        }
        self.input.try_send(Line::Whole(line.into())).expect("it listens");
    }

    /// Says the beginning of a line that was too long.
    pub fn say_cut(&mut self, start: &str, bytes: usize) {
        self.input.try_send(Line::Cut { start: start.into(), bytes }).expect("it listens");
    }

    /// The position that was set last, and could be.
    pub fn position(&self) -> &PositionText {
        &self.position
    }

    pub async fn line(&mut self) -> String {
        let line = timeout(PATIENCE, self.output.recv()).await;
        let line = line.unwrap_or_else(|_| panic!("it hangs after {:?}", self.heard));
        let line = line.expect("it talks");
        self.check(&line);
        if line.starts_with("bestmove") {
            self.asked.pop_front();
        }
        self.heard.push(line.clone());
        line
    }

    /// The next line with this in it.
    pub async fn hear(&mut self, part: &str) -> String {
        let start = Instant::now();
        loop {
            assert!(start.elapsed() < PATIENCE, "no {part} for a long time");
            let line = self.line().await;
            if line.contains(part) {
                return line;
            }
        }
    }

    /// Lines are no moves that cannot be.
    fn check(&self, line: &str) {
        let Reply::Info(info) = Reply::parse(line, self.dialect) else { return };
        let position = self.asked.front().unwrap_or(&self.position);
        let mut board = Board::new(Game::from(self.dialect), position).unwrap();
        assert!(info.pv.iter().all(|m| board.play(m)), "{line} after {position:?}");
    }

    /// The answer to a `go`, which is legal, and the answer that is expected, which is as well.
    pub async fn answer(&mut self) -> (Option<String>, Option<String>) {
        let line = self.hear("bestmove").await;
        let Reply::BestMove { best, ponder } = Reply::parse(&line, self.dialect) else {
            panic!("{line}")
        };
        let mut board = Board::new(Game::from(self.dialect), &self.position).unwrap();
        let BestMove::Move(best) = best else {
            assert!(board.moves().is_empty(), "{line}");
            return (None, None);
        };
        assert!(board.play(&best), "{line} after {:?}", self.position);
        assert!(ponder.as_ref().is_none_or(|m| board.play(m)), "{line}");
        (Some(best), ponder)
    }

    /// The answer to this, and how long it took.
    pub async fn ask(&mut self, go: &str) -> (Option<String>, Duration) {
        let start = Instant::now();
        self.say(go);
        let (best, _) = self.answer().await;
        (best, start.elapsed())
    }

    /// The same, of a search that is not called off: a line of play was shown before.
    pub async fn ask_and_see(&mut self, go: &str) -> (Option<String>, Duration) {
        let heard = self.heard.len();
        let answer = self.ask(go).await;
        let is_shown =
            |line: &String| [" depth ", " score ", " pv "].iter().all(|word| line.contains(word));
        assert!(self.heard[heard..].iter().any(is_shown), "{go}: {:?}", &self.heard[heard..]);
        answer
    }

    /// Listens for so long.
    pub async fn hear_until(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while let Ok(line) = tokio::time::timeout_at(end, self.output.recv()).await {
            self.heard.push(line.expect("it talks"));
        }
    }

    /// For so long nothing but infos is said.
    pub async fn hears_no_answer(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while let Ok(line) = tokio::time::timeout_at(end, self.output.recv()).await {
            let line = line.expect("it talks");
            assert!(!line.starts_with("bestmove"), "{line}");
            self.check(&line);
            self.heard.push(line);
        }
    }

    /// How often this was said.
    pub fn count(&self, line: &str) -> usize {
        self.heard.iter().filter(|heard| heard.starts_with(line)).count()
    }
}

/// What these engines search covers every legal move of a position exactly once.
pub fn assert_covers(dialect: Dialect, root: &PositionText, scripts: &[Script]) {
    let jobs: Vec<_> = scripts.iter().filter_map(Script::job).collect();
    assert!(!jobs.is_empty(), "somebody searches");
    for (at, job) in jobs.iter().enumerate() {
        let (position, others) = (&job.position, &jobs[at + 1..]);
        assert!(position.moves.starts_with(&root.moves), "{job:?} is not below {root:?}");
        assert!(others.iter().all(|other| other.position != *position), "{job:?} twice");
    }
    let mut nodes = vec![root.clone()];
    while let Some(node) = nodes.pop() {
        let job = jobs.iter().find(|job| job.position == node);
        for m in Board::new(Game::from(dialect), &node).expect("legal").moves() {
            let is_told = |moves: &[String]| moves.is_empty() || moves.contains(&m);
            let by_its_worker = job.is_some_and(|job| is_told(&job.go.searchmoves));
            let mut child = node.clone();
            child.moves.push(m.clone());
            let is_below = |job: &Job| job.position.moves.starts_with(&child.moves);
            let below = jobs.iter().any(is_below);
            assert!(
                by_its_worker != below,
                "{m} after {node:?} is covered twice or never: {jobs:?}"
            );
            if below {
                nodes.push(child);
            }
        }
    }
}
