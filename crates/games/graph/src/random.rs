//! Graphs by seed: small random ones to try searches on, and long chains.
//!
//! An edge goes forward (to a node of a higher index) or, with a chance given by the shape,
//! anywhere; the latter makes the cycles. Successors are drawn without regard to who is to move
//! there, so the sides do not always alternate, and shared nodes, double edges and edges to the
//! node itself all come up. Nodes without any edge come up where a node has no further one to go
//! forward to.

use andor::{Repetition, SplitMix64};

use crate::graph::{Edge, Graph, Node, Role};
use crate::tokens::Tokens;

/// What random graphs are to look like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// How many nodes, at least 1.
    pub nodes: usize,
    /// The most edges that a node has.
    pub edges: usize,
    /// The chance in percent that a node is a leaf.
    pub leaves: usize,
    /// The chance in percent that an edge may go anywhere, not only forward. With 0 there is no
    /// cycle.
    pub anywhere: usize,
    /// The chance in percent that an edge gains or costs tokens or has a limit. With 0 the attacker
    /// has no tokens at the root either.
    pub tokens: usize,
    /// The chance in percent that such tokens are of the second kind, and that an edge which costs
    /// tokens of one kind gives some of the other.
    pub second: usize,
    /// Which side a repeated position favours.
    pub repetition: Repetition,
}

impl Shape {
    /// A shape drawn at random, for 2 to `most_nodes` nodes; half of them without tokens, half of
    /// the others with tokens of both kinds, half with either rule for repetition.
    pub fn any(most_nodes: usize, random: &mut SplitMix64) -> Shape {
        Shape {
            // Not drawn, but taken from what is drawn next: graphs of one kind are what they always
            // were for their seeds.
            second: if SplitMix64::new(!random.clone().next_u64()).percent(50) { 50 } else { 0 },
            nodes: 2 + random.below(most_nodes.saturating_sub(1)),
            edges: 2 + random.below(3),
            leaves: 10 + random.below(30),
            anywhere: random.below(100),
            tokens: if random.percent(50) { 10 + random.below(60) } else { 0 },
            repetition: match random.percent(50) {
                true => Repetition::FavoursDefender,
                false => Repetition::FavoursAttacker,
            },
        }
    }
}

/// A random graph of 2 to `most_nodes` nodes, of a random shape.
pub fn any(most_nodes: usize, seed: u64) -> Graph {
    let mut random = SplitMix64::new(seed);
    let shape = Shape::any(most_nodes, &mut random);
    graph(&shape, random.next_u64())
}

/// A random graph of that shape. Its root is the first node.
pub fn graph(shape: &Shape, seed: u64) -> Graph {
    let random = &mut SplitMix64::new(seed);
    let count = shape.nodes.max(1);
    let nodes = (0..count).map(|index| node(shape, index, count, random)).collect();
    let stock = match (shape.tokens, shape.second) {
        (0, _) => Tokens::NONE,
        (_, 0) => Tokens::new(random.below(5) as u8),
        _ => Tokens::of(random.below(5) as u8, random.below(3) as u8),
    };
    Graph::new(nodes, 0, stock, shape.repetition)
}

fn node(shape: &Shape, index: usize, count: usize, random: &mut SplitMix64) -> Node {
    let is_leaf = index > 0 && random.percent(shape.leaves);
    let role = match (is_leaf, random.percent(50)) {
        (true, true) => Role::Win,
        (true, false) => Role::Lose,
        (false, true) => Role::Or,
        (false, false) => Role::And,
    };
    let mut edges = Vec::new();
    if !is_leaf && shape.edges > 0 {
        for _ in 0..=random.below(shape.edges) {
            let first = if random.percent(shape.anywhere) { 0 } else { index + 1 };
            if first < count {
                edges.push(edge(shape, role, first + random.below(count - first), random));
            }
        }
    }
    Node { name: format!("n{index}"), role, edges }
}

fn edge(shape: &Shape, role: Role, to: usize, random: &mut SplitMix64) -> Edge {
    let mut edge = Edge::free(to);
    if random.percent(shape.tokens) {
        // Mostly a few, so that edges open and close; now and then many, so that gains reach the
        // most.
        let bound = if random.percent(20) { 16 } else { 4 };
        let count = random.below(bound) as u8;
        // Nothing is drawn for a second kind that there is not.
        let chance = |random: &mut SplitMix64| shape.second > 0 && random.percent(shape.second);
        let is_second = chance(random);
        let some = |is_second: bool, count| {
            Tokens::of(if is_second { 0 } else { count }, if is_second { count } else { 0 })
        };
        match (role, random.percent(50)) {
            (Role::Or, true) => edge.gain = some(is_second, count),
            (Role::Or, false) => {
                edge.cost = some(is_second, count);
                if chance(random) {
                    edge.gain = some(!is_second, 1 + random.below(2) as u8);
                }
            }
            _ if is_second => edge.limit = Tokens::of(u8::MAX, count),
            _ => edge.limit = Tokens::of(count, u8::MAX),
        }
    }
    edge
}

/// A chain of that many plies, OR and AND by turns from an OR root, ending in a win.
pub fn chain(plies: usize) -> Graph {
    let link = |index| Node {
        name: format!("n{index}"),
        role: if index % 2 == 0 { Role::Or } else { Role::And },
        edges: vec![Edge::free(index + 1)],
    };
    let end = Node { name: format!("n{plies}"), role: Role::Win, edges: Vec::new() };
    let nodes = (0..plies).map(link).chain([end]).collect();
    Graph::new(nodes, 0, Tokens::NONE, Repetition::FavoursDefender)
}
