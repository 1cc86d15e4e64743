//! `yomikiri tsume check`: is the solution of a problem the only one?

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use andor::{Stop, Table};
use anyhow::{Context, Result, anyhow};
use serde_json::{Value, json};
use yomikiri_files::AtomicFile;
use yomikiri_question::certificate::Source;
use yomikiri_question::games::shogi::{self, Shogi};
use yomikiri_question::games::{self, AnyProblem};
use yomikiri_question::lang::{Text, said, text};
use yomikiri_question::soundness::{Soundness, plies};
use yomikiri_shogi::notation::{Format, hands, japanese};
use yomikiri_shogi::{Color, Move, Position};
use yomikiri_tsume::cook::{self, CookLimits, CookReport, Finding};
use yomikiri_tsume::{Futile, Mate};

use crate::certificate_file;
use crate::columns;
use crate::commands::options::{AttackerName, FutileName, parse_hash, parse_nodes, parse_time};
use crate::commands::{Exit, file_stem};
use crate::input::{self, Item};
use crate::interrupt::stop_on_interrupt;
use crate::json;
use crate::lang;
use crate::paint::{Paint, Tone};
use crate::progress::Bar;
use crate::terminal;

/// Options of `tsume check`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri tsume check '8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1'
  yomikiri tsume check --file problem.kif              against the line in the file
  yomikiri tsume check --file problem.kif --own-line   against our own solution
  yomikiri tsume check --file problems.tsv --time 60 --json

Every other check at each of the attacker's turns is searched to its end. What is found is sorted:
  余詰        another mate                    手順前後    the same moves in another order
  早詰        a shorter mate                  変長        a reply that lasts longer than the line
  迂回手順    a detour                        成不成      promotion left open
  最終手余詰  another mate at the last move   変同        another reply that lasts as long
The first two rows make a problem unsound, and so does 駒余り: something is left in the attacker's hand
at the end of the line in the file, or of every line that is as long as the solution. (With
--futile counted 駒余り is not judged.) At one ply another first move is 余詰, not 最終手余詰.

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

    /// Memory for the table, in MiB
    #[arg(long, value_name = "MIB", default_value = "256", value_parser = parse_hash)]
    hash: usize,

    /// Give up a question after so many nodes (k, M and G are understood)
    #[arg(long, value_name = "N", value_parser = parse_nodes)]
    nodes: Option<u64>,

    /// Give up a problem after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_time)]
    time: Option<Duration>,

    /// Write a certificate of every answer, also that a move does not mate, to this directory
    #[arg(long, short, value_name = "DIR")]
    certificates: Option<PathBuf>,

    /// One JSON object a problem
    #[arg(long)]
    json: bool,

    /// No progress bar, and one line a problem
    #[arg(long, short)]
    quiet: bool,
}

/// What is to be checked.
struct Job {
    shogi: Shogi,
    /// The line that the author has in mind.
    line: Option<Vec<Move>>,
}

