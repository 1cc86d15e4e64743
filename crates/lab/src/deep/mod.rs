//! DeepPN (Ishitobi, Plaat, Iida and van den Herik, 2015): Fig. 3 to 6 and the small experiment of
//! §3.1.
//!
//! [`run`] plans the searches ([`plan`]), runs those whose results are not yet recorded in the
//! output folder, and draws the figures. What the paper leaves open is settled so:
//!
//! - Finished games are recognised when they are expanded ([`Delayed`]), as its Fig. 2 shows. For
//!   Hex the other way, when they are created, is run beside it, because there the two differ much.
//! - A frontier node's depth is counted from the root of the search, whose children have depth 1.
//! - Rates are paired: every position, and in Hex every random move order, is searched with every
//!   `R`.
//! - A search that reaches the limit on nodes counts as not solved, and with what it took until
//!   then.
//!
//! ```no_run
//! use yomikiri_lab::deep::{Options, run};
//!
//! let options = Options { quick: true, out: "deep".into(), ..Options::default() };
//! let summary = run(&options, &|done, total| eprintln!("{done}/{total}"))?;
//! print!("{summary}");
//! # Ok::<(), yomikiri_lab::Error>(())
//! ```

mod delayed;
mod figures;
pub mod plan;
mod record;
mod summary;

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use andor::table::MIN_BYTES;
use andor::{Control, Limits, Outcome, PnSearch, Problem, Reason, Stop, Table, Verdict};
use yomikiri_hex::{Board, Hex, Side};
use yomikiri_othello::{Goal, Othello, random_position};

pub use self::delayed::Delayed;
pub use self::figures::{Curve, CurvePoint, Measure};
pub use self::plan::{Choice, Game, Recognition, Search};
pub use self::record::Row;
pub use self::summary::{Summary, TieBreak};

use self::record::Record;
use crate::error::{Error, Result};
use crate::folder;

/// What to run and where to put it.
#[derive(Clone, Debug)]
pub struct Options {
    /// Few positions and few values of `R`: a minute instead of hours.
    pub quick: bool,
    /// Searches at a time.
    pub threads: usize,
    /// The folder for the results, made if it does not exist.
    pub out: PathBuf,
    /// How many Othello positions; `None`: 1,000, or 20 if quick.
    pub positions: Option<u32>,
    /// How many random move orders in Hex; `None`: 10, or 1 if quick.
    pub orders: Option<u32>,
    /// The side of the Hex board.
    pub hex_size: usize,
    /// The seed of the first position and of the first move order; the next ones follow it.
    pub seed: u64,
    /// At most so many nodes for one search in Othello. A node takes 24 bytes.
    pub othello_limit: u64,
    /// At most so many nodes for one search in Hex.
    pub hex_limit: u64,
    /// Search one game only. Figures are drawn of every game whose results are complete.
    pub only: Option<Game>,
    /// Ends the run; what was found is kept, and the next run goes on from there.
    pub stop: Stop,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            quick: false,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            out: folder("deep", false),
            positions: None,
            orders: None,
            hex_size: 4,
            seed: 0,
            othello_limit: 50_000_000,
            hex_limit: 200_000_000,
            only: None,
            stop: Stop::new(),
        }
    }
}

impl Options {
    /// How many positions are searched in a game: Othello positions, or Hex move orders.
    pub fn positions_of(&self, game: Game) -> u32 {
        match (game, self.quick) {
            (Game::Othello, false) => self.positions.unwrap_or(1000),
            (Game::Othello, true) => self.positions.unwrap_or(20),
            (Game::Hex, false) => self.orders.unwrap_or(10),
            (Game::Hex, true) => self.orders.unwrap_or(1),
        }
    }

    /// The limit on nodes in a game.
    pub fn limit_of(&self, game: Game) -> u64 {
        match game {
            Game::Othello => self.othello_limit,
            Game::Hex => self.hex_limit,
        }
    }

    fn check(&self) -> Result<()> {
        let bad = |text: String| Err(Error::BadOption(text));
        if self.threads == 0 {
            return bad("no thread to search with".into());
        }
        if self.positions == Some(0) || self.orders == Some(0) {
            return bad("no position to search".into());
        }
        if !(1..=5).contains(&self.hex_size) {
            return bad(format!(
                "Hex of side {} is not for this experiment: 1 to 5",
                self.hex_size
            ));
        }
        let most = u32::MAX as u64 / 2;
        if let Some(limit) =
            [self.othello_limit, self.hex_limit].into_iter().find(|&l| l == 0 || l > most)
        {
            return bad(format!("a limit of {limit} nodes is not between 1 and {most}"));
        }
        Ok(())
    }
}

