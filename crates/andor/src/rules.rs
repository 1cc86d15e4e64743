//! The law of a game: all that a certificate checker may use.
//!
//! [`Rules`] says who is to move, which moves are legal, what they lead to and when the game is
//! over. It holds no heuristic and no hash key, so a verdict that was re-checked with it rests on
//! the game's rules alone. Searches need more and ask for a [`Problem`](crate::Problem).

use std::fmt::{self, Debug};
use std::hash::Hash;
use std::str::FromStr;

/// Whose turn it is, seen from the side that wants to prove something (the attacker).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum NodeKind {
    /// The attacker is to move: one proven child is enough.
    Or,
    /// The defender is to move: every child must be proven.
    And,
}

/// The value of a solved node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Value {
    /// The attacker reaches the goal whatever the defender does.
    Proven,
    /// The defender can keep the attacker from the goal.
    Disproven,
}

impl NodeKind {
    /// The value that this side to move wants.
    pub fn goal(self) -> Value {
        match self {
            NodeKind::Or => Value::Proven,
            NodeKind::And => Value::Disproven,
        }
    }
}

impl Value {
    /// The opposite value.
    pub fn other(self) -> Value {
        match self {
            Value::Proven => Value::Disproven,
            Value::Disproven => Value::Proven,
        }
    }
}

/// `proven` or `disproven`, as certificates have it.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Value::Proven => "proven",
            Value::Disproven => "disproven",
        })
    }
}

/// A word is neither `proven` nor `disproven`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a value is `proven` or `disproven`")]
pub struct NoValue;

impl FromStr for Value {
    type Err = NoValue;

    fn from_str(word: &str) -> Result<Value, NoValue> {
        match word {
            "proven" => Ok(Value::Proven),
            "disproven" => Ok(Value::Disproven),
            _ => Err(NoValue),
        }
    }
}

/// Which side a repeated position favours.
///
/// With a rule for repetition, the value of a position is a fixpoint and does not depend on how the
/// position was reached: under `FavoursDefender` the attacker must win in finitely many moves (the
/// least fixpoint), under `FavoursAttacker` the defender must refute in finitely many (the
/// greatest).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Repetition {
    /// No line of play can repeat a position (Othello, Hex): repetition is not looked for.
    Never,
    /// A repeated position counts as disproven (tsume-shogi).
    FavoursDefender,
    /// A repeated position counts as proven.
    FavoursAttacker,
}

impl Repetition {
    /// The value that a repeated position takes. Where positions never repeat, either would do; the
    /// defender's is taken.
    pub fn value(self) -> Value {
        match self {
            Repetition::Never | Repetition::FavoursDefender => Value::Disproven,
            Repetition::FavoursAttacker => Value::Proven,
        }
    }
}

/// A monotone resource of the attacker: with the same board, more of it never hurts the attacker.
///
/// In tsume-shogi it is the attacker's hand. Games without such a resource use `()`.
/// Stocks form a lattice under "no more of anything than".
pub trait Stock: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// Is there no more of anything here than in `other`?
    fn within(self, other: Self) -> bool;
    /// The least stock that both are within.
    fn join(self, other: Self) -> Self;
    /// The greatest stock within both.
    fn meet(self, other: Self) -> Self;
    /// Packs the stock into the 32 bits that a table entry has for it.
    fn pack(self) -> u32;
    /// The inverse of [`pack`](Stock::pack).
    fn unpack(bits: u32) -> Self;
}

impl Stock for () {
    fn within(self, _: ()) -> bool {
        true
    }
    fn join(self, _: ()) {}
    fn meet(self, _: ()) {}
    fn pack(self) -> u32 {
        0
    }
    fn unpack(_: u32) {}
}

/// The rules of a two-player game with a yes-or-no question, and a position in it.
///
/// A position where the side to move has no legal move is lost for that side: disproven at an OR
/// node, proven at an AND node. Sides need not alternate (a forced pass can be folded into the move
/// before it).
pub trait Rules: Clone + Send + Sync {
    /// A move.
    type Move: Copy + Eq + Debug + Send;
    /// What [`undo`](Rules::undo) needs to take a move back.
    type Undo;
    /// The attacker's monotone resource, `()` where there is none.
    type Stock: Stock;
    /// What tells two positions apart exactly: the board and the side to move, but not the stock.
    type Identity: Eq + Hash + Clone;

    /// Can a repeated position favour the attacker in some problem of this kind? A game that says `false`
    /// spares the compiler every search of its [`Mirror`](crate::Mirror), which is half of them all.
    const REPETITION_MAY_FAVOUR_ATTACKER: bool = true;

    /// Whose turn it is.
    fn kind(&self) -> NodeKind;

    /// Which side a repeated position favours. The same for all positions of one problem.
    fn repetition(&self) -> Repetition;

    /// The value of a position in which the game is over. A side to move that merely has no legal
    /// move need not be reported here.
    fn terminal(&self) -> Option<Value>;

    /// Appends every legal move, in an order that depends on the position alone.
    /// Not called on terminal positions.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// Plays a legal move.
    fn play(&mut self, m: Self::Move) -> Self::Undo;

    /// Takes back the move played last.
    fn undo(&mut self, m: Self::Move, undo: Self::Undo);

    /// The exact identity of the position, without the stock.
    fn identity(&self) -> Self::Identity;

    /// The attacker's stock.
    fn stock(&self) -> Self::Stock;

    /// A number for a move, unique among the legal moves of a position.
    fn encode_move(m: Self::Move) -> u32;

    /// How people write the move in this position.
    fn describe_move(&self, m: Self::Move) -> String;

    /// The same position made worse for the side that wants `holder`, as told by `hint`, or `None`
    /// where the hint makes no sense here. Certificates use it to leave out what does not matter;
    /// games that know no such theorem keep the default.
    ///
    /// Hints come from certificates, which anybody may have written. So for **every** hint, not only
    /// for those of [`weakening`](crate::Problem::weakening), it must be a theorem of the game:
    /// what that side reaches in the worse position (a proof within so many plies, or a disproof) it
    /// reaches in this one (within no more). Attacker, side to move and rule of repetition stay as
    /// they are, and no hint is a reason to panic.
    fn weakened(&self, holder: Value, hint: &[u8]) -> Option<Self> {
        let _ = (holder, hint);
        None
    }

    /// A move in `weaker` that stands for `m` here, or `None` where there is none. `weaker` is worse
    /// than this position for the side that wants `holder`: [weakened](Rules::weakened), or come from
    /// that by moves and what stands for them. It must be a theorem of the game that `weaker` after
    /// that move is worse than this position after `m`, in the same sense; and for every legal move of
    /// the other side there must be one, as long as `weaker` is not over. So a play can be followed in
    /// a certificate that speaks of weaker positions. The default is the move itself; where it is not
    /// legal in `weaker`, that means none.
    fn stand_in(&self, weaker: &Self, holder: Value, m: Self::Move) -> Option<Self::Move> {
        let _ = (weaker, holder);
        Some(m)
    }
}
