//! The attacker's hand as a stock: more in hand never hurts the attacker, and every hook is what
//! `andor::Problem` promises, by brute force over all hands that the two sides could have between
//! them.

use andor::{NodeKind, Problem, Rules, SplitMix64};
use yomikiri_shogi::{Color, Hand, Kind, Move, Position};
use yomikiri_tsume::{AttackersHand, Futile, Tsume};

use crate::brute::{self, Brute};

/// What both sides hold together.
fn rest(position: &Position) -> Hand {
    position.hand(Color::Black).and(position.hand(Color::White))
}

/// Every hand within another.
fn hands_within(most: Hand) -> Vec<Hand> {
    Kind::HAND.iter().fold(vec![Hand::EMPTY], |hands, &kind| {
        let counts = 0..=most.count(kind);
        counts.flat_map(|n| hands.iter().map(move |hand| hand.with(kind, n))).collect()
    })
}

/// The same board with `hand` in the attacker's hand and the rest in the defender's.
fn with_hand(problem: &Tsume, hand: Hand) -> Tsume {
    let (mut position, attacker) = (problem.position().clone(), problem.attacker());
    let theirs = rest(&position).less(hand);
    position.set_hand(attacker, hand);
    position.set_hand(!attacker, theirs);
    Tsume::with_attacker(position, attacker)
}

fn legal(problem: &Tsume) -> Vec<Move> {
    let mut moves = Vec::new();
    problem.legal_moves(&mut moves);
    moves
}

/// What the attacker holds after a move with `hand`, if it can be played then.
fn after(problem: &Tsume, hand: Hand, m: Move) -> Option<Hand> {
    let mut there = with_hand(problem, hand);
    legal(&there).contains(&m).then(|| {
        there.play(m);
        there.attackers_hand()
    })
}

fn least(hands: &[Hand]) -> Option<Hand> {
    hands.iter().copied().find(|&one| hands.iter().all(|&other| one.within(other)))
}

fn greatest(hands: &[Hand]) -> Option<Hand> {
    hands.iter().copied().find(|&one| hands.iter().all(|&other| other.within(one)))
}

/// Small positions, with and without sliders, for either side to attack; and those after every check,
/// in which the defender is to move.
fn problems(count: u64) -> impl Iterator<Item = Tsume> {
    (0..count).flat_map(|seed| {
        let random = &mut SplitMix64::new(seed);
        let position = match seed % 2 {
            0 => brute::random(random),
            _ => brute::random_with_slider(random),
        };
        let position = if seed % 3 == 0 { position.flipped() } else { position };
        let problem = Tsume::new(position);
        let children = legal(&problem).into_iter().map(|m| {
            let mut child = problem.clone();
            child.play(m);
            child
        });
        let children: Vec<Tsume> = children.take(12).collect();
        children.into_iter().chain([problem])
    })
}

/// Hands that the sides could have, if they are not too many to try.
fn hands_of(problem: &Tsume) -> Option<Vec<Hand>> {
    const MANY: usize = 200;
    Some(hands_within(rest(problem.position()))).filter(|hands| hands.len() <= MANY)
}

#[test]
fn more_in_hand_never_hurts_the_attacker() {
    const PLIES: u16 = 3;
    let (mut compared, mut differ) = (0, 0);
    for problem in problems(400) {
        let Some(hands) = hands_of(&problem) else { continue };
        for futile in [Futile::Counted, Futile::NotCounted] {
            let length = |&hand: &Hand| {
                let there = with_hand(&problem, hand);
                let mut brute = Brute { attacker: problem.attacker(), futile, nodes: 20_000 };
                brute.length(there.position(), PLIES).ok()
            };
            let lengths: Vec<Option<Option<u16>>> = hands.iter().take(40).map(length).collect();
            for (&less, &shorter) in hands.iter().zip(&lengths) {
                for (&more, &longer) in hands.iter().zip(&lengths) {
                    let (Some(a), Some(b)) = (shorter, longer) else { continue };
                    if less == more || !less.within(more) {
                        continue;
                    }
                    // No mate counts as longer than any.
                    let never = |length: Option<u16>| length.unwrap_or(u16::MAX);
                    let place = || format!("{:?} {less:?} {more:?}", problem.position());
                    assert!(never(b) <= never(a), "{}: {a:?}, {b:?}", place());
                    compared += 1;
                    differ += usize::from(a != b);
                }
            }
        }
    }
    println!("{compared} pairs of hands, {differ} with another length");
    assert!(compared > 50_000 && differ > 1_000, "{compared} compared, {differ} differ");
}

