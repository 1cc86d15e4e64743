//! What KIF and KI2 have in common: everything but the moves.
//!
//! Lines are sorted first: some describe the position or the whole record and may stand anywhere,
//! the others (moves, comments, variations, the last line) are kept in order for the reader of the
//! format. Then the position is put together.
//!
//! A board without a line for the defender's hand (後手の持駒) is taken as tsume-shogi is printed: he
//! holds all pieces that are nowhere else. Were it taken for nothing, he could not interpose, and
//! there would be mates that are none. [`Record::assumed_rest`] tells that it was so. The start of
//! a handicap game has nothing left over for him, and the attacker holds what is written.

use crate::piece::{Color, Kind, Piece};
use crate::position::Position;
use crate::square::Square;
use crate::validate::Illegal;

use super::diagram::diagram;
use super::error::{KifReason, ReadError, ReadReason};
use super::hands::{self, Held};
use super::japanese;
use super::numerals::{digit, kanji_digit};
use super::record::{Ending, Path, Record, Step};
use super::text::{self, Cursor};
use super::{setup, written};

type Place = (usize, usize);

/// A text in KIF or KI2, its lines sorted.
#[derive(Default)]
pub(super) struct Sheet<'a> {
    /// Moves, comments, variations and last lines.
    pub moves: Vec<Cursor<'a>>,
    header: Vec<(String, String)>,
    board: Vec<(Square, Piece)>,
    /// Where each square of the board is in the text.
    places: Vec<(Square, Place)>,
    ranks: u8,
    first_rank: Option<Place>,
    hands: [Option<(Place, Held)>; 2],
    handicap: Option<(Place, &'a str)>,
    turn: Option<Color>,
    last: Option<Square>,
    assumed_rest: Option<Color>,
}

/// Names of lines of the header that make the position.
const TURN_LINES: [(&str, Color); 4] = [
    ("先手番", Color::Black),
    ("下手番", Color::Black),
    ("後手番", Color::White),
    ("上手番", Color::White),
];

/// The side of a line such as 後手の持駒.
fn side_of_hand(name: &str) -> Option<Color> {
    let owner = name.strip_suffix("持駒").or_else(|| name.strip_suffix("持ち駒"))?;
    match owner.strip_suffix('の').unwrap_or(owner) {
        "先手" | "下手" | "攻方" | "攻め方" | "詰方" | "詰め方" | "" => {
            Some(Color::Black)
        }
        "後手" | "上手" | "玉方" | "受方" | "受け方" => Some(Color::White),
        _ => None,
    }
}

/// Is it a name of a line that makes the position?
pub(super) fn is_reserved(name: &str) -> bool {
    matches!(name, "手合割" | "手番" | "変化") || side_of_hand(name).is_some()
}

/// A line of the header: its name, and a cursor at its value.
fn split_header<'a>(cursor: &Cursor<'a>) -> Option<(&'a str, Cursor<'a>)> {
    let mut value = cursor.clone();
    let rest = value.rest();
    let length = rest.find(['：', ':'])?;
    while value.rest().len() > rest.len() - length {
        value.next();
    }
    value.next();
    value.skip_space();
    let name = rest[..length].trim();
    (!name.is_empty()).then_some((name, value))
}

impl<'a> Sheet<'a> {
    /// Sorts the lines. `is_move` says of a line without a known beginning whether it has moves.
    pub fn new(text: &'a str, is_move: impl Fn(&Cursor) -> bool) -> Result<Self, ReadError> {
        let mut sheet = Sheet::default();
        for (number, line) in text::lines(text) {
            let mut cursor = Cursor::new(number, line);
            cursor.skip_space();
            sheet.sort(cursor, &is_move)?;
        }
        Ok(sheet)
    }

