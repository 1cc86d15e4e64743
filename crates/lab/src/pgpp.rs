//! P-GPP (Yokoyama, Kaneko and Tanaka 2015): Fig. 4a and 4b, in virtual time.
//!
//! Clusters of our own engine play against one worker. Time is counted in nodes, so that sixty
//! workers need not sixty cores and every game can be repeated (see
//! [`virtual_time`](yomikiri_cluster::virtual_time)). Unlike the paper:
//!
//! - the worker is our small engine and not Stockfish DD, and gets nodes instead of a second;
//! - openings are played twice with sides exchanged, and intervals are taken over pairs;
//! - a game ends when both sides have long agreed on its winner;
//! - trees also grow while a move is thought about, as soon as a worker is idle; with `@root` they
//!   grow when the root changes and at no other time, as the paper's (its Table 1).
//!
//! As in the paper, both sides think in the opponent's time, a single worker about the position on
//! the board; clusters get 5 % less time; *linear speed-up* is one worker with n times the nodes,
//! but not in the opponent's time. What n workers gain is also told as a share of what linear
//! speed-up gains, in Elo.

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
use crate::stats::bootstrap;
use crate::svg::{Chart, Point, Scale, Series, Side, Style};

/// Who plays against one worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arm {
    /// A cluster.
    Cluster {
        /// How its tree grows.
        growth: Growth,
        /// How many workers.
        workers: u32,
        /// Does it grow at new roots only?
        new_roots_only: bool,
    },
    /// One worker with so many times the nodes.
    Linear(u32),
    /// One worker that forgets its table at every move.
    Forgetful,
}

/// What the name of a cluster ends with whose tree grows at new roots only.
const NEW_ROOTS: &str = "@root";

impl Display for Arm {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Arm::Cluster { growth, workers, new_roots_only } => {
                let when = if *new_roots_only { NEW_ROOTS } else { "" };
                write!(f, "{}-{workers}{when}", growth.name())
            }
            Arm::Linear(times) => write!(f, "linear-{times}"),
            Arm::Forgetful => f.write_str("forgetful"),
        }
    }
}

impl Arm {
    /// How many workers a cluster has.
    fn workers(self) -> Option<u32> {
        match self {
            Arm::Cluster { workers, .. } => Some(workers),
            Arm::Linear(_) | Arm::Forgetful => None,
        }
    }
}

/// A text that names nobody who could play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no arm '{0}'; write pgpp-32, pgpp-32@root, random-8, gpp-8, pv-8, linear-4 or forgetful, with at \
     most 1024 workers"
)]
pub struct UnknownArm(pub String);

impl FromStr for Arm {
    type Err = UnknownArm;

