//! Tsume-shogi: how a problem is written, asked and answered.

use andor::Value;
use yomikiri_shogi::notation::{self, Format, Record};
use yomikiri_shogi::{Color, Position};
use yomikiri_tsume::{Futile, Tsume};

use super::game::{Game, Kind, ParseError, Terms};
use crate::diagnostic::Diagnostic;
use crate::lang::{Text, said, text};

/// Tsume-shogi, for people and for the parser.
pub const GAME: Game = Game {
    name: "shogi",
    japanese: "詰将棋",
    what: "tsume-shogi: mate by checks alone",
    form: "\
SFEN, with `position sfen` before it and `moves` after it if you like; in a file one position a
line, or lines of tab-separated columns (SFEN, id, recorded length; the id may come first).
Or a file of one or several records in KIF, KI2, CSA or JKF, in UTF-8 or Shift_JIS: the position
before the first move of a solution, or after the last move of a game, or as --at, --last and
--every say. A board
in KIF or KI2 without a line for the defender's hand means that he holds all the rest (残り全部); a
note says so, and 後手の持駒：なし means nothing.
The side to move attacks; it defends if it is in check, or if it alone has a king.",
    goals: &[
        ("mate", "interpositions in vain (無駄合い) do not count (default)"),
        ("mate-counted", "they count as any other move"),
        ("mate:white", "White attacks, whoever is to move; also :black, and with mate-counted"),
    ],
    example: "8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1",
    kind: Kind::Shogi,
    recognise,
};

/// A position, who is to give mate, and how interpositions in vain count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shogi {
    /// The position.
    pub position: Position,
    /// Who is to give mate.
    pub attacker: Color,
    /// How interpositions in vain count.
    pub futile: Futile,
}

impl Shogi {
    /// The problem for a search.
    pub fn tsume(&self) -> Tsume {
        Tsume::with_attacker(self.position.clone(), self.attacker).with_futile(self.futile)
    }

    /// Does the attacker move first?
    pub fn attacks(&self) -> bool {
        self.position.turn() == self.attacker
    }
}

/// Who attacks where nobody says it: the side to move, unless it alone has a king; and unless it
/// is in check, if that makes it the defender.
pub fn attacker(position: &Position, defends_in_check: bool) -> Color {
    let (us, them) = (position.turn(), !position.turn());
    let defends = match (position.king(us), position.king(them)) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some(_), Some(_)) => defends_in_check && position.is_check(),
    };
    if defends { them } else { us }
}

/// The goal of these words: `mate` or `mate-counted`, and a side if it is named.
pub fn goal(futile: Futile, attacker: Option<Color>) -> String {
    let word = match futile {
        Futile::Counted => "mate-counted",
        Futile::NotCounted => "mate",
    };
    match attacker {
        None => word.into(),
        Some(Color::Black) => format!("{word}:black"),
        Some(Color::White) => format!("{word}:white"),
    }
}

/// Is this a whole file of moves, and not a position a line?
pub fn is_record(text: &str) -> bool {
    recognise(text) && notation::recognise(text).is_some_and(|format| format != Format::Sfen)
}

/// A line in SFEN, or a text that has anything of the other formats.
fn recognise(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    match notation::recognise(first) {
        Some(Format::Sfen | Format::Jkf | Format::Csa) => return true,
        _ if text.trim_start().starts_with('{') => return true,
        _ => {}
    }
    let is_japanese = |c: char| ('\u{3000}'..='\u{9fff}').contains(&c);
    text.contains(is_japanese) && notation::recognise(text).is_some()
}

/// The problem in a record: the position before the first move, or in SFEN the one after the last.
pub fn position(record: &Record, format: Option<Format>) -> Position {
    match format {
        Some(Format::Sfen) => record.final_position(),
        _ => record.position.clone(),
    }
}

/// Reads a record of any format.
pub fn read(text: &str) -> Result<(Record, Option<Format>), Diagnostic> {
    let format = notation::recognise(text);
    let record = notation::parse(text).map_err(|error| {
        let notation::ReadError { line, column, reason } = error;
        Diagnostic { line, column, reason: Text::new(|_| said(&reason).to_string()) }
    })?;
    Ok((record, format))
}

/// What a reader of this text should know: that a hand was not told, and what it was taken for.
pub fn note(text: &str) -> Option<Text> {
    let record = is_record(text).then(|| notation::parse(text).ok()).flatten()?;
    let color = record.assumed_rest?;
    let line = match color {
        Color::Black => "先手の持駒",
        Color::White => "後手の持駒",
    };
    let side = side(color);
    Some(text!(
        "no line says what {side} holds, so it is all the rest (残り全部); if it is nothing, add the \
         line {line}：なし",
        "{side}の持駒の行がないので、残り全部とみなします。なしなら「{line}：なし」の行を加えてください"
    ))
}

