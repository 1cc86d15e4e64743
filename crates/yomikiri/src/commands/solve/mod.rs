//! `yomikiri solve`: problems in, verdicts and certificates out.

mod game;
mod mate;
mod report;

use std::collections::HashSet;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use andor::Solvable;
use andor::certificate::WriteError;
use andor::deep::suggest_r;
use andor::{Algorithm, Claim, Control, Dfpn, Limits, Outcome, Progress, Stop, Sums, Table};
use anyhow::{Context, Result, anyhow, bail};
use clap::builder::{PossibleValue, PossibleValuesParser};
use yomikiri_files::{self as files, AtomicFile};
use yomikiri_shogi::Color;
use yomikiri_tsume::Futile;

use super::options::{AttackerName, FutileName, parse_hash, parse_nodes, parse_time};
use super::{Exit, file_stem};
use crate::algorithms::{ALGORITHMS, Changes, Entry, Traits};
use crate::certificate::{self, Source};
use crate::display::complain;
use crate::games::{self, AnyProblem, GAMES, Visitor, shogi};
use crate::input::{self, Item};
use crate::interrupt::stop_on_interrupt;
use crate::progress::Bar;
use crate::solution_line::{self, Line};
use crate::{memory, team_options};
use mate::MateReport;
use report::{CertificateReport, Report, Tally};

const EXAMPLES: &str = "\
Examples:
  yomikiri solve 'hex 4 ..../..../..../.... B' --certificate hex.cert
  yomikiri solve --file positions.tsv --goal 'score>=2' --json
  yomikiri solve '8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1'
  yomikiri solve --file problem.kif --kif solution.kif --certificate mate.cert
  yomikiri solve --file graph.txt --algorithm deep-pn --r 0.8
  yomikiri solve '8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1' --threads auto
  yomikiri solve 'hex 6 moves a1' --algorithm pmps --assignment 'L,S|S,S'
  yomikiri solve --file game.kif --every --time 5           where was a mate missed?
  yomikiri solve --file game.csa --at 87
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

    /// A file of problems (`-`: standard input): one a line, or one graph, or one record of shogi. May
    /// be given again
    #[arg(long, short, value_name = "FILE")]
    file: Vec<PathBuf>,

    #[command(flatten)]
    record: game::Options,

    /// The game; recognised from the text if not given
    #[arg(long, value_name = "NAME", value_parser = game_names())]
    game: Option<String>,

    /// What the attacker wants (see `yomikiri games`)
    #[arg(long, value_name = "GOAL")]
    goal: Option<String>,

    /// Shogi: stop at the first mate; otherwise the shortest one is looked for
    #[arg(long)]
    any_mate: bool,

    /// Shogi: do interpositions in vain (無駄合い) count? [default: not-counted]
    #[arg(long, value_name = "RULE", conflicts_with = "goal")]
    futile: Option<FutileName>,

    /// Shogi: who is to give mate [default: auto, the side to move unless it is in check]
    #[arg(long, alias = "side", value_name = "SIDE", conflicts_with = "goal")]
    attacker: Option<AttackerName>,

    /// Shogi: write the solution with its variations as KIF; for several problems, a directory
    #[arg(long, value_name = "FILE")]
    kif: Option<PathBuf>,

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
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(..i64::from(u16::MAX)))]
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

    /// Write a certificate; for several problems, a directory of them, ID.cert each. `-`, here and
    /// below, is standard output: what is else said goes to standard error then
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

    // Last, for its heading holds for all that comes after.
    #[command(flatten)]
    team: team_options::Options,
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

