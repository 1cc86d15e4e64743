//! The file that a match is resumed from: one line of JSON about the match, then one for every
//! game, appended when it ends. A last line without an end was being written when the power went;
//! it is cut off.
//!
//! A match is resumed only with what decides its games: the same engines, not by their commands
//! alone but by their programs and by what they call themselves; the same build of this program; the
//! same terms; and where time counts, the same machine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use yomikiri_files::Growing;

use super::adjudication::Adjudication;
use super::record::GameRecord;
use super::spec::EngineSpec;

/// The format of the file. The first had neither builds nor programs.
const VERSION: u32 = 2;

/// What must be the same when a match is resumed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// `chess` or `shogi`.
    pub game: String,
    /// The engines, with the limits that hold for them.
    pub engines: Vec<EngineSpec>,
    /// Fingerprints of their programs, where they are on this machine: a command stays when its
    /// program is built anew.
    pub programs: Vec<Option<String>>,
    /// The build of the program that lets them play.
    pub build: String,
    /// The machine. Another one may go on where no time is given.
    pub machine: String,
    /// Does the first play all others, and nobody else anybody?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gauntlet: bool,
    /// Which openings, in which order.
    pub openings: String,
    /// Do they think in the opponent's time?
    pub ponder: bool,
    /// So many milliseconds later than its time a move may come.
    pub margin: u64,
    /// An engine without a limit of time is hung after so many seconds.
    pub patience: u64,
    /// When games are ended early.
    pub adjudication: Adjudication,
}

#[derive(Serialize, Deserialize)]
struct Version {
    yomikiri_match: u32,
}

#[derive(Serialize, Deserialize)]
struct FirstLine {
    #[serde(flatten)]
    version: Version,
    #[serde(flatten)]
    header: Header,
}

/// A journal that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error(transparent)]
    File(#[from] yomikiri_files::Error),
    /// A line cannot be made.
    #[error("a game cannot be written down")]
    Line(#[from] serde_json::Error),
    /// It is there already.
    #[error("{0} exists: give --resume to go on with it, or another name")]
    Exists(PathBuf),
    /// Another process writes it.
    #[error("{0} is being written by another match")]
    InUse(PathBuf),
    /// It is something else.
    #[error("{path}, line {line}: not the journal of a match ({reason})")]
    Strange {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// It was begun when less was written down.
    #[error(
        "{0} was begun by an older program, which wrote down neither builds nor engines' programs, so \
         that nobody can tell whether the same would go on: go on with that program, or name another \
         file with --out"
    )]
    Old(PathBuf),
    /// It is the journal of a match on other terms.
    #[error(
        "{path} is of another match: its {what} differ, and games of both are not mixed: go on with \
         what it was begun with, or name another file with --out\n  there: {found}\n  here:  {wanted}"
    )]
    Differs {
        /// The file.
        path: PathBuf,
        /// What.
        what: &'static str,
        /// What stands in the file.
        found: String,
        /// What would go on.
        wanted: String,
    },
    /// An engine has become another one.
    #[error(
        "{path}: {name} calls itself '{wanted}', and in the games before '{found}': they are not \
         mixed: go on with that engine, or name another file with --out"
    )]
    OtherEngine {
        /// The file.
        path: PathBuf,
        /// What the engine is called in this match.
        name: String,
        /// What it called itself.
        found: String,
        /// What it does now.
        wanted: String,
    },
}

/// An open journal. Nobody else can open it.
#[derive(Debug)]
pub struct Journal {
    file: Growing,
    /// What engines call themselves, by their names in this match.
    engines: BTreeMap<String, String>,
}

impl Journal {
    /// Begins a journal. The file must not exist, or be empty.
    pub fn create(path: &Path, header: &Header) -> Result<Journal, JournalError> {
        let (mut journal, text) = Journal::open(path)?;
        if !text.is_empty() {
            return Err(JournalError::Exists(path.into()));
        }
        journal.begin(header)?;
        Ok(journal)
    }

