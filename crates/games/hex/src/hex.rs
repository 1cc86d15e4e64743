//! Hex as a problem without knowledge: the rules, a key, and moves in a given or a random order.
//!
//! The question is whether the attacker, by default the side to move, connects its edges. The random
//! order is the one of the DeepPN experiments (Ishitobi, Plaat, Iida and van den Herik, 2015): the
//! legal moves are shuffled in every position, repeatably for a seed.

use std::fmt;

use andor::{Key, MoveList, NodeKind, Problem, Repetition, Rules, Value, mix64};

use crate::board::{Board, Cell, Cells, MAX_SIZE, Side, each};

/// A position with a side to move, and the question whether the attacker wins it.
#[derive(Clone, PartialEq, Eq)]
pub struct Hex {
    board: Board,
    to_move: Side,
    attacker: Side,
    winner: Option<Side>,
    key: Key,
    shuffle: Option<u64>,
}

/// One 128-bit constant for each stone on each cell, and a last one for White to move.
static ZOBRIST: [u128; 2 * MAX_SIZE * MAX_SIZE + 1] = {
    let mut table = [0; 2 * MAX_SIZE * MAX_SIZE + 1];
    let mut state = 0x6865_785f_6b65_7973_u64;
    let mut index = 0;
    while index < table.len() {
        let mut half = 0;
        while half < 2 {
            // SplitMix64, written out because `andor::mix64` is not a const fn.
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut word = state;
            word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            table[index] = table[index] << 64 | (word ^ word >> 31) as u128;
            half += 1;
        }
        index += 1;
    }
    table
};

const WHITE_TO_MOVE: u128 = ZOBRIST[2 * MAX_SIZE * MAX_SIZE];

fn stone_key(side: Side, cell: Cell) -> u128 {
    ZOBRIST[2 * cell.0 as usize + side as usize]
}

impl Hex {
    /// A position; the attacker is the side to move.
    pub fn new(board: Board, to_move: Side) -> Hex {
        let mut key = match to_move {
            Side::Black => 0,
            Side::White => WHITE_TO_MOVE,
        };
        for side in [Side::Black, Side::White] {
            key = each(board.stones(side)).fold(key, |key, cell| key ^ stone_key(side, cell));
        }
        Hex {
            board,
            to_move,
            attacker: to_move,
            winner: board.winner(),
            key: Key(key),
            shuffle: None,
        }
    }

    /// The same position with the question asked for `attacker`.
    pub fn with_attacker(self, attacker: Side) -> Hex {
        Hex { attacker, ..self }
    }

    /// The same problem with the moves of every position in a random order that depends on `seed`.
    pub fn shuffled(self, seed: u64) -> Hex {
        Hex { shuffle: Some(seed), ..self }
    }

    /// The stones.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// The side of which it is asked whether it wins.
    pub fn attacker(&self) -> Side {
        self.attacker
    }

    /// The side that has connected its edges.
    pub fn winner(&self) -> Option<Side> {
        self.winner
    }

    /// What it means for the attacker that `side` wins.
    pub fn value_of_win(&self, side: Side) -> Value {
        if side == self.attacker { Value::Proven } else { Value::Disproven }
    }

    /// The side that wins where the value is `value`.
    pub fn side_of(&self, value: Value) -> Side {
        match value {
            Value::Proven => self.attacker,
            Value::Disproven => self.attacker.opponent(),
        }
    }

    /// The hint for [`Rules::weakened`] that gives `cells` to the other side.
    pub(crate) fn hint(&self, cells: Cells) -> Vec<u8> {
        let count = self.board.size() * self.board.size();
        cells.to_le_bytes()[..count.div_ceil(8)].to_vec()
    }
}

impl Rules for Hex {
    type Move = Cell;
    type Undo = Option<Side>;
    type Stock = ();
    type Identity = (Cells, Cells, Side);

    fn kind(&self) -> NodeKind {
        if self.to_move == self.attacker { NodeKind::Or } else { NodeKind::And }
    }

    fn repetition(&self) -> Repetition {
        Repetition::Never
    }

    fn terminal(&self) -> Option<Value> {
        self.winner.map(|side| self.value_of_win(side))
    }

    fn legal_moves(&self, moves: &mut Vec<Cell>) {
        moves.extend(each(self.board.vacant()));
    }

    fn play(&mut self, cell: Cell) -> Option<Side> {
        let before = self.winner;
        self.board.fill(self.to_move, cell.bit());
        if self.board.connects(self.to_move, cell) {
            self.winner = Some(self.to_move);
        }
        self.key.0 ^= stone_key(self.to_move, cell) ^ WHITE_TO_MOVE;
        self.to_move = self.to_move.opponent();
        before
    }

    fn undo(&mut self, cell: Cell, winner: Option<Side>) {
        self.to_move = self.to_move.opponent();
        self.key.0 ^= stone_key(self.to_move, cell) ^ WHITE_TO_MOVE;
        self.board.clear(cell.bit());
        self.winner = winner;
    }

    fn identity(&self) -> (Cells, Cells, Side) {
        (self.board.stones(Side::Black), self.board.stones(Side::White), self.to_move)
    }

    fn stock(&self) {}

    fn encode_move(cell: Cell) -> u32 {
        cell.0.into()
    }

    fn describe_move(&self, cell: Cell) -> String {
        self.board.name(cell)
    }

    /// An additional stone never hurts its owner, so whoever wins with vacant cells given to the
    /// other side wins without that. The hint is the mask of the cells that stay as they are, lowest
    /// byte first; every other vacant cell is given away.
    fn weakened(&self, holder: Value, hint: &[u8]) -> Option<Hex> {
        let mut bytes = [0; 16];
        let count = self.board.size() * self.board.size();
        if hint.len() != count.div_ceil(8) {
            return None;
        }
        bytes[..hint.len()].copy_from_slice(hint);
        let kept = Cells::from_le_bytes(bytes);
        let given = self.board.vacant() & !kept;
        if kept & !self.board.all() != 0 || given == 0 {
            return None;
        }
        let mut board = self.board;
        board.fill(self.side_of(holder).opponent(), given);
        let worse = Hex::new(board, self.to_move).with_attacker(self.attacker);
        Some(Hex { shuffle: self.shuffle, ..worse })
    }
}

impl Problem for Hex {
    fn key(&self) -> Key {
        self.key
    }

    fn key_after(&mut self, cell: Cell) -> (Key, ()) {
        (Key(self.key.0 ^ stone_key(self.to_move, cell) ^ WHITE_TO_MOVE), ())
    }

    fn moves(&mut self, list: &mut MoveList<Cell>, scratch: &mut Vec<Cell>) {
        self.legal_moves(scratch);
        if let Some(seed) = self.shuffle {
            let here = mix64(self.key.low() ^ mix64(seed));
            scratch.sort_unstable_by_key(|cell| mix64(here.wrapping_add(cell.0.into())));
        }
        for &cell in scratch.iter() {
            list.push(cell);
        }
    }
}

impl fmt::Debug for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}, does {} win?", self.attacker.letter())
    }
}