    fn sort(
        &mut self,
        mut cursor: Cursor<'a>,
        is_move: &impl Fn(&Cursor) -> bool,
    ) -> Result<(), ReadError> {
        let rest = cursor.rest().trim_end();
        match cursor.peek() {
            None | Some('#' | '&') => return Ok(()),
            Some('+' | '＋') if rest.chars().all(|c| "+-＋－─ー".contains(c)) => {
                return Ok(());
            }
            Some('*' | '＊') => {
                self.moves.push(cursor);
                return Ok(());
            }
            Some('|' | '｜' | '│') => {
                cursor.next();
                return self.rank(cursor);
            }
            _ => {}
        }
        if is_file_numbers(&cursor)? || rest.starts_with("手数-") || rest.starts_with("手数－")
        {
            return Ok(());
        }
        if let Some(&(_, turn)) = TURN_LINES.iter().find(|&&(line, _)| line == rest) {
            self.turn = Some(turn);
        } else if rest.starts_with("手数＝") || rest.starts_with("手数=") {
            self.last_move(cursor);
        } else if rest.starts_with("変化") || rest.starts_with("まで") || is_move(&cursor) {
            self.moves.push(cursor);
        } else if let Some((name, value)) = split_header(&cursor) {
            self.header_line(name, value)?;
        } else {
            let word: String = rest.chars().take(20).collect();
            return Err(cursor.error(KifReason::NoLine(word)));
        }
        Ok(())
    }

    fn header_line(&mut self, name: &'a str, mut value: Cursor<'a>) -> Result<(), ReadError> {
        let text = value.rest().trim_end();
        if let Some(side) = side_of_hand(name) {
            let place = value.place();
            let held = hands::scan_hand(&mut value)?;
            self.hands[side.index()] = Some((place, held));
        } else if name == "手合割" {
            self.handicap = Some((value.place(), text));
        } else if name == "手番" {
            self.turn = match text.chars().next() {
                Some('先' | '下' | '▲' | '☗') => Some(Color::Black),
                Some('後' | '上' | '△' | '☖') => Some(Color::White),
                _ => return Err(value.error(KifReason::NoSide(text.into()))),
            };
        } else if !text.is_empty() {
            self.header.push((name.into(), text.into()));
        }
        Ok(())
    }

    /// A line such as `手数＝3  ▲５二金  まで`: the move before the position.
    fn last_move(&mut self, mut cursor: Cursor) {
        while cursor.peek().is_some_and(|c| japanese::side_of_mark(c).is_none()) {
            cursor.next();
        }
        if let Ok(written) = written::scan(&mut cursor) {
            self.last = written.to;
            self.turn = self.turn.or(written.side.map(|side| !side));
        }
    }

    /// A rank of the board, after the bar at its left.
    fn rank(&mut self, mut cursor: Cursor) -> Result<(), ReadError> {
        let start = cursor.place();
        self.first_rank.get_or_insert(start);
        self.ranks += 1;
        let rank = self.ranks;
        if rank > 9 {
            return Err(ReadError::at(start, KifReason::TooManyRanks));
        }
        let mut files = 0;
        loop {
            cursor.skip_space();
            let place = cursor.place();
            let color = match cursor.peek() {
                Some('v' | 'V' | 'ｖ') => Color::White,
                _ => Color::Black,
            };
            if color == Color::White || cursor.peek() == Some('^') {
                cursor.next();
            }
            match cursor.next() {
                Some('・' | '･' | '.' | '．' | '·') => files += 1,
                Some('|' | '｜' | '│') | None => break,
                Some(c) => {
                    files += 1;
                    let kind = match c {
                        '成' => cursor.next_as(japanese::kind_from_char).filter(|kind| {
                            matches!(*kind, Kind::LANCE | Kind::KNIGHT | Kind::SILVER)
                        }),
                        _ => japanese::kind_from_char(c),
                    };
                    let kind = match (c, kind) {
                        ('成', Some(kind)) => kind.promoted(),
                        (_, Some(kind)) => kind,
                        _ => return Err(ReadError::at(place, KifReason::BoardPiece(c))),
                    };
                    if let Some(square) = Square::new(10u8.saturating_sub(files), rank) {
                        self.board.push((square, Piece::new(color, kind)));
                        self.places.push((square, place));
                    }
                }
            }
            if files > 9 {
                return Err(ReadError::at(place, KifReason::TooManySquares(rank)));
            }
        }
        if files != 9 {
            return Err(cursor.error(KifReason::Squares { rank, squares: files }));
        }
        let label = cursor.peek().and_then(|c| kanji_digit(c).or(digit(c).map(|d| d as u8)));
        match label {
            Some(label) if label != rank => Err(cursor.error(KifReason::RankOrder { label, rank })),
            _ => Ok(()),
        }
    }