impl Args {
    /// The limit on nodes for a question. All positions of a game are not asked about without any.
    fn node_limit(&self) -> Option<u64> {
        let default = (self.record.every && self.time.is_none()).then_some(game::NODES);
        self.nodes.or(default)
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

pub fn run(args: &Args) -> Result<Exit> {
    let game = args.game.as_deref().and_then(games::find);
    let items = input::collect(&args.problems, &args.file, game)?;
    if args.record.every {
        check_options(args, true)?;
        return game::every(args, &items, game);
    }
    let items = game::choose(&args.record, items, game);
    let several = items.len() > 1;
    check_options(args, several)?;
    let goal = goal(args);
    let stop = stop_on_interrupt()?;
    let mut names = HashSet::new();
    let mut tally = Tally::default();
    let mut exit = Exit::Done;
    for item in &items {
        if stop.is_raised() {
            break;
        }
        let stem = file_stem(&item.id, &mut names);
        let place = |path: &Option<PathBuf>, extension: &str| {
            path.as_deref().map(|path| match several {
                true => path.join(format!("{stem}.{extension}")),
                false => path.to_owned(),
            })
        };
        let paths = (place(&args.certificate, "cert"), place(&args.kif, "kif"));
        let problem = item.parse(game, goal.as_deref());
        let problem = problem.map_err(|error| anyhow!("{error}{}", input::file_hint(item)));
        let result = problem.and_then(|problem| {
            let (certificate, kif) = (paths.0.as_deref(), paths.1.as_deref());
            let places = Places::new(args, &problem, several, certificate, kif)?;
            let heading = || report::heading(args, item, &problem, !several);
            solve(args, item, &problem, places, &stop, heading)
        });
        match result {
            Ok((report, decided)) => {
                report.print(args)?;
                tally.add(&report);
                exit = exit.max(decided);
            }
            Err(error) => {
                complain(&format!("{error:#}"));
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
            writeln!(files::report(), "{tally}")?;
        }
    }
    Ok(exit)
}

/// The goal that the options ask for.
fn goal(args: &Args) -> Option<String> {
    if args.futile.is_none() && args.attacker.is_none() {
        return args.goal.clone();
    }
    let futile = args.futile.map_or(Futile::NotCounted, Futile::from);
    let attacker = args.attacker.and_then(Option::<Color>::from);
    Some(shogi::goal(futile, attacker))
}

/// Complains about options that cannot be met, before anything is done.
fn check_options(args: &Args, several: bool) -> Result<()> {
    let algorithm = settings(args, &Traits::default())?;
    if args.save_table.is_some() || args.load_table.is_some() {
        if several {
            bail!("--save-table and --load-table take one problem at a time");
        }
        if matches!(algorithm, Algorithm::Pn(_)) {
            bail!("--save-table and --load-table are for the df-pn algorithms");
        }
    }
    memory::check(args.hash)?;
    for (option, path) in [("--certificate", &args.certificate), ("--kif", &args.kif)] {
        let Some(path) = path.as_deref().filter(|path| several && !path.is_dir()) else { continue };
        if files::is_standard(path) || path.exists() {
            let path = path.display();
            bail!("{option} {path}: several problems need a directory, and that is none");
        }
    }
    Ok(())
}

fn settings(args: &Args, game: &Traits) -> Result<Algorithm> {
    let entry = Entry::find(&args.algorithm).context("unknown algorithm")?;
    let changes = Changes {
        r: args.r,
        epsilon: args.epsilon,
        sums: args.sums.map(Sums::from),
        plies: args.plies.into(),
        plain: args.plain,
        bytes: args.hash - small_table(args.hash),
        team: args.team,
    };
    entry.settings(game, &changes)
}

/// Bytes for the table that PN-search leaves its solution in: an eighth, and 16 MiB at most.
fn small_table(hash: usize) -> usize {
    (hash / 8).min(16 << 20)
}

/// Files begun before the search, so that it is not in vain.
struct Places {
    /// The certificate, and for the shortest mate one that there is no shorter one.
    certificates: Vec<AtomicFile>,
    /// The solution.
    kif: Option<AtomicFile>,
}

impl Places {
    fn new(
        args: &Args,
        any: &AnyProblem,
        several: bool,
        certificate: Option<&Path>,
        kif: Option<&Path>,
    ) -> Result<Places> {
        let is_shogi = matches!(any, AnyProblem::Shogi(_));
        let only = [("--any-mate", args.any_mate), ("--kif", args.kif.is_some())];
        if let Some((option, _)) = only.iter().find(|(_, given)| *given && !is_shogi) {
            bail!("{option} is for shogi, not for {}", any.game().name);
        }
        for directory in [&args.certificate, &args.kif].into_iter().flatten().filter(|_| several) {
            let cannot = || format!("cannot make the directory {}", directory.display());
            fs::create_dir_all(directory).with_context(cannot)?;
        }
        let mut paths: Vec<PathBuf> = certificate.into_iter().map(Path::to_owned).collect();
        if is_shogi && !args.any_mate {
            let certificate = certificate.filter(|path| files::is_file(path));
            paths.extend(certificate.map(|path| path.with_extension("shorter.cert")));
        }
        let certificates =
            paths.iter().map(|path| AtomicFile::new(path)).collect::<Result<_, _>>()?;
        Ok(Places { certificates, kif: kif.map(AtomicFile::new).transpose()? })
    }
}

/// One problem being solved: runs on every game.
struct Solve<'a> {
    args: &'a Args,
    any: &'a AnyProblem,
    algorithm: Algorithm,
    table: &'a Table,
    certificate: Option<AtomicFile>,
    stop: &'a Stop,
    bar: Option<Bar>,
}

/// What was found of a problem.
struct Found {
    outcome: Outcome,
    /// Entries in the table that was used.
    entries: usize,
    /// `R` of the deep algorithms.
    r: Option<f64>,
    line: Line,
    mate: Option<MateReport>,
    certificate: Option<CertificateReport>,
    shorter_certificate: Option<CertificateReport>,
    /// The verdict is there, but Ctrl-C came before its certificate.
    cut_short: bool,
    /// The verdict is there, but not all that was asked for.
    is_open: bool,
}

impl Found {
    fn new(outcome: Outcome) -> Found {
        Found {
            outcome,
            entries: 0,
            r: None,
            line: Line::default(),
            mate: None,
            certificate: None,
            shorter_certificate: None,
            cut_short: false,
            is_open: false,
        }
    }
}

impl Visitor for Solve<'_> {
    type Output = Result<Found>;

    fn visit<P: Solvable>(mut self, problem: &P) -> Result<Found> {
        let limits = Limits { nodes: self.args.node_limit(), time: self.args.time };
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
        let outcome = problem.search(&self.algorithm, self.table, &mut control);
        drop(bar);
        let entries = self.table.stored();
        let mut found = Found { entries, r: self.algorithm.r(), ..Found::new(outcome) };
        let Some(claim) = outcome.claim(problem) else {
            return Ok(found);
        };
        let dfpn = match self.algorithm {
            Algorithm::Dfpn(dfpn) | Algorithm::Team(dfpn, _) => dfpn,
            Algorithm::Pn(pn) => Dfpn { heuristics: pn.heuristics, ..self.any.dfpn() },
        };
        found.line = solution_line::line(problem, claim.value, dfpn.plies, self.table);
        let Some(draft) = self.certificate else {
            return Ok(found);
        };
        let Solve { any, table, stop, .. } = self;
        found.certificate = certify(claim, any, &Source { dfpn, table, stop }, draft)?;
        found.cut_short = found.certificate.is_none();
        Ok(found)
    }
}

/// Writes a certificate; none if Ctrl-C came.
fn certify<P: Solvable>(
    claim: Claim<&P>,
    any: &AnyProblem,
    source: &Source<'_>,
    draft: AtomicFile,
) -> Result<Option<CertificateReport>> {
    let file = files::name(draft.target(), "standard output");
    match certificate::write(claim, any, source, draft) {
        Ok(written) => {
            let (positions, nodes) = (written.positions, written.nodes);
            Ok(Some(CertificateReport { file, positions, nodes, checked: true }))
        }
        Err(error) => match error.downcast_ref::<WriteError>() {
            Some(WriteError::Stopped) => Ok(None),
            _ => Err(error),
        },
    }
}

/// Solves one problem. `heading` is printed when nothing can be wrong with the options any more, and
/// before the search.
fn solve(
    args: &Args,
    item: &Item,
    any: &AnyProblem,
    mut places: Places,
    stop: &Stop,
    heading: impl FnOnce() -> Result<()>,
) -> Result<(Report, Exit)> {
    let algorithm = settings(args, &any.traits())?;
    let saved = args.save_table.as_deref().map(AtomicFile::new).transpose()?;
    let bytes = match algorithm {
        Algorithm::Dfpn(_) | Algorithm::Team(..) => args.hash,
        Algorithm::Pn(_) => small_table(args.hash),
    };
    let table = match &args.load_table {
        Some(path) => load(path, bytes, &any.table_tag())?,
        None => Table::new(bytes).with_context(|| format!("--hash {}", args.hash >> 20))?,
    };
    heading()?;
    let bar = Bar::new(args.quiet, &item.id);
    let (dfpn, team) = match algorithm {
        Algorithm::Dfpn(dfpn) => (Some(dfpn), None),
        Algorithm::Team(dfpn, scheme) => (Some(dfpn), Some(scheme)),
        Algorithm::Pn(_) => (None, None),
    };
    let found = match (any, dfpn) {
        (AnyProblem::Shogi(problem), Some(dfpn)) if dfpn.deep == 1.0 => {
            let (recorded, header) = (item.recorded, shogi::header(&item.text));
            mate::Job {
                args,
                shogi: problem,
                recorded,
                header,
                dfpn,
                scheme: team,
                table: &table,
                stop,
            }
            .solve(places, bar)?
        }
        _ => {
            places.certificates.truncate(1);
            let certificate = places.certificates.pop();
            let visitor = Solve { args, any, algorithm, table: &table, certificate, stop, bar };
            any.visit(args.plain, visitor)?
        }
    };
    let mut report = Report::new(args, item, any, found.outcome);
    report.r = found.r;
    report.threads = team.map_or(1, |scheme| scheme.threads());
    report.scheme = team.map(|scheme| team_options::words(&scheme));
    report.set_line(found.line);
    report.mate = found.mate;
    report.certificate = found.certificate;
    report.shorter_certificate = found.shorter_certificate;
    report.table_entries = found.entries;
    if let Some(draft) = saved {
        report.saved_table = Some(files::name(draft.target(), "standard output"));
        table
            .save(&any.table_tag(), BufWriter::new(draft.file()))
            .context("cannot save the table")?;
        draft.finish()?;
    }
    report.peak_memory_mib = memory::peak_mib();
    if found.cut_short {
        eprintln!("stopped: the certificate of problem {} was not written", item.id);
    }
    let decided = found.outcome.value().is_some() && !found.cut_short && !found.is_open;
    Ok((report, if decided { Exit::Done } else { Exit::Unknown }))
}

fn load(path: &Path, bytes: usize, tag: &str) -> Result<Table> {
    let cannot = || format!("cannot load the table {}", files::name(path, "of standard input"));
    let input = files::open(path).with_context(cannot)?;
    Table::load(bytes, tag, input).with_context(cannot)
}
