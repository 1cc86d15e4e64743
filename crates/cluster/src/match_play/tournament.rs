//! More than two engines: who plays whom, and how all of them stand.
//!
//! A tournament is a number of matches between two engines, one for each pairing, played side by
//! side: an opening is played by all pairings, twice each, before the next one. So a tournament that
//! is broken off has compared everybody on the same openings, and one with more openings begins
//! with the same games.

use super::record::GameRecord;
use super::standing::Standing;

/// Who plays whom. Between two engines there is one pairing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairings(Vec<[usize; 2]>);

impl Pairings {
    /// Everybody against everybody. There are at least two engines.
    pub fn round_robin(engines: usize) -> Pairings {
        assert!(engines >= 2, "nobody plays alone");
        let after = |one: usize| (one + 1..engines).map(move |two| [one, two]);
        Pairings((0..engines).flat_map(after).collect())
    }

    /// The first against each of the others. There are at least two engines.
    pub fn gauntlet(engines: usize) -> Pairings {
        assert!(engines >= 2, "nobody plays alone");
        Pairings((1..engines).map(|other| [0, other]).collect())
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.0.len() as u64
    }

    fn index(&self, pair: u64) -> usize {
        (pair % self.count()) as usize
    }

    /// The engines of a pair of games.
    pub fn of(&self, pair: u64) -> [usize; 2] {
        self.0[self.index(pair)]
    }

    /// The opening of a pair of games.
    pub fn opening(&self, pair: u64) -> u64 {
        pair / self.count()
    }
}

/// How every pairing stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossTable {
    pairings: Pairings,
    standings: Vec<Standing>,
}

impl CrossTable {
    /// After these games.
    pub fn new<'a>(
        pairings: &Pairings,
        records: impl IntoIterator<Item = &'a GameRecord>,
    ) -> CrossTable {
        let standings = vec![Standing::default(); pairings.0.len()];
        let mut table = CrossTable { pairings: pairings.clone(), standings };
        records.into_iter().for_each(|record| table.add(record));
        table
    }

    /// Takes in a game.
    pub fn add(&mut self, record: &GameRecord) {
        self.standings[self.pairings.index(record.pair)].add(record);
    }

    /// The pairings, with how they stand from the point of view of the first of the two.
    pub fn pairings(&self) -> impl Iterator<Item = ([usize; 2], &Standing)> {
        self.pairings.0.iter().copied().zip(&self.standings)
    }

    /// An engine against all that it has played, from its point of view.
    pub fn of(&self, engine: usize) -> Standing {
        let mut all = Standing::default();
        for (engines, standing) in self.pairings() {
            match engines.iter().position(|&one| one == engine) {
                Some(0) => all.merge(standing),
                Some(_) => all.merge(&standing.reversed()),
                None => {}
            }
        }
        all
    }

    /// All games, whoever played.
    pub fn all(&self) -> Standing {
        let mut all = Standing::default();
        self.standings.iter().for_each(|standing| all.merge(standing));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_play::record::{Ply, Reason};

    #[test]
    fn everybody_meets_once_for_every_opening() {
        let pairings = Pairings::round_robin(4);
        let met: Vec<_> = (0..12).map(|pair| (pairings.of(pair), pairings.opening(pair))).collect();
        let first = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        assert_eq!(met[..6], first.map(|two| (two, 0)));
        assert_eq!(met[6..], first.map(|two| (two, 1)));
        assert_eq!(Pairings::gauntlet(4).0, [[0, 1], [0, 2], [0, 3]]);
        // Between two it is a match.
        assert_eq!(Pairings::gauntlet(2), Pairings::round_robin(2));
        assert_eq!(
            (Pairings::round_robin(2).of(7), Pairings::round_robin(2).opening(7)),
            ([0, 1], 7)
        );
    }

    #[test]
    fn an_engine_is_seen_from_its_own_side() {
        let pairings = Pairings::round_robin(3);
        // The first engine of a pairing wins with White; with Black the second does, but for the
        // last pairing, where it is a draw.
        let games = (0..3).flat_map(|pair| [0, 1].map(|game| (pair, game)));
        let records: Vec<GameRecord> = games
            .map(|(pair, game)| GameRecord {
                pair,
                game,
                players: Default::default(),
                engines: Default::default(),
                date: String::new(),
                start: None,
                book: Vec::new(),
                turn: 0,
                winner: Some(0).filter(|_| pair < 2 || game == 0),
                reason: if pair < 2 || game == 0 { Reason::Time } else { Reason::Stalemate },
                detail: None,
                plies: vec![Ply { ms: pair + 1, ..Ply::default() }; 3],
            })
            .collect();
        let table = CrossTable::new(&pairings, &records);
        let of = |engine| table.of(engine);
        assert_eq!([0, 1, 2].map(|engine| of(engine).games), [[2, 0, 2], [2, 1, 1], [1, 1, 2]]);
        assert_eq!(of(0).tally.pairs, [0, 0, 2, 0, 0]);
        assert_eq!(of(1).tally.pairs, [0, 0, 1, 1, 0]);
        assert_eq!(of(2).tally.pairs, [0, 1, 1, 0, 0]);
        assert_eq!([0, 1, 2].map(|engine| of(engine).deeds[0].time_losses), [2, 1, 2]);
        assert_eq!([0, 1, 2].map(|engine| of(engine).deeds[0].moves), [6; 3]);
        assert_eq!([0, 1, 2].map(|engine| of(engine).deeds[0].millis), [9, 12, 15]);
        assert_eq!(table.all().len(), 6);
        assert_eq!(table.all().reasons, [(Reason::Time, 5), (Reason::Stalemate, 1)]);
        assert_eq!(of(0).reversed().reversed(), of(0));
    }
}
