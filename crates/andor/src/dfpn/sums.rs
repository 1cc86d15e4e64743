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
//!
//! Children that do not meet are not independent either: what refutes one check mostly refutes a good
//! part of the next. So between the sum and the maximum there is a third way, for the first two: the
//! largest child counts in full and the [rest](super::Dfpn::rest) by a share.

use crate::number::{INFINITY, MAX_FINITE, Number, add};

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

/// All sixteenths: the rest of the children counts in full.
pub(super) const WHOLE: u8 = 16;

/// Adds up the children of one node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accumulator {
    sums: Sums,
    /// In sixteenths: what the children beside the largest count for.
    rest: u8,
    /// Sum over the children that do not count by their maximum, and the two largest of them.
    sum: u64,
    largest: Number,
    second: Number,
    /// Maximum over the others.
    max: Number,
    /// Unsolved children.
    open: Number,
}

impl Accumulator {
    #[inline]
    pub fn new(sums: Sums, rest: u8) -> Self {
        let rest = rest.clamp(1, WHOLE);
        Accumulator { sums, rest, sum: 0, largest: 0, second: 0, max: 0, open: 0 }
    }

    /// Counts one child.
    #[inline]
    pub fn count(&mut self, number: Number, meets: bool) {
        // One of 0 changes nothing.
        self.open += Number::from(number != 0);
        if self.counts_by_maximum(meets) {
            self.max = self.max.max(number);
        } else {
            self.sum += u64::from(number);
            self.second = self.second.max(number.min(self.largest));
            self.largest = self.largest.max(number);
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

    /// What children with this sum count for beside a larger one: rounded up, for an unsolved child
    /// is never nothing.
    #[inline]
    fn share(&self, sum: u64) -> Number {
        finite((sum * u64::from(self.rest)).div_ceil(u64::from(WHOLE)))
    }

    /// The least sum of which that is the share.
    #[inline]
    fn whole(&self, share: Number) -> u64 {
        let Some(less) = share.checked_sub(1) else { return 0 };
        u64::from(less) * u64::from(WHOLE) / u64::from(self.rest) + 1
    }

    /// What is added to the maximum.
    #[inline]
    fn base(&self) -> Number {
        match self.sums {
            Sums::Weak => self.open.saturating_sub(1),
            Sums::Plain | Sums::Dag => {
                add(self.largest, self.share(self.sum - u64::from(self.largest)))
            }
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
        if self.counts_by_maximum(meets) {
            return threshold.saturating_sub(self.base());
        }
        let wanted = threshold.saturating_sub(self.max);
        let others = self.sum - u64::from(number);
        let rival = if number == self.largest { self.second } else { self.largest };
        let beside = self.share(others);
        if wanted > add(rival, beside) {
            // Then the child is the largest.
            return wanted - beside;
        }
        let share = wanted.saturating_sub(rival);
        finite(self.whole(share).saturating_sub(others.saturating_sub(u64::from(rival))))
    }
}

#[inline]
fn finite(number: u64) -> Number {
    number.min(u64::from(MAX_FINITE)) as Number
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESTS: [u8; 4] = [WHOLE, 12, 5, 1];

    fn total(sums: Sums, rest: u8, children: &[(Number, bool)]) -> Number {
        let mut sum = Accumulator::new(sums, rest);
        for &(number, meets) in children {
            sum.count(number, meets);
        }
        sum.total()
    }

    #[test]
    fn totals() {
        let children = [(3, true), (5, true), (2, false), (0, false)];
        assert_eq!(total(Sums::Plain, WHOLE, &children), 10);
        assert_eq!(total(Sums::Plain, 8, &children), 8);
        assert_eq!(total(Sums::Plain, 1, &[(1, false), (1, false)]), 2);
        assert_eq!(total(Sums::Dag, WHOLE, &children), 7);
        assert_eq!(total(Sums::Weak, WHOLE, &children), 7);
        for rest in RESTS {
            for sums in [Sums::Plain, Sums::Dag, Sums::Weak] {
                assert_eq!(total(sums, rest, &[]), 0);
                assert_eq!(total(sums, rest, &[(0, false)]), 0);
                assert_eq!(total(sums, rest, &[(1, true), (INFINITY, true)]), INFINITY);
                let most = [(MAX_FINITE, false), (MAX_FINITE, false), (7, true)];
                let sum = total(sums, rest, &most);
                assert!((MAX_FINITE - 7..INFINITY).contains(&sum), "{sum}");
            }
        }
    }

    #[test]
    fn a_child_at_its_threshold_brings_the_node_to_its_own() {
        for children in [[(3, true), (5, true), (2, false)], [(9, false), (90, false), (21, false)]]
        {
            for (sums, rest) in
                [Sums::Plain, Sums::Dag, Sums::Weak].into_iter().flat_map(|s| RESTS.map(|r| (s, r)))
            {
                let mut sum = Accumulator::new(sums, rest);
                children.iter().for_each(|&(n, meets)| sum.count(n, meets));
                for threshold in sum.total() + 1..sum.total() + 150 {
                    for i in 0..children.len() {
                        let (number, meets) = children[i];
                        let limit = sum.child_threshold(threshold, number, meets);
                        assert!(limit > number);
                        let with = |n| {
                            let mut changed = children;
                            changed[i].0 = n;
                            total(sums, rest, &changed)
                        };
                        assert!(with(limit) >= threshold && with(limit - 1) < threshold);
                    }
                }
            }
        }
    }
}
