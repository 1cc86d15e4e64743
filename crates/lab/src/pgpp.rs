//! P-GPP (Yokoyama, Kaneko and Tanaka 2015): Fig. 4a and 4b, in virtual time.
//!
//! Clusters of our own engine play against one worker. Time is counted in nodes, so that sixty
//! workers need not sixty cores and every game can be repeated (see
//! [`virtual_time`](yomikiri_cluster::virtual_time)). Unlike the paper:
//!
//! - the worker is our small engine and not Stockfish DD, and gets nodes instead of a second;
//! - openings are played twice with sides exchanged, and intervals are taken over pairs;
//! - a game ends when both sides have long agreed on its winner.
//!
//! As in the paper, both sides think in the opponent's time, a single worker about the position on
//! the board; clusters get 5 % less time; *linear speed-up* is one worker with n times the nodes,
//! but not in the opponent's time.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter, Write as _};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use andor::Stop;
use yomikiri_chess::Position;
use yomikiri_cluster::growth::simulated_utility;
use yomikiri_cluster::tally::{Points, Tally};
use yomikiri_cluster::virtual_time::{Budget, Played, Setup, VirtualCluster, Winner, play};
use yomikiri_cluster::{Growth, Ranks};

use crate::error::{Error, Result};
use crate::folder;
use crate::journal::Journal;
use crate::origin;
use crate::svg::{Chart, Point, Scale, Series, Side, Style};

/// Who plays against one worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arm {
    /// A cluster.
    Cluster(Growth, u32),
    /// One worker with so many times the nodes.
    Linear(u32),
    /// One worker that forgets its table at every move.
    Forgetful,
}

impl Display for Arm {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Arm::Cluster(growth, workers) => write!(f, "{}-{workers}", growth.name()),
            Arm::Linear(times) => write!(f, "linear-{times}"),
            Arm::Forgetful => f.write_str("forgetful"),
        }
    }
}

/// A text that names nobody who could play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no arm '{0}'; write pgpp-32, random-8, linear-4 or forgetful")]
pub struct UnknownArm(pub String);

impl FromStr for Arm {
    type Err = UnknownArm;

    fn from_str(text: &str) -> std::result::Result<Arm, UnknownArm> {
        let bad = || UnknownArm(text.into());
        if text == "forgetful" {
            return Ok(Arm::Forgetful);
        }
        let (name, number) = text.split_once('-').ok_or_else(bad)?;
        let number: u32 = number.parse().map_err(|_| bad())?;
        if number == 0 || number > 1024 {
            return Err(bad());
        }
        match name {
            "linear" => Ok(Arm::Linear(number)),
            _ => Ok(Arm::Cluster(name.parse().map_err(|_| bad())?, number)),
        }
    }
}

/// What to run and where to put it.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder for the results.
    pub out: PathBuf,
    /// Who plays.
    pub arms: Vec<Arm>,
    /// Pairs of games for each.
    pub pairs: usize,
    /// The nodes of a worker for a move.
    pub nodes: u64,
    /// By how many percent the time of clusters is less.
    pub penalty: u64,
    /// Do both sides think in the opponent's time?
    pub ponder: bool,
    /// Do workers report their tables?
    pub reports: bool,
    /// The table of a worker, in MiB.
    pub table_mib: usize,
    /// Games at a time.
    pub threads: usize,
    /// The probabilities of ranks.
    pub ranks: Ranks,
    /// Ends the run; what was played is kept.
    pub stop: Stop,
}

impl Options {
    /// The experiment, or a minute of it.
    pub fn new(quick: bool) -> Options {
        let counts: &[u32] = if quick { &[1, 4] } else { &[1, 4, 8, 16, 32, 60] };
        let clusters = |growth| counts.iter().map(move |&n| Arm::Cluster(growth, n));
        let arms = clusters(Growth::Pgpp)
            .chain(clusters(Growth::Random))
            .chain(counts.iter().filter(|&&n| n <= 16).map(|&n| Arm::Linear(n)))
            .chain([Arm::Forgetful]);
        Options {
            out: folder("pgpp", quick),
            arms: arms.collect(),
            pairs: if quick { 5 } else { 200 },
            nodes: if quick { 1_000 } else { 4_000 },
            penalty: 5,
            ponder: true,
            reports: true,
            table_mib: 1,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            ranks: Ranks::paper(),
            stop: Stop::default(),
        }
    }

    fn settings(&self) -> String {
        format!(
            "# pgpp: {} nodes a move, {}{}clusters {} % less, tables of {} MiB, rank 1 {:.4}",
            self.nodes,
            if self.ponder { "" } else { "no pondering, " },
            if self.reports { "" } else { "no table reports, " },
            self.penalty,
            self.table_mib,
            self.ranks.listed()[0]
        )
    }
}

