//! Terminal positions that are recognised only when they are expanded.
//!
//! PN-search can look at a position when it is created or when it is expanded (Allis calls these
//! immediate and delayed evaluation). The DeepPN paper does the latter: in its Fig. 2 finished
//! games are frontier nodes with proof number 1, "and if we try to expand these nodes, then the
//! game value of each node is known" (§3.1). That choice is what the deep value thrives on: with
//! immediate evaluation the proof numbers already say where the game ends, with delayed evaluation
//! only the depth does.
//!
//! [`Delayed`] turns a game into one of that kind without touching the search. A finished game
//! looks like any other frontier node, with the loser to move; it has no moves, and a side without
//! moves has lost.

use andor::{Key, MoveList, NodeKind, Problem, Repetition, Rules, Value};

/// A game whose finished positions look open until they are expanded.
#[derive(Clone, Debug)]
pub struct Delayed<P>(pub P);

impl<P: Rules> Rules for Delayed<P> {
    type Move = P::Move;
    type Undo = P::Undo;
    type Stock = P::Stock;
    type Identity = P::Identity;

    const REPETITION_MAY_FAVOUR_ATTACKER: bool = P::REPETITION_MAY_FAVOUR_ATTACKER;

    fn kind(&self) -> NodeKind {
        match self.0.terminal() {
            Some(Value::Proven) => NodeKind::And,
            Some(Value::Disproven) => NodeKind::Or,
            None => self.0.kind(),
        }
    }

    fn repetition(&self) -> Repetition {
        self.0.repetition()
    }

    fn terminal(&self) -> Option<Value> {
        None
    }

    fn legal_moves(&self, moves: &mut Vec<P::Move>) {
        if self.0.terminal().is_none() {
            self.0.legal_moves(moves);
        }
    }

    fn play(&mut self, m: P::Move) -> P::Undo {
        self.0.play(m)
    }

    fn undo(&mut self, m: P::Move, undo: P::Undo) {
        self.0.undo(m, undo);
    }

    fn identity(&self) -> P::Identity {
        self.0.identity()
    }

    fn stock(&self) -> P::Stock {
        self.0.stock()
    }

    fn encode_move(m: P::Move) -> u32 {
        P::encode_move(m)
    }

    fn describe_move(&self, m: P::Move) -> String {
        self.0.describe_move(m)
    }
}

/// The game's move order, and none of its other knowledge.
impl<P: Problem> Problem for Delayed<P> {
    fn key(&self) -> Key {
        self.0.key()
    }

    fn moves(&mut self, list: &mut MoveList<P::Move>, scratch: &mut Vec<P::Move>) {
        if self.0.terminal().is_none() {
            self.0.moves(list, scratch);
        }
    }
}
