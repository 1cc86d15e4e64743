//! `yomikiri check`: the independent checker of certificates.

use std::cell::Cell;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use andor::Pulse;
use andor::certificate::{CheckError, HeaderError};
use anyhow::{Context, Result, anyhow};
use serde_json::{Value, json};
use yomikiri_files as files;
use yomikiri_question::certificate::{self, Accepted, CheckLimits};
use yomikiri_question::games::{self, AnyProblem, Terms};
use yomikiri_question::lang::{Text, said, text};

use super::Exit;
use super::options::{parse_hash, parse_time};
use crate::input::{Item, input_name};
use crate::interrupt::stop_on_interrupt;
use crate::json;
use crate::lang;
use crate::memory;
use crate::paint::{Paint, Tone};
use crate::terminal;

/// Options of `check`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri check a.cert
  yomikiri check --problem 'hex 4 ..../..../..../.... B' a.cert
  yomikiri check --time 60 large.cert

Exit code: 0 if every certificate is accepted, 1 if one was not checked to its end (--time, --memory, Ctrl-C),
3 if one is rejected, 2 if one cannot be read or is none. Of several certificates the worst counts: 2 before 3, 3 before 1.")]
pub struct Args {
    /// Certificates (`-`: standard input)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The problem that the certificates must be about
    #[arg(long, value_name = "TEXT")]
    problem: Option<String>,

    /// The goal of that problem, if its text has none
    #[arg(long, value_name = "GOAL", requires = "problem")]
    goal: Option<String>,

    /// Give up a certificate after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_time)]
    time: Option<Duration>,

    /// Give up a certificate that takes more memory to check, in MiB [default: three quarters of what is
    /// free]
    #[arg(long, value_name = "MIB", value_parser = parse_hash)]
    memory: Option<usize>,

