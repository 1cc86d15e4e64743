//! `yomikiri check`: the independent checker of certificates.

use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use andor::Pulse;
use anyhow::{Result, anyhow};
use serde_json::{Value, json};
use yomikiri_files as files;

use super::Exit;
use super::options::parse_time;
use crate::certificate::{self, Accepted};
use crate::display;
use crate::games::{self, AnyProblem, Terms};
use crate::input::Item;
use crate::interrupt::stop_on_interrupt;
use crate::json;
use crate::paint::{Paint, Tone};

/// Options of `check`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri check a.cert
  yomikiri check --problem 'hex 4 ..../..../..../.... B' a.cert
  yomikiri check --time 60 large.cert

Exit code: 0 if every certificate is accepted, 1 if one was not checked to its end (--time, Ctrl-C), 2 if one is
rejected or cannot be read.")]
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
    // What comes in by standard input is read first: until then Ctrl-C ends the program at once.
    let mut inputs = Vec::new();
    for path in &args.files {
        let is_standard = files::is_standard(path);
        inputs.push((path, is_standard.then(|| files::read(path))));
    }
    let stop = stop_on_interrupt()?;
    for (path, read) in inputs {
        if stop.is_raised() {
            eprintln!("stopped: the certificates from {} on were not checked", path.display());
            break;
        }
        let start = Instant::now();
        let deadline = args.time.and_then(|time| start.checked_add(time));
        let pulse = Pulse::new(stop.clone()).with_deadline(deadline);
        let result = match read {
            Some(bytes) => bytes.map_err(Into::into).and_then(|bytes| {
                certificate::check(Cursor::new(bytes), expected.as_ref(), &pulse)
            }),
            None => check_file(path, expected.as_ref(), &pulse),
        };
        if args.json {
            json::line(&mut out, "check", &object(path, &result))?;
        }
        match result {
            Ok(accepted) if !args.json => print(path, &accepted, &mut out)?,
            Ok(_) => {}
            Err(error) => {
                // What cannot be read is named in the message.
                let name = match error.downcast_ref::<files::Error>() {
                    Some(_) => String::new(),
                    None => format!("{}: ", files::name(path, "standard input")),
                };
                display::complain(&format!("{name}{error:#}"));
                exit = exit.max(match certificate::is_stopped(&error) {
                    true => Exit::Unknown,
                    false => Exit::Bad,
                });
            }
        }
    }
    Ok(exit)
}

/// Prints all that was claimed, for it is no less than that which is proven.
fn print(path: &Path, accepted: &Accepted, out: &mut impl Write) -> Result<()> {
    /// A longer position is told in --json only.
    const LINES: usize = 30;
    let Terms { position, to_move, attacker, goal, wants, rule } = accepted.claim.problem.terms();
    let paint = Paint::stdout();
    let label = |label| paint.label(label);
    let accepted_word = paint.text(Tone::Good, "accepted");
    writeln!(out, "{}: {accepted_word}", files::name(path, "standard input"))?;
    writeln!(out, "{}{}", label("game"), accepted.claim.problem.game().name)?;
    let lines: Vec<String> = position.lines().map(display::plain).collect();
    match lines.len() {
        ..LINES => writeln!(out, "{}{}", label("position"), lines.join("\n               "))?,
        count => writeln!(out, "{}{count} lines; --json has them", label("position"))?,
    }
    for line in accepted.claim.problem.board().iter().flat_map(|board| board.lines()) {
        writeln!(out, "  {line}")?;
    }
    writeln!(out, "{}{to_move}", label("to move"))?;
    writeln!(out, "{}{attacker}, who wants {}", label("attacker"), display::plain(&wants))?;
    writeln!(out, "{}{goal}", label("goal"))?;
    writeln!(out, "{}{rule}", label("rule"))?;
    let (value, claim) = (accepted.claim.value, accepted.words());
    writeln!(out, "{}{value}: {}", label("claim"), display::plain(&claim))?;
    let plies = accepted.claim.plies.bounded();
    writeln!(
        out,
        "{}{}",
        label("plies"),
        plies.map_or("any number".into(), |n| format!("{n} at most"))
    )?;
    let seconds = accepted.elapsed.as_secs_f64();
    writeln!(out, "{}{} positions in {seconds:.3} s", label("checked"), accepted.positions)?;
    Ok(())
}

fn check_file(path: &Path, expected: Option<&AnyProblem>, pulse: &Pulse) -> Result<Accepted> {
    certificate::check(files::open(path)?, expected, pulse)
}

fn object(path: &Path, result: &Result<Accepted>) -> Value {
    match result {
        Ok(accepted) => json!({
            "file": path.display().to_string(),
            "accepted": true,
            "game": accepted.claim.problem.game().name,
            "problem": accepted.claim.problem.text(),
            "terms": accepted.claim.problem.terms(),
            "verdict": accepted.claim.value.to_string(),
            "claim": accepted.words(),
            "plies": accepted.claim.plies.bounded(),
            "positions": accepted.positions,
            "seconds": accepted.elapsed.as_secs_f64(),
        }),
        Err(error) => json!({
            "file": path.display().to_string(),
            "accepted": false,
            "reason": format!("{error:#}"),
        }),
    }
}
