//! Games that were played: a record as its positions, one after the other.

use yomikiri_chess::pgn::{self, GameResult};
use yomikiri_chess::{self as chess_rules, Status};
use yomikiri_shogi::notation::{Ending, Format, Record, japanese};
use yomikiri_shogi::{Color, Position};

use super::{Game, chess, shogi};
use crate::diagnostic::Diagnostic;
use crate::lang::Text;
use crate::written;

/// A game that was played, or a problem with its solution.
pub struct Played {
    /// Who played, and where, as far as the record says so.
    pub title: String,
    /// The positions: before each move, and at the end.
    pub positions: Vec<At>,
    /// The moves between them, as people write them.
    pub moves: Vec<String>,
    /// The same as programs write them: USI in shogi, SAN in chess.
    pub coded: Vec<String>,
    /// How it ended.
    pub ending: Option<Text>,
    /// Did the side to move at the end give up?
    pub is_given_up: bool,
    /// What is asked, if the text says so.
    pub goal: Option<String>,
    /// Do the moves only lead to the position that is meant, as in SFEN?
    pub is_way: bool,
    /// Are the moves the solution of a problem, which is the first position then?
    pub is_solution: bool,
    /// The record itself, of a game of shogi.
    pub record: Option<Record>,
}

/// A position of a game.
pub struct At {
    /// The position, as a problem is written.
    pub text: String,
    /// The side to move, for people.
    pub side: Text,
    /// The same as goals name it.
    pub word: &'static str,
    /// What there is to ask.
    pub state: State,
}

/// What there is to ask of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// Is there a mate?
    Open,
    /// Nothing: the side to move is mated.
    Mated,
    /// Nothing: the side to move cannot move, and is not in check.
    Stalemate,
    /// Nothing: the other side has no king, as in problems.
    Harmless,
}

/// The games in a text; none if it is something else.
pub fn read(text: &str, game: Option<&'static Game>) -> Result<Vec<Played>, Diagnostic> {
    match game.or_else(|| super::recognise(text)).map(|game| game.name) {
        None | Some("chess") if chess::is_record(text) => read_pgn(text),
        Some("shogi") => {
            let (position, goal) = super::split_goal(text);
            let goal = goal.map(|at| text[at..].trim_end().to_owned());
            let (record, format) = shogi::read(position)?;
            Ok(vec![Played { goal, ..of_shogi(record, format) }])
        }
        _ => Ok(Vec::new()),
    }
}

fn of_shogi(record: Record, format: Option<Format>) -> Played {
    let line = record.main_line();
    let mut position = record.position.clone();
    let mut positions = vec![shogi_at(&position)];
    // A solution gives check with every move of the attacker; no game does.
    let attacker = shogi::attacker(&position, true);
    let mut is_solution = true;
    for &m in &line {
        let mover = position.turn();
        position.play(m);
        is_solution &= mover != attacker || position.is_check();
        positions.push(shogi_at(&position));
    }
    let ending = record.ending();
    let named = |mark: &str, names: &[&str]| {
        let value = names.iter().find_map(|name| record.value(name));
        value.filter(|value| !value.is_empty()).map(|value| format!("{mark}{value}"))
    };
    let title = [
        named("", &["作品名", "棋戦"]),
        named("▲", &["先手", "下手"]),
        named("△", &["後手", "上手"]),
    ];
    Played {
        title: title.into_iter().flatten().collect::<Vec<_>>().join(" "),
        positions,
        moves: japanese::line_names(&record.position, &line),
        coded: line.iter().map(ToString::to_string).collect(),
        ending: ending.map(written::ending),
        is_given_up: ending == Some(Ending::Resigned),
        goal: None,
        is_way: format == Some(Format::Sfen),
        is_solution,
        record: Some(record),
    }
}

fn shogi_at(position: &Position) -> At {
    let turn = position.turn();
    let state = match position.king(!turn) {
        None => State::Harmless,
        Some(_) => State::Open,
    };
    let word = if turn == Color::Black { "black" } else { "white" };
    At { text: position.to_string(), side: shogi::side(turn), word, state }
}

fn read_pgn(text: &str) -> Result<Vec<Played>, Diagnostic> {
    let games = pgn::read_all(text).map_err(|error| {
        let reason = format!("game {}: {}", error.game, error.reason);
        Diagnostic { line: error.line.saturating_sub(1), column: 0, reason: reason.into() }
    })?;
    Ok(games.iter().map(of_chess).collect())
}

fn of_chess(record: &pgn::Record) -> Played {
    let mut position = record.start.clone();
    let mut positions = vec![chess_at(&position)];
    let (mut moves, mut coded) = (Vec::new(), Vec::new());
    for m in record.moves() {
        let dots = if position.side_to_move() == chess_rules::Color::White { "." } else { "…" };
        let san = position.san(m);
        moves.push(format!("{}{dots} {san}", position.board().fullmove_number()));
        coded.push(san);
        position.play(m);
        positions.push(chess_at(&position));
    }
    let tag = |name| record.tag(name).filter(|value| !value.starts_with('?')).unwrap_or_default();
    let title = format!("{} – {}", tag("White"), tag("Black"));
    let given_up = match position.side_to_move() {
        chess_rules::Color::White => GameResult::Black,
        chess_rules::Color::Black => GameResult::White,
    };
    let is_over = position.status() != Status::Ongoing;
    Played {
        title: if title == " – " { String::new() } else { title },
        positions,
        moves,
        coded,
        ending: Some(record.result.to_string().into()),
        is_given_up: !is_over && record.result == given_up,
        goal: None,
        is_way: false,
        is_solution: false,
        record: None,
    }
}

fn chess_at(position: &chess_rules::Position) -> At {
    let turn = position.side_to_move();
    let state = match position.status() {
        Status::Ongoing => State::Open,
        Status::Checkmate => State::Mated,
        Status::Stalemate => State::Stalemate,
    };
    let word = if turn == chess_rules::Color::White { "white" } else { "black" };
    At { text: position.to_string(), side: chess::side(turn), word, state }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solution_is_told_from_a_game() {
        let read = |text: &str| {
            let games = read(text, None).unwrap_or_else(|diagnostic| panic!("{diagnostic:?}"));
            games.into_iter().map(|game| (game.moves.len(), game.is_solution)).collect::<Vec<_>>()
        };
        let problem = "後手の持駒：飛　角　金三　銀四　桂四　香四　歩十七\n\
            | ・ ・ ・ ・ ・ ・ ・ ・v玉|一\n| ・ ・ ・ ・ 角 ・ ・ ・ ・|二\n\
            | ・ ・ ・ ・ ・ ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ 龍 ・ 歩|四\n\
            | ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n\
            | ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n\
            | ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n先手の持駒：金\n手数----指手--\n";
        assert_eq!(
            read(&format!("{problem}1 ３一龍(34)\n2 １二玉(11)\n3 １三金打\n")),
            [(3, true)]
        );
        assert_eq!(read(&format!("{problem}1 ４四龍(34)\n")), [(1, false)]);
        assert_eq!(read("V2.2\nPI\n+\n+7776FU\n-3334FU\n"), [(2, false)]);
        assert_eq!(
            read("[White \"A\"]\n\n1. e4 e5 2. Nf3 *\n\n1. d4 *\n"),
            [(3, false), (1, false)]
        );
        assert!(read("hex 3 .../.../... B").is_empty());
        assert!(read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").is_empty());
    }
}
