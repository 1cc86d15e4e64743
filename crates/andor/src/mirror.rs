//! A problem with the roles exchanged.
//!
//! Searches and certificates know one rule of repetition: it favours the defender. A problem in
//! which it favours the attacker is the same problem seen from the other side: the defender becomes
//! the attacker, proven becomes disproven, and more stock becomes less. [`Mirror`] is that view;
//! [`search`](crate::search()) and [`certificate`](crate::certificate) put it on by themselves.

use crate::problem::{Evaluation, Key, MoveList, Problem};
use crate::pulse::{Interrupted, Pulse};
use crate::rules::{NodeKind, Repetition, Rules, Stock, Value};

/// A problem seen from the defender's side.
#[derive(Clone, Debug)]
pub struct Mirror<P>(pub P);

/// A stock in reversed order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Reversed<S>(pub S);

impl<S: Stock> Stock for Reversed<S> {
    fn within(self, other: Self) -> bool {
        other.0.within(self.0)
    }
    fn join(self, other: Self) -> Self {
        Reversed(self.0.meet(other.0))
    }
    fn meet(self, other: Self) -> Self {
        Reversed(self.0.join(other.0))
    }
    fn pack(self) -> u32 {
        self.0.pack()
    }
    fn unpack(bits: u32) -> Self {
        Reversed(S::unpack(bits))
    }
}

impl<P: Rules> Rules for Mirror<P> {
    type Move = P::Move;
    type Undo = P::Undo;
    type Stock = Reversed<P::Stock>;
    type Identity = P::Identity;

    fn kind(&self) -> NodeKind {
        self.0.kind().opponent()
    }
    fn repetition(&self) -> Repetition {
        match self.0.repetition() {
            Repetition::Never => Repetition::Never,
            Repetition::FavoursDefender => Repetition::FavoursAttacker,
            Repetition::FavoursAttacker => Repetition::FavoursDefender,
        }
    }
    fn terminal(&self) -> Option<Value> {
        self.0.terminal().map(Value::other)
    }
    fn legal_moves(&self, moves: &mut Vec<P::Move>) {
        self.0.legal_moves(moves);
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
    fn stock(&self) -> Self::Stock {
        Reversed(self.0.stock())
    }
    fn encode_move(m: P::Move) -> u32 {
        P::encode_move(m)
    }
    fn describe_move(&self, m: P::Move) -> String {
        self.0.describe_move(m)
    }
    fn weakened(&self, holder: Value, hint: &[u8]) -> Option<Self> {
        self.0.weakened(holder.other(), hint).map(Mirror)
    }
    fn stand_in(&self, weaker: &Self, holder: Value, m: P::Move) -> Option<P::Move> {
        self.0.stand_in(&weaker.0, holder.other(), m)
    }
}

impl<P: Problem> Problem for Mirror<P> {
    fn key(&self) -> Key {
        self.0.key()
    }
    fn key_after(&mut self, m: P::Move) -> (Key, Self::Stock) {
        let (key, stock) = self.0.key_after(m);
        (key, Reversed(stock))
    }
    fn moves(&mut self, list: &mut MoveList<P::Move>, scratch: &mut Vec<P::Move>) {
        self.0.moves(list, scratch);
    }
    fn prunes(&self) -> bool {
        self.0.prunes()
    }
    fn prepare(&mut self, pulse: &Pulse) -> Result<(), Interrupted> {
        self.0.prepare(pulse)
    }
    fn evaluate(&mut self) -> Evaluation<Self::Stock> {
        match self.0.evaluate() {
            Evaluation::Solved { value, stock, plies, nodes } => {
                Evaluation::Solved { value: value.other(), stock: Reversed(stock), plies, nodes }
            }
            Evaluation::Open { pn, dn, nodes } => Evaluation::Open { pn: dn, dn: pn, nodes },
        }
    }
    fn length_step(&self) -> u16 {
        self.0.length_step()
    }

    fn looks_long(&self) -> bool {
        self.0.looks_long()
    }
    fn cost(&self, m: P::Move) -> (u32, u32) {
        let (pn, dn) = self.0.cost(m);
        (dn, pn)
    }
    fn weakening(&mut self, value: Value, pulse: &Pulse) -> Result<Option<Vec<u8>>, Interrupted> {
        self.0.weakening(value.other(), pulse)
    }
    fn proof_stock_before(&self, m: P::Move, after: Self::Stock) -> Self::Stock {
        Reversed(self.0.disproof_stock_before(m, after.0))
    }
    fn disproof_stock_before(&self, m: P::Move, after: Self::Stock) -> Self::Stock {
        Reversed(self.0.proof_stock_before(m, after.0))
    }
    fn proof_stock_here(&self, joined: Self::Stock) -> Self::Stock {
        Reversed(self.0.disproof_stock_here(joined.0))
    }
    fn disproof_stock_here(&self, met: Self::Stock) -> Self::Stock {
        Reversed(self.0.proof_stock_here(met.0))
    }
    fn largest_stock(&self) -> Self::Stock {
        Reversed(self.0.least_stock())
    }
    fn least_stock(&self) -> Self::Stock {
        Reversed(self.0.largest_stock())
    }
}
