//! The suite of strength (`yomikiri bench tsume --suite strength`): what it says of itself, and some
//! of it solved, within a number of nodes, and certified.
//!
//! All of it if YOMIKIRI_ALL_OWN is set, else every tenth.

use std::collections::{BTreeMap, HashSet};

use andor::{Stop, Table, Value, certificate};
use yomikiri_shogi::{Color, Hand, Position};
use yomikiri_tsume::{Futile, Length, Mate, MateLimits, STRENGTH_PROBLEMS, Tsume, twins::shape};

use crate::own::assert_mates;

/// The suite has so many problems at least.
const AT_LEAST: usize = 200;
/// Bytes of the table.
const TABLE: usize = 64 << 20;
/// A first mate took at most a million nodes when the problems were made, and the exact length one
/// and a half. A search that needs far more has become weaker.
const FIRST_NODES: u64 = 2_000_000;
const SHORTEST_NODES: u64 = 3_000_000;

struct Row {
    id: &'static str,
    problem: Tsume,
    length: u16,
}

fn rows() -> Vec<Row> {
    let lines = STRENGTH_PROBLEMS.lines().filter(|line| !line.starts_with('#'));
    let rows = lines.map(|line| {
        let [sfen, id, length] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("not three columns: {line}");
        };
        let position = Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{id}: {error}"));
        assert_eq!(position.to_string(), sfen);
        let length = length.parse().expect("a length");
        Row { id, problem: Tsume::with_attacker(position, Color::Black), length }
    });
    rows.collect()
}

#[test]
fn the_suite_is_what_it_says() {
    let heads: Vec<&str> = STRENGTH_PROBLEMS.lines().filter(|line| line.starts_with('#')).collect();
    assert!(heads.iter().any(|line| line.starts_with("# made by: yomikiri tsume make")));
    assert!(heads.iter().any(|line| line.starts_with("# sound: length")), "{heads:?}");
    let mut shapes = HashSet::new();
    let mut numbers: BTreeMap<u16, usize> = BTreeMap::new();
    for Row { id, problem, length } in rows() {
        let position = problem.position();
        assert_eq!(position.material(), Hand::full_set(), "{id}");
        assert_eq!((position.turn(), position.king(Color::Black)), (Color::Black, None), "{id}");
        assert!(position.validate().is_ok(), "{id}");
        assert!(shapes.insert(shape(&problem)), "{id}: a twin");
        let number = numbers.entry(length).or_default();
        *number += 1;
        assert_eq!(id, format!("hard-{length:03}-{number:03}"));
    }
    assert!(numbers.values().sum::<usize>() >= AT_LEAST, "{numbers:?}");
    assert!(numbers.keys().all(|length| length % 2 == 1 && (31..=101).contains(length)));
}

#[test]
fn hard_problems_are_solved_and_certified() {
    let step = if std::env::var_os("YOMIKIRI_ALL_OWN").is_some() { 1 } else { 10 };
    let mut certificates = 0;
    for (i, Row { id, problem, length }) in rows().into_iter().step_by(step).enumerate() {
        // Every other one by a team, to which the questions along the line go too.
        let threads = 1 + 2 * (i % 2);
        let mut table = Table::new(TABLE).expect("memory");
        let first = MateLimits { nodes: Some(FIRST_NODES), ..MateLimits::default() };
        let shortest = MateLimits {
            nodes: Some(SHORTEST_NODES),
            length: Length::Shortest,
            ..MateLimits::default()
        };
        let asked =
            [(problem.clone(), &first), (problem.with_futile(Futile::NotCounted), &shortest)];
        for (problem, limits) in asked {
            table.clear();
            let mate = Mate::new(&table).with_threads(threads);
            let answer = mate.solve(&problem, limits);
            let found = answer.solution.as_ref().unwrap_or_else(|| panic!("{id}: no mate"));
            assert_mates(&problem, &found.line, id);
            if limits.length == Length::Shortest {
                assert!(found.exact && found.complete, "{id}: {} to {}", found.least, found.length);
                assert_eq!((found.length, found.shown_length()), (length, length), "{id}");
            }
            for claim in answer.claims() {
                let plies = claim.plies.bounded().expect("a bound");
                // A first mate counts futile interpositions, so there may be none within the length.
                match (limits.length, claim.value) {
                    (Length::First, Value::Proven) => assert!(plies >= length, "{id}: {plies}"),
                    (Length::First, Value::Disproven) => {}
                    (Length::Shortest, Value::Proven) => assert_eq!(plies, length, "{id}"),
                    (Length::Shortest, Value::Disproven) => assert_eq!(plies + 2, length, "{id}"),
                }
                let mut file = Vec::new();
                let written = mate.certify(&claim, &Stop::new(), &mut file);
                written.unwrap_or_else(|error| panic!("{id}: {error}"));
                let checked = certificate::check(claim.by_ref(), &mut file.as_slice());
                checked.unwrap_or_else(|error| panic!("{id}: {error}"));
                certificates += 1;
            }
        }
    }
    assert!(certificates > 0);
}
