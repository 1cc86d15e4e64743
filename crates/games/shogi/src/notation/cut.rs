//! A text of several records, cut into them.
//!
//! KIF and KI2 have no line that ends a record: collections are files one after the other. A record
//! has one board (or 手合割) and one game, and each line of its header once. So a new one may begin
//! at a line of a header, a comment of the file (`#`) or the top of a board that comes after moves,
//! or after a complete board, or at a line that was there before. Some files put names of players
//! or remarks there, so a part without a board or 手合割 of its own belongs to the record before it;
//! and so does what comes before a line with which that record began, too.
//! CSA has a line `/` between records; of JKF there is one value after the other.
//!
//! Nothing is read here, so a record that cannot be read does not hurt the others; and the parts
//! put together are the text.

use std::collections::HashSet;

use super::numerals::digit;
use super::text::Cursor;
use super::{ki2, kif};

/// A record in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part<'a> {
    /// How many lines of the text come before it.
    pub line: usize,
    /// The record.
    pub text: &'a str,
}

/// The parts that begin at these bytes. What comes before the first belongs to it.
pub(super) fn parts<'a>(text: &'a str, starts: &[usize]) -> Vec<Part<'a>> {
    let mut found = Vec::new();
    let mut begin = 0;
    let mut line = 0;
    for end in starts.iter().skip(1).copied().chain([text.len()]) {
        let part = &text[begin..end];
        found.push(Part { line, text: part });
        line += part.matches('\n').count();
        begin = end;
    }
    found
}

/// What a line of KIF or KI2 is.
enum Line<'a> {
    /// Nothing, or a remark to what comes before it.
    Plain,
    /// A comment of the file.
    Comment,
    /// The numbers above a board, or its edge.
    Edge,
    /// A rank of a board.
    Rank,
    /// A line of a header with this name.
    Header(&'a str),
    /// A move, or what belongs to moves.
    Moves,
}

impl<'a> Line<'a> {
    fn of(number: usize, line: &'a str) -> Line<'a> {
        let mut cursor = Cursor::new(number, line.trim_end());
        cursor.skip_space();
        let rest = cursor.rest();
        match cursor.peek() {
            None | Some('*' | '＊' | '&') => return Line::Plain,
            Some('#') => return Line::Comment,
            Some('+' | '＋') if rest.chars().all(|c| "+-＋－─ー".contains(c)) => {
                return Line::Edge;
            }
            Some('|' | '｜' | '│') => return Line::Rank,
            _ if rest.chars().all(|c| c.is_whitespace() || digit(c).is_some()) => {
                return Line::Edge;
            }
            _ => {}
        }
        let is_of_moves = ["手数-", "手数－", "変化", "まで"].iter().any(|w| rest.starts_with(w));
        if is_of_moves || kif::is_move(&cursor) {
            return Line::Moves;
        }
        match rest.split_once(['：', ':']) {
            Some((name, _)) if !rest.starts_with("手数") => Line::Header(name.trim()),
            _ if ki2::is_move(&cursor) => Line::Moves,
            _ => Line::Plain,
        }
    }
}

/// What is known of the record that is being passed.
#[derive(Default)]
struct Seen<'a> {
    ranks: usize,
    edges_below: usize,
    moves: bool,
    handicap: bool,
    names: HashSet<&'a str>,
    first: Option<&'a str>,
}

impl<'a> Seen<'a> {
    fn has_position(&self) -> bool {
        self.ranks > 0 || self.handicap
    }

    /// Is a position told, and could another record follow?
    fn is_whole(&self) -> bool {
        self.ranks >= 9 || self.moves || self.handicap
    }

    /// Does this line begin another record?
    fn ends_at(&self, line: &Line<'_>) -> bool {
        match *line {
            Line::Plain | Line::Moves => false,
            Line::Comment => self.is_whole(),
            // The edge below the board belongs to it.
            Line::Edge => self.moves || self.ranks >= 9 && self.edges_below > 0,
            Line::Rank => self.ranks >= 9,
            Line::Header(name) => {
                let is_hand = name.ends_with("持駒") || name.ends_with("持ち駒") || name == "手番";
                self.names.contains(name)
                    || self.moves
                    || self.ranks >= 9 && !is_hand && name != "手合割"
            }
        }
    }

    fn add(&mut self, line: &Line<'a>) {
        match *line {
            Line::Plain | Line::Comment => {}
            Line::Edge => self.edges_below += usize::from(self.ranks >= 9),
            Line::Rank => self.ranks += 1,
            Line::Header(name) => {
                self.handicap |= name == "手合割";
                self.names.insert(name);
                self.first = self.first.or(Some(name));
            }
            Line::Moves => self.moves = true,
        }
    }
}

/// Where the records of a text in KIF or KI2 begin.
pub(super) fn kakinoki_starts(text: &str) -> Vec<usize> {
    let mut starts: Vec<usize> = Vec::new();
    let mut seen = Seen::default();
    let mut begin = 0;
    let mut at = 0;
    // How the record before this one began.
    let mut first = None;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let kind = Line::of(number, line.trim_start_matches('\u{feff}'));
        if seen.ends_at(&kind) {
            if seen.has_position() || starts.is_empty() {
                starts.push(begin);
            }
            begin = at;
            first = seen.first.filter(|_| seen.has_position()).or(first);
            seen = Seen::default();
        } else if !starts.is_empty() && !seen.has_position() && seen.first.is_some() {
            // What was passed since is a tail of the record before, if this begins as that did.
            let begins = match kind {
                Line::Header(name) => first == Some(name),
                Line::Comment => true,
                _ => false,
            };
            if begins {
                begin = at;
                seen = Seen::default();
            }
        }
        seen.add(&kind);
        at += line.len();
    }
    if seen.has_position() || starts.is_empty() {
        starts.push(begin);
    }
    starts
}

/// Where the records of a text in CSA begin.
pub(super) fn csa_starts(text: &str) -> Vec<usize> {
    let mut starts = vec![0];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        if line.trim_end() == "/" && !text[at..].trim().is_empty() {
            starts.push(at);
        }
    }
    starts
}

/// Where the records of a text in JKF begin.
pub(super) fn jkf_starts(text: &str) -> Vec<usize> {
    let begin = text.len() - text.trim_start_matches('\u{feff}').len();
    let mut values =
        serde_json::Deserializer::from_str(&text[begin..]).into_iter::<serde::de::IgnoredAny>();
    let mut starts = vec![0];
    while let Some(Ok(_)) = values.next() {
        let end = begin + values.byte_offset();
        let next = text[end..].find(|c: char| !c.is_whitespace());
        match next {
            Some(blank) => starts.push(end + blank),
            None => break,
        }
    }
    starts
}
