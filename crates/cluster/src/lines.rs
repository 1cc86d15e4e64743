//! What is known of the positions below a node: where the master tree can grow.
//!
//! The paper extracts "the n most valuable positions from the transposition table of the
//! worker", by the depth to which they were searched. An engine with the table report gives
//! them; of any other one the principal variations are kept: a variation of depth D says that the
//! position after its first k moves was searched to depth D − k.

use std::collections::BTreeMap;

use yomikiri_engine::protocol::{Bound, Dialect, TableEntry};

use crate::report::Report;
use crate::value::Value;

/// What is known of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// How deep it was searched.
    pub depth: u64,
    /// Its value, for the side to move there.
    pub value: Value,
    /// What the value says of the true one.
    pub bound: Bound,
}

/// The positions known below a node, by the moves that lead to them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines {
    known: BTreeMap<Vec<String>, Line>,
}

/// More positions than this are not kept: those searched least are dropped.
const KEPT: usize = 512;

impl Lines {
    /// Is nothing known?
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Takes in a principal variation.
    pub fn add_report(&mut self, report: &Report) {
        let mut value = report.value;
        for plies in 1..=report.pv.len().min(report.depth as usize) {
            value = value.after();
            let depth = report.depth - plies as u64;
            let bound = report.bound.after(plies);
            self.insert(&report.pv[..plies], Line { depth, value, bound });
        }
    }

    /// Takes in a table report. Entries come with their prefixes before them; others are left out.
    pub fn add_table(&mut self, entries: &[TableEntry], dialect: Dialect) {
        for entry in entries {
            let rooted = entry.moves.len() <= 1
                || self.known.contains_key(&entry.moves[..entry.moves.len() - 1]);
            if !entry.moves.is_empty() && rooted {
                let value = Value::of(entry.score, dialect);
                let line = Line { depth: entry.depth, value, bound: entry.score.bound };
                self.insert(&entry.moves, line);
            }
        }
    }

    fn insert(&mut self, moves: &[String], line: Line) {
        match self.known.get_mut(moves) {
            Some(known) if known.depth <= line.depth => *known = line,
            Some(_) => {}
            None => {
                self.known.insert(moves.to_vec(), line);
                if self.known.len() > KEPT {
                    self.drop_shallowest();
                }
            }
        }
    }

    /// Half of what is known goes, the least searched first; what others build on goes last.
    fn drop_shallowest(&mut self) {
        let kept = self.deepest(KEPT / 2, |_| true);
        let known = std::mem::take(&mut self.known);
        self.known = known.into_iter().filter(|(moves, _)| kept.contains(moves)).collect();
    }

    /// What is known of the position after these moves.
    pub fn get(&self, moves: &[String]) -> Option<Line> {
        self.known.get(moves).copied()
    }

    /// The `n` positions that were searched deepest, each after those it builds on. The first
    /// moves are restricted to those that `allowed` wants.
    pub fn deepest(&self, n: usize, allowed: impl Fn(&str) -> bool) -> Vec<Vec<String>> {
        let mut chosen: Vec<Vec<String>> = Vec::new();
        let mut open: Vec<(&Vec<String>, Line)> = Vec::new();
        let children = |of: &[String]| {
            let of = of.to_vec();
            let plies = of.len() + 1;
            self.known
                .range(of.clone()..)
                .take_while(move |(moves, _)| moves.starts_with(&of))
                .filter(move |(moves, _)| moves.len() == plies)
                .map(|(moves, &line)| (moves, line))
        };
        open.extend(children(&[]).filter(|(moves, _)| allowed(&moves[0])));
        while chosen.len() < n {
            // The deepest; among equals the shorter way, then the better for the mover.
            let best = open.iter().enumerate().max_by_key(|(_, (moves, line))| {
                (line.depth, std::cmp::Reverse(moves.len()), std::cmp::Reverse(line.value))
            });
            let Some((at, _)) = best else { break };
            let (moves, _) = open.swap_remove(at);
            open.extend(children(moves));
            chosen.push(moves.clone());
        }
        chosen
    }

