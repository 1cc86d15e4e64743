//! Several lines at the root (`MultiPV`).
//!
//! The best line is the tree's. Further ones begin with other moves: every child of the root has a
//! line, and the worker of the root, told the same option, has several of its own.

use std::collections::BTreeMap;
use std::time::Duration;

use yomikiri_engine::protocol::{Info, Score};

use crate::master::{Decision, Master};
use crate::report::Report;
use crate::tree::{NodeId, Place, Tree};
use crate::value::Value;

/// What the worker of one node says of its second line, its third and so on.
#[derive(Clone, Debug, Default)]
pub struct Further {
    node: Option<NodeId>,
    lines: BTreeMap<u64, Report>,
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
            *self = Further { node: Some(node), lines: BTreeMap::new() };
        }
        self.lines.insert(rank, report);
    }

    /// A search of this node begins anew.
    pub fn begin(&mut self, node: NodeId) {
        if self.node == Some(node) {
            self.lines.clear();
        }
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
        let mut others: Vec<&Report> = node.known().into_iter().collect();
        others.extend(self.lines.values().filter(|_| self.node == Some(root)));
        for report in others {
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

/// What is shown of a decision: one line, or as many as are wanted and known, best first.
pub fn infos(
    master: &Master,
    decision: &Decision,
    most: usize,
    nodes: u64,
    time: Duration,
) -> Vec<Info> {
    let Some(score) = decision.score else { return Vec::new() };
    let time = time.as_millis() as u64;
    let info = |multipv: Option<u64>, depth: u64, score: Score, pv: Vec<String>| Info {
        depth: Some(depth),
        multipv,
        score: Some(score),
        nodes: Some(nodes),
        time: Some(time),
        nps: Some(nodes * 1000 / time.max(1)),
        pv,
        ..Info::default()
    };
    let lines = if most > 1 { master.variations(most) } else { Vec::new() };
    if lines.is_empty() {
        return vec![info(None, decision.depth, score, decision.pv.clone())];
    }
    let dialect = master.tree().game().dialect();
    let ranked = (1..).zip(lines);
    ranked
        .map(|(rank, line)| info(Some(rank), line.depth, line.value.score(dialect), line.pv))
        .collect()
}
