//! How long to think about a move in a game: a plain `go`.

use std::time::Duration;

use yomikiri_engine::protocol::{Clock, less_overhead};

/// How long the side to move may think: something is left for the way of the answer. Where nothing
/// is said it is five seconds, for an answer must come. The increment counts whole: in shogi it
/// comes before the move.
pub fn time(clock: &Clock) -> Duration {
    /// What is left for the way.
    const MARGIN: Duration = Duration::from_millis(100);
    /// Where nothing is said.
    const DEFAULT: Duration = Duration::from_secs(5);
    let given = match clock.move_time {
        Some(time) => time,
        None if !clock.is_limited() => DEFAULT,
        None => clock.byoyomi + clock.increment + clock.left.unwrap_or_default() / 20,
    };
    less_overhead(given, MARGIN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_engine::protocol::{Command, Dialect};

    #[test]
    fn the_clock_leaves_time_for_the_answer() {
        let time = |line: &str, side| match Command::parse(line, Dialect::Usi) {
            Command::Go(go) => time(&Clock::of(&go, side)).as_millis(),
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(time("go btime 60000 wtime 0 byoyomi 10000", 0), 12_900);
        assert_eq!(time("go btime 60000 wtime 0 byoyomi 10000", 1), 9_900);
        assert_eq!(time("go btime 0 wtime 0 binc 2000 winc 1000", 1), 900);
        assert_eq!(time("go movetime 50", 0), 25);
        assert_eq!(time("go btime -5 wtime 0", 0), 0);
        assert_eq!(time("go", 0), 4_900);
        // Whatever a user interface says, nothing overflows.
        let most = u64::MAX;
        let line = format!("go btime {most} binc {most} byoyomi {most}");
        assert!(time(&line, 0) > u128::from(most));
    }
}
