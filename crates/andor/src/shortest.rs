//! The shortest proof: between which lengths it lies, until both are one.
//!
//! A first proof bounds the length from above. [`Strategy`] brings that bound down to what is known
//! without much of a search. What is left is to find something shorter, or to show that there is none.
//! The question "is there a proof within less?" is not asked of the root. It is asked at each turn of
//! the attacker on the line on which the length rests, from its end upwards, and of his *other* moves
//! there: does one of them lead to a shorter proof? These are many small questions that do not depend
//! on each other. None is given more than its budget, and budgets grow from round to round. But what is
//! asked further up leads to much that is asked further down, and is easy once that is answered. So after
//! a few questions of a round that were not answered, those above them wait: they get what they had some
//! rounds ago, till the end of the line is settled. When all of them are refuted, so is the root, and
//! with few nodes: below each turn everything is in the table. (In the search itself a position that is known to be proven within P
//! plies is asked for less than P, even where less would do: see `strongest_question`. So it is
//! refuted once, and not again for every number of plies that may be left when the search comes by.)
//!
//! Where there are threads, the questions of a round go to as many agents (`questions`).
//!
//! All the while the answer is an interval, and it holds whenever the search has to end.

use std::collections::HashMap;
use std::ops::Range;

use crate::ask::{Asker, Phase, Watcher};
use crate::plies::Plies;
use crate::problem::Problem;
use crate::questions::{Heard, Question};
use crate::rules::Value;
use crate::strategy::{Line, Strategy, Visit, Walk, proven};
use crate::table::Solved;

