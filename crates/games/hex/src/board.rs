//! The board: sizes, cells, sides and stones.
//!
//! Cells are numbered row by row from a1, and a set of cells is a [`Cells`] mask of 128 bits,
//! enough for 11×11. The six neighbours of a cell are then six shifts by a fixed number of places,
//! and a group of stones is found by shifting until nothing is added (flood fill).
//!
//! Black connects row 1 (top) to the last row, White column a (left) to the last column. The
//! neighbours of (column, row) are (c±1, r), (c, r±1), (c+1, r−1) and (c−1, r+1).

use std::fmt;

/// A set of cells, one bit a cell, row by row from a1.
pub type Cells = u128;

/// The largest board.
pub const MAX_SIZE: usize = 11;

/// One of the two players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Side {
    /// Connects the first row to the last.
    Black,
    /// Connects the first column to the last.
    White,
}

impl Side {
    /// The other player.
    pub fn opponent(self) -> Side {
        match self {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }

    /// The letter of the notation: `B` or `W`.
    pub fn letter(self) -> char {
        match self {
            Side::Black => 'B',
            Side::White => 'W',
        }
    }
}

/// A cell of the board, and so a move: its number, row by row from a1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Cell(pub u8);

impl Cell {
    /// The set of this cell alone.
    pub fn bit(self) -> Cells {
        1 << self.0
    }
}

/// The cells of a set, lowest number first.
pub(crate) fn each(mut set: Cells) -> impl Iterator<Item = Cell> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let cell = Cell(set.trailing_zeros() as u8);
            set &= set - 1;
            cell
        })
    })
}

/// What depends on the size alone.
#[derive(Debug)]
pub(crate) struct Geometry {
    all: Cells,
    first_row: Cells,
    last_row: Cells,
    first_column: Cells,
    last_column: Cells,
    neighbours: [Cells; MAX_SIZE * MAX_SIZE],
}

static GEOMETRIES: [Geometry; MAX_SIZE + 1] = {
    let mut table = [const { Geometry::new(0) }; MAX_SIZE + 1];
    let mut size = 1;
    while size <= MAX_SIZE {
        table[size] = Geometry::new(size);
        size += 1;
    }
    table
};

impl Geometry {
    const fn new(size: usize) -> Geometry {
        let mut geometry = Geometry {
            all: 0,
            first_row: 0,
            last_row: 0,
            first_column: 0,
            last_column: 0,
            neighbours: [0; MAX_SIZE * MAX_SIZE],
        };
        let mut index = 0;
        while index < size * size {
            let (row, column) = (index / size, index % size);
            let bit = 1 << index;
            geometry.all |= bit;
            if row == 0 {
                geometry.first_row |= bit;
            }
            if row == size - 1 {
                geometry.last_row |= bit;
            }
            if column == 0 {
                geometry.first_column |= bit;
            }
            if column == size - 1 {
                geometry.last_column |= bit;
            }
            let mut around = 0;
            if column + 1 < size {
                around |= bit << 1;
            }
            if column > 0 {
                around |= bit >> 1;
            }
            if row + 1 < size {
                around |= bit << size;
            }
            if row > 0 {
                around |= bit >> size;
            }
            if row + 1 < size && column > 0 {
                around |= bit << (size - 1);
            }
            if row > 0 && column + 1 < size {
                around |= bit >> (size - 1);
            }
            geometry.neighbours[index] = around;
            index += 1;
        }
        geometry
    }
}

/// Stones on a board of some size, with no word on whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    size: u8,
    black: Cells,
    white: Cells,
}

impl Board {
    /// The empty board, or `None` if `size` is not from 1 to [`MAX_SIZE`].
    pub fn empty(size: usize) -> Option<Board> {
        (1..=MAX_SIZE).contains(&size).then_some(Board { size: size as u8, black: 0, white: 0 })
    }

    /// How many rows and columns there are.
    pub fn size(&self) -> usize {
        self.size.into()
    }

    /// The stones of a side.
    pub fn stones(&self, side: Side) -> Cells {
        match side {
            Side::Black => self.black,
            Side::White => self.white,
        }
    }

    /// The cells without a stone.
    pub fn vacant(&self) -> Cells {
        self.all() & !(self.black | self.white)
    }

    /// All cells of the board.
    pub fn all(&self) -> Cells {
        self.geometry().all
    }

    /// The side whose stone is on a cell.
    pub fn at(&self, cell: Cell) -> Option<Side> {
        [Side::Black, Side::White].into_iter().find(|&side| self.stones(side) & cell.bit() != 0)
    }

    /// Gives all of `cells` to `side`. They must be vacant cells of the board.
    pub fn fill(&mut self, side: Side, cells: Cells) {
        debug_assert_eq!(cells & !self.vacant(), 0);
        match side {
            Side::Black => self.black |= cells,
            Side::White => self.white |= cells,
        }
    }

    /// Takes all stones off `cells`.
    pub fn clear(&mut self, cells: Cells) {
        self.black &= !cells;
        self.white &= !cells;
    }

    /// The cells next to a cell.
    pub fn neighbours(&self, cell: Cell) -> Cells {
        self.geometry().neighbours[cell.0 as usize]
    }

    /// The two rows or columns that a side wants to connect.
    pub fn edges(&self, side: Side) -> [Cells; 2] {
        let geometry = self.geometry();
        match side {
            Side::Black => [geometry.first_row, geometry.last_row],
            Side::White => [geometry.first_column, geometry.last_column],
        }
    }

    /// A set together with all its neighbours.
    pub fn grown(&self, set: Cells) -> Cells {
        let geometry = self.geometry();
        let size = self.size as u32;
        let not_first = set & !geometry.first_column;
        let not_last = set & !geometry.last_column;
        let upwards = set >> size | not_last >> (size - 1);
        let downwards = set << size | not_first << (size - 1);
        (set | not_last << 1 | not_first >> 1 | upwards | downwards) & geometry.all
    }

    /// The cells of `within` that are connected to `seed` inside it.
    pub fn flood(&self, seed: Cells, within: Cells) -> Cells {
        let mut reached = seed & within;
        loop {
            let more = self.grown(reached) & within;
            if more == reached {
                return reached;
            }
            reached = more;
        }
    }

    /// Has `side` connected its edges?
    pub fn is_connected(&self, side: Side) -> bool {
        let [from, to] = self.edges(side);
        self.flood(from, self.stones(side)) & to != 0
    }

    /// Does the group of `side` that holds `cell` connect its edges?
    pub fn connects(&self, side: Side, cell: Cell) -> bool {
        let [from, to] = self.edges(side);
        let group = self.flood(cell.bit(), self.stones(side));
        group & from != 0 && group & to != 0
    }

    /// The side that has connected its edges. Never both.
    pub fn winner(&self) -> Option<Side> {
        [Side::Black, Side::White].into_iter().find(|&side| self.is_connected(side))
    }

    /// How a cell is written: its column as a letter, then its row.
    pub fn name(&self, cell: Cell) -> String {
        let (row, column) = (cell.0 / self.size, cell.0 % self.size);
        format!("{}{}", (b'a' + column) as char, row + 1)
    }

    fn geometry(&self) -> &'static Geometry {
        &GEOMETRIES[self.size as usize]
    }
}

/// The rows from the first to the last, separated by `/`.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for index in 0..self.size * self.size {
            if index > 0 && index % self.size == 0 {
                f.write_str("/")?;
            }
            let letter = self.at(Cell(index)).map_or('.', Side::letter);
            write!(f, "{letter}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
