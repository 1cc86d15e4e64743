//! `yomikiri bench tsume`: sets of tsume-shogi against the clock.
//!
//! Counted as the figures of other programs are: processor seconds of the search, a fresh table for
//! every problem, and the whole limit for what is not decided within it. Where several agents
//! search, seconds are those that pass. Problems are shared out among jobs, which changes neither
//! nodes nor lines as long as a job's table is as large; jobs that wait for the same memory take
//! more seconds each, so figures that are to be compared are made with one.

mod rows;

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use andor::certificate;
use andor::{Algorithm, Assignment, Pulse, Scheme, Stop, Verdict};
use anyhow::{Context, Result, anyhow, bail};
use yomikiri_files as files;
use yomikiri_question::algorithms::{ALGORITHMS, Changes, Entry, Traits};
use yomikiri_question::attempt::attempt;
use yomikiri_question::games::{self, AnyProblem, shogi};
use yomikiri_question::lang::Text;
use yomikiri_question::team_options::{self, Options, Team};
use yomikiri_tsume::{Answer, Event, Futile, Length, Mate, MateLimits, settings};

use crate::batch::{Batch, listed};
use crate::commands::Exit;
use crate::commands::jobs::{Desk, JobsArgs, Share};
use crate::commands::options::{FutileName, parse_hash, parse_time};
use crate::commands::team::TeamArgs;
use crate::input::{self, Item};
use crate::interrupt::stop_on_interrupt;
use crate::json;
use crate::progress::Bar;
use crate::{cpu, memory, terminal};
use rows::{Row, Total};

/// Options of `bench tsume`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri bench tsume                       zuko and muso, ten seconds a problem
  yomikiri bench tsume --suite strength      our own hard problems, carried in the program
  yomikiri bench tsume --suite strength --shortest --certify
  yomikiri bench tsume short --shortest      every length is to be exact
  yomikiri bench tsume my-problems.tsv --time 60 --json
  yomikiri bench tsume zuko muso --jobs 1    one after the other, for figures to compare
  yomikiri bench tsume zuko --threads 8 --certify
  yomikiri bench tsume zuko --scheme mps --pseudo-threads 4
  yomikiri bench tsume zuko --scheme 'pmps:L,S|S,S'

A set is a file (SFEN, id and recorded length between tabs, one problem a line) or a name: zuko,
muso, long, short. Those are looked for in $YOMIKIRI_PROBLEMS, then in ../shared/problems, and
skipped where they are not found. A suite is carried in the program, so everybody measures the same:
strength has problems of 31 plies and more whose lengths are exact and certified (other solutions are
possible), own has 500 short ones with one solution each.

Seconds are those of the processor where the system tells them; with --threads or --scheme those that
pass. What is not decided within the limit counts as the whole limit. Several jobs share --hash, and
each is slower than one alone: the last line of a set says how many there were. Exit code: 0 if everything is
decided, 1 if not, 2 on bad input or a certificate that is rejected.")]
pub struct Args {
    /// Sets: names or files [default: zuko and muso, unless there is a --suite]
    #[arg(value_name = "SET")]
    sets: Vec<String>,

    /// A suite that the program carries, before the sets
    #[arg(long, value_name = "NAME")]
    suite: Option<SuiteName>,

    /// Seconds for each problem
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_time)]
    time: Duration,

    /// Memory for the tables, in MiB: of all --jobs together
    #[arg(long, value_name = "MIB", default_value = "1024", value_parser = parse_hash)]
    hash: usize,

    #[command(flatten)]
    jobs: JobsArgs,

    /// Take every n-th problem only
    #[arg(long, value_name = "N", default_value = "1",
        value_parser = clap::value_parser!(u32).range(1..))]
    step: u32,

    /// Go on to the shortest mate; otherwise the first one ends it
    #[arg(long)]
    shortest: bool,

    /// Do interpositions in vain (無駄合い) count? [default: not if --shortest]
    #[arg(long, value_name = "RULE")]
    futile: Option<FutileName>,

    /// Write a certificate of every verdict and check it, in memory and not in the time
    #[arg(long)]
    certify: bool,

    /// How several agents search: virtual, mps, pincers, pmps or pmps:ASSIGNMENT [default: virtual
    /// if there are --threads]
    #[arg(long, value_name = "NAME", value_parser = parse_scheme)]
    scheme: Option<SchemeName>,

    /// One JSON object a problem, and one a set
    #[arg(long)]
    json: bool,

    /// No progress bar, and only the totals
    #[arg(long, short)]
    quiet: bool,

    // Last, for its heading holds for all that comes after.
    #[command(flatten)]
    team: TeamArgs,
}

