//! The graph itself: nodes, edges, and what an edge does to the attacker's tokens.
//!
//! One formula serves all edges: an edge asks for at least `cost` and at most `limit` tokens, takes
//! `cost` and gives `gain`. Edges of OR nodes leave `limit` at the most, edges of AND nodes leave
//! `cost` and `gain` at nothing, and each of the three is about one kind of tokens alone; the only
//! ways to make a graph, the parser and the generator, see to that.

use std::sync::Arc;

use andor::{Key, NodeKind, Repetition, Stock};

use crate::tokens::Tokens;

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Role {
    /// The attacker is to move.
    Or,
    /// The defender is to move.
    And,
    /// A proven leaf.
    Win,
    /// A disproven leaf.
    Lose,
}

impl Role {
    /// Whose turn it is. Leaves count as nodes of the side that has lost.
    pub fn kind(self) -> NodeKind {
        match self {
            Role::Or | Role::Lose => NodeKind::Or,
            Role::And | Role::Win => NodeKind::And,
        }
    }
}

/// A way from a node to a successor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Edge {
    pub(crate) to: usize,
    pub(crate) cost: Tokens,
    pub(crate) gain: Tokens,
    pub(crate) limit: Tokens,
}

impl Edge {
    /// An edge that asks for nothing.
    pub(crate) fn free(to: usize) -> Edge {
        Edge { to, cost: Tokens::NONE, gain: Tokens::NONE, limit: Tokens::MOST }
    }

    /// The index of the successor.
    pub fn to(&self) -> usize {
        self.to
    }

    /// The tokens that are left after this edge, or `None` if it is not available with `tokens`.
    pub fn after(&self, tokens: Tokens) -> Option<Tokens> {
        let is_available = self.cost.within(tokens) && tokens.within(self.limit);
        is_available.then(|| {
            let left = tokens.each(self.cost, |held, cost| held - cost);
            left.each(self.gain, |left, gain| left + gain).meet(Tokens::MOST)
        })
    }

    /// The fewest tokens with which the edge is available and leaves at least `after`. Where there
    /// are none such, the answer means nothing.
    pub(crate) fn fewest_before(&self, after: Tokens) -> Tokens {
        let kept = after.each(self.gain, u8::saturating_sub);
        kept.each(self.cost, |kept, cost| kept + cost).meet(Tokens::MOST)
    }

    /// The most tokens with which the edge is available and leaves at most `after`. Where there are
    /// none such, the answer means nothing.
    pub(crate) fn most_before(&self, after: Tokens) -> Tokens {
        let paid = after.each(self.cost, |after, cost| after + cost);
        let before = paid.each(self.gain, u8::saturating_sub);
        // Gains beyond the most are lost, so where that is left any number will do.
        let full = after.each(Tokens::MOST, |after, most| if after == most { most } else { 0 });
        before.join(full).meet(self.limit)
    }
}

/// A node and its edges.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Node {
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) edges: Vec<Edge>,
}

impl Node {
    /// The name, as in the text.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the node is.
    pub fn role(&self) -> Role {
        self.role
    }

    /// The edges, as in the text. Leaves have none.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }
}

/// An AND/OR graph with a root, the attacker's tokens there, and a rule for repetition. Clones
/// share the nodes.
///
/// Read it from a text with [`str::parse`] and write it with `to_string`; the
/// [crate documentation](crate) describes the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    pub(crate) nodes: Arc<[Node]>,
    pub(crate) root: usize,
    pub(crate) stock: Tokens,
    pub(crate) repetition: Repetition,
    pub(crate) key: Key,
}

impl Graph {
    /// A graph of nodes whose edges lead to nodes among them, and a root among them.
    pub(crate) fn new(
        nodes: Vec<Node>,
        root: usize,
        stock: Tokens,
        repetition: Repetition,
    ) -> Graph {
        let key = Key::of(&(&nodes, repetition));
        Graph { nodes: nodes.into(), root, stock, repetition, key }
    }

    /// The nodes. Elsewhere a node is named by its index here.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The index of the root.
    pub fn root(&self) -> usize {
        self.root
    }

    /// The attacker's tokens at the root.
    pub fn stock(&self) -> Tokens {
        self.stock
    }

    /// Which side a repeated position favours.
    pub fn repetition(&self) -> Repetition {
        self.repetition
    }

    /// The index of the node of that name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.nodes.iter().position(|node| node.name == name)
    }

    /// A hash of the nodes and the rule, so that positions of two graphs do not meet in one table.
    pub(crate) fn key(&self) -> Key {
        self.key
    }
}
