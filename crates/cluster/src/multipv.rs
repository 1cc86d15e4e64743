//! Several lines at the root (`MultiPV`).
//!
//! The best line is the tree's. Further ones begin with other moves: every child of the root has a
//! line, and the worker of the root, told the same option, has several of its own. It begins anew
//! whenever a child is added; until it has said as many lines again, those of its last search
//! count.

use std::collections::BTreeMap;

use crate::report::Report;
use crate::tree::{NodeId, Place, Tree};
use crate::value::Value;

/// What the worker of one node says of its second line, its third and so on.
#[derive(Clone, Debug, Default)]
pub struct Further {
    node: Option<NodeId>,
    lines: BTreeMap<u64, Report>,
    /// What it said in searches before this one.
    before: BTreeMap<u64, Report>,
}

/// A line from the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// Its value for the side to move.
    pub value: Value,
    /// How deep it was searched, counted from the root.
    pub depth: u64,
    /// Its moves.
    pub pv: Vec<String>,
}

impl Further {
    /// Takes in the line of this rank, from 2 on.
    pub fn report(&mut self, node: NodeId, rank: u64, report: Report) {
        if self.node != Some(node) {
            *self = Further { node: Some(node), ..Further::default() };
        }
        self.lines.insert(rank, report);
    }

    /// A search of this node begins anew: what was said stays until it is said again.
    pub fn begin(&mut self, node: NodeId) {
        if self.node == Some(node) {
            self.before.append(&mut self.lines);
        }
    }

    /// Are there as many lines as wanted, or as there can be, each as deep as this? Nothing more is
    /// to be expected of a worker that has come deeper and told one line only: it knows no others.
    pub fn has(&self, tree: &Tree, most: usize, depth: u64) -> bool {
        let Some(root) = tree.get(tree.root()) else { return true };
        let lines = self.variations(tree, most);
        let is_full = lines.len() >= most.min(root.legal().len());
        if is_full && lines.iter().all(|line| line.depth >= depth) {
            return true;
        }
        let has_told = self.node == Some(tree.root()) && !self.lines.is_empty();
        !has_told && root.own().is_some_and(|own| own.depth > depth)
    }

    /// The best lines from the root, at most so many, each with another first move.
    pub fn variations(&self, tree: &Tree, most: usize) -> Vec<Variation> {
        let root = tree.root();
        let Some(node) = tree.get(root) else { return Vec::new() };
        let mut found = Vec::new();
        for &child in node.children() {
            let Some((value, _)) = tree.value(child) else { continue };
            let by = tree.get(child).map(|child| child.by().to_string());
            let pv = by.into_iter().chain(tree.best_line(child)).collect();
            found.push(Variation { value: value.before(), depth: 1 + depth(tree, child), pv });
        }
        let is_ours = self.node == Some(root);
        let now = node.known().into_iter().chain(self.lines.values().filter(|_| is_ours));
        let before = self.before.values().filter(|_| is_ours);
        let others = now.map(|report| (report, false)).chain(before.map(|report| (report, true)));
        for (report, is_old) in others {
            if is_old && found.len() >= most {
                break;
            }
            let mut board = node.board().clone();
            let pv: Vec<String> = report.pv.iter().take_while(|m| board.play(m)).cloned().collect();
            let is_ours = |m: &String| node.legal().contains(m);
            if pv.first().is_some_and(is_ours) && !found.iter().any(|line| line.pv[0] == pv[0]) {
                found.push(Variation { value: report.value, depth: report.depth, pv });
            }
        }
        found.sort_by_key(|line| std::cmp::Reverse(line.value));
        found.truncate(most);
        found
    }
}

/// How deep the search is along the best line from a node.
pub fn depth(tree: &Tree, from: NodeId) -> u64 {
    let (mut at, mut plies) = (from, 0);
    while let Some((_, Place::Child(child))) = tree.value(at) {
        (at, plies) = (child, plies + 1);
    }
    let known = tree.get(at).and_then(|node| node.known());
    plies + known.map_or(0, |report| report.depth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Game;
    use yomikiri_engine::protocol::{Bound, PositionText};

    fn report(depth: u64, value: i32, m: &str) -> Report {
        Report { depth, value: Value::cp(value), bound: Bound::Exact, pv: vec![m.into()] }
    }

    #[test]
    fn lines_stay_until_the_next_search_has_said_as_many() {
        let mut tree = Tree::new(Game::Chess, PositionText::initial()).expect("the start");
        let (root, mut further) = (tree.root(), Further::default());
        tree.report(root, report(3, 30, "e2e4"));
        further.report(root, 2, report(3, 20, "d2d4"));
        further.report(root, 3, report(3, 10, "c2c4"));
        let moves = |further: &Further, tree: &Tree| {
            let lines = further.variations(tree, 3).into_iter();
            lines.flat_map(|line| line.pv).collect::<Vec<_>>()
        };
        assert_eq!(moves(&further, &tree), ["e2e4", "d2d4", "c2c4"]);
        assert!(further.has(&tree, 3, 3) && !further.has(&tree, 3, 4) && !further.has(&tree, 4, 3));
        // The best move gets a worker of its own, and the worker of the root begins anew, twice.
        let child = tree.add(root, "e2e4").expect("a child");
        for _ in 0..2 {
            tree.begin(root);
            further.begin(root);
            assert_eq!(moves(&further, &tree), ["e2e4", "d2d4", "c2c4"]);
        }
        // What is said anew is better than it was before; what is not said is not needed.
        tree.report(root, report(1, 25, "d2d4"));
        assert_eq!(moves(&further, &tree), ["e2e4", "d2d4", "c2c4"]);
        further.report(root, 2, report(1, 5, "g1f3"));
        assert_eq!(moves(&further, &tree), ["e2e4", "d2d4", "g1f3"]);
        // Lines of another root are none.
        tree.reroot(PositionText { moves: vec!["e2e4".into()], ..PositionText::initial() })
            .expect("a position");
        assert_eq!(tree.root(), child);
        assert!(moves(&further, &tree).len() <= 1);
    }
}
