//! The rules against two other libraries and a naive one, and the laws that a search relies on.

use crate::naive;
use std::collections::HashMap;
use std::fmt::Debug;

use andor::{Key, NodeKind, Problem, Rules, SplitMix64, Value};
use magpie::othello::{Bitboard, Board as Magpie, Stone};
use rust_reversi_core::board::{Board as Core, Turn};
use yomikiri_othello::board::squares;
use yomikiri_othello::{
    Board, ExpertOthello, Goal, Othello, Position, Side, Square, random_move, random_position,
};

/// Boards from random games, each with whatever side is to move, and scattered ones.
fn boards(games: u64) -> impl Iterator<Item = Board> {
    let mut random = SplitMix64::new(7);
    let played = (0..games).flat_map(|seed| {
        let mut random = SplitMix64::new(seed);
        let mut position = Position::START;
        std::iter::from_fn(move || {
            let board = position.board;
            position = match random_move(&position, &mut random) {
                Some(square) => position.play(square)?,
                None if position.pass().board.moves() != 0 => position.pass(),
                None => return None,
            };
            Some(board)
        })
    });
    played.chain((0..games * 20).map(move |_| naive::scattered(&mut random)))
}

fn same_as_naive(board: Board) {
    let plain = naive::squares_of(board);
    let mut moves = 0;
    for index in 0..64 {
        let square = Square::new(index).expect("on the board");
        let turned: u64 =
            naive::turned(&plain, 1, index.into()).into_iter().map(|at| 1 << at).sum();
        assert_eq!(board.flips(square), turned, "{square} in {board:?}");
        moves |= u64::from(turned != 0) << index;
    }
    assert_eq!(board.moves(), moves, "{board:?}");
}

fn same_as_magpie(board: Board) {
    let theirs = Magpie::try_from((board.own, board.opp)).expect("no overlap");
    let moves = theirs.moves_for(Stone::Black);
    assert_eq!(board.moves(), moves.raw(), "{board:?}");
    for square in squares(board.moves()) {
        let mut after = theirs.clone();
        let place = Bitboard::from(square.bit()).hot_bits().next().expect("one bit");
        after.play(Stone::Black, place);
        let ours = board.after(square).passed();
        assert_eq!(ours.own, after.bits_for(Stone::Black).raw(), "{square} in {board:?}");
        assert_eq!(ours.opp, after.bits_for(Stone::White).raw(), "{square} in {board:?}");
    }
}

fn same_as_core(board: Board) {
    let mut theirs = Core::new();
    theirs.set_board(board.own, board.opp, Turn::Black);
    assert_eq!(board.moves(), theirs.get_legal_moves(), "{board:?}");
    for square in squares(board.moves()) {
        let mut after = theirs.clone();
        after.do_move(63 - usize::from(square.index())).expect("legal there too");
        let ours = board.after(square);
        assert_eq!((ours.own, ours.opp, Turn::White), after.get_board(), "{square} in {board:?}");
    }
}

#[test]
fn moves_and_flips_agree_with_others() {
    let mut count = 0;
    for board in boards(300) {
        same_as_naive(board);
        same_as_magpie(board);
        same_as_core(board);
        count += 1;
    }
    assert!(count > 20_000, "{count}");
}

#[test]
fn perft_from_the_start() {
    let known = [1, 4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288];
    for (depth, &count) in known.iter().enumerate() {
        assert_eq!(Board::START.perft(depth as u32), count, "depth {depth}");
    }
}

