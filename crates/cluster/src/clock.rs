//! How long to think about a move.

use std::time::Duration;

use yomikiri_engine::protocol::Go;

/// The time for a move by the words of `go`, for the side to move (0 for the one that begins a
/// game); nothing if it has no limit of time. `overhead` is left for the way of the answer.
pub fn budget(go: &Go, side: usize, overhead: Duration) -> Option<Duration> {
    /// So many moves are still to come where nobody says how many.
    const MOVES_LEFT: u64 = 30;
    if go.infinite {
        return None;
    }
    let overhead = overhead.as_millis() as u64;
    if let Some(time) = go.movetime {
        return Some(Duration::from_millis(less(time, overhead)));
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
    let most = less(left + byoyomi, overhead);
    Some(Duration::from_millis(less(share, overhead).min(most)))
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
        budget(&go(text), side, Duration::from_millis(20)).map(|time| time.as_millis() as u64)
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
}
