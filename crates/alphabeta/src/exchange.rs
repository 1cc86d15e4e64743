//! Static exchange evaluation: who wins if both sides keep taking on one square?
//!
//! Each side takes with its least valuable piece and stops when going on would lose. Pieces behind
//! the taking one join in; pins do not count.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};

use crate::moves::victim;

/// What a piece is worth in exchanges and in the order of captures.
pub(crate) fn worth(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 100,
        Piece::Knight => 320,
        Piece::Bishop => 330,
        Piece::Rook => 500,
        Piece::Queen => 950,
        Piece::King => 20_000,
    }
}

/// Does the move win at least `threshold`, whatever is taken back on its square?
pub(crate) fn wins_at_least(board: &Board, mv: Move, threshold: i32) -> bool {
    let taken = victim(board, mv).map_or(0, worth);
    let Some(mut mover) = board.piece_on(mv.from) else { return false };
    // What the side that has just taken is above the threshold if nothing more is taken.
    let mut balance = taken - threshold;
    if let Some(promotion) = mv.promotion {
        balance += worth(promotion) - worth(Piece::Pawn);
        mover = promotion;
    }
    let mut occupied = (board.occupied() ^ mv.from.bitboard()) | mv.to.bitboard();
    let mut side = !board.side_to_move();
    let mut is_ours = true;
    loop {
        if balance < 0 {
            return !is_ours;
        }
        // The other side takes back what stands there: is that enough for it?
        let attackers = attackers(board, mv.to, occupied) & occupied;
        let Some((from, piece)) = least(board, attackers & board.colors(side)) else {
            return is_ours;
        };
        if piece == Piece::King && !(attackers & board.colors(!side)).is_empty() {
            return is_ours;
        }
        balance = worth(mover) - balance - 1;
        mover = piece;
        occupied ^= from.bitboard();
        side = !side;
        is_ours = !is_ours;
    }
}

/// The least valuable of these pieces.
fn least(board: &Board, among: BitBoard) -> Option<(Square, Piece)> {
    let find = |&piece: &Piece| Some(((among & board.pieces(piece)).next_square()?, piece));
    Piece::ALL.iter().find_map(find)
}

/// The pieces of both sides that attack the square.
fn attackers(board: &Board, square: Square, occupied: BitBoard) -> BitBoard {
    let queens = board.pieces(Piece::Queen);
    let diagonal = board.pieces(Piece::Bishop) | queens;
    let straight = board.pieces(Piece::Rook) | queens;
    let pawns =
        |color: Color| get_pawn_attacks(square, !color) & board.colored_pieces(color, Piece::Pawn);
    (get_knight_moves(square) & board.pieces(Piece::Knight))
        | (get_king_moves(square) & board.pieces(Piece::King))
        | (get_bishop_moves(square, occupied) & diagonal)
        | (get_rook_moves(square, occupied) & straight)
        | pawns(Color::White)
        | pawns(Color::Black)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result of an exchange as a number, by asking for every threshold.
    fn result(fen: &str, mv: &str) -> i32 {
        let board: Board = fen.parse().expect("legal");
        let mv = mv.parse().expect("a move");
        assert!(board.is_legal(mv), "{mv} in {fen}");
        let least = (-1500..=1500).rev().find(|&threshold| wins_at_least(&board, mv, threshold));
        least.expect("some threshold")
    }

    #[test]
    fn exchanges_are_counted() {
        // Undefended, defended by a pawn, and defended twice with a rook behind a rook.
        assert_eq!(result("4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5"), 100);
        assert_eq!(result("4k3/8/2p5/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5"), 100 - 320);
        assert_eq!(result("3rk3/8/2p5/3p4/4P3/8/3R4/3RK3 w - - 0 1", "d2d5"), 100 - 500 + 100);
        assert_eq!(result("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5"), 100);
        assert_eq!(result("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5"), 100 - 500);
        // A king may take only what is not defended.
        assert_eq!(result("8/8/3k4/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5"), 100);
        assert_eq!(result("8/8/3k4/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5"), 100 - 500);
        // En passant, a promotion that is taken, a quiet move into a pawn.
        assert_eq!(result("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6"), 100);
        assert_eq!(result("3rk3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q"), -100);
        assert_eq!(result("4k3/8/2p5/8/8/4N3/8/4K3 w - - 0 1", "e3d5"), -320);
    }
}
