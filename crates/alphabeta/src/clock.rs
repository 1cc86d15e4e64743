//! How long to think: a time to begin no further iteration, and a time to stop in any case.

use std::time::Duration;

use yomikiri_engine::protocol::Clock;

/// What is known of the time for a move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Timing {
    /// What a side has to think with.
    pub clock: Clock,
    /// What the way of a move to the clock may cost.
    pub overhead: Duration,
    /// What it has cost so far.
    pub lag: Lag,
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

/// And seldom more than this.
const MOST_MOVES: u64 = 80;

/// Kept back for what nobody can plan: on a busy machine a thread that wants to answer can wait
/// that long until it gets a core, and so can the one that reads the answer. Twice the worst of
/// this game is kept if that is more, though never more than half of the clock. No plan takes from
/// it; who has no more than this left answers at once, until the increments have filled it up.
pub const RESERVE: Duration = Duration::from_millis(150);

impl Timing {
    /// A plan, if time is limited. No plan takes more than what is left less the overhead and the
    /// reserve.
    pub fn plan(&self) -> Option<Plan> {
        let clock = &self.clock;
        if let Some(time) = clock.move_time {
            let time = time.saturating_sub(self.overhead).max(LEAST);
            return Some(Plan { soft: time, hard: time });
        }
        let moves = clock.moves_to_go.unwrap_or(USUAL_MOVES).clamp(1, USUAL_MOVES) as u32;
        let Lag { mean, worst, .. } = self.lag;
        let way = self.overhead.max(mean);
        // Every coming move brings its increment and pays for its way: what is left of it can be
        // spent, what is missing must be there.
        let gain = clock.increment.saturating_sub(way) * 3 / 4;
        let all = clock.moves_to_go.unwrap_or(MOST_MOVES).min(MOST_MOVES) as u32;
        let debt = mean.saturating_sub(clock.increment) * all;
        let left = clock.left?;
        let reserve = RESERVE.max((worst * 2).min(left / 2));
        let free = left.saturating_sub(way + reserve + debt);
        let share = free / moves + gain;
        let most = if moves == 1 { free * 9 / 10 } else { free / 2 };
        let soft = (share * 3 / 5).min(most).max(LEAST);
        let hard = (share * 5 / 2).min(most).max(LEAST);
        Some(Plan { soft, hard })
    }
}

/// What the way of a move costs, learned from the clock itself: it shows less at the beginning of
/// a move than was there at the end of the last one, by our own count, and an answer may come later
/// than it was planned.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Lag {
    /// What the clock should show next, and by how much the last answer came later than planned.
    after: Option<(Duration, Duration)>,
    /// By how much answers were late, for whatever reason: the last ones count most.
    mean: Duration,
    /// The longest of that.
    worst: Duration,
}

/// More than this is not lost on the way: somebody has set the clock.
const MOST_LAG: Duration = Duration::from_millis(500);

impl Lag {
    /// The clock shows so much now.
    pub fn see(&mut self, left: Option<Duration>) {
        let Some((expected, late)) = self.after.take() else { return };
        let lost = left.and_then(|left| expected.checked_sub(left));
        if let Some(lost) = lost.filter(|&lost| lost < MOST_LAG) {
            let late = (late + lost).min(MOST_LAG);
            // Quick to rise and slow to fall: a machine that was busy may be so again.
            self.mean = match late > self.mean {
                true => (self.mean + late) / 2,
                false => (self.mean * 7 + late) / 8,
            };
            self.worst = self.worst.max(late);
        }
    }

    /// A move was answered so long after the clock was started.
    pub fn answered(&mut self, timing: &Timing, taken: Duration) {
        let late = timing.plan().map_or(Duration::ZERO, |plan| taken.saturating_sub(plan.hard));
        let Clock { left, increment, .. } = timing.clock;
        let after = |left: Duration| ((left + increment).saturating_sub(taken), late);
        self.after = left.map(after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn no_plan_takes_from_the_reserve() {
        assert_eq!(Timing::default().plan(), None);
        let overhead = ms(10);
        for left in [0, 1, 20, 150, 160, 161, 200, 500, 60_000, 10_000_000] {
            for increment in [0, 5, 100, 5_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u64::MAX)] {
                    let (left, increment) = (ms(left), ms(increment));
                    let given = Clock { left: Some(left), increment, ..Clock::default() };
                    let clock = Clock { moves_to_go, ..given };
                    let timing = Timing { clock, overhead, ..Timing::default() };
                    let plan = timing.plan().expect("limited");
                    assert!(plan.soft <= plan.hard);
                    let most = left.saturating_sub(overhead + RESERVE).max(LEAST);
                    assert!(plan.hard <= most, "{clock:?}");
                }
            }
        }
        let clock = Clock { move_time: Some(ms(50)), ..Clock::default() };
        let timing = Timing { clock, overhead: ms(10), ..Timing::default() };
        assert_eq!(timing.plan(), Some(Plan { soft: ms(40), hard: ms(40) }));
    }

