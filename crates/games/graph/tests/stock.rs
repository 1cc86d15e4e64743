//! The stock: more tokens never hurt, and every hook against brute force over all token counts.

use andor::{Evaluation, NodeKind, Problem, Rules, Stock, Value};
use yomikiri_graph::fixpoint::Fixpoint;
use yomikiri_graph::{Graph, GraphPosition, Habits, Tokens, random};

/// All positions of some random graphs.
fn positions(graphs: u64) -> impl Iterator<Item = GraphPosition> {
    (0..graphs).flat_map(|seed| {
        let graph = random::any(10, seed);
        let nodes = 0..graph.nodes().len();
        let all = nodes.flat_map(|node| Tokens::all().map(move |tokens| (node, tokens)));
        all.filter_map(move |(node, tokens)| graph.position(node, tokens)).collect::<Vec<_>>()
    })
}

fn legal(position: &GraphPosition) -> Vec<u32> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// The tokens after a move with `stock` at the node of `position`, if it is legal then.
fn after(position: &GraphPosition, stock: Tokens, m: u32) -> Option<Tokens> {
    let mut there = position.graph().position(position.identity(), stock)?;
    legal(&there).contains(&m).then(|| {
        there.play(m);
        there.stock()
    })
}

#[test]
fn more_tokens_never_hurt_the_attacker() {
    for seed in 0..2_000 {
        let graph = random::any(14, seed);
        let solved = Fixpoint::of(&graph);
        for node in 0..graph.nodes().len() {
            for (less, more) in Tokens::all().zip(Tokens::all().skip(1)) {
                let place = format!("node {node}, {more:?}, seed {seed}\n{graph}");
                if solved.value(node, less) == Value::Proven {
                    assert_eq!(solved.value(node, more), Value::Proven, "{place}");
                }
                if let Some(plies) = solved.plies(node, less) {
                    assert!(
                        solved.plies(node, more).is_some_and(|fewer| fewer <= plies),
                        "{place}"
                    );
                }
                if let Some(plies) = solved.disproof_plies(node, more) {
                    assert!(
                        solved.disproof_plies(node, less).is_some_and(|fewer| fewer <= plies),
                        "{place}"
                    );
                }
            }
        }
    }
}

#[test]
fn tokens_are_a_lattice() {
    for a in Tokens::all() {
        assert_eq!(Tokens::unpack(a.pack()), a);
        for b in Tokens::all() {
            assert_eq!(a.within(b), a.join(b) == b);
            assert_eq!(a.within(b), a.meet(b) == a);
        }
    }
    assert_eq!(Tokens::unpack(u32::MAX), Tokens::MOST);
}

/// A search asks for the stock before a move only with a stock after it that the move played here
/// bears out, so some stock always answers.
#[test]
fn stock_before_a_move_is_exact() {
    let mut asked = 0;
    for position in positions(500) {
        for m in legal(&position) {
            let here = after(&position, position.stock(), m).unwrap();
            for bound in Tokens::all() {
                let place =
                    || format!("{position}, move {m}, after {bound:?}\n{}", position.graph());
                if bound.within(here) {
                    let least = Tokens::all().find(|&stock| {
                        after(&position, stock, m).is_some_and(|left| left >= bound)
                    });
                    assert_eq!(Some(position.proof_stock_before(m, bound)), least, "{}", place());
                    asked += 1;
                }
                if here.within(bound) {
                    let most = Tokens::all().rev().find(|&stock| {
                        after(&position, stock, m).is_some_and(|left| left <= bound)
                    });
                    assert_eq!(Some(position.disproof_stock_before(m, bound)), most, "{}", place());
                    asked += 1;
                }
            }
        }
    }
    assert!(asked > 100_000);
}

/// At an AND node, the least stock, not less than `joined`, with which the defender has no move
/// that he does not have now; at an OR node, the other way round.
#[test]
fn stock_here_is_exact() {
    for position in positions(500) {
        let now = legal(&position);
        let no_more = |&stock: &Tokens| {
            let there = position.graph().position(position.identity(), stock).unwrap();
            legal(&there).iter().all(|m| now.contains(m))
        };
        for bound in Tokens::all() {
            let place = || format!("{position}, {bound:?}\n{}", position.graph());
            match position.kind() {
                NodeKind::And if bound.within(position.stock()) => {
                    let least = Tokens::all().filter(|&stock| bound.within(stock)).find(no_more);
                    assert_eq!(Some(position.proof_stock_here(bound)), least, "{}", place());
                }
                NodeKind::Or if position.stock().within(bound) => {
                    let most =
                        Tokens::all().rev().filter(|&stock| stock.within(bound)).find(no_more);
                    assert_eq!(Some(position.disproof_stock_here(bound)), most, "{}", place());
                }
                _ => {}
            }
        }
    }
}

/// What `evaluate` sees holds with every stock that it claims, within the plies that it claims.
#[test]
fn verdicts_without_search_are_right() {
    let mut seen = [0, 0];
    for position in positions(500) {
        let habits = Habits { look: true, numbers: true, ..Habits::default() };
        let mut position = position.with_habits(habits);
        let before = position.clone();
        let evaluation = position.evaluate();
        assert_eq!(position, before);
        match evaluation {
            Evaluation::Open { pn, dn, .. } => {
                assert!((1..=4).contains(&pn) && (1..=4).contains(&dn))
            }
            Evaluation::Solved { value, stock, plies, .. } => {
                let solved = Fixpoint::of(position.graph());
                let node = position.identity();
                match value {
                    Value::Proven => assert!(stock.within(position.stock())),
                    Value::Disproven => assert!(position.stock().within(stock)),
                }
                let place = format!("{position}: {evaluation:?}\n{}", position.graph());
                assert_eq!(solved.value(node, stock), value, "{place}");
                if value == Value::Proven {
                    assert_eq!(solved.plies(node, position.stock()), Some(plies), "{place}");
                    assert!(
                        solved.plies(node, stock).is_some_and(|fewer| fewer <= plies),
                        "{place}"
                    );
                }
                if position.terminal() == Some(Value::Proven) {
                    assert_eq!(stock, Tokens::NONE);
                }
                if position.terminal() == Some(Value::Disproven) {
                    assert_eq!(stock, Tokens::MOST);
                }
                seen[usize::from(position.terminal().is_none())] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 1_000), "{seen:?}");
}

/// The look ahead combines the stocks of the children: here the least of what they bear, 2 and 4.
#[test]
fn a_verdict_without_search_combines_stocks() {
    let graph: Graph = "graph\na or b c d\nb or e-3\nc or e-5\nd lose\ne win".parse().unwrap();
    let mut seen = 0;
    for seed in 0..20 {
        let habits = Habits { look: true, seed, ..Habits::default() };
        let mut position = graph.start().with_habits(habits);
        if let Evaluation::Solved { value, stock, .. } = position.evaluate() {
            assert_eq!((value, stock), (Value::Disproven, Tokens::new(2)));
            seen += 1;
        }
    }
    assert!(seen > 0);
}

#[test]
fn keys_tell_nodes_and_graphs_apart_but_not_stocks() {
    let graph: Graph = "graph\na or b\nb win".parse().unwrap();
    let other: Graph = "graph\na or b\nb lose".parse().unwrap();
    let key =
        |graph: &Graph, node, tokens| graph.position(node, Tokens::new(tokens)).unwrap().key();
    assert_eq!(key(&graph, 0, 0), key(&graph, 0, 5));
    assert_ne!(key(&graph, 0, 0), key(&graph, 1, 0));
    assert_ne!(key(&graph, 0, 0), key(&other, 0, 0));
}
