//! How the numbers of a node's children are added up.
//!
//! A node's δ (the disproof number of an OR node, the proof number of an AND node) is in theory the
//! sum over its children. In a graph where lines meet again the plain sum counts the same leaf many
//! times, and numbers explode. Two cures:
//!
//! - *Dag*: children that are known to meet again below count once, by their maximum
//!   ([`double_count`](super::double_count) finds them; Nagai 2002, Kishimoto 2010).
//! - *Weak* (Ueda, Hashimoto, Hashimoto and Iida, 2008): the maximum over all children plus the
//!   number of other unsolved ones, whether they meet or not.

use crate::number::{INFINITY, Number, add};

/// The choice of sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sums {
    /// The plain sum.
    #[default]
    Plain,
    /// The sum, with the maximum over children that meet again.
    Dag,
    /// Weak proof numbers: the maximum, plus one for every other unsolved child.
    Weak,
}

/// Adds up the children of one node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accumulator {
    sums: Sums,
    /// Sum over the children that count in full.
    sum: Number,
    /// Maximum over the others.
    max: Number,
    /// Unsolved children.
    open: Number,
}

impl Accumulator {
    #[inline]
    pub fn new(sums: Sums) -> Self {
        Accumulator { sums, sum: 0, max: 0, open: 0 }
    }

    /// Counts one child.
    #[inline]
    pub fn count(&mut self, number: Number, meets: bool) {
        if number == 0 {
            return;
        }
        self.open += 1;
        if self.counts_by_maximum(meets) {
            self.max = self.max.max(number);
        } else {
            self.sum = add(self.sum, number);
        }
    }

    #[inline]
    fn counts_by_maximum(&self, meets: bool) -> bool {
        match self.sums {
            Sums::Plain => false,
            Sums::Dag => meets,
            Sums::Weak => true,
        }
    }

    /// What is added to the maximum.
    #[inline]
    fn base(&self) -> Number {
        match self.sums {
            Sums::Weak => self.open.saturating_sub(1),
            Sums::Plain | Sums::Dag => self.sum,
        }
    }

    /// The node's number.
    #[inline]
    pub fn total(&self) -> Number {
        add(self.base(), self.max)
    }

    /// The least number of a child at which the node's number reaches `threshold`, if the child
    /// counts `number` now.
    #[inline]
    pub fn child_threshold(&self, threshold: Number, number: Number, meets: bool) -> Number {
        if threshold == INFINITY {
            return INFINITY;
        }
        let others = if self.counts_by_maximum(meets) {
            self.base()
        } else {
            add(self.sum - number, self.max)
        };
        threshold.saturating_sub(others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(sums: Sums, children: &[(Number, bool)]) -> Number {
        let mut sum = Accumulator::new(sums);
        for &(number, meets) in children {
            sum.count(number, meets);
        }
        sum.total()
    }

    #[test]
    fn totals() {
        let children = [(3, true), (5, true), (2, false), (0, false)];
        assert_eq!(total(Sums::Plain, &children), 10);
        assert_eq!(total(Sums::Dag, &children), 7);
        assert_eq!(total(Sums::Weak, &children), 7);
        for sums in [Sums::Plain, Sums::Dag, Sums::Weak] {
            assert_eq!(total(sums, &[]), 0);
            assert_eq!(total(sums, &[(0, false)]), 0);
            assert_eq!(total(sums, &[(1, true), (INFINITY, true)]), INFINITY);
        }
    }

    #[test]
    fn a_child_at_its_threshold_brings_the_node_to_its_own() {
        let children = [(3, true), (5, true), (2, false)];
        for sums in [Sums::Plain, Sums::Dag, Sums::Weak] {
            let mut sum = Accumulator::new(sums);
            children.iter().for_each(|&(n, meets)| sum.count(n, meets));
            for threshold in sum.total() + 1..sum.total() + 5 {
                for i in 0..children.len() {
                    let (number, meets) = children[i];
                    let limit = sum.child_threshold(threshold, number, meets);
                    assert!(limit > number);
                    let with = |n| {
                        let mut changed = children;
                        changed[i].0 = n;
                        total(sums, &changed)
                    };
                    assert!(with(limit) >= threshold && with(limit - 1) < threshold);
                }
            }
        }
    }
}