/// The results of a pair of games.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pair {
    results: [Points; 2],
    /// Plies foreseen, and moves they are counted over.
    foreseen: (u64, u64),
}

const COLUMNS: &str = "arm,pair,first,second,foreseen,moves";

/// How an arm fared.
#[derive(Clone, Debug)]
pub struct Line {
    /// Who.
    pub arm: Arm,
    /// The results.
    pub tally: Tally,
    /// The mean number of coming plies that were in its tree when it was to move.
    pub utility: f64,
}

/// What the experiment found. Its [`Display`] is the text of `summary.txt`.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The arms.
    pub lines: Vec<Line>,
    text: String,
}

impl Display for Summary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Plays all games, calling `progress` with how many pairs are done and how many there are. Pairs
/// already recorded in the folder are taken from there.
pub fn run(options: &Options, progress: &(dyn Fn(usize, usize) + Sync)) -> Result<Summary> {
    let start = Instant::now();
    let openings = openings(options.pairs)?;
    let mut found: BTreeMap<(String, usize), Pair> = BTreeMap::new();
    let journal = Journal::open(&options.out, &options.settings(), COLUMNS, |line| {
        read(line).map(|(key, pair)| found.insert(key, pair)).is_some()
    })?;
    let mut missing = Vec::new();
    for pair in 0..options.pairs {
        for arm in &options.arms {
            if !found.contains_key(&(arm.to_string(), pair)) {
                missing.push((*arm, pair));
            }
        }
    }
    let total = options.pairs * options.arms.len();
    let shared = Mutex::new((journal, found));
    let next = AtomicUsize::new(0);
    let failed: Mutex<Option<Error>> = Mutex::new(None);
    progress(total - missing.len(), total);
    std::thread::scope(|scope| {
        for _ in 0..options.threads.max(1) {
            scope.spawn(|| {
                while let Some(&(arm, number)) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if options.stop.is_raised() || failed.lock().is_ok_and(|f| f.is_some()) {
                        return;
                    }
                    let played = play_pair(options, arm, &openings[number]);
                    let saved = played.and_then(|pair| {
                        let Ok(mut shared) = shared.lock() else { return Ok(()) };
                        shared.0.add(&write(arm, number, &pair))?;
                        shared.1.insert((arm.to_string(), number), pair);
                        progress(shared.1.len().min(total), total);
                        Ok(())
                    });
                    if let (Err(error), Ok(mut failed)) = (saved, failed.lock()) {
                        failed.get_or_insert(error);
                    }
                }
            });
        }
    });
    if let Ok(Some(error)) = failed.into_inner() {
        return Err(error);
    }
    let (journal, found) = shared.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    journal.rewrite(found.iter().map(|((arm, number), pair)| row(arm, *number, pair)))?;
    let wanted = |arm: &Arm, number: usize| found.get(&(arm.to_string(), number));
    let lines: Vec<Line> = options
        .arms
        .iter()
        .map(|arm| {
            let (mut tally, mut foreseen, mut moves) = (Tally::default(), 0, 0);
            for pair in (0..options.pairs).filter_map(|number| wanted(arm, number)) {
                tally.add_pair(pair.results);
                foreseen += pair.foreseen.0;
                moves += pair.foreseen.1;
            }
            let utility = foreseen as f64 / moves.max(1) as f64;
            Line { arm: *arm, tally, utility }
        })
        .collect();
    let done = lines.iter().map(|line| line.tally.len() as usize).sum();
    if done == 0 {
        return Err(Error::Stopped { done, total });
    }
    report(options, lines, start)
}

/// Openings, from the set if it is there.
fn openings(pairs: usize) -> Result<Vec<Position>> {
    let name = "openings_3moves.epd";
    let text = yomikiri_problems::read(name).ok_or_else(|| Error::NeedsProblems(name.into()))?;
    let all: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    if all.is_empty() {
        return Err(Error::NeedsProblems(name.into()));
    }
    (0..pairs)
        .map(|pair| {
            // All over the file, which is sorted.
            let line = (pair * 389) % all.len();
            Position::from_fen(all[line]).map_err(|error| Error::BadProblem {
                set: name.into(),
                line: line + 1,
                reason: error.to_string(),
            })
        })
        .collect()
}

