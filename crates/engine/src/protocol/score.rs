//! What an engine thinks of a position, seen from the side to move.

use super::words::{Words, number, push_word};

/// A value, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Mate in so many moves (UCI) or plies (USI); if negative or zero, the side to move is mated.
    Mate(i32),
    /// A mate of unknown length: `mate +` (USI).
    Winning,
    /// The side to move is mated, after nobody knows how long: `mate -` (USI).
    Losing,
}

/// What a value says of the true one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Bound {
    /// It is the value.
    #[default]
    Exact,
    /// The true value is at least this: `lowerbound`.
    Lower,
    /// The true value is at most this: `upperbound`.
    Upper,
}

/// A value and what it says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Score {
    /// The value.
    pub value: Value,
    /// What it says of the true one.
    pub bound: Bound,
}

impl Score {
    /// An exact score in hundredths of a pawn.
    pub fn cp(value: i32) -> Score {
        Score { value: Value::Cp(value), bound: Bound::Exact }
    }

    /// An exact mate score.
    pub fn mate(distance: i32) -> Score {
        Score { value: Value::Mate(distance), bound: Bound::Exact }
    }

    /// Reads what comes after `score`: the value, and a bound right behind it.
    pub(super) fn parse(words: &mut Words<'_>) -> Option<Score> {
        let value = match words.peek()? {
            "cp" => {
                words.next();
                Value::Cp(saturate(words.number()?))
            }
            "mate" => {
                words.next();
                let value = match words.peek()? {
                    "+" => Value::Winning,
                    "-" => Value::Losing,
                    word => Value::Mate(saturate(number(word)?)),
                };
                words.next();
                value
            }
            _ => return None,
        };
        let bound = words.peek().and_then(Bound::parse);
        if bound.is_some() {
            words.next();
        }
        Some(Score { value, bound: bound.unwrap_or_default() })
    }

    pub(super) fn write(self, text: &mut String) {
        push_word(text, "score");
        push_word(text, &self.to_string());
    }
}

impl Bound {
    pub(super) fn parse(word: &str) -> Option<Bound> {
        match word {
            "lowerbound" => Some(Bound::Lower),
            "upperbound" => Some(Bound::Upper),
            _ => None,
        }
    }
}

impl std::fmt::Display for Score {
    /// As it is said after `score`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.value {
            Value::Cp(value) => write!(f, "cp {value}")?,
            Value::Mate(distance) => write!(f, "mate {distance}")?,
            Value::Winning => f.write_str("mate +")?,
            Value::Losing => f.write_str("mate -")?,
        }
        f.write_str(match self.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        })
    }
}

fn saturate(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX })
}
