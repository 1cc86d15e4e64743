//! One turn of the attacker on a line: which of his other checks mate as well, and what that is
//! called.
//!
//! Every other check is searched to its end, at any length. One that mates gets its shortest length
//! and a line, and is sorted by them; where the line comes to a position of the solution again, it
//! is a change of order or a detour.

use std::collections::HashMap;

use andor::{Plies, Rules, Value};
use yomikiri_shogi::{Hand, Move, attacks};

use super::finding::{Finding, FindingKind};
use crate::ask::{self, Asker, length};
use crate::mate;
use crate::tsume::Tsume;

/// A position as one line sees another come to it: board and hand.
pub(super) type Place = ([u64; 7], Hand);

/// The place of a position.
pub(super) fn place(at: &Tsume) -> Place {
    (at.identity(), at.attackers_hand())
}

/// Where the positions of a line are: the place to the ply.
pub(super) type Places = HashMap<Place, usize>;

/// The positions of a line but for the last: that two solutions end alike is no matter.
pub(super) fn places(problem: &Tsume, line: &[Move]) -> Places {
    let mut at = problem.clone();
    let mut found = HashMap::new();
    for (ply, &m) in line.iter().enumerate() {
        found.entry(place(&at)).or_insert(ply);
        at.play(m);
    }
    found
}

/// Are other mates permitted after so many plies, with so many left? At the last move they are, if
/// that is not the attacker's first.
pub(super) fn is_permitted(ply: usize, left: usize) -> bool {
    left == 1 && ply > 1
}

/// A turn of the attacker.
pub(super) struct Turn<'a> {
    /// The position.
    pub at: &'a Tsume,
    /// After so many plies.
    pub ply: usize,
    /// His move on the line.
    pub played: Move,
    /// So many plies of the line are left.
    pub left: usize,
    /// The positions of the line.
    pub places: &'a Places,
    /// Was the line given? Then it need not be the shortest.
    pub is_given: bool,
}

/// What his other checks do.
#[derive(Default)]
pub(super) struct OtherChecks {
    /// They mate.
    pub found: Vec<Finding>,
    /// They do not.
    pub refuted: Vec<Move>,
    /// It was not found out.
    pub undecided: Vec<Move>,
}

impl Turn<'_> {
    /// Asks of every check but that of the line whether it mates.
    pub fn other_checks(&self, asker: &mut Asker<'_, '_>) -> OtherChecks {
        let mut others = OtherChecks::default();
        let mut moves = Vec::new();
        self.at.legal_moves(&mut moves);
        for &m in moves.iter().filter(|&&m| m != self.played) {
            let mut child = self.at.clone();
            child.play(m);
            match asker.ask(&child, Plies::UNBOUNDED) {
                Some(proof) if proof.value == Value::Proven => {
                    others.found.push(self.sorted(asker, m, &child, length(proof)));
                }
                Some(_) => others.refuted.push(m),
                None => others.undecided.push(m),
            }
        }
        others
    }

    /// A check beside the line mates within `plies` plies more: what is it?
    fn sorted(&self, asker: &mut Asker<'_, '_>, m: Move, child: &Tsume, plies: u16) -> Finding {
        let Turn { ply, played, left, .. } = *self;
        let (plies, exact) = ask::shortest(asker, child, plies);
        let rest = mate::solution(asker, child, plies, exact);
        let mut line = vec![m];
        line.extend(rest.shown_line());
        let length = plies.saturating_add(1);
        let shown = if rest.complete && exact { line.len() } else { usize::from(length) };
        let kind = if shown < left && self.is_given {
            FindingKind::Shorter
        } else if is_permitted(ply, left) {
            FindingKind::LastMove
        } else if shown == left && m.unpromoted() == played.unpromoted() {
            FindingKind::Promotion
        } else if shown == left && self.is_same_ray(m) {
            FindingKind::Distance
        } else {
            match self.joins(&line) {
                Some((then, on)) if then == on => FindingKind::Transposition,
                Some(_) => FindingKind::Detour,
                None => FindingKind::Cook,
            }
        };
        Finding { ply, m, kind, length, exact, line }
    }

    /// Does a move bring the same piece as that of the line, by a drop or from one square, onto one
    /// line with the king?
    fn is_same_ray(&self, m: Move) -> bool {
        let Turn { at, played, .. } = *self;
        let Some(king) = at.position().king(!at.attacker()) else { return false };
        let same = (m.from(), m.dropped()) == (played.from(), played.dropped());
        let (near, far) = (m.to(), played.to());
        let between = |far, near| attacks::between(king, far).contains(near);
        same && (between(far, near) || between(near, far))
    }

    /// The ply at which a line that parts here comes to a position of the solution again, and the
    /// ply of that position in the solution.
    fn joins(&self, line: &[Move]) -> Option<(usize, usize)> {
        let mut at = self.at.clone();
        for (i, &m) in line.iter().enumerate() {
            at.play(m);
            if let Some(&on) = self.places.get(&place(&at)) {
                return Some((self.ply + i + 1, on));
            }
        }
        None
    }
}
