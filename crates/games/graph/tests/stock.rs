//! The stock: more tokens never hurt, and every hook against brute force over all stocks.

use std::collections::HashSet;

use andor::{Evaluation, NodeKind, Problem, Rules, Stock, Value};
use yomikiri_graph::fixpoint::Fixpoint;
use yomikiri_graph::{Graph, GraphPosition, Habits, Tokens, random};

/// All positions of a graph.
fn positions(graph: &Graph) -> Vec<GraphPosition> {
    let nodes = 0..graph.nodes().len();
    let all = nodes.flat_map(|node| Tokens::all().map(move |tokens| (node, tokens)));
    all.filter_map(|(node, tokens)| graph.position(node, tokens)).collect()
}

/// All positions of some random graphs.
fn many_positions(graphs: u64) -> impl Iterator<Item = GraphPosition> {
    (0..graphs).flat_map(|seed| positions(&random::any(10, seed)))
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

/// The one among some stocks that is within all of them.
fn least(stocks: &[Tokens]) -> Option<Tokens> {
    stocks.iter().copied().find(|&one| stocks.iter().all(|&other| one.within(other)))
}

/// The one among some stocks that all of them are within.
fn greatest(stocks: &[Tokens]) -> Option<Tokens> {
    stocks.iter().copied().find(|&one| stocks.iter().all(|&other| other.within(one)))
}

/// Every stock with each that has one token more.
fn steps() -> Vec<(Tokens, Tokens)> {
    let size = |tokens: Tokens| tokens.count() + tokens.second();
    let pairs = Tokens::all().flat_map(|less| Tokens::all().map(move |more| (less, more)));
    pairs.filter(|&(less, more)| less.within(more) && size(more) == size(less) + 1).collect()
}

#[test]
fn more_tokens_never_hurt_the_attacker() {
    let steps = steps();
    assert_eq!(steps.len(), 15 * 4 + 16 * 3);
    for seed in 0..2_000 {
        let graph = random::any(14, seed);
        let solved = Fixpoint::of(&graph);
        for node in 0..graph.nodes().len() {
            for &(less, more) in &steps {
                let place = || format!("node {node}, {more:?}, seed {seed}\n{graph}");
                if solved.value(node, less) == Value::Proven {
                    assert_eq!(solved.value(node, more), Value::Proven, "{}", place());
                }
                if let Some(plies) = solved.plies(node, less) {
                    let quicker = solved.plies(node, more).is_some_and(|fewer| fewer <= plies);
                    assert!(quicker, "{}", place());
                }
                if let Some(plies) = solved.disproof_plies(node, more) {
                    let other = solved.disproof_plies(node, less);
                    assert!(other.is_some_and(|fewer| fewer <= plies), "{}", place());
                }
            }
        }
    }
}

#[test]
fn tokens_are_a_lattice() {
    let mut incomparable = 0;
    for a in Tokens::all() {
        assert_eq!(Tokens::unpack(a.pack()), a);
        for b in Tokens::all() {
            assert_eq!(a.within(b), a.join(b) == b);
            assert_eq!(a.within(b), a.meet(b) == a);
            let (above, below): (Vec<_>, Vec<_>) = (
                Tokens::all().filter(|&c| a.within(c) && b.within(c)).collect(),
                Tokens::all().filter(|&c| c.within(a) && c.within(b)).collect(),
            );
            assert_eq!((least(&above), greatest(&below)), (Some(a.join(b)), Some(a.meet(b))));
            incomparable += usize::from(!a.within(b) && !b.within(a));
        }
    }
    assert_eq!(Tokens::unpack(u32::MAX), Tokens::MOST);
    assert!(incomparable > 1_000);
}

/// Lines of play of random graphs come to one node with stocks of which neither is more.
#[test]
fn random_graphs_have_incomparable_stocks() {
    let mut graphs = 0;
    for seed in 0..2_000 {
        let graph = random::any(12, seed);
        let mut seen = HashSet::new();
        let mut open = vec![graph.start()];
        while let Some(position) = open.pop() {
            if !seen.insert((position.identity(), position.stock())) {
                continue;
            }
            for m in legal(&position) {
                let mut child = position.clone();
                child.play(m);
                open.push(child);
            }
        }
        let apart = |a: &(usize, Tokens), b: &(usize, Tokens)| {
            a.0 == b.0 && !a.1.within(b.1) && !b.1.within(a.1)
        };
        graphs += usize::from(seen.iter().any(|a| seen.iter().any(|b| apart(a, b))));
    }
    assert!(graphs > 30, "{graphs} of 2000");
}

/// A search asks for the stock before a move only with a stock after it that the move played here
/// bears out, so some stock always answers.
#[test]
fn stock_before_a_move_is_exact() {
    let mut asked = 0;
    for position in many_positions(60) {
        for m in legal(&position) {
            let here = after(&position, position.stock(), m).unwrap();
            let ways: Vec<(Tokens, Tokens)> = Tokens::all()
                .filter_map(|stock| Some((stock, after(&position, stock, m)?)))
                .collect();
            let stocks = |fits: &dyn Fn(Tokens) -> bool| -> Vec<Tokens> {
                ways.iter().filter(|(_, left)| fits(*left)).map(|(stock, _)| *stock).collect()
            };
            for bound in Tokens::all() {
                let place =
                    || format!("{position}, move {m}, after {bound:?}\n{}", position.graph());
                if bound.within(here) {
                    let least = least(&stocks(&|left| bound.within(left)));
                    assert_eq!(Some(position.proof_stock_before(m, bound)), least, "{}", place());
                    asked += 1;
                }
                if here.within(bound) {
                    let most = greatest(&stocks(&|left| left.within(bound)));
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
    for position in many_positions(60) {
        let now = legal(&position);
        let no_more: Vec<Tokens> = Tokens::all()
            .filter(|&stock| {
                let there = position.graph().position(position.identity(), stock).unwrap();
                legal(&there).iter().all(|m| now.contains(m))
            })
            .collect();
        let among = |fits: &dyn Fn(Tokens) -> bool| -> Vec<Tokens> {
            no_more.iter().copied().filter(|&stock| fits(stock)).collect()
        };
        for bound in Tokens::all() {
            let place = || format!("{position}, {bound:?}\n{}", position.graph());
            match position.kind() {
                NodeKind::And if bound.within(position.stock()) => {
                    let least = least(&among(&|stock| bound.within(stock)));
                    assert_eq!(Some(position.proof_stock_here(bound)), least, "{}", place());
                }
                NodeKind::Or if position.stock().within(bound) => {
                    let most = greatest(&among(&|stock| stock.within(bound)));
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
    for seed in 0..500 {
        let graph = random::any(10, seed);
        let solved = Fixpoint::of(&graph);
        for position in positions(&graph) {
            let habits = Habits { look: true, numbers: true, ..Habits::default() };
            let mut position = position.with_habits(habits);
            let before = position.clone();
            let evaluation = position.evaluate();
            assert_eq!(position, before);
            let Evaluation::Solved { value, stock, plies, .. } = evaluation else {
                let Evaluation::Open { pn, dn, .. } = evaluation else { continue };
                assert!((1..=4).contains(&pn) && (1..=4).contains(&dn));
                continue;
            };
            let node = position.identity();
            match value {
                Value::Proven => assert!(stock.within(position.stock())),
                Value::Disproven => assert!(position.stock().within(stock)),
            }
            let place = || format!("{position}: {evaluation:?}\n{graph}");
            assert_eq!(solved.value(node, stock), value, "{}", place());
            if value == Value::Proven {
                assert_eq!(solved.plies(node, position.stock()), plies.bounded(), "{}", place());
                let quicker =
                    solved.plies(node, stock).is_some_and(|fewer| plies.allow(fewer.into()));
                assert!(quicker, "{}", place());
            }
            match position.terminal() {
                Some(Value::Proven) => assert_eq!(stock, Tokens::NONE),
                Some(Value::Disproven) => assert_eq!(stock, Tokens::MOST),
                None => {}
            }
            seen[usize::from(position.terminal().is_none())] += 1;
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
            assert_eq!((value, stock), (Value::Disproven, Tokens::of(2, 3)));
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
