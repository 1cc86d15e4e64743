//! The attacker's hand, as a search sees it: a stock of which more never hurts.

use andor::Stock;
use yomikiri_shogi::Hand;

/// What the attacker holds. The lattice is that of [`Hand`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AttackersHand(pub Hand);

impl Stock for AttackersHand {
    #[inline]
    fn within(self, other: AttackersHand) -> bool {
        self.0.within(other.0)
    }
    #[inline]
    fn join(self, other: AttackersHand) -> AttackersHand {
        AttackersHand(self.0.join(other.0))
    }
    #[inline]
    fn meet(self, other: AttackersHand) -> AttackersHand {
        AttackersHand(self.0.meet(other.0))
    }
    #[inline]
    fn pack(self) -> u32 {
        self.0.pack()
    }
    #[inline]
    fn unpack(bits: u32) -> AttackersHand {
        AttackersHand(Hand::unpack(bits))
    }
}
