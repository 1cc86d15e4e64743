//! Problems searched one by one: what the experiments on parallel search share. They are
//! tsume-shogi, as in the papers; [`parallel`](crate::parallel) has other games too.
//!
//! A [`Search`] is a problem, the settings of df-pn ([`Base`]), how many agents search it and how
//! ([`Way`]), and the number of the run. Each starts with an empty table whose memory is taken
//! before the clock starts. After the clock has stopped, the certificate of the verdict is written
//! and checked; one that does not hold ends the experiment. Only Hex goes without, whose
//! certificates are out of proportion on large boards; there the verdict must be the known one.

mod record;
mod sets;

use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use andor::{
    Agents, Algorithm, Assignment, Control, Dfpn, Limits, Paths, Plies, Quanta, Reason, Scheme,
    Solvable, Stop, Sums, Table, Value, Verdict, certificate,
};
use yomikiri_hex::StrongHex;

pub use self::record::{Audit, Record, Row};
pub(crate) use self::sets::title;
pub use self::sets::{Item, Set, Subject, sets};
use crate::error::{Error, Result};
use crate::folder;

/// The settings of df-pn that a search is built on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Base {
    /// What this program uses: df-pn⁺ with all its techniques.
    Dfpn,
    /// The same without the game's knowledge: no first numbers, costs and small solvers.
    NoHeuristics,
    /// Df-pn as the papers have it: no knowledge, no 1+ε trick, plain sums.
    Plain,
}

impl Base {
    /// The settings, made from those that serve the game best.
    pub fn settings(self, dfpn: Dfpn) -> Dfpn {
        match self {
            Base::Dfpn => dfpn,
            Base::NoHeuristics => Dfpn { heuristics: false, ..dfpn },
            Base::Plain => Dfpn { heuristics: false, epsilon: 0.0, sums: Sums::Plain, ..dfpn },
        }
    }
}

impl Display for Base {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Base::Dfpn => "dfpn",
            Base::NoHeuristics => "no-heuristics",
            Base::Plain => "plain",
        })
    }
}

impl FromStr for Base {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Base, String> {
        match text {
            "dfpn" => Ok(Base::Dfpn),
            "no-heuristics" => Ok(Base::NoHeuristics),
            "plain" => Ok(Base::Plain),
            _ => Err(format!("`{text}` is none of dfpn, plain, no-heuristics")),
        }
    }
}

/// How many agents search, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    /// One: df-pn.
    Alone,
    /// Agents with virtual numbers, each with a thread or all in turns of so many nodes.
    Virtual(usize, Option<u64>),
    /// A leader and workers.
    Paths(Paths),
}

impl Way {
    /// Pseudo-threads on one processor, the leader among them.
    pub fn pseudo_threads(count: u8, quantum: u64, quanta: Quanta) -> Way {
        let assignment = Assignment::one_processor(count.saturating_sub(1));
        Way::Paths(Paths { assignment, quantum, quanta })
    }

    fn algorithm(&self, settings: Dfpn) -> Algorithm {
        match *self {
            Way::Alone => Algorithm::Dfpn(settings),
            Way::Virtual(count, turns) => {
                let agents = Agents { turns, ..Agents::on_threads(count) };
                Algorithm::Team(settings, Scheme::Virtual(agents))
            }
            Way::Paths(paths) => Algorithm::Team(settings, Scheme::Paths(paths)),
        }
    }
}

/// As it stands in `raw.csv`: without a comma.
impl Display for Way {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Way::Alone => f.write_str("df-pn"),
            Way::Virtual(count, None) => write!(f, "virtual {count}"),
            Way::Virtual(count, Some(turns)) => write!(f, "virtual {count} turns {turns}"),
            Way::Paths(Paths { assignment, quantum, quanta }) => {
                let assignment = assignment.to_string().replace(',', "+");
                write!(f, "paths {assignment} {quantum} {quanta}")
            }
        }
    }
}

/// One search.
#[derive(Clone, Debug)]
pub struct Search<'a> {
    /// The problem.
    pub item: &'a Item,
    /// The settings of df-pn.
    pub base: Base,
    /// The agents.
    pub way: Way,
    /// Which of the runs, from 0.
    pub run: u32,
    /// When it is given up.
    pub limits: Limits,
}

/// What all experiments with such problems are told.
#[derive(Clone, Debug)]
pub struct Common {
    /// Few problems and small limits: a minute.
    pub quick: bool,
    /// The folder for the results, made if it does not exist.
    pub out: PathBuf,
    /// How often each search is run.
    pub runs: u32,
    /// Bytes of the table of one search.
    pub hash: usize,
    /// When a search is given up.
    pub limits: Limits,
    /// The problems; `None`: the sets of the papers, if they are found.
    pub sets: Option<Vec<Set>>,
    /// Ends the experiment; what was found is kept, and the next run goes on from there.
    pub stop: Stop,
}

impl Common {
    /// With the usual folder for this name, and these limits.
    pub(crate) fn new(quick: bool, name: &str, nodes: Option<u64>, seconds: Option<u64>) -> Common {
        Common {
            quick,
            out: folder(name, quick),
            runs: 1,
            hash: if quick { 64 << 20 } else { 1 << 30 },
            limits: Limits { nodes, time: seconds.map(Duration::from_secs) },
            sets: None,
            stop: Stop::new(),
        }
    }

    pub(crate) fn check(&self) -> Result<()> {
        if self.runs == 0 {
            return Err(Error::BadOption("at least one run is needed".into()));
        }
        if self.limits == Limits::default() {
            return Err(Error::BadOption("a search needs a limit on nodes or on time".into()));
        }
        Ok(())
    }

