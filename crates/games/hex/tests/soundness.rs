//! What the knowledge says must be true: verdicts, must-play regions and pruned moves against plain
//! brute force, and verdicts on larger boards by playing them out to the end.

use std::collections::HashMap;

use crate::support::{BruteForce, Random, cells_of, random_open_position};
use andor::{Evaluation, Problem, Pulse, Rules, Stop, Value};
use yomikiri_hex::{Cell, Hex, Look, Side, StrongHex};

fn weakening(strong: &mut StrongHex, value: Value) -> Option<Vec<u8>> {
    strong.weakening(value, &Pulse::new(Stop::new())).expect("nobody interrupts")
}

/// Compares everything that a look claims with brute force. Returns whether it was a verdict.
fn check_look(hex: &Hex, brute: &mut BruteForce) -> bool {
    let mut strong = StrongHex::new(hex.clone());
    let mut hex = hex.clone();
    let truth = brute.winner(&mut hex);
    match strong.look() {
        Look::Won { winner, carrier, winning } => {
            assert_eq!(winner, truth, "{hex}");
            if let Some(cell) = winning {
                assert!(brute.wins_by(&mut hex, cell), "{hex}: {cell:?} does not win");
            }
            let mut worse = *hex.board();
            worse.fill(winner.opponent(), worse.vacant() & !carrier);
            let mut worse = Hex::new(worse, hex.to_move());
            assert_eq!(brute.winner(&mut worse), winner, "{hex} with only {carrier:#x}");
            true
        }
        Look::Open { candidates } => {
            assert_eq!(candidates & !hex.board().vacant(), 0, "{hex}");
            if truth == hex.to_move() {
                let wins =
                    cells_of(candidates).into_iter().any(|cell| brute.wins_by(&mut hex, cell));
                assert!(wins, "{hex}: no winning move among {candidates:#x}");
            }
            false
        }
    }
}

#[test]
fn every_position_of_2x2_and_3x3_is_judged_rightly() {
    let mut brute = BruteForce::default();
    for size in [2, 3] {
        for code in 0..3_usize.pow(size * size) {
            let mut board = yomikiri_hex::Board::empty(size as usize).unwrap();
            let mut rest = code;
            for index in 0..size * size {
                match rest % 3 {
                    1 => board.fill(Side::Black, 1 << index),
                    2 => board.fill(Side::White, 1 << index),
                    _ => {}
                }
                rest /= 3;
            }
            for to_move in [Side::Black, Side::White] {
                check_look(&Hex::new(board, to_move), &mut brute);
            }
        }
    }
}

#[test]
fn random_positions_are_judged_rightly() {
    let mut random = Random(1);
    let mut brute = BruteForce::default();
    let (mut verdicts, mut open) = (0, 0);
    for (size, vacant, count) in
        [(4, 11, 600), (4, 8, 2000), (5, 11, 600), (5, 8, 2000), (6, 11, 300)]
    {
        for _ in 0..count {
            let vacant = vacant - random.below(3);
            if check_look(&random_open_position(&mut random, size, vacant), &mut brute) {
                verdicts += 1;
            } else {
                open += 1;
            }
            brute.forget();
        }
    }
    println!("{verdicts} verdicts, {open} open positions");
    assert!(verdicts > 1000 && open > 0);
}

/// Plays a verdict out: every move of the loser is tried, and only finished games count as won.
/// Looks serve as a guide: cells that the winner does not need are given to the loser, and the
/// winner tries the suggested move first.
fn holds(
    strong: &StrongHex,
    winner: Side,
    seen: &mut HashMap<<Hex as Rules>::Identity, bool>,
) -> bool {
    if let Some(side) = strong.hex().winner() {
        return side == winner;
    }
    let mut strong = strong.clone();
    let value = strong.hex().value_of_win(winner);
    if let Some(hint) = weakening(&mut strong, value) {
        strong = strong.weakened(value, &hint).expect("a hint of our own");
    }
    if let Some(&known) = seen.get(&strong.identity()) {
        return known;
    }
    let mut moves = cells_of(strong.hex().board().vacant());
    let known = match strong.look() {
        Look::Won { winner: other, .. } if other != winner => false,
        look => {
            match look {
                Look::Won { winning: Some(cell), .. } => moves.sort_by_key(|&other| other != cell),
                _ => moves.sort_by_cached_key(|&cell| {
                    let undo = strong.play(cell);
                    let look = strong.look();
                    strong.undo(cell, undo);
                    !matches!(look, Look::Won { winner: side, .. } if side == winner)
                }),
            }
            let to_move = strong.hex().to_move();
            let mut play = |&cell: &Cell| {
                let undo = strong.play(cell);
                let holds = holds(&strong, winner, seen);
                strong.undo(cell, undo);
                holds
            };
            if to_move == winner {
                moves.iter().any(&mut play)
            } else {
                moves.iter().all(&mut play)
            }
        }
    };
    seen.insert(strong.identity(), known);
    known
}

#[test]
fn verdicts_on_larger_boards_hold_when_played_out() {
    let mut random = Random(2);
    let mut verdicts = 0;
    for (size, stones, count) in [(4, 3, 300), (5, 6, 300), (6, 9, 100), (7, 16, 50)] {
        for _ in 0..count {
            let vacant = size * size - stones - random.below(4);
            let hex = random_open_position(&mut random, size, vacant);
            let mut strong = StrongHex::new(hex);
            if let Look::Won { winner, .. } = strong.look() {
                verdicts += 1;
                let mut seen = HashMap::new();
                assert!(holds(&strong, winner, &mut seen), "{strong:?}");
            }
        }
    }
    println!("{verdicts} verdicts");
    assert!(verdicts > 500);
}

#[test]
fn weakening_keeps_the_verdict() {
    let mut random = Random(3);
    let mut hints = 0;
    for _ in 0..1000 {
        let size = 3 + random.below(5);
        let vacant = size * size * (2 + random.below(6)) / 8;
        let hex = random_open_position(&mut random, size, vacant);
        let attacker = [Side::Black, Side::White][random.below(2)];
        let mut strong = StrongHex::new(hex.with_attacker(attacker));
        let Evaluation::Solved { value, .. } = strong.evaluate() else {
            assert_eq!(weakening(&mut strong, Value::Proven), None);
            continue;
        };
        assert_eq!(weakening(&mut strong, value.other()), None);
        if let Some(hint) = weakening(&mut strong, value) {
            hints += 1;
            let mut worse = strong.weakened(value, &hint).expect("a hint of our own");
            assert!(
                matches!(worse.evaluate(), Evaluation::Solved { value: again, .. } if again == value)
            );
            assert_eq!(worse.hex().to_move(), strong.hex().to_move());
            assert_eq!(worse.hex().attacker(), attacker);
        }
    }
    println!("{hints} hints");
    assert!(hints > 300);
}
