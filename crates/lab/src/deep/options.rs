//! What to run, and where to put it.

use std::path::PathBuf;

use andor::Stop;

use super::search::Game;
use crate::error::{Error, Result};
use crate::folder;

/// What to run and where to put it.
#[derive(Clone, Debug)]
pub struct Options {
    /// Few positions and few values of `R`: a minute instead of hours.
    pub quick: bool,
    /// Searches at a time.
    pub threads: usize,
    /// The folder for the results, made if it does not exist.
    pub out: PathBuf,
    /// How many Othello positions; `None`: 1,000, or 20 if quick.
    pub positions: Option<u32>,
    /// How many random move orders in Hex; `None`: 10, or 1 if quick.
    pub orders: Option<u32>,
    /// The side of the Hex board.
    pub hex_size: usize,
    /// The seed of the first position and of the first move order; the next ones follow it.
    pub seed: u64,
    /// At most so many nodes for one search in Othello. A node takes 24 bytes.
    pub othello_limit: u64,
    /// At most so many nodes for one search in Hex.
    pub hex_limit: u64,
    /// Search one game only. Figures are drawn of every game whose results are complete.
    pub only: Option<Game>,
    /// Ends the run; what was found is kept, and the next run goes on from there.
    pub stop: Stop,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            quick: false,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            out: folder("deep", false),
            positions: None,
            orders: None,
            hex_size: 4,
            seed: 0,
            othello_limit: 50_000_000,
            hex_limit: 200_000_000,
            only: None,
            stop: Stop::new(),
        }
    }
}

impl Options {
    /// How many positions are searched in a game: Othello positions, or Hex move orders.
    pub fn positions_of(&self, game: Game) -> u32 {
        match (game, self.quick) {
            (Game::Othello, false) => self.positions.unwrap_or(1000),
            (Game::Othello, true) => self.positions.unwrap_or(20),
            (Game::Hex, false) => self.orders.unwrap_or(10),
            (Game::Hex, true) => self.orders.unwrap_or(1),
        }
    }

    /// The limit on nodes in a game.
    pub fn limit_of(&self, game: Game) -> u64 {
        match game {
            Game::Othello => self.othello_limit,
            Game::Hex => self.hex_limit,
        }
    }

    pub(super) fn check(&self) -> Result<()> {
        let bad = |text: String| Err(Error::BadOption(text));
        if self.threads == 0 {
            return bad("no thread to search with".into());
        }
        if self.positions == Some(0) || self.orders == Some(0) {
            return bad("no position to search".into());
        }
        if !(1..=5).contains(&self.hex_size) {
            return bad(format!(
                "Hex of side {} is not for this experiment: 1 to 5",
                self.hex_size
            ));
        }
        let most = u32::MAX as u64 / 2;
        if let Some(limit) =
            [self.othello_limit, self.hex_limit].into_iter().find(|&l| l == 0 || l > most)
        {
            return bad(format!("a limit of {limit} nodes is not between 1 and {most}"));
        }
        Ok(())
    }
}
