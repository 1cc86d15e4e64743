//! The evaluation: what a position is worth without looking ahead.
//!
//! Every term has two values, for the middle game and for the endgame, and the pieces left decide
//! how they mix. The terms: material and a value for each square; mobility; the pawns' shield
//! of their king and the pieces that aim at it; passed, isolated and doubled pawns; the pair of
//! bishops; rooks on open files; and for a side that is far ahead of a bare king, driving it
//! to the edge. The numbers are our own, by hand.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use cozy_chess::{
    BitBoard, Board, Color, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};

use crate::repetition::is_dead;
use crate::score::WIN;

/// A value in the middle game and one in the endgame.
#[derive(Clone, Copy, Default)]
struct Pair(i32, i32);

impl Add for Pair {
    type Output = Pair;
    fn add(self, other: Pair) -> Pair {
        Pair(self.0 + other.0, self.1 + other.1)
    }
}

impl Sub for Pair {
    type Output = Pair;
    fn sub(self, other: Pair) -> Pair {
        self + -other
    }
}

impl Neg for Pair {
    type Output = Pair;
    fn neg(self) -> Pair {
        Pair(-self.0, -self.1)
    }
}

impl AddAssign for Pair {
    fn add_assign(&mut self, other: Pair) {
        *self = *self + other;
    }
}

impl Mul<i32> for Pair {
    type Output = Pair;
    fn mul(self, times: i32) -> Pair {
        Pair(self.0 * times, self.1 * times)
    }
}

const MATERIAL: [Pair; 6] =
    [Pair(88, 112), Pair(330, 305), Pair(345, 322), Pair(480, 545), Pair(990, 985), Pair(0, 0)];

/// What a rank is worth to a piece, from its own side, in the middle game and in the endgame.
const RANKS: [[[i32; 8]; 2]; 6] = [
    [[0, -2, 0, 6, 12, 24, 45, 0], [0, -4, 0, 6, 16, 36, 62, 0]],
    [[-24, -10, 2, 8, 14, 16, 4, -18], [-22, -10, -2, 8, 10, 4, -8, -20]],
    [[-10, 4, 6, 4, 6, 4, -4, -10], [-8, -4, 2, 4, 4, 2, -2, -6]],
    [[-2, -8, -6, -4, 0, 6, 18, 8], [-4, -2, 0, 2, 4, 6, 12, 8]],
    [[-2, 4, 4, 0, 0, 4, 4, 2], [-18, -10, 0, 8, 12, 12, 8, 2]],
    [[26, 4, -28, -48, -56, -56, -52, -52], [-32, -12, 2, 12, 18, 20, 10, -12]],
];

/// The same for files.
const FILES: [[[i32; 8]; 2]; 6] = [
    [[-8, -2, -2, 6, 6, -4, 0, -8], [4, 2, 0, -4, -4, 0, 2, 4]],
    [[-18, -4, 2, 6, 6, 2, -4, -18], [-16, -4, 2, 6, 6, 2, -4, -16]],
    [[-4, 4, 0, 2, 2, 0, 4, -4], [-4, 0, 2, 4, 4, 2, 0, -4]],
    [[-8, -2, 2, 8, 8, 4, -4, -10], [0, 0, 0, 0, 0, 0, 0, 0]],
    [[-6, -2, 0, 2, 2, 0, -2, -6], [-8, -2, 2, 6, 6, 2, -2, -8]],
    [[8, 20, 4, -22, -16, -18, 22, 10], [-14, -2, 4, 8, 8, 4, -2, -14]],
];

/// Material and place together, for White; Black's board is turned over.
const PLACES: [[Pair; 64]; 6] = places();

const fn places() -> [[Pair; 64]; 6] {
    let mut places = [[Pair(0, 0); 64]; 6];
    let mut index = 0;
    while index < 6 * 64 {
        let (piece, rank, file) = (index / 64, index % 64 / 8, index % 8);
        let middle = MATERIAL[piece].0 + RANKS[piece][0][rank] + FILES[piece][0][file];
        let end = MATERIAL[piece].1 + RANKS[piece][1][rank] + FILES[piece][1][file];
        places[piece][index % 64] = Pair(middle, end);
        index += 1;
    }
    places
}

/// The squares before a pawn of each color on its own and the neighbouring files.
const AHEAD: [[BitBoard; 64]; 2] = ahead();

