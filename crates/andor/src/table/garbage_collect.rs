//! Garbage collection by search effort.
//!
//! When nine tenths of the table are filled, the entries worth least are dropped until about half
//! is left: the bound between them is read off a sample, and so is the share of those just at the
//! bound that have to go. (There may be very many of them: most entries of a search were visited
//! once.) Worth is the effort that went into an entry, and eight times that for a solved one, so
//! proofs survive longest. What survives ages by half, so that old large entries do not stay for
//! ever. (Nagai's SmallTreeGC, 1999, and its sampled form in use since.)
//!
//! Nobody waits for a sweep, however large the table is: every store that adds an entry or drives
//! one out sweeps a few clusters more, until all are swept. Many threads share the work in this way,
//! and one thread alone sweeps the same clusters at the same nodes every time.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

use super::count::Count;
use super::entry::{ENTRIES, Entry, OCTAVE};
use super::memory::Memory;
use crate::problem::mix64;

/// Share of the capacity, in tenths, at which garbage is collected.
const FULL_TENTHS: usize = 9;
/// At most so many entries are sampled.
const SAMPLE: usize = 1 << 14;
/// Clusters that one store sweeps. Many more are swept than filled meanwhile.
const STRIDE: usize = 64;

/// A sweep of the table, which may be under way.
#[derive(Debug)]
pub(super) struct Sweep {
    /// The next cluster to be swept; beyond the last one while there is nothing to do.
    next: AtomicUsize,
    /// Entries worth less go.
    bound: AtomicU32,
    /// Of those worth as much, so many of 2³² go.
    share: AtomicU32,
    /// Is a thread about to begin a sweep?
    beginning: AtomicBool,
    /// How many were begun.
    count: AtomicUsize,
}

impl Sweep {
    /// None is under way.
    pub fn none() -> Sweep {
        Sweep {
            next: AtomicUsize::new(usize::MAX / 2),
            bound: AtomicU32::new(0),
            share: AtomicU32::new(0),
            beginning: AtomicBool::new(false),
            count: AtomicUsize::new(0),
        }
    }

    /// How many were begun.
    pub fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }
}

impl Sweep {
    /// Sweeps some clusters if the table is or was full; `in_part` is what the store that may have
    /// filled it has [counted](super::count). Cheap enough to ask at every store.
    #[inline]
    pub fn after_store(&self, clusters: &Memory, stored: &Count, in_part: isize) {
        let limit = clusters.len() * ENTRIES / 10 * FULL_TENTHS;
        if self.next.load(Ordering::Relaxed) < clusters.len() {
            self.go_on(clusters, stored);
        } else if stored.reaches(limit, in_part) {
            self.begin(clusters, stored, limit);
        }
    }

    /// One thread reads off the bound; the others go on meanwhile, and make room where they store.
    #[cold]
    fn begin(&self, clusters: &Memory, stored: &Count, limit: usize) {
        if self.beginning.swap(true, Ordering::Acquire) {
            return;
        }
        // Another thread may have begun one since this one looked.
        let is_under_way = self.next.load(Ordering::Relaxed) < clusters.len();
        if !is_under_way && stored.sum() >= limit {
            let (bound, share) = least_half(&mut sample(clusters));
            self.bound.store(bound, Ordering::Relaxed);
            self.share.store(share, Ordering::Relaxed);
            self.count.fetch_add(1, Ordering::Relaxed);
            self.next.store(0, Ordering::Release);
        }
        self.beginning.store(false, Ordering::Release);
    }

    /// Sweeps the next clusters.
    #[cold]
    fn go_on(&self, clusters: &Memory, stored: &Count) {
        let first = self.next.fetch_add(STRIDE, Ordering::Acquire);
        let bound = self.bound.load(Ordering::Relaxed);
        let share = self.share.load(Ordering::Relaxed);
        // Whom it hits among equals is drawn anew in every sweep.
        let salt = mix64(self.count.load(Ordering::Relaxed) as u64);
        let drawn = |entry: &Entry| (mix64(entry.check ^ salt) as u32) < share;
        for place in (first..first.saturating_add(STRIDE)).take_while(|&p| p < clusters.len()) {
            let removed = clusters.cluster(place).write(|words| {
                let mut removed = 0;
                for i in 0..ENTRIES {
                    let mut entry = Entry::read(words, i);
                    if entry.is_free() {
                        continue;
                    }
                    let worth = entry.worth();
                    if worth < bound || worth == bound && drawn(&entry) {
                        entry = Entry::default();
                        removed += 1;
                    } else {
                        entry.effort = entry.effort.saturating_sub(OCTAVE).max(entry.effort / 2);
                    }
                    entry.write(words, i);
                }
                removed
            });
            if removed != 0 {
                stored.add(place, -removed);
            }
        }
    }
}

/// What some of the entries are worth.
fn sample(clusters: &Memory) -> Vec<u32> {
    let step = (clusters.len() * ENTRIES / SAMPLE).max(1);
    (0..clusters.len())
        .step_by(step.div_ceil(ENTRIES).max(1))
        .flat_map(|place| {
            clusters.cluster_to_read(place).read(|view| {
                let words = view.words();
                std::array::from_fn::<_, ENTRIES, _>(|i| Entry::read(&words, i))
            })
        })
        .filter(|entry| !entry.is_free())
        .map(|entry| entry.worth())
        .collect()
}

/// The median of a sample, and how many of 2³² of those equal to it belong to the lower half.
fn least_half(sample: &mut [u32]) -> (u32, u32) {
    if sample.is_empty() {
        return (0, 0);
    }
    let half = sample.len() / 2;
    let bound = *sample.select_nth_unstable(half).1;
    let less = sample.iter().filter(|&&worth| worth < bound).count();
    let equal = sample.iter().filter(|&&worth| worth == bound).count();
    let share = ((half - less) as u64) << 32;
    (bound, u32::try_from(share / equal as u64).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Plies;
    use crate::problem::Key;
    use crate::table::{Open, Table};

    /// The thread that is to begin a sweep may have to wait for its core while others fill the table
    /// to the last entry. From then on no store adds one; the sweep is begun and ended all the same.
    #[test]
    fn a_table_filled_to_the_brim_is_swept() {
        let table = Table::new(1 << 15).unwrap();
        let store = |n: u64| {
            let key = Key(u128::from(mix64(n)) << 64 | u128::from(mix64(!n)));
            let open = Open { pn: 1, dn: 1, min_depth: 0, extra: 0, effort: 1, parent: 0 };
            table.store_open(key, (), Plies::UNBOUNDED, open);
        };
        table.sweep.beginning.store(true, Ordering::Relaxed);
        let filled = (0..1 << 20).find(|&n| {
            store(n);
            table.stored() == table.capacity()
        });
        let filled = filled.expect("no entry is free");
        assert_eq!(table.collections(), 0);
        table.sweep.beginning.store(false, Ordering::Relaxed);
        (0..8).for_each(|n| store(filled + 1 + n));
        assert_eq!(table.collections(), 1);
        assert!(table.stored() < table.capacity() * 6 / 10, "{}", table.stored());
    }

    #[test]
    fn the_lower_half_of_a_sample() {
        assert_eq!(least_half(&mut []), (0, 0));
        assert_eq!(least_half(&mut [7; 10]), (7, 1 << 31));
        assert_eq!(least_half(&mut [1, 2, 3, 4]), (3, 0));
        assert_eq!(least_half(&mut [9, 1, 5, 5, 5, 5, 9, 9]), (5, u32::MAX / 4 * 3 + 3));
    }
}
