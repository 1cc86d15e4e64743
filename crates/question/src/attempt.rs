//! A first try on a small table.
//!
//! A long search is faster by half in a table whose memory is taken before, in huge pages; for a
//! mate in three plies that would take far longer than the search. Nobody knows before which it will
//! be, so some thousand nodes are tried on a table that fits into the cache. What is decided by then
//! is decided.

use andor::{
    Algorithm, Control, Dfpn, Limits, Outcome, Reason, Scheme, Solvable, Stop, Table, Verdict,
};
use yomikiri_tsume::{Answer, Length, Mate, MateLimits, Tsume};

/// Nodes of a try.
const NODES: u64 = 20_000;
/// Bytes of its table.
const BYTES: usize = 2 << 20;

/// What a try came to.
pub struct Attempt {
    /// What it left.
    pub table: Table,
    /// What it found.
    pub answer: Answer,
    /// Is that all there is to find within the limits?
    pub is_final: bool,
}

/// Tries a problem. Nothing if the limits allow no more nodes than a try has.
pub fn attempt(problem: &Tsume, dfpn: Dfpn, limits: &MateLimits) -> Option<Attempt> {
    if limits.nodes.is_some_and(|nodes| nodes <= NODES) {
        return None;
    }
    let table = Table::new(BYTES).ok()?;
    let tried = MateLimits { nodes: Some(NODES), ..limits.clone() };
    let answer = Mate::new(&table).with_settings(dfpn).solve(problem, &tried);
    // The search for a shorter mate gets seven eighths of the nodes; whoever used fewer in all was
    // not cut short anywhere.
    let is_short = answer.outcome.nodes < NODES - NODES / 8;
    let is_final = match (answer.outcome.verdict, &answer.solution) {
        (Verdict::Unknown(reason), _) => reason != Reason::Nodes,
        (_, None) => true,
        (_, Some(found)) => {
            let is_found = found.exact || limits.length == Length::First;
            let is_over = limits.stop.is_raised()
                || limits.time.is_some_and(|limit| answer.outcome.elapsed >= limit);
            is_over || is_short && is_found && found.complete
        }
    };
    Some(Attempt { table, answer, is_final })
}

/// The same for a problem of any game: the table and what was found, and nothing else to do if that
/// did not end at the try's limit. None where a try says nothing: with PN-search, which has no table,
/// with a leader and workers, whose shares are what is asked for, and where the game itself takes longer than the table.
pub fn attempt_any<P: Solvable>(
    problem: &P,
    algorithm: &Algorithm,
    limits: Limits,
    stop: &Stop,
) -> Option<(Table, Outcome)> {
    let (Algorithm::Dfpn(dfpn) | Algorithm::Team(dfpn, Scheme::Virtual(_))) = *algorithm else {
        return None;
    };
    if limits.nodes.is_some_and(|nodes| nodes <= NODES) || problem.looks_long() {
        return None;
    }
    let table = Table::new(BYTES).ok()?;
    let mut control = Control::new(Limits { nodes: Some(NODES), ..limits });
    control.stop = stop.clone();
    let outcome = problem.search(&Algorithm::Dfpn(dfpn), &table, &mut control);
    Some((table, outcome))
}
