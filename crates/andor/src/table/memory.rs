//! The memory of the table: clusters that begin on a boundary of 128 bytes, so that each covers two
//! neighbouring cache lines and no more.
//!
//! It is an anonymous mapping: zeroed pages that the system makes real at the first touch, so that a
//! small search in a large table costs little. For a long search all of it can be made real before,
//! and then in huge pages where the system has them (Linux): a search jumps about in the table at
//! random, and with pages of 4 KiB nearly every jump has to look up where its page is. Two things
//! here the compiler cannot check: seeing the mapping as words, and asking the processor to fetch.
//!
//! A table of which little was used is freed by clearing that: which parts were written to is noted.
//!
//! WebAssembly maps nothing; there the table is a part of the heap.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64 as Bits, Ordering};

use super::cluster::{AtomicU64, Cluster, SharedWords};
use super::entry::WORDS;

/// A table was asked for that is too small or too large to exist.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SizeError {
    /// Less than one cluster.
    #[error("the table needs at least {MIN_BYTES} bytes, not {0}")]
    TooSmall(usize),
    /// The system has not that much memory.
    #[error("no memory for a table of {0} bytes: use a smaller one")]
    NoMemory(usize),
}

/// The smallest table: 16 KiB.
pub const MIN_BYTES: usize = 1 << 14;

/// Bytes in a cluster.
pub const CLUSTER_BYTES: usize = 128;
#[cfg(not(loom))]
const _: () = assert!(size_of::<SharedWords>() == CLUSTER_BYTES);

/// Starts to fetch the cache line at an address. Where the processor cannot be asked, nothing happens.
#[inline]
#[allow(unsafe_code)]
pub fn prefetch<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint; it reads nothing and cannot fault, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// The clusters of a table.
#[derive(Debug)]
pub struct Memory {
    words: Words,
    clusters: usize,
    is_real: AtomicBool,
    used: Used,
    /// What a reader sees where nothing was written.
    empty: SharedWords,
}

/// Which parts of the memory were written to, a bit each. A part is a page, or more where that would
/// be too many bits to stay in a processor's nearest cache. (What the model check need not look at:
/// whoever clears the memory has it alone.)
#[derive(Debug)]
struct Used {
    bits: [Bits; Used::PARTS / 64],
    /// Clusters in a part: 2 to the power of this.
    shift: u32,
}

impl Used {
    /// At most so many: 512 bytes of bits.
    const PARTS: usize = 1 << 12;
    /// Clusters in a page, 2 to the power of this.
    const PAGE: u32 = (4096 / CLUSTER_BYTES).ilog2();

    fn none(clusters: usize) -> Used {
        let shift = clusters.div_ceil(Used::PARTS).next_power_of_two().ilog2().max(Used::PAGE);
        Used { bits: [const { Bits::new(0) }; Used::PARTS / 64], shift }
    }

    #[inline]
    fn bit(&self, place: usize) -> (&Bits, u64) {
        let part = (place >> self.shift) % Used::PARTS;
        (&self.bits[part / 64], 1 << (part % 64))
    }

    #[inline]
    fn has(&self, place: usize) -> bool {
        let (word, bit) = self.bit(place);
        word.load(Ordering::Relaxed) & bit != 0
    }

    #[inline]
    fn add(&self, place: usize) {
        let (word, bit) = self.bit(place);
        if !self.has(place) {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// The words of the table in each part that was written to, which counts as unused from now on.
    fn take(&mut self) -> Vec<Range<usize>> {
        let length = WORDS << self.shift;
        let mut parts = Vec::new();
        for (i, word) in self.bits.iter_mut().enumerate() {
            let bits = std::mem::take(word.get_mut());
            let places =
                (0..64).filter(|bit| bits >> bit & 1 != 0).map(|bit| (64 * i + bit) * length);
            parts.extend(places.map(|place| place..place + length));
        }
        parts
    }
}

impl Memory {
    /// Memory for so many clusters, all free.
    pub fn new(clusters: usize) -> Result<Memory, SizeError> {
        let bytes = clusters.saturating_mul(CLUSTER_BYTES);
        let fits = bytes > 0 && bytes < isize::MAX as usize / 2;
        let words = fits.then(|| Words::new(clusters * WORDS)).flatten();
        let words = words.ok_or(SizeError::NoMemory(bytes))?;
        let is_real = AtomicBool::new(Words::BORN_REAL);
        let empty = std::array::from_fn(|_| AtomicU64::new(0));
        Ok(Memory { words, clusters, is_real, used: Used::none(clusters), empty })
    }

    /// How many clusters there are.
    pub fn len(&self) -> usize {
        self.clusters
    }

    /// One cluster.
    #[inline]
    pub fn cluster(&self, place: usize) -> Cluster<'_> {
        let words = self.words.slice()[place * WORDS..].first_chunk();
        Cluster::new(words.expect("a cluster lies within the memory"))
    }

    /// One cluster, to be read. Where nothing was written yet an empty one answers for it: to read a
    /// page that is not real makes the system find one, and in a large table most of what a short
    /// search looks up lies on such pages.
    #[inline]
    pub fn cluster_to_read(&self, place: usize) -> Cluster<'_> {
        if self.is_real() || self.used.has(place) {
            self.cluster(place)
        } else {
            Cluster::new(&self.empty)
        }
    }

