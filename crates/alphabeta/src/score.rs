//! What a position is worth, inside the search and outside.
//!
//! Inside, a score is an `i32` in centipawns from the point of view of the side to move. A mate is
//! [`MATE`] less the plies from the root to it, so that the search prefers the shorter one. In the
//! table the plies count from the stored position instead, because it is met at several depths.

use std::fmt;

/// No path is searched deeper than this.
pub(crate) const MAX_PLY: usize = 128;

/// The greatest depth of an iteration.
pub const MAX_DEPTH: u32 = 100;

/// The side to move has mated at the root, if that were possible.
pub(crate) const MATE: i32 = 32_000;

/// Greater than every score.
pub(crate) const INFINITE: i32 = MATE + 1;

/// From here on a score is a mate; evaluations stay below.
pub(crate) const WIN: i32 = MATE - 2 * MAX_PLY as i32;

/// The side to move is mated after `ply` plies.
pub(crate) fn mated(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// The score for the table: mates count from the position `ply` plies below the root.
pub(crate) fn to_table(score: i32, ply: usize) -> i32 {
    match score {
        WIN.. => score + ply as i32,
        _ if score <= -WIN => score - ply as i32,
        _ => score,
    }
}

/// The score of the table, mates counted from the root again.
pub(crate) fn from_table(score: i32, ply: usize) -> i32 {
    match score {
        WIN.. => score - ply as i32,
        _ if score <= -WIN => score + ply as i32,
        _ => score,
    }
}

/// A score from the point of view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Mate in so many moves of the mating side; negative if the side to move is mated, 0 if it is
    /// mated already.
    Mate(i32),
}

impl Score {
    /// Reads a score of the search.
    pub(crate) fn new(score: i32) -> Score {
        match score {
            WIN.. => Score::Mate((MATE - score + 1) / 2),
            _ if score <= -WIN => Score::Mate(-(MATE + score) / 2),
            _ => Score::Cp(score),
        }
    }
}

/// As UCI writes it: `cp 31`, `mate -2`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Cp(value) => write!(f, "cp {value}"),
            Score::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// What a searched score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bound {
    /// The true score is at most this.
    Upper,
    /// The true score is at least this.
    Lower,
    /// This is the score.
    #[default]
    Exact,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(Score::new(MATE - 1), Score::Mate(1));
        assert_eq!(Score::new(MATE - 3), Score::Mate(2));
        assert_eq!(Score::new(mated(0)), Score::Mate(0));
        assert_eq!(Score::new(mated(2)), Score::Mate(-1));
        assert_eq!(Score::new(mated(4)), Score::Mate(-2));
        assert_eq!(Score::new(-31).to_string(), "cp -31");
    }

    #[test]
    fn mates_in_the_table_count_from_the_position() {
        for score in [MATE - 9, -(MATE - 9), 250, -250, 0] {
            assert_eq!(from_table(to_table(score, 7), 7), score);
        }
        assert_eq!(to_table(MATE - 9, 7), MATE - 2);
    }
}