const fn ahead() -> [[BitBoard; 64]; 2] {
    let mut ahead = [[BitBoard::EMPTY; 64]; 2];
    let mut index = 0usize;
    while index < 64 * 64 {
        let (from, to) = (index / 64, index % 64);
        let is_near = (from % 8).abs_diff(to % 8) <= 1;
        if is_near && to / 8 > from / 8 {
            ahead[0][from].0 |= 1 << to;
        }
        if is_near && to / 8 < from / 8 {
            ahead[1][from].0 |= 1 << to;
        }
        index += 1;
    }
    ahead
}

/// How much of the middle game a piece stands for. Both armies together make [`FULL`].
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const FULL: i32 = 24;

/// Value of a square in reach, by piece, and how many are usual.
const MOBILITY: [(Pair, i32); 6] = [
    (Pair(0, 0), 0),
    (Pair(4, 4), 4),
    (Pair(4, 5), 6),
    (Pair(2, 4), 7),
    (Pair(1, 3), 13),
    (Pair(0, 0), 0),
];

/// How dangerous a piece is that reaches a square beside the king.
const AIM: [i32; 6] = [0, 2, 2, 3, 4, 0];

const PASSED: [Pair; 8] = [
    Pair(0, 0),
    Pair(0, 8),
    Pair(2, 14),
    Pair(8, 30),
    Pair(26, 56),
    Pair(52, 98),
    Pair(80, 150),
    Pair(0, 0),
];
const ISOLATED: Pair = Pair(-11, -9);
const DOUBLED: Pair = Pair(-7, -16);
const BISHOPS: Pair = Pair(26, 44);
const OPEN_FILE: Pair = Pair(22, 8);
const HALF_OPEN_FILE: Pair = Pair(10, 6);
const SHIELD: [i32; 2] = [12, 7];
const TEMPO: i32 = 12;

/// The value of a position in centipawns, for the side to move.
pub fn evaluate(board: &Board) -> i32 {
    if is_dead(board) {
        return 0;
    }
    let mut phase = 0;
    for piece in Piece::ALL {
        phase += PHASE[piece as usize] * board.pieces(piece).len() as i32;
    }
    let phase = phase.min(FULL);
    let value = side(board, Color::White) - side(board, Color::Black);
    let mut score = (value.0 * phase + value.1 * (FULL - phase)) / FULL;
    score += drive(board, score);
    let score = if board.side_to_move() == Color::White { score } else { -score };
    (score + TEMPO).clamp(1 - WIN, WIN - 1)
}

/// What speaks for one side.
fn side(board: &Board, color: Color) -> Pair {
    let flip = if color == Color::White { 0 } else { 56 };
    let ours = board.colors(color);
    let mut value = Pair::default();
    for piece in Piece::ALL {
        for square in ours & board.pieces(piece) {
            value += PLACES[piece as usize][square as usize ^ flip];
        }
    }
    if (ours & board.pieces(Piece::Bishop)).len() >= 2 {
        value += BISHOPS;
    }
    value + pawns(board, color) + pieces(board, color) + shield(board, color)
}

fn pawns(board: &Board, color: Color) -> Pair {
    let ours = board.colored_pieces(color, Piece::Pawn);
    let theirs = board.colored_pieces(!color, Piece::Pawn);
    let mut value = Pair::default();
    for square in ours {
        let ahead = AHEAD[color as usize][square as usize];
        let file = square.file();
        if (ahead & file.bitboard() & ours).is_empty() {
            if (ahead & theirs).is_empty() {
                let rank = square.rank().relative_to(color) as usize;
                value += PASSED[rank];
                // In the endgame the kings race to it.
                let near = distance(square, board.king(color)) as i32;
                let far = distance(square, board.king(!color)) as i32;
                value += Pair(0, (far - near) * rank as i32);
            }
        } else {
            value += DOUBLED;
        }
        if (file.adjacent() & ours).is_empty() {
            value += ISOLATED;
        }
    }
    value
}

