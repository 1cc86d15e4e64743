//! The nodes on an agent's stack: what a frame and its children hold, how their numbers are
//! summed up, and how the result of a solved node follows from its children's.

use super::repetition::Lean;
use super::settings::Dfpn;
use super::sums::Accumulator;
use crate::deep::dpn;
use crate::number::{INFINITY, MAX_FINITE, Number};
use crate::plies::Plies;
use crate::problem::{Key, Problem};
use crate::rules::{NodeKind, Stock, Value};
use crate::table::{Open, Solved, numbers};
use crate::team::Member;

/// A node on the path from the root to where the search is.
pub(super) struct Frame<P: Problem> {
    pub key: Key,
    pub stock: P::Stock,
    pub kind: NodeKind,
    /// The move that led here, and how to take it back. None at the root.
    pub arrival: Option<(P::Move, P::Undo)>,
    /// Where its children begin.
    pub first: usize,
    /// The child being searched.
    pub selected: usize,
    pub th_pn: Number,
    pub th_dn: Number,
    /// Its proof and disproof number as they were known before it was entered.
    pub before: (Number, Number),
    /// Plies left for a proof.
    pub plies: Plies,
    pub min_depth: u16,
    /// Nodes searched below it at earlier visits.
    pub effort: u64,
    pub nodes_before: u64,
    /// The depth of the node before it on the path with the same board.
    pub same_board: Option<u32>,
    /// Where the lists of what results below it lean on begin.
    pub leans: usize,
    /// Its slot in the table plus 1, and that of the node it was first reached from.
    pub slot: u32,
    pub parent: u32,
    pub extra: u16,
    pub fresh: bool,
    pub raising_before: bool,
    /// Nodes searched when its children were last looked up.
    pub looked: u64,
    /// Nodes searched when its numbers were last stored.
    pub published: u64,
    /// Do the others know that the agent is below it?
    pub marked: bool,
    /// Are others below one of its children?
    pub crowded: bool,
}

impl<P: Problem> Frame<P> {
    /// A node that is about to be entered, with no limit on its numbers, by an agent that has
    /// searched so many nodes: as at the root, of which nothing is known.
    pub fn new(key: Key, stock: P::Stock, kind: NodeKind, plies: Plies, nodes: u64) -> Frame<P> {
        Frame {
            key,
            stock,
            kind,
            arrival: None,
            first: 0,
            selected: 0,
            th_pn: INFINITY,
            th_dn: INFINITY,
            before: (1, 1),
            plies,
            min_depth: 0,
            effort: 0,
            nodes_before: nodes,
            same_board: None,
            leans: 0,
            slot: 0,
            parent: 0,
            extra: 0,
            fresh: true,
            raising_before: false,
            looked: nodes,
            published: nodes,
            marked: false,
            crowded: false,
        }
    }

    /// Nodes searched below it in all, where the agent has so many now.
    pub fn effort_now(&self, nodes: u64) -> u64 {
        self.effort + (nodes - self.nodes_before)
    }

    /// Its entry in the table while it is not solved.
    pub fn open(&self, pn: Number, dn: Number, extra: u16, nodes: u64) -> Open {
        let effort = self.effort_now(nodes);
        Open { pn, dn, min_depth: self.min_depth, extra, effort, parent: self.parent }
    }
}

/// What an entry keeps beside the numbers: the frontier depth, or which children meet again.
pub(super) fn extra<M, S>(summary: &Summary, children: &[Child<M, S>], settings: &Dfpn) -> u16 {
    if settings.deep < 1.0 {
        summary.frontier
    } else {
        children.iter().take(16).rev().fold(0, |mask, child| mask << 1 | child.meets as u16)
    }
}

