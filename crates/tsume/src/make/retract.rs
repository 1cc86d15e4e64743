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

#[cfg(test)]
mod tests {
    use andor::{Rules, SplitMix64};

    use super::*;
    use crate::make::start;
    use crate::tsume::Tsume;

    #[test]
    fn what_was_played_can_be_taken_back() {
        // Forward by random checks and replies, and back again.
        let mut random = SplitMix64::new(7);
        let mut found = [0; 5];
        while found.iter().sum::<usize>() < 2_000 {
            let Some(start) = start::attempt(&mut random) else { continue };
            let mut at = Tsume::with_attacker(start.clone(), Color::Black);
            let mut line = Vec::new();
            for _ in 0..2 {
                let mut moves = Vec::new();
                at.legal_moves(&mut moves);
                let Some(&m) = moves.get(random.below(moves.len().max(1))) else { break };
                let is_capture = at.position().piece(m.to()).is_some();
                let kind = if m.is_drop() { 0 } else { 1 + usize::from(m.promotes()) };
                line.push((m, kind + 2 * usize::from(is_capture)));
                at.play(m);
            }
            let [(check, kind), _] = line[..] else { continue };
            let before = before(at.position());
            assert!(before.contains(&(start.clone(), check)), "{start} {check}");
            found[kind] += 1;
        }
        assert!(found.iter().all(|&n| n > 0), "{found:?}");
    }

    #[test]
    fn positions_before_lead_to_the_position() {
        let end = Position::from_sfen("7gk/8+n/6S2/8+R/9/9/9/9/1+B7 b rb3g3s3n4l18p 1")
            .expect("it is right");
        let before = before(&end);
        assert!(before.len() > 100, "{}", before.len());
        for (start, check) in before {
            let mut after = start.clone();
            assert!(after.validate().is_ok() && after.is_legal(check), "{start} {check}");
            after.play(check);
            let mut replies = Vec::new();
            after.legal_moves(&mut replies);
            let comes = replies.iter().any(|&m| {
                let mut at = after.clone();
                at.play(m);
                at == end
            });
            assert!(after.is_check() && comes, "{start} {check}");
        }
    }
}
