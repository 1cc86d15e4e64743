//! `yomikiri solve`: problems in, verdicts and certificates out.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use andor::certificate::WriteError;
use andor::deep::suggest_r;
use andor::{Algorithm, Control, Dfpn, Limits, Outcome, Progress, Repetition, Stop, Sums, Table};
use andor::{INFINITY, Problem, UNBOUNDED, Value, search};
use anyhow::{Context, Result, bail};
use clap::builder::{PossibleValue, PossibleValuesParser};
use serde::Serialize;

use super::Exit;
use crate::algorithms::{ALGORITHMS, Changes, Entry};
use crate::certificate::{self, Solution};
use crate::draft::Draft;
use crate::first_move::first_move;
use crate::games::{self, AnyProblem, GAMES, Visitor};
use crate::input::{self, Item};
use crate::interrupt::stop_on_interrupt;
use crate::progress::Bar;
use crate::{memory, words};

const EXAMPLES: &str = "\
Examples:
  yomikiri solve 'hex 4 ..../..../..../.... B' --certificate hex.cert
  yomikiri solve --file positions.tsv --goal 'score>=2' --json
  yomikiri solve --file graph.txt --algorithm deep-pn --r 0.8
  yomikiri solve < problem.txt

Exit code: 0 if every problem is decided, 1 if one stays unknown, 2 on bad input.
Ctrl-C ends the search and prints what is known so far; a second one ends the program at once.
";

/// Options of `solve`.
#[derive(clap::Args)]
#[command(
    after_help = format!("{EXAMPLES}\nHow problems are written: --help, or `yomikiri games`."),
    after_long_help = format!("{EXAMPLES}\nHow problems are written:\n\n{}", super::games::describe())
)]
pub struct Args {
    /// Problems, each as one text
    #[arg(value_name = "PROBLEM")]
    problems: Vec<String>,

    /// A file of problems: one a line, or one graph
    #[arg(long, short, value_name = "FILE")]
    file: Option<PathBuf>,

    /// The game; recognised from the text if not given
    #[arg(long, value_name = "NAME", value_parser = game_names())]
    game: Option<String>,

    /// What the attacker wants (see `yomikiri games`)
    #[arg(long, value_name = "GOAL")]
    goal: Option<String>,

    /// How to search
    #[arg(long, short, value_name = "NAME", default_value = ALGORITHMS[0].name,
        value_parser = algorithm_names())]
    algorithm: String,

    /// R of the deep algorithms: 1 goes by proof numbers alone, 0 by depth [default: one that suits
    /// the game, from some random games]
    #[arg(long, value_name = "R", value_parser = parse_r)]
    r: Option<f64>,

    /// ε of the 1+ε thresholds of df-pn; 0 switches them off
    #[arg(long, value_name = "E", value_parser = parse_epsilon)]
    epsilon: Option<f32>,

    /// How df-pn adds up the numbers of children
    #[arg(long, value_name = "SUMS")]
    sums: Option<SumsName>,

    /// Look only for proofs of at most so many plies (df-pn)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(..UNBOUNDED as i64))]
    plies: Option<u16>,

    /// The plain game: no move order, no first numbers, no knowledge
    #[arg(long)]
    plain: bool,

    /// Memory for the table, or for the tree of pn, in MiB
    #[arg(long, value_name = "MIB", default_value = "256", value_parser = parse_hash)]
    hash: usize,

    /// Give up after so many nodes (k, M and G are understood)
    #[arg(long, value_name = "N", value_parser = parse_nodes)]
    nodes: Option<u64>,

    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_time)]
    time: Option<Duration>,

    /// Write a certificate; for several problems, a directory of them, ID.cert each
    #[arg(long, short, value_name = "FILE")]
    certificate: Option<PathBuf>,

    /// Save the table after the search (one problem, df-pn)
    #[arg(long, value_name = "FILE")]
    save_table: Option<PathBuf>,

    /// Go on from a saved table (one problem, df-pn, the same --hash)
    #[arg(long, value_name = "FILE")]
    load_table: Option<PathBuf>,

    /// One JSON object a problem, on a line of its own
    #[arg(long)]
    json: bool,

    /// No progress bar, and one line a problem
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum SumsName {
    /// The sum of all
    Plain,
    /// Children that meet again count once
    Dag,
    /// The maximum, plus one for each other unsolved child
    Weak,
}

