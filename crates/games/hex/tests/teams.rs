//! Several agents on one table, over openings: whatever the scheme and however many threads, the
//! winner is the known one and the certificates are accepted. An agent alone is the sequential
//! search, node for node.

use crate::support::BruteForce;
use andor::certificate::{check, write};
use andor::{
    Agents, Algorithm, Assignment, Claim, Control, Dfpn, Paths, Scheme, Stop, Table, Value, search,
};
use yomikiri_hex::{Hex, Side, StrongHex};

fn after(size: usize, cell: &str) -> Hex {
    format!("hex {size} moves {cell}").parse().expect("an opening")
}

/// Who wins 5×5 Hex if Black opens on a cell, row by row (the answers of the benchmark).
const HEX_5: &str = "WWWWBWBBBBWBBBWBBBBWBWWWW";

/// Openings of 5×5, and whether White, who is to move then, wins.
fn openings() -> impl Iterator<Item = (StrongHex, Value)> {
    HEX_5.chars().enumerate().map(|(index, winner)| {
        let column = char::from(b'a' + (index % 5) as u8);
        let problem = StrongHex::new(after(5, &format!("{column}{}", index / 5 + 1)));
        (problem, if winner == 'W' { Value::Proven } else { Value::Disproven })
    })
}

fn schemes() -> Vec<Scheme> {
    let mut schemes: Vec<_> =
        [2, 4, 8].map(|count| Scheme::Virtual(Agents::on_threads(count))).into();
    schemes.extend(["L,S,S", "L|S", "L,S|S,S"].map(|text| {
        Scheme::Paths(Paths { quantum: 20, ..Paths::new(text.parse().expect("an assignment")) })
    }));
    schemes
}

fn examine(problem: &StrongHex, expected: Value, scheme: Scheme, table: &Table) {
    let algorithm = Algorithm::Team(Dfpn::default(), scheme);
    let outcome = search(problem, &algorithm, table, &mut Control::default());
    assert_eq!(outcome.value(), Some(expected), "{scheme:?}");
    let mut file = Vec::new();
    let (settings, stop) = (Dfpn::default(), Stop::new());
    write(Claim::new(problem, expected, outcome.plies), settings, table, &stop, &mut file)
        .expect("a certificate");
    check(Claim::new(problem.hex(), expected, outcome.plies), &mut file.as_slice())
        .expect("accepted");
}

#[test]
fn every_scheme_agrees_on_5x5() {
    let mut table = Table::new(4 << 20).expect("a table");
    for (problem, expected) in openings().step_by(4) {
        for scheme in schemes() {
            table.clear();
            examine(&problem, expected, scheme, &table);
        }
    }
}

/// The bare rules of 4×4 on a table so small that garbage is collected all the time.
#[test]
fn a_small_table_under_garbage_collection() {
    let mut brute = BruteForce::default();
    let table = Table::new(1 << 17).expect("a table");
    for cell in ["a1", "b2"] {
        let mut hex = after(4, cell);
        let algorithm = Algorithm::Team(Dfpn::default(), Scheme::Virtual(Agents::on_threads(8)));
        let outcome = search(&hex, &algorithm, &table, &mut Control::default());
        let value = match brute.winner(&mut hex) {
            Side::White => Value::Proven,
            Side::Black => Value::Disproven,
        };
        assert_eq!(outcome.value(), Some(value), "{cell}");
        let mut file = Vec::new();
        write(
            Claim::new(&hex, value, outcome.plies),
            Dfpn::default(),
            &table,
            &Stop::new(),
            &mut file,
        )
        .expect("a certificate");
        check(Claim::new(&hex, value, outcome.plies), &mut file.as_slice()).expect("accepted");
        assert!(table.stored() <= table.capacity());
    }
    println!("{} collections", table.collections());
    assert!(table.collections() > 0);
}

#[test]
fn one_agent_alone_is_the_sequential_search() {
    let mut table = Table::new(4 << 20).expect("a table");
    for (problem, _) in openings() {
        let dfpn = Dfpn::default();
        let mut nodes = |algorithm: Algorithm| {
            table.clear();
            let outcome = search(&problem, &algorithm, &table, &mut Control::default());
            (outcome.verdict, outcome.nodes, outcome.iterations, table.stored())
        };
        let alone = nodes(Algorithm::Dfpn(dfpn));
        let agents = Scheme::Virtual(Agents::on_threads(1));
        assert_eq!(nodes(Algorithm::Team(dfpn, agents)), alone);
        let leader = Scheme::Paths(Paths::new(Assignment::one_processor(0)));
        assert_eq!(nodes(Algorithm::Team(dfpn, leader)), alone);
    }
}
