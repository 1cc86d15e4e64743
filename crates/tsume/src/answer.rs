//! What is asked about a mate, what is told meanwhile, and the answer.

use std::time::Duration;

pub use andor::ask::Phase;
use andor::{Claim, Outcome, Plies, Stop, Value};
use yomikiri_shogi::{Hand, Move};

use crate::tsume::Tsume;

/// Which mate is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum Length {
    /// The first one found.
    #[default]
    First,
    /// The shortest against the longest defence.
    Shortest,
}

/// What is asked of a search for mate, and when it has to end. The default is no limit at all and
/// the first mate.
#[derive(Clone, Debug, Default)]
pub struct MateLimits {
    /// At most so many nodes, for the verdict, the length and the line of play together.
    pub nodes: Option<u64>,
    /// At most so long.
    pub time: Option<Duration>,
    /// Raised by another thread to end the search.
    pub stop: Stop,
    /// Which mate.
    pub length: Length,
    /// Only a mate within so many plies counts.
    pub plies: Plies,
}

/// How far a search has come.
pub type MateProgress<'a> = andor::ask::Asked<'a>;

/// What happens in a solve, in this order: a mate is found, shorter ones, and then that there is none
/// shorter; between them, how far the search has come.
pub enum Event<'a> {
    /// How far it has come: told every few thousand nodes.
    Progress(&'a MateProgress<'a>),
    /// There is a mate within so many plies, and a shorter one is looked for.
    Found {
        /// There is none within fewer than so many.
        least: u16,
        /// So many plies.
        plies: u16,
        /// Nodes of the solve so far.
        nodes: u64,
        /// Its line, for whoever wants to see it at once: that takes some nodes of the same solve.
        solution: &'a mut dyn FnMut() -> Solution,
    },
    /// There is no mate shorter than so many plies: the one found last is the answer.
    NotShorter {
        /// So many plies.
        plies: u16,
    },
}

/// Who is told.
pub(crate) type Observer<'a> = &'a mut dyn FnMut(Event<'_>);

/// A mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The moves from the position to the mate. Empty if it is mate already.
    pub line: Vec<Move>,
    /// Does the line go on to the mate? It does not if a limit was reached while it was looked for.
    pub complete: bool,
    /// The attacker mates within so many plies whatever the defender does. The line is just as long,
    /// if it is complete.
    pub length: u16,
    /// There is no mate within fewer plies: the shortest one lies between this and the length.
    pub least: u16,
    /// Is that the shortest mate against the longest defence?
    pub exact: bool,
    /// What the attacker holds at the end of the line (駒余り).
    pub left_over: Hand,
    /// Does every line of the [shown length](Solution::shown_length) leave the attacker something
    /// in hand? None if that was not found out; it is not looked at where the length is not exact
    /// or interpositions in vain count.
    pub always_left_over: Option<bool>,
    /// The line by convention, if it is known and shorter: without interpositions in vain.
    pub conventional: Option<Conventional>,
    /// Was a limit reached before the line by convention was found?
    pub is_convention_open: bool,
}

impl Solution {
    /// The line to show to people: without interpositions in vain where that is known.
    pub fn shown_line(&self) -> &[Move] {
        self.conventional.as_ref().map_or(&self.line, |conventional| &conventional.line)
    }

    /// What the attacker holds at the end of that line.
    pub fn shown_left_over(&self) -> Hand {
        self.conventional.as_ref().map_or(self.left_over, |conventional| conventional.left_over)
    }

    /// The length to tell people, without interpositions in vain where that is known.
    pub fn shown_length(&self) -> u16 {
        self.conventional.as_ref().map_or(self.length, |shorter| shorter.line.len() as u16)
    }

    /// Takes a line by convention where it is the better one to show.
    pub(crate) fn improve(&mut self, found: Conventional) {
        if found.line.len() < self.line.len() {
            self.conventional = Some(found);
        } else if found.line.len() == self.line.len() && found.left_over.is_empty() {
            (self.line, self.left_over) = (found.line, found.left_over);
        }
    }
}

/// A line without interpositions in vain (無駄合い), shorter than by the rules: see `convention`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conventional {
    /// The moves from the position to the mate.
    pub line: Vec<Move>,
    /// What the attacker holds at the end.
    pub left_over: Hand,
}

/// The answer of [`Mate::solve`](crate::Mate::solve).
#[derive(Clone, Debug)]
pub struct Answer {
    /// What the answer is about.
    pub problem: Tsume,
    /// Is there a mate (proven), or none (disproven), within how many plies, and what it took to find
    /// out. The numbers are those at the end of the first search.
    pub outcome: Outcome,
    /// The mate, if there is one.
    pub solution: Option<Solution>,
}

impl Answer {
    /// What the answer claims and certificates can be written of: a mate within its length, and no
    /// mate within fewer plies than the least, if that says something; or no mate.
    pub fn claims(&self) -> Vec<Claim<Tsume>> {
        let said = self.solution.as_ref().filter(|found| found.exact || found.least >= 3);
        let shorter = said.and_then(|solution| solution.least.checked_sub(2));
        let shorter = shorter
            .map(|plies| Claim::new(self.problem.clone(), Value::Disproven, Plies::at_most(plies)));
        self.outcome.claim(self.problem.clone()).into_iter().chain(shorter).collect()
    }
}