impl From<SumsName> for Sums {
    fn from(name: SumsName) -> Sums {
        match name {
            SumsName::Plain => Sums::Plain,
            SumsName::Dag => Sums::Dag,
            SumsName::Weak => Sums::Weak,
        }
    }
}

fn game_names() -> PossibleValuesParser {
    PossibleValuesParser::new(
        GAMES.iter().map(|game| PossibleValue::new(game.name).help(game.what)),
    )
}

fn algorithm_names() -> PossibleValuesParser {
    let names = ALGORITHMS.iter().map(|entry| PossibleValue::new(entry.name).help(entry.what));
    PossibleValuesParser::new(names)
}

fn parse_r(text: &str) -> Result<f64, String> {
    let r = text.parse().ok().filter(|r| (0.0..=1.0).contains(r));
    r.ok_or_else(|| "R is a number from 0 to 1".into())
}

fn parse_epsilon(text: &str) -> Result<f32, String> {
    let epsilon = text.parse().ok().filter(|e: &f32| e.is_finite() && *e >= 0.0);
    epsilon.ok_or_else(|| "ε is a number, 0 or more".into())
}

/// MiB to bytes.
fn parse_hash(text: &str) -> Result<usize, String> {
    let mib: usize = text.parse().map_err(|_| "expected a whole number of MiB".to_owned())?;
    if mib == 0 {
        return Err("a search needs a table of at least 1 MiB".into());
    }
    let bytes = mib.checked_mul(1 << 20).filter(|&bytes| bytes <= isize::MAX as usize);
    bytes.ok_or_else(|| "that is more than this machine can address".into())
}

fn parse_nodes(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.chars().last() {
        Some('k') => (&text[..text.len() - 1], 1_000),
        Some('M') => (&text[..text.len() - 1], 1_000_000),
        Some('G') => (&text[..text.len() - 1], 1_000_000_000),
        _ => (text, 1),
    };
    let nodes = digits.parse::<u64>().ok().and_then(|n| n.checked_mul(unit));
    nodes.ok_or_else(|| "expected a whole number, such as 500000, 500k or 20M".into())
}

fn parse_time(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
    seconds.ok_or_else(|| "expected a number of seconds".into())
}

/// What is printed of a problem.
#[derive(Serialize)]
struct Report {
    id: String,
    game: &'static str,
    problem: String,
    question: String,
    verdict: &'static str,
    reason: &'static str,
    answer: Option<String>,
    first_move: Option<String>,
    plies: Option<u16>,
    nodes: u64,
    iterations: u64,
    seconds: f64,
    nodes_per_second: f64,
    pn: Option<u32>,
    dn: Option<u32>,
    algorithm: String,
    /// `R` of the deep algorithms.
    r: Option<f64>,
    hash_mib: usize,
    table_entries: usize,
    threads: usize,
    peak_memory_mib: Option<f64>,
    certificate: Option<CertificateReport>,
    saved_table: Option<String>,
}

#[derive(Serialize)]
struct CertificateReport {
    file: String,
    positions: u64,
    nodes: u64,
    checked: bool,
}

