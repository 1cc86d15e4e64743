//! `yomikiri tsume convert`: from any format of records into any other, and into pictures and pages.

use std::collections::HashSet;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use andor::Stop;
use anyhow::{Context, Result, anyhow, bail};
use yomikiri_files as files;
use yomikiri_question::games;
use yomikiri_question::games::shogi::{self, Shogi};
use yomikiri_question::lang::{Lang, text};
use yomikiri_shogi::notation::diagram::diagram;
use yomikiri_shogi::notation::{self, Encoding, Format, Record, hands};
use yomikiri_shogi::picture::{Picture, Words};
use yomikiri_shogi::{Color, Position};
use yomikiri_tsume::Futile;

use crate::commands::options::{parse_hash, parse_time};
use crate::commands::{Exit, file_stem};
use crate::folder;
use crate::input::{self, Item};
use crate::interrupt::stop_on_interrupt;
use crate::lang;
use crate::memory;
use crate::page;
use crate::png::Painter;
use crate::terminal::{complain, stopped};

/// Options of `tsume convert`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri tsume convert --file problem.kif                 its SFEN
  yomikiri tsume convert --file problem.kif --out problem.csa
  yomikiri tsume convert --file problems.tsv --to kif --out folder
  yomikiri tsume convert --to board '8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1'
  yomikiri tsume convert --file problem.kif --out problem.svg
  yomikiri tsume convert --file problems.tsv --out problems.html

--out names the format by its extension: sfen, usi, kif, kifu, ki2, ki2u, csa, jkf, json, bod or txt
(the board), svg, png, html or htm. USI and CSA hold the main line only; KIF, KI2 and JKF hold variations as well. What a
record says of the whole, such as 作品名 and 作者, goes along, except into SFEN, USI, boards and pictures.

A picture shows the board as SVG and PNG have it. A page (html) has the picture, the solution and the
variations, which are searched for, and takes any number of problems. PNG needs the feature `png` and
a font with Japanese letters.
Exit code: 0, 1 if a page was stopped by Ctrl-C, or 2 if something cannot be read or written.")]
pub struct Args {
    /// Positions: SFEN, or a whole record
    #[arg(value_name = "PROBLEM")]
    pub(super) problems: Vec<String>,

    /// A file of problems: SFEN lines, a table, KIF, KI2, CSA or JKF. May be given again
    #[arg(long, short, value_name = "FILE")]
    pub(super) file: Vec<PathBuf>,

    /// The format to write [default: that of the name of --out; sfen if that has no extension]
    #[arg(long, short, value_name = "FORMAT")]
    pub(super) to: Option<Target>,

    /// Where to [default: standard output]; for several problems, a directory of files
    #[arg(long, short, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,

    /// Replace files that are there in the directory of --out
    #[arg(long)]
    pub(super) force: bool,

    /// How to write the characters
    #[arg(long, value_name = "ENCODING", default_value = "utf8")]
    pub(super) encoding: EncodingName,

    /// For html: at most so long for the solution of a problem, and for its variations [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = parse_time)]
    pub(super) time: Option<Duration>,

