//! Sound treatment of repetition: the graph-history interaction problem.
//!
//! A position that stands on the current path already counts as disproven, and so does one on the
//! path's board with no larger a stock: the attacker made no progress. (A problem in which repetition favours the
//! attacker is searched with the roles exchanged, see [`Mirror`](crate::Mirror).) What is concluded from that holds for this path only: elsewhere the same position may not be a
//! repetition (Palay 1983; Kishimoto and Müller 2004). We keep, with every result, the ancestors it
//! *leans* on ([`Lean`]):
//!
//! - A result that leans on nothing holds everywhere and goes to the transposition table.
//! - When a node is disproven and the result leans on no ancestor above itself, every line of the
//!   refutation ends well for the defender or leads back into the refutation. So the set is closed, the
//!   defender stays in it for ever, and the result holds everywhere too.
//! - Any other result is kept apart ([`PathResults`]) with the positions it leans on. It holds wherever
//!   each of those is on the path again, or is disproven by itself meanwhile.
//!
//! Proofs never lean: every line of a proof comes to its end.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::problem::{Key, mix64};
use crate::rules::{Stock, Value};
use crate::table::Solved;

/// The ancestors, by depth, that a result leans on. Up to four are known one by one; of more, only
/// the shallowest is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lean([u32; 4]);

/// Ends the list of depths.
const NONE: u32 = u32::MAX;
/// Stands last in a list that should be longer.
const MORE: u32 = u32::MAX - 1;

impl Lean {
    /// Leans on nothing.
    pub const FREE: Lean = Lean([NONE; 4]);

    /// Leans on the ancestor at `depth`.
    pub fn on(depth: u32) -> Lean {
        Lean([depth, NONE, NONE, NONE])
    }

    /// The depth of the shallowest ancestor leaned on; the largest number for none.
    pub fn shallowest(self) -> u32 {
        self.0[0]
    }

    /// Leans on all that either leans on.
    #[inline]
    pub fn and(self, other: Lean) -> Lean {
        if other == Lean::FREE || self == other {
            return self;
        }
        if self == Lean::FREE {
            return other;
        }
        self.merge(other)
    }

    fn merge(self, other: Lean) -> Lean {
        let mut union = [NONE; 4];
        let (mut i, mut j, mut count) = (0, 0, 0);
        loop {
            let left = self.0.get(i).copied().unwrap_or(NONE);
            let right = other.0.get(j).copied().unwrap_or(NONE);
            let next = left.min(right);
            if next == NONE {
                return Lean(union);
            }
            if count == 4 || next == MORE {
                union[3] = MORE;
                return Lean(union);
            }
            union[count] = next;
            count += 1;
            i += (left == next) as usize;
            j += (right == next) as usize;
        }
    }

    /// What is left for the node at `depth`, once it is solved: it leans on ancestors only.
    pub fn below(self, depth: u32) -> Lean {
        if self.0[0] >= depth {
            return Lean::FREE;
        }
        if self.0[3] == MORE {
            return self;
        }
        Lean(self.0.map(|leaned| if leaned >= depth { NONE } else { leaned }))
    }

    /// The depths, if all are known.
    fn depths(self) -> Option<impl Iterator<Item = u32>> {
        (self.0[3] != MORE).then(|| self.0.into_iter().filter(|&depth| depth != NONE))
    }
}

