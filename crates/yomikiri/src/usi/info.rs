//! How far a search has come.

use std::time::Duration;

use yomikiri_engine::protocol::{self, Reply};
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
    pub score: Option<protocol::Score>,
    /// The mate, or what the search holds for likely.
    pub line: Vec<Move>,
}

/// A mate of so many plies in a problem, seen from the side to move.
pub fn mate(problem: &Tsume, plies: usize) -> protocol::Score {
    let plies = i32::try_from(plies).unwrap_or(i32::MAX);
    let gives = problem.position().turn() == problem.attacker();
    protocol::Score::mate(if gives { plies } else { -plies })
}

/// A mate of which there is no line that would show how long it takes.
pub fn some_mate(problem: &Tsume) -> protocol::Score {
    let gives = problem.position().turn() == problem.attacker();
    let value = if gives { protocol::Value::Winning } else { protocol::Value::Losing };
    protocol::Score { value, bound: protocol::Bound::Exact }
}

/// Moves as they are written.
pub fn texts(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

impl Info {
    /// The line.
    pub fn reply(&self) -> Reply {
        let speed = self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-6);
        Reply::Info(Box::new(protocol::Info {
            depth: Some(self.depth as u64),
            seldepth: Some(self.deepest as u64),
            time: Some(self.elapsed.as_millis() as u64),
            nodes: Some(self.nodes),
            nps: Some(speed.round() as u64),
            hashfull: Some(self.full.into()),
            score: self.score,
            pv: texts(&self.line),
            ..protocol::Info::default()
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_engine::protocol::{Dialect, Score};

    #[test]
    fn an_info_line_has_the_words_in_order() {
        let mut info = Info { depth: 3, deepest: 9, nodes: 500, full: 7, ..Info::default() };
        info.elapsed = Duration::from_millis(250);
        let plain = "info depth 3 seldepth 9 time 250 nodes 500 nps 2000 hashfull 7";
        assert_eq!(info.reply().to_line(Dialect::Usi), plain);
        info.line = ["7g7f", "P*5e"].into_iter().filter_map(Move::from_usi).collect();
        info.score = Some(Score::mate(-2));
        let line = info.reply().to_line(Dialect::Usi);
        assert_eq!(line, format!("{plain} score mate -2 pv 7g7f P*5e"));
    }
}
