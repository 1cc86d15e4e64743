//! A position by the rules of chess, standard or Chess960.

use std::hash::{DefaultHasher, Hash, Hasher};

use cozy_chess::{Board, Color, File, Move, Piece, Rank, Square, get_pawn_attacks};

/// A position: the board, the side to move, castling rights, en passant, and the two counters.
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
}

/// What tells two positions apart by the rules for repetition: equal identities are one position.
/// The counters are no part of it, and an en passant square is only where a capture there is legal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Identity {
    /// Kind by kind from pawns to queens; both kings are in `kings`.
    pieces: [u64; 5],
    kings: [Square; 2],
    white: u64,
    castling: [Option<File>; 4],
    en_passant: Option<File>,
    side: Color,
}

/// Whether the side to move can still move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// There is a legal move.
    Ongoing,
    /// No legal move, and the king is in check: the side to move has lost.
    Checkmate,
    /// No legal move, but no check: a draw.
    Stalemate,
}

impl Position {
    /// The position before the first move.
    pub fn start() -> Position {
        Position { board: Board::startpos() }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        self.board.side_to_move()
    }

    /// Is the side to move in check?
    pub fn in_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }

    /// All legal moves, in an order that depends on the position alone.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(48);
        self.board.generate_moves(|set| {
            moves.extend(set);
            false
        });
        moves
    }

    /// Is the move legal?
    pub fn is_legal(&self, m: Move) -> bool {
        self.board.is_legal(m)
    }

    /// Plays a legal move.
    ///
    /// # Panics
    /// If the move is not legal.
    pub fn play(&mut self, m: Move) {
        assert!(self.board.is_legal(m), "{m} is not legal in {self}");
        self.board.play_unchecked(m);
    }

    /// The position after a legal move.
    #[must_use]
    pub fn after(&self, m: Move) -> Position {
        let mut next = self.clone();
        next.play(m);
        next
    }

    /// The position after a move that is known to be legal.
    pub(crate) fn after_unchecked(&self, m: Move) -> Position {
        let mut next = self.clone();
        next.board.play_unchecked(m);
        next
    }

    /// Can the side to move still move?
    pub fn status(&self) -> Status {
        match (self.board.generate_moves(|_| true), self.in_check()) {
            (true, _) => Status::Ongoing,
            (false, true) => Status::Checkmate,
            (false, false) => Status::Stalemate,
        }
    }

    /// Is `m` castling (the king takes his own rook)?
    pub fn is_castling(&self, m: Move) -> bool {
        self.board.color_on(m.to) == Some(self.side_to_move())
    }

    /// Does `m` take something?
    pub fn is_capture(&self, m: Move) -> bool {
        self.board.color_on(m.to) == Some(!self.side_to_move())
            || (self.board.piece_on(m.from) == Some(Piece::Pawn) && m.from.file() != m.to.file())
    }

    /// The en passant square, if a capture there is legal.
    pub fn en_passant(&self) -> Option<Square> {
        let side = self.side_to_move();
        let square = Square::new(self.board.en_passant()?, Rank::Sixth.relative_to(side));
        let pawns = get_pawn_attacks(square, !side) & self.board.colored_pieces(side, Piece::Pawn);
        let can = |from: Square| self.board.is_legal(Move { from, to: square, promotion: None });
        pawns.into_iter().any(can).then_some(square)
    }

    /// What tells this position from others by the rules for repetition.
    pub fn identity(&self) -> Identity {
        let board = &self.board;
        let [white, black] = Color::ALL.map(|color| board.castle_rights(color));
        Identity {
            pieces: [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]
                .map(|piece| board.pieces(piece).0),
            kings: Color::ALL.map(|color| board.king(color)),
            white: board.colors(Color::White).0,
            castling: [white.short, white.long, black.short, black.long],
            en_passant: self.en_passant().map(Square::file),
            side: board.side_to_move(),
        }
    }

    /// A 64-bit hash of the [`identity`](Position::identity).
    pub fn key(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.board.hash_without_ep().hash(&mut hasher);
        self.en_passant().map(|square| square as u8).hash(&mut hasher);
        hasher.finish()
    }

    /// Can neither side mate any more, whatever both play? Bare kings, one knight, or bishops on
    /// squares of one colour only.
    pub fn insufficient_material(&self) -> bool {
        const DARK: u64 = 0xaa55_aa55_aa55_aa55;
        let of = |piece| self.board.pieces(piece).0;
        if of(Piece::Pawn) | of(Piece::Rook) | of(Piece::Queen) != 0 {
            return false;
        }
        match (of(Piece::Knight).count_ones(), of(Piece::Bishop)) {
            (0, bishops) => bishops & DARK == 0 || bishops & !DARK == 0,
            (1, 0) => true,
            _ => false,
        }
    }
}

/// Equal are positions that play the same and have the same counters.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        let counters = |board: &Board| (board.halfmove_clock(), board.fullmove_number());
        counters(&self.board) == counters(&other.board) && self.identity() == other.identity()
    }
}

impl Eq for Position {}

impl From<Board> for Position {
    fn from(board: Board) -> Position {
        Position { board }
    }
}
