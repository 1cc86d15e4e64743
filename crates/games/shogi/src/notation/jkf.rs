//! JKF, the JSON Kifu Format: the same tree as KIF, in JSON.
//!
//! The JSON is taken apart layer by layer, each layer leaving the next one as it stands in the
//! text. So a fault is found where it is, and variations may lie in each other without a call
//! inside a call.

use std::collections::{HashMap, VecDeque};
use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::hand::Hand;
use crate::moves::Move;
use crate::piece::{Color, Kind, Piece};
use crate::position::Position;
use crate::square::Square;
use crate::validate::Illegal;

use super::csa::{kind_of, letters};
use super::disambiguation::{Motion, Origin, words};
use super::error::{CsaReason, JkfReason, MoveReason, ReadError, ReadReason};
use super::japanese::{may_promote, moving_kind};
use super::record::{Ending, NodeId, Record, Step};
use super::written::{Written, why_illegal};
use super::{kakinoki, setup};

/// Variations in variations go no deeper than this.
const DEEPEST: usize = 500;

#[derive(Deserialize)]
struct Outer<'a> {
    header: Option<Pairs>,
    #[serde(borrow)]
    initial: Option<&'a RawValue>,
    #[serde(borrow)]
    moves: Option<Vec<&'a RawValue>>,
}

/// An object of texts, in order.
struct Pairs(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pairs, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Pairs;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object of texts")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

#[derive(Deserialize)]
struct Initial<'a> {
    preset: Option<String>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Data {
    color: Option<u8>,
    board: Vec<Vec<Cell>>,
    hands: Option<Vec<HashMap<String, u32>>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Cell {
    color: Option<u8>,
    kind: Option<String>,
}

#[derive(Deserialize)]
struct Item<'a> {
    #[serde(rename = "move", borrow)]
    step: Option<&'a RawValue>,
    comments: Option<Vec<String>>,
    #[serde(borrow)]
    time: Option<&'a RawValue>,
    special: Option<String>,
    #[serde(borrow)]
    forks: Option<Vec<Vec<&'a RawValue>>>,
}

#[derive(Deserialize)]
struct MoveIn {
    color: Option<u8>,
    from: Option<Place>,
    to: Option<Place>,
    piece: String,
    promote: Option<bool>,
    relative: Option<String>,
}

#[derive(Deserialize, Serialize, Clone, Copy)]
struct Place {
    x: u8,
    y: u8,
}

#[derive(Deserialize, Serialize)]
struct Time {
    now: Clock,
    #[serde(default)]
    total: Clock,
}

#[derive(Deserialize, Serialize, Default)]
struct Clock {
    #[serde(skip_serializing_if = "Option::is_none")]
    h: Option<u32>,
    #[serde(default)]
    m: u32,
    #[serde(default)]
    s: u32,
}

/// Reads a part of a text.
fn parse<'a, T: Deserialize<'a>>(text: &str, part: &'a str) -> Result<T, ReadError> {
    serde_json::from_str(part).map_err(|error| {
        let lines = part.split_inclusive('\n').take(error.line().saturating_sub(1));
        let before: usize = lines.map(str::len).sum();
        let offset = (before + error.column().saturating_sub(1)).min(part.len());
        let offset = (0..=offset).rev().find(|&at| part.is_char_boundary(at)).unwrap_or(0);
        let reason = error.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default().into();
        ReadError::at_byte(text, place_in(text, part) + offset, JkfReason::Json(reason))
    })
}

/// The byte at which a part of a text begins.
fn place_in(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len())
}

/// A fault in a part of a text.
fn fault(text: &str, part: &RawValue, reason: impl Into<ReadReason>) -> ReadError {
    ReadError::at_byte(text, place_in(text, part.get()), reason)
}

fn color_of(number: u8) -> Option<Color> {
    Color::ALL.get(usize::from(number)).copied()
}

/// A line still to be read: where it begins, and how deep it lies.
struct Waiting<'a> {
    moves: Vec<&'a RawValue>,
    parent: Option<NodeId>,
    position: Position,
    last: Option<Square>,
    depth: usize,
}

