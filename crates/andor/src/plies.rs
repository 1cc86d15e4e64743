//! Plies: how long a line of play may be, where that has a limit.

use std::fmt;

use crate::rules::Value;

/// At most so many plies, or any number of them.
///
/// A question is asked within so many plies ("is there a mate in 7?"), and an answer holds within so
/// many: proven within 7 plies, disproven for 7 plies, or, without a bound, at all. A bound of fewer
/// plies is less than one of more, and [`UNBOUNDED`](Plies::UNBOUNDED) is the greatest of all. Inside
/// it is a number of 16 bits, as a table entry has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Plies(u16);

impl Plies {
    /// Any number of plies.
    pub const UNBOUNDED: Plies = Plies(u16::MAX);

    /// No ply at all: as it stands.
    pub const NONE: Plies = Plies(0);

    /// At most so many plies. The largest bound is 65,534 plies; whoever says more has no bound.
    pub const fn at_most(plies: u16) -> Plies {
        Plies(plies)
    }

    /// The bound, if there is one.
    pub const fn bounded(self) -> Option<u16> {
        if self.0 == u16::MAX { None } else { Some(self.0) }
    }

    /// Is there a bound?
    pub const fn is_bounded(self) -> bool {
        self.0 != u16::MAX
    }

    /// Is a line of so many plies within the bound?
    pub const fn allow(self, plies: u64) -> bool {
        !self.is_bounded() || plies <= self.0 as u64
    }

    /// What is left after a ply; at least none.
    pub const fn one_less(self) -> Plies {
        if self.is_bounded() { Plies(self.0.saturating_sub(1)) } else { self }
    }

    /// What an answer of this value holds for a ply earlier. Where that is more than the largest
    /// bound, a proof has none any more, and a disproof keeps it: both say less than they could, and
    /// nothing wrong.
    pub(crate) const fn one_more(self, value: Value) -> Plies {
        match value {
            Value::Disproven if self.0 == u16::MAX - 1 => self,
            _ => Plies(self.0.saturating_add(1)),
        }
    }

    /// The 16 bits of a table entry.
    pub(crate) const fn to_bits(self) -> u16 {
        self.0
    }

    /// The inverse of [`to_bits`](Plies::to_bits).
    pub(crate) const fn from_bits(bits: u16) -> Plies {
        Plies(bits)
    }
}

/// No bound if nobody gives one.
impl Default for Plies {
    fn default() -> Plies {
        Plies::UNBOUNDED
    }
}

/// At most so many plies, if a number is given.
impl From<Option<u16>> for Plies {
    fn from(bound: Option<u16>) -> Plies {
        bound.map_or(Plies::UNBOUNDED, Plies::at_most)
    }
}

/// The number, or `∞`.
impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bounded() {
            Some(plies) => plies.fmt(f),
            None => "∞".fmt(f),
        }
    }
}

impl fmt::Debug for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Plies({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: Plies = Plies::at_most(u16::MAX - 1);

    #[test]
    fn no_bound_is_more_than_any() {
        assert!(Plies::NONE < Plies::at_most(7) && MOST < Plies::UNBOUNDED);
        assert_eq!(Plies::at_most(7).bounded(), Some(7));
        assert_eq!((MOST.bounded(), Plies::UNBOUNDED.bounded()), (Some(65_534), None));
        assert!(Plies::at_most(7).allow(7) && !Plies::at_most(7).allow(8));
        assert!(!MOST.allow(65_535) && Plies::UNBOUNDED.allow(u64::MAX));
        assert_eq!(Plies::default(), Plies::UNBOUNDED);
        assert_eq!(format!("{} {}", Plies::at_most(7), Plies::UNBOUNDED), "7 ∞");
    }

    #[test]
    fn plies_fall_and_rise_by_one() {
        assert_eq!(Plies::at_most(7).one_less(), Plies::at_most(6));
        assert_eq!(Plies::NONE.one_less(), Plies::NONE);
        assert_eq!(Plies::UNBOUNDED.one_less(), Plies::UNBOUNDED);
        for value in [Value::Proven, Value::Disproven] {
            assert_eq!(Plies::at_most(6).one_more(value), Plies::at_most(7));
            assert_eq!(Plies::UNBOUNDED.one_more(value), Plies::UNBOUNDED);
        }
    }

    #[test]
    fn the_largest_bound_never_turns_into_a_stronger_claim() {
        assert_eq!(MOST.one_more(Value::Proven), Plies::UNBOUNDED);
        assert_eq!(MOST.one_more(Value::Disproven), MOST);
    }
}