    /// Makes the record before its first move, and says where the last move before it went.
    fn position(&mut self) -> Result<(Position, Option<Square>), ReadError> {
        let mut known = self.handicap.and_then(|(_, name)| setup::from_kif(name));
        if self.first_rank.is_none() {
            let has_moves = self.moves.iter().any(|line| !line.rest().starts_with(['*', '＊']));
            match self.handicap {
                None if has_moves => known = Some(Position::start()),
                Some((place, name)) if known.is_none() => {
                    return Err(ReadError::at(place, KifReason::NeedsBoard(name.into())));
                }
                None => {
                    return Err(ReadError::at((0, 0), KifReason::NoPosition));
                }
                _ => {}
            }
        }
        let mut position = match self.first_rank {
            Some(_) => self.read_board()?,
            None => known.clone().unwrap_or_else(Position::start),
        };
        let rests = self.hands.iter().flatten().filter(|(_, held)| *held == Held::Rest);
        if let Some(&(place, _)) = rests.clone().nth(1) {
            return Err(ReadError::at(place, ReadReason::TwoRests));
        }
        for color in Color::ALL {
            if let Some((_, Held::Pieces(hand))) = self.hands[color.index()] {
                position.set_hand(color, hand);
            }
        }
        self.check_counts(&position)?;
        for color in Color::ALL {
            if let Some((_, Held::Rest)) = self.hands[color.index()] {
                position.set_hand(color, hands::pieces_left(&position));
            }
        }
        // A board that is the known one has its side to move.
        let mut as_known = position.clone();
        let known_turn = known.filter(|known| {
            as_known.set_turn(known.turn());
            as_known == *known
        });
        position
            .set_turn(self.turn.or(known_turn.map(|known| known.turn())).unwrap_or(Color::Black));
        if self.first_rank.is_some() && !setup::is_known(&position) {
            self.assume_rest(&mut position);
        }
        position
            .validate()
            .map_err(|illegal| ReadError::at(self.place_of(&position, illegal), illegal))?;
        Ok((position, self.last))
    }

    /// Gives the defender all that is nowhere else, if no line says what either side has of it.
    fn assume_rest(&mut self, position: &mut Position) {
        let is_told = |color: Color| self.hands[color.index()].is_some();
        let has_rest = self.hands.iter().flatten().any(|(_, held)| *held == Held::Rest);
        let rest = hands::pieces_left(position);
        let defender = match Color::ALL.map(|color| position.king(color)) {
            [Some(_), None] => Color::Black,
            [None, Some(_)] => Color::White,
            _ if position.is_check() => position.turn(),
            _ => !position.turn(),
        };
        if !is_told(defender) && !has_rest && !rest.is_empty() {
            position.set_hand(defender, rest);
            self.assumed_rest = Some(defender);
        }
    }

    fn read_board(&self) -> Result<Position, ReadError> {
        let start = self.first_rank.unwrap_or_default();
        if self.ranks < 9 {
            return Err(ReadError::at(start, KifReason::Ranks(self.ranks)));
        }
        let mut position = Position::empty();
        for (&(square, piece), &(_, place)) in self.board.iter().zip(&self.places) {
            if piece.kind() == Kind::KING && position.king(piece.color()).is_some() {
                return Err(ReadError::at(place, Illegal::TwoKings(piece.color())));
            }
            position.set(square, Some(piece));
        }
        Ok(position)
    }

    /// Looks for too many pieces of a kind: the last line that has some is to blame.
    fn check_counts(&self, position: &Position) -> Result<(), ReadError> {
        let Err(illegal @ Illegal::TooMany { kind, .. }) = position.validate() else {
            return Ok(());
        };
        let holds = |&(_, held): &(Place, Held)| match held {
            Held::Pieces(hand) => hand.has(kind),
            Held::Rest => false,
        };
        let hand = self.hands.iter().flatten().copied().filter(holds).map(|(place, _)| place).max();
        let place = hand.or(self.first_rank).unwrap_or_default();
        Err(ReadError::at(place, illegal))
    }

