//! `yomikiri man`: manual pages, made from the same words as `--help`.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Command;
use clap::builder::Resettable;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use yomikiri_files as files;

use super::Exit;
use crate::folder;

/// Options of `man`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri man | man -l -
  yomikiri man --out ~/.local/share/man/man1           then: man yomikiri-solve")]
pub struct Args {
    /// Write the pages of all commands to this folder, a file each; made if it is not there
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Replace pages that are there
    #[arg(long, requires = "out")]
    force: bool,
}

/// Prints or writes the pages of `command`, which is the whole program.
pub fn run(args: &Args, command: Command) -> Result<Exit> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let Some(place) = &args.out else {
        io::stdout().write_all(&page(&command)?.1)?;
        return Ok(Exit::Done);
    };
    if files::is_standard(place) {
        bail!("--out - is no folder: without --out the page of yomikiri goes to standard output");
    }
    let mut pages = Vec::new();
    collect(&command, &mut pages)?;
    folder::check(pages.iter().map(|(name, _)| place.join(name)), args.force)?;
    folder::make(place)?;
    for (name, text) in &pages {
        files::write(&place.join(name), text)?;
    }
    writeln!(io::stdout(), "{} pages in {}", pages.len(), place.display())?;
    Ok(Exit::Done)
}

/// The pages of a command and of all below it.
fn collect(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) -> Result<()> {
    pages.push(page(command)?);
    let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
    shown.into_iter().try_for_each(|command| collect(command, pages))
}

/// The name of a command's page, and the page. The examples come last, with their line breaks: they
/// would be filled like any paragraph otherwise.
fn page(command: &Command) -> Result<(String, Vec<u8>)> {
    let notes = command.get_after_long_help().or(command.get_after_help());
    let notes = notes.map(ToString::to_string);
    let bare = command.clone().after_help(Resettable::Reset).after_long_help(Resettable::Reset);
    let man = Man::new(bare);
    let mut text = Vec::new();
    man.render(&mut text)?;
    if let Some(notes) = notes {
        let mut roff = Roff::default();
        roff.control("SH", ["EXAMPLES AND NOTES"]).control("nf", []);
        for line in notes.lines() {
            roff.text([roman(line)]);
        }
        roff.control("fi", []).to_writer(&mut text)?;
    }
    Ok((man.get_filename(), text))
}