/// A child of a node on the path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child<M, S> {
    pub m: M,
    pub key: Key,
    /// Its stock; once solved, the stock for which the result holds.
    pub stock: S,
    pub pn: Number,
    pub dn: Number,
    /// Added to its numbers until it is solved.
    pub cost: (Number, Number),
    /// `T(n, c)`: added to the number it is chosen by. Other agents are below it.
    pub crowd: Number,
    /// How much of it is among the costs.
    pub toll: Number,
    /// Once solved: see [`Solved::plies`].
    pub plies: Plies,
    pub lean: Lean,
    pub min_depth: u16,
    pub extra: u16,
    pub effort: u64,
    pub parent: u32,
    /// Waits until the child before it is settled.
    pub late: bool,
    /// Waits, and was not looked at yet: nothing else is known of it, not even its key.
    pub unseen: bool,
    /// Never entered.
    pub fresh: bool,
    /// Meets another child again.
    pub meets: bool,
}

impl<M, S: Stock> Child<M, S> {
    /// A child at this depth of which nothing is known yet.
    #[inline]
    pub fn new(m: M, (key, stock): (Key, S), late: bool, depth: usize) -> Self {
        let depth = depth.min(u16::MAX as usize) as u16;
        Child {
            m,
            key,
            stock,
            pn: 1,
            dn: 1,
            cost: (0, 0),
            crowd: 0,
            toll: 0,
            plies: Plies::NONE,
            lean: Lean::FREE,
            min_depth: depth,
            extra: depth,
            effort: 0,
            parent: 0,
            late,
            unseen: false,
            fresh: true,
            meets: false,
        }
    }

    pub fn solve(&mut self, solved: Solved<S>, lean: Lean) {
        (self.pn, self.dn) = numbers(solved.value);
        self.stock = solved.stock;
        self.plies = solved.plies;
        self.lean = lean;
    }

    pub fn is_solved(&self) -> bool {
        self.pn == 0 || self.dn == 0
    }

    /// What a parent of this kind selects by, and what it adds up.
    #[inline]
    pub fn numbers(&self, parent: NodeKind) -> (Number, Number) {
        let with = |number: Number, cost| number.saturating_add(cost).min(MAX_FINITE);
        let (pn, dn) = if self.cost == (0, 0) || self.is_solved() {
            (self.pn, self.dn)
        } else {
            (with(self.pn, self.cost.0), with(self.dn, self.cost.1))
        };
        match parent {
            NodeKind::Or => (pn, dn),
            NodeKind::And => (dn, pn),
        }
    }

    /// The costs, in the same order, without the toll.
    pub fn costs(&self, parent: NodeKind) -> (Number, Number) {
        match parent {
            NodeKind::Or => (self.cost.0 - self.toll, self.cost.1),
            NodeKind::And => (self.cost.1 - self.toll, self.cost.0),
        }
    }

    /// Looks how many other agents are below it.
    #[inline]
    pub fn meet_crowd(&mut self, member: &Member<'_>, parent: NodeKind) {
        self.crowd = member.crowd(self.key, self.stock);
        if member.keeps_to_paper() {
            let cost = match parent {
                NodeKind::Or => &mut self.cost.0,
                NodeKind::And => &mut self.cost.1,
            };
            *cost = *cost - self.toll + self.crowd;
            self.toll = self.crowd;
        }
    }
}

/// The numbers of a node and the way on from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summary {
    pub phi: Number,
    pub delta: Number,
    pub sum: Accumulator,
    /// The child to search, and what its best rival has.
    pub best: usize,
    pub second: Number,
    pub second_dpn: f64,
    /// The frontier depth below the child to search.
    pub frontier: u16,
    /// A child that need not wait any longer, and was not looked at yet. Till it is, the numbers say
    /// nothing.
    pub due: Option<usize>,
}

impl Summary {
    /// Adds up the children of a node. With deep values (`deep` below 1) the child to search is the
    /// one of least DPN.
    pub fn of<M, S: Stock>(kind: NodeKind, children: &[Child<M, S>], settings: &Dfpn) -> Summary {
        // This is done at every node twice: what is the same for all children is asked once.
        match (kind, settings.deep < 1.0) {
            (NodeKind::Or, false) => Summary::add_up::<M, S, true, false>(children, settings),
            (NodeKind::And, false) => Summary::add_up::<M, S, false, false>(children, settings),
            (NodeKind::Or, true) => Summary::add_up::<M, S, true, true>(children, settings),
            (NodeKind::And, true) => Summary::add_up::<M, S, false, true>(children, settings),
        }
    }

