//! How long to think about a move.

use std::time::Duration;

use yomikiri_engine::protocol::{Clock, less_overhead};

/// The time for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// So long it takes as a rule.
    pub usual: Duration,
    /// So long it may take as long as nobody has said anything of the position: up to half of the clock,
    /// which can be less than usual before the last move of a period.
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

/// The time for a move, by the clock of the side to move; nothing if it has no limit of time.
/// `overhead` is left for the way of the answer.
pub fn budget(clock: &Clock, overhead: Duration) -> Option<Budget> {
    /// So many moves are still to come where nobody says how many.
    const MOVES_LEFT: u32 = 30;
    /// So much longer may a move take while nobody has said anything.
    const PATIENCE: Duration = Duration::from_secs(10);
    if let Some(time) = clock.move_time {
        return Some(Budget::exactly(less_overhead(time, overhead)));
    }
    if !clock.is_limited() {
        return None;
    }
    let left = clock.left.unwrap_or_default();
    let moves = clock.moves_to_go.and_then(|moves| u32::try_from(moves).ok());
    let moves = moves.map_or(MOVES_LEFT, |moves| moves.clamp(1, MOVES_LEFT));
    let share = left / moves + clock.increment * 3 / 4 + clock.byoyomi;
    // Never more than there is. In shogi the increment comes before the move, in chess after it;
    // so it does not count as there.
    let usual = less_overhead(share, overhead).min(less_overhead(left + clock.byoyomi, overhead));
    let most = less_overhead(left / 2 + clock.byoyomi, overhead);
    Some(Budget { usual, most: most.min(usual + PATIENCE) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget_of(text: &str, side: usize) -> Option<Budget> {
        use yomikiri_engine::protocol::{Command, Dialect};
        match Command::parse(text, Dialect::Usi) {
            Command::Go(go) => budget(&Clock::of(&go, side), Duration::from_millis(20)),
            other => panic!("{other:?}"),
        }
    }

    fn millis(text: &str, side: usize) -> Option<u64> {
        budget_of(text, side).map(|budget| budget.usual.as_millis() as u64)
    }

    fn most(text: &str, side: usize) -> Option<u64> {
        budget_of(text, side).map(|budget| budget.most.as_millis() as u64)
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
    fn no_number_is_too_large() {
        let most = u64::MAX;
        let line = format!("go btime {most} binc {most} byoyomi {most} movestogo {most}");
        assert!(
            budget_of(&line, 0)
                .is_some_and(|budget| budget.usual > Duration::from_secs(most / 2000))
        );
    }

    #[test]
    fn who_knows_nothing_takes_more_of_the_clock_but_not_all() {
        assert_eq!(most("go movetime 1000", 0), Some(980));
        assert_eq!(most("go infinite", 0), None);
        assert_eq!(most("go btime 100 wtime 100", 0), Some(30));
        assert_eq!(most("go btime 2000 wtime 2000 byoyomi 500", 0), Some(1480));
        assert_eq!(most("go btime 0 wtime 0 byoyomi 500", 0), Some(480));
        assert_eq!(most("go btime 600000 wtime 600000", 0), Some(29_980));
        assert_eq!(most("go btime 1000 movestogo 1", 0), Some(480));
        assert_eq!(most("go btime 1000 movestogo 2 byoyomi 500", 0), Some(980));
        assert_eq!(most("go btime 1000 movestogo 1 binc 1000", 0), Some(480));
        assert_eq!(most("go btime 0 wtime 0", 0), Some(0));
    }
}
