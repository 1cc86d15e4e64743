//! What the attacker wants to prove: a bound on the final score.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The attacker's goal. The attacker is the side to move in the root position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// The attacker wins: a score of at least 1. Written `win`.
    Wins,
    /// The attacker wins or draws: a score of at least 0. Written `draw` or `no-loss`.
    DoesNotLose,
    /// A score of at least so much. Written `score>=K`.
    ScoreAtLeast(i8),
}

/// Why a text is not a goal.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum GoalError {
    /// Not one of the known words.
    #[error("byte 0: no such goal; known are win, draw, no-loss and score>=K")]
    Unknown,
    /// What follows `score>=` is no whole number from -64 to 64.
    #[error("byte {at}: `{found}` is no score from -64 to 64")]
    BadScore {
        /// Where the number should be, as a byte offset.
        at: usize,
        /// What is there.
        found: String,
    },
}

impl Goal {
    /// The least score with which the attacker reaches the goal.
    pub fn least_score(self) -> i8 {
        match self {
            Goal::Wins => 1,
            Goal::DoesNotLose => 0,
            Goal::ScoreAtLeast(score) => score,
        }
    }

    /// Reads a goal.
    pub fn parse(text: &str) -> Result<Goal, GoalError> {
        const SCORE: &str = "score>=";
        match text {
            "win" => Ok(Goal::Wins),
            "draw" | "no-loss" => Ok(Goal::DoesNotLose),
            _ => {
                let number = text.strip_prefix(SCORE).ok_or(GoalError::Unknown)?;
                number
                    .parse()
                    .ok()
                    .filter(|score| (-64..=64).contains(score))
                    .map(Goal::ScoreAtLeast)
                    .ok_or_else(|| GoalError::BadScore { at: SCORE.len(), found: number.into() })
            }
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::Wins => f.write_str("win"),
            Goal::DoesNotLose => f.write_str("draw"),
            Goal::ScoreAtLeast(score) => write!(f, "score>={score}"),
        }
    }
}

impl FromStr for Goal {
    type Err = GoalError;

    fn from_str(text: &str) -> Result<Goal, GoalError> {
        Goal::parse(text)
    }
}
