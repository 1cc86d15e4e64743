//! Mates as a [`Problem`]: the attacker is to mate, whatever the defender plays.
//!
//! The attacker may play any move ([`Goal::Mate`]) or must give check with every move
//! ([`Goal::Checks`]). The defender has reached what he wants by stalemate, by leaving the attacker
//! with a bare king, and by a play that never ends: repetition favours him. The fifty-move rule is
//! not part of the question, so two positions that differ in their counters alone are one.
//!
//! With any move allowed a position of the attacker has some 35 children, and df-pn⁺ lives on its
//! first numbers:
//!
//! * Attacker to move: a mate in one is seen at once. Else the proof number grows with the squares
//!   that the king can flee to, the disproof number is the number of checks.
//! * Defender to move: the proof number is that of his replies. So checks and moves that confine
//!   him come first by themselves, without being told apart from others.
//! * A quiet move mostly leaves him dozens of replies, but if it threatens mate in one (found with
//!   the attacker to move again: a null move), all but a few of these lose at once. Then the number
//!   is divided by `THREAT`. This one look turns quiet keys from hopeless to easy; values from 4
//!   to 8 serve alike.

use std::fmt;

use andor::{Evaluation, Key, MoveList, NodeKind, Plies, Problem, Repetition, Rules, Value, mix64};
use cozy_chess::{Board, Color, Move, Piece};

use crate::checks;
use crate::position::{Identity, Position};

/// What the replies to a quiet move that threatens mate are divided by.
const THREAT: u32 = 5;

/// What the attacker may play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum Goal {
    /// Any move.
    #[default]
    Mate,
    /// Moves that give check.
    Checks,
}

/// A position in which the attacker is to mate.
#[derive(Clone, Debug)]
pub struct Mates {
    position: Position,
    attacker: Color,
    goal: Goal,
    /// Tells problems with different attackers or goals apart in one table.
    salt: u128,
}

impl Mates {
    /// The side to move is to mate.
    pub fn new(position: &Position, goal: Goal) -> Mates {
        Mates::with_attacker(position, position.side_to_move(), goal)
    }

    /// A problem with the attacker named.
    pub fn with_attacker(position: &Position, attacker: Color, goal: Goal) -> Mates {
        let low = mix64(0x6d61_7465 + attacker as u64 * 2 + goal as u64);
        let salt = u128::from(mix64(low)) << 64 | u128::from(low);
        Mates { position: position.clone(), attacker, goal, salt }
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The side that is to mate.
    pub fn attacker(&self) -> Color {
        self.attacker
    }

    /// What the attacker may play.
    pub fn goal(&self) -> Goal {
        self.goal
    }

    fn board(&self) -> &Board {
        self.position.board()
    }

    /// Every legal move, as the board yields them.
    fn generate(&self, moves: &mut Vec<Move>) {
        if self.attacks() && self.goal == Goal::Checks {
            checks::each_check(self.board(), |m, _| {
                moves.push(m);
                false
            });
        } else {
            self.board().generate_moves(|set| {
                moves.extend(set);
                false
            });
        }
    }

    fn attacks(&self) -> bool {
        self.position.side_to_move() == self.attacker
    }

    /// The low half comes from the board's own hash, which knows the side to move and castling; the
    /// high half from the board itself, each set of pieces mixed on its own.
    fn key_of(&self, position: &Position) -> Key {
        let board = position.board();
        let passed = position.en_passant().map_or(0, |square| mix64(square as u64 + 1));
        let low = mix64(board.hash_without_ep() ^ passed);
        let white = board.colors(Color::White).0;
        let sets = Piece::ALL.iter().map(|&piece| board.pieces(piece).0).chain([white]);
        let high = (1..).zip(sets).fold(low, |sum: u64, (number, set)| {
            sum.wrapping_add(mix64(set ^ u64::wrapping_mul(number, 0x9e37_79b9_7f4a_7c15)))
        });
        Key(Key::from_halves(low, mix64(high)).0 ^ self.salt)
    }

    /// With the defender to move: mate, no mate any more, or numbers.
    fn look_at_replies(&self) -> Evaluation<()> {
        let (board, check) = (self.board(), self.position.in_check());
        let mut replies = 0;
        board.generate_moves(|set| {
            replies += set.len() as u32;
            false
        });
        let pn = match (replies, check) {
            (0, true) => return solved(Value::Proven, Plies::NONE),
            (0, false) => return solved(Value::Disproven, Plies::UNBOUNDED),
            (_, true) => replies + 1,
            (_, false) if self.threatens_mate() => (replies + 1).div_ceil(THREAT),
            (_, false) => replies + 1 + replies / 4,
        };
        Evaluation::Open { pn, dn: 1, nodes: 0 }
    }

    /// With the defender to move and not in check: would a second move of the attacker mate?
    fn threatens_mate(&self) -> bool {
        self.board().null_move().is_some_and(|next| checks::mate_in_one(&next).is_ok())
    }

    /// With the attacker to move: mate in one, no check left, or numbers.
    fn look_at_attack(&self) -> Evaluation<()> {
        match checks::mate_in_one(self.board()) {
            Ok(_) => solved(Value::Proven, Plies::at_most(1)),
            Err(0) if self.goal == Goal::Checks => solved(Value::Disproven, Plies::UNBOUNDED),
            Err(checks) => {
                let pn = 1 + checks::flights(self.board(), !self.attacker);
                Evaluation::Open { pn, dn: checks.max(1), nodes: 0 }
            }
        }
    }
}

fn solved(value: Value, plies: Plies) -> Evaluation<()> {
    Evaluation::Solved { value, stock: (), plies, nodes: 0 }
}

impl fmt::Display for Mates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:?} by {:?})", self.position, self.goal, self.attacker)
    }
}

