//! The master tree: positions that engines search, and what they found.
//!
//! Every node has a worker (Tanaka and Kaneko 2010; Yokoyama, Kaneko and Tanaka 2015). The worker
//! of a leaf searches all of its position; the worker of an inner node searches the *others*: the
//! moves that lead to none of its children. So the children and the others cover every legal move
//! exactly once, and values go up by minimax. A node whose children cover all its moves needs no
//! worker. When a move is played, the node it leads to becomes the root and everything below
//! it stays as it is; its workers need not even be told.

use std::collections::BTreeMap;

use yomikiri_engine::protocol::{Bound, PositionText};

use crate::board::{Board, BoardError, Ending, Game};
use crate::lines::Lines;
use crate::report::Report;
use crate::value::Value;

/// The name of a node, never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u64);

/// What is wrong with a tree: see [`Tree::check`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BrokenTree {
    /// A node has a child that is not in the tree.
    #[error("{0:?} has a child that is gone")]
    ChildGone(NodeId),
    /// A child of one node names another as its parent.
    #[error("{0:?} does not know its parent")]
    OtherParent(NodeId),
    /// The position of a node is not the one after its move.
    #[error("{0:?} is not where its move leads")]
    OtherPosition(NodeId),
    /// The children and the others of a node are not its legal moves, each once.
    #[error("{node:?} covers {covered:?} of {legal:?}")]
    Coverage {
        /// The node.
        node: NodeId,
        /// The moves of its children, and the others.
        covered: Vec<String>,
        /// Its legal moves.
        legal: Vec<String>,
    },
    /// A node without a parent that is not the root, or a root with one.
    #[error("{0:?} is a second root")]
    SecondRoot(NodeId),
}

/// A position of the master tree.
#[derive(Clone, Debug)]
pub struct Node {
    parent: Option<NodeId>,
    by: String,
    board: Board,
    legal: Vec<String>,
    /// Only some of the legal moves are to be searched: `legal` has no others.
    is_restricted: bool,
    children: Vec<NodeId>,
    own: Option<Report>,
    before: Option<Report>,
    lines: Lines,
}

impl Node {
    /// The node above.
    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// The move that leads here from the node above.
    pub fn by(&self) -> &str {
        &self.by
    }

    /// The position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Its legal moves; at a root that is restricted, those that are to be searched.
    pub fn legal(&self) -> &[String] {
        &self.legal
    }

    /// Is this a legal move, to be searched or not?
    pub fn is_legal(&self, m: &str) -> bool {
        let listed = self.legal.iter().any(|legal| legal == m);
        listed || self.is_restricted && self.board.clone().play(m)
    }

    /// Are only some of its legal moves to be searched?
    pub fn is_restricted(&self) -> bool {
        self.is_restricted
    }

    /// The nodes below.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }

    /// What is known of positions below.
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// What the worker says now.
    pub fn own(&self) -> Option<&Report> {
        self.own.as_ref()
    }

    /// What is known of the moves that are searched here: what the worker says now, or what was
    /// known before it began as long as that was searched deeper.
    pub fn known(&self) -> Option<&Report> {
        match (&self.own, &self.before) {
            (Some(own), Some(before)) if own.depth < before.depth => Some(before),
            (Some(own), _) => Some(own),
            (None, before) => before.as_ref(),
        }
    }
}

/// Where the best move of a node is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a node below.
    Child(NodeId),
    /// Among the others.
    Others,
}

/// The master tree.
#[derive(Clone, Debug)]
pub struct Tree {
    game: Game,
    /// The position of the root as it was given.
    text: PositionText,
    root: NodeId,
    nodes: BTreeMap<NodeId, Node>,
    next: u64,
}

/// What became of a tree when another position became its root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rerooted {
    /// The root was in the tree; these nodes are gone.
    Kept(Vec<NodeId>),
    /// It was not: all nodes are gone. The worker of this one searched the part of the tree in
    /// which the new root lay.
    Fresh {
        /// The nodes that are gone.
        gone: Vec<NodeId>,
        /// The one nearest to the new root.
        near: Option<NodeId>,
    },
}

impl Tree {
    /// A tree of one position.
    pub fn new(game: Game, text: PositionText) -> Result<Tree, BoardError> {
        let board = Board::new(game, &text)?;
        let root = NodeId(0);
        let node = Node::new(None, String::new(), board);
        Ok(Tree { game, text, root, nodes: BTreeMap::from([(root, node)]), next: 1 })
    }

