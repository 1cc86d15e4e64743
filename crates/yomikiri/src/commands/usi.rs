//! `yomikiri usi`: the engine for user interfaces of shogi.

use anyhow::{Context, Result};

use super::Exit;
use crate::terminal;
use crate::usi::{self, options};

/// Options of `usi`.
#[derive(clap::Args, Default)]
#[command(after_help = format!("\
Register `yomikiri` as an engine for tsume-shogi (詰将棋エンジン) in ShogiHome, ShogiGUI, Shogidokoro
or any other interface that speaks USI: started by a program and without arguments, it does so too.

Examples:
  yomikiri usi
  yomikiri usi -o Threads=4 -o USI_Hash=2048

By hand:

  usi
  setoption name PostSearchLevel value None
  isready
  usinewgame
  position sfen 8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1
  go mate infinite          (or milliseconds, or `nodes N`)
  stop
  matedebug 3d3a            (what the table knows after these moves)
  quit

Options and their defaults:
{}
The table is kept from one `go` to the next; `usinewgame` empties it.", options::OPTIONS.describe()))]
pub struct Args {
    /// Set an option before the dialogue begins
    #[arg(long = "option", short, value_name = "NAME=VALUE")]
    options: Vec<String>,
}

pub fn run(args: &Args) -> Result<Exit> {
    let mut options = options::Options::default();
    for option in &args.options {
        let (name, value) = option.split_once('=').context("--option is written NAME=VALUE")?;
        let remark = options.set(name.trim(), Some(value))?;
        if let Some(remark) = remark {
            terminal::tell(&remark);
        }
    }
    usi::speak_here(options)?;
    Ok(Exit::Done)
}
