//! A position as a picture: SVG text, in the manner of the diagrams of tsume-shogi.
//!
//! Pieces are single kanji, White's upside down; files are numbered above the board and ranks at
//! its right; Black's hand stands at the right and White's at the left, from top to bottom; below
//! the board it says who is to move, in Japanese or in English. Everything is black on white, so that it can be printed, but
//! for the square of the last move. The kanji are text: the viewer's own fonts draw them, and
//! programs can search for them. Sizes are chosen to be readable at the width of a phone.

use std::fmt::{self, Display, Formatter};

use crate::hand::Hand;
use crate::moves::Move;
use crate::notation::hands::{REST, hand_name};
use crate::notation::japanese::{kind_char, move_name};
use crate::notation::numerals::KANJI_DIGITS;
use crate::notation::western;
use crate::piece::{Color, Kind};
use crate::position::Position;
use crate::square::Square;

/// The side of a square; everything else is measured by it.
const CELL: f64 = 44.0;
const BOARD: f64 = 9.0 * CELL;
/// The left and the upper edge of the board.
const LEFT: f64 = 48.0;
const TOP: f64 = 30.0;
/// Room at the right of the board: the ranks, then the hand.
const RIGHT: f64 = 74.0;
/// Room below the board: who is to move.
const BOTTOM: f64 = 40.0;
/// The size of the picture.
pub const WIDTH: f64 = LEFT + BOARD + RIGHT;
/// The size of the picture.
pub const HEIGHT: f64 = TOP + BOARD + BOTTOM;

/// Sizes of letters: on the board, in a hand at most, on the edges, below.
const PIECE: f64 = 36.0;
const HELD: f64 = 26.0;
const EDGE: f64 = 17.0;
const WORDS: f64 = 20.0;
/// A word of five Latin letters fits into the column of a hand.
const NAME: f64 = 14.5;
/// From the middle of a kanji down to its baseline, in parts of its size.
const DROP: f64 = 0.37;

/// Fonts with Japanese glyphs on the usual systems.
const FONTS: &str = "'Noto Serif CJK JP', 'Noto Serif JP', 'Yu Mincho', YuMincho, 'Hiragino Mincho ProN', IPAexMincho, 'MS Mincho', serif";

/// The language of what is written around the board. Pieces are kanji in both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Words {
    /// Japanese, as in books.
    #[default]
    Japanese,
    /// English; ranks are letters, as in the names of moves.
    English,
}

/// A position to be drawn. Its [`Display`] is the SVG document.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    position: &'a Position,
    words: Words,
    rest: Option<Color>,
    /// The last move, with its names in Japanese and in English.
    last: Option<(Square, [String; 2])>,
}

impl<'a> Picture<'a> {
    /// The position, with both hands in full.
    pub fn new(position: &'a Position) -> Picture<'a> {
        Picture { position, words: Words::default(), rest: None, last: None }
    }

    /// With words of this language.
    pub fn with_words(mut self, words: Words) -> Picture<'a> {
        self.words = words;
        self
    }

