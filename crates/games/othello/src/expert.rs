//! What an expert sees at a glance: which move to try first, how hard a position looks, and how the
//! last moves end.
//!
//! *Order*: fastest first, as in the small solver, so that the opponent has few replies.
//!
//! *First numbers* (`H` of df-pn⁺): one of a node's two numbers says how hard it is for the side to
//! move to get what it wants (`pn` at an OR node, `dn` at an AND node), the other how hard that is
//! for its opponent. With `own` and `other` the freedom of a side and of its opponent (their moves,
//! corners counted twice), stopping that side looks as hard as
//! `1 + own · max(0, 2 · own − other) / 2`: harder the more freely it moves, and harder still when
//! it moves more freely than its opponent. Mobility as first number is an old idea (Allis, 1994);
//! that the difference in mobility tells who wins at Othello is older (Rosenbloom, 1982). The
//! product spreads the numbers, so that thresholds rise in few, large steps.
//!
//! *Last moves*: with at most [`SOLVED_EMPTIES`] squares empty the small solver answers. Stable
//! discs could decide some positions earlier, but a certificate would then have to play out every
//! line to the end.

use andor::{Evaluation, Key, MoveList, NodeKind, Plies, Problem, Rules};

use crate::board::{Square, mobility};
use crate::endgame::{Endgame, fastest_first, freedom};
use crate::problem::ExpertOthello;

/// With at most so many squares empty a position is solved at once. Raised: fewer table entries and
/// less time a node, but more nodes, for the small solver has no table and no proof numbers.
pub const SOLVED_EMPTIES: u32 = 8;

impl Problem for ExpertOthello {
    #[inline]
    fn key(&self) -> Key {
        self.position_key()
    }

    fn moves(&mut self, list: &mut MoveList<Square>, _: &mut Vec<Square>) {
        fastest_first(self.node.board, self.node.moves, |reply| {
            list.push(reply.square);
            false
        });
    }

    fn evaluate(&mut self) -> Evaluation<()> {
        if let Some(value) = self.terminal() {
            return Evaluation::Solved { value, stock: (), plies: Plies::NONE, nodes: 0 };
        }
        let (board, kind, least) = (self.node.board, self.node.kind, self.least_score());
        let empties = board.empties().count_ones();
        if empties <= SOLVED_EMPTIES {
            let mut search = Endgame::default();
            let reached = search.reaches(board, least);
            return Evaluation::Solved {
                value: if reached { kind.goal() } else { kind.goal().other() },
                stock: (),
                plies: Plies::at_most(empties as u16),
                nodes: search.nodes as u32,
            };
        }
        let own = freedom(self.node.moves);
        let other = freedom(mobility(board.opp, board.own));
        let (reach, stop) = (resistance(other, own), resistance(own, other));
        match kind {
            NodeKind::Or => Evaluation::Open { pn: reach, dn: stop, nodes: 0 },
            NodeKind::And => Evaluation::Open { pn: stop, dn: reach, nodes: 0 },
        }
    }
}

/// How hard it looks to stop a side of freedom `own` whose opponent has freedom `other`.
#[inline]
fn resistance(own: u32, other: u32) -> u32 {
    1 + own * (2 * own).saturating_sub(other) / 2
}