    /// One JSON object a certificate
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<Exit> {
    let expected = args.problem.as_deref().map(|text| {
        let item = Item::new("", "--problem", text.trim_start());
        item.parse(games::recognise(text), args.goal.as_deref()).map_err(|error| anyhow!(error))
    });
    let expected = expected.transpose()?;
    let mut exit = Exit::Done;
    let mut out = io::stdout().lock();
    let stop = stop_on_interrupt()?;
    for path in &args.files {
        if stop.is_raised() {
            let path = path.display();
            terminal::stopped(&text!(
                "the certificates from {path} on were not checked",
                "{path} からあとの証明書は検査していません"
            ));
            break;
        }
        let start = Instant::now();
        let deadline = args.time.and_then(|time| start.checked_add(time));
        let pulse = Pulse::new(stop.clone()).with_deadline(deadline);
        let result = check_file(path, args.memory, expected.as_ref(), &pulse);
        let elapsed = start.elapsed();
        if args.json {
            json::line(&mut out, "check", &object(path, &result, elapsed))?;
        }
        match result {
            Ok(accepted) if !args.json => print(path, &accepted, elapsed, &mut out)?,
            Ok(_) => {}
            Err(error) => {
                // What cannot be read is named in the message.
                let name = match error.downcast_ref::<files::Error>() {
                    Some(_) => String::new(),
                    None => format!("{}: ", input_name(path)),
                };
                terminal::complain(&format!("{name}{}", lang::chain(&error)));
                exit = exit.max(outcome(&error).1);
            }
        }
    }
    Ok(exit)
}

/// Prints all that was claimed, for it is no less than that which is proven.
fn print(path: &Path, accepted: &Accepted, elapsed: Duration, out: &mut impl Write) -> Result<()> {
    /// A longer position is told in --json only.
    const LINES: usize = 30;
    let Terms { position, to_move, attacker, goal, wants, rule } = accepted.claim.problem.terms();
    let paint = Paint::stdout();
    let label = |label: Text| paint.label(label);
    let accepted_word = paint.text(Tone::Good, &text!("accepted", "正しい証明書です").to_string());
    writeln!(out, "{}: {accepted_word}", input_name(path))?;
    writeln!(out, "{}{}", label(text!("game", "ゲーム")), accepted.claim.problem.game().title())?;
    let place = text!("position", "局面");
    let lines: Vec<String> = position.lines().map(terminal::plain).collect();
    match lines.len() {
        ..LINES => writeln!(out, "{}{}", label(place), lines.join("\n               "))?,
        count => {
            let words = text!("{count} lines; --json has them", "{count}行（--json で見られます）");
            writeln!(out, "{}{words}", label(place))?;
        }
    }
    for line in accepted.claim.problem.board().iter().flat_map(|board| board.lines()) {
        writeln!(out, "  {line}")?;
    }
    writeln!(out, "{}{to_move}", label(text!("to move", "手番")))?;
    let wants = terminal::plain(&wants.to_string());
    let attacker = text!("{attacker}, who wants {wants}", "{attacker}");
    writeln!(out, "{}{attacker}", label(text!("attacker", "攻方")))?;
    let goal = text!("{goal}", "{wants}（`{goal}`）");
    writeln!(out, "{}{goal}", label(text!("goal", "目的")))?;
    writeln!(out, "{}{rule}", label(text!("rule", "規則")))?;
    let (value, claim) = (said(&accepted.claim.value), accepted.words());
    let claim = terminal::plain(&claim.to_string());
    writeln!(out, "{}{value}: {claim}", label(text!("claim", "主張")))?;
    let plies = match accepted.claim.plies.bounded() {
        Some(n) => text!("{n} at most", "{n}手以内"),
        None => text!("any number", "制限なし"),
    };
    writeln!(out, "{}{plies}", label(text!("plies", "手数")))?;
    let (positions, seconds) = (accepted.positions, elapsed.as_secs_f64());
    let checked =
        text!("{positions} positions in {seconds:.3} s", "{positions}局面（{seconds:.3}秒）");
    writeln!(out, "{}{checked}", label(text!("checked", "検査")))?;
    Ok(())
}

fn check_file(
    path: &Path,
    memory: Option<usize>,
    expected: Option<&AnyProblem>,
    pulse: &Pulse,
) -> Result<Accepted> {
    let is_late = Cell::new(false);
    let input = files::open_until(path, || {
        is_late.set(pulse.check().is_err());
        is_late.get()
    })?;
    let length = match files::is_standard(path) {
        true => None,
        false => fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|file| file.len()),
    };
    let free = || memory::available().and_then(|free| usize::try_from(free / 4 * 3).ok());
    let memory = memory.or_else(free);
    let checked = certificate::check(input, expected, CheckLimits { length, memory }, pulse);
    match checked {
        Err(_) if is_late.get() => {
            let stopped = certificate::Error::from(CheckError::Stopped(0));
            Err(stopped).context(text!("no more of it came", "続きが届きませんでした"))
        }
        checked => Ok(checked?),
    }
}

/// What became of a certificate that was not accepted: a word for programs, and the exit code.
fn outcome(error: &anyhow::Error) -> (&'static str, Exit) {
    use certificate::Error;
    match error.downcast_ref() {
        Some(error) if error.is_stopped() => ("stopped", Exit::Unknown),
        Some(Error::Check(CheckError::Memory { .. })) => ("memory", Exit::Unknown),
        Some(Error::Header(HeaderError::NotACertificate | HeaderError::Version { .. })) => {
            ("unreadable", Exit::Bad)
        }
        Some(error) if error.is_rejection() => ("rejected", Exit::Wrong),
        _ => ("unreadable", Exit::Bad),
    }
}

fn object(path: &Path, result: &Result<Accepted>, elapsed: Duration) -> Value {
    match result {
        Ok(accepted) => json!({
            "file": path.display().to_string(),
            "accepted": true,
            "outcome": "accepted",
            "game": accepted.claim.problem.game().name,
            "problem": accepted.claim.problem.text(),
            "terms": accepted.claim.problem.terms(),
            "verdict": accepted.claim.value.to_string(),
            "claim": accepted.words(),
            "plies": accepted.claim.plies.bounded(),
            "positions": accepted.positions,
            "seconds": elapsed.as_secs_f64(),
        }),
        Err(error) => json!({
            "file": path.display().to_string(),
            "accepted": false,
            "outcome": outcome(error).0,
            "reason": lang::chain(error),
        }),
    }
}
