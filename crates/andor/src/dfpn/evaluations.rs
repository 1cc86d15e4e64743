//! A small cache of what the game said of positions that were never searched.
//!
//! Df-pn comes back to a node many times, and each time it asks the game again about all children
//! that it has not entered yet: they have no entry in the table, for there are many times more of
//! them than of entered nodes. A direct-mapped cache in front of the game answers most of that. It
//! is private to an agent, begins small and grows with use, and compares 64 bits of every key beside
//! those of its place. What took nodes to find is counted once.

use crate::problem::{Evaluation, Key, mix64};
use crate::rules::Stock;
use crate::table::prefetch;

/// The first slots, the most, and the factor by which they grow when all were written once.
const FIRST: usize = 1 << 10;
const MOST: usize = 1 << 16;
const GROWTH: usize = 8;

/// The cache.
#[derive(Debug)]
pub(super) struct Evaluations<S> {
    slots: Vec<Option<Slot<S>>>,
    /// How often something was put in since they last grew.
    puts: usize,
}

#[derive(Clone, Copy, Debug)]
struct Slot<S> {
    check: u64,
    evaluation: Evaluation<S>,
}

impl<S> Default for Evaluations<S> {
    fn default() -> Self {
        Evaluations { slots: Vec::new(), puts: 0 }
    }
}

impl<S: Stock> Evaluations<S> {
    fn place(&self, key: Key, stock: S) -> (usize, u64) {
        let mixed = mix64(u64::from(stock.pack()));
        let last = self.slots.len().wrapping_sub(1);
        ((key.low() ^ mixed) as usize & last, key.high() ^ mixed.rotate_left(32))
    }

    /// Starts to fetch what [`get`](Evaluations::get) will look at.
    #[inline]
    pub fn touch(&self, key: Key, stock: S) {
        let (place, _) = self.place(key, stock);
        prefetch(self.slots.as_ptr().wrapping_add(place));
    }

    /// What the game said of this position, if it is still known.
    #[inline]
    pub fn get(&self, key: Key, stock: S) -> Option<Evaluation<S>> {
        let (place, check) = self.place(key, stock);
        let slot = self.slots.get(place)?.as_ref().filter(|slot| slot.check == check)?;
        Some(match slot.evaluation {
            Evaluation::Solved { value, stock, plies, .. } => {
                Evaluation::Solved { value, stock, plies, nodes: 0 }
            }
            Evaluation::Open { pn, dn, .. } => Evaluation::Open { pn, dn, nodes: 0 },
        })
    }

    /// Remembers what the game said.
    #[inline]
    pub fn put(&mut self, key: Key, stock: S, evaluation: Evaluation<S>) {
        if self.puts >= self.slots.len() && self.slots.len() < MOST {
            // What was there is asked for again.
            let size = (self.slots.len() * GROWTH).clamp(FIRST, MOST);
            self.slots = vec![None; size];
            self.puts = 0;
        }
        self.puts += 1;
        let (place, check) = self.place(key, stock);
        self.slots[place] = Some(Slot { check, evaluation });
    }

    pub fn clear(&mut self) {
        self.slots.clear();
        self.puts = 0;
    }
}
