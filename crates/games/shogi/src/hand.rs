//! Pieces in hand, packed into 32 bits.
//!
//! Every kind has a field with a guard bit above it: pawns 5 bits, lances, knights, silvers and
//! golds 3 each, bishops and rooks 2 each. Two hands are compared in all kinds at once by one
//! subtraction: a field that would have to borrow clears its guard.

use crate::piece::Kind;

/// Pieces in hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hand(u32);

const SHIFTS: [u32; 8] = [0, 6, 10, 14, 18, 22, 25, 31];
const WIDTHS: [u32; 8] = [5, 3, 3, 3, 3, 2, 2, 0];

const fn guards() -> u32 {
    let mut bits = 0;
    let mut kind = 0;
    while kind < 7 {
        bits |= 1 << (SHIFTS[kind] + WIDTHS[kind]);
        kind += 1;
    }
    bits
}

const GUARDS: u32 = guards();

/// The kind in whose field a bit lies.
static KINDS: [Kind; 32] = {
    let mut kinds = [Kind::ROOK; 32];
    let mut kind = 7;
    while kind > 0 {
        kind -= 1;
        let mut bit = SHIFTS[kind];
        while bit < SHIFTS[kind] + WIDTHS[kind] {
            kinds[bit as usize] = Kind::HAND[kind];
            bit += 1;
        }
    }
    kinds
};

impl Hand {
    /// Nothing.
    pub const EMPTY: Hand = Hand(0);

    /// One piece of this kind (promoted kinds count as their raw ones).
    #[inline]
    fn unit(kind: Kind) -> u32 {
        1 << SHIFTS[kind.index() & 7]
    }

    #[inline]
    fn mask(kind: Kind) -> u32 {
        let i = kind.index() & 7;
        ((1 << WIDTHS[i]) - 1) << SHIFTS[i]
    }

    /// How many of a kind.
    #[inline]
    pub fn count(self, kind: Kind) -> u8 {
        ((self.0 & Hand::mask(kind)) >> SHIFTS[kind.index() & 7]) as u8
    }

    /// Is there at least one of a kind?
    #[inline]
    pub fn has(self, kind: Kind) -> bool {
        self.0 & Hand::mask(kind) != 0
    }

    /// Is there nothing?
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The kinds of which there is at least one, from the pawn on.
    #[inline]
    pub fn kinds(self) -> impl Iterator<Item = Kind> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let kind = KINDS[(!rest.is_empty()).then(|| rest.0.trailing_zeros() as usize)?];
            rest = rest.without(kind);
            Some(kind)
        })
    }

    /// How many pieces there are.
    pub fn total(self) -> u32 {
        Kind::HAND.iter().map(|&kind| u32::from(self.count(kind))).sum()
    }

    /// With one more of a kind. There must be room: a hand never holds more than a full set.
    #[inline]
    pub fn plus(self, kind: Kind) -> Hand {
        debug_assert!(self.count(kind) < Kind::SET[kind.raw().index()]);
        Hand(self.0 + Hand::unit(kind))
    }

    /// With one less of a kind; there must be one.
    #[inline]
    pub fn minus(self, kind: Kind) -> Hand {
        debug_assert!(self.has(kind));
        Hand(self.0 - Hand::unit(kind))
    }

    /// With exactly so many of a kind, at most a full set.
    pub fn with(self, kind: Kind, count: u8) -> Hand {
        debug_assert!(count <= Kind::SET[kind.raw().index()]);
        Hand(self.0 & !Hand::mask(kind) | u32::from(count) << SHIFTS[kind.index() & 7])
    }

    /// With none of a kind.
    #[inline]
    pub fn without(self, kind: Kind) -> Hand {
        Hand(self.0 & !Hand::mask(kind))
    }

    /// What is left when `other`, which is within this hand, is taken away.
    #[inline]
    pub fn less(self, other: Hand) -> Hand {
        debug_assert!(other.within(self));
        Hand(self.0 - other.0)
    }

    /// Both hands together.
    #[inline]
    pub fn and(self, other: Hand) -> Hand {
        Hand(self.0 + other.0)
    }

    /// A full set: every piece but the kings.
    pub fn full_set() -> Hand {
        Kind::HAND.iter().fold(Hand::EMPTY, |hand, &kind| hand.with(kind, Kind::SET[kind.index()]))
    }

    /// Kinds and counts, from the rook down, as people list them.
    pub fn pieces(self) -> impl Iterator<Item = (Kind, u8)> {
        Kind::HAND
            .into_iter()
            .rev()
            .map(move |kind| (kind, self.count(kind)))
            .filter(|&(_, count)| count > 0)
    }

    /// The fields in which `other` has more than this: all bits of those fields.
    #[inline]
    fn smaller(self, other: Hand) -> u32 {
        let borrowed = !((self.0 | GUARDS) - other.0) & GUARDS;
        // A guard minus the field's unit is all of the field.
        let mut fields = 0;
        let mut rest = borrowed;
        while rest != 0 {
            let guard = rest & rest.wrapping_neg();
            fields |= FIELD_OF_GUARD[(guard.trailing_zeros() & 31) as usize];
            rest ^= guard;
        }
        fields
    }
}

const FIELD_OF_GUARD: [u32; 32] = {
    let mut fields = [0; 32];
    let mut kind = 0;
    while kind < 7 {
        let guard = SHIFTS[kind] + WIDTHS[kind];
        fields[guard as usize] = ((1 << WIDTHS[kind]) - 1) << SHIFTS[kind];
        kind += 1;
    }
    fields
};

/// Hands are a lattice, kind by kind.
impl Hand {
    /// Is there no more of any kind here than in `other`?
    #[inline]
    pub fn within(self, other: Hand) -> bool {
        ((other.0 | GUARDS) - self.0) & GUARDS == GUARDS
    }

    /// The least hand that both are within.
    #[inline]
    pub fn join(self, other: Hand) -> Hand {
        let theirs = self.smaller(other);
        Hand(self.0 & !theirs | other.0 & theirs)
    }

    /// The greatest hand within both.
    #[inline]
    pub fn meet(self, other: Hand) -> Hand {
        let theirs = self.smaller(other);
        Hand(self.0 & theirs | other.0 & !theirs)
    }

    /// The hand as a number.
    #[inline]
    pub fn pack(self) -> u32 {
        self.0
    }

    /// The inverse of [`pack`](Hand::pack).
    #[inline]
    pub fn unpack(bits: u32) -> Hand {
        Hand(bits)
    }
}

impl std::fmt::Debug for Hand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Hand(")?;
        for (kind, count) in self.pieces() {
            write!(f, "{count}{}", kind.letter())?;
        }
        f.write_str(")")
    }
}
