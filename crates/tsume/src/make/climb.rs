//! Long problems by mutation, where only the length has to be right ([`Soundness::Length`]).
//!
//! A climb begins with a position that is given, or with a random crowded one that is mate in 17 plies
//! or more ([`crowded`](super::crowded)), changes it at random ([`mutate`](super::mutate)), and goes on from
//! what is not shorter: a hill climb with steps to the side, for most changes that make a mate longer
//! come after several that leave its length alone. Whether a mutant is as long is asked with few
//! nodes, for nearly all of them are refuted by the first question: is there a mate at all, and is
//! there none within less? A climb ends when so many mutants one after the other brought nothing
//! longer.
//!
//! 220 families took 2.5 million nodes each and gave 60 problems of 31 plies and more. (Climbs that
//! began with a few pieces and a mate in one or three took 10 to 20 million nodes a family.)
//!
//! Lengths are those without futile interpositions, and a mutant counts only if it is as long by
//! [`convention`](crate::convention): a rook far away makes any mate longer by pieces that are put
//! before it and taken.
//!
//! [`Soundness::Length`]: super::Soundness::Length

use std::collections::BTreeMap;

use andor::{Plies, SplitMix64, Stop, Value};
use yomikiri_shogi::{Color, Position};

use super::crowded;
use super::family::MakeProgress;
use super::mutate::mutant;
use crate::answer::{Answer, Length, MateLimits};
use crate::mate::Mate;
use crate::tsume::{Futile, Tsume};

/// A climb begins with so many plies, or with the longest length asked for if that is less.
const BEGIN: u16 = 17;
/// It ends after so many mutants that are not longer.
const PATIENCE: u64 = 1_000;
/// Nodes for the questions about a position, times those of the options: is there a mate, is there a
/// shorter one, and how long is it exactly?
const MATE: u64 = 8;
const SHORTER: u64 = 32;
const EXACT: u64 = 160;

/// The work on one family.
pub(super) struct Climber<'w, 't> {
    pub mate: Mate<'t>,
    pub random: SplitMix64,
    /// Nodes for a question.
    pub nodes: u64,
    pub stop: &'w Stop,
    pub watch: &'w mut dyn FnMut(&MakeProgress),
    pub progress: &'w mut MakeProgress,
}

impl Climber<'_, '_> {
    /// Positions of a family with lengths up to `longest`: of each length the one that was found
    /// first, the shortest first. It begins with the position given, if that is a mate.
    pub fn family(&mut self, begin: Option<Position>, longest: u16) -> Vec<(u16, Position)> {
        let mut found = BTreeMap::new();
        let begin = match begin {
            Some(given) => self.length(&given, 1).map(|length| (length, given)),
            None => self.first(longest),
        };
        let Some((mut length, mut position)) = begin else { return Vec::new() };
        let mut in_vain = 0;
        found.insert(length, position.clone());
        while in_vain < PATIENCE && length < longest && !self.stop.is_raised() {
            let Some(mutant) = mutant(&position, &mut self.random) else { continue };
            in_vain += 1;
            let Some(now) = self.length(&mutant, length).filter(|&now| now <= longest) else {
                continue;
            };
            if now > length {
                in_vain = 0;
                found.insert(now, mutant.clone());
            }
            (length, position) = (now, mutant);
        }
        found.into_iter().collect()
    }

    /// A position to begin with, and its length.
    fn first(&mut self, longest: u16) -> Option<(u16, Position)> {
        while !self.stop.is_raised() {
            let Some(position) = crowded::attempt(&mut self.random) else { continue };
            let length = self.length(&position, BEGIN.min(longest));
            if let Some(length) = length.filter(|&length| length <= longest) {
                return Some((length, position));
            }
        }
        None
    }

    /// The length of the mate in a position; none if there is none, if it is shorter than
    /// `at_least`, or if that is not found out with few nodes.
    fn length(&mut self, position: &Position, at_least: u16) -> Option<u16> {
        let length = self.measured(position, at_least);
        self.progress.positions += 1;
        self.progress.length = self.progress.length.max(length.unwrap_or(0));
        (self.watch)(self.progress);
        length
    }

    fn measured(&mut self, position: &Position, at_least: u16) -> Option<u16> {
        let problem = Tsume::with_attacker(position.clone(), Color::Black);
        let problem = problem.with_futile(Futile::NotCounted);
        let first = self.ask(&problem, MATE, Length::First, Plies::UNBOUNDED);
        if first.solution?.length < at_least {
            return None;
        }
        if let Some(less) = at_least.checked_sub(2) {
            let shorter = self.ask(&problem, SHORTER, Length::First, Plies::at_most(less));
            if shorter.outcome.value() != Some(Value::Disproven) {
                return None;
            }
        }
        let exact = self.ask(&problem, EXACT, Length::Shortest, Plies::UNBOUNDED).solution?;
        let is_certain = exact.exact && exact.complete && exact.shown_length() == exact.length;
        is_certain.then_some(exact.length)
    }

    fn ask(&mut self, problem: &Tsume, times: u64, length: Length, plies: Plies) -> Answer {
        let nodes = Some(self.nodes.saturating_mul(times));
        let limits = MateLimits { nodes, length, plies, stop: self.stop.clone(), time: None };
        let answer = self.mate.solve(problem, &limits);
        self.progress.nodes += answer.outcome.nodes;
        answer
    }
}

#[cfg(test)]
mod tests {
    use andor::{Table, certificate};

    use super::*;

    fn family(seed: u64, longest: u16) -> Vec<(u16, Position)> {
        let (table, stop) = (Table::new(4 << 20).expect("memory"), Stop::new());
        let mut progress = MakeProgress::default();
        let mut climber = Climber {
            mate: Mate::new(&table),
            random: SplitMix64::new(seed),
            nodes: 100,
            stop: &stop,
            watch: &mut |_| {},
            progress: &mut progress,
        };
        let family = climber.family(None, longest);
        assert!(family.iter().all(|&(length, _)| length <= progress.length));
        assert!(progress.nodes >= progress.positions && progress.positions > 0);
        family
    }

    #[test]
    fn a_seed_gives_the_same_family_again() {
        let first = family(1, 13);
        assert_eq!(first.last().map(|&(length, _)| length), Some(13));
        assert_eq!(first, family(1, 13));
        assert_ne!(first, family(2, 13));
    }

    /// What a climb says of its positions is so: both ends of every length are certified.
    #[test]
    fn lengths_are_what_a_climb_says() {
        let family = family(5, 25);
        assert!(family.is_sorted_by(|(one, _), (other, _)| one < other));
        assert!(family.first().is_some_and(|&(length, _)| length >= BEGIN));
        assert!(family.len() > 1 && family.iter().all(|&(length, _)| length <= 25), "{family:?}");
        for (length, position) in family {
            let problem = Tsume::with_attacker(position.clone(), Color::Black);
            let problem = problem.with_futile(Futile::NotCounted);
            let table = Table::new(4 << 20).expect("memory");
            let mate = Mate::new(&table);
            let limits = MateLimits { length: Length::Shortest, ..MateLimits::default() };
            let answer = mate.solve(&problem, &limits);
            let found = answer.solution.as_ref().expect("a mate");
            assert_eq!((found.exact, found.length), (true, length), "{position}");
            for claim in answer.claims() {
                let mut file = Vec::new();
                mate.certify(&claim, &Stop::new(), &mut file).expect("it is known");
                assert!(certificate::check(claim.by_ref(), &mut file.as_slice()).is_ok());
            }
        }
    }
}
