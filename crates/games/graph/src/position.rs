//! A position, a node and the attacker's tokens, as [`Rules`] and [`Problem`].
//!
//! By default a search is told nothing but the rules. [`Habits`] make a position behave like harder
//! games do: late moves, first numbers and costs that differ from node to node, and verdicts
//! without search. They are drawn from a hash of a seed and the node, so they are the same at every
//! visit, and none of them changes the value of a position.

use std::fmt;

use andor::{
    Evaluation, Key, MoveList, NodeKind, Plies, Problem, Repetition, Rules, Stock, Value, mix64,
};

use crate::graph::{Edge, Graph, Node, Role};
use crate::tokens::Tokens;

/// How positions present themselves to a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Habits {
    /// Varies all that is drawn.
    pub seed: u64,
    /// Half of the moves are late.
    pub late: bool,
    /// First proof and disproof numbers are 1 to 4, costs 0 to 2.
    pub numbers: bool,
    /// At half of the nodes, [`evaluate`](Problem::evaluate) looks one move ahead and may know the
    /// value. That passes for a long look.
    pub look: bool,
}

/// A node of a graph and the attacker's tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphPosition {
    graph: Graph,
    node: usize,
    tokens: Tokens,
    habits: Habits,
}

impl Graph {
    /// The position at the root.
    pub fn start(&self) -> GraphPosition {
        GraphPosition::new(self.clone(), self.root(), self.stock())
    }

    /// The position at a node with those tokens, or `None` if there is no such node.
    pub fn position(&self, node: usize, tokens: Tokens) -> Option<GraphPosition> {
        (node < self.nodes().len()).then(|| GraphPosition::new(self.clone(), node, tokens))
    }
}

impl fmt::Display for GraphPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with stock {}", self.node().name, self.tokens)
    }
}

/// The value of a position with the tokens that it needs or bears, and the plies to the win.
struct Verdict {
    value: Value,
    stock: Tokens,
    plies: u16,
}

impl GraphPosition {
    pub(crate) fn new(graph: Graph, node: usize, tokens: Tokens) -> GraphPosition {
        GraphPosition { graph, node, tokens, habits: Habits::default() }
    }

    /// The same position with these habits.
    pub fn with_habits(self, habits: Habits) -> GraphPosition {
        GraphPosition { habits, ..self }
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The same graph with this position as its root.
    pub fn rooted(&self) -> Graph {
        Graph { root: self.node, stock: self.tokens, ..self.graph.clone() }
    }

    fn node(&self) -> &Node {
        &self.graph.nodes[self.node]
    }

    fn edge(&self, m: u32) -> &Edge {
        &self.node().edges[m as usize]
    }

    /// The available edges.
    fn available(&self) -> impl Iterator<Item = u32> + '_ {
        let edges = self.node().edges.iter();
        (0..).zip(edges).filter(|(_, edge)| edge.after(self.tokens).is_some()).map(|(m, _)| m)
    }

    /// A number below `bound`, drawn for this node and purpose.
    fn draw(&self, purpose: u64, bound: u64) -> u64 {
        mix64(mix64(self.habits.seed ^ purpose.rotate_left(32)) ^ self.node as u64) % bound
    }

    /// What can be seen from here by looking that many moves ahead.
    fn look(&mut self, depth: u32) -> Option<Verdict> {
        let goal = self.kind().goal();
        let loss = goal.other();
        let mut best: Option<Verdict> = None;
        let mut lost = match loss {
            Value::Proven => Verdict { value: loss, stock: self.least_stock(), plies: 0 },
            Value::Disproven => Verdict { value: loss, stock: self.largest_stock(), plies: 0 },
        };
        let mut all_lost = true;
        for m in self.available().collect::<Vec<_>>() {
            let undo = self.play(m);
            let child = if depth > 0 { self.look(depth - 1) } else { None };
            self.undo(m, undo);
            let Some(child) = child else {
                all_lost = false;
                continue;
            };
            let plies = child.plies + 1;
            let stock = match child.value {
                Value::Proven => self.proof_stock_before(m, child.stock),
                Value::Disproven => self.disproof_stock_before(m, child.stock),
            };
            if child.value == goal {
                if best.as_ref().is_none_or(|best| plies < best.plies) {
                    best = Some(Verdict { value: goal, stock, plies });
                }
            } else {
                lost.plies = lost.plies.max(plies);
                lost.stock = match loss {
                    Value::Proven => lost.stock.join(stock),
                    Value::Disproven => lost.stock.meet(stock),
                };
            }
        }
        if best.is_some() {
            return best;
        }
        lost.stock = match loss {
            Value::Proven => self.proof_stock_here(lost.stock),
            Value::Disproven => self.disproof_stock_here(lost.stock),
        };
        all_lost.then_some(lost)
    }
}

