//! Sound treatment of repetition: the graph-history interaction problem.
//!
//! A position that stands on the current path already counts as disproven, and so does one on the
//! path's board with no larger a stock: the attacker made no progress. (A problem in which
//! repetition favours the attacker is searched with the roles exchanged, see
//! [`Mirror`](crate::Mirror).) What is concluded from that holds for this path only: elsewhere the
//! same position may not be a repetition (Palay 1983; Kishimoto and Müller 2004). We keep, with
//! every result, the ancestors it *leans* on (`Lean`):
//!
//! - A result that leans on nothing holds everywhere and goes to the transposition table.
//! - When a node is disproven and the result leans on no ancestor above itself, every line of the
//!   refutation ends well for the defender or leads back into the refutation. So the set is closed,
//!   the defender stays in it for ever, and the result holds everywhere too.
//! - Any other result is kept apart (`PathResults`) with the positions it leans on. It holds
//!   wherever each of those is on the path again, or is disproven by itself meanwhile.
//!
//! Proofs never lean: every line of a proof comes to its end.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::plies::Plies;
use crate::problem::Key;
use crate::rules::{Stock, Value};
use crate::table::Solved;

/// The ancestors that a result leans on: a list of depths in [`Leans`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lean {
    start: u32,
    length: u32,
    /// The depth of the shallowest; the largest number for none.
    pub shallowest: u32,
}

impl Lean {
    /// Leans on nothing.
    pub const FREE: Lean = Lean { start: 0, length: 0, shallowest: u32::MAX };
}

/// Stands last in a list that should be longer.
const MORE: u32 = u32::MAX - 1;
/// Of more ancestors than this, only the shallowest are kept in mind.
const LONGEST: usize = 48;

/// The lists of ancestors that results on the agent's stack lean on, each in order of depth. They
/// come and go with the frames: a node that is left takes all lists made below it away and leaves
/// one of its own.
#[derive(Debug, Default)]
pub(super) struct Leans {
    depths: Vec<u32>,
    scratch: Vec<u32>,
}

impl Leans {
    /// How long the lists are together. A frame remembers it when it is entered.
    #[inline]
    pub fn mark(&self) -> usize {
        self.depths.len()
    }

    /// A result that leans on the ancestor at `depth` alone.
    pub fn on(&mut self, depth: u32) -> Lean {
        self.push(&[depth])
    }

    fn push(&mut self, depths: &[u32]) -> Lean {
        let Some(&shallowest) = depths.first() else { return Lean::FREE };
        let start = self.depths.len() as u32;
        self.depths.extend_from_slice(depths);
        Lean { start, length: depths.len() as u32, shallowest }
    }

    fn list(&self, lean: Lean) -> &[u32] {
        &self.depths[lean.start as usize..][..lean.length as usize]
    }

    /// A list from any depths, in any order.
    pub fn collect(&mut self, depths: impl Iterator<Item = u32>) -> Lean {
        let mut list = std::mem::take(&mut self.scratch);
        list.clear();
        list.extend(depths);
        let lean = self.push_sorted(&mut list);
        self.scratch = list;
        lean
    }

    fn push_sorted(&mut self, list: &mut Vec<u32>) -> Lean {
        list.sort_unstable();
        list.dedup();
        if list.len() > LONGEST {
            list.truncate(LONGEST);
            list[LONGEST - 1] = MORE;
        }
        self.push(list)
    }

    /// Leaves the node at `depth`, entered at `mark`, whose result leans on all that `leans` lean
    /// on. What it leans on is then among its ancestors; itself and what was below it do not count
    /// any more.
    pub fn leave(&mut self, mark: usize, depth: u32, leans: impl Iterator<Item = Lean>) -> Lean {
        let mut list = std::mem::take(&mut self.scratch);
        list.clear();
        for lean in leans {
            list.extend_from_slice(self.list(lean));
        }
        list.retain(|&leaned| leaned < depth || leaned == MORE);
        if list.iter().all(|&leaned| leaned == MORE) {
            list.clear();
        }
        self.depths.truncate(mark);
        let lean = self.push_sorted(&mut list);
        self.scratch = list;
        lean
    }

    /// The depths, if all are known.
    pub fn all(&self, lean: Lean) -> Option<&[u32]> {
        let list = self.list(lean);
        (list.last() != Some(&MORE)).then_some(list)
    }

    pub fn clear(&mut self) {
        self.depths.clear();
    }
}

