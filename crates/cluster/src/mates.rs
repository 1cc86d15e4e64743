//! `go mate` (USI): is there a mate for the side to move?
//!
//! A worker that knows the question gets it; our own solver looks at the same time, in a thread. The
//! first answer counts: a line of the worker if it is one, our solver's line or its proof that there
//! is no mate. A worker that does not know the question says so, once, and is not asked again.

use std::collections::BTreeSet;
use std::time::Duration;

use andor::{Stop, Table, Value};
use tokio::sync::mpsc;
use tokio::time::Instant;
use yomikiri_engine::protocol::{Checkmate, Go, Info, Mate as Limit, PositionText, Score};
use yomikiri_shogi::Position;
use yomikiri_tsume::{Answer, Mate, MateLimits, Tsume};

use crate::board::{Board, Game};
use crate::master::WorkerId;
use crate::pool::Pool;

/// Memory of our own solver, in bytes.
const MEMORY: usize = 256 << 20;

/// Jobs of this kind have numbers that the master's never reach.
const FIRST_JOB: u64 = 1 << 63;

/// The searches for mates: at most one at a time.
pub struct Mates {
    current: Option<Search>,
    jobs: u64,
    /// Workers that do not know the question.
    unfit: BTreeSet<WorkerId>,
    sender: mpsc::UnboundedSender<(u64, Option<Answer>)>,
    answers: mpsc::UnboundedReceiver<(u64, Option<Answer>)>,
}

struct Search {
    job: u64,
    position: PositionText,
    go: Go,
    start: Instant,
    deadline: Option<Instant>,
    asked: Option<WorkerId>,
    /// Our own solver goes on.
    own: bool,
    stop: Stop,
}

/// The end of a search.
#[derive(Debug)]
pub struct Outcome {
    /// To be shown before it.
    pub info: Info,
    /// The answer.
    pub checkmate: Checkmate,
}

impl Mates {
    /// No search.
    pub fn new() -> Mates {
        let (sender, answers) = mpsc::unbounded_channel();
        Mates { current: None, jobs: FIRST_JOB, unfit: BTreeSet::new(), sender, answers }
    }

    /// Is one going on?
    pub fn is_searching(&self) -> bool {
        self.current.is_some()
    }

    /// Begins one. The position is legal.
    pub fn begin(&mut self, position: &PositionText, go: &Go, overhead: Duration, pool: &Pool) {
        let Ok(Board::Shogi(board)) = Board::new(Game::Shogi, position) else { return };
        self.jobs += 1;
        let (job, start, stop) = (self.jobs, Instant::now(), Stop::new());
        let deadline = match go.mate {
            Some(Limit::Within(millis)) => {
                let time = Duration::from_millis(millis);
                Some(start + time - overhead.min(time / 2))
            }
            _ => None,
        };
        let (sender, raised) = (self.sender.clone(), stop.clone());
        let solver = std::thread::Builder::new().name("mate".into());
        let own = solver.spawn(move || {
            // Nobody listens any more only if the program ends.
            let _ = sender.send((job, solve(&board, raised)));
        });
        let (position, go, own) = (position.clone(), go.clone(), own.is_ok());
        let search = Search { job, position, go, start, deadline, asked: None, own, stop };
        self.current = Some(search);
        self.ask(pool);
    }

    /// Asks a worker that may know the question.
    fn ask(&mut self, pool: &Pool) {
        let Some(search) = &mut self.current else { return };
        let (position, go) = (search.position.clone(), search.go.clone());
        search.asked = pool.search_mate(&self.unfit, search.job, position, go);
    }

    /// Does this worker look for a mate, by this job?
    pub fn is_asked(&self, worker: WorkerId, job: u64) -> bool {
        self.current.as_ref().is_some_and(|s| s.job == job && s.asked == Some(worker))
    }

    /// When it must be answered.
    pub fn due(&self) -> Option<Instant> {
        self.current.as_ref().and_then(|search| search.deadline)
    }

    /// What our own solver has found. May be dropped at any time without losing anything.
    pub async fn next(&mut self) -> (u64, Option<Answer>) {
        match self.answers.recv().await {
            Some(answer) => answer,
            None => std::future::pending().await,
        }
    }

