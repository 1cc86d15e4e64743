//! `yomikiri algorithms`: the values of `--algorithm`.

use std::io::{self, Write};

use anyhow::Result;
use serde_json::json;

use super::Exit;
use crate::algorithms::ALGORITHMS;

/// Options of `algorithms`.
#[derive(clap::Args)]
pub struct Args {
    /// One JSON object an algorithm
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<Exit> {
    let mut out = io::stdout().lock();
    for entry in ALGORITHMS {
        if args.json {
            let line = json!({"name": entry.name, "what": entry.what, "paper": entry.paper});
            writeln!(out, "{line}")?;
        } else {
            writeln!(out, "{:<11} {}\n{:<11} {}", entry.name, entry.what, "", entry.paper)?;
        }
    }
    Ok(Exit::Done)
}
