//! `yomikiri`: proves or disproves game positions, with certificates that a checker accepts.
//!
//! One file a subcommand in [`commands`]; what they share lies beside it. Searching is
//! [`andor`]'s business and rules are the games'.

mod batch;
mod certificate_file;
mod columns;
mod commands;
mod cpu;
mod explain;
mod folder;
mod input;
mod interrupt;
mod json;
mod lang;
mod memory;
#[cfg(feature = "cluster")]
mod nats;
mod page;
mod paint;
mod png;
mod progress;
mod sheet;
mod solution_record;
mod terminal;
mod usi;

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

use anyhow::Result;
use clap::error::ErrorKind;
use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};
use yomikiri_question::games;
use yomikiri_question::lang::Lang;

use lang::LangName;

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
  yomikiri solve '8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1'
  yomikiri tsume check --file problem.kif
  yomikiri serve --open
  yomikiri games"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Colours for people; auto: on a terminal, as NO_COLOR and CLICOLOR_FORCE say
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", display_order = 900)]
    color: ColorChoice,

    /// Language of help, messages and errors for tsume-shogi [default: ja if LC_ALL, LC_MESSAGES or LANG
    /// says so]
    #[arg(long, global = true, value_name = "LANGUAGE", display_order = 901)]
    lang: Option<LangName>,
}

#[derive(Subcommand)]
enum Command {
    /// Prove or disprove problems
    Solve(Box<commands::solve::Args>),
    /// Serve the page: set up positions, watch searches, play against proofs
    #[cfg_attr(
        not(feature = "serve"),
        command(
            about = "Serve the page: set up positions, watch searches, play against proofs (not in this build: --features serve)"
        )
    )]
    Serve(commands::serve::Args),
    /// Speak USI with a user interface of shogi, as an engine for mates
    Usi(commands::usi::Args),
    /// Play chess as an engine, alone or as a worker of a cluster
    Engine(commands::engine::Args),
    /// Let engines play a match against each other
    #[cfg_attr(
        not(feature = "cluster"),
        command(
            about = "Let engines play a match against each other (not in this build: --features cluster)"
        )
    )]
    Match(Box<commands::match_play::Args>),
    /// Tools for tsume-shogi: check, convert, make, show
    Tsume(commands::tsume::Args),
    /// Check certificates with the rules of the game alone
    Check(commands::check::Args),
    /// Run a fixed suite and print its total of nodes, or sets of tsume-shogi
    Bench(commands::bench::Args),
    /// Many engines as one, in UCI or USI
    #[cfg_attr(
        not(feature = "cluster"),
        command(
            about = "Many engines as one, in UCI or USI (not in this build: --features cluster)"
        )
    )]
    Cluster(Box<commands::cluster::Args>),
    /// Lend engines of this machine to a cluster
    #[cfg_attr(
        not(feature = "cluster"),
        command(
            about = "Lend engines of this machine to a cluster (not in this build: --features cluster)"
        )
    )]
    Worker(Box<commands::worker::Args>),
    /// What can be solved, and how to write it down
    Games(commands::games::Args),
    /// How problems can be searched
    Algorithms(commands::algorithms::Args),
    /// Reproduce the experiments of the papers
    #[cfg_attr(
        not(feature = "lab"),
        command(
            about = "Reproduce the experiments of the papers (not in this build: --features lab)"
        )
    )]
    Lab(commands::lab::Args),
    /// Print what a shell needs to complete commands and options
    Completions(commands::completions::Args),
    /// Print the manual page, or write those of all commands
    Man(commands::man::Args),
}

fn main() -> ExitCode {
    lang::wanted(std::env::args_os()).speak(run)
}

fn run() -> ExitCode {
    let command = match is_engine() {
        true => Command::Usi(commands::usi::Args::default()),
        false => match parse(std::env::args_os().map(shield)) {
            Ok(cli) => {
                paint::choose(cli.color);
                cli.command
            }
            Err(error) if error.use_stderr() && std::env::args_os().len() > 1 => {
                terminal::complain(&without_help(&error));
                return ExitCode::from(commands::Exit::Bad as u8);
            }
            // Help, or the version.
            Err(error) => error.exit(),
        },
    };
    let lang = if command.is_of_tsume() { Lang::current() } else { Lang::En };
    lang.speak(|| match command.run() {
        Ok(exit) => ExitCode::from(exit as u8),
        Err(error) if terminal::is_reader_gone(&error) => ExitCode::SUCCESS,
        Err(error) => {
            terminal::complain(&lang::chain(&error));
            ExitCode::from(commands::Exit::Bad as u8)
        }
    })
}

impl Command {
    fn run(self) -> Result<commands::Exit> {
        match self {
            Command::Solve(args) => commands::solve::run(&args),
            Command::Serve(args) => commands::serve::run(&args),
            Command::Usi(args) => commands::usi::run(&args),
            Command::Engine(args) => commands::engine::run(&args),
            Command::Match(args) => commands::match_play::run(&args),
            Command::Tsume(args) => commands::tsume::run(&args),
            Command::Check(args) => commands::check::run(&args),
            Command::Bench(args) => commands::bench::run(&args),
            Command::Cluster(args) => commands::cluster::run(&args),
            Command::Worker(args) => commands::worker::run(&args),
            Command::Games(args) => commands::games::run(&args),
            Command::Algorithms(args) => commands::algorithms::run(&args),
            Command::Lab(args) => commands::lab::run(&args),
            Command::Completions(args) => commands::completions::run(&args, command()),
            Command::Man(args) => commands::man::run(&args, command()),
        }
    }

