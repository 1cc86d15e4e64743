//! Hex: how a problem is written, asked and answered.

use andor::Value;
use yomikiri_hex::{HELP, Hex, NotationError, Side};

use super::game::{Game, Kind, ParseError, Terms, without_place};
use crate::diagnostic::Diagnostic;
use crate::lang::{Text, text};

pub const GAME: Game = Game {
    name: "hex",
    japanese: "ヘックス",
    what: "Hex on boards of 1×1 to 11×11",
    form: HELP,
    goals: &[
        ("win", "the side to move connects its edges (default)"),
        ("B", "Black connects the first row to the last"),
        ("W", "White connects column a to the last column"),
    ],
    example: "hex 4 ..../..../..../.... B",
    kind: Kind::Hex,
    recognise: |text| {
        text.split_whitespace().next().is_some_and(|word| word.eq_ignore_ascii_case("hex"))
    },
};

/// Reads a position (without its goal) and a goal.
pub fn parse(text: &str, goal: Option<&str>) -> Result<Hex, ParseError> {
    let hex: Hex = text.parse().map_err(|error: NotationError| {
        use NotationError as E;
        let (E::NotHex { at }
        | E::BadSize { at }
        | E::NoBoard { at }
        | E::BadCell { at, .. }
        | E::ShortRow { at, .. }
        | E::LongRow { at, .. }
        | E::FewRows { at, .. }
        | E::ManyRows { at, .. }
        | E::BadSide { at }
        | E::BadMove { at }
        | E::Occupied { at }
        | E::GameOver { at }
        | E::Trailing { at }) = error;
        Diagnostic::at_char(text, at, without_place(&error.to_string()))
    })?;
    let attacker = match goal.unwrap_or("win") {
        "win" => hex.to_move(),
        "B" => Side::Black,
        "W" => Side::White,
        _ => {
            return Err(ParseError::Goal(0, "no such goal; known are win, B and W".into()));
        }
    };
    Ok(hex.with_attacker(attacker))
}

pub fn text(hex: &Hex) -> String {
    format!("{hex} goal {}", hex.attacker().letter())
}

pub fn terms(hex: &Hex) -> Terms {
    let attacker = hex.attacker().letter();
    let wants = match hex.attacker() {
        Side::Black => {
            text!("to connect the first row to the last", "最初の行と最後の行をつなぐこと")
        }
        Side::White => {
            text!("to connect column a to the last column", "a 列と最後の列をつなぐこと")
        }
    };
    Terms {
        position: hex.to_string(),
        to_move: hex.to_move().letter().to_string().into(),
        attacker: attacker.to_string().into(),
        goal: attacker.to_string(),
        wants,
        rule: text!(
            "one side always wins; no position comes again",
            "必ずどちらかが勝ち、同じ局面は現れない"
        ),
    }
}

pub fn question(hex: &Hex) -> Text {
    let size = hex.board().size();
    let (to_move, attacker) = (hex.to_move().letter(), hex.attacker().letter());
    text!(
        "{size}×{size}, {to_move} to move: does {attacker} win?",
        "{size}×{size}、{to_move} の番、{attacker} は勝てるか"
    )
}

pub fn answer(hex: &Hex, value: Value) -> Text {
    let side = hex.side_of(value).letter();
    text!("{side} wins", "{side} の勝ちです")
}

pub fn table_tag(hex: &Hex) -> String {
    format!("hex {} goal {}", hex.board().size(), hex.attacker().letter())
}