pub fn run(args: &Args) -> Result<Exit> {
    let game = args.game.as_deref().and_then(games::find);
    let items = input::collect(&args.problems, args.file.as_deref(), game)?;
    let several = items.len() > 1;
    check_options(args, several)?;
    let stop = stop_on_interrupt()?;
    let mut names = HashSet::new();
    let mut tally = Tally::default();
    let mut exit = Exit::Done;
    for item in &items {
        if stop.is_raised() {
            break;
        }
        let certificate = args.certificate.as_deref().map(|path| match several {
            true => path.join(file_name(&item.id, &mut names)),
            false => path.to_owned(),
        });
        let result = item.parse(game, args.goal.as_deref()).map_err(|error| {
            let hint = match Path::new(&item.text).is_file() {
                true => "\n  (to read a file, use --file)",
                false => "",
            };
            anyhow::anyhow!("{error}{hint}")
        });
        let result = result.and_then(|problem| solve(args, item, &problem, certificate, &stop));
        match result {
            Ok((report, decided)) => {
                print(args, &report)?;
                tally.add(&report);
                exit = exit.max(decided);
            }
            Err(error) => {
                eprintln!("error: {error:#}");
                tally.bad += 1;
                exit = Exit::Bad;
            }
        }
    }
    if several {
        let untried = items.len() - tally.total();
        if untried > 0 {
            eprintln!("stopped: {untried} problems were not tried");
            exit = exit.max(Exit::Unknown);
        }
        if !args.json {
            writeln!(io::stdout(), "{tally}")?;
        }
    }
    Ok(exit)
}

/// Complains about options that cannot be met, before anything is done.
fn check_options(args: &Args, several: bool) -> Result<()> {
    let algorithm = settings(args, Repetition::Never)?;
    if args.save_table.is_some() || args.load_table.is_some() {
        if several {
            bail!("--save-table and --load-table take one problem at a time");
        }
        if matches!(algorithm, Algorithm::Pn(_)) {
            bail!("--save-table and --load-table are for the df-pn algorithms");
        }
    }
    if let Some(available) = memory::available()
        && args.hash as u64 > available
    {
        let (hash, available) = (args.hash >> 20, available >> 20);
        bail!("--hash {hash}: only {available} MiB of memory are available");
    }
    if let Some(directory) = args.certificate.as_deref().filter(|_| several) {
        let cannot = || format!("cannot make the directory {}", directory.display());
        fs::create_dir_all(directory).with_context(cannot)?;
    }
    Ok(())
}

fn settings(args: &Args, repetition: Repetition) -> Result<Algorithm> {
    let entry = Entry::find(&args.algorithm).context("unknown algorithm")?;
    let changes = Changes {
        r: args.r,
        epsilon: args.epsilon,
        sums: args.sums.map(Sums::from),
        plies: args.plies,
        plain: args.plain,
        bytes: args.hash - small_table(args.hash),
    };
    entry.settings(repetition, &changes)
}

/// Bytes for the table that PN-search leaves its solution in: an eighth, and 16 MiB at most.
fn small_table(hash: usize) -> usize {
    (hash / 8).min(16 << 20)
}

/// A file name for a problem, different from all names before.
fn file_name(id: &str, names: &mut HashSet<String>) -> String {
    let is_safe = |c: char| c.is_alphanumeric() || "-_#".contains(c);
    let stem: String = id.chars().map(|c| if is_safe(c) { c } else { '_' }).collect();
    let mut name = format!("{stem}.cert");
    let mut number = 2;
    while !names.insert(name.clone()) {
        name = format!("{stem}-{number}.cert");
        number += 1;
    }
    name
}

/// One problem being solved: runs on every game.
struct Solve<'a> {
    args: &'a Args,
    any: &'a AnyProblem,
    algorithm: Algorithm,
    table: &'a Table,
    certificate: Option<Draft>,
    stop: &'a Stop,
    bar: Option<Bar>,
}

struct Found {
    outcome: Outcome,
    /// `R` of the deep algorithms.
    r: Option<f64>,
    first_move: Option<String>,
    certificate: Option<CertificateReport>,
    /// The verdict is there, but Ctrl-C came before its certificate.
    cut_short: bool,
}

