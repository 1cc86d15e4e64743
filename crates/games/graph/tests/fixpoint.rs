//! The fixpoint solver against small graphs worked out by hand and against plain minimax.

use andor::{NodeKind, Rules, Value};
use yomikiri_graph::fixpoint::Fixpoint;
use yomikiri_graph::{Graph, GraphPosition, Tokens, random};

fn solve(text: &str) -> (Value, Option<u16>) {
    let graph: Graph = text.parse().unwrap();
    let solved = Fixpoint::of(&graph);
    (solved.value(graph.root(), graph.stock()), solved.plies(graph.root(), graph.stock()))
}

#[test]
fn worked_out_by_hand() {
    use Value::*;
    let cases = [
        ("a win", Proven, Some(0)),
        ("a lose", Disproven, None),
        ("a or", Disproven, None),
        ("a and", Proven, Some(0)),
        ("a or a", Disproven, None),
        ("repetition attacker\na or a", Proven, None),
        ("repetition attacker\na or a b\nb win", Proven, Some(1)),
        ("repetition attacker\na and a b\nb lose", Disproven, None),
        ("a and a", Disproven, None),
        ("a and a b\nb win", Disproven, None),
        // The attacker's shortest win against the longest defence.
        ("a or b c\nb and d e\nc or d\nd or e\ne win", Proven, Some(3)),
        // A cycle with a way out for the attacker, and for the defender.
        ("a or b\nb and c\nc or a d\nd win", Proven, Some(3)),
        ("a and b\nb or c\nc and a d\nd lose", Disproven, None),
        // Two rounds pay the price.
        ("a or b+1 c-2\nb and a\nc win", Proven, Some(5)),
        ("stock 2\na or b+1 c-2\nb and a\nc win", Proven, Some(1)),
        ("a or b c-1\nb and a\nc win", Disproven, None),
        // The price decides the whole cycle, for the AND node in it, too.
        ("stock 5\nroot b\na or b c-5\nb and a\nc win", Proven, Some(2)),
        ("stock 4\nroot b\na or b c-5\nb and a\nc win", Disproven, None),
        // The defender's escape is closed by a second token.
        ("stock 1\na or b+1\nb and c d?1\nc win\nd lose", Proven, Some(2)),
        ("stock 0\na or b+1\nb and c d?1\nc win\nd lose", Disproven, None),
        // With his only move closed the defender has lost.
        ("stock 2\nb and d?1\nd lose", Proven, Some(0)),
        // The most is 15.
        ("a or a+9 b-15\nb win", Proven, Some(3)),
        ("a or b+15\nb or c-15\nc or d-1\nd win", Disproven, None),
        // A second kind pays for itself alone, can be traded, and closes other ways.
        ("stock 5\na or b-1b\nb win", Disproven, None),
        ("stock 1b\na or b-1b\nb win", Proven, Some(1)),
        ("stock 1\na or b-1+1b\nb or c-1b\nc win", Proven, Some(2)),
        ("stock 1\na or b-1+1b\nb or c-1\nc win", Disproven, None),
        ("a or a+1b b-3b\nb win", Proven, Some(4)),
        ("stock 9\na and b?0b\nb lose", Disproven, None),
        ("stock 1b\na and b?0b\nb lose", Proven, Some(0)),
    ];
    for (text, value, plies) in cases {
        assert_eq!(solve(&format!("graph\n{text}")), (value, plies), "{text}");
    }
}

#[test]
fn chains() {
    for plies in [0, 1, 2, 1_001] {
        let graph = random::chain(plies);
        let solved = Fixpoint::of(&graph);
        assert_eq!(solved.plies(graph.root(), graph.stock()), Some(plies as u16));
    }
}

/// Does the side that wants `goal` win within that many plies, without the help of repetition?
fn wins(position: &GraphPosition, goal: Value, plies: u16) -> bool {
    if let Some(value) = position.terminal() {
        return value == goal;
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    if plies == 0 {
        return moves.is_empty() && position.kind().goal() != goal;
    }
    let mut results = moves.into_iter().map(|m| {
        let mut child = position.clone();
        child.play(m);
        wins(&child, goal, plies - 1)
    });
    if position.kind().goal() == goal { results.any(|won| won) } else { results.all(|won| won) }
}

#[test]
fn agrees_with_minimax() {
    const DEEPEST: u16 = 6;
    let mut found = [0; DEEPEST as usize + 1];
    for seed in 0..400 {
        let graph = random::any(8, seed);
        let solved = Fixpoint::of(&graph);
        for node in 0..graph.nodes().len() {
            let stocks = [(0, 0), (1, 0), (2, 0), (5, 0), (14, 0), (0, 1), (1, 2), (3, 3)];
            for tokens in stocks.map(|(first, second)| Tokens::of(first, second)) {
                let position = graph.position(node, tokens).unwrap();
                let lengths = [
                    (Value::Proven, solved.plies(node, tokens)),
                    (Value::Disproven, solved.disproof_plies(node, tokens)),
                ];
                for (goal, length) in lengths {
                    let shortest = (0..=DEEPEST).find(|&plies| wins(&position, goal, plies));
                    assert_eq!(
                        shortest,
                        length.filter(|&length| length <= DEEPEST),
                        "{position}, seed {seed}\n{graph}"
                    );
                    if let Some(shortest) = shortest {
                        found[usize::from(shortest)] += 1;
                    }
                }
            }
        }
    }
    assert!(found.iter().all(|&count| count > 10), "{found:?}");
}

/// The generator makes what it is for: both values under both rules, with and without tokens, for
/// both sides to move, and roots that only the rule for repetition decides.
#[test]
fn random_graphs_are_varied() {
    let mut seen = std::collections::HashMap::new();
    let mut by_repetition = 0;
    for seed in 0..2_000 {
        let graph = random::any(14, seed);
        let solved = Fixpoint::of(&graph);
        let (root, stock) = (graph.root(), graph.stock());
        let feature = (
            solved.value(root, stock),
            graph.repetition(),
            graph.start().kind() == NodeKind::Or,
            Tokens::all().any(|tokens| solved.value(root, tokens) != solved.value(root, stock)),
        );
        *seen.entry(feature).or_insert(0) += 1;
        if solved.plies(root, stock).is_none() && solved.disproof_plies(root, stock).is_none() {
            by_repetition += 1;
        }
    }
    assert_eq!(seen.len(), 16, "{seen:#?}");
    assert!(seen.values().all(|&count| count >= 10), "{seen:#?}");
    assert!(by_repetition > 100, "{by_repetition}");
}