    /// A tree of one position, of which only these moves are to be searched. Those that are not
    /// legal do not count; if none is, all are searched.
    pub fn restricted(
        game: Game,
        text: PositionText,
        searchmoves: &[String],
    ) -> Result<Tree, BoardError> {
        let mut tree = Tree::new(game, text)?;
        if let Some(root) = tree.nodes.get_mut(&tree.root) {
            let legal: Vec<String> =
                root.legal.iter().filter(|m| searchmoves.contains(m)).cloned().collect();
            if !legal.is_empty() {
                root.is_restricted = legal.len() < root.legal.len();
                root.legal = legal;
            }
        }
        Ok(tree)
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The root.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// The position of the root.
    pub fn text(&self) -> &PositionText {
        &self.text
    }

    /// A node, if it is still there.
    pub fn get(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(&id)
    }

    /// All nodes; a node comes after the one above it.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.iter().map(|(&id, node)| (id, node))
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: there is a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The position of a node, as protocols write it.
    pub fn position(&self, id: NodeId) -> PositionText {
        let mut text = self.text.clone();
        text.moves.extend(self.path(id));
        text
    }

    /// The moves from the root to a node.
    pub fn path(&self, id: NodeId) -> Vec<String> {
        let mut path = Vec::new();
        let mut at = self.get(id).filter(|_| id != self.root);
        while let Some(node) = at {
            path.push(node.by.clone());
            at = node.parent.filter(|&parent| parent != self.root).and_then(|id| self.get(id));
        }
        path.reverse();
        path
    }

    /// Is a node this one, or below it?
    pub fn is_below(&self, id: NodeId, above: NodeId) -> bool {
        std::iter::successors(Some(id), |&id| self.get(id)?.parent).any(|id| id == above)
    }

    /// How far a node is from the root.
    pub fn depth(&self, id: NodeId) -> usize {
        std::iter::successors(Some(id), |&id| self.get(id)?.parent).count() - 1
    }

    /// The moves of a node that lead to none of its children.
    pub fn others(&self, id: NodeId) -> Vec<String> {
        let Some(node) = self.get(id) else { return Vec::new() };
        node.legal.iter().filter(|m| self.child(node, m).is_none()).cloned().collect()
    }

    /// Has a node moves that no child covers?
    pub fn has_others(&self, id: NodeId) -> bool {
        self.get(id).is_some_and(|node| node.children.len() < node.legal.len())
    }

    fn child(&self, node: &Node, by: &str) -> Option<NodeId> {
        node.children.iter().copied().find(|id| self.nodes[id].by == by)
    }

    /// Adds the position after a move of a node. Nothing is added if the move is not legal, is
    /// there already, or ends the game.
    pub fn add(&mut self, parent: NodeId, by: &str) -> Option<NodeId> {
        let node = self.nodes.get(&parent)?;
        if self.child(node, by).is_some() || !node.legal.iter().any(|m| m == by) {
            return None;
        }
        let mut board = node.board.clone();
        if !board.play(by) {
            return None;
        }
        let mut child = Node::new(Some(parent), by.into(), board);
        if child.legal.is_empty() {
            return None;
        }
        let moves = [by.to_string()];
        child.lines = node.lines.below(&moves);
        child.before = node.inherit(by);
        let id = NodeId(self.next);
        self.next += 1;
        self.nodes.insert(id, child);
        let node = self.nodes.get_mut(&parent)?;
        node.children.push(id);
        node.restrict(by);
        Some(id)
    }

    /// Takes away a leaf other than the root; its moves are the others' again.
    pub fn remove_leaf(&mut self, id: NodeId) -> bool {
        let Some(node) = self.get(id) else { return false };
        let (Some(parent), true) = (node.parent, node.children.is_empty()) else { return false };
        let known = node.known().map(|report| report.one_before(&node.by));
        self.nodes.remove(&id);
        if let Some(parent) = self.nodes.get_mut(&parent) {
            parent.children.retain(|&child| child != id);
            parent.widen(known);
        }
        true
    }

    /// A search of the others of a node begins anew: what is known stays known until it has come as
    /// far.
    pub fn begin(&mut self, id: NodeId) {
        if let Some(node) = self.nodes.get_mut(&id) {
            node.before = node.known().cloned();
            node.own = None;
        }
    }

    /// What was known of a node before its search began does not count any more.
    pub fn forget_before(&mut self, id: NodeId) {
        if let Some(node) = self.nodes.get_mut(&id) {
            node.before = None;
        }
    }

    /// Takes in what a worker says of the others of a node (of the whole node if it is a leaf).
    pub fn report(&mut self, id: NodeId, report: Report) -> bool {
        let searched = |tree: &Tree, node: &Node, m: &String| {
            node.legal.contains(m) && tree.child(node, m).is_none()
        };
        let Some(node) = self.get(id) else { return false };
        if !report.pv.first().is_some_and(|m| searched(self, node, m)) {
            return false;
        }
        if let Some(node) = self.nodes.get_mut(&id) {
            if report.bound == Bound::Exact {
                node.lines.add_report(&report);
            }
            node.update(report);
        }
        true
    }

    /// Takes in positions of a worker's table, by their moves from a node.
    pub fn add_lines(&mut self, id: NodeId, add: impl FnOnce(&mut Lines)) {
        if let Some(node) = self.nodes.get_mut(&id) {
            add(&mut node.lines);
        }
    }

    /// The value of a node for its side to move, and where its best move is.
    pub fn value(&self, id: NodeId) -> Option<(Value, Place)> {
        let node = self.get(id)?;
        match node.board.ending().filter(|_| node.legal.is_empty()) {
            Some(Ending::Mated) => return Some((Value::loses_in(0), Place::Others)),
            Some(Ending::Stalemate) => return Some((Value::DRAW, Place::Others)),
            None => {}
        }
        self.ranked(id).into_iter().find_map(|(place, value)| Some((value?, place)))
    }

    /// The children of a node and its others, best first; those of which nothing is known last.
    pub fn ranked(&self, id: NodeId) -> Vec<(Place, Option<Value>)> {
        let Some(node) = self.get(id) else { return Vec::new() };
        let mut ranked: Vec<_> = node
            .children
            .iter()
            .map(|&child| (Place::Child(child), self.value(child).map(|(value, _)| value.before())))
            .collect();
        if self.has_others(id) {
            ranked.push((Place::Others, node.known().map(|report| report.value)));
        }
        ranked.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
        ranked
    }

    /// The best line from a node on, as far as it is legal.
    pub fn best_line(&self, id: NodeId) -> Vec<String> {
        let mut line = Vec::new();
        let mut at = id;
        loop {
            let Some(node) = self.get(at) else { return line };
            match self.value(at) {
                Some((_, Place::Child(child))) => {
                    line.push(self.nodes[&child].by.clone());
                    at = child;
                }
                Some((_, Place::Others)) => {
                    let mut board = node.board.clone();
                    let pv = node.known().map_or(&[][..], |report| &report.pv);
                    line.extend(pv.iter().take_while(|m| board.play(m)).cloned());
                    return line;
                }
                None => return line,
            }
        }
    }

    /// What is known after a move of a node, with the line as far as it is legal.
    pub fn known_after(&self, id: NodeId, m: &str) -> Option<Report> {
        let node = self.get(id)?;
        if let Some(child) = self.child(node, m) {
            let (value, _) = self.value(child)?;
            let depth = self.get(child)?.known().map_or(0, |report| report.depth);
            return Some(Report { depth, value, bound: Bound::Exact, pv: self.best_line(child) });
        }
        let mut board = node.board.clone();
        let known = node.inherit(m).filter(|_| board.play(m))?;
        let pv = known.pv.into_iter().take_while(|m| board.play(m)).collect();
        Some(Report { pv, ..known })
    }

    /// Makes another position the root.
    pub fn reroot(&mut self, text: PositionText) -> Result<Rerooted, BoardError> {
        let same = text.start == self.text.start;
        let whole = !self.nodes[&self.root].is_restricted;
        let played = text.moves.strip_prefix(&self.text.moves[..]).filter(|_| same && whole);
        let Some(played) = played.map(<[String]>::to_vec) else {
            let fresh = Tree::new(self.game, text)?;
            return Ok(self.replace(fresh, None));
        };
        let (mut at, mut walked) = (self.root, 0);
        while let Some(child) = played.get(walked).and_then(|m| self.child(&self.nodes[&at], m)) {
            (at, walked) = (child, walked + 1);
        }
        if walked == played.len() {
            let mut stays = std::collections::BTreeSet::from([at]);
            for (id, node) in &self.nodes {
                if node.parent.is_some_and(|parent| stays.contains(&parent)) {
                    stays.insert(*id);
                }
            }
            let gone: Vec<_> =
                self.nodes.keys().copied().filter(|id| !stays.contains(id)).collect();
            self.nodes.retain(|id, _| stays.contains(id));
            (self.root, self.text) = (at, text);
            if let Some(root) = self.nodes.get_mut(&at) {
                root.parent = None;
            }
            return Ok(Rerooted::Kept(gone));
        }
        let mut fresh = Tree::new(self.game, text)?;
        let rest = &played[walked..];
        if let (Some(root), near) = (fresh.nodes.get_mut(&fresh.root), &self.nodes[&at]) {
            root.lines = near.lines.below(rest);
            root.before = match rest {
                [by] => near.inherit(by),
                _ => near.lines.report(rest),
            };
        }
        Ok(self.replace(fresh, Some(at)))
    }

    fn replace(&mut self, mut fresh: Tree, near: Option<NodeId>) -> Rerooted {
        let gone = self.nodes.keys().copied().collect();
        fresh.follow(self);
        *self = fresh;
        Rerooted::Fresh { gone, near }
    }

    /// Gives the only node of this tree a name that the tree before it did not use.
    pub fn follow(&mut self, before: &Tree) {
        let root = NodeId(before.next);
        self.next = before.next + 1;
        self.nodes =
            std::mem::take(&mut self.nodes).into_values().map(|node| (root, node)).collect();
        self.root = root;
    }

    /// Do the children and the others of every node cover its legal moves exactly once, and do
    /// the links agree? The error names the node.
    pub fn check(&self) -> Result<(), BrokenTree> {
        for (&id, node) in &self.nodes {
            let mut covered = self.others(id);
            for child in &node.children {
                let Some(below) = self.get(*child) else {
                    return Err(BrokenTree::ChildGone(id));
                };
                if below.parent != Some(id) {
                    return Err(BrokenTree::OtherParent(*child));
                }
                let mut board = node.board.clone();
                if !board.play(&below.by) || board.moves() != below.legal {
                    return Err(BrokenTree::OtherPosition(*child));
                }
                covered.push(below.by.clone());
            }
            let mut legal = node.board.moves();
            legal.retain(|m| !node.is_restricted || node.legal.contains(m));
            covered.sort_unstable();
            legal.sort_unstable();
            if covered != legal {
                return Err(BrokenTree::Coverage { node: id, covered, legal });
            }
            if node.parent.is_none() != (id == self.root) {
                return Err(BrokenTree::SecondRoot(id));
            }
        }
        Ok(())
    }
}

impl Node {
    fn new(parent: Option<NodeId>, by: String, board: Board) -> Node {
        let legal = board.moves();
        let lines = Lines::default();
        let children = Vec::new();
        let is_restricted = false;
        Node { parent, by, board, legal, is_restricted, children, own: None, before: None, lines }
    }