    /// One cluster, to be written to.
    #[inline]
    pub fn cluster_to_fill(&self, place: usize) -> Cluster<'_> {
        self.used.add(place);
        self.cluster(place)
    }

    /// Starts to fetch a cluster.
    #[inline]
    pub fn prefetch(&self, place: usize) {
        self.words.prefetch(place * WORDS);
    }

    /// Makes all pages real, huge ones if possible, so that a search need not wait for them; or
    /// those at the front, if it is to stop before that.
    pub fn make_real(&self, mut is_to_stop: impl FnMut() -> bool) {
        /// It may be stopped after so many: as large as a huge page.
        const STEP_WORDS: usize = (2 << 20) / 8;
        const PAGE_WORDS: usize = 4096 / 8;
        self.words.prefer_huge_pages(true);
        for words in self.words.slice().chunks(STEP_WORDS) {
            if is_to_stop() {
                // A search that meets the rest would wait for a whole one at every first touch.
                self.words.prefer_huge_pages(false);
                return;
            }
            for word in words.iter().step_by(PAGE_WORDS) {
                // A write that changes nothing, and that the compiler does not see through.
                let _ = word.compare_exchange(0, 0, Ordering::Relaxed, Ordering::Relaxed);
            }
        }
        self.is_real.store(true, Ordering::Relaxed);
    }

    /// Were all pages made real?
    pub fn is_real(&self) -> bool {
        self.is_real.load(Ordering::Relaxed)
    }

    /// Frees all clusters. What was made real stays so; so does what was written to, up to 64 MiB:
    /// a new mapping and its faults cost more than to clear it. More than that is replaced by fresh
    /// pages, where they can be had: a table that was filled once need not stay so large.
    pub fn clear(&mut self) {
        const LITTLE: usize = (1 << 26) / size_of::<u64>();
        let used = self.used.take();
        let words: usize = used.iter().map(|part| part.len()).sum();
        if !*self.is_real.get_mut()
            && words > LITTLE
            && let Ok(fresh) = Memory::new(self.clusters)
        {
            *self = fresh;
        } else {
            used.into_iter().for_each(|part| self.words.clear(part));
        }
    }

    /// All clusters in order.
    pub fn iter(&self) -> impl Iterator<Item = Cluster<'_>> {
        (0..self.clusters).map(|place| self.cluster_to_read(place))
    }
}

#[cfg(not(any(loom, target_family = "wasm")))]
mod words {
    use std::ops::Range;

    use super::AtomicU64;
    use memmap2::MmapMut;

    /// Words in a mapping of their own.
    #[derive(Debug)]
    pub struct Words {
        map: MmapMut,
    }

    impl Words {
        /// Pages become real when they are touched.
        pub const BORN_REAL: bool = false;

        pub fn new(count: usize) -> Option<Words> {
            Some(Words { map: MmapMut::map_anon(count * size_of::<u64>()).ok()? })
        }

        /// Are pages that are not real yet to be huge ones?
        #[cfg(target_os = "linux")]
        pub fn prefer_huge_pages(&self, prefer: bool) {
            use memmap2::Advice;
            // Where the system does otherwise, the table is only slower.
            let _ = self.map.advise(if prefer { Advice::HugePage } else { Advice::NoHugePage });
        }

        #[cfg(not(target_os = "linux"))]
        pub fn prefer_huge_pages(&self, _: bool) {}

        pub fn clear(&mut self, words: Range<usize>) {
            let (begin, end) = (words.start * size_of::<u64>(), words.end * size_of::<u64>());
            let end = end.min(self.map.len());
            self.map[begin..end].fill(0);
        }

        #[inline]
        #[allow(unsafe_code)]
        pub fn slice(&self) -> &[AtomicU64] {
            let count = self.map.len() / size_of::<AtomicU64>();
            // SAFETY: the mapping is private to us, begins on a page boundary, is as long as said,
            // and lives as long as the slice. Every bit pattern is an AtomicU64, and the bytes are
            // seen otherwise only by `clear`, which has them alone, so all access is by atomics.
            unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast::<AtomicU64>(), count) }
        }

        #[inline]
        pub fn prefetch(&self, word: usize) {
            let address = self.map.as_ptr().wrapping_add(word * size_of::<u64>());
            super::prefetch(address);
            super::prefetch(address.wrapping_add(64));
        }
    }
}

/// Where memory cannot be mapped: in WebAssembly, and in the model check, whose atomics are larger.
#[cfg(any(loom, target_family = "wasm"))]
mod words {
    use std::ops::Range;

    use super::AtomicU64;

    /// Words on the heap.
    #[derive(Debug)]
    pub struct Words(Vec<AtomicU64>);

    impl Words {
        /// All of it is written at once.
        pub const BORN_REAL: bool = true;

        pub fn new(count: usize) -> Option<Words> {
            let mut words = Vec::new();
            words.try_reserve_exact(count).ok()?;
            words.resize_with(count, || AtomicU64::new(0));
            Some(Words(words))
        }

        #[inline]
        pub fn slice(&self) -> &[AtomicU64] {
            &self.0
        }

        pub fn clear(&mut self, words: Range<usize>) {
            let end = words.end.min(self.0.len());
            self.0[words.start..end].iter_mut().for_each(|word| *word = AtomicU64::new(0));
        }

        pub fn prefer_huge_pages(&self, _: bool) {}

        #[inline]
        pub fn prefetch(&self, _: usize) {}
    }
}

use words::Words;
