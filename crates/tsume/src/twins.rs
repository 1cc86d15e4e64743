//! Twins: problems that are the same up to a mirror or a shift.
//!
//! Left and right do not matter in shogi, so a problem and its mirror image are one. A problem whose
//! pieces all stand some files or ranks away is often the same idea as well, though the edges and
//! the promotion zone may tell the two apart: it is for people to judge. And who attacks does not
//! matter either: a problem with White as the attacker is turned round first.
//!
//! All that stays the same under this is the [`Shape`]: the pieces by their places in the smallest
//! rectangle that holds them, whichever of the two images comes first, with the attacker's hand and
//! the side to move. Two problems are twins if their shapes are equal, so all twins of a set are
//! found in one pass, in a hash table. What the defender holds is no part of it: files differ in
//! whether they write it down.

use andor::{NodeKind, Rules};
use yomikiri_shogi::{Color, Hand, Position, Square};

use crate::tsume::Tsume;

/// What a problem has in common with its mirror image and with what is shifted.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    /// File and rank from the corner of the rectangle, and the piece.
    pieces: Vec<(u8, u8, u8)>,
    hand: Hand,
    is_attackers_turn: bool,
}

/// How a twin comes of another problem: mirrored first, then shifted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relation {
    /// Is it a mirror image?
    pub mirrored: bool,
    /// So many files to the left, as Black sees it; to the right if it is negative.
    pub files: i8,
    /// So many ranks down; up if it is negative.
    pub ranks: i8,
    /// Does the defender hold the same?
    pub same_rest: bool,
}

impl Relation {
    /// Are the two the same problem?
    pub fn is_same(&self) -> bool {
        !self.mirrored && self.files == 0 && self.ranks == 0
    }
}

/// Left and right exchanged.
pub fn mirrored(position: &Position) -> Position {
    let mut mirrored = Position::empty();
    for square in position.occupied() {
        if let Some(image) = Square::new(10 - square.file(), square.rank()) {
            mirrored.set(image, position.piece(square));
        }
    }
    for color in Color::ALL {
        mirrored.set_hand(color, position.hand(color));
    }
    mirrored.set_turn(position.turn());
    mirrored
}

/// The position with Black as the attacker.
fn upright(problem: &Tsume) -> Position {
    match problem.attacker() {
        Color::Black => problem.position().clone(),
        Color::White => problem.position().flipped(),
    }
}

/// The corner of the rectangle that holds all pieces: its least file and rank.
fn corner(position: &Position) -> (u8, u8) {
    let squares = position.occupied().into_iter();
    squares.fold((9, 9), |(file, rank), square| (file.min(square.file()), rank.min(square.rank())))
}

fn pieces(position: &Position) -> Vec<(u8, u8, u8)> {
    let (file, rank) = corner(position);
    let all = position.occupied().into_iter().filter_map(|square| {
        let piece = position.piece(square)?;
        Some((square.file() - file, square.rank() - rank, piece.index() as u8))
    });
    let mut all: Vec<_> = all.collect();
    all.sort_unstable();
    all
}

/// The shape of a problem.
pub fn shape(problem: &Tsume) -> Shape {
    let position = upright(problem);
    let pieces = pieces(&position).min(pieces(&mirrored(&position)));
    let is_attackers_turn = problem.kind() == NodeKind::Or;
    Shape { pieces, hand: problem.attackers_hand(), is_attackers_turn }
}

/// How `other` comes of `problem`; none if they are no twins. Where it is both a shift and a mirror
/// image, it is told as a shift.
pub fn relation(problem: &Tsume, other: &Tsume) -> Option<Relation> {
    if shape(problem) != shape(other) {
        return None;
    }
    let (from, to) = (upright(problem), upright(other));
    let is_mirrored = pieces(&from) != pieces(&to);
    let image = if is_mirrored { mirrored(&from) } else { from.clone() };
    let ((file, rank), (to_file, to_rank)) = (corner(&image), corner(&to));
    Some(Relation {
        mirrored: is_mirrored,
        files: to_file as i8 - file as i8,
        ranks: to_rank as i8 - rank as i8,
        same_rest: from.hand(Color::White) == to.hand(Color::White),
    })
}
