//! Positions without a mate: made by random play around a king in reach, and compared with a plain
//! search to seven plies. A verdict "no mate" must have a certificate that the checker accepts, and
//! a verdict "mate" must agree with the plain search as far as that goes.
//!
//! `YOMIKIRI_NO_MATES` says how many positions without a mate are to be found.

use crate::brute::{self, Brute};
use andor::{SplitMix64, Stop, Table, Verdict, certificate};
use yomikiri_shogi::{Color, Hand, Kind, Position};
use yomikiri_tsume::{Futile, Mate, MateLimits, Tsume};

const DEPTH: u16 = 7;

/// Some random legal moves, half of them checks where there are any; then the attacker is to move.
fn play_on(mut position: Position, random: &mut SplitMix64) -> Option<Position> {
    let mut moves = Vec::new();
    for ply in 0..4 + 2 * random.below(6) {
        moves.clear();
        if ply % 2 == 0 && random.below(2) == 0 {
            position.checks(&mut moves);
        }
        if moves.is_empty() {
            position.legal_moves(&mut moves);
        }
        let m = *moves.get(random.below(moves.len().max(1)))?;
        position.play(m);
    }
    (position.turn() == Color::Black && !position.is_check()).then_some(position)
}

/// Gives the defender everything that is nowhere else.
fn with_the_rest(mut position: Position) -> Position {
    let material = position.material();
    let rest = Kind::HAND.iter().fold(Hand::EMPTY, |hand, &kind| {
        let missing = Kind::SET[kind.index()] - material.count(kind);
        hand.with(kind, missing + position.hand(Color::White).count(kind))
    });
    position.set_hand(Color::White, rest);
    position
}

#[test]
fn no_mate_is_no_mate() {
    let wanted = std::env::var("YOMIKIRI_NO_MATES").ok().map(|n| n.parse().expect("a number"));
    let wanted = wanted.unwrap_or(200);
    let mut random = SplitMix64::new(77);
    let table = Table::new(32 << 20).expect("memory");
    let mate = Mate::new(&table);
    let limits = MateLimits { nodes: Some(200_000), ..MateLimits::default() };
    let (mut no_mates, mut mates, mut too_many, mut open, mut checks) = (0, 0, 0, 0, 0);
    while no_mates < wanted {
        let Some(mut position) = play_on(brute::random(&mut random), &mut random) else { continue };
        if random.below(2) == 0 {
            position = with_the_rest(position);
        }
        let problem = Tsume::new(position.clone());
        let mut plain = Brute::new(&position, Futile::Counted, 60_000);
        let Ok(expected) = plain.length(&position, DEPTH) else {
            too_many += 1;
            continue;
        };
        let answer = mate.solve(&problem, &limits);
        match answer.outcome.verdict {
            Verdict::Disproven => {
                assert_eq!(expected, None, "{position}");
                no_mates += 1;
                checks += usize::from(!plain.checks(&position).is_empty());
            }
            Verdict::Proven => mates += 1,
            Verdict::Unknown(_) => {
                assert_eq!(expected, None, "{position}");
                open += 1;
            }
        }
        for claim in answer.claims() {
            let mut file = Vec::new();
            let written = mate.certify(&claim, &Stop::new(), &mut file);
            written.unwrap_or_else(|error| panic!("{position}: {error}"));
            let checked = certificate::check(claim.by_ref(), &mut file.as_slice());
            checked.unwrap_or_else(|error| panic!("{position}: {error}"));
        }
    }
    println!(
        "{no_mates} without a mate ({checks} of them with checks to try), {mates} with one, {open} \
         undecided, {too_many} too large for the plain search"
    );
    assert!(checks * 2 > no_mates, "most positions should offer a check");
}