    #[inline]
    fn add_up<M, S: Stock, const OR: bool, const DEEP: bool>(
        children: &[Child<M, S>],
        settings: &Dfpn,
    ) -> Summary {
        let kind = if OR { NodeKind::Or } else { NodeKind::And };
        let mut summary = Summary {
            phi: INFINITY,
            delta: 0,
            sum: Accumulator::new(settings.sums, settings.rest),
            best: 0,
            second: INFINITY,
            second_dpn: f64::INFINITY,
            frontier: 0,
            due: None,
        };
        let mut best_dpn = f64::INFINITY;
        let mut settled = true;
        for (i, child) in children.iter().enumerate() {
            if child.late {
                if !settled {
                    continue;
                }
                if child.unseen {
                    summary.due = Some(i);
                }
            }
            let (sel, acc) = child.numbers(kind);
            settled = acc == 0;
            summary.sum.count(acc, child.meets);
            if DEEP && !child.is_solved() {
                let value = dpn(sel, child.extra, settings.deep);
                if value < best_dpn {
                    summary.second_dpn = best_dpn;
                    best_dpn = value;
                    summary.best = i;
                    summary.frontier = child.extra;
                } else if value < summary.second_dpn {
                    summary.second_dpn = value;
                }
            }
            summary.second = summary.second.min(sel.max(summary.phi));
            if sel < summary.phi {
                summary.phi = sel;
                if !DEEP {
                    summary.best = i;
                }
            }
        }
        summary.delta = summary.sum.total();
        summary
    }

    /// Proof and disproof number of a node of this kind.
    pub fn numbers(&self, kind: NodeKind) -> (Number, Number) {
        match kind {
            NodeKind::Or => (self.phi, self.delta),
            NodeKind::And => (self.delta, self.phi),
        }
    }
}

/// The result of a node whose numbers say it is solved: by its best child for the side that has the
/// move (that child is given too), by all children together against it.
pub(super) fn solve<P: Problem>(
    problem: &P,
    kind: NodeKind,
    children: &[Child<P::Move, P::Stock>],
    pn: Number,
    dn: Number,
) -> Option<(Solved<P::Stock>, Option<usize>)> {
    let value = match (pn, dn) {
        (0, _) => Value::Proven,
        (_, 0) => Value::Disproven,
        _ => return None,
    };
    let before = |child: &Child<P::Move, P::Stock>| match value {
        Value::Proven => problem.proof_stock_before(child.m, child.stock),
        Value::Disproven => problem.disproof_stock_before(child.m, child.stock),
    };
    let goal = numbers(value);
    if kind.goal() == value {
        let solved = (0..children.len()).filter(|&i| (children[i].pn, children[i].dn) == goal);
        let best = solved.max_by_key(|&i| {
            let quick = match value {
                Value::Proven => !children[i].plies.to_bits(),
                Value::Disproven => children[i].plies.to_bits(),
            };
            (children[i].lean.shallowest, quick)
        })?;
        let plies = children[best].plies.one_more(value);
        return Some((Solved { value, stock: before(&children[best]), plies }, Some(best)));
    }
    let (mut stock, mut plies) = match value {
        Value::Proven => (problem.least_stock(), Plies::NONE),
        Value::Disproven => (problem.largest_stock(), Plies::UNBOUNDED),
    };
    for child in children {
        match value {
            Value::Proven => {
                stock = stock.join(before(child));
                plies = plies.max(child.plies.one_more(value));
            }
            Value::Disproven => {
                stock = stock.meet(before(child));
                plies = plies.min(child.plies.one_more(value));
            }
        }
    }
    let stock = match value {
        Value::Proven => problem.proof_stock_here(stock),
        Value::Disproven => problem.disproof_stock_here(stock),
    };
    Some((Solved { value, stock, plies }, None))
}
