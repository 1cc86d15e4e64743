//! `yomikiri bench mates`: mates in chess against the clock, by their length.
//!
//! Counted as `bench tsume` counts: processor seconds of the search, a fresh table for every
//! problem. A mate is solved if it is proven within the limit; its certificate is written and
//! checked after the clock has stopped. Its length is the bound that `solve` tells, or the shortest.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use andor::length::{self, Aim};
use andor::shortest::Bounds;
use andor::{
    Algorithm, Claim, Control, Limits, Progress, Pulse, Reason, Solvable, Stop, Table, Verdict,
};
use anyhow::{Context, Result, anyhow, bail};
use serde::Serialize;
use yomikiri_chess::{Color, Goal, Mates, Move, Position, epd, settings};
use yomikiri_files as files;

use crate::commands::Exit;
use crate::commands::options::{parse_hash, parse_time};
use crate::interrupt::stop_on_interrupt;
use crate::json;
use crate::progress::Bar;
use crate::{cpu, memory, terminal};

/// Options of `bench mates`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri bench mates                       chess_mates.epd, ten seconds a problem
  yomikiri bench mates my-mates.epd --time 1 --json
  yomikiri bench mates --goal checks --step 10
  yomikiri bench mates --shortest --step 8   how many lengths are proven to be the shortest

The file is EPD, one position a line, with `bm #N` (or `dm N`): the side to move mates in N moves, or is mated
in N if N is negative. N names the attacker and the row of the table; the search is not told.
`ratio` is the length of the proof over that of the file, both in plies. A length is `shortest` if the proof that
nothing is shorter was certified, too.
chess_mates.epd is looked for in $YOMIKIRI_PROBLEMS, then in ../shared/problems.

Seconds are those of the processor where the system tells them. Exit code: 0 if every mate is
proven, 1 if not, 2 on bad input, a wrong verdict or a certificate that is rejected.")]
pub struct Args {
    /// Mates, as EPD [default: chess_mates.epd]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Seconds for each problem
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_time)]
    time: Duration,

    /// Memory for the table, in MiB
    #[arg(long, value_name = "MIB", default_value = "256", value_parser = parse_hash)]
    hash: usize,

    /// Take every n-th problem only
    #[arg(long, value_name = "N", default_value = "1",
        value_parser = clap::value_parser!(u32).range(1..))]
    step: u32,

    /// What the attacker may play
    #[arg(long, value_name = "GOAL", default_value = "mate")]
    goal: GoalName,

    /// Look for the shortest mates, with the rest of the time
    #[arg(long)]
    shortest: bool,

    /// One JSON object a problem, and one for each row of the table
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// The problems as lines of comma-separated values, and no table
    #[arg(long)]
    csv: bool,

    /// No progress bar, and only the table
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum GoalName {
    /// Any move
    Mate,
    /// Only moves that give check
    Checks,
}

impl From<GoalName> for Goal {
    fn from(name: GoalName) -> Goal {
        match name {
            GoalName::Mate => Goal::Mate,
            GoalName::Checks => Goal::Checks,
        }
    }
}

/// A mate of the file.
struct Case {
    line: usize,
    position: Position,
    attacker: Color,
    /// Its length in moves.
    moves: u32,
}

impl Case {
    fn read(number: usize, line: &str) -> Result<Case> {
        let (position, operations) = epd::read(line)?;
        let told = operations.mate.ok_or_else(|| anyhow!("`bm #N;` is missing"))?;
        let attacker = told.attacker(position.side_to_move());
        Ok(Case { line: number, position, attacker, moves: told.moves.into() })
    }

    /// Its length in plies.
    fn plies(&self) -> u32 {
        let is_first = self.position.side_to_move() == self.attacker;
        (2 * self.moves).saturating_sub(u32::from(is_first)).max(1)
    }
}

/// What became of a problem.
#[derive(Serialize)]
struct Row {
    line: usize,
    position: String,
    /// Its length in moves, by the file.
    moves: u32,
    /// A proof that came too late is none.
    #[serde(serialize_with = "json::in_words")]
    verdict: Verdict,
    solved: bool,
    /// Its certificate was written and accepted.
    certified: bool,
    /// Positions in the certificate.
    positions: u64,
    /// The proof found needs at most so many plies.
    plies: Option<u16>,
    /// There is no mate within fewer plies.
    least: Option<u16>,
    /// It is the shortest, and that nothing is shorter was written down and accepted.
    shortest: bool,
    /// Plies over those of the file.
    ratio: Option<f64>,
    nodes: u64,
    seconds: f64,
}

