//! Mutations: a position with one thing or a few changed at random.
//!
//! A piece is moved, added, taken off, exchanged for another kind, given to the other side or
//! exchanged with another piece; a piece goes to the attacker's hand or out of it; the king takes a
//! step; everything is shifted; a long-range piece of the attacker's is put on a line with the king,
//! behind a piece that may uncover it; or a check and its reply are taken back. What the attacker does not get the defender holds, so the set stays complete.

use andor::SplitMix64;
use yomikiri_shogi::{Bitboard, Color, Kind, Piece, Position, Square, attacks};

use super::{retract, start};

/// Pieces on the board and in the attacker's hand, at most.
const MOST_ON_BOARD: u32 = 40;
const MOST_IN_HAND: u32 = 8;
/// So many times in a hundred one more thing is changed.
const AGAIN: usize = 35;
/// So many times in a hundred moves are taken back.
const RETRACTED: usize = 15;

/// A position with something changed. None if nothing came of it.
pub(super) fn mutant(position: &Position, random: &mut SplitMix64) -> Option<Position> {
    let mut mutant = position.clone();
    if random.percent(RETRACTED) {
        let before = retract::before(position);
        mutant = before.get(random.below(before.len().max(1)))?.0.clone();
    } else {
        change(&mut mutant, random)?;
    }
    while random.percent(AGAIN) {
        change(&mut mutant, random)?;
    }
    let is_small = mutant.occupied().count() <= MOST_ON_BOARD
        && mutant.hand(Color::Black).total() <= MOST_IN_HAND;
    (is_small && mutant != *position && mutant.validate().is_ok()).then_some(mutant)
}

/// Changes one thing.
fn change(position: &mut Position, random: &mut SplitMix64) -> Option<()> {
    let king = position.king(Color::White)?;
    match random.below(20) {
        0..5 => {
            let from = any_piece(position, random)?;
            let to = any_square(random, from, king)?;
            exchange(position, from, to)
        }
        5..8 => {
            let color = any_color(random);
            start::add(position, random, color, king)
        }
        8 => {
            let square = any_square(random, king, king)?;
            let piece = Piece::new(any_color(random), start::any_kind(random));
            let is_empty = position.piece(square).is_none();
            is_empty.then_some(()).and_then(|()| set(position, square, Some(piece)))
        }
        9..11 => {
            let square = any_piece(position, random)?;
            set(position, square, None)
        }
        11..13 => {
            let square = any_piece(position, random)?;
            let color = position.piece(square)?.color();
            set(position, square, Some(Piece::new(color, start::any_kind(random))))
        }
        13 => {
            let square = any_piece(position, random)?;
            let piece = position.piece(square)?;
            set(position, square, Some(Piece::new(!piece.color(), piece.kind())))
        }
        14 => {
            let (one, other) = (any_piece(position, random)?, any_piece(position, random)?);
            exchange(position, one, other)
        }
        15 => hand_over(position, random, Color::White),
        16 => hand_over(position, random, Color::Black),
        17 => {
            let to = nth(attacks::king(king), random)?;
            exchange(position, king, to)
        }
        18 => shift(position, random),
        _ => line_up(position, random, king),
    }
}

fn any_color(random: &mut SplitMix64) -> Color {
    if random.percent(50) { Color::Black } else { Color::White }
}

fn nth(squares: Bitboard, random: &mut SplitMix64) -> Option<Square> {
    squares.into_iter().nth(random.below(squares.count() as usize))
}

/// A square with a piece that is no king.
fn any_piece(position: &Position, random: &mut SplitMix64) -> Option<Square> {
    nth(position.occupied() & !position.kind(Kind::KING), random)
}

/// A square beside the first, not far from the second, or anywhere.
fn any_square(random: &mut SplitMix64, beside: Square, king: Square) -> Option<Square> {
    match random.below(3) {
        0 => start::near(random, beside, 1),
        1 => start::near(random, king, 3),
        _ => Square::all().nth(random.below(Square::COUNT)),
    }
}

