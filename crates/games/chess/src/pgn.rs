//! Records of games: Portable Game Notation (PGN), read and written.
//!
//! Read: tags, moves in SAN with or without numbers, comments in braces and after `;`, variations
//! inside variations, numeric annotation glyphs and the signs `!` and `?`, escape lines (`%`),
//! results, a start position in the tag `FEN`, several games in one text. Every move is played by
//! the rules. An error names the game, the line, and for a move its number; reading goes on with
//! the next game.

use std::fmt;

use cozy_chess::{Color, Move};
use thiserror::Error;

use crate::fen::FenError;
use crate::game::{Game, Outcome};
use crate::position::Position;
use crate::san::SanError;

/// The result as a record states it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GameResult {
    /// `1-0`.
    White,
    /// `0-1`.
    Black,
    /// `1/2-1/2`.
    Draw,
    /// `*`: not finished, or not known.
    #[default]
    Unknown,
}

impl GameResult {
    fn of(text: &str) -> Option<GameResult> {
        match text {
            "1-0" => Some(GameResult::White),
            "0-1" => Some(GameResult::Black),
            "1/2-1/2" | "1/2" => Some(GameResult::Draw),
            "*" => Some(GameResult::Unknown),
            _ => None,
        }
    }
}

impl From<Option<Outcome>> for GameResult {
    fn from(outcome: Option<Outcome>) -> GameResult {
        match outcome {
            Some(Outcome::Win { winner: Color::White }) => GameResult::White,
            Some(Outcome::Win { winner: Color::Black }) => GameResult::Black,
            Some(Outcome::Draw(_)) => GameResult::Draw,
            None => GameResult::Unknown,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::White => "1-0",
            GameResult::Black => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        })
    }
}

/// A move with what was written about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move.
    pub m: Move,
    /// Numeric annotation glyphs; 1 to 6 are `!`, `?`, `!!`, `??`, `!?` and `?!`.
    pub glyphs: Vec<u8>,
    /// Comments after the move.
    pub comments: Vec<String>,
    /// What could have been played instead.
    pub variations: Vec<Line>,
}

impl Ply {
    /// A move without remarks.
    pub fn new(m: Move) -> Ply {
        Ply { m, glyphs: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

/// A line of play.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub plies: Vec<Ply>,
}

/// A game with its tags.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// Names and values, in the order they were read. They are written in that of PGN's export format.
    pub tags: Vec<(String, String)>,
    /// Where the game begins.
    pub start: Position,
    /// What was played.
    pub line: Line,
    /// The result.
    pub result: GameResult,
}

impl Record {
    /// A record of what was played, with these tags. The tags `Result`, `SetUp` and `FEN` are
    /// written by themselves.
    pub fn of(game: &Game, tags: &[(&str, &str)], result: GameResult) -> Record {
        Record {
            tags: tags.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect(),
            start: game.start().clone(),
            line: Line {
                comments: Vec::new(),
                plies: game.moves().iter().map(|&m| Ply::new(m)).collect(),
            },
            result,
        }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The moves of the game, without variations.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.line.plies.iter().map(|ply| ply.m)
    }

    /// The game, without variations.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start.clone());
        self.moves().for_each(|m| game.play(m));
        game
    }
}

/// A record that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("game {game}, line {line}: {reason}")]
pub struct PgnError {
    /// The game, from 1.
    pub game: usize,
    /// The line of the text, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: PgnReason,
}

/// What is wrong with a record.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PgnReason {
    /// A move that cannot be played.
    #[error("move {number}: {error}")]
    Move {
        /// Its number, as in `12.` or `12...`.
        number: String,
        /// Why not.
        error: Box<SanError>,
    },
    /// A tag that is not `[Name "value"]`.
    #[error("a tag must look like [Name \"value\"]")]
    Tag,
    /// A start position that cannot be read.
    #[error("the tag FEN: {0}")]
    Fen(FenError),
    /// A `{` without its `}`.
    #[error("the comment that begins here does not end; `}}` is missing")]
    Comment,
    /// A `(` before any move, or a `)` without `(`.
    #[error("`{0}` does not belong here")]
    Stray(char),
    /// A `(` without its `)`.
    #[error("the game ends inside a variation; `)` is missing")]
    Variation,
    /// Too many variations inside each other.
    #[error("variations are nested more than {MOST_NESTED} deep")]
    Nested,
    /// A `$` without a number from 0 to 255.
    #[error("`{0}` is no annotation glyph; $0 to $255 are")]
    Glyph(String),
}

