//! The way down: which child is taken, with which thresholds, and how a node is entered.

use super::agent::{Agent, NodeResult};
use super::epsilon;
use super::node::{Frame, Summary};
use super::repetition::Lean;
use super::sums::Sums;
use crate::deep;
use crate::number::{INFINITY, Number};
use crate::plies::Plies;
use crate::problem::{Key, Problem};
use crate::pulse::Interrupted;
use crate::rules::{NodeKind, Stock, Value};
use crate::table::{Lookup, Open, Solved, Table};

impl<P: Problem> Agent<'_, P> {
    pub(super) fn enter_root(&mut self) -> Result<(), Interrupted> {
        let (key, stock, plies) = (self.problem.key(), self.problem.stock(), self.settings.plies);
        let known = match self.table.lookup(key, stock, plies) {
            Lookup::Solved(solved) => {
                self.finish(solved);
                return Ok(());
            }
            Lookup::Open(open) => Some(open),
            Lookup::Missing => None,
        };
        let before = self.nodes;
        if let NodeResult::Solved(solved, _) = self.evaluate(key, plies)? {
            self.finish(solved);
            return Ok(());
        }
        let looked = self.nodes - before;
        let entered = self.enter_at_root(key, stock, known);
        if entered.is_err() {
            // That look will come again. (Looks at children are remembered.)
            self.nodes -= looked;
        }
        entered
    }

    /// Goes beneath the root even if the table or the game knows its value, so that
    /// [`best_move`](Agent::best_move) is found.
    pub(crate) fn open_root(&mut self) -> Result<(), Interrupted> {
        let (key, stock) = (self.problem.key(), self.problem.stock());
        self.enter_at_root(key, stock, None)
    }

    fn enter_at_root(
        &mut self,
        key: Key,
        stock: P::Stock,
        known: Option<Open>,
    ) -> Result<(), Interrupted> {
        let (kind, plies) = (self.problem.kind(), self.settings.plies);
        let frame = Frame::new(key, stock, kind, plies, self.nodes);
        self.enter(Frame {
            effort: known.map_or(0, |open| open.effort),
            extra: known.map_or(0, |open| open.extra),
            fresh: known.is_none(),
            ..frame
        })
    }

    /// Goes down to the most promising child.
    pub(super) fn descend(&mut self, summary: &Summary) -> Result<(), Interrupted> {
        let (best, th_pn, th_dn) = self.way_on(self.frames.len() - 1, summary);
        self.go_to(best, th_pn, th_dn)
    }

    /// The child to search of the node at `depth`, and its thresholds.
    pub(super) fn way_on(&mut self, depth: usize, summary: &Summary) -> (usize, Number, Number) {
        let (best, second) = self.choose(depth, summary);
        let frame = &self.frames[depth];
        let child = &self.children[frame.first + best];
        let (sel_cost, acc_cost) = child.costs(frame.kind);
        let (th_pn, th_dn) = (
            self.control.threshold(frame.th_pn, summary.numbers(frame.kind).0),
            self.control.threshold(frame.th_dn, summary.numbers(frame.kind).1),
        );
        let (th_phi, th_delta) = match frame.kind {
            NodeKind::Or => (th_pn, th_dn),
            NodeKind::And => (th_dn, th_pn),
        };
        let (sel, acc) = child.numbers(frame.kind);
        let th_sel = if self.settings.deep < 1.0 {
            deep::delta_beyond(summary.second_dpn, child.extra, self.settings.deep)
                .max(sel.saturating_add(1))
        } else {
            th_phi.min(epsilon::beyond(second, self.settings.epsilon))
        };
        let th_acc = summary.sum.child_threshold(th_delta, acc, child.meets);
        let (th_sel, th_acc) = (less(th_sel, sel_cost), less(th_acc, acc_cost));
        let (th_pn, th_dn) = match frame.kind {
            NodeKind::Or => (th_sel, th_acc),
            NodeKind::And => (th_acc, th_sel),
        };
        (best, th_pn, th_dn)
    }

    /// Goes down to a child, with thresholds.
    pub(super) fn go_to(
        &mut self,
        selected: usize,
        th_pn: Number,
        th_dn: Number,
    ) -> Result<(), Interrupted> {
        let depth = self.frames.len();
        let first = self.children.len();
        let frame = self.frames.last_mut().expect("there is a frame to go down from");
        frame.selected = selected;
        let child = &mut self.children[frame.first + selected];
        let plies = frame.plies.one_less();
        let (m, key, stock) = (child.m, child.key, child.stock);
        let plies = strongest_question(self.table, key, stock, plies);
        let fresh = std::mem::replace(&mut child.fresh, false);
        let here = depth.min(u16::MAX as usize) as u16;
        // A fresh one may have the depth of a position that its numbers came from.
        let min_depth = if fresh { here } else { child.min_depth.min(here) };
        let (effort, extra) = (child.effort, if fresh { 0 } else { child.extra });
        let before = (child.pn, child.dn);
        let parent = if child.parent != 0 { child.parent } else { frame.slot };
        // Its entry is wanted when its moves are known.
        self.table.touch(key);
        let undo = self.problem.play(m);
        let frame = Frame::new(key, stock, self.problem.kind(), plies, self.nodes);
        let arrival = Some((m, undo));
        self.enter(Frame {
            arrival,
            first,
            th_pn,
            th_dn,
            before,
            min_depth,
            effort,
            parent,
            extra,
            fresh,
            ..frame
        })
    }

    /// Enters the position just played: generates its moves and looks them up, until one settles
    /// it. If that is interrupted, the agent is back where it was; what the game has said of some
    /// children by then is remembered.
    pub(super) fn enter(&mut self, mut frame: Frame<P>) -> Result<(), Interrupted> {
        debug_assert!(frame.key == self.problem.key());
        if self.is_at_horizon(&frame) {
            return self.settle_at_horizon(frame);
        }
        if let Err(interrupted) = self.generate_moves() {
            self.turn_back(frame);
            return Err(interrupted);
        }
        self.nodes += 1;
        self.entered += 1;
        if frame.plies == Plies::NONE && !self.list.moves.is_empty() {
            let solved = Solved { value: Value::Disproven, stock: frame.stock, plies: Plies::NONE };
            self.table.store_solved(frame.key, solved, 1);
            self.list.moves.clear();
            if let Some((m, undo)) = frame.arrival {
                self.problem.undo(m, undo);
            }
            self.report(NodeResult::Solved(solved, Lean::FREE), 1);
            return Ok(());
        }
        let depth = self.frames.len() as u32;
        if self.follows_path() {
            frame.same_board = self.path.enter(frame.key.high(), depth);
        }
        if self.settings.sums == Sums::Dag {
            frame.slot = self.table.slot_of(frame.key, frame.stock);
            if frame.slot == 0 {
                // Others that see it meanwhile see what this agent saw.
                let (pn, dn) = frame.before;
                let open = Open {
                    pn,
                    dn,
                    min_depth: frame.min_depth,
                    extra: 0,
                    effort: 1,
                    parent: frame.parent,
                };
                frame.slot = self.table.store_open(frame.key, frame.stock, frame.plies, open);
            }
        }
        if let Some(member) = &self.member {
            // Before its children are looked at, which is where the time goes: others would do the same.
            frame.marked = true;
            member.mark(frame.key, frame.stock);
        }
        frame.leans = self.leans.mark();
        let (kind, min_depth, fresh) = (frame.kind, frame.min_depth, frame.fresh);
        self.frames.push(frame);
        let mut old_child = false;
        let moves = std::mem::take(&mut self.list.moves);
        self.keys.clear();
        for &(m, _) in moves.iter().filter(|(_, late)| !late) {
            let (key, stock) = self.problem.key_after(m);
            self.table.touch(key);
            self.evaluations.touch(key, stock);
            self.keys.push((key, stock));
        }
        let mut looked = self.look_together(&moves);
        let open = if looked.is_ok() { moves.as_slice() } else { &[] };
        let (mut settled, mut touched) = (true, 0);
        for (i, &(m, late)) in open.iter().enumerate() {
            if late && !settled {
                self.children.push(self.look_later(m, i));
                continue;
            }
            let name = if late {
                self.problem.key_after(m)
            } else {
                touched += 1;
                self.keys[touched - 1]
            };
            let child = match self.look_at(m, late, i, name) {
                Ok(child) => child,
                Err(interrupted) => {
                    looked = Err(interrupted);
                    break;
                }
            };
            old_child |= !child.is_solved() && child.min_depth <= min_depth;
            let (sel, acc) = child.numbers(kind);
            settled = acc == 0;
            let settles = sel == 0;
            child.late &= !settles;
            if settles {
                break;
            }
        }
        self.list.moves = moves;
        self.list.moves.clear();
        if looked.is_err() {
            self.withdraw();
            return looked;
        }
        if self.settings.sums == Sums::Dag {
            self.find_meetings();
        }
        let before = self.control.enter(fresh, old_child);
        if let Some(frame) = self.frames.last_mut() {
            frame.raising_before = before;
        }
        Ok(())
    }

    /// Takes the top node off again, of whose children only some have been looked at.
    #[cold]
    fn withdraw(&mut self) {
        let frame = self.frames.pop().expect("a node that is being entered");
        self.nodes -= 1;
        self.entered -= 1;
        self.children.truncate(frame.first);
        self.leans.leave(frame.leans, self.frames.len() as u32, std::iter::empty());
        if self.follows_path() {
            self.path.leave(frame.key.high(), frame.same_board);
        }
        if let Some(member) = self.member.as_ref().filter(|_| frame.marked) {
            member.unmark(frame.key, frame.stock);
        }
        self.turn_back(frame);
    }

    /// Goes back to the node above from one that has not been entered.
    #[cold]
    pub(super) fn turn_back(&mut self, frame: Frame<P>) {
        if let Some(above) = self.frames.last().filter(|_| frame.fresh) {
            self.children[above.first + above.selected].fresh = true;
        }
        if let Some((m, undo)) = frame.arrival {
            self.problem.undo(m, undo);
        }
    }

    pub(super) fn generate_moves(&mut self) -> Result<(), Interrupted> {
        debug_assert!(self.list.moves.is_empty());
        self.scratch.clear();
        if self.heuristics {
            self.problem.prepare(&self.pulse)?;
            self.problem.moves(&mut self.list, &mut self.scratch);
        } else {
            self.problem.legal_moves(&mut self.scratch);
            self.scratch.iter().for_each(|&m| self.list.push(m));
        }
        Ok(())
    }
}

/// A threshold less a cost, but still to be exceeded by something.
#[inline]
pub(super) fn less(threshold: Number, cost: Number) -> Number {
    if threshold == INFINITY { INFINITY } else { threshold.saturating_sub(cost).max(1) }
}

/// The question that a position is asked where a proof within `plies` plies is wanted: one shorter
/// than the shortest proof that is known. Its disproof answers for every number of plies below, so the
/// position is not refuted again for each of them. Where much fewer are wanted that would be a much
/// harder question, and is not asked.
pub(super) fn strongest_question<S: Stock>(
    table: &Table,
    key: Key,
    stock: S,
    plies: Plies,
) -> Plies {
    let Some(wanted) = plies.bounded() else { return plies };
    match table.lengths(key, stock).proven.bounded() {
        // Of the same parity: where sides alternate, all proofs are.
        Some(proven) if proven > wanted && proven - wanted <= wanted / 4 + 4 => {
            Plies::at_most(proven - 1 - (proven - 1 - wanted) % 2)
        }
        _ => plies,
    }
}
