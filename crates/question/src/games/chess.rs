//! Mates in chess: how a problem is written, asked and answered.

use andor::Value;
use yomikiri_chess::{Color, FenError, Goal, Mates, Position, Status};

use super::game::{Game, Kind, ParseError, Terms, without_place};
use crate::diagnostic::Diagnostic;
use crate::lang::{Text, text};

pub(super) const GAME: Game = Game {
    name: "chess",
    japanese: "チェス",
    what: "chess: can one side force mate?",
    form: "\
FEN (the last two fields may be missing; Chess960 in Shredder's way), or EPD, of which what follows
the first four fields is not looked at; in a file one position a line. Or a file of PGN: the last
position of each game, or as --at, --last and --every say.
Draws, stalemate and repetition favour the defender. The fifty-move rule is not applied.",
    goals: &[
        ("mate", "the side to move mates (default)"),
        ("checks", "it mates and gives check with every move"),
        ("mate:white", "White mates, whoever is to move; also :black, and with checks"),
    ],
    example: "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1",
    kind: Kind::Chess,
    recognise,
};

/// A position, who is to mate, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chess {
    /// The position.
    pub position: Position,
    /// Who is to mate.
    pub attacker: Color,
    /// What the attacker may play.
    pub goal: Goal,
}

impl Chess {
    /// The problem for a search.
    pub fn mates(&self) -> Mates {
        Mates::with_attacker(&self.position, self.attacker, self.goal)
    }
}

/// Several ranks, set apart by slashes, of pieces and runs. Shogi has other pieces too, and ranks
/// of nine squares.
fn recognise(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let ranks: Vec<&str> = word.split('/').collect();
    let width = |rank: &&str| rank.chars().map(|c| c.to_digit(10).unwrap_or(1)).sum::<u32>();
    let nines = ranks.iter().filter(|rank| width(rank) == 9).count();
    ranks.len() >= 5
        && word.chars().all(|c| "/123456789".contains(c) || c.is_ascii_alphabetic())
        && !word.contains(['l', 'L', 's', 'S', 'g', 'G'])
        && 2 * nines < ranks.len()
}

/// Is this PGN? Tags come first, or the first move.
pub fn is_record(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let is_tag = text.starts_with('[') && text.lines().next().is_some_and(|tag| tag.contains('"'));
    is_tag || text.starts_with("1.")
}

/// A side for people.
pub fn side(color: Color) -> Text {
    match color {
        Color::White => text!("White", "白"),
        Color::Black => text!("Black", "黒"),
    }
}

fn read(text: &str) -> Result<Position, FenError> {
    let fen = Position::from_fen(text);
    // The operations of an EPD end with semicolons, and no FEN has one.
    match fen {
        Err(_) if text.contains(';') => Position::from_epd(text).map(|(position, _)| position),
        fen => fen,
    }
}

/// Reads a position (without its goal) and a goal.
pub(super) fn parse(text: &str, goal: Option<&str>) -> Result<Chess, ParseError> {
    let position = read(text).map_err(|error| {
        let at = error.at().unwrap_or(0).min(text.trim_end().len());
        Diagnostic::at_byte(text, at, without_place(&error.to_string()))
    })?;
    let over = match position.status() {
        Status::Ongoing => None,
        Status::Checkmate => Some(text!("is mated already", "はすでに詰んでいます")),
        Status::Stalemate => {
            Some(text!("has no legal move: stalemate", "に指せる手がありません（ステイルメイト）"))
        }
    };
    if let Some(over) = over {
        let side = side(position.side_to_move());
        let reason = text!("the game is over: {side} {over}", "終局しています: {side}{over}");
        return Err(Diagnostic::at_byte(text, 0, reason).into());
    }
    let unknown = || {
        let reason = text!(
            "no such goal; known are mate and checks, with :white or :black",
            "そのような目的はありません。`mate` か `checks` です。`:white` か `:black` も付けられます"
        );
        ParseError::Goal(0, reason)
    };
    let goal = goal.unwrap_or("mate");
    let (word, named) =
        goal.split_once(':').map_or((goal, None), |(word, side)| (word, Some(side)));
    let goal = match word {
        "mate" => Goal::Mate,
        "checks" => Goal::Checks,
        _ => return Err(unknown()),
    };
    let attacker = match named {
        None => position.side_to_move(),
        Some("white") => Color::White,
        Some("black") => Color::Black,
        Some(_) => return Err(unknown()),
    };
    Ok(Chess { position, attacker, goal })
}

