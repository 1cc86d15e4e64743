//! Moves and their kinds.

use cozy_chess::{Board, Move, Piece, Rank, Square};

/// All legal moves, in the generator's order.
pub(crate) fn legal(board: &Board) -> Vec<Move> {
    let mut moves = Vec::with_capacity(64);
    board.generate_moves(|piece| {
        moves.extend(piece);
        false
    });
    moves
}

/// Is there a legal move?
pub(crate) fn has_legal(board: &Board) -> bool {
    board.generate_moves(|_| true)
}

/// The square on which a pawn could be captured en passant.
pub(crate) fn en_passant_square(board: &Board) -> Option<Square> {
    let rank = Rank::Sixth.relative_to(board.side_to_move());
    board.en_passant().map(|file| Square::new(file, rank))
}

/// The piece that a legal move takes. Castling takes nothing.
pub(crate) fn victim(board: &Board, mv: Move) -> Option<Piece> {
    if board.colors(!board.side_to_move()).has(mv.to) {
        return board.piece_on(mv.to);
    }
    let is_pawn = board.pieces(Piece::Pawn).has(mv.from);
    (is_pawn && Some(mv.to) == en_passant_square(board)).then_some(Piece::Pawn)
}

/// Does the legal move leave the material as it is, or promote to less than a queen?
pub(crate) fn is_quiet(board: &Board, mv: Move) -> bool {
    mv.promotion != Some(Piece::Queen) && victim(board, mv).is_none()
}
