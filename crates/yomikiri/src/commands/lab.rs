//! `yomikiri lab`: the experiments of the papers.

use std::io::{IsTerminal, stderr};
use std::path::PathBuf;

use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use yomikiri_lab::deep::{self, Game, Options};

use super::Exit;
use crate::interrupt::stop_on_interrupt;

/// Options of `lab`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(clap::Subcommand)]
enum Experiment {
    /// DeepPN in Othello and Hex: Fig. 3 to 6 of Ishitobi et al. (2015)
    Deep(DeepArgs),
}

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri lab deep --quick --out /tmp/deep
  yomikiri lab deep --threads 16 --only othello

Writes CSV, SVG and summary.txt to the folder. Every search is recorded at once in raw.csv; a run that
was ended (Ctrl-C keeps what was found) goes on from there when the command is given again.")]
struct DeepArgs {
    /// Few positions and few values of R: about a minute
    #[arg(long)]
    quick: bool,
    /// Searches at a time [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// The folder for the results
    #[arg(long, value_name = "DIR", default_value = "lab/results/deep")]
    out: PathBuf,
    /// How many Othello positions [default: 1000, or 20 if quick]
    #[arg(long, value_name = "N")]
    positions: Option<u32>,
    /// How many random move orders in Hex [default: 10, or 1 if quick]
    #[arg(long, value_name = "N")]
    orders: Option<u32>,
    /// One game only: othello or hex
    #[arg(long, value_name = "GAME")]
    only: Option<Game>,
}

pub fn run(args: &Args) -> Result<Exit> {
    let Experiment::Deep(args) = &args.experiment;
    let mut options = Options {
        quick: args.quick,
        out: args.out.clone(),
        positions: args.positions,
        orders: args.orders,
        only: args.only,
        stop: stop_on_interrupt()?,
        ..Options::default()
    };
    match args.threads {
        Some(0) => bail!("--threads 0: at least one thread is needed"),
        Some(threads) => options.threads = threads,
        None => {}
    }
    let bar = if stderr().is_terminal() { ProgressBar::new(0) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} searches, {eta} left") {
        bar.set_style(style);
    }
    let result = deep::run(&options, &|done, total| {
        bar.set_length(total as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    match result {
        Ok(summary) => {
            print!("{summary}");
            println!("Results are in {}", options.out.display());
            Ok(Exit::Done)
        }
        Err(yomikiri_lab::Error::Stopped { done, total }) => {
            eprintln!(
                "stopped after {done} of {total} searches; the same command goes on from there"
            );
            Ok(Exit::Unknown)
        }
        Err(error) => Err(error.into()),
    }
}