/// Reads a text in JKF.
pub fn read(text: &str) -> Result<Record, ReadError> {
    let outer: Outer = parse(text, text)?;
    let mut record = Record::new(match outer.initial {
        Some(initial) => read_initial(text, initial)?,
        None => Position::start(),
    });
    let header = outer.header.map_or(Vec::new(), |pairs| pairs.0);
    record.header = header.into_iter().filter(|(name, _)| !kakinoki::is_reserved(name)).collect();
    let position = record.position.clone();
    let moves = outer.moves.unwrap_or_default();
    let first = Waiting { moves, parent: None, position, last: None, depth: 0 };
    let mut waiting = VecDeque::from([first]);
    while let Some(Waiting { moves, parent, mut position, mut last, depth }) = waiting.pop_front() {
        let mut parent = parent;
        for raw in moves {
            let item: Item = parse(text, raw.get())?;
            let (before, before_position, before_last) = (parent, position.clone(), last);
            let step = match (item.step, &item.special) {
                (Some(step), _) => {
                    let m = read_move(text, step, &position, last)?;
                    position.play(m);
                    last = Some(m.to());
                    Some(Step::Move(m))
                }
                (None, Some(word)) => match Ending::from_csa(word, position.turn()) {
                    Some(ending) => Some(Step::End(ending)),
                    None => return Err(fault(text, raw, JkfReason::Special(word.clone()))),
                },
                (None, None) => None,
            };
            if step.is_some()
                && parent.is_some_and(|node| record.tree.node(node).step.as_move().is_none())
            {
                return Err(fault(text, raw, ReadReason::AfterEnd));
            }
            let comments = item.comments.unwrap_or_default();
            match step {
                Some(step) => {
                    let node = record.tree.add(parent, step);
                    let seconds = item.time.and_then(|time| seconds(time.get()));
                    let known = record.tree.node_mut(node);
                    known.comments.extend(comments);
                    known.seconds = known.seconds.or(seconds);
                    parent = Some(node);
                }
                None => match parent {
                    Some(node) => record.tree.node_mut(node).comments.extend(comments),
                    None => record.comments.extend(comments),
                },
            }
            for moves in item.forks.unwrap_or_default() {
                if depth >= DEEPEST {
                    return Err(fault(text, raw, JkfReason::Deep(DEEPEST)));
                }
                waiting.push_back(Waiting {
                    moves,
                    parent: before,
                    position: before_position.clone(),
                    last: before_last,
                    depth: depth + 1,
                });
            }
        }
    }
    Ok(record)
}

fn seconds(time: &str) -> Option<u32> {
    let Clock { h, m, s } = serde_json::from_str::<Time>(time).ok()?.now;
    let minutes = h.unwrap_or(0).saturating_mul(60).saturating_add(m);
    Some(minutes.saturating_mul(60).saturating_add(s))
}

fn read_initial(text: &str, raw: &RawValue) -> Result<Position, ReadError> {
    let initial: Initial = parse(text, raw.get())?;
    let preset = initial.preset.as_deref().unwrap_or("OTHER");
    let Some(data) = initial.data.filter(|_| preset == "OTHER") else {
        return setup::from_jkf(preset).ok_or_else(|| {
            let reason = match preset {
                "OTHER" => JkfReason::NoData,
                _ => JkfReason::Preset(preset.into()),
            };
            fault(text, raw, reason)
        });
    };
    read_data(text, data)
}

fn read_data(text: &str, raw: &RawValue) -> Result<Position, ReadError> {
    let data: Data = parse(text, raw.get())?;
    let mut position = Position::empty();
    let impossible = |illegal: Illegal| fault(text, raw, illegal);
    let fault = |reason: JkfReason| fault(text, raw, reason);
    if data.board.len() != 9 || data.board.iter().any(|file| file.len() != 9) {
        return Err(fault(JkfReason::Board));
    }
    for (x, file) in (1..).zip(&data.board) {
        for (y, cell) in (1..).zip(file) {
            let Some(letters) = &cell.kind else { continue };
            let (kind, color) = (kind_of(letters), cell.color.and_then(color_of));
            let (Some(kind), Some(color), Some(square)) = (kind, color, Square::new(x, y)) else {
                let letters = letters.clone();
                return Err(fault(JkfReason::BoardPiece { letters, x, y }));
            };
            if kind == Kind::KING && position.king(color).is_some() {
                return Err(impossible(Illegal::TwoKings(color)));
            }
            position.set(square, Some(Piece::new(color, kind)));
        }
    }
    for (color, held) in Color::ALL.into_iter().zip(data.hands.iter().flatten()) {
        let mut hand = Hand::EMPTY;
        for (letters, &count) in held.iter().filter(|&(_, &count)| count > 0) {
            let kind = kind_of(letters).filter(|kind| Kind::HAND.contains(kind));
            let kind = kind.ok_or_else(|| fault(JkfReason::HandPiece(letters.clone())))?;
            let most = Kind::SET[kind.index()];
            if count > u32::from(most) {
                let letters = letters.clone();
                return Err(fault(JkfReason::TooManyInHand { count, letters }));
            }
            hand = hand.with(kind, count as u8);
        }
        position.set_hand(color, hand);
    }
    let turn = data.color.unwrap_or(0);
    position.set_turn(color_of(turn).ok_or_else(|| fault(JkfReason::Color(turn)))?);
    position.validate().map_err(impossible)?;
    Ok(position)
}

