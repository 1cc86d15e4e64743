//! The last plies of a bounded question, answered depth first.
//!
//! A search for short proofs spends most of its nodes where next to no plies are left, on positions
//! that it will never see again. There numbers guide nothing: what a game sees at one look decides a
//! position with one ply left, so two plies more are a handful of looks. Such a node is settled when
//! it is entered, by plain depth-first search: its children are neither looked up nor stored, which
//! leaves the table to what is met again. A length is what it is on every path, so nothing here leans
//! on one. (Programs for tsume-shogi look for short mates at the leaves in the same way, most of them
//! for proofs only; here it is the refutations that count.)

use super::agent::{Agent, NodeResult};
use super::node::Frame;
use super::repetition::Lean;
use crate::plies::Plies;
use crate::problem::{Evaluation, Problem};
use crate::pulse::Interrupted;
use crate::rules::{NodeKind, Stock, Value};
use crate::table::Solved;

impl<P: Problem> Agent<'_, P> {
    /// Is the node to be settled depth first? (Not the root: the move that solves it is asked for.)
    #[inline]
    pub(super) fn is_at_horizon(&self, frame: &Frame<P>) -> bool {
        frame.plies.bounded().is_some_and(|plies| plies <= self.settings.horizon)
            && frame.arrival.is_some()
            && self.evaluates()
    }

    /// Settles a node that is about to be entered.
    pub(super) fn settle_at_horizon(&mut self, frame: Frame<P>) -> Result<(), Interrupted> {
        let (nodes, entered) = (self.nodes, self.entered);
        match self.within(frame.plies) {
            Ok(solved) => {
                let effort = self.nodes - nodes;
                self.table.store_solved(frame.key, solved, effort);
                if let Some(member) = &self.member {
                    self.told |= member.tell(frame.key, frame.stock);
                }
                if let Some((m, undo)) = frame.arrival {
                    self.problem.undo(m, undo);
                }
                self.report(NodeResult::Solved(solved, Lean::FREE), effort);
                Ok(())
            }
            Err(interrupted) => {
                (self.nodes, self.entered) = (nodes, entered);
                self.turn_back(frame);
                Err(interrupted)
            }
        }
    }

    /// The value of the position within so many plies, where the game's look leaves it open.
    fn within(&mut self, plies: Plies) -> Result<Solved<P::Stock>, Interrupted> {
        self.pulse.tick()?;
        self.generate_moves()?;
        self.nodes += 1;
        self.entered += 1;
        let first = self.last_moves.len();
        self.last_moves.extend(self.list.moves.drain(..).map(|(m, _)| m));
        let solved = self.settle(first, plies);
        self.last_moves.truncate(first);
        solved
    }

    /// The same where its moves are known: those from `first` on.
    fn settle(&mut self, first: usize, plies: Plies) -> Result<Solved<P::Stock>, Interrupted> {
        let kind = self.problem.kind();
        if plies == Plies::NONE && first < self.last_moves.len() {
            let (value, stock) = (Value::Disproven, self.problem.stock());
            return Ok(Solved { value, stock, plies });
        }
        // What it is if no child is what its side wants.
        let (value, mut stock, mut most) = match kind {
            NodeKind::Or => (Value::Disproven, self.problem.largest_stock(), Plies::UNBOUNDED),
            NodeKind::And => (Value::Proven, self.problem.least_stock(), Plies::NONE),
        };
        let least = self.problem.open_takes();
        for i in first..self.last_moves.len() {
            let m = self.last_moves[i];
            let undo = self.problem.play(m);
            let child = self.child_within(plies.one_less(), least);
            self.problem.undo(m, undo);
            let child = child?;
            let before = match child.value {
                Value::Proven => self.problem.proof_stock_before(m, child.stock),
                Value::Disproven => self.problem.disproof_stock_before(m, child.stock),
            };
            let plies = child.plies.one_more(child.value);
            if child.value == kind.goal() {
                return Ok(Solved { value: child.value, stock: before, plies });
            }
            (stock, most) = match value {
                Value::Proven => (stock.join(before), most.max(plies)),
                Value::Disproven => (stock.meet(before), most.min(plies)),
            };
        }
        let stock = match value {
            Value::Proven => self.problem.proof_stock_here(stock),
            Value::Disproven => self.problem.disproof_stock_here(stock),
        };
        Ok(Solved { value, stock, plies: most })
    }

    /// The value of a position just played to within so many plies. What is open takes `least`.
    fn child_within(&mut self, plies: Plies, least: u16) -> Result<Solved<P::Stock>, Interrupted> {
        let (evaluation, stock) = (self.ask_game()?, self.problem.stock());
        self.nodes += u64::from(evaluation.nodes());
        let seen = Solved::seen(evaluation, true).filter(|seen| seen.holds_for(stock, plies));
        if let Some(seen) = seen {
            return Ok(seen);
        }
        if matches!(evaluation, Evaluation::Open { .. }) && !plies.allow(least.into()) {
            let (value, plies) = (Value::Disproven, Plies::at_most(least - 1));
            return Ok(Solved { value, stock, plies });
        }
        let solved = self.within(plies)?;
        if solved.value == Value::Proven {
            // A line of play will go this way.
            self.table.store_solved(self.problem.key(), solved, 1);
        }
        Ok(solved)
    }
}
