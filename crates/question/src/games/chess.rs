//! Mates in chess: how a problem is written, asked and answered.

use andor::Value;
use yomikiri_chess::epd::{self, EpdError, OperationFault, Operations};
use yomikiri_chess::{Color, Goal, Mates, Position, Status};

use super::game::{Game, Kind, ParseError, Terms, without_place};
use crate::diagnostic::Diagnostic;
use crate::lang::{Text, text};

pub(super) const GAME: Game = Game {
    name: "chess",
    japanese: "チェス",
    what: "chess: can one side force mate?",
    form: "\
FEN (the last two fields may be missing; Chess960 in Shredder's way), or EPD; in a file one position a
line. Of the operations of an EPD `bm #5;` (or `dm 5;`) says that the side to move mates in 5 moves:
what is found is compared with it. `bm #-5;` says that it is mated: then the other side is asked for
the mate, unless a goal names the side. `id \"name\";` is a name. Others are not looked at.
Or a file of PGN: the last position of each game, or as --at, --last and --every say.
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

    /// Does an EPD that says this speak of the mate that is asked for? With checks alone a mate may
    /// take longer than it says.
    pub(super) fn is_told_of(&self, operations: &Operations) -> bool {
        let told = operations.mate.map(|told| told.attacker(self.position.side_to_move()));
        told == Some(self.attacker) && self.goal == Goal::Mate
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

/// Reads a FEN, or an EPD with its operations: these end with semicolons, of which no FEN has one, but
/// the last semicolon may be missing.
fn read(text: &str) -> Result<(Position, Operations), EpdError> {
    let is_epd = || text.contains(';') || text.split_whitespace().skip(4).any(epd::is_known);
    match Position::from_fen(text) {
        Err(_) if is_epd() => epd::read(text),
        Ok(position) => Ok((position, Operations::default())),
        Err(error) => Err(error.into()),
    }
}

/// What the operations of an EPD say, where the text is one.
pub(super) fn operations(text: &str) -> Option<Operations> {
    match Position::from_fen(text) {
        Ok(_) => None,
        Err(_) => read(text).ok().map(|(_, operations)| operations),
    }
}

/// What is wrong, in both languages as far as it is about operations.
fn words(error: &EpdError) -> Text {
    let EpdError::Operation { name, fault, .. } = error else {
        return without_place(&error.to_string()).into();
    };
    let japanese = match fault {
        OperationFault::Mate(said) => format!(
            "`{said}` は詰みの手数ではありません（`bm #5` か `dm 5` で、手番側が5手で詰ます。-5 なら詰まされる）"
        ),
        OperationFault::Empty => "名前の後に何もありません".into(),
        OperationFault::Twice => "二つあります".into(),
        OperationFault::Contradiction => "前の命令と違う手数です".into(),
        OperationFault::OpenString => "文字列が閉じていません".into(),
    };
    text!("operation `{name}`: {fault}", "命令 `{name}`: {japanese}")
}

/// Reads a position (without its goal) and a goal.
pub(super) fn parse(text: &str, goal: Option<&str>) -> Result<Chess, ParseError> {
    let (position, operations) = read(text).map_err(|error| {
        let at = error.at().unwrap_or(0).min(text.trim_end().len());
        Diagnostic::at_byte(text, at, words(&error))
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
    let turn = position.side_to_move();
    let attacker = match named {
        None => operations.mate.map_or(turn, |told| told.attacker(turn)),
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

/// The answer where White or Black mates within `known` plies and not within fewer than `least`. The
/// attacker's moves are counted, as people do.
pub(super) fn answer_within(chess: &Chess, (least, known): (u16, u16), is_wanted: bool) -> Text {
    let answer = answer(chess, Value::Proven);
    let moves = |plies: u16| plies.div_ceil(2);
    let (most, few) = (moves(known), moves(least));
    let unit = |n: u16, one, more| if n == 1 { one } else { more };
    let (move_unit, ply_unit) = (unit(most, "move", "moves"), unit(known, "ply", "plies"));
    if least >= known {
        text!(
            "{answer} in {most} {move_unit} ({known} {ply_unit}), the shortest",
            "{answer}（最短、攻方の{most}手、計{known}手）"
        )
    } else if is_wanted {
        text!(
            "{answer} in {few} to {most} {move_unit} ({least} to {known} {ply_unit}); how soon stays open",
            "{answer}（最短は攻方の{few}手から{most}手、計{least}手から{known}手、未解決）"
        )
    } else {
        text!(
            "{answer} within {most} {move_unit} ({known} {ply_unit})",
            "{answer}（攻方の{most}手以内、計{known}手以内）"
        )
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
    fn an_epd_names_the_attacker() {
        let fields = "7k/8/5K2/8/8/8/8/6Q1 b - -";
        let read = |rest: &str, goal| match parse(&format!("{fields} {rest}"), goal) {
            Ok(chess) => chess,
            Err(_) => panic!("{rest} is not read"),
        };
        for (rest, goal, attacker) in [
            ("", None, Color::Black),
            ("bm #-1;", None, Color::White),
            ("0 1 bm #-1;", Some("mate"), Color::White),
            ("bm #-1", Some("checks"), Color::White),
            ("bm #1;", None, Color::Black),
            ("bm #-1;", Some("mate:black"), Color::Black),
            ("dm -1; c0 \"a;b\";", None, Color::White),
        ] {
            assert_eq!(read(rest, goal).attacker, attacker, "{rest} {goal:?}");
        }
        // A mate is compared with one of the same side and kind.
        let told = operations(&format!("{fields} bm #-1;")).expect("operations");
        assert!(read("bm #-1;", None).is_told_of(&told));
        assert!(!read("bm #-1;", Some("mate:black")).is_told_of(&told));
        assert!(!read("bm #-1;", Some("checks")).is_told_of(&told));
        assert_eq!(operations(&format!("{fields} bm #-1; goal mate")).as_ref(), Some(&told));
        for none in [fields.to_owned(), format!("{fields} 0 1"), format!("{fields} bm #0;")] {
            assert_eq!(operations(&none), None, "{none}");
        }
    }

    #[test]
    fn a_bad_operation_is_pointed_at_in_both_languages() {
        let text = "7k/8/5K2/8/8/8/8/6Q1 b - - 00:00; bm #0; id \"x\";";
        let Err(ParseError::Position(diagnostic)) = parse(text, None) else {
            panic!("it is read");
        };
        assert_eq!(diagnostic.column, 34);
        let said = diagnostic.reason;
        assert!(said.as_str(Lang::En).starts_with("operation `bm`: `#0` is no mate"), "{said}");
        assert!(said.as_str(Lang::Ja).starts_with("命令 `bm`: `#0` は"), "{said}");
    }

    #[test]
    fn what_is_over_is_no_problem() {
        for (text, reason) in [
            ("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1", "Black is mated already"),
            ("7k/8/6Q1/8/8/8/8/K7 b - - 0 1", "stalemate"),
            ("7k/8/6Q1/8/8/8/8/8 b - - 0 1", "white has 0 kings"),
            ("7k/8/6R1/8/8/8/8/K7 w - - x 1", "count of halfmoves"),
            ("7k/8/6R1/8/8/8/8/K7 b - c3 x 1", "count of halfmoves"),
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
