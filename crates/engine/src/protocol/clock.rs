//! What the side to move has to think with, by the words of `go`.
//!
//! How much of that a move may take is everybody's own affair, and differs for a reason: an engine
//! that searches by iterations plans when to begin no further one, and learns what its answers lose
//! on their way; a master of many engines takes more while nobody has spoken; a solver of mates has
//! nothing to save its time for.

use std::time::Duration;

use super::go::Go;

/// The clock of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// What is left for the coming moves.
    pub left: Option<Duration>,
    /// What every move adds.
    pub increment: Duration,
    /// What a move may take when nothing is left (USI).
    pub byoyomi: Duration,
    /// Moves until more time comes, at least one; unknown: the rest of the game.
    pub moves_to_go: Option<u64>,
    /// Exactly so long, whatever is left.
    pub move_time: Option<Duration>,
}

impl Clock {
    /// The clock of a side: 0 for the one that begins a game.
    pub fn of(go: &Go, side: usize) -> Clock {
        let millis = |number: Option<u64>| number.map(Duration::from_millis);
        let [time, increment] = [go.time, go.increment].map(|pair| millis(pair[side.min(1)]));
        Clock {
            left: time,
            increment: increment.unwrap_or_default(),
            byoyomi: millis(go.byoyomi).unwrap_or_default(),
            moves_to_go: go.movestogo.filter(|&moves| moves > 0),
            move_time: millis(go.movetime),
        }
    }

    /// Is any time said at all?
    pub fn is_limited(&self) -> bool {
        let nothing = Clock { moves_to_go: self.moves_to_go, ..Clock::default() };
        *self != nothing
    }
}

/// What is left to think when the way of the answer has been paid for: never less than half.
pub fn less_overhead(time: Duration, overhead: Duration) -> Duration {
    time - overhead.min(time / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Command, Dialect};

    fn clock(line: &str, side: usize) -> Clock {
        match Command::parse(line, Dialect::Usi) {
            Command::Go(go) => Clock::of(&go, side),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn each_side_has_its_own_clock() {
        let line = "go btime 1000 wtime 2000 binc 10 winc 20 byoyomi 300 movestogo 0";
        let millis = Duration::from_millis;
        for (side, left, increment) in [(0, 1000, 10), (1, 2000, 20)] {
            let expected = Clock {
                left: Some(millis(left)),
                increment: millis(increment),
                byoyomi: millis(300),
                ..Clock::default()
            };
            assert_eq!(clock(line, side), expected);
        }
        assert_eq!(clock("go movestogo 7", 0).moves_to_go, Some(7));
        assert_eq!(clock("go movetime 7", 1).move_time, Some(millis(7)));
    }

    #[test]
    fn a_limit_is_a_time() {
        for line in ["go btime 0", "go binc 1", "go byoyomi 1", "go movetime 0"] {
            assert!(clock(line, 0).is_limited(), "{line}");
        }
        for line in ["go", "go infinite", "go depth 3 movestogo 5", "go wtime 9", "go byoyomi 0"] {
            assert!(!clock(line, 0).is_limited(), "{line}");
        }
    }

    #[test]
    fn half_of_the_time_is_always_left() {
        let less = |time, overhead| {
            let [time, overhead] = [time, overhead].map(Duration::from_millis);
            less_overhead(time, overhead).as_millis()
        };
        assert_eq!([less(1000, 20), less(10, 20), less(0, 20)], [980, 5, 0]);
    }
}
