//! `info` lines.

use std::fmt;
use std::time::Duration;

use yomikiri_shogi::Move;
use yomikiri_tsume::Tsume;

/// What an `info` line tells.
#[derive(Clone, Debug, Default)]
pub struct Info {
    /// The length of the line being looked at, or of the mate.
    pub depth: usize,
    /// The longest line looked at.
    pub deepest: usize,
    /// Time since the search began.
    pub elapsed: Duration,
    /// Nodes since then.
    pub nodes: u64,
    /// How full the table is, in thousandths.
    pub full: u32,
    /// The mate, if there is one.
    pub score: Option<Score>,
    /// The mate, or what the search holds for likely.
    pub line: Vec<Move>,
}

/// A mate, seen from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    gives: bool,
    plies: usize,
}

impl Score {
    /// A mate of so many plies in a problem.
    pub fn new(problem: &Tsume, plies: usize) -> Score {
        Score { gives: problem.position().turn() == problem.attacker(), plies }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.gives { "" } else { "-" };
        write!(f, "score mate {sign}{}", self.plies)
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Info { depth, deepest, elapsed, nodes, full, .. } = self;
        let speed = *nodes as f64 / elapsed.as_secs_f64().max(1e-6);
        write!(
            f,
            "info depth {depth} seldepth {deepest} time {} nodes {nodes} nps {speed:.0} \
             hashfull {full}",
            elapsed.as_millis(),
        )?;
        if let Some(score) = self.score {
            write!(f, " {score}")?;
        }
        if !self.line.is_empty() {
            write!(f, " pv")?;
        }
        self.line.iter().try_for_each(|m| write!(f, " {m}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_info_line_has_the_words_in_order() {
        let mut info = Info { depth: 3, deepest: 9, nodes: 500, full: 7, ..Info::default() };
        info.elapsed = Duration::from_millis(250);
        let plain = "info depth 3 seldepth 9 time 250 nodes 500 nps 2000 hashfull 7";
        assert_eq!(info.to_string(), plain);
        info.line = ["7g7f", "P*5e"].into_iter().filter_map(Move::from_usi).collect();
        info.score = Some(Score { gives: false, plies: 2 });
        assert_eq!(info.to_string(), format!("{plain} score mate -2 pv 7g7f P*5e"));
    }
}