/// So many variations may be nested.
const MOST_NESTED: usize = 200;

/// The Seven Tag Roster: tags that stand before all others, in this order.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

const SIGNS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// The games of a text, each read when it is asked for.
pub fn read(text: &str) -> Reader<'_> {
    Reader { text, at: 0, game: 0 }
}

/// Reads all games of a text; the first error ends it.
pub fn read_all(text: &str) -> Result<Vec<Record>, PgnError> {
    read(text).collect()
}

/// Reads one game after the other.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
    game: usize,
}

/// A piece of a record.
#[derive(Debug, PartialEq)]
enum Token<'a> {
    Tag,
    Comment(&'a str),
    Open,
    Close,
    Word(&'a str),
    Stray(char),
}

/// A line being read, and where it has come to.
struct Open {
    line: Line,
    position: Position,
    before_last: Option<Position>,
}

impl Open {
    fn at(position: Position) -> Open {
        Open { line: Line::default(), position, before_last: None }
    }

    fn comment(&mut self, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match self.line.plies.last_mut() {
            Some(ply) => ply.comments.push(text),
            None => self.line.comments.push(text),
        }
    }

    fn play(&mut self, text: &str) -> Result<(), PgnReason> {
        let m = self.position.parse_san(text).map_err(|error| {
            let board = self.position.board();
            let dots = if board.side_to_move() == Color::White { "." } else { "..." };
            PgnReason::Move {
                number: format!("{}{dots}", board.fullmove_number()),
                error: Box::new(error),
            }
        })?;
        let next = self.position.after(m);
        self.before_last = Some(std::mem::replace(&mut self.position, next));
        self.line.plies.push(Ply::new(m));
        Ok(())
    }

    fn glyph(&mut self, glyph: u8) {
        if let Some(ply) = self.line.plies.last_mut() {
            ply.glyphs.push(glyph);
        }
    }

    /// A word of the movetext: a number, a move, a sign, or several of these without a blank.
    fn word(&mut self, word: &str) -> Result<(), PgnReason> {
        if let Some(number) = word.strip_prefix('$') {
            let glyph = number.parse().map_err(|_| PgnReason::Glyph(word.to_owned()))?;
            self.glyph(glyph);
            return Ok(());
        }
        let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let text = match digits.strip_prefix('.') {
            Some(rest) => rest.trim_start_matches('.'),
            None if digits.is_empty() => "",
            None => word,
        };
        let text = text.trim_start_matches('.');
        if text.is_empty() || text == "e.p." {
            return Ok(());
        }
        let m = text.trim_end_matches(['!', '?']);
        if !m.is_empty() {
            self.play(m)?;
        }
        if let Some(sign) = SIGNS.iter().position(|sign| *sign == &text[m.len()..]) {
            self.glyph(sign as u8 + 1);
        }
        Ok(())
    }
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn is_at_line_start(&self) -> bool {
        self.at == 0 || self.text[..self.at].ends_with('\n')
    }

    fn skip_line(&mut self) -> &'a str {
        let rest = self.rest();
        let line = rest.split('\n').next().unwrap_or_default();
        self.at += line.len();
        line
    }

    /// Goes over white space and escape lines.
    fn skip_blank(&mut self) {
        loop {
            let rest = self.rest();
            if rest.starts_with('%') && self.is_at_line_start() {
                self.skip_line();
                continue;
            }
            match rest.chars().next() {
                Some(c) if c.is_whitespace() || c == '\u{feff}' => self.at += c.len_utf8(),
                _ => return,
            }
        }
    }

    /// The next token and where it begins. A tag is only pointed at.
    fn token(&mut self) -> Result<Option<(usize, Token<'a>)>, (usize, PgnReason)> {
        self.skip_blank();
        let (start, rest) = (self.at, self.rest());
        let Some(first) = rest.chars().next() else { return Ok(None) };
        let token = match first {
            '[' => Token::Tag,
            '{' => {
                let end = rest.find('}').ok_or((start, PgnReason::Comment))?;
                self.at += end + 1;
                Token::Comment(&rest[1..end])
            }
            ';' => Token::Comment(&self.skip_line()[1..]),
            '(' => {
                self.at += 1;
                Token::Open
            }
            ')' => {
                self.at += 1;
                Token::Close
            }
            '}' | ']' | '<' | '>' | '"' => {
                self.at += 1;
                Token::Stray(first)
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || "(){}[];<>\"".contains(c);
                let mut end = rest.find(ends).unwrap_or(rest.len());
                // `e8(Q)` is a move.
                if let Some(inside @ ("(Q)" | "(R)" | "(B)" | "(N)")) = rest.get(end..end + 3) {
                    end += inside.len();
                }
                // So is `Nf3$1` a move and a glyph.
                if let Some((glyph, _)) =
                    rest[..end].char_indices().skip(1).find(|&(_, c)| c == '$')
                {
                    end = glyph;
                }
                self.at += end;
                Token::Word(&rest[..end])
            }
        };
        Ok(Some((start, token)))
    }

    fn tag(&mut self) -> Result<(String, String), (usize, PgnReason)> {
        let (start, rest) = (self.at, self.rest());
        let bad = || (start, PgnReason::Tag);
        let quote = rest.find('"').ok_or_else(bad)?;
        let name = rest[1..quote].trim();
        if name.is_empty() || name.contains(char::is_whitespace) || name.contains(']') {
            return Err(bad());
        }
        let mut value = String::new();
        let mut letters = rest[quote + 1..].char_indices();
        let end = loop {
            match letters.next().ok_or_else(bad)? {
                (at, '"') => break quote + 1 + at + 1,
                (_, '\\') => value.push(letters.next().ok_or_else(bad)?.1),
                (_, '\n') => return Err(bad()),
                (_, letter) => value.push(letter),
            }
        };
        let close = rest[end..].find(|c: char| !c.is_whitespace()).ok_or_else(bad)?;
        if !rest[end + close..].starts_with(']') {
            return Err(bad());
        }
        self.at += end + close + 1;
        Ok((name.to_owned(), value))
    }

    fn read_game(&mut self) -> Result<Record, (usize, PgnReason)> {
        let mut tags = Vec::new();
        let mut start = Position::start();
        while self.rest().starts_with('[') {
            let at = self.at;
            let (name, value) = self.tag()?;
            if name == "FEN" {
                start = Position::from_fen(&value).map_err(|error| (at, PgnReason::Fen(error)))?;
            }
            tags.push((name, value));
            self.skip_blank();
        }
        let mut lines = vec![Open::at(start.clone())];
        let result = self.read_moves(&mut lines)?;
        let line = match (lines.pop(), lines.is_empty()) {
            (Some(open), true) => open.line,
            _ => return Err((self.at, PgnReason::Variation)),
        };
        let of_tag = || tags.iter().find(|(name, _)| name == "Result");
        let of_tag = || of_tag().and_then(|(_, value)| GameResult::of(value)).unwrap_or_default();
        let result = result.unwrap_or_else(of_tag);
        Ok(Record { tags, start, line, result })
    }

    /// Reads moves until the result, the next game's tags, or the end.
    fn read_moves(
        &mut self,
        lines: &mut Vec<Open>,
    ) -> Result<Option<GameResult>, (usize, PgnReason)> {
        while let Some((at, token)) = self.token()? {
            let depth = lines.len();
            let Some(open) = lines.last_mut() else { break };
            match token {
                Token::Tag if depth == 1 => return Ok(None),
                Token::Tag => return Err((at, PgnReason::Variation)),
                Token::Comment(text) => open.comment(text),
                Token::Stray(letter) => return Err((at, PgnReason::Stray(letter))),
                Token::Open => {
                    let before = open.before_last.clone();
                    let before = before.ok_or((at, PgnReason::Stray('(')))?;
                    if depth > MOST_NESTED {
                        return Err((at, PgnReason::Nested));
                    }
                    lines.push(Open::at(before));
                }
                Token::Close => {
                    let line = lines.pop().map(|open| open.line).unwrap_or_default();
                    let above = lines.last_mut().and_then(|above| above.line.plies.last_mut());
                    above.ok_or((at, PgnReason::Stray(')')))?.variations.push(line);
                }
                Token::Word(word) => match GameResult::of(word) {
                    Some(result) if depth == 1 => return Ok(Some(result)),
                    // Some programs end a variation with a result.
                    Some(_) => {}
                    None => open.word(word).map_err(|reason| (at, reason))?,
                },
            }
        }
        Ok(None)
    }

    /// After an error: goes on to the first tag of the next game, which follows an empty line.
    fn skip_game(&mut self, from: usize) {
        self.at = self.at.max(from);
        let mut empty = false;
        while self.at < self.text.len() {
            let line = self.skip_line();
            let is_tag = line.starts_with('[');
            if is_tag && empty {
                self.at -= line.len();
                return;
            }
            // Tags follow each other without empty lines; movetext comes between two games.
            empty = line.trim().is_empty();
            self.at = (self.at + 1).min(self.text.len());
        }
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<Record, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_blank();
        if self.rest().is_empty() {
            return None;
        }
        self.game += 1;
        Some(self.read_game().map_err(|(at, reason)| {
            self.skip_game(at);
            let line = self.text[..at].matches('\n').count() + 1;
            PgnError { game: self.game, line, reason }
        }))
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (result, fen) = (self.result.to_string(), self.start.fen());
        let own = |name: &str| matches!(name, "Result" | "SetUp" | "FEN");
        let given = self.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let mut tags: Vec<(&str, &str)> = given.filter(|(name, _)| !own(name)).collect();
        tags.push(("Result", &result));
        if fen != Position::start().fen() {
            tags.extend([("SetUp", "1"), ("FEN", &fen)]);
        }
        // The roster first, then the others by their names.
        let place = |name: &str| ROSTER.iter().position(|known| *known == name);
        tags.sort_by_key(|&(name, _)| (place(name).unwrap_or(ROSTER.len()), name));
        for (name, value) in tags {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{}\"]", value.replace(['\n', '\r'], " "))?;
        }
        let mut words = Vec::new();
        write_line(&self.line, &self.start, &mut words);
        words.push(self.result.to_string());
        write!(f, "\n{}\n", wrap(&words))
    }
}