/// Problems of our own making.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum SuiteName {
    /// Hard ones, for changes of the search
    Strength,
    /// The 500 of the signature
    Own,
}

impl SuiteName {
    fn items(self) -> (&'static str, Vec<Item>) {
        let (name, table) = match self {
            SuiteName::Strength => ("strength", yomikiri_tsume::STRENGTH_PROBLEMS),
            SuiteName::Own => ("own", yomikiri_tsume::OWN_PROBLEMS),
        };
        (name, input::carried(name, table))
    }
}

/// A scheme that was named.
#[derive(Clone, Copy)]
struct SchemeName {
    algorithm: &'static str,
    assignment: Option<Assignment>,
}

fn parse_scheme(text: &str) -> Result<SchemeName, Text> {
    let (name, assignment) = match text.split_once(':') {
        Some(("pmps", text)) => ("pmps", Some(team_options::parse_assignment(text)?)),
        _ => (text, None),
    };
    let always = |entry: &&Entry| !matches!(entry.team, Team::Alone | Team::Threads);
    let names = || ALGORITHMS.iter().filter(always).map(|entry| entry.name);
    match names().find(|&known| known == name) {
        Some(algorithm) => Ok(SchemeName { algorithm, assignment }),
        None => {
            let names = names().collect::<Vec<_>>().join(", ");
            Err(format!("expected one of {names}").into())
        }
    }
}

impl Args {
    /// How several agents search, if there are several.
    fn scheme(&self) -> Result<Option<Scheme>> {
        let mut team = Options::from(self.team);
        let assignment = self.scheme.and_then(|scheme| scheme.assignment);
        if assignment.is_some() && team.assignment.is_some() {
            bail!("--assignment is given twice, once in --scheme");
        }
        team.assignment = assignment.or(team.assignment);
        let name = self.scheme.map_or(ALGORITHMS[0].name, |scheme| scheme.algorithm);
        let entry = Entry::find(name).context("unknown algorithm")?;
        let changes = Changes { team, ..Changes::default() };
        match entry.settings(&Traits::default(), &changes)? {
            Algorithm::Team(_, scheme) => Ok(Some(scheme)),
            Algorithm::Dfpn(_) | Algorithm::Pn(_) => Ok(None),
        }
    }
}

pub fn run(args: &Args) -> Result<Exit> {
    let scheme = args.scheme()?;
    memory::check(args.hash)?;
    let stop = stop_on_interrupt()?;
    let mut out = io::stdout().lock();
    let mut exit = Exit::Done;
    let mut totals: Vec<Total<'_>> = Vec::new();
    let mut sets = Vec::from_iter(args.suite.map(SuiteName::items));
    let usual = ["zuko", "muso"].into_iter().filter(|_| args.sets.is_empty() && sets.is_empty());
    for set in args.sets.iter().map(String::as_str).chain(usual.collect::<Vec<_>>()) {
        sets.extend(find(set)?.map(|items| (set, items)));
    }
    for (set, items) in &sets {
        let total = run_set(args, scheme, set, items, &stop, &mut out)?;
        if !args.json {
            writeln!(out, "{total}")?;
        } else {
            json::line(&mut out, "bench-tsume-total", &total)?;
        }
        exit = exit.max(if total.bad + total.rejected > 0 { Exit::Bad } else { Exit::Done });
        exit = exit.max(if total.decided < total.problems { Exit::Unknown } else { Exit::Done });
        totals.push(total);
        if stop.is_raised() {
            terminal::stopped(&"what was measured so far is above");
            return Ok(exit.max(Exit::Unknown));
        }
    }
    if totals.len() > 1 && !args.json {
        let seconds: f64 = totals.iter().map(|total| total.seconds).sum();
        let (decided, problems) =
            totals.iter().fold((0, 0), |(a, b), total| (a + total.decided, b + total.problems));
        writeln!(out, "total: {decided}/{problems} decided in {seconds:.1} s")?;
    }
    Ok(exit)
}