fn read_move(
    text: &str,
    raw: &RawValue,
    position: &Position,
    last: Option<Square>,
) -> Result<Move, ReadError> {
    let read: MoveIn = parse(text, raw.get())?;
    let strange = |reason: CsaReason| fault(text, raw, reason);
    let fault = |reason: MoveReason| fault(text, raw, reason);
    if read.color.is_some_and(|color| color_of(color) != Some(position.turn())) {
        return Err(fault(MoveReason::OtherSide));
    }
    let kind = kind_of(&read.piece);
    let kind = kind.ok_or_else(|| strange(CsaReason::Piece(read.piece.clone())))?;
    let square = |place: Place| {
        let Place { x, y } = place;
        Square::new(x, y).ok_or_else(|| strange(CsaReason::NoSquare { file: x, rank: y }))
    };
    let to = read.to.map(square).transpose()?.or(last);
    let to = to.ok_or_else(|| fault(MoveReason::NoDestination))?;
    let m = match (read.from.map(square).transpose()?, read.relative.as_deref()) {
        (Some(from), _) => {
            let there = position.piece(from).filter(|piece| piece.color() == position.turn());
            let promotes = match there.map(Piece::kind) {
                None => return Err(fault(MoveReason::NoOwnPiece(from))),
                Some(there) if there == kind => read.promote == Some(true),
                // Some write the piece that comes out of it.
                Some(there)
                    if there.can_promote()
                        && there.promoted() == kind
                        && read.promote != Some(false) =>
                {
                    true
                }
                Some(there) => {
                    return Err(fault(MoveReason::OtherKind { square: from, there, said: kind }));
                }
            };
            Move::new(from, to, promotes)
        }
        (None, None | Some("H")) if Kind::HAND.contains(&kind) => Move::drop(kind, to),
        (None, None | Some("H")) => {
            return Err(fault(MoveReason::NeverInHand(kind)));
        }
        (None, Some(relative)) => {
            let (origin, motion) = from_relative(relative)
                .ok_or_else(|| fault(MoveReason::Relative(relative.into())))?;
            let written = Written {
                side: None,
                to: Some(to),
                kind,
                origin,
                motion,
                drop: false,
                promote: read.promote,
                from: None,
            };
            written.resolve(position, last).map_err(fault)?
        }
    };
    match position.is_legal(m) {
        true => Ok(m),
        false => Err(fault(why_illegal(position, m))),
    }
}

/// The words of JKF's letters.
fn from_relative(letters: &str) -> Option<(Option<Origin>, Option<Motion>)> {
    let (mut origin, mut motion) = (None, None);
    for letter in letters.chars() {
        match letter {
            'L' => origin = Some(Origin::Left),
            'C' => origin = Some(Origin::Straight),
            'R' => origin = Some(Origin::Right),
            'U' => motion = Some(Motion::Forward),
            'M' => motion = Some(Motion::Sideways),
            'D' => motion = Some(Motion::Back),
            _ => return None,
        }
    }
    Some((origin, motion))
}

/// JKF's letters of the words that a move needs.
fn relative(position: &Position, m: Move) -> Option<String> {
    let (origin, motion, drop) = words(position, m);
    let mut letters = String::new();
    letters += match origin {
        Some(Origin::Left) => "L",
        Some(Origin::Straight) => "C",
        Some(Origin::Right) => "R",
        None => "",
    };
    letters += match motion {
        Some(Motion::Forward) => "U",
        Some(Motion::Sideways) => "M",
        Some(Motion::Back) => "D",
        None => "",
    };
    if drop {
        letters += "H";
    }
    (!letters.is_empty()).then_some(letters)
}

#[derive(Serialize)]
struct MoveOut {
    color: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<Place>,
    to: Place,
    piece: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    same: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    promote: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    capture: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    relative: Option<String>,
}

impl MoveOut {
    fn new(position: &Position, m: Move, last: Option<Square>) -> MoveOut {
        let place = |square: Square| Place { x: square.file(), y: square.rank() };
        let captured = position.piece(m.to()).filter(|_| !m.is_drop());
        MoveOut {
            color: position.turn() as u8,
            from: m.from().map(place),
            to: place(m.to()),
            piece: letters(moving_kind(position, m)),
            same: (last == Some(m.to())).then_some(true),
            promote: may_promote(position, m).then_some(m.promotes()),
            capture: captured.map(|piece| letters(piece.kind())),
            relative: relative(position, m),
        }
    }
}

