//! A game of chess between two clusters in virtual time.

use yomikiri_chess::{Game, Outcome, Position};
use yomikiri_engine::protocol::{PositionText, Score, Start, Value};

use super::cluster::VirtualCluster;
use super::error::GameError;
use crate::BoardError;

/// The nodes that every worker of a side gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// While it is to move.
    pub thinking: u64,
    /// While the opponent is.
    pub pondering: u64,
}

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winner {
    /// White.
    White,
    /// Black.
    Black,
    /// Nobody.
    Nobody,
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Who won.
    pub winner: Winner,
    /// The moves.
    pub moves: Vec<String>,
    /// For each side: how many coming plies were in its tree, summed over its moves; and how
    /// many of its moves that is over. The mean is the observed utility (Fig. 4b of the paper).
    pub foreseen: [(u64, u64); 2],
    /// For each side: the searches that were started anew though their node stayed.
    pub restarts: [u64; 2],
}

/// A game is over when both sides agree on more than this, for so many plies.
const DECIDED: (i32, u32) = (900, 6);
/// A game of so many plies is a draw.
const LONGEST: usize = 300;

/// Plays a game from a position, White first in `sides` and `budgets`.
pub fn play(
    start: &Position,
    sides: [&mut VirtualCluster; 2],
    budgets: [Budget; 2],
) -> Result<Played, GameError> {
    let [white, black] = sides;
    let mut game = Game::new(start.clone());
    let mut text = PositionText { start: Start::Fen(start.fen()), moves: Vec::new() };
    let mut trees: [Vec<(usize, Vec<Vec<String>>)>; 2] = Default::default();
    let mut agreed = (Winner::Nobody, 0);
    let mut last = [None, None];
    for side in [&mut *white, &mut *black] {
        side.new_game()?;
    }
    let winner = loop {
        if let Some(outcome) = game.outcome() {
            break match outcome {
                Outcome::Win { winner } => Winner::of(winner as usize),
                Outcome::Draw(_) => Winner::Nobody,
            };
        }
        if text.moves.len() >= LONGEST {
            break Winner::Nobody;
        }
        let mover = game.position().side_to_move() as usize;
        for (at, side) in [&mut *white, &mut *black].into_iter().enumerate() {
            side.set_position(text.clone())?;
            // What is foreseen when a player's turn begins.
            if at == mover {
                let tree = side.master().tree();
                let paths = tree.nodes().map(|(id, _)| tree.path(id)).collect();
                trees[at].push((text.moves.len(), paths));
            }
            let budget = budgets[at];
            side.think(if at == mover { budget.thinking } else { budget.pondering })?;
        }
        let decision = if mover == 0 { white.decide() } else { black.decide() };
        let Some(best) = decision.best else { break Winner::Nobody };
        let m = game
            .position()
            .parse_uci(&best)
            .map_err(|_| BoardError::Move { number: text.moves.len() + 1, text: best.clone() })?;
        game.play(m);
        text.moves.push(best);
        if mover == 0 { white.moved() } else { black.moved() }?;
        last[mover] = decision.score.map(|score| for_white(score, mover));
        agreed = match last {
            [Some(a), Some(b)] if a.min(b) > DECIDED.0 => (Winner::White, agreed.1 + 1),
            [Some(a), Some(b)] if a.max(b) < -DECIDED.0 => (Winner::Black, agreed.1 + 1),
            _ => (Winner::Nobody, 0),
        };
        if agreed.1 >= DECIDED.1 {
            break agreed.0;
        }
    };
    let restarts = [white.master().restarts(), black.master().restarts()];
    let count = |trees: &[(usize, Vec<Vec<String>>)]| {
        let plies = trees.iter().map(|(at, paths)| {
            let played = &text.moves[*at..];
            let deepest = paths.iter().filter(|path| played.starts_with(path)).map(Vec::len).max();
            deepest.unwrap_or(0) as u64
        });
        (plies.sum(), trees.len() as u64)
    };
    let foreseen = [count(&trees[0]), count(&trees[1])];
    Ok(Played { winner, moves: text.moves, foreseen, restarts })
}

impl Winner {
    pub(super) fn of(side: usize) -> Winner {
        if side == 0 { Winner::White } else { Winner::Black }
    }
}

/// A score in hundredths of a pawn for White.
fn for_white(score: Score, mover: usize) -> i32 {
    let value = match score.value {
        Value::Cp(value) => value,
        Value::Mate(n) if n > 0 => 10_000,
        Value::Winning => 10_000,
        Value::Mate(_) | Value::Losing => -10_000,
    };
    if mover == 0 { value } else { -value }
}
