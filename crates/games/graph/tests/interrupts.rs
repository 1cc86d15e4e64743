//! Searches that are interrupted at every look they take, one by one: each goes on as if nothing had
//! happened, to the same answer by the same number of nodes.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use andor::certificate::{CheckError, Checking, Format, check, check_within, write};
use andor::{
    Agent, Claim, Dfpn, Evaluation, Interrupted, Key, Mirror, MoveList, NodeKind, Plies, Problem,
    Pulse, Repetition, Rules, Step, Stop, Sums, Table, Value,
};
use yomikiri_graph::fixpoint::Fixpoint;
use yomikiri_graph::{GraphPosition, Habits, Tokens, random};

/// When a game interrupts the search that asks it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum When {
    /// While it looks: the look fails.
    Inside,
    /// While it looks, but it does not notice: the look is complete.
    After,
}

/// A position that raises the flag at one look.
#[derive(Clone)]
struct Interrupting {
    position: GraphPosition,
    when: When,
    /// Looks until then.
    left: Arc<AtomicU64>,
    stop: Stop,
}

impl Interrupting {
    fn look(&self, when: When) {
        if self.when == when && self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.stop.raise();
        }
    }
}

impl Rules for Interrupting {
    type Move = u32;
    type Undo = (usize, Tokens);
    type Stock = Tokens;
    type Identity = usize;

    fn kind(&self) -> NodeKind {
        self.position.kind()
    }
    fn repetition(&self) -> Repetition {
        self.position.repetition()
    }
    fn terminal(&self) -> Option<Value> {
        self.position.terminal()
    }
    fn legal_moves(&self, moves: &mut Vec<u32>) {
        self.position.legal_moves(moves);
    }
    fn play(&mut self, m: u32) -> Self::Undo {
        self.position.play(m)
    }
    fn undo(&mut self, m: u32, undo: Self::Undo) {
        self.position.undo(m, undo);
    }
    fn identity(&self) -> usize {
        self.position.identity()
    }
    fn stock(&self) -> Tokens {
        self.position.stock()
    }
    fn encode_move(m: u32) -> u32 {
        m
    }
    fn describe_move(&self, m: u32) -> String {
        self.position.describe_move(m)
    }
}

impl Problem for Interrupting {
    fn key(&self) -> Key {
        self.position.key()
    }
    fn moves(&mut self, list: &mut MoveList<u32>, scratch: &mut Vec<u32>) {
        self.position.moves(list, scratch);
    }
    fn prepare(&mut self, pulse: &Pulse) -> Result<(), Interrupted> {
        self.look(When::Inside);
        if self.when == When::Inside { pulse.check() } else { Ok(()) }
    }
    fn evaluate(&mut self) -> Evaluation<Tokens> {
        self.look(When::After);
        self.position.evaluate()
    }
    fn cost(&self, m: u32) -> (u32, u32) {
        self.position.cost(m)
    }
    fn proof_stock_before(&self, m: u32, after: Tokens) -> Tokens {
        self.position.proof_stock_before(m, after)
    }
    fn disproof_stock_before(&self, m: u32, after: Tokens) -> Tokens {
        self.position.disproof_stock_before(m, after)
    }
    fn proof_stock_here(&self, joined: Tokens) -> Tokens {
        self.position.proof_stock_here(joined)
    }
    fn disproof_stock_here(&self, met: Tokens) -> Tokens {
        self.position.disproof_stock_here(met)
    }
    fn largest_stock(&self) -> Tokens {
        self.position.largest_stock()
    }
    fn least_stock(&self) -> Tokens {
        self.position.least_stock()
    }
}

/// What a search came to.
#[derive(Debug, PartialEq)]
struct Run {
    value: Value,
    plies: Plies,
    nodes: u64,
    entered: u64,
    stored: usize,
}

/// Searches to the end, going on after each interruption. Gives how many there were.
fn run<P: Problem>(problem: P, dfpn: Dfpn, stop: &Stop) -> (Run, u64) {
    stop.lower();
    let table = Table::new(1 << 16).expect("a small table");
    let mut agent = Agent::new(problem, dfpn, &table, stop.clone());
    let mut interruptions = 0;
    while agent.run(1_000) != Step::Solved {
        interruptions += u64::from(stop.is_raised());
        stop.lower();
    }
    let solved = agent.result().expect("it is solved");
    let run = Run {
        value: solved.value,
        plies: solved.plies,
        nodes: agent.nodes(),
        entered: agent.entered(),
        stored: table.stored(),
    };
    (run, interruptions)
}

