//! Who wins after each opening, against the published answers, and certificates for them.

use crate::support::{BruteForce, openings};
use andor::certificate::{check, write};
use andor::{
    Algorithm, Claim, Control, Dfpn, Limits, NodeKind, Plies, Rules, Settings, Stop, Table, Value,
    search, solve,
};
use yomikiri_hex::{Hex, Side, StrongHex};

fn after(size: usize, cell: &str) -> Hex {
    format!("hex {size} moves {cell}").parse().unwrap()
}

/// White moves second and attacks.
fn expected(winner: Side) -> Value {
    if winner == Side::White { Value::Proven } else { Value::Disproven }
}

#[test]
fn brute_force_agrees() {
    let Some(text) = yomikiri_needs::problem_set("hex_openings.tsv") else { return };
    let mut brute = BruteForce::default();
    for size in 2..=4 {
        let openings = openings(&text, size);
        assert_eq!(openings.len(), size * size);
        for (cell, winner) in openings {
            assert_eq!(brute.winner(&mut after(size, &cell)), winner, "{size} {cell}");
        }
    }
}

#[test]
fn plain_search_agrees_in_any_order() {
    let Some(text) = yomikiri_needs::problem_set("hex_openings.tsv") else { return };
    for size in 2..=3 {
        for (cell, winner) in openings(&text, size) {
            for seed in 0..5 {
                let hex = after(size, &cell).shuffled(seed);
                let value = solve(hex, &Settings::default()).value();
                assert_eq!(value, Some(expected(winner)), "{size} {cell}");
            }
        }
    }
}

fn certify(size: usize, openings: impl IntoIterator<Item = (String, Side)>) {
    let (mut nodes, mut positions, mut bytes) = (0, 0, 0);
    for (cell, winner) in openings {
        let problem = StrongHex::new(after(size, &cell));
        let table = Table::new(16 << 20).unwrap();
        let mut control = Control::new(Limits::default());
        let outcome = search(&problem, &Algorithm::default(), &table, &mut control);
        let value = expected(winner);
        assert_eq!(outcome.value(), Some(value), "{size} {cell}");
        nodes += outcome.nodes;

        let mut file = Vec::new();
        let (settings, stop) = (Dfpn::default(), Stop::new());
        let written =
            write(Claim::new(&problem, value, outcome.plies), settings, &table, &stop, &mut file)
                .unwrap();
        check(Claim::new(problem.hex(), value, outcome.plies), &mut file.as_slice()).unwrap();
        positions += written.positions;
        bytes += file.len();
    }
    println!("{size}x{size}: {nodes} nodes; certificates: {positions} positions, {bytes} bytes");
}

#[test]
fn strong_search_agrees_and_is_certified() {
    let Some(text) = yomikiri_needs::problem_set("hex_openings.tsv") else { return };
    for size in 2..=5 {
        certify(size, openings(&text, size));
    }
}

/// Every verdict on 6×6; a certificate for every sixth of them, because the largest take a minute
/// each.
#[test]
fn strong_search_agrees_on_6x6() {
    let Some(text) = yomikiri_needs::problem_set("hex_openings.tsv") else { return };
    for (cell, winner) in openings(&text, 6) {
        let outcome = solve(StrongHex::new(after(6, &cell)), &Settings::default());
        assert_eq!(outcome.value(), Some(expected(winner)), "6 {cell}");
    }
    certify(6, openings(&text, 6).into_iter().filter(|(cell, _)| EASY.contains(&cell.as_str())));
}

const EASY: [&str; 6] = ["a1", "e1", "d3", "c4", "f6", "c3"];

/// The length of the shortest win against the longest defence, by trying everything; `None` if
/// White, who attacks, does not win within `plies`.
fn shortest(hex: &mut Hex, plies: u16) -> Option<u16> {
    if let Some(value) = hex.terminal() {
        return (value == Value::Proven).then_some(0);
    }
    if plies == 0 {
        return None;
    }
    let kind = hex.kind();
    let mut moves = Vec::new();
    hex.legal_moves(&mut moves);
    let lengths = moves.into_iter().map(|m| {
        let undo = hex.play(m);
        let length = shortest(hex, plies - 1);
        hex.undo(m, undo);
        length.map(|length| length + 1)
    });
    match kind {
        NodeKind::Or => lengths.flatten().min(),
        NodeKind::And => lengths.collect::<Option<Vec<_>>>().and_then(|all| all.into_iter().max()),
    }
}

/// Knowledge that leaves out moves must not spoil a bound on length.
#[test]
fn bounds_on_length_are_exact() {
    for cell in ["a1", "b2", "c1"] {
        let length = shortest(&mut after(3, cell), 8);
        for plies in (0..=8).map(Plies::at_most) {
            let problem = StrongHex::new(after(3, cell));
            let table = Table::new(1 << 20).unwrap();
            let dfpn = Dfpn { plies, ..Dfpn::default() };
            let outcome = search(&problem, &Algorithm::Dfpn(dfpn), &table, &mut Control::default());
            let within = length.is_some_and(|length| plies.allow(length.into()));
            let expected = if within { Value::Proven } else { Value::Disproven };
            assert_eq!(outcome.value(), Some(expected), "{cell} within {plies}");
            let mut file = Vec::new();
            write(Claim::new(&problem, expected, plies), dfpn, &table, &Stop::new(), &mut file)
                .unwrap();
            check(Claim::new(problem.hex(), expected, plies), &mut file.as_slice()).unwrap();
        }
    }
}
