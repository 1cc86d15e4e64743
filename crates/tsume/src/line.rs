//! Lines of play that end in mate.
//!
//! A proof says that there is a mate within so many plies; people want to see it played. The line
//! is read off the table from one position to the next, and where the table has forgotten (garbage
//! collection, or a result too cheap to keep), the position is searched again within the plies that
//! are left. That number falls with every move, so the line comes to its end, and it does so in one
//! pass however long it is.
//!
//! - *Any mate.* Where the length is a bound, the line is that of [`andor::strategy`]: the best that is
//!   known against its longest defence.
//! - *The shortest mate.* Where the length is exact, the attacker plays a check after which there
//!   is a mate within one ply less, and the defender a reply after which there is none within three
//!   plies less: so every move keeps the length exact. The disproof of anything shorter at the root
//!   has left such a reply in the table.
//!
//! Between replies that last equally long the defender takes one that is not an interposition for
//! the checking piece to take, then the first in the order of the move generator: king moves, moves
//! of other pieces, drops from the pawn up.

use andor::{NodeKind, Plies, Rules, Value, strategy};
use yomikiri_shogi::{Hand, Move, Square, attacks};

use crate::ask::{self, Asker, length};
use crate::tsume::Tsume;

/// A line of play.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    /// The moves.
    pub moves: Vec<Move>,
    /// Does it end in mate?
    pub complete: bool,
    /// What the attacker holds at its end.
    pub left_over: Hand,
    /// Does the defender interpose by a drop that the checking piece can take?
    pub interposes: bool,
}

/// Nodes for a question that only helps to choose between moves.
pub(crate) const GLANCE: u64 = 1 << 10;

/// A line from a position whose shortest mate takes `length` plies: of just that length.
pub(crate) fn follow(asker: &mut Asker<'_, '_>, problem: &Tsume, length: u16) -> Line {
    let mut line = Line::default();
    let mut at = problem.clone();
    let mut left = length;
    let mut moves = Vec::new();
    loop {
        if is_mate(&at, &mut moves) {
            line.complete = true;
            break;
        }
        let chosen = match at.kind() {
            NodeKind::Or => attack(asker, &mut at, &moves, left),
            NodeKind::And => {
                Replies::new(&at, &moves, left).longest(asker, &at).map(|m| (m, left - 1))
            }
        };
        let Some((m, plies)) = chosen else { break };
        line.add(&mut at, m);
        left = plies;
    }
    line.left_over = at.attackers_hand();
    line
}

/// The line that a strategy is as long as, with what there is to say of it.
pub(crate) fn replay(problem: &Tsume, strategy: &strategy::Line<Move>) -> Line {
    let mut line = Line { complete: strategy.complete, ..Line::default() };
    let mut at = problem.clone();
    strategy.moves.iter().for_each(|&m| line.add(&mut at, m));
    line.left_over = at.attackers_hand();
    line
}

impl Line {
    fn add(&mut self, at: &mut Tsume, m: Move) {
        self.interposes |= at.kind() == NodeKind::And && taken_at(at, m).is_some();
        at.play(m);
        self.moves.push(m);
    }
}

/// Is it mate? If not, gives the legal moves.
pub(crate) fn is_mate(at: &Tsume, moves: &mut Vec<Move>) -> bool {
    moves.clear();
    if let Some(value) = at.terminal() {
        return value == Value::Proven;
    }
    at.legal_moves(moves);
    moves.is_empty() && at.kind() == NodeKind::And
}

/// Where the checking piece stands, if `m` is an interposition by a drop that it can take.
pub(crate) fn taken_at(at: &Tsume, m: Move) -> Option<Square> {
    if !m.is_drop() {
        return None;
    }
    let position = at.position();
    let checker = position.checkers().first()?;
    let king = position.king(!at.attacker())?;
    if !attacks::between(king, checker).contains(m.to()) {
        return None;
    }
    let mut after = position.clone();
    after.play(m);
    let takes = |promote| after.is_legal(Move::new(checker, m.to(), promote));
    (takes(false) || takes(true)).then_some(checker)
}

