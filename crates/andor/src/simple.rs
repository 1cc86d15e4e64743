//! The short way to a game: four functions, and positions that are copied.
//!
//! A [`Game`] says who is to move, when it is over, which moves there are and what they lead to;
//! [`Simple`] makes a [`Problem`] of it, with everything that follows from these. Every move copies
//! the position, and every key hashes it, so a game that is searched much had better implement
//! [`Rules`] and [`Problem`] itself. `examples/tic-tac-toe` is a whole program.
//!
//! ```
//! use andor::simple::{Game, Simple};
//! use andor::{NodeKind, Settings, Value, solve};
//!
//! /// Nim with one heap: take one, two or three; whoever cannot move loses.
//! #[derive(Clone, Debug, PartialEq, Eq, Hash)]
//! struct Nim { heap: u8, kind: NodeKind }
//!
//! impl Game for Nim {
//!     type Move = u8;
//!     fn kind(&self) -> NodeKind { self.kind }
//!     fn over(&self) -> Option<Value> { None }
//!     fn moves(&self) -> Vec<u8> { (1..=self.heap.min(3)).collect() }
//!     fn after(&self, take: u8) -> Nim { Nim { heap: self.heap - take, kind: self.kind.opponent() } }
//! }
//!
//! let nim = Simple(Nim { heap: 7, kind: NodeKind::Or });
//! andor::audit(&nim, 10)?;
//! assert_eq!(solve(nim, &Settings::default()).value(), Some(Value::Proven));
//! # Ok::<(), andor::audit::Breach>(())
//! ```

use std::fmt::Debug;
use std::hash::Hash;

use crate::problem::{Key, Problem};
use crate::rules::{NodeKind, Repetition, Rules, Value};

/// A game that is told by its positions. Two positions that are equal are the same for the game.
pub trait Game: Clone + Eq + Hash + Debug + Send + Sync {
    /// A move: a number of its own among the moves of a position, or something that becomes one.
    type Move: Copy + Eq + Debug + Send + Into<u32>;

    /// Which side a repeated position favours. Where none can repeat,
    /// [`Never`](Repetition::Never) spares the search looking for it.
    const REPETITION: Repetition = Repetition::FavoursDefender;

    /// Whose turn it is.
    fn kind(&self) -> NodeKind;

    /// The value of a position in which the game is over. A side that has no move has lost, and
    /// need not be reported here.
    fn over(&self) -> Option<Value>;

    /// Every legal move, in an order that depends on the position alone.
    fn moves(&self) -> Vec<Self::Move>;

    /// The position after a legal move.
    fn after(&self, m: Self::Move) -> Self;
}

/// A [`Game`] as a [`Problem`].
#[derive(Clone, Debug)]
pub struct Simple<G>(pub G);

impl<G: Game> Rules for Simple<G> {
    type Move = G::Move;
    type Undo = G;
    type Stock = ();
    type Identity = G;

    fn kind(&self) -> NodeKind {
        self.0.kind()
    }
    fn repetition(&self) -> Repetition {
        G::REPETITION
    }
    fn terminal(&self) -> Option<Value> {
        self.0.over()
    }
    fn legal_moves(&self, moves: &mut Vec<G::Move>) {
        moves.extend(self.0.moves());
    }
    fn play(&mut self, m: G::Move) -> G {
        let after = self.0.after(m);
        std::mem::replace(&mut self.0, after)
    }
    fn undo(&mut self, _: G::Move, before: G) {
        self.0 = before;
    }
    fn identity(&self) -> G {
        self.0.clone()
    }
    fn stock(&self) {}
    fn encode_move(m: G::Move) -> u32 {
        m.into()
    }
    fn describe_move(&self, m: G::Move) -> String {
        format!("{m:?}")
    }
}

impl<G: Game> Problem for Simple<G> {
    fn key(&self) -> Key {
        Key::of(&self.0)
    }
}
