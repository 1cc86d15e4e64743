//! The shortest proof: between which lengths it lies, until both are one.
//!
//! A first proof bounds the length from above. [`Strategy`] brings that bound down to what is known
//! without much of a search; most often it is the answer then. What is left is to show that nothing
//! is shorter, or to find it. The question "is there a proof within less?" is not asked of the root
//! alone. It is asked of the positions on the line on which the length rests, from its end upwards:
//! each question finds those below it answered, so each is about the attacker's other moves at that
//! one turn. None is given more than its budget, and budgets grow from round to round; the last
//! question is the root's own. (In the search itself a position that is known to be proven within P
//! plies is asked for less than P, even where less would do: see `strongest_question`. So it is
//! refuted once, and not again for every number of plies that may be left when the search comes by.)
//!
//! All the while the answer is an interval, and it holds whenever the search has to end.

use crate::ask::{Asker, Phase, Watcher};
use crate::plies::Plies;
use crate::problem::Problem;
use crate::rules::Value;
use crate::strategy::{Line, Strategy, Visit, Walk, proven};
use crate::table::Solved;

/// Nodes for a question of the first round, and by what budgets grow.
const FIRST_ROUND: u64 = 1 << 6;
const GROWTH: u64 = 4;
/// Up to so many nodes every position of the line is asked. With more, only the last one that is not
/// answered, and the root.
const EVERYWHERE: u64 = 1 << 12;

/// Between which lengths the shortest proof of a position lies.
#[derive(Clone, Debug)]
pub struct Bounds<M> {
    /// There is no proof within fewer plies.
    pub least: u16,
    /// There is a proof within so many plies.
    pub known: u16,
    /// The attacker's best strategy known against its longest defence: of just that length, if it is
    /// complete.
    pub line: Line<M>,
}

impl<M> Bounds<M> {
    /// Is the shortest proof known?
    pub fn is_exact(&self) -> bool {
        self.least >= self.known
    }
}

/// A bound on the length of a proof, brought down by what the table knows and by small searches.
/// `first` plies are known to be enough.
pub fn bound<P: Problem, W: Watcher>(
    asker: &mut Asker<'_, P, W>,
    root: &P,
    first: u16,
) -> Bounds<P::Move> {
    let budget = asker.nodes() / 8 + (1 << 14);
    let end = asker.nodes().saturating_add(budget);
    Search::new(asker, root, first).run(end, |_, _| {})
}

