//! Mark and Unmark with the agent's number (Kaneko 2010): who is below which node.
//!
//! One word for each of some ten thousand slots, one bit in it for each agent. An agent sets its
//! bit at a node when it goes below it and takes it back when it leaves. Two nodes that fall on one
//! slot are taken for one; with all paths together far shorter than the slots are many that is
//! rare, and makes a number less apt, never a verdict wrong.

#[cfg(loom)]
use loom::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicU64, Ordering};

/// How many slots there are: half a MiB of them.
pub const SLOTS: usize = 1 << 16;

/// The marks of all agents.
#[derive(Debug)]
pub struct Marks(Box<[AtomicU64]>);

impl Marks {
    /// No marks, in so many slots (a power of two).
    pub fn new(slots: usize) -> Marks {
        assert!(slots.is_power_of_two());
        Marks((0..slots).map(|_| AtomicU64::new(0)).collect())
    }

    fn slot(&self, name: u64) -> &AtomicU64 {
        &self.0[name as usize & (self.0.len() - 1)]
    }

    /// The agent goes below the node of this name.
    pub fn mark(&self, name: u64, agent: usize) {
        self.slot(name).fetch_or(1 << agent, Ordering::Relaxed);
    }

    /// The agent leaves it.
    pub fn unmark(&self, name: u64, agent: usize) {
        self.slot(name).fetch_and(!(1 << agent), Ordering::Relaxed);
    }

    /// Who is below it, a bit each.
    #[inline]
    pub fn agents(&self, name: u64) -> u64 {
        self.slot(name).load(Ordering::Relaxed)
    }

    /// Is nobody anywhere?
    #[cfg(loom)]
    pub fn are_clear(&self) -> bool {
        self.0.iter().all(|slot| slot.load(Ordering::Relaxed) == 0)
    }
}
