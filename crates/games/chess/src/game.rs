//! A game: where it began and what was played, with the draws that need a memory.

use std::collections::HashMap;

use cozy_chess::{Color, Move};

use crate::position::{Identity, Position, Status};

/// Why a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Draw {
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// The position stood on the board for the third time.
    Repetition,
    /// Fifty moves of both sides without a capture or a pawn move.
    FiftyMoves,
    /// Neither side can mate any more.
    InsufficientMaterial,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// One side was mated.
    Win {
        /// The other side.
        winner: Color,
    },
    /// Nobody won.
    Draw(Draw),
}

/// A start position and the moves since. Draws by repetition, by the fifty-move rule and by
/// insufficient material end the game at once, as in matches between programs; nobody claims them.
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    position: Position,
    moves: Vec<Move>,
    seen: HashMap<Identity, u32>,
}

impl Game {
    /// A game that begins here.
    pub fn new(start: Position) -> Game {
        let seen = HashMap::from([(start.identity(), 1)]);
        Game { position: start.clone(), start, moves: Vec::new(), seen }
    }

    /// Where it began.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Where it stands.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// What was played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plays a legal move. The rules of draws do not stop anybody from playing on.
    ///
    /// # Panics
    /// If the move is not legal.
    pub fn play(&mut self, m: Move) {
        self.position.play(m);
        self.moves.push(m);
        *self.seen.entry(self.position.identity()).or_insert(0) += 1;
    }

    /// How often the position has stood on the board, now included.
    pub fn repetitions(&self) -> u32 {
        self.seen.get(&self.position.identity()).copied().unwrap_or(0)
    }

    /// Is the game over, and how? Mate comes before any draw.
    pub fn outcome(&self) -> Option<Outcome> {
        let position = &self.position;
        match position.status() {
            Status::Checkmate => return Some(Outcome::Win { winner: !position.side_to_move() }),
            Status::Stalemate => return Some(Outcome::Draw(Draw::Stalemate)),
            Status::Ongoing => {}
        }
        let draw = if self.repetitions() >= 3 {
            Draw::Repetition
        } else if position.board().halfmove_clock() >= 100 {
            Draw::FiftyMoves
        } else if position.insufficient_material() {
            Draw::InsufficientMaterial
        } else {
            return None;
        };
        Some(Outcome::Draw(draw))
    }
}

impl Default for Game {
    fn default() -> Game {
        Game::new(Position::start())
    }
}
