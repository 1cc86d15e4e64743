//! What pieces attack.
//!
//! Steps come from tables. A slider's attacks are found line by line, on the 128-bit board itself
//! (hyperbola quintessence: Peshkov and Isenberg, 2007). Of the pieces `o` on a line through `s`, the
//! difference `o - s` changes all bits from `s` up to the next piece, and no others; the same with the
//! bytes in reverse order gives those down to the next piece. Ranks and diagonals have each of their
//! squares in a byte of its own, for neighbours on them are 8 to 10 bits apart. A file is nine bits
//! in a row, which are looked at as a number. All tables are made at compile time.

use crate::piece::{Color, Kind};
use crate::square::{Bitboard, Square};

/// Tables are this long so that a masked index is always inside.
const LENGTH: usize = 128;

/// The eight directions as (file, rank) steps. The first four have rising square numbers; the
/// opposite of direction `d` is `d ^ 4`.
const STEPS: [(i32, i32); 8] =
    [(0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1)];

const SOUTH: usize = 0;
const SOUTH_WEST: usize = 3;
const WEST: usize = 2;
const NORTH_WEST: usize = 1;
const NORTH: usize = 4;
const NORTH_EAST: usize = 7;
const EAST: usize = 6;
const SOUTH_EAST: usize = 5;

const fn step(square: usize, file: i32, rank: i32) -> u128 {
    let (file, rank) = (square as i32 / 9 + file, square as i32 % 9 + rank);
    if file < 0 || file > 8 || rank < 0 || rank > 8 { 0 } else { 1 << (file * 9 + rank) }
}

const fn ray(square: usize, direction: usize) -> u128 {
    let (file, rank) = STEPS[direction];
    let mut bits = 0;
    let mut n = 1;
    while n < 9 {
        bits |= step(square, file * n, rank * n);
        n += 1;
    }
    bits
}

static RAYS: [[Bitboard; LENGTH]; 8] = {
    let mut rays = [[Bitboard::EMPTY; LENGTH]; 8];
    let mut direction = 0;
    while direction < 8 {
        let mut square = 0;
        while square < 81 {
            rays[direction][square] = Bitboard(ray(square, direction));
            square += 1;
        }
        direction += 1;
    }
    rays
};

const NONE: u8 = 8;

/// The direction from one square to another on one line with it, or [`NONE`].
static DIRECTIONS: [[u8; LENGTH]; 81] = {
    let mut directions = [[NONE; LENGTH]; 81];
    let mut from = 0;
    while from < 81 {
        let mut direction = 0;
        while direction < 8 {
            let bits = ray(from, direction);
            let mut to = 0;
            while to < 81 {
                if bits >> to & 1 != 0 {
                    directions[from][to] = direction as u8;
                }
                to += 1;
            }
            direction += 1;
        }
        from += 1;
    }
    directions
};

const fn steps_table(steps: &[(i32, i32)]) -> [[Bitboard; LENGTH]; 2] {
    let mut table = [[Bitboard::EMPTY; LENGTH]; 2];
    let mut square = 0;
    while square < 81 {
        let mut i = 0;
        while i < steps.len() {
            let (file, rank) = steps[i];
            table[0][square].0 |= step(square, file, rank);
            table[1][square].0 |= step(square, file, -rank);
            i += 1;
        }
        square += 1;
    }
    table
}

static PAWN: [[Bitboard; LENGTH]; 2] = steps_table(&[(0, -1)]);
static KNIGHT: [[Bitboard; LENGTH]; 2] = steps_table(&[(1, -2), (-1, -2)]);
static SILVER: [[Bitboard; LENGTH]; 2] =
    steps_table(&[(0, -1), (1, -1), (-1, -1), (1, 1), (-1, 1)]);
static GOLD: [[Bitboard; LENGTH]; 2] =
    steps_table(&[(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1)]);
static KING: [[Bitboard; LENGTH]; 2] = steps_table(&STEPS);

/// The three lines through a square that are not its file, each without the square itself.
static LINES: [[Bitboard; LENGTH]; 3] = {
    let mut lines = [[Bitboard::EMPTY; LENGTH]; 3];
    let mut line = 0;
    while line < 3 {
        let mut square = 0;
        while square < 81 {
            let direction = [NORTH_WEST, WEST, SOUTH_WEST][line];
            lines[line][square] = Bitboard(ray(square, direction) | ray(square, direction ^ 4));
            square += 1;
        }
        line += 1;
    }
    lines
};

const DIAGONAL: usize = 0;
const RANK: usize = 1;
const ANTIDIAGONAL: usize = 2;

/// Squares attacked along a rank or a diagonal, both ways, up to and with the first occupied ones.
#[inline]
fn across(line: usize, square: Square, occupied: Bitboard) -> Bitboard {
    let line = LINES[line][square.index()].0;
    let bit = square.bit().0;
    let there = line & occupied.0;
    let up = there.wrapping_sub(bit);
    let down = there.swap_bytes().wrapping_sub(bit.swap_bytes()).swap_bytes();
    Bitboard((up ^ down) & line)
}

/// The same along the file.
#[inline]
fn along(square: Square, occupied: Bitboard) -> Bitboard {
    let (first, rank) = (u32::from(square.0 / 9 * 9), u32::from(square.0 % 9));
    let there = (occupied.0 >> (first & 127)) as u32;
    let above = (1 << rank) - 1;
    let below = 0x1fe << rank & 0x1ff;
    // The nearest piece above, or the first square of the file.
    let nearest = 31 - (there & above | 1).leading_zeros();
    let pieces = there & below;
    let down = below & (pieces ^ pieces.wrapping_sub(1));
    Bitboard(u128::from(above & (u32::MAX << nearest) | down) << (first & 127))
}

