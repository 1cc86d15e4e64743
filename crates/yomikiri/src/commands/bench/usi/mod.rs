//! `yomikiri bench usi`: any USI engine that looks for mates, over sets of tsume-shogi.
//!
//! What `bench tsume` measures inside this program is measured here from outside, so that the same
//! can be said of every engine: processor seconds from `go mate` to the answer, a fresh engine for
//! every problem, and the whole limit for what is not decided within it.

mod player;
mod table;

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use andor::Stop;
use anyhow::{Context, Result, anyhow, bail};
use serde::Serialize;
use yomikiri_engine::program::{find_program, split_words};
use yomikiri_question::display;
use yomikiri_question::games::{self, shogi};

use super::tsume;
use crate::columns;
use crate::commands::Exit;
use crate::commands::options::parse_time;
use crate::input::{self, Item};
use crate::interrupt::stop_on_interrupt;
use crate::json;
use crate::progress::Bar;
use crate::terminal;
use player::{Outcome, Player, Status};
use table::Run;

/// Options of `bench usi`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri bench usi --engine 'yomikiri usi' -o PostSearchLevel=None        zuko and muso, 10 s each
  yomikiri bench usi --engine ./KomoringHeights zuko -o PostSearchLevel=None --tsv > kh.tsv
  yomikiri bench usi --engine 'yomikiri usi' zuko --against kh.tsv
  yomikiri bench usi --engine ./engine --file my-problems.tsv --time 60 --json

A set is a file (SFEN, id and recorded length between tabs, one problem a line) or a name: zuko,
muso, long, short. Those are looked for in $YOMIKIRI_PROBLEMS, then in ../shared/problems, and
skipped where they are not found.

Every problem has a fresh engine. Seconds are those of the processor, for the engine and all that it
has started, where the system tells them (Linux: /proc), in steps of its clock; elsewhere those that
pass. What is not decided within the limit counts as the whole limit. A mate must come with a line
of legal moves; a word is said if it does not end in mate. An engine that hangs, dies or answers
something else gets a line that says so, and the run goes on.

--against compares with what --tsv has written (peer, set, id, status, time_s, cpu_s and more, with
a line of names first), problem by problem, over those that are in both.

Exit code: 0 if everything is decided and no other run has another verdict, 1 if not, 2 on bad
input.")]
pub struct Args {
    /// Sets: names or files [default: zuko muso, unless there is --file]
    #[arg(value_name = "SET")]
    sets: Vec<String>,

    /// The engine's command
    #[arg(long, value_name = "COMMAND")]
    engine: String,

    /// A file of problems. May be given again
    #[arg(long, short, value_name = "FILE")]
    file: Vec<PathBuf>,

    /// An option of the engine. May be given again
    #[arg(long, short, value_name = "NAME=VALUE", value_parser = parse_option)]
    option: Vec<(String, String)>,

    /// USI_Hash, in MiB
    #[arg(long, value_name = "MIB", default_value = "1024",
        value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,

    /// Processor seconds for each problem
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_time)]
    time: Duration,

    /// The most seconds that may pass for each problem [default: ten times --time]
    #[arg(long, value_name = "SECONDS", value_parser = parse_time)]
    wall: Option<Duration>,

    /// So many seconds may an engine take to start, and to get ready
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_time)]
    patience: Duration,

    /// What comes after `go`
    #[arg(long, value_name = "WORDS", default_value = "mate infinite")]
    go: String,

    /// Take every n-th problem only
    #[arg(long, value_name = "N", default_value = "1",
        value_parser = clap::value_parser!(u32).range(1..))]
    step: u32,

    /// What to call the engine in tables [default: the name of its program]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Compare with this table of another run. May be given again
    #[arg(long, value_name = "FILE")]
    against: Vec<PathBuf>,

    /// One JSON object a problem, one a set, and one a comparison
    #[arg(long, conflicts_with = "tsv")]
    json: bool,

    /// A table for --against; totals go to standard error
    #[arg(long)]
    tsv: bool,

    /// No progress bar, and only the totals
    #[arg(long, short)]
    quiet: bool,
}

