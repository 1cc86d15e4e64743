//! The entry protocol: one sequence lock for each cluster.
//!
//! A reader copies the words it wants and accepts the copy only if the cluster's sequence number
//! was even and the same before and after; a writer makes the number odd first and even again last.
//! So a reader never sees half of one entry and half of another, writers exclude each other cluster
//! by cluster, and readers write nothing. Every word is an atomic: there is no data race to reason
//! about, only order, and that is model-checked (`tests/loom.rs`). A writer changes a copy, and a
//! panic meanwhile leaves the cluster as it was, open to others.

#[cfg(loom)]
pub(super) use loom::sync::atomic::AtomicU64;
#[cfg(loom)]
use loom::sync::atomic::{Ordering, fence};
#[cfg(not(loom))]
pub(super) use std::sync::atomic::AtomicU64;
#[cfg(not(loom))]
use std::sync::atomic::{Ordering, fence};

use super::entry::{WORDS, Words};

/// The words of a cluster as they lie in shared memory.
pub type SharedWords = [AtomicU64; WORDS];

/// 128 bytes of shared memory: a sequence number and four entries.
#[derive(Clone, Copy, Debug)]
pub struct Cluster<'a> {
    words: &'a SharedWords,
}

/// The words of a cluster while it is being read: what they say counts only once
/// [`Cluster::read`] returns.
#[derive(Clone, Copy)]
pub struct View<'a>(&'a SharedWords);

impl View<'_> {
    /// One word.
    #[inline]
    pub fn word(self, i: usize) -> u64 {
        self.0[i].load(Ordering::Relaxed)
    }

    /// All words.
    pub fn words(self) -> Words {
        std::array::from_fn(|i| self.word(i))
    }
}

impl<'a> Cluster<'a> {
    /// A cluster in these words, which are all 0 in the beginning.
    pub fn new(words: &'a SharedWords) -> Self {
        Cluster { words }
    }

    /// Runs `read` on the words until it has seen a state that no writer touched meanwhile.
    /// It fetches only the words it asks the [`View`] for.
    #[inline]
    pub fn read<T>(&self, mut read: impl FnMut(View<'_>) -> T) -> T {
        loop {
            let before = self.words[0].load(Ordering::Acquire);
            if before.is_multiple_of(2) {
                let result = read(View(self.words));
                fence(Ordering::Acquire);
                if self.words[0].load(Ordering::Relaxed) == before {
                    return result;
                }
            }
            relax();
        }
    }

    /// Runs `change` on a copy of the cluster, alone, and publishes the copy.
    pub fn write<T>(&self, change: impl FnOnce(&mut Words) -> T) -> T {
        let _locked = self.lock();
        let mut words = [0; WORDS];
        for (copy, word) in words.iter_mut().zip(self.words).skip(1) {
            *copy = word.load(Ordering::Relaxed);
        }
        let before = words;
        let result = change(&mut words);
        for i in 1..WORDS {
            if words[i] != before[i] {
                self.words[i].store(words[i], Ordering::Relaxed);
            }
        }
        result
    }

    /// Makes the sequence number odd, until the lock is dropped.
    fn lock(&self) -> Locked<'a> {
        loop {
            let sequence = self.words[0].load(Ordering::Relaxed);
            if sequence.is_multiple_of(2)
                && self.words[0]
                    .compare_exchange_weak(
                        sequence,
                        sequence + 1,
                        Ordering::Acquire,
                        Ordering::Relaxed,
                    )
                    .is_ok()
            {
                fence(Ordering::Release);
                return Locked { sequence, number: &self.words[0] };
            }
            relax();
        }
    }
}

/// A cluster with a writer inside.
struct Locked<'a> {
    /// The even number it had before.
    sequence: u64,
    number: &'a AtomicU64,
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        self.number.store(self.sequence.wrapping_add(2), Ordering::Release);
    }
}

fn relax() {
    #[cfg(loom)]
    loom::thread::yield_now();
    #[cfg(not(loom))]
    std::hint::spin_loop();
}
