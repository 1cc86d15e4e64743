//! The best strategy over what is proven, and the line it comes to.
//!
//! The first proof that df-pn finds is seldom a short one: at each of the attacker's turns it ends
//! with the first move that works, and the length it knows of a position is that of the proof that
//! came first. But the table knows more than one proof of many positions. [`Strategy`] keeps what is
//! proven as a hypergraph (every proven move at OR nodes, every reply at AND nodes) in which each node
//! has the least length that is known, OR = 1 + min, AND = 1 + max. Lengths are settled in increasing
//! order: Dijkstra's algorithm for superior functions (Knuth, "A generalization of Dijkstra's
//! algorithm", 1977), which is safe on cycles.
//!
//! The graph grows where it matters: along the *line* on which the length of the root rests, where the
//! attacker takes the quickest move and the defender the slowest reply. A node that is not expanded has
//! the length that the table says, and every length so is that of a proof. When a node of the line is
//! expanded it may turn out to be shorter; then the line is another one. Once all of it is expanded, it
//! is just as long as the length of the root.
//!
//! Whoever finds a shorter proof of a position of the line tells it (`take_in`), and what
//! rests on it becomes shorter too.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use crate::ask::{Asker, Watcher};
use crate::known::known;
use crate::plies::Plies;
use crate::problem::{Key, Problem};
use crate::rules::{NodeKind, Stock, Value};
use crate::table::{Solved, Table};

/// Nodes for proving a forgotten reply again, at first.
const AGAIN: u64 = 1 << 12;
/// What a position of the strategy is worth to the table, in nodes: it is asked for again.
const WORTH: u64 = 1 << 12;
/// No edge, or no node.
const NONE: u32 = u32::MAX;

/// A position that is proven.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// It is proven within so many plies.
    length: u16,
    is_or: bool,
    /// Are all replies there (AND), or all moves that were known to be proven (OR)?
    expanded: bool,
    /// It was asked for less with so many nodes, in vain.
    asked: u64,
    /// The first edge to a child, and the first from a parent.
    children: u32,
    parents: u32,
}

/// A move from one proven position to another.
#[derive(Clone, Copy, Debug)]
struct Edge<M> {
    m: M,
    from: u32,
    to: u32,
    next_child: u32,
    next_parent: u32,
}

/// What is proven below a position.
pub struct Strategy<P: Problem> {
    nodes: Vec<Node>,
    edges: Vec<Edge<P::Move>>,
    index: HashMap<(Key, u32), u32>,
    /// Nodes that are new, or shorter than they were.
    changed: Vec<u32>,
    /// Nodes left for proving again what the table has forgotten.
    again: u64,
}

/// The line on which the length of the root rests.
#[derive(Clone, Debug)]
pub struct Line<M> {
    /// The moves.
    pub moves: Vec<M>,
    /// Does it go on to the end? Then it is as long as the length of the strategy says.
    pub complete: bool,
}

impl<P: Problem> Strategy<P> {
    /// The strategy of a position that is known to be proven within `length` plies.
    pub fn new<W: Watcher>(asker: &Asker<'_, P, W>, root: &P, length: u16) -> Strategy<P> {
        let mut strategy = Strategy {
            nodes: Vec::new(),
            edges: Vec::new(),
            index: HashMap::new(),
            changed: Vec::new(),
            again: asker.nodes() / 8 + 8 * AGAIN,
        };
        strategy.add(root, length);
        strategy
    }

    /// The length of the best strategy: the root is proven within so many plies.
    pub fn length(&self) -> u16 {
        self.nodes[0].length
    }

    /// How many positions it knows.
    pub fn positions(&self) -> usize {
        self.nodes.len()
    }

