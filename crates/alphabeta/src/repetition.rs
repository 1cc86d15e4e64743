//! Repetitions, the fifty moves, and boards on which nobody can mate.
//!
//! A position that comes back inside the searched tree counts as a draw at once: whoever could do
//! better would have done so the first time. Positions of the game before the root must have come
//! twice already, since there the rules decide. A null move is no move of the game; what lies
//! before it does not come back after it.

use cozy_chess::{Board, Move, Piece, Rank, Square, get_pawn_attacks};

/// Names a position as the rules of repetition do: an en passant capture counts if it is legal.
pub fn key(board: &Board) -> u64 {
    let Some(file) = board.en_passant() else { return board.hash() };
    let color = board.side_to_move();
    let to = Square::new(file, Rank::Sixth.relative_to(color));
    let pawns = get_pawn_attacks(to, !color) & board.colored_pieces(color, Piece::Pawn);
    let is_possible = pawns.iter().any(|from| board.is_legal(Move { from, to, promotion: None }));
    if is_possible { board.hash() } else { board.hash_without_ep() }
}

/// The keys of the game and of the path below the root.
#[derive(Default)]
pub(crate) struct Path {
    keys: Vec<u64>,
    /// Index of the root.
    root: usize,
    /// Index of the first position that can come back.
    first: usize,
}

impl Path {
    /// A path that ends at the root.
    pub fn new(history: &[u64], root: &Board) -> Path {
        let mut keys = Vec::with_capacity(history.len() + 1 + crate::score::MAX_PLY);
        keys.extend_from_slice(history);
        keys.push(key(root));
        Path { keys, root: history.len(), first: 0 }
    }

    /// One ply deeper.
    pub fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    /// One ply back.
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// One ply deeper by a null move. Give the result to [`pop_null`](Self::pop_null).
    pub fn push_null(&mut self, key: u64) -> usize {
        let first = std::mem::replace(&mut self.first, self.keys.len());
        self.keys.push(key);
        first
    }

    /// Takes a null move back.
    pub fn pop_null(&mut self, first: usize) {
        self.keys.pop();
        self.first = first;
    }

    /// Is the last position of the path a draw by repetition? `clock` is its half-move clock.
    pub fn is_repetition(&self, clock: u8) -> bool {
        let last = self.keys.len() - 1;
        let oldest = self.first.max(last.saturating_sub(clock.into()));
        let mut before_root = 0;
        // The same side is to move every second ply.
        let mut index = last;
        while index >= oldest + 2 {
            index -= 2;
            if self.keys[index] == self.keys[last] {
                before_root += 1;
                if index >= self.root || before_root == 2 {
                    return true;
                }
            }
        }
        false
    }
}

/// Is there too little on the board to mate: bare kings, or a single knight or bishop?
pub(crate) fn is_dead(board: &Board) -> bool {
    let heavy = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    heavy.is_empty() && board.occupied().len() <= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_legal_en_passant_captures_make_a_difference() {
        let board = |fen: &str| fen.parse::<Board>().expect("legal");
        let after_e4 = board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
        let later = board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 4 3");
        assert_eq!(key(&after_e4), key(&later));
        let can = board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2");
        let cannot = board("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 2");
        assert_ne!(key(&can), key(&cannot));
        // The pawn is pinned on its file: e5xd6 would uncover the rook.
        let pinned = board("k3r3/8/8/3pP3/8/8/8/4K3 w - d6 0 2");
        assert_eq!(key(&pinned), pinned.hash_without_ep());
    }

    #[test]
    fn the_game_needs_three_and_the_tree_two() {
        let root = Board::default();
        let there = ["g1f3", "g8f6", "f3g1", "f6g8"];
        let walk = |path: &mut Path, mut board: Board| {
            let mut seen = Vec::new();
            for mv in there {
                board.play(mv.parse().expect("a move"));
                path.push(key(&board));
                seen.push(path.is_repetition(board.halfmove_clock()));
            }
            (seen, board)
        };
        let mut path = Path::new(&[], &root);
        let (seen, board) = walk(&mut path, root.clone());
        assert_eq!(seen, [false, false, false, true]);
        // The same keys as history: the first three have come once only, the root twice.
        let history = path.keys.clone();
        let mut path = Path::new(&history[..4], &board);
        assert!(!path.is_repetition(board.halfmove_clock()));
        let (seen, _) = walk(&mut path, board);
        assert_eq!(seen, [false, false, false, true]);
        assert!(is_dead(&"8/8/4k3/8/8/3NK3/8/8 w - - 0 1".parse().expect("legal")));
        assert!(!is_dead(&"8/8/4k3/8/8/3RK3/8/8 w - - 0 1".parse().expect("legal")));
    }

    #[test]
    fn nothing_comes_back_across_a_null_move() {
        let mut path = Path::new(&[], &Board::default());
        let root = path.keys[0];
        path.push(1);
        let first = path.push_null(2);
        path.push(3);
        path.push(root);
        assert!(!path.is_repetition(50));
        path.pop();
        path.pop();
        path.pop_null(first);
        for key in [2, 3, root] {
            path.push(key);
        }
        assert!(path.is_repetition(50));
    }
}
