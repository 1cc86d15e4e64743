//! The way back: what a node turned out to be is stored, and told to the node above.

use super::agent::{Agent, NodeResult};
use super::node::{self, Frame, Summary};
use super::repetition::Lean;
use crate::number::MAX_FINITE;
use crate::plies::Plies;
use crate::problem::{Evaluation, Problem};
use crate::rules::{Stock, Value};
use crate::table::Open;

impl<P: Problem> Agent<'_, P> {
    /// Leaves the top node: remembers what it turned out to be and tells the node above.
    pub(super) fn leave(&mut self, summary: &Summary) {
        let frame = self.frames.pop().expect("leave is called on a frame");
        let depth = self.frames.len() as u32;
        let children = &self.children[frame.first..];
        let effort = frame.effort_now(self.nodes);
        let (pn, dn) = summary.numbers(frame.kind);
        let result = match node::solve(&self.problem, frame.kind, children, pn, dn) {
            Some((mut solved, best)) => {
                if self.prunes && self.heuristics && solved.value == Value::Proven {
                    solved.plies = Plies::UNBOUNDED;
                }
                let range = best.map_or(0..children.len(), |best| best..best + 1);
                let leans = children[range].iter().map(|child| child.lean);
                let lean = self.leans.leave(frame.leans, depth, leans);
                if lean == Lean::FREE {
                    if depth == 0 {
                        self.best_move = best.map(|best| children[best].m);
                    }
                    self.table.store_solved(frame.key, solved, effort);
                    if let Some(member) = &self.member {
                        self.told |= member.tell(frame.key, frame.stock);
                    }
                } else {
                    if let Some(depths) = self.leans.all(lean) {
                        let leaned = depths.iter().map(|&depth| {
                            let frame = &self.frames[depth as usize];
                            (frame.key, frame.stock.pack())
                        });
                        let shared =
                            self.member.as_ref().map_or(&self.own_results, |m| m.results());
                        shared.add(frame.key).store(frame.key, solved, leaned, effort);
                    }
                    self.remember_visit(&frame, effort);
                }
                NodeResult::Solved(solved, lean)
            }
            None => {
                self.leans.leave(frame.leans, depth, std::iter::empty());
                let extra = node::extra(summary, children, &self.settings);
                let open = frame.open(pn, dn, extra, self.nodes);
                self.table.store_open(frame.key, frame.stock, frame.plies, open);
                NodeResult::Open { pn, dn, extra }
            }
        };
        self.go_back(frame);
        self.report(result, effort);
    }

    /// Takes back the move to a node that was just taken off the stack.
    pub(super) fn go_back(&mut self, frame: Frame<P>) {
        self.children.truncate(frame.first);
        self.control.leave(frame.raising_before);
        if let Some(member) = self.member.as_ref().filter(|_| frame.marked) {
            member.unmark(frame.key, frame.stock);
        }
        if self.follows_path() {
            self.path.leave(frame.key.high(), frame.same_board);
        }
        if let Some((m, undo)) = frame.arrival {
            self.problem.undo(m, undo);
        }
    }

    /// A node was solved for this path only. On other paths it is as open as before, but it must
    /// not pass for a fresh leaf again: threshold control counts on that.
    fn remember_visit(&self, frame: &Frame<P>, effort: u64) {
        let Some(above) = self.frames.last().filter(|_| !self.is_idle()) else { return };
        let child = &self.children[above.first + above.selected];
        if child.is_solved() {
            return;
        }
        let open = Open {
            pn: child.pn,
            dn: child.dn,
            min_depth: frame.min_depth,
            extra: frame.extra,
            effort,
            parent: frame.parent,
        };
        self.table.store_open(frame.key, frame.stock, frame.plies, open);
    }

    /// Tells the top frame what its selected child turned out to be, or the caller if that was the
    /// root.
    pub(super) fn report(&mut self, result: NodeResult<P::Stock>, effort: u64) {
        if self.is_idle() && !(self.frames.is_empty() && matches!(result, NodeResult::Solved(..))) {
            // A worker is done with its node. Only if that was the root there is more to say.
            return;
        }
        let Some(frame) = self.frames.last() else {
            match result {
                NodeResult::Solved(solved, _) => self.finish(solved),
                NodeResult::Open { .. } => unreachable!("nothing exceeds the root's thresholds"),
            }
            return;
        };
        let wanted = frame.plies.one_less();
        let child = &mut self.children[frame.first + frame.selected];
        match result {
            NodeResult::Solved(solved, lean) if solved.holds_for(child.stock, wanted) => {
                child.solve(solved, lean);
            }
            // It was asked for more than is wanted here, and is proven within that: asked again, for
            // less than it took, it is as new.
            NodeResult::Solved(..) if child.is_solved() => {}
            NodeResult::Solved(..) => {
                let first = self.evaluations.get(child.key, child.stock);
                (child.pn, child.dn) = match first {
                    Some(Evaluation::Open { pn, dn, .. }) => {
                        (pn.clamp(1, MAX_FINITE), dn.clamp(1, MAX_FINITE))
                    }
                    _ => (1, 1),
                };
                child.fresh = true;
                child.effort = effort;
            }
            // Others have solved it meanwhile, and this agent knows.
            NodeResult::Open { .. } if child.is_solved() => {}
            NodeResult::Open { pn, dn, extra } => {
                (child.pn, child.dn) = (pn, dn);
                child.extra = extra;
                child.effort = effort;
            }
        }
        if self.member.is_some() {
            self.look_again(self.frames.len() - 1);
        }
        if self.frames.len() == 1 {
            let summary = self.summarise();
            self.root_numbers = summary.numbers(self.top().kind);
        }
    }
}
