//! The transposition table as its users see it: what it answers, what survives, what it weighs,
//! what it saves.

use std::sync::atomic::{AtomicBool, Ordering};

use andor::table::{LoadError, Lookup, Open, SizeError};
use andor::{Key, Plies, Solved, Stock, Table, Value, mix64};

const UNBOUNDED: Plies = Plies::UNBOUNDED;

/// A stock of two kinds, for dominance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Pair(u8, u8);

impl Stock for Pair {
    fn within(self, other: Pair) -> bool {
        self.0 <= other.0 && self.1 <= other.1
    }
    fn join(self, other: Pair) -> Pair {
        Pair(self.0.max(other.0), self.1.max(other.1))
    }
    fn meet(self, other: Pair) -> Pair {
        Pair(self.0.min(other.0), self.1.min(other.1))
    }
    fn pack(self) -> u32 {
        u32::from(self.0) << 8 | u32::from(self.1)
    }
    fn unpack(bits: u32) -> Pair {
        Pair((bits >> 8) as u8, bits as u8)
    }
}

fn key(n: u64) -> Key {
    Key::of(&n)
}

fn open(pn: u32, dn: u32, effort: u64) -> Open {
    Open { pn, dn, min_depth: 3, extra: 5, effort, parent: 0 }
}

fn solved<S>(value: Value, stock: S, plies: impl Into<Option<u16>>) -> Solved<S> {
    Solved { value, stock, plies: Plies::from(plies.into()) }
}

#[test]
fn a_stored_node_is_found_and_no_other() {
    let table = Table::new(1 << 16).unwrap();
    table.store_open(key(1), (), UNBOUNDED, open(4, 7, 100));
    assert_eq!(table.lookup(key(1), (), UNBOUNDED), Lookup::Open(open(4, 7, 100)));
    assert_eq!(table.lookup(key(2), (), UNBOUNDED), Lookup::Missing);
    table.store_open(key(1), (), UNBOUNDED, open(5, 6, 200));
    assert_eq!(table.lookup(key(1), (), UNBOUNDED), Lookup::Open(open(5, 6, 200)));
    assert_eq!(table.stored(), 1);
}

#[test]
fn a_solved_node_stays_solved() {
    let table = Table::new(1 << 16).unwrap();
    table.store_open(key(1), (), UNBOUNDED, open(4, 7, 100));
    let proof = solved(Value::Proven, (), 9);
    table.store_solved(key(1), proof, 100);
    assert_eq!(table.store_open(key(1), (), UNBOUNDED, open(1, 1, 1_000_000)), 0);
    assert_eq!(table.lookup(key(1), (), UNBOUNDED), Lookup::Solved(proof));
    assert_eq!(table.stored(), 1, "the proof took the open entry's place");
}

#[test]
fn plies_bound_what_a_solved_node_answers() {
    let table = Table::new(1 << 16).unwrap();
    let (slow, quick) = (solved(Value::Proven, (), 9), solved(Value::Proven, (), 7));
    let (short, long) = (solved(Value::Disproven, (), 4), solved(Value::Disproven, (), 6));
    for entry in [slow, short] {
        table.store_solved(key(1), entry, 10);
    }
    assert_eq!(table.lookup(key(1), (), Plies::at_most(9)), Lookup::Solved(slow));
    assert_eq!(table.lookup(key(1), (), Plies::at_most(8)), Lookup::Missing);
    assert_eq!(table.lookup(key(1), (), Plies::at_most(5)), Lookup::Missing);
    assert_eq!(table.lookup(key(1), (), Plies::at_most(4)), Lookup::Solved(short));
    for entry in [quick, long] {
        table.store_solved(key(1), entry, 10);
    }
    assert_eq!(table.lookup(key(1), (), Plies::at_most(8)), Lookup::Solved(quick));
    assert_eq!(table.lookup(key(1), (), Plies::at_most(6)), Lookup::Solved(long));
    assert_eq!(table.stored(), 2, "the stronger entries took the weaker ones' places");
}

#[test]
fn stock_answers_by_dominance() {
    let table = Table::new(1 << 16).unwrap();
    let proof = solved(Value::Proven, Pair(1, 2), 5);
    let refutation = solved(Value::Disproven, Pair(3, 0), None);
    table.store_solved(key(1), proof, 10);
    table.store_solved(key(1), refutation, 10);
    table.store_open(key(1), Pair(0, 2), UNBOUNDED, open(3, 3, 10));
    let ask = |stock| table.lookup(key(1), stock, UNBOUNDED);
    assert_eq!(ask(Pair(1, 2)), Lookup::Solved(proof));
    assert_eq!(ask(Pair(4, 3)), Lookup::Solved(proof));
    assert_eq!(ask(Pair(2, 0)), Lookup::Solved(refutation));
    assert_eq!(ask(Pair(0, 2)), Lookup::Open(open(3, 3, 10)));
    assert_eq!(ask(Pair(0, 1)), Lookup::Missing);
    // An open entry lies elsewhere than the solved ones, and still gives way to them.
    assert_eq!(table.store_open(key(1), Pair(4, 3), UNBOUNDED, open(3, 3, 10)), 0);
    assert_eq!(ask(Pair(4, 3)), Lookup::Solved(proof));
}

