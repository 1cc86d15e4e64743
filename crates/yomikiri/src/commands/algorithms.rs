//! `yomikiri algorithms`: the values of `--algorithm`.

use std::io::{self, Write};

use anyhow::Result;
use serde_json::json;
use yomikiri_question::algorithms::{ALGORITHMS, Entry};

use super::Exit;
use crate::json;

/// Options of `algorithms`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri algorithms
  yomikiri solve 'hex 4 ..../..../..../.... B' --algorithm deep-pn")]
pub struct Args {
    /// One JSON object an algorithm
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<Exit> {
    let mut out = io::stdout().lock();
    for entry in ALGORITHMS {
        let options: Vec<&str> = entry.team.options().collect();
        if args.json {
            let Entry { name, what, paper, .. } = entry;
            let line = json!({"name": name, "what": what, "paper": paper, "options": options});
            json::line(&mut out, "algorithms", &line)?;
            continue;
        }
        writeln!(out, "{:<11} {}\n{:<11} {}", entry.name, entry.what, "", entry.paper)?;
        if !options.is_empty() {
            writeln!(out, "{:<11} takes {}", "", options.join(", "))?;
        }
    }
    Ok(Exit::Done)
}
