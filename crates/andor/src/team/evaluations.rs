//! What the game said to any agent of a team, of positions that were never searched.
//!
//! Every agent has a cache of its own (`dfpn::evaluations`). What is not there another agent may
//! have asked: agents that walk the same paths ask the game about the same children. Where the game
//! looks long ([`Problem::looks_long`](crate::Problem::looks_long); Hex), an agent that misses looks
//! here before it asks, and puts here what the game says. In other games that costs more than it
//! saves. The protocol is the table's, a sequence lock for each cluster; a place is replaced by what
//! comes last.
//!
//! Two agents that enter a node at the same time would still ask the same of the game side by side.
//! So an agent *claims* what it asks; another one asks about other children first, and waits for
//! the answer when nothing else is left.

#[cfg(loom)]
use loom::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicU64, Ordering};

use crate::plies::Plies;
use crate::problem::{Evaluation, Key, mix64};
use crate::rules::{Stock, Value};
use crate::table::memory::Memory;

/// Places in a cluster, each of three words; the first word of a cluster is the lock's.
const PLACES: usize = 5;
/// Clusters: 2 MiB of them.
const CLUSTERS: usize = 1 << 14;

/// Places for claims.
const CLAIMS: usize = 1 << 10;

/// The cache.
#[derive(Debug)]
pub(crate) struct SharedEvaluations {
    said: Memory,
    /// What is being asked.
    claims: Box<[AtomicU64]>,
}

/// Somebody asks the game about a position, until this is dropped.
#[derive(Debug)]
pub(crate) struct Claim<'a>(Option<&'a AtomicU64>);

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        if let Some(claim) = self.0 {
            claim.store(0, Ordering::Release);
        }
    }
}

impl SharedEvaluations {
    /// An empty one, if there is memory for it.
    pub fn new() -> Option<SharedEvaluations> {
        let claims = (0..CLAIMS).map(|_| AtomicU64::new(0)).collect();
        Some(SharedEvaluations { said: Memory::new(CLUSTERS).ok()?, claims })
    }

    /// The cluster, the first word in it, and what tells this position from others there.
    fn place<S: Stock>(key: Key, stock: S) -> (usize, usize, u64) {
        let mixed = mix64(u64::from(stock.pack()));
        let low = key.low() ^ mixed;
        // A word of 0 is an empty place.
        let check = (key.high() ^ mixed.rotate_left(32)).max(1);
        let within = ((u128::from(low) * PLACES as u128) >> 64) as usize;
        (low as usize % CLUSTERS, 1 + 3 * within, check)
    }

    /// What the game said of this position, if it is still known. No nodes: whoever asked has
    /// counted them.
    pub fn get<S: Stock>(&self, key: Key, stock: S) -> Option<Evaluation<S>> {
        let (cluster, word, check) = Self::place(key, stock);
        let words = self.said.cluster(cluster).read(|view| {
            (view.word(word) == check).then(|| [view.word(word + 1), view.word(word + 2)])
        })?;
        let solved = |value| {
            let (stock, plies) = (S::unpack(words[1] as u32), Plies::from_bits(words[0] as u16));
            Evaluation::Solved { value, stock, plies, nodes: 0 }
        };
        Some(match words[0] >> 16 {
            0 => Evaluation::Open { pn: words[1] as u32, dn: (words[1] >> 32) as u32, nodes: 0 },
            1 => solved(Value::Proven),
            _ => solved(Value::Disproven),
        })
    }

    /// Is somebody asking about this position?
    pub fn is_claimed<S: Stock>(&self, key: Key, stock: S) -> bool {
        let (place, _, check) = Self::place(key, stock);
        self.claims[place % CLAIMS].load(Ordering::Acquire) == check
    }

    /// Says that the caller is about to ask. Nothing if somebody else is. A claim whose place is
    /// taken by another position is made, but nobody sees it.
    pub fn claim<S: Stock>(&self, key: Key, stock: S) -> Option<Claim<'_>> {
        let (place, _, check) = Self::place(key, stock);
        let claim = &self.claims[place % CLAIMS];
        match claim.compare_exchange(0, check, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => Some(Claim(Some(claim))),
            Err(other) if other == check => None,
            Err(_) => Some(Claim(None)),
        }
    }

    /// Remembers what the game said.
    pub fn put<S: Stock>(&self, key: Key, stock: S, evaluation: Evaluation<S>) {
        let (cluster, word, check) = Self::place(key, stock);
        let said = match evaluation {
            Evaluation::Open { pn, dn, .. } => [0, u64::from(pn) | u64::from(dn) << 32],
            Evaluation::Solved { value, stock, plies, .. } => {
                let tag = if value == Value::Proven { 1 << 16 } else { 2 << 16 };
                [tag | u64::from(plies.to_bits()), u64::from(stock.pack())]
            }
        };
        self.said.cluster(cluster).write(|words| {
            words[word..word + 3].copy_from_slice(&[check, said[0], said[1]]);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_in_is_found_until_it_is_replaced() {
        let cache = SharedEvaluations::new().unwrap();
        let solved = |value, plies| Evaluation::Solved { value, stock: (), plies, nodes: 9 };
        let said = [
            Evaluation::Open { pn: 7, dn: u32::MAX, nodes: 3 },
            solved(Value::Proven, Plies::at_most(3)),
            solved(Value::Disproven, Plies::UNBOUNDED),
        ];
        let key = |i: u64| Key::from_halves(mix64(i), mix64(!i));
        for i in 0..3_000 {
            assert_eq!(cache.get(key(i), ()), None);
            cache.put(key(i), (), said[i as usize % 3]);
            let found = cache.get(key(i), ()).unwrap();
            let without_nodes = match said[i as usize % 3] {
                Evaluation::Open { pn, dn, .. } => Evaluation::Open { pn, dn, nodes: 0 },
                Evaluation::Solved { value, stock, plies, .. } => {
                    Evaluation::Solved { value, stock, plies, nodes: 0 }
                }
            };
            assert_eq!(found, without_nodes);
        }
        let claim = cache.claim(key(1), ());
        assert!(claim.is_some() && cache.is_claimed(key(1), ()) && !cache.is_claimed(key(2), ()));
        assert!(cache.claim(key(1), ()).is_none() && cache.claim(key(2), ()).is_some());
        drop(claim);
        assert!(!cache.is_claimed(key(1), ()) && cache.claim(key(1), ()).is_some());
        let kept = (0..3_000).filter(|&i| cache.get(key(i), ()).is_some()).count();
        assert!((2_800..3_000).contains(&kept), "{kept}: 82,000 places, so few are replaced");
    }
}