/// A value in JSON. Nothing that we write can fail.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// What is still to be written, the next thing last.
enum Task {
    Text(&'static str),
    Node(Box<Next>),
}

/// A node to be written: a child of a node by number, and how things stand before it.
struct Next {
    parent: Option<NodeId>,
    index: usize,
    position: Position,
    last: Option<Square>,
    spent: [u32; 2],
}

/// Writes a record in JKF, with all variations.
pub fn write(record: &Record) -> String {
    let mut text = String::from("{\"header\":{");
    for (i, (name, value)) in record.header.iter().enumerate() {
        text += &format!("{}{}:{}", if i > 0 { "," } else { "" }, json(name), json(value));
    }
    text += &format!("}},\"initial\":{},\"moves\":[{{", write_initial(&record.position));
    if !record.comments.is_empty() {
        text += &format!("\"comments\":{}", json(&record.comments));
    }
    text += "}";
    let mut tasks = vec![Task::Text("]}")];
    if !record.tree.is_empty() {
        text += ",";
        let position = record.position.clone();
        let first = Next { parent: None, index: 0, position, last: None, spent: [0; 2] };
        tasks.push(Task::Node(Box::new(first)));
    }
    while let Some(task) = tasks.pop() {
        match task {
            Task::Text(part) => text += part,
            Task::Node(next) => write_node(record, &mut text, &mut tasks, *next),
        }
    }
    text
}

/// Writes a node, and leaves its variations and what follows it as tasks.
fn write_node(record: &Record, text: &mut String, tasks: &mut Vec<Task>, next: Next) {
    let Next { parent, index, ref position, last, spent } = next;
    let siblings = record.tree.children(parent);
    let id = siblings[index];
    let node = record.tree.node(id);
    let mut after = Next { parent: Some(id), index: 0, position: position.clone(), last, spent };
    let mut parts = Vec::new();
    if !node.comments.is_empty() {
        parts.push(format!("\"comments\":{}", json(&node.comments)));
    }
    match node.step {
        Step::Move(m) if position.is_legal(m) => {
            parts.push(format!("\"move\":{}", json(&MoveOut::new(position, m, last))));
            after.position.play(m);
            after.last = Some(m.to());
        }
        // A line ends before a move that is not legal.
        Step::Move(_) => {
            *text += "{}";
            return;
        }
        Step::End(ending) => {
            parts.push(format!("\"special\":{}", json(&ending.csa(position.turn()))));
        }
    }
    if let Some(seconds) = node.seconds {
        let total = &mut after.spent[position.turn().index()];
        *total = total.saturating_add(seconds);
        let hours = Some(seconds / 3600).filter(|&hours| hours > 0);
        let time = Time {
            now: Clock { h: hours, m: seconds / 60 % 60, s: seconds % 60 },
            total: Clock { h: Some(*total / 3600), m: *total / 60 % 60, s: *total % 60 },
        };
        parts.push(format!("\"time\":{}", json(&time)));
    }
    *text += &format!("{{{}", parts.join(","));
    // The task put down last is done first.
    if !node.children().is_empty() {
        tasks.push(Task::Node(Box::new(after)));
        tasks.push(Task::Text(","));
    }
    tasks.push(Task::Text("}"));
    if index == 0 && siblings.len() > 1 {
        *text += ",\"forks\":[";
        tasks.push(Task::Text("]"));
        for index in (1..siblings.len()).rev() {
            let position = position.clone();
            tasks.push(Task::Text("]"));
            tasks.push(Task::Node(Box::new(Next { parent, index, position, last, spent })));
            tasks.push(Task::Text(if index == 1 { "[" } else { ",[" }));
        }
    }
}

fn write_initial(position: &Position) -> String {
    if let Some((_, preset)) = setup::names(position) {
        return format!("{{\"preset\":{}}}", json(&preset));
    }
    let cell = |square: Square| match position.piece(square) {
        None => "{}".into(),
        Some(piece) => {
            format!("{{\"color\":{},\"kind\":\"{}\"}}", piece.color() as u8, letters(piece.kind()))
        }
    };
    let squares: Vec<String> = Square::all().map(cell).collect();
    let files: Vec<String> =
        squares.chunks(9).map(|file| format!("[{}]", file.join(","))).collect();
    let hands = Color::ALL.map(|color| {
        let counts = Kind::HAND
            .map(|kind| format!("\"{}\":{}", letters(kind), position.hand(color).count(kind)));
        format!("{{{}}}", counts.join(","))
    });
    let (color, files, hands) = (position.turn() as u8, files.join(","), hands.join(","));
    let data = format!("{{\"color\":{color},\"board\":[{files}],\"hands\":[{hands}]}}");
    format!("{{\"preset\":\"OTHER\",\"data\":{data}}}")
}
