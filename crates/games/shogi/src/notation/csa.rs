//! CSA, the format of the Computer Shogi Association, versions 2 and 3: ASCII, one statement a
//! line. It has no variations, so only the main line of a record is written.

use crate::hand::Hand;
use crate::moves::Move;
use crate::piece::{Color, Kind, Piece};
use crate::position::Position;
use crate::square::Square;
use crate::validate::Illegal;

use super::error::{CsaReason, MoveReason, ReadError, ReadReason};
use super::hands::pieces_left;
use super::record::{Ending, Path, Record, Step};
use super::setup;
use super::text::{self, Cursor};
use super::written::why_illegal;

/// The two letters of every kind.
const LETTERS: [(Kind, &str); 14] = [
    (Kind::PAWN, "FU"),
    (Kind::LANCE, "KY"),
    (Kind::KNIGHT, "KE"),
    (Kind::SILVER, "GI"),
    (Kind::GOLD, "KI"),
    (Kind::BISHOP, "KA"),
    (Kind::ROOK, "HI"),
    (Kind::KING, "OU"),
    (Kind::PRO_PAWN, "TO"),
    (Kind::PRO_LANCE, "NY"),
    (Kind::PRO_KNIGHT, "NK"),
    (Kind::PRO_SILVER, "NG"),
    (Kind::HORSE, "UM"),
    (Kind::DRAGON, "RY"),
];

/// The letters of a kind.
pub(super) fn letters(kind: Kind) -> &'static str {
    LETTERS.iter().find(|row| row.0 == kind).map_or("FU", |row| row.1)
}

/// The kind of some letters.
pub(super) fn kind_of(letters: &str) -> Option<Kind> {
    LETTERS.iter().find(|row| row.1 == letters).map(|row| row.0)
}

/// Names of the header in CSA and in KIF.
const NAMES: [(&str, &str); 7] = [
    ("EVENT", "棋戦"),
    ("SITE", "場所"),
    ("START_TIME", "開始日時"),
    ("END_TIME", "終了日時"),
    ("TIME_LIMIT", "持ち時間"),
    ("OPENING", "戦型"),
    ("TITLE", "表題"),
];

/// Does the line begin a text in CSA?
pub(super) fn is_csa(line: &str) -> bool {
    let bytes = line.as_bytes();
    match bytes {
        [b'V', b'0'..=b'9', ..] | [b'N', b'+' | b'-', ..] | [b'\'', ..] => true,
        [b'P', b'I'] | [b'P', b'+' | b'-', ..] => true,
        [b'P', b'I', b'1'..=b'9', ..] | [b'P', b'1'..=b'9', ..] => true,
        [b'$', ..] => line.contains(':'),
        [b'+' | b'-'] => true,
        [b'+' | b'-', b'0'..=b'9', b'0'..=b'9', ..] => true,
        _ => false,
    }
}

/// What stands before the moves.
#[derive(Default)]
struct Setup {
    position: Option<Position>,
    /// The side that gets all that is left.
    rest: Option<Color>,
    turn: Option<Color>,
    /// Where the position begins.
    place: Option<(usize, usize)>,
}

/// Reads a text in CSA.
pub fn read(text: &str) -> Result<Record, ReadError> {
    let mut setup = Setup::default();
    let mut record = Record::new(Position::empty());
    let mut path: Option<Path> = None;
    for (number, line) in text::lines(text) {
        let mut cursor = Cursor::new(number, line);
        match cursor.peek() {
            Some('\'') => {
                cursor.next();
                comment(cursor, &mut record, path.as_ref());
                continue;
            }
            Some('N' | '$') => {
                header(cursor, &mut record)?;
                continue;
            }
            Some('/') if line.trim_end() == "/" => {
                let more = text::lines(text).skip(number + 1).any(|(_, l)| !l.trim().is_empty());
                if more {
                    return Err(cursor.error(CsaReason::SecondRecord));
                }
                continue;
            }
            _ => {}
        }
        // Several statements may stand in a line, with commas between them.
        loop {
            cursor.skip_space();
            statement(&mut cursor, &mut setup, &mut record, &mut path)?;
            cursor.skip_space();
            if !cursor.eat(",") {
                break;
            }
        }
        if cursor.peek().is_some() {
            return Err(cursor.error(CsaReason::Unexpected(cursor.word().into())));
        }
    }
    if path.is_none() {
        record.position = setup.finish(None)?;
    }
    Ok(record)
}