/// Nodes for a question of the first round, and by what budgets grow.
const FIRST_ROUND: u64 = 1 << 6;
const GROWTH: u64 = 4;
/// After so many questions of a round without an answer, all others get so much less, if the line is
/// longer than this: of a short line few questions are asked, and a shorter proof may begin anywhere.
const UNANSWERED: u32 = 4;
const LATER: u64 = 512;
const LONG: u16 = 100;
/// Nodes for the lower bound, once so many were not enough for a question along the line.
const RAISING: u64 = 1 << 12;
/// So many nodes go to the bound of a proof beyond a 32nd of its own: half of them, between these.
const FEW: Range<u64> = 1 << 8..1 << 14;
/// What is found with fewer nodes is not told at once: better is near.
const TOLD: u64 = 1 << 10;

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
/// `first` plies are known to be enough. It takes little beside the proof itself: a 32nd of its
/// nodes, and while they are few half as many.
pub fn bound<P: Problem, W: Watcher>(
    asker: &mut Asker<'_, P, W>,
    root: &P,
    first: u16,
) -> Bounds<P::Move> {
    let spent = asker.nodes();
    let budget = spent / 32 + (spent / 2).clamp(FEW.start, FEW.end);
    let end = spent.saturating_add(budget);
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

/// Brings the lower bound up with what is left of the limits: nothing within few plies is soon known,
/// and the next question goes on from there.
pub fn raise<P: Problem, W: Watcher>(
    asker: &mut Asker<'_, P, W>,
    root: &P,
    bounds: Bounds<P::Move>,
) -> Bounds<P::Move> {
    let phase = asker.phase;
    let mut search = Search::new(asker, root, bounds.known);
    search.least = bounds.least;
    search.raise(u64::MAX);
    let (least, known) = (search.least, search.strategy.length());
    asker.phase = phase;
    let line = match known < bounds.known {
        true => Line { moves: Vec::new(), complete: false },
        false => bounds.line,
    };
    Bounds { least: least.min(known), known, line }
}

/// The same from both ends: half of the nodes go to the question for the least length that is not
/// refuted yet. Where few plies have many moves each, as in chess, a short proof is found that way long
/// before a first proof of hundreds of plies has come down to it; and what was refuted need not be.
pub fn from_both_ends<P: Problem, W: Watcher>(
    asker: &mut Asker<'_, P, W>,
    root: &P,
    first: u16,
    tell: impl FnMut(&mut Asker<'_, P, W>, &Bounds<P::Move>),
) -> Bounds<P::Move> {
    let search = Search::new(asker, root, first);
    Search { upwards: true, ..search }.run(u64::MAX, tell)
}

struct Search<'s, 't, P: Problem, W> {
    asker: &'s mut Asker<'t, P, W>,
    root: &'s P,
    strategy: Strategy<P>,
    least: u16,
    budget: u64,
    /// How many questions along the line were not answered in this round.
    unanswered: u32,
    /// How often the interval is halved for a question about short proofs.
    halves: u32,
    /// Was it asked from below?
    raised: bool,
    /// Is the least length asked for, too?
    upwards: bool,
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
        Search {
            asker,
            root,
            strategy,
            least: 0,
            budget: FIRST_ROUND,
            unanswered: 0,
            halves: 1,
            raised: false,
            upwards: false,
            end: u64::MAX,
        }
    }

    fn run(
        mut self,
        end: u64,
        mut tell: impl FnMut(&mut Asker<'t, P, W>, &Bounds<P::Move>),
    ) -> Bounds<P::Move> {
        self.end = end;
        let (mut told, mut before) = (u16::MAX, 0);
        let mut whole: Option<(u16, Line<P::Move>)> = None;
        loop {
            let phase = self.asker.phase;
            let walk = self.strategy.walk(self.asker, self.root);
            self.look_at_least();
            let (known, line) = (self.strategy.length(), walk.line());
            let mut bounds = Bounds { least: self.least.min(known), known, line };
            let is_over = bounds.is_exact() || self.is_over();
            // What is asked next, above, may lead to positions of the line by another way.
            self.strategy.store(self.asker.table(), self.root);
            if bounds.line.complete {
                whole = Some((known, bounds.line.clone()));
            } else if let Some((known, line)) = whole.take_if(|_| is_over && !bounds.is_exact()) {
                // What a limit has cut short is not shown: rather claims what there is a line for.
                bounds = Bounds { known, line, ..bounds };
            }
            let known = bounds.known;
            // The first line is told at once; those of the small questions follow each other fast.
            let is_first = told == u16::MAX && bounds.line.complete;
            if known < told && (is_over || is_first || self.budget > TOLD) {
                told = known;
                tell(self.asker, &bounds);
            }
            if is_over {
                self.asker.phase = phase;
                return bounds;
            }
            if self.upwards {
                // As many nodes as the rest has taken since.
                let nodes = self.asker.nodes();
                let is_shorter = self.ask_upwards((nodes - before).max(self.budget));
                before = self.asker.nodes();
                if is_shorter || self.least >= known {
                    continue;
                }
            }
            match self.ask_along(walk) {
                Asked::Shorter => {}
                Asked::Nothing => {
                    self.budget = self.budget.saturating_mul(GROWTH);
                    if self.budget > RAISING && self.end == u64::MAX && !self.raised {
                        self.raised = true;
                        self.raise(RAISING);
                    }
                }
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

    /// Asks along the line, from its end upwards: at each of the attacker's turns whether another move
    /// leads to a shorter proof, and once none does, the position itself.
    fn ask_along(&mut self, mut walk: Walk<P>) -> Asked {
        let step = self.root.length_step();
        self.unanswered = 0;
        let Some(vain) = self.ask_ahead(&walk) else { return Asked::Shorter };
        // Is all that is below refuted?
        let mut is_settled = true;
        while let Some(&Visit { id, .. }) = walk.path.last() {
            let is_root = walk.path.len() == 1;
            if is_root && self.ask_halfway() {
                return Asked::Shorter;
            }
            if let Some(asking) = self.strategy.length_of(id).checked_sub(step)
                && (is_root || self.strategy.is_or(id))
            {
                if self.strategy.is_or(id) && *self.strategy.asked(id) < self.share() {
                    match self.ask_others(&walk.at, id, vain.get(&id)) {
                        Some(true) => return Asked::Shorter,
                        Some(false) => *self.strategy.asked(id) = u64::MAX,
                        None => *self.strategy.asked(id) = self.share(),
                    }
                }
                is_settled &= !self.strategy.is_or(id) || *self.strategy.asked(id) == u64::MAX;
                // Where something is not refuted, the defender may have a better reply elsewhere.
                if (is_settled || is_root) && !self.is_over() {
                    let budget = if is_settled { u64::MAX } else { self.budget / 8 };
                    let answer = self.ask(&walk.at, asking, budget);
                    if let Some(length) = proven(answer) {
                        self.strategy.take_in(id, length);
                        return Asked::Shorter;
                    }
                    if is_root && answer.is_some_and(|solved| solved.value == Value::Disproven) {
                        return Asked::Exact;
                    }
                    is_settled &= answer.is_some();
                }
            }
            walk.undo();
        }
        Asked::Nothing
    }

    /// Where several agents can be asked: puts the questions of this round to them, those at the end of
    /// the line first, if there are enough of them. None if something is shorter. What is refuted is in
    /// the table then; told is, of each turn of the attacker, which of his other moves were asked about
    /// in vain.
    fn ask_ahead(&mut self, walk: &Walk<P>) -> Option<HashMap<u32, Vec<bool>>> {
        let mut vain = HashMap::new();
        let threads = self.asker.questions_at_once();
        if threads < 2 || self.is_over() {
            return Some(vain);
        }
        let (mut at, mut turns) = (self.root.clone(), Vec::new());
        for visit in &walk.path {
            if let Some(m) = visit.m() {
                at.play(m);
            }
            let had = *self.strategy.asked(visit.id);
            if self.strategy.is_or(visit.id) && had < self.budget {
                turns.push((visit.id, had, self.others(&at, visit.id)));
            }
        }
        let (mut names, mut questions) = (Vec::new(), Vec::new());
        for (id, had, (asking, others)) in turns.into_iter().rev() {
            for (m, at) in others {
                names.push((id, m));
                questions.push(Question { at, plies: Plies::at_most(asking), had });
            }
        }
        let nodes = self.budget.saturating_mul(questions.len() as u64);
        if questions.len() < threads || nodes < self.asker.worth_waking {
            return Some(vain);
        }
        let (budget, length) = (self.budget, self.strategy.length());
        let asking = length.saturating_sub(self.root.length_step());
        self.asker.phase = Phase::Shortest { least: self.least, known: length, asking };
        let share = |unanswered| share(budget, unanswered, length);
        let heard = self.asker.ask_all(&questions, self.end, share);
        let mut is_shorter = false;
        for ((&(id, m), question), heard) in names.iter().zip(&questions).zip(heard) {
            if let Heard::Answer(solved) = heard
                && let Some(length) = proven(Some(solved))
            {
                self.strategy.join(id, m, &question.at, length);
                is_shorter = true;
            }
            vain.entry(id).or_insert_with(Vec::new).push(heard == Heard::Nothing);
        }
        (!is_shorter).then_some(vain)
    }

    /// At a turn of the attacker: the moves that are not the line's, each with the position after it, and
    /// within how many plies a proof there would be shorter than the line.
    fn others(&self, at: &P, id: u32) -> (u16, Vec<(P::Move, P)>) {
        let bound = self.strategy.length_of(id).checked_sub(self.root.length_step() + 1);
        let Some(asking) = bound else { return (0, Vec::new()) };
        let main = self.strategy.main_move(id);
        let mut moves = Vec::new();
        at.legal_moves(&mut moves);
        let others = moves.into_iter().filter(|&m| Some(m) != main).map(|m| {
            let mut after = at.clone();
            after.play(m);
            (m, after)
        });
        (asking, others.collect())
    }

    /// At a turn of the attacker, is there a shorter proof by a move that is not the line's? True as
    /// soon as there is one, false if all are refuted. Not asked is what was asked in vain.
    fn ask_others(&mut self, at: &P, id: u32, vain: Option<&Vec<bool>>) -> Option<bool> {
        let (asking, others) = self.others(at, id);
        let mut all_refuted = true;
        for (i, (m, after)) in others.into_iter().enumerate() {
            if self.is_over() {
                return None;
            }
            let answer = match vain {
                Some(vain) if vain.get(i) == Some(&true) => None,
                _ => self.ask(&after, asking, self.share()),
            };
            self.unanswered += u32::from(answer.is_none());
            if let Some(length) = proven(answer) {
                self.strategy.join(id, m, &after, length);
                return Some(true);
            }
            all_refuted &= answer.is_some();
        }
        all_refuted.then_some(false)
    }

    /// Nodes for the next question along the line.
    fn share(&self) -> u64 {
        share(self.budget, self.unanswered, self.strategy.length())
    }

    /// Asks for the least length that is not refuted, and the next ones, with so many nodes in all. True
    /// if it is found.
    fn ask_upwards(&mut self, budget: u64) -> bool {
        let end = self.asker.nodes().saturating_add(budget);
        while self.least < self.strategy.length() && !self.is_over() {
            let left = end.saturating_sub(self.asker.nodes());
            if left == 0 {
                return false;
            }
            let answer = self.ask(self.root, self.least, left);
            if let Some(length) = proven(answer) {
                self.strategy.take_in(0, length);
                return true;
            }
            if answer.is_none() {
                return false;
            }
            self.least += self.root.length_step();
            self.look_at_least();
        }
        false
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

    /// Asks the root for short proofs, from the shortest on, with so many nodes in all.
    fn raise(&mut self, nodes: u64) {
        let end = self.asker.nodes().saturating_add(nodes);
        loop {
            self.look_at_least();
            let (asking, left) = (self.least, end.saturating_sub(self.asker.nodes()));
            if asking >= self.strategy.length() || left == 0 || self.is_over() {
                return;
            }
            let answer = self.ask(self.root, asking, left);
            if let Some(length) = proven(answer) {
                return self.strategy.take_in(0, length);
            }
            if answer.is_none() {
                return;
            }
            self.least = asking + self.root.length_step();
        }
    }

    fn ask(&mut self, at: &P, asking: u16, budget: u64) -> Option<Solved<P::Stock>> {
        let (least, known) = (self.least, self.strategy.length());
        self.asker.phase = Phase::Shortest { least, known, asking };
        self.asker.ask_for(at, Plies::at_most(asking), budget)
    }
}

/// Nodes for a question along a line of this length, when so many had no answer.
fn share(budget: u64, unanswered: u32, length: u16) -> u64 {
    let waits = unanswered >= UNANSWERED && length > LONG;
    if waits { budget / LATER } else { budget }
}
