//! Best-first proof-number search (Allis, van der Meulen and van den Herik, 1994), and DeepPN on
//! it.
//!
//! The whole tree is kept in an arena. Every iteration goes from the root to a frontier node,
//! expands it, and brings the numbers up to date on the way back. Which child it follows is the
//! [`Selection`]: the most proving one, leftmost among equals (PN-search); the same with ties
//! broken towards the deepest frontier (§3.1 of the DeepPN paper); or the one of least DPN (DeepPN,
//! whose formula is in `deep`).
//!
//! The way down need not start at the root: numbers above the last node that changed are as they
//! were, so the next iteration starts there and expands the same node as it would from the root.
//! Transpositions are not joined: this is the algorithm of the papers, and the tree is the unit
//! they count in.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::clock::Instant;
use crate::control::{Control, Progress, REPORT, Watch};
use crate::deep::dpn;
use crate::number::{INFINITY, MAX_FINITE, Number, add};
use crate::plies::Plies;
use crate::problem::{Evaluation, MoveList, Problem};
use crate::pulse::{Interrupted, Pulse};
use crate::rules::{NodeKind, Repetition, Stock, Value};
use crate::table::{Solved, Table, numbers};
use crate::verdict::{Outcome, Reason, Shares, Verdict};

/// Which child the search follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Selection {
    /// The least number, leftmost among equals: PN-search.
    Proof,
    /// The least number, the deepest frontier among equals.
    Deepest,
    /// The least DPN with this `R`: DeepPN.
    Deep(f64),
}

/// The settings of PN-search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PnSearch {
    /// Which child is followed.
    pub selection: Selection,
    /// Use the game's first numbers, move order and small solvers.
    pub heuristics: bool,
    /// Bytes for the tree.
    pub bytes: usize,
}

impl Default for PnSearch {
    fn default() -> Self {
        PnSearch { selection: Selection::Proof, heuristics: true, bytes: 1 << 30 }
    }
}

/// A node of the tree: 24 bytes and its move.
#[derive(Clone, Copy)]
struct Node<M> {
    pn: Number,
    dn: Number,
    parent: u32,
    /// Where its children begin; 0 while it has none.
    first: u32,
    count: u16,
    /// The depth of the frontier below it that the search would go to. A repetition: the depth of
    /// the position it repeats.
    frontier: u16,
    kind: NodeKind,
    repeats: bool,
    m: Option<M>,
}

impl<M> Node<M> {
    fn is_solved(&self) -> bool {
        self.pn == 0 || self.dn == 0
    }

    /// What a parent of this kind minimises.
    fn delta(&self, parent: NodeKind) -> Number {
        match parent {
            NodeKind::Or => self.pn,
            NodeKind::And => self.dn,
        }
    }
}

struct Tree<'p, P: Problem> {
    problem: P,
    root: &'p P,
    settings: PnSearch,
    nodes: Vec<Node<P::Move>>,
    /// Moves from the root to the current node.
    path: Vec<P::Undo>,
    /// Depths of the positions on the path, where they can repeat.
    seen: HashMap<P::Identity, Vec<(u16, P::Stock)>>,
    list: MoveList<P::Move>,
    scratch: Vec<P::Move>,
    visited: u64,
    iterations: u64,
    evaluated: u64,
    pulse: Pulse,
}

/// Why a node has got no children.
enum Failed {
    NoRoom,
    Interrupted,
}

impl From<Interrupted> for Failed {
    fn from(_: Interrupted) -> Failed {
        Failed::Interrupted
    }
}

