//! Searches that are interrupted at every look they take, one by one: each goes on as if nothing had
//! happened, to the same answer by the same number of nodes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use andor::{
    Agent, Dfpn, Evaluation, Interrupted, Key, Mirror, MoveList, NodeKind, Plies, Problem, Pulse,
    Repetition, Rules, Step, Stop, Sums, Table, Value,
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
        for (sums, deep) in
            [(Sums::Plain, 1.0), (Sums::Dag, 1.0), (Sums::Weak, 1.0), (Sums::Plain, 0.7)]
        {
            let dfpn = Dfpn { sums, deep, ..Dfpn::default() };
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
                assert_eq!(value, expected, "seed {seed}\n{graph}");
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
