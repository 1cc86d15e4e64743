//! What is stored and looked up, and what gives way to what.

use super::count::Count;
use super::entry::{
    CHECKS, EFFORTS, ENTRIES, EXTRAS, Entry, NUMBERS, PLIES, STOCKS, effort_code, effort_nodes,
};
use super::garbage_collect::Sweep;
use super::memory::{CLUSTER_BYTES, MIN_BYTES, Memory, SizeError};
use crate::number::{INFINITY, Number};
use crate::plies::Plies;
use crate::problem::{Evaluation, Key, answers, mix64};
use crate::rules::{Stock, Value};

/// A result that holds for good: what the table keeps, and what certificates are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved<S> {
    /// The value.
    pub value: Value,
    /// Proven: the stock that suffices. Disproven: the largest that does not help.
    pub stock: S,
    /// Proven: within so many plies. Disproven: not within so many
    /// ([`Plies::UNBOUNDED`](crate::Plies::UNBOUNDED): never).
    pub plies: Plies,
}

/// What a search knows of a node that it has not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Open {
    /// Proof number.
    pub pn: Number,
    /// Disproof number.
    pub dn: Number,
    /// The smallest depth at which the node was reached.
    pub min_depth: u16,
    /// Frontier depth, or the children that meet again.
    pub extra: u16,
    /// Nodes searched below it so far.
    pub effort: u64,
    /// Slot of the node it was first reached from, plus 1.
    pub parent: u32,
}

/// The answer of a look-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup<S> {
    /// The node is solved.
    Solved(Solved<S>),
    /// Numbers of an earlier visit.
    Open(Open),
    /// Nothing is known.
    Missing,
}

/// Between which lengths the shortest proof of a position is known to lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// There is a proof within so many plies; no bound if no proof, or no length of one, is known.
    pub proven: Plies,
    /// There is none within so many plies, if that is known of any number.
    pub disproven: Option<Plies>,
}

/// The transposition table.
#[derive(Debug)]
pub struct Table {
    pub(super) clusters: Memory,
    pub(super) stored: Count,
    pub(super) sweep: Sweep,
}

impl Table {
    /// A table of `bytes` bytes, rounded down to whole clusters.
    pub fn new(bytes: usize) -> Result<Table, SizeError> {
        if bytes < MIN_BYTES {
            return Err(SizeError::TooSmall(bytes));
        }
        let clusters = Memory::new(bytes / CLUSTER_BYTES)?;
        Ok(Table { stored: Count::new(clusters.len()), sweep: Sweep::none(), clusters })
    }

    /// Bytes in use for entries.
    pub fn bytes(&self) -> usize {
        self.clusters.len() * CLUSTER_BYTES
    }

    /// How many entries there is room for.
    pub fn capacity(&self) -> usize {
        self.clusters.len() * ENTRIES
    }

    /// How many entries are stored. While other threads store, it may be off by a few.
    pub fn stored(&self) -> usize {
        self.stored.sum()
    }

    /// How often garbage was collected.
    pub fn collections(&self) -> usize {
        self.sweep.count()
    }

    /// Forgets everything. The memory of a table that was [made real](Table::make_real) stays real.
    pub fn clear(&mut self) {
        self.clusters.clear();
        self.stored.clear();
        self.sweep = Sweep::none();
    }

    #[inline]
    fn place(&self, key: Key) -> usize {
        ((key.low() as u128 * self.clusters.len() as u128) >> 64) as usize
    }

    /// The cluster of an open entry for which there is no room in that of its board.
    fn second_place(&self, key: Key, stock: u32) -> usize {
        self.place(Key(key.0 ^ u128::from(mix64(!u64::from(stock)))))
    }

    /// Starts to fetch what a look-up of this key will read. Several of these in a row wait for
    /// memory together, where look-ups would wait one after the other.
    #[inline]
    pub fn touch(&self, key: Key) {
        self.clusters.prefetch(self.place(key));
    }

    /// Takes all of the table's memory now, in huge pages where the system has them: a long search
    /// is faster by half then. For a short one it is not worth the time.
    pub fn make_real(&self) {
        self.clusters.make_real(|| false);
    }