/// Walks through the whole tree below a position and checks every law at every node.
fn walk<P>(game: &mut P, left: u32, seen: &mut HashMap<Key, P::Identity>)
where
    P: Problem<Move = Square, Stock = ()> + PartialEq + Debug,
    P::Identity: Debug,
{
    let identity = seen.entry(game.key()).or_insert_with(|| game.identity());
    assert_eq!(*identity, game.identity(), "two positions with one key");
    let mut moves = Vec::new();
    if game.terminal().is_none() {
        game.legal_moves(&mut moves);
        assert!(!moves.is_empty(), "a game that goes on has moves: {game:?}");
        assert!(left > 0, "more plies than empty squares");
    }
    for square in moves {
        let before = game.clone();
        let (key, ()) = game.key_after(square);
        assert_eq!(*game, before);
        let undo = game.play(square);
        assert_eq!(key, game.key());
        walk(game, left - 1, seen);
        game.undo(square, undo);
        assert_eq!(*game, before);
    }
}

#[test]
fn play_undo_and_key_laws() {
    let mut seen = HashMap::new();
    for seed in 0..40 {
        let position = random_position(seed, 54);
        for goal in [Goal::Wins, Goal::DoesNotLose, Goal::ScoreAtLeast(-8)] {
            walk(&mut Othello::new(position, goal), 6, &mut seen);
            walk(&mut ExpertOthello::new(position, goal), 6, &mut seen);
        }
    }
    let mut identities: Vec<_> = seen.into_values().map(|i| (i.0, i.1, i.2 as u8, i.3)).collect();
    let keys = identities.len();
    identities.sort_unstable();
    identities.dedup();
    assert_eq!(identities.len(), keys, "one position with two keys");
    assert!(keys > 10_000, "{keys}");
}

#[test]
fn key_halves_differ_everywhere() {
    let mut halves: Vec<(u64, u64)> = boards(300)
        .map(|board| {
            let key = Othello::new(Position { board, side: Side::Black }, Goal::Wins).key();
            (key.low(), key.high())
        })
        .collect();
    halves.sort_unstable();
    halves.dedup();
    let count = halves.len();
    halves.dedup_by_key(|pair| pair.0);
    assert_eq!(halves.len(), count, "low halves collide");
    halves.sort_unstable_by_key(|pair| pair.1);
    halves.dedup_by_key(|pair| pair.1);
    assert_eq!(halves.len(), count, "high halves collide");
}

/// White has no move and black has: whoever the text names stays the attacker.
#[test]
fn a_pass_at_the_root() {
    let board = format!("XO{}", "-".repeat(62));
    let white: Position = format!("{board} O").parse().expect("a position");
    assert_eq!(white.board.moves(), 0);
    let mut game = Othello::new(white, Goal::Wins);
    assert_eq!((game.kind(), game.attacker()), (NodeKind::And, Side::White));
    assert_eq!(game.position().side, Side::Black);
    let c1 = Square::parse("c1").expect("a square");
    game.play(c1);
    assert_eq!(game.terminal(), Some(Value::Disproven));

    let black: Position = format!("{board} X").parse().expect("a position");
    let mut game = Othello::new(black, Goal::ScoreAtLeast(64));
    assert_eq!(game.kind(), NodeKind::Or);
    game.play(c1);
    assert_eq!(game.terminal(), Some(Value::Proven));
}

#[test]
fn a_game_that_is_over_at_the_root() {
    let nothing: Position = format!("{}X", "-".repeat(64)).parse().expect("a position");
    let value = |goal| Othello::new(nothing, goal).terminal();
    assert_eq!(value(Goal::Wins), Some(Value::Disproven));
    assert_eq!(value(Goal::DoesNotLose), Some(Value::Proven));
    let lone: Position = format!("O{}X", "-".repeat(63)).parse().expect("a position");
    assert_eq!(lone.board.final_score(), -64);
}

#[test]
fn random_positions_are_repeatable_and_go_on() {
    for seed in 0..200 {
        let position = random_position(seed, 44);
        assert_eq!(position, random_position(seed, 44));
        assert_eq!(position.board.empties().count_ones(), 16);
        assert_ne!(position.board.moves(), 0);
    }
    assert_ne!(random_position(1, 44), random_position(2, 44));
    assert_eq!(random_position(5, 0), Position::START);
}