impl Rules for Mates {
    type Move = Move;
    type Undo = Position;
    type Stock = ();
    type Identity = Identity;

    const REPETITION_MAY_FAVOUR_ATTACKER: bool = false;

    fn kind(&self) -> NodeKind {
        if self.attacks() { NodeKind::Or } else { NodeKind::And }
    }

    fn repetition(&self) -> Repetition {
        Repetition::FavoursDefender
    }

    fn terminal(&self) -> Option<Value> {
        let bare = self.board().colors(self.attacker).len() == 1;
        let is_over = bare
            || !(self.attacks() || self.position.in_check())
                && (self.goal == Goal::Checks || !self.board().generate_moves(|_| true));
        is_over.then_some(Value::Disproven)
    }

    /// In the order in which certificates of formats 1 and 2 have them, which was that of `cozy-chess`
    /// 0.3.4: kind by kind from pawns to the king; of each kind first those that are not pinned, then the
    /// pinned ones, then captures en passant; and of these by squares and promotions.
    fn legal_moves(&self, moves: &mut Vec<Move>) {
        let (first, board) = (moves.len(), self.board());
        self.generate(moves);
        if let Some(moves) = moves.get_mut(first..) {
            moves.sort_unstable_by_key(|m| {
                let piece = board.piece_on(m.from);
                let passes = piece == Some(Piece::Pawn)
                    && m.from.file() != m.to.file()
                    && board.piece_on(m.to).is_none();
                let place = match passes {
                    true => 2,
                    false => u8::from(board.pinned().has(m.from)),
                };
                (piece, place, m.from, m.to, m.promotion)
            });
        }
    }

    fn play(&mut self, m: Move) -> Position {
        let next = self.position.after_unchecked(m);
        std::mem::replace(&mut self.position, next)
    }

    fn undo(&mut self, _: Move, before: Position) {
        self.position = before;
    }

    fn identity(&self) -> Identity {
        self.position.identity()
    }

    fn stock(&self) {}

    fn encode_move(m: Move) -> u32 {
        let promotion = m.promotion.map_or(0, |piece| piece as u32);
        m.from as u32 | (m.to as u32) << 6 | promotion << 12
    }

    fn describe_move(&self, m: Move) -> String {
        self.position.san(m)
    }
}

impl Problem for Mates {
    fn key(&self) -> Key {
        self.key_of(&self.position)
    }

    fn key_after(&mut self, m: Move) -> (Key, ()) {
        (self.key_of(&self.position.after_unchecked(m)), ())
    }

    fn moves(&mut self, list: &mut MoveList<Move>, scratch: &mut Vec<Move>) {
        self.generate(scratch);
        for &m in scratch.iter() {
            list.push(m);
        }
    }

    fn evaluate(&mut self) -> Evaluation<()> {
        if self.terminal().is_some() {
            solved(Value::Disproven, Plies::UNBOUNDED)
        } else if self.attacks() {
            self.look_at_attack()
        } else {
            self.look_at_replies()
        }
    }

    fn open_takes(&self) -> u16 {
        // What is no mate takes two plies more; with the attacker to move there is no mate in one.
        if self.attacks() { 2 } else { 3 }
    }

    fn length_step(&self) -> u16 {
        // The sides move in turn, and it is the defender who is mated.
        2
    }
}
