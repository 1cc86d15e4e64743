//! `yomikiri tsume check`: is the solution of a problem the only one, and is every piece needed?

mod object;
mod outputs;
mod print;
mod told;

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use andor::{Claim, Stop};
use anyhow::{Context, Result, anyhow};
use yomikiri_files::AtomicFile;
use yomikiri_question::certificate::Source;
use yomikiri_question::games::shogi::{self, Shogi};
use yomikiri_question::games::{self, AnyProblem};
use yomikiri_question::lang::{Text, text};
use yomikiri_question::soundness::Soundness;
use yomikiri_shogi::notation::{Format, Record};
use yomikiri_shogi::{Color, Move};
use yomikiri_tsume::cook::{self, CookLimits};
use yomikiri_tsume::necessity::necessity;
use yomikiri_tsume::{Mate, Tsume};

use crate::batch::Batch;
use crate::certificate_file;
use crate::commands::jobs::{Desk, JobsArgs, Share};
use crate::commands::options::{AttackerName, FutileName, parse_hash, parse_nodes, parse_time};
use crate::commands::{Exit, file_stem};
use crate::folder;
use crate::input::{self, Item};
use crate::interrupt::stop_on_interrupt;
use crate::json;
use crate::lang;
use crate::paint::Paint;
use crate::progress::Bar;
use crate::terminal;
use outputs::Outputs;
use told::{Certificates, Told};

/// Options of `tsume check`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri tsume check '8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1'
  yomikiri tsume check --file problem.kif              against the line in the file
  yomikiri tsume check --file problem.kif --own-line   against our own solution
  yomikiri tsume check --file problem.kif --necessity         is every piece needed?
  yomikiri tsume check --file problem.kif --sheet folder   a page to print
  yomikiri tsume check --file problems.tsv --time 60 --json
  yomikiri tsume check --file problems.tsv -q --jobs 4 --hash 1024

Every other check at each of the attacker's turns is searched to its end. What is found is sorted:
  余詰        another mate                    手順前後    the same moves in another order
  早詰        a shorter mate                  変長        a reply that lasts longer than the line
  逃れ        a reply that escapes
  迂回手順    a detour                        成不成      promotion left open
  非限定      distance left open
  最終手余詰  another mate at the last move   変同        another reply that lasts as long
The first three rows make a problem unsound, and so does 駒余り: something is left in the attacker's hand
at the end of the line in the file, or of every line that is as long as the solution. (With
--futile counted 駒余り is not judged.) The next two are small flaws, the last are permitted. At one
ply another first move is 余詰, not 最終手余詰.

A line in a file is judged as it is. Where there is none and several lines are equally long (変同), each
may be the one that is meant: the one with the fewest flaws is shown and judged.

After the line come the variations: every other reply of the defender, and the attacker's other
checks there. By convention an alternative in a variation is no flaw, so they are told apart and do
not count. Drops for the checking piece to take are left out, as nearly all are in vain.

--necessity takes each piece away but the kings, or puts a weaker one in its place (a plain one for a
promoted one, 銀 for 金, 香 for 飛, 歩 for 銀 or 香), and checks again. What is taken away goes to the
defender, who holds all the rest; where he does not, it leaves the game. Pieces that may go (不要駒)
are listed. It does not change the verdict.

--time holds for the line, the variations and the pieces together, in this order: what it cuts off is
told as undecided.

Exit code: 0 if every problem is sound, 1 if one stays undecided, 3 if one is unsound or has no mate,
2 on bad input. Of several problems the worst counts: 2 before 3, 3 before 1.
Ctrl-C ends the check and prints what was found so far.")]
pub struct Args {
    /// Problems: SFEN, or a whole record
    #[arg(value_name = "PROBLEM")]
    problems: Vec<String>,

    /// A file of problems: SFEN lines, a table, KIF, KI2, CSA or JKF. May be given again
    #[arg(long, short, value_name = "FILE")]
    file: Vec<PathBuf>,

    /// Do not take the moves of a record for the solution
    #[arg(long)]
    own_line: bool,

    /// Do interpositions in vain (無駄合い) count?
    #[arg(long, value_name = "RULE", default_value = "not-counted")]
    futile: FutileName,

    /// Who is to give mate
    #[arg(long, alias = "side", value_name = "SIDE", default_value = "auto")]
    attacker: AttackerName,

    /// Memory for the table, in MiB; for several problems, of all --jobs together
    #[arg(long, value_name = "MIB", default_value = "256", value_parser = parse_hash)]
    hash: usize,

    #[command(flatten)]
    jobs: JobsArgs,

    /// Give up a question after so many nodes (k, M and G are understood)
    #[arg(long, value_name = "N", value_parser = parse_nodes)]
    nodes: Option<u64>,

    /// Give up a problem after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_time)]
    time: Option<Duration>,