impl Rules for GraphPosition {
    /// The index of the edge in its node.
    type Move = u32;
    /// The node and tokens before the move.
    type Undo = (usize, Tokens);
    type Stock = Tokens;
    /// The index of the node.
    type Identity = usize;

    fn kind(&self) -> NodeKind {
        self.node().role.kind()
    }

    fn repetition(&self) -> Repetition {
        self.graph.repetition
    }

    fn terminal(&self) -> Option<Value> {
        match self.node().role {
            Role::Win => Some(Value::Proven),
            Role::Lose => Some(Value::Disproven),
            Role::Or | Role::And => None,
        }
    }

    fn legal_moves(&self, moves: &mut Vec<u32>) {
        moves.extend(self.available());
    }

    fn play(&mut self, m: u32) -> (usize, Tokens) {
        let before = (self.node, self.tokens);
        let edge = *self.edge(m);
        let Some(after) = edge.after(self.tokens) else {
            panic!("edge {m} is not available at {self}");
        };
        (self.node, self.tokens) = (edge.to, after);
        before
    }

    fn undo(&mut self, _: u32, before: (usize, Tokens)) {
        (self.node, self.tokens) = before;
    }

    fn identity(&self) -> usize {
        self.node
    }

    fn stock(&self) -> Tokens {
        self.tokens
    }

    fn encode_move(m: u32) -> u32 {
        m
    }

    fn describe_move(&self, m: u32) -> String {
        self.graph.describe_edge(self.edge(m))
    }
}

impl Problem for GraphPosition {
    fn key(&self) -> Key {
        Key::of(&(self.graph.key(), self.node))
    }

    fn moves(&mut self, list: &mut MoveList<u32>, _: &mut Vec<u32>) {
        for m in self.available() {
            if self.habits.late && self.draw(m.into(), 2) == 0 {
                list.push_late(m);
            } else {
                list.push(m);
            }
        }
    }

    fn evaluate(&mut self) -> Evaluation<Tokens> {
        let looks = self.habits.look && self.draw(1 << 40, 2) == 0;
        let nodes = if looks { self.available().count() as u32 } else { 0 };
        let can_know = looks || self.terminal().is_some();
        if let Some(seen) = can_know.then(|| self.look(looks.into())).flatten() {
            return Evaluation::Solved {
                value: seen.value,
                stock: seen.stock,
                plies: Plies::at_most(seen.plies),
                nodes,
            };
        }
        let first = |purpose| {
            if self.habits.numbers { 1 + self.draw(purpose, 4) as u32 } else { 1 }
        };
        Evaluation::Open { pn: first(2 << 40), dn: first(3 << 40), nodes }
    }

    fn looks_long(&self) -> bool {
        self.habits.look
    }

    fn cost(&self, m: u32) -> (u32, u32) {
        if !self.habits.numbers {
            return (0, 0);
        }
        let draw = |purpose: u64| self.draw(purpose << 40 | u64::from(m), 3) as u32;
        (draw(4), draw(5))
    }

    fn proof_stock_before(&self, m: u32, after: Tokens) -> Tokens {
        self.edge(m).fewest_before(after)
    }

    fn disproof_stock_before(&self, m: u32, after: Tokens) -> Tokens {
        self.edge(m).most_before(after)
    }

    fn proof_stock_here(&self, joined: Tokens) -> Tokens {
        let limits = self.node().edges.iter().map(|edge| edge.limit);
        limits.fold(joined, |stock, limit| {
            // What has to be more than the limit, so that the edge stays closed.
            stock.join(
                self.tokens.each(limit, |held, limit| if held > limit { limit + 1 } else { 0 }),
            )
        })
    }

    fn disproof_stock_here(&self, met: Tokens) -> Tokens {
        let costs = self.node().edges.iter().map(|edge| edge.cost);
        costs.fold(met, |stock, cost| {
            // What has to be less than the cost, so that the edge cannot be paid.
            let short =
                self.tokens.each(cost, |held, cost| if held < cost { cost - 1 } else { 15 });
            stock.meet(short)
        })
    }

    fn largest_stock(&self) -> Tokens {
        Tokens::MOST
    }

    fn least_stock(&self) -> Tokens {
        Tokens::NONE
    }
}
