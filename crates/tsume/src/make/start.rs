//! Positions to begin with: a lone king near the edge, and few pieces around him.

use andor::SplitMix64;
use yomikiri_shogi::{Color, Hand, Kind, Piece, Position, Square};

/// Kinds as often as they are to be chosen.
const KINDS: [(Kind, usize); 13] = [
    (Kind::PAWN, 4),
    (Kind::LANCE, 3),
    (Kind::KNIGHT, 5),
    (Kind::SILVER, 6),
    (Kind::GOLD, 5),
    (Kind::BISHOP, 4),
    (Kind::ROOK, 4),
    (Kind::PRO_PAWN, 4),
    (Kind::PRO_LANCE, 1),
    (Kind::PRO_KNIGHT, 1),
    (Kind::PRO_SILVER, 1),
    (Kind::HORSE, 4),
    (Kind::DRAGON, 4),
];

pub(super) fn any_kind(random: &mut SplitMix64) -> Kind {
    let all = KINDS.iter().map(|&(_, often)| often).sum();
    let mut at = random.below(all);
    for (kind, often) in KINDS {
        if at < often {
            return kind;
        }
        at -= often;
    }
    Kind::PAWN
}

/// Does it reach over several squares?
pub(super) fn is_slider(kind: Kind) -> bool {
    matches!(kind, Kind::LANCE | Kind::BISHOP | Kind::ROOK | Kind::HORSE | Kind::DRAGON)
}

/// A square at most so many files and ranks from another.
pub(super) fn near(random: &mut SplitMix64, square: Square, reach: usize) -> Option<Square> {
    let mut shifted = |from: u8| {
        let at = usize::from(from) + random.below(2 * reach + 1);
        at.checked_sub(reach).and_then(|at| u8::try_from(at).ok())
    };
    let (file, rank) = (shifted(square.file())?, shifted(square.rank())?);
    Square::new(file, rank)
}

/// A position with the attacker, Black, to move. The defender holds all that is left of a full set.
/// What comes out need not be possible.
pub(super) fn attempt(random: &mut SplitMix64) -> Option<Position> {
    let mut position = Position::empty();
    let (file, rank) =
        (1 + random.below(5).min(random.below(5)), 1 + random.below(4).min(random.below(4)));
    let king = Square::new(file as u8, rank as u8)?;
    position.set(king, Some(Piece::new(Color::White, Kind::KING)));
    position.set_hand(Color::White, Hand::full_set());
    for _ in 0..1 + random.below(4) {
        add(&mut position, random, Color::Black, king);
    }
    for _ in 0..random.below(4) {
        add(&mut position, random, Color::White, king);
    }
    for _ in 0..random.below(3) {
        let kind = any_kind(random).raw();
        let held = position.hand(Color::White);
        if held.has(kind) {
            position.set_hand(Color::White, held.minus(kind));
            position.set_hand(Color::Black, position.hand(Color::Black).plus(kind));
        }
    }
    position.validate().ok().map(|()| position)
}

/// Puts a piece of a side out of the defender's hand on a square not far from the king.
pub(super) fn add(
    position: &mut Position,
    random: &mut SplitMix64,
    color: Color,
    king: Square,
) -> Option<()> {
    let kind = any_kind(random);
    let reach = if is_slider(kind) && color == Color::Black && random.percent(40) { 8 } else { 2 };
    let square = near(random, king, reach)?;
    let held = position.hand(Color::White);
    if position.piece(square).is_some() || !held.has(kind.raw()) {
        return None;
    }
    position.set(square, Some(Piece::new(color, kind)));
    position.set_hand(Color::White, held.minus(kind));
    Some(())
}