fn parse_option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().into(), value.into())),
        _ => Err("an option is written NAME=VALUE".into()),
    }
}

/// The line of names of a table.
const NAMES: &str =
    "peer\tset\tid\thash_mb\tlimit_s\tstatus\ttime_s\tnodes\tmate_len\tknown_len\tcpu_s";

/// What became of a problem.
#[derive(Serialize)]
struct Row {
    engine: String,
    set: String,
    id: String,
    status: &'static str,
    decided: bool,
    length: Option<usize>,
    recorded: Option<u16>,
    nodes: Option<u64>,
    seconds: f64,
    cpu_seconds: Option<f64>,
    hash_mib: u32,
    limit: f64,
    remark: Option<String>,
    /// The verdict, if there is one in time.
    #[serde(skip)]
    is_mate: Option<bool>,
}

impl Row {
    fn new(args: &Args, engine: &str, set: &str, item: &Item, outcome: Outcome) -> Row {
        let Outcome { status, length, nodes, seconds, cpu_seconds, remark, .. } = outcome;
        let limit = args.time.as_secs_f64();
        let in_time = cpu_seconds.unwrap_or(seconds) <= limit * 1.01;
        let decided = status.is_decided() && in_time;
        Row {
            engine: engine.into(),
            set: set.into(),
            id: item.id.clone(),
            status: if decided || !status.is_decided() { status.name() } else { "timeout" },
            decided,
            length,
            recorded: item.recorded,
            nodes,
            seconds,
            cpu_seconds,
            hash_mib: args.hash,
            limit,
            remark,
            is_mate: decided.then_some(status == Status::Mate),
        }
    }

    /// The seconds that count.
    fn counted(&self) -> f64 {
        let seconds = self.cpu_seconds.unwrap_or(self.seconds).min(self.limit);
        if self.decided { seconds } else { self.limit }
    }

    /// A line of a table.
    fn tsv(&self) -> String {
        let Row { engine, set, id, hash_mib, limit, status, seconds, .. } = self;
        let text = |value: Option<String>| value.unwrap_or_default();
        let clean = |text: &str| text.replace(['\t', '\n', '\r'], " ");
        [
            clean(engine),
            clean(set),
            clean(id),
            hash_mib.to_string(),
            limit.to_string(),
            (*status).to_owned(),
            format!("{seconds:.3}"),
            text(self.nodes.map(|nodes| nodes.to_string())),
            text(self.length.map(|length| length.to_string())),
            text(self.recorded.map(|length| length.to_string())),
            text(self.cpu_seconds.map(|seconds| format!("{seconds:.2}"))),
        ]
        .join("\t")
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |length: Option<String>| length.unwrap_or_else(|| "-".into());
        let length = text(self.length.map(|length| length.to_string()));
        let recorded = text(self.recorded.map(|length| length.to_string()));
        let nodes = text(self.nodes.map(|nodes| nodes.to_string()));
        let seconds = self.cpu_seconds.unwrap_or(self.seconds);
        write!(
            f,
            "{} {:<8} {length:>6} /{recorded:>5} {nodes:>11} nodes {seconds:>8.2} s",
            columns::pad(&self.id, 16),
            self.status,
        )?;
        match &self.remark {
            Some(remark) => write!(f, "  {remark}"),
            None => Ok(()),
        }
    }
}