/// The mates of one length, or all.
#[derive(Default, Serialize)]
struct Total {
    /// The length; none for the total.
    moves: Option<u32>,
    problems: usize,
    solved: usize,
    certified: usize,
    /// Certified to be the shortest.
    shortest: usize,
    /// Shorter than the file says.
    below: usize,
    /// The mean and the median of the plies over those of the file, of those solved.
    mean_ratio: Option<f64>,
    median_ratio: Option<f64>,
    nodes: u64,
    seconds: f64,
    #[serde(skip)]
    ratios: Vec<f64>,
}

impl Total {
    fn add(&mut self, row: &Row) {
        self.problems += 1;
        self.solved += usize::from(row.solved);
        self.certified += usize::from(row.certified);
        self.shortest += usize::from(row.shortest);
        self.below += usize::from(row.ratio.is_some_and(|ratio| ratio < 1.0));
        self.ratios.extend(row.ratio);
        self.nodes += row.nodes;
        self.seconds += row.seconds;
    }

    /// When all rows are added.
    fn sum_up(mut self) -> Total {
        self.ratios.sort_by(f64::total_cmp);
        let count = self.ratios.len();
        let middle = self.ratios.get(count / 2).zip(self.ratios.get(count.saturating_sub(1) / 2));
        self.median_ratio = middle.map(|(a, b)| (a + b) / 2.0);
        self.mean_ratio = (count > 0).then(|| self.ratios.iter().sum::<f64>() / count as f64);
        self
    }

    fn line(&self) -> String {
        let Total { problems, solved, certified, shortest, nodes, seconds, .. } = self;
        let moves = self.moves.map_or("all".into(), |moves| moves.to_string());
        let ratio = |ratio: Option<f64>| ratio.map_or("–".into(), |ratio| format!("{ratio:.2}"));
        let (mean, median) = (ratio(self.mean_ratio), ratio(self.median_ratio));
        format!(
            "{moves:>5} {problems:>9} {solved:>7} {certified:>10} {shortest:>9} {mean:>7} {median:>7} {nodes:>12} {seconds:>9.1}"
        )
    }
}

pub fn run(args: &Args) -> Result<Exit> {
    memory::check(args.hash)?;
    let Some((name, text)) = find(args)? else { return Ok(Exit::Done) };
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let cases: Vec<Case> = lines
        .map(|(number, line)| {
            Case::read(number, line).with_context(|| format!("{name}, line {number}"))
        })
        .collect::<Result<_>>()?;
    let stop = stop_on_interrupt()?;
    let mut out = io::stdout().lock();
    if args.csv {
        writeln!(
            out,
            "line,position,moves,verdict,certified,positions,plies,least,shortest,nodes,seconds"
        )?;
    }
    let (mut rows, mut all): (BTreeMap<u32, Total>, Total) = Default::default();
    let (mut exit, step) = (Exit::Done, usize::try_from(args.step)?);
    for case in cases.iter().step_by(step) {
        let row = solve(args, case, &stop)?;
        if stop.is_raised() && !row.certified {
            terminal::stopped(&"what was measured so far is below");
            break;
        }
        rows.entry(case.moves).or_default().add(&row);
        all.add(&row);
        exit = exit.max(match (row.solved, row.certified, row.verdict) {
            (true, true, _) => Exit::Done,
            (false, _, Verdict::Unknown(_)) => Exit::Unknown,
            _ => Exit::Bad,
        });
        row.print(args, &mut out)?;
    }
    if args.csv {
        return Ok(exit);
    }
    let totals = rows.into_iter().map(|(moves, total)| Total { moves: Some(moves), ..total });
    if !args.json {
        writeln!(
            out,
            "moves  problems  solved  certified  shortest    mean  median        nodes   seconds"
        )?;
    }
    for total in totals.chain([all]).map(Total::sum_up) {
        match args.json {
            true => json::line(&mut out, "bench-mates-total", &total)?,
            false => writeln!(out, "{}", total.line())?,
        }
    }
    Ok(exit)
}

/// The file's name and text; none if it is the default and not here.
fn find(args: &Args) -> Result<Option<(String, String)>> {
    const DEFAULT: &str = "chess_mates.epd";
    let Some(path) = &args.file else {
        return Ok(yomikiri_problems::read(DEFAULT).map(|text| (DEFAULT.to_owned(), text)));
    };
    let name = files::name(path, "standard input");
    let text = files::read_to_string(path)?;
    if text.trim().is_empty() {
        bail!("there is no problem in {name}");
    }
    Ok(Some((name, text)))
}

