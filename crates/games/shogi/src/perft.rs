//! Counting the leaves of move trees: the usual test and speed test of a move generator.

use crate::moves::Move;
use crate::position::Position;

/// How many lines of `depth` legal moves there are. Every move of the last ply is generated, none
/// of them played.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    count(position, depth, &mut Vec::new(), |position, _, moves| position.legal_moves(moves))
}

/// The same where the side to move at the root gives check with every move.
pub fn check_tree(position: &mut Position, depth: u32) -> u64 {
    count(position, depth, &mut Vec::new(), |position, ply, moves| match ply % 2 {
        0 => position.checks(moves),
        _ => position.evasions(moves),
    })
}

fn count(
    position: &mut Position,
    depth: u32,
    moves: &mut Vec<Move>,
    generate: impl Fn(&Position, u32, &mut Vec<Move>) + Copy,
) -> u64 {
    fn go(
        position: &mut Position,
        depth: u32,
        ply: u32,
        moves: &mut Vec<Move>,
        generate: impl Fn(&Position, u32, &mut Vec<Move>) + Copy,
    ) -> u64 {
        if depth == 0 {
            return 1;
        }
        let start = moves.len();
        generate(position, ply, moves);
        let end = moves.len();
        let mut leaves = (end - start) as u64;
        if depth > 1 {
            leaves = 0;
            for i in start..end {
                let m = moves[i];
                let undo = position.play(m);
                leaves += go(position, depth - 1, ply + 1, moves, generate);
                position.undo(m, undo);
            }
        }
        moves.truncate(start);
        leaves
    }
    go(position, depth, 0, moves, generate)
}