/// What became of a set.
#[derive(Serialize)]
struct Total {
    engine: String,
    set: String,
    problems: usize,
    decided: usize,
    mates: usize,
    no_mates: usize,
    /// Lines of the recorded length.
    as_recorded: usize,
    /// Problems at which the engine hung, died or answered garbage.
    faults: usize,
    /// Mates whose line does not end in mate.
    lines_cut: usize,
    /// Seconds of that clock, with the limit for what is not decided.
    seconds: f64,
    /// `processor` or `wall`.
    clock: &'static str,
    limit: f64,
    nodes: u64,
    /// Problems that could not be read.
    bad: usize,
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Total { engine, set, problems, decided, no_mates, as_recorded, .. } = self;
        write!(
            f,
            "{set}: {engine}: {decided}/{problems} decided in {:.1} s ({} s for each that is not), \
             {no_mates} without a mate, {as_recorded} lengths as recorded, {} nodes; {} time",
            self.seconds,
            self.limit,
            display::count(self.nodes),
            self.clock,
        )?;
        for (count, what) in [
            (self.faults, "faults of the engine"),
            (self.lines_cut, "lines that do not end in mate"),
        ] {
            if count > 0 {
                write!(f, "; {count} {what}")?;
            }
        }
        Ok(())
    }
}

/// This run and another one, over the problems that are in both.
#[derive(Serialize)]
struct Comparison {
    against: String,
    problems: usize,
    decided: usize,
    seconds: f64,
    their_decided: usize,
    their_seconds: f64,
    /// Our seconds by theirs.
    ratio: Option<f64>,
    /// Problems with a mate for one and none for the other.
    contradictions: Vec<String>,
}

impl Comparison {
    /// Compares with the figures that `find` gives.
    fn new(
        against: &str,
        rows: &[Row],
        find: impl Fn(&Row) -> Option<table::Figure>,
    ) -> Comparison {
        let mut sum = Comparison {
            against: against.into(),
            problems: 0,
            decided: 0,
            seconds: 0.0,
            their_decided: 0,
            their_seconds: 0.0,
            ratio: None,
            contradictions: Vec::new(),
        };
        for row in rows {
            let Some(theirs) = find(row) else { continue };
            sum.problems += 1;
            sum.decided += usize::from(row.decided);
            sum.seconds += row.counted();
            let in_time = theirs.is_mate.is_some() && theirs.seconds <= row.limit * 1.01;
            sum.their_decided += usize::from(in_time);
            sum.their_seconds += if in_time { theirs.seconds.min(row.limit) } else { row.limit };
            if let (Some(ours), Some(theirs)) = (row.is_mate, theirs.is_mate)
                && ours != theirs
            {
                let word = |is_mate: bool| if is_mate { "mate" } else { "no mate" };
                let (id, ours, theirs) = (&row.id, word(ours), word(theirs));
                sum.contradictions.push(format!("{id}: {ours} here, {theirs} there"));
            }
        }
        sum.ratio = (sum.their_seconds > 0.0).then(|| sum.seconds / sum.their_seconds);
        sum
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Comparison { against, problems, decided, seconds, .. } = self;
        let (their_decided, their_seconds) = (self.their_decided, self.their_seconds);
        if *problems == 0 {
            return write!(f, "against {against}: no problem is in both");
        }
        write!(
            f,
            "against {against}: {decided}/{problems} decided in {seconds:.1} s, there \
             {their_decided}/{problems} in {their_seconds:.1} s"
        )?;
        if let Some(ratio) = self.ratio {
            write!(f, ": {ratio:.2} of it")?;
        }
        for contradiction in &self.contradictions {
            write!(f, "\n  ANOTHER VERDICT  {contradiction}")?;
        }
        Ok(())
    }
}

