//! How fast the rules, the first look and the small solver are: `cargo run --release --example
//! speed`.

use std::hint::black_box;
use std::time::Instant;

use andor::{Evaluation, Problem, Rules};
use yomikiri_othello::board::squares;
use yomikiri_othello::endgame::Endgame;
use yomikiri_othello::{Board, ExpertOthello, Goal, Position, random_position};

const ROUNDS: u32 = 2000;

/// Runs `work`, which tells how many things it did, and prints the time for one.
fn time(name: &str, mut work: impl FnMut() -> u64) {
    let start = Instant::now();
    let count = work();
    let nanoseconds = start.elapsed().as_secs_f64() * 1e9 / count as f64;
    println!("{name:<36} {count:>11} x {nanoseconds:>7.2} ns");
}

fn main() {
    let positions: Vec<Position> = (0..200).map(|seed| random_position(seed, 46)).collect();
    time("legal moves of a board", || {
        for _ in 0..ROUNDS {
            positions.iter().for_each(|position| {
                black_box(black_box(position.board).moves());
            });
        }
        u64::from(ROUNDS) * positions.len() as u64
    });
    time("one move on a board", || {
        let mut count = 0;
        for _ in 0..ROUNDS / 10 {
            for position in &positions {
                for square in squares(position.board.moves()) {
                    black_box(black_box(position.board).after(square));
                    count += 1;
                }
            }
        }
        count
    });
    let mut games: Vec<ExpertOthello> =
        positions.iter().map(|&position| ExpertOthello::new(position, Goal::Wins)).collect();
    time("first look at an open position", || {
        for _ in 0..ROUNDS {
            for game in &mut games {
                assert!(matches!(black_box(game).evaluate(), Evaluation::Open { .. }));
            }
        }
        u64::from(ROUNDS) * positions.len() as u64
    });
    time("play, key and undo", || {
        let mut count = 0;
        let mut moves = Vec::new();
        for _ in 0..ROUNDS / 10 {
            for game in &mut games {
                moves.clear();
                game.legal_moves(&mut moves);
                for &square in &moves {
                    black_box(game.key_after(square));
                    count += 1;
                }
            }
        }
        count
    });
    time("perft 9, a leaf", || Board::START.perft(9));
    for empties in [8, 12, 16] {
        let mut search = Endgame::default();
        time(&format!("small solver, {empties} empties, a node"), || {
            for seed in 0..100 {
                black_box(search.reaches(random_position(seed, 60 - empties).board, 1));
            }
            search.nodes
        });
    }
}
