//! `yomikiri check`: the independent checker of certificates.

use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use andor::Pulse;
use anyhow::{Result, anyhow};
use serde_json::{Value, json};
use yomikiri_files as files;
use yomikiri_question::certificate::{self, Accepted, CheckLimits};
use yomikiri_question::games::{self, AnyProblem, Terms};
use yomikiri_question::lang::{Text, said, text};

use super::Exit;
use super::options::parse_time;
use crate::input::{Item, input_name};
use crate::interrupt::stop_on_interrupt;
use crate::json;
use crate::lang;
use crate::paint::{Paint, Tone};
use crate::terminal;

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
        let result = match read {
            Some(bytes) => bytes.map_err(Into::into).and_then(|bytes| {
                Ok(certificate::check(
                    Cursor::new(bytes),
                    expected.as_ref(),
                    CheckLimits::default(),
                    &pulse,
                )?)
            }),
            None => check_file(path, expected.as_ref(), &pulse),
        };
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
                exit = exit.max(
                    match error.downcast_ref().is_some_and(certificate::Error::is_stopped) {
                        true => Exit::Unknown,
                        false => Exit::Bad,
                    },
                );
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
    let wants = text!("{attacker}, who wants {wants}", "{attacker}（目的: {wants}）");
    writeln!(out, "{}{wants}", label(text!("attacker", "攻方")))?;
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

fn check_file(path: &Path, expected: Option<&AnyProblem>, pulse: &Pulse) -> Result<Accepted> {
    Ok(certificate::check(files::open(path)?, expected, CheckLimits::default(), pulse)?)
}

fn object(path: &Path, result: &Result<Accepted>, elapsed: Duration) -> Value {
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
            "seconds": elapsed.as_secs_f64(),
        }),
        Err(error) => json!({
            "file": path.display().to_string(),
            "accepted": false,
            "reason": lang::chain(error),
        }),
    }
}