/// Reads a position (without its goal) and a goal.
pub(super) fn parse(text: &str, goal: Option<&str>) -> Result<Shogi, ParseError> {
    let (record, format) = read(text)?;
    let position = position(&record, format);
    let unknown = || {
        let reason = text!(
            "no such goal; known are mate and mate-counted, with :black or :white",
            "そのような目的はありません。`mate` か `mate-counted` です。`:black` か `:white` も付けられます"
        );
        ParseError::Goal(0, reason)
    };
    let (word, side) = match goal.unwrap_or("mate").split_once(':') {
        Some((word, side)) => (word, Some(side)),
        None => (goal.unwrap_or("mate"), None),
    };
    let futile = match word {
        "mate" => Futile::NotCounted,
        "mate-counted" => Futile::Counted,
        _ => return Err(unknown()),
    };
    let attacker = match side {
        None => attacker(&position, true),
        Some("black") => Color::Black,
        Some("white") => Color::White,
        Some(_) => return Err(unknown()),
    };
    Ok(Shogi { position, attacker, futile })
}

/// The goal, as it is written.
fn goal_text(shogi: &Shogi) -> String {
    let Shogi { position, attacker: side, futile } = shogi;
    let named = (*side != attacker(position, true)).then_some(*side);
    goal(*futile, named)
}

/// The problem as a text that reads back as the same problem.
pub fn text(shogi: &Shogi) -> String {
    format!("{} goal {}", shogi.position, goal_text(shogi))
}

pub(super) fn terms(shogi: &Shogi) -> Terms {
    let futile = match shogi.futile {
        Futile::Counted => {
            text!("interpositions in vain count as any other move", "無駄合いも手数に数える")
        }
        Futile::NotCounted => text!(
            "interpositions in vain do not count: where nothing else is left it is mate",
            "無駄合いは手数に数えない（無駄合いしかなければ詰み）"
        ),
    };
    Terms {
        position: shogi.position.to_string(),
        to_move: side(shogi.position.turn()),
        attacker: side(shogi.attacker),
        goal: goal_text(shogi),
        wants: text!("to mate and give check with every move", "王手の連続で詰ますこと"),
        rule: text!(
            "{futile}; a repeated position favours the defender",
            "{futile}。同じ局面に戻る手順では詰まない"
        ),
    }
}

/// A side for people.
pub fn side(color: Color) -> Text {
    match color {
        Color::Black => text!("Black", "先手"),
        Color::White => text!("White", "後手"),
    }
}

pub(super) fn question(shogi: &Shogi) -> Text {
    let turn = side(shogi.position.turn());
    match shogi.attacks() {
        true => text!("{turn} to move: is there a mate?", "{turn}番、詰みはあるか"),
        false => {
            text!("{turn} to move and defend: is there a mate?", "{turn}番（玉方）、詰みはあるか")
        }
    }
}

pub(super) fn answer(shogi: &Shogi, value: Value) -> Text {
    let attacker = side(shogi.attacker);
    match value {
        Value::Proven => text!("{attacker} mates", "{attacker}に詰みがあります"),
        Value::Disproven => text!("{attacker} has no mate", "{attacker}に詰みはありません"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_from_other_games() {
        for shogi in [
            "8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1",
            "position startpos moves 7g7f",
            "手数----指手---------消費時間--\n   1 ７六歩(77)\n",
            "# KIF\n先手：甲\n手数----指手---------消費時間--\n   1 ７六歩(77)\n",
            "V2.2\nPI\n+\n+7776FU\n",
            "{\"header\":{},\"moves\":[{}]}",
        ] {
            assert!(recognise(shogi), "{shogi}");
        }
        for other in ["graph\na or b\nb win", "hex 3 .../.../... B", "what: is this", "id\tboard"] {
            assert!(!recognise(other), "{other}");
        }
        assert!(is_record("後手の持駒：なし\n手数----指手---------消費時間--\n"));
        assert!(!is_record("8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1"));
    }

    #[test]
    fn a_lonely_king_defends() {
        let lonely = |sfen: &str| Position::from_sfen(sfen).map(|p| attacker(&p, true));
        assert_eq!(lonely("8k/9/8P/9/9/9/9/9/9 b G 1"), Ok(Color::Black));
        assert_eq!(lonely("8k/9/8P/9/9/9/9/9/9 w G 1"), Ok(Color::Black));
        assert_eq!(lonely("8k/8G/8P/9/9/9/9/9/K8 w - 1"), Ok(Color::Black));
        assert_eq!(lonely("8k/9/8P/9/9/9/9/9/K8 w - 1"), Ok(Color::White));
        let checked = Position::from_sfen("8k/8G/8P/9/9/9/9/9/K8 w - 1").expect("a position");
        assert_eq!(attacker(&checked, false), Color::White);
    }
}
