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
        match self.start.zip(thread_time()) {
            Some((start, now)) => now.saturating_sub(start),
            None => self.wall.elapsed(),
        }
    }
}

/// The time that this thread has had on a processor, to the nanosecond: what is counted in ticks
/// says 0 of a search that takes less than one.
#[cfg(target_os = "linux")]
fn thread_time() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).ok()
}

#[cfg(not(target_os = "linux"))]
fn thread_time() -> Option<Duration> {
    None
}

/// The clock in which Linux tells times to users (USER_HZ) has 100 ticks a second on every machine
/// that this program is built for.
#[cfg(target_os = "linux")]
const TICK_MS: u64 = 10;

/// The processor time of a process with all that it has started, as far as the system tells it: in
/// steps of 10 ms.
#[cfg(target_os = "linux")]
pub fn of_process(id: u32) -> Option<Duration> {
    let mut ticks = process_ticks(id)?;
    let mut open = children(id);
    while let Some(child) = open.pop() {
        // One that has ended in the meantime is counted with its parent.
        ticks += process_ticks(child).unwrap_or(0);
        open.extend(children(child));
    }
    Some(Duration::from_millis(ticks.saturating_mul(TICK_MS)))
}

/// Elsewhere the system does not tell it so.
#[cfg(not(target_os = "linux"))]
pub fn of_process(_: u32) -> Option<Duration> {
    None
}

/// Of a process alone, with those of its children that have ended.
#[cfg(target_os = "linux")]
fn process_ticks(id: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name of the program, in brackets, may hold anything.
    let (_, rest) = text.rsplit_once(')')?;
    let times = rest.split_whitespace().skip(11).take(4);
    times.map(|ticks| ticks.parse::<u64>().ok()).sum()
}

#[cfg(target_os = "linux")]
fn children(id: u32) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{id}/task")) else { return Vec::new() };
    let lists = threads.flatten().map(|thread| fs::read_to_string(thread.path().join("children")));
    let lists: Vec<String> = lists.map_while(Result::ok).collect();
    lists.iter().flat_map(|list| list.split_whitespace()).flat_map(str::parse).collect()
}

#[cfg(test)]
mod tests {
    #[cfg(target_os = "linux")]
    use std::os::unix::process::CommandExt;

    use super::*;

    #[test]
    fn work_takes_time_and_little_work_some() {
        let clock = Clock::start();
        let mut sum = 0_u64;
        let mut last = Duration::ZERO;
        for _ in 0..20 {
            for _ in 0..1_000 {
                sum = std::hint::black_box(sum.wrapping_add(1));
            }
            let elapsed = clock.elapsed();
            assert!(elapsed > last && elapsed < Duration::from_secs(30), "{elapsed:?}");
            last = elapsed;
        }
    }

    /// A process that works, one whose child works, and one whose child has worked: some time is
    /// found for each.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_work_of_children_counts() {
        use std::process::{Command, Stdio};
        let work = "i=0; while [ $i -lt 20000000 ]; do i=$((i+1)); done";
        let some = "i=0; while [ $i -lt 1000000 ]; do i=$((i+1)); done";
        let scripts =
            [work.to_owned(), format!("({work}); true"), format!("({some}); exec sleep 600")];
        for script in scripts {
            let mut child = Command::new("sh")
                .args(["-c", &script])
                .stdin(Stdio::null())
                .process_group(0)
                .spawn()
                .expect("a shell");
            let start = Instant::now();
            let mut time = Duration::ZERO;
            while time < Duration::from_millis(50) && start.elapsed() < Duration::from_secs(60) {
                std::thread::sleep(Duration::from_millis(10));
                time = of_process(child.id()).expect("a process");
            }
            let group = rustix::process::Pid::from_raw(child.id().cast_signed());
            let group = group.expect("a number");
            rustix::process::kill_process_group(group, rustix::process::Signal::KILL)
                .expect("it is ended");
            child.wait().expect("it ends");
            assert!(time >= Duration::from_millis(50), "{script}: {time:?}");
        }
        assert_eq!(of_process(u32::MAX), None);
    }
}
