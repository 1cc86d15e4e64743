//! The 500 recorded positions by every algorithm, each verdict with its certificate checked.
//!
//! `YOMIKIRI_ROWS=N` takes every N-th row only (the default for PN-search, which is slow, is 10).

use andor::certificate::{check, write};
use andor::{Algorithm, Control, Dfpn, PnSearch, Problem, Selection, Stop, Table, Value, search};
use yomikiri_othello::{ExpertOthello, Goal, Position};

fn rows(step: usize) -> impl Iterator<Item = (Position, i32)> {
    let step = std::env::var("YOMIKIRI_ROWS").ok().and_then(|n| n.parse().ok()).unwrap_or(step);
    include_str!("data/othello16.tsv").lines().skip(1).step_by(step).map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let position = Position::parse(&format!("{} {}", columns[1], columns[2]));
        (position.expect("a good row"), columns[3].parse().expect("a score"))
    })
}

fn examine(algorithm: Algorithm, step: usize) {
    let mut table = Table::new(64 << 20).expect("a table");
    let mut counts = (0u64, 0u64, 0u64);
    for (position, score) in rows(step) {
        table.clear();
        let problem = ExpertOthello::new(position, Goal::Wins);
        let expected = if score > 0 { Value::Proven } else { Value::Disproven };
        let outcome = search(&problem, &algorithm, &table, &mut Control::default());
        assert_eq!(outcome.value(), Some(expected), "{position}");
        counts = (
            counts.0 + 1,
            counts.1 + outcome.nodes,
            counts.2 + certify(&problem, expected, outcome.plies, &table),
        );
    }
    println!(
        "{algorithm:?}: {} positions, mean nodes {}, mean certificate {}",
        counts.0,
        counts.1 / counts.0,
        counts.2 / counts.0
    );
}

fn certify<P: Problem>(problem: &P, value: Value, plies: u16, table: &Table) -> u64 {
    let mut certificate = Vec::new();
    write(problem, value, plies, Dfpn::default(), table, &Stop::new(), &mut certificate)
        .expect("a certificate");
    check(problem, value, plies, &mut certificate.as_slice()).expect("accepted").positions
}

#[test]
fn dfpn() {
    examine(Algorithm::Dfpn(Dfpn::default()), 1);
}

#[test]
fn pn_search() {
    examine(Algorithm::Pn(PnSearch::default()), 10);
}

#[test]
fn deep_pn() {
    let selection = Selection::Deep(0.65);
    examine(Algorithm::Pn(PnSearch { selection, ..PnSearch::default() }), 10);
}
