//! Sides, kinds of pieces, and pieces.

use std::ops::Not;

/// A side. Black (先手) moves up the board, towards rank 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// 先手, 攻方 in most problems.
    Black = 0,
    /// 後手, 玉方 in most problems.
    White = 1,
}

impl Color {
    /// Both.
    pub const ALL: [Color; 2] = [Color::Black, Color::White];

    /// 0 for Black, 1 for White.
    #[inline]
    pub fn index(self) -> usize {
        self as usize & 1
    }
}

impl Not for Color {
    type Output = Color;
    #[inline]
    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

/// A kind of piece. Kinds up to [`Kind::ROOK`] can be held in hand; a promoted kind is its raw kind
/// plus 8.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Kind(pub(crate) u8);

impl Kind {
    /// 歩
    pub const PAWN: Kind = Kind(0);
    /// 香
    pub const LANCE: Kind = Kind(1);
    /// 桂
    pub const KNIGHT: Kind = Kind(2);
    /// 銀
    pub const SILVER: Kind = Kind(3);
    /// 金
    pub const GOLD: Kind = Kind(4);
    /// 角
    pub const BISHOP: Kind = Kind(5);
    /// 飛
    pub const ROOK: Kind = Kind(6);
    /// 玉
    pub const KING: Kind = Kind(7);
    /// と
    pub const PRO_PAWN: Kind = Kind(8);
    /// 成香
    pub const PRO_LANCE: Kind = Kind(9);
    /// 成桂
    pub const PRO_KNIGHT: Kind = Kind(10);
    /// 成銀
    pub const PRO_SILVER: Kind = Kind(11);
    /// 馬
    pub const HORSE: Kind = Kind(13);
    /// 龍
    pub const DRAGON: Kind = Kind(14);

    /// The kinds that can be held in hand, from the pawn to the rook.
    pub const HAND: [Kind; 7] =
        [Kind::PAWN, Kind::LANCE, Kind::KNIGHT, Kind::SILVER, Kind::GOLD, Kind::BISHOP, Kind::ROOK];

    /// Every kind.
    pub const ALL: [Kind; 14] = [
        Kind::PAWN,
        Kind::LANCE,
        Kind::KNIGHT,
        Kind::SILVER,
        Kind::GOLD,
        Kind::BISHOP,
        Kind::ROOK,
        Kind::KING,
        Kind::PRO_PAWN,
        Kind::PRO_LANCE,
        Kind::PRO_KNIGHT,
        Kind::PRO_SILVER,
        Kind::HORSE,
        Kind::DRAGON,
    ];

    /// How many of each kind in [`Kind::HAND`] a full set has.
    pub const SET: [u8; 7] = [18, 4, 4, 4, 4, 2, 2];

    /// A number below 16.
    #[inline]
    pub fn index(self) -> usize {
        (self.0 & 15) as usize
    }

    /// Is it promoted?
    #[inline]
    pub fn is_promoted(self) -> bool {
        self.0 & 8 != 0
    }

    /// Does what it attacks depend on what stands in the way?
    #[inline]
    pub fn slides(self) -> bool {
        const SLIDING: u32 = 1 << 1 | 1 << 5 | 1 << 6 | 1 << 13 | 1 << 14;
        SLIDING >> self.index() & 1 != 0
    }

    /// Can it promote?
    #[inline]
    pub fn can_promote(self) -> bool {
        self.0 < 7 && self.0 != 4
    }

    /// The promoted kind, of a kind that can promote.
    #[inline]
    pub fn promoted(self) -> Kind {
        debug_assert!(self.can_promote());
        Kind(self.0 | 8)
    }

    /// The kind it goes to a hand as.
    #[inline]
    pub fn raw(self) -> Kind {
        Kind(self.0 & 7)
    }

    /// Does it move as a gold (金, と, 成香, 成桂, 成銀)?
    #[inline]
    pub fn moves_as_gold(self) -> bool {
        self.0 == 4 || (8..12).contains(&self.0)
    }

    /// The letter of the raw kind in SFEN, in capitals.
    pub fn letter(self) -> char {
        b"PLNSGBRK"[self.raw().index()] as char
    }

    /// The raw kind of an SFEN letter of either case.
    pub fn from_letter(letter: char) -> Option<Kind> {
        let at = "PLNSGBRK".find(letter.to_ascii_uppercase())?;
        Some(Kind(at as u8))
    }
}

/// A piece of a side.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece(std::num::NonZeroU8);

impl Piece {
    /// A piece.
    #[inline]
    pub fn new(color: Color, kind: Kind) -> Piece {
        let code = 0x20 | (color as u8) << 4 | kind.0;
        Piece(std::num::NonZeroU8::new(code).unwrap_or(std::num::NonZeroU8::MIN))
    }

    /// Whose it is.
    #[inline]
    pub fn color(self) -> Color {
        if self.0.get() & 16 == 0 { Color::Black } else { Color::White }
    }

    /// What it is.
    #[inline]
    pub fn kind(self) -> Kind {
        Kind(self.0.get() & 15)
    }

    /// A number below 32.
    #[inline]
    pub fn index(self) -> usize {
        (self.0.get() & 31) as usize
    }
}

impl std::fmt::Display for Piece {
    /// As in SFEN: `+` before a promoted piece, capitals for Black.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.kind().is_promoted() {
            f.write_str("+")?;
        }
        let letter = self.kind().letter();
        match self.color() {
            Color::Black => write!(f, "{letter}"),
            Color::White => write!(f, "{}", letter.to_ascii_lowercase()),
        }
    }
}

impl std::fmt::Debug for Piece {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Piece({self})")
    }
}
