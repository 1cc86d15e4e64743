//! Texts: round trips, the place of every error, and no panic whatever the input.

use proptest::prelude::*;
use yomikiri_othello::{Goal, GoalError, Position, PositionError, Side, Square, random_position};

const START: &str = "---------------------------OX------XO--------------------------- X";

#[test]
fn the_start() {
    assert_eq!(Position::parse(START), Ok(Position::START));
    assert_eq!(Position::START.to_string(), START);
    let diagram = Position::START.diagram();
    assert!(diagram.starts_with("  a b c d e f g h\n1 - - -"), "{diagram}");
    assert!(diagram.contains("4 - - . O X - - -\n"), "{diagram}");
    assert!(diagram.ends_with("X to move\n"), "{diagram}");
}

#[test]
fn spellings() {
    let white = Position { side: Side::White, board: Position::START.board.passed() };
    for (text, position) in [
        (START.replace(' ', ""), Position::START),
        (START.replace(' ', "\t"), Position::START),
        (START.to_lowercase(), Position::START),
        (START.replace('X', "*").replace('-', "."), Position::START),
        (format!("  {START}\r\n"), Position::START),
        (START.replace(" X", "\tO"), white),
    ] {
        assert_eq!(Position::parse(&text), Ok(position), "{text}");
    }
    let lines: Vec<_> = START.as_bytes().chunks(8).map(String::from_utf8_lossy).collect();
    assert_eq!(Position::parse(&lines.join("\n")), Ok(Position::START));
}

#[test]
fn errors_name_their_place() {
    let board = &START[..64];
    for (text, error) in [
        (String::new(), PositionError::BoardTooShort { at: 0, squares: 0 }),
        ("XO\t-".into(), PositionError::BoardTooShort { at: 4, squares: 3 }),
        (board[..63].into(), PositionError::BoardTooShort { at: 63, squares: 63 }),
        (board.into(), PositionError::MissingSide { at: 64 }),
        (format!("{board}  "), PositionError::MissingSide { at: 66 }),
        (format!("{board} -"), PositionError::BadSide { at: 65, found: '-' }),
        (format!("{board} w"), PositionError::BadSide { at: 65, found: 'w' }),
        (format!("{board} X X"), PositionError::TrailingJunk { at: 67, found: 'X' }),
        (format!("{board} X;"), PositionError::TrailingJunk { at: 66, found: ';' }),
        (format!("--?{board}"), PositionError::BadSquare { at: 2, found: '?' }),
        (format!("- \u{3000}読{board}"), PositionError::BadSquare { at: 5, found: '読' }),
    ] {
        assert_eq!(Position::parse(&text), Err(error), "{text}");
    }
    let message = Position::parse("-?").expect_err("bad").to_string();
    assert_eq!(message, "byte 1: `?` is no square (X, O or -)");
}

#[test]
fn goals() {
    for (text, goal, least) in [
        ("win", Goal::Wins, 1),
        ("draw", Goal::DoesNotLose, 0),
        ("score>=-12", Goal::ScoreAtLeast(-12), -12),
        ("score>=64", Goal::ScoreAtLeast(64), 64),
    ] {
        assert_eq!(Goal::parse(text), Ok(goal));
        assert_eq!(goal.to_string(), text);
        assert_eq!(goal.least_score(), least);
    }
    assert_eq!("no-loss".parse(), Ok(Goal::DoesNotLose));
    assert_eq!(Goal::parse("lose"), Err(GoalError::Unknown));
    for score in ["", "65", "-65", "x", "1000"] {
        let error = GoalError::BadScore { at: 7, found: score.into() };
        assert_eq!(Goal::parse(&format!("score>={score}")), Err(error));
    }
}

#[test]
fn square_names() {
    for index in 0..64 {
        let square = Square::new(index).expect("on the board");
        assert_eq!(Square::parse(&square.to_string()), Some(square));
    }
    assert_eq!(Square::parse("E8").map(Square::index), Some(60));
    for bad in ["", "e", "e9", "i1", "e0", "e88", "é1"] {
        assert_eq!(Square::parse(bad), None, "{bad}");
    }
    assert_eq!(Square::new(64), None);
}

proptest! {
    #[test]
    fn positions_round_trip(seed: u64, moves in 0_u32..58) {
        let position = random_position(seed, moves);
        prop_assert_eq!(Position::parse(&position.to_string()), Ok(position));
    }

    #[test]
    fn any_discs_round_trip(black: u64, white: u64, x_to_move: bool) {
        let side = if x_to_move { Side::Black } else { Side::White };
        let position = Position::new(black & !white, white, side);
        prop_assert_eq!(Position::parse(&position.to_string()), Ok(position));
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
        let _ = (Position::parse(&text), Goal::parse(&text), Square::parse(&text));
    }

    #[test]
    fn no_near_miss_panics(text in "[-XOxo*. \t]{60,70}[XO読é]{0,2}") {
        if let Ok(position) = Position::parse(&text) {
            prop_assert_eq!(Position::parse(&position.to_string()), Ok(position));
        }
    }

    #[test]
    fn no_score_panics(score: i64) {
        let _ = Goal::parse(&format!("score>={score}"));
    }
}
