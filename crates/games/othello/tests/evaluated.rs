//! The count of positions that the game evaluates, beside a game that counts them itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use andor::{
    Agents, Algorithm, Assignment, Control, Dfpn, Evaluation, Key, MoveList, NodeKind, Paths,
    PnSearch, Problem, Repetition, Rules, Scheme, Table, Value, Virtual, search,
};
use yomikiri_othello::{ExpertOthello, Goal, random_position};

type Move = <ExpertOthello as Rules>::Move;

/// Othello that counts how often it is asked, and how many nodes its small solver takes then.
#[derive(Clone)]
struct Counting {
    othello: ExpertOthello,
    calls: Arc<AtomicU64>,
    nodes: Arc<AtomicU64>,
}

impl Counting {
    fn new(seed: u64) -> Counting {
        let othello = ExpertOthello::new(random_position(seed, 47), Goal::Wins);
        Counting { othello, calls: Arc::default(), nodes: Arc::default() }
    }
}

impl Rules for Counting {
    type Move = Move;
    type Undo = <ExpertOthello as Rules>::Undo;
    type Stock = ();
    type Identity = <ExpertOthello as Rules>::Identity;

    fn kind(&self) -> NodeKind {
        self.othello.kind()
    }
    fn repetition(&self) -> Repetition {
        self.othello.repetition()
    }
    fn terminal(&self) -> Option<Value> {
        self.othello.terminal()
    }
    fn legal_moves(&self, moves: &mut Vec<Move>) {
        self.othello.legal_moves(moves);
    }
    fn play(&mut self, m: Move) -> Self::Undo {
        self.othello.play(m)
    }
    fn undo(&mut self, m: Move, undo: Self::Undo) {
        self.othello.undo(m, undo);
    }
    fn identity(&self) -> Self::Identity {
        self.othello.identity()
    }
    fn stock(&self) {}
    fn encode_move(m: Move) -> u32 {
        ExpertOthello::encode_move(m)
    }
    fn describe_move(&self, m: Move) -> String {
        self.othello.describe_move(m)
    }
}

impl Problem for Counting {
    fn key(&self) -> Key {
        self.othello.key()
    }
    fn moves(&mut self, list: &mut MoveList<Move>, scratch: &mut Vec<Move>) {
        self.othello.moves(list, scratch);
    }
    fn evaluate(&mut self) -> Evaluation<()> {
        let evaluation = self.othello.evaluate();
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.nodes.fetch_add(evaluation.nodes().into(), Ordering::Relaxed);
        evaluation
    }
}

#[test]
fn every_search_counts_what_the_game_evaluates() {
    let dfpn = Dfpn::default();
    let agents = Agents { count: 3, numbers: Virtual::Usual, turns: Some(20) };
    let paths = Paths { quantum: 20, ..Paths::new(Assignment::one_processor(2)) };
    let algorithms = [
        ("one agent", Algorithm::Dfpn(dfpn)),
        ("a team in turns", Algorithm::Team(dfpn, Scheme::Virtual(agents))),
        ("a team on threads", Algorithm::Team(dfpn, Scheme::Virtual(Agents::on_threads(3)))),
        ("leader and workers", Algorithm::Team(dfpn, Scheme::Paths(paths))),
        ("PN-search", Algorithm::Pn(PnSearch { bytes: 64 << 20, ..PnSearch::default() })),
    ];
    let (mut proven, mut solver) = (0, 0);
    for seed in 0..6 {
        for (name, algorithm) in &algorithms {
            let problem = Counting::new(seed);
            let table = Table::new(1 << 20).expect("a table");
            let outcome = search(&problem, algorithm, &table, &mut Control::default());
            let count = |count: &AtomicU64| count.load(Ordering::Relaxed);
            let (calls, nodes) = (count(&problem.calls), count(&problem.nodes));
            assert_eq!(outcome.evaluated, calls + nodes, "{name}, seed {seed}");
            assert!(calls > outcome.iterations, "{name}, seed {seed}: more looked at than entered");
            proven += u32::from(outcome.value().expect("a verdict") == Value::Proven);
            solver += nodes;
        }
    }
    assert!(proven > 0 && proven < 30, "{proven} proven");
    assert!(solver > 0, "the small solver was asked too");
}

#[test]
fn without_first_numbers_nothing_is_evaluated() {
    let dfpn = Dfpn { first_numbers: false, ..Dfpn::default() };
    let pn = PnSearch { heuristics: false, bytes: 64 << 20, ..PnSearch::default() };
    for algorithm in [Algorithm::Dfpn(dfpn), Algorithm::Pn(pn)] {
        let problem = Counting::new(1);
        let table = Table::new(1 << 20).expect("a table");
        let outcome = search(&problem, &algorithm, &table, &mut Control::default());
        assert!(outcome.value().is_some() && outcome.iterations > 0, "{algorithm:?}");
        let calls = problem.calls.load(Ordering::Relaxed);
        assert_eq!((outcome.evaluated, calls), (0, 0), "{algorithm:?}");
    }
}
