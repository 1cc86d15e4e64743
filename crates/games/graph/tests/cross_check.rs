//! Every algorithm and setting against the fixpoint solver, on random graphs with cycles, shared
//! nodes and stock. Every verdict has its certificate checked.
//!
//! `YOMIKIRI_GRAPHS=N` chooses how many graphs.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use andor::certificate::{check, write};
use andor::{
    Agent, Agents, Algorithm, Assignment, Claim, Control, Cover, Dfpn, Limits, Paths, Plies,
    PnSearch, Problem, Quanta, Repetition, Scheme, Selection, SplitMix64, Step, Stop, Sums, Table,
    Value, Virtual, search,
};
use yomikiri_graph::fixpoint::Fixpoint;
use yomikiri_graph::{Graph, Habits, random};

fn graphs(default: u64) -> u64 {
    std::env::var("YOMIKIRI_GRAPHS").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

fn algorithms() -> Vec<(String, Algorithm)> {
    let mut all = Vec::new();
    for selection in [
        Selection::Proof,
        Selection::Deepest,
        Selection::Deep(1.0),
        Selection::Deep(0.9),
        Selection::Deep(0.5),
    ] {
        for heuristics in [false, true] {
            let pn = PnSearch { selection, heuristics, bytes: 1 << 26 };
            all.push((format!("{pn:?}"), Algorithm::Pn(pn)));
        }
    }
    for sums in [Sums::Plain, Sums::Dag, Sums::Weak] {
        for (epsilon, deep) in [(0.0, 1.0), (0.25, 1.0), (0.0, 0.9), (0.0, 0.5)] {
            for heuristics in [false, true] {
                let dfpn = Dfpn {
                    heuristics,
                    epsilon,
                    sums,
                    deep,
                    path_bytes: 1 << 16,
                    ..Dfpn::default()
                };
                all.push((format!("{dfpn:?}"), Algorithm::Dfpn(dfpn)));
            }
        }
    }
    for (first_numbers, costs) in [(false, true), (true, false), (false, false)] {
        let dfpn = Dfpn { first_numbers, costs, path_bytes: 1 << 16, ..Dfpn::default() };
        all.push((format!("{dfpn:?}"), Algorithm::Dfpn(dfpn)));
    }
    for (sums, rest) in [(Sums::Plain, 16), (Sums::Plain, 4), (Sums::Dag, 12), (Sums::Dag, 9)] {
        let dfpn = Dfpn { sums, rest, comparable: true, path_bytes: 1 << 16, ..Dfpn::default() };
        all.push((format!("{dfpn:?}"), Algorithm::Dfpn(dfpn)));
    }
    for sums in [Sums::Plain, Sums::Dag, Sums::Weak] {
        let dfpn = Dfpn { sums, path_bytes: 1 << 16, ..Dfpn::default() };
        for scheme in schemes(true) {
            all.push((format!("{dfpn:?} {scheme:?}"), Algorithm::Team(dfpn, scheme)));
        }
    }
    all
}

/// Schemes of several agents, on one thread or on many. Turns are short, for the graphs are small.
fn schemes(one_thread: bool) -> Vec<Scheme> {
    let agents = |count| Agents { turns: one_thread.then_some(1), ..Agents::on_threads(count) };
    let paths = |text: &str, quanta, cover| {
        let assignment = text.parse().expect("an assignment");
        Scheme::Paths(Paths { quantum: 3, quanta, cover, ..Paths::new(assignment) })
    };
    let paper = Agents { numbers: Virtual::Paper, ..agents(3) };
    let mut schemes = vec![Scheme::Virtual(agents(3)), Scheme::Virtual(paper)];
    match one_thread {
        true => {
            let covers = [Cover::Least, Cover::Branch, Cover::Solved];
            schemes.extend(covers.map(|cover| paths("L,S,S", Quanta::Equally, cover)));
        }
        false => {
            schemes.push(Scheme::Virtual(agents(8)));
            schemes.push(paths("L|S|S", Quanta::Shares, Cover::Least));
            schemes.push(paths("L|S,S", Quanta::Equally, Cover::Branch));
            schemes.push(paths("L,S|S,S", Quanta::Weight(1.75), Cover::Solved));
        }
    }
    schemes
}

#[test]
fn readme_tells_how_many_settings_these_are() {
    let all = algorithms();
    let teams = all.iter().filter(|(_, one)| matches!(one, Algorithm::Team(..))).count();
    let alone = all.len() - teams;
    let claim =
        format!("{alone} algorithms and settings each, and {teams} settings of several agents");
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../README.md");
    let readme = std::fs::read_to_string(readme).expect("README.md");
    assert!(readme.contains(&claim), "README.md does not say: {claim}");
}

/// Solves, compares, writes the certificate and checks it. PN-search does not join transpositions,
/// so its tree of a small graph can be too large: then, and only then, it may say that it does not
/// know. Gives whether there was an answer.
fn examine<P: Problem>(
    problem: &P,
    expected: Value,
    algorithm: &Algorithm,
    table: &Table,
    context: &dyn Fn() -> String,
) -> bool {
    let limit = match algorithm {
        Algorithm::Dfpn(_) | Algorithm::Team(..) => 2_000_000,
        Algorithm::Pn(_) => 20_000,
    };
    let mut control = Control::new(Limits { nodes: Some(limit), time: None });
    let outcome = search(problem, algorithm, table, &mut control);
    if matches!(algorithm, Algorithm::Pn(_)) && outcome.value().is_none() {
        return false;
    }
    assert_eq!(outcome.value(), Some(expected), "{outcome:?}\n{}", context());
    let plies = match algorithm {
        Algorithm::Dfpn(dfpn) if dfpn.plies.is_bounded() => dfpn.plies,
        _ => outcome.plies,
    };
    let settings = match algorithm {
        Algorithm::Dfpn(dfpn) | Algorithm::Team(dfpn, _) => *dfpn,
        Algorithm::Pn(_) => Dfpn::default(),
    };
    let mut certificate = Vec::new();
    write(Claim::new(problem, expected, plies), settings, table, &Stop::new(), &mut certificate)
        .unwrap_or_else(|error| panic!("{error}\n{}", context()));
    check(Claim::new(problem, expected, plies), &mut certificate.as_slice())
        .unwrap_or_else(|error| panic!("{error}\n{}", context()));
    let lie =
        check(Claim::new(problem, expected.other(), Plies::UNBOUNDED), &mut certificate.as_slice());
    assert!(lie.is_err(), "the opposite was accepted\n{}", context());
    true
}

fn habits(seed: u64) -> Habits {
    Habits { seed, late: seed & 1 != 0, numbers: seed & 2 != 0, look: seed & 4 != 0 }
}

fn context(graph: &Graph, seed: u64, name: &str) -> String {
    format!("seed {seed}, {name}\n{graph}")
}

/// The longest of these tests, so it takes all cores.
#[test]
fn every_algorithm_agrees_with_the_fixpoint() {
    let (algorithms, next) = (algorithms(), AtomicU64::new(0));
    // Looks at one graph after the other until there are no more: how often it asked, and was
    // answered.
    let look = || {
        let mut table = Table::new(1 << 14).expect("a small table");
        let (mut asked, mut answered) = (0, 0);
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= graphs(2_000) {
                return (asked, answered);
            }
            let graph = random::any(12, seed);
            let expected = Fixpoint::of(&graph).value(graph.root(), graph.stock());
            let problem = graph.start().with_habits(habits(seed));
            for (i, (name, algorithm)) in algorithms.iter().enumerate() {
                // Threads take their time to start, even if there is but one: each team looks at
                // one graph in four, and at each graph looks one of them or the other.
                if matches!(algorithm, Algorithm::Team(..)) && !(seed + i as u64).is_multiple_of(4)
                {
                    continue;
                }
                table.clear();
                asked += 1;
                answered +=
                    examine(&problem, expected, algorithm, &table, &|| context(&graph, seed, name))
                        as u64;
            }
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let (asked, answered) = thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(look)).collect();
        let counts = threads.into_iter().map(|thread| match thread.join() {
            Ok(count) => count,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        counts.fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1))
    });
    assert!(asked > 0 && answered * 100 >= asked * 98, "{answered} of {asked} answered");
}

