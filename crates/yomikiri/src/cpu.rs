//! Processor time, where the system tells it.

use std::fs;
use std::time::{Duration, Instant};

/// Measures the processor time of this thread, or the time that passes where that is not told.
pub struct Clock {
    start: Option<Duration>,
    wall: Instant,
}

impl Clock {
    /// A clock that starts now.
    pub fn start() -> Clock {
        Clock { start: thread_time(), wall: Instant::now() }
    }

    /// A clock of the time that passes, whoever has the processor.
    pub fn start_wall() -> Clock {
        Clock { start: None, wall: Instant::now() }
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        match (self.start, thread_time()) {
            (Some(start), Some(now)) => now.saturating_sub(start),
            _ => self.wall.elapsed(),
        }
    }
}

/// The time that this thread has had on a processor.
fn thread_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time() {
        let clock = Clock::start();
        let mut sum = 0_u64;
        while clock.wall.elapsed() < Duration::from_millis(30) {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        let elapsed = clock.elapsed();
        assert!(elapsed > Duration::ZERO && elapsed < Duration::from_secs(30), "{elapsed:?}");
    }
}
