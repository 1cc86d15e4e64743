//! Hands in Japanese: `飛　角二　歩十七`, `なし` for nothing, `残り全部` for all that is nowhere else.

use crate::hand::Hand;
use crate::piece::{Color, Kind};
use crate::position::Position;
use crate::square::Square;

use super::error::{KifReason, ReadError};
use super::japanese::{kind_from_char, kind_name};
use super::numerals::{KANJI_DIGITS, kanji_digit};
use super::text::Cursor;

/// What is written of a hand that holds all that is nowhere else.
pub const REST: &str = "残り全部";

/// A hand as `飛　角二　歩十七`, or `なし`.
pub fn hand_name(hand: Hand) -> String {
    if hand.is_empty() {
        return "なし".into();
    }
    let pieces = hand.pieces().map(|(kind, count)| match count {
        1 => kind_name(kind).into(),
        _ => format!("{}{}", kind_name(kind), kanji_number(count)),
    });
    pieces.collect::<Vec<String>>().join("　")
}

/// A number below 100 in kanji.
fn kanji_number(number: u8) -> String {
    let one = |n: u8| usize::from(n).checked_sub(1).and_then(|n| KANJI_DIGITS.get(n));
    let mut name = String::new();
    if number >= 20 {
        name.extend(one(number / 10));
    }
    if number >= 10 {
        name.push('十');
    }
    name.extend(one(number % 10));
    name
}

/// What a text says about a hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Held {
    /// These pieces.
    Pieces(Hand),
    /// All pieces that are nowhere else (残り全部).
    Rest,
}

/// Does the text say 残り全部, or the same in other words?
fn is_rest(text: &str) -> bool {
    let Some(text) = text.trim().strip_prefix('残') else { return false };
    let text = text.strip_prefix('り').unwrap_or(text);
    let text = text.strip_prefix('の').unwrap_or(text);
    let text = text.strip_prefix("持駒").or(text.strip_prefix('駒')).unwrap_or(text);
    matches!(text, "" | "全部" | "全て" | "すべて" | "全駒" | "ぜんぶ" | "総て")
}

/// Reads a hand: `飛　角二　歩十七`, `飛 角2 歩17`, `なし`, or `残り全部`.
pub fn read_hand(text: &str) -> Result<Held, ReadError> {
    scan_hand(&mut Cursor::new(0, text))
}

/// Takes a hand that fills the rest of a line.
pub(super) fn scan_hand(cursor: &mut Cursor) -> Result<Held, ReadError> {
    cursor.skip_space();
    if is_rest(cursor.rest()) {
        return Ok(Held::Rest);
    }
    if matches!(cursor.rest().trim(), "なし" | "無し" | "ナシ" | "無" | "-" | "") {
        return Ok(Held::Pieces(Hand::EMPTY));
    }
    let mut hand = Hand::EMPTY;
    loop {
        while cursor.peek().is_some_and(|c| c.is_whitespace() || "、，,・".contains(c)) {
            cursor.next();
        }
        if cursor.peek().is_none() {
            return Ok(Held::Pieces(hand));
        }
        let start = cursor.clone();
        let kind = cursor.next_as(kind_from_char).filter(|kind| Kind::HAND.contains(kind));
        let kind = kind.ok_or_else(|| start.error(KifReason::Hand(start.word().into())))?;
        let count = u32::from(hand.count(kind)) + scan_count(cursor).unwrap_or(1);
        let most = Kind::SET[kind.index()];
        if count > u32::from(most) {
            return Err(start.error(KifReason::TooManyInHand { kind, count, most }));
        }
        hand = hand.with(kind, count as u8);
    }
}

/// Takes a number after a piece: `二`, `十七`, `17`, `１７`.
fn scan_count(cursor: &mut Cursor) -> Option<u32> {
    if let Some(number) = cursor.number() {
        return Some(number);
    }
    let tens = cursor.next_as(kanji_digit).map(u32::from);
    if cursor.eat("十") {
        let ones = cursor.next_as(kanji_digit).map_or(0, u32::from);
        return Some(tens.unwrap_or(1) * 10 + ones);
    }
    // 一七 for 17.
    let mut number = tens?;
    while let Some(next) = cursor.next_as(kanji_digit) {
        number = number.saturating_mul(10).saturating_add(next.into());
    }
    Some(number)
}

/// The pieces that are neither on the board nor in a hand; kinds of which there are too many are
/// left out.
pub fn pieces_left(position: &Position) -> Hand {
    Kind::HAND.into_iter().fold(Hand::EMPTY, |left, kind| {
        let raw = |square: &Square| position.piece(*square).is_some_and(|p| p.kind().raw() == kind);
        let board = position.occupied().filter(raw).count();
        let held = Color::ALL.map(|color| usize::from(position.hand(color).count(kind)));
        let used = board + held[0] + held[1];
        left.with(kind, usize::from(Kind::SET[kind.index()]).saturating_sub(used) as u8)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(sfen: &str) -> Position {
        Position::from_sfen(sfen).unwrap()
    }

    #[test]
    fn hands() {
        let hand = Hand::EMPTY.with(Kind::ROOK, 1).with(Kind::BISHOP, 2).with(Kind::PAWN, 17);
        assert_eq!(hand_name(hand), "飛　角二　歩十七");
        assert_eq!(hand_name(Hand::EMPTY), "なし");
        for text in ["飛　角二　歩十七", "飛 角2 歩17　", "飛角二歩一七", "歩１７、角角、飛一"]
        {
            assert_eq!(read_hand(text).unwrap(), Held::Pieces(hand), "{text}");
        }
        for text in
            ["残り全部", "残り", " 残り駒全部　", "残駒", "残りすべて", "残りの駒全て", "残り駒"]
        {
            assert_eq!(read_hand(text).unwrap(), Held::Rest, "{text}");
        }
        for text in ["なし", "", "　", "無し"] {
            assert_eq!(read_hand(text).unwrap(), Held::Pieces(Hand::EMPTY), "{text}");
        }
        for (text, column) in
            [("飛三", 0), ("角　歩十九", 2), ("玉", 0), ("歩　と", 2), ("残り歩", 0)]
        {
            assert_eq!(read_hand(text).expect_err(text).column, column, "{text}");
        }
        assert!(read_hand("歩99999999999").is_err());
        for count in 1..=18 {
            let hand = Hand::EMPTY.with(Kind::PAWN, count);
            assert_eq!(read_hand(&hand_name(hand)).unwrap(), Held::Pieces(hand));
        }
    }

    #[test]
    fn the_rest_of_a_set() {
        let two = position("4k4/9/9/9/9/9/9/9/+R8 b 2Bg 1");
        let left = pieces_left(&two);
        assert_eq!((left.count(Kind::ROOK), left.count(Kind::BISHOP)), (1, 0));
        assert_eq!((left.count(Kind::GOLD), left.count(Kind::PAWN)), (3, 18));
        assert!(pieces_left(&Position::start()).is_empty());
    }
}
