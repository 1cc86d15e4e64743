//! `yomikiri lab`: the experiments of the papers.

use std::cell::Cell;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use andor::{Cover, Virtual};
use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use yomikiri_cluster::Game as Played;
use yomikiri_files as files;
use yomikiri_lab::deep::{self, Game};
use yomikiri_lab::problems::{Base, Common};
use yomikiri_lab::{Error, folder, parallel, paths, pgpp, pmps, ranks};
use yomikiri_question::team_options::parse_virtual;

use super::Exit;
use super::cluster::{own_engine, parse_option, read_ranks};
use super::options::{parse_hash, parse_nodes, parse_time};
use crate::interrupt::stop_on_interrupt;
use crate::json;
use crate::progress;

/// Options of `lab`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri lab deep --quick
  yomikiri lab paths --quick --out /tmp/paths
  yomikiri lab pgpp --quick

Each experiment writes tables and figures to a folder. Without --quick it takes hours.")]
pub struct Args {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(clap::Subcommand)]
enum Experiment {
    /// DeepPN in Othello and Hex: Fig. 3 to 6 of Ishitobi et al. (2015)
    Deep(DeepArgs),
    /// Df-pn on many threads: Table 1 and Fig. 5 to 7 of Kaneko (2010)
    Parallel(ParallelArgs),
    /// Multiple-paths search on one processor: Tables 2 to 4, Fig. 5 to 7 of Takano et al. (2009)
    Paths(PathsArgs),
    /// Multiple-paths search on several processors: Tables 4 to 6, Fig. 4 of Takano et al.
    Pmps(PmpsArgs),
    /// Many engines as one, in virtual time: Fig. 4a and 4b of Yokoyama et al. (2015)
    Pgpp(PgppArgs),
    /// Which rank the moves played in games have: Table 2 of Yokoyama et al. (2015)
    Ranks(RanksArgs),
}

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri lab deep --quick --out /tmp/deep
  yomikiri lab deep --threads 16 --only othello

Writes CSV, SVG and summary.txt to the folder. Every search is recorded at once in raw.csv; a run that
was ended (Ctrl-C keeps what was found) goes on from there when the command is given again, with the
same build of this program: results of two builds are not mixed.")]
struct DeepArgs {
    /// Few positions and few values of R: about a minute
    #[arg(long)]
    quick: bool,
    /// Searches at a time [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// The folder for the results [default: lab/results/deep, or lab/quick/deep if quick]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How many Othello positions [default: 1000, or 20 if quick]
    #[arg(long, value_name = "N")]
    positions: Option<u32>,
    /// How many random move orders in Hex [default: 10, or 1 if quick]
    #[arg(long, value_name = "N")]
    orders: Option<u32>,
    /// One game only: othello or hex
    #[arg(long, value_name = "GAME")]
    only: Option<Game>,
}

/// Options of the experiments on parallel search.
#[derive(clap::Args)]
struct ProblemArgs {
    /// A tenth of the problems and small limits: about a minute
    #[arg(long)]
    quick: bool,
    /// The folder for the results [default: lab/results/ or, if quick, lab/quick/
    /// and the experiment's name]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How often each search is run: mean and deviation
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    runs: Option<u32>,
    /// Memory for the table of a search, in MiB
    #[arg(long, value_name = "MIB", value_parser = parse_hash)]
    hash: Option<usize>,
    /// Nodes after which a search is given up
    #[arg(long, value_name = "N", value_parser = parse_nodes)]
    nodes: Option<u64>,
    /// Seconds after which a search is given up
    #[arg(long, value_name = "SECONDS", value_parser = parse_time)]
    time: Option<Duration>,
}

impl ProblemArgs {
    /// Puts what was given in the place of the defaults.
    fn apply(&self, common: &mut Common) -> Result<()> {
        common.stop = stop_on_interrupt()?;
        common.out = self.out.clone().unwrap_or_else(|| common.out.clone());
        common.runs = self.runs.unwrap_or(common.runs);
        common.hash = self.hash.unwrap_or(common.hash);
        common.limits.nodes = self.nodes.or(common.limits.nodes);
        common.limits.time = self.time.or(common.limits.time);
        Ok(())
    }

    fn place<'a>(&self, common: &'a Common) -> Place<'a> {
        Place { out: &common.out, is_for_a_look: self.quick && self.out.is_none() }
    }
}

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri lab parallel --quick --out /tmp/parallel
  yomikiri lab parallel --runs 3                     Table 1 in full, beside the paper's
  yomikiri lab parallel --only hard --turns 100      node overhead, repeatable, on one core

