//! Crowded positions for a climb to begin with: a lone king anywhere, attackers about him, defenders
//! all over the board, and nothing in the attacker's hand.
//!
//! Of such positions about a third are mate, most of them at once; but where the king slips through
//! the attackers they chase him, and one position in two thousand is mate in 17 plies or more,
//! exactly known with few nodes. A hand makes mates that are as long, but far more checks, and what
//! is not decided soon costs more than what is found.

use andor::SplitMix64;
use yomikiri_shogi::{Color, Hand, Kind, Piece, Position, Square};

use super::start::{self, any_kind, near};

/// From so many pieces of a side to so many less one.
const ATTACKERS: (usize, usize) = (10, 19);
const DEFENDERS: (usize, usize) = (8, 17);
/// A piece that finds no place is drawn again, at most so often in all.
const DRAWS: usize = 6;
/// Attackers stand so near to the king, but half of those with long range anywhere.
const REACH: usize = 5;
const ANYWHERE: usize = 8;

/// A position with the attacker, Black, to move. The defender holds all that is left of a full set.
pub(super) fn attempt(random: &mut SplitMix64) -> Option<Position> {
    let king = Square::all().nth(random.below(Square::COUNT))?;
    let mut position = Position::empty();
    position.set(king, Some(Piece::new(Color::White, Kind::KING)));
    position.set_hand(Color::White, Hand::full_set());
    for (color, (from, to)) in [(Color::White, DEFENDERS), (Color::Black, ATTACKERS)] {
        for _ in 0..from + random.below(to - from) {
            if let Some(with) = (0..DRAWS).find_map(|_| put(&position, random, color, king)) {
                position = with;
            }
        }
    }
    Some(position)
}

/// The position with one more piece out of the defender's hand, if that can be.
fn put(
    position: &Position,
    random: &mut SplitMix64,
    color: Color,
    king: Square,
) -> Option<Position> {
    let kind = any_kind(random);
    let is_far = color == Color::White || start::is_slider(kind) && random.percent(50);
    let reach = if is_far { ANYWHERE } else { 1 + random.below(REACH) };
    let square = near(random, king, reach)?;
    let held = position.hand(Color::White);
    if position.piece(square).is_some() || !held.has(kind.raw()) {
        return None;
    }
    let mut with = position.clone();
    with.set(square, Some(Piece::new(color, kind)));
    with.set_hand(Color::White, held.minus(kind));
    with.validate().is_ok().then_some(with)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_crowded_and_of_a_full_set() {
        let mut random = SplitMix64::new(1);
        let mut all = 0;
        for _ in 0..1_000 {
            let position = attempt(&mut random).expect("a king");
            assert!(position.validate().is_ok(), "{position}");
            assert_eq!(position.material(), Hand::full_set(), "{position}");
            assert_eq!((position.turn(), position.king(Color::Black)), (Color::Black, None));
            assert_eq!(position.hand(Color::Black), Hand::EMPTY);
            all += position.occupied().count();
        }
        assert!((20_000..34_000).contains(&all), "{all}");
    }
}
