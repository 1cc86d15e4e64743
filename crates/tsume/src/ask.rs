//! Questions about mates: what [`andor::ask`] asks of any game, and who is told meanwhile.

use andor::ask::{self, Asked, Watcher};
use andor::{Solved, shortest};

use crate::answer::{Event, Observer};
use crate::stock::AttackersHand;
use crate::tsume::Tsume;

/// Asks whether there is a mate, within limits.
pub(crate) type Asker<'a, 't> = ask::Asker<'t, Tsume, Told<'a>>;

/// Who is told what happens.
pub(crate) struct Told<'a>(pub Observer<'a>);

impl Watcher for Told<'_> {
    fn progress(&mut self, asked: &Asked<'_>) {
        (self.0)(Event::Progress(asked));
    }
}

/// The length that a proof of mate holds for. Each has one: tsume-shogi leaves out no move that would
/// matter for it.
pub(crate) fn length(proof: Solved<AttackersHand>) -> u16 {
    proof.plies.bounded().unwrap_or(u16::MAX)
}

/// The shortest length of a mate that is known to exist within `known` plies, and whether it is
/// certain that there is no shorter one.
pub(crate) fn shortest(asker: &mut Asker<'_, '_>, problem: &Tsume, known: u16) -> (u16, bool) {
    let bounds = shortest::shortest(asker, problem, known, |_, _| {});
    (bounds.known, bounds.is_exact())
}
