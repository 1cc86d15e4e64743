//! Sliders go as far as somebody who walks square by square.

use andor::SplitMix64;
use yomikiri_shogi::{Bitboard, Color, Square, attacks};

/// The squares from here on in steps of so many files and ranks, with the first occupied one.
fn walk(from: Square, (file, rank): (i8, i8), occupied: Bitboard) -> Bitboard {
    let mut seen = Bitboard::EMPTY;
    let mut at = from;
    loop {
        let next = (at.file() as i8 + file, at.rank() as i8 + rank);
        let Some(to) = Square::new(next.0 as u8, next.1 as u8) else { return seen };
        seen |= to.bit();
        if occupied.contains(to) {
            return seen;
        }
        at = to;
    }
}

#[test]
fn sliders_stop_at_the_first_piece() {
    const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
    const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    let mut random = SplitMix64::new(81);
    for density in 0..=8 {
        for _ in 0..40 {
            let occupied: Bitboard = Square::all().filter(|_| random.below(8) < density).collect();
            for from in Square::all() {
                let all = |steps: &[(i8, i8)]| {
                    steps
                        .iter()
                        .fold(Bitboard::EMPTY, |all, &step| all | walk(from, step, occupied))
                };
                let seen = (attacks::bishop(from, occupied), attacks::rook(from, occupied));
                assert_eq!(seen, (all(&DIAGONAL), all(&STRAIGHT)), "{from} among {occupied:?}");
                for (color, step) in [(Color::Black, (0, -1)), (Color::White, (0, 1))] {
                    let lance = attacks::lance(color, from, occupied);
                    assert_eq!(lance, walk(from, step, occupied), "{from} among {occupied:?}");
                }
            }
        }
    }
}