#[test]
fn open_entries_of_many_stocks_have_room() {
    let table = Table::new(1 << 16).unwrap();
    let stocks = (0..4).flat_map(|a| (0..4).map(move |b| Pair(a, b)));
    for stock in stocks.clone() {
        table.store_open(key(1), stock, UNBOUNDED, open(3, 3, 10));
    }
    let kept = stocks.filter(|&stock| table.lookup(key(1), stock, UNBOUNDED) != Lookup::Missing);
    assert!(kept.count() >= 14);
}

#[test]
fn garbage_goes_by_effort_and_proofs_last() {
    let table = Table::new(1 << 18).unwrap();
    let capacity = table.capacity() as u64;
    let total = capacity * 4;
    for n in 0..total {
        match n % 64 {
            0 => table.store_solved(key(n), solved(Value::Proven, (), 1), 5_000),
            1 => drop(table.store_open(key(n), (), UNBOUNDED, open(2, 2, 5_000))),
            _ => drop(table.store_open(key(n), (), UNBOUNDED, open(2, 2, 1 + mix64(n) % 50))),
        }
        assert!(table.stored() as u64 <= capacity);
    }
    assert!(table.collections() > 0);
    let kept = |class: u64| {
        let all = (0..total).filter(|n| n % 64 == class);
        let found = all.filter(|&n| table.lookup(key(n), (), UNBOUNDED) != Lookup::Missing);
        found.count() as f64 / (total / 64) as f64
    };
    let (proofs, large, small) = (kept(0), kept(1), kept(2));
    assert!(proofs > 0.95, "{proofs}");
    assert!(large > 0.8 && proofs >= large, "{large}");
    assert!(small < 0.3, "{small}");
}

/// Most entries of a search are of equal worth. Half of them go, as of any others.
#[test]
fn of_entries_of_equal_worth_half_stay() {
    let table = Table::new(1 << 18).unwrap();
    let (mut n, mut least) = (0, table.capacity());
    for sweeps in 1..=4 {
        while table.collections() < sweeps {
            n += 1;
            table.store_open(key(n), (), UNBOUNDED, open(2, 2, 1));
        }
        // A sweep goes on over some stores.
        for _ in 0..table.capacity() / 16 {
            n += 1;
            table.store_open(key(n), (), UNBOUNDED, open(2, 2, 1));
            least = least.min(table.stored());
        }
        let share = least as f64 / table.capacity() as f64;
        assert!((0.4..0.6).contains(&share), "after sweep {sweeps}: {share}");
    }
}

/// However large the table, a store never has to wait for all of it to be swept.
#[test]
fn a_store_sweeps_little() {
    let table = Table::new(1 << 20).unwrap();
    let (mut before, mut most) = (0_usize, 0);
    for n in 0.. {
        table.store_open(key(n), (), UNBOUNDED, open(2, 2, 1));
        let stored = table.stored();
        most = most.max(before.saturating_sub(stored));
        before = stored;
        if table.collections() == 3 {
            break;
        }
    }
    assert!((1..=256).contains(&most), "{most} entries went at one store");
}

/// A stock that a table of another game has left there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Foreign;

impl Stock for Foreign {
    fn within(self, _: Foreign) -> bool {
        true
    }
    fn join(self, _: Foreign) -> Foreign {
        Foreign
    }
    fn meet(self, _: Foreign) -> Foreign {
        Foreign
    }
    fn pack(self) -> u32 {
        0
    }
    fn unpack(_: u32) -> Foreign {
        panic!("on purpose");
    }
}

/// A writer that panics leaves its cluster to others, and as it was.
#[test]
fn a_panic_while_storing_leaves_the_table_usable() {
    let table = Table::new(1 << 14).unwrap();
    let proof = solved(Value::Proven, Pair(1, 1), 5);
    table.store_solved(key(1), proof, 10);
    let store = || table.store_open(key(1), Foreign, UNBOUNDED, open(2, 2, 10));
    assert!(std::panic::catch_unwind(store).is_err());
    // Whoever comes to a cluster that stays locked waits for ever.
    let (done, is_done) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let found = table.lookup(key(1), Pair(1, 1), UNBOUNDED);
        table.store_solved(key(1), solved(Value::Disproven, Pair(0, 0), None), 10);
        done.send((found, table.stored())).expect("somebody waits");
    });
    let found = is_done.recv_timeout(std::time::Duration::from_secs(20));
    assert_eq!(found, Ok((Lookup::Solved(proof), 2)));
}

