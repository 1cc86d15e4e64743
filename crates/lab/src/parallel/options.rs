//! What to run, and where to put it.

use std::path::PathBuf;
use std::time::Duration;

use andor::{Agents, Assignment, Limits, Virtual};

use crate::error::{Error, Result};
use crate::problems::{Common, Item, Way};

/// The most agents, as in every search: more could not be told apart by their marks.
const MOST: usize = Assignment::MOST;

/// A game that is not in the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Game {
    /// Openings of Hex 7×7.
    Hex,
    /// Endgames of Othello.
    Othello,
}

/// What to run and where to put it.
#[derive(Clone, Debug)]
pub struct Options {
    /// What all experiments are told.
    pub common: Common,
    /// How many agents; 1, the sequential search, is always run.
    pub threads: Vec<usize>,
    /// How they heed each other, if not as serves best.
    pub numbers: Option<Virtual>,
    /// Let the agents take turns of so many nodes on one thread.
    pub turns: Option<u64>,
    /// Searches at a time; more than one only where agents take turns.
    pub at_once: usize,
    /// One set only: `hard`, `zuko` or `muso`.
    pub only: Option<String>,
    /// A file with names of problems: these instead of the sets.
    pub problems: Option<PathBuf>,
    /// Df-pn⁺ only, not df-pn without `H` and `Cost`.
    pub only_plus: bool,
    /// `Cost` is the paper's, of a piece given away, not ours, of a promotion forgone.
    pub sacrifice: bool,
    /// Two problems of another game instead of the sets, with its knowledge only.
    pub game: Option<Game>,
    /// A hard problem takes more nodes than this.
    pub hard_nodes: u64,
    /// If there are fewer hard problems than this, the next largest are taken too.
    pub hard_count: usize,
}

impl Options {
    /// The experiment, or a minute of it.
    pub fn new(quick: bool) -> Options {
        let (nodes, seconds) = if quick { (400_000, 5) } else { (40_000_000, 60) };
        Options {
            common: Common::new(quick, "parallel", Some(nodes), Some(seconds)),
            threads: if quick { vec![1, 2, 4] } else { vec![1, 2, 4, 8, 16] },
            numbers: None,
            turns: None,
            at_once: 1,
            only: None,
            problems: None,
            only_plus: false,
            sacrifice: false,
            game: None,
            hard_nodes: 1_000_000,
            hard_count: if quick { 5 } else { 25 },
        }
    }

    /// The same with two problems of another game, which take a minute or so each: the limits are
    /// wider.
    pub fn of_game(game: Game, quick: bool) -> Options {
        let mut options = Options { game: Some(game), ..Options::new(quick) };
        options.common.limits = Limits { nodes: None, time: Some(Duration::from_secs(600)) };
        options
    }

    /// How often each search is run: agents in turns do the same every time.
    pub(super) fn runs(&self) -> u32 {
        if self.turns.is_some() { 1 } else { self.common.runs }
    }

    /// Is the game's knowledge always used?
    pub(super) fn knowledge_only(&self) -> bool {
        self.only_plus || self.game.is_some()
    }

    pub(super) fn way(&self, threads: usize) -> Way {
        let usual = Agents::on_threads(threads);
        let numbers = self.numbers.unwrap_or(usual.numbers);
        let agents = Agents { numbers, turns: self.turns, ..usual };
        if threads == 1 { Way::Alone } else { Way::Virtual(agents) }
    }

    pub(super) fn check(&mut self) -> Result<()> {
        self.common.check()?;
        if let Some(threads) = self.threads.iter().find(|threads| !(1..=MOST).contains(*threads)) {
            let text = format!("{threads} threads: 1 to {MOST} can be asked for");
            return Err(Error::BadOption(text));
        }
        if self.turns == Some(0) {
            return Err(Error::BadOption("a turn of 0 nodes never ends".into()));
        }
        if self.at_once > 1 && self.turns.is_none() {
            let text = "searches on several threads are timed: one at a time, unless with turns";
            return Err(Error::BadOption(text.into()));
        }
        self.threads.push(1);
        self.threads.sort_unstable();
        self.threads.dedup();
        Ok(())
    }
}

/// A set of Table 1: its name for people and its problems.
pub(super) type Chosen<'a> = (String, Vec<&'a Item>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_agents_than_can_be_told_apart() {
        let check =
            |count: usize| Options { threads: vec![2, count], ..Options::new(true) }.check();
        assert!([1, 64].into_iter().all(|count| check(count).is_ok()));
        for count in [0, 65, 256] {
            let error = check(count).unwrap_err().to_string();
            assert_eq!(error, format!("{count} threads: 1 to 64 can be asked for"));
        }
    }
}