/// The problems of a set; none if it is a name and the sets are not here.
pub fn find(set: &str) -> Result<Option<Vec<Item>>> {
    const NAMES: [&str; 4] = ["zuko", "muso", "long", "short"];
    let path = Path::new(set);
    if !NAMES.contains(&set) {
        if !path.is_file() && !files::is_standard(path) {
            bail!("'{set}' is neither a file nor one of {}", NAMES.join(", "));
        }
        return input::collect(&[], &[path.to_owned()], games::find("shogi")).map(Some);
    }
    let file = format!("{set}.tsv");
    if yomikiri_problems::read(&file).is_none() {
        return Ok(None);
    }
    let path = yomikiri_problems::folder().map(|folder| folder.join(file));
    let path = path.context("the problem sets have gone")?;
    input::collect(&[], &[path], games::find("shogi")).map(Some)
}

fn run_set<'a: 'b, 'b>(
    args: &Args,
    scheme: Option<Scheme>,
    set: &'a str,
    items: &'b [Item],
    stop: &Stop,
    out: &mut impl Write,
) -> Result<Total<'a>> {
    let name = Path::new(set).file_stem().and_then(|stem| stem.to_str()).unwrap_or(set);
    let limit = args.time.as_secs_f64();
    let items: Vec<(usize, &Item)> =
        items.iter().step_by(usize::try_from(args.step)?).enumerate().collect();
    let threads = scheme.map_or(1, |scheme| scheme.threads());
    let share = args.jobs.share(items.len(), threads, args.hash).map_err(|error| anyhow!(error))?;
    let mut total = Total {
        set: name,
        problems: 0,
        decided: 0,
        mates: 0,
        no_mates: 0,
        as_recorded: 0,
        seconds: 0.0,
        clock: if scheme.is_some() { "wall" } else { "processor" },
        threads,
        scheme: scheme.map(|scheme| team_options::words(&scheme)),
        jobs: share.jobs,
        hash_mib: share.hash >> 20,
        limit,
        nodes: 0,
        nodes_decided: 0,
        nodes_per_second: 0.0,
        peak_memory_mib: None,
        bad: 0,
        accepted: args.certify.then_some(0),
        rejected: 0,
    };
    let mut searched = 0.0;
    let all = items.len();
    let mut left_out = Vec::new();
    let job = Job { args, scheme, set: name, share, stop };
    let work = |desk: &mut Desk, &(number, item): &(usize, &'b Item)| {
        job.solve(desk, item, &format!("{name} {}/{all} {}", number + 1, item.id))
    };
    let deliver = |&(_, item): &(usize, &'b Item), done: Result<Done<'b>>| -> Result<()> {
        let Done { row, complaints } = match done {
            Ok(done) => done,
            Err(error) => {
                terminal::complain(&format!("{error:#}"));
                total.bad += 1;
                return Ok(());
            }
        };
        for complaint in complaints {
            terminal::complain(&complaint);
        }
        // Ctrl-C says nothing of the problem at hand.
        if stop.is_raised() && !row.decided {
            left_out.push(item.id.as_str());
            return Ok(());
        }
        total.problems += 1;
        total.nodes += row.nodes;
        searched += row.counted();
        if row.decided {
            total.decided += 1;
            total.nodes_decided += row.nodes;
            total.seconds += row.counted().min(limit);
        } else {
            total.seconds += limit;
        }
        total.mates += usize::from(row.verdict == Verdict::Proven);
        total.no_mates += usize::from(row.verdict == Verdict::Disproven);
        total.as_recorded += usize::from(row.is_as_recorded());
        if let Some(accepted) = &mut total.accepted {
            *accepted += row.accepted.unwrap_or(0);
        }
        total.rejected += row.rejected.unwrap_or(0);
        if args.json {
            json::line(out, "bench-tsume", &row)?;
        } else if !args.quiet {
            writeln!(out, "{row}")?;
        }
        Ok(())
    };
    let batch = Batch { jobs: share.jobs, stop, quiet: args.quiet };
    let begun = batch.run(&items, |(_, item)| item.id.clone(), Desk::default, work, deliver)?;
    left_out.extend(items[begun..].iter().map(|(_, item)| item.id.as_str()));
    if !left_out.is_empty() {
        let names = listed(&left_out);
        terminal::stopped(&format!("{} problems were not measured: {names}", left_out.len()));
    }
    total.nodes_per_second = if searched > 0.0 { total.nodes as f64 / searched } else { 0.0 };
    total.peak_memory_mib = memory::peak_mib();
    Ok(total)
}

