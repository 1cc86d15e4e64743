//! Squares, and sets of squares.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::piece::Color;

/// A square of the board. Square `9 * file + rank`, both from 0: 1a (１一) is 0, 1b 1, 9i 80.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(pub(crate) u8);

impl Square {
    /// How many there are.
    pub const COUNT: usize = 81;

    /// The square on this file and rank, both from 1 to 9.
    pub fn new(file: u8, rank: u8) -> Option<Square> {
        ((1..=9).contains(&file) && (1..=9).contains(&rank))
            .then(|| Square((file - 1) * 9 + rank - 1))
    }

    /// All squares.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..81).map(Square)
    }

    /// The file (筋), from 1 to 9.
    #[inline]
    pub fn file(self) -> u8 {
        self.0 / 9 + 1
    }

    /// The rank (段), from 1 to 9.
    #[inline]
    pub fn rank(self) -> u8 {
        self.0 % 9 + 1
    }

    /// A number below 81.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize & 127
    }

    /// The set of this square alone.
    #[inline]
    pub fn bit(self) -> Bitboard {
        BITS[self.index()]
    }

    /// The square seen from the other side of the board.
    pub fn flipped(self) -> Square {
        Square(80 - self.0)
    }

    /// Is it in the part of the board where this side promotes?
    #[inline]
    pub fn is_in_zone_of(self, color: Color) -> bool {
        Bitboard::zone(color).contains(self)
    }

    /// The square of a USI name, such as `7f`.
    pub fn from_usi(name: &str) -> Option<Square> {
        let &[file, rank] = name.as_bytes() else { return None };
        Square::new(file.checked_sub(b'0')?, rank.checked_sub(b'a' - 1)?)
    }
}

impl fmt::Display for Square {
    /// As in USI.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), (b'a' + self.rank() - 1) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Square({self})")
    }
}

/// A bit for each square: to fetch one is cheaper than to shift it through 128.
static BITS: [Bitboard; 128] = {
    let mut bits = [Bitboard::EMPTY; 128];
    let mut square = 0;
    while square < 128 {
        bits[square] = Bitboard(1 << square);
        square += 1;
    }
    bits
};

/// A set of squares, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub(crate) u128);

const FIRST_RANK: u128 = {
    let mut bits = 0;
    let mut file = 0;
    while file < 9 {
        bits |= 1 << (9 * file);
        file += 1;
    }
    bits
};

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// Every square.
    pub const FULL: Bitboard = Bitboard((1 << 81) - 1);

    /// The rank that is the `n`-th for this side, from 1: the first is the farthest.
    #[inline]
    pub const fn rank(color: Color, n: u8) -> Bitboard {
        match color {
            Color::Black => Bitboard(FIRST_RANK << (n - 1)),
            Color::White => Bitboard(FIRST_RANK << (9 - n)),
        }
    }

    /// The three ranks where this side promotes.
    #[inline]
    pub const fn zone(color: Color) -> Bitboard {
        match color {
            Color::Black => Bitboard(FIRST_RANK | FIRST_RANK << 1 | FIRST_RANK << 2),
            Color::White => Bitboard(FIRST_RANK << 6 | FIRST_RANK << 7 | FIRST_RANK << 8),
        }
    }

    /// The file of a square.
    #[inline]
    pub const fn file_of(square: Square) -> Bitboard {
        Bitboard(0x1ff << (square.0 / 9 * 9))
    }

    /// All files on which the set has a square.
    #[inline]
    pub fn files(self) -> Bitboard {
        // Adding a file's lower eight bits carries into its ninth if one of them is set; and the
        // ninth less the first is the lower eight.
        const NINTH: u128 = FIRST_RANK << 8;
        const LOWER: u128 = Bitboard::FULL.0 ^ NINTH;
        let ninth = (((self.0 & LOWER) + LOWER) | self.0) & NINTH;
        Bitboard(ninth | (ninth - (ninth >> 8)))
    }

    /// Does it hold the square?
    #[inline]
    pub fn contains(self, square: Square) -> bool {
        self.0 & square.bit().0 != 0
    }

    /// Has it no square?
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many squares it has.
    #[inline]
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Has it more than one square?
    #[inline]
    pub fn is_many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The square of the lowest bit, if there is one.
    #[inline]
    pub fn first(self) -> Option<Square> {
        (self.0 != 0).then(|| Square(self.0.trailing_zeros() as u8))
    }
}

impl Iterator for Bitboard {
    type Item = Square;
    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.first()?;
        self.0 &= self.0.wrapping_sub(1);
        Some(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<T: IntoIterator<Item = Square>>(squares: T) -> Self {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | square.bit())
    }
}

macro_rules! operators {
    ($($op:ident $name:ident $op_assign:ident $name_assign:ident $sign:tt),*) => { $(
        impl $op for Bitboard {
            type Output = Bitboard;
            #[inline]
            fn $name(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $sign other.0)
            }
        }
        impl $op_assign for Bitboard {
            #[inline]
            fn $name_assign(&mut self, other: Bitboard) {
                *self = *self $sign other;
            }
        }
    )* };
}

operators!(
    BitAnd bitand BitAndAssign bitand_assign &,
    BitOr bitor BitOrAssign bitor_assign |,
    BitXor bitxor BitXorAssign bitxor_assign ^
);

impl Not for Bitboard {
    type Output = Bitboard;
    /// Every other square of the board.
    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(self.0 ^ Bitboard::FULL.0)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
