//! Hex with knowledge: inferior cells are filled in, then virtual connections decide the position
//! or narrow the moves to the must-play region.
//!
//! What was seen in a position is remembered for a while, since a search asks for the same
//! position again and again: once as a child, then each time it is entered.

use std::collections::HashMap;
use std::fmt;

use andor::{
    Evaluation, Interrupted, Key, MoveList, NodeKind, Plies, Problem, Pulse, Repetition, Rules,
    Stop, Value,
};

use crate::board::{Cell, Cells, Side, each};
use crate::connections::{Found, search};
use crate::hex::Hex;
use crate::inferior::fill_in;

/// So many looks are remembered before all are forgotten. Higher: fewer positions are looked at
/// twice.
const REMEMBERED: usize = 1 << 16;

/// A [`Hex`] problem that knows virtual connections.
pub struct StrongHex {
    hex: Hex,
    remembered: HashMap<Key, Look>,
}

/// What is known of a position without searching it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// A side has won or has a winning connection.
    Won {
        /// That side.
        winner: Side,
        /// The vacant cells that it needs.
        carrier: Cells,
        /// A winning move, if the winner is to move and the game is not over.
        winning: Option<Cell>,
    },
    /// Not decided.
    Open {
        /// The moves among which there is a winning one, if there is any.
        candidates: Cells,
    },
}

impl StrongHex {
    /// Adds knowledge to a problem.
    pub fn new(hex: Hex) -> StrongHex {
        StrongHex { hex, remembered: HashMap::new() }
    }

    /// The problem without the knowledge.
    pub fn hex(&self) -> &Hex {
        &self.hex
    }

    /// Looks at the position, or remembers what was seen.
    pub fn look(&mut self) -> Look {
        match self.remembered.get(&self.hex.key()) {
            Some(look) => *look,
            None => self.look_within(&Pulse::new(Stop::new())).expect("nobody raises this flag"),
        }
    }

    /// The same, until the pulse says that it is enough. A look on a large board takes some tens of
    /// milliseconds.
    fn look_within(&mut self, pulse: &Pulse) -> Result<Look, Interrupted> {
        let key = self.hex.key();
        if let Some(look) = self.remembered.get(&key) {
            return Ok(*look);
        }
        let look = look_afresh(&self.hex, pulse)?;
        if self.remembered.len() == REMEMBERED {
            self.remembered.clear();
        }
        self.remembered.insert(key, look);
        Ok(look)
    }
}

/// Fills in, then looks for connections of the side to move and of its opponent.
fn look_afresh(hex: &Hex, pulse: &Pulse) -> Result<Look, Interrupted> {
    if let Some(winner) = hex.winner() {
        return Ok(Look::Won { winner, carrier: 0, winning: None });
    }
    let vacant = hex.board().vacant();
    let to_move = hex.to_move();
    let filled = fill_in(hex.board(), to_move);
    let board = &filled.board;
    // The filled cells that a connection of the side may rest on.
    let filled_for = |side| board.stones(side) & vacant;
    if let Some(winner) = board.winner() {
        return Ok(Look::Won {
            winner,
            carrier: filled_for(winner),
            winning: (winner == to_move).then(|| Cell(vacant.trailing_zeros() as u8)),
        });
    }
    if let Found::Connection { carrier, key } = search(board, to_move, true, pulse)? {
        let any = Cell(board.vacant().trailing_zeros() as u8);
        return Ok(Look::Won {
            winner: to_move,
            carrier: carrier | filled_for(to_move),
            winning: Some(key.unwrap_or(any)),
        });
    }
    Ok(match search(board, to_move.opponent(), false, pulse)? {
        Found::Connection { carrier, .. } => Look::Won {
            winner: to_move.opponent(),
            carrier: carrier | filled_for(to_move.opponent()),
            winning: None,
        },
        Found::Open { must_play } => Look::Open { candidates: must_play & !filled.pruned },
    })
}

/// The copy remembers nothing.
impl Clone for StrongHex {
    fn clone(&self) -> StrongHex {
        StrongHex::new(self.hex.clone())
    }
}

impl fmt::Debug for StrongHex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.hex)
    }
}

impl Rules for StrongHex {
    type Move = Cell;
    type Undo = Option<Side>;
    type Stock = ();
    type Identity = (Cells, Cells, Side);

    const REPETITION_MAY_FAVOUR_ATTACKER: bool = false;

