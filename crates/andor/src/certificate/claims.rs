//! What a certificate says, board by board: all that the checker remembers of it.
//!
//! A board may have several claims, one for each stock. They lie in one array, in the order in which
//! they were made, each with the place of the one before it of the same board: so a board costs an
//! entry in the map and no allocation of its own.
//!
//! A claim that an earlier one answers is not kept, and one about the same stock is merged with it.
//! Whoever repeats a claim a million times thus makes neither memory nor lookups grow: a board has at
//! most as many claims as the game has stocks (one in chess, Othello and Hex, 64 in graphs).

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher, RandomState};
use std::iter;
use std::num::NonZeroUsize;
use std::sync::Arc;

use crate::mirror::Reversed;
use crate::problem::answers;
use crate::rules::{Stock, Value};

/// For names that are hash keys: they are as good as random already.
pub(super) type ByKey = BuildHasherDefault<Low>;

/// The low half of a key.
#[derive(Default)]
pub(super) struct Low(u64);

impl Hasher for Low {
    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are u128")
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Things said of boards.
pub(super) struct Chains<I, T, H = RandomState> {
    /// The place of what was said last of a board.
    last: HashMap<I, usize, H>,
    /// Each thing, and the place of the one before it, counted from 1.
    said: Vec<(T, Option<NonZeroUsize>)>,
    /// Things that lookups have gone through.
    #[cfg(test)]
    pub looked_at: std::cell::Cell<u64>,
}

impl<I, T, H: Default> Default for Chains<I, T, H> {
    fn default() -> Self {
        Chains {
            last: HashMap::default(),
            said: Vec::new(),
            #[cfg(test)]
            looked_at: std::cell::Cell::default(),
        }
    }
}

impl<I: Eq + Hash, T, H: BuildHasher> Chains<I, T, H> {
    /// Says one thing more of a board.
    pub(super) fn push(&mut self, board: I, thing: T) {
        let before = self.last.insert(board, self.said.len());
        self.said.push((thing, before.and_then(|place| NonZeroUsize::new(place + 1))));
    }

    /// All that was said of a board, the latest first.
    pub(super) fn of(&self, board: &I) -> impl Iterator<Item = &T> {
        self.places(board).filter_map(|place| self.said.get(place)).map(|(thing, _)| thing)
    }

    /// Where it stands.
    fn places(&self, board: &I) -> impl Iterator<Item = usize> {
        iter::successors(self.last.get(board).copied(), |&place| {
            let (_, before) = self.said.get(place)?;
            Some(before.as_ref()?.get() - 1)
        })
        .inspect(|_| {
            #[cfg(test)]
            self.looked_at.set(self.looked_at.get() + 1);
        })
    }

    /// Bytes of memory that this takes, and that it takes for a moment when it next grows.
    pub(super) fn bytes(&self) -> Bytes {
        map_bytes::<(I, usize)>(self.last.len(), self.last.capacity()) + vec_bytes(&self.said)
    }
}

/// Bytes that something takes.
#[derive(Clone, Copy)]
pub(super) struct Bytes {
    /// Now.
    pub now: usize,
    /// While it grows by one element more, with the old memory beside the new.
    pub peak: usize,
}

impl std::ops::Add for Bytes {
    type Output = Bytes;

    /// Of two things that do not grow at the same moment.
    fn add(self, other: Bytes) -> Bytes {
        let more = (self.peak - self.now).max(other.peak - other.now);
        let now = self.now + other.now;
        Bytes { now, peak: now + more }
    }
}

/// Bytes of a vector.
pub(super) fn vec_bytes<T>(vec: &Vec<T>) -> Bytes {
    let now = vec.capacity() * size_of::<T>();
    let grows = vec.len() == vec.capacity();
    Bytes { now, peak: if grows { 3 * now } else { now } }
}

/// Bytes of a hash map with these entries: a byte each beside them, and a seventh more room than it
/// says.
fn map_bytes<E>(len: usize, capacity: usize) -> Bytes {
    let now = capacity * 8 / 7 * (size_of::<E>() + 1);
    Bytes { now, peak: if len == capacity { 3 * now } else { now } }
}

/// What is claimed of a position that was treated in full.
pub(super) struct Said<S> {
    /// Its stock.
    pub stock: S,
    /// A proof: the rank that the certificate gives it. A disproof: the plies, as bits.
    pub claim: u64,
    /// A proof: the plies of the longest defence. (A rank may be larger than it need be.)
    pub length: u32,
    /// At the holder's turn: the number of the move.
    pub chosen: u32,
}

impl<I: Eq + Hash, S: Stock> Chains<I, Said<S>> {
    /// Claims something of a board, unless that follows from what is claimed of it already.
    pub(super) fn claim(&mut self, value: Value, board: I, said: Said<S>) {
        let mut same_stock = None;
        for place in self.places(&board) {
            let Some((earlier, _)) = self.said.get(place) else { continue };
            if earlier.says_no_less(value, &said) {
                return;
            }
            if earlier.stock == said.stock {
                same_stock = Some(place);
            }
        }
        match same_stock.and_then(|place| self.said.get_mut(place)) {
            Some((earlier, _)) => earlier.merge(value, &said),
            None => self.push(board, said),
        }
    }
}

impl<S: Stock> Said<S> {
    /// Does whatever follows from `other` follow from this as well?
    fn says_no_less(&self, value: Value, other: &Said<S>) -> bool {
        let is_strong = match value {
            Value::Proven => self.claim <= other.claim && self.length <= other.length,
            Value::Disproven => self.claim >= other.claim && self.length <= other.length,
        };
        is_strong && answers(value, self.stock, other.stock)
    }