fn play_pair(options: &Options, arm: Arm, opening: &Position) -> Result<Pair> {
    let single = Setup {
        reports: options.reports,
        table_mib: options.table_mib,
        ranks: options.ranks.clone(),
        ..Setup::new(1)
    };
    let less = options.nodes * (100 - options.penalty.min(99)) / 100;
    let (setup, thinking) = match arm {
        Arm::Cluster(growth, workers) => (Setup { workers, growth, ..single.clone() }, less),
        Arm::Linear(times) => (single.clone(), options.nodes * u64::from(times)),
        Arm::Forgetful => (Setup { forgetful: true, ..single.clone() }, options.nodes),
    };
    // A side ponders as long as the other thinks, but not in the time that linear speed-up adds.
    let ponders = |others: u64| if options.ponder { others.min(options.nodes) } else { 0 };
    let budget = Budget { thinking, pondering: ponders(options.nodes) };
    let plain = Budget { thinking: options.nodes, pondering: ponders(thinking) };
    let mut first = VirtualCluster::new(setup)?;
    let mut second = VirtualCluster::new(single)?;
    let white = play(opening, [&mut first, &mut second], [budget, plain])?;
    let black = play(opening, [&mut second, &mut first], [plain, budget])?;
    let points = |played: &Played, ours: Winner| match played.winner {
        Winner::Nobody => Points::Draw,
        winner if winner == ours => Points::Win,
        _ => Points::Loss,
    };
    let (a, b) = (white.foreseen[0], black.foreseen[1]);
    Ok(Pair {
        results: [points(&white, Winner::White), points(&black, Winner::Black)],
        foreseen: (a.0 + b.0, a.1 + b.1),
    })
}

fn row(arm: &str, number: usize, pair: &Pair) -> String {
    let [first, second] = pair.results.map(|result| result as u8);
    format!("{arm},{number},{first},{second},{},{}", pair.foreseen.0, pair.foreseen.1)
}

fn write(arm: Arm, number: usize, pair: &Pair) -> String {
    row(&arm.to_string(), number, pair)
}

fn read(line: &str) -> Option<((String, usize), Pair)> {
    let fields: Vec<&str> = line.split(',').collect();
    let [arm, number, first, second, foreseen, moves] = fields[..] else { return None };
    let points = |text| match text {
        "0" => Some(Points::Loss),
        "1" => Some(Points::Draw),
        "2" => Some(Points::Win),
        _ => None,
    };
    let results = [points(first)?, points(second)?];
    let foreseen = (foreseen.parse().ok()?, moves.parse().ok()?);
    Some(((arm.into(), number.parse().ok()?), Pair { results, foreseen }))
}

fn report(options: &Options, lines: Vec<Line>, start: Instant) -> Result<Summary> {
    let save = |name: &str, text: &str| {
        let path = options.out.join(name);
        yomikiri_files::write(&path, text)
    };
    save("fig4.csv", &csv(options, &lines))?;
    save("fig4a.svg", &fig4a(options, &lines).to_string())?;
    save("fig4b.svg", &fig4b(options, &lines).to_string())?;
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = describe(&mut text, options, &lines, start);
    save("summary.txt", &text)?;
    Ok(Summary { lines, text })
}

fn csv(options: &Options, lines: &[Line]) -> String {
    let mut csv = String::from("arm,games,won,drawn,lost,rate,margin,elo,utility,simulated\n");
    for Line { arm, tally, utility } in lines {
        let [won, drawn, lost] = tally.games;
        let (games, simulated) = (won + drawn + lost, simulated(options, *arm));
        let simulated = simulated.map_or(String::new(), |u| format!("{u:.4}"));
        let _ = writeln!(
            csv,
            "{arm},{games},{won},{drawn},{lost},{:.4},{:.4},{:.1},{utility:.4},{simulated}",
            tally.rate(),
            tally.margin(),
            tally.elo().0
        );
    }
    csv
}

/// U(T) of the tree that the greedy choice builds by ranks alone.
fn simulated(options: &Options, arm: Arm) -> Option<f64> {
    match arm {
        Arm::Cluster(Growth::Pgpp, n) => Some(simulated_utility(&options.ranks, n as usize)),
        _ => None,
    }
}

fn series(lines: &[Line], name: &str, y: impl Fn(&Line) -> Option<(u32, f64)>) -> Series {
    let points = lines.iter().filter_map(y);
    Series {
        name: name.into(),
        side: Side::Left,
        style: Style::Line,
        points: points.map(|(x, y)| Point { x: f64::from(x), y, hollow: false }).collect(),
    }
}

fn chart(title: &str, options: &Options, label: &str, series: Vec<Series>) -> Chart {
    let series = series.into_iter().filter(|series| !series.points.is_empty());
    Chart {
        title: title.into(),
        subtitle: format!(
            "{} games each, {} nodes a move, clusters {} % less",
            2 * options.pairs,
            options.nodes,
            options.penalty
        ),
        x_label: "workers".into(),
        x_range: (1.0, 100.0),
        x_step: 0.0,
        left: Scale { label: label.into(), logarithmic: false },
        right: None,
        reference: None,
        series: series.collect(),
    }
}

