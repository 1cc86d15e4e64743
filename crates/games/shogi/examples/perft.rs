use std::time::Instant;
use yomikiri_shogi::{Position, START, perft};
fn main() {
    let matsuri = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";
    let maximal = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
    for (name, sfen, depth) in [("start", START, 5), ("matsuri", matsuri, 3), ("max", maximal, 2)] {
        let mut position = Position::from_sfen(sfen).unwrap();
        let mut best = f64::INFINITY;
        let mut n = 0;
        for _ in 0..5 {
            let t = Instant::now();
            n = perft::perft(&mut position, depth);
            best = best.min(t.elapsed().as_secs_f64());
        }
        println!("{name} {n} {:.1} M/s", n as f64 / best / 1e6);
    }
    for (name, sfen, depth) in [("max", maximal, 5), ("max", maximal, 6)] {
        let mut position = Position::from_sfen(sfen).unwrap();
        let mut best = f64::INFINITY;
        let mut n = 0;
        for _ in 0..5 {
            let t = Instant::now();
            n = perft::check_tree(&mut position, depth);
            best = best.min(t.elapsed().as_secs_f64());
        }
        println!("checks {name} {depth} {n} {:.1} M/s", n as f64 / best / 1e6);
    }
}
