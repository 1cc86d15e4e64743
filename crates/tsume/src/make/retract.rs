//! Moves taken back: the positions from which one comes to a position by a check and a reply.

use yomikiri_shogi::{Bitboard, Color, Kind, Move, Piece, Position, Square, attacks};

/// Every position, with the attacker (Black) to move, from which a check and a reply lead to this
/// one; with the check.
pub(super) fn before(position: &Position) -> Vec<(Position, Move)> {
    let mut found = Vec::new();
    let mut moves = Vec::new();
    for (middle, reply) in last_moves(position, Color::White) {
        let checkers = middle.checkers();
        if checkers.is_empty() {
            continue;
        }
        moves.clear();
        middle.evasions(&mut moves);
        if !moves.contains(&reply) {
            continue;
        }
        let Some(king) = middle.king(Color::White) else { continue };
        for (start, check) in last_moves(&middle, Color::Black) {
            // A checking piece that did not move was uncovered.
            let uncovered = |checker: Square| {
                let line = attacks::between(king, checker);
                check.from().is_some_and(|from| line.contains(from))
            };
            let all = checkers.into_iter().all(|c| c == check.to() || uncovered(c));
            if all && start.validate().is_ok() {
                moves.clear();
                start.checks(&mut moves);
                if moves.contains(&check) {
                    found.push((start, check));
                }
            }
        }
    }
    found
}

/// What `color` may have moved last, and the positions before that. Not all of these positions can
/// be, and not all of these moves are legal in them.
fn last_moves(position: &Position, color: Color) -> Vec<(Position, Move)> {
    let mut found = Vec::new();
    let empty = !position.occupied();
    for to in position.of(color) {
        let Some(piece) = position.piece(to) else { continue };
        let kind = piece.kind();
        let mut was = vec![(kind, false)];
        if kind.is_promoted() {
            was.push((kind.raw(), true));
        } else if kind != Kind::KING {
            let mut before = position.clone();
            before.set(to, None);
            before.set_hand(color, position.hand(color).plus(kind));
            before.set_turn(color);
            found.push((before, Move::drop(kind, to)));
        }
        let taken = captured(position, color, to);
        for (kind, promoted) in was {
            let from = attacks::attacks(kind, !color, to, position.occupied()) & empty;
            let zone = Bitboard::zone(color);
            for from in from {
                if promoted && (zone & (from.bit() | to.bit())).is_empty() {
                    continue;
                }
                let mut before = position.clone();
                before.set(to, None);
                before.set(from, Some(Piece::new(color, kind)));
                before.set_turn(color);
                let m = Move::new(from, to, promoted);
                for &kind in &taken {
                    let mut before = before.clone();
                    before.set(to, Some(Piece::new(!color, kind)));
                    before.set_hand(color, position.hand(color).minus(kind));
                    found.push((before, m));
                }
                found.push((before, m));
            }
        }
    }
    found
}

/// The kinds that `color` may have taken on a square with its last move: it holds them.
fn captured(position: &Position, color: Color, square: Square) -> Vec<Kind> {
    let hand = position.hand(color);
    let can_stand = |kind: Kind| !attacks::reach(kind, !color, square).is_empty();
    let kinds = Kind::ALL.into_iter().filter(|&kind| kind != Kind::KING && hand.has(kind.raw()));
    kinds.filter(|&kind| can_stand(kind)).collect()
}
