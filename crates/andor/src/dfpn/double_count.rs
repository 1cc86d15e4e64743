//! Finding children that meet again, so that their common leaves are not counted twice.
//!
//! Every open entry remembers the node from which it was first reached. When a node is expanded and
//! a child was first reached from elsewhere, we walk from that other parent upwards, by the table,
//! until we meet a node of the current path (or give up). There the two lines parted: the child of
//! that node on the other line and the one on our path both lead to this child, and the node should
//! count the larger of the two, not their sum ([`Sums::Dag`](super::Sums)). The walk reads entries
//! that may have been replaced; a wrong turn makes a number less apt, never a verdict wrong. (After
//! Nagai 2002 and Kishimoto 2010; the walk along stored parents is the way of several tsume-shogi
//! programs.)

use super::repetition::PathMap;
use crate::table::Table;

/// How many parents are followed. Longer walks find more and cost more.
const STEPS: usize = 12;

/// Where the line that first reached a node left the current path: the depth of the last common
/// node, and the check of the child by which the other line went on.
pub(super) fn parting(
    table: &Table,
    path: &PathMap,
    check: u64,
    parent: u32,
) -> Option<(u32, u64)> {
    let (mut below, mut slot) = (check, parent);
    for _ in 0..STEPS {
        let (check, parent) = table.peek(slot)?;
        if let Some(depth) = path.depth(check) {
            return Some((depth, below));
        }
        (below, slot) = (check, parent);
    }
    None
}
