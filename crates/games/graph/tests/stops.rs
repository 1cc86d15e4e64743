//! Searches on many threads that are stopped at random moments: none hangs, none panics, each
//! heeds the stop, and whatever they leave in the table is true.
//!
//! `YOMIKIRI_STOPS=N` chooses how many stops there are.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use andor::certificate::{WriteError, check, write};
use andor::table::Lookup;
use andor::{
    Agents, Algorithm, Claim, Control, Dfpn, Key, Limits, Mirror, Paths, Plies, Problem, Reason,
    Repetition, Reversed, Scheme, Solved, SplitMix64, Stock, Stop, Sums, Table, Value, Verdict,
    search,
};
use yomikiri_graph::fixpoint::Fixpoint;
use yomikiri_graph::{Graph, GraphPosition, Habits, Tokens};

/// So many stops of the scheme with virtual numbers, if nothing else is asked for.
const STOPS: usize = 1_000;
/// For each of the others it is one in so many.
const FEWER: usize = 4;
/// Stops on one graph; then there is another.
const EACH: usize = 25;
/// A search that has not ended by then hangs.
const PATIENCE: Duration = Duration::from_secs(60);
/// After one stop in so many the search is done again to the end.
const AGAIN: usize = 8;
/// The writer of a certificate may give up after so long.
const LONG: Duration = Duration::from_secs(1);
/// A search that goes on for longer after a stop does not heed it (other processes may be busy).
const HEED: Duration = Duration::from_secs(2);

fn settings(sums: Sums) -> Dfpn {
    Dfpn { sums, path_bytes: 1 << 20, ..Dfpn::default() }
}

fn stops() -> usize {
    std::env::var("YOMIKIRI_STOPS").ok().and_then(|n| n.parse().ok()).unwrap_or(STOPS)
}

/// A graph with many cycles and tokens, and the truth about it.
struct Case {
    seed: u64,
    graph: Graph,
    problem: GraphPosition,
    truth: Fixpoint,
    /// The key of each node.
    keys: Vec<Key>,
}

/// A graph in layers, OR and AND by turns, that is decided in the last layer only: much harder than
/// one of the same size without them. Some edges lead back, some want or give tokens.
fn layered(seed: u64) -> Graph {
    const LAYERS: usize = 14;
    const WIDTH: usize = 60;
    let random = &mut SplitMix64::new(seed);
    let repetition = if seed.is_multiple_of(4) { "attacker" } else { "defender" };
    let mut text = format!("graph\nrepetition {repetition}\nstock {}\n", random.below(4));
    for layer in 0..LAYERS {
        let (kind, signs) = if layer % 2 == 0 { ("or", ["+", "-"]) } else { ("and", ["?", "?"]) };
        for i in 0..WIDTH {
            text += &format!("n{layer}_{i} {kind}");
            for _ in 0..4 {
                let to = if random.percent(4) { random.below(layer + 1) } else { layer + 1 };
                text += &format!(" n{to}_{}", random.below(WIDTH));
                if random.percent(30) {
                    text += &format!("{}{}", signs[random.below(2)], random.below(4) + layer % 2);
                } else if random.percent(10) {
                    text += &format!("{}{}b", signs[random.below(2)], random.below(3));
                }
            }
            text.push('\n');
        }
    }
    for i in 0..WIDTH {
        text += &format!("n{LAYERS}_{i} {}\n", ["win", "lose"][random.below(2)]);
    }
    text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

impl Case {
    /// The first graph from this seed on, in steps of a large number, that is neither easy nor very
    /// hard.
    fn new(seed: u64) -> Case {
        let seeds = (0..).map(|n| seed + (n << 32));
        let mut cases = seeds.map(Case::any);
        cases.find(Case::is_of_some_size).expect("there is always another")
    }

    fn is_of_some_size(&self) -> bool {
        let table = Table::new(1 << 16).expect("a small table");
        let mut control = Control::new(Limits { nodes: Some(40_000), time: None });
        let algorithm = Algorithm::Dfpn(settings(Sums::Plain));
        let outcome = search(&self.problem, &algorithm, &table, &mut control);
        outcome.value().is_some() && outcome.nodes > 4_000
    }

    fn any(seed: u64) -> Case {
        let graph = layered(seed);
        let at = |node| graph.position(node, Tokens::NONE).expect("a node").key();
        let keys = (0..graph.nodes().len()).map(at).collect();
        let habits =
            Habits { seed, late: seed & 1 != 0, numbers: seed & 2 != 0, look: seed & 4 != 0 };
        let problem = graph.start().with_habits(habits);
        Case { seed, truth: Fixpoint::of(&graph), graph, problem, keys }
    }

    fn expected(&self) -> Value {
        self.truth.value(self.graph.root(), self.graph.stock())
    }

    /// Every position of the graph that the table takes for solved is what the fixpoint says.
    /// Gives how many there are.
    fn compare(&self, table: &Table) -> usize {
        match self.graph.repetition() {
            // Searched with the roles exchanged, so the table has it that way too.
            Repetition::FavoursAttacker => self.compare_with(table, Reversed, Value::other),
            _ => self.compare_with(table, |tokens| tokens, |value| value),
        }
    }

    fn compare_with<S: Stock>(
        &self,
        table: &Table,
        stock: impl Fn(Tokens) -> S,
        seen: impl Fn(Value) -> Value,
    ) -> usize {
        let mut solved = 0;
        for (node, &key) in self.keys.iter().enumerate() {
            for tokens in Tokens::all() {
                let Lookup::Solved(found) = table.lookup(key, stock(tokens), Plies::UNBOUNDED)
                else {
                    continue;
                };
                let truth = self.truth.value(node, tokens);
                assert_eq!(seen(found.value), truth, "node {node}, {tokens:?}, {self}");
                solved += 1;
            }
        }
        solved
    }
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "graph {}", self.seed)
    }
}