/// A check after which the attacker mates within `left - 1` plies, and within how many.
pub(crate) fn attack(
    asker: &mut Asker<'_, '_>,
    at: &mut Tsume,
    moves: &[Move],
    left: u16,
) -> Option<(Move, u16)> {
    let bound = left.checked_sub(1)?;
    let mut open = Vec::new();
    let mut best: Option<(Move, u16)> = None;
    for &m in moves {
        let undo = at.play(m);
        let known = asker.known(at, Plies::at_most(bound));
        at.undo(m, undo);
        match known {
            Some(proof) if proof.value == Value::Proven => {
                if best.is_none_or(|(_, shortest)| length(proof) < shortest) {
                    best = Some((m, length(proof)));
                }
            }
            Some(_) => {}
            None => open.push(m),
        }
    }
    // The table has forgotten. All moves are searched in turn, with more and more nodes, so that a
    // hard one does not stand in the way of an easy one.
    let mut budget = GLANCE;
    while best.is_none() && !open.is_empty() {
        let mut still_open = Vec::new();
        for m in open {
            let mut child = at.clone();
            child.play(m);
            match asker.ask_for(&child, Plies::at_most(bound), budget) {
                Some(proof) if proof.value == Value::Proven => return Some((m, length(proof))),
                Some(_) => {}
                None if asker.reached().is_some() => return None,
                None if budget > asker.patience => return None,
                None => still_open.push(m),
            }
        }
        open = still_open;
        budget = budget.saturating_mul(4);
    }
    best
}

/// The defender's replies at a node of exact length, with what is known of their lengths.
pub(crate) struct Replies {
    /// Each reply, and the length within which it is known to be mate after it.
    pub list: Vec<(Move, u16)>,
    /// How many of them, at the front, are no interpositions for the checking piece to take. Those
    /// that are follow, square by square from the king outwards.
    pub plain: usize,
}

impl Replies {
    /// The replies at a node from which it is mate within `left` plies.
    pub fn new(at: &Tsume, moves: &[Move], left: u16) -> Replies {
        let bound = left.saturating_sub(1);
        let position = at.position();
        let king = position.king(!at.attacker());
        let distance = |m: Move| king.map_or(0, |king| attacks::between(king, m.to()).count());
        // One drop on a square is taken if every other is.
        let mut squares: Vec<(Square, bool)> = Vec::new();
        let mut is_taken = |m: Move| {
            if !m.is_drop() {
                return false;
            }
            if let Some(&(_, taken)) = squares.iter().find(|&&(square, _)| square == m.to()) {
                return taken;
            }
            let taken = taken_at(at, m).is_some();
            squares.push((m.to(), taken));
            taken
        };
        let (mut taken, plain): (Vec<Move>, Vec<Move>) = moves.iter().partition(|&&m| is_taken(m));
        taken.sort_by_key(|&m| distance(m));
        let list = plain.iter().chain(&taken).map(|&m| (m, bound)).collect();
        Replies { list, plain: plain.len() }
    }

    /// Where the replies end that belong with number `begin`: drops on one square, or all that are
    /// no such drops.
    pub fn end_of_group(&self, begin: usize) -> usize {
        if begin < self.plain {
            return self.plain;
        }
        let Some((first, _)) = self.list.get(begin) else { return begin };
        let others = &self.list[begin..];
        begin + others.iter().take_while(|(m, _)| m.to() == first.to()).count()
    }

    /// Does reply `i` last exactly `length` plies more? It is known to last no longer. No answer if
    /// that cannot be found out with so many nodes.
    pub fn lasts(
        &mut self,
        asker: &mut Asker<'_, '_>,
        at: &Tsume,
        i: usize,
        length: u16,
        budget: u64,
    ) -> Option<bool> {
        let (m, known) = self.list[i];
        if known < length {
            return Some(false);
        }
        let Some(shorter) = length.checked_sub(2) else { return Some(true) };
        let mut child = at.clone();
        child.play(m);
        let solved = asker.ask_for(&child, Plies::at_most(shorter), budget)?;
        if solved.value == Value::Proven {
            self.list[i].1 = ask::length(solved).min(shorter);
        }
        Some(solved.value == Value::Disproven)
    }

    /// The first reply that lasts as long as any.
    fn longest(mut self, asker: &mut Asker<'_, '_>, at: &Tsume) -> Option<Move> {
        let length = self.list.first()?.1;
        for budget in [GLANCE, u64::MAX] {
            for i in 0..self.list.len() {
                if self.lasts(asker, at, i, length, budget) == Some(true) {
                    return Some(self.list[i].0);
                }
            }
        }
        None
    }
}
