//! Several lines at the root (`MultiPV`).
//!
//! The best line is the tree's. Further ones begin with other moves: every child of the root has a
//! line, and the worker of the root, told the same option, has several of its own. It begins anew
//! whenever a child is added; until it has said as many lines again, those of its last search
//! count.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

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
        let lines = self.variations(tree, most, depth);
        let is_full = lines.len() >= most.min(root.legal().len());
        if is_full && lines.iter().all(|line| line.depth >= depth) {
            return true;
        }
        let has_told = self.node == Some(tree.root()) && !self.lines.is_empty();
        !has_told && root.own().is_some_and(|own| own.depth > depth)
    }

    /// The best lines from the root, at most so many, each with another first move. The first is
    /// the tree's; of the others those come before the rest that are as deep as wanted.
    pub fn variations(&self, tree: &Tree, most: usize, wanted: u64) -> Vec<Variation> {
        let root = tree.root();
        let Some(node) = tree.get(root) else { return Vec::new() };
        let mut found = Vec::new();
        let mut covered = BTreeSet::new();
        for &child in node.children() {
            let Some((value, _)) = tree.value(child) else { continue };
            let by = tree.get(child).map(|child| child.by().to_string());
            covered.extend(by.clone());
            let pv = by.into_iter().chain(tree.best_line(child)).collect();
            let line = Variation { value: value.before(), depth: 1 + depth(tree, child), pv };
            found.push((line, Said::ByTheTree));
        }
        let ours = Some(self).filter(|further| further.node == Some(root));
        let now = ours.into_iter().flat_map(|further| further.lines.values());
        let before = ours.into_iter().flat_map(|further| further.before.values());
        let known = node.known().into_iter().map(|report| (report, Said::ByTheTree));
        let now = now.map(|report| (report, Said::Now));
        let before = before.map(|report| (report, Said::Before));
        for (report, said) in known.chain(now).chain(before) {
            let mut board = node.board().clone();
            let pv: Vec<String> = report.pv.iter().take_while(|m| board.play(m)).cloned().collect();
            let is_ours = |m: &String| node.legal().contains(m) && !covered.contains(m);
            if pv.first().is_some_and(is_ours) {
                found.push((Variation { value: report.value, depth: report.depth, pv }, said));
            }
        }
        found.sort_by_key(|(line, said)| {
            (line.depth < wanted, *said == Said::Before, Reverse(line.value))
        });
        let trees = found.iter().enumerate().filter(|(_, (_, said))| *said == Said::ByTheTree);
        if let Some((best, _)) = trees.max_by_key(|(at, (line, _))| (line.value, Reverse(*at))) {
            found[..=best].rotate_right(1);
        }
        let mut firsts = BTreeSet::new();
        found.retain(|(line, _)| firsts.insert(line.pv[0].clone()));
        found.truncate(most);
        let mut lines: Vec<Variation> = found.into_iter().map(|(line, _)| line).collect();
        if let Some(rest) = lines.get_mut(1..) {
            rest.sort_by_key(|line| Reverse(line.value));
        }
        lines
    }
}

/// Where a line comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    /// A child, or the first line of the root's worker: what the master decides by.
    ByTheTree,
    /// A further line of the search that goes on.
    Now,
    /// One of a search before it.
    Before,
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
            let lines = further.variations(tree, 3, 0).into_iter();
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
        // Where a depth is wanted, lines that have it come before those that have not.
        let depths = |wanted| {
            let lines = further.variations(&tree, 3, wanted).into_iter();
            lines.map(|line| line.depth).collect::<Vec<_>>()
        };
        assert_eq!((depths(0), depths(3)), (vec![3, 1, 1], vec![3, 3, 3]));
        // Lines of another root are none.
        tree.reroot(PositionText { moves: vec!["e2e4".into()], ..PositionText::initial() })
            .expect("a position");
        assert_eq!(tree.root(), child);
        assert!(moves(&further, &tree).len() <= 1);
    }
}
