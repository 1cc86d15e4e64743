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
        match self.reasons.iter_mut().find(|(reason, _)| *reason == record.reason) {
            Some((_, count)) => *count += 1,
            None => self.reasons.push((record.reason, 1)),
        }
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
