//! How a match stands.

use std::collections::BTreeMap;

use super::record::{GameRecord, Reason};
use crate::tally::{Points, Tally};

/// What one engine did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deeds {
    /// Games lost because it was late.
    pub time_losses: u64,
    /// Games lost by an illegal move.
    pub illegal_moves: u64,
    /// Games lost because it died or hung.
    pub crashes: u64,
    /// Moves played.
    pub moves: u64,
    /// Milliseconds spent on them.
    pub millis: u64,
    /// The depths it said, summed, and how many there were.
    pub depth: (u64, u64),
    /// The nodes it said, summed, and how many there were.
    pub nodes: (u64, u64),
}

/// The score and all that is counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Games won, drawn and lost by the first engine, also those of pairs that are not complete.
    pub games: [u64; 3],
    /// The pairs that are complete.
    pub tally: Tally,
    /// What each engine did.
    pub deeds: [Deeds; 2],
    /// How often games ended how.
    pub reasons: Vec<(Reason, u64)>,
    /// The first games of pairs that lack the other one.
    half: BTreeMap<u64, Points>,
}

impl Standing {
    /// After these games.
    pub fn new<'a>(records: impl IntoIterator<Item = &'a GameRecord>) -> Standing {
        let mut standing = Standing::default();
        records.into_iter().for_each(|record| standing.add(record));
        standing
    }

    /// Takes in a game.
    pub fn add(&mut self, record: &GameRecord) {
        let points = match record.winner.map(|side| record.engine_of(side)) {
            Some(0) => Points::Win,
            Some(_) => Points::Loss,
            None => Points::Draw,
        };
        self.games[2 - points as usize] += 1;
        match self.half.remove(&record.pair) {
            Some(other) => self.tally.add_pair([other, points]),
            None => {
                self.half.insert(record.pair, points);
            }
        }
        self.count(record.reason, 1);
        if let Some(winner) = record.winner {
            let loser = &mut self.deeds[record.engine_of(1 - winner)];
            match record.reason {
                Reason::Time => loser.time_losses += 1,
                Reason::IllegalMove => loser.illegal_moves += 1,
                Reason::Crash => loser.crashes += 1,
                _ => {}
            }
        }
        for (at, ply) in record.plies.iter().enumerate() {
            let deeds = &mut self.deeds[record.engine_of(record.side_of(at))];
            deeds.moves += 1;
            deeds.millis += ply.ms;
            for (sum, said) in [(&mut deeds.depth, ply.depth), (&mut deeds.nodes, ply.nodes)] {
                if let Some(said) = said {
                    *sum = (sum.0.saturating_add(said), sum.1 + 1);
                }
            }
        }
    }

    /// Takes in another: of the same first engine, say, against others.
    pub fn merge(&mut self, other: &Standing) {
        self.games = sums(self.games, other.games);
        self.tally.games = sums(self.tally.games, other.tally.games);
        self.tally.pairs = sums(self.tally.pairs, other.tally.pairs);
        for (deeds, more) in self.deeds.iter_mut().zip(&other.deeds) {
            deeds.time_losses += more.time_losses;
            deeds.illegal_moves += more.illegal_moves;
            deeds.crashes += more.crashes;
            deeds.moves += more.moves;
            deeds.millis += more.millis;
            for (sum, said) in [(&mut deeds.depth, more.depth), (&mut deeds.nodes, more.nodes)] {
                *sum = (sum.0.saturating_add(said.0), sum.1 + said.1);
            }
        }
        for &(reason, count) in &other.reasons {
            self.count(reason, count);
        }
        self.half.extend(&other.half);
    }

    /// The same from the point of view of the second engine.
    pub fn reversed(&self) -> Standing {
        let mut other = self.clone();
        other.games.reverse();
        other.tally.games.reverse();
        other.tally.pairs.reverse();
        other.deeds.reverse();
        for points in other.half.values_mut() {
            *points = match points {
                Points::Win => Points::Loss,
                Points::Draw => Points::Draw,
                Points::Loss => Points::Win,
            };
        }
        other
    }

    fn count(&mut self, reason: Reason, count: u64) {
        match self.reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, sum)) => *sum += count,
            None => self.reasons.push((reason, count)),
        }
    }

    /// How many games there are.
    pub fn len(&self) -> u64 {
        self.games.iter().sum()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The points of the first engine.
    pub fn points(&self) -> f64 {
        self.games[0] as f64 + self.games[1] as f64 / 2.0
    }
}

fn sums<const N: usize>(one: [u64; N], two: [u64; N]) -> [u64; N] {
    std::array::from_fn(|at| one[at] + two[at])
}
