//! What a search asks of a game: [`Problem`], the rules plus a hash key, and optional powers.
//!
//! The trait is monomorphised into every search, so a power that a game does not use costs nothing:
//! its default is inlined away. A complete small game, Nim with one heap (take one, two or three;
//! whoever cannot move loses):
//!
//! ```
//! use andor::{Key, NodeKind, Problem, Repetition, Rules, Settings, Value, solve};
//!
//! #[derive(Clone)]
//! struct Nim { heap: u8, kind: NodeKind }
//!
//! impl Rules for Nim {
//!     type Move = u8;
//!     type Undo = ();
//!     type Stock = ();
//!     type Identity = (u8, NodeKind);
//!
//!     fn kind(&self) -> NodeKind { self.kind }
//!     fn repetition(&self) -> Repetition { Repetition::Never }
//!     fn terminal(&self) -> Option<Value> { None } // no move left: lost for the side to move
//!     fn legal_moves(&self, moves: &mut Vec<u8>) { moves.extend(1..=self.heap.min(3)) }
//!     fn play(&mut self, take: u8) { self.heap -= take; self.kind = self.kind.opponent(); }
//!     fn undo(&mut self, take: u8, _: ()) { self.heap += take; self.kind = self.kind.opponent(); }
//!     fn identity(&self) -> (u8, NodeKind) { (self.heap, self.kind) }
//!     fn stock(&self) {}
//!     fn encode_move(take: u8) -> u32 { take.into() }
//!     fn describe_move(&self, take: u8) -> String { format!("take {take}") }
//! }
//!
//! impl Problem for Nim {
//!     fn key(&self) -> Key { Key::of(&self.identity()) }
//! }
//!
//! let heap = |heap| Nim { heap, kind: NodeKind::Or };
//! assert_eq!(solve(heap(7), &Settings::default()).value(), Some(Value::Proven));
//! assert_eq!(solve(heap(8), &Settings::default()).value(), Some(Value::Disproven));
//! ```

use std::hash::{Hash, Hasher};

use crate::plies::Plies;
use crate::pulse::{Interrupted, Pulse};
use crate::rules::{NodeKind, Rules, Stock, Value};

impl NodeKind {
    /// The other kind.
    pub fn opponent(self) -> NodeKind {
        match self {
            NodeKind::Or => NodeKind::And,
            NodeKind::And => NodeKind::Or,
        }
    }
}

/// A 128-bit hash of a position without its stock. The table finds the place of an entry with the
/// low half and stores the whole high half, so two positions are mixed up only if the high halves
/// agree and the low halves fall into one cluster: at least 80 bits for any table of 8 MiB or more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default, PartialOrd, Ord)]
pub struct Key(pub u128);

impl Key {
    /// A key from anything hashable: convenient, and fast enough for small games.
    pub fn of<T: Hash>(what: &T) -> Key {
        let mut low = Mixer(0x9e37_79b9_7f4a_7c15);
        let mut high = Mixer(0xd1b5_4a32_d192_ed03);
        what.hash(&mut low);
        what.hash(&mut high);
        Key::from_halves(low.finish(), high.finish())
    }

    /// A key from two well-mixed and independent halves.
    pub fn from_halves(low: u64, high: u64) -> Key {
        Key((high as u128) << 64 | low as u128)
    }

    /// The half that chooses the place in the table.
    pub fn low(self) -> u64 {
        self.0 as u64
    }

    /// The half that is stored.
    pub fn high(self) -> u64 {
        (self.0 >> 64) as u64
    }
}

/// A finaliser that spreads every input bit over the word (Steele, Lea and Flood's SplitMix, 2014).
pub const fn mix64(mut x: u64) -> u64 {
    x ^= x >> 30;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 27;
    x = x.wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        mix64(self.0)
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word) ^ ((chunk.len() as u64) << 56));
        }
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = mix64(self.0.rotate_left(5) ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
    }
}

/// What a game can say of a position without searching it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation<S> {
    /// The position is decided: the game is over, or the game sees how it ends.
    Solved {
        /// The value.
        value: Value,
        /// Proven: a stock that suffices. Disproven: the largest stock that does not help.
        /// The position's own stock is always right.
        stock: S,
        /// Within how many plies the value is reached ([`Plies::UNBOUNDED`](crate::Plies::UNBOUNDED) where that
        /// is not known). An upper bound will do.
        plies: Plies,
        /// How many positions the game visited to find out.
        nodes: u32,
    },
    /// Not decided: first proof and disproof numbers (`H_pn`, `H_dn` of df-pn⁺), at least 1.
    Open {
        /// First proof number.
        pn: u32,
        /// First disproof number.
        dn: u32,
        /// How many positions the game visited to find out (0 for a mere look).
        nodes: u32,
    },
}

impl<S> Evaluation<S> {
    /// How many positions the game visited to find out.
    pub fn nodes(&self) -> u32 {
        match self {
            Evaluation::Solved { nodes, .. } | Evaluation::Open { nodes, .. } => *nodes,
        }
    }
}

/// The moves of a node, as a search wants them: likely ones first, and with *late* moves. A late
/// move is opened only when the move before it is settled against the side to move; until then the
/// move before stands for it. Shogi chains interpositions on one square this way.
#[derive(Debug)]
pub struct MoveList<M> {
    pub(crate) moves: Vec<(M, bool)>,
}

impl<M> Default for MoveList<M> {
    fn default() -> Self {
        MoveList { moves: Vec::new() }
    }
}