The sets zuko, muso and long are looked for in $YOMIKIRI_PROBLEMS, then in ../shared/problems. A
sequential search is given up at --nodes (40M) or --time (60 s), whichever comes first, and at four
times that with several agents. Seconds need a quiet machine. A run that was ended while several agents
search prints the part of Table 1 that is complete.

Writes CSV, SVG and summary.txt to the folder. Every search is recorded at once in raw.csv; a run that
was ended (Ctrl-C keeps what was found) goes on from there when the command is given again, with the
same build of this program on the same machine: results of two are not mixed.")]
struct ParallelArgs {
    #[command(flatten)]
    problem_args: ProblemArgs,
    /// How many agents, 1 to 64 [default: 1,2,4,8,16, or 1,2,4 if quick]
    #[arg(long, value_name = "N,N,...", value_delimiter = ',')]
    threads_list: Vec<usize>,
    /// How much another agent below a move counts, or `paper`: 1, in thresholds and stored numbers
    /// too [default: 1 in shogi, 8 elsewhere]
    #[arg(long, value_name = "T", value_parser = parse_virtual)]
    r#virtual: Option<Virtual>,
    /// Agents take turns of N nodes on one thread: nodes are exact, seconds ideal
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    turns: Option<u64>,
    /// Searches at a time, with --turns
    #[arg(long, value_name = "N", default_value = "1", requires = "turns")]
    at_once: usize,
    /// One set only
    #[arg(long, value_name = "SET", value_parser = ["hard", "zuko", "muso"])]
    only: Option<String>,
    /// Only the problems named in this file, one a line
    #[arg(long, value_name = "FILE", conflicts_with = "only")]
    problems: Option<PathBuf>,
    /// Df-pn+ only, not df-pn without H and Cost
    #[arg(long)]
    only_plus: bool,
    /// Cost as in the paper: of a check that gives a piece away, not of a promotion forgone
    #[arg(long, conflicts_with = "game")]
    sacrifice: bool,
    /// Two large problems of another game instead of tsume-shogi
    #[arg(long, value_name = "GAME", conflicts_with_all = ["only", "problems"])]
    game: Option<GameName>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum GameName {
    /// Openings of Hex 7×7, without certificates
    Hex,
    /// Endgames of Othello
    Othello,
}

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri lab paths --quick --out /tmp/paths
  yomikiri lab paths --base paper --threads 16 --nodes 20M --out lab/results/paths-paper
  yomikiri lab paths --covers branch --quanta 1000 --pseudo-threads 8 --step 4
  timeout -s INT 600 yomikiri lab paths --threads 16      for ten minutes; again to go on

The sets muso and zuko are looked for in $YOMIKIRI_PROBLEMS, then in ../shared/problems. Both arms of
the comparison use the same df-pn: ours, or a plainer one (--base). A search is given up at --nodes
(20M). Nodes are the same in every run, so several searches may run at a time.

Writes CSV, SVG and summary.txt to the folder. Every search is recorded at once in raw.csv; a run that
was ended (Ctrl-C keeps what was found) goes on from there when the command is given again, with the
same build of this program on the same machine: results of two are not mixed.")]
struct PathsArgs {
    #[command(flatten)]
    problem_args: ProblemArgs,
    /// The df-pn of both arms: dfpn, no-evaluation (neither H nor Cost), no-first-numbers (Cost alone),
    /// no-costs (H alone), no-heuristics, plain, plain-no-control, plain-no-dominance or paper (plain
    /// without either)
    #[arg(long, value_name = "BASE", default_value = "dfpn")]
    base: Base,
    /// Nodes of the leader's turn [default: 100,1000,10000]
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', value_parser = parse_nodes)]
    quanta: Vec<u64>,
    /// Leader and workers together [default: 4,8]
    #[arg(long, value_name = "K,K,...", value_delimiter = ',',
        value_parser = clap::value_parser!(u8).range(1..=64))]
    pseudo_threads: Vec<u8>,
    /// How far a worker searches a child (see `solve --help`) [default: least,branch,solved]
    #[arg(long, value_name = "COVER,...", value_delimiter = ',')]
    covers: Vec<Cover>,
    /// One problem in N
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    step: u32,
    /// Searches at a time
    #[arg(long, value_name = "N", default_value = "1")]
    threads: usize,
}

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri lab pmps --quick --out /tmp/pmps
  taskset -c 0,1 yomikiri lab pmps --base plain --runs 5      two processors, as in the paper

