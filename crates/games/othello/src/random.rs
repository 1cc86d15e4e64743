//! Random positions for experiments: so many random legal moves from the start.

use andor::SplitMix64;

use crate::board::{Square, squares};
use crate::notation::Position;

/// One random legal move of the side to move, or `None` if it has none.
pub fn random_move(position: &Position, random: &mut SplitMix64) -> Option<Square> {
    let moves = position.board.moves();
    (moves != 0).then(|| squares(moves).nth(random.below(moves.count_ones() as usize))).flatten()
}

/// The position after `random_moves` random legal moves from the start (passes are not counted), so
/// with `60 - random_moves` empty squares. A game that ends before or with the last of these moves
/// is thrown away and another one played. The side to move has a move.
///
/// # Panics
/// If `random_moves` is 60 or more: no game can go on then.
pub fn random_position(seed: u64, random_moves: u32) -> Position {
    assert!(random_moves < 60, "after {random_moves} moves no game goes on");
    let mut random = SplitMix64::new(seed);
    loop {
        if let Some(position) = random_game(&mut random, random_moves) {
            return position;
        }
    }
}

fn random_game(random: &mut SplitMix64, moves: u32) -> Option<Position> {
    let mut position = Position::START;
    for _ in 0..moves {
        let square = random_move(&position, random)?;
        position = position.play(square)?;
        if position.board.moves() == 0 {
            position = position.pass();
        }
    }
    (position.board.moves() != 0).then_some(position)
}