/// Runs PN-search. Solved nodes of the solution go to `table`, for the certificate.
pub fn search<P: Problem>(
    problem: &P,
    settings: PnSearch,
    table: &Table,
    control: &mut Control<'_>,
) -> Outcome {
    let watch = Watch::new(control.limits);
    let pulse = Pulse::new(control.stop.clone()).with_deadline(watch.deadline());
    let mut tree = Tree::new(problem, settings, pulse);
    let capacity = (settings.bytes / size_of::<Node<P::Move>>()).clamp(1, u32::MAX as usize);
    let mut current = 0;
    let mut interrupted = tree.plant().is_err();
    let reason = loop {
        let root = tree.nodes[0];
        if root.is_solved() {
            break None;
        }
        if interrupted || tree.pulse.tick().is_err() {
            break Some(watch.interrupted(&control.stop, tree.visited));
        }
        if let Some(report) = &mut control.progress
            && (tree.pulse.pauses() || tree.iterations == 0)
        {
            tree.pulse.set_pause(Instant::now().checked_add(REPORT));
            report(&Progress {
                nodes: tree.visited,
                elapsed: watch.elapsed(),
                pn: root.pn,
                dn: root.dn,
                depth: tree.path.len(),
                stored: tree.nodes.len(),
                capacity,
                agents: &[],
            });
        }
        if control.limits.nodes.is_some_and(|limit| tree.visited >= limit) {
            break Some(Reason::Nodes);
        }
        let leaf = tree.select(current);
        match tree.expand(leaf, capacity) {
            Ok(()) => current = tree.update(leaf),
            Err(Failed::NoRoom) => break Some(Reason::Memory),
            Err(Failed::Interrupted) => interrupted = true,
        }
    };
    let root = tree.nodes[0];
    let (verdict, plies) = match reason {
        Some(reason) => (Verdict::Unknown(reason), Plies::UNBOUNDED),
        None => {
            let value = if root.pn == 0 { Value::Proven } else { Value::Disproven };
            (value.into(), tree.export(value, table).plies)
        }
    };
    Outcome {
        verdict,
        plies,
        nodes: tree.visited,
        iterations: tree.iterations,
        evaluated: tree.evaluated,
        numbers: (root.pn, root.dn),
        elapsed: watch.elapsed(),
        shares: Shares::default(),
    }
}

impl<'p, P: Problem> Tree<'p, P> {
    fn new(problem: &'p P, settings: PnSearch, pulse: Pulse) -> Self {
        let root = Node {
            pn: 1,
            dn: 1,
            parent: 0,
            first: 0,
            count: 0,
            frontier: 0,
            kind: problem.kind(),
            repeats: false,
            m: None,
        };
        Tree {
            problem: problem.clone(),
            root: problem,
            settings,
            nodes: vec![root],
            path: Vec::new(),
            seen: HashMap::new(),
            list: MoveList::default(),
            scratch: Vec::new(),
            visited: 1,
            iterations: 0,
            evaluated: 0,
            pulse,
        }
    }

    /// Gives the root its first numbers.
    fn plant(&mut self) -> Result<(), Interrupted> {
        self.note_position();
        let (pn, dn) = self.first_numbers()?;
        (self.nodes[0].pn, self.nodes[0].dn) = (pn, dn);
        Ok(())
    }

    /// First numbers of the current position.
    fn first_numbers(&mut self) -> Result<(Number, Number), Interrupted> {
        if !self.settings.heuristics {
            return Ok(self.problem.terminal().map_or((1, 1), numbers));
        }
        self.problem.prepare(&self.pulse)?;
        let evaluation = self.evaluate();
        self.visited += u64::from(evaluation.nodes());
        Ok(match evaluation {
            Evaluation::Solved { value, .. } => numbers(value),
            Evaluation::Open { pn, dn, .. } => (pn.clamp(1, MAX_FINITE), dn.clamp(1, MAX_FINITE)),
        })
    }

    fn evaluate(&mut self) -> Evaluation<P::Stock> {
        let evaluation = self.problem.evaluate();
        self.evaluated += 1 + u64::from(evaluation.nodes());
        evaluation
    }

    fn children(&self, node: &Node<P::Move>) -> &[Node<P::Move>] {
        &self.nodes[node.first as usize..][..node.count as usize]
    }

    /// The child to follow from a node: None if all are solved.
    fn best_child(&self, node: &Node<P::Move>) -> Option<usize> {
        let open = self.children(node).iter().enumerate().filter(|(_, child)| !child.is_solved());
        // `min_by` keeps the first of equals: the leftmost.
        let best = match self.settings.selection {
            Selection::Proof => open.min_by_key(|(_, child)| child.delta(node.kind)),
            Selection::Deepest => {
                open.min_by_key(|(_, child)| (child.delta(node.kind), u16::MAX - child.frontier))
            }
            Selection::Deep(r) => open
                .map(|(i, child)| (dpn(child.delta(node.kind), child.frontier, r), i, child))
                .min_by(|a, b| a.0.total_cmp(&b.0))
                .map(|(_, i, child)| (i, child)),
        };
        best.map(|(i, _)| node.first as usize + i)
    }