    /// Goes on with a journal, if there is one, and tells what was played.
    pub fn resume(
        path: &Path,
        header: &Header,
    ) -> Result<(Journal, Vec<GameRecord>), JournalError> {
        let (mut journal, text) = Journal::open(path)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if whole < text.len() {
            journal.file.cut(whole)?;
        }
        let text = &text[..whole];
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let Some((_, first)) = lines.next() else {
            journal.begin(header)?;
            return Ok((journal, Vec::new()));
        };
        let strange = |line: usize, reason: String| JournalError::Strange {
            path: path.into(),
            line: line + 1,
            reason,
        };
        let bad = |error: serde_json::Error| strange(0, error.to_string());
        match serde_json::from_str(first).map_err(bad)? {
            Version { yomikiri_match: VERSION } => {}
            Version { yomikiri_match: 1 } => return Err(JournalError::Old(path.into())),
            Version { yomikiri_match: other } => {
                return Err(strange(0, format!("version {other}, not {VERSION}")));
            }
        }
        let first: FirstLine = serde_json::from_str(first).map_err(bad)?;
        if let Some((what, found, wanted)) = difference(&first.header, header) {
            return Err(JournalError::Differs { path: path.into(), what, found, wanted });
        }
        let mut played: Vec<GameRecord> = Vec::new();
        for (number, line) in lines {
            let record: GameRecord =
                serde_json::from_str(line).map_err(|error| strange(number, error.to_string()))?;
            if record.game > 1 || record.turn > 1 || record.winner.is_some_and(|side| side > 1) {
                return Err(strange(number, "there are two sides and two games of a pair".into()));
            }
            if !played.iter().any(|known| (known.pair, known.game) == (record.pair, record.game)) {
                journal.meet(&record)?;
                played.push(record);
            }
        }
        Ok((journal, played))
    }

    /// Writes down a game, unless an engine has become another one.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), JournalError> {
        self.meet(record)?;
        self.write(record)
    }

    /// Are the engines of a game those that they were before?
    fn meet(&mut self, record: &GameRecord) -> Result<(), JournalError> {
        for (name, wanted) in record.players.iter().zip(&record.engines) {
            let found = self.engines.entry(name.clone()).or_insert_with(|| wanted.clone());
            if found != wanted {
                let (name, found, wanted) = (name.clone(), found.clone(), wanted.clone());
                let path = self.file.path().into();
                return Err(JournalError::OtherEngine { path, name, found, wanted });
            }
        }
        Ok(())
    }

    fn open(path: &Path) -> Result<(Journal, String), JournalError> {
        let mut file = Growing::open(path)?;
        if !file.lock() {
            return Err(JournalError::InUse(path.into()));
        }
        let text = file.read()?;
        Ok((Journal { file, engines: BTreeMap::new() }, text))
    }

    fn begin(&mut self, header: &Header) -> Result<(), JournalError> {
        let version = Version { yomikiri_match: VERSION };
        self.write(&FirstLine { version, header: header.clone() })
    }

    fn write(&mut self, value: &impl Serialize) -> Result<(), JournalError> {
        let line = serde_json::to_string(value)?;
        Ok(self.file.add(&(line + "\n"))?)
    }
}

/// What keeps two from being one match: in words, and how it stands in both.
fn difference(one: &Header, two: &Header) -> Option<(&'static str, String, String)> {
    fn text(value: &impl Serialize) -> String {
        // What has stood in a file, or will, can be written.
        serde_json::to_string(value).unwrap_or_default()
    }
    let is_timed = two.engines.iter().any(|engine| engine.limits.is_timed());
    let machine = |header: &Header| is_timed.then(|| header.machine.clone());
    let both = |of: &dyn Fn(&Header) -> String| [of(one), of(two)];
    let all = [
        ("games", both(&|header| text(&header.game))),
        ("engines", both(&|header| text(&header.engines))),
        ("engines' programs", both(&|header| text(&header.programs))),
        ("pairings (--gauntlet)", both(&|header| text(&header.gauntlet))),
        ("openings", both(&|header| text(&header.openings))),
        ("terms (--ponder)", both(&|header| text(&header.ponder))),
        ("terms (--adjudicate)", both(&|header| text(&header.adjudication))),
        ("terms (--margin)", both(&|header| text(&header.margin))),
        ("terms (--patience)", both(&|header| text(&header.patience))),
        ("builds of this program", both(&|header| text(&header.build))),
        ("machines, where time counts,", both(&|header| text(&machine(header)))),
    ];
    let differs = all.into_iter().find(|(_, [one, two])| one != two);
    differs.map(|(what, [one, two])| (what, one, two))
}
