//! The rank table of P-GPP, measured from records: Table 2 of Yokoyama, Kaneko and Tanaka (2015).
//!
//! In every position of the games an engine ranks the moves by a search of fixed depth, and the
//! rank of the move that was played is counted: first to tenth, and all others together. An engine
//! shows its ten best moves at once (`MultiPV`); one that cannot is asked for the score of every
//! move (`searchmoves`), and moves of equal score share the better rank. It forgets its table before
//! every position, so that the counts do not depend on the order of the positions or on how many
//! engines share them.
//!
//! The positions of a game are not independent of each other, as the intervals assume: the true
//! intervals are somewhat wider.

mod options;
mod ranker;
mod records;

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use yomikiri_cluster::{Board, Ranks};

use self::ranker::Ranker;
use self::records::Place;
use crate::error::{Error, Result};
use crate::journal::Journal;
use crate::origin;

pub use options::{LISTED, Options};
pub use records::Records;

const COLUMNS: &str = "game,ply,move,rank";

/// Counted from 1 in the file. Ranks after those of the table are all written as the next one.
fn write(records: &Records, place: Place, rank: usize) -> String {
    let played = records.played(place).unwrap_or_default();
    format!("{},{},{played},{}", place.game + 1, place.ply + 1, class(rank))
}

fn read(records: &Records, line: &str) -> Option<(Place, usize)> {
    let fields: Vec<&str> = line.split(',').collect();
    let [game, ply, played, rank] = fields[..] else { return None };
    let from_zero = |text: &str| text.parse::<usize>().ok()?.checked_sub(1);
    let place = Place { game: from_zero(game)?, ply: from_zero(ply)? };
    let rank = (1..=LISTED + 1).find(|&known| class(known) == rank)?;
    (records.played(place) == Some(played)).then_some((place, rank))
}

/// The name of a rank's class.
fn class(rank: usize) -> String {
    if rank <= LISTED { rank.to_string() } else { format!("{}+", LISTED + 1) }
}

/// What was counted. Its [`Display`] is the text of `summary.txt`.
#[derive(Clone, Debug)]
pub struct Summary {
    /// How often the move of each rank was played; the last is all later ranks.
    pub counts: [u64; LISTED + 1],
    /// The table.
    pub ranks: Ranks,
    /// The text of `ranks.json`, which a cluster takes as its table.
    pub json: String,
    text: String,
}

impl Display for Summary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Ranks all moves of the games, calling `progress` with how many positions are done and how many
/// there are. Positions already recorded in the folder are taken from there.
pub fn run(
    records: Records,
    options: &Options,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Summary> {
    // The engines do the work: one thread is enough to listen to them.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| options.failed(error))?;
    runtime.block_on(measure(records, options, progress))
}

async fn measure(
    records: Records,
    options: &Options,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Summary> {
    /// How often one looks whether the run is to end.
    const LOOK: Duration = Duration::from_millis(100);
    let start = Instant::now();
    let dialect = records.game().dialect();
    let first = Ranker::start(options, dialect).await.map_err(|reason| options.failed(reason))?;
    let name = first.name.clone();
    let mut found: BTreeMap<Place, usize> = BTreeMap::new();
    let settings = options.settings(&records, &name);
    let mut journal = Journal::open(&options.out, &settings, COLUMNS, |line| {
        read(&records, line).map(|(place, rank)| found.insert(place, rank)).is_some()
    })?;
    let missing: Vec<Place> = records.places().filter(|place| !found.contains_key(place)).collect();
    let total = found.len() + missing.len();
    progress(found.len(), total);

    let (sender, mut results) = mpsc::channel(64);
    let engines = options.engines(missing.len());
    let work = Arc::new(Work { records, options: options.clone(), missing, next: 0.into() });
    let mut workers = JoinSet::new();
    let mut first = Some(first);
    for _ in 0..engines {
        workers.spawn(work.clone().run(first.take(), sender.clone()));
    }
    drop(sender);
    while !options.stop.is_raised() {
        tokio::select! {
            result = results.recv() => match result {
                Some(result) => {
                    let (place, rank) = result?;
                    journal.add(&write(&work.records, place, rank))?;
                    found.insert(place, rank);
                    progress(found.len(), total);
                }
                None => break,
            },
            () = tokio::time::sleep(LOOK) => {}
        }
    }
    let records = &work.records;
    journal.rewrite(found.iter().map(|(&place, &rank)| write(records, place, rank)))?;
    if found.len() < total {
        return Err(Error::Stopped { done: found.len(), total });
    }
    let mut counts = [0; LISTED + 1];
    found.values().for_each(|rank| counts[rank - 1] += 1);
    report(&Measured { options, records, engine: &name, counts, start })
}

/// What the engines share.
struct Work {
    records: Records,
    options: Options,
    missing: Vec<Place>,
    next: AtomicUsize,
}

impl Work {
    /// Ranks positions until none is left, with this engine or a new one.
    async fn run(
        self: Arc<Work>,
        ranker: Option<Ranker>,
        results: mpsc::Sender<Result<(Place, usize)>>,
    ) {
        let dialect = self.records.game().dialect();
        let started = match ranker {
            Some(ranker) => Ok(ranker),
            None => Ranker::start(&self.options, dialect).await,
        };
        let mut ranker = match started {
            Ok(ranker) => ranker,
            Err(reason) => {
                // A receiver that is gone has another error already.
                let _ = results.send(Err(self.options.failed(reason))).await;
                return;
            }
        };
        while let Some(&place) = self.missing.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            let result = self.rank(&mut ranker, place).await.map_err(|reason| {
                let Place { game, ply } = place;
                let reason = format!("game {}, ply {}: {reason}", game + 1, ply + 1);
                self.options.failed(reason)
            });
            if results.send(result.map(|rank| (place, rank))).await.is_err() {
                return;
            }
        }
    }

    async fn rank(&self, ranker: &mut Ranker, place: Place) -> std::result::Result<usize, String> {
        let position = self.records.position(place);
        let board = Board::new(self.records.game(), &position).map_err(|e| e.to_string())?;
        let played = self.records.played(place).unwrap_or_default();
        ranker.rank(&position, &board, played).await
    }
}

/// All that the report tells.
struct Measured<'a> {
    options: &'a Options,
    records: &'a Records,
    engine: &'a str,
    counts: [u64; LISTED + 1],
    start: Instant,
}

