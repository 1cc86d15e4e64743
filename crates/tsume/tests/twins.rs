//! Twins of random positions, moved about by hand, are found, and nothing else is.

use std::collections::HashMap;

use crate::brute;
use andor::SplitMix64;
use yomikiri_shogi::{Color, Hand, Position, Square};
use yomikiri_tsume::twins::{Relation, relation, shape};
use yomikiri_tsume::{OWN_PROBLEMS, Tsume};

/// The position with every piece moved, if all stay on the board.
fn moved(position: &Position, mirror: bool, files: i8, ranks: i8) -> Option<Position> {
    let mut moved = Position::empty();
    for square in position.occupied() {
        let file = if mirror { 10 - square.file() } else { square.file() };
        let file = u8::try_from(file as i8 + files).ok()?;
        let rank = u8::try_from(square.rank() as i8 + ranks).ok()?;
        moved.set(Square::new(file, rank)?, position.piece(square));
    }
    for color in Color::ALL {
        moved.set_hand(color, position.hand(color));
    }
    moved.set_turn(position.turn());
    Some(moved)
}

fn tsume(position: &Position) -> Tsume {
    Tsume::with_attacker(position.clone(), Color::Black)
}

#[test]
fn what_was_moved_is_found() {
    let mut random = SplitMix64::new(5);
    let mut found = 0;
    for _ in 0..300 {
        let position = brute::random(&mut random);
        let problem = tsume(&position);
        let mirror = random.below(2) == 1;
        let (files, ranks) = (random.below(9) as i8 - 4, random.below(5) as i8 - 2);
        let Some(other) = moved(&position, mirror, files, ranks) else { continue };
        let told = relation(&problem, &tsume(&other)).expect("a twin");
        // It may be symmetric: then it is told as a shift.
        let again = moved(&position, told.mirrored, told.files, told.ranks).expect("on the board");
        assert_eq!(again, other, "{position}");
        assert!(told.mirrored == mirror || !told.mirrored, "{position}");
        assert!(told.same_rest);
        assert_eq!(told.is_same(), position == other, "{position}");
        // White attacks: turned round, it is the same.
        let turned = Tsume::with_attacker(other.flipped(), Color::White);
        assert_eq!(relation(&problem, &turned), Some(told), "{position}");
        // What the defender holds is told, and no more.
        let mut poor = other.clone();
        poor.set_hand(Color::White, Hand::EMPTY);
        let told = relation(&problem, &tsume(&poor)).expect("a twin");
        assert_eq!(told.same_rest, other.hand(Color::White).is_empty());
        // Another hand, side to move or piece is another problem.
        let mut others = [other.clone(), other.clone(), other.clone()];
        let hand = other.hand(Color::Black);
        let without = hand.pieces().next().map_or(hand, |(kind, _)| hand.minus(kind));
        others[0].set_hand(Color::Black, without);
        others[1].set_turn(Color::White);
        let piece = other.occupied().into_iter().next().expect("a piece");
        others[2].set(piece, None);
        for changed in others.iter().filter(|&changed| *changed != other) {
            assert_eq!(relation(&problem, &tsume(changed)), None, "{position}: {changed}");
        }
        found += 1;
    }
    assert!(found > 50, "{found}");
}

#[test]
fn our_problems_have_no_mirror_images() {
    let lines = OWN_PROBLEMS.lines().filter(|line| !line.starts_with('#'));
    let mut known: HashMap<_, Vec<Tsume>> = HashMap::new();
    for line in lines {
        let sfen = line.split('\t').next().unwrap_or_default();
        let problem = tsume(&Position::from_sfen(sfen).expect("SFEN"));
        known.entry(shape(&problem)).or_default().push(problem);
    }
    assert!(known.len() > 450, "{}", known.len());
    for twins in known.values() {
        for (at, one) in twins.iter().enumerate() {
            for other in &twins[at + 1..] {
                let told = relation(one, other).expect("twins");
                assert!((told.files, told.ranks) != (0, 0), "{}", one.position());
            }
        }
    }
    let one = tsume(&Position::from_sfen("8k/9/8P/9/9/9/9/9/9 b G 1").expect("SFEN"));
    let same = Relation { mirrored: false, files: 0, ranks: 0, same_rest: true };
    assert_eq!(relation(&one, &one), Some(same));
}
