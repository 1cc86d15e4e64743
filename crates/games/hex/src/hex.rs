//! Hex as a problem without knowledge: the rules, a key, and moves in a given or a random order.
//!
//! The question is whether the attacker, by default the side to move, connects its edges. The
//! random order is the one of the DeepPN experiments (Ishitobi, Plaat, Iida and van den Herik,
//! 2015): the legal moves are shuffled in every position, repeatably for a seed.

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

/// The `index`-th of our random constants of 128 bits.
const fn constant(index: usize) -> u128 {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let seed = 0x6865_785f_6b65_7973_u64.wrapping_add(STEP.wrapping_mul(2 * index as u64));
    (mix64(seed) as u128) << 64 | mix64(seed.wrapping_add(STEP)) as u128
}

/// One constant for each stone on each cell.
static STONES: [u128; 2 * MAX_SIZE * MAX_SIZE] = {
    let mut table = [0; 2 * MAX_SIZE * MAX_SIZE];
    let mut index = 0;
    while index < table.len() {
        table[index] = constant(index);
        index += 1;
    }
    table
};

const WHITE_TO_MOVE: u128 = constant(1_000);
const WHITE_ATTACKS: u128 = constant(1_001);

/// What tells boards of different sizes apart.
fn size_key(size: usize) -> u128 {
    constant(2_000 + size)
}

fn stone_key(side: Side, cell: Cell) -> u128 {
    STONES[2 * cell.0 as usize + side as usize]
}

impl Hex {
    /// A position; the attacker is the side to move.
    pub fn new(board: Board, to_move: Side) -> Hex {
        let mut key = size_key(board.size());
        if to_move == Side::White {
            key ^= WHITE_TO_MOVE ^ WHITE_ATTACKS;
        }
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
        let changed = if attacker == self.attacker { 0 } else { WHITE_ATTACKS };
        Hex { attacker, key: Key(self.key.0 ^ changed), ..self }
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

    /// The hint for [`Rules::weakened`] that leaves `cells` as they are.
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

    const REPETITION_MAY_FAVOUR_ATTACKER: bool = false;

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

    /// A stone never hurts its owner, so whoever wins with vacant cells and stones of its own given
    /// to the other side wins without that. The hint is the mask of the cells that stay as they
    /// are, lowest byte first; every other cell is given away.
    fn weakened(&self, holder: Value, hint: &[u8]) -> Option<Hex> {
        let mut bytes = [0; 16];
        let count = self.board.size() * self.board.size();
        if hint.len() != count.div_ceil(8) {
            return None;
        }
        bytes[..hint.len()].copy_from_slice(hint);
        let kept = Cells::from_le_bytes(bytes);
        if kept & !self.board.all() != 0 {
            return None;
        }
        let loser = self.side_of(holder).opponent();
        let given = !kept & self.board.all() & !self.board.stones(loser);
        (given != 0).then(|| self.with_given(loser, given))
    }

    /// The weaker position has every stone of the side that does not hold the value, and none of the
    /// holder's that is not here. What that side plays on a cell that it has been given there gains
    /// nothing, so any other cell will do: one stone more does not hurt it.
    fn stand_in(&self, weaker: &Hex, holder: Value, cell: Cell) -> Option<Cell> {
        let vacant = weaker.board.vacant();
        if vacant & cell.bit() != 0 {
            Some(cell)
        } else {
            (self.kind().goal() != holder).then(|| each(vacant).next()).flatten()
        }
    }
}

impl Hex {
    /// The same problem with `cells`, whatever is on them, given to `side`.
    pub(crate) fn with_given(&self, side: Side, cells: Cells) -> Hex {
        let mut board = self.board;
        board.clear(cells);
        board.fill(side, cells);
        let changed = Hex::new(board, self.to_move).with_attacker(self.attacker);
        Hex { shuffle: self.shuffle, ..changed }
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
            // By the stones and not by the key, so that recorded experiments outlive a change of keys.
            let half =
                |stones: Cells| mix64(stones as u64).wrapping_add(mix64((stones >> 64) as u64));
            let (black, white) = (self.board.stones(Side::Black), self.board.stones(Side::White));
            let here = mix64(mix64(half(black) ^ mix64(seed)).wrapping_sub(half(white)));
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
