//! `info`: what an engine tells while it searches.

use super::score::{Bound, Score};
use super::words::{Words, push_some, push_word, push_words};

/// The words of an `info` line. What was not said is `None` or empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Depth in plies.
    pub depth: Option<u64>,
    /// Depth of the deepest line.
    pub seldepth: Option<u64>,
    /// Which of several lines this is, from 1.
    pub multipv: Option<u64>,
    /// What the engine thinks of the position.
    pub score: Option<Score>,
    /// Wins, draws and losses of a thousand games.
    pub wdl: Option<[u64; 3]>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Milliseconds.
    pub time: Option<u64>,
    /// How full the table is, of a thousand.
    pub hashfull: Option<u64>,
    /// Positions found in tablebases.
    pub tbhits: Option<u64>,
    /// How busy the processor is, of a thousand.
    pub cpuload: Option<u64>,
    /// The move being searched.
    pub currmove: Option<String>,
    /// Its number, from 1.
    pub currmovenumber: Option<u64>,
    /// The line expected.
    pub pv: Vec<String>,
    /// Free text.
    pub string: Option<String>,
}

impl Info {
    /// Only a text.
    pub fn string(text: impl Into<String>) -> Info {
        Info { string: Some(text.into()), ..Info::default() }
    }

    /// Reads what comes after `info`.
    pub(super) fn parse(mut words: Words<'_>) -> Info {
        let mut info = Info::default();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = words.natural(),
                "seldepth" => info.seldepth = words.natural(),
                "multipv" => info.multipv = words.natural(),
                "score" => info.score = Score::parse(&mut words),
                "lowerbound" | "upperbound" => {
                    if let (Some(score), Some(bound)) = (&mut info.score, Bound::parse(word)) {
                        score.bound = bound;
                    }
                }
                "wdl" => {
                    info.wdl = match [words.natural(), words.natural(), words.natural()] {
                        [Some(win), Some(draw), Some(loss)] => Some([win, draw, loss]),
                        _ => None,
                    }
                }
                "nodes" => info.nodes = words.natural(),
                "nps" => info.nps = words.natural(),
                "time" => info.time = words.natural(),
                "hashfull" => info.hashfull = words.natural(),
                "tbhits" => info.tbhits = words.natural(),
                "cpuload" => info.cpuload = words.natural(),
                "currmove" => info.currmove = words.next().map(String::from),
                "currmovenumber" => info.currmovenumber = words.natural(),
                "pv" => info.pv = words.by_ref().map(String::from).collect(),
                "string" => {
                    info.string = Some(words.rest().into());
                    break;
                }
                _ => {}
            }
        }
        info
    }

    pub(super) fn write(&self, text: &mut String) {
        push_some(text, "depth", self.depth);
        push_some(text, "seldepth", self.seldepth);
        push_some(text, "multipv", self.multipv);
        push_some(text, "time", self.time);
        push_some(text, "nodes", self.nodes);
        push_some(text, "nps", self.nps);
        push_some(text, "hashfull", self.hashfull);
        push_some(text, "tbhits", self.tbhits);
        push_some(text, "cpuload", self.cpuload);
        push_some(text, "score", self.score);
        push_some(text, "wdl", self.wdl.map(|[win, draw, loss]| format!("{win} {draw} {loss}")));
        push_some(text, "currmove", self.currmove.as_ref());
        push_some(text, "currmovenumber", self.currmovenumber);
        // Both go to the end of the line: a line cannot have both.
        push_some(text, "string", self.string.as_ref());
        if self.string.is_none() && !self.pv.is_empty() {
            push_word(text, "pv");
            push_words(text, &self.pv);
        }
    }
}
