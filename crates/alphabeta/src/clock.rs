//! How long to think: a time to begin no further iteration, and a time to stop in any case.

use std::time::Duration;

/// What a side has to think with.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Clock {
    /// What is left for the coming moves.
    pub left: Option<Duration>,
    /// What every move adds.
    pub increment: Duration,
    /// Moves until more time comes; unknown: the rest of the game.
    pub moves_to_go: Option<u64>,
    /// Exactly so long, whatever is left.
    pub move_time: Option<Duration>,
    /// What the way of a move to the clock may cost.
    pub overhead: Duration,
}

/// When to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// After this no iteration is begun, since it would hardly be completed.
    pub soft: Duration,
    /// After this the search is stopped.
    pub hard: Duration,
}

/// Never less than this, even if nothing is left.
const LEAST: Duration = Duration::from_millis(1);

/// A game is thought to last so many more moves.
const USUAL_MOVES: u64 = 26;

impl Clock {
    /// A plan, if time is limited. No plan takes more than what is left less the overhead.
    pub fn plan(&self) -> Option<Plan> {
        if let Some(time) = self.move_time {
            let time = time.saturating_sub(self.overhead).max(LEAST);
            return Some(Plan { soft: time, hard: time });
        }
        let left = self.left?.saturating_sub(self.overhead);
        let moves = self.moves_to_go.unwrap_or(USUAL_MOVES).clamp(1, USUAL_MOVES) as u32;
        let share = left / moves + self.increment * 3 / 4;
        let most = if moves == 1 { left * 9 / 10 } else { left / 2 };
        let soft = (share * 3 / 5).min(most).max(LEAST);
        let hard = (share * 5 / 2).min(most).max(LEAST);
        Some(Plan { soft, hard })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_plan_takes_more_than_is_left() {
        let ms = Duration::from_millis;
        assert_eq!(Clock::default().plan(), None);
        for left in [0, 1, 20, 500, 60_000, 10_000_000] {
            for increment in [0, 100, 5_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u64::MAX)] {
                    let increment = ms(increment);
                    let overhead = ms(10);
                    let left = ms(left);
                    let clock = Clock {
                        left: Some(left),
                        increment,
                        moves_to_go,
                        overhead,
                        move_time: None,
                    };
                    let plan = clock.plan().expect("limited");
                    assert!(plan.soft <= plan.hard);
                    let most = left.saturating_sub(overhead).max(LEAST);
                    assert!(plan.hard <= most, "{clock:?}");
                }
            }
        }
        let clock = Clock { move_time: Some(ms(50)), overhead: ms(10), ..Clock::default() };
        assert_eq!(clock.plan(), Some(Plan { soft: ms(40), hard: ms(40) }));
    }
}
