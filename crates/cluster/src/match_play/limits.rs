//! What a move may cost, and the clock of a player.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use yomikiri_engine::protocol::{Dialect, Go};

/// A clock for the whole game. Times are in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// So many moves until the base is given again; `None`: the base is for the whole game.
    pub moves: Option<u64>,
    /// What a player has at the beginning.
    pub base: u64,
    /// What is added after every move.
    pub increment: u64,
    /// What a move may take when nothing is left, and is not saved up.
    pub byoyomi: u64,
}

/// The limits of a player's moves. All that are given hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// A clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    /// Milliseconds a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// Nodes a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
}

/// A time control that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no time control: write seconds, an increment after +, moves before /: \
     10+0.1, 60, 40/300+1"
)]
pub struct TimeControlError(String);

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let bad = || TimeControlError(text.into());
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                (Some(moves.trim().parse().ok().filter(|&n| n > 0).ok_or_else(bad)?), rest)
            }
            None => (None, text),
        };
        let millis = |seconds: &str| -> Result<u64, TimeControlError> {
            let seconds: f64 = seconds.trim().parse().map_err(|_| bad())?;
            let duration = Duration::try_from_secs_f64(seconds).map_err(|_| bad())?;
            u64::try_from((duration + Duration::from_micros(500)).as_millis()).map_err(|_| bad())
        };
        let (base, increment) = match rest.split_once('+') {
            Some((base, increment)) => (millis(base)?, millis(increment)?),
            None => (millis(rest)?, 0),
        };
        if base == 0 && increment == 0 {
            return Err(bad());
        }
        Ok(TimeControl { moves, base, increment, byoyomi: 0 })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |millis: u64| millis as f64 / 1000.0;
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        if self.base > 0 || self.byoyomi == 0 {
            write!(f, "{}", seconds(self.base))?;
        }
        if self.increment > 0 {
            write!(f, "+{}", seconds(self.increment))?;
        }
        if self.byoyomi > 0 {
            let blank = if self.base > 0 { " " } else { "" };
            write!(f, "{blank}byoyomi {} s", seconds(self.byoyomi))?;
        }
        Ok(())
    }
}

impl Limits {
    /// Is nothing limited?
    pub fn is_empty(&self) -> bool {
        *self == Limits::default()
    }

    /// Does time count?
    pub fn is_timed(&self) -> bool {
        self.clock.is_some() || self.movetime.is_some()
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        words.extend(self.clock.map(|clock| clock.to_string()));
        words.extend(self.movetime.map(|millis| format!("{millis} ms")));
        words.extend(self.nodes.map(|nodes| format!("{nodes} nodes")));
        words.extend(self.depth.map(|depth| format!("depth {depth}")));
        f.write_str(&words.join(", "))
    }
}

/// The clock of one player in one game.
#[derive(Clone, Debug)]
pub struct Clock {
    limits: Limits,
    left: Duration,
    /// Moves to be made until the base is given again.
    moves: Option<u64>,
}

impl Clock {
    /// At the beginning of a game.
    pub fn new(limits: Limits) -> Clock {
        let left = Duration::from_millis(limits.clock.map_or(0, |clock| clock.base));
        Clock { limits, left, moves: limits.clock.and_then(|clock| clock.moves) }
    }

    /// What the next move may take, if time counts.
    pub fn allowance(&self) -> Option<Duration> {
        let clock = self.limits.clock.map(|clock| self.left + Duration::from_millis(clock.byoyomi));
        clock.into_iter().chain(self.limits.movetime.map(Duration::from_millis)).min()
    }

    /// A move has taken so long. Was that in time, with a margin?
    #[must_use]
    pub fn spend(&mut self, taken: Duration, margin: Duration) -> bool {
        if self.allowance().is_some_and(|allowance| taken > allowance + margin) {
            return false;
        }
        if let Some(clock) = self.limits.clock {
            self.left = self.left.saturating_sub(taken) + Duration::from_millis(clock.increment);
            self.moves = self.moves.map(|moves| moves - 1);
            if self.moves == Some(0) {
                self.left += Duration::from_millis(clock.base);
                self.moves = clock.moves;
            }
        }
        true
    }
}