    fn children(&self, id: u32) -> impl Iterator<Item = Edge<P::Move>> + '_ {
        let mut next = self.nodes[id as usize].children;
        std::iter::from_fn(move || {
            let edge = *self.edges.get(next as usize)?;
            next = edge.next_child;
            Some(edge)
        })
    }

    /// A node is proven within so many plies.
    pub(crate) fn length_of(&self, id: u32) -> u16 {
        self.nodes[id as usize].length
    }

    /// With how many nodes a node was asked for less, in vain: to be read and written.
    pub(crate) fn asked(&mut self, id: u32) -> &mut u64 {
        &mut self.nodes[id as usize].asked
    }

    /// Is it the attacker's turn?
    pub(crate) fn is_or(&self, id: u32) -> bool {
        self.nodes[id as usize].is_or
    }

    /// The child by which a node has its length: the quickest of the attacker's moves, the slowest
    /// reply. None where the node has its length from the table alone.
    fn way_on(&self, id: u32) -> Option<Edge<P::Move>> {
        let node = self.nodes[id as usize];
        let mut best: Option<Edge<P::Move>> = None;
        for edge in self.children(id) {
            let length = self.length_of(edge.to);
            let is_better = best.is_none_or(|best| match node.is_or {
                true => length < self.length_of(best.to),
                // The edge listed last was added first.
                false => length >= self.length_of(best.to),
            });
            if is_better {
                best = Some(edge);
            }
        }
        let is_whole = node.is_or || node.expanded;
        best.filter(|best| is_whole && self.length_of(best.to) < node.length)
    }

    /// The node of the current position, which is made if it is new: proven within `length`.
    fn add(&mut self, at: &P, length: u16) -> u32 {
        let key = (at.key(), at.stock().pack());
        if let Some(&id) = self.index.get(&key) {
            self.lower(id, length);
            return id;
        }
        let id = self.nodes.len() as u32;
        let is_or = at.kind() == NodeKind::Or;
        self.nodes.push(Node {
            length,
            is_or,
            expanded: false,
            asked: 0,
            children: NONE,
            parents: NONE,
        });
        self.index.insert(key, id);
        self.changed.push(id);
        id
    }

    /// A node has a proof within `length`. If that is new, what it rests on is still to be found.
    fn lower(&mut self, id: u32, length: u16) {
        let node = &mut self.nodes[id as usize];
        if length < node.length {
            node.length = length;
            node.expanded = false;
            node.asked = 0;
            self.changed.push(id);
        }
    }

    fn link(&mut self, from: u32, m: P::Move, to: u32) {
        if self.children(from).any(|edge| edge.m == m) {
            return;
        }
        let id = self.edges.len() as u32;
        let (next_child, next_parent) =
            (self.nodes[from as usize].children, self.nodes[to as usize].parents);
        self.edges.push(Edge { m, from, to, next_child, next_parent });
        self.nodes[from as usize].children = id;
        self.nodes[to as usize].parents = id;
    }

    /// Lists the children of a node that are known to be proven. False if there are replies of which
    /// that is not known: then the node keeps the length it has.
    fn expand<W: Watcher>(&mut self, asker: &mut Asker<'_, P, W>, at: &mut P, id: u32) -> bool {
        let node = self.nodes[id as usize];
        let mut moves = Vec::new();
        if at.terminal().is_none() {
            at.legal_moves(&mut moves);
        }
        let mut found: Vec<(P::Move, u16)> = Vec::with_capacity(moves.len());
        for &m in &moves {
            let (key, stock) = at.key_after(m);
            let in_graph = self.index.get(&(key, stock.pack())).map(|&id| self.length_of(id));
            let in_table = asker.table().lengths(key, stock).proven.bounded();
            let mut length = in_graph.into_iter().chain(in_table).min();
            if length.is_none() && !node.is_or {
                let undo = at.play(m);
                let bound = Plies::at_most(node.length - 1);
                let solved = match known(at, asker.table(), Plies::UNBOUNDED).solved() {
                    None if self.again > 0 => {
                        let before = asker.nodes();
                        let solved = asker.ask_for(at, bound, AGAIN);
                        self.again = self.again.saturating_sub(asker.nodes() - before);
                        solved
                    }
                    solved => solved,
                };
                length = proven(solved);
                at.undo(m, undo);
            }
            match length {
                Some(length) => found.push((m, length)),
                None if node.is_or => {}
                None => return false,
            }
        }
        for (m, length) in found {
            let undo = at.play(m);
            let child = self.add(at, length);
            at.undo(m, undo);
            self.link(id, m, child);
        }
        self.nodes[id as usize].expanded = true;
        self.changed.push(id);
        self.settle();
        true
    }

    /// Lets the lengths of all nodes fall that rest on those that have changed.
    fn settle(&mut self) {
        let mut heap = BinaryHeap::new();
        for id in std::mem::take(&mut self.changed) {
            heap.push(Reverse((self.length_of(id), id)));
            // Of a new node it is not known yet what its children come to.
            heap.extend(self.children(id).map(|edge| Reverse((self.length_of(edge.to), edge.to))));
        }
        while let Some(Reverse((length, id))) = heap.pop() {
            if length > self.length_of(id) {
                continue;
            }
            let mut next = self.nodes[id as usize].parents;
            while let Some(&Edge { from, next_parent, .. }) = self.edges.get(next as usize) {
                next = next_parent;
                let parent = self.nodes[from as usize];
                let offer = if parent.is_or {
                    length + 1
                } else if parent.expanded {
                    let slowest = self.children(from).map(|edge| self.length_of(edge.to)).max();
                    slowest.unwrap_or(0) + 1
                } else {
                    continue;
                };
                if offer < parent.length {
                    self.nodes[from as usize].length = offer;
                    heap.push(Reverse((offer, from)));
                }
            }
        }
    }

    /// A position of the graph has a proof within `length`, which the table knows.
    pub(crate) fn take_in(&mut self, id: u32, length: u16) {
        self.lower(id, length);
        self.settle();
    }

    /// The move that a node has its length by.
    pub(crate) fn main_move(&self, id: u32) -> Option<P::Move> {
        self.way_on(id).map(|edge| edge.m)
    }

    /// The move `m` from a node leads to `at`, which has a proof within `length`.
    pub(crate) fn join(&mut self, id: u32, m: P::Move, at: &P, length: u16) {
        let child = self.add(at, length);
        self.link(id, m, child);
        // The child may have been known all along, by another way.
        self.changed.push(id);
        self.settle();
    }

    /// Follows the line on which the length rests, and expands what is not expanded yet. Where a node
    /// has its length from the table alone, what it rests on is searched again.
    pub(crate) fn walk<W: Watcher>(&mut self, asker: &mut Asker<'_, P, W>, root: &P) -> Walk<P> {
        let mut walk =
            Walk { at: root.clone(), path: vec![Visit { id: 0, arrival: None }], complete: false };
        loop {
            let id = walk.path.last().map_or(0, |visit| visit.id);
            if self.length_of(id) == 0 {
                walk.complete = true;
                return walk;
            }
            let before = self.length_of(id);
            let is_listed =
                self.nodes[id as usize].expanded || self.expand(asker, &mut walk.at, id);
            let is_supported = is_listed && self.way_on(id).is_some();
            if !is_supported && !self.support(asker, &mut walk.at, id) {
                return walk;
            }
            if self.length_of(id) < before {
                self.step_back(&mut walk);
                continue;
            }
            let Some(edge) = self.way_on(id) else { return walk };
            let undo = walk.at.play(edge.m);
            walk.path.push(Visit { id: edge.to, arrival: Some((edge.m, undo)) });
        }
    }

    /// Lengths have fallen: goes back to where the line is still the same.
    fn step_back(&self, walk: &mut Walk<P>) {
        let is_same =
            |pair: &[Visit<P>]| self.way_on(pair[0].id).is_some_and(|edge| edge.to == pair[1].id);
        let same = walk.path.windows(2).take_while(|pair| is_same(pair)).count();
        while walk.path.len() > same + 1 {
            walk.undo();
        }
    }

    /// Finds what a node rests on that has its length from the table alone.
    fn support<W: Watcher>(&mut self, asker: &mut Asker<'_, P, W>, at: &mut P, id: u32) -> bool {
        let Some(bound) = self.length_of(id).checked_sub(1).map(Plies::at_most) else {
            return false;
        };
        let is_or = self.nodes[id as usize].is_or;
        let mut open = Vec::new();
        if at.terminal().is_none() {
            at.legal_moves(&mut open);
        }
        let mut budget = AGAIN;
        let mut is_over = false;
        while !open.is_empty() && !is_over {
            let mut still_open = Vec::new();
            for m in open {
                let undo = at.play(m);
                // What is known needs no search: the line goes on by it after the limits, too.
                let answer = match is_over {
                    true => asker.known(at, bound),
                    false => asker.ask_for(at, bound, budget),
                };
                if let Some(length) = proven(answer) {
                    self.join(id, m, at, length);
                }
                at.undo(m, undo);
                match answer {
                    Some(Solved { value: Value::Proven, .. }) if is_or => return true,
                    Some(_) => {}
                    None => {
                        is_over |= asker.reached().is_some() || budget > asker.patience;
                        still_open.push(m);
                    }
                }
            }
            open = still_open;
            budget = budget.saturating_mul(4);
        }
        if is_or || !open.is_empty() {
            return false;
        }
        self.nodes[id as usize].expanded = true;
        if self.nodes[id as usize].children == NONE {
            self.nodes[id as usize].length = 0;
        }
        self.changed.push(id);
        self.settle();
        true
    }

    /// Stores the strategy: each position of it with its length, and with no more stock than it needs.
    pub(crate) fn store(&self, table: &Table, root: &P) {
        let mut at = root.clone();
        let mut stocks: HashMap<u32, P::Stock> = HashMap::new();
        let mut levels: Vec<Storing<P>> =
            vec![Storing { id: 0, arrival: None, todo: self.needed(0), stock: None }];
        while let Some(level) = levels.last_mut() {
            if let Some(edge) = level.todo.pop() {
                let undo = at.play(edge.m);
                if stocks.contains_key(&edge.to) {
                    at.undo(edge.m, undo);
                    let Storing { id, stock, .. } = level;
                    *stock = Some(self.joined(&at, *id, *stock, edge, &stocks));
                    continue;
                }
                let (arrival, todo) = (Some((edge, undo)), self.needed(edge.to));
                levels.push(Storing { id: edge.to, arrival, todo, stock: None });
                continue;
            }
            let Some(Storing { id, arrival, stock, .. }) = levels.pop() else { break };
            let node = self.nodes[id as usize];
            let plies = Plies::at_most(node.length);
            let stock = match stock {
                Some(stock) if node.is_or => stock,
                Some(stock) => at.proof_stock_here(stock),
                // A leaf: as the table or the game has it.
                None => match known(&mut at, table, plies).solved() {
                    Some(solved) if solved.value == Value::Proven => solved.stock,
                    _ => at.stock(),
                },
            };
            let value = Value::Proven;
            if node.length > 1 && table.lengths(at.key(), at.stock()).proven > plies {
                table.store_solved(at.key(), Solved { value, stock, plies }, WORTH);
            }
            stocks.insert(id, stock);
            let Some((edge, undo)) = arrival else { continue };
            at.undo(edge.m, undo);
            if let Some(Storing { id, stock, .. }) = levels.last_mut() {
                *stock = Some(self.joined(&at, *id, *stock, edge, &stocks));
            }
        }
    }

    /// The stock that a node needs for this child, and for those before it.
    fn joined(
        &self,
        at: &P,
        id: u32,
        so_far: Option<P::Stock>,
        edge: Edge<P::Move>,
        stocks: &HashMap<u32, P::Stock>,
    ) -> P::Stock {
        let child = stocks.get(&edge.to).copied().unwrap_or_else(|| at.stock());
        let before = at.proof_stock_before(edge.m, child);
        match so_far {
            Some(stock) => stock.join(before),
            None if self.nodes[id as usize].is_or => before,
            None => at.least_stock().join(before),
        }
    }

    /// The children that the strategy needs of a node: the attacker's move, all replies.
    fn needed(&self, id: u32) -> Vec<Edge<P::Move>> {
        match self.way_on(id) {
            Some(edge) if self.nodes[id as usize].is_or => vec![edge],
            Some(_) => self.children(id).collect(),
            None => Vec::new(),
        }
    }
}

