//! How fast moves are generated: leaves per second of move trees whose sizes are known. A wrong
//! size stops it.
//!
//! ```text
//! cargo run --release -p yomikiri-shogi --example perft
//! ```
//!
//! Every move of the last ply is made, as a search would need it, but not played. In a tree of
//! checks the side to move at the root gives check with every move and the other side evades. The
//! best of several runs is printed.

use std::time::Instant;

use yomikiri_shogi::perft::{check_tree, perft};
use yomikiri_shogi::{Position, START};

const RUNS: usize = 5;
/// 指し手生成祭り, a position that many generators are timed with.
const MATSURI: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";
/// 593 legal moves, the most there can be.
const MAX_MOVES: &str = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
/// A root: its name, its SFEN, how deep to go, and how many leaves there are.
type Tree = (&'static str, &'static str, u32, u64);

fn main() {
    let all: [Tree; 3] = [
        ("start", START, 5, 19_861_490),
        ("matsuri", MATSURI, 3, 4_809_015),
        ("593 moves", MAX_MOVES, 2, 105_677),
    ];
    let checks: [Tree; 2] =
        [("593 moves", MAX_MOVES, 5, 794_159), ("593 moves", MAX_MOVES, 6, 3_270_264)];
    for tree in all {
        time("all moves", perft, tree);
    }
    for tree in checks {
        time("checks", check_tree, tree);
    }
}

fn time(what: &str, count: fn(&mut Position, u32) -> u64, (name, sfen, depth, size): Tree) {
    let mut position = Position::from_sfen(sfen).expect("the SFEN is right");
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        let leaves = count(&mut position, depth);
        best = best.min(start.elapsed().as_secs_f64());
        assert_eq!(leaves, size, "{name}, depth {depth}");
    }
    let speed = size as f64 / best / 1e6;
    println!("{what:<10} {name:<10} depth {depth} {size:>10} leaves {speed:>7.1} M/s");
}
