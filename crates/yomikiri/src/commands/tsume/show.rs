//! `yomikiri tsume show`: the board, and what a record says of it; or a picture of it.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use andor::Rules;
use anyhow::Result;
use serde_json::json;
use yomikiri_question::games::{self, shogi};
use yomikiri_question::lang::{Text, text};
use yomikiri_question::written;
use yomikiri_shogi::notation::diagram::diagram;
use yomikiri_shogi::notation::{Format, Record, japanese};
use yomikiri_shogi::{Move, Position};
use yomikiri_tsume::Tsume;

use super::convert;
use crate::columns;
use crate::commands::Exit;
use crate::commands::options::{parse_hash, parse_time};
use crate::input::{self, Item};
use crate::json;
use crate::paint::Paint;
use crate::terminal::{self, plain};

/// Options of `tsume show`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri tsume show '8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1'
  yomikiri tsume show --file problem.kif
  yomikiri tsume show --file problems.tsv
  yomikiri tsume show --file problem.kif --to svg > problem.svg
  yomikiri tsume show --file problem.kif --to html --out problem.html --time 60

Pictures and pages are those of `tsume convert`.
Exit code: 0, 1 if a page was stopped by Ctrl-C, or 2 if a text cannot be read.")]
pub struct Args {
    /// Positions: SFEN, or a whole record
    #[arg(value_name = "PROBLEM")]
    problems: Vec<String>,

    /// A file of problems: SFEN lines, a table, KIF, KI2, CSA or JKF. May be given again
    #[arg(long, short, value_name = "FILE")]
    file: Vec<PathBuf>,

    /// One JSON object a problem
    #[arg(long)]
    json: bool,

    /// A picture, or a page with the solution and its variations
    #[arg(long, short, value_name = "FORMAT", conflicts_with = "json")]
    to: Option<Drawn>,

    /// With --to: where to [default: standard output]; for several pictures, a directory of files
    #[arg(long, short, value_name = "FILE", requires = "to")]
    out: Option<PathBuf>,

    /// With --to: replace files that are there in the directory of --out
    #[arg(long, requires = "out")]
    force: bool,

    /// With --to html: at most so long for the solution of a problem, and for its variations
    /// [default: 10]
    #[arg(long, value_name = "SECONDS", requires = "to", value_parser = parse_time)]
    time: Option<Duration>,

    /// With --to html: memory for the table, in MiB [default: 256]
    #[arg(long, value_name = "MIB", requires = "to", value_parser = parse_hash)]
    hash: Option<usize>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Drawn {
    /// A picture of the board
    Svg,
    /// The same in pixels
    Png,
    /// A page: picture, solution and variations
    Html,
}

pub fn run(args: &Args) -> Result<Exit> {
    if let Some(drawn) = args.to {
        return convert::run(&convert::Args {
            problems: args.problems.clone(),
            file: args.file.clone(),
            to: Some(match drawn {
                Drawn::Svg => convert::Target::Svg,
                Drawn::Png => convert::Target::Png,
                Drawn::Html => convert::Target::Html,
            }),
            out: args.out.clone(),
            force: args.force,
            encoding: convert::EncodingName::Utf8,
            time: args.time,
            hash: args.hash,
        });
    }
    let items = input::collect(&args.problems, &args.file, games::find("shogi"))?;
    let mut out = io::stdout().lock();
    let mut exit = Exit::Done;
    for (number, item) in items.iter().enumerate() {
        match item.read(shogi::read) {
            Ok((record, format)) => {
                if number > 0 && !args.json {
                    writeln!(out)?;
                }
                show(args, item, &record, format, &mut out)?;
            }
            Err(error) => {
                let hint = input::file_hint(item);
                let message = Text::new(|_| format!("{error}{hint}"));
                terminal::complain(&message);
                if args.json && items.len() > 1 {
                    json::error(&mut out, item, &message)?;
                }
                exit = Exit::Bad;
            }
        }
    }
    Ok(exit)
}

fn show(
    args: &Args,
    item: &Item,
    record: &Record,
    format: Option<Format>,
    out: &mut impl Write,
) -> Result<()> {
    let position = shogi::position(record, format);
    let attacker = shogi::attacker(&position, true);
    let checks = checks(&position);
    // The moves of SFEN lead to the position; those of a record go on from it.
    let moves = if format == Some(Format::Sfen) { Vec::new() } else { record.main_line() };
    let names = japanese::line_names(&position, &moves);
    let pieces = position.occupied().count();
    if args.json {
        let header: Vec<_> = record
            .header
            .iter()
            .map(|(name, value)| json!({"name": name, "value": value}))
            .collect();
        let line = json!({
            "id": item.id, "sfen": position.to_string(), "attacker": attacker_word(attacker),
            "pieces_on_board": pieces,
            "checks": checks.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "moves": moves.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "japanese": names, "ending": record.ending().map(written::ending),
            "recorded": item.recorded, "header": header, "comments": record.comments,
            "format": format.map(|format| format.to_string()),
        });
        json::line(out, "tsume-show", &line)?;
        return Ok(());
    }
    writeln!(out, "{}: {}", item.id, position)?;
    for (name, value) in &record.header {
        writeln!(out, "  {}：{}", plain(name), plain(value))?;
    }
    for line in diagram(&position).lines() {
        writeln!(out, "  {line}")?;
    }
    let paint = Paint::stdout();
    let label = |label: Text| paint.label(label);
    writeln!(out, "{}{}", label(text!("attacker", "攻方")), shogi::side(attacker))?;
    let pieces = text!("{pieces} on the board", "盤上{pieces}枚");
    writeln!(out, "{}{pieces}", label(text!("pieces", "駒数")))?;
    if position.turn() == attacker {
        let checks = checks.iter().map(|&m| japanese::move_name(&position, m, None));
        let checks: Vec<String> = checks.collect();
        let shown = match checks.is_empty() {
            true => text!("none", "なし").to_string(),
            false => columns::in_lines(&checks, 8, 15),
        };
        writeln!(out, "{}{shown}", label(text!("checks", "王手")))?;
    }
    if let Some(recorded) = item.recorded {
        let plies = text!("{recorded} plies", "{recorded}手");
        writeln!(out, "{}{plies}", label(text!("recorded", "記録の手数")))?;
    }
    if !names.is_empty() {
        writeln!(out, "{}{}", label(text!("moves", "手順")), columns::in_lines(&names, 8, 15))?;
        if let Some(ending) = record.ending() {
            writeln!(out, "{}{}", label(text!("end", "終局")), written::ending(ending))?;
        }
    }
    for comment in &record.comments {
        writeln!(out, "  * {}", plain(comment))?;
    }
    Ok(())
}

/// The attacker's moves, if he is to move.
fn checks(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    let problem = Tsume::with_attacker(position.clone(), position.turn());
    problem.legal_moves(&mut moves);
    moves
}

fn attacker_word(attacker: yomikiri_shogi::Color) -> &'static str {
    match attacker {
        yomikiri_shogi::Color::Black => "black",
        yomikiri_shogi::Color::White => "white",
    }
}