/// Where boards stand on the current path: the check of a key to the depth of its latest node.
#[derive(Debug, Default)]
pub(super) struct PathMap(HashMap<u64, u32, BuildHasherDefault<CheckHasher>>);

impl PathMap {
    /// Notes that the node at `depth` has this check; gives the depth of the one before it with the
    /// same.
    #[inline]
    pub fn enter(&mut self, check: u64, depth: u32) -> Option<u32> {
        self.0.insert(check, depth)
    }

    /// Undoes [`enter`](PathMap::enter).
    #[inline]
    pub fn leave(&mut self, check: u64, before: Option<u32>) {
        match before {
            Some(depth) => self.0.insert(check, depth),
            None => self.0.remove(&check),
        };
    }

    /// The depth of the latest node with this check.
    #[inline]
    pub fn depth(&self, check: u64) -> Option<u32> {
        self.0.get(&check).copied()
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// Checks are hashes already.
#[derive(Debug, Default)]
pub(super) struct CheckHasher(u64);

impl Hasher for CheckHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("checks are u64")
    }
    fn write_u64(&mut self, check: u64) {
        self.0 = check;
    }
}

/// A disproof that leans on ancestors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathResult {
    key: Key,
    /// Where the ancestors it leans on stand in the pool, and how many they are.
    start: u64,
    length: u16,
    plies: Plies,
    stock: u32,
    pub effort: u64,
}

impl PathResult {
    pub fn solved<S: Stock>(&self) -> Solved<S> {
        let stock = S::unpack(self.stock);
        Solved { value: Value::Disproven, stock, plies: self.plies }
    }
}

/// Results that lean on ancestors, for one agent or a team of them. Each names the positions it
/// leans on, so an agent can use what another one found. In a team they are in many parts, by key,
/// and each part has its own lock.
#[derive(Debug)]
pub(crate) struct SharedResults {
    parts: Box<[Mutex<PathResults>]>,
    /// A bit for every key that may have results, so that most questions need no lock.
    filter: Box<[AtomicU64]>,
}

/// Words of the filter.
const FILTER: usize = 1 << 13;

impl SharedResults {
    /// At most `bytes` bytes in so many parts.
    pub fn new(bytes: usize, parts: usize) -> Self {
        let words = if bytes == 0 { 0 } else { FILTER };
        SharedResults {
            parts: (0..parts).map(|_| Mutex::new(PathResults::new(bytes / parts))).collect(),
            filter: (0..words).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    fn bit(&self, key: Key) -> Option<(&AtomicU64, u64)> {
        let hash = key.high();
        let word = self.filter.get((hash >> 6) as usize % FILTER)?;
        Some((word, 1 << (hash % 64)))
    }

    /// The part in which there may be results for a key; none if there are none for sure.
    #[inline]
    pub fn look(&self, key: Key) -> Option<MutexGuard<'_, PathResults>> {
        let (word, bit) = self.bit(key)?;
        (word.load(Ordering::Relaxed) & bit != 0).then(|| self.part(key))
    }

    /// The part for a new result of this key.
    pub fn add(&self, key: Key) -> MutexGuard<'_, PathResults> {
        if let Some((word, bit)) = self.bit(key)
            && word.load(Ordering::Relaxed) & bit == 0
        {
            word.fetch_or(bit, Ordering::Relaxed);
        }
        self.part(key)
    }

    /// A part whose owner panicked is as good as any: every result is written whole.
    fn part(&self, key: Key) -> MutexGuard<'_, PathResults> {
        let part = key.low() as usize % self.parts.len();
        self.parts[part].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets all results. Where there were none, as in most short questions, this costs nothing.
    pub fn clear(&mut self) {
        let mut had_any = false;
        for part in &mut self.parts {
            let part = part.get_mut().unwrap_or_else(PoisonError::into_inner);
            had_any |= part.stored > 0;
            part.clear();
        }
        if had_any {
            self.filter.iter_mut().for_each(|word| *word.get_mut() = 0);
        }
    }
}

/// A table of results in clusters, the newest in each; and a pool of the positions that they lean
/// on, the newest over the oldest. Both begin empty and grow as they fill, up to a limit.
#[derive(Debug)]
pub(crate) struct PathResults {
    slots: Vec<Option<PathResult>>,
    /// How many results were stored since the slots last grew.
    stored: usize,
    turn: usize,
    pool: Vec<(Key, u32)>,
    /// How many positions were ever put into the pool.
    pooled: u64,
    /// How many slots and positions there may be.
    limits: (usize, usize),
}

