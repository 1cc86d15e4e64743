//! Othello by walking over squares: slow, obvious, and sharing nothing with the bitboards.
#![allow(dead_code)]

use andor::SplitMix64;
use yomikiri_othello::Board;

/// Squares from a1 to h8: 1 for the side to move, -1 for the other, 0 for empty.
pub type Squares = [i8; 64];

pub fn squares_of(board: Board) -> Squares {
    std::array::from_fn(|i| (board.own >> i & 1) as i8 - (board.opp >> i & 1) as i8)
}

/// What a disc of `side` on square `at` turns over.
pub fn turned(squares: &Squares, side: i8, at: usize) -> Vec<usize> {
    let mut all = Vec::new();
    if squares[at] != 0 {
        return all;
    }
    for (dx, dy) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
        let mut run = Vec::new();
        let (mut x, mut y) = ((at % 8) as i32 + dx, (at / 8) as i32 + dy);
        while (0..8).contains(&x) && (0..8).contains(&y) {
            let square = (y * 8 + x) as usize;
            if squares[square] == side {
                all.append(&mut run);
            }
            if squares[square] != -side {
                break;
            }
            run.push(square);
            x += dx;
            y += dy;
        }
    }
    all
}

/// The score of `side`, who is to move, by plain minimax.
pub fn score(squares: &Squares, side: i8) -> i32 {
    best(squares, side).or_else(|| best(squares, -side).map(|score| -score)).unwrap_or_else(|| {
        let count = |side| squares.iter().filter(|&&disc| disc == side).count() as i32;
        let (own, other) = (count(side), count(-side));
        let empty = 64 - own - other;
        own - other + empty * (own - other).signum()
    })
}

fn best(squares: &Squares, side: i8) -> Option<i32> {
    (0..64)
        .filter_map(|at| {
            let run = turned(squares, side, at);
            (!run.is_empty()).then(|| {
                let mut after = *squares;
                after[at] = side;
                run.iter().for_each(|&square| after[square] = side);
                -score(&after, -side)
            })
        })
        .max()
}

/// A board with discs thrown on it, reachable or not.
pub fn scattered(random: &mut SplitMix64) -> Board {
    let (a, b, c) = (random.next_u64(), random.next_u64(), random.next_u64());
    let filled = if random.below(2) == 0 { a } else { a | c };
    Board { own: filled & b, opp: filled & !b }
}
