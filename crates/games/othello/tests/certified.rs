//! Recorded positions by every algorithm, each verdict with its certificate checked.
//!
//! PN-search is slow and takes every tenth row of the 500; `YOMIKIRI_ROWS=1` makes it take all.

use andor::certificate::{check, write};
use andor::{
    Algorithm, Claim, Control, Dfpn, PnSearch, Problem, Selection, Stop, Table, Value, search,
};
use yomikiri_othello::{ExpertOthello, Goal, Position};

fn position(board: &str, side: &str) -> Position {
    Position::parse(&format!("{board} {side}")).expect("a good row")
}

/// Board and score of every `step`-th recorded position.
fn recorded(step: usize) -> impl Iterator<Item = (Position, i32)> {
    let step = std::env::var("YOMIKIRI_ROWS").ok().and_then(|n| n.parse().ok()).unwrap_or(step);
    include_str!("data/othello16.tsv").lines().skip(1).step_by(step).map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        (position(columns[1], columns[2]), columns[3].parse().expect("a score"))
    })
}

/// Solves and certifies; gives the nodes searched.
fn examine(problem: &impl Problem, expected: Value, algorithm: &Algorithm, table: &Table) -> u64 {
    let outcome = search(problem, algorithm, table, &mut Control::default());
    assert_eq!(outcome.value(), Some(expected), "{algorithm:?}");
    let plies = outcome.plies;
    let mut certificate = Vec::new();
    write(
        Claim::new(problem, expected, plies),
        Dfpn::default(),
        table,
        &Stop::new(),
        &mut certificate,
    )
    .expect("a certificate");
    check(Claim::new(problem, expected, plies), &mut certificate.as_slice()).expect("accepted");
    outcome.nodes
}

fn wins(algorithm: Algorithm, step: usize) {
    let mut table = Table::new(64 << 20).expect("a table");
    let (mut positions, mut nodes) = (0, 0);
    for (position, score) in recorded(step) {
        table.clear();
        let expected = if score > 0 { Value::Proven } else { Value::Disproven };
        let problem = ExpertOthello::new(position, Goal::Wins);
        positions += 1;
        nodes += examine(&problem, expected, &algorithm, &table);
    }
    println!("{algorithm:?}: {positions} positions, {} nodes in the mean", nodes / positions);
}

#[test]
fn dfpn() {
    wins(Algorithm::Dfpn(Dfpn::default()), 1);
}

#[test]
fn pn_search() {
    wins(Algorithm::Pn(PnSearch::default()), 10);
}

#[test]
fn deep_pn() {
    let selection = Selection::Deep(0.65);
    wins(Algorithm::Pn(PnSearch { selection, ..PnSearch::default() }), 10);
}

#[test]
fn ffo_scores_are_exact() {
    let Some(set) = yomikiri_needs::problem_set("ffo.tsv") else { return };
    let mut table = Table::new(64 << 20).expect("a table");
    let algorithm = Algorithm::Dfpn(Dfpn::default());
    for line in set.lines().skip(1).take(19) {
        let columns: Vec<&str> = line.split('\t').collect();
        let position = position(columns[1], columns[2]);
        let score: i8 = columns[4].parse().expect("a score");
        for (least, expected) in [(score, Value::Proven), (score + 2, Value::Disproven)] {
            table.clear();
            let problem = ExpertOthello::new(position, Goal::ScoreAtLeast(least));
            let nodes = examine(&problem, expected, &algorithm, &table);
            println!("{}: score >= {least}: {expected:?}, {nodes} nodes", columns[0]);
        }
    }
}