/// Tells what a test does next.
type Tell<'a> = &'a dyn Fn(String);

/// Runs a test on a thread of its own and fails if it does not end. The time begins anew whenever
/// it tells what it does next.
fn watched(test: impl FnOnce(Tell<'_>) + Send + 'static) {
    let (told, news) = mpsc::channel();
    let thread = std::thread::spawn(move || {
        test(&|what| told.send(what).expect("somebody listens"));
    });
    let mut last = String::new();
    loop {
        match news.recv_timeout(PATIENCE) {
            Ok(what) => last = what,
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("this hangs: {last}"),
        }
    }
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// What became of the searches of a test.
#[derive(Debug, Default)]
struct Tally {
    stopped: usize,
    limited: usize,
    solved: usize,
    /// Searches to the end that followed, and those of them that gave up.
    finishes: usize,
    given_up: usize,
    /// Solved positions that were left in the table, over all looks.
    facts: usize,
    slowest: Duration,
}

/// Stops one search at a random moment: by the flag, from another thread or from the beginning, or
/// by a limit on nodes. Gives whether it was solved before.
fn stop_once(
    case: &Case,
    algorithm: &Algorithm,
    table: &Table,
    random: &mut SplitMix64,
    tally: &mut Tally,
) -> bool {
    let mut control = Control::default();
    let by_flag = random.percent(50);
    let outcome = if by_flag {
        let (stop, wait) =
            (control.stop.clone(), Duration::from_micros(random.below(3_000) as u64));
        let (outcome, took) = std::thread::scope(|scope| {
            let raise = scope.spawn(move || {
                std::thread::sleep(wait);
                stop.raise();
                Instant::now()
            });
            let outcome = search(&case.problem, algorithm, table, &mut control);
            let end = Instant::now();
            let raised = raise.join().expect("the flag is raised");
            (outcome, end.saturating_duration_since(raised))
        });
        assert!(took < HEED, "{case}, {algorithm:?}: went on for {took:?} after the stop");
        tally.slowest = tally.slowest.max(took);
        outcome
    } else {
        control.limits.nodes = Some(1 << random.below(13));
        search(&case.problem, algorithm, table, &mut control)
    };
    match outcome.verdict {
        Verdict::Unknown(Reason::Stopped) if by_flag => tally.stopped += 1,
        Verdict::Unknown(Reason::Nodes) if !by_flag => tally.limited += 1,
        Verdict::Unknown(reason) => panic!("{case}, {algorithm:?}: {reason:?}"),
        verdict => {
            assert_eq!(verdict, case.expected().into(), "{case}, {algorithm:?}");
            tally.solved += 1;
        }
    }
    tally.facts += case.compare(table);
    outcome.value().is_some()
}

/// A search to the end on a table that stopped searches have filled. Results that lean on
/// ancestors can make a search of such a graph very long, on one thread as on many, and so can
/// writing its certificate; then it may give up.
fn finish(case: &Case, algorithm: &Algorithm, table: &Table, tally: &mut Tally, tell: Tell<'_>) {
    tell(format!("a search of {case} to the end"));
    let mut control = Control::new(Limits { nodes: Some(200_000), time: None });
    let outcome = search(&case.problem, algorithm, table, &mut control);
    tell(format!("after the end of {case}"));
    case.compare(table);
    tally.finishes += 1;
    if outcome.verdict == Verdict::Unknown(Reason::Nodes) {
        tally.given_up += 1;
        return;
    }
    let value = case.expected();
    assert_eq!(outcome.verdict, value.into(), "{case}, {algorithm:?}");
    let Algorithm::Team(settings, _) = *algorithm else { panic!("a team") };
    tell(format!("the certificate of {case}"));
    let mut file = Vec::new();
    let (stop, (done, is_done)) = (Stop::new(), mpsc::channel::<()>());
    let written = std::thread::scope(|scope| {
        let late = stop.clone();
        scope.spawn(move || {
            if is_done.recv_timeout(LONG).is_err() {
                late.raise();
            }
        });
        let written = write(
            Claim::new(&case.problem, value, outcome.plies),
            settings,
            table,
            &stop,
            &mut file,
        );
        // Nobody listens any more if it was late.
        let _ = done.send(());
        written
    });
    match written {
        Err(WriteError::Stopped) => {
            tally.given_up += 1;
            return;
        }
        written => drop(written.unwrap_or_else(|error| panic!("{case}, {algorithm:?}: {error}"))),
    }
    check(Claim::new(&case.problem, value, outcome.plies), &mut file.as_slice())
        .unwrap_or_else(|error| panic!("{case}, {algorithm:?}: {error}"));
}

fn stop_at_random(scheme: Scheme, stops: usize, seeds: u64) {
    watched(move |tell| {
        let mut tally = Tally::default();
        let random = &mut SplitMix64::new(seeds);
        for seed in (0..stops.div_ceil(EACH) as u64).map(|n| seeds + n) {
            tell(format!("making graph {seed}"));
            let case = Case::new(seed);
            // Some tables are so small that garbage is collected all the time.
            let mut table =
                Table::new(if seed % 2 == 0 { 1 << 16 } else { 1 << 20 }).expect("a small table");
            let sums = [Sums::Plain, Sums::Dag, Sums::Weak][seed as usize % 3];
            let algorithm = Algorithm::Team(settings(sums), scheme);
            for n in 0..EACH.min(stops) {
                // Now from nothing, now from what the one before has left.
                tell(format!("stop {n} of {case}"));
                let solved = stop_once(&case, &algorithm, &table, random, &mut tally);
                if n % AGAIN == 0 {
                    finish(&case, &algorithm, &table, &mut tally, tell);
                }
                if solved || n % AGAIN == 0 || random.percent(30) {
                    table.clear();
                }
            }
        }
        println!("{scheme:?}: {tally:?}");
        let Tally { stopped, limited, finishes, given_up, .. } = tally;
        assert!((stopped + limited) * 10 >= stops, "most were done before the stop: {tally:?}");
        assert!(given_up * 10 <= finishes, "{tally:?}");
    });
}

fn paths(text: &str) -> Scheme {
    Scheme::Paths(Paths { quantum: 50, ..Paths::new(text.parse().expect("an assignment")) })
}

#[test]
fn virtual_numbers_on_eight_threads() {
    stop_at_random(Scheme::Virtual(Agents::on_threads(8)), stops(), 0);
}

#[test]
fn pseudo_threads_on_two_processors() {
    stop_at_random(paths("L,S|S,S"), stops() / FEWER, 10_000);
}

#[test]
fn pincers_on_three_processors() {
    stop_at_random(paths("L|S|S"), stops() / FEWER, 20_000);
}

/// The same table under two searches at once, one of which is stopped: the other does not mind.
#[test]
fn a_stop_is_nobody_elses_business() {
    let stops = stops() / 20;
    watched(move |tell| {
        let random = &mut SplitMix64::new(7);
        for seed in 30_000..30_000 + stops as u64 {
            tell(format!("making graph {seed}"));
            let case = Case::new(seed);
            let table = Table::new(1 << 16).expect("a small table");
            let scheme = Scheme::Virtual(Agents::on_threads(2));
            let algorithm = Algorithm::Team(settings(Sums::Plain), scheme);
            tell(format!("two searches of {case}"));
            std::thread::scope(|scope| {
                scope.spawn(|| finish(&case, &algorithm, &table, &mut Tally::default(), &|_| {}));
                stop_once(&case, &algorithm, &table, random, &mut Tally::default());
            });
        }
    });
}

/// The look at the table is not blind: a false fact, put there on purpose, is found.
#[test]
#[should_panic(expected = "node 0")]
fn a_false_fact_is_found() {
    let case = Case::new(1);
    let table = Table::new(1 << 16).expect("a small table");
    let value = case.truth.value(0, Tokens::NONE).other();
    let lie = Solved { value, stock: Tokens::NONE, plies: Plies::UNBOUNDED };
    table.store_solved(case.keys[0], lie, 1);
    case.compare(&table);
}

/// Keys of the mirror are those of the problem: what [`Case::compare`] counts on.
#[test]
fn a_mirror_has_the_same_keys() {
    let case = Case::new(0);
    assert_eq!(Mirror(case.problem.clone()).key(), case.problem.key());
    assert_eq!(case.problem.key(), case.keys[case.graph.root()]);
}
