//! What a bounded disproof has to say, found out before it is written.
//!
//! "No proof within so many plies" is asked of one position again and again: with few plies left at
//! the end of one line, with more at the end of another. Written down as it comes, such a position is
//! treated in full for each of them, and so is all below it: 17 times on average in the refutation of a
//! mate in less than 873 plies. But a disproof within many plies is one within fewer. So the writer first
//! walks through the disproof level by level, from most plies to none, and notes every position when it is
//! met first: for as many plies as it will ever be needed. Then each is written once, and for that many.
//!
//! Positions are told apart by their keys here. Should two have the same one, a record is written that the
//! checker does not accept; no wrong one that it does.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::claims::ByKey;
use crate::plies::Plies;
use crate::problem::{Key, mix64};
use crate::rules::Stock;

/// Positions more than these are not planned but written as they come: the plan stays below 1 GiB.
const MOST: usize = 16 << 20;

/// The positions that are still to be written.
pub(super) struct Plan<M> {
    positions: HashMap<u128, (Plies, Option<M>), ByKey>,
}

/// What is planned for a position.
#[derive(Clone, Copy)]
pub(super) struct Planned<M> {
    /// So many plies more than are asked for now.
    pub more: u16,
    /// The holder's move, at his turn.
    pub chosen: Option<M>,
}

impl<M> Default for Plan<M> {
    fn default() -> Self {
        Plan { positions: HashMap::default() }
    }
}

impl<M> Plan<M> {
    fn name<S: Stock>(key: Key, stock: S) -> u128 {
        let mixed = mix64(!u64::from(stock.pack()));
        key.0 ^ (u128::from(mix64(mixed)) << 64 | u128::from(mixed))
    }

    /// Notes a position, unless it is noted already or there is no room. Is it new?
    pub(super) fn add<S: Stock>(&mut self, key: Key, stock: S, plies: Plies) -> bool {
        let is_full = self.positions.len() >= MOST;
        match self.positions.entry(Self::name(key, stock)) {
            Entry::Vacant(entry) if !is_full => {
                entry.insert((plies, None));
                true
            }
            _ => false,
        }
    }

    /// Notes the holder's move.
    pub(super) fn choose<S: Stock>(&mut self, key: Key, stock: S, m: M) {
        if let Some((_, chosen)) = self.positions.get_mut(&Self::name(key, stock)) {
            *chosen = Some(m);
        }
    }

    /// What is planned for a position that is about to be written, and was not before.
    pub(super) fn take<S: Stock>(
        &mut self,
        key: Key,
        stock: S,
        plies: Plies,
    ) -> Option<Planned<M>> {
        if self.positions.is_empty() {
            return None;
        }
        let (planned, chosen) = self.positions.remove(&Self::name(key, stock))?;
        let more = planned.bounded()?.checked_sub(plies.bounded()?)?;
        Some(Planned { more, chosen })
    }
}
