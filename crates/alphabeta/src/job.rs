//! What to search, and how far.

use cozy_chess::{Board, Move};

use crate::repetition::key;

/// Where a search ends by itself. What is not given is not limited.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// The depth of the last iteration, at most [`MAX_DEPTH`](crate::MAX_DEPTH).
    pub depth: Option<u32>,
    /// Nodes of this search; it stops at exactly this count.
    pub nodes: Option<u64>,
    /// A mate in at most so many moves, given or taken, is enough.
    pub mate: Option<u32>,
}

/// One search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// The position to search.
    pub position: Board,
    /// The [`key`]s of the positions of the game before it, oldest first. Those before the last
    /// capture or pawn move do not matter.
    pub history: Vec<u64>,
    /// The moves to search at the root; all if it is empty. Those that are not legal are left out.
    pub searchmoves: Vec<Move>,
    /// How many lines to search, each with another first move; at least one.
    pub multipv: usize,
    /// Where it ends by itself.
    pub limits: Limits,
}

impl Job {
    /// Searches this position without a history and without limits.
    pub fn new(position: Board) -> Job {
        Job {
            position,
            history: Vec::new(),
            searchmoves: Vec::new(),
            multipv: 1,
            limits: Limits::default(),
        }
    }

    /// Searches the position after these moves, which must be legal.
    ///
    /// # Panics
    /// If a move is not legal.
    pub fn after(start: &Board, moves: &[Move]) -> Job {
        let mut job = Job::new(start.clone());
        for &mv in moves {
            job.play(mv);
        }
        job
    }

    /// Plays a move, so that the next position is searched.
    ///
    /// # Panics
    /// If the move is not legal.
    pub fn play(&mut self, mv: Move) {
        self.history.push(key(&self.position));
        self.position.play(mv);
    }
}