    /// Goes down from a node to the frontier.
    fn select(&mut self, mut at: usize) -> usize {
        while self.nodes[at].first != 0 {
            let node = self.nodes[at];
            let Some(best) = self.best_child(&node) else { break };
            if let Some(m) = self.nodes[best].m {
                self.path.push(self.problem.play(m));
                self.note_position();
            }
            at = best;
        }
        at
    }

    /// Gives a frontier node its children, all or none.
    fn expand(&mut self, leaf: usize, capacity: usize) -> Result<(), Failed> {
        self.scratch.clear();
        self.list.moves.clear();
        if self.settings.heuristics {
            self.problem.prepare(&self.pulse)?;
            self.problem.moves(&mut self.list, &mut self.scratch);
        } else {
            self.problem.legal_moves(&mut self.scratch);
            self.scratch.iter().for_each(|&m| self.list.push(m));
        }
        let moves = std::mem::take(&mut self.list.moves);
        if !self.make_room(moves.len(), capacity) {
            return Err(Failed::NoRoom);
        }
        let kind = self.nodes[leaf].kind;
        let first = self.nodes.len();
        if moves.is_empty() {
            let (pn, dn) = numbers(kind.goal().other());
            (self.nodes[leaf].pn, self.nodes[leaf].dn) = (pn, dn);
        }
        for &(m, _) in &moves {
            let undo = self.problem.play(m);
            let repeated = self.repeated();
            let first_numbers = match repeated {
                Some(_) => Ok(numbers(Value::Disproven)),
                None => self.pulse.tick().and_then(|()| self.first_numbers()),
            };
            let Ok((pn, dn)) = first_numbers else {
                self.nodes.truncate(first);
                return Err(Failed::Interrupted);
            };
            let depth = depth_of(self.path.len() + 1);
            self.nodes.push(Node {
                pn,
                dn,
                parent: leaf as u32,
                first: 0,
                count: 0,
                frontier: repeated.unwrap_or(depth),
                kind: self.problem.kind(),
                repeats: repeated.is_some(),
                m: Some(m),
            });
            self.problem.undo(m, undo);
        }
        self.iterations += 1;
        self.visited += moves.len() as u64;
        let node = &mut self.nodes[leaf];
        node.first = first as u32;
        node.count = moves.len() as u16;
        self.list.moves = moves;
        Ok(())
    }

    /// Bytes that each position on the path takes beside its node: what takes its move back and, where
    /// positions repeat, its place among those seen; both with the spare room of what grows by
    /// doubling.
    const PLY: usize = {
        let seen = size_of::<(P::Identity, Vec<(u16, P::Stock)>)>() + 1;
        let depths = 4 * size_of::<(u16, P::Stock)>() + 16;
        3 * (size_of::<P::Undo>() + seen) + depths
    };

    /// Makes room for `count` more nodes within the capacity, growing by half at a time. The path
    /// takes its part of that.
    fn make_room(&mut self, count: usize, capacity: usize) -> bool {
        let needed = self.nodes.len() + count;
        let path = (self.path.len() + 1) * Self::PLY / size_of::<Node<P::Move>>();
        if needed + path > capacity {
            return false;
        }
        if needed > self.nodes.capacity() {
            let target = (needed + needed / 2).min(capacity);
            return self.nodes.try_reserve_exact(target - self.nodes.len()).is_ok();
        }
        true
    }