    /// The limits in words.
    pub(crate) fn limits_text(&self) -> String {
        let nodes = self.limits.nodes.map(|nodes| format!("{nodes} nodes"));
        let time = self.limits.time.map(|time| format!("{} s", time.as_secs_f64()));
        nodes.into_iter().chain(time).collect::<Vec<_>>().join(" or ")
    }

    /// What two runs must have in common for their results to be mixed.
    pub(crate) fn settings(&self, name: &str) -> String {
        format!(
            "# lab {name}; at most {} a search; table of {} MiB",
            self.limits_text(),
            self.hash >> 20
        )
    }
}

/// Runs searches whose results are not yet recorded, so many at once, each result written down as
/// it comes.
pub(crate) fn search_all(
    common: &Common,
    record: &mut Record,
    searches: &[Search<'_>],
    at_once: usize,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<()> {
    let missing: Vec<&Search<'_>> =
        searches.iter().filter(|search| record.get(search).is_none()).collect();
    let total = searches.len();
    let before = total - missing.len();
    let next = AtomicUsize::new(0);
    let state = Mutex::new((record, 0));
    // Nobody panics with the lock held, but if so, the record is still whole.
    let lock = || state.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    progress(before, total);
    let work = || -> Result<()> {
        let mut table = None;
        while let Some(&search) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
            let table = match &mut table {
                Some(table) => table,
                empty => empty.insert(Table::new(common.hash)?),
            };
            let Some(row) = search_one(common, search, table)? else { break };
            let mut state = lock();
            state.0.add(search, row)?;
            state.1 += 1;
            progress(before + state.1, total);
        }
        Ok(())
    };
    // One failure ends the run: the others finish the search they are at.
    let work = || work().inspect_err(|_| next.store(missing.len(), Ordering::Relaxed));
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..at_once.max(1)).map(|_| scope.spawn(work)).collect();
        let results: Vec<Result<()>> = threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect();
        results.into_iter().collect::<Result<()>>()
    })?;
    let done = before + lock().1;
    if done < total { Err(Error::Stopped { done, total }) } else { Ok(()) }
}

/// Runs one search and checks the certificate of its verdict; nothing if it was stopped.
pub fn search_one(common: &Common, search: &Search<'_>, table: &mut Table) -> Result<Option<Row>> {
    match &search.item.subject {
        Subject::Tsume(tsume) => search_problem(common, search, &**tsume, table),
        Subject::Othello(othello) => search_problem(common, search, othello, table),
        Subject::Hex(hex, _) => search_problem(common, search, &StrongHex::new(hex.clone()), table),
    }
}

fn search_problem<P: Solvable>(
    common: &Common,
    search: &Search<'_>,
    problem: &P,
    table: &mut Table,
) -> Result<Option<Row>> {
    table.clear();
    table.make_real();
    let mut control = Control::new(search.limits);
    control.stop = common.stop.clone();
    let algorithm = search.way.algorithm(search.base.settings(search.item.subject.dfpn()));
    let outcome = problem.search(&algorithm, table, &mut control);
    if outcome.verdict == Verdict::Unknown(Reason::Stopped) {
        return Ok(None);
    }
    let (stored, collections) = (table.stored() as u64, table.collections());
    let mut certificate = 0;
    if let (Some(value), Subject::Hex(_, known)) = (outcome.value(), &search.item.subject) {
        if value != *known {
            return Err(uncertified(search, "another winner is known".into()));
        }
    } else if let Some(value) = outcome.value() {
        match certify(search, problem, (value, outcome.plies), table, &common.stop)? {
            Some(positions) => certificate = positions,
            None => return Ok(None),
        }
    }
    // Several agents are told to end a little after the limit: what they find then does not count,
    // so that the result does not depend on the clock.
    let in_time = search.limits.nodes.is_none_or(|limit| outcome.nodes < limit);
    Ok(Some(Row {
        value: outcome.value().filter(|_| in_time),
        nodes: search.limits.nodes.map_or(outcome.nodes, |limit| outcome.nodes.min(limit)),
        stored,
        // As it is written down, so that a run which reads it back finds the same.
        seconds: outcome.elapsed.as_micros().max(1) as f64 / 1e6,
        certificate,
        collections: collections as u64,
    }))
}

fn uncertified(search: &Search<'_>, reason: String) -> Error {
    Error::Uncertified {
        problem: search.item.id.clone(),
        search: format!("{} {}", search.base, search.way),
        reason,
    }
}

/// Writes the certificate of a verdict and checks it. Gives its positions; nothing if it was
/// stopped.
fn certify<P: Solvable>(
    search: &Search<'_>,
    problem: &P,
    (value, plies): (Value, Plies),
    table: &Table,
    stop: &Stop,
) -> Result<Option<u64>> {
    let mut body = Vec::new();
    // What the table has forgotten is searched again, and best with all techniques.
    let settings = search.item.subject.dfpn();
    match problem.write_certificate(value, plies, settings, table, stop, &mut body) {
        Ok(_) => {}
        Err(certificate::WriteError::Stopped) => return Ok(None),
        Err(error) => return Err(uncertified(search, error.to_string())),
    }
    match problem.check_certificate(value, plies, &mut body.as_slice()) {
        // A root that is over needs no position to be treated.
        Ok(checked) => Ok(Some(checked.positions.max(1))),
        Err(error) => Err(uncertified(search, error.to_string())),
    }
}
