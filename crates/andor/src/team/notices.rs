//! Cut-off notices (Kaneko 2010): an agent that solves a node tells those that are below it.
//!
//! Every agent has an inbox: a flag and a few places for the keys of solved nodes. Sending is two
//! exchanges, and looking into an empty inbox is one load. A notice that falls on the place of
//! another one replaces it; the agent then learns of the first when it comes back to that node. No
//! other notice is lost, which is model-checked (`tests/loom.rs`).

#[cfg(loom)]
use loom::sync::atomic::{AtomicBool, AtomicU64, Ordering};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const PLACES: usize = 14;

/// One agent's inbox, on cache lines of its own.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Inbox {
    pending: AtomicBool,
    places: [AtomicU64; PLACES],
}

/// The inboxes of all agents.
#[derive(Debug)]
pub struct Notices(Box<[Inbox]>);

impl Notices {
    /// Empty inboxes.
    pub fn new(agents: usize) -> Notices {
        Notices((0..agents).map(|_| Inbox::default()).collect())
    }

    /// How many inboxes there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Sends the check of a solved node to the agents with these bits.
    pub fn send(&self, mut agents: u64, check: u64) {
        while agents != 0 {
            let inbox = &self.0[agents.trailing_zeros() as usize % self.0.len()];
            inbox.places[(check % PLACES as u64) as usize].swap(check, Ordering::Relaxed);
            // With a plain store, who reads the flag would be sure to see the notice of the agent
            // that raised it last, not those of others that had raised it before.
            inbox.pending.swap(true, Ordering::Release);
            agents &= agents - 1;
        }
    }

    /// Empties an agent's inbox.
    #[inline]
    pub fn receive(&self, agent: usize, mut read: impl FnMut(u64)) {
        let inbox = &self.0[agent];
        if inbox.pending.load(Ordering::Relaxed) && inbox.pending.swap(false, Ordering::Acquire) {
            for place in &inbox.places {
                match place.swap(0, Ordering::Relaxed) {
                    0 => {}
                    check => read(check),
                }
            }
        }
    }
}
