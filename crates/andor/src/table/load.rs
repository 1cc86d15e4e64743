//! What a search asks of the table, without the search: to measure the table by.
//!
//! The children of a node are touched together and then looked up, and after that a node is stored.
//! Nine look-ups in ten, one store, every fifth of them of a solved node; the keys are drawn at random
//! from twice as many as there is room for, in a table that is nearly full to begin with, so that
//! garbage is collected as in a long search. What is stored follows from its key, and every answer is
//! checked.
//!
//! It is here because a figure means something only if the table's code is compiled as in a search.

use std::sync::atomic::{AtomicBool, Ordering};

use super::store::{Lookup, Open, Solved, Table};
use crate::plies::Plies;
use crate::problem::{Key, mix64};
use crate::random::SplitMix64;
use crate::rules::Value;

/// Children that are looked up together.
const CHILDREN: usize = 9;
/// One store in so many is of a solved node.
const SOLVED: usize = 5;
/// How full the table is in the beginning, in tenths.
const FILLED: usize = 8;

/// What a thread asks of a table that it shares with others.
pub struct Load<'a> {
    table: &'a Table,
    keys: usize,
    random: SplitMix64,
}

/// What a thread has asked, and what came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Nodes looked up.
    pub lookups: u64,
    /// Look-ups that found something.
    pub found: u64,
    /// Nodes stored.
    pub stores: u64,
    /// Answers that were not what was stored.
    pub wrong: u64,
}

impl Work {
    /// The work of two threads.
    pub fn and(self, other: Work) -> Work {
        Work {
            lookups: self.lookups + other.lookups,
            found: self.found + other.found,
            stores: self.stores + other.stores,
            wrong: self.wrong + other.wrong,
        }
    }
}

impl Load<'_> {
    /// What one thread asks; others ask the same of other nodes if they have other seeds.
    pub fn new(table: &Table, seed: u64) -> Load<'_> {
        Load { table, keys: table.capacity() * 2, random: SplitMix64::new(seed) }
    }

    /// Stores until the table is as full as in a long search.
    pub fn fill(&mut self) {
        let entries = self.table.capacity() / 10 * FILLED;
        while self.table.stored() < entries {
            for _ in 0..1_000 {
                let node = self.random.below(self.keys);
                self.store(node);
            }
        }
    }

    /// Looks up and stores until told to end.
    pub fn run(&mut self, end: &AtomicBool) -> Work {
        let mut work = Work::default();
        while !end.load(Ordering::Relaxed) {
            let children: [usize; CHILDREN] = std::array::from_fn(|_| self.random.below(self.keys));
            children.iter().for_each(|&n| self.table.touch(key(n)));
            for n in children {
                let found = self.table.lookup(key(n), (), plies(n));
                work.found += u64::from(found != Lookup::Missing);
                work.wrong += u64::from(!is_right(n, &found));
            }
            work.lookups += CHILDREN as u64;
            self.store(children[0]);
            work.stores += 1;
        }
        work
    }

    fn store(&mut self, n: usize) {
        let bits = self.random.next_u64();
        // Most nodes are small, a few are large.
        let effort = 1 + (bits >> 8) % (1 << ((bits & 0xff).count_ones() * 2));
        if bits >> 32 & 0xffff < 0x1_0000 / SOLVED as u64 {
            self.table.store_solved(key(n), solved(n), effort);
        } else {
            self.table.store_open(key(n), (), plies(n), open(n, effort));
        }
    }
}

fn key(n: usize) -> Key {
    let n = n as u64;
    Key::from_halves(mix64(n ^ 0x5eed), mix64(n.wrapping_add(0x9e37_79b9_7f4a_7c15)))
}

/// The numbers of an open node: they follow from its own.
fn open(n: usize, effort: u64) -> Open {
    let hash = mix64(n as u64);
    Open {
        pn: 1 + hash as u32 % 10_000,
        dn: 1 + (hash >> 32) as u32 % 10_000,
        min_depth: hash as u16,
        extra: (hash >> 16) as u16,
        effort,
        parent: 0,
    }
}

/// What it is when it is solved.
fn solved(n: usize) -> Solved<()> {
    let value = if n.is_multiple_of(2) { Value::Proven } else { Value::Disproven };
    Solved { value, stock: (), plies: Plies::at_most((mix64(!(n as u64)) % 1_000) as u16) }
}

/// Is this answer what was stored?
fn is_right(n: usize, found: &Lookup<()>) -> bool {
    match found {
        Lookup::Solved(found) => *found == solved(n),
        Lookup::Open(found) => *found == open(n, found.effort),
        Lookup::Missing => true,
    }
}

/// Bounds on plies for which the answer about a node is the solved entry, whatever it says.
fn plies(n: usize) -> Plies {
    if solved(n).value == Value::Proven { Plies::UNBOUNDED } else { Plies::NONE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_threads_get_right_answers_from_a_table_that_is_swept() {
        let table = Table::new(1 << 20).expect("a small table");
        let end = AtomicBool::new(false);
        let work = std::thread::scope(|scope| {
            let begin = |seed| {
                let (mut load, end) = (Load::new(&table, seed), &end);
                scope.spawn(move || {
                    load.fill();
                    load.run(end)
                })
            };
            let threads = [begin(0), begin(1)];
            while table.collections() == 0 {
                std::thread::yield_now();
            }
            end.store(true, Ordering::Relaxed);
            let done = threads.map(|thread| thread.join().expect("it ends"));
            done[0].and(done[1])
        });
        assert_eq!((work.wrong, work.lookups), (0, work.stores * CHILDREN as u64));
        assert!(work.found > 0 && work.found < work.lookups, "{work:?}");
    }
}