    /// Where in the text the fault of a position is.
    fn place_of(&self, position: &Position, illegal: Illegal) -> Place {
        let square = match illegal {
            Illegal::DeadEnd { square, .. } => Some(square),
            Illegal::KingCanBeTaken { king, .. } => Some(king),
            Illegal::TwoPawns { color, file } => {
                position.pieces(color, Kind::PAWN).filter(|pawn| pawn.file() == file).last()
            }
            _ => None,
        };
        let found = self.places.iter().find(|&&(at, _)| Some(at) == square);
        found.map(|&(_, place)| place).or(self.first_rank).unwrap_or_default()
    }

    /// The record without moves, and a path to add them at.
    pub fn record(&mut self) -> Result<(Record, Path), ReadError> {
        let (position, last) = self.position()?;
        let path = Path::new(position.clone(), last);
        let mut record = Record::new(position);
        record.header = std::mem::take(&mut self.header);
        record.assumed_rest = self.assumed_rest;
        Ok((record, path))
    }
}

/// Is it the line of numbers above a board? They must run from 9 to 1.
fn is_file_numbers(cursor: &Cursor) -> Result<bool, ReadError> {
    let mut numbers = Vec::new();
    for c in cursor.rest().chars().filter(|c| !c.is_whitespace()) {
        match digit(c).or(kanji_digit(c).map(u32::from)) {
            Some(digit) => numbers.push(digit),
            None => return Ok(false),
        }
    }
    match numbers[..] {
        [9, 8, 7, 6, 5, 4, 3, 2, 1] => Ok(true),
        [1, 2, 3, 4, 5, 6, 7, 8, 9] => Err(cursor.error(KifReason::TurnedBoard)),
        _ => Ok(false),
    }
}

/// Takes what KIF and KI2 write alike among the moves: a comment, a variation, the last line. The
/// answer is whether it was one of them.
pub(super) fn common_line(
    cursor: &Cursor,
    record: &mut Record,
    path: &mut Path,
    base: usize,
) -> Result<bool, ReadError> {
    let mut cursor = cursor.clone();
    if cursor.eat("*") || cursor.eat("＊") {
        let comments = match path.node() {
            Some(node) => &mut record.tree.node_mut(node).comments,
            None => &mut record.comments,
        };
        comments.push(cursor.rest().trim_end().into());
        return Ok(true);
    }
    let start = cursor.clone();
    if cursor.eat("変化") {
        cursor.skip_space();
        let colon = cursor.eat("：") || cursor.eat(":");
        cursor.skip_space();
        let number = if colon { cursor.number() } else { None };
        let number = number.ok_or_else(|| start.error(KifReason::Variation))?;
        let length = (number as usize).checked_sub(base);
        match length {
            Some(length) if length < path.len() => path.back_to(length),
            // It may also go on where the last line stops.
            Some(length) if length == path.len() && !path.has_ended(&record.tree) => {}
            _ => {
                return Err(start.error(KifReason::VariationNumber(number)));
            }
        }
        return Ok(true);
    }
    if cursor.eat("まで") {
        if let Some(ending) = Ending::from_summary(cursor.rest())
            && !path.has_ended(&record.tree)
        {
            path.go(&mut record.tree, Step::End(ending));
        }
        return Ok(true);
    }
    Ok(false)
}

/// Writes the header: the position and everything else but the moves.
pub(super) fn write_header(record: &Record) -> String {
    let mut text = match setup::names(&record.position) {
        Some((name, _)) => format!("手合割：{name}\n"),
        None => format!("手合割：その他\n{}", diagram(&record.position)),
    };
    for (name, value) in &record.header {
        let one_line = |text: &str| text.split(['\n', '\r']).collect::<Vec<_>>().join(" ");
        let (name, value) = (one_line(name), one_line(value));
        let name = name.trim();
        if !name.is_empty() && !value.trim().is_empty() && !is_reserved(name) {
            text += &format!("{name}：{}\n", value.trim());
        }
    }
    text
}

/// Writes comments, a line each.
pub(super) fn write_comments(text: &mut String, comments: &[String]) {
    for comment in comments {
        for line in comment.split('\n') {
            *text += &format!("*{}\n", line.trim_end());
        }
    }
}