    /// Two claims of the same position: the better rank or bound, and the shorter way with its move.
    fn merge(&mut self, value: Value, other: &Said<S>) {
        let is_better = match value {
            Value::Proven => other.length < self.length,
            Value::Disproven => other.claim > self.claim,
        };
        if is_better {
            self.chosen = other.chosen;
        }
        self.length = self.length.min(other.length);
        self.claim = match value {
            Value::Proven => self.claim.min(other.claim),
            Value::Disproven => self.claim.max(other.claim),
        };
    }
}

impl<I, S> Chains<I, Said<Reversed<S>>> {
    /// What is said of a [mirror](crate::Mirror) image, said of the problem itself.
    pub(super) fn unmirrored(self) -> Chains<I, Said<S>> {
        let Chains { last, said, .. } = self;
        let unmirrored = |(said, before): (Said<Reversed<S>>, _)| {
            let Said { stock: Reversed(stock), claim, length, chosen } = said;
            (Said { stock, claim, length, chosen }, before)
        };
        Chains {
            last,
            said: said.into_iter().map(unmirrored).collect(),
            #[cfg(test)]
            looked_at: std::cell::Cell::default(),
        }
    }
}

/// A hint by which a position is weakened.
pub(super) type Hint = Box<[u8]>;

/// The hints by which a position was weakened, one after the other.
pub(super) type Hints = Arc<[Hint]>;

/// Positions that were weakened, and how. Few different hints serve many positions.
pub(super) struct Weakenings<I> {
    /// The place of the hints in `different`.
    of: Chains<I, usize>,
    /// What is said already.
    said: HashSet<(I, usize)>,
    different: Vec<Hints>,
    places: HashMap<Hints, usize>,
    /// Bytes of the different hints.
    hint_bytes: usize,
}

impl<I> Default for Weakenings<I> {
    fn default() -> Self {
        Weakenings {
            of: Chains::default(),
            said: HashSet::new(),
            different: Vec::new(),
            places: HashMap::new(),
            hint_bytes: 0,
        }
    }
}

impl<I: Eq + Hash + Clone> Weakenings<I> {
    /// A position on this board was weakened by these hints.
    pub(super) fn push(&mut self, board: I, hints: Vec<Hint>) {
        let place = match self.places.get(hints.as_slice()) {
            Some(&place) => place,
            None => {
                let place = self.different.len();
                self.hint_bytes += hints.iter().map(|hint| hint_bytes(hint)).sum::<usize>();
                let hints: Hints = hints.into();
                self.different.push(hints.clone());
                self.places.insert(hints, place);
                place
            }
        };
        if self.said.insert((board.clone(), place)) {
            self.of.push(board, place);
        }
    }

    /// How positions on this board were weakened.
    pub(super) fn of(&self, board: &I) -> impl Iterator<Item = &Hints> {
        self.of.of(board).filter_map(|&place| self.different.get(place))
    }

    /// Bytes of memory that this takes.
    pub(super) fn bytes(&self) -> Bytes {
        let hints = Bytes { now: self.hint_bytes, peak: self.hint_bytes };
        self.of.bytes()
            + map_bytes::<(I, usize)>(self.said.len(), self.said.capacity())
            + map_bytes::<(Hints, usize)>(self.places.len(), self.places.capacity())
            + vec_bytes(&self.different)
            + hints
    }
}

/// Bytes of a hint, with what its owner and the allocator need.
pub(super) fn hint_bytes(hint: &[u8]) -> usize {
    hint.len() + 48
}