/// The file for a cluster: a table of ranks, and how it came about.
#[derive(Serialize)]
struct Json<'a> {
    #[serde(flatten)]
    ranks: &'a Ranks,
    counts: &'a [u64],
    games: usize,
    positions: u64,
    engine: &'a str,
    engine_options: Vec<String>,
    depth: u32,
}

fn report(measured: &Measured<'_>) -> Result<Summary> {
    let Measured { options, records, engine, counts, .. } = *measured;
    let positions: u64 = counts.iter().sum();
    let listed = counts[..LISTED].iter().map(|&count| count as f64 / positions as f64);
    let ranks =
        Ranks::new(listed.collect()).map_err(|error| Error::BadOption(error.to_string()))?;
    let json = Json {
        ranks: &ranks,
        counts: &counts,
        games: records.games(),
        positions,
        engine,
        engine_options: options.engine_options(),
        depth: options.depth,
    };
    let save = |name: &str, text: &str| {
        let path = options.out.join(name);
        yomikiri_files::write(&path, text)
    };
    let json = serde_json::to_string(&json).map_err(|error| Error::BadOption(error.to_string()))?;
    save("ranks.json", &format!("{json}\n"))?;
    let rows = rows(&counts);
    save("ranks.csv", &csv(&rows))?;
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = describe(&mut text, measured, &rows);
    save("summary.txt", &text)?;
    Ok(Summary { counts, ranks, json, text })
}

/// A line of the table.
struct Row {
    class: String,
    count: u64,
    frequency: f64,
    interval: [f64; 2],
    paper: f64,
}

fn rows(counts: &[u64]) -> Vec<Row> {
    let total: u64 = counts.iter().sum();
    let paper = Ranks::paper();
    let paper = paper.listed().iter().copied().chain([paper.rest()]);
    let rows = counts.iter().zip(paper).enumerate().map(|(at, (&count, paper))| Row {
        class: class(at + 1),
        count,
        frequency: count as f64 / total as f64,
        interval: interval(count, total),
        paper,
    });
    rows.collect()
}

/// Where the true part of `count` in `total` is with 95 % (Wilson 1927): good for small counts too.
fn interval(count: u64, total: u64) -> [f64; 2] {
    const Z: f64 = 1.959_964;
    let (n, p) = (total as f64, count as f64 / total as f64);
    let middle = p + Z * Z / (2.0 * n);
    let reach = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    [((middle - reach) / scale).max(0.0), ((middle + reach) / scale).min(1.0)]
}

fn csv(rows: &[Row]) -> String {
    let mut csv = String::from("rank,count,frequency,low,high,paper\n");
    for Row { class, count, frequency, interval: [low, high], paper } in rows {
        let _ = writeln!(csv, "{class},{count},{frequency:.4},{low:.4},{high:.4},{paper:.4}");
    }
    csv
}

fn describe(out: &mut String, measured: &Measured<'_>, rows: &[Row]) -> fmt::Result {
    let Measured { options, records, engine, start, .. } = *measured;
    writeln!(
        out,
        "P-GPP (Yokoyama, Kaneko and Tanaka 2015): Table 2, ranks of the moves played\n"
    )?;
    origin::describe(out)?;
    writeln!(out, "engine    {engine}, depth {}", options.depth)?;
    writeln!(
        out,
        "games     {}, {} positions; this run {:.0} s\n",
        records.games(),
        rows.iter().map(|row| row.count).sum::<u64>(),
        start.elapsed().as_secs_f64()
    )?;
    let columns = ["rank", "count", "frequency", "95 % interval", "paper", "difference"];
    let [rank, count, frequency, range, paper, difference] = columns;
    writeln!(out, "{rank:<5}{count:>7}{frequency:>12}{range:>20}{paper:>9}{difference:>13}")?;
    for Row { class, count, frequency, interval: [low, high], paper } in rows {
        let range = format!("{low:.4} to {high:.4}");
        let difference = frequency - paper;
        writeln!(
            out,
            "{class:<5}{count:>7}{frequency:>12.4}{range:>20}{paper:>9.4}{difference:>+13.4}"
        )?;
    }
    let within = |of: fn(&Row) -> f64| rows.iter().take(3).map(of).sum::<f64>();
    let (ours, papers) = (within(|row| row.frequency), within(|row| row.paper));
    writeln!(out, "\nwithin the first three: {ours:.4} (paper {papers:.4})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_wilsons() {
        // Worked out apart from this code, by Wilson's formula; then the ends.
        for (count, total, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)]
        {
            let [a, b] = interval(count, total);
            assert!((a - low).abs() < 5e-5 && (b - high).abs() < 5e-5, "{count}/{total}: {a} {b}");
        }
        assert!((interval(29, 29)[0] - 0.8830).abs() < 5e-5);
    }
}