impl Visitor for Solve<'_> {
    type Output = Result<Found>;

    fn visit<P: Problem>(mut self, problem: &P) -> Result<Found> {
        let limits = Limits { nodes: self.args.nodes, time: self.args.time };
        let mut control = Control::new(limits);
        control.stop = self.stop.clone();
        let mut bar = self.bar.take();
        let mut show = |progress: &Progress| {
            if let Some(bar) = &mut bar {
                bar.show(progress);
            }
        };
        control.progress = Some(&mut show);
        if self.algorithm.r().is_some() && self.args.r.is_none() {
            self.algorithm = self.algorithm.with_r(suggest_r(problem));
        }
        let outcome = search(problem, &self.algorithm, self.table, &mut control);
        drop(bar);
        let mut found = Found {
            outcome,
            r: self.algorithm.r(),
            first_move: None,
            certificate: None,
            cut_short: false,
        };
        let Some(value) = outcome.value() else {
            return Ok(found);
        };
        let dfpn = match self.algorithm {
            Algorithm::Dfpn(dfpn) => dfpn,
            Algorithm::Pn(pn) => Dfpn { heuristics: pn.heuristics, ..Dfpn::default() },
        };
        found.first_move = first_move(problem, value, dfpn.plies, self.table);
        let Some(draft) = self.certificate else {
            return Ok(found);
        };
        let Solve { any, table, stop, .. } = self;
        let file = draft.target().display().to_string();
        let solution = Solution { any, value, plies: outcome.plies, dfpn, table, stop };
        match certificate::write(problem, &solution, draft) {
            Ok(written) => {
                let (positions, nodes) = (written.positions, written.nodes);
                let report = CertificateReport { file, positions, nodes, checked: true };
                found.certificate = Some(report);
            }
            Err(error) => match error.downcast_ref::<WriteError>() {
                Some(WriteError::Stopped) => found.cut_short = true,
                _ => return Err(error),
            },
        }
        Ok(found)
    }
}

/// Solves one problem. Files are begun before the search, so that it is not in vain.
fn solve(
    args: &Args,
    item: &Item,
    any: &AnyProblem,
    certificate: Option<PathBuf>,
    stop: &Stop,
) -> Result<(Report, Exit)> {
    let algorithm = settings(args, any.repetition())?;
    let certificate = certificate.as_deref().map(Draft::new).transpose()?;
    let saved = args.save_table.as_deref().map(Draft::new).transpose()?;
    let bytes = match algorithm {
        Algorithm::Dfpn(_) => args.hash,
        Algorithm::Pn(_) => small_table(args.hash),
    };
    let table = match &args.load_table {
        Some(path) => load(path, bytes, &any.table_tag())?,
        None => Table::new(bytes).with_context(|| format!("--hash {}", args.hash >> 20))?,
    };
    let bar = Bar::new(args.quiet, &item.id);
    let visitor = Solve { args, any, algorithm, table: &table, certificate, stop, bar };
    let found = any.visit(args.plain, visitor)?;
    let mut report = report(args, item, any, found.outcome);
    report.r = found.r;
    report.first_move = found.first_move;
    report.certificate = found.certificate;
    report.table_entries = table.stored();
    if let Some(draft) = saved {
        report.saved_table = Some(draft.target().display().to_string());
        table
            .save(&any.table_tag(), BufWriter::new(draft.file()?))
            .context("cannot save the table")?;
        draft.finish()?;
    }
    report.peak_memory_mib = memory::peak_mib();
    if found.cut_short {
        eprintln!("stopped: the certificate of problem {} was not written", item.id);
    }
    let decided = found.outcome.value().is_some() && !found.cut_short;
    Ok((report, if decided { Exit::Done } else { Exit::Unknown }))
}

fn load(path: &Path, bytes: usize, tag: &str) -> Result<Table> {
    let cannot = || format!("cannot load the table {}", path.display());
    let file = File::open(path).with_context(cannot)?;
    Table::load(bytes, tag, BufReader::new(file)).with_context(cannot)
}

