//! Iterative deepening: the searcher, its iterations and their windows.
//!
//! Every iteration searches one ply deeper than the last and begins with its best move. Its window
//! is narrow, around the last score (aspiration); a score outside is searched again with a window
//! that grows by half each time. Several lines are searched one after the other, each without the
//! first moves of those before it.

use std::collections::TryReserveError;

use cozy_chess::Move;

use crate::control::{Control, Line};
use crate::job::Job;
use crate::moves;
use crate::order::Experience;
use crate::principal::Search;
use crate::repetition::{Path, key};
use crate::report::{ReportEntry, table_report};
use crate::score::{Bound, INFINITE, MAX_DEPTH, MAX_PLY, Score, WIN, to_table};
use crate::settings::Settings;
use crate::table::{Known, Table};

/// Half of the first window, in centipawns. Smaller cuts off more and fails more often.
const WINDOW: i32 = 20;

/// Aspiration begins at this depth; before, scores change too much.
const ASPIRATION_DEPTH: u32 = 4;

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The best move; none if there is no legal move.
    pub best: Option<Move>,
    /// The answer expected to it.
    pub ponder: Option<Move>,
    /// The best lines, best first.
    pub lines: Vec<Line>,
    /// The last complete iteration.
    pub depth: u32,
    /// The nodes searched.
    pub nodes: u64,
    /// Was it stopped in the middle of an iteration?
    pub is_stopped: bool,
}

/// An engine: a transposition table that is kept from search to search.
///
/// Same job, same table, same answers of the control: same outcome.
pub struct Searcher {
    /// Which techniques are used.
    pub settings: Settings,
    table: Table,
}

impl Searcher {
    /// A searcher with a table of so many MiB, at least one.
    pub fn new(table_mib: usize) -> Searcher {
        Searcher { settings: Settings::default(), table: Table::new(table_mib) }
    }

    /// Forgets all positions.
    pub fn new_game(&mut self) {
        self.table.clear();
    }

    /// Replaces the table by an empty one of another size in MiB, at least one.
    ///
    /// # Errors
    /// If there is not so much memory; the table has one MiB then.
    pub fn resize(&mut self, table_mib: usize) -> Result<(), TryReserveError> {
        // The old one is given back before the new one is taken.
        self.table = Table::new(1);
        self.table = Table::try_new(table_mib)?;
        Ok(())
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Up to `most` positions of the table below the job's position, deepest first.
    pub fn table_report(&self, job: &Job, most: usize) -> Vec<ReportEntry> {
        table_report(&self.table, &job.position, &root_moves(job), most)
    }

    /// Searches until a limit is reached or the control stops it.
    pub fn search(&mut self, job: &Job, control: &mut dyn Control) -> Outcome {
        self.table.begin();
        let root_moves = root_moves(job);
        let is_whole = root_moves.len() == moves::legal(&job.position).len();
        let lines = root_moves.iter().take(job.multipv.max(1)).map(|&mv| Line {
            depth: 0,
            seldepth: 0,
            score: Score::Cp(0),
            bound: Bound::Lower,
            pv: vec![mv],
        });
        let mut search = Search {
            settings: self.settings,
            table: &mut self.table,
            control,
            root: &job.position,
            lines: lines.collect(),
            root_moves,
            depth: 0,
            iteration: 0,
            seldepth: 0,
            nodes: 0,
            mark: 0,
            most_nodes: job.limits.nodes.unwrap_or(u64::MAX),
            is_stopped: false,
            experience: Experience::new(),
            path: Path::new(&job.history, &job.position),
            moves: Vec::with_capacity(4096),
            variations: vec![Vec::new(); MAX_PLY + 2],
        };
        if !search.root_moves.is_empty() {
            search.iterate(job, is_whole);
        }
        let best = search.lines.first().map(|line| line.pv[0]);
        Outcome {
            best,
            ponder: search.lines.first().and_then(|line| line.pv.get(1).copied()),
            lines: search.lines,
            depth: search.depth,
            nodes: search.nodes,
            is_stopped: search.is_stopped,
        }
    }
}

/// The moves to search at the root, captures first.
fn root_moves(job: &Job) -> Vec<Move> {
    let mut root_moves = moves::legal(&job.position);
    if !job.searchmoves.is_empty() {
        root_moves.retain(|mv| job.searchmoves.contains(mv));
    }
    let experience = Experience::new();
    root_moves.sort_by_key(|&mv| -experience.rank(&job.position, mv, None, 0));
    root_moves
}

impl Search<'_> {
    fn iterate(&mut self, job: &Job, is_whole: bool) {
        self.ask();
        if let Some(known) = self.table.get(key(self.root))
            && let Some(place) = self.root_moves.iter().position(|&mv| Some(mv) == known.mv)
        {
            self.root_moves[..=place].rotate_right(1);
            let first = self.root_moves[0];
            self.new_line(0, |line| line.pv = vec![first]);
        }
        let mut scores = vec![0; self.lines.len()];
        let last = job.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        for depth in 1..=last {
            self.iteration = depth;
            for (index, score) in scores.iter_mut().enumerate() {
                self.seldepth = 0;
                *score = self.aspire(index, *score, is_whole && index == 0);
                if self.is_stopped {
                    return;
                }
            }
            self.sort_lines(&mut scores);
            self.depth = depth;
            for index in 0..self.lines.len() {
                self.announce(index);
            }
            if job.limits.mate.is_some_and(|most| is_mate_within(self.lines[0].score, most)) {
                return;
            }
            if !self.wants_more() {
                return;
            }
        }
    }

