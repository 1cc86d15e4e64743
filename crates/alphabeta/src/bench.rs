//! A fixed suite: its total of nodes is the signature of the search, and shows its speed.

use std::time::{Duration, Instant};

use crate::control::Free;
use crate::iterate::Searcher;
use crate::job::{Job, Limits};

/// Openings, middle games with and without queens, endgames, and mates.
const SUITE: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "r1bqk2r/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w kq - 0 8",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "2rq1rk1/pb3ppp/1p2pn2/8/2BP4/P1N2Q2/1P3PPP/3R1RK1 b - - 0 16",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "3r2k1/1p3pp1/p1n1p2p/8/2P5/1P2BN2/P4PPP/3R2K1 w - - 0 24",
    "8/2k5/1p1p4/1P1P1pp1/5P2/4K1P1/8/8 b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "r1b1k2r/ppp2ppp/8/3nq3/1b6/2N1B3/PPPQBPPP/R3K2R w KQkq - 2 11",
    "4k3/8/4K3/8/8/8/8/R7 w - - 0 1",
];

/// The depth of [`run`] that takes some seconds.
pub const DEPTH: u32 = 11;

/// What the suite took.
#[derive(Clone, Copy, Debug)]
pub struct Total {
    /// The nodes of all positions together.
    pub nodes: u64,
    /// The time for them.
    pub time: Duration,
}

impl Total {
    /// Nodes a second.
    pub fn speed(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// Searches the suite, each position with an empty table of `table_mib` MiB.
pub fn run(depth: u32, table_mib: usize) -> Total {
    let mut searcher = Searcher::new(table_mib);
    let mut total = Total { nodes: 0, time: Duration::ZERO };
    for fen in SUITE {
        let board = fen.parse().expect("the suite is legal");
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        searcher.new_game();
        let start = Instant::now();
        total.nodes += searcher.search(&Job { limits, ..Job::new(board) }, &mut Free).nodes;
        total.time += start.elapsed();
    }
    total
}