fn comment(mut cursor: Cursor, record: &mut Record, path: Option<&Path>) {
    if cursor.rest().starts_with("CSA encoding=") {
        return;
    }
    cursor.eat("*");
    let comments = match path.and_then(Path::node) {
        Some(node) => &mut record.tree.node_mut(node).comments,
        None => &mut record.comments,
    };
    comments.push(cursor.rest().trim_end().into());
}

fn header(mut cursor: Cursor, record: &mut Record) -> Result<(), ReadError> {
    let name = match cursor.next() {
        Some('N') if cursor.eat("+") => "先手",
        Some('N') if cursor.eat("-") => "後手",
        Some('$') => {
            let name = cursor.rest().split(':').next().unwrap_or_default();
            cursor.eat(name);
            if !cursor.eat(":") {
                return Err(cursor.error(CsaReason::Header));
            }
            NAMES.iter().find(|row| row.0 == name).map_or(name, |row| row.1)
        }
        _ => return Err(cursor.error(CsaReason::Player)),
    };
    let value = cursor.rest().trim();
    if !value.is_empty() {
        record.header.push((name.into(), value.into()));
    }
    Ok(())
}

fn statement(
    cursor: &mut Cursor,
    setup: &mut Setup,
    record: &mut Record,
    path: &mut Option<Path>,
) -> Result<(), ReadError> {
    let start = cursor.clone();
    let rest = cursor.rest().trim_end();
    match cursor.next() {
        None => Ok(()),
        Some('V') => {
            while cursor.peek().is_some_and(|c| c.is_ascii_digit() || c == '.') {
                cursor.next();
            }
            Ok(())
        }
        Some('P') if path.is_some() => Err(start.error(CsaReason::LatePosition)),
        Some('P') => setup.part(cursor, &start),
        Some('T') => {
            let seconds = cursor.number();
            // Parts of a second do not count.
            if cursor.eat(".") {
                cursor.number();
            }
            if let Some(node) = path.as_ref().and_then(Path::node) {
                record.tree.node_mut(node).seconds = seconds;
            }
            Ok(())
        }
        Some('+' | '-') if rest.len() == 1 => {
            if path.is_some() {
                return Err(start.error(CsaReason::LateTurn));
            }
            setup.turn = side(rest.chars().next());
            Ok(())
        }
        Some(sign @ ('+' | '-')) => {
            let color = side(Some(sign)).unwrap_or(Color::Black);
            let path = begin(setup, record, path, Some(color))?;
            let m = scan_move(cursor, &start, color, &path.position)?;
            if path.has_ended(&record.tree) {
                return Err(start.error(ReadReason::AfterEnd));
            }
            path.go(&mut record.tree, Step::Move(m));
            Ok(())
        }
        Some('%') => {
            let path = begin(setup, record, path, None)?;
            let word: String = cursor.rest().chars().take_while(|&c| is_word(c)).collect();
            let ending = Ending::from_csa(&word, path.position.turn());
            let ending = ending.ok_or_else(|| start.error(CsaReason::Ending(word.clone())))?;
            cursor.eat(&word);
            if path.has_ended(&record.tree) {
                return Err(start.error(CsaReason::EndsTwice));
            }
            path.go(&mut record.tree, Step::End(ending));
            Ok(())
        }
        Some(_) => Err(start.error(CsaReason::Statement(start.word().into()))),
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_+-".contains(c)
}

fn side(sign: Option<char>) -> Option<Color> {
    match sign {
        Some('+') => Some(Color::Black),
        Some('-') => Some(Color::White),
        _ => None,
    }
}

/// The path, which begins with the first move.
fn begin<'a>(
    setup: &mut Setup,
    record: &mut Record,
    path: &'a mut Option<Path>,
    first: Option<Color>,
) -> Result<&'a mut Path, ReadError> {
    if path.is_none() {
        record.position = std::mem::take(setup).finish(Some(first))?;
    }
    Ok(path.get_or_insert_with(|| Path::new(record.position.clone(), None)))
}

/// A square of two digits; none for 00.
fn scan_square(cursor: &mut Cursor) -> Result<Option<Square>, ReadError> {
    let start = cursor.clone();
    let mut digit = || cursor.next_as(|c| c.to_digit(10)).map(|digit| digit as u8);
    match (digit(), digit()) {
        (Some(0), Some(0)) => Ok(None),
        (Some(file), Some(rank)) => Square::new(file, rank)
            .map(Some)
            .ok_or_else(|| start.error(CsaReason::NoSquare { file, rank })),
        _ => Err(start.error(CsaReason::Square)),
    }
}