    /// Look at so many of the attacker's turns in variations; 0: at the line alone
    #[arg(long, value_name = "N", default_value_t = 200)]
    variations: usize,

    /// Is every piece needed? Lists those that may go (不要駒)
    #[arg(long)]
    necessity: bool,

    /// List at most so many findings of a kind
    #[arg(long, value_name = "N", default_value_t = 20)]
    most: usize,

    /// Write a KIF file a problem to this directory: line, variations, findings as comments
    #[arg(long, value_name = "DIR")]
    kif: Option<PathBuf>,

    /// Write a diagram (SVG) a problem to this directory
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,

    /// Write a page to print (HTML) a problem to this directory
    #[arg(long, value_name = "DIR")]
    sheet: Option<PathBuf>,

    /// Write a certificate of every answer, also that a move does not mate, to this directory
    #[arg(long, short, value_name = "DIR")]
    certificates: Option<PathBuf>,

    /// Replace files that are there in these directories
    #[arg(long)]
    force: bool,

    /// One JSON object a problem
    #[arg(long)]
    json: bool,

    /// No progress bar, and one line a problem
    #[arg(long, short)]
    quiet: bool,
}

/// What is to be checked.
struct Job {
    record: Record,
    format: Option<Format>,
    shogi: Shogi,
    /// The line that the author has in mind.
    line: Option<Vec<Move>>,
}

pub fn run(args: &Args) -> Result<Exit> {
    crate::memory::check(args.hash)?;
    let items = input::collect(&args.problems, &args.file, games::find("shogi"))?;
    let mut names = HashSet::new();
    let entries: Vec<(&Item, String)> =
        items.iter().map(|item| (item, file_stem(&item.id, &mut names))).collect();
    let files = entries.iter().flat_map(|(_, stem)| outputs(args, stem).paths());
    let certificates = args.certificates.iter().flat_map(|folder| old_certificates(folder, &names));
    folder::check(files.chain(certificates), args.force)?;
    let stop = stop_on_interrupt()?;
    for directory in [&args.certificates, &args.kif, &args.svg, &args.sheet].into_iter().flatten() {
        folder::make(directory)?;
    }
    let mut exit = Exit::Done;
    let share = args.jobs.share(items.len(), 1, args.hash)?;
    let work = |desk: &mut Desk, (item, stem): &(&Item, String)| {
        let mut out = Vec::new();
        let result = check(args, (share, desk), item, stem, &stop, &mut out);
        (out, result)
    };
    let deliver = |&(item, _): &(&Item, String), (out, result): (Vec<u8>, Result<Soundness>)| {
        io::stdout().write_all(&out)?;
        match result {
            Ok(verdict) => exit = exit.max(self::exit(verdict)),
            Err(error) if terminal::is_reader_gone(&error) => return Err(error),
            Err(error) => {
                let (error, hint) = (lang::chain(&error), input::file_hint(item));
                let message = Text::new(|_| format!("{error}{hint}"));
                terminal::complain(&message);
                if args.json && items.len() > 1 {
                    json::error(&mut io::stdout(), item, &message)?;
                }
                exit = Exit::Bad;
            }
        }
        Ok(())
    };
    let batch = Batch { jobs: share.jobs, stop: &stop, quiet: args.quiet };
    let name = |(item, _): &(&Item, String)| item.id.clone();
    let begun = batch.run(&entries, name, Desk::default, work, deliver)?;
    if let Some(item) = items.get(begun) {
        let id = &item.id;
        terminal::stopped(&text!(
            "the problems from {id} on were not checked",
            "{id} からあとの問題は調べていません"
        ));
        exit = exit.max(Exit::Unknown);
    }
    Ok(exit)
}

/// Reads what is to be checked.
fn read(args: &Args, item: &Item) -> Result<Job> {
    let (record, format) = item.read(shogi::read).map_err(|error| anyhow!(error))?;
    let position = shogi::position(&record, format);
    let named = Option::<Color>::from(args.attacker);
    let attacker = named.unwrap_or_else(|| shogi::attacker(&position, true));
    let moves = record.main_line();
    let has_line = format != Some(Format::Sfen) && !moves.is_empty() && !args.own_line;
    let shogi = Shogi { position, attacker, futile: args.futile.into() };
    Ok(Job { record, format, shogi, line: has_line.then_some(moves) })
}

