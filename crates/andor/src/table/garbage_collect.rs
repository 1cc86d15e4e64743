//! Garbage collection by search effort.
//!
//! When nine tenths of the table are filled, the entries worth least are dropped until about half
//! is left: the bound between them is read off a sample. Worth is the effort that went into an
//! entry, and eight times that for a solved one, so proofs survive longest. What survives ages by
//! half, so that old large entries do not stay for ever. The sweep takes one cluster's lock at a
//! time; other threads go on searching. (Nagai's SmallTreeGC, 1999, and its sampled form in use
//! since.)

use std::sync::atomic::Ordering;

use super::Table;
use super::entry::{ENTRIES, Entry, OCTAVE};

/// Share of the capacity, in tenths, at which garbage is collected.
const FULL_TENTHS: usize = 9;
/// At most so many entries are sampled.
const SAMPLE: usize = 1 << 14;

impl Table {
    /// Collects garbage if the table is full; `in_part` is what the store that may have filled it
    /// has [counted](super::count). Cheap enough to ask at every store.
    #[inline]
    pub(super) fn collect_if_full(&self, in_part: isize) {
        let limit = self.capacity() / 10 * FULL_TENTHS;
        if self.stored.reaches(limit, in_part) {
            self.collect(limit);
        }
    }

    /// One thread sweeps; the others go on meanwhile, and make room where they store.
    #[cold]
    fn collect(&self, limit: usize) {
        if self.sweeping.swap(true, Ordering::Acquire) {
            return;
        }
        // Another thread may have swept since this one looked.
        if self.stored.sum() >= limit {
            self.sweep();
        }
        self.sweeping.store(false, Ordering::Release);
    }

    fn sweep(&self) {
        let bound = self.median_worth();
        for (place, cluster) in self.clusters.iter().enumerate() {
            let removed = cluster.write(|words| {
                let mut removed = 0;
                for i in 0..ENTRIES {
                    let mut entry = Entry::read(words, i);
                    if entry.is_free() {
                        continue;
                    }
                    if entry.worth() <= bound {
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
                self.stored.add(place, -removed);
            }
        }
        self.collections.fetch_add(1, Ordering::Relaxed);
    }

    fn median_worth(&self) -> u32 {
        let step = (self.capacity() / SAMPLE).max(1);
        let mut sample: Vec<u32> = (0..self.clusters.len())
            .step_by(step.div_ceil(ENTRIES).max(1))
            .flat_map(|place| {
                self.clusters.cluster(place).read(|view| {
                    let words = view.words();
                    std::array::from_fn::<_, ENTRIES, _>(|i| Entry::read(&words, i))
                })
            })
            .filter(|entry| !entry.is_free())
            .map(|entry| entry.worth())
            .collect();
        if sample.is_empty() {
            return 0;
        }
        let middle = sample.len() / 2;
        *sample.select_nth_unstable(middle).1
    }
}
