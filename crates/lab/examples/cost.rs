//! cost
use andor::*;
use yomikiri_hex::{Board, Hex, Side};
use yomikiri_othello::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: u64 = a[2].parse().unwrap();
    let limit: u64 = a[3].parse().unwrap();
    let table = Table::new(table::MIN_BYTES).unwrap();
    let mut sels =
        vec![("proof".to_string(), Selection::Proof), ("deepest".into(), Selection::Deepest)];
    for r in a[4..].iter() {
        sels.push((r.clone(), Selection::Deep(r.parse().unwrap())));
    }
    for (name, s) in sels {
        let t = std::time::Instant::now();
        let (mut nodes, mut its, mut un, mut mx) = (0u64, 0u64, 0, 0);
        for seed in 0..n {
            let mut c = Control::new(Limits { nodes: Some(limit), time: None });
            let mk = |h| Algorithm::Pn(PnSearch { selection: s, heuristics: h, bytes: 8 << 30 });
            let o = if a[1] == "o" {
                search(
                    &yomikiri_lab::deep::Delayed(Othello::new(
                        random_position(seed, 44),
                        Goal::Wins,
                    )),
                    &mk(false),
                    &table,
                    &mut c,
                )
            } else {
                search(
                    &yomikiri_lab::deep::Delayed(
                        Hex::new(Board::empty(4).unwrap(), Side::Black).shuffled(seed),
                    ),
                    &mk(true),
                    &table,
                    &mut c,
                )
            };
            nodes += o.nodes;
            its += o.iterations;
            mx = mx.max(o.nodes);
            if o.value().is_none() {
                un += 1
            }
        }
        let e = t.elapsed().as_secs_f64();
        println!(
            "{name:8} n {n} mean nodes {:.0} its {:.0} max {mx} unsolved {un} {:.2}s {:.2} Mn/s",
            nodes as f64 / n as f64,
            its as f64 / n as f64,
            e,
            nodes as f64 / e / 1e6
        );
    }
}
