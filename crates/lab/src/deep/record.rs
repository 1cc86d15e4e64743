//! The results of the searches, kept in `raw.csv`: written one by one as they come, read back by
//! the next run, sorted when all are there.

use std::collections::BTreeMap;
use std::time::Duration;

use andor::Value;

use super::options::Options;
use super::plan::RANDOM_MOVES;
use super::search::Search;
use crate::error::Result;
use crate::journal::Journal;

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
        let value = self.value.map_or("unknown".into(), |value| value.to_string());
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
            "unknown" => None,
            value => Some(value.parse().ok()?),
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
    journal: Journal,
}

impl Record {
    /// Opens the record in the output folder, or begins one.
    pub fn open(options: &Options) -> Result<Record> {
        let mut rows = BTreeMap::new();
        let journal = Journal::open(&options.out, &settings(options), COLUMNS, |line| {
            Row::parse(line).map(|row| rows.insert(row.search, row)).is_some()
        })?;
        Ok(Record { rows, journal })
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
        self.journal.add(&row.text())?;
        self.rows.insert(row.search, row);
        Ok(())
    }

    /// Writes all results anew, in the order of their searches.
    pub fn sort(&self) -> Result<()> {
        self.journal.rewrite(self.rows.values().map(Row::text))
    }
}

/// What two runs must have in common for their results to be mixed.
fn settings(options: &Options) -> String {
    format!(
        "# DeepPN searches; seed {}; othello: {RANDOM_MOVES} random moves, goal win, limit {} nodes; hex: side {}, limit {} nodes",
        options.seed, options.othello_limit, options.hex_size, options.hex_limit
    )
}

/// What this run added to the record.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fresh {
    pub searches: usize,
    pub nodes: u64,
    /// The searches' times added up.
    pub time: Duration,
}

#[cfg(test)]
mod tests {
    use super::super::search::{Choice, Game, Recognition};
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
