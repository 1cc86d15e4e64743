//! Shortest proofs against the fixpoint solver, on random graphs with cycles, shared nodes and stock:
//! both bounds, the line, and certificates of both. Interrupted anywhere, the interval must hold.
//!
//! `YOMIKIRI_GRAPHS=N` chooses how many graphs.

use andor::ask::Asker;
use andor::certificate::{check, write};
use andor::shortest::{Bounds, bound, shortest};
use andor::{
    Agents, Claim, Dfpn, Limits, NodeKind, Plies, Problem, Repetition, Scheme, SplitMix64, Stop,
    Sums, Table, Value,
};
use yomikiri_graph::fixpoint::Fixpoint;
use yomikiri_graph::{Graph, Habits, random};

fn graphs(default: u64) -> u64 {
    std::env::var("YOMIKIRI_GRAPHS").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// Graphs with a proof, and its length.
fn proven_graphs(count: u64, salt: u64) -> impl Iterator<Item = (u64, Graph, u16)> {
    (0..count).filter_map(move |seed| {
        let graph = random::any(14, seed ^ salt);
        if graph.repetition() == Repetition::FavoursAttacker {
            return None;
        }
        let length = Fixpoint::of(&graph).plies(graph.root(), graph.stock())?;
        Some((seed, graph, length))
    })
}

fn habits(seed: u64) -> Habits {
    Habits { seed, late: seed & 1 != 0, numbers: seed & 2 != 0, look: seed & 4 != 0 }
}

/// The line is legal, goes to the end, and is as long as the bound.
fn assert_line<P: Problem>(problem: &P, bounds: &Bounds<P::Move>, context: &dyn Fn() -> String) {
    assert!(bounds.line.complete, "{}", context());
    assert_eq!(bounds.line.moves.len(), usize::from(bounds.known), "{}", context());
    let mut at = problem.clone();
    for &m in &bounds.line.moves {
        assert_eq!(at.terminal(), None, "{}", context());
        let mut legal = Vec::new();
        at.legal_moves(&mut legal);
        assert!(legal.contains(&m), "{}", context());
        at.play(m);
    }
    let mut legal = Vec::new();
    let is_lost = || {
        at.legal_moves(&mut legal);
        legal.is_empty() && at.kind() == NodeKind::And
    };
    assert!(at.terminal().map_or_else(is_lost, |value| value == Value::Proven), "{}", context());
}

fn certify<P: Problem>(claim: Claim<&P>, table: &Table, context: &dyn Fn() -> String) {
    let again = || Claim::new(claim.problem, claim.value, claim.plies);
    let mut file = Vec::new();
    write(again(), Dfpn::default(), table, &Stop::new(), &mut file)
        .unwrap_or_else(|error| panic!("{error}\n{}", context()));
    check(again(), &mut file.as_slice()).unwrap_or_else(|error| panic!("{error}\n{}", context()));
}

#[test]
fn shortest_proofs_are_those_of_the_fixpoint() {
    let mut table = Table::new(1 << 14).expect("a small table");
    let mut asked = 0;
    for (seed, graph, length) in proven_graphs(graphs(2_000), 0) {
        let problem = graph.start().with_habits(habits(seed));
        for sums in [Sums::Plain, Sums::Dag, Sums::Weak] {
            // Several agents take their time to start: one graph in sixteen. And one in 64 on threads,
            // which take every question that they can.
            let mut schemes = vec![None];
            if seed.is_multiple_of(16) {
                schemes.push(Some(Agents { turns: Some(1), ..Agents::on_threads(3) }));
            }
            if seed.is_multiple_of(64) {
                schemes.push(Some(Agents::on_threads(2)));
            }
            for scheme in schemes.into_iter().map(|agents| agents.map(Scheme::Virtual)) {
                let context = || format!("seed {seed}, {sums:?}, {scheme:?}\n{graph}");
                table.clear();
                let horizon = (seed >> 3 & 7) as u16;
                let dfpn = Dfpn { sums, horizon, path_bytes: 1 << 16, ..Dfpn::default() };
                let (limits, stop) = (Limits::default(), Stop::new());
                let mut asker = Asker::new(&table, (dfpn, scheme), limits, stop, None::<()>);
                asker.worth_waking = 0;
                let first = asker.ask(&problem, Plies::UNBOUNDED).expect("no limit");
                let first = first.plies.bounded().expect("graphs have lengths");
                let rough = bound(&mut asker, &problem, first);
                assert!((length..=first).contains(&rough.known), "{}", context());
                assert!(rough.least <= length, "{}", context());
                assert_line(&problem, &rough, &context);
                let proven = Plies::at_most(rough.known);
                certify(Claim::new(&problem, Value::Proven, proven), &table, &context);
                let bounds = shortest(&mut asker, &problem, rough.known, |_, _| {});
                assert_eq!((bounds.least, bounds.known), (length, length), "{}", context());
                assert_line(&problem, &bounds, &context);
                certify(
                    Claim::new(&problem, Value::Proven, Plies::at_most(length)),
                    &table,
                    &context,
                );
                if let Some(less) = length.checked_sub(1).map(Plies::at_most) {
                    certify(Claim::new(&problem, Value::Disproven, less), &table, &context);
                }
                asked += 1;
            }
        }
    }
    assert!(asked > 100, "{asked}");
}

/// Ended by a limit on nodes or on a table that forgets: what is told holds all the same, and going on
/// on the same table leads to the end.
#[test]
fn an_interval_holds_wherever_the_search_ends() {
    let mut table = Table::new(1 << 14).expect("a small table");
    let (mut open, mut asked) = (0, 0);
    for (seed, graph, length) in proven_graphs(graphs(2_000), 0x5eed) {
        let context = || format!("seed {seed}\n{graph}");
        let mut random = SplitMix64::new(seed);
        let problem = graph.start().with_habits(habits(random.next_u64()));
        table.clear();
        let horizon = random.below(8) as u16;
        let dfpn = Dfpn { horizon, path_bytes: 1 << 16, ..Dfpn::default() };
        let mut asker =
            Asker::new(&table, (dfpn, None), Limits::default(), Stop::new(), None::<()>);
        let first = asker.ask(&problem, Plies::UNBOUNDED).expect("no limit");
        let first = first.plies.bounded().expect("graphs have lengths");
        let mut bounds = Bounds {
            least: 0,
            known: first,
            line: andor::strategy::Line { moves: Vec::new(), complete: false },
        };
        for _ in 0..200 {
            let nodes = Some(asker.nodes() + random.below(60) as u64);
            asker.set_limits(Limits { nodes, time: None });
            bounds = shortest(&mut asker, &problem, bounds.known, |_, _| {});
            asked += 1;
            assert!((bounds.least..=bounds.known).contains(&length), "{}", context());
            if bounds.line.complete {
                assert_line(&problem, &bounds, &context);
            }
            if bounds.is_exact() {
                break;
            }
            open += 1;
        }
        asker.set_limits(Limits::default());
        let bounds = shortest(&mut asker, &problem, bounds.known, |_, _| {});
        assert_eq!((bounds.least, bounds.known), (length, length), "{}", context());
        assert_line(&problem, &bounds, &context);
    }
    assert!(asked > 100 && open > 10, "{open} of {asked} were cut off");
}
