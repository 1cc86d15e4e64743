//! How long to think about a move.

use std::time::Duration;

use yomikiri_engine::protocol::Go;

/// The time for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// So long it takes as a rule.
    pub usual: Duration,
    /// So long it may take as long as nobody has said anything of the position.
    pub most: Duration,
}

impl Budget {
    /// No time at all.
    pub const NONE: Budget = Budget::exactly(Duration::ZERO);

    /// Neither more nor less.
    pub const fn exactly(time: Duration) -> Budget {
        Budget { usual: time, most: time }
    }
}

/// The time for a move by the words of `go`, for the side to move (0 for the one that begins a
/// game); nothing if it has no limit of time. `overhead` is left for the way of the answer.
pub fn budget(go: &Go, side: usize, overhead: Duration) -> Option<Budget> {
    /// So many moves are still to come where nobody says how many.
    const MOVES_LEFT: u64 = 30;
    /// So much longer may a move take while nobody has said anything.
    const PATIENCE: u64 = 10_000;
    if go.infinite {
        return None;
    }
    let overhead = overhead.as_millis() as u64;
    if let Some(time) = go.movetime {
        return Some(Budget::exactly(Duration::from_millis(less(time, overhead))));
    }
    let left = go.time[side];
    let increment = go.increment[side].unwrap_or(0);
    let byoyomi = go.byoyomi.unwrap_or(0);
    if left.is_none() && increment == 0 && byoyomi == 0 {
        return None;
    }
    let left = left.unwrap_or(0);
    let moves = go.movestogo.filter(|&moves| moves > 0).unwrap_or(MOVES_LEFT).min(MOVES_LEFT);
    let share = left / moves + increment * 3 / 4 + byoyomi;
    // Never more than there is. In shogi the increment comes before the move, in chess after it;
    // so it does not count as there.
    let usual = less(share, overhead).min(less(left + byoyomi, overhead));
    let most = less(left / 2 + byoyomi, overhead).min(usual + PATIENCE).max(usual);
    Some(Budget { usual: Duration::from_millis(usual), most: Duration::from_millis(most) })
}

/// The rest, but never less than half.
fn less(time: u64, overhead: u64) -> u64 {
    time - overhead.min(time / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(text: &str) -> Go {
        use yomikiri_engine::protocol::{Command, Dialect};
        match Command::parse(text, Dialect::Usi) {
            Command::Go(go) => go,
            other => panic!("{other:?}"),
        }
    }

    fn millis(text: &str, side: usize) -> Option<u64> {
        let budget = budget(&go(text), side, Duration::from_millis(20));
        budget.map(|budget| budget.usual.as_millis() as u64)
    }

    fn most(text: &str, side: usize) -> Option<u64> {
        let budget = budget(&go(text), side, Duration::from_millis(20));
        budget.map(|budget| budget.most.as_millis() as u64)
    }

    #[test]
    fn every_clock_is_kept() {
        assert_eq!(millis("go movetime 1000", 0), Some(980));
        assert_eq!(millis("go movetime 10", 0), Some(5));
        assert_eq!(millis("go infinite", 0), None);
        assert_eq!(millis("go depth 5", 0), None);
        assert_eq!(millis("go btime 0 wtime 0 byoyomi 500", 1), Some(480));
        assert_eq!(millis("go btime 30000 wtime 3000 byoyomi 0", 0), Some(980));
        assert_eq!(millis("go btime 30000 wtime 3000 byoyomi 0", 1), Some(80));
        assert_eq!(millis("go btime 10 wtime 10 binc 1000 winc 1000", 0), Some(5));
        assert_eq!(millis("go btime 1000 movestogo 1", 0), Some(980));
        assert_eq!(millis("go btime 0 wtime 0", 0), Some(0));
    }
    #[test]
    fn who_knows_nothing_takes_more_of_the_clock_but_not_all() {
        assert_eq!(most("go movetime 1000", 0), Some(980));
        assert_eq!(most("go infinite", 0), None);
        assert_eq!(most("go btime 100 wtime 100", 0), Some(30));
        assert_eq!(most("go btime 2000 wtime 2000 byoyomi 500", 0), Some(1480));
        assert_eq!(most("go btime 0 wtime 0 byoyomi 500", 0), Some(480));
        assert_eq!(most("go btime 600000 wtime 600000", 0), Some(29_980));
        assert_eq!(most("go btime 1000 movestogo 1", 0), Some(980));
        assert_eq!(most("go btime 0 wtime 0", 0), Some(0));
    }
}
