//! Several agents on one table, over problems of our own making: whatever the scheme and however
//! many threads, the verdicts are the recorded ones and the certificates are accepted. An agent
//! alone is the sequential search, node for node.
//!
//! Every tenth problem, or all of them if YOMIKIRI_ALL_OWN is set.

use andor::certificate::{check, write};
use andor::table::Lookup;
use andor::{
    Agent, Agents, Algorithm, Assignment, Claim, Control, Cover, Dfpn, Evaluation, Outcome, Paths,
    Plies, Problem, Rules, Scheme, Step, Stop, Table, Value, search, together,
};
use yomikiri_shogi::Position;
use yomikiri_tsume::{Tsume, settings};

struct Row {
    id: &'static str,
    problem: Tsume,
    length: u16,
}

/// Every `step`-th problem.
fn rows(step: usize) -> impl Iterator<Item = Row> {
    let step = if std::env::var_os("YOMIKIRI_ALL_OWN").is_some() { 1 } else { step };
    let lines = include_str!("data/own500.tsv").lines().filter(|line| !line.starts_with('#'));
    lines.step_by(step).map(|line| {
        let [sfen, id, length] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("not three columns: {line}");
        };
        let position = Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{id}: {error}"));
        Row { id, problem: Tsume::new(position), length: length.parse().expect("a length") }
    })
}

fn threads(count: usize) -> Scheme {
    Scheme::Virtual(Agents::on_threads(count))
}

fn paths(text: &str) -> Scheme {
    // Short turns, for most of the problems are small.
    Scheme::Paths(Paths { quantum: 100, ..Paths::new(text.parse().expect("an assignment")) })
}

/// Searches, and has the certificate written and checked.
fn certify(row: &Row, dfpn: Dfpn, scheme: &Scheme, expected: Value, table: &Table) -> Outcome {
    let context = || format!("{}, {scheme:?}, within {}", row.id, dfpn.plies);
    let (outcome, solved) = together(&row.problem, dfpn, scheme, table, &mut Control::default());
    assert_eq!(outcome.value(), Some(expected), "{}", context());
    assert_eq!(solved.map(|solved| solved.value), Some(expected), "{}", context());
    let plies = if dfpn.plies.is_bounded() { dfpn.plies } else { outcome.plies };
    let mut file = Vec::new();
    write(Claim::new(&row.problem, expected, plies), dfpn, table, &Stop::new(), &mut file)
        .unwrap_or_else(|error| panic!("{}: {error}", context()));
    check(Claim::new(&row.problem, expected, plies), &mut file.as_slice())
        .unwrap_or_else(|error| panic!("{}: {error}", context()));
    outcome
}

/// There is a mate; there is one within the recorded length; there is none within less.
fn examine(row: &Row, scheme: &Scheme, table: &mut Table) {
    for (plies, expected) in [
        (Plies::UNBOUNDED, Value::Proven),
        (Plies::at_most(row.length), Value::Proven),
        (Plies::at_most(row.length - 2), Value::Disproven),
    ] {
        table.clear();
        let outcome = certify(row, Dfpn { plies, ..settings::dfpn() }, scheme, expected, table);
        match expected {
            Value::Proven => {
                assert!((Plies::at_most(row.length)..=plies).contains(&outcome.plies), "{}", row.id)
            }
            Value::Disproven => assert!(outcome.plies >= plies, "{}", row.id),
        }
    }
}

fn examine_all(schemes: &[Scheme]) {
    let mut table = Table::new(4 << 20).expect("memory");
    for row in rows(10) {
        for scheme in schemes {
            examine(&row, scheme, &mut table);
        }
    }
}

#[test]
fn virtual_numbers_on_any_number_of_threads() {
    examine_all(&[1, 2, 4, 8, 16].map(threads));
}

#[test]
fn leader_and_workers_on_any_processors() {
    examine_all(&["L,S,S", "L|S", "L|S,S", "L,S|S,S"].map(paths));
    let covers = [Cover::Branch, Cover::Solved];
    examine_all(&covers.map(|cover| {
        let usual = Paths::new("L,S,S".parse().expect("an assignment"));
        Scheme::Paths(Paths { quantum: 100, cover, ..usual })
    }));
}