    fn kind(&self) -> NodeKind {
        self.hex.kind()
    }
    fn repetition(&self) -> Repetition {
        self.hex.repetition()
    }
    fn terminal(&self) -> Option<Value> {
        self.hex.terminal()
    }
    fn legal_moves(&self, moves: &mut Vec<Cell>) {
        self.hex.legal_moves(moves);
    }
    fn play(&mut self, cell: Cell) -> Option<Side> {
        self.hex.play(cell)
    }
    fn undo(&mut self, cell: Cell, winner: Option<Side>) {
        self.hex.undo(cell, winner);
    }
    fn identity(&self) -> (Cells, Cells, Side) {
        self.hex.identity()
    }
    fn stock(&self) {}
    fn encode_move(cell: Cell) -> u32 {
        Hex::encode_move(cell)
    }
    fn describe_move(&self, cell: Cell) -> String {
        self.hex.describe_move(cell)
    }
    fn weakened(&self, holder: Value, hint: &[u8]) -> Option<StrongHex> {
        self.hex.weakened(holder, hint).map(StrongHex::new)
    }
    fn stand_in(&self, weaker: &StrongHex, holder: Value, cell: Cell) -> Option<Cell> {
        self.hex.stand_in(&weaker.hex, holder, cell)
    }
}

impl Problem for StrongHex {
    fn key(&self) -> Key {
        self.hex.key()
    }

    fn key_after(&mut self, cell: Cell) -> (Key, ()) {
        self.hex.key_after(cell)
    }

    /// A decided position has one winning move, or none worth searching.
    fn moves(&mut self, list: &mut MoveList<Cell>, _: &mut Vec<Cell>) {
        match self.look() {
            Look::Won { winning, .. } => {
                if let Some(cell) = winning {
                    list.push(cell);
                }
            }
            Look::Open { candidates } => {
                for cell in each(candidates) {
                    list.push(cell);
                }
            }
        }
    }

    /// A candidate may lead to a quicker end than a move that is left out.
    fn prunes(&self) -> bool {
        true
    }

    fn prepare(&mut self, pulse: &Pulse) -> Result<(), Interrupted> {
        self.look_within(pulse).map(drop)
    }

    fn looks_long(&self) -> bool {
        true
    }

    /// An open position counts its candidate moves as what is left to refute.
    fn evaluate(&mut self) -> Evaluation<()> {
        match self.look() {
            Look::Won { winner, .. } => Evaluation::Solved {
                value: self.hex.value_of_win(winner),
                stock: (),
                plies: match self.hex.winner() {
                    Some(_) => Plies::NONE,
                    None => Plies::at_most(self.hex.board().vacant().count_ones() as u16),
                },
                nodes: 0,
            },
            Look::Open { candidates } => {
                let count = candidates.count_ones().max(1);
                let (pn, dn) = match self.hex.kind() {
                    NodeKind::Or => (1, count),
                    NodeKind::And => (count, 1),
                };
                Evaluation::Open { pn, dn, nodes: 0 }
            }
        }
    }

    /// Everything that the winning connection does not need goes to the loser: vacant cells outside
    /// its carrier, then the winner's own groups one by one, then single cells, as long as a
    /// connection is still seen. Positions that differ in what neither needs become the same.
    fn weakening(&mut self, value: Value, pulse: &Pulse) -> Result<Option<Vec<u8>>, Interrupted> {
        let winner = self.hex.side_of(value);
        let carrier_of = |look| match look {
            Look::Won { winner: side, carrier, .. } if side == winner => Some(carrier),
            _ => None,
        };
        let Some(mut carrier) = carrier_of(self.look_within(pulse)?) else { return Ok(None) };
        let board = *self.hex.board();
        let (vacant, own) = (board.vacant(), board.stones(winner));
        let mut given = 0;
        let mut give = |cells: Cells, carrier: &mut Cells| {
            let worse = self.hex.with_given(winner.opponent(), given | cells);
            if let Some(smaller) = carrier_of(look_afresh(&worse, pulse)?) {
                given |= cells;
                *carrier = smaller;
            }
            Ok(())
        };
        let spare = vacant & !carrier;
        if spare != 0 {
            give(spare, &mut carrier)?;
        }
        let mut groups = own;
        while groups != 0 {
            let group = board.flood(groups & groups.wrapping_neg(), own);
            groups &= !group;
            give(group, &mut carrier)?;
        }
        let mut untried = vacant & !spare;
        while untried != 0 {
            let outside = untried & !carrier;
            let cells = if outside != 0 { outside } else { untried & untried.wrapping_neg() };
            untried &= !cells;
            give(cells, &mut carrier)?;
        }
        Ok((given != 0).then(|| self.hex.hint(board.all() & !given)))
    }
}