#[test]
fn a_table_weighs_what_was_asked() {
    for mib in [1, 3, 64] {
        let table = Table::new(mib << 20).unwrap();
        let share = table.bytes() as f64 / (mib << 20) as f64;
        assert!((0.95..=1.0).contains(&share), "{mib} MiB: {share}");
    }
    assert_eq!(Table::new(0).unwrap_err(), SizeError::TooSmall(0));
    assert!(matches!(Table::new(usize::MAX / 2), Err(SizeError::NoMemory(_))));
}

#[test]
fn what_is_saved_is_loaded() {
    let bytes = 1 << 18;
    let table = Table::new(bytes).unwrap();
    for n in 0..1_000 {
        table.store_open(key(n), (), UNBOUNDED, open(2, n as u32 + 1, n));
    }
    table.store_solved(key(5), solved(Value::Disproven, (), None), 77);
    let mut file = Vec::new();
    table.save("hex", &mut file).unwrap();
    let loaded = Table::load(bytes, "hex", file.as_slice()).unwrap();
    assert_eq!(loaded.stored(), table.stored());
    for n in 0..1_100 {
        let before = table.lookup(key(n), (), UNBOUNDED);
        assert_eq!(before, loaded.lookup(key(n), (), UNBOUNDED));
    }
    let load = |bytes, tag, file: &[u8]| Table::load(bytes, tag, file).unwrap_err();
    assert!(matches!(load(bytes, "hex", b"something else"), LoadError::NotATable));
    assert!(matches!(load(bytes, "othello", &file), LoadError::Tag { .. }));
    assert!(matches!(load(bytes * 2, "hex", &file), LoadError::Size { .. }));
    let mut version = file.clone();
    version[8] = 99;
    assert!(matches!(load(bytes, "hex", &version), LoadError::Version { found: 99 }));
    for cut in [10, 30, file.len() / 2, file.len() - 1] {
        assert!(matches!(load(bytes, "hex", &file[..cut]), LoadError::Damaged), "{cut}");
    }
    let mut changed = file.clone();
    let middle = changed.len() / 2;
    changed[middle] ^= 4;
    assert!(matches!(load(bytes, "hex", &changed), LoadError::Damaged));
}

/// Two threads write entries whose fields all follow from one number, two read; a reader that saw
/// half of one entry and half of another would find fields that do not belong together.
#[test]
fn entries_are_never_torn() {
    let table = Table::new(1 << 14).unwrap();
    let stop = AtomicBool::new(false);
    let entry = |number: u64| Open {
        pn: number as u32 + 1,
        dn: mix64(number) as u32 % 1_000_000 + 1,
        min_depth: mix64(number) as u16,
        extra: number as u16,
        effort: 1 + number % 1_000,
        parent: number as u32,
    };
    std::thread::scope(|scope| {
        for thread in 0..2u64 {
            let (table, stop) = (&table, &stop);
            scope.spawn(move || {
                for n in 0..400_000u64 {
                    let number = mix64(n * 2 + thread + 1) % 1_000_000;
                    table.store_open(key(number % 64), (), UNBOUNDED, entry(number));
                }
                stop.store(true, Ordering::Relaxed);
            });
        }
        for _ in 0..2 {
            scope.spawn(|| {
                let (mut seen, mut n) = (0u64, 0u64);
                while !stop.load(Ordering::Relaxed) || seen == 0 {
                    n += 1;
                    if let Lookup::Open(found) = table.lookup(key(mix64(n) % 64), (), UNBOUNDED) {
                        let expected = entry(u64::from(found.pn) - 1);
                        assert_eq!(found, expected);
                        seen += 1;
                    }
                }
            });
        }
    });
}

/// The entries that are in the table, one by one: a table that is loaded counts them.
fn full_count(table: &Table) -> usize {
    let mut file = Vec::new();
    table.save("count", &mut file).unwrap();
    Table::load(table.bytes(), "count", file.as_slice()).unwrap().stored()
}

