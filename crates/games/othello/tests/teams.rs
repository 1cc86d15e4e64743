//! Several agents on one table, over recorded positions: whatever the scheme and however many
//! threads, the verdicts are the recorded ones and the certificates are accepted. An agent alone is
//! the sequential search, node for node.

use andor::certificate::{check, write};
use andor::{
    Agents, Algorithm, Assignment, Claim, Control, Cover, Dfpn, Limits, Paths, Quanta, Scheme,
    Shares, Stop, Table, Value, search,
};
use yomikiri_othello::{ExpertOthello, Goal, Position};

/// Problem and value of every `step`-th recorded position.
fn recorded(step: usize) -> impl Iterator<Item = (ExpertOthello, Value)> {
    include_str!("data/othello16.tsv").lines().skip(1).step_by(step).map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let position = Position::parse(&format!("{} {}", columns[1], columns[2])).expect("a row");
        let score: i32 = columns[3].parse().expect("a score");
        let value = if score > 0 { Value::Proven } else { Value::Disproven };
        (ExpertOthello::new(position, Goal::Wins), value)
    })
}

fn schemes() -> Vec<Scheme> {
    let mut schemes: Vec<_> =
        [2, 4, 8].map(|count| Scheme::Virtual(Agents::on_threads(count))).into();
    schemes.extend(["L,S,S", "L|S", "L,S|S,S"].map(|text| {
        Scheme::Paths(Paths { quantum: 100, ..Paths::new(text.parse().expect("an assignment")) })
    }));
    schemes
}

fn examine(problem: &ExpertOthello, expected: Value, scheme: Scheme, table: &Table) {
    let algorithm = Algorithm::Team(Dfpn::default(), scheme);
    let outcome = search(problem, &algorithm, table, &mut Control::default());
    assert_eq!(outcome.value(), Some(expected), "{scheme:?}");
    let mut file = Vec::new();
    let (settings, stop) = (Dfpn::default(), Stop::new());
    write(Claim::new(problem, expected, outcome.plies), settings, table, &stop, &mut file)
        .expect("a certificate");
    check(Claim::new(problem, expected, outcome.plies), &mut file.as_slice()).expect("accepted");
}

#[test]
fn every_scheme_agrees_with_the_record() {
    let mut table = Table::new(16 << 20).expect("a table");
    for (problem, expected) in recorded(50) {
        for scheme in schemes() {
            table.clear();
            examine(&problem, expected, scheme, &table);
        }
    }
}

/// One small table for all positions, so that garbage is collected while eight threads search.
#[test]
fn a_small_table_under_garbage_collection() {
    let table = Table::new(1 << 20).expect("a table");
    for (problem, expected) in recorded(20) {
        examine(&problem, expected, Scheme::Virtual(Agents::on_threads(8)), &table);
        assert!(table.stored() <= table.capacity());
    }
    println!("{} collections", table.collections());
    assert!(table.collections() > 0);
}

#[test]
fn one_agent_alone_is_the_sequential_search() {
    let mut table = Table::new(16 << 20).expect("a table");
    for (problem, _) in recorded(10) {
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

/// Nearly every position of Othello has several moves, so workers nearly always find a branch: what
/// they search is what the rule for quanta grants them, to within a tenth, and in long turns, too.
/// (Turns for which no branch was left are counted apart, and are few.)
#[test]
fn workers_have_the_share_that_the_rule_gives_them() {
    let mut table = Table::new(16 << 20).expect("a table");
    let settings = [
        (Quanta::Shares, 1.0, Cover::Least),
        (Quanta::Shares, 1.0, Cover::Branch),
        (Quanta::Shares, 1.0, Cover::Solved),
        (Quanta::Tenth, 0.1, Cover::Least),
        (Quanta::Equally, 2.0, Cover::Least),
        (Quanta::Weight(1.75), 2.0 / 1.75, Cover::Least),
    ];
    for (quanta, expected, cover) in settings {
        for (quantum, most_unused) in [(60, 0.05), (600, 0.2)] {
            let paths =
                Paths { quantum, quanta, cover, ..Paths::new(Assignment::one_processor(2)) };
            let mut shares = Shares::default();
            for (problem, _) in recorded(50) {
                table.clear();
                // Without the game's small solver, of which a single look can be many turns long.
                let dfpn = Dfpn { heuristics: false, ..Dfpn::default() };
                let algorithm = Algorithm::Team(dfpn, Scheme::Paths(paths));
                let limits = Limits { nodes: Some(25_000), time: None };
                let outcome = search(&problem, &algorithm, &table, &mut Control::new(limits));
                let counted: u64 = outcome.shares.0.iter().map(|share| share.nodes).sum();
                assert_eq!((counted, outcome.shares.0.len()), (outcome.nodes, 3));
                shares.add(&outcome.shares);
            }
            let granted = expected * shares.leader() as f64;
            let unused = shares.unused() as f64 / granted;
            let ratio = shares.workers() as f64 / granted;
            let told = format!("{quantum} {quanta} {cover}: {ratio:.3} used, {unused:.3} not");
            println!("{told}, {shares:?}");
            assert!((0.9..=1.1).contains(&(ratio + unused)) && unused < most_unused, "{told}");
        }
    }
}
