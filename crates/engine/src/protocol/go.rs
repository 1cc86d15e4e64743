//! `go`: what a search may cost.

use super::dialect::Dialect;
use super::misread::Misread;
use super::words::{Words, push_pair, push_some, push_word, push_words};

/// How far to look for a mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mate {
    /// In UCI so many moves, in USI so many milliseconds.
    Within(u64),
    /// Without a limit: USI only.
    Infinite,
}

/// The words of `go`. Times are in milliseconds; in pairs the side that moves first in the game
/// comes first: White in chess, Black in shogi.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Search these moves alone; all if there are none.
    pub searchmoves: Vec<String>,
    /// Search in the opponent's time: no answer before `ponderhit` or `stop`.
    pub ponder: bool,
    /// What each side has left.
    pub time: [Option<u64>; 2],
    /// What each side gets for every move.
    pub increment: [Option<u64>; 2],
    /// What is given for a move when nothing is left (USI).
    pub byoyomi: Option<u64>,
    /// Moves until the next time control.
    pub movestogo: Option<u64>,
    /// So many plies.
    pub depth: Option<u64>,
    /// So many nodes.
    pub nodes: Option<u64>,
    /// Look for a mate.
    pub mate: Option<Mate>,
    /// Exactly so long.
    pub movetime: Option<u64>,
    /// No answer before `stop`.
    pub infinite: bool,
}

impl Go {
    /// `go infinite`.
    pub fn infinite() -> Go {
        Go { infinite: true, ..Go::default() }
    }

    /// Reads what comes after `go`. What is no word of it is skipped; the first is given back.
    pub(super) fn parse(mut words: Words<'_>, dialect: Dialect) -> (Go, Option<Misread>) {
        let mut go = Go::default();
        let mut wrong = None;
        let mut is_mate = false;
        while let Some(word) = words.next() {
            match word {
                "searchmoves" => {
                    while let Some(word) = words.peek().filter(|word| !is_keyword(word)) {
                        go.searchmoves.push(word.into());
                        words.next();
                    }
                }
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "mate" => {
                    is_mate = true;
                    // A clock that has run out may be below zero; a search for a mate may not.
                    let negative = words.peek().filter(|word| word.starts_with('-'));
                    go.mate = words.natural().map(Mate::Within);
                    if go.mate.is_none() && dialect == Dialect::Usi {
                        go.mate = Some(Mate::Infinite);
                        if words.peek() == Some("infinite") {
                            words.next();
                        }
                    } else if go.mate.is_none() {
                        wrong.get_or_insert_with(|| Misread::number(word, &words));
                    }
                    if let Some(negative) = negative {
                        wrong.get_or_insert_with(|| Misread::GoWord(negative.into()));
                    }
                }
                // Random time, for games between engines: for nobody here.
                "rtime" => drop(words.natural()),
                _ => match go.limit(word, dialect) {
                    Some(limit) => {
                        *limit = words.natural();
                        if limit.is_none() {
                            wrong.get_or_insert_with(|| Misread::number(word, &words));
                        }
                    }
                    None => drop(wrong.get_or_insert_with(|| Misread::GoWord(word.into()))),
                },
            }
        }
        if is_mate && dialect == Dialect::Usi {
            wrong = wrong.map(|wrong| match wrong {
                Misread::GoWord(found) | Misread::GoNumber { found, .. } => Misread::GoMate(found),
                wrong => wrong,
            });
        }
        (go, wrong)
    }

    /// The limit that a word stands before.
    fn limit(&mut self, word: &str, dialect: Dialect) -> Option<&mut Option<u64>> {
        let [white, black] = match dialect {
            Dialect::Uci => [0, 1],
            Dialect::Usi => [1, 0],
        };
        Some(match word {
            "wtime" => &mut self.time[white],
            "btime" => &mut self.time[black],
            "winc" => &mut self.increment[white],
            "binc" => &mut self.increment[black],
            "byoyomi" => &mut self.byoyomi,
            "movestogo" => &mut self.movestogo,
            "depth" => &mut self.depth,
            "nodes" => &mut self.nodes,
            "movetime" => &mut self.movetime,
            _ => return None,
        })
    }

    /// Adds the words to `go`: `searchmoves` last, since some engines take all that follows as
    /// moves.
    pub(super) fn write(&self, text: &mut String, dialect: Dialect) {
        for (side, time) in dialect.sides().into_iter().zip(self.time) {
            push_some(text, &format!("{side}time"), time);
        }
        for (side, increment) in dialect.sides().into_iter().zip(self.increment) {
            push_some(text, &format!("{side}inc"), increment);
        }
        push_some(text, "byoyomi", self.byoyomi);
        push_some(text, "movestogo", self.movestogo);
        push_some(text, "depth", self.depth);
        push_some(text, "nodes", self.nodes);
        push_some(text, "movetime", self.movetime);
        match self.mate {
            Some(Mate::Within(number)) => push_pair(text, "mate", number),
            Some(Mate::Infinite) => push_pair(text, "mate", "infinite"),
            None => {}
        }
        for (is_said, word) in [(self.ponder, "ponder"), (self.infinite, "infinite")] {
            if is_said {
                push_word(text, word);
            }
        }
        if !self.searchmoves.is_empty() {
            push_word(text, "searchmoves");
            push_words(text, &self.searchmoves);
        }
    }
}

fn is_keyword(word: &str) -> bool {
    const KEYWORDS: [&str; 14] = [
        "searchmoves",
        "ponder",
        "infinite",
        "wtime",
        "btime",
        "winc",
        "binc",
        "byoyomi",
        "movestogo",
        "depth",
        "nodes",
        "movetime",
        "mate",
        "rtime",
    ];
    KEYWORDS.contains(&word)
}
