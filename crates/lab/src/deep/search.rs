//! One search of the experiment: the game, how wins are recognised, how the next node is chosen.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use andor::Selection;

use crate::error::UnknownWord;

/// A game of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Game {
    /// Othello, 16 empty squares.
    Othello,
    /// Hex from the empty board.
    Hex,
}

/// When the search recognises that the game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Recognition {
    /// When the position is expanded, as in the paper.
    Expanded,
    /// When the position is created.
    Created,
}

/// Which child the search follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Choice {
    /// PN-search.
    Proof,
    /// PN-search, ties broken to the deepest.
    Deepest,
    /// DeepPN with `R` in hundredths.
    Deep(u8),
}

/// One search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Search {
    /// The game.
    pub game: Game,
    /// When a finished game is recognised.
    pub recognition: Recognition,
    /// Which child is followed.
    pub choice: Choice,
    /// Which position, or in Hex which move order.
    pub position: u32,
}

impl Choice {
    /// The search's setting.
    pub fn selection(self) -> Selection {
        match self {
            Choice::Proof => Selection::Proof,
            Choice::Deepest => Selection::Deepest,
            Choice::Deep(hundredths) => Selection::Deep(ratio(hundredths)),
        }
    }
}

/// `R` from hundredths.
pub fn ratio(hundredths: u8) -> f64 {
    f64::from(hundredths) / 100.0
}

impl Display for Game {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Game::Othello => "othello",
            Game::Hex => "hex",
        })
    }
}

impl FromStr for Game {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Game, UnknownWord> {
        match text {
            "othello" => Ok(Game::Othello),
            "hex" => Ok(Game::Hex),
            _ => Err(UnknownWord::new(text, "othello, hex")),
        }
    }
}

impl Display for Recognition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Recognition::Expanded => "expanded",
            Recognition::Created => "created",
        })
    }
}

impl FromStr for Recognition {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Recognition, UnknownWord> {
        match text {
            "expanded" => Ok(Recognition::Expanded),
            "created" => Ok(Recognition::Created),
            _ => Err(UnknownWord::new(text, "expanded, created")),
        }
    }
}

impl Display for Choice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Proof => f.write_str("proof"),
            Choice::Deepest => f.write_str("deepest"),
            Choice::Deep(hundredths) => write!(f, "{:.2}", ratio(*hundredths)),
        }
    }
}

impl FromStr for Choice {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Choice, UnknownWord> {
        let bad = || UnknownWord::new(text, "proof, deepest, 0 to 1");
        match text {
            "proof" => Ok(Choice::Proof),
            "deepest" => Ok(Choice::Deepest),
            _ => {
                let ratio: f64 = text.parse().map_err(|_| bad())?;
                let hundredths = (ratio * 100.0).round();
                if (0.0..=100.0).contains(&hundredths) {
                    Ok(Choice::Deep(hundredths as u8))
                } else {
                    Err(bad())
                }
            }
        }
    }
}
