//! Discs that can never be turned over again, and the bound on the score they give.
//!
//! A disc is safe on one of the four axes through it if the whole line is full, or if the next
//! square on one side is off the board or holds a stable disc of the same colour. It is stable if
//! it is safe on all four. Growing the set from nothing finds a set that is stable by induction: a
//! move that turned over members along an axis would have to turn over the one that was added first
//! among them, and that one leans on a full line, on the rim, or on a member added even earlier,
//! which would have to be turned over with it. Further discs may be stable too, so the bound is
//! safe, not sharp.

use crate::board::Board;

const ROW: u64 = 0xff;
const FILE_A: u64 = 0x0101_0101_0101_0101;

/// The fifteen diagonals of either slant.
const DIAGONALS: [[u64; 15]; 2] = diagonals();

const fn diagonals() -> [[u64; 15]; 2] {
    let mut lines = [[0; 15]; 2];
    let mut square = 0;
    while square < 64 {
        let (x, y) = (square % 8, square / 8);
        lines[0][x + y] |= 1 << square;
        lines[1][7 + x - y] |= 1 << square;
        square += 1;
    }
    lines
}

/// The squares whose line along each axis is full: row, file, and the two diagonals.
fn full_lines(occupied: u64) -> [u64; 4] {
    let mut row = occupied & (occupied >> 4) & 0x0f0f_0f0f_0f0f_0f0f;
    row &= row >> 2;
    row &= row >> 1;
    let rows = (row & FILE_A) * ROW;

    let mut file = occupied & occupied.rotate_right(32);
    file &= file.rotate_right(16);
    let files = file & file.rotate_right(8);

    let mut slants = [0; 2];
    for (slant, lines) in slants.iter_mut().zip(&DIAGONALS) {
        for line in lines {
            *slant |= if occupied & line == *line { *line } else { 0 };
        }
    }
    [rows, files, slants[0], slants[1]]
}

/// Discs of `discs` that can never be turned over, given all `occupied` squares. A shift that runs
/// over the side of the board lands on the rim, which is safe on that axis anyway.
fn stable(discs: u64, occupied: u64) -> u64 {
    let [rows, files, falling, rising] = full_lines(occupied);
    let rim_x = FILE_A | FILE_A << 7;
    let rim_y = ROW | ROW << 56;
    let rim = rim_x | rim_y;
    let mut stable = 0;
    loop {
        let x = rows | rim_x | stable << 1 | stable >> 1;
        let y = files | rim_y | stable << 8 | stable >> 8;
        let f = falling | rim | stable << 7 | stable >> 7;
        let r = rising | rim | stable << 9 | stable >> 9;
        let grown = discs & x & y & f & r;
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}

/// Is it certain that the side to move cannot score `least`, whatever happens? So many of the
/// opponent's discs must be stable that the rest of the board is not enough.
pub(crate) fn out_of_reach(board: Board, least: i32) -> bool {
    let enough = (64 - least) / 2;
    board.opp.count_ones() as i32 > enough
        && stable(board.opp, board.own | board.opp).count_ones() as i32 > enough
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::squares;
    use crate::notation::Side;
    use andor::SplitMix64;

    use crate::random::{random_move, random_position};

    /// Stable discs keep their colour through random play to the end of the game.
    #[test]
    fn stable_discs_stay() {
        let mut random = SplitMix64::new(1);
        let mut seen = 0;
        for seed in 0..400 {
            let mut position = random_position(seed, 30 + seed as u32 % 28);
            let kept = [Side::Black, Side::White].map(|side| {
                let (own, other) = (position.discs(side), position.discs(side.other()));
                (side, stable(own, own | other))
            });
            seen += kept.iter().map(|(_, set)| set.count_ones()).sum::<u32>();
            loop {
                match random_move(&position, &mut random) {
                    Some(square) => position = position.play(square).expect("legal"),
                    None if position.pass().board.moves() != 0 => position = position.pass(),
                    None => break,
                }
                for (side, set) in kept {
                    assert_eq!(position.discs(side) & set, set, "{position}");
                }
            }
        }
        assert!(seen > 1000, "{seen}");
    }

    /// Eight stable discs of the opponent leave 56 squares: a score of 48 and no more.
    #[test]
    fn the_bound_is_exact() {
        let board = Board { own: !ROW, opp: ROW };
        assert!(!out_of_reach(board, 48));
        assert!(out_of_reach(board, 49));
        let board = Board { own: 0, opp: u64::MAX };
        assert!(!out_of_reach(board, -64));
        assert!(out_of_reach(board, -63));
    }

    #[test]
    fn a_full_board_is_stable() {
        assert_eq!(stable(u64::MAX, u64::MAX), u64::MAX);
        assert_eq!(stable(0x00ff_00ff, u64::MAX), 0x00ff_00ff);
        assert_eq!(stable(1, 1), 1);
        assert_eq!(squares(stable(0b110, 0b110)).count(), 0);
    }
}