    /// What chance brings, the same in every run.
    struct Chance(u64);

    impl Chance {
        /// A number below `most`.
        fn below(&mut self, most: u64) -> u64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % most
        }
    }

    /// Base and increment in milliseconds, and moves until the base comes again.
    type Control = (u64, u64, Option<u64>);

    /// Plays a game of so many moves with a clock that is not a real one. `late` says how late the
    /// answer to a move is.
    fn play(control: Control, moves: u64, late: &mut dyn FnMut(u64) -> Duration, seed: u64) {
        let (base, increment, period) = control;
        let mut chance = Chance(seed);
        let (mut left, mut lag) = (ms(base), Lag::default());
        let mut least = left;
        for number in 0..moves {
            if number > 0 && period.is_some_and(|period| number % period == 0) {
                left += ms(base);
            }
            lag.see(Some(left));
            let clock = Clock {
                left: Some(left),
                increment: ms(increment),
                moves_to_go: period.map(|period| period - number % period),
                ..Clock::default()
            };
            let timing = Timing { clock, overhead: ms(10), lag };
            let Plan { soft, hard } = timing.plan().expect("limited");
            // An iteration ends somewhere between the two, or is broken off.
            let thought = soft + (hard - soft) * chance.below(101) as u32 / 100;
            // The answer is late on its way, or the search was not stopped in time.
            let late = late(number);
            let (inside, outside) = if number % 2 == 0 { (late, ms(0)) } else { (ms(0), late) };
            lag.answered(&timing, thought + inside);
            let taken = thought + inside + outside;
            assert!(taken < left, "{control:?}, move {number}: {taken:?} of {left:?}, {lag:?}");
            left -= taken;
            least = least.min(left);
            left += ms(increment);
        }
        assert!(least < ms(base) / 2, "it does use its time: {least:?} of {base} were left");
    }

    #[test]
    fn no_flag_falls_on_a_busy_machine() {
        let controls = [
            (2_000, 20, None),
            (1_000, 20, None),
            (500, 50, None),
            (10_000, 100, None),
            (3_000, 0, Some(40)),
            (60_000, 600, None),
        ];
        let mut chance = Chance(7);
        for game in 0..6_000 {
            // Other threads have their slices, and now and then the wait is long.
            let mut spike_at = chance.below(12);
            let mut late = |number| {
                let mut late = Duration::from_micros(chance.below(8_000));
                if number == spike_at {
                    late += RESERVE * chance.below(91) as u32 / 100;
                    spike_at += 10 + chance.below(12);
                }
                late
            };
            play(controls[game % controls.len()], 120, &mut late, game as u64);
        }
        // A machine so busy that every move costs more on its way than its increment.
        for game in 0..1_000 {
            let mut late = |_| ms(10 + chance.below(41));
            let controls = [(6_000, 20, None), (3_000, 25, None), (5_000, 0, Some(40))];
            play(controls[game % 3], 60, &mut late, game as u64);
        }
        // One that stands still now and then, for longer than the reserve, and ever longer.
        for game in 0..1_000 {
            let mut late = |number: u64| match number % 15 {
                7 => ms((100 + 3 * number).min(300) * (50 + chance.below(51)) / 100),
                _ => Duration::from_micros(chance.below(8_000)),
            };
            play([(5_000, 50, None), (10_000, 40, None)][game % 2], 120, &mut late, game as u64);
        }
    }

    #[test]
    fn lag_is_what_the_clock_lost_between_two_moves() {
        let mut lag = Lag::default();
        let clock = Clock { left: Some(ms(1_000)), increment: ms(20), ..Clock::default() };
        let timing = Timing { clock, ..Timing::default() };
        lag.see(Some(ms(1_000)));
        assert_eq!(lag, Lag::default());
        let hard = timing.plan().expect("limited").hard;
        lag.answered(&timing, hard + ms(7));
        lag.see(Some(ms(1_020 - 40 - 7) - hard));
        let known = (ms(47) / 2, ms(47));
        assert_eq!((lag.mean, lag.worst), known, "7 ms too late, and 40 ms on the way");
        // A clock that was set, or has no sense, teaches nothing.
        for left in [Some(ms(5_000)), Some(ms(100)), None] {
            lag.answered(&timing, ms(100));
            lag.see(left);
            assert_eq!((lag.mean, lag.worst), known);
        }
        // Nor does one that is seen twice.
        lag.see(Some(ms(0)));
        assert_eq!((lag.mean, lag.worst), known);
    }
}