pub fn run(args: &Args) -> Result<Exit> {
    crate::memory::check(args.hash)?;
    let items = input::collect(&args.problems, &args.file, games::find("shogi"))?;
    let stop = stop_on_interrupt()?;
    if let Some(directory) = &args.certificates {
        let name = directory.display();
        let cannot = || text!("cannot make the directory {name}", "フォルダ {name} を作れません");
        fs::create_dir_all(directory).with_context(cannot)?;
    }
    let mut exit = Exit::Done;
    let mut names = HashSet::new();
    for item in &items {
        if stop.is_raised() {
            let id = &item.id;
            terminal::stopped(&text!(
                "the problems from {id} on were not checked",
                "{id} からあとの問題は調べていません"
            ));
            exit = exit.max(Exit::Unknown);
            break;
        }
        let stem = file_stem(&item.id, &mut names);
        match check(args, item, &stem, &stop) {
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
    Ok(Job { shogi, line: has_line.then_some(moves) })
}

/// Checks one problem and prints the result.
fn check(args: &Args, item: &Item, stem: &str, stop: &Stop) -> Result<Soundness> {
    let Job { shogi, line } = read(args, item)?;
    let table = Table::new(args.hash).with_context(|| format!("--hash {}", args.hash >> 20))?;
    let mate = Mate::new(&table);
    let limits = CookLimits {
        nodes: args.nodes,
        time: args.time,
        stop: stop.clone(),
        intended: item.recorded,
        variation_turns: 0,
    };
    let id = &item.id;
    let bar = Bar::spinning(args.quiet, &text!("{id}: checking", "{id}: 検討中").to_string());
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
    drop(bar);
    let verdict = Soundness::of(&report);
    let certificates = match &args.certificates {
        Some(directory) => {
            let path = |number: usize| directory.join(format!("{stem}-{number:03}.cert"));
            write_certificates(&report, &shogi, &mate, path, stop)?
        }
        None => 0,
    };
    let mut out = io::stdout().lock();
    if args.json {
        let object = object(item, &shogi, &report, verdict, certificates);
        json::line(&mut out, "tsume-check", &object)?;
    } else if args.quiet {
        let words = Paint::stdout().text(tone(verdict), &verdict.words(&report).to_string());
        writeln!(out, "{}: {words}", item.id)?;
    } else {
        print(item, &shogi, &report, verdict, certificates, &mut out)?;
    }
    Ok(verdict)
}

fn exit(verdict: Soundness) -> Exit {
    match verdict {
        Soundness::Sound => Exit::Done,
        Soundness::Unsound | Soundness::NoMate => Exit::Unsound,
        Soundness::Undecided => Exit::Unknown,
    }
}

fn tone(verdict: Soundness) -> Tone {
    match verdict {
        Soundness::Sound => Tone::Good,
        Soundness::Unsound | Soundness::NoMate => Tone::Bad,
        Soundness::Undecided => Tone::Open,
    }
}

/// Certifies all that the report says; gives the number of certificates.
fn write_certificates(
    report: &CookReport,
    shogi: &Shogi,
    mate: &Mate<'_>,
    path: impl Fn(usize) -> PathBuf,
    stop: &Stop,
) -> Result<usize> {
    let mut written = 0;
    for claim in report.claims() {
        let any = AnyProblem::Shogi(Box::new(Shogi {
            position: claim.problem.position().clone(),
            attacker: claim.problem.attacker(),
            futile: shogi.futile,
        }));
        let source = Source { dfpn: mate.settings(), table: mate.table(), stop };
        let draft = AtomicFile::new(&path(written + 1))?;
        if certificate_file::write(claim.by_ref(), &any, &source, draft)?.is_none() {
            terminal::stopped(&text!(
                "{written} certificates were written",
                "証明書を{written}通書いたところです"
            ));
            break;
        }
        written += 1;
    }
    Ok(written)
}

/// The positions along a line: before each move, and at the end.
fn positions(shogi: &Shogi, line: &[Move]) -> Vec<Position> {
    let mut at = shogi.position.clone();
    let mut positions = vec![at.clone()];
    for &m in line {
        at.play(m);
        positions.push(at.clone());
    }
    positions
}

/// A move after so many plies of the line, as people write it.
fn name(positions: &[Position], line: &[Move], ply: usize, m: Move) -> String {
    let last = ply.checked_sub(1).and_then(|before| line.get(before)).map(|m| m.to());
    positions.get(ply).map_or(m.to_string(), |at| japanese::move_name(at, m, last))
}

/// The names of a finding's line.
fn names(positions: &[Position], finding: &Finding) -> Vec<String> {
    let at = positions.get(finding.ply);
    at.map_or(Vec::new(), |at| japanese::line_names(at, &finding.line))
}

/// The replies that last as long.
fn equal(report: &CookReport) -> Vec<(usize, Move)> {
    report.equal_defences.iter().map(|equal| (equal.ply, equal.m)).collect()
}

fn object(
    item: &Item,
    shogi: &Shogi,
    report: &CookReport,
    verdict: Soundness,
    certificates: usize,
) -> Value {
    let line = &report.line;
    let positions = positions(shogi, line);
    let usi = |line: &[Move]| line.iter().map(ToString::to_string).collect::<Vec<_>>();
    let moves = |list: &[(usize, Move)]| -> Vec<Value> {
        let object = |&(ply, m): &(usize, Move)| {
            json!({"move_number": ply + 1, "move": m.to_string(),
                "japanese": name(&positions, line, ply, m)})
        };
        list.iter().map(object).collect()
    };
    let findings = report.findings.iter().map(|finding| {
        json!({
            "move_number": finding.ply + 1,
            "move": finding.m.to_string(),
            "japanese": name(&positions, line, finding.ply, finding.m),
            "kind": format!("{:?}", finding.kind),
            "words": finding.kind.to_string(),
            "serious": finding.kind.is_serious(),
            "length": finding.length,
            "exact": finding.exact,
            "line": usi(&finding.line),
            "line_japanese": names(&positions, finding),
        })
    });
    let solution = report.answer.solution.as_ref();
    json!({
        "id": item.id,
        "problem": shogi::text(shogi),
        "verdict": verdict.word(),
        "complete": report.is_complete(),
        "length": solution.map(|solution| solution.length),
        "conventional_length": solution.map(|solution| solution.shown_length()),
        "exact": solution.is_some_and(|solution| solution.exact),
        "recorded": item.recorded,
        "shorter_than_intended": report.early,
        "line": usi(line),
        "japanese": japanese::line_names(&shogi.position, line),
        "left_over": hands::hand_name(report.left_over),
        "pieces_left_over": report.surplus,
        "futile_counted": shogi.futile == Futile::Counted,
        "findings": findings.collect::<Vec<_>>(),
        "equal_defences": moves(&equal(report)),
        "undecided": moves(&report.undecided),
        "nodes": report.nodes,
        "seconds": report.elapsed.as_secs_f64(),
        "certificates": certificates,
    })
}

fn print(
    item: &Item,
    shogi: &Shogi,
    report: &CookReport,
    verdict: Soundness,
    certificates: usize,
    out: &mut impl Write,
) -> Result<()> {
    let paint = Paint::stdout();
    let label = |label: Text| paint.label(label);
    let line = &report.line;
    let positions = positions(shogi, line);
    writeln!(out, "{}: {}", item.id, shogi.position)?;
    writeln!(
        out,
        "{}{}",
        label(text!("verdict", "判定")),
        paint.text(tone(verdict), &verdict.words(report).to_string())
    )?;
    if let Some(solution) = report.answer.solution.as_ref() {
        let length = solution.shown_length();
        let exact = match solution.exact {
            true => text!("{length}手詰", "{length}手詰"),
            false => text!("at most {length} plies", "{length}手以内"),
        };
        let recorded = match item.recorded {
            Some(length) => text!(", recorded {length}", "（記録は{length}手）"),
            None => Text::default(),
        };
        writeln!(out, "{}{exact}{recorded}", label(text!("length", "手数")))?;
    }
    if !line.is_empty() {
        let names = japanese::line_names(&shogi.position, line);
        writeln!(out, "{}{}", label(text!("line", "手順")), columns::in_lines(&names, 8, 15))?;
        writeln!(
            out,
            "{}{}",
            label(text!("left over", "残り持駒")),
            hands::hand_name(report.left_over)
        )?;
    }
    if report.early {
        let words =
            text!("the solution is shorter than the author's", "作意より短い詰みがあります");
        writeln!(out, "  早詰         {words}")?;
    }
    if report.surplus == Some(true) {
        let hand = hands::hand_name(report.left_over);
        let words = text!("the attacker has {hand} left over", "攻方の持駒に{hand}が残ります");
        writeln!(out, "  駒余り       {words}")?;
    }
    for finding in report.flaws() {
        let Finding { ply, kind, .. } = finding;
        let (number, kind, plies) = (ply + 1, said(kind), plies(finding));
        let title = columns::pad(&text!("move {number}", "{number}手目").to_string(), 12);
        let flaw = text!("{kind}, {plies}", "{kind}（{plies}）");
        writeln!(out, "  {title} {flaw}")?;
        writeln!(out, "               {}", columns::in_lines(&names(&positions, finding), 8, 15))?;
    }
    // What is permitted takes one line for each of its kinds.
    let mut kinds = Vec::new();
    let small = report.findings.iter().filter(|finding| !finding.kind.is_serious());
    for finding in small.clone() {
        if !kinds.contains(&finding.kind) {
            kinds.push(finding.kind);
        }
    }
    for kind in kinds {
        let of_kind = small.clone().filter(|finding| finding.kind == kind);
        let moves = of_kind.map(|finding| {
            let Finding { ply, m, .. } = *finding;
            let (number, name, plies) = (ply + 1, name(&positions, line, ply, m), plies(finding));
            text!("{number} {name} ({plies})", "{number}手目{name}（{plies}）").to_string()
        });
        let moves: Vec<String> = moves.collect();
        writeln!(out, "{}{}", label(text!("permitted", "許容")), said(&kind))?;
        writeln!(out, "               {}", columns::in_lines(&moves, 4, 15))?;
    }
    let mut list = |title: Text, moves: &[(usize, Move)]| -> Result<()> {
        let shown = moves.iter().map(|&(ply, m)| {
            let (number, name) = (ply + 1, name(&positions, line, ply, m));
            text!("{number} {name}", "{number}手目{name}").to_string()
        });
        let shown: Vec<String> = shown.collect();
        if !shown.is_empty() {
            let title = columns::pad(&title.to_string(), 12);
            writeln!(out, "  {title} {}", columns::in_lines(&shown, 6, 15))?;
        }
        Ok(())
    };
    list(text!("変同", "変同"), &equal(report))?;
    list(text!("undecided", "未解決"), &report.undecided)?;
    let (nodes, seconds) = (report.nodes, report.elapsed.as_secs_f64());
    let search = text!("{nodes} nodes in {seconds:.3} s", "{nodes}ノード（{seconds:.3}秒）");
    writeln!(out, "{}{search}", label(text!("search", "探索")))?;
    if certificates > 0 {
        let written = text!("{certificates}, all checked", "{certificates}通、すべて検査済み");
        writeln!(out, "{}{written}", label(text!("certificates", "証明書")))?;
    }
    Ok(())
}