/// Hash of a path, from the path one shorter.
pub(super) fn path_hash(before: u64, key_low: u64, stock: u32) -> u64 {
    mix64(before.rotate_left(17) ^ key_low ^ (stock as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Where boards stand on the current path: the check of a key to the depth of its latest node.
#[derive(Debug, Default)]
pub(super) struct PathMap(HashMap<u64, u32, BuildHasherDefault<CheckHasher>>);

impl PathMap {
    /// Notes that the node at `depth` has this check; gives the depth of the one before it with the same.
    pub fn enter(&mut self, check: u64, depth: u32) -> Option<u32> {
        self.0.insert(check, depth)
    }

    /// Undoes [`enter`](PathMap::enter).
    pub fn leave(&mut self, check: u64, before: Option<u32>) {
        match before {
            Some(depth) => self.0.insert(check, depth),
            None => self.0.remove(&check),
        };
    }

    /// The depth of the latest node with this check.
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
pub(super) struct PathResult {
    check: u64,
    /// The path it was found on: there it holds whatever it leans on.
    pub path: u64,
    /// On that path.
    pub lean: Lean,
    /// The key and stock of each ancestor it leans on.
    leaned: [(Key, u32); 4],
    stock: u32,
    plies: u16,
    pub effort: u64,
}

impl PathResult {
    pub fn new<S: Stock>(
        path: u64,
        solved: Solved<S>,
        lean: Lean,
        effort: u64,
        ancestor: impl Fn(u32) -> (Key, u32),
    ) -> Self {
        debug_assert_eq!(solved.value, Value::Disproven);
        let mut leaned = [(Key::default(), 0); 4];
        for (slot, depth) in leaned.iter_mut().zip(lean.depths().into_iter().flatten()) {
            *slot = ancestor(depth);
        }
        let (stock, plies) = (solved.stock.pack(), solved.plies);
        PathResult { check: 0, path, lean, leaned, stock, plies, effort }
    }

    pub fn solved<S: Stock>(&self) -> Solved<S> {
        let stock = S::unpack(self.stock);
        Solved { value: Value::Disproven, stock, plies: self.plies }
    }

    /// The key and stock of each ancestor it leans on, if all are known.
    pub fn leans_on(&self) -> Option<&[(Key, u32)]> {
        let count = self.lean.depths()?.count();
        Some(&self.leaned[..count])
    }
}

/// Results that lean on ancestors: a small table for each agent, in clusters, the newest results in
/// each.
#[derive(Debug)]
pub(super) struct PathResults {
    slots: Vec<Option<PathResult>>,
    turn: usize,
}

const CLUSTER: usize = 4;

impl PathResults {
    /// A table of at most `bytes` bytes.
    pub fn new(bytes: usize) -> Self {
        let clusters = bytes / (CLUSTER * size_of::<Option<PathResult>>());
        PathResults { slots: vec![None; clusters * CLUSTER], turn: 0 }
    }

    fn cluster(&self, key: Key) -> std::ops::Range<usize> {
        let clusters = self.slots.len() / CLUSTER;
        let place = ((key.low() as u128 * clusters as u128) >> 64) as usize;
        place * CLUSTER..((place + 1) * CLUSTER).min(self.slots.len())
    }

    /// Results for this board.
    pub fn candidates(&self, key: Key) -> impl Iterator<Item = &PathResult> {
        let cluster = &self.slots[self.cluster(key)];
        cluster.iter().flatten().filter(move |result| result.check == key.high())
    }

    /// Stores a result, over one of the same path or else over the others of its cluster in turn.
    pub fn store(&mut self, key: Key, result: PathResult) {
        let cluster = self.cluster(key);
        if cluster.is_empty() {
            return;
        }
        let same = |slot: &Option<PathResult>| match slot {
            None => true,
            Some(old) => old.check == key.high() && old.path == result.path,
        };
        self.turn = (self.turn + 1) % CLUSTER;
        let turn = self.turn;
        let slots = &mut self.slots[cluster];
        let place = slots.iter().position(same).unwrap_or(turn);
        slots[place] = Some(PathResult { check: key.high(), ..result });
    }

    pub fn clear(&mut self) {
        self.slots.fill(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaning_on_many() {
        let on = |depths: &[u32]| depths.iter().fold(Lean::FREE, |lean, &d| lean.and(Lean::on(d)));
        assert_eq!(on(&[3, 1, 3]).depths().map(|d| d.collect()), Some(vec![1, 3]));
        assert_eq!(on(&[5, 1, 2, 7]).below(5), on(&[1, 2]));
        assert_eq!(on(&[5]).below(5), Lean::FREE);
        let many = on(&[9, 8, 7, 6, 5]);
        assert!(many.depths().is_none());
        assert_eq!(many.shallowest(), 5);
        assert_eq!(many.below(5), Lean::FREE);
        assert_eq!(many.below(7).shallowest(), 5);
        assert!(many.below(7).depths().is_none());
        assert_eq!(many.and(Lean::on(2)).shallowest(), 2);
        assert_eq!(Lean::on(2).and(many).and(many).shallowest(), 2);
    }
}