#[test]
fn many_threads_agree_with_the_fixpoint() {
    let mut table = Table::new(1 << 14).expect("a small table");
    for seed in 0..graphs(2_000).min(5_000) {
        let graph = random::any(12, seed);
        let expected = Fixpoint::of(&graph).value(graph.root(), graph.stock());
        let problem = graph.start().with_habits(habits(seed));
        let sums = [Sums::Plain, Sums::Dag, Sums::Weak][seed as usize % 3];
        for scheme in schemes(false).into_iter().skip(seed as usize % 2).step_by(2) {
            table.clear();
            let dfpn = Dfpn { sums, path_bytes: 1 << 16, ..Dfpn::default() };
            let algorithm = Algorithm::Team(dfpn, scheme);
            let name = format!("{algorithm:?}");
            examine(&problem, expected, &algorithm, &table, &|| context(&graph, seed, &name));
        }
    }
}

/// Little room for results that lean on ancestors is kept in few parts. In 64 of them no part could
/// keep any, and these two searches did not end.
#[test]
fn teams_with_little_room_for_results_on_the_path_end() {
    let mut table = Table::new(1 << 14).expect("a small table");
    for seed in [26_622, 74_126] {
        let graph = random::any(12, seed);
        let expected = Fixpoint::of(&graph).value(graph.root(), graph.stock());
        let problem = graph.start().with_habits(habits(seed));
        for scheme in schemes(true) {
            table.clear();
            let dfpn = Dfpn { path_bytes: 1 << 16, ..Dfpn::default() };
            let algorithm = Algorithm::Team(dfpn, scheme);
            let name = format!("{algorithm:?}");
            examine(&problem, expected, &algorithm, &table, &|| context(&graph, seed, &name));
        }
    }
}

