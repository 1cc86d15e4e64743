//! The names of pieces, squares and moves in Japanese, as people write them.
//!
//! A move is named by where it goes and which piece goes there: `▲７六歩`, or `△同銀` where the
//! move before went. If several pieces of the kind could go there, words say which one (see
//! `disambiguation`). 打 marks a drop where a piece of the kind on the board could also go; 成 and
//! 不成 stand where the piece may promote.

use crate::moves::Move;
use crate::piece::{Color, Kind, Piece};
use crate::position::Position;
use crate::square::Square;

use super::disambiguation::{Motion, Origin, words};
use super::numerals::KANJI_DIGITS;

/// The name of a kind in a move: 歩, 成香, 馬.
pub fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::PAWN => "歩",
        Kind::LANCE => "香",
        Kind::KNIGHT => "桂",
        Kind::SILVER => "銀",
        Kind::GOLD => "金",
        Kind::BISHOP => "角",
        Kind::ROOK => "飛",
        Kind::KING => "玉",
        Kind::PRO_PAWN => "と",
        Kind::PRO_LANCE => "成香",
        Kind::PRO_KNIGHT => "成桂",
        Kind::PRO_SILVER => "成銀",
        Kind::HORSE => "馬",
        _ => "龍",
    }
}

/// The one character of a kind on a board: 成香, 成桂 and 成銀 are 杏, 圭 and 全 there.
pub fn kind_char(kind: Kind) -> char {
    match kind {
        Kind::PRO_LANCE => '杏',
        Kind::PRO_KNIGHT => '圭',
        Kind::PRO_SILVER => '全',
        _ => kind_name(kind).chars().next().unwrap_or('龍'),
    }
}

/// The kind that one character stands for; 王 and 竜 are known as well.
pub fn kind_from_char(c: char) -> Option<Kind> {
    match c {
        '王' => Some(Kind::KING),
        '竜' => Some(Kind::DRAGON),
        _ => Kind::ALL.into_iter().find(|&kind| kind_char(kind) == c),
    }
}

/// A square as `７六`.
pub fn square_name(square: Square) -> String {
    let file =
        ['１', '２', '３', '４', '５', '６', '７', '８', '９'][usize::from(square.file() - 1)];
    let rank = KANJI_DIGITS[usize::from(square.rank() - 1)];
    [file, rank].iter().collect()
}

/// The mark of a side: ▲ or △.
pub fn mark(color: Color) -> char {
    match color {
        Color::Black => '▲',
        Color::White => '△',
    }
}

/// The side of a mark.
pub(super) fn side_of_mark(c: char) -> Option<Color> {
    match c {
        '▲' | '☗' | '▼' => Some(Color::Black),
        '△' | '☖' | '▽' => Some(Color::White),
        _ => None,
    }
}

/// May the piece that moves promote?
pub(super) fn may_promote(position: &Position, m: Move) -> bool {
    let us = position.turn();
    m.from().is_some_and(|from| {
        (from.is_in_zone_of(us) || m.to().is_in_zone_of(us))
            && position.piece(from).is_some_and(|piece| piece.kind().can_promote())
    })
}

/// The kind of the piece that moves, before it moves.
pub(super) fn moving_kind(position: &Position, m: Move) -> Kind {
    let moving = m.from().and_then(|from| position.piece(from)).map(Piece::kind);
    m.dropped().or(moving).unwrap_or(Kind::PAWN)
}

fn name_with(position: &Position, m: Move, last: Option<Square>, same: &str) -> String {
    let mut name = String::from(mark(position.turn()));
    match last == Some(m.to()) {
        true => name += same,
        false => name += &square_name(m.to()),
    }
    name += kind_name(moving_kind(position, m));
    let (origin, motion, drop) = words(position, m);
    name += origin.map_or("", Origin::word);
    name += motion.map_or("", Motion::word);
    if drop {
        name += "打";
    }
    if m.promotes() {
        name += "成";
    } else if may_promote(position, m) {
        name += "不成";
    }
    name
}

/// The name of a move after the rules of the Shogi Federation: `▲７六歩`, `△同銀右上成`. `last` is
/// where the move before went, if there was one.
pub fn move_name(position: &Position, m: Move, last: Option<Square>) -> String {
    name_with(position, m, last, "同")
}

/// The name of a move in KI2: as [`move_name`], with a wide space after 同.
pub fn ki2_move_name(position: &Position, m: Move, last: Option<Square>) -> String {
    name_with(position, m, last, "同　")
}

