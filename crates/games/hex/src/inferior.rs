//! Inferior cells: dead and captured cells, and moves that need not be tried (Hayward and van
//! Rijswijck, 2006; Björnsson, Hayward, Johanson and van Rijswijck, 2007).
//!
//! A vacant cell is *dead* if no completion of the board depends on who owns it. For that it is
//! enough that it lies on no minimal winning path of one side, and for that, that its neighbours in
//! that side's *reduced graph* are all neighbours of each other: a path through the cell could
//! leave it out. The reduced graph of a side has the vacant cells and the side's two edges; two of
//! them are neighbours if they touch, directly or over stones of the side.
//!
//! A stone *kills* a cell if the cell is dead once the stone is there. Two cells that a side can
//! answer one with the other, each killing the other, are *captured*: they may be counted as its
//! stones. All this leaves the value of the position as it is, so it can be repeated until nothing
//! changes.
//!
//! Two kinds of moves can be left out, as another one does at least as well:
//! * x is *vulnerable* if the opponent has a reply that kills it. If x wins, the side also
//!   wins with the opponent's reply already on the board and itself to move; so a move wins that is
//!   not killed so.
//! * x is *dominated* by y if y kills it: then y is as good as having both stones. Only moves that
//!   are kept may dominate.

use crate::board::{Board, Cell, Cells, MAX_SIZE, Side, each};

/// The reduced graph of a side.
struct Reduced {
    neighbours: [Cells; MAX_SIZE * MAX_SIZE],
    /// The vacant cells that touch each edge of the side, directly or over stones.
    touching: [Cells; 2],
}

impl Reduced {
    fn new(board: &Board, side: Side) -> Reduced {
        let stones = board.stones(side);
        let vacant = board.vacant();
        let mut graph = Reduced { neighbours: [0; MAX_SIZE * MAX_SIZE], touching: [0; 2] };
        for cell in each(vacant) {
            graph.neighbours[cell.0 as usize] = board.neighbours(cell) & vacant;
        }
        let mut left = stones;
        for (edge, touching) in board.edges(side).into_iter().zip(&mut graph.touching) {
            let group = board.flood(edge, stones);
            *touching = (edge | board.grown(group)) & vacant;
            left &= !group;
        }
        while left != 0 {
            let group = board.flood(left & left.wrapping_neg(), stones);
            left &= !group;
            let around = board.grown(group) & vacant;
            for cell in each(around) {
                graph.neighbours[cell.0 as usize] |= around & !cell.bit();
            }
        }
        graph
    }

    fn around(&self, cell: Cell) -> Cells {
        self.neighbours[cell.0 as usize]
    }

    fn is_dead(&self, cell: Cell) -> bool {
        let around = self.around(cell);
        is_clique(cell, around, self.touching, |other| self.around(other))
    }

    /// Is `cell` dead once the owner of the graph has a stone on `stone`?
    fn dies_by_own(&self, cell: Cell, stone: Cell) -> bool {
        let joined = self.around(stone);
        let touching = self
            .touching
            .map(|touching| if touching & stone.bit() != 0 { touching | joined } else { touching });
        let around_after = |other: Cell| {
            let around = self.around(other);
            if around & stone.bit() != 0 {
                (around | joined) & !(stone.bit() | other.bit())
            } else {
                around
            }
        };
        let around = around_after(cell);
        let touching = touching.map(|cells| cells & !stone.bit());
        is_clique(cell, around, touching, around_after)
    }

    /// Is `cell` dead once the opponent of the owner has a stone on `stone`?
    fn dies_by_other(&self, cell: Cell, stone: Cell) -> bool {
        let around = self.around(cell) & !stone.bit();
        is_clique(cell, around, self.touching, |other| self.around(other) & !stone.bit())
    }
}

/// Are all neighbours of `cell`, the edges included, neighbours of each other? Two cells that touch
/// the same edge count as neighbours, since no minimal path visits both.
fn is_clique(
    cell: Cell,
    around: Cells,
    touching: [Cells; 2],
    neighbours: impl Fn(Cell) -> Cells,
) -> bool {
    let touched = touching.map(|cells| cells & cell.bit() != 0);
    if touched == [true, true] {
        return false;
    }
    for (touching, touched) in touching.into_iter().zip(touched) {
        if touched && around & !touching != 0 {
            return false;
        }
    }
    each(around).all(|other| {
        let mut reached = neighbours(other) | other.bit();
        for touching in touching {
            if touching & other.bit() != 0 {
                reached |= touching;
            }
        }
        around & !reached == 0
    })
}

