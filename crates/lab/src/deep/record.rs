//! The results of the searches, kept in `raw.csv`: written one by one as they come, read back by
//! the next run, sorted when all are there.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;

use andor::Value;

use super::Options;
use super::plan::{RANDOM_MOVES, Search};
use crate::error::{Error, Result, at};

const COLUMNS: &str = "game,recognition,selection,position,value,iterations,nodes";

/// The result of one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The search.
    pub search: Search,
    /// What was found; `None` if the limit on nodes was reached.
    pub value: Option<Value>,
    /// Iterations: ways from the root to a frontier node.
    pub iterations: u64,
    /// Nodes of the tree, at most the limit.
    pub nodes: u64,
}

impl Row {
    fn text(&self) -> String {
        let Search { game, recognition, choice, position } = self.search;
        let value = match self.value {
            Some(Value::Proven) => "proven",
            Some(Value::Disproven) => "disproven",
            None => "unknown",
        };
        format!(
            "{game},{recognition},{choice},{position},{value},{},{}",
            self.iterations, self.nodes
        )
    }

    fn parse(text: &str) -> Option<Row> {
        let mut fields = text.split(',');
        let mut field = || fields.next();
        let search = |game: &str, recognition: &str, choice: &str, position: &str| {
            Some(Search {
                game: game.parse().ok()?,
                recognition: recognition.parse().ok()?,
                choice: choice.parse().ok()?,
                position: position.parse().ok()?,
            })
        };
        let search = search(field()?, field()?, field()?, field()?)?;
        let value = match field()? {
            "proven" => Some(Value::Proven),
            "disproven" => Some(Value::Disproven),
            "unknown" => None,
            _ => return None,
        };
        let row = Row {
            search,
            value,
            iterations: field()?.parse().ok()?,
            nodes: field()?.parse().ok()?,
        };
        fields.next().is_none().then_some(row)
    }
}

/// All results so far, in memory and on disk.
pub(super) struct Record {
    rows: BTreeMap<Search, Row>,
    path: PathBuf,
    settings: String,
    file: File,
}

impl Record {
    /// Opens the record in the output folder, or begins one.
    pub fn open(options: &Options) -> Result<Record> {
        fs::create_dir_all(&options.out).map_err(at(&options.out))?;
        let path = options.out.join("raw.csv");
        let settings = settings(options);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(source) => return Err(Error::File { path, source }),
        };
        // A run that was killed may have left half a line: it is dropped.
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let found = whole.lines().next().unwrap_or(&settings);
        if found != settings {
            let found = found.to_owned();
            return Err(Error::OtherRun { path, found, wanted: settings });
        }
        let mut rows = BTreeMap::new();
        let lines = whole.lines().enumerate().skip(1);
        for (i, line) in lines.filter(|&(_, line)| line != COLUMNS) {
            let row = Row::parse(line).ok_or_else(|| Error::BadRow {
                path: path.clone(),
                line: i + 1,
                text: line.into(),
            })?;
            rows.insert(row.search, row);
        }
        let mut file =
            OpenOptions::new().append(true).create(true).open(&path).map_err(at(&path))?;
        file.set_len(whole.len() as u64).map_err(at(&path))?;
        if whole.is_empty() {
            let head = format!("{settings}\n{COLUMNS}\n");
            file.write_all(head.as_bytes()).map_err(at(&path))?;
        }
        Ok(Record { rows, path, settings, file })
    }

    /// Is this search recorded?
    pub fn has(&self, search: &Search) -> bool {
        self.rows.contains_key(search)
    }

    /// The result of a search.
    pub fn get(&self, search: &Search) -> Option<&Row> {
        self.rows.get(search)
    }

    /// Adds a result and writes it down at once.
    pub fn add(&mut self, row: Row) -> Result<()> {
        let line = row.text() + "\n";
        self.file.write_all(line.as_bytes()).map_err(at(&self.path))?;
        self.rows.insert(row.search, row);
        Ok(())
    }

    /// Writes all results anew, in the order of their searches.
    pub fn sort(&self) -> Result<()> {
        let mut text = format!("{}\n{COLUMNS}\n", self.settings);
        for row in self.rows.values() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}", row.text());
        }
        let sorted = self.path.with_extension("csv.new");
        fs::write(&sorted, text).map_err(at(&sorted))?;
        fs::rename(&sorted, &self.path).map_err(at(&self.path))
    }
}

/// What two runs must have in common for their results to be mixed.
fn settings(options: &Options) -> String {
    format!(
        "# DeepPN searches; seed {}; othello: {RANDOM_MOVES} random moves, goal win, limit {} nodes; hex: side {}, limit {} nodes",
        options.seed, options.othello_limit, options.hex_size, options.hex_limit
    )
}

#[cfg(test)]
mod tests {
    use super::super::plan::{Choice, Game, Recognition};
    use super::*;

    #[test]
    fn rows_read_back() {
        let search = Search {
            game: Game::Hex,
            recognition: Recognition::Created,
            choice: Choice::Deep(95),
            position: 7,
        };
        for value in [Some(Value::Proven), Some(Value::Disproven), None] {
            let row = Row { search, value, iterations: 12, nodes: 345 };
            assert_eq!(Row::parse(&row.text()), Some(row));
        }
        for bad in [
            "",
            "hex,created,0.95,7,proven,12",
            "hex,created,0.95,7,proven,12,345,6",
            "go,created,1,7,proven,1,1",
        ] {
            assert_eq!(Row::parse(bad), None, "{bad}");
        }
    }
}