/// Mobility, open files, and how the pieces aim at the other king.
fn pieces(board: &Board, color: Color) -> Pair {
    let occupied = board.occupied();
    let (ours, pawns) = (board.colors(color), board.pieces(Piece::Pawn));
    let their_king = board.king(!color);
    let ring = get_king_moves(their_king) | their_king.bitboard();
    let mut guarded = BitBoard::EMPTY;
    for pawn in board.colored_pieces(!color, Piece::Pawn) {
        guarded |= get_pawn_attacks(pawn, !color);
    }
    let mut value = Pair::default();
    let (mut aim, mut aiming) = (0, 0);
    for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
        let (weight, usual) = MOBILITY[piece as usize];
        for square in ours & board.pieces(piece) {
            let reach = match piece {
                Piece::Knight => get_knight_moves(square),
                Piece::Bishop => get_bishop_moves(square, occupied),
                Piece::Rook => get_rook_moves(square, occupied),
                _ => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
            };
            value += weight * ((reach & !ours & !guarded).len() as i32 - usual);
            let hits = (reach & ring & !guarded).len() as i32;
            aim += AIM[piece as usize] * hits;
            aiming += i32::from(hits > 0);
            if piece == Piece::Rook {
                let on_file = pawns & square.file().bitboard();
                if on_file.is_empty() {
                    value += OPEN_FILE;
                } else if (on_file & ours).is_empty() {
                    value += HALF_OPEN_FILE;
                }
            }
        }
    }
    if aiming >= 2 {
        value += Pair((aim * aim / 4).min(320), 0);
    }
    value
}

/// Pawns on the two ranks before the king, on its file and beside it.
fn shield(board: &Board, color: Color) -> Pair {
    let king = board.king(color);
    let pawns = board.colored_pieces(color, Piece::Pawn);
    let before = AHEAD[color as usize][king as usize] & pawns;
    let rank = king.rank().relative_to(color) as usize;
    let mut value = 0;
    for (steps, worth) in SHIELD.iter().enumerate() {
        if let Some(rank) = Rank::try_index(rank + 1 + steps) {
            value += worth * (before & rank.relative_to(color).bitboard()).len() as i32;
        }
    }
    Pair(value, 0)
}

/// For White: a side far ahead of one without pawns drives the king to the edge and comes near.
fn drive(board: &Board, score: i32) -> i32 {
    let (winner, sign) = if score > 0 { (Color::White, 1) } else { (Color::Black, -1) };
    let loser = board.colors(!winner);
    let left = loser & !board.pieces(Piece::King);
    let is_bare = (left & board.pieces(Piece::Pawn)).is_empty() && left.len() <= 1;
    if score.abs() < 350 || !is_bare {
        return 0;
    }
    let king = board.king(!winner);
    let centre = |index: usize| (2 * index as i32 - 7).abs() / 2;
    let edge = centre(king.file() as usize) + centre(king.rank() as usize);
    let near = 7 - distance(king, board.king(winner)) as i32;
    sign * (12 * edge + 8 * near)
}

/// King's moves from one square to another.
fn distance(a: Square, b: Square) -> usize {
    let files = (a.file() as usize).abs_diff(b.file() as usize);
    files.max((a.rank() as usize).abs_diff(b.rank() as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned(board: &Board) -> Board {
        let mut builder = cozy_chess::BoardBuilder::empty();
        for square in board.occupied() {
            let piece = board.piece_on(square).expect("occupied");
            let color = board.color_on(square).expect("occupied");
            let place = Square::new(square.file(), square.rank().flip());
            *builder.square_mut(place) = Some((piece, !color));
        }
        builder.side_to_move = !board.side_to_move();
        builder.build().expect("legal")
    }

    #[test]
    fn turning_the_board_over_changes_nothing() {
        for fen in [
            "r1bqk2r/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 8",
            "8/2k5/1p1p4/1P1P1pp1/5P2/4K1P1/8/8 b - - 0 1",
            "2rq1rk1/pb3ppp/1p2pn2/8/2BP4/P1N2Q2/1P3PPP/3R1RK1 b - - 0 1",
            "8/8/8/4k3/8/3QK3/8/8 w - - 0 1",
        ] {
            let board: Board = fen.parse().expect("legal");
            assert_eq!(evaluate(&board), evaluate(&turned(&board)), "{fen}");
        }
    }

    #[test]
    fn more_is_worth_more() {
        let value = |fen: &str| evaluate(&fen.parse().expect("legal"));
        assert_eq!(value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), TEMPO);
        assert!(value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1") < -800);
        assert_eq!(value("8/8/4k3/8/8/3NK3/8/8 w - - 0 1"), 0);
        // A bare king on the edge is nearer to its end than one in the middle.
        let edge = value("4k3/8/4K3/8/8/8/8/R7 w - - 0 1");
        assert!(edge > value("8/8/8/4k3/8/4K3/8/R7 w - - 0 1"));
        // A passed pawn is worth more the further it has gone.
        let near = value("4k3/8/P7/8/8/8/8/4K3 w - - 0 1");
        assert!(near > value("4k3/8/8/8/8/P7/8/4K3 w - - 0 1"));
    }
}
