//! How likely the move of each rank is to be played.
//!
//! Moves are ranked by their scores; `P_i` is the part of games in which the move of rank i was
//! played (Yokoyama, Kaneko and Tanaka 2015, Table 2). They are the only parameters of the method,
//! and measured, not tuned: `yomikiri lab ranks` makes the table for any engine and any games.

use serde::{Deserialize, Serialize};

/// The moves after the ranks of the table share what is left; so many of them are assumed where
/// the number of legal moves is not known.
const UNLISTED: usize = 20;

/// The probabilities of ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written")]
pub struct Ranks {
    /// Of rank 1, 2, and so on, falling.
    listed: Vec<f64>,
    /// Of all ranks after these together.
    rest: f64,
}

/// A table in a file. The numbers may be anything yet, and what is left for the rest follows.
#[derive(Deserialize)]
struct Written {
    listed: Vec<f64>,
}

impl TryFrom<Written> for Ranks {
    type Error = RanksError;

    fn try_from(written: Written) -> Result<Ranks, RanksError> {
        Ranks::new(written.listed)
    }
}

/// Why a table of ranks cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RanksError {
    /// Not even one.
    #[error("a table of ranks needs the probability of at least one rank")]
    Empty,
    /// Less than nothing, or no number.
    #[error("probabilities of ranks are numbers from 0 to 1")]
    NoProbability,
    /// More than 1 together.
    #[error("the probabilities of ranks are more than 1 together")]
    TooMuch,
}

impl Ranks {
    /// The paper's table: Stockfish DD at depth 15 on the twelve games between Deep Blue and
    /// Kasparov.
    pub fn paper() -> Ranks {
        Ranks {
            listed: vec![
                0.5472, 0.1769, 0.0880, 0.0522, 0.0293, 0.0247, 0.0211, 0.0128, 0.0082, 0.0110,
            ],
            rest: 0.0284,
        }
    }

    /// A table from the probabilities of the first ranks; all others share what is left to 1.
    pub fn new(listed: Vec<f64>) -> Result<Ranks, RanksError> {
        if listed.is_empty() {
            return Err(RanksError::Empty);
        }
        if !listed.iter().all(|p| (0.0..=1.0).contains(p)) {
            return Err(RanksError::NoProbability);
        }
        let sum: f64 = listed.iter().sum();
        if sum > 1.0 + 1e-9 {
            return Err(RanksError::TooMuch);
        }
        Ok(Ranks { listed, rest: (1.0 - sum).max(0.0) })
    }

    /// The probabilities of rank 1, 2, …
    pub fn listed(&self) -> &[f64] {
        &self.listed
    }

    /// The probability of all other ranks together.
    pub fn rest(&self) -> f64 {
        self.rest
    }

    /// The probability that the move of this rank (from 1) is played, among so many legal moves if
    /// that is known. Where there are fewer moves than ranks they share the whole.
    pub fn probability(&self, rank: usize, legal: Option<usize>) -> f64 {
        debug_assert!(rank >= 1);
        let unlisted = legal.map_or(UNLISTED, |legal| legal.saturating_sub(self.listed.len()));
        let plain = match self.listed.get(rank - 1) {
            Some(&p) => p,
            None => self.rest / unlisted.max(1) as f64,
        };
        match legal {
            Some(legal) if rank > legal => 0.0,
            Some(legal) if legal <= self.listed.len() => {
                let whole: f64 = self.listed[..legal].iter().sum();
                if whole > 0.0 { plain / whole } else { 1.0 / legal as f64 }
            }
            _ => plain,
        }
    }
}

impl Default for Ranks {
    fn default() -> Self {
        Ranks::paper()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legal_moves_share_the_whole() {
        let ranks = Ranks::paper();
        for legal in [1, 2, 9, 10, 11, 40] {
            let sum: f64 = (1..=legal).map(|rank| ranks.probability(rank, Some(legal))).sum();
            assert!((sum - 1.0).abs() < 2e-3, "{legal} moves: {sum}");
        }
        assert_eq!(ranks.probability(1, Some(1)), 1.0);
        assert_eq!(ranks.probability(3, Some(2)), 0.0);
    }

    #[test]
    fn tables_that_are_none_are_refused() {
        assert_eq!(Ranks::new(vec![]), Err(RanksError::Empty));
        assert_eq!(Ranks::new(vec![0.5, f64::NAN]), Err(RanksError::NoProbability));
        assert_eq!(Ranks::new(vec![-0.1]), Err(RanksError::NoProbability));
        assert_eq!(Ranks::new(vec![0.9, 0.2]), Err(RanksError::TooMuch));
        assert!((Ranks::new(vec![0.5, 0.25]).unwrap().rest() - 0.25).abs() < 1e-12);
    }

    #[test]
    fn a_file_holds_a_table_that_can_be_used() {
        let text = serde_json::to_string(&Ranks::paper()).unwrap();
        let read: Ranks = serde_json::from_str(&text).unwrap();
        assert_eq!(read.listed(), Ranks::paper().listed());
        for (text, reason) in [
            ("{\"listed\":[]}", "at least one rank"),
            ("{\"listed\":[0.9,0.2],\"rest\":0}", "more than 1 together"),
            ("{\"listed\":[-0.5]}", "numbers from 0 to 1"),
            ("{\"rest\":1}", "missing field `listed`"),
        ] {
            let error = serde_json::from_str::<Ranks>(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
