//! A position of chess or shogi as protocols see it: moves are texts.

use cozy_chess::Move as ChessMove;
use yomikiri_chess::{FenError, Position as Chess, Status};
use yomikiri_engine::protocol::{Dialect, PositionText, Start};
use yomikiri_shogi::{Move as ShogiMove, Position as Shogi, SfenError};

/// A game that engines play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Game {
    /// Chess, in UCI.
    Chess,
    /// Chess, with castling written as the king that takes his rook (`UCI_Chess960`).
    Chess960,
    /// Shogi, in USI.
    Shogi,
}

impl Game {
    /// The protocol of its engines.
    pub fn dialect(self) -> Dialect {
        match self {
            Game::Chess | Game::Chess960 => Dialect::Uci,
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

/// How castling is written. Both ways are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Castling {
    /// As the king's step, where king and rook stand as usual.
    Step,
    /// As the king that takes his rook.
    Rook,
}

impl Castling {
    /// A move of a position.
    pub fn write(self, position: &Chess, m: ChessMove) -> String {
        match self {
            Castling::Step => position.uci(m),
            Castling::Rook => m.to_string(),
        }
    }
}

/// A position.
#[derive(Clone, Debug)]
pub enum Board {
    /// Of chess.
    Chess(Box<Chess>, Castling),
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
    /// The start is no position of chess.
    #[error("bad position: {0}")]
    Fen(#[from] FenError),
    /// The start is no position of shogi.
    #[error("bad position: {0}")]
    Sfen(#[from] SfenError),
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
        let chess = |position: Chess| {
            let castling = if game == Game::Chess960 { Castling::Rook } else { Castling::Step };
            Board::Chess(Box::new(position), castling)
        };
        let mut board = match (game, &text.start) {
            (Game::Chess | Game::Chess960, Start::Initial) => chess(Chess::start()),
            (Game::Chess | Game::Chess960, Start::Fen(fen)) => chess(Chess::from_fen(fen)?),
            (Game::Shogi, Start::Initial) => Board::Shogi(Box::new(Shogi::start())),
            (Game::Shogi, Start::Fen(sfen)) => Board::Shogi(Box::new(Shogi::from_sfen(sfen)?)),
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
            Board::Chess(position, _) => {
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
            Board::Chess(position, castling) => {
                let moves = position.legal_moves().into_iter();
                moves.map(|m| castling.write(position, m)).collect()
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
            Board::Chess(position, _) => position.side_to_move() as usize,
            Board::Shogi(position) => position.turn().index(),
        }
    }

    /// Has the game ended?
    pub fn ending(&self) -> Option<Ending> {
        match self {
            Board::Chess(position, _) => match position.status() {
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
