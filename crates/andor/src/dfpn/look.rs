//! What is known of a child before it is searched: by the path, by the table, by results that lean
//! on the path, by the game.

use super::agent::{Agent, NodeResult};
use super::double_count;
use super::node::{Child, Frame};
use super::repetition::{Lean, PathMap};
use super::sums::Sums;
use crate::number::{MAX_FINITE, Number};
use crate::plies::Plies;
use crate::problem::{Evaluation, Key, Problem};
use crate::pulse::Interrupted;
use crate::rules::{Stock, Value};
use crate::table::{Lookup, Solved};
use crate::team::Member;

impl<P: Problem> Agent<'_, P> {
    /// Adds the child by `m`, the `i`-th move of the top frame, with what is known of it.
    #[inline]
    pub(super) fn look_at(
        &mut self,
        m: P::Move,
        late: bool,
        i: usize,
        (key, stock): (Key, P::Stock),
    ) -> Result<&mut Child<P::Move, P::Stock>, Interrupted> {
        let plies = self.top().plies.one_less();
        let mut child = Child::new(m, (key, stock), late, self.frames.len());
        child.meets = self.meets(i);
        if self.heuristics && self.settings.costs {
            child.cost = self.problem.cost(m);
        }
        if self.cyclic
            && let Some((stock, depth)) = repeated(&self.frames, &self.path, key.high(), stock)
        {
            let value = Value::Disproven;
            let lean = self.leans.on(depth);
            child.solve(Solved { value, stock, plies: Plies::UNBOUNDED }, lean);
            return Ok(self.add_child(child));
        }
        match self.table.lookup(key, stock, plies) {
            Lookup::Solved(solved) => child.solve(solved, Lean::FREE),
            Lookup::Open(open) => {
                child.fresh = false;
                child.pn = open.pn;
                child.dn = open.dn;
                child.min_depth = open.min_depth;
                child.extra = open.extra;
                child.effort = open.effort;
                child.parent = open.parent;
                if self.cyclic
                    && let Some((solved, lean)) = self.result_on_path(key, stock, plies)
                {
                    child.solve(solved, lean);
                }
            }
            Lookup::Missing => {
                let result = self.evaluate_child(m, key, stock, plies)?;
                match result {
                    NodeResult::Solved(solved, lean) => child.solve(solved, lean),
                    NodeResult::Open { pn, dn, .. } => {
                        (child.pn, child.dn) = (pn, dn);
                        self.raise_first_numbers(&mut child);
                    }
                }
            }
        }
        // Also of what is missing: another may be below it for the first time.
        if let Some(member) = self.member.filter(Member::keeps_to_paper)
            && !child.is_solved()
        {
            child.meet_crowd(&member, self.top().kind);
        }
        Ok(self.add_child(child))
    }

    #[inline]
    fn add_child(&mut self, child: Child<P::Move, P::Stock>) -> &mut Child<P::Move, P::Stock> {
        self.children.push(child);
        self.children.last_mut().expect("it was just put there")
    }

    /// The child by `m`, the `i`-th move of the top frame, that waits for the one before it. Mostly its
    /// turn never comes, so nobody looks at it till then.
    #[inline]
    pub(super) fn look_later(&self, m: P::Move, i: usize) -> Child<P::Move, P::Stock> {
        let nothing = (Key(0), self.top().stock);
        let child = Child::new(m, nothing, true, self.frames.len());
        Child { unseen: true, meets: self.meets(i), ..child }
    }

    /// Looks at the `i`-th child of the top frame, whose turn has come.
    #[cold]
    pub(super) fn look_at_due(&mut self, i: usize) -> Result<(), Interrupted> {
        let place = self.top().first + i;
        let m = self.children[place].m;
        let name = self.problem.key_after(m);
        let min_depth = self.top().min_depth;
        let child = self.look_at(m, true, i, name)?;
        if !child.is_solved() && child.min_depth <= min_depth {
            self.control.meet_old_child();
        }
        self.children.swap_remove(place);
        Ok(())
    }

    /// Is it known of the top frame's `i`-th child that it meets another one again?
    #[inline]
    fn meets(&self, i: usize) -> bool {
        self.settings.sums == Sums::Dag
            && self.settings.deep >= 1.0
            && i < 16
            && self.top().extra >> i & 1 != 0
    }

    /// The game's own view of the position after `m`, which was never searched.
    fn evaluate_child(
        &mut self,
        m: P::Move,
        key: Key,
        stock: P::Stock,
        plies: Plies,
    ) -> Result<NodeResult<P::Stock>, Interrupted> {
        let mut known = self.evaluations.get(key, stock);
        let shared = self.member.and_then(|member| member.evaluations());
        let mut claim = None;
        if let (None, Some(shared)) = (known, shared) {
            // Another agent that is asking has the answer soon.
            loop {
                known = shared.get(key, stock);
                if let Some(evaluation) = known {
                    self.evaluations.put(key, stock, evaluation);
                    break;
                }
                claim = shared.claim(key, stock);
                if claim.is_some() {
                    break;
                }
                self.pulse.check()?;
                std::thread::yield_now();
            }
        }
        let evaluation = match known {
            Some(evaluation) => evaluation,
            None => {
                let undo = self.problem.play(m);
                let evaluation = self.ask_game();
                self.problem.undo(m, undo);
                let evaluation = evaluation?;
                self.evaluations.put(key, stock, evaluation);
                if let Some(shared) = shared {
                    shared.put(key, stock, evaluation);
                }
                evaluation
            }
        };
        drop(claim);
        let result = self.judge(evaluation, key, stock, plies);
        if known.is_none() {
            self.pulse.tick()?;
        }
        // Of a position that the game sees solved, but in more plies than asked for, `open_takes`
        // says nothing.
        let least = match evaluation {
            Evaluation::Open { .. } if self.evaluates() => self.problem.open_takes(),
            _ => 0,
        };
        if !plies.allow(least.into()) {
            let (value, plies) = (Value::Disproven, Plies::at_most(least - 1));
            return Ok(NodeResult::Solved(Solved { value, stock, plies }, Lean::FREE));
        }
        Ok(result)
    }

    /// Before the children of the top node are looked at: where looks are long and others are
    /// about, asks the game about those children that nobody else is asking about, until one of
    /// them settles the node.
    pub(super) fn look_together(&mut self, moves: &[(P::Move, bool)]) -> Result<(), Interrupted> {
        let Some(shared) = self.member.and_then(|member| member.evaluations()) else {
            return Ok(());
        };
        let (kind, plies) = (self.top().kind, self.top().plies.one_less());
        for (i, &(m, _)) in moves.iter().filter(|(_, late)| !late).enumerate() {
            let (key, stock) = self.keys[i];
            if self.cyclic && repeated(&self.frames, &self.path, key.high(), stock).is_some() {
                continue;
            }
            let is_missing = matches!(self.table.lookup(key, stock, plies), Lookup::Missing);
            if !is_missing || shared.is_claimed(key, stock) {
                continue;
            }
            let result = self.evaluate_child(m, key, stock, plies)?;
            if let NodeResult::Solved(solved, _) = result
                && solved.value == kind.goal()
            {
                break;
            }
        }
        Ok(())
    }

    /// The same of the current position.
    pub(super) fn evaluate(
        &mut self,
        key: Key,
        plies: Plies,
    ) -> Result<NodeResult<P::Stock>, Interrupted> {
        let (evaluation, stock) = (self.ask_game()?, self.problem.stock());
        Ok(self.judge(evaluation, key, stock, plies))
    }

    /// Is the game asked for first numbers, and for what its small solver sees?
    pub(super) fn evaluates(&self) -> bool {
        self.heuristics && self.settings.first_numbers
    }

    pub(super) fn ask_game(&mut self) -> Result<Evaluation<P::Stock>, Interrupted> {
        if self.evaluates() {
            self.problem.prepare(&self.pulse)?;
            let evaluation = self.problem.evaluate();
            self.evaluated += 1 + u64::from(evaluation.nodes());
            return Ok(evaluation);
        }
        Ok(match self.problem.terminal() {
            Some(value) => {
                let stock = self.problem.stock();
                Evaluation::Solved { value, stock, plies: Plies::NONE, nodes: 0 }
            }
            None => Evaluation::Open { pn: 1, dn: 1, nodes: 0 },
        })
    }

    fn judge(
        &mut self,
        evaluation: Evaluation<P::Stock>,
        key: Key,
        stock: P::Stock,
        plies: Plies,
    ) -> NodeResult<P::Stock> {
        /// A verdict that took the game's solver so many nodes is worth an entry.
        const WORTH_STORING: u32 = 16;
        let has_length = !(self.prunes && self.heuristics);
        match (evaluation, Solved::seen(evaluation, has_length)) {
            (Evaluation::Open { pn, dn, nodes }, _) => {
                self.nodes += nodes as u64;
                let finite = |n: Number| n.clamp(1, MAX_FINITE);
                NodeResult::Open { pn: finite(pn), dn: finite(dn), extra: 0 }
            }
            (Evaluation::Solved { nodes, .. }, seen) => {
                self.nodes += nodes as u64;
                if let Some(solved) = seen.filter(|_| nodes >= WORTH_STORING) {
                    self.table.store_solved(key, solved, nodes as u64);
                }
                match seen.filter(|solved| solved.holds_for(stock, plies)) {
                    Some(solved) => NodeResult::Solved(solved, Lean::FREE),
                    None => NodeResult::Open { pn: 1, dn: 1, extra: 0 },
                }
            }
        }
    }

    /// A disproof of this child that leaned on other positions when it was found, if all of them
    /// are on this path too or are disproven by now. In the latter case it leans on nothing any
    /// more and goes to the table.
    fn result_on_path(
        &mut self,
        key: Key,
        stock: P::Stock,
        plies: Plies,
    ) -> Option<(Solved<P::Stock>, Lean)> {
        let shared = self.member.as_ref().map_or(&self.own_results, |member| member.results());
        let results = shared.look(key)?;
        for result in results.candidates(key) {
            let solved = result.solved();
            if !solved.holds_for(stock, plies) {
                continue;
            }
            let Some(leaned) = results.leaned(result) else { continue };
            self.depths.clear();
            let holds = leaned.into_iter().all(|(key, packed)| {
                let stock = P::Stock::unpack(packed);
                if let Some((_, depth)) = repeated(&self.frames, &self.path, key.high(), stock) {
                    self.depths.push(depth);
                    return true;
                }
                let known = self.table.lookup(key, stock, Plies::UNBOUNDED);
                matches!(known, Lookup::Solved(solved) if solved.value == Value::Disproven)
            });
            if holds {
                let lean = self.leans.collect(self.depths.iter().copied());
                if lean == Lean::FREE {
                    self.table.store_solved(key, solved, result.effort);
                }
                return Some((solved, lean));
            }
        }
        None
    }

    /// Marks the children, here and above, that lead to a child of the top frame by two ways.
    pub(super) fn find_meetings(&mut self) {
        let (first, slot) = (self.top().first, self.top().slot);
        for i in first..self.children.len() {
            let child = &self.children[i];
            if child.parent == 0 || child.parent == slot || child.is_solved() {
                continue;
            }
            let found =
                double_count::parting(self.table, &self.path, child.key.high(), child.parent);
            let Some((depth, below)) = found else { continue };
            let depth = depth as usize;
            if depth + 1 >= self.frames.len() {
                continue;
            }
            let (first, ours) = (self.frames[depth].first, self.frames[depth].selected);
            let range = first..self.frames[depth + 1].first;
            let other = range.clone().find(|&j| self.children[j].key.high() == below);
            if let Some(other) = other.filter(|&other| other != first + ours) {
                self.children[other].meets = true;
                self.children[first + ours].meets = true;
            }
        }
    }
}

/// Does the position with this check and stock repeat one on the path, with no more stock?
/// Gives the stock and depth of the latest such one.
fn repeated<P: Problem>(
    frames: &[Frame<P>],
    path: &PathMap,
    check: u64,
    stock: P::Stock,
) -> Option<(P::Stock, u32)> {
    let mut next = path.depth(check);
    while let Some(depth) = next {
        let frame = &frames[depth as usize];
        if stock.within(frame.stock) {
            return Some((frame.stock, depth));
        }
        next = frame.same_board;
    }
    None
}
