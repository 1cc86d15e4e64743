//! An engine that ranks the moves of positions.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::sync::mpsc;
use yomikiri_cluster::{Board, Value};
use yomikiri_engine::driver::{Engine, EngineId, Event, Ping, Settings};
use yomikiri_engine::protocol::{Bound, Dialect, Go, Info, OptionKind, OptionSpec, PositionText};
use yomikiri_engine::transport;
use yomikiri_shogi::Move as ShogiMove;

use super::options::{LISTED, Options};

/// An engine of our own. It forgets everything before every position, so that what it says does
/// not depend on what it was asked before.
pub(super) struct Ranker {
    engine: Engine,
    events: mpsc::Receiver<(EngineId, Event)>,
    dialect: Dialect,
    depth: u64,
    job: u64,
    /// What the engine calls itself.
    pub name: String,
    /// Does it show several lines at once? If not, every move has a search of its own.
    has_lines: bool,
    /// The button that clears the table.
    clear: Option<String>,
}

/// Why an engine did not rank.
type Reason = String;

impl Ranker {
    /// Starts an engine and waits until it is ready.
    pub async fn start(options: &Options, dialect: Dialect) -> Result<Ranker, Reason> {
        let transport = transport::parse(&options.engine).map_err(|error| error.to_string())?;
        let mut settings = Settings::new(dialect);
        settings.options.clone_from(&options.engine_options);
        settings.max_failures = 3;
        // There are as many engines as cores: an answer may have to wait.
        let (every, timeout) = (Duration::from_secs(5), Duration::from_secs(60));
        settings.ping = settings.ping.map(|_| Ping { every, timeout });
        let (sender, events) = mpsc::channel(256);
        let engine = Engine::start(EngineId(0), transport, settings, sender);
        let mut ranker = Ranker {
            engine,
            events,
            dialect,
            depth: options.depth.into(),
            job: 0,
            name: String::new(),
            has_lines: false,
            clear: None,
        };
        loop {
            match ranker.event().await? {
                Event::Ready { name, options, .. } => {
                    ranker.name = name;
                    ranker.prepare(&options);
                    return Ok(ranker);
                }
                // An option that the engine does not take; or it is none.
                Event::Warning(reason) | Event::Lost { reason } => return Err(reason),
                _ => {}
            }
        }
    }

    fn prepare(&mut self, options: &[OptionSpec]) {
        let plain = |option: &OptionSpec| option.name.replace([' ', '_'], "").to_ascii_lowercase();
        let lines = LISTED.to_string();
        let of_lines = |option: &&OptionSpec| {
            ["multipv", "usimultipv"].contains(&plain(option).as_str())
                && option.accepts(Some(&lines))
        };
        if let Some(option) = options.iter().find(of_lines) {
            self.engine.set_option(&option.name, Some(lines.clone()));
            self.has_lines = true;
        }
        let is_clear = |option: &&OptionSpec| {
            option.kind == OptionKind::Button && plain(option) == "clearhash"
        };
        self.clear = options.iter().find(is_clear).map(|option| option.name.clone());
    }

    async fn event(&mut self) -> Result<Event, Reason> {
        match self.events.recv().await {
            Some((_, Event::Failed { reason })) => Err(reason),
            Some((_, event)) => Ok(event),
            None => Err("the engine is gone".into()),
        }
    }

    /// The rank of a move; all ranks after those of the table are one.
    pub async fn rank(
        &mut self,
        position: &PositionText,
        board: &Board,
        played: &str,
    ) -> Result<usize, Reason> {
        let legal = board.moves();
        if legal.len() == 1 {
            return Ok(1);
        }
        if let Some(clear) = &self.clear {
            self.engine.set_option(clear, None);
        }
        self.engine.new_game();
        match self.has_lines {
            true => self.rank_by_lines(position, board, played, legal.len()).await,
            false => self.rank_by_scores(position, board, played, &legal).await,
        }
    }

    async fn rank_by_lines(
        &mut self,
        position: &PositionText,
        board: &Board,
        played: &str,
        legal: usize,
    ) -> Result<usize, Reason> {
        let lines = self.search(position, Vec::new()).await?;
        for (at, line) in lines.iter().enumerate() {
            let first = &line.pv[0];
            match spelled(board, first) {
                Some(first) if first == played => return Ok(at + 1),
                Some(_) => {}
                None => return Err(format!("its line {} begins with {first}: illegal", at + 1)),
            }
        }
        let wanted = LISTED.min(legal);
        match lines.len() >= wanted {
            true => Ok(LISTED + 1),
            false => Err(format!(
                "it showed {} lines of {wanted}; if it plays from a book, switch that off by --option",
                lines.len()
            )),
        }
    }

    /// One more than the number of moves that are better; the search ends when there are too many.
    async fn rank_by_scores(
        &mut self,
        position: &PositionText,
        board: &Board,
        played: &str,
        legal: &[String],
    ) -> Result<usize, Reason> {
        let value = self.value(position, board, played).await?;
        let mut rank = 1;
        for other in legal.iter().filter(|&other| other != played) {
            if rank <= LISTED && self.value(position, board, other).await? > value {
                rank += 1;
            }
        }
        Ok(rank)
    }

    /// The value of one move.
    async fn value(
        &mut self,
        position: &PositionText,
        board: &Board,
        wanted: &str,
    ) -> Result<Value, Reason> {
        let lines = self.search(position, vec![wanted.into()]).await?;
        let line = lines.first().ok_or("it showed no line; does it play from a book?")?;
        if spelled(board, &line.pv[0]).as_deref() != Some(wanted) {
            return Err("it has neither MultiPV nor searchmoves: moves cannot be ranked".into());
        }
        let score = line.score.ok_or("it showed a line without a score")?;
        Ok(Value::of(score, self.dialect))
    }

    /// Searches, and gives the last lines that were shown, best first.
    async fn search(
        &mut self,
        position: &PositionText,
        searchmoves: Vec<String>,
    ) -> Result<Vec<Box<Info>>, Reason> {
        self.job += 1;
        let go = Go { depth: Some(self.depth), searchmoves, ..Go::default() };
        self.engine.search(self.job, position.clone(), go);
        let mut lines: BTreeMap<u64, Box<Info>> = BTreeMap::new();
        let mut is_again = false;
        loop {
            match self.event().await? {
                Event::Info { job, info } if job == self.job && is_line(&info) => {
                    lines.retain(|_, known| known.pv[0] != info.pv[0]);
                    lines.insert(info.multipv.unwrap_or(1), info);
                }
                Event::BestMove { job, .. } if job == self.job => {
                    return Ok(lines.into_values().collect());
                }
                Event::Lost { reason } if is_again => return Err(reason),
                // It is started again, and searches again from the beginning.
                Event::Lost { .. } => {
                    lines.clear();
                    is_again = true;
                }
                _ => {}
            }
        }
    }
}

/// Is it a line with its value, not a bound on the way to it?
fn is_line(info: &Info) -> bool {
    !info.pv.is_empty() && info.score.is_none_or(|score| score.bound == Bound::Exact)
}

/// A legal move as we write it: engines write castling in two ways.
fn spelled(board: &Board, text: &str) -> Option<String> {
    match board {
        Board::Chess(position, _) => position.parse_uci(text).ok().map(|m| position.uci(m)),
        Board::Shogi(position) => {
            let m = ShogiMove::from_usi(text).filter(|&m| position.is_legal(m))?;
            Some(m.to_string())
        }
    }
}
