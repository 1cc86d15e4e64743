//! How many entries the table holds, counted by many threads at once.
//!
//! One counter would be written by every thread at every new entry, and its cache line would go
//! from core to core all the time. So there are a few, each on cache lines of its own, and the
//! cluster says which. The sum is exact whenever nobody is writing. To see whether the table is
//! full it need not be formed at every store: keys fill all parts alike, and while the part that a
//! store has just changed is well below its share, so is the sum.

use std::sync::atomic::{AtomicIsize, Ordering};

/// Parts of a table that is large enough (a power of two).
const PARTS: usize = 16;
/// Fewer clusters than this are counted in one part.
const SMALL: usize = 1 << 13;
/// A part's share less one part in so many is where the sum is formed.
const MARGIN: isize = 16;

/// One counter. It can be below 0 for a moment: a sweep may remove an entry before the thread that
/// stored it has counted it.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Part(AtomicIsize);

/// The number of entries in the table.
#[derive(Debug)]
pub(super) struct Count(Box<[Part]>);

impl Count {
    /// No entries, for a table of so many clusters.
    pub fn new(clusters: usize) -> Count {
        let parts = if clusters < SMALL { 1 } else { PARTS };
        Count((0..parts).map(|_| Part::default()).collect())
    }

    /// So many entries more (or less) in the cluster at `place`. Gives how many there are in its
    /// part of the table now.
    #[inline]
    pub fn add(&self, place: usize, change: isize) -> isize {
        let part = &self.0[place & (self.0.len() - 1)];
        part.0.fetch_add(change, Ordering::Relaxed) + change
    }

    /// Are there at least `limit` entries, where a part of the table has `in_part`?
    #[inline]
    pub fn reaches(&self, limit: usize, in_part: isize) -> bool {
        if self.0.len() == 1 {
            return in_part >= limit as isize;
        }
        let share = limit as isize / self.0.len() as isize;
        in_part >= share - share / MARGIN && self.sum() >= limit
    }

    /// How many there are.
    pub fn sum(&self) -> usize {
        let sum: isize = self.0.iter().map(|part| part.0.load(Ordering::Relaxed)).sum();
        usize::try_from(sum).unwrap_or(0)
    }

    /// Begins from 0 again.
    pub fn clear(&mut self) {
        self.0.iter_mut().for_each(|part| *part.0.get_mut() = 0);
    }
}