The set muso is looked for in $YOMIKIRI_PROBLEMS, then in ../shared/problems. A search is given up at
--time (60 s). What counts is wall time: one search at a time, on a quiet machine.

Writes CSV, SVG and summary.txt to the folder. Every search is recorded at once in raw.csv; a run that
was ended (Ctrl-C keeps what was found) goes on from there when the command is given again, with the
same build of this program on the same machine: results of two are not mixed.")]
struct PmpsArgs {
    #[command(flatten)]
    problem_args: ProblemArgs,
    /// The df-pn of all arms: dfpn, no-evaluation (neither H nor Cost), no-first-numbers (Cost alone),
    /// no-costs (H alone), no-heuristics, plain, plain-no-control, plain-no-dominance or paper (plain
    /// without either)
    #[arg(long, value_name = "BASE", default_value = "dfpn")]
    base: Base,
    /// How far a worker searches a child: least, branch or solved (see `solve --help`)
    #[arg(long, value_name = "COVER", default_value = "least")]
    cover: Cover,
}

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri lab pgpp --quick --out /tmp/pgpp
  yomikiri lab pgpp --pairs 200 --arms pgpp-1,pgpp-4,pgpp-8,random-8,linear-8
  yomikiri lab pgpp --arms pgpp-8,pgpp-8@root,linear-8 --nodes 6000 --out lab/results/pgpp-6000
  yomikiri lab pgpp --ranks lab/results/ranks/ranks.json            as `lab ranks` writes it

Time is counted in nodes: every worker of both sides gets its nodes in turn, so that games repeat
exactly and many workers need few cores. Openings (openings_3moves.epd) are looked for in
$YOMIKIRI_PROBLEMS, then in ../shared/problems.

Writes CSV, SVG and summary.txt to the folder. Every pair of games is recorded at once in raw.csv; a
run that was ended (Ctrl-C keeps what was found, and prints it as unfinished) goes on from there when the
command is given again, with the same build of this program: results of two builds are not mixed.")]
struct PgppArgs {
    /// Few games: about a minute
    #[arg(long)]
    quick: bool,
    /// The folder for the results [default: lab/results/pgpp, or lab/quick/pgpp if quick]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Who plays against one worker [default: 1 to 60 workers of pgpp and random, linear up to 16,
    /// forgetful, and pgpp-8 at the root, gpp-8 and pv-8]
    ///
    /// GROWTH-WORKERS with a growth of pgpp, random, gpp or pv, and @root behind it if the tree is to
    /// grow at new roots only; linear-N for one worker with N times the nodes; forgetful for one that
    /// forgets its table whenever it has moved. Where linear-N is there, the Elo of N workers is also
    /// told as a share of its.
    #[arg(long, value_name = "ARM,ARM,...", value_delimiter = ',')]
    arms: Vec<pgpp::Arm>,
    /// Pairs of games for each [default: 200, or 5 if quick]
    #[arg(long, value_name = "N")]
    pairs: Option<usize>,
    /// Nodes of a worker for a move [default: 4000, or 1000 if quick]
    #[arg(long, value_name = "N", value_parser = parse_nodes)]
    nodes: Option<u64>,
    /// Less time for clusters, in percent [default: 5]
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u64).range(0..=99))]
    penalty: Option<u64>,
    /// Nobody thinks in the opponent's time
    #[arg(long)]
    no_ponder: bool,
    /// Workers do not report their tables: the tree grows by the lines that they print
    #[arg(long)]
    no_report: bool,
    /// The table of a worker in MiB [default: 1]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u16).range(1..=1024))]
    table: Option<u16>,
    /// Games at a time [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// A table of ranks made by `yomikiri lab ranks` [default: the paper's]
    #[arg(long, value_name = "FILE")]
    ranks: Option<PathBuf>,
}

