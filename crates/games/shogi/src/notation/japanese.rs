//! Moves, hands and boards in Japanese, as people write them.
//!
//! A move is named by where it goes and which piece goes there: `▲７六歩`, or `△同銀` where the
//! move before went. If several pieces of the kind could go there, words say which one, after the
//! rules of the Shogi Federation: first how it moves (上 forward, 寄 sideways, 引 back); if that is
//! not enough, where it comes from (直 from straight behind, 左 or 右 from the left or the right);
//! if that is not enough either, both. A dragon or a horse is never 直: of two, one is 左 and the
//! other 右. Pieces that could go there count even if their own king would then stand in check.
//! 打 marks a drop where a piece of the kind on the board could also go; 成 and 不成 stand where the
//! piece may promote.

use crate::attacks;
use crate::hand::Hand;
use crate::moves::Move;
use crate::piece::{Color, Kind, Piece};
use crate::position::Position;
use crate::square::{Bitboard, Square};

use super::ReadError;
use super::text::{Cursor, KANJI_DIGITS, digit, kanji_digit};

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

/// Takes the name of a kind.
fn scan_kind(cursor: &mut Cursor) -> Option<Kind> {
    for kind in [Kind::PRO_LANCE, Kind::PRO_KNIGHT, Kind::PRO_SILVER] {
        if cursor.eat(kind_name(kind)) {
            return Some(kind);
        }
    }
    cursor.next_as(kind_from_char)
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

/// How a piece moves, for the side that moves it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Motion {
    Forward,
    Sideways,
    Back,
}

impl Motion {
    fn of(color: Color, from: Square, to: Square) -> Motion {
        match (from.rank().cmp(&to.rank()), color) {
            (std::cmp::Ordering::Equal, _) => Motion::Sideways,
            (std::cmp::Ordering::Greater, Color::Black)
            | (std::cmp::Ordering::Less, Color::White) => Motion::Forward,
            _ => Motion::Back,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Motion::Forward => "上",
            Motion::Sideways => "寄",
            Motion::Back => "引",
        }
    }
}

/// Where a piece comes from, for the side that moves it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    Left,
    Straight,
    Right,
}

impl Origin {
    fn of(color: Color, from: Square, to: Square) -> Origin {
        match (from.file().cmp(&to.file()), color) {
            (std::cmp::Ordering::Equal, _) => Origin::Straight,
            (std::cmp::Ordering::Less, Color::Black)
            | (std::cmp::Ordering::Greater, Color::White) => Origin::Right,
            _ => Origin::Left,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Origin::Left => "左",
            Origin::Straight => "直",
            Origin::Right => "右",
        }
    }
}

/// The pieces of a kind of the side to move that can go to a square.
fn candidates(position: &Position, kind: Kind, to: Square) -> Bitboard {
    let (us, occupied) = (position.turn(), position.occupied());
    let can_go = |&from: &Square| attacks::attacks(kind, us, from, occupied).contains(to);
    position.pieces(us, kind).filter(can_go).collect()
}

/// The words that tell a move from those of other pieces of the kind: 右, 上, 打 or nothing.
pub(super) fn words(position: &Position, m: Move) -> (Option<Origin>, Option<Motion>, bool) {
    let (us, to) = (position.turn(), m.to());
    let Some(from) = m.from() else {
        let kind = m.dropped().unwrap_or(Kind::PAWN);
        return (None, None, !candidates(position, kind, to).is_empty());
    };
    let Some(piece) = position.piece(from) else { return (None, None, false) };
    let kind = piece.kind();
    let others = candidates(position, kind, to) & !from.bit();
    if others.is_empty() {
        return (None, None, false);
    }
    let (motion, origin) = (Motion::of(us, from, to), Origin::of(us, from, to));
    let mut same_motion = others.into_iter().filter(|&other| Motion::of(us, other, to) == motion);
    let Some(rival) = same_motion.next() else { return (None, Some(motion), false) };
    if kind == Kind::HORSE || kind == Kind::DRAGON {
        return (Some(Origin::of(us, from, rival)), None, false);
    }
    let mut same_origin = others.into_iter().filter(|&other| Origin::of(us, other, to) == origin);
    if origin == Origin::Straight || same_origin.next().is_none() {
        return (Some(origin), None, false);
    }
    (Some(origin), Some(motion), false)
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

/// A move as it is written, before anyone has looked at the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// ▲ or △.
    pub side: Option<Color>,
    /// Where to; none for 同.
    pub to: Option<Square>,
    /// The kind before it moves.
    pub kind: Kind,
    pub origin: Option<Origin>,
    pub motion: Option<Motion>,
    pub drop: bool,
    /// 成 or 不成.
    pub promote: Option<bool>,
    /// Where from, in KIF.
    pub from: Option<Square>,
}

