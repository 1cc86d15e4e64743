//! `yomikiri check`: the independent checker of certificates.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use serde_json::json;

use super::Exit;
use crate::certificate::{self, Accepted};
use crate::games::{self, AnyProblem};
use crate::input::Item;
use crate::words;

/// Options of `check`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri check a.cert
  yomikiri check --problem 'hex 4 ..../..../..../.... B' a.cert

Exit code: 0 if every certificate is accepted, 2 otherwise.")]
pub struct Args {
    /// Certificates
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The problem that the certificates must be about
    #[arg(long, value_name = "TEXT")]
    problem: Option<String>,

    /// The goal of that problem, if its text has none
    #[arg(long, value_name = "GOAL", requires = "problem")]
    goal: Option<String>,

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
    for path in &args.files {
        let result = check_file(path, expected.as_ref());
        if args.json {
            writeln!(out, "{}", object(path, &result))?;
        }
        match result {
            Ok(accepted) if !args.json => {
                writeln!(
                    out,
                    "{}: accepted\n  {}: {}\n  {}: {} positions checked in {:.3} s",
                    path.display(),
                    accepted.problem.game().name,
                    accepted.problem.question(),
                    accepted.claim(),
                    accepted.positions,
                    accepted.elapsed.as_secs_f64(),
                )?;
            }
            Ok(_) => {}
            Err(error) => {
                eprintln!("error: {}: {error:#}", path.display());
                exit = Exit::Bad;
            }
        }
    }
    Ok(exit)
}

fn check_file(path: &Path, expected: Option<&AnyProblem>) -> Result<Accepted> {
    let file = File::open(path).context("cannot open it")?;
    certificate::check(BufReader::new(file), expected)
}

fn object(path: &Path, result: &Result<Accepted>) -> serde_json::Value {
    match result {
        Ok(accepted) => json!({
            "file": path.display().to_string(),
            "accepted": true,
            "game": accepted.problem.game().name,
            "problem": accepted.problem.text(),
            "verdict": words::value(accepted.header.value),
            "claim": accepted.claim(),
            "plies": words::bound(accepted.header.plies),
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
