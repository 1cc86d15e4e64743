//! Laws of the rules: winners, play and undo, keys, orders and weakenings.

use crate::support::{BruteForce, Random, cells_of, random_open_position, random_position};
use andor::{NodeKind, Problem, Rules, Value};
use yomikiri_hex::{Board, Cell, Hex, MAX_SIZE, Side, StrongHex};

/// Has `side` won? A walk over rows and columns that knows nothing of bits.
fn naive_is_connected(board: &Board, side: Side) -> bool {
    let size = board.size() as i32;
    let owned = |column: i32, row: i32| {
        let inside = (0..size).contains(&column) && (0..size).contains(&row);
        inside && board.at(Cell((row * size + column) as u8)) == Some(side)
    };
    let mut walk: Vec<(i32, i32)> = (0..size)
        .map(|along| if side == Side::Black { (along, 0) } else { (0, along) })
        .filter(|&(column, row)| owned(column, row))
        .collect();
    let mut seen = walk.clone();
    while let Some((column, row)) = walk.pop() {
        let reached = if side == Side::Black { row } else { column };
        if reached == size - 1 {
            return true;
        }
        for (right, down) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)] {
            let next = (column + right, row + down);
            if owned(next.0, next.1) && !seen.contains(&next) {
                seen.push(next);
                walk.push(next);
            }
        }
    }
    false
}

#[test]
fn a_full_board_has_exactly_one_winner() {
    let mut random = Random(21);
    for size in 1..=MAX_SIZE {
        for _ in 0..100 {
            let hex = random_position(&mut random, size, 0);
            let won = [Side::Black, Side::White].map(|side| naive_is_connected(hex.board(), side));
            assert_ne!(won[0], won[1], "{hex}");
            let winner = if won[0] { Side::Black } else { Side::White };
            assert_eq!(hex.winner(), Some(winner), "{hex}");
        }
    }
}

#[test]
fn random_games_keep_the_laws() {
    let mut random = Random(22);
    for round in 0..200 {
        let size = 1 + round % MAX_SIZE;
        let mut hex = Hex::new(Board::empty(size).unwrap(), Side::Black);
        let mut played = Vec::new();
        while hex.terminal().is_none() {
            let mut moves = Vec::new();
            hex.legal_moves(&mut moves);
            let cell = moves[random.below(moves.len())];
            let before = hex.clone();
            let (key, ()) = hex.key_after(cell);
            let undo = hex.play(cell);
            assert_eq!(hex.key(), key);
            assert_eq!(hex, Hex::new(*hex.board(), hex.to_move()).with_attacker(Side::Black));
            assert_eq!(hex.winner().is_some(), naive_is_connected(hex.board(), before.to_move()));
            assert_ne!(hex.kind(), before.kind());
            assert_ne!(hex.identity(), before.identity());
            hex.undo(cell, undo);
            assert_eq!(hex, before);
            played.push((cell, hex.play(cell)));
        }
        for (cell, undo) in played.into_iter().rev() {
            hex.undo(cell, undo);
        }
        assert_eq!(hex, Hex::new(Board::empty(size).unwrap(), Side::Black));
    }
}

#[test]
fn keys_do_not_depend_on_the_order_of_moves_but_on_the_side() {
    let after = |moves: &str| format!("hex 5 moves {moves}").parse::<Hex>().unwrap();
    assert_eq!(after("a1 b2 c3 d4").key(), after("c3 d4 a1 b2").key());
    assert_ne!(after("a1 b2").key(), after("b2 a1").key());
    let board = *after("a1 b2").board();
    assert_ne!(Hex::new(board, Side::Black).key(), Hex::new(board, Side::White).key());
}

#[test]
fn the_attacker_decides_what_a_win_means() {
    let hex: Hex = "hex 2 B./B. W".parse().unwrap();
    assert_eq!(hex.kind(), NodeKind::Or);
    assert_eq!(hex.terminal(), Some(Value::Disproven));
    let hex = hex.with_attacker(Side::Black);
    assert_eq!(hex.kind(), NodeKind::And);
    assert_eq!(hex.terminal(), Some(Value::Proven));
}

#[test]
fn weakening_gives_all_but_the_kept_cells_away() {
    let hex: Hex = "hex 3 B../.W./... B".parse().unwrap();
    let worse = hex.weakened(Value::Proven, &[0b0000_1011, 1]).unwrap();
    assert_eq!(worse.to_string(), "hex 3 B.W/.WW/WW. B");
    let worse = hex.weakened(Value::Proven, &[0b0000_1010, 1]).unwrap();
    assert_eq!(worse.to_string(), "hex 3 W.W/.WW/WW. B");
    let worse = hex.weakened(Value::Disproven, &[0b0001_1010, 1]).unwrap();
    assert_eq!(worse.to_string(), "hex 3 B.B/.WB/BB. B");
    assert!(hex.weakened(Value::Proven, &[0xff, 1]).is_none(), "nothing is given");
    assert!(hex.weakened(Value::Proven, &[0, 2]).is_none(), "off the board");
    assert!(hex.weakened(Value::Proven, &[0]).is_none(), "too short");
    assert!(hex.weakened(Value::Proven, &[0; 17]).is_none(), "too long");
    assert!(hex.weakened(Value::Proven, &[]).is_none(), "empty");
}

/// The theorem that the checker trusts: whoever wins a weakened position wins the position.
#[test]
fn weakening_never_helps() {
    let mut random = Random(5);
    let mut brute = BruteForce::default();
    let mut lost = 0;
    for _ in 0..4_000 {
        let vacant = random.below(10);
        let mut hex = random_position(&mut random, 3, vacant);
        let kept = [random.below(256) as u8, random.below(2) as u8];
        for value in [Value::Proven, Value::Disproven] {
            let Some(mut worse) = hex.weakened(value, &kept) else { continue };
            let holder = hex.side_of(value);
            if brute.winner(&mut worse) == holder {
                assert_eq!(brute.winner(&mut hex), holder, "{hex} {kept:?}");
            } else {
                lost += 1;
            }
        }
    }
    assert!(lost > 1_000, "some weakenings cost the win");
}

#[test]
fn any_number_of_stones_and_any_size_can_be_looked_at() {
    let mut random = Random(23);
    for size in 1..=MAX_SIZE {
        for _ in 0..5 {
            let vacant = 1 + random.below(size * size);
            if size == 1 {
                StrongHex::new("hex 1 . B".parse().unwrap()).look();
                continue;
            }
            let mut strong =
                StrongHex::new(random_open_position(&mut random, size, vacant.max(size)));
            assert_eq!(strong.look(), strong.look());
        }
    }
    assert_eq!(cells_of(Board::empty(MAX_SIZE).unwrap().all()).len(), 121);
}

/// In Hex a line may be much shorter than another.
#[test]
fn the_suggested_r_stays_near_one() {
    for size in 3..=5 {
        let hex = Hex::new(Board::empty(size).unwrap(), Side::Black);
        assert!(andor::suggest_r(&hex) > 0.9);
    }
}
