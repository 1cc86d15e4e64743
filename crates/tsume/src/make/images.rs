//! Mirror images: left and right do not matter in shogi, so two problems that are images of each
//! other are one.

use yomikiri_shogi::{Color, Position, Square};

use crate::twins::mirrored;

/// The position or its mirror image, whichever has the king farther to the right; where he stands
/// in the middle, the one that comes first in SFEN.
pub(super) fn canonical(position: &Position) -> Position {
    let mirrored = mirrored(position);
    let rank =
        |position: &Position| (position.king(Color::White).map(Square::file), position.to_string());
    if rank(&mirrored) < rank(position) { mirrored } else { position.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(sfen: &str) -> Position {
        Position::from_sfen(sfen).expect("the test's SFEN is right")
    }

    #[test]
    fn mirror_images_are_one() {
        let right = position("7gk/8+n/6S2/8+R/9/9/9/9/1+B7 b rb3g3s3n4l18p 1");
        let left = mirrored(&right);
        assert_ne!(left, right);
        assert_eq!(mirrored(&left), right);
        assert_eq!((canonical(&left), canonical(&right)), (right.clone(), right));
        let middle = position("3gk4/9/4P4/9/9/9/9/9/9 b G2r2b2g4s4n4l17p 1");
        assert_eq!(canonical(&middle), canonical(&mirrored(&middle)));
    }
}
