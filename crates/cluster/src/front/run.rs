//! The loop: it hears the user interface, the clock, the workers and the solver of mates.

use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};
use yomikiri_engine::protocol::{Command, Line};

use super::state::Front;

/// How often the clock is looked at.
const TICK: Duration = Duration::from_millis(5);

impl Front {
    /// Talks until `quit`, or the end of the input.
    pub async fn run(mut self, mut input: mpsc::Receiver<Line>) {
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let due = self.due();
            tokio::select! {
                biased;
                line = input.recv() => {
                    match line.map(Line::text) {
                        None => return,
                        Some(Err(error)) => self.remark(error.to_string()),
                        Some(Ok(line)) => match Command::parse(&line, self.setup.dialect) {
                            Command::Quit => return self.quit(),
                            command => self.hear(command),
                        },
                    }
                }
                _ = tick.tick() => self.look_at_the_clock(),
                () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {
                    self.look_at_the_clock();
                }
                happening = self.pool.next() => self.notice(happening),
                (job, answer) = self.mates.next() => {
                    let outcome = self.mates.solved(job, answer, &self.pool);
                    self.answer_mate(outcome);
                }
            }
            self.obey();
            if self.output.is_closed() {
                return;
            }
        }
    }
}
