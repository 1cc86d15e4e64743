//! Threshold control against infinite loops: Kishimoto's TCA (2010).
//!
//! In a graph with cycles a node's numbers can rest on a child that was first reached nearer to the
//! root, whose own numbers rest on this node. Df-pn can then go round for ever: every visit finds
//! the thresholds exceeded and opens nothing. TCA keeps the smallest depth each node was reached
//! at; a node with an unsolved child that was reached no deeper than itself hints at such a loop,
//! and from there on thresholds are raised just above the numbers until a new leaf is opened.

use crate::number::Number;

/// Says whether thresholds are being raised. One for each agent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ThresholdControl {
    enabled: bool,
    raising: bool,
}

impl ThresholdControl {
    pub fn new(enabled: bool) -> Self {
        ThresholdControl { enabled, raising: false }
    }

    /// A node was entered: `fresh` if it never was before, `old_child` if it has an unsolved child
    /// that was reached no deeper than itself. Gives the state to go back to when the node is left.
    #[inline]
    pub fn enter(&mut self, fresh: bool, old_child: bool) -> bool {
        let before = self.raising;
        if self.enabled {
            self.raising = old_child || (before && !fresh);
        }
        before
    }

    /// A child of the top node that was looked at later turned out to be such a one.
    #[inline]
    pub fn meet_old_child(&mut self) {
        self.raising |= self.enabled;
    }

    /// The node was left.
    #[inline]
    pub fn leave(&mut self, before: bool) {
        self.raising &= before;
    }

    /// The threshold for a node whose number is `number`.
    #[inline]
    pub fn threshold(&self, threshold: Number, number: Number) -> Number {
        if self.raising { threshold.max(number.saturating_add(1)) } else { threshold }
    }
}
