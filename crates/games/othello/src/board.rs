//! Bitboards: who stands where, which moves are legal, and what they turn over.
//!
//! A [`Board`] is two 64-bit words seen from the side to move. Square a1 is bit 0, b1 bit 1, h8 bit
//! 63: bits run along the rows, as the text form does.
//!
//! Legal moves come from a parallel prefix fill (Kogge and Stone, 1973, as chess programs use it):
//! in each of the eight directions, runs of opposing discs that start next to an own disc are
//! filled in three doubling steps, and the square behind a run is a move. All own discs are treated
//! at once, without a branch.
//!
//! What a move turns over is found one ray at a time. On rays that run to higher bits, adding one
//! to the ray's opposing discs carries through the whole run and lands on the first square that
//! holds none; on rays that run to lower bits, the leading zeros of the other squares tell the
//! same. The run is turned over if that square holds an own disc.

use std::fmt;

/// A square: 0 is a1, 1 is b1, 63 is h8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square with this index, if it is on the board.
    pub fn new(index: u8) -> Option<Square> {
        (index < 64).then_some(Square(index))
    }

    /// Reads a name such as `e8` (either case).
    pub fn parse(name: &str) -> Option<Square> {
        match *name.as_bytes() {
            [file, rank @ b'1'..=b'8'] => {
                let file = file.to_ascii_lowercase();
                matches!(file, b'a'..=b'h').then(|| Square((rank - b'1') * 8 + (file - b'a')))
            }
            _ => None,
        }
    }

    /// The first square of a set that is not empty.
    #[inline]
    pub(crate) fn first(set: u64) -> Square {
        Square(set.trailing_zeros() as u8)
    }

    /// The index, below 64.
    pub fn index(self) -> u8 {
        self.0
    }

    /// The word with only this square's bit.
    #[inline]
    pub fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, rank) = (b'a' + self.0 % 8, b'1' + self.0 / 8);
        write!(f, "{}{}", char::from(file), char::from(rank))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The squares of a word, from a1 to h8.
#[inline]
pub fn squares(mut set: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let square = Square::first(set);
        (set != 0).then(|| {
            set &= set - 1;
            square
        })
    })
}

/// The discs on the board, seen from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    /// Discs of the side to move.
    pub own: u64,
    /// Discs of the other side.
    pub opp: u64,
}

const NOT_SIDE_FILES: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// `RAYS[square]`: the squares from `square` to the rim (without `square`), four rays to higher
/// bits (east, south-west, south, south-east), then their opposites.
const RAYS: [[u64; 8]; 64] = rays();

/// `NEIGHBOURS[square]`: the up to eight squares around `square`.
const NEIGHBOURS: [u64; 64] = neighbours();

const fn rays() -> [[u64; 8]; 64] {
    const STEPS: [(i8, i8); 8] =
        [(1, 0), (-1, 1), (0, 1), (1, 1), (-1, 0), (1, -1), (0, -1), (-1, -1)];
    let mut table = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (dx, dy) = STEPS[direction];
            let (mut x, mut y) = ((square % 8) as i8 + dx, (square / 8) as i8 + dy);
            while x >= 0 && x < 8 && y >= 0 && y < 8 {
                table[square][direction] |= 1 << (y * 8 + x);
                x += dx;
                y += dy;
            }
            direction += 1;
        }
        square += 1;
    }
    table
}

const fn neighbours() -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = around(1 << square);
        square += 1;
    }
    table
}

/// The squares next to a square of `set`, in any of the eight directions (some may be in `set`).
#[inline]
pub(crate) const fn around(set: u64) -> u64 {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let sideways = ((set << 1) & NOT_A) | ((set >> 1) & NOT_H);
    let row = set | sideways;
    sideways | (row << 8) | (row >> 8)
}

