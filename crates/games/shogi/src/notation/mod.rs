//! Notation: positions and games as people and programs write them, read and written.
//!
//! | format | what it is | variations | encoding |
//! |---|---|---|---|
//! | SFEN | a line of ASCII, as in USI | no | ASCII |
//! | KIF | one move a line, in Japanese; most problems are in it | yes | Shift_JIS or UTF-8 |
//! | KI2 | moves as people write them | yes | Shift_JIS or UTF-8 |
//! | CSA | two letters a piece; tournaments of programs | no | any |
//! | JKF | KIF in JSON | yes | UTF-8 |
//!
//! [`read`] takes the bytes of a file and finds out the rest. What it gives back is a [`Record`]: a
//! position that can be (see [`Position::validate`]), and a tree of legal moves. Whoever reads a
//! problem wants [`Record::position`].

mod csa;
mod cut;
pub mod diagram;
mod disambiguation;
mod encoding;
mod error;
pub mod hands;
pub mod japanese;
mod jkf;
mod kakinoki;
mod ki2;
mod kif;
pub(crate) mod numerals;
mod record;
mod setup;
mod text;
pub mod western;
pub mod written;

use std::fmt;

use crate::position::Position;

pub use cut::Part;
pub use encoding::{Encoding, Unencodable, decode, encode};
pub use error::{BrokenRule, CsaReason, JkfReason, KifReason, MoveReason, ReadError, ReadReason};
pub use record::{Ending, Node, NodeId, Record, Step, Tree};

/// A format of records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Format {
    /// SFEN, or a `position` command of USI.
    Sfen,
    /// KIF, or a board alone as KIF draws it (BOD).
    Kif,
    /// KI2.
    Ki2,
    /// CSA.
    Csa,
    /// JSON Kifu Format.
    Jkf,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 5] = [Format::Sfen, Format::Kif, Format::Ki2, Format::Csa, Format::Jkf];
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Sfen => "SFEN",
            Format::Kif => "KIF",
            Format::Ki2 => "KI2",
            Format::Csa => "CSA",
            Format::Jkf => "JKF",
        })
    }
}

/// The format that a text seems to be in.
pub fn recognise(text: &str) -> Option<Format> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('{') {
        return Some(Format::Jkf);
    }
    let mut seen = None;
    for (number, line) in text::lines(text) {
        let line = line.trim_end();
        let mut cursor = text::Cursor::new(number, line);
        cursor.skip_space();
        let rest = cursor.rest();
        let first = rest.split_whitespace().next().unwrap_or_default();
        if matches!(first, "position" | "sfen" | "startpos") || is_sfen_board(first) {
            return Some(Format::Sfen);
        }
        if rest.starts_with("#KI2") {
            return Some(Format::Ki2);
        }
        if matches!(cursor.peek(), None | Some('#' | '*' | '&')) {
            seen = seen.or(rest.starts_with("#KIF").then_some(Format::Kif));
            continue;
        }
        if kif::is_move(&cursor) && !is_numbers(rest) || rest.starts_with("手数-") {
            return Some(Format::Kif);
        }
        if csa::is_csa(line) {
            return Some(Format::Csa);
        }
        if rest.starts_with(['|', '｜']) || rest.contains(['：', ':']) || rest.ends_with("手番")
        {
            seen = Some(Format::Kif);
        } else if ki2::is_move(&cursor) {
            return Some(Format::Ki2);
        }
    }
    seen
}

/// Cuts a text into its records. A text of one record, and one in SFEN or in no format at all, is
/// one part; the parts put together are the text.
pub fn cut(text: &str) -> Vec<Part<'_>> {
    let starts = match recognise(text) {
        Some(Format::Kif | Format::Ki2) => cut::kakinoki_starts(text),
        Some(Format::Csa) => cut::csa_starts(text),
        Some(Format::Jkf) => cut::jkf_starts(text),
        Some(Format::Sfen) | None => Vec::new(),
    };
    cut::parts(text, &starts)
}

/// The line of numbers above a board is no move.
fn is_numbers(line: &str) -> bool {
    line.chars().all(|c| c.is_whitespace() || numerals::digit(c).is_some())
}

/// Nine ranks with strokes between them?
fn is_sfen_board(word: &str) -> bool {
    word.is_ascii() && word.matches('/').count() >= 4 && !word.contains(':')
}

/// Reads a file, whatever it is.
pub fn read(bytes: &[u8]) -> Result<Record, ReadError> {
    read_and_tell(bytes).map(|(record, ..)| record)
}

/// Reads a file, and tells its format and its encoding.
pub fn read_and_tell(bytes: &[u8]) -> Result<(Record, Format, Encoding), ReadError> {
    let (text, encoding) = decode(bytes)?;
    let (record, format) = parse_and_tell(&text)?;
    Ok((record, format, encoding))
}

/// Reads a text, whatever it is.
pub fn parse(text: &str) -> Result<Record, ReadError> {
    parse_and_tell(text).map(|(record, _)| record)
}

fn parse_and_tell(text: &str) -> Result<(Record, Format), ReadError> {
    if text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').is_empty() {
        return Err(ReadError::at((0, 0), ReadReason::Nothing));
    }
    let format = recognise(text).ok_or_else(|| {
        let line = text::lines(text).find(|(_, line)| !line.trim().is_empty());
        ReadError::at((line.map_or(0, |(at, _)| at), 0), ReadReason::Format)
    })?;
    Ok((parse_as(text, format)?, format))
}

/// Reads a text in this format.
pub fn parse_as(text: &str, format: Format) -> Result<Record, ReadError> {
    let text = text.trim_start_matches('\u{feff}');
    match format {
        Format::Sfen => read_sfen(text),
        Format::Kif => kif::read(text),
        Format::Ki2 => ki2::read(text),
        Format::Csa => csa::read(text),
        Format::Jkf => jkf::read(text),
    }
}

fn read_sfen(text: &str) -> Result<Record, ReadError> {
    let fault = |at: usize, reason: ReadReason| {
        let byte = text.char_indices().nth(at).map_or(text.len(), |(byte, _)| byte);
        ReadError::at_byte(text, byte, reason)
    };
    let (position, moves) =
        Position::parse_with_moves(text).map_err(|error| fault(error.at, error.fault.into()))?;
    let mut at = position.clone();
    for &(place, m) in &moves {
        if !at.is_legal(m) {
            let (written, reason) = (Some(m.to_string()), written::why_illegal(&at, m));
            return Err(fault(place, ReadReason::Move { number: None, written, reason }));
        }
        at.play(m);
    }
    Ok(Record::from_moves(position, moves.into_iter().map(|(_, m)| m), None))
}

/// Writes a record. SFEN and CSA hold only its main line; SFEN holds no words at all and KI2 no
/// times.
pub fn write(record: &Record, format: Format) -> String {
    match format {
        Format::Sfen => {
            let mut text = format!("sfen {}", record.position);
            let moves = record.main_line();
            if !moves.is_empty() {
                text += " moves";
            }
            moves.iter().for_each(|m| text += &format!(" {m}"));
            text + "\n"
        }
        Format::Kif => kif::write(record),
        Format::Ki2 => ki2::write(record),
        Format::Csa => csa::write(record),
        Format::Jkf => jkf::write(record) + "\n",
    }
}
