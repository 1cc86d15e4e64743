//! How long to think about a move in a game: a plain `go`.

use std::time::Duration;

use yomikiri_engine::protocol::Go;

/// How long the side (0 for Black) may think: something is left for the way of the answer.
/// Where nothing is said it is five seconds, for an answer must come.
pub fn time(go: &Go, side: usize) -> Duration {
    /// What is left for the way.
    const MARGIN: u64 = 100;
    /// Where nothing is said.
    const DEFAULT: u64 = 5_000;
    let left = go.time.get(side).copied().flatten();
    let increment = go.increment.get(side).copied().flatten().unwrap_or_default();
    let given = match (go.movetime, left, go.byoyomi) {
        (Some(time), ..) => time,
        (None, None, None) if increment == 0 => DEFAULT,
        (None, left, byoyomi) => {
            let now = byoyomi.unwrap_or_default().saturating_add(increment);
            now.saturating_add(left.unwrap_or_default() / 20)
        }
    };
    Duration::from_millis(given - MARGIN.min(given / 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_engine::protocol::{Command, Dialect};

    #[test]
    fn the_clock_leaves_time_for_the_answer() {
        let time = |line: &str, side| match Command::parse(line, Dialect::Usi) {
            Command::Go(go) => time(&go, side).as_millis(),
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(time("go btime 60000 wtime 0 byoyomi 10000", 0), 12_900);
        assert_eq!(time("go btime 60000 wtime 0 byoyomi 10000", 1), 9_900);
        assert_eq!(time("go btime 0 wtime 0 binc 2000 winc 1000", 1), 900);
        assert_eq!(time("go movetime 50", 0), 25);
        assert_eq!(time("go btime -5 wtime 0", 0), 0);
        assert_eq!(time("go", 0), 4_900);
    }
}