const CLUSTER: usize = 4;
/// The first slots, and the factor by which they grow.
const FIRST: usize = 1 << 10;
const GROWTH: usize = 4;

impl PathResults {
    /// A table of at most `bytes` bytes.
    pub fn new(bytes: usize) -> Self {
        let clusters = bytes / 2 / (CLUSTER * size_of::<Option<PathResult>>());
        let pool = bytes / 2 / size_of::<(Key, u32)>();
        PathResults {
            slots: Vec::new(),
            stored: 0,
            turn: 0,
            pool: Vec::new(),
            pooled: 0,
            limits: (clusters * CLUSTER, pool),
        }
    }

    fn cluster(&self, key: Key) -> std::ops::Range<usize> {
        let clusters = self.slots.len() / CLUSTER;
        let place = ((key.low() as u128 * clusters as u128) >> 64) as usize;
        place * CLUSTER..((place + 1) * CLUSTER).min(self.slots.len())
    }

    /// Results for this board.
    pub fn candidates(&self, key: Key) -> impl Iterator<Item = &PathResult> {
        let cluster = &self.slots[self.cluster(key)];
        cluster.iter().flatten().filter(move |result| result.key == key)
    }

    /// The key and packed stock of each position that a result leans on, if they are known.
    pub fn leaned(&self, result: &PathResult) -> Option<impl Iterator<Item = (Key, u32)>> {
        let size = self.limits.1 as u64;
        let known = result.start + size >= self.pooled;
        let range = result.start..result.start + result.length as u64;
        known.then(|| range.map(move |i| self.pool[(i % size) as usize]))
    }

    /// Stores a result, over the others of its cluster in turn.
    pub fn store<S: Stock>(
        &mut self,
        key: Key,
        solved: Solved<S>,
        leaned: impl Iterator<Item = (Key, u32)>,
        effort: u64,
    ) {
        debug_assert_eq!(solved.value, Value::Disproven);
        let size = self.limits.1;
        if self.limits.0 == 0 || size < LONGEST {
            return;
        }
        if self.stored >= self.slots.len() / 2 && self.slots.len() < self.limits.0 {
            self.grow();
        }
        let start = self.pooled;
        for position in leaned {
            if self.pool.len() < size {
                self.pool.push(position);
            } else {
                self.pool[(self.pooled % size as u64) as usize] = position;
            }
            self.pooled += 1;
        }
        let length = (self.pooled - start) as u16;
        let (plies, stock) = (solved.plies, solved.stock.pack());
        self.put(PathResult { key, start, length, plies, stock, effort });
    }

    fn put(&mut self, result: PathResult) {
        self.stored += 1;
        self.turn = (self.turn + 1) % CLUSTER;
        let cluster = self.cluster(result.key);
        let slots = &mut self.slots[cluster];
        let place = slots.iter().position(Option::is_none).unwrap_or(self.turn);
        slots[place] = Some(result);
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * GROWTH).max(FIRST).min(self.limits.0);
        let old = std::mem::replace(&mut self.slots, vec![None; size]);
        self.stored = 0;
        old.into_iter().flatten().for_each(|result| self.put(result));
    }

    pub fn clear(&mut self) {
        if self.stored > 0 {
            self.slots.clear();
        }
        self.pool.clear();
        (self.stored, self.pooled) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_leans_on_what_its_children_lean_on_above_it() {
        let mut leans = Leans::default();
        let outer = leans.on(9);
        let mark = leans.mark();
        let children = [leans.on(3), leans.on(1), Lean::FREE, leans.on(5), leans.on(3)];
        let lean = leans.leave(mark, 5, children.into_iter());
        assert_eq!(leans.all(lean), Some(&[1, 3][..]));
        assert_eq!(lean.shallowest, 1);
        assert_eq!(leans.all(outer), Some(&[9][..]));
        assert_eq!(leans.leave(mark, 1, [lean].into_iter()), Lean::FREE);
        assert_eq!(leans.mark(), mark);
    }

    #[test]
    fn too_many_ancestors_are_not_forgotten() {
        let mut leans = Leans::default();
        let many = leans.collect((5..5 + LONGEST as u32 + 1).rev());
        assert_eq!(many.shallowest, 5);
        assert!(leans.all(many).is_none());
        let still = leans.leave(0, 7, [many].into_iter());
        assert_eq!(still.shallowest, 5);
        assert!(leans.all(still).is_none());
        assert_eq!(leans.leave(0, 5, [still].into_iter()), Lean::FREE);
    }
}
