//! Retrograde analysis: the value of every position of a graph, by plain iteration.
//!
//! In round 0 the positions are taken that a side has already won, in round *n* those from which it
//! reaches, whatever the other side does, a position taken in an earlier round. When a round takes
//! nothing more, a position taken for neither side is one where both can go round for ever, and the
//! rule for repetition decides it: the least fixpoint for the attacker where repetition favours the
//! defender, the greatest where it favours the attacker. The number of the round is the length of
//! the win: the shortest against the longest defence.
//!
//! It shares nothing with the searches, and is meant to be obviously right, not fast.

use andor::{Repetition, Value};

use crate::graph::{Graph, Role};
use crate::tokens::Tokens;

/// The values of all positions of a graph.
#[derive(Clone, Debug)]
pub struct Fixpoint {
    repetition: Repetition,
    proven: Rounds,
    disproven: Rounds,
}

/// For each node and stock, the round in which the position was taken.
type Rounds = Vec<[Option<u16>; Tokens::STOCKS]>;

impl Fixpoint {
    /// Solves every position of a graph.
    pub fn of(graph: &Graph) -> Fixpoint {
        Fixpoint {
            repetition: graph.repetition(),
            proven: rounds(graph, Value::Proven),
            disproven: rounds(graph, Value::Disproven),
        }
    }

    /// The value of the position at a node with those tokens.
    ///
    /// # Panics
    /// If the graph has no such node.
    pub fn value(&self, node: usize, tokens: Tokens) -> Value {
        if self.plies(node, tokens).is_some() {
            Value::Proven
        } else if self.disproof_plies(node, tokens).is_some() {
            Value::Disproven
        } else {
            self.repetition.value()
        }
    }

    /// Within how many plies the attacker wins without the help of repetition, both sides playing
    /// their best; `None` where he cannot. Where repetition favours the defender, these are exactly
    /// the proven positions. Lengths of 65,535 and more are given as 65,535.
    ///
    /// # Panics
    /// If the graph has no such node.
    pub fn plies(&self, node: usize, tokens: Tokens) -> Option<u16> {
        self.proven[node][tokens.index()]
    }

    /// As [`plies`](Fixpoint::plies), for the defender. Where repetition favours the attacker,
    /// these are exactly the disproven positions.
    ///
    /// # Panics
    /// If the graph has no such node.
    pub fn disproof_plies(&self, node: usize, tokens: Tokens) -> Option<u16> {
        self.disproven[node][tokens.index()]
    }
}

/// Takes positions for the side that wants `goal`, round by round, until nothing is left to take.
fn rounds(graph: &Graph, goal: Value) -> Rounds {
    let mut rounds = vec![[None; Tokens::STOCKS]; graph.nodes().len()];
    let mut open: Vec<(usize, Tokens)> = (0..graph.nodes().len())
        .flat_map(|node| Tokens::all().map(move |tokens| (node, tokens)))
        .collect();
    for round in 0u32.. {
        let (taken, rest): (Vec<_>, Vec<_>) = open
            .into_iter()
            .partition(|&(node, tokens)| reaches(graph, goal, node, tokens, &rounds));
        if taken.is_empty() {
            break;
        }
        for (node, tokens) in taken {
            rounds[node][tokens.index()] = Some(round.try_into().unwrap_or(u16::MAX));
        }
        open = rest;
    }
    rounds
}

/// Has the side that wants `goal` won here, or does it get to a position taken before?
fn reaches(graph: &Graph, goal: Value, node: usize, tokens: Tokens, rounds: &Rounds) -> bool {
    let node = &graph.nodes()[node];
    let mut successors =
        node.edges().iter().filter_map(|edge| Some((edge.to(), edge.after(tokens)?)));
    let taken = |(to, after): (usize, Tokens)| rounds[to][after.index()].is_some();
    match node.role() {
        Role::Win => goal == Value::Proven,
        Role::Lose => goal == Value::Disproven,
        Role::Or | Role::And if node.role().kind().goal() == goal => successors.any(taken),
        Role::Or | Role::And => successors.all(taken),
    }
}
