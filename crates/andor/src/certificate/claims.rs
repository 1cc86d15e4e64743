//! What a certificate says, board by board: all that the checker remembers of it.
//!
//! A board may have several claims, with other stocks, plies or ranks. They lie in one array, in the
//! order in which they were made, each with the place of the one before it of the same board: so a
//! board costs an entry in the map and no allocation of its own.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher, RandomState};
use std::iter;
use std::num::NonZeroUsize;
use std::sync::Arc;

use crate::mirror::Reversed;

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
}

impl<I, T, H: Default> Default for Chains<I, T, H> {
    fn default() -> Self {
        Chains { last: HashMap::default(), said: Vec::new() }
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
        let latest = self.last.get(board).and_then(|&place| self.said.get(place));
        iter::successors(latest, |(_, before)| self.said.get(before.as_ref()?.get() - 1))
            .map(|(thing, _)| thing)
    }
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

impl<I, S> Chains<I, Said<Reversed<S>>> {
    /// What is said of a [mirror](crate::Mirror) image, said of the problem itself.
    pub(super) fn unmirrored(self) -> Chains<I, Said<S>> {
        let Chains { last, said } = self;
        let unmirrored = |(said, before): (Said<Reversed<S>>, _)| {
            let Said { stock: Reversed(stock), claim, length, chosen } = said;
            (Said { stock, claim, length, chosen }, before)
        };
        Chains { last, said: said.into_iter().map(unmirrored).collect() }
    }
}

/// The hints by which a position was weakened, one after the other.
pub(super) type Hints = Arc<[Box<[u8]>]>;

/// Positions that were weakened, and how. Few different hints serve many positions.
pub(super) struct Weakenings<I> {
    of: Chains<I, Hints>,
    different: HashSet<Hints>,
}

impl<I> Default for Weakenings<I> {
    fn default() -> Self {
        Weakenings { of: Chains::default(), different: HashSet::new() }
    }
}

impl<I: Eq + Hash> Weakenings<I> {
    /// A position on this board was weakened by these hints.
    pub(super) fn push(&mut self, board: I, hints: Vec<Box<[u8]>>) {
        let hints = match self.different.get(hints.as_slice()) {
            Some(known) => known.clone(),
            None => {
                let hints: Hints = hints.into();
                self.different.insert(hints.clone());
                hints
            }
        };
        if !self.of(&board).any(|known| Arc::ptr_eq(known, &hints)) {
            self.of.push(board, hints);
        }
    }

    /// How positions on this board were weakened.
    pub(super) fn of(&self, board: &I) -> impl Iterator<Item = &Hints> {
        self.of.of(board)
    }
}