pub fn run(args: &Args) -> Result<Exit> {
    let player = player(args)?;
    let program = player.program.file_stem().unwrap_or_default().to_string_lossy();
    let name = args.name.clone().unwrap_or_else(|| program.into_owned());
    let mut others = Vec::new();
    for path in &args.against {
        others.extend(table::read(path)?);
    }
    let sets = sets(args)?;
    let stop = stop_on_interrupt()?;
    let mut bench =
        Bench { args, player, name, others, rows: Vec::new(), missing: BTreeSet::new() };
    let mut out = io::stdout().lock();
    if args.tsv {
        writeln!(out, "{NAMES}")?;
    }
    let mut exit = Exit::Done;
    for (set, items) in &sets {
        let total = bench.run_set(set, items, &stop, &mut out)?;
        bench.summary("bench-usi-total", &total, &mut out)?;
        exit = exit.max(if total.bad > 0 { Exit::Bad } else { Exit::Done });
        exit = exit.max(if total.decided < total.problems { Exit::Unknown } else { Exit::Done });
        if stop.is_raised() {
            terminal::stopped(&"what was measured so far is above");
            exit = exit.max(Exit::Unknown);
            break;
        }
    }
    for comparison in bench.comparisons() {
        bench.summary("bench-usi-comparison", &comparison, &mut out)?;
        let is_contradicted = !comparison.contradictions.is_empty();
        exit = exit.max(if is_contradicted { Exit::Unknown } else { Exit::Done });
    }
    Ok(exit)
}

/// How the engine is started. An error if there is none.
fn player(args: &Args) -> Result<Player> {
    let mut words = split_words(&args.engine).context("--engine")?.into_iter();
    let Some(program) = words.next() else { bail!("--engine: the command is empty") };
    let Some(found) = find_program(&program) else {
        bail!("--engine: there is no program {program}: give its full path, or mend PATH");
    };
    if args.go.contains(['\n', '\r']) {
        bail!("--go is one line");
    }
    let hash = ("USI_Hash".to_owned(), args.hash.to_string());
    Ok(Player {
        program: found,
        arguments: words.collect(),
        options: [hash].into_iter().chain(args.option.iter().cloned()).collect(),
        go: format!("go {}", args.go.trim()),
        time: args.time,
        wall: args.wall.unwrap_or(args.time.saturating_mul(10)),
        patience: args.patience,
    })
}

/// The problems, set by set.
fn sets(args: &Args) -> Result<Vec<(String, Vec<Item>)>> {
    let names: Vec<&str> = match args.sets.is_empty() && args.file.is_empty() {
        true => vec!["zuko", "muso"],
        false => args.sets.iter().map(String::as_str).collect(),
    };
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut sets = Vec::new();
    for set in names {
        sets.extend(tsume::find(set)?.map(|items| (stem(Path::new(set)), items)));
    }
    for path in &args.file {
        let items = input::collect(&[], std::slice::from_ref(path), games::find("shogi"))?;
        sets.push((stem(path), items));
    }
    let mut names = HashSet::new();
    for (name, _) in &mut sets {
        *name = input::unlike(std::mem::take(name), &mut names);
    }
    Ok(sets)
}

/// A run.
struct Bench<'a> {
    args: &'a Args,
    player: Player,
    /// What the engine is called.
    name: String,
    others: Vec<Run>,
    rows: Vec<Row>,
    /// Options that the engine does not have; that was said.
    missing: BTreeSet<String>,
}