/// The name of a move in KIF, which says where the piece comes from: `７六歩(77)`, `５五歩打`.
pub fn kif_move_name(position: &Position, m: Move, last: Option<Square>) -> String {
    let mut name = match last == Some(m.to()) {
        true => String::from("同　"),
        false => square_name(m.to()),
    };
    name += kind_name(moving_kind(position, m));
    match m.from() {
        None => name += "打",
        Some(from) => {
            if m.promotes() {
                name += "成";
            }
            name += &format!("({}{})", from.file(), from.rank());
        }
    }
    name
}

/// The names of a line of moves, each as [`move_name`] has it. The moves must be legal.
pub fn line_names(position: &Position, moves: &[Move]) -> Vec<String> {
    let (mut position, mut last) = (position.clone(), None);
    let mut names = Vec::new();
    for &m in moves {
        if !position.is_legal(m) {
            break;
        }
        names.push(move_name(&position, m, last));
        position.play(m);
        last = Some(m.to());
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(sfen: &str) -> Position {
        Position::from_sfen(sfen).unwrap()
    }

    fn name(position: &Position, usi: &str) -> String {
        move_name(position, Move::from_usi(usi).unwrap(), None)
    }

    #[test]
    fn the_federation_s_examples() {
        // Golds: motion first, then where from.
        let golds = position("4k4/G8/3G5/9/9/9/9/9/9 b - 1");
        assert_eq!(name(&golds, "9b8b"), "▲８二金");
        let two = position("8k/G1G6/9/9/9/9/9/9/9 b - 1");
        assert_eq!(name(&two, "9b8b"), "▲８二金左");
        assert_eq!(name(&two, "7b8b"), "▲８二金右");
        let up_and_side = position("8k/9/2G6/G8/9/9/9/9/9 b - 1");
        assert_eq!(name(&up_and_side, "9d8c"), "▲８三金上");
        assert_eq!(name(&up_and_side, "7c8c"), "▲８三金寄");
        let three = position("8k/9/9/9/9/9/3GGG3/9/9 b - 1");
        assert_eq!(name(&three, "6g5f"), "▲５六金左");
        assert_eq!(name(&three, "5g5f"), "▲５六金直");
        assert_eq!(name(&three, "4g5f"), "▲５六金右");
        // Silvers left ahead, left behind, and so on.
        let silvers = position("8k/9/9/9/9/9/3S1S3/9/3S1S3 b - 1");
        assert_eq!(name(&silvers, "6g5h"), "▲５八銀左引");
        assert_eq!(name(&silvers, "6i5h"), "▲５八銀左上");
        assert_eq!(name(&silvers, "4g5h"), "▲５八銀右引");
        assert_eq!(name(&silvers, "4i5h"), "▲５八銀右上");
        // Dragons and horses are never 直.
        let dragons = position("8k/9/9/9/9/9/9/2+R6/1+R7 b - 1");
        assert_eq!(name(&dragons, "7h8h"), "▲８八龍寄");
        assert_eq!(name(&dragons, "8i8h"), "▲８八龍上");
        let behind = position("8k/9/9/9/9/9/9/9/2+R+R5 b - 1");
        assert_eq!(name(&behind, "7i7h"), "▲７八龍左");
        assert_eq!(name(&behind, "6i7h"), "▲７八龍右");
        let white = position("2+r+r5/9/9/9/9/9/9/9/8K w - 1");
        assert_eq!(name(&white, "7a7b"), "△７二龍右");
        assert_eq!(name(&white, "6a7b"), "△７二龍左");
    }

    #[test]
    fn drops_and_promotion() {
        let golds = position("4k4/9/9/9/9/9/9/9/4G4 b GS 1");
        assert_eq!(name(&golds, "G*5h"), "▲５八金打");
        assert_eq!(name(&golds, "G*5e"), "▲５五金");
        assert_eq!(name(&golds, "S*5h"), "▲５八銀");
        let zone = position("4k4/9/9/3SP4/9/9/9/9/9 b - 1");
        assert_eq!(name(&zone, "5d5c+"), "▲５三歩成");
        assert_eq!(name(&zone, "6d6c"), "▲６三銀不成");
        let same = Some(Square::new(6, 3).unwrap());
        let m = Move::from_usi("6d6c+").unwrap();
        assert_eq!(move_name(&zone, m, same), "▲同銀成");
        assert_eq!(ki2_move_name(&zone, m, same), "▲同　銀成");
        assert_eq!(kif_move_name(&zone, m, same), "同　銀成(64)");
        assert_eq!(kif_move_name(&zone, m, None), "６三銀成(64)");
        let drop = Move::from_usi("G*5e").unwrap();
        assert_eq!(kif_move_name(&golds, drop, None), "５五金打");
    }
}
