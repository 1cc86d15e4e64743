//! A worker's part of a search: one OR node of the leader's path, its children from the worst up.
//!
//! A worker (multiple-paths search and hierarchical pincers: Takano et al. 2009) is an agent whose
//! path begins with the leader's, down to the node where it branches off. There it takes the
//! children from the largest proof number down, where df-pn would take the least, and searches
//! below each with df-pn. The numbers of such a child are beyond the thresholds that the leader has
//! for its own child, so the thresholds are raised to cover them. When every child but the leader's
//! has had its turn, or the node is solved, the worker is idle and wants another node.

use super::agent::Agent;
use super::branch::{Branch, Waypoint};
use super::epsilon;
use super::node::Frame;
use super::sums::Sums;
use crate::number::Number;
use crate::problem::Problem;
use crate::pulse::Interrupted;
use crate::table::Lookup;

impl<P: Problem> Agent<'_, P> {
    /// The nodes on its path, from the root to the last but one.
    pub(crate) fn waypoints(&self) -> impl Iterator<Item = Waypoint<P::Move>> + '_ {
        self.frames.windows(2).filter_map(|pair| {
            let [frame, next] = pair else { return None };
            let children = &self.children[frame.first..next.first];
            Some(Waypoint {
                key: frame.key,
                kind: frame.kind,
                open: children.iter().filter(|child| !child.is_solved()).count(),
                m: next.arrival.as_ref()?.0,
                thresholds: (next.th_pn, next.th_dn),
            })
        })
    }

    /// Makes the agent a worker at the last node of `way`, a path from the root that was an
    /// agent's: it takes every child of that node but the one that the path went on to. It is idle
    /// at once if there is nothing to do, or if it is interrupted before it has begun.
    pub(crate) fn take_branch(&mut self, way: &[Waypoint<P::Move>]) {
        self.leave_branch();
        let Some((at, stem)) = way.split_last() else { return };
        let is_known =
            |key, stock, plies| matches!(self.table.lookup(key, stock, plies), Lookup::Solved(_));
        let mut plies = self.settings.plies;
        let mut arrival = None;
        let mut last = None;
        for step in way {
            let (key, stock) = (self.problem.key(), self.problem.stock());
            debug_assert!(key == step.key);
            let depth = self.frames.len();
            let frame = Frame {
                arrival: arrival.take(),
                min_depth: depth.min(u16::MAX as usize) as u16,
                parent: self.frames.last().map_or(0, |above| above.slot),
                fresh: false,
                ..Frame::new(key, stock, self.problem.kind(), plies, self.nodes)
            };
            if depth == stem.len() || is_known(key, stock, plies) {
                last = Some(frame);
                break;
            }
            self.push_stem(frame);
            arrival = Some((step.m, self.problem.play(step.m)));
            plies = plies.one_less();
        }
        let base = self.frames.len();
        self.branch = Some(Branch { base, thresholds: at.thresholds, done: Vec::new() });
        let Some(frame) = last else { return };
        if base < stem.len() || is_known(frame.key, frame.stock, frame.plies) {
            // Solved meanwhile, here or above.
            if let Some((m, undo)) = frame.arrival {
                self.problem.undo(m, undo);
            }
            return;
        }
        if self.enter(frame).is_ok() && self.frames.len() == base + 1 {
            let children = &self.children[self.top().first..];
            let done = children.iter().map(|child| child.m == at.m).collect();
            self.branch = Some(Branch { base, thresholds: at.thresholds, done });
        }
    }

    fn push_stem(&mut self, mut frame: Frame<P>) {
        if self.follows_path() {
            frame.same_board = self.path.enter(frame.key.high(), self.frames.len() as u32);
        }
        if self.settings.sums == Sums::Dag {
            frame.slot = self.table.slot_of(frame.key, frame.stock);
        }
        if let Some(member) = &self.member {
            frame.marked = true;
            member.mark(frame.key, frame.stock);
        }
        self.frames.push(frame);
    }

    /// Goes back to the root.
    fn leave_branch(&mut self) {
        self.unwind_below(self.base());
        while let Some(frame) = self.frames.pop() {
            self.go_back(frame);
        }
        self.leans.clear();
        self.branch = None;
    }

    /// Nodes above the one that a worker branches off at.
    pub(super) fn base(&self) -> usize {
        self.branch.as_ref().map_or(0, |branch| branch.base)
    }

    /// Is it a worker that has left its node?
    pub(crate) fn is_idle(&self) -> bool {
        self.branch.as_ref().is_some_and(|branch| self.frames.len() <= branch.base)
    }

    /// Is the top node the one that a worker branches off at?
    pub(super) fn is_at_branch(&self) -> bool {
        self.branch.as_ref().is_some_and(|branch| self.frames.len() == branch.base + 1)
    }

    /// Goes down to the child of the largest proof number that had no turn yet; leaves the node if
    /// there is none.
    pub(super) fn descend_from_branch(&mut self) -> Result<(), Interrupted> {
        let frame = self.top();
        let (first, kind) = (frame.first, frame.kind);
        let Some(branch) = &self.branch else { return Ok(()) };
        let children = &self.children[first..];
        let mut settled = true;
        let mut worst: Option<(Number, usize)> = None;
        for (i, child) in children.iter().enumerate() {
            if child.late && !settled {
                continue;
            }
            let (sel, acc) = child.numbers(kind);
            settled = acc == 0;
            let is_open = !child.is_solved() && branch.done.get(i) == Some(&false);
            if is_open && worst.is_none_or(|(number, _)| sel > number) {
                worst = Some((sel, i));
            }
        }
        let Some((_, i)) = worst else {
            let summary = self.summarise();
            self.leave(&summary);
            return Ok(());
        };
        let child = &children[i];
        let cover = |threshold: Number, number: Number| {
            threshold.max(epsilon::beyond(number, self.settings.epsilon))
        };
        let th_pn = cover(branch.thresholds.0, child.pn);
        let th_dn = cover(branch.thresholds.1, child.dn);
        self.go_to(i, th_pn, th_dn)?;
        if let Some(branch) = &mut self.branch {
            branch.done[i] = true;
        }
        Ok(())
    }
}