/// Stock grows on every round of this graph's loop, so that each position of a round is new and takes its
/// first numbers from the round before, whose numbers rest on it: they grew without end.
#[test]
fn first_numbers_from_other_stocks_do_not_grow_round_a_loop() {
    let table = Table::new(1 << 14).expect("a small table");
    let seed = 10_770;
    let graph = random::any(12, seed);
    let expected = Fixpoint::of(&graph).value(graph.root(), graph.stock());
    let problem = graph.start().with_habits(habits(seed));
    let dfpn = Dfpn { rest: 4, comparable: true, path_bytes: 1 << 16, ..Dfpn::default() };
    let algorithm = Algorithm::Dfpn(dfpn);
    let answered =
        examine(&problem, expected, &algorithm, &table, &|| context(&graph, seed, "rest: 4"));
    assert!(answered);
}

#[test]
fn one_agent_alone_is_the_sequential_search() {
    let mut table = Table::new(1 << 16).expect("a small table");
    for seed in 0..200 {
        let graph = random::any(60, seed);
        let problem = graph.start().with_habits(habits(seed));
        for sums in [Sums::Plain, Sums::Dag, Sums::Weak] {
            let dfpn = Dfpn { sums, ..Dfpn::default() };
            let mut nodes = |algorithm: Algorithm| {
                table.clear();
                search(&problem, &algorithm, &table, &mut Control::default()).nodes
            };
            let alone = nodes(Algorithm::Dfpn(dfpn));
            let agents = Scheme::Virtual(Agents::on_threads(1));
            assert_eq!(nodes(Algorithm::Team(dfpn, agents)), alone);
            for quantum in [1, 7, 1000] {
                let paths = Paths { quantum, ..Paths::new(Assignment::one_processor(0)) };
                assert_eq!(nodes(Algorithm::Team(dfpn, Scheme::Paths(paths))), alone);
            }
        }
    }
}

#[test]
fn a_bound_on_plies_is_exact() {
    let mut table = Table::new(1 << 14).expect("a small table");
    for seed in 0..graphs(2_000) {
        let graph = random::any(12, seed);
        if graph.repetition() != Repetition::FavoursDefender {
            continue;
        }
        let shortest = Fixpoint::of(&graph).plies(graph.root(), graph.stock());
        let problem = graph.start().with_habits(habits(seed));
        for sums in [Sums::Plain, Sums::Dag, Sums::Weak] {
            table.clear();
            let middle = shortest.unwrap_or(5);
            // Down and up again, on one table: entries of one bound must not mislead another.
            for plies in [middle + 2, middle, middle.saturating_sub(1), 0, middle + 1] {
                let expected = match shortest {
                    Some(shortest) if shortest <= plies => Value::Proven,
                    _ => Value::Disproven,
                };
                let horizon = (seed >> 3 & 7) as u16;
                let plies = Plies::at_most(plies);
                let dfpn = Dfpn { plies, sums, horizon, ..Dfpn::default() };
                let name = format!("{dfpn:?}");
                let algorithm = Algorithm::Dfpn(dfpn);
                examine(&problem, expected, &algorithm, &table, &|| context(&graph, seed, &name));
            }
        }
    }
}