impl Bench<'_> {
    fn run_set(
        &mut self,
        set: &str,
        items: &[Item],
        stop: &Stop,
        out: &mut impl Write,
    ) -> Result<Total> {
        let args = self.args;
        let mut total = Total {
            engine: self.name.clone(),
            set: set.into(),
            problems: 0,
            decided: 0,
            mates: 0,
            no_mates: 0,
            as_recorded: 0,
            faults: 0,
            lines_cut: 0,
            seconds: 0.0,
            clock: "processor",
            limit: args.time.as_secs_f64(),
            nodes: 0,
            bad: 0,
        };
        let step = usize::try_from(args.step)?;
        let all = items.len().div_ceil(step);
        for (number, item) in items.iter().step_by(step).enumerate() {
            let read = item.read(shogi::read).map_err(|error| anyhow!(error));
            let position = match read {
                Ok((record, format)) => shogi::position(&record, format),
                Err(error) => {
                    terminal::complain(&format!("{error:#}"));
                    total.bad += 1;
                    continue;
                }
            };
            let bar = Bar::spinning(args.quiet, &format!("{set} {}/{all} {}", number + 1, item.id));
            let outcome = self.player.ask(&position, stop)?;
            drop(bar);
            // Ctrl-C says nothing of the problem at hand.
            let Some(mut outcome) = outcome else { break };
            for option in std::mem::take(&mut outcome.unknown_options) {
                if self.missing.insert(option.clone()) {
                    terminal::note(&format!("{} does not announce an option {option}", self.name));
                }
            }
            total.faults += usize::from(outcome.status.is_fault());
            if let Some(remark) = outcome.remark.as_ref().filter(|_| outcome.status.is_fault()) {
                terminal::tell(&format!(
                    "{}: {} {}: {remark}",
                    item.id,
                    self.name,
                    outcome.status.name()
                ));
            }
            let row = Row::new(args, &self.name, set, item, outcome);
            total.add(&row);
            self.print(&row, out)?;
            self.rows.push(row);
        }
        Ok(total)
    }

    /// One problem.
    fn print(&self, row: &Row, out: &mut impl Write) -> Result<()> {
        if self.args.json {
            json::line(out, "bench-usi", row)?;
        } else if self.args.tsv {
            writeln!(out, "{}", row.tsv())?;
        } else if !self.args.quiet {
            write!(out, "{row}")?;
            for run in &self.others {
                if let Some(theirs) = run.figure(&row.set, &row.id) {
                    let word = match theirs.is_mate {
                        Some(true) => "mate",
                        Some(false) => "no mate",
                        None => "-",
                    };
                    write!(out, "  [{} {word} {:.2} s]", run.name, theirs.seconds)?;
                }
            }
            writeln!(out)?;
        }
        out.flush()?;
        Ok(())
    }

    /// A total or a comparison.
    fn summary(
        &self,
        kind: &str,
        sum: &(impl fmt::Display + Serialize),
        out: &mut impl Write,
    ) -> Result<()> {
        if self.args.json {
            json::line(out, kind, sum)?;
        } else if self.args.tsv {
            terminal::tell(&sum);
        } else {
            writeln!(out, "{sum}")?;
        }
        Ok(())
    }

    /// With each other run, and with the best of them on each problem.
    fn comparisons(&self) -> Vec<Comparison> {
        let with =
            |run: &Run| Comparison::new(&run.name, &self.rows, |row| run.figure(&row.set, &row.id));
        let mut all: Vec<Comparison> = self.others.iter().map(with).collect();
        if self.others.len() > 1 {
            let best = |row: &Row| {
                let theirs = self.others.iter().filter_map(|run| run.figure(&row.set, &row.id));
                let key = |figure: &table::Figure| {
                    if figure.is_mate.is_some() { figure.seconds } else { f64::INFINITY }
                };
                theirs.min_by(|a, b| key(a).total_cmp(&key(b)))
            };
            let name = format!("the best of these {} on each problem", self.others.len());
            let mut best = Comparison::new(&name, &self.rows, best);
            // They were told above.
            best.contradictions.clear();
            all.push(best);
        }
        all
    }
}

impl Total {
    fn add(&mut self, row: &Row) {
        self.problems += 1;
        self.decided += usize::from(row.decided);
        self.mates += usize::from(row.is_mate == Some(true));
        self.no_mates += usize::from(row.is_mate == Some(false));
        let recorded = row.recorded.map(usize::from);
        self.as_recorded +=
            usize::from(row.decided && recorded.is_some() && row.length == recorded);
        self.lines_cut += usize::from(row.is_mate == Some(true) && row.remark.is_some());
        self.seconds += row.counted();
        self.nodes += row.nodes.unwrap_or(0);
        if row.cpu_seconds.is_none() && row.seconds > 0.0 {
            self.clock = "wall";
        }
    }
}
