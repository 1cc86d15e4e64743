//! Othello as an AND/OR problem: can the side to move at the root reach its [`Goal`]?
//!
//! A forced pass is folded into the move before it: after a move, the opponent is to move if he
//! can, else the mover again, else the game is over. So a game lasts at most as many plies as
//! squares are empty, no position repeats, and the sides need not alternate. A root position in
//! which the side to move must pass is treated the same way: that side stays the attacker, but the
//! defender begins.
//!
//! [`Othello`] knows the rules and nothing more. [`ExpertOthello`] adds the knowledge of the
//! `expert` module; both have the same positions, moves and values.

use andor::{Key, NodeKind, Problem, Repetition, Rules, Value, mix64};

use crate::board::{Board, Square, squares};
use crate::goal::Goal;
use crate::notation::{Position, Side};

/// A position with a goal; see [`Othello`] and [`ExpertOthello`] for the two kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game<const EXPERT: bool> {
    attacker: Side,
    goal: Goal,
    pub(crate) node: Node,
}

/// Plain Othello: no heuristic, moves from a1 to h8.
pub type Othello = Game<false>;

/// Othello with move order, first proof numbers and an exact solver for the last moves.
pub type ExpertOthello = Game<true>;

/// What a move changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The discs, seen from the side to move.
    pub(crate) board: Board,
    /// The legal moves of the side to move; none if the game is over.
    pub(crate) moves: u64,
    /// Whether the attacker is to move.
    pub(crate) kind: NodeKind,
}

impl Node {
    /// Gives the turn to `kind`, whose view of the discs is `board`, or to its opponent if it must
    /// pass.
    #[inline]
    fn new(board: Board, kind: NodeKind) -> Node {
        let moves = board.moves();
        if moves != 0 {
            return Node { board, moves, kind };
        }
        let passed = board.passed();
        match passed.moves() {
            0 => Node { board, moves: 0, kind },
            moves => Node { board: passed, moves, kind: kind.opponent() },
        }
    }
}

impl<const EXPERT: bool> Game<EXPERT> {
    /// The question whether the side to move in `position` reaches `goal`.
    pub fn new(position: Position, goal: Goal) -> Self {
        let node = Node::new(position.board, NodeKind::Or);
        Game { attacker: position.side, goal, node }
    }

    /// The goal.
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// The attacker's colour.
    pub fn attacker(&self) -> Side {
        self.attacker
    }

    /// The position as it stands now.
    pub fn position(&self) -> Position {
        let side = match self.node.kind {
            NodeKind::Or => self.attacker,
            NodeKind::And => self.attacker.other(),
        };
        Position { board: self.node.board, side }
    }

    /// The least score with which the side to move gets what it wants.
    #[inline]
    pub(crate) fn least_score(&self) -> i32 {
        let least = i32::from(self.goal.least_score());
        match self.node.kind {
            NodeKind::Or => least,
            NodeKind::And => 1 - least,
        }
    }

    #[inline]
    pub(crate) fn position_key(&self) -> Key {
        let Board { own, opp } = self.node.board;
        let question = self.least_score() as u64 ^ (self.node.kind as u64) << 32;
        let low = mix64(own ^ mix64(opp.wrapping_add(question ^ 0x9e37_79b9_7f4a_7c15)));
        let high = mix64(opp ^ mix64(own.wrapping_add(question ^ 0xd1b5_4a32_d192_ed03)));
        Key::from_halves(low, high)
    }
}

impl<const EXPERT: bool> Rules for Game<EXPERT> {
    type Move = Square;
    type Undo = Node;
    type Stock = ();
    /// Discs of the side to move, those of the other side, whose turn it is, and the attacker's
    /// goal as a score: what another goal found must not answer this one.
    type Identity = (u64, u64, NodeKind, i8);

    const REPETITION_MAY_FAVOUR_ATTACKER: bool = false;

    fn kind(&self) -> NodeKind {
        self.node.kind
    }

    fn repetition(&self) -> Repetition {
        Repetition::Never
    }

    #[inline]
    fn terminal(&self) -> Option<Value> {
        let Node { board, moves, kind } = self.node;
        (moves == 0).then(|| {
            let reached = board.final_score() >= self.least_score();
            if reached { kind.goal() } else { kind.goal().other() }
        })
    }

    fn legal_moves(&self, moves: &mut Vec<Square>) {
        moves.extend(squares(self.node.moves));
    }

    #[inline]
    fn play(&mut self, square: Square) -> Node {
        debug_assert!(self.node.moves & square.bit() != 0, "{square} in {}", self.position());
        let after = Node::new(self.node.board.after(square), self.node.kind.opponent());
        std::mem::replace(&mut self.node, after)
    }

    #[inline]
    fn undo(&mut self, _: Square, before: Node) {
        self.node = before;
    }

    fn identity(&self) -> (u64, u64, NodeKind, i8) {
        let Node { board, kind, .. } = self.node;
        (board.own, board.opp, kind, self.goal.least_score())
    }

    fn stock(&self) {}

    fn encode_move(square: Square) -> u32 {
        square.index().into()
    }

    fn describe_move(&self, square: Square) -> String {
        square.to_string()
    }
}

impl Problem for Othello {
    #[inline]
    fn key(&self) -> Key {
        self.position_key()
    }
}