fn scan_letters<'a>(cursor: &mut Cursor<'a>) -> &'a str {
    let rest = cursor.rest();
    let letters = rest.get(..2).filter(|two| two.is_ascii()).unwrap_or_default();
    cursor.eat(letters);
    letters
}

fn scan_kind(cursor: &mut Cursor) -> Result<Kind, ReadError> {
    let start = cursor.clone();
    let letters = scan_letters(cursor);
    kind_of(letters).ok_or_else(|| start.error(CsaReason::Piece(letters.into())))
}

/// Takes the move after its sign.
fn scan_move(
    cursor: &mut Cursor,
    start: &Cursor,
    color: Color,
    position: &Position,
) -> Result<Move, ReadError> {
    let (from, to) = (scan_square(cursor)?, scan_square(cursor)?);
    let kind = scan_kind(cursor)?;
    let name = start.up_to(cursor);
    let fault = |reason: MoveReason| {
        start.error(ReadReason::Move { number: None, written: Some(name.into()), reason })
    };
    let to = to.ok_or_else(|| fault(MoveReason::ToHand))?;
    if color != position.turn() {
        return Err(fault(MoveReason::OtherSide));
    }
    let m = match from {
        None if !Kind::HAND.contains(&kind) => {
            return Err(fault(MoveReason::NeverInHand(kind)));
        }
        None => Move::drop(kind, to),
        Some(from) => match position.piece(from).filter(|piece| piece.color() == color) {
            None => return Err(fault(MoveReason::NoOwnPiece(from))),
            Some(piece) if piece.kind() == kind => Move::new(from, to, false),
            Some(piece) if piece.kind().can_promote() && piece.kind().promoted() == kind => {
                Move::new(from, to, true)
            }
            Some(piece) => {
                let there = piece.kind();
                return Err(fault(MoveReason::OtherKind { square: from, there, said: kind }));
            }
        },
    };
    match position.is_legal(m) {
        true => Ok(m),
        false => Err(fault(why_illegal(position, m))),
    }
}

impl Setup {
    /// A part of the position, after its P.
    fn part(&mut self, cursor: &mut Cursor, start: &Cursor) -> Result<(), ReadError> {
        self.place.get_or_insert(start.place());
        match cursor.next() {
            Some('I') => {
                let mut position = Position::start();
                while cursor.peek().is_some_and(|c| c.is_ascii_digit()) {
                    let place = cursor.clone();
                    let (square, kind) = (scan_square(cursor)?, scan_kind(cursor)?);
                    let there = square.and_then(|square| position.piece(square));
                    match (square, there) {
                        (Some(square), Some(piece)) if piece.kind() == kind => {
                            position.set(square, None);
                        }
                        _ => return Err(place.error(CsaReason::TakenAway)),
                    }
                }
                self.position = Some(position);
                Ok(())
            }
            Some(rank @ '1'..='9') => self.rank(cursor, rank as u8 - b'0'),
            Some(sign @ ('+' | '-')) => {
                self.pieces(cursor, side(Some(sign)).unwrap_or(Color::Black))
            }
            _ => Err(start.error(CsaReason::Position)),
        }
    }

    fn rank(&mut self, cursor: &mut Cursor, rank: u8) -> Result<(), ReadError> {
        for file in (1..=9).rev() {
            while cursor.peek() == Some(' ') {
                cursor.next();
            }
            if cursor.eat("*") {
                continue;
            }
            let place = cursor.clone();
            let color = side(cursor.next()).ok_or_else(|| place.error(CsaReason::Rank(rank)))?;
            let kind = scan_kind(cursor)?;
            self.put(&place, Square::new(file, rank), Piece::new(color, kind))?;
        }
        Ok(())
    }

    fn pieces(&mut self, cursor: &mut Cursor, color: Color) -> Result<(), ReadError> {
        while cursor.peek().is_some_and(|c| c.is_ascii_digit()) {
            let place = cursor.clone();
            let square = scan_square(cursor)?;
            if square.is_none() && cursor.eat("AL") {
                if self.rest.is_some() {
                    return Err(place.error(ReadReason::TwoRests));
                }
                self.rest = Some(color);
                continue;
            }
            let kind = scan_kind(cursor)?;
            self.put(&place, square, Piece::new(color, kind))?;
        }
        Ok(())
    }