/// What stands on two squares, exchanged.
fn exchange(position: &mut Position, one: Square, other: Square) -> Option<()> {
    let (a, b) = (position.piece(one), position.piece(other));
    position.set(one, None);
    position.set(other, a);
    position.set(one, b);
    Some(())
}

/// Puts a piece on a square, or none; out of the defender's hand, and what stood there goes to it.
fn set(position: &mut Position, square: Square, piece: Option<Piece>) -> Option<()> {
    let mut held = position.hand(Color::White);
    if let Some(old) = position.piece(square) {
        held = held.plus(old.kind().raw());
    }
    if let Some(new) = piece {
        if !held.has(new.kind().raw()) {
            return None;
        }
        held = held.minus(new.kind().raw());
    }
    position.set(square, piece);
    position.set_hand(Color::White, held);
    Some(())
}

/// A piece out of one hand goes to the other.
fn hand_over(position: &mut Position, random: &mut SplitMix64, from: Color) -> Option<()> {
    let held = position.hand(from);
    let kinds: Vec<Kind> = Kind::HAND.into_iter().filter(|&kind| held.has(kind)).collect();
    let kind = *kinds.get(random.below(kinds.len()))?;
    position.set_hand(from, held.minus(kind));
    position.set_hand(!from, position.hand(!from).plus(kind));
    Some(())
}

/// Shifts everything by one square, if nothing falls off the board.
fn shift(position: &mut Position, random: &mut SplitMix64) -> Option<()> {
    let (files, ranks) = [(-1, 0), (1, 0), (0, -1), (0, 1)][random.below(4)];
    let mut shifted = Position::empty();
    for square in position.occupied() {
        let file = square.file().checked_add_signed(files)?;
        let rank = square.rank().checked_add_signed(ranks)?;
        shifted.set(Square::new(file, rank)?, position.piece(square));
    }
    for color in Color::ALL {
        shifted.set_hand(color, position.hand(color));
    }
    shifted.set_turn(position.turn());
    *position = shifted;
    Some(())
}

/// A long-range piece of the attacker's on a line with the king, and a piece between them.
fn line_up(position: &mut Position, random: &mut SplitMix64, king: Square) -> Option<()> {
    let (kind, line) = [
        (Kind::LANCE, attacks::lance_ray(Color::White, king)),
        (Kind::BISHOP, attacks::bishop_rays(king)),
        (Kind::HORSE, attacks::bishop_rays(king)),
        (Kind::ROOK, attacks::rook_rays(king)),
        (Kind::DRAGON, attacks::rook_rays(king)),
    ][random.below(5)];
    let square = nth(line & !attacks::king(king) & !position.occupied(), random)?;
    set(position, square, Some(Piece::new(Color::Black, kind)))?;
    let between = attacks::between(king, square);
    if (between & position.occupied()).is_empty() {
        let middle = nth(between, random)?;
        set(position, middle, Some(Piece::new(any_color(random), start::any_kind(random))))?;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use yomikiri_shogi::Hand;

    use super::*;

    #[test]
    fn mutants_are_positions_of_a_full_set() {
        let mut random = SplitMix64::new(3);
        let (mut found, mut shifted, mut held) = (0, 0, 0);
        while found < 20_000 {
            let Some(start) = start::attempt(&mut random) else { continue };
            // A walk, so that crowded boards are met as well.
            let mut at = start;
            for _ in 0..50 {
                let Some(next) = mutant(&at, &mut random) else { continue };
                assert!(next.validate().is_ok(), "{at} {next}");
                assert_eq!(next.material(), Hand::full_set(), "{at} {next}");
                assert_eq!((next.turn(), next.king(Color::Black)), (Color::Black, None), "{next}");
                assert_ne!(next, at);
                let stay = (next.occupied() & at.occupied()).count();
                shifted += usize::from(at.occupied().count() > 6 && stay < 4);
                held += usize::from(next.hand(Color::Black) != at.hand(Color::Black));
                at = next;
                found += 1;
            }
        }
        assert!(shifted > 0 && held > found / 50, "{shifted} {held}");
    }
}