fn run_pgpp(args: &PgppArgs) -> Result<Exit> {
    let mut options =
        pgpp::Options { stop: stop_on_interrupt()?, ..pgpp::Options::new(args.quick) };
    if !args.arms.is_empty() {
        options.arms.clone_from(&args.arms);
    }
    options.out = args.out.clone().unwrap_or(options.out);
    options.pairs = args.pairs.unwrap_or(options.pairs);
    options.nodes = args.nodes.unwrap_or(options.nodes);
    options.penalty = args.penalty.unwrap_or(options.penalty);
    options.ponder = !args.no_ponder;
    options.reports = !args.no_report;
    if let Some(path) = &args.ranks {
        options.ranks = read_ranks(path)?;
        options.ranks_from = files::name(path, "standard input");
    }
    options.table_mib = args.table.map_or(options.table_mib, usize::from);
    options.threads = args.threads.map_or(options.threads, usize::from);
    let place = Place { out: &options.out, is_for_a_look: args.quick && args.out.is_none() };
    let is_whole = |summary: &pgpp::Summary| summary.unfinished.is_none();
    watch_parts(&place, |progress| pgpp::run(&options, progress), is_whole)
}

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri lab ranks games.pgn --engine stockfish --depth 15
  yomikiri lab ranks games.pgn --depth 8                         our own engine of chess
  yomikiri lab ranks *.kif --engine fairy-stockfish --depth 10
  yomikiri cluster uci --ranks lab/results/ranks/ranks.json      plays by what was measured

In every position of the games the engine ranks the moves by a search of fixed depth, and the rank of
the move that was played is counted. It forgets its table before every position: the counts do not
depend on --threads. PGN is chess; KIF, KI2, CSA, JKF and SFEN are shogi.

Writes summary.txt, ranks.csv and ranks.json to the folder. Every position is recorded at once in
raw.csv; a run that was ended (Ctrl-C keeps what was found) goes on from there when the command is
given again, with the same build of this program: results of two builds are not mixed.")]
struct RanksArgs {
    /// Records of games, all of chess or all of shogi
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The command of the engine, or tcp://host:port [default: our own engine of chess]
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// Set an option of the engine
    #[arg(long = "option", short, value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// The depth of the searches
    #[arg(long, value_name = "PLIES", default_value = "15", value_parser = clap::value_parser!(u32).range(1..=250))]
    depth: u32,
    /// The files are of shogi, whatever they look like
    #[arg(long)]
    usi: bool,
    /// Engines at a time [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// The folder for the results
    #[arg(long, value_name = "DIR", default_value = "lab/results/ranks")]
    out: PathBuf,
    /// Print the table as JSON, as `yomikiri cluster uci --ranks` reads it
    #[arg(long)]
    json: bool,
}

fn run_ranks(args: &RanksArgs) -> Result<Exit> {
    let records = ranks::Records::read(&args.files, args.usi.then_some(Played::Shogi))?;
    let engine = match (&args.engine, records.game()) {
        (Some(engine), _) => engine.clone(),
        (None, Played::Chess | Played::Chess960) => own_engine()?,
        (None, Played::Shogi) => bail!("which engine of shogi? Use --engine COMMAND"),
    };
    let mut options = ranks::Options {
        out: args.out.clone(),
        depth: args.depth,
        stop: stop_on_interrupt()?,
        ..ranks::Options::new(engine)
    };
    options.threads = args.threads.map_or(options.threads, usize::from);
    for option in &args.options {
        options.engine_options.push(parse_option(option)?);
    }
    let experiment = |progress: &Progress<'_>| ranks::run(records.clone(), &options, progress);
    if !args.json {
        return watch(&Place { out: &options.out, is_for_a_look: false }, experiment);
    }
    let Some(summary) = with_bar(&experiment)? else { return Ok(Exit::Unknown) };
    let ranks: serde_json::Value = serde_json::from_str(&summary.json)?;
    json::line(&mut std::io::stdout(), "lab-ranks", &ranks)?;
    Ok(Exit::Done)
}

pub fn run(args: &Args) -> Result<Exit> {
    match &args.experiment {
        Experiment::Pgpp(args) => run_pgpp(args),
        Experiment::Ranks(args) => run_ranks(args),
        Experiment::Deep(args) => run_deep(args),
        Experiment::Parallel(args) => run_parallel(args),
        Experiment::Paths(args) => run_paths(args),
        Experiment::Pmps(args) => run_pmps(args),
    }
}

fn run_deep(args: &DeepArgs) -> Result<Exit> {
    let mut options = deep::Options {
        quick: args.quick,
        out: args.out.clone().unwrap_or_else(|| folder("deep", args.quick)),
        positions: args.positions,
        orders: args.orders,
        only: args.only,
        stop: stop_on_interrupt()?,
        ..deep::Options::default()
    };
    match args.threads {
        Some(0) => bail!("--threads 0: at least one thread is needed"),
        Some(threads) => options.threads = threads,
        None => {}
    }
    let place = Place { out: &options.out, is_for_a_look: args.quick && args.out.is_none() };
    watch(&place, |progress| deep::run(&options, progress))
}

