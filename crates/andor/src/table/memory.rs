//! The memory of the table: clusters that begin on a boundary of 128 bytes, so that each covers two
//! neighbouring cache lines and no more.
//!
//! The system hands out zeroed pages and makes them real at the first touch, so a large table costs
//! nothing until it is used.

use super::SizeError;
use super::cluster::{AtomicU64, Cluster};
use super::entry::WORDS;

/// Bytes in a cluster.
pub const CLUSTER_BYTES: usize = 128;
#[cfg(not(loom))]
const _: () = assert!(size_of::<super::cluster::SharedWords>() == CLUSTER_BYTES);

/// The clusters of a table.
#[derive(Debug)]
pub struct Memory {
    words: Box<[AtomicU64]>,
    /// Words before the first boundary.
    skip: usize,
    clusters: usize,
}

impl Memory {
    /// Memory for so many clusters, all free.
    pub fn new(clusters: usize) -> Result<Memory, SizeError> {
        let bytes = clusters.saturating_mul(CLUSTER_BYTES);
        let too_much = SizeError::NoMemory(bytes);
        let count = clusters.checked_add(1).and_then(|count| count.checked_mul(WORDS));
        let Some(count) = count.filter(|_| bytes < isize::MAX as usize / 2) else {
            return Err(too_much);
        };
        let Some(words) = zeroed(count) else { return Err(too_much) };
        let skip = words.as_ptr().align_offset(CLUSTER_BYTES).min(WORDS);
        Ok(Memory { words, skip, clusters })
    }

    /// How many clusters there are.
    pub fn len(&self) -> usize {
        self.clusters
    }

    /// One cluster.
    #[inline]
    pub fn cluster(&self, place: usize) -> Cluster<'_> {
        assert!(place < self.clusters);
        let words = self.words[self.skip + place * WORDS..].first_chunk();
        Cluster::new(words.expect("a cluster lies within the memory"))
    }

    /// All clusters in order.
    pub fn iter(&self) -> impl Iterator<Item = Cluster<'_>> {
        (0..self.clusters).map(|place| self.cluster(place))
    }
}

#[cfg(not(loom))]
fn zeroed(count: usize) -> Option<Box<[AtomicU64]>> {
    bytemuck::allocation::try_zeroed_slice_box(count).ok()
}

#[cfg(loom)]
fn zeroed(count: usize) -> Option<Box<[AtomicU64]>> {
    Some((0..count).map(|_| AtomicU64::new(0)).collect())
}