#[test]
fn an_interrupted_search_goes_on_as_if_nothing_had_happened() {
    let mut interruptions = 0;
    for seed in 0..400 {
        let graph = random::any(12, seed);
        let habits =
            Habits { seed, late: seed & 1 != 0, numbers: seed & 2 != 0, look: seed & 4 != 0 };
        let position = graph.start().with_habits(habits);
        let expected = Fixpoint::of(&graph).value(graph.root(), graph.stock());
        let usual = Dfpn::default();
        for dfpn in [
            usual,
            Dfpn { sums: Sums::Dag, ..usual },
            Dfpn { sums: Sums::Weak, ..usual },
            Dfpn { deep: 0.7, ..usual },
            Dfpn { plies: Plies::at_most(7), horizon: 4, ..usual },
        ] {
            for when in [When::Inside, When::After] {
                let run_to = |at: u64| {
                    let (left, stop) = (Arc::new(AtomicU64::new(at)), Stop::new());
                    let position = position.clone();
                    let problem = Interrupting { position, when, left: left.clone(), stop };
                    let stop = problem.stop.clone();
                    let result = match graph.repetition() {
                        Repetition::FavoursAttacker => run(Mirror(problem), dfpn, &stop),
                        _ => run(problem, dfpn, &stop),
                    };
                    (result, at.wrapping_sub(left.load(Ordering::Relaxed)))
                };
                let ((undisturbed, none), looks) = run_to(u64::MAX);
                assert_eq!(none, 0);
                let value = match graph.repetition() {
                    Repetition::FavoursAttacker => undisturbed.value.other(),
                    _ => undisturbed.value,
                };
                if !dfpn.plies.is_bounded() {
                    assert_eq!(value, expected, "seed {seed}\n{graph}");
                }
                for at in (1..=looks).take(200) {
                    let ((disturbed, count), _) = run_to(at);
                    interruptions += count;
                    assert_eq!(
                        disturbed, undisturbed,
                        "look {at}, {when:?}, {dfpn:?}, seed {seed}"
                    );
                }
            }
        }
    }
    println!("{interruptions} interruptions");
    assert!(interruptions > 10_000, "{interruptions}");
}

/// A certificate that raises a flag when so much of it was read.
struct Raising<'a> {
    rest: &'a [u8],
    left: usize,
    stop: Stop,
}

impl Read for Raising<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            self.stop.raise();
        }
        self.left = self.left.saturating_sub(1);
        self.rest.read(buffer)
    }
}

#[test]
fn a_check_ends_with_the_flag_or_the_time_and_says_so() {
    let mut ended_early = 0;
    for seed in 0..300 {
        let graph = random::any(40, seed);
        let root = graph.start();
        let table = Table::new(1 << 16).expect("a small table");
        let value = Fixpoint::of(&graph).value(graph.root(), graph.stock());
        let claim = Claim::new(&root, value, Plies::UNBOUNDED);
        let mut file = Vec::new();
        write(claim, Dfpn::default(), &table, &Stop::new(), &mut file).expect("written");
        let accepted = check(claim, &mut file.as_slice()).expect("accepted");
        let late = Pulse::new(Stop::new()).with_deadline(Some(Instant::now()));
        let result = check_within(claim, &late, &mut file.as_slice());
        assert!(matches!(result, Err(CheckError::Stopped(0))), "seed {seed}: {result:?}");
        for left in 0..file.len() {
            let stop = Stop::new();
            let mut input = Raising { rest: &file, left, stop: stop.clone() };
            let pulse = Pulse::new(stop.clone());
            let mut checking = Checking::new(claim, Format::LATEST).expect("a checker");
            match checking.run(&pulse, &mut input) {
                // It was behind the last record.
                Ok(checked) => assert_eq!(checked, accepted),
                Err(CheckError::Stopped(positions)) => {
                    assert!(positions <= accepted.positions);
                    ended_early += usize::from(positions < accepted.positions);
                    stop.lower();
                    let went_on = checking.run(&pulse, &mut input.rest);
                    assert_eq!(went_on.ok(), Some(accepted), "seed {seed}, after {left} reads");
                }
                Err(error) => panic!("seed {seed}, after {left} reads: {error}"),
            }
        }
    }
    println!("{ended_early} checks ended early");
    assert!(ended_early > 500, "{ended_early}");
}
