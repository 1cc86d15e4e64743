//! The progress bar: on standard error, and only on a terminal.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use andor::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use yomikiri_shogi::MateProgress;

use crate::words::{count, number};

/// Between two drawings.
const EVERY: Duration = Duration::from_millis(100);

/// A line that tells how a search is getting on.
pub struct Bar {
    bar: ProgressBar,
    drawn: Instant,
}

impl Bar {
    /// A bar, if there is somebody to see it.
    pub fn new(quiet: bool, name: &str) -> Option<Bar> {
        if quiet || !stderr().is_terminal() {
            return None;
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix} {elapsed} {msg}") {
            bar.set_style(style);
        }
        bar.set_prefix(name.to_owned());
        Some(Bar { bar, drawn: Instant::now() })
    }

    /// A bar for work that does not tell how it gets on: it shows the time.
    pub fn spinning(quiet: bool, name: &str) -> Option<Bar> {
        let bar = Bar::new(quiet, name)?;
        bar.bar.enable_steady_tick(EVERY);
        Some(bar)
    }

    /// A bar for work of which it is known how much there is.
    pub fn counting(quiet: bool, name: &str, all: u64) -> Option<Bar> {
        let bar = Bar::new(quiet, name)?;
        let template = "{spinner} {prefix} {elapsed} [{bar:25}] {pos}/{len} {msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.bar.set_style(style.progress_chars("=> "));
        }
        bar.bar.set_length(all);
        Some(bar)
    }

    /// Shows how much is done, and some words.
    pub fn show_count(&mut self, done: u64, words: impl FnOnce() -> String) {
        if self.is_due() {
            self.bar.set_message(words());
            self.bar.set_position(done);
            self.bar.tick();
        }
    }

    /// Does something that may print, with the bar out of the way.
    pub fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.suspend(work)
    }

    /// Is it time to draw again? Some times a second it is.
    fn is_due(&mut self) -> bool {
        let is_due = self.drawn.elapsed() >= EVERY;
        if is_due {
            self.drawn = Instant::now();
        }
        is_due
    }

    /// Shows how far a search for a mate has come.
    pub fn show_mate(&mut self, progress: &MateProgress) {
        let MateProgress { nodes, elapsed, pn, dn, depth, stored, capacity, phase } = *progress;
        self.show_with(
            &Progress { nodes, elapsed, pn, dn, depth, stored, capacity, agents: &[] },
            &format!("{phase}: "),
        );
    }

    /// Shows how far the search has come.
    pub fn show(&mut self, progress: &Progress) {
        self.show_with(progress, "");
    }

    fn show_with(&mut self, progress: &Progress, phase: &str) {
        if !self.is_due() {
            return;
        }
        let speed = progress.nodes as f64 / progress.elapsed.as_secs_f64().max(1e-9);
        let fill = 100.0 * progress.stored as f64 / progress.capacity.max(1) as f64;
        self.bar.set_message(format!(
            "{phase}{} nodes, {}/s, pn {} dn {}, depth {}, table {fill:.0} %",
            count(progress.nodes),
            count(speed as u64),
            number(progress.pn),
            number(progress.dn),
            progress.depth,
        ));
        self.bar.tick();
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
