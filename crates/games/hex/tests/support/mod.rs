//! What the tests share: a random generator, random positions and a solver that knows only the
//! rules.
#![allow(dead_code, reason = "not every test file uses everything")]

use std::collections::HashMap;

use andor::{Rules, mix64};
use yomikiri_hex::{Board, Cell, Cells, Hex, Side};

pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (mix64(self.0) % bound as u64) as usize
    }
}

pub fn cells_of(set: Cells) -> Vec<Cell> {
    (0..128).map(Cell).filter(|cell| set & cell.bit() != 0).collect()
}

/// A position with `vacant` vacant cells, the others filled at random, evenly or not.
pub fn random_position(random: &mut Random, size: usize, vacant: usize) -> Hex {
    let mut board = Board::empty(size).unwrap();
    let bias = 2 + random.below(5);
    while board.vacant().count_ones() as usize > vacant {
        let cell = Cell(random.below(size * size) as u8);
        if board.at(cell).is_none() {
            let side = if random.below(8) < bias { Side::Black } else { Side::White };
            board.fill(side, cell.bit());
        }
    }
    let to_move = [Side::Black, Side::White][random.below(2)];
    Hex::new(board, to_move)
}

/// Like [`random_position`], but not yet won by anybody.
pub fn random_open_position(random: &mut Random, size: usize, vacant: usize) -> Hex {
    loop {
        let hex = random_position(random, size, vacant);
        if hex.winner().is_none() {
            return hex;
        }
    }
}

/// Solves by trying everything, with a memory.
#[derive(Default)]
pub struct BruteForce(HashMap<(usize, <Hex as Rules>::Identity), Side>);

impl BruteForce {
    pub fn winner(&mut self, hex: &mut Hex) -> Side {
        if let Some(side) = hex.winner() {
            return side;
        }
        let name = (hex.board().size(), hex.identity());
        if let Some(&side) = self.0.get(&name) {
            return side;
        }
        let side = hex.to_move();
        let wins = cells_of(hex.board().vacant()).into_iter().any(|cell| self.wins_by(hex, cell));
        let winner = if wins { side } else { side.opponent() };
        self.0.insert(name, winner);
        winner
    }

    pub fn wins_by(&mut self, hex: &mut Hex, cell: Cell) -> bool {
        let side = hex.to_move();
        let undo = hex.play(cell);
        let winner = self.winner(hex);
        hex.undo(cell, undo);
        winner == side
    }

    pub fn forget(&mut self) {
        self.0.clear();
    }
}

/// The openings of one size: cell and whether Black, who played there, wins.
pub fn openings(text: &str, size: usize) -> Vec<(String, Side)> {
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|line| {
        let fields: Vec<_> = line.split('\t').collect();
        (fields[0] == size.to_string()).then(|| {
            let winner = if fields[2] == "B" { Side::Black } else { Side::White };
            (fields[1].to_string(), winner)
        })
    })
    .collect()
}
