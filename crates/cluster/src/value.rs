//! The value of a position for the side to move, with mates counted in plies.

use std::fmt;

use yomikiri_engine::protocol::{self, Dialect, Score};

/// A value for the side to move: hundredths of a pawn, above them all mates (the nearer the
/// better), below them all ways to be mated (the later the better).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(i32);

/// A mate on the spot.
const MATE: i32 = 1_000_000;
/// The largest value that is no mate. Between lie mates of up to this many plies.
const LARGEST: i32 = 900_000;
/// The length given to a mate whose length the engine did not say.
const LONG: i32 = 9_999;

impl Value {
    /// A draw.
    pub const DRAW: Value = Value(0);

    /// Hundredths of a pawn.
    pub fn cp(value: i32) -> Value {
        Value(value.clamp(-LARGEST, LARGEST))
    }

    /// The side to move mates within so many plies.
    pub fn wins_in(plies: u32) -> Value {
        Value(MATE - (plies.min(LONG as u32)) as i32)
    }

    /// The side to move is mated within so many plies.
    pub fn loses_in(plies: u32) -> Value {
        Value(-Value::wins_in(plies).0)
    }

    /// What an engine said. UCI counts a mate in moves of the side that mates, USI in plies.
    pub fn of(score: Score, dialect: Dialect) -> Value {
        match (score.value, dialect) {
            (protocol::Value::Cp(value), _) => Value::cp(value),
            (protocol::Value::Winning, _) => Value::wins_in(u32::MAX),
            (protocol::Value::Losing, _) => Value::loses_in(u32::MAX),
            (protocol::Value::Mate(n), Dialect::Uci) if n > 0 => {
                Value::wins_in(n.unsigned_abs().saturating_mul(2) - 1)
            }
            (protocol::Value::Mate(n), Dialect::Uci) => {
                Value::loses_in(n.unsigned_abs().saturating_mul(2))
            }
            (protocol::Value::Mate(n), Dialect::Usi) if n > 0 => Value::wins_in(n.unsigned_abs()),
            (protocol::Value::Mate(n), Dialect::Usi) => Value::loses_in(n.unsigned_abs()),
        }
    }

    /// As an engine would say it.
    pub fn score(self, dialect: Dialect) -> Score {
        let Some(plies) = self.mate() else { return Score::cp(self.0) };
        let sign = self.0.signum();
        match dialect {
            Dialect::Uci => Score::mate(sign * ((plies + 1) / 2)),
            Dialect::Usi => Score::mate(sign * plies),
        }
    }

    /// The plies to the mate, if it is one.
    fn mate(self) -> Option<i32> {
        (self.0.abs() > LARGEST).then(|| MATE - self.0.abs())
    }

    /// The same, one move earlier: for the opponent, and a mate takes one ply more.
    pub fn before(self) -> Value {
        Value(match self.mate() {
            Some(plies) if plies < LONG => self.0.signum() - self.0,
            _ => -self.0,
        })
    }

    /// The same after the expected move was played: for the opponent, a mate is one ply nearer.
    pub fn after(self) -> Value {
        Value(match self.mate() {
            Some(plies) if plies > 0 && plies < LONG => -self.0 - self.0.signum(),
            _ => -self.0,
        })
    }
}

impl fmt::Display for Value {
    /// In pawns, or `#7` and `#-8` for mates in plies.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate() {
            Some(plies) => write!(f, "#{}", self.0.signum() * plies),
            None => write!(f, "{:+.2}", f64::from(self.0) / 100.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_grow_by_a_ply_on_the_way_up() {
        let mated = Value::loses_in(0);
        assert_eq!(mated.before(), Value::wins_in(1));
        assert_eq!(mated.before().before(), Value::loses_in(2));
        assert_eq!(Value::wins_in(3).after(), Value::loses_in(2));
        assert_eq!(Value::loses_in(2).after(), Value::wins_in(1));
        assert_eq!(Value::cp(31).before(), Value::cp(-31));
        assert_eq!(Value::wins_in(u32::MAX).before(), Value::loses_in(u32::MAX));
        assert_eq!(Value::wins_in(u32::MAX).after(), Value::loses_in(u32::MAX));
    }

    #[test]
    fn nearer_mates_are_better_and_later_ones_less_bad() {
        let rising = [
            Value::loses_in(0),
            Value::loses_in(4),
            Value::loses_in(u32::MAX),
            Value::cp(i32::MIN),
            Value::cp(-1),
            Value::DRAW,
            Value::cp(i32::MAX),
            Value::wins_in(u32::MAX),
            Value::wins_in(5),
            Value::wins_in(1),
        ];
        assert!(rising.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn both_dialects_count_their_own_way() {
        for (n, plies) in [(1, 1), (2, 3), (7, 13)] {
            assert_eq!(Value::of(Score::mate(n), Dialect::Uci), Value::wins_in(plies));
            assert_eq!(Value::wins_in(plies).score(Dialect::Uci), Score::mate(n));
        }
        for (n, plies) in [(0, 0), (-1, 2), (-3, 6)] {
            assert_eq!(Value::of(Score::mate(n), Dialect::Uci), Value::loses_in(plies));
            assert_eq!(Value::loses_in(plies).score(Dialect::Uci), Score::mate(n));
        }
        for plies in [1, 2, 5] {
            let won = Value::wins_in(plies);
            assert_eq!(Value::of(won.score(Dialect::Usi), Dialect::Usi), won);
        }
    }
}