    /// Searches a line until its score lies inside the window.
    fn aspire(&mut self, index: usize, last: i32, is_whole: bool) -> i32 {
        let mut window = WINDOW;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        let is_narrow = self.settings.aspiration && self.iteration >= ASPIRATION_DEPTH;
        if is_narrow && last.abs() < WIN {
            (alpha, beta) = (last - window, last + window);
        }
        loop {
            let score = self.root(index, alpha, beta, is_whole);
            if self.is_stopped {
                return score;
            }
            window += window / 2;
            match score {
                _ if score <= alpha => alpha = score - window,
                _ if score >= beta => beta = score + window,
                _ => return score,
            }
            // A window that wide is none.
            if alpha < -3000 {
                alpha = -INFINITE;
            }
            if beta > 3000 {
                beta = INFINITE;
            }
        }
    }

    /// Searches the root without the first moves of the lines before `index`.
    fn root(&mut self, index: usize, mut alpha: i32, beta: i32, is_whole: bool) -> i32 {
        let depth = self.iteration as i32;
        let lowest = alpha;
        let (mut best, mut best_move) = (-INFINITE, None);
        for place in index..self.root_moves.len() {
            let mv = self.root_moves[place];
            let mut child = self.root.clone();
            child.play_unchecked(mv);
            let mut score = alpha + 1;
            if place > index {
                score = self.below(&child, depth - 1, alpha, alpha + 1, 0);
            }
            if score > alpha && (place == index || score < beta) && !self.is_stopped {
                score = self.below(&child, depth - 1, alpha, beta, 0);
            }
            if self.is_stopped {
                break;
            }
            if score > best {
                (best, best_move) = (score, Some((place, mv)));
            }
            if score > alpha {
                alpha = score;
                self.extend_variation(0, mv);
                let bound = if score >= beta { Bound::Lower } else { Bound::Exact };
                self.found(index, score, bound);
                if place > index {
                    self.announce(index);
                }
            }
            if score >= beta {
                break;
            }
        }
        if let Some((place, _)) = best_move
            && best > lowest
        {
            self.root_moves[index..=place].rotate_right(1);
        }
        if self.is_stopped {
            return best;
        }
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best > lowest => Bound::Exact,
            _ => Bound::Upper,
        };
        if bound == Bound::Upper {
            // Nothing is better than the move of the last iteration, which is not so good any more.
            let line = &mut self.lines[index];
            (line.score, line.bound) = (Score::new(best), bound);
        }
        if is_whole {
            let mv = best_move.filter(|_| bound != Bound::Upper).map(|(_, mv)| mv);
            let known = Known { score: to_table(best, 0), bound, depth, mv };
            self.table.put(key(self.root), known);
        }
        best
    }

    /// The best line of this iteration so far.
    fn found(&mut self, index: usize, score: i32, bound: Bound) {
        let pv = std::mem::take(&mut self.variations[0]);
        let (depth, seldepth) = (self.iteration, self.seldepth as u32);
        let score = Score::new(score);
        self.new_line(index, |line| {
            line.pv.clone_from(&pv);
            (line.depth, line.seldepth, line.score, line.bound) = (depth, seldepth, score, bound);
        });
        self.variations[0] = pv;
    }

    /// Changes a line. If another began with the move that it begins with now, that one takes what
    /// the line was before, so that every line begins with another move.
    fn new_line(&mut self, index: usize, change: impl FnOnce(&mut Line)) {
        let before = self.lines[index].clone();
        change(&mut self.lines[index]);
        let first = self.lines[index].pv[0];
        let is_same = |other: &usize| *other != index && self.lines[*other].pv[0] == first;
        if let Some(other) = (0..self.lines.len()).find(is_same) {
            self.lines[other] = before;
        }
    }

    /// Best lines first; their moves first at the root as well.
    fn sort_lines(&mut self, scores: &mut [i32]) {
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by_key(|&index| -scores[index]);
        let lines = order.iter().map(|&index| self.lines[index].clone()).collect();
        let firsts: Vec<Move> = order.iter().map(|&index| self.root_moves[index]).collect();
        let sorted: Vec<i32> = order.iter().map(|&index| scores[index]).collect();
        self.lines = lines;
        self.root_moves[..firsts.len()].copy_from_slice(&firsts);
        scores.copy_from_slice(&sorted);
    }
}

fn is_mate_within(score: Score, most: u32) -> bool {
    matches!(score, Score::Mate(moves) if moves.unsigned_abs() <= most)
}