/// The moves in the two opposite directions of one axis. `inner` holds the opposing discs that can
/// be part of a run there.
#[inline]
const fn moves_on_axis<const STEP: u32>(own: u64, inner: u64) -> u64 {
    let mut up = inner & (own << STEP);
    let mut down = inner & (own >> STEP);
    up |= inner & (up << STEP);
    down |= inner & (down >> STEP);
    let pairs_up = inner & (inner << STEP);
    let pairs_down = inner & (inner >> STEP);
    up |= pairs_up & (up << (2 * STEP));
    down |= pairs_down & (down >> (2 * STEP));
    up |= pairs_up & (up << (2 * STEP));
    down |= pairs_down & (down >> (2 * STEP));
    (up << STEP) | (down >> STEP)
}

/// The squares on which the side with the discs `own` may play.
#[inline]
pub(crate) const fn mobility(own: u64, opp: u64) -> u64 {
    let inner = opp & NOT_SIDE_FILES;
    let moves = moves_on_axis::<1>(own, inner)
        | moves_on_axis::<7>(own, inner)
        | moves_on_axis::<8>(own, opp)
        | moves_on_axis::<9>(own, inner);
    moves & !(own | opp)
}

/// The opposing discs that a disc put on the empty `square` turns over; 0 if the move is not legal.
#[inline]
pub(crate) fn flips(own: u64, opp: u64, square: Square) -> u64 {
    let rays = &RAYS[usize::from(square.0 & 63)];
    let mut flipped = 0;
    for ray in &rays[..4] {
        let end = (opp | !ray).wrapping_add(1) & own & ray;
        flipped |= end.wrapping_sub(u64::from(end != 0)) & ray;
    }
    for ray in &rays[4..] {
        let first = (1 << 63) >> ((!opp & ray) | 1).leading_zeros();
        let end: u64 = first & own & ray;
        flipped |= (end.wrapping_neg() << 1) & ray;
    }
    flipped
}

/// Can a disc on `square` turn over anything at all? A quick test before [`flips`].
#[inline]
pub(crate) fn touches(opp: u64, square: Square) -> bool {
    NEIGHBOURS[usize::from(square.0 & 63)] & opp != 0
}

impl Board {
    /// The position before the first move: black, the side to move, on e4 and d5.
    pub const START: Board = Board { own: 0x0000_0008_1000_0000, opp: 0x0000_0010_0800_0000 };

    /// The legal moves of the side to move, as a set of squares.
    #[inline]
    pub const fn moves(self) -> u64 {
        mobility(self.own, self.opp)
    }

    /// The empty squares.
    #[inline]
    pub const fn empties(self) -> u64 {
        !(self.own | self.opp)
    }

    /// The discs that a move turns over; 0 if it is not legal.
    #[inline]
    pub fn flips(self, square: Square) -> u64 {
        if square.bit() & self.empties() == 0 { 0 } else { flips(self.own, self.opp, square) }
    }

    /// The board after a legal move, seen from the other side. No pass is folded in here.
    #[inline]
    #[must_use]
    pub fn after(self, square: Square) -> Board {
        let flipped = flips(self.own, self.opp, square);
        Board { own: self.opp ^ flipped, opp: self.own ^ flipped ^ square.bit() }
    }

    /// The same discs seen from the other side: what a pass does.
    #[inline]
    #[must_use]
    pub const fn passed(self) -> Board {
        Board { own: self.opp, opp: self.own }
    }

    /// The score of the side to move if the game ended here: the difference in discs, with the
    /// empty squares given to the winner. Always even.
    #[inline]
    pub fn final_score(self) -> i32 {
        let (own, opp) = (self.own.count_ones() as i32, self.opp.count_ones() as i32);
        match own.cmp(&opp) {
            std::cmp::Ordering::Less => 2 * own - 64,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Greater => 64 - 2 * opp,
        }
    }

    /// How many sequences of `depth` plies lead on from here; a pass counts as a ply, and a game
    /// that is over counts once.
    pub fn perft(self, depth: u32) -> u64 {
        let moves = self.moves();
        if depth == 0 {
            1
        } else if moves != 0 {
            squares(moves).map(|square| self.after(square).perft(depth - 1)).sum()
        } else if self.passed().moves() != 0 {
            self.passed().perft(depth - 1)
        } else {
            1
        }
    }
}
