//! Principal variation search (Marsland and Campbell 1982; NegaScout, Reinefeld 1983): the first
//! move of a position is searched with the whole window, the others only against the bound that
//! they are no better, and again if they are.
//!
//! Around it: the table's scores; null move (Beal 1989; Donninger 1993): a position in which even
//! passing is good enough is cut off; late move reductions: quiet moves late in the order are
//! searched less deep, and again if they surprise; futility near the leaves; one ply more for a
//! side in check.

use cozy_chess::{Board, Move, Piece};

use crate::control::{Control, Line, Next, View};
use crate::evaluation::evaluate;
use crate::moves;
use crate::order::{self, Experience, Ranked};
use crate::repetition::{Path, is_dead, key};
use crate::score::{Bound, INFINITE, MATE, MAX_PLY, WIN, from_table, mated, to_table};
use crate::settings::Settings;
use crate::table::{Known, Table};

/// Futility: so many centipawns a ply of depth, up to [`FUTILE_DEPTH`]. More margin prunes less.
const FUTILE_MARGIN: i32 = 85;
const FUTILE_DEPTH: i32 = 6;

/// Up to this depth only the first `3 + depth²` quiet moves are searched.
const COUNTED_DEPTH: i32 = 4;

/// From this half-move clock on the table's scores are not trusted: they do not see the draw.
const LATE_CLOCK: u8 = 90;

/// A search in progress.
pub(crate) struct Search<'a> {
    pub settings: Settings,
    pub table: &'a mut Table,
    pub control: &'a mut dyn Control,
    pub root: &'a Board,
    pub root_moves: Vec<Move>,
    pub lines: Vec<Line>,
    /// The last complete iteration.
    pub depth: u32,
    /// The iteration under way.
    pub iteration: u32,
    pub seldepth: usize,
    pub nodes: u64,
    /// Where the control is asked next.
    pub mark: u64,
    pub most_nodes: u64,
    pub is_stopped: bool,
    pub experience: Experience,
    pub path: Path,
    /// The moves of all nodes on the path, one after the other.
    pub moves: Vec<Ranked>,
    /// The best line below every ply.
    pub variations: Vec<Vec<Move>>,
}

