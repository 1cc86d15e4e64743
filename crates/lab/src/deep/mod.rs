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
mod options;
pub mod plan;
mod record;
mod search;
mod summary;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use andor::table::MIN_BYTES;
use andor::{Control, Limits, Outcome, PnSearch, Problem, Reason, Table, Verdict};
use yomikiri_hex::{Board, Hex, Side};
use yomikiri_othello::{Goal, Othello, random_position};

pub use self::delayed::Delayed;
pub use self::figures::{Curve, CurvePoint, Measure};
pub use self::options::Options;
pub use self::record::Row;
pub use self::search::{Choice, Game, Recognition, Search};
pub use self::summary::{Summary, TieBreak};

use self::record::{Fresh, Record};
use crate::error::{Error, Result};

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