/// A node on the line, and how it was reached.
pub(crate) struct Visit<P: Problem> {
    pub id: u32,
    arrival: Option<(P::Move, P::Undo)>,
}

impl<P: Problem> Visit<P> {
    /// The move by which it was reached; none at the root.
    pub fn m(&self) -> Option<P::Move> {
        self.arrival.as_ref().map(|&(m, _)| m)
    }
}

/// The line from the root on, and the position at its end.
pub(crate) struct Walk<P: Problem> {
    pub at: P,
    pub path: Vec<Visit<P>>,
    /// Does it go on to the end?
    complete: bool,
}

impl<P: Problem> Walk<P> {
    /// Takes the last move back.
    pub fn undo(&mut self) {
        if let Some((m, undo)) = self.path.pop().and_then(|visit| visit.arrival) {
            self.at.undo(m, undo);
        }
    }

    /// The moves of the line.
    pub fn line(&self) -> Line<P::Move> {
        Line { moves: self.path.iter().filter_map(Visit::m).collect(), complete: self.complete }
    }
}

/// A node whose children are being stored.
struct Storing<P: Problem> {
    id: u32,
    arrival: Option<(Edge<P::Move>, P::Undo)>,
    todo: Vec<Edge<P::Move>>,
    stock: Option<P::Stock>,
}

/// The length of a proof.
pub(crate) fn proven<S>(solved: Option<Solved<S>>) -> Option<u16> {
    solved.filter(|solved| solved.value == Value::Proven)?.plies.bounded()
}
