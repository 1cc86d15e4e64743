//! The table report: the positions below the root that the table knows deepest.
//!
//! A master that distributes the tree needs good positions for its other workers, and the table of
//! a worker has them: what it searched deepest lies on the lines it thinks likely (Yokoyama,
//! Kaneko and Tanaka 2015). The table holds keys and not positions, so the report walks from the
//! root: of all positions reached so far and not reported, the one searched deepest is reported
//! next, and those after its moves come into reach. So every position comes after the one it is
//! reached from, and a position reached by several paths is reported once.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashSet};

use cozy_chess::{Board, Move};

use crate::moves;
use crate::repetition::key;
use crate::score::{Bound, Score};
use crate::table::{Known, Table};

/// A position of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportEntry {
    /// How deep it was searched; at least 1.
    pub depth: u32,
    /// From the point of view of the side to move in this position, after the moves.
    pub score: Score,
    /// What the score says.
    pub bound: Bound,
    /// The moves from the root to it, at least one.
    pub moves: Vec<Move>,
}

/// A position in reach. Of equally deep ones those with an exact score come first, which lie on
/// principal variations, then those that are worst for the side to move: best for the one
/// that went there.
struct Candidate {
    known: Known,
    /// Counts up as positions are reached, so that reports repeat exactly.
    number: usize,
    board: Board,
    moves: Vec<Move>,
}

impl Ord for Candidate {
    fn cmp(&self, other: &Candidate) -> Ordering {
        let is_exact = |known: &Known| known.bound == Bound::Exact;
        (self.known.depth.cmp(&other.known.depth))
            .then_with(|| is_exact(&self.known).cmp(&is_exact(&other.known)))
            .then_with(|| other.known.score.cmp(&self.known.score))
            .then_with(|| other.number.cmp(&self.number))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Candidate) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Candidate) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate {}

/// Up to `most` positions of the table below `root`, beginning with these legal moves of it.
///
/// Of the candidates at every step the deepest is taken; a child may have been searched deeper
/// than its parent, so depths can rise where a path goes on.
pub fn table_report(
    table: &Table,
    root: &Board,
    root_moves: &[Move],
    most: usize,
) -> Vec<ReportEntry> {
    let mut walk = Walk { table, reached: HashSet::from([key(root)]), open: BinaryHeap::new() };
    for &mv in root_moves {
        walk.reach(root, &[], mv);
    }
    let mut report = Vec::new();
    while report.len() < most {
        let Some(Candidate { known, board, moves, .. }) = walk.open.pop() else { break };
        for mv in moves::legal(&board) {
            walk.reach(&board, &moves, mv);
        }
        let (score, depth) = (Score::new(known.score), known.depth as u32);
        report.push(ReportEntry { depth, score, bound: known.bound, moves });
    }
    report
}

struct Walk<'a> {
    table: &'a Table,
    reached: HashSet<u64>,
    open: BinaryHeap<Candidate>,
}

impl Walk<'_> {
    /// Adds the position after the move if the table knows it and it is new.
    fn reach(&mut self, board: &Board, path: &[Move], mv: Move) {
        let mut board = board.clone();
        board.play_unchecked(mv);
        let key = key(&board);
        let Some(known) = self.table.get(key).filter(|known| known.depth > 0) else { return };
        if self.reached.insert(key) {
            let moves = [path, &[mv]].concat();
            self.open.push(Candidate { known, number: self.reached.len(), board, moves });
        }
    }
}
