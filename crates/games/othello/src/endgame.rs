//! The small solver: does the side to move score at least so much, with few squares left?
//!
//! A null-window alpha-beta search, which here is a yes-or-no recursion: a side reaches a score if
//! some move leaves the opponent unable to reach one more than its negation. With more than
//! `SORTED` squares empty, moves are tried *fastest first* (fewest replies, corners counted twice;
//! an old rule of Othello programs, see Andersson, "Writing an Othello program"), and a bound from
//! stable discs may answer first. With fewer, sorting costs more than it saves: moves into a
//! quadrant with an odd number of empty squares come first (parity), and the last square is counted
//! out.
//!
//! Every position that the search looks at counts as a node, down to those with one empty square,
//! whose only move is counted out, not made. A pass is part of the move before it and no node.

use crate::board::{Board, Square, flips, squares, touches};
use crate::stability;

/// Sort moves with more than so many squares empty. Higher: more but cheaper nodes.
const SORTED: u32 = 5;

/// Ask for stable discs with at least so many squares empty. Lower: fewer but dearer nodes.
const STABILITY: u32 = 6;

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// A search and its count of visited positions.
#[derive(Clone, Debug, Default)]
pub struct Endgame {
    /// Positions visited so far.
    pub nodes: u64,
}

/// The squares of the quadrants in which `empties` has an odd number of squares. The four counts
/// are folded together by exclusive or; each parity bit is then spread over its quadrant.
pub(crate) fn odd_quadrants(empties: u64) -> u64 {
    let mut x = empties ^ (empties >> 1);
    x ^= x >> 2;
    x ^= x >> 8;
    x ^= x >> 16;
    (x & 0x0000_0011_0000_0011) * 0x0f0f_0f0f
}

/// How free a side with these moves is: one for each move, two for a corner.
#[inline]
pub(crate) fn freedom(moves: u64) -> u32 {
    moves.count_ones() + (moves & CORNERS).count_ones()
}

/// A move, what it leads to, and its place in the order.
#[derive(Clone, Copy)]
pub(crate) struct Reply {
    rank: u32,
    pub(crate) square: Square,
    board: Board,
    moves: u64,
}

/// Hands the moves to `visit`, fastest first, until it returns true; tells whether it did.
pub(crate) fn fastest_first(board: Board, moves: u64, visit: impl FnMut(&Reply) -> bool) -> bool {
    if moves.count_ones() <= 12 {
        sorted::<12>(board, moves, visit)
    } else {
        sorted::<64>(board, moves, visit)
    }
}

/// [`fastest_first`] for at most `ROOM` moves.
#[inline]
fn sorted<const ROOM: usize>(board: Board, moves: u64, visit: impl FnMut(&Reply) -> bool) -> bool {
    let odd = odd_quadrants(board.empties());
    let mut replies = [Reply { rank: 0, square: Square::first(moves), board, moves }; ROOM];
    let mut count = 0;
    for square in squares(moves) {
        let after = board.after(square);
        let answers = after.moves();
        let even = u32::from(square.bit() & odd == 0);
        let rank = 2 * freedom(answers) + even;
        let mut at = count;
        while at > 0 && replies[at - 1].rank > rank {
            replies[at] = replies[at - 1];
            at -= 1;
        }
        replies[at] = Reply { rank, square, board: after, moves: answers };
        count += 1;
    }
    replies[..count].iter().any(visit)
}

impl Endgame {
    /// Does the side to move reach a final score of `least` or more? It may have to pass.
    pub fn reaches(&mut self, board: Board, least: i32) -> bool {
        self.search(board, board.moves(), least)
    }

    /// The exact score of the side to move, by bisection over the even scores.
    pub fn score(&mut self, board: Board) -> i32 {
        let (mut low, mut high) = (-32_i32, 32);
        while low < high {
            let middle = (low + high + 1).div_euclid(2);
            if self.reaches(board, 2 * middle) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        2 * low
    }

    fn search(&mut self, board: Board, moves: u64, least: i32) -> bool {
        if moves == 0 {
            let passed = board.passed();
            let replies = passed.moves();
            return if replies == 0 {
                self.nodes += 1;
                board.final_score() >= least
            } else {
                !self.search(passed, replies, 1 - least)
            };
        }
        let empties = board.empties();
        let count = empties.count_ones();
        if count <= SORTED {
            return self.few(board, empties, least);
        }
        self.nodes += 1;
        if count >= STABILITY && stability::out_of_reach(board, least) {
            return false;
        }
        fastest_first(board, moves, |reply| !self.search(reply.board, reply.moves, 1 - least))
    }

    /// At most [`SORTED`] squares are empty: no sorting, and no list of legal moves either.
    fn few(&mut self, board: Board, empties: u64, least: i32) -> bool {
        self.nodes += 1;
        if empties & (empties - 1) == 0 {
            return last_score(board, Square::first(empties)) >= least;
        }
        match self.some_move_reaches(board, empties, least) {
            Some(reached) => reached,
            None => match self.some_move_reaches(board.passed(), empties, 1 - least) {
                Some(stopped) => !stopped,
                None => board.final_score() >= least,
            },
        }
    }

    /// Does a move reach the score? `None` if there is no move.
    fn some_move_reaches(&mut self, board: Board, empties: u64, least: i32) -> Option<bool> {
        let odd = odd_quadrants(empties);
        let mut answer = None;
        for square in [empties & odd, empties & !odd].into_iter().flat_map(squares) {
            if !touches(board.opp, square) {
                continue;
            }
            let flipped = flips(board.own, board.opp, square);
            if flipped == 0 {
                continue;
            }
            let bit = square.bit();
            let after = Board { own: board.opp ^ flipped, opp: board.own ^ flipped ^ bit };
            if !self.few(after, empties ^ bit, 1 - least) {
                return Some(true);
            }
            answer = Some(false);
        }
        answer
    }
}

/// The score of the side to move with one square left.
fn last_score(board: Board, square: Square) -> i32 {
    let own = board.own.count_ones() as i32;
    let turned = flips(board.own, board.opp, square).count_ones() as i32;
    if turned > 0 {
        return 2 * (own + turned + 1) - 64;
    }
    let turned = flips(board.opp, board.own, square).count_ones() as i32;
    if turned > 0 { 2 * (own - turned) - 64 } else { board.final_score() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andor::SplitMix64;

    #[test]
    fn odd_quadrants_by_counting() {
        const QUADRANTS: [u64; 4] =
            [0x0f0f_0f0f, 0xf0f0_f0f0, 0x0f0f_0f0f << 32, 0xf0f0_f0f0 << 32];
        let mut random = SplitMix64::new(1);
        for _ in 0..1000 {
            let set = random.next_u64() & random.next_u64();
            let is_odd = |quadrant: &&u64| (set & **quadrant).count_ones() % 2 == 1;
            assert_eq!(odd_quadrants(set), QUADRANTS.iter().filter(is_odd).sum());
        }
    }
}
