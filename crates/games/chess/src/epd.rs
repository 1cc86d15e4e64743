//! Extended Position Description (EPD): the four fields of a FEN, and operations.
//!
//! `PIECES SIDE CASTLING EN-PASSANT OPERATION; OPERATION; …`, each operation a name and what it says,
//! words or strings in quotes, in which a semicolon is one of the text. Collections of mates write down
//! what they know of a position so. What counts here is who mates and how long it takes, and the name
//! of the position:
//!
//! | operation | says |
//! | --- | --- |
//! | `bm #5` | the side to move mates in 5 of its moves (9 plies) |
//! | `bm #-5` | it is mated in 5 moves of the other side (10 plies) |
//! | `dm 5` | as `bm #5` |
//! | `id "name"` | a name |
//!
//! These must make sense, and may be there once. Others are not looked at, for collections have their
//! own (times, themes, notes), and neither are best moves that are no mates. The two counters of a FEN
//! may stand before the operations, and the last semicolon may be missing.

use cozy_chess::Color;
use thiserror::Error;

use crate::fen::FenError;
use crate::position::Position;

/// The longest mate that can be told of, in moves.
const MOST_MOVES: u16 = 9_999;

/// What the operations say.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Operations {
    /// The mate, from `bm` or `dm`.
    pub mate: Option<Told>,
    /// The name.
    pub id: Option<String>,
}

/// A mate that is told of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Told {
    /// Moves of the side that mates.
    pub moves: u16,
    /// Does the side to move mate? Otherwise it is mated.
    pub by_mover: bool,
}

impl Told {
    /// The plies that it takes.
    pub fn plies(self) -> u16 {
        2 * self.moves - u16::from(self.by_mover)
    }

    /// The side that mates, if this one is to move.
    pub fn attacker(self, turn: Color) -> Color {
        if self.by_mover { turn } else { !turn }
    }
}

/// Why a text is no EPD.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EpdError {
    /// The position.
    #[error(transparent)]
    Position(#[from] FenError),
    /// An operation.
    #[error("byte {at}: operation `{name}`: {fault}")]
    Operation {
        /// Where it begins.
        at: usize,
        /// Its name.
        name: String,
        /// What is wrong with it.
        fault: OperationFault,
    },
}

/// What is wrong with an operation.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OperationFault {
    /// A mate that is no number of moves.
    #[error(
        "`{0}` is no mate (`bm #5` or `dm 5`: the side to move mates in 5 moves; -5: it is mated)"
    )]
    Mate(String),
    /// Nothing after the name.
    #[error("nothing follows its name")]
    Empty,
    /// There was one before.
    #[error("it is there twice")]
    Twice,
    /// `bm` and `dm` say different things.
    #[error("it says another mate than the operation before")]
    Contradiction,
    /// A quotation mark without its other.
    #[error("the string does not end")]
    OpenString,
}

impl EpdError {
    /// The byte of the text that the error is at, if it is in one place.
    pub fn at(&self) -> Option<usize> {
        match self {
            EpdError::Position(error) => error.at(),
            EpdError::Operation { at, .. } => Some(*at),
        }
    }
}

/// Reads a position and its operations.
pub fn read(text: &str) -> Result<(Position, Operations), EpdError> {
    let (position, rest) = Position::from_epd(text)?;
    Ok((position, operations(rest, text.len() - rest.len())?))
}

/// Is this the name of an operation that is looked at, or a comment?
pub fn is_known(name: &str) -> bool {
    let is_comment = |digit: &str| digit.len() == 1 && digit.as_bytes()[0].is_ascii_digit();
    matches!(name, "bm" | "dm" | "id") || name.strip_prefix('c').is_some_and(is_comment)
}

/// Reads what follows the four fields, which begins at byte `start` of the whole.
fn operations(rest: &str, start: usize) -> Result<Operations, EpdError> {
    let mut found = Operations::default();
    let mut seen: Vec<&str> = Vec::new();
    let body = without_counters(rest);
    for (at, text, is_open) in pieces(body) {
        let at = start + rest.len() - body.len() + at;
        let (name, said) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let said = said.trim();
        let fault = |fault| EpdError::Operation { at, name: name.to_owned(), fault };
        if is_open {
            return Err(fault(OperationFault::OpenString));
        }
        if !matches!(name, "bm" | "dm" | "id") {
            continue;
        }
        if seen.contains(&name) {
            return Err(fault(OperationFault::Twice));
        }
        seen.push(name);
        let mate = match (name, said) {
            (_, "") => return Err(fault(OperationFault::Empty)),
            ("id", name) => {
                found.id = Some(name.trim_matches('"').trim().to_owned());
                continue;
            }
            ("bm", said) => match said.strip_prefix('#') {
                Some(number) => number,
                // A best move, or several.
                None => continue,
            },
            (_, number) => number,
        };
        let told = number(mate).ok_or_else(|| fault(OperationFault::Mate(said.to_owned())))?;
        if found.mate.is_some_and(|before| before != told) {
            return Err(fault(OperationFault::Contradiction));
        }
        found.mate = Some(told);
    }
    found.id = found.id.filter(|id| !id.is_empty());
    Ok(found)
}

