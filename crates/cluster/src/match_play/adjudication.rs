//! Games that are ended before their time, when both engines agree on how they stand.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::record::{Ended, Reason};
use crate::Value;

/// A game is lost when, so many moves in a row, the one says at least this for itself and the
/// other at most the opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resign {
    /// Hundredths of a pawn.
    pub score: i32,
    /// Moves of each.
    pub moves: u32,
}

/// A game is drawn when, so many moves in a row, neither says more than this for either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draw {
    /// Hundredths of a pawn.
    pub score: i32,
    /// Moves of each.
    pub moves: u32,
    /// Not before so many moves of each.
    pub from: u32,
}

/// When a game is ended early. By itself it never is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// As won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<Resign>,
    /// As drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<Draw>,
    /// As drawn, after so many plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
}

/// Words that describe no adjudication.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}': write resign=SCORE:MOVES, draw=SCORE:MOVES:FROM_MOVE or plies=N, as in \
     resign=900:4,draw=10:8:40,plies=400"
)]
pub struct AdjudicationError(String);

impl FromStr for Adjudication {
    type Err = AdjudicationError;

    fn from_str(text: &str) -> Result<Adjudication, AdjudicationError> {
        let mut rules = Adjudication::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let bad = || AdjudicationError(part.into());
            let (key, value) = part.split_once('=').ok_or_else(bad)?;
            let numbers: Result<Vec<u32>, _> = value.split(':').map(str::parse).collect();
            let numbers = numbers.map_err(|_| bad())?;
            let score = |score: u32| i32::try_from(score).map_err(|_| bad());
            match (key.trim(), numbers.as_slice()) {
                ("resign", &[cp, moves]) if moves > 0 => {
                    rules.resign = Some(Resign { score: score(cp)?, moves });
                }
                ("draw", &[cp, moves, from]) if moves > 0 => {
                    rules.draw = Some(Draw { score: score(cp)?, moves, from });
                }
                ("plies", &[plies]) if plies > 0 => rules.plies = Some(plies),
                _ => return Err(bad()),
            }
        }
        Ok(rules)
    }
}

/// For one side: in how many of its moves in a row it said so.
#[derive(Clone, Copy, Debug, Default)]
struct Streaks {
    winning: u32,
    losing: u32,
    even: u32,
}

/// Watches one game.
#[derive(Clone, Debug)]
pub struct Watch {
    rules: Adjudication,
    streaks: [Streaks; 2],
    plies: u32,
}

impl Watch {
    /// At the beginning of a game.
    pub fn new(rules: Adjudication) -> Watch {
        Watch { rules, streaks: Default::default(), plies: 0 }
    }

    /// A side has moved and thinks this of its position. Does that end the game?
    pub fn note(&mut self, side: usize, value: Option<Value>) -> Option<Ended> {
        self.plies += 1;
        let Adjudication { resign, draw, plies } = self.rules;
        let streaks = &mut self.streaks[side];
        let count =
            |streak: &mut u32, goes_on: bool| *streak = if goes_on { *streak + 1 } else { 0 };
        let cp = |score: i32| (Value::cp(score), Value::cp(-score));
        if let Some((high, low)) = resign.map(|rule| cp(rule.score)) {
            count(&mut streaks.winning, value.is_some_and(|value| value >= high));
            count(&mut streaks.losing, value.is_some_and(|value| value <= low));
        }
        if let Some((high, low)) = draw.map(|rule| cp(rule.score)) {
            count(&mut streaks.even, value.is_some_and(|value| value <= high && value >= low));
        }
        if let Some(rule) = resign {
            let is_won = |side: usize| {
                self.streaks[side].winning >= rule.moves
                    && self.streaks[1 - side].losing >= rule.moves
            };
            if let Some(winner) = (0..2).find(|&side| is_won(side)) {
                return Some(Ended::won(winner, Reason::Adjudication));
            }
        }
        if let Some(rule) = draw
            && self.plies >= rule.from.saturating_mul(2)
            && self.streaks.iter().all(|streaks| streaks.even >= rule.moves)
        {
            return Some(Ended::drawn(Reason::Adjudication));
        }
        let is_long = plies.is_some_and(|plies| self.plies >= plies);
        is_long.then(|| Ended::drawn(Reason::MaxPlies))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After how many plies such values end a game, and with which winner.
    fn ends(rules: &str, values: &[Option<i32>]) -> Option<(usize, Option<usize>)> {
        let mut watch = Watch::new(rules.parse().unwrap());
        values.iter().enumerate().find_map(|(ply, value)| {
            let ended = watch.note(ply % 2, value.map(Value::cp))?;
            Some((ply + 1, ended.winner))
        })
    }

    #[test]
    fn both_must_agree_on_a_win() {
        let agreed = [500, -500, 500, -500, 500].map(Some);
        assert_eq!(ends("resign=500:2", &agreed), Some((4, Some(0))));
        assert_eq!(ends("resign=501:2", &agreed), None);
        let lost = [-500, 500, -500, 500].map(Some);
        assert_eq!(ends("resign=500:2", &lost), Some((4, Some(1))));
        let doubted = [500, 0, 500, 0, 500, -500, 500].map(Some);
        assert_eq!(ends("resign=500:2", &doubted), None);
        let silent = [Some(500), Some(-500), None, Some(-500), Some(500), Some(-500), Some(500)];
        assert_eq!(ends("resign=500:2", &silent), Some((7, Some(0))));
    }

    #[test]
    fn draws_come_late_enough() {
        let even = [Some(5); 20];
        assert_eq!(ends("draw=10:3:0", &even), Some((6, None)));
        assert_eq!(ends("draw=10:3:8", &even), Some((16, None)));
        assert_eq!(ends("draw=4:3:0", &even), None);
    }

    #[test]
    fn the_longest_game_is_a_draw() {
        assert_eq!(ends("plies=7", &[None; 9]), Some((7, None)));
        assert_eq!(ends("", &[Some(9999); 9]), None);
    }

    #[test]
    fn mates_count_as_winning() {
        let mut watch = Watch::new("resign=2000:1".parse().unwrap());
        assert_eq!(watch.note(0, Some(Value::wins_in(5))), None);
        let ended = watch.note(1, Some(Value::loses_in(4)));
        assert_eq!(ended.and_then(|ended| ended.winner), Some(0));
    }

    #[test]
    fn bad_words_are_refused() {
        for text in
            ["resign", "resign=900", "resign=900:0", "draw=1:2", "plies=0", "x=1", "plies=-4"]
        {
            assert!(text.parse::<Adjudication>().is_err(), "{text}");
        }
    }
}