    /// The same, but it ends when it is told to, with a part of the memory taken: the table can be
    /// used, and is not [real](Table::is_real). It asks every 2 MiB.
    pub fn make_real_until(&self, is_to_stop: impl FnMut() -> bool) {
        self.clusters.make_real(is_to_stop);
    }

    /// Has all of the table's memory been taken?
    pub fn is_real(&self) -> bool {
        self.clusters.is_real()
    }

    /// What is known of the position with this key and stock: solved for proofs of at most `plies`
    /// plies, or open.
    pub fn lookup<S: Stock>(&self, key: Key, stock: S, plies: Plies) -> Lookup<S> {
        let place = self.place(key);
        let (found, is_full) = self.lookup_at(place, key, stock, plies);
        if is_full && found == Lookup::Missing {
            let second = self.second_place(key, stock.pack());
            return self.lookup_at(second, key, stock, plies).0;
        }
        found
    }

    /// Between which lengths the shortest proof of this position is known to lie: proven within so
    /// many plies ([`Plies::UNBOUNDED`] if no length is known), and disproven within so many, if
    /// within any.
    pub fn lengths<S: Stock>(&self, key: Key, stock: S) -> Lengths {
        self.clusters.cluster_to_read(self.place(key)).read(|view| {
            let mut lengths = Lengths { proven: Plies::UNBOUNDED, disproven: None };
            for i in (0..ENTRIES).filter(|i| view.word(CHECKS + i) == key.high()) {
                let numbers = view.word(NUMBERS + i);
                let entry = S::unpack(view.word(STOCKS + i) as u32);
                let plies = Plies::from_bits((view.word(PLIES) >> (16 * i)) as u16);
                match (numbers as u32, (numbers >> 32) as u32) {
                    (0, INFINITY) if entry.within(stock) => {
                        lengths.proven = lengths.proven.min(plies);
                    }
                    (INFINITY, 0) if stock.within(entry) => {
                        lengths.disproven = lengths.disproven.max(Some(plies));
                    }
                    _ => {}
                }
            }
            lengths
        })
    }

    /// The largest proof number of an unsolved entry of this board with as much stock or more, and the
    /// largest disproof number of one with as much or less; 1 where there is none. Then the least depth
    /// at which any of these was reached.
    pub(crate) fn comparable<S: Stock>(&self, key: Key, stock: S) -> (Number, Number, u16) {
        self.clusters.cluster_to_read(self.place(key)).read(|view| {
            let (mut most_pn, mut most_dn, mut depth) = (1, 1, u16::MAX);
            for i in (0..ENTRIES).filter(|i| view.word(CHECKS + i) == key.high()) {
                let numbers = view.word(NUMBERS + i);
                let (pn, dn) = (numbers as u32, (numbers >> 32) as u32);
                if pn == 0 || dn == 0 {
                    continue;
                }
                let entry = S::unpack(view.word(STOCKS + i) as u32);
                let (more, less) = (stock.within(entry), entry.within(stock));
                if more {
                    most_pn = most_pn.max(pn);
                }
                if less {
                    most_dn = most_dn.max(dn);
                }
                if more || less {
                    depth = depth.min((view.word(PLIES) >> (16 * i)) as u16);
                }
            }
            (most_pn, most_dn, depth)
        })
    }

    /// What one cluster knows, and whether it is full.
    #[inline]
    fn lookup_at<S: Stock>(
        &self,
        place: usize,
        key: Key,
        stock: S,
        plies: Plies,
    ) -> (Lookup<S>, bool) {
        let packed = stock.pack();
        self.clusters.cluster_to_read(place).read(|view| {
            let mut found = Lookup::Missing;
            let mut is_full = true;
            for i in 0..ENTRIES {
                let check = view.word(CHECKS + i);
                if check != key.high() {
                    is_full &= check != 0;
                    continue;
                }
                let (b, c) = (view.word(STOCKS + i), view.word(NUMBERS + i));
                let lane = |w: usize| (view.word(w) >> (16 * i)) as u16;
                let (pn, dn) = (c as u32, (c >> 32) as u32);
                let value = match (pn, dn) {
                    (0, 0) => continue,
                    (0, _) => Value::Proven,
                    (_, 0) => Value::Disproven,
                    _ => {
                        if b as u32 == packed {
                            found = Lookup::Open(Open {
                                pn,
                                dn,
                                min_depth: lane(PLIES),
                                extra: lane(EXTRAS),
                                effort: effort_nodes(lane(EFFORTS)),
                                parent: (b >> 32) as u32,
                            });
                        }
                        continue;
                    }
                };
                let solved = Solved {
                    value,
                    stock: S::unpack(b as u32),
                    plies: Plies::from_bits(lane(PLIES)),
                };
                if solved.holds_for(stock, plies) {
                    return (Lookup::Solved(solved), is_full);
                }
            }
            (found, is_full)
        })
    }