/// What a pawn attacks.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// What a knight attacks.
#[inline]
pub fn knight(color: Color, square: Square) -> Bitboard {
    KNIGHT[color.index()][square.index()]
}

/// What a silver attacks.
#[inline]
pub fn silver(color: Color, square: Square) -> Bitboard {
    SILVER[color.index()][square.index()]
}

/// What a gold attacks.
#[inline]
pub fn gold(color: Color, square: Square) -> Bitboard {
    GOLD[color.index()][square.index()]
}

/// What a king attacks.
#[inline]
pub fn king(square: Square) -> Bitboard {
    KING[0][square.index()]
}

/// What a lance attacks.
#[inline]
pub fn lance(color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    along(square, occupied) & lance_ray(color, square)
}

/// What a bishop attacks.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    across(DIAGONAL, square, occupied) | across(ANTIDIAGONAL, square, occupied)
}

/// What a rook attacks.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    across(RANK, square, occupied) | along(square, occupied)
}

/// The rays of a bishop on an empty board.
#[inline]
pub fn bishop_rays(square: Square) -> Bitboard {
    reach(Kind::BISHOP, Color::Black, square)
}

/// The rays of a rook on an empty board.
#[inline]
pub fn rook_rays(square: Square) -> Bitboard {
    reach(Kind::ROOK, Color::Black, square)
}

/// The squares from which a piece that does not slide may attack a neighbour of this square.
#[inline]
pub fn near(square: Square) -> Bitboard {
    NEAR[square.index()]
}

/// The squares from which a piece that does not slide may go where it attacks this square.
#[inline]
pub fn two_steps(square: Square) -> Bitboard {
    TWO_STEPS[square.index()]
}

static NEAR: [Bitboard; LENGTH] = boxes(2, 3);
static TWO_STEPS: [Bitboard; LENGTH] = boxes(2, 4);

/// The squares at most so many files and ranks away.
const fn boxes(files: i32, ranks: i32) -> [Bitboard; LENGTH] {
    let mut table = [Bitboard::EMPTY; LENGTH];
    let mut square = 0;
    while square < 81 {
        let mut file = -files;
        while file <= files {
            let mut rank = -ranks;
            while rank <= ranks {
                table[square].0 |= step(square, file, rank);
                rank += 1;
            }
            file += 1;
        }
        square += 1;
    }
    table
}

/// The ray of a lance on an empty board.
#[inline]
pub fn lance_ray(color: Color, square: Square) -> Bitboard {
    match color {
        Color::Black => RAYS[NORTH][square.index()],
        Color::White => RAYS[SOUTH][square.index()],
    }
}

/// What a piece of any kind attacks. Most step, so that is asked first.
#[inline]
pub fn attacks(kind: Kind, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    if kind.slides() { slides(kind, color, square, occupied) } else { reach(kind, color, square) }
}

fn slides(kind: Kind, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        Kind::LANCE => lance(color, square, occupied),
        Kind::BISHOP => bishop(square, occupied),
        Kind::ROOK => rook(square, occupied),
        Kind::HORSE => bishop(square, occupied) | king(square),
        _ => rook(square, occupied) | king(square),
    }
}

/// The squares strictly between two squares on one line; none if they are not on one.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    let direction = DIRECTIONS[a.index().min(80)][b.index()] as usize;
    if direction >= 8 {
        return Bitboard::EMPTY;
    }
    RAYS[direction][a.index()] & RAYS[direction ^ 4][b.index()]
}

/// The whole line through two squares, without the first; empty if they are not on one line.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    let direction = DIRECTIONS[a.index().min(80)][b.index()] as usize;
    if direction >= 8 {
        return Bitboard::EMPTY;
    }
    RAYS[direction][a.index()] | RAYS[direction ^ 4][a.index()]
}

/// What lies beyond `b`, seen from `a`, on their line.
#[inline]
pub fn beyond(a: Square, b: Square) -> Bitboard {
    let direction = DIRECTIONS[a.index().min(80)][b.index()] as usize;
    if direction >= 8 { Bitboard::EMPTY } else { RAYS[direction][b.index()] }
}

/// What a piece of any kind attacks on an empty board.
#[inline]
pub fn reach(kind: Kind, color: Color, square: Square) -> Bitboard {
    REACH[color.index()][kind.index()][square.index()]
}

static REACH: [[[Bitboard; LENGTH]; 16]; 2] = {
    let mut table = [[[Bitboard::EMPTY; LENGTH]; 16]; 2];
    let mut color = 0;
    while color < 2 {
        let lance = if color == 0 { NORTH } else { SOUTH };
        let mut square = 0;
        while square < 81 {
            let bishop = ray(square, NORTH_WEST)
                | ray(square, SOUTH_WEST)
                | ray(square, NORTH_EAST)
                | ray(square, SOUTH_EAST);
            let rook =
                ray(square, SOUTH) | ray(square, WEST) | ray(square, NORTH) | ray(square, EAST);
            let king = KING[0][square].0;
            let mut kind = 0;
            while kind < 16 {
                table[color][kind][square] = Bitboard(match kind {
                    0 => PAWN[color][square].0,
                    1 => ray(square, lance),
                    2 => KNIGHT[color][square].0,
                    3 => SILVER[color][square].0,
                    5 => bishop,
                    6 => rook,
                    7 => king,
                    13 => bishop | king,
                    14 => rook | king,
                    _ => GOLD[color][square].0,
                });
                kind += 1;
            }
            square += 1;
        }
        color += 1;
    }
    table
};