    /// The hand of this side is written as 残り全部 (all the rest), which it must be.
    pub fn with_rest(mut self, color: Option<Color>) -> Picture<'a> {
        self.rest = color;
        self
    }

    /// Marks the move that led here, which was legal in the position before.
    pub fn with_last(mut self, before: &Position, m: Move) -> Picture<'a> {
        let names = [move_name(before, m, None), western::move_name(before, m)];
        self.last = Some((m.to(), names));
        self
    }

    /// What stands in a hand, from top to bottom: pieces and how many of each.
    fn held(&self, color: Color) -> Vec<String> {
        let hand: Hand = self.position.hand(color);
        match (self.words, self.rest == Some(color)) {
            (Words::English, true) => vec!["the".into(), "rest".into()],
            (Words::English, false) if hand.is_empty() => vec!["none".into()],
            (Words::English, false) => {
                let piece = |(kind, count): (Kind, u8)| {
                    let number = (count > 1).then(|| count.to_string());
                    [Some(kind_char(kind).to_string()), number].into_iter().flatten()
                };
                hand.pieces().flat_map(piece).collect()
            }
            (Words::Japanese, is_rest) => {
                let words = if is_rest { REST.into() } else { hand_name(hand) };
                words.chars().filter(|c| !c.is_whitespace()).map(String::from).collect()
            }
        }
    }

    /// The words below the board.
    fn turn(&self) -> String {
        let (turn, english) = match self.position.turn() {
            Color::Black => ("先手番", "Black to move"),
            Color::White => ("後手番", "White to move"),
        };
        match (&self.last, self.words) {
            (Some((_, [name, _])), Words::Japanese) => format!("{name}まで　{turn}"),
            (Some((_, [_, name])), Words::English) => format!("after {name}: {english}"),
            (None, Words::Japanese) => turn.into(),
            (None, Words::English) => english.into(),
        }
    }

    fn draw_board(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some((square, _)) = self.last {
            let (x, y) = middle(square);
            let (x, y) = (x - CELL / 2.0, y - CELL / 2.0);
            writeln!(
                f,
                r##"<rect class="last" x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="#f6d98b"/>"##
            )?;
        }
        let lines: String = (1..9)
            .map(|i| CELL * f64::from(i))
            .map(|d| format!("M{LEFT} {}h{BOARD}M{} {TOP}v{BOARD}", TOP + d, LEFT + d))
            .collect();
        writeln!(f, r##"<path d="{lines}" fill="none" stroke="#000"/>"##)?;
        writeln!(
            f,
            r##"<rect x="{LEFT}" y="{TOP}" width="{BOARD}" height="{BOARD}" fill="none" stroke="#000" stroke-width="2.5"/>"##
        )?;
        for (file, rank) in [(3.0, 3.0), (6.0, 3.0), (3.0, 6.0), (6.0, 6.0)] {
            let (x, y) = (LEFT + CELL * file, TOP + CELL * rank);
            writeln!(f, r#"<circle cx="{x}" cy="{y}" r="3"/>"#)?;
        }
        for i in 1..=9u8 {
            let along = CELL * (f64::from(i) - 0.5);
            let digit = char::from(b'0' + 10 - i);
            write_at(f, "file", digit, LEFT + along, TOP - 14.0, EDGE)?;
            let rank = match self.words {
                Words::Japanese => KANJI_DIGITS[usize::from(i - 1)],
                Words::English => char::from(b'a' + i - 1),
            };
            write_at(f, "rank", rank, LEFT + BOARD + 14.0, TOP + along, EDGE)?;
        }
        Ok(())
    }

    fn draw_pieces(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // Kanji are drawn as in Japan, whatever the words are.
        writeln!(f, r#"<g lang="ja" xml:lang="ja">"#)?;
        for square in self.position.occupied() {
            let Some(piece) = self.position.piece(square) else { continue };
            let (x, y) = middle(square);
            let (side, turned) = match piece.color() {
                Color::Black => ("black", String::new()),
                Color::White => ("white", format!(r#" transform="rotate(180 {x} {y})""#)),
            };
            writeln!(
                f,
                r#"<text class="piece {side}" data-square="{square}" x="{x}" y="{:.1}" font-size="{PIECE}"{turned}>{}</text>"#,
                y + DROP * PIECE,
                kind_char(piece.kind())
            )?;
        }
        writeln!(f, "</g>")
    }

    /// A side's mark, its name and its hand, from top to bottom.
    fn draw_hand(&self, f: &mut Formatter<'_>, color: Color) -> fmt::Result {
        let (x, class, fill) = match color {
            Color::Black => (WIDTH - 22.0, "black", "#000"),
            Color::White => (22.0, "white", "#fff"),
        };
        let name: &[&str] = match (self.words, color) {
            (Words::Japanese, Color::Black) => &["先", "手"],
            (Words::Japanese, Color::White) => &["後", "手"],
            (Words::English, Color::Black) => &["Black"],
            (Words::English, Color::White) => &["White"],
        };
        writeln!(f, r#"<g class="hand {class}">"#)?;
        writeln!(
            f,
            r##"<path d="M{x} {TOP}l8 5l3 17h-22l3 -17z" fill="{fill}" stroke="#000" stroke-width="1.5"/>"##
        )?;
        let mut y = TOP + 24.0;
        for word in name {
            y += EDGE;
            write_at(f, "name", word, x, y - EDGE / 2.0, fitting(word, EDGE))?;
        }
        y += 8.0;
        let held = self.held(color);
        let size = HELD.min((TOP + BOARD - y) / held.len() as f64);
        for word in held {
            y += size;
            write_at(f, "held", &word, x, y - size / 2.0, fitting(&word, size * 0.94))?;
        }
        writeln!(f, "</g>")
    }
}

/// The size of what stands in the column of a hand: this one, but for words, for which it is too wide.
fn fitting(word: &str, size: f64) -> f64 {
    if word.is_ascii() && word.len() > 2 { size.min(NAME) } else { size }
}

/// The middle of a square.
fn middle(square: Square) -> (f64, f64) {
    let (file, rank) = (f64::from(square.file()), f64::from(square.rank()));
    (LEFT + CELL * (9.5 - file), TOP + CELL * (rank - 0.5))
}

/// A letter or a word around a place.
fn write_at(
    f: &mut Formatter<'_>,
    class: &str,
    word: impl Display,
    x: f64,
    y: f64,
    size: f64,
) -> fmt::Result {
    let y = y + DROP * size;
    writeln!(
        f,
        r#"<text class="{class}" x="{x:.1}" y="{y:.1}" font-size="{size:.1}">{word}</text>"#
    )
}

impl Display for Picture<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let lang = match self.words {
            Words::Japanese => "ja",
            Words::English => "en",
        };
        writeln!(
            f,
            r##"<svg xmlns="http://www.w3.org/2000/svg" lang="{lang}" xml:lang="{lang}" role="img" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" font-family="{FONTS}" text-anchor="middle" fill="#000">"##
        )?;
        writeln!(f, "<title>{}</title>", self.position)?;
        writeln!(f, r##"<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>"##)?;
        self.draw_board(f)?;
        self.draw_pieces(f)?;
        for color in Color::ALL {
            self.draw_hand(f, color)?;
        }
        let (x, y) = (LEFT + BOARD / 2.0, TOP + BOARD + BOTTOM / 2.0 + DROP * WORDS);
        let words = self.turn();
        writeln!(f, r#"<text class="turn" x="{x}" y="{y:.1}" font-size="{WORDS}">{words}</text>"#)?;
        f.write_str("</svg>\n")
    }
}