impl Search<'_> {
    /// Asks the control, at exactly the node that it named.
    pub fn ask(&mut self) {
        if self.nodes >= self.most_nodes {
            self.is_stopped = true;
            return;
        }
        let (control, view) = self.split();
        match control.check(view.nodes, &view) {
            Next::Stop => self.is_stopped = true,
            Next::Until(mark) => self.mark = mark.max(self.nodes + 1).min(self.most_nodes),
        }
    }

    /// Tells the control of a new line.
    pub fn announce(&mut self, index: usize) {
        let (control, view) = self.split();
        control.line(&view, index);
    }

    /// Asks the control for another iteration.
    pub fn wants_more(&mut self) -> bool {
        let (control, view) = self.split();
        control.wants_more(&view)
    }

    /// The control, and what it sees.
    fn split(&mut self) -> (&mut dyn Control, View<'_>) {
        let view = View {
            root: self.root,
            root_moves: &self.root_moves,
            lines: &self.lines,
            depth: self.depth,
            nodes: self.nodes,
            table: self.table,
        };
        (self.control, view)
    }

    /// Counts a node. Is the search to end?
    pub fn enter(&mut self, ply: usize) -> bool {
        if self.nodes >= self.mark {
            self.ask();
        }
        if !self.is_stopped {
            self.nodes += 1;
            self.seldepth = self.seldepth.max(ply);
        }
        self.is_stopped
    }

    /// Plays a move and searches on, with the score turned round.
    pub fn below(&mut self, child: &Board, depth: i32, alpha: i32, beta: i32, ply: usize) -> i32 {
        self.path.push(key(child));
        let score = -self.node(child, depth, -beta, -alpha, ply + 1, true);
        self.path.pop();
        score
    }

    /// The value of a position `ply` plies below the root, searched `depth` plies deep: exact if it
    /// lies between alpha and beta, else a bound. Worthless once the search is stopped.
    fn node(
        &mut self,
        board: &Board,
        mut depth: i32,
        mut alpha: i32,
        mut beta: i32,
        ply: usize,
        may_pass: bool,
    ) -> i32 {
        let is_check = !board.checkers().is_empty();
        if is_check && self.settings.check_extension && ply < 2 * self.iteration as usize {
            depth += 1;
        }
        self.variations[ply].clear();
        if self.enter(ply) {
            return 0;
        }
        if self.path.is_repetition(board.halfmove_clock()) || is_dead(board) {
            return 0;
        }
        if board.halfmove_clock() >= 100 {
            let is_mate = is_check && !moves::has_legal(board);
            return if is_mate { mated(ply) } else { 0 };
        }
        if depth <= 0 || ply >= MAX_PLY {
            return self.resolve(board, alpha, beta, ply);
        }
        // No mate from here can beat one already found nearer to the root.
        alpha = alpha.max(mated(ply));
        beta = beta.min(MATE - ply as i32 - 1);
        if alpha >= beta {
            return alpha;
        }
        let is_pv = beta - alpha > 1;

        let place = key(board);
        let known = self.table.get(place);
        if let Some(known) = known
            && self.settings.table_cutoffs
            && !is_pv
            && known.depth >= depth
            && board.halfmove_clock() < LATE_CLOCK
        {
            let score = from_table(known.score, ply);
            let is_enough = match known.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if is_enough {
                return score;
            }
        }
        let from_table = known.and_then(|known| known.mv);

        let standing = if is_check { -INFINITE } else { evaluate(board) };
        if !is_pv && !is_check {
            let margin = FUTILE_MARGIN * depth;
            if self.settings.futility
                && depth <= FUTILE_DEPTH
                && beta > -WIN
                && standing < WIN
                && standing - margin >= beta
            {
                return standing;
            }
            if self.settings.null_move && may_pass && depth >= 3 && standing >= beta {
                let score = self.pass(board, depth, beta, ply);
                if self.is_stopped {
                    return 0;
                }
                if score >= beta {
                    return if score >= WIN { beta } else { score };
                }
            }
        }
        if self.settings.reductions && from_table.is_none() && depth >= 4 {
            depth -= 1;
        }

        let first = self.moves.len();
        order::all(board, &self.experience, from_table, ply, &mut self.moves);
        let score = self.children(board, depth, alpha, beta, ply, first, standing);
        self.moves.truncate(first);
        if self.is_stopped {
            return 0;
        }
        let (score, mv) = score;
        let bound = match score {
            _ if score >= beta => Bound::Lower,
            _ if score > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let mv = if bound == Bound::Upper { None } else { mv };
        self.table.put(place, Known { score: to_table(score, ply), bound, depth, mv });
        score
    }

    /// Lets the side to move pass, if it has a piece: with pawns alone passing can be best of all.
    fn pass(&mut self, board: &Board, depth: i32, beta: i32, ply: usize) -> i32 {
        let small = board.pieces(Piece::Pawn) | board.pieces(Piece::King);
        if (board.colors(board.side_to_move()) & !small).is_empty() {
            return -INFINITE;
        }
        let Some(child) = board.null_move() else { return -INFINITE };
        let first = self.path.push_null(key(&child));
        let less = 3 + depth / 4;
        let score = -self.node(&child, depth - 1 - less, -beta, 1 - beta, ply + 1, false);
        self.path.pop_null(first);
        score
    }

    /// Searches the moves from `first` on. Returns the best score and its move.
    #[expect(clippy::too_many_arguments, reason = "the state of one node")]
    fn children(
        &mut self,
        board: &Board,
        depth: i32,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        first: usize,
        standing: i32,
    ) -> (i32, Option<Move>) {
        let color = board.side_to_move();
        let is_check = !board.checkers().is_empty();
        let is_pv = beta - alpha > 1;
        let (mut best, mut best_move) = (-INFINITE, None);
        let mut quiets = 0;
        for index in 0..self.moves.len() - first {
            let mv = order::select(&mut self.moves[first..], index);
            let is_quiet = moves::is_quiet(board, mv);
            let mut child = board.clone();
            child.play_unchecked(mv);
            let gives_check = !child.checkers().is_empty();

            if self.settings.futility
                && is_quiet
                && !is_pv
                && !is_check
                && !gives_check
                && best > -WIN
                && (depth <= COUNTED_DEPTH && quiets > 3 + depth * depth
                    || depth <= FUTILE_DEPTH && standing + FUTILE_MARGIN * (depth + 1) <= alpha)
            {
                continue;
            }
            quiets += i32::from(is_quiet);

            let mut score = alpha + 1;
            if index > 0 {
                let mut less = 0;
                if self.settings.reductions && is_quiet && !is_check && depth >= 3 && index >= 3 {
                    less = reduction(depth, index);
                    less -= i32::from(is_pv) + i32::from(gives_check);
                    less -= self.experience.history(color, mv) / 6000;
                    less = less.clamp(0, depth - 2);
                }
                score = self.below(&child, depth - 1 - less, alpha, alpha + 1, ply);
                if score > alpha && less > 0 && !self.is_stopped {
                    score = self.below(&child, depth - 1, alpha, alpha + 1, ply);
                }
            }
            if score > alpha && (index == 0 || score < beta) && !self.is_stopped {
                score = self.below(&child, depth - 1, alpha, beta, ply);
            }
            if self.is_stopped {
                return (0, None);
            }
            if score > best {
                (best, best_move) = (score, Some(mv));
            }
            if score > alpha {
                alpha = score;
                self.extend_variation(ply, mv);
            }
            if score >= beta {
                if is_quiet {
                    let tried = self.moves[first..first + index].iter().map(|ranked| ranked.mv);
                    let tried: Vec<Move> = tried.filter(|&mv| moves::is_quiet(board, mv)).collect();
                    self.experience.cut(color, mv, &tried, ply, depth);
                }
                break;
            }
        }
        if best_move.is_none() {
            best = if is_check { mated(ply) } else { 0 };
        }
        (best, best_move)
    }

    /// The best line at `ply` is this move and the best line below it.
    pub fn extend_variation(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.variations.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].push(mv);
        upper[ply].extend_from_slice(&lower[0]);
    }
}

/// By how many plies the move at this place of the order is searched less deep: 0.6 + ln depth ·
/// ln index / 2.2, in whole numbers, so that it is the same everywhere.
fn reduction(depth: i32, index: usize) -> i32 {
    /// Sixteen times the binary logarithm, straight between powers of two.
    fn log16(n: u32) -> u32 {
        let whole = n.ilog2();
        16 * whole + ((16 * (n - (1 << whole))) >> whole)
    }
    let product = log16(depth as u32) * log16(index as u32);
    ((600 + product * 218 / 256) / 1000) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_like_logarithms() {
        for depth in 3..60 {
            for index in 3..100 {
                let real = 0.6 + f64::from(depth).ln() * (index as f64).ln() / 2.2;
                let ours = f64::from(reduction(depth, index));
                assert!((ours - real.floor()).abs() <= 1.0, "{depth} {index}: {ours}, {real}");
            }
        }
    }
}
