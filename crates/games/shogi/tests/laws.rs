//! The laws of the board, along random walks; the lattice of hands, against counting kind by kind;
//! and the sizes of move trees that others have published.

use crate::support::laws;
use crate::support::positions::{MATSURI, MAX_MOVES, Root, choose, read};
use andor::SplitMix64;
use proptest::prelude::*;
use yomikiri_shogi::{Hand, Kind, START, perft};

#[test]
fn walks_keep_the_laws() {
    let mut positions = 0;
    let mut walks = 0;
    while positions < 12_000 {
        // Not the walks of the comparison with other boards.
        let mut random = SplitMix64::new(1 << 32 | walks);
        let root = Root::ALL[walks as usize % Root::ALL.len()];
        let mut position = root.position(&mut random);
        for _ in 0..root.longest_walk() {
            laws::position(&position);
            positions += 1;
            let (legal, checks) = (laws::legal(&position), laws::checks(&position));
            let Some(m) = choose(&legal, &checks, &mut random) else { break };
            position.play(m);
        }
        walks += 1;
    }
    println!("{positions} positions in {walks} walks");
}

/// A whole walk can be taken back, not only its last move.
#[test]
fn walks_can_be_taken_back() {
    for seed in 0..400 {
        let mut random = SplitMix64::new(2 << 32 | seed);
        let root = Root::ALL[seed as usize % Root::ALL.len()];
        let mut position = root.position(&mut random);
        let mut played = Vec::new();
        for _ in 0..root.longest_walk() {
            let before = position.clone();
            let (legal, checks) = (laws::legal(&position), laws::checks(&position));
            let Some(m) = choose(&legal, &checks, &mut random) else { break };
            played.push((before, m, position.play(m)));
        }
        while let Some((before, m, undo)) = played.pop() {
            position.undo(m, undo);
            assert_eq!(position, before, "{m}");
            assert_eq!(position.key(), before.key(), "{m}");
            laws::board(&position);
        }
    }
}

fn hand() -> impl Strategy<Value = Hand> {
    let count = |kind: Kind| 0..=Kind::SET[kind.index()];
    Kind::HAND.map(count).prop_map(|counts| {
        Kind::HAND.into_iter().zip(counts).fold(Hand::EMPTY, |hand, (kind, n)| hand.with(kind, n))
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(20_000)
    })]

    #[test]
    fn hands_are_a_lattice(a in hand(), b in hand(), c in hand()) {
        laws::hands(a, b);
        // Hands near each other: random ones are hardly ever within each other.
        laws::hands(a.meet(b), a);
        laws::hands(a, a.join(b));
        laws::hands(a, a);
        prop_assert!(a.meet(b).within(a) && a.within(a.join(b)));
        prop_assert_eq!(a.join(b), b.join(a));
        prop_assert_eq!(a.meet(b), b.meet(a));
        prop_assert_eq!(a.join(b).join(c), a.join(b.join(c)));
        prop_assert_eq!(a.meet(b).meet(c), a.meet(b.meet(c)));
        prop_assert_eq!(a.join(a.meet(b)), a);
        prop_assert_eq!(a.meet(a.join(b)), a);
        prop_assert_eq!(a.within(b), a.join(b) == b);
        prop_assert_eq!(a.within(b) && b.within(a), a == b);
        prop_assert!(!(a.within(b) && b.within(c)) || a.within(c));
    }

    #[test]
    fn hands_together_hold_all(a in hand(), b in hand()) {
        // Two hands of one set.
        let rest = Hand::full_set().less(a);
        let b = b.meet(rest);
        let both = a.and(b);
        for kind in Kind::HAND {
            prop_assert_eq!(both.count(kind), a.count(kind) + b.count(kind));
        }
        prop_assert_eq!(both.less(a), b);
        prop_assert_eq!(a.and(rest), Hand::full_set());
    }
}

/// A hand of one kind is within another exactly if its count is no greater: all pairs of counts.
#[test]
fn hands_of_one_kind_compare_as_numbers() {
    for kind in Kind::HAND {
        let rest = Hand::full_set().without(kind);
        for a in 0..=Kind::SET[kind.index()] {
            for b in 0..=Kind::SET[kind.index()] {
                for others in [Hand::EMPTY, rest] {
                    laws::hands(others.with(kind, a), others.with(kind, b));
                }
            }
        }
    }
}

/// Move trees whose sizes are known from other programs.
#[test]
fn move_trees_have_the_published_sizes() {
    let start = [30, 900, 25_470, 719_731];
    for (depth, leaves) in (1..).zip(start) {
        assert_eq!(perft::perft(&mut read(START), depth), leaves, "start, {depth} moves");
    }
    for (depth, leaves) in (1..).zip([207, 28_684, 4_809_015]) {
        assert_eq!(perft::perft(&mut read(MATSURI), depth), leaves, "matsuri, {depth} moves");
    }
    for (depth, leaves) in (1..).zip([593, 105_677]) {
        assert_eq!(perft::perft(&mut read(MAX_MOVES), depth), leaves, "593 moves, {depth} moves");
    }
    for (depth, leaves) in [(5, 794_159), (6, 3_270_264)] {
        let checks = perft::check_tree(&mut read(MAX_MOVES), depth);
        assert_eq!(checks, leaves, "593 moves, {depth} moves with checks");
    }
}
