//! A first try on a small table.
//!
//! A long search is faster by half in a table whose memory is taken before, in huge pages; for a
//! mate in three plies that would take far longer than the search. Nobody knows before which it will
//! be, so some thousand nodes are tried on a table that fits into the cache. What is decided by then
//! is decided.
//!
//! Where a limit is near, the search after a try may come less far than that did. Then the answer is
//! that of the try; and no more than a part of the time goes to taking memory.
//!
//! Of a list of short problems the try is nearly all there is, and half of it would be the system's
//! work for fresh pages. So each thread keeps the small table from try to try.

use std::cell::Cell;
use std::cmp::Reverse;
use std::ops::Deref;
use std::time::Duration;

use andor::clock::Instant;
use andor::{
    Algorithm, Control, Dfpn, Limits, Outcome, Reason, Scheme, Solvable, Stop, Table, Verdict,
};
use yomikiri_tsume::{Answer, Length, Mate, MateLimits, Tsume};

/// Nodes of a try.
pub const NODES: u64 = 20_000;
/// Bytes of its table.
const BYTES: usize = 2 << 20;
/// Of the time for a search this part may go to taking memory for it: an eighth.
const PREPARATION: u32 = 8;

thread_local! {
    /// The table that nobody on this thread is using.
    static KEPT: Cell<Option<Table>> = const { Cell::new(None) };
}

/// The table of a try. When it is dropped the thread keeps it for the next one.
pub struct Lent(Option<Table>);

impl Lent {
    /// An empty one.
    fn new() -> Option<Lent> {
        let table = match KEPT.take() {
            Some(mut kept) => {
                // What is used again is cleared in its place, not mapped anew.
                if !kept.is_real() {
                    kept.make_real();
                }
                kept.clear();
                kept
            }
            None => Table::new(BYTES).ok()?,
        };
        Some(Lent(Some(table)))
    }
}

impl Deref for Lent {
    type Target = Table;

    fn deref(&self) -> &Table {
        self.0.as_ref().expect("it is there until it is dropped")
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        // A thread that ends keeps nothing.
        let _ = KEPT.try_with(|kept| kept.set(self.0.take()));
    }
}

/// What a try came to.
pub struct Attempt {
    /// What it left.
    pub table: Lent,
    /// What it found.
    pub answer: Answer,
    /// Is that all there is to find within the limits?
    pub is_final: bool,
}

/// Takes the memory of a table for a search that has so much time: all of it, or as much as can be had
/// in a part of the time.
pub fn prepare(table: &Table, time: Option<Duration>, stop: &Stop) {
    let start = Instant::now();
    let most = time.map(|time| time / PREPARATION);
    table.make_real_until(|| stop.is_raised() || most.is_some_and(|most| start.elapsed() >= most));
}

/// How much a search has found out: what is greater is more. Decided is more than undecided, a whole
/// line more than a part, a narrower interval more than a wider one; of undecided ones, more nodes.
pub type Knowledge = (bool, bool, Reverse<u16>, u64);

/// The knowledge of a search that a limit has ended, perhaps. Of a proof that has a length: the
/// interval, and whether the line is whole.
pub fn knowledge(outcome: &Outcome, lengths: Option<(u16, u16, bool)>) -> Knowledge {
    let is_decided = outcome.value().is_some();
    let nodes = if is_decided { 0 } else { outcome.nodes };
    let (least, most, is_whole) = lengths.unwrap_or((0, 0, true));
    (is_decided, is_whole, Reverse(most.saturating_sub(least)), nodes)
}

/// The better outcome of a try and of the search after it, with what both took together: the search's
/// word for why it ended.
pub fn of_both(best: &Outcome, tried: &Outcome, searched: &Outcome) -> Outcome {
    let verdict = if best.value().is_some() { best.verdict } else { searched.verdict };
    let nodes = tried.nodes + searched.nodes;
    Outcome { verdict, nodes, elapsed: searched.elapsed, ..best.clone() }
}

/// Tries a problem. Nothing if the limits allow no more nodes than a try has.
pub fn attempt(problem: &Tsume, dfpn: Dfpn, limits: &MateLimits) -> Option<Attempt> {
    if limits.nodes.is_some_and(|nodes| nodes <= NODES) {
        return None;
    }
    let table = Lent::new()?;
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
) -> Option<(Lent, Outcome)> {
    let (Algorithm::Dfpn(dfpn) | Algorithm::Team(dfpn, Scheme::Virtual(_))) = *algorithm else {
        return None;
    };
    if limits.nodes.is_some_and(|nodes| nodes <= NODES) || problem.looks_long() {
        return None;
    }
    let table = Lent::new()?;
    let mut control = Control::new(Limits { nodes: Some(NODES), ..limits });
    control.stop = stop.clone();
    let outcome = problem.search(&Algorithm::Dfpn(dfpn), &table, &mut control);
    Some((table, outcome))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{AnyProblem, parse};

    /// No more time goes to the memory of a table than there is, and none if nobody waits any more.
    #[test]
    fn memory_is_taken_only_while_there_is_time() {
        let table = Table::new(64 << 20).expect("memory");
        let (stop, raised) = (Stop::new(), Stop::new());
        raised.raise();
        prepare(&table, Some(Duration::ZERO), &stop);
        assert!(!table.is_real());
        prepare(&table, None, &raised);
        assert!(!table.is_real());
        prepare(&table, None, &stop);
        assert!(table.is_real());
    }

    /// A try says the same on a table that was used before, and on one that is used meanwhile.
    #[test]
    fn the_table_of_a_try_is_as_good_as_new() {
        let AnyProblem::Shogi(shogi) =
            parse("9/5+p2k/9/5+B3/8S/9/9/9/9 b Rrb4g3s4n4l17p 1", None, None).expect("a problem")
        else {
            panic!("it is shogi");
        };
        let (problem, limits) = (shogi.tsume(), MateLimits::default());
        let dfpn = yomikiri_tsume::settings::dfpn();
        let try_it = || attempt(&problem, dfpn, &limits).expect("a try");
        let told = |tried: &Attempt| {
            let Outcome { nodes, evaluated, .. } = tried.answer.outcome;
            (nodes, evaluated, tried.table.stored(), tried.is_final)
        };
        let first = try_it();
        let expected = told(&first);
        assert!(expected.2 > 0 && !first.table.is_real());
        let beside = try_it();
        assert_eq!(told(&beside), expected);
        assert_eq!(first.table.stored(), expected.2);
        drop((first, beside));
        for _ in 0..3 {
            let again = try_it();
            assert!(again.table.is_real());
            assert_eq!(told(&again), expected);
        }
    }
}
