//! The last look at a problem, on an empty table: what is kept has been solved by both rules for
//! futile interpositions, searched for other solutions once more, and certified. Where only the
//! length has to be right, it is solved by the rule that they do not count.

use std::ops::Range;

use andor::table::SizeError;
use andor::{Pulse, Stop, Table, certificate};
use yomikiri_shogi::{Color, Move, Position};

use crate::answer::{Answer, Length, MateLimits, Solution};
use crate::cook::{self, CookLimits};
use crate::mate::Mate;
use crate::tsume::{Futile, Tsume};

/// Bytes of the table.
const TABLE_BYTES: usize = 4 << 20;
/// Nodes for one question.
const NODES: u64 = 1_000_000;
/// Bytes of the table for a hard problem, and nodes for its length.
const LARGE_TABLE_BYTES: usize = 64 << 20;
const LENGTH_NODES: u64 = 1_500_000;
/// Nodes to the first mate of a hard problem.
const EFFORT: Range<u64> = 500..1_000_000;

/// What the last look at a problem says.
pub(super) enum LastLook {
    /// It is sound.
    Certified(Certified),
    /// Its length is a matter of convention, or it took too many nodes.
    Dropped,
    /// There is another solution, or something is left in hand.
    Unsound,
    /// The answers do not go together.
    Contradiction,
}

/// A problem that is solved and certified.
#[derive(Clone, Debug)]
pub(super) struct Certified {
    /// The solution.
    pub line: Vec<Move>,
    /// The bytes of the certificates: mate within its length, no mate within less.
    pub certificates: [usize; 2],
}

/// Solves a problem by both rules for futile interpositions, looks for other solutions once more,
/// and certifies the length.
pub(super) fn last_look(position: &Position, stop: &Stop) -> Result<LastLook, SizeError> {
    let table = Table::new(TABLE_BYTES)?;
    let mate = Mate::new(&table);
    let nodes = Some(NODES);
    let counted = Tsume::with_attacker(position.clone(), Color::Black);
    let lenient = counted.clone().with_futile(Futile::NotCounted);
    let length = Length::Shortest;
    let limits = MateLimits { nodes, stop: stop.clone(), length, ..MateLimits::default() };
    let answers = [&counted, &lenient].map(|problem| mate.solve(problem, &limits));
    let [Some(found), Some(by_convention)] =
        answers.each_ref().map(|answer| answer.solution.as_ref())
    else {
        return Ok(LastLook::Dropped);
    };
    let is_done = |found: &Solution| found.exact && found.complete;
    if !is_done(found) || !is_done(by_convention) || by_convention.shown_length() != found.length {
        return Ok(LastLook::Dropped);
    }
    let limits = CookLimits { nodes, stop: stop.clone(), ..CookLimits::default() };
    let report = cook::first_flaw(&mate, &counted, &limits);
    if !report.is_complete() || !report.undecided.is_empty() {
        return Ok(LastLook::Dropped);
    }
    let is_sound = report.findings.is_empty()
        && found.left_over.is_empty()
        && found.line.len() == usize::from(found.length);
    if !is_sound {
        return Ok(LastLook::Unsound);
    }
    certified(&mate, &answers, stop)
}

/// The same where only the length has to be right: it is exact where futile interpositions do not
/// count, and the same by convention; and a first mate is neither found at once nor out of reach.
pub(super) fn look_at_length(position: &Position, stop: &Stop) -> Result<LastLook, SizeError> {
    let counted = Tsume::with_attacker(position.clone(), Color::Black);
    let limits = |nodes, length| MateLimits {
        nodes: Some(nodes),
        stop: stop.clone(),
        length,
        ..MateLimits::default()
    };
    let mut table = Table::new(LARGE_TABLE_BYTES)?;
    let first = Mate::new(&table).solve(&counted, &limits(EFFORT.end, Length::First));
    if first.solution.is_none() || !EFFORT.contains(&first.outcome.nodes) {
        return Ok(LastLook::Dropped);
    }
    table.clear();
    let mate = Mate::new(&table);
    let problem = counted.with_futile(Futile::NotCounted);
    let answer = mate.solve(&problem, &limits(LENGTH_NODES, Length::Shortest));
    let is_certain =
        |found: &Solution| found.exact && found.complete && found.shown_length() == found.length;
    match answer.solution.as_ref().is_some_and(is_certain) {
        true => certified(&mate, &[answer], stop),
        false => Ok(LastLook::Dropped),
    }
}

/// Certifies all that answers about one problem claim; the line is the first one's.
fn certified(mate: &Mate<'_>, answers: &[Answer], stop: &Stop) -> Result<LastLook, SizeError> {
    let mut certificates = [0; 2];
    for answer in answers {
        for (bytes, claim) in certificates.iter_mut().zip(answer.claims()) {
            let mut file = Vec::new();
            let pulse = Pulse::new(stop.clone());
            let is_written = mate.certify(&claim, stop, &mut file).is_ok();
            let is_accepted = is_written
                && certificate::check_within(claim.by_ref(), &pulse, &mut file.as_slice()).is_ok();
            match is_accepted {
                true => {}
                false if stop.is_raised() => return Ok(LastLook::Dropped),
                false => return Ok(LastLook::Contradiction),
            }
            *bytes += file.len();
        }
    }
    let first = answers.first().and_then(|answer| answer.solution.as_ref());
    Ok(match first {
        Some(Solution { line, .. }) => {
            LastLook::Certified(Certified { line: line.clone(), certificates })
        }
        None => LastLook::Dropped,
    })
}
