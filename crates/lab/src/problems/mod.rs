//! Problems searched one by one: what the experiments on parallel search share. They are
//! tsume-shogi, as in the papers; [`parallel`](crate::parallel) has other games too.
//!
//! A [`Search`] is a problem, the settings of df-pn ([`Base`]), how many agents search it and how
//! ([`Way`]), and the number of the run. Each starts with an empty table whose memory is taken
//! before the clock starts. After the clock has stopped, the certificate of the verdict is written
//! and checked; one that does not hold ends the experiment. Only Hex goes without, whose
//! certificates are out of proportion on large boards; there the verdict must be the known one.

mod exact;
mod record;
mod sets;
mod way;

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use andor::{Claim, Control, Limits, Pulse, Reason, Solvable, Stop, Table, Verdict, certificate};
use yomikiri_hex::StrongHex;
use yomikiri_origin::fingerprint;

use self::exact::Exact;
pub use self::record::{Audit, Record, Row};
pub(crate) use self::sets::title;
pub use self::sets::{Item, Set, Subject, sets};
pub use self::way::{Base, Search, Way};
use crate::error::{Error, Result};
use crate::folder;

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

    /// What two runs must have in common for their results to be mixed: also the problems, of which
    /// others may have the same names.
    pub(crate) fn settings(&self, name: &str, sets: &[Set]) -> String {
        let items: Vec<String> =
            sets.iter().flat_map(|set| &set.items).map(|item| format!("{item:?}")).collect();
        format!(
            "# lab {name}; at most {} a search; table of {} MiB; {} problems, {:016x}",
            self.limits_text(),
            self.hash >> 20,
            items.len(),
            fingerprint(items.join("\n").as_bytes())
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
        Subject::Tsume(tsume) if search.base.has_dominance() => {
            search_problem(common, search, &**tsume, table)
        }
        Subject::Tsume(tsume) => search_problem(common, search, &Exact((**tsume).clone()), table),
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
    } else if let Some(claim) = outcome.claim(problem) {
        match certify(search, claim, table, &common.stop)? {
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
        evaluated: outcome.evaluated,
        stored,
        // As it is written down, so that a run which reads it back finds the same.
        seconds: outcome.elapsed.as_micros().max(1) as f64 / 1e6,
        certificate,
        collections: collections as u64,
        shares: (outcome.shares.leader(), outcome.shares.workers(), outcome.shares.unused()),
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
    claim: Claim<&P>,
    table: &Table,
    stop: &Stop,
) -> Result<Option<u64>> {
    let mut body = Vec::new();
    // What the table has forgotten is searched again, and best with all techniques.
    let settings = search.item.subject.dfpn();
    match P::write_certificate(claim, settings, table, stop, &mut body) {
        Ok(_) => {}
        Err(certificate::WriteError::Stopped) => return Ok(None),
        Err(error) => return Err(uncertified(search, error.to_string())),
    }
    match P::check_certificate(claim, &Pulse::new(stop.clone()), &mut body.as_slice()) {
        // A root that is over needs no position to be treated.
        Ok(checked) => Ok(Some(checked.positions.max(1))),
        Err(certificate::CheckError::Stopped(_)) => Ok(None),
        Err(error) => Err(uncertified(search, error.to_string())),
    }
}
