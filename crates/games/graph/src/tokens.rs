//! The attacker's stock: a number of tokens, 0 to 15.

use andor::Stock;

/// How many tokens the attacker holds: at most [`Tokens::MOST`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub struct Tokens(u8);

impl Tokens {
    /// No token.
    pub const NONE: Tokens = Tokens(0);
    /// The most tokens that can be held.
    pub const MOST: Tokens = Tokens(15);

    /// That many tokens, or [`MOST`](Tokens::MOST) if that is less.
    pub fn new(count: u8) -> Tokens {
        Tokens(count).min(Tokens::MOST)
    }

    /// How many they are.
    pub fn count(self) -> u8 {
        self.0
    }

    /// Every number of tokens, fewest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Tokens> {
        (0..=Tokens::MOST.0).map(Tokens)
    }
}

impl Stock for Tokens {
    fn within(self, other: Tokens) -> bool {
        self <= other
    }
    fn join(self, other: Tokens) -> Tokens {
        self.max(other)
    }
    fn meet(self, other: Tokens) -> Tokens {
        self.min(other)
    }
    fn pack(self) -> u32 {
        self.0.into()
    }
    fn unpack(bits: u32) -> Tokens {
        Tokens::new(bits.min(u8::MAX.into()) as u8)
    }
}
