//! Sound treatment of repetition: the graph-history interaction problem.
//!
//! A position that stands on the current path already counts as disproven, and so does one on the
//! path's board with no larger a stock: the attacker made no progress. (A problem in which repetition favours the
//! attacker is searched with the roles exchanged, see [`Mirror`](crate::Mirror).) What is concluded from that holds for this path only: elsewhere the same position may not be a
//! repetition (Palay 1983; Kishimoto and Müller 2004). We keep, with every result, the depth of the
//! shallowest ancestor it *leans* on:
//!
//! - A result that leans on nothing holds everywhere and goes to the transposition table.
//! - When a node is disproven and the result leans on no ancestor above itself, every line of the
//!   refutation ends well for the defender or leads back into the refutation. So the set is closed, the
//!   defender stays in it for ever, and the result holds everywhere too.
//! - Any other result is kept only for the very path it was found on ([`PathResults`]).
//!
//! Proofs never lean: every line of a proof comes to its end.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::problem::mix64;
use crate::table::Solved;
use crate::rules::{Stock, Value};

/// The depth of the shallowest ancestor that a result leans on.
pub(super) type Lean = u32;

/// Leans on nothing.
pub(super) const FREE: Lean = u32::MAX;

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

/// Results that hold on one path only: a small table of its own for each agent, the newest result
/// in each place.
#[derive(Debug)]
pub(super) struct PathResults {
    slots: Vec<PathResult>,
}

#[derive(Clone, Copy, Debug, Default)]
struct PathResult {
    path: u64,
    lean: Lean,
    stock: u32,
    plies: u16,
    used: bool,
}

impl PathResults {
    /// A table of at most `bytes` bytes.
    pub fn new(bytes: usize) -> Self {
        let count = (bytes / size_of::<PathResult>()).max(1);
        PathResults { slots: vec![PathResult::default(); count] }
    }

    fn place(&self, path: u64) -> usize {
        ((path as u128 * self.slots.len() as u128) >> 64) as usize
    }

    pub fn lookup<S: Stock>(&self, path: u64, stock: S, plies: u16) -> Option<(Solved<S>, Lean)> {
        let slot = &self.slots[self.place(path)];
        if !slot.used || slot.path != path {
            return None;
        }
        let solved = Solved {
            value: Value::Disproven,
            stock: S::unpack(slot.stock),
            plies: slot.plies,
        };
        solved.holds_for(stock, plies).then_some((solved, slot.lean))
    }

    pub fn store<S: Stock>(&mut self, path: u64, solved: Solved<S>, lean: Lean) {
        debug_assert_eq!(solved.value, Value::Disproven);
        let place = self.place(path);
        self.slots[place] = PathResult {
            path,
            lean,
            stock: solved.stock.pack(),
            plies: solved.plies,
            used: true,
        };
    }

    pub fn clear(&mut self) {
        self.slots.fill(PathResult::default());
    }
}
