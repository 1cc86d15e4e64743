//! How a search, and the game it asks, learn that they have to end.
//!
//! A search ends when somebody raises its [`Stop`] flag or when its time is up. To look at the flag
//! is a load, and happens at every node and after every look of the game. To look at the clock costs
//! as much as a tenth of a node of a fast game, so the search does that every few looks only: every
//! one of them where they are slow, and every [`MOST`]-th where they are fast.
//!
//! A game whose own look at a position may take long ([`Problem::prepare`](crate::Problem::prepare))
//! asks [`Pulse::check`] itself, now and then.

use std::cell::Cell;
use std::time::Duration;

use crate::clock::Instant;
use crate::control::Stop;

/// The most looks from one reading of the clock to the next.
const MOST: u32 = 64;
/// Where so many looks as there are between two readings take longer than this, the clock is read at
/// each; where they take less, they may become more.
const SLOW: Duration = Duration::from_micros(500);

/// The search has to end at once. What was begun is as if it had not been begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// The flag and the clock of a search. It belongs to one thread.
#[derive(Debug)]
pub struct Pulse {
    stop: Stop,
    deadline: Option<Instant>,
    pause: Option<Instant>,
    /// When the clock was read last.
    read: Cell<Instant>,
    /// Looks until it is read again, and how many were between the last two readings.
    left: Cell<u32>,
    step: Cell<u32>,
}

impl Pulse {
    /// Ends when the flag is raised.
    pub fn new(stop: Stop) -> Pulse {
        let read = Cell::new(Instant::now());
        Pulse { stop, deadline: None, pause: None, read, left: Cell::new(0), step: Cell::new(0) }
    }

    /// Ends at that time too.
    pub fn with_deadline(mut self, deadline: Option<Instant>) -> Pulse {
        self.set_deadline(deadline);
        self
    }

    /// Has the search to end? A flag and the clock are looked at: some 30 nanoseconds.
    pub fn check(&self) -> Result<(), Interrupted> {
        let is_late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if self.stop.is_raised() || is_late() { Err(Interrupted) } else { Ok(()) }
    }

    /// The same for the many quick looks of a search: the clock is read now and then.
    #[inline]
    pub(crate) fn tick(&self) -> Result<(), Interrupted> {
        if self.stop.is_raised() {
            return Err(Interrupted);
        }
        match self.left.get().checked_sub(1) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None if self.deadline.is_none() && self.pause.is_none() => Ok(()),
            None => self.read_clock(),
        }
    }

    #[cold]
    fn read_clock(&self) -> Result<(), Interrupted> {
        let now = Instant::now();
        let is_slow = now.saturating_duration_since(self.read.replace(now)) > SLOW;
        self.step.set(if is_slow { 0 } else { (2 * self.step.get() + 1).min(MOST - 1) });
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            // And it is read at every look from now on.
            return Err(Interrupted);
        }
        self.left.set(self.step.get());
        Ok(())
    }

    /// Changes the time when the search has to end.
    pub(crate) fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
        self.left.set(0);
    }

    /// From when on the search [pauses](Pulse::pauses).
    pub(crate) fn set_pause(&mut self, pause: Option<Instant>) {
        self.pause = pause;
        self.left.set(0);
    }

    /// Was the clock, when it was last read, at the time for a pause?
    #[inline]
    pub(crate) fn pauses(&self) -> bool {
        self.pause.is_some_and(|pause| self.read.get() >= pause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_the_past() -> Option<Instant> {
        Some(Instant::now())
    }

    #[test]
    fn a_flag_is_seen_at_the_next_look() {
        let stop = Stop::new();
        let pulse = Pulse::new(stop.clone());
        assert_eq!((pulse.tick(), pulse.check()), (Ok(()), Ok(())));
        stop.raise();
        assert_eq!((pulse.tick(), pulse.check()), (Err(Interrupted), Err(Interrupted)));
        stop.lower();
        assert_eq!((pulse.tick(), pulse.check()), (Ok(()), Ok(())));
    }

    #[test]
    fn a_deadline_is_seen_and_stays() {
        let mut pulse = Pulse::new(Stop::new()).with_deadline(in_the_past());
        for _ in 0..3 {
            assert_eq!((pulse.tick(), pulse.check()), (Err(Interrupted), Err(Interrupted)));
        }
        pulse.set_deadline(None);
        assert_eq!((pulse.tick(), pulse.check()), (Ok(()), Ok(())));
    }

    #[test]
    fn quick_looks_read_the_clock_seldom_and_slow_ones_each_time() {
        let mut pulse = Pulse::new(Stop::new());
        pulse.set_pause(Some(Instant::now() + Duration::from_secs(3600)));
        let mut read = pulse.read.get();
        let mut readings = |looks: usize, wait: Duration| {
            let mut count = 0;
            for _ in 0..looks {
                std::thread::sleep(wait);
                assert_eq!(pulse.tick(), Ok(()));
                count += usize::from(std::mem::replace(&mut read, pulse.read.get()) != read);
            }
            count
        };
        // Slow looks come after quick ones: a few readings are missed at first.
        assert!(readings(10_000, Duration::ZERO) < 5_000);
        readings(MOST as usize + 1, SLOW);
        assert_eq!(readings(10, 2 * SLOW), 10);
        assert!(!pulse.pauses());
    }

    #[test]
    fn a_pause_is_seen_when_the_clock_is_read() {
        let mut pulse = Pulse::new(Stop::new());
        pulse.set_pause(in_the_past());
        assert_eq!(pulse.tick(), Ok(()));
        assert!(pulse.pauses());
        pulse.set_pause(None);
        assert!(!pulse.pauses());
    }
}
