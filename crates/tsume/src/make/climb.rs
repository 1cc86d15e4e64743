//! Long problems by mutation, where only the length has to be right ([`Soundness::Length`]).
//!
//! A climb begins with a random position that is mate in few plies, changes it at random
//! ([`mutate`](super::mutate)), and goes on from what is not shorter: a hill climb with steps to the
//! side, for most changes that make a mate longer come after several that leave its length alone.
//! Whether a mutant is as long is asked with few nodes, for nearly all of them are refuted by the
//! first question: is there a mate at all, and is there none within less? A climb ends when so many
//! mutants one after the other brought nothing longer.
//!
//! Most climbs end early, whatever they are given. So of each family several begin with small
//! questions, the longest go on with larger ones, and the longest of these with larger ones still
//! (successive halving: Jamieson and Talwalkar, "Non-stochastic best arm identification and
//! hyperparameter optimization", 2016).
//!
//! Lengths are those without futile interpositions, and a mutant counts only if it has the same
//! length with them, and by [`convention`](crate::convention): a rook far away makes any mate longer
//! by pieces that are put before it and taken.
//!
//! [`Soundness::Length`]: super::Soundness::Length

use std::collections::BTreeMap;

use andor::{Limits, Plies, SplitMix64, Stop, Table, Value};
use yomikiri_shogi::{Color, Position};

use super::family::MakeProgress;
use super::mutate::mutant;
use super::start;
use crate::ask::{self, Asker};
use crate::mate::{self, Mate};
use crate::tsume::{Futile, Tsume};

/// One round of a family.
struct Round {
    /// So many climbs take part: the longest of the round before.
    climbs: usize,
    /// A question has so many times the nodes of the options.
    nodes: u64,
    /// Is it measured how hard a mutant is?
    hard: bool,
    /// A climb ends after so many mutants that are not longer.
    patience: u64,
}

const ROUNDS: [Round; 3] = [
    Round { climbs: 16, nodes: 1, hard: false, patience: 500 },
    Round { climbs: 4, nodes: 2, hard: true, patience: 1_500 },
    Round { climbs: 1, nodes: 4, hard: true, patience: 10_000 },
];
/// The length of a mutant is worked out with so many times the nodes of a question.
const WORKED_OUT: u64 = 10;
/// A first mate takes at most so many nodes, on a table of so many bytes.
const EFFORT_NODES: u64 = 100_000;
const EFFORT_BYTES: usize = 2 << 20;

/// A position, and what is known of its mate.
#[derive(Clone)]
struct Climb {
    position: Position,
    length: u16,
    /// Nodes to the first proof on an empty table, if they were counted.
    nodes: u64,
}

/// The work on one family.
pub(super) struct Climber<'w, 'a, 't> {
    pub asker: Asker<'a, 't>,
    pub random: SplitMix64,
    /// Nodes for a question.
    pub nodes: u64,
    pub stop: &'w Stop,
    pub watch: &'w mut dyn FnMut(&MakeProgress),
    /// Nodes of the families before.
    pub nodes_before: u64,
    pub progress: &'w mut MakeProgress,
    /// Nodes on other tables.
    pub more: u64,
}

