//! The results of the searches, kept in `raw.csv`: written one by one as they come, read back by
//! the next run, sorted when all are there.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};
use std::path::Path;
use std::time::Duration;

use andor::Value;

use super::way::{Base, Search};
use crate::error::{Error, Result};
use crate::journal::Journal;

const COLUMNS: &str = "problem,base,search,run,value,nodes,evaluated,stored,seconds,certificate_positions,collections,leader,workers,unused";

/// The result of one search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// What was found; `None` if a limit was reached.
    pub value: Option<Value>,
    /// Nodes visited, at most the limit.
    pub nodes: u64,
    /// Positions that the game evaluated ([`Outcome::evaluated`](andor::Outcome::evaluated)), also
    /// those beyond the limit.
    pub evaluated: u64,
    /// Entries in the table at the end.
    pub stored: u64,
    /// Wall time.
    pub seconds: f64,
    /// Positions of the checked certificate; 0 without a verdict.
    pub certificate: u64,
    /// How often the table had to be swept: then `stored` says little.
    pub collections: u64,
    /// Of a multiple-paths search: nodes of the leader, of the workers, and of workers' turns for
    /// which there was no branch. They may be a few more than `nodes` where the limit was reached.
    pub shares: (u64, u64, u64),
}

/// What tells searches apart.
type Id = (String, Base, String, u32);

fn id(search: &Search<'_>) -> Id {
    (search.item.id.clone(), search.base, search.way.to_string(), search.run)
}

fn text((problem, base, way, run): &Id, row: &Row) -> String {
    let value = row.value.map_or("unknown".into(), |value| value.to_string());
    let Row { nodes, evaluated, stored, seconds, certificate, collections, shares, .. } = row;
    let (leader, workers, unused) = shares;
    format!(
        "{problem},{base},{way},{run},{value},{nodes},{evaluated},{stored},{seconds:.6},{certificate},{collections},{leader},{workers},{unused}"
    )
}

fn parse(text: &str) -> Option<(Id, Row)> {
    let fields: Vec<&str> = text.split(',').collect();
    let &[
        problem,
        base,
        way,
        run,
        value,
        nodes,
        evaluated,
        stored,
        seconds,
        certificate,
        collections,
        ..,
    ] = fields.as_slice()
    else {
        return None;
    };
    let &[leader, workers, unused] = fields.get(11..)? else {
        return None;
    };
    let id = (problem.to_owned(), base.parse().ok()?, way.to_owned(), run.parse().ok()?);
    let value = match value {
        "unknown" => None,
        value => Some(value.parse().ok()?),
    };
    let row = Row {
        value,
        nodes: nodes.parse().ok()?,
        evaluated: evaluated.parse().ok()?,
        stored: stored.parse().ok()?,
        seconds: seconds.parse().ok()?,
        certificate: certificate.parse().ok()?,
        collections: collections.parse().ok()?,
        shares: (leader.parse().ok()?, workers.parse().ok()?, unused.parse().ok()?),
    };
    Some((id, row))
}

/// All results so far, in memory and on disk.
#[derive(Debug)]
pub struct Record {
    rows: BTreeMap<Id, Row>,
    journal: Journal,
}

impl Record {
    /// Opens the record in a folder, or begins one. `settings` is its first line; a record with
    /// another one is refused.
    pub fn open(folder: &Path, settings: &str) -> Result<Record> {
        let mut rows = BTreeMap::new();
        let journal = Journal::open_timed(folder, settings, COLUMNS, |line| {
            parse(line).map(|(id, row)| rows.insert(id, row)).is_some()
        })?;
        Ok(Record { rows, journal })
    }

    /// The result of a search.
    pub fn get(&self, search: &Search<'_>) -> Option<&Row> {
        self.rows.get(&id(search))
    }

    /// Adds a result and writes it down at once.
    pub fn add(&mut self, search: &Search<'_>, row: Row) -> Result<()> {
        let id = id(search);
        self.journal.add(&text(&id, &row))?;
        self.rows.insert(id, row);
        Ok(())
    }

    /// Writes all results anew, in order.
    pub fn sort(&self) -> Result<()> {
        self.journal.rewrite(self.rows.iter().map(|(id, row)| text(id, row)))
    }

    /// Of these searches: how many have a verdict, how many of those a checked certificate, and how
    /// many had to sweep their table. Verdicts on one problem must agree.
    pub fn audit(&self, searches: &[Search<'_>]) -> Result<Audit> {
        let mut audit = Audit::default();
        let mut values: BTreeMap<&str, Value> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for search in searches {
            let id = id(search);
            let Some(row) = self.rows.get(&id) else { continue };
            if !seen.insert(id) {
                continue;
            }
            audit.searches += 1;
            audit.nodes += row.nodes;
            audit.swept += usize::from(row.collections > 0);
            let Some(value) = row.value else { continue };
            audit.decided += 1;
            audit.certified += usize::from(row.certificate > 0);
            if *values.entry(&search.item.id).or_insert(value) != value {
                let way = format!("{} {}", search.base, search.way);
                return Err(Error::Contradiction { problem: search.item.id.clone(), search: way });
            }
        }
        Ok(audit)
    }
}

/// What the searches of an experiment add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// All searches.
    pub searches: usize,
    /// Those with a verdict.
    pub decided: usize,
    /// Those whose certificate was checked.
    pub certified: usize,
    /// Those whose table was swept.
    pub swept: usize,
    /// Nodes of all.
    pub nodes: u64,
}

impl Audit {
    /// The lines of a summary that tell it.
    pub(crate) fn describe(&self, out: &mut String, elapsed: Duration) -> fmt::Result {
        writeln!(
            out,
            "in all    {} searches, {} nodes; {} verdicts, {} certificates written and checked; this run {:.0} s",
            self.searches,
            self.nodes,
            self.decided,
            self.certified,
            elapsed.as_secs_f64()
        )?;
        if self.swept > 0 {
            writeln!(
                out,
                "WARNING   the table was too small for {} searches: their entries stored say little",
                self.swept
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_read_back() {
        let id: Id = ("muso001".into(), Base::Plain, "paths L|S+S 1000 shares".into(), 3);
        for value in [Some(Value::Proven), Some(Value::Disproven), None] {
            let (certificate, collections, shares) = (7, 0, (8, 4, 1));
            let row = Row {
                value,
                nodes: 12,
                evaluated: 34,
                stored: 3,
                seconds: 0.125,
                certificate,
                collections,
                shares,
            };
            assert_eq!(parse(&text(&id, &row)), Some((id.clone(), row)));
        }
        for bad in
            ["", "a,plain,df-pn,0,proven,1,1,1,1,0,1,1,1", "a,b,df-pn,0,proven,1,1,1,1,1,0,1,1,1"]
        {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
