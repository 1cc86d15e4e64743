//! A position of chess or shogi as protocols see it: moves are texts.

use yomikiri_chess::{Position as Chess, Status};
use yomikiri_engine::protocol::{Dialect, PositionText, Start};
use yomikiri_shogi::{Move as ShogiMove, Position as Shogi};

/// A game that engines play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Game {
    /// Chess, in UCI.
    Chess,
    /// Shogi, in USI.
    Shogi,
}

impl Game {
    /// The protocol of its engines.
    pub fn dialect(self) -> Dialect {
        match self {
            Game::Chess => Dialect::Uci,
            Game::Shogi => Dialect::Usi,
        }
    }
}

impl From<Dialect> for Game {
    fn from(dialect: Dialect) -> Game {
        match dialect {
            Dialect::Uci => Game::Chess,
            Dialect::Usi => Game::Shogi,
        }
    }
}

/// A position.
#[derive(Clone, Debug)]
pub enum Board {
    /// Of chess.
    Chess(Box<Chess>),
    /// Of shogi.
    Shogi(Box<Shogi>),
}

/// How a game has ended, for the side to move. Draws by repetition and the like are not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It is mated (in shogi also: it has no move).
    Mated,
    /// It has no move, and is not in check.
    Stalemate,
}

/// A position that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// The start is no position.
    #[error("bad position: {0}")]
    Start(String),
    /// A move is none, or not legal.
    #[error("move {number} of the position, '{text}', is not legal")]
    Move {
        /// Which one, from 1.
        number: usize,
        /// What was written.
        text: String,
    },
}

impl Board {
    /// The position of a `position` command.
    pub fn new(game: Game, text: &PositionText) -> Result<Board, BoardError> {
        let mut board = match (game, &text.start) {
            (Game::Chess, Start::Initial) => Board::Chess(Box::new(Chess::start())),
            (Game::Chess, Start::Fen(fen)) => Board::Chess(Box::new(
                Chess::from_fen(fen).map_err(|error| BoardError::Start(error.to_string()))?,
            )),
            (Game::Shogi, Start::Initial) => Board::Shogi(Box::new(Shogi::start())),
            (Game::Shogi, Start::Fen(sfen)) => Board::Shogi(Box::new(
                Shogi::from_sfen(sfen).map_err(|error| BoardError::Start(error.to_string()))?,
            )),
        };
        for (at, text) in text.moves.iter().enumerate() {
            if !board.play(text) {
                return Err(BoardError::Move { number: at + 1, text: text.clone() });
            }
        }
        Ok(board)
    }

    /// Plays a move if it is legal.
    #[must_use]
    pub fn play(&mut self, text: &str) -> bool {
        match self {
            Board::Chess(position) => {
                let Ok(m) = position.parse_uci(text) else { return false };
                position.play(m);
            }
            Board::Shogi(position) => {
                let Some(m) = ShogiMove::from_usi(text).filter(|&m| position.is_legal(m)) else {
                    return false;
                };
                position.play(m);
            }
        }
        true
    }

    /// The legal moves.
    pub fn moves(&self) -> Vec<String> {
        match self {
            Board::Chess(position) => {
                position.legal_moves().into_iter().map(|m| position.uci(m)).collect()
            }
            Board::Shogi(position) => {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                moves.iter().map(ShogiMove::to_string).collect()
            }
        }
    }

    /// Whose turn it is: 0 for the side that begins a game.
    pub fn turn(&self) -> usize {
        match self {
            Board::Chess(position) => position.side_to_move() as usize,
            Board::Shogi(position) => position.turn().index(),
        }
    }

    /// Has the game ended?
    pub fn ending(&self) -> Option<Ending> {
        match self {
            Board::Chess(position) => match position.status() {
                Status::Checkmate => Some(Ending::Mated),
                Status::Stalemate => Some(Ending::Stalemate),
                _ => None,
            },
            Board::Shogi(position) => {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                moves.is_empty().then_some(Ending::Mated)
            }
        }
    }
}
