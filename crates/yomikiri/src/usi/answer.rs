//! What a search comes to, in the words of the protocol.

use andor::{Plies, Reason};
use yomikiri_engine::protocol::Checkmate;
use yomikiri_shogi::Move;
use yomikiri_tsume::{Answer, MateVerdict};

use super::info::{Info, texts};
use super::worker::Found;

/// What is said at the end of a search.
pub struct Outcome {
    /// The line of the mate, if there is one.
    pub line: Option<Vec<Move>>,
    /// Is it proven that there is none?
    no_mate: bool,
    /// What else is to be said.
    pub remarks: Vec<String>,
}

impl Outcome {
    /// What a search has come to: its answer if it has given one, and a mate that it has found
    /// before.
    pub fn of(
        done: Option<&Answer>,
        info: &Info,
        found: Option<&Found>,
        shortest: bool,
    ) -> Outcome {
        let mut outcome = Outcome { line: None, no_mate: false, remarks: Vec::new() };
        let solution = match done {
            Some(Answer { verdict: MateVerdict::Mate(solution), .. }) if solution.complete => {
                Some((&info.line, solution.exact))
            }
            _ => found.map(|found| (&found.line, false)),
        };
        if let Some((line, is_exact)) = solution {
            if line.is_empty() {
                outcome.remarks.push("the side to move is mated already".into());
            } else if shortest && !is_exact {
                outcome.remarks.push("this mate is not proven to be the shortest".into());
            }
            outcome.line = Some(line.clone());
            return outcome;
        }
        match done {
            Some(Answer { verdict: MateVerdict::Mate(_), .. }) => {
                outcome.remarks.push("there is a mate, but its line was not found in time".into());
            }
            Some(Answer { verdict: MateVerdict::NoMate { within: Plies::UNBOUNDED }, .. }) => {
                outcome.no_mate = true;
            }
            Some(Answer { verdict: MateVerdict::NoMate { within }, .. }) => {
                outcome.remarks.push(format!(
                    "no mate within {within} plies; there may be a longer one (DepthLimit)"
                ));
            }
            Some(Answer { verdict: MateVerdict::Unknown(Reason::Nodes), .. }) => {
                outcome.remarks.push("the limit on nodes is reached".into());
            }
            Some(Answer { verdict: MateVerdict::Unknown(_), .. }) | None => {}
        }
        outcome
    }

    /// The answer to `go mate`.
    pub fn checkmate(&self) -> Checkmate {
        match &self.line {
            Some(line) => Checkmate::Moves(texts(line)),
            None if self.no_mate => Checkmate::NoMate,
            None => Checkmate::Timeout,
        }
    }
}
