//! Othello: how a problem is written, asked and answered.

use andor::Value;
use yomikiri_othello::{Goal, GoalError, Position, PositionError};

use super::game::{Game, Kind, ParseError, Terms, without_place};
use crate::diagnostic::Diagnostic;
use crate::lang::{Text, text};

/// The goal that asks for the exact score.
pub const SCORE: &str = "score";

pub const GAME: Game = Game {
    name: "othello",
    japanese: "オセロ",
    what: "Othello endgames on the 8×8 board",
    form: "\
64 of X (black), O (white) and - (empty) from a1 to h8, row by row, and the side to move, X or O.
White space may stand anywhere. In a file one position a line; lines of tab-separated columns
(id, board, side, anything) are read as well.",
    goals: &[
        ("win", "the side to move wins (default)"),
        ("draw", "the side to move does not lose (also: no-loss)"),
        (SCORE, "the exact final score of the side to move, with two certificates"),
        ("score>=2", "it ends at least so many discs ahead; any number from -64 to 64"),
    ],
    example: "OOOOO----XXOOO--XXOXXOO-XXOOXX--OOXOXXXOXOOXXXOO--OOXXOO--X--XO- X",
    kind: Kind::Othello,
    recognise,
};

/// A first word of at least eight characters, most of them squares; or a first of several rows.
fn recognise(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let squares = word.chars().filter(|c| "XOxo*-.".contains(*c)).count();
    word.is_ascii() && squares >= 8 && 2 * squares >= word.len()
}

/// Reads a position (without its goal) and a goal.
pub fn parse(text: &str, goal: Option<&str>) -> Result<(Position, Goal), ParseError> {
    let position = Position::parse(text).map_err(|error| {
        let (PositionError::BadSquare { at, .. }
        | PositionError::BoardTooShort { at, .. }
        | PositionError::MissingSide { at }
        | PositionError::BadSide { at, .. }
        | PositionError::TrailingJunk { at, .. }) = error;
        let at = at.min(text.trim_end().len());
        Diagnostic::at_byte(text, at, without_place(&error.to_string()))
    })?;
    let goal = Goal::parse(goal.unwrap_or("win")).map_err(|error| {
        let at = match &error {
            GoalError::Unknown => 0,
            GoalError::BadScore { at, .. } => *at,
        };
        ParseError::Goal(at, without_place(&error.to_string()).into())
    })?;
    Ok((position, goal))
}

pub fn terms(position: Position, goal: Goal) -> Terms {
    let side = position.side.letter().to_string();
    let wants = match goal {
        Goal::Wins => text!("to win", "勝つこと"),
        Goal::DoesNotLose => text!("not to lose", "負けないこと"),
        Goal::ScoreAtLeast(score) => {
            text!("to score {score} discs or more", "{score} 石以上の差にすること")
        }
    };
    Terms {
        position: position.to_string(),
        to_move: side.clone().into(),
        attacker: side.into(),
        goal: goal.to_string(),
        wants,
        rule: text!(
            "who cannot move passes; no position comes again",
            "打てなければパス。同じ局面は現れない"
        ),
    }
}

pub fn question(position: Position, goal: Goal) -> Text {
    let side = position.side.letter();
    match goal {
        Goal::Wins => text!("{side} to move: does {side} win?", "{side} の番、{side} は勝てるか"),
        Goal::DoesNotLose => text!(
            "{side} to move: does {side} at least draw?",
            "{side} の番、{side} は引き分け以上か"
        ),
        Goal::ScoreAtLeast(score) => text!(
            "{side} to move: does {side} score {score} or more?",
            "{side} の番、{side} の得点は {score} 以上か"
        ),
    }
}

/// The question for the exact score.
pub fn score_question(position: Position) -> Text {
    let side = position.side.letter();
    text!(
        "{side} to move: what is the exact score of {side}?",
        "{side} の番、{side} の正確な得点は"
    )
}

pub fn answer(position: Position, goal: Goal, value: Value) -> Text {
    let side = position.side.letter();
    match (goal, value) {
        (Goal::Wins, Value::Proven) => text!("{side} wins", "{side} の勝ちです"),
        (Goal::Wins, Value::Disproven) => text!("{side} does not win", "{side} は勝てません"),
        (Goal::DoesNotLose, Value::Proven) => text!("{side} does not lose", "{side} は負けません"),
        (Goal::DoesNotLose, Value::Disproven) => text!("{side} loses", "{side} の負けです"),
        (Goal::ScoreAtLeast(score), Value::Proven) => {
            text!("{side} scores {score} or more", "{side} の得点は {score} 以上です")
        }
        (Goal::ScoreAtLeast(score), Value::Disproven) => {
            text!("{side} scores less than {score}", "{side} の得点は {score} 未満です")
        }
    }
}