/// One small table for many problems, so that it is full most of the time.
#[test]
fn a_small_table_under_garbage_collection() {
    for (scheme, bytes, step) in
        [(threads(8), 1 << 20, 1), (threads(8), 1 << 16, 10), (paths("L,S|S,S"), 1 << 16, 10)]
    {
        let table = Table::new(bytes).expect("memory");
        for row in rows(step) {
            let shorter = Plies::at_most(row.length - 2);
            let questions = [(Plies::UNBOUNDED, Value::Proven), (shorter, Value::Disproven)];
            for (plies, expected) in questions {
                let dfpn = Dfpn { plies, ..settings::dfpn() };
                let _ = certify(&row, dfpn, &scheme, expected, &table);
            }
            assert!(table.stored() <= table.capacity());
        }
        println!("{scheme:?} on {bytes} bytes: {} collections", table.collections());
        assert!(table.collections() > 0);
    }
}

#[test]
fn one_agent_alone_is_the_sequential_search() {
    let mut table = Table::new(4 << 20).expect("memory");
    for Row { id, problem, length } in rows(10) {
        for plies in [Plies::UNBOUNDED, Plies::at_most(length - 2)] {
            let dfpn = Dfpn { plies, ..settings::dfpn() };
            let mut numbers = |algorithm: Algorithm| {
                table.clear();
                let outcome = search(&problem, &algorithm, &table, &mut Control::default());
                let Outcome { verdict, plies, nodes, iterations, numbers, .. } = outcome;
                (verdict, plies, nodes, iterations, numbers, table.stored())
            };
            let alone = numbers(Algorithm::Dfpn(dfpn));
            assert_eq!(numbers(Algorithm::Team(dfpn, threads(1))), alone, "{id}");
            let leader = Paths::new(Assignment::one_processor(0));
            assert_eq!(numbers(Algorithm::Team(dfpn, Scheme::Paths(leader))), alone, "{id}");
        }
    }
}

/// Agents in turns on one thread do the same every time.
#[test]
fn turns_are_repeatable() {
    let mut table = Table::new(4 << 20).expect("memory");
    for Row { id, problem, .. } in rows(25) {
        for count in [2, 8] {
            let agents = Agents { turns: Some(20), ..Agents::on_threads(count) };
            for scheme in [Scheme::Virtual(agents), paths("L,S,S")] {
                let mut nodes = || {
                    table.clear();
                    let algorithm = Algorithm::Team(settings::dfpn(), scheme);
                    search(&problem, &algorithm, &table, &mut Control::default()).nodes
                };
                assert_eq!(nodes(), nodes(), "{id}, {scheme:?}");
            }
        }
    }
}

/// While an agent is below a node for the first time, others see the node's first numbers.
#[test]
fn a_node_that_is_being_searched_has_its_first_numbers() {
    let mut telling = 0;
    for mut row in rows(10) {
        let position = row.problem.position().clone();
        let table = Table::new(1 << 20).expect("a small table");
        let mut agent = Agent::new(row.problem.clone(), settings::dfpn(), &table, Stop::new());
        if agent.run(2) != Step::Budget || agent.depth() != 2 {
            continue;
        }
        let mut checks = Vec::new();
        row.problem.legal_moves(&mut checks);
        let found = checks.into_iter().find_map(|m| {
            row.problem.play(m);
            let known = table.lookup(row.problem.key(), row.problem.stock(), Plies::UNBOUNDED);
            let evaluation = row.problem.evaluate();
            row.problem = Tsume::new(position.clone());
            match known {
                Lookup::Open(open) => Some((open, evaluation)),
                _ => None,
            }
        });
        let Some((open, Evaluation::Open { pn, dn, .. })) = found else {
            panic!("{}: {found:?}", row.id);
        };
        assert_eq!((open.pn, open.dn), (pn, dn), "{}", row.id);
        telling += usize::from((pn, dn) != (1, 1));
    }
    assert!(telling > 0, "no first numbers but 1 and 1: this test is blind");
}