/// Many threads store and look up at random in a table that is collected all the time. Everything
/// that is stored follows from its key, so that every answer can be checked; and in the end the
/// count is what a full count says, though entries came and went while others swept.
#[test]
fn the_count_is_exact_after_many_threads_and_sweeps() {
    // One part and many parts, each filled several times over.
    for (bytes, rounds) in [(1 << 15, 60_000), (2 << 20, 120_000)] {
        let table = Table::new(bytes).unwrap();
        let keys = table.capacity() as u64 * 2;
        // A third of the keys are proven, a third disproven, a third stay open.
        let result = |n: u64| {
            let plies = 1 + (mix64(n) % 500) as u16;
            let stock = Pair((mix64(!n) % 4) as u8, (mix64(!n) / 4 % 4) as u8);
            match n % 3 {
                0 => Some(solved(Value::Proven, stock, plies)),
                1 => Some(solved(Value::Disproven, stock, plies)),
                _ => None,
            }
        };
        let numbers = |n: u64, stock: Pair| {
            let hash = mix64(n << 16 | u64::from(stock.pack()));
            Open {
                pn: 1 + hash as u32 % 1_000_000,
                dn: 1 + (hash >> 32) as u32 % 1_000_000,
                min_depth: hash as u16,
                extra: (hash >> 16) as u16,
                effort: 1,
                parent: (hash >> 8) as u32,
            }
        };
        std::thread::scope(|scope| {
            for thread in 0..8u64 {
                let (table, result, numbers) = (&table, &result, &numbers);
                scope.spawn(move || {
                    let mut seen = (0, 0);
                    // The one that is about to begin a sweep may have to wait for its turn on a busy
                    // machine; the others go on until there were some.
                    let more = |round| round < 100 * rounds && table.collections() < 3;
                    for round in (0..).take_while(|&round| round < rounds || more(round)) {
                        let hash = mix64(thread << 32 | round);
                        let n = hash % keys;
                        let stock = Pair((hash >> 40) as u8 % 4, (hash >> 48) as u8 % 4);
                        match (table.lookup(key(n), stock, Plies::at_most(250)), result(n)) {
                            (Lookup::Solved(found), Some(stored)) => {
                                assert_eq!(found, stored);
                                assert!(found.holds_for(stock, Plies::at_most(250)));
                                seen.0 += 1;
                            }
                            (Lookup::Solved(found), None) => panic!("{n} is open: {found:?}"),
                            (Lookup::Open(found), _) => {
                                let effort = found.effort;
                                assert_eq!(found, Open { effort, ..numbers(n, stock) });
                                seen.1 += 1;
                            }
                            (Lookup::Missing, _) => {}
                        }
                        match result(n) {
                            Some(solved) if hash >> 60 == 0 => {
                                table.store_solved(key(n), solved, 1 + hash % 5_000);
                            }
                            _ => {
                                let effort = 1 + (hash >> 20) % 300;
                                let open = Open { effort, ..numbers(n, stock) };
                                table.store_open(key(n), stock, Plies::at_most(250), open);
                            }
                        }
                    }
                    assert!(seen.0 > 0 && seen.1 > 0, "{seen:?}");
                });
            }
        });
        assert!(table.collections() >= 3, "{}", table.collections());
        assert!(table.stored() <= table.capacity());
        assert_eq!(table.stored(), full_count(&table), "{bytes} bytes");
    }
}

/// A table whose memory was taken in part is as good as any other, and can be made real later.
#[test]
fn memory_is_taken_until_told_to_stop() {
    let open = Open { pn: 2, dn: 3, min_depth: 1, extra: 0, effort: 1, parent: 0 };
    let keys: Vec<Key> = (0..3000).map(|n: u64| Key::of(&n)).collect();
    for steps in [0, 1, 3, 8] {
        let mut table = Table::new(16 << 20).expect("a table");
        let mut asked = 0;
        table.make_real_until(|| {
            asked += 1;
            asked > steps
        });
        assert_eq!((table.is_real(), asked), (steps == 8, (steps + 1).min(8)));
        for &key in &keys {
            table.store_open(key, (), Plies::UNBOUNDED, open);
        }
        assert_eq!(table.stored(), keys.len());
        table.make_real();
        assert!(table.is_real());
        let known = |key: &&Key| table.lookup(**key, (), Plies::UNBOUNDED) != Lookup::Missing;
        assert_eq!(keys.iter().filter(known).count(), keys.len());
        table.clear();
        assert_eq!((table.stored(), table.is_real()), (0, true));
    }
}

/// Whether little of a table was used or much, and whatever its size, nothing of it is known again.
#[test]
fn a_cleared_table_knows_nothing() {
    for bytes in [1 << 14, 100_000, 3 << 20, 40 << 20] {
        for real in [false, true] {
            let mut table = Table::new(bytes).expect("a table");
            if real {
                table.make_real();
            }
            for count in [0, 1, 20, 3000, 60_000] {
                let keys: Vec<Key> = (0..count).map(|n: u64| Key::of(&(bytes, n))).collect();
                for &key in &keys {
                    let open = Open { pn: 2, dn: 3, min_depth: 1, extra: 0, effort: 1, parent: 0 };
                    table.store_open(key, (), Plies::UNBOUNDED, open);
                }
                assert_eq!(table.stored() > 0, count > 0);
                table.clear();
                assert_eq!(table.stored(), 0);
                for &key in &keys {
                    assert_eq!(table.lookup(key, (), Plies::UNBOUNDED), Lookup::Missing);
                }
            }
        }
    }
}
