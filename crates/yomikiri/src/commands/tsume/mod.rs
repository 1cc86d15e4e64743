//! `yomikiri tsume`: tools for those who compose and collect tsume-shogi.
//!
//! One file a tool.

mod check;
mod convert;
mod make;
mod merge;
mod same;
mod show;

use anyhow::Result;

use super::Exit;

/// Options of `tsume`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri tsume check --file problem.kif
  yomikiri tsume convert --file problem.kif --to sfen
  yomikiri tsume make --count 3 --plies 5
  yomikiri tsume show '8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1'

`yomikiri tsume check --help` has more, and so have the others.")]
pub struct Args {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(clap::Subcommand)]
enum Tool {
    /// Is the solution the only one (余詰検討)?
    Check(check::Args),
    /// From any format of records into any other
    Convert(convert::Args),
    /// Make problems: with one solution, or hard ones
    Make(make::Args),
    /// Files of made problems into one set, certified again
    Merge(merge::Args),
    /// Mirror images and shifted twins in a set of problems
    Same(same::Args),
    /// The board, and what a record says of it
    Show(show::Args),
}

pub fn run(args: &Args) -> Result<Exit> {
    match &args.tool {
        Tool::Check(args) => check::run(args),
        Tool::Convert(args) => convert::run(args),
        Tool::Make(args) => make::run(args),
        Tool::Merge(args) => merge::run(args),
        Tool::Same(args) => same::run(args),
        Tool::Show(args) => show::run(args),
    }
}