/// Checks one problem at a desk and writes the result.
fn check(
    args: &Args,
    (share, desk): (Share, &mut Desk),
    item: &Item,
    stem: &str,
    stop: &Stop,
    out: &mut Vec<u8>,
) -> Result<Soundness> {
    let Job { record, format, shogi, line } = read(args, item)?;
    let table = desk.table(share.hash).with_context(|| format!("--hash {}", args.hash >> 20))?;
    let mate = Mate::new(table);
    // Of several jobs there is one bar for all.
    let quiet = args.quiet || share.jobs > 1;
    let limits = CookLimits {
        nodes: args.nodes,
        time: args.time,
        stop: stop.clone(),
        intended: item.recorded,
        last_move_nodes: Some(cook::LAST_MOVE_NODES),
        variation_turns: args.variations,
    };
    let id = &item.id;
    let bar = Bar::spinning(quiet, &text!("{id}: checking", "{id}: 検討中").to_string());
    let problem = shogi.tsume();
    let report = match &line {
        Some(line) => cook::check_line(&mate, &problem, line, &limits).with_context(|| {
            let source = &item.source;
            text!(
                "{source}: --own-line leaves the record's moves aside",
                "{source}: 棋譜の手順を使わないときは --own-line を付けてください"
            )
        })?,
        None => cook::check(&mate, &problem, &limits),
    };
    let time = limits.time.map(|time| time.saturating_sub(report.elapsed));
    let limits = CookLimits { time, ..limits };
    let pieces = args.necessity.then(|| necessity(&mate, &report, &limits)).flatten();
    drop(bar);
    let mut told = Told {
        item,
        shogi: &shogi,
        report: &report,
        verdict: Soundness::of(&report),
        necessity: pieces.as_ref(),
        is_necessity_asked: args.necessity,
        most: args.most,
        certificates: Certificates::default(),
        files: Vec::new(),
    };
    if let Some(directory) = &args.certificates {
        let mut claims = report.claims();
        let trials = pieces.iter().flat_map(|pieces| &pieces.trials);
        claims.extend(trials.flat_map(|trial| trial.claims()).cloned());
        told.certificates = write_certificates(&claims, &shogi, &mate, directory, stem, stop)?;
    }
    told.files = outputs(args, stem).write(&told, &record, format, &mate, stop)?;
    if args.json {
        json::line(out, "tsume-check", &object::object(&told))?;
    } else if args.quiet {
        let words = told.verdict.words(&report).to_string();
        writeln!(out, "{}: {}", item.id, Paint::stdout().text(told.tone(), &words))?;
    } else {
        print::print(&told, out)?;
    }
    Ok(told.verdict)
}

fn exit(verdict: Soundness) -> Exit {
    match verdict {
        Soundness::Sound => Exit::Done,
        Soundness::Unsound | Soundness::NoMate => Exit::Wrong,
        Soundness::Undecided => Exit::Unknown,
    }
}

/// The files of a problem of this name beside its certificates.
fn outputs(args: &Args, stem: &str) -> Outputs {
    let place = |directory: &Option<PathBuf>, extension: &str| {
        directory.as_ref().map(|directory| directory.join(format!("{stem}.{extension}")))
    };
    Outputs {
        kif: place(&args.kif, "kif"),
        svg: place(&args.svg, "svg"),
        sheet: place(&args.sheet, "html"),
    }
}

/// The certificates of problems of these names that are there already.
fn old_certificates(folder: &Path, stems: &HashSet<String>) -> Vec<PathBuf> {
    let entries = folder.read_dir().into_iter().flatten();
    let is_of_them = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        let parts = name.and_then(|name| name.strip_suffix(".cert")?.rsplit_once('-'));
        parts.is_some_and(|(stem, number)| {
            stems.contains(stem) && number.len() >= 3 && number.parse::<usize>().is_ok()
        })
    };
    let mut old: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    old.retain(is_of_them);
    old.sort();
    old
}

/// Certifies what was found, each claim once.
fn write_certificates(
    claims: &[Claim<Tsume>],
    shogi: &Shogi,
    mate: &Mate<'_>,
    directory: &Path,
    stem: &str,
    stop: &Stop,
) -> Result<Certificates> {
    let mut certificates = Certificates::default();
    let mut old = old_certificates(directory, &HashSet::from([stem.to_owned()]));
    for claim in claims {
        if certificates.of(claim).is_some() {
            continue;
        }
        let any = AnyProblem::Shogi(Box::new(Shogi {
            position: claim.problem.position().clone(),
            attacker: claim.problem.attacker(),
            futile: shogi.futile,
        }));
        let source = Source { dfpn: mate.settings(), table: mate.table(), stop };
        let written = certificates.len();
        let name = format!("{stem}-{:03}.cert", written + 1);
        let path = directory.join(&name);
        let draft = AtomicFile::new(&path)?;
        if certificate_file::write(claim.by_ref(), &any, &source, &draft)?.is_none() {
            terminal::stopped(&text!(
                "{written} certificates were written",
                "証明書を{written}通書いたところです"
            ));
            break;
        }
        draft.finish()?;
        certificates.add(claim, name);
        old.retain(|old| *old != path);
    }
    // Of an earlier run, which had more to certify.
    for path in old.iter().filter(|path| certificate_file::is_certificate(path)) {
        fs::remove_file(path).with_context(|| path.display().to_string())?;
    }
    Ok(certificates)
}