    fn from_str(text: &str) -> std::result::Result<Arm, UnknownArm> {
        let bad = || UnknownArm(text.into());
        if text == "forgetful" {
            return Ok(Arm::Forgetful);
        }
        let (cluster, new_roots_only) = match text.strip_suffix(NEW_ROOTS) {
            Some(cluster) => (cluster, true),
            None => (text, false),
        };
        let (name, number) = cluster.split_once('-').ok_or_else(bad)?;
        let number: u32 = number.parse().map_err(|_| bad())?;
        if number == 0 || number > 1024 {
            return Err(bad());
        }
        match name {
            "linear" if new_roots_only => Err(bad()),
            "linear" => Ok(Arm::Linear(number)),
            _ => {
                let growth = name.parse().map_err(|_| bad())?;
                Ok(Arm::Cluster { growth, workers: number, new_roots_only })
            }
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
    /// Where they come from.
    pub ranks_from: String,
    /// Ends the run; what was played is kept.
    pub stop: Stop,
}

impl Options {
    /// The experiment, or a minute of it.
    pub fn new(quick: bool) -> Options {
        let counts: &[u32] = if quick { &[1, 4] } else { &[1, 4, 8, 16, 32, 60] };
        let cluster = |growth, workers| Arm::Cluster { growth, workers, new_roots_only: false };
        let clusters = |growth| counts.iter().map(move |&n| cluster(growth, n));
        // What the paper has no curve of is played once.
        let once = if quick { 4 } else { 8 };
        let paper = Arm::Cluster { growth: Growth::Pgpp, workers: once, new_roots_only: true };
        let arms = clusters(Growth::Pgpp)
            .chain(clusters(Growth::Random))
            .chain(counts.iter().filter(|&&n| n <= 16).map(|&n| Arm::Linear(n)))
            .chain([Arm::Forgetful, paper])
            .chain([Growth::Gpp, Growth::Pv].map(|growth| cluster(growth, once)));
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
            ranks_from: "the paper".into(),
            stop: Stop::default(),
        }
    }

    fn settings(&self) -> String {
        format!(
            "# pgpp: {} nodes a move, {}{}clusters {} % less, tables of {} MiB, ranks of {}: {}",
            self.nodes,
            if self.ponder { "" } else { "no pondering, " },
            if self.reports { "" } else { "no table reports, " },
            self.penalty,
            self.table_mib,
            self.ranks_from,
            self.rank_list()
        )
    }

    fn rank_list(&self) -> String {
        let listed: Vec<String> =
            self.ranks.listed().iter().map(|rank| format!("{rank:.4}")).collect();
        listed.join(" ")
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
    /// What a cluster gains in Elo, as a share of what one worker gains with as many times the
    /// nodes, and its 95 % interval. None where that was not played, or shows no gain.
    pub of_linear: Option<Share>,
}

/// A share, with the ends of its 95 % interval.
pub type Share = (f64, (f64, f64));

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
    let linear_is_there = |arm: &Arm| {
        options.arms.iter().any(|other| *other == Arm::Linear(arm.workers().unwrap_or(0)))
    };
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
            let both = (0..options.pairs).filter_map(|number| {
                let linear = Arm::Linear(arm.workers().filter(|_| linear_is_there(arm))?);
                Some((wanted(arm, number)?.results, wanted(&linear, number)?.results))
            });
            let of_linear = of_linear(&both.collect::<Vec<_>>());
            Line { arm: *arm, tally, utility, of_linear }
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
        Arm::Cluster { growth, workers, new_roots_only } => {
            (Setup { workers, growth, new_roots_only, ..single.clone() }, less)
        }
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

/// What the first of two arms gains in Elo, as a share of what the second gains, from pairs of both in
/// the same openings; the interval is over pairs, by the bootstrap.
fn of_linear(pairs: &[([Points; 2], [Points; 2])]) -> Option<Share> {
    let tallies = |numbers: &mut dyn Iterator<Item = usize>| {
        let mut tallies = [Tally::default(); 2];
        for number in numbers {
            tallies[0].add_pair(pairs[number].0);
            tallies[1].add_pair(pairs[number].1);
        }
        tallies
    };
    let share = |[one, two]: [Tally; 2]| one.elo().0 / two.elo().0;
    let all = tallies(&mut (0..pairs.len()));
    let is_finite = all.iter().all(|tally| tally.rate() > 0.0 && tally.rate() < 1.0);
    // By nothing, or what may be nothing, there is no share.
    let gains = all[1].elo().1[0] > 0.0;
    (is_finite && gains).then(|| {
        (share(all), bootstrap(pairs.len(), |drawn| share(tallies(&mut drawn.iter().copied()))))
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
    let mut csv = String::from(
        "arm,games,won,drawn,lost,rate,margin,elo,utility,simulated,of_linear,of_linear_low,of_linear_high\n",
    );
    for Line { arm, tally, utility, of_linear } in lines {
        let [won, drawn, lost] = tally.games;
        let (games, simulated) = (won + drawn + lost, simulated(options, *arm));
        let simulated = simulated.map_or(String::new(), |u| format!("{u:.4}"));
        let share = of_linear
            .map_or(",,".into(), |(share, (low, high))| format!("{share:.4},{low:.4},{high:.4}"));
        let _ = writeln!(
            csv,
            "{arm},{games},{won},{drawn},{lost},{:.4},{:.4},{:.1},{utility:.4},{simulated},{share}",
            tally.rate(),
            tally.margin(),
            elo(tally)
        );
    }
    csv
}

/// The difference in Elo; without end where all games were won or lost.
fn elo(tally: &Tally) -> f64 {
    match tally.rate() {
        0.0 => f64::NEG_INFINITY,
        1.0 => f64::INFINITY,
        _ => tally.elo().0,
    }
}

/// U(T) of the tree that the greedy choice builds by ranks alone.
fn simulated(options: &Options, arm: Arm) -> Option<f64> {
    match arm {
        Arm::Cluster { growth: Growth::Pgpp, workers, .. } => {
            Some(simulated_utility(&options.ranks, workers as usize))
        }
        _ => None,
    }
}

/// A curve of Fig. 4: a name, and which arms are on it, by how many workers.
type Curve = (String, Box<dyn Fn(Arm) -> Option<u32>>);

/// The curves of clusters with this growth: trees that grow at any time, and at new roots only.
fn clusters(wanted: Growth, name: &str) -> [Curve; 2] {
    [(false, ""), (true, ", at new roots only")].map(|(only, when)| -> Curve {
        let of = move |arm| match arm {
            Arm::Cluster { growth, workers, new_roots_only } => {
                (growth == wanted && new_roots_only == only).then_some(workers)
            }
            Arm::Linear(_) | Arm::Forgetful => None,
        };
        (format!("{name}{when}"), Box::new(of))
    })
}

/// A curve as a series; `y` is the value of an arm, and how far its error bar reaches.
fn series(lines: &[Line], curve: &Curve, y: impl Fn(&Line) -> Option<(f64, f64)>) -> Series {
    let (name, of) = curve;
    let mut points: Vec<Point> = lines
        .iter()
        .filter_map(|line| {
            let (workers, (y, reach)) = (of(line.arm)?, y(line)?);
            Some(Point { x: f64::from(workers), y, reach, hollow: false })
        })
        .collect();
    points.sort_by(|one, two| one.x.total_cmp(&two.x));
    Series { name: name.clone(), side: Side::Left, style: Style::Line, points }
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
        x_range: (0.8, 100.0),
        x_step: 0.0,
        left: Scale { label: label.into(), logarithmic: false },
        right: None,
        reference: None,
        series: series.collect(),
    }
}

fn fig4a(options: &Options, lines: &[Line]) -> Chart {
    /// Points of different arms with as many workers lie this much apart, so that their error bars
    /// are told apart.
    const APART: f64 = 1.035;
    let single =
        |name: &str, of: fn(Arm) -> Option<u32>| -> [Curve; 1] { [(name.into(), Box::new(of))] };
    let linear = |arm| match arm {
        Arm::Linear(times) => Some(times),
        _ => None,
    };
    let forgetful = |arm| (arm == Arm::Forgetful).then_some(1);
    let curves = clusters(Growth::Pgpp, "P-GPP")
        .into_iter()
        .chain(single("linear speed-up", linear))
        .chain(clusters(Growth::Random, "random growth"))
        .chain(clusters(Growth::Gpp, "GPP's shares"))
        .chain(clusters(Growth::Pv, "along the PV"))
        .chain(single("one worker, forgetful", forgetful));
    let rate = |line: &Line| Some((100.0 * line.tally.rate(), 100.0 * line.tally.margin()));
    let all: Vec<Series> = curves.map(|curve| series(lines, &curve, rate)).collect();
    let title = "Fig. 4a: win rate against one worker, with 95 % intervals";
    let mut chart = chart(title, options, "win rate, %", all);
    let middle = (chart.series.len() as f64 - 1.0) / 2.0;
    for (at, series) in chart.series.iter_mut().enumerate() {
        series.points.iter_mut().for_each(|point| point.x *= APART.powf(at as f64 - middle));
    }
    Chart { reference: Some(50.0), ..chart }
}

fn fig4b(options: &Options, lines: &[Line]) -> Chart {
    let utility = |line: &Line| Some((line.utility, 0.0));
    let observed = clusters(Growth::Pgpp, "P-GPP, observed")
        .into_iter()
        .chain(clusters(Growth::Random, "random growth, observed"));
    let mut all: Vec<Series> = observed.map(|curve| series(lines, &curve, utility)).collect();
    let simulation: Curve = ("simulation by ranks alone".into(), Box::new(Arm::workers));
    // The same for all arms with as many workers.
    let mut simulated =
        series(lines, &simulation, |line| Some((simulated(options, line.arm)?, 0.0)));
    simulated.points.dedup();
    all.push(simulated);
    chart("Fig. 4b: utility of the master tree", options, "plies foreseen", all)
}

fn describe(out: &mut String, options: &Options, lines: &[Line], start: Instant) -> fmt::Result {
    writeln!(out, "P-GPP (Yokoyama, Kaneko and Tanaka 2015): Fig. 4a, 4b, in virtual time\n")?;
    origin::describe(out)?;
    writeln!(
        out,
        "games     against one worker of our engine; {} nodes a move for each worker (clusters {} % less),\n\
         {:10}{} in the opponent's time; tables of {} MiB{}; this run {:.0} s\n\
         ranks     of {}: {}\n",
        options.nodes,
        options.penalty,
        "",
        if options.ponder { "also" } else { "not" },
        options.table_mib,
        if options.reports { "" } else { ", not reported" },
        start.elapsed().as_secs_f64(),
        options.ranks_from,
        options.rank_list()
    )?;
    writeln!(
        out,
        "{:<14}{:>7}{:>22}{:>10}{:>9}{:>8}{:>10}{:>11}{:>8}{:>22}",
        "arm",
        "games",
        "won/drawn/lost",
        "rate, %",
        "±95 %",
        "Elo",
        "utility",
        "simulated",
        "paper",
        "of linear's Elo"
    )?;
    for Line { arm, tally, utility, of_linear } in lines {
        let [won, drawn, lost] = tally.games;
        let simulated = simulated(options, *arm);
        let paper = paper(*arm);
        writeln!(
            out,
            "{:<14}{:>7}{:>22}{:>10.1}{:>9.1}{:>8.0}{:>10.2}{:>11}{:>8}{:>22}",
            arm.to_string(),
            won + drawn + lost,
            format!("{won}/{drawn}/{lost}"),
            100.0 * tally.rate(),
            100.0 * tally.margin(),
            elo(tally),
            utility,
            simulated.map_or("-".into(), |u| format!("{u:.2}")),
            paper.map_or("-".into(), |p| format!("{p:.1}")),
            of_linear.map_or("-".into(), |(share, (low, high))| {
                format!("{share:.2} ({low:.2} to {high:.2})")
            }),
        )?;
    }
    writeln!(
        out,
        "\nrate: wins plus half of the draws. utility: how many of the coming plies were in the tree when it was the\n\
         cluster's turn, the mean over its moves; simulated: by the probabilities of ranks alone. of linear's Elo:\n\
         what the cluster gains, as a share of what one worker gains with as many times the nodes (95 %, over pairs)."
    )
}

/// The win rates that the paper's text gives.
fn paper(arm: Arm) -> Option<f64> {
    match arm {
        // The paper's trees grow at new roots only, but for one worker that is the same.
        Arm::Cluster { growth: Growth::Pgpp, workers, .. } => match workers {
            1 => Some(48.1),
            32 => Some(62.5),
            60 => Some(64.6),
            _ => None,
        },
        Arm::Forgetful => Some(39.2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arms_are_read_as_they_are_written() {
        for text in
            ["pgpp-8", "pgpp-8@root", "random-60@root", "gpp-4", "pv-2", "linear-16", "forgetful"]
        {
            assert_eq!(text.parse::<Arm>().map(|arm| arm.to_string()).as_deref(), Ok(text));
        }
        let bad = [
            "",
            "pgpp",
            "pgpp-0",
            "pgpp-1025",
            "pgpp-8@leaf",
            "linear-8@root",
            "best-3",
            "@root",
            "forgetful@root",
        ];
        for text in bad {
            assert_eq!(text.parse::<Arm>(), Err(UnknownArm(text.into())));
        }
    }

    fn line(arm: &str, pairs: &[[Points; 2]]) -> Line {
        let mut tally = Tally::default();
        pairs.iter().for_each(|&pair| tally.add_pair(pair));
        Line { arm: arm.parse().unwrap(), tally, utility: 1.0, of_linear: None }
    }

    const WON: [Points; 2] = [Points::Win, Points::Win];
    const EVEN: [Points; 2] = [Points::Win, Points::Loss];
    const LOST: [Points; 2] = [Points::Loss, Points::Loss];

    #[test]
    fn a_share_of_linear_speed_up_is_that_of_the_elo_over_the_same_openings() {
        // Three quarters of the points against nine tenths: 190.85 of 381.70 Elo.
        let ours = [[WON; 2], [EVEN; 2]].concat().repeat(50);
        let linear = [vec![WON; 160], vec![EVEN; 40]].concat();
        let both: Vec<_> = ours.into_iter().zip(linear).collect();
        let (share, (low, high)) = of_linear(&both).unwrap();
        assert!((share - 0.5).abs() < 1e-4, "{share}");
        assert!(0.35 < low && low < 0.45 && 0.55 < high && high < 0.7, "{low} to {high}");
        // Less than nothing is a share, too.
        let worse: Vec<_> =
            both.iter().map(|&(_, linear)| (LOST, linear)).skip(10).chain([(WON, WON)]).collect();
        assert!(of_linear(&worse).unwrap().0 < 0.0);
        // Of no gain, of what may be none, of what cannot be told in Elo, and of nothing.
        let with =
            |pair: [Points; 2]| both.iter().map(|&(ours, _)| (ours, pair)).collect::<Vec<_>>();
        assert_eq!(of_linear(&with(EVEN)), None);
        assert_eq!(of_linear(&with(WON)), None);
        let doubtful = [(EVEN, WON), (WON, EVEN), (WON, LOST), (EVEN, WON)];
        assert_eq!(of_linear(&doubtful), None);
        assert_eq!(of_linear(&[]), None);
    }

    #[test]
    fn every_arm_is_in_figure_4a_with_its_interval() {
        let pairs = [WON, EVEN, LOST, WON];
        let names = [
            "pgpp-8",
            "pgpp-1",
            "pgpp-8@root",
            "linear-8",
            "random-8",
            "gpp-8",
            "pv-8",
            "forgetful",
        ];
        let lines: Vec<Line> = names.iter().map(|name| line(name, &pairs)).collect();
        let chart = fig4a(&Options::new(true), &lines);
        let shown: usize = chart.series.iter().map(|series| series.points.len()).sum();
        assert_eq!((chart.series.len(), shown), (7, 8));
        let margin = 100.0 * lines[0].tally.margin();
        for point in chart.series.iter().flat_map(|series| &series.points) {
            assert_eq!((point.y, point.reach), (62.5, margin));
        }
        // In the order of their workers, and beside each other where those are as many.
        let [one, eight] = [0, 1].map(|at| chart.series[0].points[at].x);
        assert!((0.8..1.0).contains(&one) && (7.0..8.0).contains(&eight), "{one} {eight}");
        let mut places: Vec<f64> = chart.series.iter().map(|series| series.points[0].x).collect();
        places.dedup();
        assert_eq!(places.len(), 7);
    }
}
