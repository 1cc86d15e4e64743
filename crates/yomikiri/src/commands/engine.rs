//! `yomikiri engine`: engines that play, for user interfaces and as workers of a cluster.

use std::io::{self, Write};

use anyhow::Result;
use yomikiri_alphabeta::{bench, uci};

use super::Exit;
use super::options::parse_hash;
use crate::memory;

/// Options of `engine`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri engine chess
  yomikiri engine bench --depth 6")]
pub struct Args {
    #[command(subcommand)]
    engine: Engine,
}

#[derive(clap::Subcommand)]
enum Engine {
    /// Speak UCI: an alpha-beta engine for chess that can report its transposition table
    #[command(after_help = "\
Register `yomikiri engine chess` as an engine in any user interface that speaks UCI.

Examples:
  yomikiri engine chess
  yomikiri match --engine 'cmd=yomikiri engine chess' --engine stockfish --movetime 100

By hand:

  uci
  position startpos moves e2e4
  go movetime 1000           (or wtime, btime, …, depth, nodes, mate, infinite, ponder)
  tablereport 20             (what the table knows below the position; see docs/protocol.md)
  quit")]
    Chess,
    /// Search a fixed suite with the chess engine and print its total of nodes and its speed
    #[command(after_help = "\
Examples:
  yomikiri engine bench
  yomikiri engine bench --depth 12 --hash 256

The nodes do not depend on the machine, the speed does.")]
    Bench {
        /// Plies to search
        #[arg(long, default_value_t = bench::DEPTH, value_name = "PLIES",
            value_parser = clap::value_parser!(u32).range(1..=100))]
        depth: u32,
        /// Size of the table
        #[arg(long, default_value = "16", value_name = "MIB", value_parser = parse_hash)]
        hash: usize,
    },
}

pub fn run(args: &Args) -> Result<Exit> {
    match args.engine {
        Engine::Chess => uci::run(io::BufReader::new(io::stdin()), io::stdout())?,
        Engine::Bench { depth, hash } => {
            memory::check(hash)?;
            let total = bench::run(depth, hash >> 20);
            let mut out = io::stdout();
            writeln!(out, "Nodes: {}", total.nodes)?;
            writeln!(out, "Nodes/second: {}", total.speed())?;
        }
    }
    Ok(Exit::Done)
}