    /// Brings numbers up to date from a node upwards, as long as they change. Gives the first node
    /// that stayed the same, or the root; the current position goes there.
    fn update(&mut self, leaf: usize) -> usize {
        let mut at = leaf;
        loop {
            let old = self.nodes[at];
            let mut new = old;
            if old.count != 0 {
                let (mut phi, mut delta) = (INFINITY, 0);
                for child in self.children(&old) {
                    let (sel, acc) = match old.kind {
                        NodeKind::Or => (child.pn, child.dn),
                        NodeKind::And => (child.dn, child.pn),
                    };
                    phi = phi.min(sel);
                    delta = add(delta, acc);
                }
                (new.pn, new.dn) = match old.kind {
                    NodeKind::Or => (phi, delta),
                    NodeKind::And => (delta, phi),
                };
                if let Some(best) = self.best_child(&old) {
                    new.frontier = self.nodes[best].frontier;
                }
                self.nodes[at] = new;
            }
            let same = (old.pn, old.dn, old.frontier) == (new.pn, new.dn, new.frontier);
            if at == 0 || (same && at != leaf && !new.is_solved()) {
                return at;
            }
            self.forget_position();
            if let (Some(m), Some(undo)) = (old.m, self.path.pop()) {
                self.problem.undo(m, undo);
            }
            at = old.parent as usize;
        }
    }

    fn note_position(&mut self) {
        if self.root.repetition() != Repetition::Never {
            let entry = (depth_of(self.path.len()), self.problem.stock());
            self.seen.entry(self.problem.identity()).or_default().push(entry);
        }
    }

    /// Takes the current position, the latest of its identity, off those seen.
    fn forget_position(&mut self) {
        if self.root.repetition() != Repetition::Never
            && let Entry::Occupied(mut depths) = self.seen.entry(self.problem.identity())
        {
            depths.get_mut().pop();
            if depths.get().is_empty() {
                depths.remove();
            }
        }
    }

    /// The depth of the latest position on the path that the current one repeats.
    fn repeated(&self) -> Option<u16> {
        if self.root.repetition() == Repetition::Never {
            return None;
        }
        let stock = self.problem.stock();
        let earlier = self.seen.get(&self.problem.identity())?;
        earlier.iter().rev().find(|(_, before)| stock.within(*before)).map(|&(depth, _)| depth)
    }

    /// Within how many plies the current position, a proven leaf of the tree, is won.
    fn plies_of_leaf(&mut self) -> Plies {
        if !self.settings.heuristics || self.problem.terminal().is_some() {
            return Plies::NONE;
        }
        if self.problem.prepare(&self.pulse).is_err() {
            return Plies::UNBOUNDED;
        }
        match self.evaluate() {
            Evaluation::Solved { plies, .. } => plies,
            Evaluation::Open { .. } => Plies::NONE,
        }
    }

    /// Has what the search found of a proof's length a meaning?
    fn has_length(&self) -> bool {
        !(self.settings.heuristics && self.root.prunes())
    }

    /// Puts the nodes of the solution into the table, where they hold on every path
    /// ([`repetition`](crate::dfpn) says which do). Gives the root's result. If it is interrupted,
    /// some are missing, and the root's length is not known.
    fn export(&mut self, value: Value, table: &Table) -> Solved<P::Stock> {
        struct Visit {
            node: usize,
            /// The next child to look at.
            next: usize,
            lean: u16,
            plies: Plies,
        }
        const FREE: u16 = u16::MAX;
        self.path.clear();
        self.problem = self.root.clone();
        let start = |node| Visit { node, next: 0, lean: FREE, plies: Plies::NONE };
        let mut stack = vec![start(0)];
        loop {
            if self.pulse.tick().is_err() {
                return Solved { value, stock: self.root.stock(), plies: Plies::UNBOUNDED };
            }
            let depth = stack.len() - 1;
            let visit = stack.last_mut().expect("the root is popped last");
            let node = self.nodes[visit.node];
            let by_best = node.kind.goal() == value;
            let children = &self.nodes[node.first as usize..][..node.count as usize];
            let goal = numbers(value);
            let wanted = |child: &Node<P::Move>| (child.pn, child.dn) == goal;
            let next = (visit.next..children.len())
                .find(|&i| wanted(&children[i]) && !(by_best && visit.next > 0));
            if let Some(next) = next {
                visit.next = next + 1;
                let index = node.first as usize + next;
                if let Some(m) = self.nodes[index].m {
                    self.path.push(self.problem.play(m));
                }
                stack.push(start(index));
                continue;
            }
            let mut lean = visit.lean;
            let plies = match value {
                Value::Proven if self.has_length() => visit.plies,
                _ => Plies::UNBOUNDED,
            };
            let index = visit.node;
            let plies =
                if plies.is_bounded() && node.count == 0 { self.plies_of_leaf() } else { plies };
            if node.repeats {
                lean = node.frontier;
            } else if lean as usize >= depth {
                lean = FREE;
            }
            let solved = Solved { value, stock: self.problem.stock(), plies };
            if lean == FREE && node.count > 0 {
                table.store_solved(self.problem.key(), solved, 1);
            }
            stack.pop();
            let Some(parent) = stack.last_mut() else { return solved };
            parent.lean = parent.lean.min(lean);
            parent.plies = parent.plies.max(plies.one_more(value));
            if let (Some(m), Some(undo)) = (self.nodes[index].m, self.path.pop()) {
                self.problem.undo(m, undo);
            }
        }
    }
}