/// How the problems of a set are searched.
struct Job<'a, 'b> {
    args: &'b Args,
    scheme: Option<Scheme>,
    set: &'a str,
    share: Share,
    stop: &'b Stop,
}

/// A problem that was searched, and what is to be said of its certificates.
struct Done<'a> {
    row: Row<'a>,
    complaints: Vec<String>,
}

impl<'a> Job<'a, '_> {
    fn solve(&self, desk: &mut Desk, item: &'a Item, place: &str) -> Result<Done<'a>> {
        let Job { args, scheme, set, share, stop } = *self;
        // Of several jobs there is one bar for all.
        let quiet = args.quiet || share.jobs > 1;
        let default = if args.shortest { Futile::NotCounted } else { Futile::Counted };
        let futile = args.futile.map_or(default, Futile::from);
        let goal = shogi::goal(futile, None);
        let any = item.parse(games::find("shogi"), Some(&goal)).map_err(|error| anyhow!(error))?;
        let AnyProblem::Shogi(problem) = any else { bail!("{} is no problem of shogi", item.id) };
        let table =
            desk.table(share.hash).with_context(|| format!("--hash {}", args.hash >> 20))?;
        let limits = MateLimits {
            length: if args.shortest { Length::Shortest } else { Length::First },
            ..MateLimits::default()
        };
        // What a short try decides would wait for the memory of a large table far longer than for the
        // search. The try is part of the preparation: its table is not the one that is measured.
        let tried = attempt(&problem.tsume(), settings::dfpn(), &limits);
        if !tried.is_some_and(|tried| tried.is_final) {
            table.make_real();
        }
        let mut bar = Bar::new(quiet, place);
        // The thread that asks several agents sleeps meanwhile.
        let clock = if scheme.is_some() { cpu::Clock::start_wall() } else { cpu::Clock::start() };
        let mut looked = Instant::now();
        // Raised by the clock; Ctrl-C raises the other.
        let over = Stop::new();
        let limits = MateLimits {
            stop: over.clone(),
            // A safeguard where the processor is busy with others.
            time: Some(args.time * 4),
            ..limits
        };
        let mut watch = |event: Event<'_>| {
            let Event::Progress(progress) = event else { return };
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
                bar.show_mate(progress, &problem.position);
            }
        };
        let mate = Mate::new(table).with_scheme(scheme);
        let answer = mate.solve_watched(&problem.tsume(), &limits, &mut watch);
        let counted = clock.elapsed().as_secs_f64();
        drop(bar);
        let mut row = Row::new((set, item), &answer, counted, args.time, args.shortest);
        row.hash_mib = share.hash >> 20;
        let mut complaints = Vec::new();
        row.threads = scheme.map_or(1, |scheme| scheme.threads());
        if let Some(scheme) = scheme {
            row.cpu_seconds = None;
            row.seconds = counted;
            row.scheme = Some(team_options::words(&scheme));
        }
        if args.certify {
            let _bar = Bar::spinning(quiet, &format!("{place}: certificates"));
            let accepted;
            (accepted, complaints) = certify(&mate, &answer, item, stop);
            (row.accepted, row.rejected) = (Some(accepted), Some(complaints.len()));
        }
        Ok(Done { row, complaints })
    }
}

/// Writes certificates of all that an answer claims, and checks them. Gives how many were accepted,
/// and a complaint for each that was not.
fn certify(mate: &Mate<'_>, answer: &Answer, item: &Item, stop: &Stop) -> (usize, Vec<String>) {
    let (mut accepted, mut complaints) = (0, Vec::new());
    for claim in answer.claims() {
        let mut file = Vec::new();
        let written = mate.certify(&claim, stop, &mut file).map_err(anyhow::Error::from);
        let result = written.and_then(|_| {
            let pulse = Pulse::new(stop.clone());
            Ok(certificate::check_within(claim.by_ref(), &pulse, &mut file.as_slice())?)
        });
        match result {
            Ok(_) => accepted += 1,
            Err(_) if stop.is_raised() => break,
            Err(error) => {
                let id = &item.id;
                complaints.push(format!("{id}: the certificate is not accepted: {error:#}"));
            }
        }
    }
    (accepted, complaints)
}