    /// What is known below the position after these moves.
    pub fn below(&self, moves: &[String]) -> Lines {
        let known = self
            .known
            .range(moves.to_vec()..)
            .take_while(|(path, _)| path.starts_with(moves))
            .filter(|(path, _)| path.len() > moves.len())
            .map(|(path, &line)| (path[moves.len()..].to_vec(), line))
            .collect();
        Lines { known }
    }

    /// What is known of the position after these moves, as its worker would say it.
    pub fn report(&self, moves: &[String]) -> Option<Report> {
        let line = self.get(moves)?;
        let mut pv: Vec<String> = Vec::new();
        let mut path = moves.to_vec();
        // Of the moves known there the best, as far as their values are known exactly.
        while let Some((next, _)) = self
            .known
            .range(path.clone()..)
            .take_while(|(moves, _)| moves.starts_with(&path))
            .filter(|(moves, line)| moves.len() == path.len() + 1 && line.bound == Bound::Exact)
            .min_by_key(|(_, line)| line.value)
        {
            pv.extend(next.last().cloned());
            path.clone_from(next);
        }
        Some(Report { depth: line.depth, value: line.value, bound: line.bound, pv })
    }
}

/// Bounds change sides with every ply.
trait After {
    fn after(self, plies: usize) -> Self;
}

impl After for Bound {
    fn after(self, plies: usize) -> Bound {
        match self {
            Bound::Lower if plies % 2 == 1 => Bound::Upper,
            Bound::Upper if plies % 2 == 1 => Bound::Lower,
            bound => bound,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_engine::protocol::Score;

    fn moves(text: &str) -> Vec<String> {
        text.split_whitespace().map(String::from).collect()
    }

    fn entry(depth: u64, score: i32, text: &str) -> TableEntry {
        TableEntry { depth, score: Score::cp(score), moves: moves(text) }
    }

    #[test]
    fn the_deepest_come_first_and_after_what_they_build_on() {
        let mut lines = Lines::default();
        let entries = [
            entry(9, 10, "e2e4"),
            entry(8, -10, "e2e4 e7e5"),
            entry(5, 0, "d2d4"),
            entry(8, 3, "d2d4 d7d5"),
            entry(7, 1, "a2a3 a7a6"),
        ];
        lines.add_table(&entries, Dialect::Uci);
        let found = lines.deepest(10, |_| true);
        let wanted: Vec<_> =
            ["e2e4", "e2e4 e7e5", "d2d4", "d2d4 d7d5"].into_iter().map(moves).collect();
        assert_eq!(found, wanted, "an entry without its prefix is left out");
        assert_eq!(lines.deepest(2, |m| m == "d2d4"), [moves("d2d4"), moves("d2d4 d7d5")]);
    }

    #[test]
    fn a_variation_tells_of_every_position_on_it() {
        let mut lines = Lines::default();
        lines.add_report(&Report {
            depth: 12,
            value: Value::cp(30),
            bound: Bound::Lower,
            pv: moves("e2e4 e7e5 g1f3"),
        });
        let of = |text| lines.get(&moves(text)).unwrap();
        let (first, second) = (of("e2e4"), of("e2e4 e7e5"));
        assert_eq!((first.depth, first.value, first.bound), (11, Value::cp(-30), Bound::Upper));
        assert_eq!((second.depth, second.value, second.bound), (10, Value::cp(30), Bound::Lower));
        assert_eq!(lines.below(&moves("e2e4")).deepest(9, |_| true).len(), 2);
    }

    #[test]
    fn a_shallower_report_does_not_replace_a_deeper_one() {
        let mut lines = Lines::default();
        lines.add_table(&[entry(9, 10, "e2e4"), entry(3, 99, "e2e4")], Dialect::Uci);
        assert_eq!(lines.get(&moves("e2e4")).map(|line| line.depth), Some(9));
    }
}
