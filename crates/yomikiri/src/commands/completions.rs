//! `yomikiri completions`: what a shell needs to complete commands and options.

use std::io::{self, Write};

use anyhow::Result;
use clap_complete::Shell;

use super::Exit;

/// Options of `completions`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri completions bash > ~/.local/share/bash-completion/completions/yomikiri
  yomikiri completions zsh > ~/.zfunc/_yomikiri
  yomikiri completions fish > ~/.config/fish/completions/yomikiri.fish
  yomikiri completions elvish >> ~/.config/elvish/rc.elv
  yomikiri completions powershell >> $PROFILE

zsh needs `fpath+=~/.zfunc` before `compinit` in ~/.zshrc. Start a new shell afterwards.")]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// Prints the completions of `command`, which is the whole program.
pub fn run(args: &Args, mut command: clap::Command) -> Result<Exit> {
    let name = command.get_name().to_owned();
    // Made whole first: the generator cannot say that a pipe was closed.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    io::stdout().write_all(&script)?;
    Ok(Exit::Done)
}