/// The operations one by one, each with its place, and whether a string in it does not end. A
/// semicolon in a string ends no operation. A string begins with a word: in `00'12"` there is none.
fn pieces(text: &str) -> Vec<(usize, &str, bool)> {
    let mut pieces = Vec::new();
    let (mut start, mut is_string, mut before) = (0, false, ' ');
    for (at, c) in text.char_indices().chain([(text.len(), ';')]) {
        if c == '"' && (is_string || before.is_whitespace()) {
            is_string = !is_string;
        }
        before = c;
        if at < text.len() && (c != ';' || is_string) {
            continue;
        }
        let piece = &text[start..at];
        if !piece.trim().is_empty() {
            let blanks = piece.len() - piece.trim_start().len();
            pieces.push((start + blanks, piece.trim(), is_string));
        }
        start = at + 1;
    }
    pieces
}

/// What follows the two counters that a FEN has there, if they are there.
fn without_counters(text: &str) -> &str {
    let mut rest = text;
    for _ in 0..2 {
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        rest = after.trim_start();
    }
    rest
}

/// A number of moves: less than 0 if the side to move is mated.
fn number(text: &str) -> Option<Told> {
    let (digits, by_mover) = match text.strip_prefix('-') {
        Some(digits) => (digits, false),
        None => (text, true),
    };
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let moves =
        digits.parse().ok().filter(|moves| is_number && (1..=MOST_MOVES).contains(moves))?;
    Some(Told { moves, by_mover })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: &str = "7k/8/5KQ1/8/8/8/8/8 w - -";

    fn told(operations: &str) -> Operations {
        let text = format!("{FIELDS} {operations}");
        read(&text).unwrap_or_else(|error| panic!("{text}: {error}")).1
    }

    #[test]
    fn mates_and_names_are_read() {
        let mate = |moves, by_mover| Some(Told { moves, by_mover });
        for (text, expected) in [
            ("", None),
            ("bm #1;", mate(1, true)),
            ("bm #12", mate(12, true)),
            ("bm #-3; 00:00;", mate(3, false)),
            ("0 1 bm #2;", mate(2, true)),
            ("dm 4; c0 \"bm #7; no\";", mate(4, true)),
            ("dm 4; bm #4;", mate(4, true)),
            ("bm Qg7#; dm 1;", mate(1, true)),
            ("bm Qg7#;", None),
            ("Duals(117); --:--; 00:39 @ C0/R-5; ep; O-O-O; x\u{3000}y;", None),
            (";; bm  #5  ;;", mate(5, true)),
            ("bm #18; 02:50 @ C2; 00'12\" (somebody);", mate(18, true)),
            ("é\";bm #18", mate(18, true)),
        ] {
            assert_eq!(told(text).mate, expected, "{text}");
        }
        let plies = |text: &str| told(text).mate.map(Told::plies);
        assert_eq!(
            (plies("bm #1;"), plies("bm #5;"), plies("bm #-5;")),
            (Some(1), Some(9), Some(10))
        );
        let attacker = |text: &str| told(text).mate.map(|told| told.attacker(Color::White));
        assert_eq!(attacker("bm #5;"), Some(Color::White));
        assert_eq!(attacker("dm -5;"), Some(Color::Black));
        for (text, id) in [
            ("bm #1; id \"a; b\"; c0 \"x\";", Some("a; b")),
            ("id plain;", Some("plain")),
            ("id \"\";", None),
            ("bm #1;", None),
        ] {
            assert_eq!(told(text).id.as_deref(), id, "{text}");
        }
    }

    #[test]
    fn bad_operations_are_named() {
        let mate = |text: &str| OperationFault::Mate(text.into());
        for (text, name, fault) in [
            ("bm #;", "bm", mate("#")),
            ("bm #0;", "bm", mate("#0")),
            ("bm #-0;", "bm", mate("#-0")),
            ("bm #+3;", "bm", mate("#+3")),
            ("bm #x;", "bm", mate("#x")),
            ("bm #5 Qg7;", "bm", mate("#5 Qg7")),
            ("bm #10000;", "bm", mate("#10000")),
            ("bm #99999999999999999999;", "bm", mate("#99999999999999999999")),
            ("dm five;", "dm", mate("five")),
            ("dm #5;", "dm", mate("#5")),
            ("00:00; bm;", "bm", OperationFault::Empty),
            ("dm ;", "dm", OperationFault::Empty),
            ("bm #5; bm #5;", "bm", OperationFault::Twice),
            ("bm #5; dm 4;", "dm", OperationFault::Contradiction),
            ("bm #5; dm -5;", "dm", OperationFault::Contradiction),
            ("bm #5; id \"a;", "id", OperationFault::OpenString),
            ("c0 \"; bm #5;", "c0", OperationFault::OpenString),
        ] {
            let text = format!("{FIELDS} {text}");
            match read(&text) {
                Err(EpdError::Operation { at, name: found, fault: why }) => {
                    assert_eq!((found.as_str(), &why), (name, &fault), "{text}");
                    assert!(text[at..].starts_with(name), "{text} {at}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
        let said = read(&format!("{FIELDS} 0 1 bm #0;")).expect_err("no mate").to_string();
        assert!(
            said.starts_with("byte 30: operation `bm`: `#0` is no mate (`bm #5` or "),
            "{said}"
        );
        assert!(matches!(read("7k/8 w - - bm #1;"), Err(EpdError::Position(_))));
    }
}
