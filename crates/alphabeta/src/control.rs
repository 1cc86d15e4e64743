//! How a search is steered from outside: paused, watched and stopped.

use cozy_chess::{Board, Move};

use crate::report::{ReportEntry, table_report};
use crate::score::{Bound, Score};
use crate::table::Table;

/// What the search does next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// Goes on and asks again when it has searched so many nodes in all. A count already reached
    /// means the next node.
    Until(u64),
    /// Ends with what it has.
    Stop,
}

/// Steers a search.
///
/// The search runs on the caller's thread and waits while a method of its control runs. Since
/// nothing but the answers reaches the search, waiting does not change what it finds.
pub trait Control {
    /// Asked before the first node, and whenever the count of nodes reaches the mark given before.
    fn check(&mut self, nodes: u64, view: &View<'_>) -> Next;

    /// Line number `index` of [`View::lines`] is new: a better move was found, or an iteration is
    /// complete.
    fn line(&mut self, _view: &View<'_>, _index: usize) {}

    /// An iteration is complete. Is another one wanted?
    fn wants_more(&mut self, _view: &View<'_>) -> bool {
        true
    }
}

/// Lets the search run to its own limits.
#[derive(Clone, Copy, Debug)]
pub struct Free;

impl Control for Free {
    fn check(&mut self, _nodes: u64, _view: &View<'_>) -> Next {
        Next::Until(u64::MAX)
    }
}

/// Stops the search at this count of nodes.
#[derive(Clone, Copy, Debug)]
pub struct Until(pub u64);

impl Control for Until {
    fn check(&mut self, nodes: u64, _view: &View<'_>) -> Next {
        if nodes < self.0 { Next::Until(self.0) } else { Next::Stop }
    }
}

/// A move with what the search thinks will follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The depth of the iteration that found it; 0 before the first.
    pub depth: u32,
    /// The longest path searched in that iteration so far, in plies.
    pub seldepth: u32,
    /// From the point of view of the side to move at the root.
    pub score: Score,
    /// Outside the window only a bound of the score is known.
    pub bound: Bound,
    /// The moves from the root, at least one.
    pub pv: Vec<Move>,
}

/// The state of a search, as its control sees it.
pub struct View<'a> {
    pub(crate) root: &'a Board,
    pub(crate) root_moves: &'a [Move],
    pub(crate) lines: &'a [Line],
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    pub(crate) table: &'a Table,
}

impl View<'_> {
    /// The position searched.
    pub fn root(&self) -> &Board {
        self.root
    }

    /// The moves searched at the root.
    pub fn root_moves(&self) -> &[Move] {
        self.root_moves
    }

    /// The best lines so far, best first: as many as were asked for, or as there are moves. A line
    /// counts as soon as it is found, also in an iteration that is not complete.
    pub fn lines(&self) -> &[Line] {
        self.lines
    }

    /// The depth of the last complete iteration; 0 before the first.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// The nodes of this search so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How many of a thousand entries of the table this search has filled.
    pub fn table_permille(&self) -> u32 {
        self.table.permille()
    }

    /// Up to `most` positions of the table below the root, deepest first.
    pub fn table_report(&self, most: usize) -> Vec<ReportEntry> {
        table_report(self.table, self.root, self.root_moves, most)
    }
}
