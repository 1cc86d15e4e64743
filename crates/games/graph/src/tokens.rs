//! The attacker's stock: tokens of two kinds, 0 to 15 of the first and 0 to 3 of the second.
//!
//! With two kinds some stocks cannot be compared: neither `2` nor `1 1b` is more than the other. (Few
//! of the second kind will do for that, and keep the number of stocks small.)

use std::fmt;

use andor::Stock;

/// How many tokens of each kind the attacker holds: at most [`Tokens::MOST`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct Tokens {
    first: u8,
    second: u8,
}

impl Tokens {
    /// No token.
    pub const NONE: Tokens = Tokens { first: 0, second: 0 };
    /// The most tokens that can be held.
    pub const MOST: Tokens = Tokens { first: 15, second: 3 };
    /// How many different stocks there are.
    pub const STOCKS: usize = 64;

    /// That many tokens of the first kind, or the [most](Tokens::MOST) if that is less.
    pub fn new(count: u8) -> Tokens {
        Tokens::of(count, 0)
    }

    /// That many tokens of both kinds, or the [most](Tokens::MOST) of a kind if that is less.
    pub fn of(first: u8, second: u8) -> Tokens {
        Tokens { first, second }.meet(Tokens::MOST)
    }

    /// How many there are of the first kind.
    pub fn count(self) -> u8 {
        self.first
    }

    /// How many there are of the second kind.
    pub fn second(self) -> u8 {
        self.second
    }

    /// A number for each stock, below [`STOCKS`](Tokens::STOCKS).
    pub fn index(self) -> usize {
        usize::from(self.second) << 4 | usize::from(self.first)
    }

    /// Every stock. One that is [within](Stock::within) another comes before it.
    pub fn all() -> impl DoubleEndedIterator<Item = Tokens> {
        (0..Tokens::STOCKS as u8).map(|index| Tokens { first: index & 15, second: index >> 4 })
    }

    /// The same for each kind.
    pub(crate) fn each(self, other: Tokens, f: impl Fn(u8, u8) -> u8) -> Tokens {
        Tokens { first: f(self.first, other.first), second: f(self.second, other.second) }
    }
}

/// As the text has it: `3`, `2b`, `3 2b`.
impl fmt::Display for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.first, self.second) {
            (first, 0) => write!(f, "{first}"),
            (0, second) => write!(f, "{second}b"),
            (first, second) => write!(f, "{first} {second}b"),
        }
    }
}

impl Stock for Tokens {
    fn within(self, other: Tokens) -> bool {
        self.first <= other.first && self.second <= other.second
    }
    fn join(self, other: Tokens) -> Tokens {
        self.each(other, u8::max)
    }
    fn meet(self, other: Tokens) -> Tokens {
        self.each(other, u8::min)
    }
    fn pack(self) -> u32 {
        self.index() as u32
    }
    fn unpack(bits: u32) -> Tokens {
        let index = bits.min(Tokens::STOCKS as u32 - 1) as u8;
        Tokens { first: index & 15, second: index >> 4 }
    }
}
