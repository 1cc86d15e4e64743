//! The order of moves: what is likely to cut off comes first.
//!
//! The move of the table; captures that do not lose material, the most valuable victim first, by
//! the least valuable attacker (MVV-LVA); two killers, quiet moves that cut off beside this node;
//! the other quiet moves by history, how often they cut off anywhere; captures that lose.

use cozy_chess::{Board, Color, Move, Piece};

use crate::exchange::{wins_at_least, worth};
use crate::moves::{en_passant_square, victim};
use crate::score::MAX_PLY;

/// A move and its place in the order.
#[derive(Clone, Copy)]
pub(crate) struct Ranked {
    pub mv: Move,
    pub rank: i32,
}

const FROM_TABLE: i32 = 3_000_000;
const WINNING: i32 = 2_000_000;
const KILLER: i32 = 1_000_000;
const LOSING: i32 = -1_000_000;

/// Ranks of quiet moves stay within this.
const MOST_HISTORY: i32 = 16_384;

/// What earlier nodes of the search say about quiet moves.
pub(crate) struct Experience {
    killers: [[Option<Move>; 2]; MAX_PLY + 1],
    /// By side, from and to.
    history: Vec<[[i16; 64]; 64]>,
}

impl Experience {
    pub fn new() -> Experience {
        Experience { killers: [[None; 2]; MAX_PLY + 1], history: vec![[[0; 64]; 64]; 2] }
    }

    /// A quiet move cut off; those tried before it did not.
    pub fn cut(&mut self, color: Color, mv: Move, tried: &[Move], ply: usize, depth: i32) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let bonus = (16 * depth * depth).min(1600);
        self.learn(color, mv, bonus);
        for &mv in tried {
            self.learn(color, mv, -bonus);
        }
    }

    /// Moves a history value towards its end of the scale, the slower the nearer it is.
    fn learn(&mut self, color: Color, mv: Move, bonus: i32) {
        let value = &mut self.history[color as usize][mv.from as usize][mv.to as usize];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / MOST_HISTORY) as i16;
    }

    /// The history of a quiet move.
    pub fn history(&self, color: Color, mv: Move) -> i32 {
        self.history[color as usize][mv.from as usize][mv.to as usize].into()
    }

    /// The rank of a legal move.
    pub fn rank(&self, board: &Board, mv: Move, from_table: Option<Move>, ply: usize) -> i32 {
        if from_table == Some(mv) {
            return FROM_TABLE;
        }
        if let Some(rank) = capture_rank(board, mv) {
            return rank;
        }
        match self.killers[ply].iter().position(|&killer| killer == Some(mv)) {
            Some(place) => KILLER - place as i32,
            None => self.history(board.side_to_move(), mv),
        }
    }
}

/// The rank of a move that takes something or makes a queen.
fn capture_rank(board: &Board, mv: Move) -> Option<i32> {
    let victim = victim(board, mv);
    let is_queen = mv.promotion == Some(Piece::Queen);
    if victim.is_none() && !is_queen {
        return None;
    }
    let attacker = board.piece_on(mv.from).map_or(0, worth);
    let gain = victim.map_or(0, worth) + if is_queen { worth(Piece::Queen) } else { 0 };
    let loses = attacker > gain && !wins_at_least(board, mv, 0);
    Some(if loses { LOSING } else { WINNING } + 16 * gain - attacker / 16)
}

/// All legal moves, ranked.
pub(crate) fn all(
    board: &Board,
    experience: &Experience,
    from_table: Option<Move>,
    ply: usize,
    to: &mut Vec<Ranked>,
) {
    board.generate_moves(|piece| {
        for mv in piece {
            to.push(Ranked { mv, rank: experience.rank(board, mv, from_table, ply) });
        }
        false
    });
}

/// Captures and promotions to a queen, ranked. With `exchange`, only those that lose nothing.
pub(crate) fn captures(board: &Board, exchange: bool, to: &mut Vec<Ranked>) {
    let theirs = board.colors(!board.side_to_move());
    let last = cozy_chess::Rank::Eighth.relative_to(board.side_to_move()).bitboard();
    let mut pawn_targets = theirs | last;
    if let Some(square) = en_passant_square(board) {
        pawn_targets |= square.bitboard();
    }
    board.generate_moves(|mut piece| {
        piece.to &= if piece.piece == Piece::Pawn { pawn_targets } else { theirs };
        for mv in piece {
            // Other promotions hardly ever matter where a queen is to be had.
            if mv.promotion.is_some_and(|promotion| promotion != Piece::Queen) {
                continue;
            }
            if let Some(rank) = capture_rank(board, mv)
                && !(exchange && rank < 0)
            {
                to.push(Ranked { mv, rank });
            }
        }
        false
    });
}

/// Puts the best of the moves from `index` on at `index`. Of equals the first.
pub(crate) fn select(moves: &mut [Ranked], index: usize) -> Move {
    let mut best = index;
    for other in index + 1..moves.len() {
        if moves[other].rank > moves[best].rank {
            best = other;
        }
    }
    moves.swap(index, best);
    moves[index].mv
}
