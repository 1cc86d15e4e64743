//! A small cache of what the game said of positions that were never searched.
//!
//! Df-pn comes back to a node many times, and each time it asks the game again about all children
//! that it has not entered yet: they have no entry in the table, for there are many times more of
//! them than of entered nodes. A direct-mapped cache in front of the game answers most of that. It
//! is private to an agent and holds 80 bits of every key, as the table does. What took nodes to
//! find is counted once.

use crate::problem::{Evaluation, Key, mix64};
use crate::rules::Stock;

const SLOTS: usize = 1 << 16;

/// The cache.
#[derive(Debug)]
pub(super) struct Evaluations<S> {
    slots: Vec<Option<Slot<S>>>,
}

#[derive(Clone, Copy, Debug)]
struct Slot<S> {
    check: u64,
    evaluation: Evaluation<S>,
}

impl<S> Default for Evaluations<S> {
    fn default() -> Self {
        Evaluations { slots: Vec::new() }
    }
}

impl<S: Stock> Evaluations<S> {
    fn place(key: Key, stock: S) -> (usize, u64) {
        let mixed = mix64(u64::from(stock.pack()));
        ((key.low() ^ mixed) as usize % SLOTS, key.high() ^ mixed.rotate_left(32))
    }

    /// What the game said of this position, if it is still known.
    #[inline]
    pub fn get(&self, key: Key, stock: S) -> Option<Evaluation<S>> {
        let (place, check) = Self::place(key, stock);
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
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, None);
        }
        let (place, check) = Self::place(key, stock);
        self.slots[place] = Some(Slot { check, evaluation });
    }

    pub fn clear(&mut self) {
        self.slots.clear();
    }
}