    /// For html: memory for the table, in MiB [default: 256]
    #[arg(long, value_name = "MIB", value_parser = parse_hash)]
    pub(super) hash: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Target {
    /// The position in SFEN, without moves
    Sfen,
    /// The `position` command of USI, with the moves
    Usi,
    /// KIF
    Kif,
    /// KI2
    Ki2,
    /// CSA
    Csa,
    /// JSON Kifu Format
    Jkf,
    /// The board alone, for people
    Board,
    /// A picture of the board
    Svg,
    /// The same in pixels
    Png,
    /// A page: picture, solution and variations
    Html,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum EncodingName {
    /// UTF-8
    Utf8,
    /// Shift_JIS, for old programs
    #[value(alias = "sjis", alias = "shift_jis")]
    ShiftJis,
}

/// The extensions of the names of files; of each format the first is the one to write.
const EXTENSIONS: [(&str, Target); 15] = [
    ("sfen", Target::Sfen),
    ("usi", Target::Usi),
    ("kif", Target::Kif),
    ("kifu", Target::Kif),
    ("ki2", Target::Ki2),
    ("ki2u", Target::Ki2),
    ("csa", Target::Csa),
    ("jkf", Target::Jkf),
    ("json", Target::Jkf),
    ("txt", Target::Board),
    ("bod", Target::Board),
    ("svg", Target::Svg),
    ("png", Target::Png),
    ("html", Target::Html),
    ("htm", Target::Html),
];

impl Target {
    /// The format that the name of a file speaks of: SFEN if it has no extension.
    fn of(path: &Path) -> Result<Target> {
        let Some(extension) = path.extension() else { return Ok(Target::Sfen) };
        let extension = extension.to_string_lossy().to_ascii_lowercase();
        let known = EXTENSIONS.iter().find(|(known, _)| *known == extension);
        known.map(|&(_, target)| target).with_context(|| {
            let all: Vec<&str> = EXTENSIONS.iter().map(|&(known, _)| known).collect();
            let (path, all) = (path.display(), all.join(", "));
            text!(
                "--out {path}: .{extension} is no format; there are {all}, or name one with --to",
                "--out {path}: .{extension} という形式はありません。使えるのは `{all}` です。--to でも指定できます"
            )
        })
    }

    fn extension(self) -> &'static str {
        EXTENSIONS.iter().find(|row| row.1 == self).map_or("txt", |row| row.0)
    }

    /// Is it drawn, and not a record?
    fn is_drawn(self) -> bool {
        matches!(self, Target::Svg | Target::Png | Target::Html)
    }

    /// Do several problems go into one file?
    fn takes_several(self) -> bool {
        matches!(self, Target::Sfen | Target::Usi | Target::Jkf | Target::Html)
    }
}

/// How long to search for a page, if nobody says.
const TIME: Duration = Duration::from_secs(10);
/// And with how large a table, in bytes. They are taken as they are needed.
const HASH: usize = 256 << 20;

pub fn run(args: &Args) -> Result<Exit> {
    // `-` is where the output goes anyway.
    let place = args.out.as_deref().filter(|path| !files::is_standard(path));
    let target = match (args.to, place) {
        (Some(target), _) => target,
        (None, Some(path)) => Target::of(path)?,
        (None, None) => Target::Sfen,
    };
    for (option, is_given) in [("--time", args.time.is_some()), ("--hash", args.hash.is_some())] {
        if is_given && target != Target::Html {
            bail!(text!(
                "{option} is for --to html, where a solution is searched for",
                "{option} は、解答を探索する `--to html` 用です"
            ));
        }
    }
    args.hash.map_or(Ok(()), memory::check)?;
    if args.encoding != EncodingName::Utf8 && target.is_drawn() {
        bail!(text!(
            "--encoding is for records: pictures and pages are in UTF-8",
            "--encoding は棋譜用です。図面とページは UTF-8 で書きます"
        ));
    }
    if target == Target::Png && place.is_none() && io::stdout().is_terminal() {
        bail!(text!(
            "a PNG is not for a terminal: name a file with --out",
            "PNG は端末に出せません。--out でファイルを指定してください"
        ));
    }
    let items = input::collect(&args.problems, &args.file, games::find("shogi"))?;
    let several = items.len() > 1;
    if several && place.is_none() && !target.takes_several() && target != Target::Board {
        let what = match target {
            Target::Svg | Target::Png => text!("pictures", "図面"),
            _ => text!("records", "棋譜"),
        };
        bail!(text!(
            "several {what} do not go into one file: give a directory with --out",
            "複数の{what}は一つのファイルに書けません。--out でフォルダを指定してください"
        ));
    }
    // Problems that take a line each go into one file, and so do those of a page; others into a
    // directory.
    let directory = place.filter(|_| several && !target.takes_several());
    let mut names = HashSet::new();
    let mut outputs = Vec::new();
    if let Some(directory) = directory {
        let file = |item: &Item| {
            let name = file_stem(&item.id, &mut names);
            directory.join(format!("{name}.{}", target.extension()))
        };
        outputs.extend(items.iter().map(file));
        folder::check(outputs.iter().cloned(), args.force)?;
    }
    let mut writer = Writer::new(args, target, place.filter(|_| directory.is_none()))?;
    let mut exit = Exit::Done;
    let mut together = Vec::new();
    for (number, item) in items.iter().enumerate() {
        if writer.stop.is_raised() {
            let id = &item.id;
            stopped(&text!(
                "the problems from {id} on are not on the page",
                "{id} からあとの問題はページに入っていません"
            ));
            break;
        }
        let converted = item.read(shogi::read).map_err(|error| anyhow!(error));
        let converted = converted.and_then(|(record, format)| {
            let id = &item.id;
            let problem = || text!("problem {id}", "問題 {id}");
            writer.write(item, &record, format).with_context(problem)
        });
        match (converted, directory) {
            (Ok(bytes), None) => {
                if target == Target::Board && !together.is_empty() {
                    together.push(b'\n');
                }
                together.extend(bytes);
            }
            (Ok(bytes), Some(directory)) => {
                folder::make(directory)?;
                files::write(&outputs[number], &bytes)?;
            }
            (Err(error), _) => {
                let (error, hint) = (lang::chain(&error), input::file_hint(item));
                complain(&format!("{error}{hint}"));
                exit = Exit::Bad;
            }
        }
    }
    if writer.stop.is_raised() {
        exit = exit.max(Exit::Unknown);
    }
    together.extend(writer.finish());
    match place {
        None => io::stdout().lock().write_all(&together)?,
        // Nothing is better than an empty file in the place of an old one.
        Some(path) if directory.is_none() && !together.is_empty() => files::write(path, &together)?,
        Some(_) => {}
    }
    Ok(exit)
}

/// Turns records into what was asked for.
struct Writer {
    target: Target,
    encoding: Encoding,
    /// For PNG.
    painter: Option<Painter>,
    /// For pages: how long to search, in how large a table, and the problems so far.
    time: Duration,
    hash: usize,
    stop: Stop,
    page: Vec<page::Problem>,
}

impl Writer {
    /// Whatever can be known to go wrong does so here, before anything is written.
    fn new(args: &Args, target: Target, file: Option<&Path>) -> Result<Writer> {
        file.map_or(Ok(()), files::check)?;
        let stop = if target == Target::Html { stop_on_interrupt()? } else { Stop::new() };
        Ok(Writer {
            target,
            encoding: match args.encoding {
                EncodingName::Utf8 => Encoding::Utf8,
                EncodingName::ShiftJis => Encoding::ShiftJis,
            },
            painter: if target == Target::Png { Some(Painter::new()?) } else { None },
            time: args.time.unwrap_or(TIME),
            hash: args.hash.unwrap_or(HASH),
            stop,
            page: Vec::new(),
        })
    }