/// The words of `go` for the side to move; the clock of the side that begins a game comes first.
/// USI knows no time for one move alone: there it is a byoyomi with nothing else left.
pub fn go(clocks: &[Clock; 2], side: usize, dialect: Dialect) -> Go {
    let Limits { clock, movetime, nodes, depth } = clocks[side].limits;
    let mut go = Go { nodes, depth, ..Go::default() };
    let millis = |duration: Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    if let Some(clock) = clock {
        for (at, of) in clocks.iter().enumerate() {
            // Who has no clock has all the time of the other one, as far as that one can know.
            let of = if of.limits.clock.is_some() { of } else { &clocks[side] };
            go.time[at] = Some(millis(of.left));
            let increment = of.limits.clock.map_or(0, |clock| clock.increment);
            go.increment[at] = Some(increment).filter(|&increment| increment > 0);
        }
        if go.increment != [None; 2] {
            go.increment = go.increment.map(|increment| Some(increment.unwrap_or(0)));
        }
        go.movestogo = clocks[side].moves;
        go.byoyomi = Some(clock.byoyomi).filter(|&byoyomi| byoyomi > 0);
    }
    match (dialect, clock, movetime) {
        (Dialect::Usi, None, Some(millis)) => {
            go.time = [Some(0); 2];
            go.byoyomi = Some(millis);
        }
        _ => go.movetime = movetime,
    }
    go
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str) -> Clock {
        Clock::new(Limits { clock: Some(text.parse().unwrap()), ..Limits::default() })
    }

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn time_controls_are_read_and_written() {
        for text in ["10+0.1", "60", "40/300+1", "0+1"] {
            let parsed: TimeControl = text.parse().unwrap();
            assert_eq!(parsed.to_string(), text);
        }
        let control: TimeControl = "0.5+0.0015".parse().unwrap();
        assert_eq!((control.base, control.increment), (500, 2));
        for text in ["", "0", "-1", "1+", "0/10", "x/10", "ten", "1+inf", "nan"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_clock_runs_and_is_wound_up() {
        let mut clock = clock("2/1+0.1");
        assert_eq!(clock.allowance(), Some(ms(1000)));
        assert!(clock.spend(ms(400), ms(0)));
        assert_eq!(clock.allowance(), Some(ms(700)));
        assert!(clock.spend(ms(700), ms(0)));
        assert_eq!(clock.allowance(), Some(ms(1100)));
        assert!(!clock.spend(ms(1151), ms(50)));
        assert!(clock.spend(ms(1150), ms(50)));
        assert_eq!(clock.allowance(), Some(ms(100)));
    }

    #[test]
    fn byoyomi_is_for_one_move() {
        let control = TimeControl { base: 100, byoyomi: 50, ..TimeControl::default() };
        let mut clock = Clock::new(Limits { clock: Some(control), ..Limits::default() });
        assert!(clock.spend(ms(140), ms(0)));
        assert_eq!(clock.allowance(), Some(ms(50)));
        assert!(clock.spend(ms(50), ms(0)));
        assert_eq!(clock.allowance(), Some(ms(50)));
        assert!(!clock.spend(ms(51), ms(0)));
    }

    #[test]
    fn the_words_of_go() {
        let line = |clocks: &[Clock; 2], side, dialect| {
            yomikiri_engine::protocol::Command::Go(go(clocks, side, dialect)).to_line(dialect)
        };
        let movetime = Clock::new(Limits { movetime: Some(70), ..Limits::default() });
        let nodes = Clock::new(Limits { nodes: Some(9), ..Limits::default() });
        let clocks = [clock("40/60+1"), clock("30")];
        assert_eq!(
            line(&clocks, 0, Dialect::Uci),
            "go wtime 60000 btime 30000 winc 1000 binc 0 movestogo 40"
        );
        assert_eq!(line(&clocks, 1, Dialect::Usi), "go btime 60000 wtime 30000 binc 1000 winc 0");
        let clocks = [movetime, nodes];
        assert_eq!(line(&clocks, 0, Dialect::Uci), "go movetime 70");
        assert_eq!(line(&clocks, 0, Dialect::Usi), "go btime 0 wtime 0 byoyomi 70");
        assert_eq!(line(&clocks, 1, Dialect::Usi), "go nodes 9");
    }
}
