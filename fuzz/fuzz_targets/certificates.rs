//! Any bytes as a certificate: it is checked or refused without a panic; and what the checker
//! accepts is true, by the fixpoint of a graph, or by a search of its own.
#![no_main]

use andor::certificate::{Header, check};
use andor::{
    Algorithm, Control, Dfpn, Limits, Plies, Problem, Repetition, Rules, Table, Value, search,
};
use libfuzzer_sys::fuzz_target;
use yomikiri_chess::{Goal as ChessGoal, Mates, Position as ChessPosition, Status};
use yomikiri_graph::Graph;
use yomikiri_graph::fixpoint::Fixpoint;
use yomikiri_hex::{Hex, Side};
use yomikiri_othello::{Goal, Othello, Position as OthelloPosition};
use yomikiri_shogi::Position as ShogiPosition;
use yomikiri_tsume::{Futile, Tsume};

/// Larger graphs take the fixpoint too long.
const LARGEST_GRAPH: usize = 40;
/// A search for the truth gives up then.
const NODES: u64 = 2_000;

fuzz_target!(|bytes: &[u8]| {
    let mut input = bytes;
    let Ok(header) = Header::read(&mut input) else { return };
    let mut written = Vec::new();
    header.write(&mut written).expect("memory can be written to");
    let again = Header::read(&mut written.as_slice()).expect("it was written");
    assert_eq!(again.claim.value, header.claim.value);
    let problem = header.claim.problem.as_str();
    let (text, goal) = match problem.rsplit_once(" goal ") {
        Some((text, goal)) => (text, Some(goal)),
        None => (problem, None),
    };
    match header.game.as_str() {
        "graph" => {
            if let Ok(graph) = problem.parse::<Graph>() {
                judge_graph(&graph, &header, input);
            }
        }
        "othello" => {
            let goal = Goal::parse(goal.unwrap_or("win"));
            if let (Ok(position), Ok(goal)) = (OthelloPosition::parse(text), goal) {
                judge(&Othello::new(position, goal), &header, input);
            }
        }
        "hex" => {
            if let Ok(hex) = text.parse::<Hex>() {
                let attacker = match goal {
                    Some("B") => Side::Black,
                    Some("W") => Side::White,
                    _ => hex.to_move(),
                };
                judge(&hex.with_attacker(attacker), &header, input);
            }
        }
        "chess" => {
            if let Ok(position) = ChessPosition::from_fen(text)
                && position.status() == Status::Ongoing
            {
                let goal = if goal == Some("checks") { ChessGoal::Checks } else { ChessGoal::Mate };
                judge(&Mates::new(&position, goal), &header, input);
            }
        }
        "shogi" => {
            if let Ok(position) = ShogiPosition::from_sfen(text) {
                let counted = goal == Some("mate-counted");
                let futile = if counted { Futile::Counted } else { Futile::NotCounted };
                judge(&Tsume::new(position).with_futile(futile), &header, input);
            }
        }
        _ => {}
    }
});

fn is_accepted<R: Rules>(root: &R, header: &Header, mut body: &[u8]) -> bool {
    check(header.claim.about(root), &mut body).is_ok()
}

/// A graph has few positions, and all their values are known.
fn judge_graph(graph: &Graph, header: &Header, body: &[u8]) {
    if graph.nodes().len() > LARGEST_GRAPH || !is_accepted(&graph.start(), header, body) {
        return;
    }
    let fixpoint = Fixpoint::of(graph);
    let (root, stock) = (graph.root(), graph.stock());
    let value = fixpoint.value(root, stock);
    let mirrored = graph.repetition() == Repetition::FavoursAttacker;
    let within = |plies: Option<u16>| plies.is_some_and(|plies| header.claim.plies.allow(plies.into()));
    let is_true = match (header.claim.value, header.claim.plies) {
        (claimed, Plies::UNBOUNDED) => value == claimed,
        (Value::Proven, _) => within(fixpoint.plies(root, stock)),
        (Value::Disproven, _) if mirrored => within(fixpoint.disproof_plies(root, stock)),
        (Value::Disproven, _) => !within(fixpoint.plies(root, stock)),
    };
    assert!(is_true, "{header:?} is accepted, and is not true");
}

fn judge<P: Problem>(problem: &P, header: &Header, body: &[u8]) {
    if !is_accepted(problem, header, body) {
        return;
    }
    let table = Table::new(1 << 20).expect("a small table");
    let dfpn = Dfpn { plies: header.claim.plies, ..Dfpn::default() };
    let mut control = Control::new(Limits { nodes: Some(NODES), ..Limits::default() });
    let outcome = search(problem, &Algorithm::Dfpn(dfpn), &table, &mut control);
    let is_true = outcome.value().is_none_or(|value| value == header.claim.value);
    assert!(is_true, "{header:?} is accepted, and a search says otherwise");
}