fn run_parallel(args: &ParallelArgs) -> Result<Exit> {
    let quick = args.problem_args.quick;
    let mut options = match args.game {
        None => parallel::Options::new(quick),
        Some(GameName::Hex) => parallel::Options::of_game(parallel::Game::Hex, quick),
        Some(GameName::Othello) => parallel::Options::of_game(parallel::Game::Othello, quick),
    };
    args.problem_args.apply(&mut options.common)?;
    if !args.threads_list.is_empty() {
        options.threads = args.threads_list.clone();
    }
    options.numbers = args.r#virtual;
    options.turns = args.turns;
    options.at_once = args.at_once;
    options.only = args.only.clone();
    options.problems = args.problems.clone();
    options.only_plus = args.only_plus;
    options.sacrifice = args.sacrifice;
    let is_whole = |summary: &parallel::Summary| summary.unfinished.is_none();
    let place = args.problem_args.place(&options.common);
    watch_parts(&place, |progress| parallel::run(&options, progress), is_whole)
}

fn run_paths(args: &PathsArgs) -> Result<Exit> {
    let mut options = paths::Options::new(args.problem_args.quick);
    args.problem_args.apply(&mut options.common)?;
    if args.threads == 0 {
        bail!("--threads 0: at least one thread is needed");
    }
    (options.base, options.at_once, options.step) = (args.base, args.threads, args.step as usize);
    if !args.quanta.is_empty() {
        options.quanta.clone_from(&args.quanta);
    }
    if !args.pseudo_threads.is_empty() {
        options.pseudo_threads.clone_from(&args.pseudo_threads);
    }
    if !args.covers.is_empty() {
        options.covers.clone_from(&args.covers);
    }
    watch(&args.problem_args.place(&options.common), |progress| paths::run(&options, progress))
}

fn run_pmps(args: &PmpsArgs) -> Result<Exit> {
    let mut options = pmps::Options::new(args.problem_args.quick);
    args.problem_args.apply(&mut options.common)?;
    (options.base, options.cover) = (args.base, args.cover);
    watch(&args.problem_args.place(&options.common), |progress| pmps::run(&options, progress))
}

/// Told how many searches are done, and how many there are.
type Progress<'a> = dyn Fn(usize, usize) + Sync + 'a;

/// Where the results of an experiment go.
struct Place<'a> {
    out: &'a Path,
    /// A quick run in its own place: what an earlier one left there does not stop it.
    is_for_a_look: bool,
}

/// Runs an experiment with a progress bar, and prints its summary.
fn watch<S: Display>(
    place: &Place<'_>,
    experiment: impl Fn(&Progress<'_>) -> yomikiri_lab::Result<S>,
) -> Result<Exit> {
    let summary = match with_bar(&experiment) {
        Err(
            Error::OtherRun { path, .. }
            | Error::OtherBuild { path, .. }
            | Error::OtherMachine { path, .. },
        ) if place.is_for_a_look => {
            eprintln!("note: {} was left by another run: begun anew", path.display());
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
            with_bar(&experiment)
        }
        result => result,
    };
    let Some(summary) = summary? else { return Ok(Exit::Unknown) };
    print!("{summary}");
    println!("Results are in {}", place.out.display());
    Ok(Exit::Done)
}

/// The same where an experiment that was ended tells what it has: is that the whole?
fn watch_parts<S: Display>(
    place: &Place<'_>,
    experiment: impl Fn(&Progress<'_>) -> yomikiri_lab::Result<S>,
    is_whole: impl Fn(&S) -> bool,
) -> Result<Exit> {
    let is_finished = Cell::new(true);
    let exit = watch(place, |progress| {
        experiment(progress).inspect(|summary| is_finished.set(is_whole(summary)))
    })?;
    Ok(if is_finished.get() { exit } else { Exit::Unknown })
}

/// Runs an experiment with a progress bar. Gives nothing, and says so, if it was stopped.
fn with_bar<S>(
    experiment: &impl Fn(&Progress<'_>) -> yomikiri_lab::Result<S>,
) -> yomikiri_lab::Result<Option<S>> {
    let bar = progress::bar(false, "[{wide_bar}] {pos}/{len} searches, {eta} left");
    let bar = bar.unwrap_or_else(ProgressBar::hidden);
    let result = experiment(&|done, total| {
        bar.set_length(total as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    match result {
        Ok(summary) => Ok(Some(summary)),
        Err(error @ Error::Stopped { .. }) => {
            eprintln!("{error}");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