/// Runs the experiment, calling `progress` with how many searches are done and how many there are.
/// Results already recorded in the folder by a run with the same seed, board and limits are taken
/// from there. The CSV files and pictures do not depend on the number of threads.
pub fn run(options: &Options, progress: &(dyn Fn(usize, usize) + Sync)) -> Result<Summary> {
    options.check()?;
    let start = Instant::now();
    let record = Record::open(options)?;
    let wanted = plan::searches(options);
    let chosen = |search: &&Search| options.only.is_none_or(|game| game == search.game);
    let total = wanted.iter().filter(chosen).count();
    let missing: Vec<Search> =
        wanted.iter().filter(chosen).filter(|search| !record.has(search)).copied().collect();
    let (record, fresh) = search_all(options, record, &missing, total, progress)?;
    let done = total - missing.len() + fresh.searches;
    if done < total {
        return Err(Error::Stopped { done, total });
    }
    record.sort()?;
    let curves = figures::write(options, &record)?;
    summary::write(options, &record, curves, fresh, start.elapsed())
}

/// What this run added to the record.
#[derive(Clone, Copy, Debug, Default)]
struct Fresh {
    searches: usize,
    nodes: u64,
    /// The searches' times added up.
    time: Duration,
}

/// Runs searches on all threads. Each result is written down as it comes.
fn search_all(
    options: &Options,
    record: Record,
    searches: &[Search],
    total: usize,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<(Record, Fresh)> {
    let before = total - searches.len();
    let next = AtomicUsize::new(0);
    let state = Mutex::new((record, Fresh::default()));
    // Nobody panics with the lock held, but if so, the record is still whole.
    let lock = || state.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    progress(before, total);
    let work = || -> Result<()> {
        let table = Table::new(MIN_BYTES)?;
        while let Some(&search) = searches.get(next.fetch_add(1, Ordering::Relaxed)) {
            let outcome = search_one(options, search, &table);
            let value = match outcome.verdict {
                Verdict::Unknown(Reason::Stopped) => break,
                Verdict::Unknown(Reason::Memory) => {
                    let limit = options.limit_of(search.game);
                    return Err(Error::OutOfMemory { limit });
                }
                verdict => verdict.value(),
            };
            let nodes = outcome.nodes.min(options.limit_of(search.game));
            let row = Row { search, value, iterations: outcome.iterations, nodes };
            let mut state = lock();
            state.0.add(row)?;
            let fresh = &mut state.1;
            fresh.searches += 1;
            fresh.nodes += nodes;
            fresh.time += outcome.elapsed;
            progress(before + fresh.searches, total);
        }
        Ok(())
    };
    // One failure ends the run: the others finish the search they are at.
    let work = || work().inspect_err(|_| next.store(searches.len(), Ordering::Relaxed));
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..options.threads).map(|_| scope.spawn(work)).collect();
        let results: Vec<Result<()>> = threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect();
        results.into_iter().collect::<Result<()>>()
    })?;
    Ok(state.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()))
}

/// Runs one search.
pub fn search_one(options: &Options, search: Search, table: &Table) -> Outcome {
    let seed = options.seed.wrapping_add(search.position.into());
    match search.game {
        Game::Othello => {
            let position = random_position(seed, plan::RANDOM_MOVES);
            recognised(options, search, Othello::new(position, Goal::Wins), table)
        }
        Game::Hex => {
            let board = Board::empty(options.hex_size).expect("the size was checked");
            recognised(options, search, Hex::new(board, Side::Black).shuffled(seed), table)
        }
    }
}

fn recognised<P: Problem>(options: &Options, search: Search, game: P, table: &Table) -> Outcome {
    match search.recognition {
        Recognition::Expanded => pn_search(options, search, &Delayed(game), table),
        Recognition::Created => pn_search(options, search, &game, table),
    }
}

fn pn_search<P: Problem>(options: &Options, search: Search, game: &P, table: &Table) -> Outcome {
    // Room for the limit and for the children of the last node expanded.
    const NODE_BYTES: u64 = 40;
    let limit = options.limit_of(search.game);
    let bytes = usize::try_from((limit + 1000) * NODE_BYTES).unwrap_or(usize::MAX);
    // The plain games know nothing but a move order: Hex shuffles.
    let settings = PnSearch { selection: search.choice.selection(), heuristics: true, bytes };
    let mut control = Control::new(Limits { nodes: Some(limit), time: None });
    control.stop = options.stop.clone();
    andor::pn_search::search(game, settings, table, &mut control)
}
