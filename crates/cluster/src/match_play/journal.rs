//! The file that a match is resumed from: one line of JSON about the match, then one for every
//! game, appended when it ends. A last line without an end was being written when the power went;
//! it is cut off.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use yomikiri_files::Growing;

use super::adjudication::Adjudication;
use super::record::GameRecord;
use super::spec::EngineSpec;

/// The format of the file.
const VERSION: u32 = 1;

/// What must be the same when a match is resumed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// `chess` or `shogi`.
    pub game: String,
    /// The engines, with the limits that hold for them.
    pub engines: Vec<EngineSpec>,
    /// Does the first play all others, and nobody else anybody?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gauntlet: bool,
    /// Which openings, in which order.
    pub openings: String,
    /// Do they think in the opponent's time?
    pub ponder: bool,
    /// When games are ended early.
    pub adjudication: Adjudication,
}

#[derive(Serialize, Deserialize)]
struct FirstLine {
    yomikiri_match: u32,
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
    /// It is the journal of a match on other terms.
    #[error("{path} is of another match: its {what} differ")]
    Differs {
        /// The file.
        path: PathBuf,
        /// What.
        what: String,
    },
}

/// An open journal. Nobody else can open it.
#[derive(Debug)]
pub struct Journal {
    file: Growing,
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
        let first: FirstLine =
            serde_json::from_str(first).map_err(|error| strange(0, error.to_string()))?;
        if first.yomikiri_match != VERSION {
            return Err(strange(0, format!("version {}, not {VERSION}", first.yomikiri_match)));
        }
        if let Some(what) = difference(&first.header, header) {
            return Err(JournalError::Differs { path: path.into(), what });
        }
        let mut played: Vec<GameRecord> = Vec::new();
        for (number, line) in lines {
            let record: GameRecord =
                serde_json::from_str(line).map_err(|error| strange(number, error.to_string()))?;
            if record.game > 1 || record.turn > 1 || record.winner.is_some_and(|side| side > 1) {
                return Err(strange(number, "there are two sides and two games of a pair".into()));
            }
            if !played.iter().any(|known| (known.pair, known.game) == (record.pair, record.game)) {
                played.push(record);
            }
        }
        Ok((journal, played))
    }

    /// Writes down a game.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), JournalError> {
        self.write(record)
    }

    fn open(path: &Path) -> Result<(Journal, String), JournalError> {
        let mut file = Growing::open(path)?;
        if !file.lock() {
            return Err(JournalError::InUse(path.into()));
        }
        let text = file.read()?;
        Ok((Journal { file }, text))
    }

    fn begin(&mut self, header: &Header) -> Result<(), JournalError> {
        self.write(&FirstLine { yomikiri_match: VERSION, header: header.clone() })
    }

    fn write(&mut self, value: &impl Serialize) -> Result<(), JournalError> {
        let line = serde_json::to_string(value)?;
        Ok(self.file.add(&(line + "\n"))?)
    }
}

fn difference(one: &Header, two: &Header) -> Option<String> {
    let differs = [
        ("games", one.game != two.game),
        ("engines", one.engines != two.engines),
        ("pairings (--gauntlet)", one.gauntlet != two.gauntlet),
        ("openings", one.openings != two.openings),
        ("terms (--ponder)", one.ponder != two.ponder),
        ("terms (--adjudicate)", one.adjudication != two.adjudication),
    ];
    differs.into_iter().find(|&(_, differs)| differs).map(|(what, _)| what.into())
}