    /// What is known of the position after a move: from the best line if it begins with it, else
    /// from what else was seen, as far as that was exact.
    fn inherit(&self, by: &str) -> Option<Report> {
        let best = self.known().filter(|report| report.pv.first().is_some_and(|m| m == by));
        best.map(Report::one_after).or_else(|| {
            self.lines.report(&[by.to_string()]).filter(|report| report.bound == Bound::Exact)
        })
    }

    /// A move is searched elsewhere from now on: what was said of it is no longer said here.
    fn restrict(&mut self, by: &str) {
        let known = self.known().filter(|report| report.pv.first().is_some_and(|m| m != by));
        self.before = known.cloned();
        self.own = None;
    }

    /// A move is searched here again.
    fn widen(&mut self, known: Option<Report>) {
        let best = [self.known().cloned(), known].into_iter().flatten();
        self.before = best.max_by_key(|report| report.value);
        self.own = None;
    }

    /// Takes in what the worker says. A bound moves the value only where it contradicts it.
    fn update(&mut self, report: Report) {
        let news = match (&self.own, report.bound) {
            (None, _) | (_, Bound::Exact) => true,
            (Some(own), Bound::Lower) => report.value > own.value,
            (Some(own), Bound::Upper) => report.value < own.value,
        };
        if news {
            self.own = Some(report);
        }
    }
}

impl Report {
    /// What it says of the position after its best move.
    fn one_after(&self) -> Report {
        Report {
            depth: self.depth.saturating_sub(1),
            value: self.value.after(),
            bound: flipped(self.bound),
            pv: self.pv[1..].to_vec(),
        }
    }

    /// What it says of the position before a move, if that is the best one there.
    fn one_before(&self, by: &str) -> Report {
        Report {
            depth: self.depth + 1,
            value: self.value.before(),
            bound: flipped(self.bound),
            pv: std::iter::once(by.to_string()).chain(self.pv.iter().cloned()).collect(),
        }
    }
}

fn flipped(bound: Bound) -> Bound {
    match bound {
        Bound::Exact => Bound::Exact,
        Bound::Lower => Bound::Upper,
        Bound::Upper => Bound::Lower,
    }
}
