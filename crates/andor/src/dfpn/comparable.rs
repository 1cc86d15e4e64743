//! First numbers from the same position with another stock.
//!
//! More stock never hurts the attacker. So a position that is new but for its stock cannot be easier to
//! prove than it was with more, nor easier to disprove than with less: what an unsolved entry of the same
//! board says bounds its numbers from below, where the game's first look knows nothing of the searches
//! that were made there. Only the numbers of new positions are raised: to do so at every visit was no
//! better.
//!
//! A position and the same one with another stock can lie on one line, and then the numbers of the one
//! rest on the other's. Where stock grows on every round of a loop, each position of the next round is new,
//! takes its numbers from the round before, and raises those in turn, though nothing was opened: it is the
//! loop of [threshold control](super::threshold_control) with other stocks. So a child that takes numbers
//! over takes their depth with them, by which threshold control knows such a loop. (That unsolved entries of comparable hands tell something is known from KomoringHeights; for
//! solved ones it is dominance, which the table answers by itself.)

use super::agent::Agent;
use super::node::Child;
use crate::problem::Problem;

impl<P: Problem> Agent<'_, P> {
    /// Raises the first numbers of a child that was never entered.
    #[inline]
    pub(super) fn raise_first_numbers(&self, child: &mut Child<P::Move, P::Stock>) {
        if self.settings.comparable {
            let (pn, dn, depth) = self.table.comparable(child.key, child.stock);
            if pn > child.pn || dn > child.dn {
                (child.pn, child.dn) = (child.pn.max(pn), child.dn.max(dn));
                child.min_depth = child.min_depth.min(depth);
            }
        }
    }
}