/// A digit of a square, from 1 to 9: wide, narrow or kanji.
fn coordinate(c: char) -> Option<u8> {
    let arabic = digit(c).map(|digit| digit as u8).filter(|&digit| digit > 0);
    arabic.or_else(|| kanji_digit(c))
}

/// Takes a move.
pub(super) fn scan(cursor: &mut Cursor) -> Result<Written, ReadError> {
    let no_move = |cursor: &Cursor| {
        let word: String = cursor.word().chars().take(12).collect();
        cursor.error(format!("'{word}' is no move: moves are written like ７六歩 or 同銀"))
    };
    let start = cursor.clone();
    let side = cursor.next_as(side_of_mark);
    cursor.skip_space();
    let mut to = None;
    let mut same = cursor.eat("同");
    if !same {
        let file = cursor.next_as(coordinate).ok_or_else(|| no_move(&start))?;
        let rank = cursor.next_as(coordinate).ok_or_else(|| no_move(&start))?;
        to = Square::new(file, rank);
        same = cursor.eat("同");
    }
    if same {
        cursor.skip_space();
    }
    let kind = scan_kind(cursor).ok_or_else(|| {
        cursor.error(format!("'{}' is no piece", cursor.peek().map_or("".into(), String::from)))
    })?;
    let mut written = Written {
        side,
        to,
        kind,
        origin: None,
        motion: None,
        drop: false,
        promote: None,
        from: None,
    };
    scan_words(cursor, &mut written);
    let mut after = cursor.clone();
    after.skip_space();
    if let Some(from) = scan_from(&mut after) {
        match Square::new(from.0, from.1) {
            Some(from) => written.from = Some(from),
            None => written.drop = true,
        }
        *cursor = after;
    }
    Ok(written)
}

/// Takes the words after the piece.
fn scan_words(cursor: &mut Cursor, written: &mut Written) {
    loop {
        let free = (written.origin.is_none(), written.motion.is_none(), written.promote.is_none());
        match cursor.peek() {
            Some('左') if free.0 => written.origin = Some(Origin::Left),
            Some('直') if free.0 => written.origin = Some(Origin::Straight),
            Some('右') if free.0 => written.origin = Some(Origin::Right),
            Some('上' | '行') if free.1 => written.motion = Some(Motion::Forward),
            Some('寄') if free.1 => written.motion = Some(Motion::Sideways),
            Some('引' | '下') if free.1 => written.motion = Some(Motion::Back),
            Some('打') if !written.drop => written.drop = true,
            Some('成') if free.2 => written.promote = Some(true),
            Some('生') if free.2 => written.promote = Some(false),
            Some('不') if free.2 && cursor.eat("不成") => {
                written.promote = Some(false);
                continue;
            }
            _ => return,
        }
        cursor.next();
    }
}

/// Takes the two digits in brackets that say where a piece comes from.
fn scan_from(cursor: &mut Cursor) -> Option<(u8, u8)> {
    (cursor.eat("(") || cursor.eat("（")).then_some(())?;
    let file = cursor.next_as(digit)? as u8;
    let rank = cursor.next_as(digit)? as u8;
    (cursor.eat(")") || cursor.eat("）")).then_some((file, rank))
}

impl Written {
    /// The legal move that is meant, or why there is none.
    pub fn resolve(&self, position: &Position, last: Option<Square>) -> Result<Move, String> {
        let us = position.turn();
        if let Some(side) = self.side.filter(|&side| side != us) {
            return Err(format!("{} is to move, not {}", mark(us), mark(side)));
        }
        let to = self.to.or(last).ok_or("同, but there is no move before it")?;
        let m = match self.from {
            Some(from) => self.with_origin(position, from, to)?,
            None => self.choose(position, to)?,
        };
        match position.is_legal(m) {
            true => Ok(m),
            false => Err(why_illegal(position, m)),
        }
    }

    fn with_origin(&self, position: &Position, from: Square, to: Square) -> Result<Move, String> {
        let place = square_name(from);
        match position.piece(from) {
            None => Err(format!("there is no piece on {place}")),
            Some(piece) if piece.color() != position.turn() => {
                Err(format!("the piece on {place} belongs to the other side"))
            }
            Some(piece) if piece.kind() != self.kind => {
                let (there, said) = (kind_name(piece.kind()), kind_name(self.kind));
                Err(format!("the piece on {place} is {there}, not {said}"))
            }
            Some(_) if self.drop => Err(format!("打, but also where it comes from ({place})")),
            Some(_) => Ok(Move::new(from, to, self.promote == Some(true))),
        }
    }