/// A position with its inferior cells filled in.
pub(crate) struct FilledIn {
    /// The board with dead and captured cells filled.
    pub(crate) board: Board,
    /// The vacant cells of it that the side to move need not try.
    pub(crate) pruned: Cells,
}

/// For both sides, by the stone's cell: the cells that a stone of the side kills.
type Kills = [[Cells; MAX_SIZE * MAX_SIZE]; 2];

/// Fills in dead and captured cells and finds the moves that `to_move` can leave out.
pub(crate) fn fill_in(board: &Board, to_move: Side) -> FilledIn {
    let mut board = *board;
    let mut kills = [[0; MAX_SIZE * MAX_SIZE]; 2];
    while fill_once(&mut board, &mut kills) {}

    let vacant = board.vacant();
    let own = &kills[to_move as usize];
    let other = &kills[to_move.opponent() as usize];
    let vulnerable = each(vacant).fold(0, |set, stone| set | other[stone.0 as usize]);
    let mut pruned = vulnerable;
    let mut dominating = 0;
    for stone in each(vacant & !vulnerable) {
        // A move that dominates must itself be kept.
        if pruned & stone.bit() == 0 {
            let killed = own[stone.0 as usize] & !dominating;
            if killed != 0 {
                dominating |= stone.bit();
                pruned |= killed;
            }
        }
    }
    FilledIn { board, pruned }
}

/// Fills some inferior cells, if there are any; else leaves in `kills` what each stone would kill.
fn fill_once(board: &mut Board, kills: &mut Kills) -> bool {
    let graphs = [Side::Black, Side::White].map(|side| Reduced::new(board, side));
    let vacant = board.vacant();

    let dead = each(vacant)
        .filter(|&cell| graphs.iter().any(|graph| graph.is_dead(cell)))
        .fold(0, |set, cell| set | cell.bit());
    if dead != 0 {
        // Either side may have them.
        let one = dead & dead.wrapping_neg();
        board.fill(Side::Black, one);
        return true;
    }

    for (side, kills) in [Side::Black, Side::White].into_iter().zip(kills) {
        let own = &graphs[side as usize];
        let other = &graphs[side.opponent() as usize];
        for stone in each(vacant) {
            let near = own.around(stone) | other.around(stone);
            kills[stone.0 as usize] = each(near)
                .filter(|&cell| own.dies_by_own(cell, stone) || other.dies_by_other(cell, stone))
                .fold(0, |set, cell| set | cell.bit());
        }
        for stone in each(vacant) {
            let captured = each(kills[stone.0 as usize])
                .find(|&cell| kills[cell.0 as usize] & stone.bit() != 0);
            if let Some(cell) = captured {
                board.fill(side, stone.bit() | cell.bit());
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hex::Hex;
    use crate::support::{BruteForce, Random, random_open_position};

    #[test]
    fn filling_in_and_pruning_keep_the_value() {
        let mut random = Random(11);
        let mut brute = BruteForce::default();
        let (mut filled, mut pruned) = (0, 0);
        for (size, vacant, count) in [(3, 8, 1000), (4, 11, 500), (5, 11, 500), (6, 10, 200)] {
            for _ in 0..count {
                let vacant = vacant - random.below(4);
                let mut hex = random_open_position(&mut random, size, vacant);
                let to_move = hex.to_move();
                let winner = brute.winner(&mut hex);
                let inferior = fill_in(hex.board(), to_move);
                filled += (hex.board().vacant() & !inferior.board.vacant()).count_ones();
                let mut same = Hex::new(inferior.board, to_move);
                assert_eq!(brute.winner(&mut same), winner, "{hex} became {same}");
                if winner == to_move && same.winner().is_none() {
                    let kept = inferior.board.vacant() & !inferior.pruned;
                    pruned += (inferior.board.vacant() & inferior.pruned).count_ones();
                    let mut wins = each(kept).filter(|&cell| brute.wins_by(&mut hex, cell));
                    assert!(wins.next().is_some(), "{hex}: {:#x} pruned", inferior.pruned);
                }
                brute.forget();
            }
        }
        assert!(filled > 1000 && pruned > 300, "{filled} filled, {pruned} pruned");
    }
}
