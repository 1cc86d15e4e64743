//! `yomikiri`: proves or disproves game positions, with certificates that a checker accepts.
//!
//! One file a subcommand in [`commands`]; what they share lies beside it. Searching is
//! [`andor`]'s business and rules are the games'.

mod algorithms;
mod certificate;
mod commands;
mod draft;
mod fault;
mod first_move;
mod games;
mod input;
mod interrupt;
mod memory;
mod progress;
mod words;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Proves or disproves game positions by AND/OR search, with certificates
#[derive(Parser)]
#[command(
    name = "yomikiri",
    version,
    about,
    after_help = "\
Examples:
  yomikiri solve 'hex 4 ..../..../..../.... B' --certificate hex.cert
  yomikiri check hex.cert
  yomikiri games"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Prove or disprove problems
    Solve(Box<commands::solve::Args>),
    /// Check certificates with the rules of the game alone
    Check(commands::check::Args),
    /// Run a fixed suite and print its total of nodes
    Bench(commands::bench::Args),
    /// What can be solved, and how to write it down
    Games(commands::games::Args),
    /// How problems can be searched
    Algorithms(commands::algorithms::Args),
    /// Reproduce the experiments of the papers
    Lab(commands::lab::Args),
}

fn main() -> ExitCode {
    let exit = match Cli::parse_from(std::env::args_os().map(shield)).command {
        Command::Solve(args) => commands::solve::run(&args),
        Command::Check(args) => commands::check::run(&args),
        Command::Bench(args) => commands::bench::run(&args),
        Command::Games(args) => commands::games::run(&args),
        Command::Algorithms(args) => commands::algorithms::run(&args),
        Command::Lab(args) => commands::lab::run(&args),
    };
    match exit {
        Ok(exit) => ExitCode::from(exit as u8),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(commands::Exit::Bad as u8)
        }
    }
}

/// Puts a blank before a board that begins with empty squares, or it would pass for an option.
/// Positions may begin with blanks.
fn shield(argument: OsString) -> OsString {
    match argument.to_str() {
        Some(text) if text.starts_with('-') && games::recognise(text).is_some() => {
            format!(" {text}").into()
        }
        _ => argument,
    }
}

/// Did the reader of our output go away? Then nobody is left to complain to.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}
