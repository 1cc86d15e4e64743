//! First numbers from the same position with another stock.
//!
//! More stock never hurts the attacker. So a position that is new but for its stock cannot be easier to
//! prove than it was with more, nor easier to disprove than with less: what an unsolved entry of the same
//! board says bounds its numbers from below, where the game's first look knows nothing of the searches
//! that were made there. Only the numbers of new positions are raised: to do so at every visit was no
//! better. (That unsolved entries of comparable hands tell something is known from KomoringHeights; for
//! solved ones it is dominance, which the table answers by itself.)

use super::agent::Agent;
use super::node::Child;
use crate::problem::Problem;

impl<P: Problem> Agent<'_, P> {
    /// Raises the first numbers of a child that was never entered.
    #[inline]
    pub(super) fn raise_first_numbers(&self, child: &mut Child<P::Move, P::Stock>) {
        if self.settings.comparable {
            let (pn, dn) = self.table.comparable(child.key, child.stock);
            (child.pn, child.dn) = (child.pn.max(pn), child.dn.max(dn));
        }
    }
}