    /// What a record becomes; on a page nothing yet.
    fn write(&mut self, item: &Item, record: &Record, format: Option<Format>) -> Result<Vec<u8>> {
        let text = match self.target {
            Target::Sfen => format!("{}\n", shogi::position(record, format)),
            Target::Usi => format!("position {}", notation::write(record, Format::Sfen)),
            Target::Kif => notation::write(record, Format::Kif),
            Target::Ki2 => notation::write(record, Format::Ki2),
            Target::Csa => notation::write(record, Format::Csa),
            Target::Jkf => notation::write(record, Format::Jkf),
            Target::Board => diagram(&shogi::position(record, format)),
            Target::Svg => picture(record, format),
            Target::Png => {
                let svg = picture(record, format);
                return self.painter.as_ref().map_or(Ok(Vec::new()), |painter| painter.paint(&svg));
            }
            Target::Html => {
                let problem = self.problem(item, record, format)?;
                self.page.push(problem);
                return Ok(Vec::new());
            }
        };
        Ok(notation::encode(&text, self.encoding)?)
    }

    /// A problem for a page, solved.
    fn problem(
        &self,
        item: &Item,
        record: &Record,
        format: Option<Format>,
    ) -> Result<page::Problem> {
        let position = shogi::position(record, format);
        let attacker = shogi::attacker(&position, true);
        let header = record.header.iter().filter(|(name, _)| name != TITLE).cloned().collect();
        let title = title(record, item);
        let sfen = position.to_string();
        let shogi = Shogi { position, attacker, futile: Futile::NotCounted };
        let solution = page::solution(&shogi, self.hash, self.time, &self.stop)?;
        Ok(page::Problem { title, header, diagram: picture(record, format), sfen, solution })
    }

    /// The page, if there is anything on it.
    fn finish(self) -> Vec<u8> {
        match self.page.is_empty() {
            true => Vec::new(),
            false => page::page(&self.page).into_bytes(),
        }
    }
}

/// What the name of a problem is called.
const TITLE: &str = "作品名";

/// The name of a problem, or what else it is called.
pub(super) fn title(record: &Record, item: &Item) -> String {
    let title = record.value(TITLE).map(str::to_owned);
    let id = &item.id;
    title.unwrap_or_else(|| text!("Tsume-shogi {id}", "詰将棋 {id}").to_string())
}

/// The picture of a problem. A defender against an attacker without a king who holds all the rest
/// has 残り全部; with two kings both hands are told in full. The moves of SFEN lead to the position,
/// so the last of them is marked.
pub(super) fn picture(record: &Record, format: Option<Format>) -> String {
    let position = shogi::position(record, format);
    let words = match Lang::current() {
        Lang::Ja => Words::Japanese,
        Lang::En => Words::English,
    };
    let picture = Picture::new(&position).with_words(words).with_rest(rest(&position));
    let moves = if format == Some(Format::Sfen) { record.main_line() } else { Vec::new() };
    let Some((&last, moves)) = moves.split_last() else { return picture.to_string() };
    let mut before = record.position.clone();
    for &m in moves {
        before.play(m);
    }
    picture.with_last(&before, last).to_string()
}

fn rest(position: &Position) -> Option<Color> {
    let attacker = shogi::attacker(position, true);
    let is_rest = position.king(attacker).is_none()
        && hands::pieces_left(position).is_empty()
        && !position.hand(!attacker).is_empty();
    is_rest.then_some(!attacker)
}