    /// Is it one of those that speak Japanese?
    fn is_of_tsume(&self) -> bool {
        matches!(
            self,
            Command::Solve(_) | Command::Tsume(_) | Command::Check(_) | Command::Serve(_)
        )
    }
}

/// All commands and their options.
fn command() -> clap::Command {
    /// A negative number is a value, and a wrong one mostly; not an option that does not exist.
    fn with_negative_numbers(command: clap::Command) -> clap::Command {
        let command = command.mut_args(|argument| {
            let takes_values = argument.get_action().takes_values();
            argument.allow_negative_numbers(takes_values)
        });
        command.mut_subcommands(with_negative_numbers)
    }
    with_negative_numbers(Cli::command())
}

/// Reads the arguments; help and errors are in the language that is spoken.
fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Cli, clap::Error> {
    Cli::from_arg_matches(&spoken().try_get_matches_from(arguments)?)
}

/// All commands, with help in the language that is spoken.
fn spoken() -> clap::Command {
    match Lang::current() {
        Lang::En => command(),
        Lang::Ja => lang::help::in_japanese(command()),
    }
}

/// What is wrong with the arguments in one line, with tips on lines of their own; not the help that
/// would follow.
fn without_help(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let command = named_command(std::env::args_os());
    let help = format!("{command} --help");
    if Lang::current() == Lang::Ja {
        let lang::Wrong { what, tip } = lang::wrong_arguments(error);
        let tip = tip.map_or(String::new(), |tip| format!("\n  ヒント: {tip}"));
        return format!("{what}。`{help}` を見てください{tip}");
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return format!("a command is missing after `{command}`: see `{help}`");
    }
    let is_end = |line: &&str| line.starts_with("Usage:") || line.starts_with("For more");
    let lines = text.lines().take_while(|line| !is_end(line)).map(str::trim);
    let lines = lines.filter(|line| !line.is_empty());
    let (tips, said): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with("tip: "));
    let tips: String = tips.iter().map(|tip| format!("\n  {tip}")).collect();
    format!("{} (see `{help}`){tips}", said.join(" ").trim_start_matches("error: "))
}

/// The command that the arguments begin with, such as `yomikiri tsume check`. An error over a value
/// does not name it.
fn named_command(arguments: impl Iterator<Item = OsString>) -> String {
    let mut command = command();
    let mut name = command.get_name().to_owned();
    for argument in arguments.skip(1) {
        if let Some(found) = argument.to_str().and_then(|word| command.find_subcommand(word)) {
            name = format!("{name} {}", found.get_name());
            command = found.clone();
        }
    }
    name
}

/// Is it started as user interfaces of shogi start engines: without arguments, and by a program?
fn is_engine() -> bool {
    std::env::args_os().len() <= 1 && !io::stdin().is_terminal()
}

/// Puts a blank before a board of Othello that begins with empty squares, or it would pass for an
/// option. Positions may begin with blanks, and have no `=`: an option with its value stays one.
fn shield(argument: OsString) -> OsString {
    let is_board = |text: &str| {
        let game = games::recognise(text).map(|game| game.name);
        text.starts_with('-') && !text.contains('=') && game == Some("othello")
    };
    match argument.to_str() {
        Some(text) if is_board(text) => format!(" {text}").into(),
        _ => argument,
    }
}

#[cfg(test)]
mod tests {
    use yomikiri_engine::program::split_words;

    use super::*;

    /// The command lines of a help, without remarks after them and what a shell takes for itself.
    fn examples(help: &str) -> Vec<Vec<String>> {
        let whole = help.split("\\\n").map(str::trim).collect::<Vec<_>>().join(" ");
        let lines = whole.lines().map(str::trim_start).filter(|line| line.starts_with("yomikiri "));
        let words = |line: &str| {
            let remark = line.find("  ").unwrap_or(line.len());
            let words =
                split_words(&line[..remark]).unwrap_or_else(|error| panic!("{line}: {error}"));
            let is_own = |word: &String| !["|", "<", ">", ">>"].contains(&word.as_str());
            words.into_iter().take_while(is_own).collect()
        };
        lines.map(words).collect()
    }

    /// Looks at the examples of a command and of all below it. Gives how many there are.
    fn look(command: &clap::Command, path: &[&str]) -> usize {
        let is_absent = command.get_arguments().any(|argument| argument.get_id() == "_rest");
        if command.get_name() == "help" || is_absent {
            return 0;
        }
        let help = command.get_after_long_help().or(command.get_after_help());
        let help = help.map(ToString::to_string).unwrap_or_default();
        let long = help.lines().find(|line| line.contains("  yomikiri ") && line.len() > 100);
        assert_eq!(long, None, "{path:?}: an example that clap would break");
        let examples = examples(&help);
        let is_of_it = |words: &Vec<String>| {
            words[1..].iter().zip(path).filter(|(a, b)| a == *b).count() == path.len()
        };
        assert!(examples.iter().any(is_of_it), "no example in the help of {path:?}");
        for words in &examples {
            let read = parse(words.iter().map(|word| shield(word.into())));
            assert!(read.is_ok(), "{path:?}: {words:?}: {}", read.err().expect("an error"));
        }
        let below = command
            .get_subcommands()
            .map(|below| look(below, &[path, &[below.get_name()]].concat()));
        examples.len() + below.sum::<usize>()
    }

    #[test]
    fn the_help_of_every_command_has_examples_that_are_understood() {
        for lang in [Lang::En, Lang::Ja] {
            let count = lang.speak(|| look(&spoken(), &[]));
            assert!(count > 60, "{count}");
        }
    }
}