    /// Finds the move among the legal ones.
    fn choose(&self, position: &Position, to: Square) -> Result<Move, String> {
        let us = position.turn();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.retain(|&m| m.to() == to && moving_kind(position, m) == self.kind);
        let promotes = self.promote == Some(true);
        let fits = |m: &&Move| m.promotes() == promotes;
        let drop = moves.iter().find(|m| m.is_drop() && !promotes).copied();
        let mut found: Vec<(Square, Move)> =
            moves.iter().filter(fits).filter_map(|&m| Some((m.from()?, m))).collect();
        let words = self.origin.is_some() || self.motion.is_some();
        if self.drop || found.is_empty() && !words {
            return drop.ok_or_else(|| self.why_none(position, to, &moves));
        }
        if let Some(motion) = self.motion {
            found.retain(|&(from, _)| Motion::of(us, from, to) == motion);
        }
        if let Some(origin) = self.origin {
            found.retain(|&(from, _)| self.comes_from(position, origin, from, to));
        }
        match found[..] {
            [(_, m)] => Ok(m),
            [] => Err(self.why_none(position, to, &moves)),
            _ => {
                let names: Vec<String> =
                    found.iter().map(|&(_, m)| move_name(position, m, None)).collect();
                Err(format!("more than one move can be meant: {}", names.join(", ")))
            }
        }
    }

    /// Is a piece there the one that 左, 直 or 右 means?
    fn comes_from(&self, position: &Position, origin: Origin, from: Square, to: Square) -> bool {
        let us = position.turn();
        let motion = Motion::of(us, from, to);
        if Origin::of(us, from, to) == origin {
            return origin != Origin::Straight || motion == Motion::Forward;
        }
        // Of two dragons or horses the one straight behind is 左 or 右 as the other is not.
        matches!(self.kind, Kind::HORSE | Kind::DRAGON)
            && Origin::of(us, from, to) == Origin::Straight
            && (candidates(position, self.kind, to) & !from.bit()).into_iter().any(|rival| {
                Motion::of(us, rival, to) == motion && Origin::of(us, from, rival) == origin
            })
    }

    /// Why no legal move fits, if `near` are those of the kind to the square.
    fn why_none(&self, position: &Position, to: Square, near: &[Move]) -> String {
        let (kind, place) = (kind_name(self.kind), square_name(to));
        if !near.is_empty() {
            let names: Vec<String> = near.iter().map(|&m| move_name(position, m, None)).collect();
            return format!("no such move; {} would be legal", names.join(", "));
        }
        // Say why the most likely move is not legal, if one can be guessed.
        let from = candidates(position, self.kind, to).first();
        let drop = Kind::HAND.contains(&self.kind) && position.hand(position.turn()).has(self.kind);
        match from {
            Some(from) if !self.drop => {
                why_illegal(position, Move::new(from, to, self.promote == Some(true)))
            }
            _ if drop => why_illegal(position, Move::drop(self.kind, to)),
            _ => format!("no {kind} can go to {place}"),
        }
    }
}

/// Why a move is not legal.
pub(super) fn why_illegal(position: &Position, m: Move) -> String {
    let (us, to) = (position.turn(), m.to());
    let name = format!("{}{}", mark(us), kif_move_name(position, m, None));
    let kind = moving_kind(position, m);
    let stuck = !m.promotes() && attacks::reach(kind, us, to).is_empty();
    let why = match m.from() {
        None if kind == Kind::KING || !position.hand(us).has(kind) => "there is none in hand",
        None if position.piece(to).is_some() => "the square is not empty",
        None if stuck => "it could never move again",
        None if kind == Kind::PAWN
            && position.pieces(us, kind).any(|pawn| pawn.file() == to.file()) =>
        {
            "there is a pawn on the file (二歩)"
        }
        None if kind == Kind::PAWN && position.is_pawn_drop_mate(to) => {
            "it is mate by a pawn drop (打ち歩詰め)"
        }
        Some(from) if position.piece(from).is_none_or(|piece| piece.color() != us) => {
            "there is no piece to move"
        }
        Some(_) if position.piece(to).is_some_and(|piece| piece.color() == us) => {
            "its own piece stands there"
        }
        Some(from) if !candidates(position, kind, to).contains(from) => "it does not go there",
        Some(_) if m.promotes() && !may_promote(position, m) => "it cannot promote",
        Some(_) if stuck => "it must promote",
        _ => "the king would stand in check",
    };
    format!("{name} is not legal: {why}")
}

