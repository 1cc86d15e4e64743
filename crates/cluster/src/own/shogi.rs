//! Shogi: what a move wins or loses when all that can be taken has been taken.
//!
//! After every move the captures of both sides are searched (quiescence, by material alone), and a
//! mate on the spot is seen. Among moves of equal value the one that leaves most moves is played.

use std::cmp::Reverse;
use std::time::{Duration, Instant};

use yomikiri_engine::protocol::Score;
use yomikiri_shogi::{Color, Kind, Move, Position};

use super::found::Own;

/// Captures are followed for so many plies.
const CAPTURES: u32 = 5;

/// Better than all material.
const MATE: i32 = 100_000;

/// What a piece is worth, by [`Kind::index`]; a promoted one is 8 further on.
const WORTH: [i32; 16] =
    [100, 300, 350, 500, 550, 800, 1000, 0, 550, 550, 550, 550, 0, 1150, 1300, 0];

pub fn search(position: &Position, moves: &[String], time: Duration) -> Option<Own> {
    let end = Instant::now() + time;
    let mut at = position.clone();
    let mut best: Option<((i32, usize), Move)> = None;
    for m in moves.iter().filter_map(|m| Move::from_usi(m)) {
        // At least one is looked at.
        if best.is_some() && Instant::now() >= end {
            break;
        }
        let undo = at.play(m);
        let value = match at.is_mated() {
            true => MATE,
            false => -captures(&mut at, -MATE, MATE, CAPTURES),
        };
        let freedom = freedom(&at);
        at.undo(m, undo);
        if best.is_none_or(|(known, _)| known < (value, freedom)) {
            best = Some(((value, freedom), m));
        }
    }
    let ((value, _), m) = best?;
    let score = if value >= MATE { Score::mate(1) } else { Score::cp(value) };
    Some(Own { pv: vec![m.to_string()], score, depth: 1 })
}

/// How many moves the side that has just moved would have if it were its turn.
fn freedom(position: &Position) -> usize {
    let mut other = position.clone();
    other.set_turn(!position.turn());
    let mut moves = Vec::new();
    other.legal_moves(&mut moves);
    moves.iter().filter(|m| !m.is_drop()).count()
}

/// The value for the side to move when it takes what it likes, or nothing.
fn captures(at: &mut Position, mut alpha: i32, beta: i32, plies: u32) -> i32 {
    let mut best = material(at);
    if best >= beta || plies == 0 {
        return best;
    }
    alpha = alpha.max(best);
    let mut moves = Vec::new();
    at.legal_moves(&mut moves);
    moves.retain(|m| gain(at, *m) > 0);
    moves.sort_by_key(|m| Reverse(gain(at, *m)));
    for m in moves {
        let undo = at.play(m);
        let value = -captures(at, -beta, -alpha, plies - 1);
        at.undo(m, undo);
        best = best.max(value);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// What a move wins at once, the cheapest taker first.
fn gain(at: &Position, m: Move) -> i32 {
    let Some(from) = m.from() else { return 0 };
    let worth = |kind: Kind| WORTH[kind.index()];
    let taken = at.piece(m.to()).map_or(0, |piece| worth(piece.kind()) + worth(piece.kind().raw()));
    let taker = at.piece(from).map_or(0, |piece| worth(piece.kind()));
    if taken == 0 { 0 } else { 16 * taken - taker }
}

/// Material for the side to move.
fn material(at: &Position) -> i32 {
    let of = |color: Color| -> i32 {
        let board = Kind::ALL
            .into_iter()
            .map(|kind| WORTH[kind.index()] * at.pieces(color, kind).count() as i32);
        let hand = at.hand(color).pieces();
        board.sum::<i32>() + hand.map(|(kind, n)| WORTH[kind.index()] * i32::from(n)).sum::<i32>()
    };
    of(at.turn()) - of(!at.turn())
}