    /// Stores a solved node. Entries that it makes needless go.
    pub fn store_solved<S: Stock>(&self, key: Key, solved: Solved<S>, effort: u64) {
        let (pn, dn) = numbers(solved.value);
        let entry = Entry {
            check: key.high(),
            stock: solved.stock.pack(),
            parent: 0,
            pn,
            dn,
            effort: effort_code(effort.max(1)),
            plies_or_depth: solved.plies.to_bits(),
            extra: 0,
        };
        self.insert(self.place(key), entry, true, |old| {
            let old_stock = S::unpack(old.stock);
            match old.value() {
                None if answers(solved.value, solved.stock, old_stock) => Clash::Replace,
                Some(value) if value == solved.value => {
                    let known = Solved {
                        value,
                        stock: old_stock,
                        plies: Plies::from_bits(old.plies_or_depth),
                    };
                    if known.implies(&solved) {
                        Clash::Keep
                    } else if solved.implies(&known) {
                        Clash::Replace
                    } else {
                        Clash::Beside
                    }
                }
                _ => Clash::Beside,
            }
        });
    }

    /// Stores what is known of an unsolved node, unless it is known to be solved for proofs of at
    /// most `plies` plies. Gives the slot of the entry, plus 1 (0: not stored).
    pub fn store_open<S: Stock>(&self, key: Key, stock: S, plies: Plies, open: Open) -> u32 {
        debug_assert!(open.pn != 0 && open.dn != 0 && open.pn != INFINITY && open.dn != INFINITY);
        let entry = Entry {
            check: key.high(),
            stock: stock.pack(),
            parent: open.parent,
            pn: open.pn,
            dn: open.dn,
            effort: effort_code(open.effort.max(1)),
            plies_or_depth: open.min_depth,
            extra: open.extra,
        };
        let place = self.place(key);
        let clash = |old: &Entry| match old.value() {
            None if old.stock == entry.stock => Clash::Replace,
            Some(value) => {
                let known = Solved {
                    value,
                    stock: S::unpack(old.stock),
                    plies: Plies::from_bits(old.plies_or_depth),
                };
                if known.holds_for(stock, plies) { Clash::Keep } else { Clash::Beside }
            }
            None => Clash::Beside,
        };
        self.insert(place, entry, false, clash).unwrap_or_else(|| {
            let second = self.second_place(key, entry.stock);
            self.insert(second, entry, true, clash).unwrap_or(0)
        })
    }

    /// Puts an entry into a cluster; `clash` says what becomes of each entry of the same board.
    /// Where the cluster is full another entry has to go, or else (`by_force` is false) there is no
    /// room. Gives the slot, plus 1; 0 where an old entry is kept instead.
    fn insert(
        &self,
        place: usize,
        entry: Entry,
        by_force: bool,
        clash: impl Fn(&Entry) -> Clash,
    ) -> Option<u32> {
        let (slot, change, is_crowded) = self.clusters.cluster_to_fill(place).write(|words| {
            let mut target = None;
            let mut removed = 0;
            for i in 0..ENTRIES {
                let old = Entry::read(words, i);
                if old.is_free() || old.check != entry.check {
                    continue;
                }
                match clash(&old) {
                    Clash::Keep => return (Some(0), -removed, false),
                    Clash::Beside => {}
                    Clash::Replace => {
                        Entry::default().write(words, i);
                        removed += 1;
                        target.get_or_insert(i);
                    }
                }
            }
            let target = target.unwrap_or_else(|| {
                let worth = |i: &usize| {
                    let old = Entry::read(words, *i);
                    if old.is_free() { 0 } else { old.worth() + 1 }
                };
                (0..ENTRIES).min_by_key(worth).unwrap_or(0)
            });
            let is_crowded = !Entry::read(words, target).is_free();
            if is_crowded {
                if !by_force {
                    return (None, 0, false);
                }
                removed += 1;
            }
            entry.write(words, target);
            (Some((place * ENTRIES + target + 1) as u32), 1 - removed, is_crowded)
        });
        // A store that drives another entry out adds none, but may find the table full all the same:
        // where every store does so, a sweep would never be begun, or never go on.
        if change != 0 || is_crowded {
            let in_part = self.stored.add(place, change);
            if change > 0 || is_crowded {
                self.sweep.after_store(&self.clusters, &self.stored, in_part);
            }
        }
        slot
    }