/// Settings drawn at random, extreme ones too, and a search that is interrupted at random moments and goes
/// on. Too little room for results that lean on ancestors can make a search very long; such a one
/// may give up, but must not be wrong.
#[test]
fn random_settings_and_interrupts() {
    const LIMIT: u64 = 300_000;
    let mut table = Table::new(1 << 14).expect("a small table");
    let (mut asked, mut answered) = (0, 0);
    for seed in 0..graphs(2_000) {
        let graph = random::any(12, seed ^ 0x5eed);
        if graph.repetition() == Repetition::FavoursAttacker {
            continue;
        }
        let mut random = SplitMix64::new(seed);
        let mut pick = |choices: &[f64]| choices[random.below(choices.len())];
        let dfpn = Dfpn {
            heuristics: pick(&[0.0, 1.0]) > 0.0,
            epsilon: pick(&[0.0, 0.1, 1.0, 16.0]) as f32,
            sums: [Sums::Plain, Sums::Dag, Sums::Weak][pick(&[0.0, 1.0, 2.0]) as usize],
            deep: pick(&[1.0, 1.0, 0.99, 0.7, 0.3, 0.0]),
            rest: pick(&[16.0, 16.0, 12.0, 5.0, 1.0]) as u8,
            comparable: pick(&[0.0, 1.0]) > 0.0,
            path_bytes: pick(&[0.0, 4_096.0, 65_536.0, 65_536.0]) as usize,
            ..Dfpn::default()
        };
        let expected = Fixpoint::of(&graph).value(graph.root(), graph.stock());
        let problem = graph.start().with_habits(habits(random.next_u64()));
        table.clear();
        let mut agent = Agent::new(problem.clone(), dfpn, &table, Stop::new());
        asked += 1;
        while agent.nodes() < LIMIT && agent.run(1 + random.below(40) as u64) != Step::Solved {}
        let name = || context(&graph, seed, &format!("{dfpn:?}"));
        if let Some(solved) = agent.result() {
            answered += 1;
            assert_eq!(solved.value, expected, "{}", name());
            let mut file = Vec::new();
            let (value, plies, stop) = (solved.value, solved.plies, Stop::new());
            write(Claim::new(&problem, value, plies), Dfpn::default(), &table, &stop, &mut file)
                .unwrap_or_else(|error| panic!("{error}\n{}", name()));
            check(Claim::new(&problem, value, plies), &mut file.as_slice())
                .unwrap_or_else(|error| panic!("{error}\n{}", name()));
        }
    }
    assert!(answered * 100 >= asked * 99, "{answered} of {asked} answered");
    println!("{answered} of {asked} answered");
}

#[test]
fn a_chain_of_5000_plies_needs_no_deep_stack() {
    let problem = random::chain(5_000).start();
    let table = Table::new(1 << 22).expect("a table");
    for algorithm in [
        Algorithm::Dfpn(Dfpn::default()),
        Algorithm::Dfpn(Dfpn { epsilon: 0.0, heuristics: false, ..Dfpn::default() }),
        Algorithm::Pn(PnSearch::default()),
    ] {
        let answered =
            examine(&problem, Value::Proven, &algorithm, &table, &|| format!("{algorithm:?}"));
        assert!(answered);
    }
}

/// Where repetition favours the attacker a search is run with the roles exchanged; "not refuted within so
/// many plies" must never pass for "proven".
#[test]
fn a_bound_on_plies_makes_no_false_proof_where_repetition_favours_the_attacker() {
    let mut table = Table::new(1 << 14).expect("a small table");
    let (mut refuted, mut unknown) = (0, 0);
    for seed in 0..graphs(2_000) {
        let graph = random::any(12, seed);
        if graph.repetition() != Repetition::FavoursAttacker {
            continue;
        }
        let expected = Fixpoint::of(&graph).value(graph.root(), graph.stock());
        let problem = graph.start();
        for plies in [0, 1, 2, 4].map(Plies::at_most) {
            table.clear();
            let horizon = (seed & 7) as u16;
            let algorithm = Algorithm::Dfpn(Dfpn { plies, horizon, ..Dfpn::default() });
            let outcome = search(&problem, &algorithm, &table, &mut Control::default());
            match outcome.value() {
                Some(Value::Proven) => panic!("proven within {plies}? seed {seed}\n{graph}"),
                Some(Value::Disproven) => {
                    assert_eq!(expected, Value::Disproven, "seed {seed}\n{graph}");
                    refuted += 1;
                }
                None => unknown += 1,
            }
            // Whatever a file says, such a claim is not one that can be checked.
            let body = [4, 255, 0];
            let claim = check(Claim::new(&problem, Value::Proven, plies), &mut body.as_slice());
            assert!(claim.is_err(), "seed {seed}\n{graph}");
        }
    }
    assert!(refuted > 100 && unknown > 100, "{refuted} refuted, {unknown} unknown");
}