fn fig4a(options: &Options, lines: &[Line]) -> Chart {
    let of = |wanted: Growth, end: f64| {
        move |line: &Line| match line.arm {
            Arm::Cluster(growth, n) if growth == wanted => {
                Some((n, 100.0 * (line.tally.rate() + end * line.tally.margin())))
            }
            _ => None,
        }
    };
    let linear = |line: &Line| match line.arm {
        Arm::Linear(n) => Some((n, 100.0 * line.tally.rate())),
        _ => None,
    };
    let guide = |end| Series {
        style: Style::Guide,
        ..series(lines, if end < 0.0 { "95 % interval" } else { "" }, of(Growth::Pgpp, end))
    };
    let mut all = vec![
        series(lines, "P-GPP", of(Growth::Pgpp, 0.0)),
        series(lines, "random growth", of(Growth::Random, 0.0)),
        series(lines, "linear speed-up", linear),
        series(lines, "GPP's shares", of(Growth::Gpp, 0.0)),
        series(lines, "along the PV", of(Growth::Pv, 0.0)),
    ];
    all.extend([guide(-1.0), guide(1.0)]);
    let chart = chart("Fig. 4a: win rate against one worker", options, "win rate, %", all);
    Chart { reference: Some(50.0), ..chart }
}

fn fig4b(options: &Options, lines: &[Line]) -> Chart {
    let of = |wanted: Growth| {
        move |line: &Line| match line.arm {
            Arm::Cluster(growth, n) if growth == wanted => Some((n, line.utility)),
            _ => None,
        }
    };
    let simulation = |line: &Line| match line.arm {
        Arm::Cluster(_, n) => Some((n, simulated(options, line.arm)?)),
        _ => None,
    };
    let all = vec![
        series(lines, "P-GPP, observed", of(Growth::Pgpp)),
        series(lines, "simulation by ranks alone", simulation),
        series(lines, "random growth, observed", of(Growth::Random)),
    ];
    chart("Fig. 4b: utility of the master tree", options, "plies foreseen", all)
}

fn describe(out: &mut String, options: &Options, lines: &[Line], start: Instant) -> fmt::Result {
    writeln!(out, "P-GPP (Yokoyama, Kaneko and Tanaka 2015): Fig. 4a, 4b, in virtual time\n")?;
    origin::describe(out)?;
    writeln!(
        out,
        "games     against one worker of our engine; {} nodes a move for each worker (clusters {} % less),\n\
         {:10}{} in the opponent's time; tables of {} MiB{}; this run {:.0} s\n",
        options.nodes,
        options.penalty,
        "",
        if options.ponder { "also" } else { "not" },
        options.table_mib,
        if options.reports { "" } else { ", not reported" },
        start.elapsed().as_secs_f64()
    )?;
    writeln!(
        out,
        "{:<14}{:>7}{:>22}{:>10}{:>9}{:>8}{:>10}{:>11}{:>8}",
        "arm",
        "games",
        "won/drawn/lost",
        "rate, %",
        "±95 %",
        "Elo",
        "utility",
        "simulated",
        "paper"
    )?;
    for Line { arm, tally, utility } in lines {
        let [won, drawn, lost] = tally.games;
        let simulated = simulated(options, *arm);
        let paper = paper(*arm);
        writeln!(
            out,
            "{:<14}{:>7}{:>22}{:>10.1}{:>9.1}{:>8.0}{:>10.2}{:>11}{:>8}",
            arm.to_string(),
            won + drawn + lost,
            format!("{won}/{drawn}/{lost}"),
            100.0 * tally.rate(),
            100.0 * tally.margin(),
            tally.elo().0,
            utility,
            simulated.map_or("-".into(), |u| format!("{u:.2}")),
            paper.map_or("-".into(), |p| format!("{p:.1}")),
        )?;
    }
    writeln!(
        out,
        "\nrate: wins plus half of the draws. utility: how many of the coming plies were in the tree when it was the\n\
         cluster's turn, the mean over its moves; simulated: by the probabilities of ranks alone."
    )
}

/// The win rates that the paper's text gives.
fn paper(arm: Arm) -> Option<f64> {
    match arm {
        Arm::Cluster(Growth::Pgpp, 1) => Some(48.1),
        Arm::Cluster(Growth::Pgpp, 32) => Some(62.5),
        Arm::Cluster(Growth::Pgpp, 60) => Some(64.6),
        Arm::Forgetful => Some(39.2),
        _ => None,
    }
}