    /// Puts a piece on a square, or into the hand.
    fn put(&mut self, at: &Cursor, square: Option<Square>, piece: Piece) -> Result<(), ReadError> {
        let position = self.position.get_or_insert_with(Position::empty);
        let (color, kind) = (piece.color(), piece.kind());
        match square {
            Some(square) if position.piece(square).is_some() => {
                Err(at.error(CsaReason::Occupied(square)))
            }
            Some(_) if kind == Kind::KING && position.king(color).is_some() => {
                Err(at.error(Illegal::TwoKings(color)))
            }
            Some(square) => {
                position.set(square, Some(piece));
                Ok(())
            }
            None if !Kind::HAND.contains(&kind) => Err(at.error(CsaReason::NeverInHand(kind))),
            None => {
                let hand = position.hand(color);
                if hand.count(kind) >= Kind::SET[kind.index()] {
                    return Err(at.error(CsaReason::TooManyInHand(kind)));
                }
                position.set_hand(color, hand.plus(kind));
                Ok(())
            }
        }
    }

    /// The position. `first` is there if moves follow; in it is the side of the first one.
    fn finish(self, first: Option<Option<Color>>) -> Result<Position, ReadError> {
        let place = self.place.unwrap_or_default();
        let mut position = match (self.position, first) {
            (Some(position), _) => position,
            (None, _) if self.rest.is_some() => Position::empty(),
            (None, Some(_)) => Position::start(),
            (None, None) => return Err(ReadError::at(place, CsaReason::NoPosition)),
        };
        let turn = self.turn.or(first.flatten()).unwrap_or(Color::Black);
        position.set_turn(turn);
        if let Some(color) = self.rest {
            let more = pieces_left(&position);
            let hand = Kind::HAND.into_iter().fold(position.hand(color), |hand, kind| {
                hand.with(kind, hand.count(kind) + more.count(kind))
            });
            position.set_hand(color, hand);
        }
        position.validate().map_err(|illegal| ReadError::at(place, illegal))?;
        Ok(position)
    }
}

/// Writes the main line of a record in CSA 2.2.
pub fn write(record: &Record) -> String {
    let mut text = String::from("V2.2\n");
    for (name, value) in &record.header {
        let one_line = |text: &str| text.split(['\n', '\r']).collect::<Vec<_>>().join(" ");
        let (name, value) = (one_line(name), one_line(value));
        match name.as_str() {
            "先手" | "下手" => text += &format!("N+{value}\n"),
            "後手" | "上手" => text += &format!("N-{value}\n"),
            _ => {
                let name =
                    NAMES.iter().find(|row| row.1 == name).map_or(name.as_str(), |row| row.0);
                text += &format!("${name}:{value}\n");
            }
        }
    }
    text += &write_position(&record.position);
    write_comments(&mut text, &record.comments);
    let Some(line) = record.lines().next() else { return text };
    let mut position = line.start;
    for &id in &line.nodes {
        let node = record.tree.node(id);
        match node.step {
            Step::Move(m) => {
                let place = |square: Square| format!("{}{}", square.file(), square.rank());
                let from = m.from().map_or("00".into(), place);
                let kind = position.piece_after(m).map_or(Kind::PAWN, Piece::kind);
                let sign = sign(position.turn());
                text += &format!("{sign}{from}{}{}\n", place(m.to()), letters(kind));
                position.play(m);
            }
            Step::End(ending) => text += &format!("%{}\n", ending.csa(position.turn())),
        }
        if let Some(seconds) = node.seconds {
            text += &format!("T{seconds}\n");
        }
        write_comments(&mut text, &node.comments);
    }
    text
}

fn sign(color: Color) -> char {
    match color {
        Color::Black => '+',
        Color::White => '-',
    }
}

fn write_comments(text: &mut String, comments: &[String]) {
    for comment in comments {
        for line in comment.split('\n') {
            *text += &format!("'*{}\n", line.trim_end());
        }
    }
}

fn write_position(position: &Position) -> String {
    let mut text = String::new();
    if setup::names(position).is_some_and(|(name, _)| name == "平手") {
        return "PI\n+\n".into();
    }
    for rank in 1..=9 {
        text += &format!("P{rank}");
        for file in (1..=9).rev() {
            match Square::new(file, rank).and_then(|square| position.piece(square)) {
                None => text += " * ",
                Some(piece) => {
                    text.push(sign(piece.color()));
                    text += letters(piece.kind());
                }
            }
        }
        text.push('\n');
    }
    for color in Color::ALL {
        let hand: Hand = position.hand(color);
        if !hand.is_empty() {
            text += &format!("P{}", sign(color));
            for (kind, count) in hand.pieces() {
                text += &format!("00{}", letters(kind)).repeat(count.into());
            }
            text.push('\n');
        }
    }
    text.push(sign(position.turn()));
    text + "\n"
}
