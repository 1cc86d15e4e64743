//! Checks and mates in one, found without playing every move.
//!
//! A move gives check directly if it ends on a square from which its piece attacks the king, or by
//! discovery if it leaves the line between the king and a slider behind it. Both sets are known
//! before any move is generated. Castling, promotions and captures en passant are rare: they are
//! taken for possible checks, and whether they are is seen when they are played.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, PieceMoves, Rank, Square, get_between_rays,
    get_bishop_moves, get_bishop_rays, get_king_moves, get_knight_moves, get_line_rays,
    get_pawn_attacks, get_rook_moves, get_rook_rays,
};

/// Where checks against the king of the side not to move come from.
struct CheckInfo {
    king: Square,
    rook: BitBoard,
    bishop: BitBoard,
    knight: BitBoard,
    /// Where a pawn gives check, is promoted, or takes en passant.
    pawn: BitBoard,
    /// Own rooks, which a king that castles takes.
    castling: BitBoard,
    /// Own pieces that uncover a check when they leave their line.
    uncovering: BitBoard,
}

impl CheckInfo {
    fn new(board: &Board) -> CheckInfo {
        let us = board.side_to_move();
        let king = board.king(!us);
        let occupied = board.occupied();
        let queens = board.pieces(Piece::Queen);
        let sliders = board.colors(us)
            & ((get_rook_rays(king) & (board.pieces(Piece::Rook) | queens))
                | (get_bishop_rays(king) & (board.pieces(Piece::Bishop) | queens)));
        let mut uncovering = BitBoard::EMPTY;
        for slider in sliders {
            let between = get_between_rays(slider, king) & occupied;
            if between.len() == 1 {
                uncovering |= between & board.colors(us);
            }
        }
        let passed = board.en_passant().map_or(BitBoard::EMPTY, |file| {
            Square::new(file, Rank::Sixth.relative_to(us)).bitboard()
        });
        let last = Rank::Eighth.relative_to(us).bitboard();
        CheckInfo {
            king,
            rook: get_rook_moves(king, occupied),
            bishop: get_bishop_moves(king, occupied),
            knight: get_knight_moves(king),
            pawn: get_pawn_attacks(king, !us) | last | passed,
            castling: board.colored_pieces(us, Piece::Rook),
            uncovering,
        }
    }

    /// The moves of a set that may give check. Every check is among them.
    fn possible(&self, mut set: PieceMoves) -> PieceMoves {
        let direct = match set.piece {
            Piece::Pawn => self.pawn,
            Piece::Knight => self.knight,
            Piece::Bishop => self.bishop,
            Piece::Rook => self.rook,
            Piece::Queen => self.rook | self.bishop,
            Piece::King => self.castling,
        };
        let uncovered = match self.uncovering.has(set.from) {
            true => !get_line_rays(self.king, set.from),
            false => BitBoard::EMPTY,
        };
        set.to &= direct | uncovered;
        set
    }
}

/// Plays every move that gives check and shows the board after it, until told to end. Was it?
pub(crate) fn each_check(board: &Board, mut see: impl FnMut(Move, &Board) -> bool) -> bool {
    let info = CheckInfo::new(board);
    board.generate_moves(|set| {
        info.possible(set).into_iter().any(|m| {
            let mut next = board.clone();
            next.play_unchecked(m);
            !next.checkers().is_empty() && see(m, &next)
        })
    })
}

/// Is the side to move mated?
pub(crate) fn is_mated(board: &Board) -> bool {
    if board.checkers().is_empty() {
        return false;
    }
    // The king's own moves are the commonest way out.
    let king = board.king(board.side_to_move()).bitboard();
    !board.generate_moves_for(king, |_| true) && !board.generate_moves_for(!king, |_| true)
}

/// Squares next to the king of `side` that he could step to: not his own, and not attacked.
pub(crate) fn flights(board: &Board, side: Color) -> u32 {
    let king = board.king(side);
    let around = get_king_moves(king) & !board.colors(side);
    let occupied = board.occupied() ^ king.bitboard();
    around.into_iter().filter(|&square| !is_attacked(board, square, !side, occupied)).count() as u32
}

fn is_attacked(board: &Board, square: Square, by: Color, occupied: BitBoard) -> bool {
    let theirs = board.colors(by);
    let of = |piece| board.pieces(piece) & theirs;
    let queens = of(Piece::Queen);
    !((get_pawn_attacks(square, !by) & of(Piece::Pawn))
        | (get_knight_moves(square) & of(Piece::Knight))
        | (get_king_moves(square) & of(Piece::King)))
    .is_empty()
        || !(get_rook_moves(square, occupied) & (of(Piece::Rook) | queens)).is_empty()
        || !(get_bishop_moves(square, occupied) & (of(Piece::Bishop) | queens)).is_empty()
}

/// Is there a mate in one? If not, how many moves give check?
pub(crate) fn mate_in_one(board: &Board) -> Result<Move, u32> {
    let (mut mate, mut checks) = (None, 0);
    each_check(board, |m, next| {
        checks += 1;
        mate = is_mated(next).then_some(m);
        mate.is_some()
    });
    mate.ok_or(checks)
}
