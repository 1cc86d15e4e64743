//! The tree as people and other programs see it.

use yomikiri_engine::nats::{NodeStatus, Status, VERSION};

use crate::growth;
use crate::master::Master;
use crate::tree::NodeId;

/// What a master does now.
pub fn status(name: &str, master: &Master) -> Status {
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
        version: VERSION,
        master: name.into(),
        moves: tree.text().moves.clone(),
        workers,
        idle,
        nodes: master.nodes(),
        utility: growth::utility(tree, master.ranks()),
        tree: nodes,
    }
}