/// The shortest proof, or an interval if a limit is reached before. `first` plies are known to be
/// enough. Each shorter one is told.
pub fn shortest<P: Problem, W: Watcher>(
    asker: &mut Asker<'_, P, W>,
    root: &P,
    first: u16,
    tell: impl FnMut(&mut Asker<'_, P, W>, &Bounds<P::Move>),
) -> Bounds<P::Move> {
    Search::new(asker, root, first).run(u64::MAX, tell)
}

struct Search<'s, 't, P: Problem, W> {
    asker: &'s mut Asker<'t, P, W>,
    root: &'s P,
    strategy: Strategy<P>,
    least: u16,
    budget: u64,
    /// How often the interval is halved for a question about short proofs.
    halves: u32,
    /// No question is begun when so many nodes have been searched.
    end: u64,
}

/// What came of asking along the line.
enum Asked {
    /// Something is shorter.
    Shorter,
    /// Nothing new.
    Nothing,
    /// The root is refuted.
    Exact,
}

impl<'s, 't, P: Problem, W: Watcher> Search<'s, 't, P, W> {
    fn new(asker: &'s mut Asker<'t, P, W>, root: &'s P, first: u16) -> Self {
        let strategy = Strategy::new(asker, root, first);
        Search { asker, root, strategy, least: 0, budget: FIRST_ROUND, halves: 1, end: u64::MAX }
    }

    fn run(
        mut self,
        end: u64,
        mut tell: impl FnMut(&mut Asker<'t, P, W>, &Bounds<P::Move>),
    ) -> Bounds<P::Move> {
        self.end = end;
        let mut told = u16::MAX;
        loop {
            let phase = self.asker.phase;
            let walk = self.strategy.walk(self.asker, self.root);
            self.look_at_least();
            let (known, line) = (self.strategy.length(), walk.line());
            let bounds = Bounds { least: self.least.min(known), known, line };
            let is_over = bounds.is_exact() || self.is_over();
            if is_over || self.budget > EVERYWHERE && known < told {
                self.strategy.store(self.asker.table(), self.root);
                if known < told {
                    told = known;
                    tell(self.asker, &bounds);
                }
            }
            if is_over {
                self.asker.phase = phase;
                return bounds;
            }
            match self.ask_along(walk) {
                Asked::Shorter => {}
                Asked::Nothing => self.budget = self.budget.saturating_mul(GROWTH),
                Asked::Exact => self.least = self.strategy.length(),
            }
        }
    }

    /// Is there a limit reached, or has every question had as many nodes as it may have?
    fn is_over(&self) -> bool {
        self.asker.nodes() >= self.end
            || self.budget / GROWTH >= self.asker.patience
            || self.asker.reached().is_some()
    }

    /// What the table knows of the lower bound.
    fn look_at_least(&mut self) {
        let lengths = self.asker.table().lengths(self.root.key(), self.root.stock());
        let least = match lengths.disproven.map(Plies::bounded) {
            Some(Some(refuted)) => refuted.saturating_add(1),
            _ => 0,
        };
        // Of the lengths that a proof can have, the first one not below it.
        let (known, step) = (self.strategy.length(), self.root.length_step());
        self.least = self.least.max(known - known.saturating_sub(least) / step * step);
    }

    /// Asks the positions of the line for less, from its end upwards.
    fn ask_along(&mut self, mut walk: Walk<P>) -> Asked {
        let step = self.root.length_step();
        let mut is_stuck = false;
        while let Some(&Visit { id, .. }) = walk.path.last() {
            let is_root = walk.path.len() == 1;
            if is_root && self.budget > EVERYWHERE && self.ask_halfway() {
                return Asked::Shorter;
            }
            let asks = (is_root || self.strategy.is_or(id))
                && !(is_stuck && !is_root && self.budget > EVERYWHERE)
                && *self.strategy.asked(id) < self.budget;
            if let Some(asking) = self.strategy.length_of(id).checked_sub(step)
                && asks
                && !self.is_over()
            {
                // The root waits for the position that is not answered, most of the time.
                let is_last = is_root && is_stuck && self.budget > EVERYWHERE;
                let budget = if is_last { self.budget / 8 } else { self.budget };
                let answer = self.ask(&walk.at, asking, budget);
                if let Some(length) = proven(answer) {
                    self.strategy.take_in(id, length);
                    return Asked::Shorter;
                }
                if is_root && answer.is_some_and(|solved| solved.value == Value::Disproven) {
                    return Asked::Exact;
                }
                is_stuck |= answer.is_none();
                *self.strategy.asked(id) = if answer.is_some() { u64::MAX } else { self.budget };
            }
            walk.undo();
        }
        Asked::Nothing
    }

    /// Asks for a proof of about half the length, as long as there is an answer with few nodes. What
    /// is not there is refuted quickly where only few plies are allowed; and where a much shorter
    /// proof begins with quite another move, none of the questions along the line would lead to it.
    fn ask_halfway(&mut self) -> bool {
        let step = self.root.length_step();
        loop {
            let known = self.strategy.length();
            let halves = self.halves.min(15);
            let asking = self.least + ((known - self.least) >> halves) / step * step;
            if asking + step >= known || asking == self.least || self.is_over() {
                return false;
            }
            let answer = self.ask(self.root, asking, self.budget / 8);
            if let Some(length) = proven(answer) {
                self.strategy.take_in(0, length);
                return true;
            }
            if answer.is_none() {
                self.halves += 1;
                return false;
            }
            self.halves = 1;
            self.look_at_least();
        }
    }

    fn ask(&mut self, at: &P, asking: u16, budget: u64) -> Option<Solved<P::Stock>> {
        let (least, known) = (self.least, self.strategy.length());
        self.asker.phase = Phase::Shortest { least, known, asking };
        self.asker.ask_for(at, Plies::at_most(asking), budget)
    }
}
