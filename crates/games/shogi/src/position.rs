//! A shogi position: board, hands, side to move; playing and taking back.

use crate::attacks;
use crate::hand::Hand;
use crate::moves::Move;
use crate::piece::{Color, Kind, Piece};
use crate::square::{Bitboard, Square};

/// A position. Either king may be missing: a problem often has only the defender's.
#[derive(Clone)]
pub struct Position {
    board: [Option<Piece>; 128],
    /// The squares of every kind, and of groups of kinds.
    kinds: [Bitboard; 17],
    colors: [Bitboard; 2],
    hands: [Hand; 2],
    kings: [Option<Square>; 2],
    turn: Color,
    key: u128,
}

/// What [`Position::undo`] needs.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    captured: Option<Piece>,
    key: u128,
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014): every bit of a number spread over a word.
const fn mix(mut x: u64) -> u64 {
    x ^= x >> 30;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 27;
    x = x.wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

const fn zobrist() -> [[u128; 128]; 32] {
    let mut table = [[0; 128]; 32];
    let mut state = 0x5eed_0f5e_c0de_d00d_u64;
    let mut piece = 0;
    while piece < 32 {
        let mut square = 0;
        while square < 81 {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let low = mix(state);
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            table[piece][square] = (mix(state) as u128) << 64 | low as u128;
            square += 1;
        }
        piece += 1;
    }
    table
}

static ZOBRIST: [[u128; 128]; 32] = zobrist();
const TURN: u128 = 0x8f1b_bcdc_ca62_c1d6_5a82_7999_6ed9_eba1;

/// Where [`Position`] keeps the squares of all pieces that move as a gold, of all that slide, and of
/// the others: numbers that no kind has.
const GOLDS: usize = 12;
const SLIDERS: usize = 15;
const OTHERS: usize = 16;
static GROUP: [usize; 16] = {
    let mut group = [OTHERS; 16];
    let mut kind = 0;
    while kind < 16 {
        group[kind] = match kind {
            4 | 8..=11 => GOLDS,
            1 | 5 | 6 | 13 | 14 => SLIDERS,
            _ => OTHERS,
        };
        kind += 1;
    }
    group
};

impl Position {
    /// An empty board with Black to move.
    pub fn empty() -> Position {
        Position {
            board: [None; 128],
            kinds: [Bitboard::EMPTY; 17],
            colors: [Bitboard::EMPTY; 2],
            hands: [Hand::EMPTY; 2],
            kings: [None; 2],
            turn: Color::Black,
            key: 0,
        }
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Gives the move to a side.
    pub fn set_turn(&mut self, turn: Color) {
        if turn != self.turn {
            self.turn = turn;
            self.key ^= TURN;
        }
    }

    /// The pieces a side holds.
    #[inline]
    pub fn hand(&self, color: Color) -> Hand {
        self.hands[color.index()]
    }

    /// Gives a side the pieces it holds.
    pub fn set_hand(&mut self, color: Color, hand: Hand) {
        self.hands[color.index()] = hand;
    }

    /// The piece on a square.
    #[inline]
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// Where a side's king stands.
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.kings[color.index()]
    }

    /// Every occupied square.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The squares with a side's pieces.
    #[inline]
    pub fn of(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The squares with pieces of a kind, of both sides.
    #[inline]
    pub fn kind(&self, kind: Kind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The squares with a side's pieces of a kind.
    #[inline]
    pub fn pieces(&self, color: Color, kind: Kind) -> Bitboard {
        self.kinds[kind.index()] & self.colors[color.index()]
    }

    /// A hash of the board and the side to move; the hands are not in it.
    #[inline]
    pub fn key(&self) -> u128 {
        self.key
    }

    /// Puts a piece on a square, or takes away what stands there.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        if let Some(old) = self.piece(square) {
            self.take(square, old);
            if old.kind() == Kind::KING {
                self.kings[old.color().index()] = None;
            }
        }
        if let Some(piece) = piece {
            self.put(square, piece);
            if piece.kind() == Kind::KING {
                self.kings[piece.color().index()] = Some(square);
            }
        }
    }

    #[inline]
    fn put(&mut self, square: Square, piece: Piece) {
        self.board[square.index()] = Some(piece);
        self.toggle(square, piece);
        self.key ^= ZOBRIST[piece.index()][square.index()];
    }

    #[inline]
    fn take(&mut self, square: Square, piece: Piece) {
        self.board[square.index()] = None;
        self.toggle(square, piece);
        self.key ^= ZOBRIST[piece.index()][square.index()];
    }

    /// Puts a piece into the sets of squares that it belongs to, or takes it out of them.
    #[inline]
    fn toggle(&mut self, square: Square, piece: Piece) {
        let bit = square.bit();
        self.kinds[piece.kind().index()] ^= bit;
        self.kinds[GROUP[piece.kind().index()]] ^= bit;
        self.colors[piece.color().index()] ^= bit;
    }

    /// The piece that a move puts on its square.
    #[inline]
    pub fn piece_after(&self, m: Move) -> Option<Piece> {
        match m.dropped() {
            Some(kind) => Some(Piece::new(self.turn, kind)),
            None => {
                let piece = self.piece(m.from()?)?;
                Some(if m.promotes() {
                    Piece::new(piece.color(), Kind(piece.kind().0 | 8))
                } else {
                    piece
                })
            }
        }
    }

    /// Plays a move that is at least pseudo-legal: the piece is there, and no king is taken.
    #[inline]
    pub fn play(&mut self, m: Move) -> Undo {
        let (us, to) = (self.turn, m.to());
        let key = self.key;
        let mut captured = None;
        match m.dropped() {
            Some(kind) => {
                let hand = &mut self.hands[us.index()];
                *hand = hand.minus(kind);
                self.put(to, Piece::new(us, kind));
            }
            None => {
                let from = Square((m.code() >> 7 & 127) as u8);
                captured = self.piece(to);
                if let Some(piece) = captured {
                    self.take(to, piece);
                    let hand = &mut self.hands[us.index()];
                    *hand = hand.plus(piece.kind());
                }
                if let Some(piece) = self.piece(from) {
                    self.take(from, piece);
                    let kind = if m.promotes() { Kind(piece.kind().0 | 8) } else { piece.kind() };
                    self.put(to, Piece::new(us, kind));
                    if kind == Kind::KING {
                        self.kings[us.index()] = Some(to);
                    }
                }
            }
        }
        self.turn = !us;
        self.key ^= TURN;
        Undo { captured, key }
    }

    /// Takes back the move played last.
    #[inline]
    pub fn undo(&mut self, m: Move, undo: Undo) {
        let (us, to) = (!self.turn, m.to());
        // The key is known, so only the board has to be put back.
        (self.turn, self.key) = (us, undo.key);
        let Some(piece) = self.piece(to) else { return };
        self.toggle(to, piece);
        self.board[to.index()] = undo.captured;
        match m.dropped() {
            Some(kind) => {
                let hand = &mut self.hands[us.index()];
                *hand = hand.plus(kind);
            }
            None => {
                let from = Square((m.code() >> 7 & 127) as u8);
                let kind = if m.promotes() { piece.kind().raw() } else { piece.kind() };
                let piece = Piece::new(us, kind);
                self.board[from.index()] = Some(piece);
                self.toggle(from, piece);
                if kind == Kind::KING {
                    self.kings[us.index()] = Some(from);
                }
                if let Some(captured) = undo.captured {
                    self.toggle(to, captured);
                    let hand = &mut self.hands[us.index()];
                    *hand = hand.minus(captured.kind());
                }
            }
        }
    }

    /// The key and the mover's hand after a move, without playing it.
    #[inline]
    pub fn after(&self, m: Move) -> (u128, Hand) {
        let (us, to) = (self.turn, m.to());
        let mut key = self.key ^ TURN;
        let mut hand = self.hands[us.index()];
        match m.dropped() {
            Some(kind) => {
                hand = hand.minus(kind);
                key ^= ZOBRIST[Piece::new(us, kind).index()][to.index()];
            }
            None => {
                let from = Square((m.code() >> 7 & 127) as u8);
                if let Some(captured) = self.piece(to) {
                    hand = hand.plus(captured.kind());
                    key ^= ZOBRIST[captured.index()][to.index()];
                }
                if let Some(piece) = self.piece(from) {
                    let after = if m.promotes() { piece.index() | 8 } else { piece.index() };
                    key ^= ZOBRIST[piece.index()][from.index()] ^ ZOBRIST[after & 31][to.index()];
                }
            }
        }
        (key, hand)
    }

    /// The squares with a side's pieces that move as a gold.
    #[inline]
    pub fn golds(&self, color: Color) -> Bitboard {
        self.kinds[GOLDS] & self.of(color)
    }

    /// The pieces of `color` that attack a square, if the board were occupied so.
    #[inline]
    pub fn attackers(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        let them = !color;
        let ours = self.of(color);
        let horse = self.kind(Kind::HORSE);
        let dragon = self.kind(Kind::DRAGON);
        let mut found = attacks::pawn(them, square) & self.kind(Kind::PAWN)
            | attacks::knight(them, square) & self.kind(Kind::KNIGHT)
            | attacks::silver(them, square) & self.kind(Kind::SILVER)
            | attacks::gold(them, square) & self.kinds[GOLDS]
            | attacks::king(square) & (self.kind(Kind::KING) | horse | dragon);
        found &= ours;
        let (diagonals, straight) = (attacks::bishop_rays(square), attacks::rook_rays(square));
        if (self.sliders(color) & (diagonals | straight)).is_empty() {
            return found;
        }
        let bishops = (self.kind(Kind::BISHOP) | horse) & ours;
        if !(bishops & diagonals).is_empty() {
            found |= attacks::bishop(square, occupied) & bishops;
        }
        let rooks = (self.kind(Kind::ROOK) | dragon) & ours;
        if !(rooks & straight).is_empty() {
            found |= attacks::rook(square, occupied) & rooks;
        }
        let lances = self.kind(Kind::LANCE) & ours & attacks::lance_ray(them, square);
        if !lances.is_empty() {
            found |= attacks::lance(them, square, occupied) & lances;
        }
        found
    }

    /// A side's lances, bishops, rooks, horses and dragons.
    #[inline]
    pub fn sliders(&self, color: Color) -> Bitboard {
        self.kinds[SLIDERS] & self.of(color)
    }

    /// Does `color` attack a square, if the board were occupied so?
    #[inline]
    pub fn is_attacked(&self, color: Color, square: Square, occupied: Bitboard) -> bool {
        !self.attackers(color, square, occupied).is_empty()
    }

    /// Which of these neighbours of a square `color` attacks, if the board were occupied so. This is
    /// quicker than to ask one by one: most pieces reach none of them.
    #[inline]
    pub fn attacked_around(
        &self,
        color: Color,
        middle: Square,
        squares: Bitboard,
        occupied: Bitboard,
    ) -> Bitboard {
        let mut found = Bitboard::EMPTY;
        for from in (attacks::near(middle) | self.kinds[SLIDERS]) & self.of(color) {
            let Some(piece) = self.piece(from) else { continue };
            let reached = attacks::reach(piece.kind(), color, from) & squares;
            if reached.is_empty() {
                continue;
            }
            found |= attacks::attacks(piece.kind(), color, from, occupied) & squares;
        }
        found
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        match self.king(self.turn) {
            Some(king) => self.attackers(!self.turn, king, self.occupied()),
            None => Bitboard::EMPTY,
        }
    }

    /// Is the side to move in check?
    #[inline]
    pub fn is_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// A side's sliders that would attack a square on an empty board.
    #[inline]
    pub fn snipers(&self, color: Color, square: Square) -> Bitboard {
        (attacks::bishop_rays(square) & (self.kind(Kind::BISHOP) | self.kind(Kind::HORSE))
            | attacks::rook_rays(square) & (self.kind(Kind::ROOK) | self.kind(Kind::DRAGON))
            | attacks::lance_ray(!color, square) & self.kind(Kind::LANCE))
            & self.of(color)
    }

    /// The pieces, of either side, that stand alone between a square and a slider of `color`.
    #[inline]
    pub fn blockers(&self, color: Color, square: Square) -> Bitboard {
        let occupied = self.occupied();
        let mut found = Bitboard::EMPTY;
        for sniper in self.snipers(color, square) {
            let between = attacks::between(square, sniper) & occupied;
            if !between.is_many() {
                found |= between;
            }
        }
        found
    }

    /// The same position from the other side: the board turned round and the colours exchanged.
    pub fn flipped(&self) -> Position {
        let mut flipped = Position::empty();
        for square in self.occupied() {
            if let Some(piece) = self.piece(square) {
                let turned = Piece::new(!piece.color(), piece.kind());
                flipped.set(square.flipped(), Some(turned));
            }
        }
        for color in Color::ALL {
            flipped.set_hand(!color, self.hand(color));
        }
        flipped.set_turn(!self.turn);
        flipped
    }

    /// All pieces but the kings, on the board and in both hands.
    pub fn material(&self) -> Hand {
        let held = self.hand(Color::Black).and(self.hand(Color::White));
        self.occupied().filter_map(|square| self.piece(square)).fold(held, |all, piece| {
            if piece.kind() == Kind::KING { all } else { all.plus(piece.kind()) }
        })
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.board == other.board && self.hands == other.hands && self.turn == other.turn
    }
}

impl Eq for Position {}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Position({self})")
    }
}
