//! What a search comes to, in the words of the protocol.

use andor::{Reason, Verdict};
use yomikiri_engine::protocol::Checkmate;
use yomikiri_shogi::Move;
use yomikiri_tsume::{Answer, Tsume};

use super::info::{Info, texts};
use super::news::Found;

/// What is said at the end of a search.
pub struct Outcome {
    /// The line of the mate, if there is one.
    pub line: Option<Vec<Move>>,
    /// Is it proven that there is none?
    no_mate: bool,
    /// What else is to be said.
    pub remarks: Vec<String>,
}

/// Between which lengths the shortest mate lies, in words.
pub fn interval(least: u16, most: u16) -> String {
    format!("the shortest mate takes between {least} and {most} plies")
}

/// Is it mate at the end of a line, and not only because what is left counts for nothing?
fn is_mate_by_the_rules(problem: &Tsume, line: &[Move]) -> bool {
    let mut end = problem.position().clone();
    for &m in line {
        end.play(m);
    }
    let mut moves = Vec::new();
    end.legal_moves(&mut moves);
    moves.is_empty()
}

impl Outcome {
    /// What a search has come to: its answer if it has given one, and a mate that it has found
    /// before.
    pub fn of(
        problem: &Tsume,
        done: Option<&Answer>,
        info: &Info,
        found: Option<&Found>,
        shortest: bool,
    ) -> Outcome {
        let mut outcome = Outcome { line: None, no_mate: false, remarks: Vec::new() };
        let solution = match done.and_then(|answer| answer.solution.as_ref()) {
            Some(solution) if solution.complete => Some((&info.line, solution.exact)),
            _ => found.map(|found| (&found.line, false)),
        };
        let known = done.and_then(|answer| answer.solution.as_ref());
        if let Some((line, is_exact)) = solution {
            let only_in_vain = !is_mate_by_the_rules(problem, line);
            if only_in_vain {
                outcome.remarks.push(
                    "at the end only interpositions in vain (無駄合い) are left: FutileInterpositions Counted plays them"
                        .into(),
                );
            }
            if line.is_empty() && !only_in_vain {
                outcome.remarks.push("the side to move is mated already".into());
            } else if shortest && !is_exact {
                outcome.remarks.push("this mate is not proven to be the shortest".into());
            }
            if let Some(known) = known.filter(|known| known.least >= 3 && !known.exact) {
                outcome.remarks.push(interval(known.least, known.length));
            }
            outcome.line = Some(line.clone());
            return outcome;
        }
        let Some(search) = done.map(|answer| &answer.outcome) else { return outcome };
        match search.verdict {
            Verdict::Proven => {
                let plies = search.plies;
                outcome.remarks.push(format!(
                    "there is a mate within {plies} plies, but its line was not found in time"
                ));
            }
            Verdict::Disproven if search.plies.is_bounded() => outcome.remarks.push(format!(
                "no mate within {} plies; there may be a longer one (DepthLimit)",
                search.plies
            )),
            Verdict::Disproven => outcome.no_mate = true,
            Verdict::Unknown(Reason::Nodes) => {
                outcome.remarks.push("the limit on nodes is reached".into());
            }
            Verdict::Unknown(_) => {}
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