impl Climber<'_, '_, '_> {
    /// Positions of a family with lengths up to `longest`: of each length the one that took the most
    /// nodes, the shortest first.
    pub fn family(&mut self, longest: u16) -> Vec<(u16, Position)> {
        let mut climbs = Vec::new();
        let mut best: BTreeMap<u16, (u64, Position)> = BTreeMap::new();
        for round in &ROUNDS {
            while climbs.len() < round.climbs {
                let Some(first) = self.first(longest) else { return Vec::new() };
                climbs.push(first);
            }
            climbs.truncate(round.climbs);
            for climb in &mut climbs {
                self.climb(climb, round, longest, &mut |found| {
                    let known = best.get(&found.length);
                    if known.is_none_or(|&(nodes, _)| found.nodes > nodes) {
                        best.insert(found.length, (found.nodes, found.position.clone()));
                    }
                });
            }
            climbs.sort_by_key(|climb| std::cmp::Reverse(climb.length));
        }
        best.into_iter().map(|(length, (_, position))| (length, position)).collect()
    }

    /// A position to begin with.
    fn first(&mut self, longest: u16) -> Option<Climb> {
        while !self.stop.is_raised() {
            let Some(position) = start::attempt(&mut self.random) else { continue };
            let found = self.measured(position, 1, &ROUNDS[0]);
            if found.as_ref().is_some_and(|found| found.length <= longest) {
                return found;
            }
        }
        None
    }

    /// Goes on with a climb, and tells of all that it comes by.
    fn climb(&mut self, at: &mut Climb, round: &Round, longest: u16, tell: &mut dyn FnMut(&Climb)) {
        let mut in_vain = 0;
        while in_vain < round.patience && at.length < longest && !self.stop.is_raised() {
            let Some(mutant) = mutant(&at.position, &mut self.random) else { continue };
            in_vain += 1;
            let found = self.measured(mutant, at.length, round);
            let Some(found) = found.filter(|found| found.length <= longest) else { continue };
            tell(&found);
            if found.length > at.length {
                in_vain = 0;
            } else if found.nodes < at.nodes / 2 {
                continue;
            }
            *at = found;
        }
    }

    /// The length of the mate in a position; none if there is none, if it is shorter than
    /// `at_least`, or if that is not found out with few nodes.
    fn measured(&mut self, position: Position, at_least: u16, round: &Round) -> Option<Climb> {
        // Longer mates need more of them.
        let nodes = self.nodes.saturating_mul(round.nodes);
        let nodes = (nodes.saturating_mul(4 + u64::from(at_least)) / 8).max(1);
        let length = self.length(&position, at_least, nodes);
        self.progress.positions += 1;
        self.progress.nodes = self.nodes_before + self.asker.nodes() + self.more;
        (self.watch)(self.progress);
        let length = length?;
        self.progress.length = self.progress.length.max(length);
        let nodes = if round.hard { self.effort(&position)? } else { 0 };
        Some(Climb { position, length, nodes })
    }

    fn length(&mut self, position: &Position, at_least: u16, nodes: u64) -> Option<u16> {
        let counted = Tsume::with_attacker(position.clone(), Color::Black);
        let problem = counted.clone().with_futile(Futile::NotCounted);
        self.asker.patience = nodes;
        let most = self.asker.nodes().saturating_add(nodes.saturating_mul(WORKED_OUT));
        self.asker.set_limits(Limits { nodes: Some(most), time: None });
        let first = self.asker.ask(&problem, Plies::UNBOUNDED)?;
        let bound = ask::length(first);
        if first.value == Value::Disproven || bound < at_least {
            return None;
        }
        let is_mate_within = |this: &mut Self, problem: &Tsume, plies: u16| {
            let answer = this.asker.ask(problem, Plies::at_most(plies))?;
            Some(answer.value == Value::Proven)
        };
        if let Some(less) = at_least.checked_sub(2)
            && is_mate_within(self, &problem, less)?
        {
            return None;
        }
        let (length, is_exact) = ask::shortest(&mut self.asker, &problem, bound);
        if !is_exact || !is_mate_within(self, &counted, length)? {
            return None;
        }
        let shown = mate::solution(&mut self.asker, &problem, length, true);
        (shown.shown_length() == length).then_some(length)
    }

    /// Nodes to a first mate on an empty table.
    fn effort(&mut self, position: &Position) -> Option<u64> {
        let table = Table::new(EFFORT_BYTES).ok()?;
        let limits = Limits { nodes: Some(EFFORT_NODES), time: None };
        let mut asker = Mate::new(&table).asker(limits, self.stop, None);
        let problem = Tsume::with_attacker(position.clone(), Color::Black);
        asker.ask(&problem, Plies::UNBOUNDED)?;
        self.more += asker.nodes();
        Some(asker.nodes())
    }
}

#[cfg(test)]
mod tests {
    use andor::certificate;

    use super::*;
    use crate::answer::{Length, MateLimits};

    /// What a climb says of its positions is so: both ends of every length are certified.
    #[test]
    fn lengths_are_what_a_climb_says() {
        let (table, stop) = (Table::new(4 << 20).expect("memory"), Stop::new());
        let mut progress = MakeProgress::default();
        let mut climber = Climber {
            asker: Mate::new(&table).asker(Limits::default(), &stop, None),
            random: SplitMix64::new(5),
            nodes: 100,
            stop: &stop,
            watch: &mut |_| {},
            nodes_before: 0,
            progress: &mut progress,
            more: 0,
        };
        let family = climber.family(9);
        assert_eq!(family.last().map(|&(length, _)| length), Some(9));
        assert!(family.is_sorted_by(|(one, _), (other, _)| one < other));
        for (length, position) in family {
            let counted = Tsume::with_attacker(position.clone(), Color::Black);
            for problem in [counted.clone().with_futile(Futile::NotCounted), counted] {
                let table = Table::new(4 << 20).expect("memory");
                let mate = Mate::new(&table);
                let limits = MateLimits { length: Length::Shortest, ..MateLimits::default() };
                let answer = mate.solve(&problem, &limits);
                let found = answer.solution.as_ref().expect("a mate");
                assert_eq!((found.exact, found.length), (true, length), "{position}");
                for claim in answer.claims() {
                    let mut file = Vec::new();
                    mate.certify(&claim, &stop, &mut file).expect("it is known");
                    assert!(certificate::check(claim.by_ref(), &mut file.as_slice()).is_ok());
                }
            }
        }
    }
}
