//! `yomikiri tsume convert`: from any format of records into any other.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use yomikiri_files as files;
use yomikiri_shogi::notation::diagram::diagram;
use yomikiri_shogi::notation::{self, Encoding, Format, Record};

use crate::commands::{Exit, file_stem};
use crate::display::complain;
use crate::games::{self, shogi};
use crate::input;

/// Options of `tsume convert`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri tsume convert --file problem.kif                 its SFEN
  yomikiri tsume convert --file problem.kif --out problem.csa
  yomikiri tsume convert --file problems.tsv --to kif --out folder
  yomikiri tsume convert --to board '8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1'

--out names the format by its extension: sfen, usi, kif, kifu, ki2, ki2u, csa, jkf, json, bod or txt
(the board). USI and CSA hold the main line only; KIF, KI2 and JKF hold variations as well. What a
record says of the whole, such as 作品名 and 作者, goes along, except into SFEN, USI and boards.
Exit code: 0, or 2 if something cannot be read or written.")]
pub struct Args {
    /// Positions: SFEN, or a whole record
    #[arg(value_name = "PROBLEM")]
    problems: Vec<String>,

    /// A file of problems: SFEN lines, a table, KIF, KI2, CSA or JKF. May be given again
    #[arg(long, short, value_name = "FILE")]
    file: Vec<PathBuf>,

    /// The format to write [default: that of the name of --out; sfen if that has no extension]
    #[arg(long, short, value_name = "FORMAT")]
    to: Option<Target>,

    /// Where to [default: standard output]; for several problems, a directory of files
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    /// How to write the characters
    #[arg(long, value_name = "ENCODING", default_value = "utf8")]
    encoding: EncodingName,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Target {
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
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum EncodingName {
    /// UTF-8
    Utf8,
    /// Shift_JIS, for old programs
    #[value(alias = "sjis", alias = "shift_jis")]
    ShiftJis,
}

/// The extensions of the names of files; of each format the first is the one to write.
const EXTENSIONS: [(&str, Target); 11] = [
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
            format!(
                "--out {path}: .{extension} is no format; there are {all}, or name one with --to"
            )
        })
    }

    fn extension(self) -> &'static str {
        EXTENSIONS.iter().find(|row| row.1 == self).map_or("txt", |row| row.0)
    }

    fn write(self, record: &Record, format: Option<Format>) -> String {
        match self {
            Target::Sfen => format!("{}\n", shogi::position(record, format)),
            Target::Usi => format!("position {}", notation::write(record, Format::Sfen)),
            Target::Kif => notation::write(record, Format::Kif),
            Target::Ki2 => notation::write(record, Format::Ki2),
            Target::Csa => notation::write(record, Format::Csa),
            Target::Jkf => notation::write(record, Format::Jkf),
            Target::Board => diagram(&shogi::position(record, format)),
        }
    }
}

pub fn run(args: &Args) -> Result<Exit> {
    // `-` is where the output goes anyway.
    let place = args.out.as_deref().filter(|path| !files::is_standard(path));
    let target = match (args.to, place) {
        (Some(target), _) => target,
        (None, Some(path)) => Target::of(path)?,
        (None, None) => Target::Sfen,
    };
    let items = input::collect(&args.problems, &args.file, games::find("shogi"))?;
    let several = items.len() > 1;
    let is_one_line = matches!(target, Target::Sfen | Target::Usi | Target::Jkf);
    if several && place.is_none() && !is_one_line && target != Target::Board {
        bail!("several records do not go into one file: give a directory with --out");
    }
    // Problems that take a line each go into one file; others into a directory.
    let directory = place.filter(|_| several && !is_one_line);
    let mut exit = Exit::Done;
    let mut together = Vec::new();
    let mut names = HashSet::new();
    for item in &items {
        let converted = item.read(shogi::read).map_err(|error| anyhow!(error));
        let converted = converted.and_then(|(record, format)| {
            let text = target.write(&record, format);
            encode(args, &text).with_context(|| format!("problem {}", item.id))
        });
        match (converted, directory) {
            (Ok(bytes), None) => {
                if target == Target::Board && !together.is_empty() {
                    together.push(b'\n');
                }
                together.extend(bytes);
            }
            (Ok(bytes), Some(directory)) => {
                let name = file_stem(&item.id, &mut names);
                let cannot = || format!("cannot make the directory {}", directory.display());
                fs::create_dir_all(directory).with_context(cannot)?;
                files::write(&directory.join(format!("{name}.{}", target.extension())), &bytes)?;
            }
            (Err(error), _) => {
                complain(&format!("{error:#}{}", input::file_hint(item)));
                exit = Exit::Bad;
            }
        }
    }
    match place {
        None => io::stdout().lock().write_all(&together)?,
        // Nothing is better than an empty file in the place of an old one.
        Some(path) if directory.is_none() && !together.is_empty() => files::write(path, &together)?,
        Some(_) => {}
    }
    Ok(exit)
}

fn encode(args: &Args, text: &str) -> Result<Vec<u8>> {
    let encoding = match args.encoding {
        EncodingName::Utf8 => Encoding::Utf8,
        EncodingName::ShiftJis => Encoding::ShiftJis,
    };
    Ok(notation::encode(text, encoding)?)
}