fn write_comments(comments: &[String], words: &mut Vec<String>) {
    for comment in comments {
        // A brace would end the comment.
        let text = format!("{{{}}}", comment.replace('}', ")"));
        words.extend(text.split_whitespace().map(str::to_owned));
    }
}

fn write_line(line: &Line, start: &Position, words: &mut Vec<String>) {
    write_comments(&line.comments, words);
    let mut position = start.clone();
    let mut needs_number = true;
    for ply in &line.plies {
        let board = position.board();
        let white = board.side_to_move() == Color::White;
        if white {
            words.push(format!("{}.", board.fullmove_number()));
        } else if needs_number {
            words.push(format!("{}...", board.fullmove_number()));
        }
        words.push(position.san(ply.m));
        words.extend(ply.glyphs.iter().map(|glyph| format!("${glyph}")));
        write_comments(&ply.comments, words);
        for variation in &ply.variations {
            let first = words.len();
            write_line(variation, &position, words);
            match words.get_mut(first) {
                Some(word) => word.insert(0, '('),
                None => words.push("(".into()),
            }
            if let Some(word) = words.last_mut() {
                word.push(')');
            }
        }
        needs_number = !ply.comments.is_empty() || !ply.variations.is_empty();
        position.play(ply.m);
    }
}

/// Lines of at most 80 characters where the words allow it.
fn wrap(words: &[String]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        let length = word.chars().count();
        // An escape line begins with `%`.
        if width > 0 && (width + 1 + length <= 80 || word.starts_with('%')) {
            text.push(' ');
            width += 1;
        } else if width > 0 {
            text.push('\n');
            width = 0;
        }
        text.push_str(word);
        width += length;
    }
    text
}
