//! `yomikiri bench mates`: mates in chess against the clock, by their length.
//!
//! Counted as `bench tsume` counts: processor seconds of the search, a fresh table for every
//! problem. A mate is solved if it is proven within the limit; its certificate is written and
//! checked after the clock has stopped.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use andor::{
    Algorithm, Control, Limits, Outcome, Progress, Pulse, Reason, Solvable, Stop, Table, Verdict,
};
use anyhow::{Context, Result, anyhow, bail};
use serde::Serialize;
use yomikiri_chess::{Color, Goal, Mates, Position, epd, settings};
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

The file is EPD, one position a line, with `bm #N` (or `dm N`): the side to move mates in N moves, or is mated
in N if N is negative. N names the attacker and the row of the table; the search is not told.
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
    nodes: u64,
    seconds: f64,
}

impl Total {
    fn add(&mut self, row: &Row) {
        self.problems += 1;
        self.solved += usize::from(row.solved);
        self.certified += usize::from(row.certified);
        self.nodes += row.nodes;
        self.seconds += row.seconds;
    }

    fn line(&self) -> String {
        let Total { problems, solved, certified, nodes, seconds, .. } = self;
        let moves = self.moves.map_or("all".into(), |moves| moves.to_string());
        format!("{moves:>5} {problems:>9} {solved:>7} {certified:>10} {nodes:>12} {seconds:>9.1}")
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
        writeln!(out, "line,position,moves,verdict,certified,positions,plies,nodes,seconds")?;
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
        writeln!(out, "moves  problems  solved  certified        nodes   seconds")?;
    }
    for total in totals.chain([all]) {
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
    let outcome = problem.search(&Algorithm::Dfpn(settings::dfpn()), &table, &mut control);
    let seconds = clock.elapsed().as_secs_f64();
    drop(bar);
    let in_time = seconds <= args.time.as_secs_f64() * 1.01;
    let verdict = match outcome.verdict {
        Verdict::Proven if !in_time => Verdict::Unknown(Reason::Time),
        verdict => verdict,
    };
    let solved = verdict == Verdict::Proven;
    let positions = if solved { certify(case, &problem, &outcome, &table, stop) } else { None };
    Ok(Row {
        line: case.line,
        position: case.position.to_string(),
        moves: case.moves,
        verdict,
        solved,
        certified: positions.is_some(),
        positions: positions.unwrap_or(0),
        plies: outcome.plies.bounded().filter(|_| solved),
        nodes: outcome.nodes,
        seconds,
    })
}

/// Writes the certificate of a proof and checks it. Gives its size if it is accepted.
fn certify(
    case: &Case,
    problem: &Mates,
    outcome: &Outcome,
    table: &Table,
    stop: &Stop,
) -> Option<u64> {
    let claim = outcome.claim(problem)?;
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
            let Row { position, certified, .. } = self;
            writeln!(
                out,
                "{line},{position},{moves},{verdict},{certified},{positions},{plies},{nodes},{seconds:.3}"
            )?;
        } else if !args.quiet {
            let certificate = match self.certified {
                true => format!("  certified, {positions} positions"),
                false => String::new(),
            };
            writeln!(
                out,
                "{line:>4} #{moves:<3} {verdict:<9} {nodes:>10} nodes {seconds:>8.3} s{certificate}"
            )?;
        }
        Ok(())
    }
}