impl<M: Copy> MoveList<M> {
    /// Adds a move.
    pub fn push(&mut self, m: M) {
        self.moves.push((m, false));
    }

    /// Adds a move that waits until the one added before it is settled.
    pub fn push_late(&mut self, m: M) {
        let late = !self.moves.is_empty();
        self.moves.push((m, late));
    }
}

/// A game as searches see it.
pub trait Problem: Rules {
    /// The hash key of the position, without its stock.
    fn key(&self) -> Key;

    /// The key and stock after a move. Games with incremental keys can answer without playing it.
    fn key_after(&mut self, m: Self::Move) -> (Key, Self::Stock) {
        let undo = self.play(m);
        let answer = (self.key(), self.stock());
        self.undo(m, undo);
        answer
    }

    /// The moves worth searching, best first. A move may be left out only if it is certain that
    /// it changes neither the node's value nor the length of a solution (see
    /// [`prunes`](Problem::prunes)). `scratch` is an empty buffer for the game's use.
    fn moves(&mut self, list: &mut MoveList<Self::Move>, scratch: &mut Vec<Self::Move>) {
        self.legal_moves(scratch);
        for &m in scratch.iter() {
            list.push(m);
        }
    }

    /// Does [`moves`](Problem::moves) leave out moves that matter for the length of a solution,
    /// though not for the value? Then proofs carry no length, and a search for proofs of bounded
    /// length does without the game's knowledge. Only for games in which positions never repeat.
    fn prunes(&self) -> bool {
        false
    }

    /// Works out what [`evaluate`](Problem::evaluate) and [`moves`](Problem::moves) will have to
    /// know of this position, where that may take more than a millisecond, and asks `pulse` now and
    /// then whether to go on. If not, the game is left as if this had not been called: half of an
    /// answer is remembered nowhere. A search calls it before either of the two; without it they take
    /// as long as they take.
    fn prepare(&mut self, pulse: &Pulse) -> Result<(), Interrupted> {
        let _ = pulse;
        Ok(())
    }

    /// A look at a position that was never searched. The default knows finished games only.
    fn evaluate(&mut self) -> Evaluation<Self::Stock> {
        match self.terminal() {
            Some(value) => {
                Evaluation::Solved { value, stock: self.stock(), plies: Plies::NONE, nodes: 0 }
            }
            None => Evaluation::Open { pn: 1, dn: 1, nodes: 0 },
        }
    }

    /// Does [`evaluate`](Problem::evaluate) take long: tens of microseconds and more, so that it is
    /// worth a look into memory that others write to? Then the agents of a team tell each other what
    /// it said.
    fn looks_long(&self) -> bool {
        false
    }

    /// A position after any move from here which [`evaluate`](Problem::evaluate) leaves open takes at
    /// least so many plies to prove. Searches for short proofs need not enter it with less.
    fn open_takes(&self) -> u16 {
        0
    }

    /// The lengths of all proofs of one position differ by multiples of this: 2 where the sides move in
    /// turn and it is always the defender who is to move at the end. So nothing is asked of the lengths
    /// between.
    fn length_step(&self) -> u16 {
        1
    }

    /// What playing `m` adds to the child's proof and disproof number until the child is solved
    /// (`Cost_pn`, `Cost_dn` of df-pn⁺).
    fn cost(&self, m: Self::Move) -> (u32, u32) {
        let _ = m;
        (0, 0)
    }

    /// A hint for [`Rules::weakened`] by which a position that [`evaluate`](Problem::evaluate)
    /// calls `value` keeps that value and gets a shorter certificate. Asks `pulse` now and then, like
    /// [`prepare`](Problem::prepare).
    fn weakening(&mut self, value: Value, pulse: &Pulse) -> Result<Option<Vec<u8>>, Interrupted> {
        let _ = (value, pulse);
        Ok(None)
    }

    /// The least stock with which `m` can be played here and leaves at least `after`.
    fn proof_stock_before(&self, m: Self::Move, after: Self::Stock) -> Self::Stock {
        let _ = m;
        after
    }

    /// The greatest stock with which `m`, played here, leaves at most `after`; for a move of the
    /// defender, also the greatest with which he can play it.
    fn disproof_stock_before(&self, m: Self::Move, after: Self::Stock) -> Self::Stock {
        let _ = m;
        after
    }

    /// At an AND node all of whose moves are proven with `joined`: the stock that is needed so that
    /// the defender has no further move (with less, he might).
    fn proof_stock_here(&self, joined: Self::Stock) -> Self::Stock {
        joined
    }

    /// At an OR node all of whose moves are disproven with `met`: the largest stock within it with
    /// which the attacker has no further move.
    fn disproof_stock_here(&self, met: Self::Stock) -> Self::Stock {
        met
    }

    /// The stock of an OR node without moves, before
    /// [`disproof_stock_here`](Problem::disproof_stock_here): as large as the game allows.
    fn largest_stock(&self) -> Self::Stock {
        self.stock()
    }

    /// The stock of an AND node without moves, before
    /// [`proof_stock_here`](Problem::proof_stock_here): as small as the game allows.
    fn least_stock(&self) -> Self::Stock {
        self.stock()
    }
}

/// Is a proven entry with stock `entry` an answer for `asked`, or a disproven one?
pub(crate) fn answers<S: Stock>(value: Value, entry: S, asked: S) -> bool {
    match value {
        Value::Proven => entry.within(asked),
        Value::Disproven => asked.within(entry),
    }
}