    /// Takes in what our own solver has found.
    pub fn solved(&mut self, job: u64, answer: Option<Answer>, pool: &Pool) -> Option<Outcome> {
        let search = self.current.as_mut().filter(|search| search.job == job)?;
        search.own = false;
        let Some(Answer { outcome, solution, .. }) = answer else {
            return self.finish_if_alone(pool);
        };
        let nodes = Some(outcome.nodes);
        match (outcome.value(), solution) {
            (_, Some(solution)) if solution.complete => {
                let line = solution.line.iter().map(ToString::to_string).collect();
                self.finish(Checkmate::Moves(line), nodes, pool)
            }
            (Some(Value::Disproven), _) if !outcome.plies.is_bounded() => {
                self.finish(Checkmate::NoMate, nodes, pool)
            }
            _ => self.finish_if_alone(pool),
        }
    }

    /// Takes in a worker's answer.
    pub fn heard(
        &mut self,
        worker: WorkerId,
        job: u64,
        said: Checkmate,
        pool: &Pool,
    ) -> Option<Outcome> {
        let is_ours = |search: &&mut Search| search.job == job && search.asked == Some(worker);
        let search = self.current.as_mut().filter(is_ours)?;
        search.asked = None;
        match said {
            Checkmate::Moves(line) if is_mate(&search.position, &line) => {
                self.finish(Checkmate::Moves(line), None, pool)
            }
            Checkmate::NoMate => self.finish(Checkmate::NoMate, None, pool),
            Checkmate::Timeout => self.finish_if_alone(pool),
            _ => self.does_not_know(worker, pool),
        }
    }

    /// A worker answered with a move, or not at all: it does not know the question.
    pub fn does_not_know(&mut self, worker: WorkerId, pool: &Pool) -> Option<Outcome> {
        self.unfit.insert(worker);
        let search = self.current.as_mut()?;
        search.asked = None;
        self.ask(pool);
        self.finish_if_alone(pool)
    }

    /// A worker is gone.
    pub fn left(&mut self, worker: WorkerId, pool: &Pool) -> Option<Outcome> {
        let search = self.current.as_mut().filter(|search| search.asked == Some(worker))?;
        search.asked = None;
        self.finish_if_alone(pool)
    }

    fn finish_if_alone(&mut self, pool: &Pool) -> Option<Outcome> {
        let search = self.current.as_ref()?;
        if search.own || search.asked.is_some() {
            return None;
        }
        self.finish(Checkmate::Timeout, None, pool)
    }

    /// It is over, in this way.
    pub fn finish(
        &mut self,
        checkmate: Checkmate,
        nodes: Option<u64>,
        pool: &Pool,
    ) -> Option<Outcome> {
        let search = self.current.take()?;
        search.stop.raise();
        if let Some(worker) = search.asked {
            pool.stop(worker);
        }
        let mut info = Info {
            nodes,
            time: Some(search.start.elapsed().as_millis() as u64),
            ..Info::default()
        };
        if let Checkmate::Moves(line) = &checkmate {
            info.depth = Some(line.len() as u64);
            info.score = Some(Score::mate(i32::try_from(line.len()).unwrap_or(i32::MAX)));
            info.pv.clone_from(line);
        }
        Some(Outcome { info, checkmate })
    }
}

impl Drop for Mates {
    fn drop(&mut self) {
        if let Some(search) = &self.current {
            search.stop.raise();
        }
    }
}

/// Nothing if there is no memory for it.
fn solve(position: &Position, stop: Stop) -> Option<Answer> {
    let table = Table::new(MEMORY).ok()?;
    let limits = MateLimits { stop, ..MateLimits::default() };
    let problem = Tsume::with_attacker(position.clone(), position.turn());
    Some(Mate::new(&table).solve(&problem, &limits))
}

/// Does this line end in mate?
fn is_mate(position: &PositionText, line: &[String]) -> bool {
    let Ok(mut board) = Board::new(Game::Shogi, position) else { return false };
    line.iter().all(|m| board.play(m))
        && matches!(&board, Board::Shogi(position) if position.is_mated())
        && line.len() % 2 == 1
}