fn solve(args: &Args, case: &Case, stop: &Stop) -> Result<Row> {
    let problem = Mates::with_attacker(&case.position, case.attacker, args.goal.into());
    let table = Table::new(args.hash).with_context(|| format!("--hash {}", args.hash >> 20))?;
    table.make_real();
    let mut bar = Bar::new(args.quiet, &format!("line {}", case.line));
    let clock = cpu::Clock::start();
    let mut looked = Instant::now();
    // A safeguard where the processor is busy with others.
    let mut control = Control::new(Limits { nodes: None, time: Some(args.time * 4) });
    // Raised by the clock; Ctrl-C raises the other.
    let over = Stop::new();
    control.stop = over.clone();
    let mut watch = |progress: &Progress<'_>| {
        if stop.is_raised() {
            over.raise();
        }
        if looked.elapsed() >= Duration::from_millis(20) {
            looked = Instant::now();
            if clock.elapsed() >= args.time {
                over.raise();
            }
        }
        if let Some(bar) = &mut bar {
            bar.show(progress);
        }
    };
    control.progress = Some(&mut watch);
    let dfpn = settings::dfpn();
    let mut outcome = problem.search(&Algorithm::Dfpn(dfpn), &table, &mut control);
    let first = clock.elapsed();
    let aim = if args.shortest { Aim::Shortest } else { Aim::Bound };
    let bounds = problem.shorten(aim, (dfpn, None), &table, &mut control, &mut outcome);
    let seconds = clock.elapsed().as_secs_f64();
    drop(bar);
    let in_time = first.as_secs_f64() <= args.time.as_secs_f64() * 1.01;
    let verdict = match outcome.verdict {
        Verdict::Proven if !in_time => Verdict::Unknown(Reason::Time),
        verdict => verdict,
    };
    let solved = verdict == Verdict::Proven;
    let bounds = bounds.filter(|_| solved);
    let claims = bounds.as_ref().map(|bounds| length::claims(&problem, bounds));
    let positions = claims.and_then(|(proof, _)| certify(case, proof, &table, stop));
    let is_shortest = bounds.as_ref().is_some_and(Bounds::<Move>::is_exact)
        && claims.is_some_and(|(_, shorter)| {
            shorter.is_none_or(|shorter| certify(case, shorter, &table, stop).is_some())
        });
    let plies = bounds.as_ref().map(|bounds| bounds.known);
    Ok(Row {
        line: case.line,
        position: case.position.to_string(),
        moves: case.moves,
        verdict,
        solved,
        certified: positions.is_some(),
        positions: positions.unwrap_or(0),
        plies,
        least: bounds.map(|bounds| bounds.least),
        shortest: is_shortest && positions.is_some(),
        ratio: plies.map(|plies| f64::from(plies) / f64::from(case.plies())),
        nodes: outcome.nodes,
        seconds,
    })
}

/// Writes the certificate of a claim and checks it. Gives its size if it is accepted.
fn certify(case: &Case, claim: Claim<&Mates>, table: &Table, stop: &Stop) -> Option<u64> {
    let mut file = Vec::new();
    let written = Mates::write_certificate(claim, settings::dfpn(), table, stop, &mut file);
    let checked = written.map_err(anyhow::Error::from).and_then(|written| {
        let pulse = Pulse::new(stop.clone());
        Mates::check_certificate(claim, &pulse, &mut file.as_slice())?;
        Ok(written.positions)
    });
    checked
        .inspect_err(|error| {
            if stop.is_raised() {
                return;
            }
            terminal::complain(&format!(
                "line {}: the certificate is not accepted: {error:#}",
                case.line
            ));
        })
        .ok()
}

impl Row {
    fn print(&self, args: &Args, out: &mut impl Write) -> Result<()> {
        let Row { line, moves, verdict, positions, nodes, seconds, .. } = self;
        if args.json {
            json::line(out, "bench-mates", self)?;
        } else if args.csv {
            let plies = self.plies.map_or(String::new(), |plies| plies.to_string());
            let least = self.least.map_or(String::new(), |least| least.to_string());
            let Row { position, certified, shortest, .. } = self;
            writeln!(
                out,
                "{line},{position},{moves},{verdict},{certified},{positions},{plies},{least},{shortest},{nodes},{seconds:.3}"
            )?;
        } else if !args.quiet {
            let length = match (self.least, self.plies) {
                (Some(_), Some(plies)) if self.shortest => format!("  shortest, {plies} plies"),
                (Some(least), Some(plies)) => format!("  {least} to {plies} plies"),
                _ => String::new(),
            };
            let certificate = match self.certified {
                true => format!("  certified, {positions} positions"),
                false => String::new(),
            };
            writeln!(
                out,
                "{line:>4} #{moves:<3} {verdict:<9} {nodes:>10} nodes {seconds:>8.3} s{length}{certificate}"
            )?;
        }
        Ok(())
    }
}