/// A search asks for the hand before a move only with one after it that the move played here bears
/// out.
#[test]
fn the_hand_before_a_move_is_exact() {
    let mut asked = [0; 4];
    for problem in problems(150) {
        let Some(hands) = hands_of(&problem) else { continue };
        let all = rest(problem.position());
        for m in legal(&problem).into_iter().take(12) {
            let here = after(&problem, problem.attackers_hand(), m).expect("it is legal");
            let ways: Vec<(Hand, Hand)> =
                hands.iter().filter_map(|&hand| Some((hand, after(&problem, hand, m)?))).collect();
            let before = |fits: &dyn Fn(Hand) -> bool| -> Vec<Hand> {
                ways.iter().filter(|(_, left)| fits(*left)).map(|(hand, _)| *hand).collect()
            };
            let mut next = problem.clone();
            next.play(m);
            let side = usize::from(problem.kind() == NodeKind::And);
            for bound in hands_within(rest(next.position())) {
                let place = || format!("{:?}, {m}, after {bound:?}", problem.position());
                if bound.within(here) {
                    let least = least(&before(&|left| bound.within(left)));
                    let claimed = problem.proof_stock_before(m, AttackersHand(bound)).0;
                    assert_eq!(Some(claimed), least, "{}", place());
                    asked[side] += 1;
                }
                if here.within(bound) {
                    // What there is not, nobody can hold.
                    let most = greatest(&before(&|left| left.within(bound)));
                    let claimed =
                        problem.disproof_stock_before(m, AttackersHand(bound)).0.meet(all);
                    assert_eq!(Some(claimed), most, "{}", place());
                    asked[2 + side] += 1;
                }
            }
        }
    }
    assert!(asked.iter().all(|&count| count > 2_000), "{asked:?}");
}

/// With the defender to move: the least hand, not less than `joined`, with which he has no move that
/// he does not have now. With the attacker to move, the other way round.
#[test]
fn the_hand_here_is_exact() {
    let (mut asked, mut moved) = ([0; 2], [0; 2]);
    for problem in problems(1_200) {
        let Some(hands) = hands_of(&problem) else { continue };
        let now = legal(&problem);
        let no_more: Vec<Hand> = hands
            .iter()
            .copied()
            .filter(|&hand| legal(&with_hand(&problem, hand)).iter().all(|m| now.contains(m)))
            .collect();
        let among = |fits: &dyn Fn(Hand) -> bool| -> Vec<Hand> {
            no_more.iter().copied().filter(|&hand| fits(hand)).collect()
        };
        for &bound in &hands {
            let place = || format!("{:?}, {bound:?}", problem.position());
            match problem.kind() {
                NodeKind::And if bound.within(problem.attackers_hand()) => {
                    let claimed = problem.proof_stock_here(AttackersHand(bound)).0;
                    let least = least(&among(&|hand| bound.within(hand)));
                    assert_eq!(Some(claimed), least, "{}", place());
                    asked[0] += 1;
                    moved[0] += usize::from(claimed != bound);
                }
                NodeKind::Or if problem.attackers_hand().within(bound) => {
                    let claimed = problem.disproof_stock_here(AttackersHand(bound)).0;
                    let most = greatest(&among(&|hand| hand.within(bound)));
                    assert_eq!(Some(claimed), most, "{}", place());
                    asked[1] += 1;
                    moved[1] += usize::from(claimed != bound);
                }
                _ => {}
            }
        }
    }
    println!("{asked:?} asked, {moved:?} of them with another hand");
    assert!(asked.iter().all(|&count| count > 2_000), "{asked:?}");
    assert!(moved.iter().all(|&count| count > 200), "{moved:?}");
}

/// The largest and the least stock bound all that can be held.
#[test]
fn no_hand_is_beyond_the_largest_and_the_least() {
    for problem in problems(100) {
        for hand in hands_of(&problem).unwrap_or_default() {
            let there = with_hand(&problem, hand);
            let (least, largest) = (there.least_stock().0, there.largest_stock().0);
            assert!(least.within(hand) && hand.within(largest));
            assert_eq!(largest, rest(problem.position()));
            assert_eq!((there.key(), there.identity()), (problem.key(), problem.identity()));
        }
    }
}