/// A depth in 16 bits. Deeper ones count as the largest but one, so that what leans on them is
/// never taken to lean on nothing.
fn depth_of(depth: usize) -> u16 {
    depth.min(u16::MAX as usize - 1) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::{Limits, Stop};
    use crate::problem::Key;
    use crate::rules::Rules;

    /// A game that never ends, of one line or of two moves at every turn.
    #[derive(Clone)]
    struct Endless {
        /// The positions of a line, or of a binary tree level by level, from 1 on.
        at: u64,
        moves: u32,
    }

    impl Rules for Endless {
        type Move = u32;
        type Undo = u64;
        type Stock = ();
        type Identity = u64;

        fn kind(&self) -> NodeKind {
            if self.at.ilog2().is_multiple_of(2) { NodeKind::Or } else { NodeKind::And }
        }
        fn repetition(&self) -> Repetition {
            Repetition::FavoursDefender
        }
        fn terminal(&self) -> Option<Value> {
            None
        }
        fn legal_moves(&self, moves: &mut Vec<u32>) {
            moves.extend(0..self.moves);
        }
        fn play(&mut self, m: u32) -> u64 {
            let next = if self.moves == 1 { self.at + 1 } else { 2 * self.at + u64::from(m) };
            std::mem::replace(&mut self.at, next)
        }
        fn undo(&mut self, _: u32, before: u64) {
            self.at = before;
        }
        fn identity(&self) -> u64 {
            self.at
        }
        fn stock(&self) {}
        fn encode_move(m: u32) -> u32 {
            m
        }
        fn describe_move(&self, m: u32) -> String {
            m.to_string()
        }
    }

    impl Problem for Endless {
        fn key(&self) -> Key {
            Key::of(&self.at)
        }
    }

    /// What is kept of positions seen is the path, not all that the tree has ever come by.
    #[test]
    fn only_the_path_is_remembered() {
        let root = Endless { at: 1, moves: 2 };
        let mut tree = Tree::new(&root, PnSearch::default(), Pulse::new(Stop::new()));
        tree.plant().expect("nobody interrupts");
        let mut current = 0;
        for _ in 0..2_000 {
            let leaf = tree.select(current);
            assert!(tree.expand(leaf, usize::MAX).is_ok());
            assert!(tree.seen.len() <= tree.path.len() + 1);
            current = tree.update(leaf);
        }
        assert!(tree.path.len() < 60, "{}", tree.path.len());
    }

    /// A single line of play has a path as long as the tree has nodes: it counts too.
    #[test]
    fn a_long_path_counts_as_memory() {
        let root = Endless { at: 1, moves: 1 };
        let settings = PnSearch { bytes: 1 << 18, ..PnSearch::default() };
        let table = Table::new(crate::table::MIN_BYTES).expect("a small table");
        let mut control = Control::new(Limits { nodes: Some(1 << 18), time: None });
        let outcome = search(&root, settings, &table, &mut control);
        assert_eq!(outcome.verdict, Verdict::Unknown(Reason::Memory));
        // A node, what undoes a move, and at least a key and a list in the map.
        let ply = size_of::<Node<u32>>() + 8 + size_of::<(u64, Vec<(u16, ())>)>();
        assert!(outcome.nodes as usize * ply <= settings.bytes, "{} nodes", outcome.nodes);
    }
}
