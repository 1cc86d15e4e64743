//! The auditor looks at mates in chess.

use andor::audit;
use yomikiri_chess::{Goal, Mates, Position};

#[test]
fn mates_break_no_law() {
    let positions = [
        "5rk1/5Npp/8/3Q4/8/8/8/7K w - - 0 1",
        "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1",
        "8/8/8/8/8/4k3/7Q/4K3 w - - 0 1",
        "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
    ];
    for fen in positions {
        let position: Position = fen.parse().expect("a position");
        for goal in [Goal::Mate, Goal::Checks] {
            audit(&Mates::new(&position, goal), 2)
                .unwrap_or_else(|breach| panic!("{fen}, {goal:?}: {breach}"));
        }
    }
}