    /// The check and the parent of the entry in a slot (counted from 1), for walks from child
    /// to parent. The entry may be another one by now.
    pub(crate) fn peek(&self, slot: u32) -> Option<(u64, u32)> {
        let index = slot.checked_sub(1)? as usize;
        let (place, i) = (index / ENTRIES, index % ENTRIES);
        (place < self.clusters.len()).then(|| self.clusters.cluster_to_read(place))?.read(|view| {
            let free = view.word(NUMBERS + i) == 0;
            (!free).then(|| (view.word(CHECKS + i), (view.word(STOCKS + i) >> 32) as u32))
        })
    }

    /// The slot of an entry for exactly this key and stock that is open, plus 1; 0 if there is
    /// none.
    pub(crate) fn slot_of<S: Stock>(&self, key: Key, stock: S) -> u32 {
        let packed = stock.pack();
        let slot_at = |place: usize| {
            self.clusters.cluster_to_read(place).read(|view| {
                let mut is_full = true;
                for i in 0..ENTRIES {
                    let check = view.word(CHECKS + i);
                    if check != key.high() {
                        is_full &= check != 0;
                        continue;
                    }
                    let numbers = view.word(NUMBERS + i);
                    let is_open = numbers as u32 != 0 && numbers >> 32 != 0;
                    if is_open && view.word(STOCKS + i) as u32 == packed {
                        return ((place * ENTRIES + i + 1) as u32, is_full);
                    }
                }
                (0, is_full)
            })
        };
        match slot_at(self.place(key)) {
            // As in a look-up: where there is room, nothing was sent elsewhere.
            (0, true) => slot_at(self.second_place(key, packed)).0,
            (slot, _) => slot,
        }
    }
}

enum Clash {
    /// The old entry says as much or more: drop the new one.
    Keep,
    /// The old entry is made needless.
    Replace,
    /// Both stay.
    Beside,
}

/// The proof and disproof number of a solved node.
pub(crate) fn numbers(value: Value) -> (Number, Number) {
    match value {
        Value::Proven => (0, INFINITY),
        Value::Disproven => (INFINITY, 0),
    }
}

impl<S: Stock> Solved<S> {
    /// What a game has seen, if it is a result. A disproof holds for ever; a proof only has a length if
    /// the game leaves out no moves that matter for it ([`Problem::prunes`](crate::Problem::prunes)).
    pub(crate) fn seen(evaluation: Evaluation<S>, has_length: bool) -> Option<Solved<S>> {
        match evaluation {
            Evaluation::Solved { value, stock, plies, .. } => {
                let is_bounded = has_length && value == Value::Proven;
                let plies = if is_bounded { plies } else { Plies::UNBOUNDED };
                Some(Solved { value, stock, plies })
            }
            Evaluation::Open { .. } => None,
        }
    }

    /// Does this answer the question "proven with `stock` within `plies` plies"?
    pub fn holds_for(&self, stock: S, plies: Plies) -> bool {
        answers(self.value, self.stock, stock)
            && match self.value {
                Value::Proven => self.plies <= plies,
                Value::Disproven => self.plies >= plies,
            }
    }

    /// Does this say all that `other` says?
    fn implies(&self, other: &Solved<S>) -> bool {
        self.value == other.value && self.holds_for(other.stock, other.plies)
    }
}