/// The legal move that a Japanese text means in a position, or why there is none. `last` is where
/// the move before went.
pub fn read_move(position: &Position, last: Option<Square>, text: &str) -> Result<Move, String> {
    let mut cursor = Cursor::new(0, text);
    cursor.skip_space();
    let written = scan(&mut cursor).map_err(|error| error.reason)?;
    cursor.skip_space();
    match cursor.peek() {
        Some(_) => Err(format!("'{}' is not expected after a move", cursor.rest())),
        None => written.resolve(position, last),
    }
}

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
        let kind = kind.ok_or_else(|| {
            let word = start.word();
            start.error(format!(
                "'{word}' is no hand: write pieces such as 飛　角二　歩十七, or なし, or 残り全部"
            ))
        })?;
        let count = u32::from(hand.count(kind)) + scan_count(cursor).unwrap_or(1);
        let most = Kind::SET[kind.index()];
        if count > u32::from(most) {
            let name = kind_name(kind);
            return Err(start.error(format!("{count} {name} are too many: a set has {most}")));
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

/// The board as KIF draws it, nine ranks in a box.
pub fn board(position: &Position) -> String {
    let mut text = String::from("  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n");
    for rank in 1..=9 {
        text.push('|');
        for file in (1..=9).rev() {
            match Square::new(file, rank).and_then(|square| position.piece(square)) {
                None => text += " ・",
                Some(piece) => {
                    text.push(if piece.color() == Color::Black { ' ' } else { 'v' });
                    text.push(kind_char(piece.kind()));
                }
            }
        }
        text.push('|');
        text.push(KANJI_DIGITS[usize::from(rank - 1)]);
        text.push('\n');
    }
    text + "+---------------------------+\n"
}

/// The board between the two hands, and 後手番 if White is to move.
pub fn diagram(position: &Position) -> String {
    let [black, white] = Color::ALL.map(|color| hand_name(position.hand(color)));
    let turn = if position.turn() == Color::White { "後手番\n" } else { "" };
    format!("後手の持駒：{white}\n{}先手の持駒：{black}\n{turn}", board(position))
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

    #[test]
    fn moves_are_read_in_many_ways() {
        let start = Position::start();
        let wanted = Move::from_usi("7g7f").unwrap();
        for text in
            ["▲７六歩", "☗7六歩", "76歩", "７六歩(77)", "七六歩直", "▲７六歩上", " ７六歩（７７） "]
        {
            assert_eq!(read_move(&start, None, text), Ok(wanted), "{text}");
        }
        let faults = [
            ("△７六歩", "▲ is to move"),
            ("７五歩", "no 歩 can go to ７五"),
            ("７七角", "its own piece"),
            ("７六歩成", "▲７六歩 would be legal"),
            ("７六歩(78)", "there is no piece on ７八"),
            ("７六歩(28)", "the piece on ２八 is 飛, not 歩"),
            ("７六歩(33)", "the other side"),
            ("５九金", "own piece"),
            ("５八金", "▲５八金右, ▲５八金左"),
            ("同歩", "there is no move before"),
            ("７六", "is no piece"),
            ("７", "is no move"),
            ("", "is no move"),
            ("７六歩打", "▲７六歩 would be legal"),
            ("７六歩よ", "not expected"),
            ("９九角成(88)", "its own piece stands there"),
            ("２二角成(88)", "it does not go there"),
        ];
        for (text, reason) in faults {
            let error = read_move(&start, None, text).expect_err(text);
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn an_illegal_move_is_explained() {
        let pinned = position("4k4/4r4/9/9/9/9/4G4/4K4/4P4 b P 1");
        for (text, reason) in [
            ("４七金", "the king would stand in check"),
            ("５三歩", "二歩"),
            ("４一歩", "never move again"),
            ("５二歩", "not empty"),
            ("３三香", "no 香 can go"),
            ("３三香打", "no 香 can go"),
        ] {
            let error = read_move(&pinned, None, text).expect_err(text);
            assert!(error.contains(reason), "{text}: {error}");
        }
        let mate = position("8k/6G2/7G1/9/9/9/9/9/9 b P 1");
        let error = read_move(&mate, None, "１二歩").expect_err("打ち歩詰め");
        assert!(error.contains("打ち歩詰め"), "{error}");
        let forced = position("4k4/P8/9/9/9/9/9/9/9 b - 1");
        let error = read_move(&forced, None, "９一歩不成(92)").expect_err("dead end");
        assert!(error.contains("must promote"), "{error}");
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
