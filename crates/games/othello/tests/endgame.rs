//! The small solver and the two problems against plain minimax, and against recorded scores.

use crate::naive;
use andor::{Evaluation, NodeKind, Problem, Rules, SplitMix64, Value};
use yomikiri_othello::board::squares;
use yomikiri_othello::endgame::Endgame;
use yomikiri_othello::{
    Board, ExpertOthello, Game, Goal, Othello, Position, Side, random_move, random_position,
};

/// The 500 positions of `othello16.tsv` with the score for the side to move.
fn recorded() -> Vec<(Position, i32)> {
    include_str!("data/othello16.tsv")
        .lines()
        .skip(1)
        .map(|row| {
            let fields: Vec<_> = row.split('\t').collect();
            let position = format!("{}\t{}", fields[1], fields[2]).parse().expect("a position");
            (position, fields[3].parse().expect("a score"))
        })
        .collect()
}

fn goals() -> impl Iterator<Item = Goal> {
    [Goal::Wins, Goal::DoesNotLose].into_iter().chain((-64..=64).step_by(3).map(Goal::ScoreAtLeast))
}

fn check(board: Board, score: i32) {
    assert_eq!(Endgame::default().score(board), score, "{board:?}");
    for least in -65..=66 {
        assert_eq!(Endgame::default().reaches(board, least), score >= least, "{board:?} {least}");
    }
    let position = Position { board, side: Side::White };
    for goal in goals() {
        let reached = score >= i32::from(goal.least_score());
        let value = if reached { Value::Proven } else { Value::Disproven };
        let mut game = ExpertOthello::new(position, goal);
        let empties = board.empties().count_ones() as u16;
        match game.evaluate() {
            Evaluation::Solved { value: found, plies, .. } => {
                assert_eq!(found, value, "{position} {goal}");
                assert_eq!(
                    plies.bounded(),
                    Some(if game.terminal().is_some() { 0 } else { empties })
                );
            }
            open => panic!("{position} {goal}: {open:?}"),
        }
    }
}

#[test]
fn random_ends_of_games() {
    for seed in 0..600 {
        let board = random_position(seed, 53 + seed as u32 % 7).board;
        check(board, naive::score(&naive::squares_of(board), 1));
    }
}

/// Boards that no game leads to have more passes, more early ends and wilder flips.
#[test]
fn scattered_ends() {
    let mut random = SplitMix64::new(3);
    for _ in 0..600 {
        let board = naive::scattered(&mut random);
        let holes = (0..random.below(7)).fold(0, |set, _| set | 1 << random.below(64));
        let filler = random.next_u64() & board.empties();
        let own = (board.own | filler) & !holes;
        let board = Board { own, opp: !own & !holes };
        check(board, naive::score(&naive::squares_of(board), 1));
    }
}

/// The value of a problem by its rules alone.
fn value<const EXPERT: bool>(game: &mut Game<EXPERT>) -> Value {
    if let Some(value) = game.terminal() {
        return value;
    }
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let goal = game.kind().goal();
    let reached = moves.into_iter().any(|square| {
        let undo = game.play(square);
        let child = value(game);
        game.undo(square, undo);
        child == goal
    });
    if reached { goal } else { goal.other() }
}

/// The rules with folded passes, the evaluation and minimax with real passes say the same.
#[test]
fn problems_agree_with_minimax() {
    let mut and_roots = 0;
    for seed in 0..120 {
        let position = random_position(seed, 54 + seed as u32 % 6);
        for position in [position, position.pass()] {
            let score = naive::score(&naive::squares_of(position.board), 1);
            for goal in goals() {
                let proven = score >= i32::from(goal.least_score());
                let expected = if proven { Value::Proven } else { Value::Disproven };
                let mut game = Othello::new(position, goal);
                and_roots += usize::from(game.kind() == NodeKind::And);
                assert_eq!(value(&mut game), expected, "{position} {goal}");
                assert_eq!(value(&mut ExpertOthello::new(position, goal)), expected);
            }
        }
    }
    assert!(and_roots > 0, "no root with a pass");
}

/// From recorded positions down to six empty squares by random moves.
#[test]
fn ends_of_recorded_games() {
    let mut random = SplitMix64::new(11);
    for (mut position, _) in recorded().into_iter().step_by(5) {
        while position.board.empties().count_ones() > 6 {
            position = match random_move(&position, &mut random) {
                Some(square) => position.play(square).expect("legal"),
                None if position.pass().board.moves() != 0 => position.pass(),
                None => break,
            };
        }
        if position.board.empties().count_ones() <= 6 {
            check(position.board, naive::score(&naive::squares_of(position.board), 1));
        }
    }
}

#[test]
fn recorded_scores() {
    for (row, (position, score)) in recorded().into_iter().enumerate() {
        assert_eq!(Endgame::default().reaches(position.board, 1), score >= 1, "row {row}");
        if row % 25 == 0 {
            assert_eq!(Endgame::default().score(position.board), score, "row {row}");
        }
    }
}

/// The same question costs the same number of nodes on every machine.
#[test]
fn nodes_are_repeatable() {
    let count = || {
        let mut search = Endgame::default();
        for seed in 0..50 {
            search.reaches(random_position(seed, 48).board, 1);
        }
        search.nodes
    };
    assert_eq!(count(), count());
    let full = Board { own: u64::MAX, opp: 0 };
    let mut search = Endgame::default();
    assert!(search.reaches(full, 64));
    assert_eq!(search.nodes, 1);
    assert!(squares(full.empties()).next().is_none());
}
