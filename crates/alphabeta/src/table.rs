//! The transposition table: what is known of positions already searched.
//!
//! Clusters of four entries in one line of the cache; the key chooses the cluster and is stored
//! whole. A new position takes the place of the least worth: the shallowest, where every search
//! begun since an entry was written counts as [`AGE_WEIGHT`] plies. A greater weight forgets
//! earlier searches sooner; with none, deep entries of old games would fill the table.
//!
//! | bytes | field |
//! | --- | --- |
//! | 0–7 | key |
//! | 8–9 | score, mates counted from this position |
//! | 10–11 | best move, packed |
//! | 12–13 | number of the search that wrote it |
//! | 14 | depth |
//! | 15 | bound; 0: empty |

use std::collections::TryReserveError;

use cozy_chess::{Move, Piece, Square};

use crate::score::Bound;

const AGE_WEIGHT: i32 = 4;

/// Entries a cluster.
const WAYS: usize = 4;

#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    score: i16,
    mv: u16,
    search: u16,
    depth: u8,
    bound: u8,
}

#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Cluster([Entry; WAYS]);

const _: () = assert!(size_of::<Entry>() == 16 && size_of::<Cluster>() == 64);

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Known {
    /// Mates count from the position.
    pub score: i32,
    pub bound: Bound,
    pub depth: i32,
    /// Perhaps not legal, if two positions share a key.
    pub mv: Option<Move>,
}

/// A transposition table.
pub struct Table {
    clusters: Vec<Cluster>,
    search: u16,
}

impl Table {
    /// A table of so many MiB, at least one.
    ///
    /// # Panics
    /// If there is not so much memory.
    pub fn new(mib: usize) -> Table {
        Table::try_new(mib).expect("memory for the table")
    }

    /// A table of so many MiB, at least one.
    ///
    /// # Errors
    /// If there is not so much memory.
    pub fn try_new(mib: usize) -> Result<Table, TryReserveError> {
        let length = mib.max(1).saturating_mul(1 << 20) / size_of::<Cluster>();
        let mut clusters = Vec::new();
        clusters.try_reserve_exact(length)?;
        clusters.resize(length, Cluster::default());
        Ok(Table { clusters, search: 0 })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.clusters.fill(Cluster::default());
        self.search = 0;
    }

    /// Its size in MiB.
    pub fn mib(&self) -> usize {
        (self.clusters.len() * size_of::<Cluster>()) >> 20
    }

    /// How many of a thousand entries are of the current search.
    pub fn permille(&self) -> u32 {
        let sample = self.clusters.iter().take(250).flat_map(|cluster| &cluster.0);
        sample.filter(|entry| entry.bound != 0 && entry.search == self.search).count() as u32
    }

    /// A new search begins: what is there has aged.
    pub(crate) fn begin(&mut self) {
        self.search = self.search.wrapping_add(1);
    }

    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.clusters.len() as u128) >> 64) as usize
    }

    /// What is known of the position.
    pub(crate) fn get(&self, key: u64) -> Option<Known> {
        let cluster = &self.clusters[self.index(key)];
        let entry = cluster.0.iter().find(|entry| entry.key == key && entry.bound != 0)?;
        let bound = match entry.bound {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        };
        let (score, depth) = (entry.score.into(), entry.depth.into());
        Some(Known { score, bound, depth, mv: unpack(entry.mv) })
    }

    /// Remembers. A much deeper result of the same search is not given up for a mere bound, and
    /// the move stays if there is no new one.
    pub(crate) fn put(&mut self, key: u64, known: Known) {
        let search = self.search;
        let index = self.index(key);
        let cluster = &mut self.clusters[index].0;
        let age = |entry: &Entry| i32::from(search.wrapping_sub(entry.search));
        let worth = |entry: &Entry| match entry.bound {
            0 => i32::MIN,
            _ => i32::from(entry.depth) - AGE_WEIGHT * age(entry),
        };
        let same = cluster.iter().position(|entry| entry.key == key && entry.bound != 0);
        let place = match same {
            Some(place) => place,
            None => (0..WAYS).min_by_key(|&way| worth(&cluster[way])).unwrap_or(0),
        };
        let entry = &mut cluster[place];
        let old_move = if same.is_some() { entry.mv } else { 0 };
        let mv = known.mv.map_or(old_move, pack);
        let is_weaker = known.bound != Bound::Exact && known.depth + 3 < entry.depth.into();
        if same.is_some() && entry.search == search && is_weaker {
            return;
        }
        let bound = match known.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let depth = known.depth.clamp(0, 255) as u8;
        *entry = Entry { key, score: known.score as i16, mv, search, depth, bound };
    }
}

/// From, to and promotion in 6, 6 and 3 bits. 0 is no move: from a1 to a1.
fn pack(mv: Move) -> u16 {
    let promotion = mv.promotion.map_or(0, |piece| piece as u16);
    mv.from as u16 | (mv.to as u16) << 6 | promotion << 12
}

fn unpack(packed: u16) -> Option<Move> {
    let promotion = match packed >> 12 {
        0 => None,
        piece => Piece::try_index(piece.into()),
    };
    let square = |bits: u16| Square::index(usize::from(bits & 63));
    let (from, to) = (square(packed), square(packed >> 6));
    (packed != 0).then_some(Move { from, to, promotion })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(depth: i32, bound: Bound) -> Known {
        Known { score: -77, bound, depth, mv: None }
    }

    #[test]
    fn moves_survive_packing() {
        for text in ["a1b1", "h8a1", "e7e8q", "a2a1n", "b1a1", "g7h8r"] {
            let mv: Move = text.parse().expect("a move");
            assert_eq!(unpack(pack(mv)), Some(mv));
        }
        assert_eq!(unpack(0), None);
    }

    #[test]
    fn deep_entries_stay_until_they_are_old() {
        let mut table = Table::new(1);
        // Small keys share cluster 0.
        for key in 1..=4 {
            table.put(key, known(10 + key as i32, Bound::Exact));
        }
        table.put(5, known(1, Bound::Exact));
        assert_eq!(table.get(1), None, "the shallowest went");
        assert_eq!(table.get(4), Some(known(14, Bound::Exact)));
        table.put(6, known(1, Bound::Exact));
        assert_eq!(table.get(5), None);
        for _ in 0..4 {
            table.begin();
        }
        table.put(7, known(1, Bound::Exact));
        table.put(8, known(1, Bound::Exact));
        table.put(9, known(1, Bound::Exact));
        let left: Vec<u64> = (1..=9).filter(|&key| table.get(key).is_some()).collect();
        assert_eq!(left, [4, 7, 8, 9]);
    }

    #[test]
    fn a_bound_does_not_replace_a_much_deeper_result() {
        let mut table = Table::new(1);
        table.put(1, known(10, Bound::Exact));
        table.put(1, known(3, Bound::Lower));
        assert_eq!(table.get(1), Some(known(10, Bound::Exact)));
        table.put(1, known(8, Bound::Lower));
        assert_eq!(table.get(1), Some(known(8, Bound::Lower)));
        table.begin();
        table.put(1, known(2, Bound::Upper));
        assert_eq!(table.get(1), Some(known(2, Bound::Upper)));
        table.clear();
        assert_eq!(table.get(1), None);
    }
}
