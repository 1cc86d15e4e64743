//! Quiescence: leaves are not evaluated in the middle of an exchange.
//!
//! The side to move may let the position stand as it is evaluated, or go on with captures and
//! promotions to a queen. In check it has no such choice, and all moves are searched. Captures
//! that lose material by static exchange are left out.

use cozy_chess::Board;

use crate::evaluation::evaluate;
use crate::order;
use crate::principal::Search;
use crate::score::{INFINITE, MAX_PLY, mated};

impl Search<'_> {
    /// The value of a leaf, already counted as a node: exact between alpha and beta, else a bound.
    pub fn resolve(&mut self, board: &Board, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        let is_check = !board.checkers().is_empty();
        if !self.settings.quiescence || ply >= MAX_PLY {
            return evaluate(board);
        }
        let mut best = if is_check { -INFINITE } else { evaluate(board) };
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        let first = self.moves.len();
        match is_check {
            true => order::all(board, &self.experience, None, ply, &mut self.moves),
            false => order::captures(board, self.settings.exchange, &mut self.moves),
        }
        if is_check && self.moves.len() == first {
            best = mated(ply);
        }
        for index in 0..self.moves.len() - first {
            let mv = order::select(&mut self.moves[first..], index);
            let mut child = board.clone();
            child.play_unchecked(mv);
            self.variations[ply + 1].clear();
            if self.enter(ply + 1) {
                break;
            }
            let score = -self.resolve(&child, -beta, -alpha, ply + 1);
            if self.is_stopped {
                break;
            }
            best = best.max(score);
            if score > alpha {
                alpha = score;
                self.extend_variation(ply, mv);
                if score >= beta {
                    break;
                }
            }
        }
        self.moves.truncate(first);
        best
    }
}