fn report(args: &Args, item: &Item, any: &AnyProblem, outcome: Outcome) -> Report {
    let (verdict, reason) = words::verdict(outcome.verdict);
    let plies = words::bound(outcome.plies).filter(|_| outcome.value().is_some());
    let seconds = outcome.elapsed.as_secs_f64();
    let (pn, dn) = match outcome.value() {
        Some(Value::Proven) => (0, INFINITY),
        Some(Value::Disproven) => (INFINITY, 0),
        None => outcome.numbers,
    };
    Report {
        id: item.id.clone(),
        game: any.game().name,
        problem: any.text(),
        question: any.question(),
        verdict,
        reason,
        answer: outcome.value().map(|value| any.answer(value, plies)),
        first_move: None,
        plies,
        nodes: outcome.nodes,
        iterations: outcome.iterations,
        seconds,
        nodes_per_second: outcome.nodes as f64 / seconds.max(1e-9),
        pn: words::finite(pn),
        dn: words::finite(dn),
        algorithm: args.algorithm.clone(),
        r: None,
        hash_mib: args.hash >> 20,
        table_entries: 0,
        threads: 1,
        peak_memory_mib: None,
        certificate: None,
        saved_table: None,
    }
}

fn print(args: &Args, report: &Report) -> Result<()> {
    let mut out = io::stdout().lock();
    let Report { id, verdict, reason, .. } = report;
    if args.json {
        writeln!(out, "{}", serde_json::to_string(report)?)?;
        return Ok(());
    }
    let answer = report.answer.as_deref().unwrap_or(reason);
    if args.quiet {
        writeln!(out, "{id}: {verdict}: {answer}")?;
        return Ok(());
    }
    writeln!(out, "{id}: {}: {}", report.game, report.question)?;
    writeln!(out, "  verdict      {verdict}: {answer}")?;
    if let Some(first) = &report.first_move {
        writeln!(out, "  first move   {first}")?;
    }
    let number = |n: Option<u32>| n.map_or("∞".into(), |n| n.to_string());
    writeln!(
        out,
        "  search       {}{}: {} nodes in {:.3} s ({}/s), pn {}, dn {}",
        report.algorithm,
        report.r.map_or(String::new(), |r| format!(" (R = {r})")),
        report.nodes,
        report.seconds,
        words::count(report.nodes_per_second as u64),
        number(report.pn),
        number(report.dn),
    )?;
    let peak = report.peak_memory_mib.map_or(String::new(), |mib| format!("; peak {mib:.0} MiB"));
    writeln!(
        out,
        "  memory       {} table entries in {} MiB{peak}",
        report.table_entries, report.hash_mib
    )?;
    if let Some(CertificateReport { file, positions, .. }) = &report.certificate {
        writeln!(out, "  certificate  {file} ({positions} positions, checked)")?;
    }
    if let Some(file) = &report.saved_table {
        writeln!(out, "  table        {file}")?;
    }
    Ok(())
}

/// What became of several problems.
#[derive(Default)]
struct Tally {
    proven: usize,
    disproven: usize,
    unknown: usize,
    bad: usize,
    nodes: u64,
    seconds: f64,
}

impl Tally {
    fn add(&mut self, report: &Report) {
        match report.verdict {
            "proven" => self.proven += 1,
            "disproven" => self.disproven += 1,
            _ => self.unknown += 1,
        }
        self.nodes += report.nodes;
        self.seconds += report.seconds;
    }

    fn total(&self) -> usize {
        self.proven + self.disproven + self.unknown + self.bad
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Tally { proven, disproven, unknown, bad, nodes, seconds } = self;
        write!(f, "{proven} proven, {disproven} disproven, {unknown} unknown, {bad} bad; ")?;
        write!(f, "{nodes} nodes in {seconds:.3} s")
    }
}
