//! The record of a mate: its line, and what else the defender may play.

use andor::Stop;
use yomikiri_shogi::Move;
use yomikiri_shogi::notation::{Ending, NodeId, Record, Step, hands, japanese};
use yomikiri_tsume::{Branch, Mate, Solution, VariationLimits, variations};

use crate::games::shogi::Shogi;

/// The record of a solution with its variations. Where a search is needed for one and `stop` is
/// raised, it is left out.
pub fn of_solution(mate: &Mate<'_>, shogi: &Shogi, solution: &Solution, stop: &Stop) -> Record {
    let mut record = Record::new(shogi.position.clone());
    let length = solution.shown_length();
    let words = match solution.exact {
        true => format!("{length}手詰"),
        false => format!("{length}手以内の詰み"),
    };
    record.comments.push(words);
    let line = solution.shown_line();
    let nodes = add(&mut record, None, line, solution.complete);
    if !solution.complete {
        return record;
    }
    if let (Some(&last), false) = (nodes.last(), solution.left_over.is_empty()) {
        let left = hands::hand_name(solution.left_over);
        record.tree.node_mut(last).comments.push(format!("駒余り：{left}"));
    }
    let limits = VariationLimits { stop: stop.clone(), ..VariationLimits::default() };
    let branches = variations(mate, &shogi.tsume(), line, &limits).branches;
    add_branches(&mut record, &nodes, &branches);
    record
}

/// Adds the variations of a line to its nodes.
pub(crate) fn add_branches(record: &mut Record, nodes: &[NodeId], branches: &[Branch]) {
    for branch in branches {
        let Branch { ply, line, complete, others, .. } = branch;
        // The move before the one that is replaced; at the root there is none.
        let parent = ply.checked_sub(1).and_then(|before| nodes.get(before).copied());
        if *ply > 0 && parent.is_none() {
            continue;
        }
        let added = add(record, parent, line, *complete);
        if let (Some(&first), false) = (added.first(), others.is_empty()) {
            let names: String =
                others.iter().filter_map(|m| m.dropped()).map(japanese::kind_name).collect();
            record.tree.node_mut(first).comments.push(format!("{names}合も同様"));
        }
    }
}

/// Adds a line after a node, and its end; gives the nodes of the moves.
pub(crate) fn add(
    record: &mut Record,
    parent: Option<NodeId>,
    line: &[Move],
    is_complete: bool,
) -> Vec<NodeId> {
    let mut nodes: Vec<NodeId> = Vec::with_capacity(line.len());
    for &m in line {
        let parent = nodes.last().copied().or(parent);
        nodes.push(record.tree.add(parent, Step::Move(m)));
    }
    if is_complete {
        record.tree.add(nodes.last().copied().or(parent), Step::End(Ending::Mate));
    }
    nodes
}
