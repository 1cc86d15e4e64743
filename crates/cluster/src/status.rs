//! The tree as people and other programs see it.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

use crate::growth;
use crate::master::Master;
use crate::tree::NodeId;

/// A snapshot of a master.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// Which master.
    pub master: String,
    /// The moves of the game so far.
    pub moves: Vec<String>,
    /// How many workers there are.
    pub workers: usize,
    /// How many of them have nothing to do.
    pub idle: usize,
    /// Nodes searched in all.
    pub nodes: u64,
    /// The utility of the tree: the expected number of coming plies that are in it.
    pub utility: f64,
    /// The nodes of the tree, each after the one above it.
    pub tree: Vec<NodeStatus>,
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeStatus {
    /// How far below the root.
    pub depth: usize,
    /// The move that leads there; nothing for the root.
    pub by: String,
    /// The probability that play comes there.
    pub probability: f64,
    /// Its value for the side to move there.
    pub value: Option<String>,
    /// How deep its worker has searched.
    pub searched: Option<u64>,
    /// Its worker.
    pub worker: Option<u32>,
}

impl Status {
    /// What a master does now.
    pub fn of(name: &str, master: &Master) -> Status {
        let tree = master.tree();
        let probabilities = growth::probabilities(tree, master.ranks());
        let mut nodes = Vec::new();
        let mut stack: Vec<NodeId> = vec![tree.root()];
        while let Some(id) = stack.pop() {
            let Some(node) = tree.get(id) else { continue };
            nodes.push(NodeStatus {
                depth: tree.depth(id),
                by: node.by().into(),
                probability: probabilities.get(&id).copied().unwrap_or_default(),
                value: tree.value(id).map(|(value, _)| value.to_string()),
                searched: node.known().map(|report| report.depth),
                worker: master.worker_on(id).map(|worker| worker.0),
            });
            let mut children = node.children().to_vec();
            // The likeliest is shown first, so it goes on the stack last.
            children.sort_by(|a, b| {
                let of = |id: &NodeId| probabilities.get(id).copied().unwrap_or_default();
                of(a).total_cmp(&of(b))
            });
            stack.extend(children);
        }
        let (workers, idle) = master.workers();
        Status {
            master: name.into(),
            moves: tree.text().moves.clone(),
            workers,
            idle,
            nodes: master.nodes(),
            utility: growth::utility(tree, master.ranks()),
            tree: nodes,
        }
    }
}

impl Display for Status {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Status { master, workers, idle, nodes, utility, .. } = self;
        write!(f, "{master}: {workers} workers, {idle} idle, {nodes} nodes, ")?;
        writeln!(f, "utility {utility:.2}, after {} moves", self.moves.len())?;
        for node in &self.tree {
            let by = if node.by.is_empty() { "root" } else { &node.by };
            let value = node.value.as_deref().unwrap_or("?");
            write!(f, "{:indent$}{by} {value}", "", indent = 2 * node.depth)?;
            if let Some(searched) = node.searched {
                write!(f, " depth {searched}")?;
            }
            write!(f, " p {:.3}", node.probability)?;
            match node.worker {
                Some(worker) => writeln!(f, " worker {worker}")?,
                None => writeln!(f)?,
            }
        }
        Ok(())
    }
}