/// The goal, as it is written.
fn goal_text(chess: &Chess) -> String {
    let word = match chess.goal {
        Goal::Mate => "mate",
        Goal::Checks => "checks",
    };
    let named = match chess.attacker {
        attacker if attacker == chess.position.side_to_move() => "",
        Color::White => ":white",
        Color::Black => ":black",
    };
    format!("{word}{named}")
}

pub(super) fn text(chess: &Chess) -> String {
    format!("{} goal {}", chess.position, goal_text(chess))
}

pub(super) fn terms(chess: &Chess) -> Terms {
    let wants = match chess.goal {
        Goal::Mate => text!("to mate", "詰ますこと"),
        Goal::Checks => {
            text!("to mate and give check with every move", "チェックの連続で詰ますこと")
        }
    };
    Terms {
        position: chess.position.to_string(),
        to_move: side(chess.position.side_to_move()),
        attacker: side(chess.attacker),
        goal: goal_text(chess),
        wants,
        rule: text!(
            "draws, stalemate and a repeated position favour the defender; the fifty-move rule is \
             not applied",
            "引き分け、ステイルメイト、同じ局面は受方の有利。50手ルールは適用しない"
        ),
    }
}

pub(super) fn question(chess: &Chess) -> Text {
    let (turn, attacker) = (side(chess.position.side_to_move()), side(chess.attacker));
    match chess.goal {
        Goal::Mate => {
            text!("{turn} to move: does {attacker} mate?", "{turn}番、{attacker}に詰みはあるか")
        }
        Goal::Checks => text!(
            "{turn} to move: does {attacker} mate by checks alone?",
            "{turn}番、{attacker}にチェックの連続での詰みはあるか"
        ),
    }
}

pub(super) fn answer(chess: &Chess, value: Value) -> Text {
    let attacker = side(chess.attacker);
    match (chess.goal, value) {
        (Goal::Mate, Value::Proven) => text!("{attacker} mates", "{attacker}に詰みがあります"),
        (Goal::Mate, Value::Disproven) => {
            text!("{attacker} cannot force mate", "{attacker}に詰みはありません")
        }
        (Goal::Checks, Value::Proven) => text!(
            "{attacker} mates by checks alone",
            "{attacker}にチェックの連続での詰みがあります"
        ),
        (Goal::Checks, Value::Disproven) => text!(
            "{attacker} has no mate by checks alone",
            "{attacker}にチェックの連続での詰みはありません"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::Lang;

    #[test]
    fn a_fen_is_told_from_an_sfen() {
        for chess in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/8/8/8/8/8/8/8/8 w - - 0 1",
            "4k3/8/8/8/8/8/4K3 w - -",
            "4x3/8/8/8/8/8/8/4K3",
        ] {
            assert!(recognise(chess), "{chess}");
        }
        for other in [
            "8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1",
            "4k4/9/4P4/9/9/9/9/9/9 b R 1",
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "hex 3 .../.../... B",
            "graph\na or b",
        ] {
            assert!(!recognise(other), "{other}");
        }
    }

    #[test]
    fn what_is_over_is_no_problem() {
        for (text, reason) in [
            ("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1", "Black is mated already"),
            ("7k/8/6Q1/8/8/8/8/K7 b - - 0 1", "stalemate"),
            ("7k/8/6Q1/8/8/8/8/8 b - - 0 1", "white has 0 kings"),
            ("7k/8/6R1/8/8/8/8/K7 w - - x 1", "count of halfmoves"),
        ] {
            match parse(text, None) {
                Err(ParseError::Position(diagnostic)) => {
                    assert!(
                        diagnostic.reason.as_str(Lang::En).contains(reason),
                        "{}",
                        diagnostic.reason
                    );
                }
                _ => panic!("{text} is read"),
            }
        }
    }
}
