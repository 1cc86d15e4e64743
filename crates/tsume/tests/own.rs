//! Problems of our own making (`yomikiri tsume make`): solved, certified, and looked at for other
//! solutions.
//!
//! All of them if YOMIKIRI_ALL_OWN is set, else every third.

use std::collections::{BTreeMap, HashSet};

use crate::brute::Brute;
use andor::{Rules, Stop, Table, Value, certificate};
use yomikiri_shogi::{Color, Hand, Move, Position, Square};
use yomikiri_tsume::cook::{CookLimits, check};
use yomikiri_tsume::{Futile, Length, Mate, MateLimits, Tsume};

const TEXT: &str = include_str!("data/own500.tsv");

pub struct Row {
    pub id: &'static str,
    pub position: Position,
    pub length: u16,
}

pub fn rows() -> Vec<Row> {
    let lines = TEXT.lines().filter(|line| !line.starts_with('#'));
    let rows = lines.map(|line| {
        let [sfen, id, length] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("not three columns: {line}");
        };
        let position = Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{id}: {error}"));
        assert_eq!(position.to_string(), sfen);
        Row { id, position, length: length.parse().expect("a length") }
    });
    rows.collect()
}

/// Left and right exchanged.
fn mirrored(position: &Position) -> Position {
    let mut mirrored = position.clone();
    for square in Square::all() {
        let image = Square::new(10 - square.file(), square.rank()).expect("on the board");
        mirrored.set(image, position.piece(square));
    }
    mirrored
}

#[test]
fn the_set_is_what_it_says() {
    let first = TEXT.lines().next().unwrap_or_default();
    assert!(first.starts_with("# made by: yomikiri tsume make --count 500 --plies 3..25"));
    let rows = rows();
    assert_eq!(rows.len(), 500);
    let mut known = HashSet::new();
    let mut numbers: BTreeMap<u16, usize> = BTreeMap::new();
    for Row { id, position, length } in &rows {
        assert_eq!(position.material(), Hand::full_set(), "{id}");
        assert_eq!((position.turn(), position.king(Color::Black)), (Color::Black, None), "{id}");
        assert!(!known.contains(&mirrored(position).to_string()), "{id}: a mirror image");
        assert!(known.insert(position.to_string()), "{id}: again");
        let number = numbers.entry(*length).or_default();
        *number += 1;
        assert_eq!(*id, format!("own-{length:03}-{number:03}"));
    }
    assert!(numbers.keys().all(|length| length % 2 == 1 && (3..=25).contains(length)));
    let least = [(3, 60), (5, 80), (7, 80), (9, 70), (11, 60), (13, 50)];
    assert!(least.iter().all(|(length, least)| numbers[length] >= *least), "{numbers:?}");
}

/// Every move is legal, the attacker's are checks, and the last position is mate.
pub fn assert_mates(problem: &Tsume, line: &[Move], id: &str) {
    let mut at = problem.clone();
    let mut moves = Vec::new();
    for &m in line {
        assert!(at.terminal().is_none(), "{id}: over before {m}");
        moves.clear();
        at.legal_moves(&mut moves);
        assert!(moves.contains(&m), "{id}: {m} is not legal");
        at.play(m);
    }
    let mate = at.terminal() == Some(Value::Proven) || at.position().is_mated();
    assert!(mate, "{id}: no mate at the end of the line");
}

#[test]
fn every_problem_is_sound_and_certified() {
    let step = if std::env::var_os("YOMIKIRI_ALL_OWN").is_some() { 1 } else { 3 };
    let limits = MateLimits { length: Length::Shortest, ..MateLimits::default() };
    for Row { id, position, length } in rows().into_iter().step_by(step) {
        let table = Table::new(1 << 20).expect("memory");
        let mate = Mate::new(&table);
        for futile in [Futile::Counted, Futile::NotCounted] {
            let problem = Tsume::new(position.clone()).with_futile(futile);
            let answer = mate.solve(&problem, &limits);
            let found = answer.solution.as_ref().unwrap_or_else(|| panic!("{id}: no mate"));
            assert!(found.exact && found.complete, "{id}");
            assert_eq!((found.length, found.shown_length()), (length, length), "{id} {futile:?}");
            assert_eq!(found.line.len(), usize::from(length), "{id}");
            assert_eq!(found.left_over, Hand::EMPTY, "{id} {futile:?}");
            assert_mates(&problem, &found.line, id);
            let claims = answer.claims();
            let said: Vec<_> =
                claims.iter().map(|claim| (claim.value, claim.plies.bounded())).collect();
            assert_eq!(
                said,
                [(Value::Proven, Some(length)), (Value::Disproven, Some(length - 2))],
                "{id}"
            );
            for claim in claims {
                let mut file = Vec::new();
                let written = mate.certify(&claim, &Stop::new(), &mut file);
                written.unwrap_or_else(|error| panic!("{id}: {error}"));
                let checked = certificate::check(claim.by_ref(), &mut file.as_slice());
                checked.unwrap_or_else(|error| panic!("{id}: {error}"));
            }
            let report = check(&mate, &problem, &CookLimits::default());
            assert!(report.is_complete(), "{id}: {:?}", report.undecided);
            assert_eq!(report.findings, [], "{id} {futile:?}");
        }
    }
}

#[test]
fn short_ones_agree_with_a_plain_search() {
    let mut compared = 0;
    for Row { id, position, length } in rows().into_iter().filter(|row| row.length <= 5) {
        let mut plain = Brute::new(&position, Futile::Counted, 50_000);
        if let Ok(found) = plain.length(&position, length) {
            assert_eq!(found, Some(length), "{id}");
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}
