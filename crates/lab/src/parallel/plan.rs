//! What was searched, and which of it counts.

use super::options::{Chosen, Options};
use crate::problems::{Base, Item, Record, Row, Search};

/// What was searched.
pub(super) struct Plan<'a> {
    pub options: &'a Options,
    pub chosen: Vec<Chosen<'a>>,
    /// What each algorithm decides sequentially.
    pub solvable: Vec<(Base, Vec<&'a Item>)>,
    pub left_out: Vec<String>,
    pub searches: Vec<Search<'a>>,
    /// If the run was ended: searches that are there, of so many.
    pub unfinished: Option<(usize, usize)>,
}

impl<'a> Plan<'a> {
    /// The result of a search.
    pub fn row<'r>(
        &self,
        record: &'r Record,
        item: &'a Item,
        base: Base,
        threads: usize,
        run: u32,
    ) -> Option<&'r Row> {
        let (way, limits) = (self.options.way(threads), self.options.common.limits);
        record.get(&Search { item, base, way, run, limits })
    }

    /// Of these problems, those that count, and the number of runs. All do in as many runs as are
    /// complete; if none is, those whose searches of the first run are all there.
    pub fn counted(
        &self,
        record: &Record,
        items: Vec<&'a Item>,
        base: Base,
    ) -> (Vec<&'a Item>, u32) {
        let is_there = |item: &'a Item, run| {
            let mut threads = self.options.threads.iter();
            threads.all(|&threads| self.row(record, item, base, threads, run).is_some())
        };
        let is_complete = |run: &u32| items.iter().all(|item| is_there(item, *run));
        match (0..self.options.runs()).take_while(is_complete).count() as u32 {
            0 => (items.into_iter().filter(|item| is_there(item, 0)).collect(), 1),
            runs => (items, runs),
        }
    }
}
