//! The progress bar: on standard error, and only on a terminal.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use andor::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::words::{count, number};

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

    /// Shows how far the search has come, some times a second.
    pub fn show(&mut self, progress: &Progress) {
        const EVERY: Duration = Duration::from_millis(100);
        if self.drawn.elapsed() < EVERY {
            return;
        }
        self.drawn = Instant::now();
        let speed = progress.nodes as f64 / progress.elapsed.as_secs_f64().max(1e-9);
        let fill = 100.0 * progress.stored as f64 / progress.capacity.max(1) as f64;
        self.bar.set_message(format!(
            "{} nodes, {}/s, pn {} dn {}, depth {}, table {fill:.0} %",
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
