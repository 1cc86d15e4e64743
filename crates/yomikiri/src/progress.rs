//! The progress bar: on standard error, and only on a terminal.

use std::io::{IsTerminal, stderr};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use andor::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, WeakProgressBar};
use yomikiri_question::display::{self, count, number};
use yomikiri_question::lang::text;
use yomikiri_shogi::notation::japanese;
use yomikiri_shogi::{Move, Position};
use yomikiri_tsume::{MateProgress, Phase};

use crate::columns::width;

/// Between two drawings.
const EVERY: Duration = Duration::from_millis(100);

/// Columns for what the agents are on. The whole is cut where the terminal ends.
const COLUMNS: usize = 48;

/// Moves of a line that are told.
const SHOWN: usize = 2;

/// The bars that were put on the screen.
static BARS: Mutex<Vec<WeakProgressBar>> = Mutex::new(Vec::new());

/// A bar of the terminal library, if there is somebody to see it.
pub fn bar(quiet: bool, template: &str) -> Option<ProgressBar> {
    if quiet || !stderr().is_terminal() {
        return None;
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("=> "));
    }
    let mut bars = BARS.lock().unwrap_or_else(PoisonError::into_inner);
    bars.retain(|bar| bar.upgrade().is_some());
    bars.push(bar.downgrade());
    Some(bar)
}

/// Takes all bars off the screen, before the program is ended from outside.
pub fn clear() {
    /// Who is printing holds its bar, perhaps for ever: so long that is waited for.
    const PATIENCE: Duration = Duration::from_millis(200);
    let (done, is_done) = channel();
    thread::spawn(move || {
        let bars = BARS.lock().unwrap_or_else(PoisonError::into_inner);
        bars.iter().filter_map(WeakProgressBar::upgrade).for_each(|bar| bar.finish_and_clear());
        let _ = done.send(());
    });
    let _ = is_done.recv_timeout(PATIENCE);
}

/// A line that tells how a search is getting on.
pub struct Bar {
    bar: ProgressBar,
    drawn: Instant,
}

impl Bar {
    /// A bar, if there is somebody to see it.
    pub fn new(quiet: bool, name: &str) -> Option<Bar> {
        Bar::with_template(quiet, name, "{spinner} {prefix} {elapsed} {wide_msg}")
    }

    fn with_template(quiet: bool, name: &str, template: &str) -> Option<Bar> {
        let bar = bar(quiet, template)?;
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
        let template = "{spinner} {prefix} {elapsed} [{bar:25}] {pos}/{len} {msg}";
        let bar = Bar::with_template(quiet, name, template)?;
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
    pub fn show_mate(&mut self, progress: &MateProgress<'_>, position: &Position) {
        let MateProgress { nodes, elapsed, pn, dn, depth, stored, capacity, phase, agents } =
            *progress;
        let name = |line: &str| {
            if phase == Phase::Line {
                // The questions are about other positions then.
                return line.split(' ').map(str::to_owned).collect();
            }
            let moves: Vec<Move> = line.split(' ').map_while(Move::from_usi).collect();
            japanese::line_names(position, &moves)
        };
        self.show_with(
            &Progress { nodes, elapsed, pn, dn, depth, stored, capacity, agents },
            &format!("{}: ", display::phase(phase)),
            name,
        );
    }

    /// Shows how far the search has come.
    pub fn show(&mut self, progress: &Progress<'_>) {
        self.show_with(progress, "", |line| line.split(' ').map(str::to_owned).collect());
    }

    /// `name` gives the moves of an agent's line as people call them.
    fn show_with(
        &mut self,
        progress: &Progress<'_>,
        phase: &str,
        name: impl Fn(&str) -> Vec<String>,
    ) {
        if !self.is_due() {
            return;
        }
        let agents = match progress.agents {
            [] | [_] => text!(",", "、").to_string(),
            agents => {
                let lines: Vec<Vec<String>> = agents.iter().map(|a| name(&a.line)).collect();
                let (threads, places) = (agents.len(), places(&lines, COLUMNS));
                text!(", {threads} threads: {places};", "、{threads}スレッド: {places}；")
                    .to_string()
            }
        };
        let speed = progress.nodes as f64 / progress.elapsed.as_secs_f64().max(1e-9);
        let fill = 100.0 * progress.stored as f64 / progress.capacity.max(1) as f64;
        let (nodes, speed) = (count(progress.nodes), count(speed as u64));
        let (pn, dn, depth) = (number(progress.pn), number(progress.dn), progress.depth);
        let message = text!(
            "{phase}{nodes} nodes, {speed}/s{agents} pn {pn} dn {dn}, depth {depth}, table {fill:.0} %",
            "{phase}{nodes}ノード、毎秒{speed}{agents} 証明数 {pn}、反証数 {dn}、深さ {depth}、置換表 {fill:.0} %"
        );
        self.bar.set_message(message.to_string());
        self.bar.tick();
    }
}

/// Where agents are: how many of them on which line, those with the same first move together, as
/// far as so many columns go.
fn places(lines: &[Vec<String>], columns: usize) -> String {
    let mut groups: Vec<(usize, &[String])> = Vec::new();
    for line in lines {
        match groups.iter_mut().find(|(_, first)| first.first() == line.first()) {
            Some((count, common)) => {
                *count += 1;
                let same = common.iter().zip(line).take_while(|(a, b)| a == b).count();
                *common = &common[..same];
            }
            None => groups.push((1, &line[..line.len().min(SHOWN)])),
        }
    }
    groups.sort_by_key(|&(count, _)| std::cmp::Reverse(count));
    let mut text = String::new();
    for (count, line) in groups {
        let line = match line.is_empty() {
            true => text!("the root", "初形").to_string(),
            false => line.join(" "),
        };
        let comma = if text.is_empty() { "" } else { ", " };
        let next = text!("{comma}{count} on {line}", "{comma}{line}に{count}").to_string();
        if !text.is_empty() && width(&text) + width(&next) > columns {
            return text + ", …";
        }
        text += &next;
    }
    text
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_question::lang::Lang;

    #[test]
    fn agents_are_told_by_their_first_moves() {
        let lines = |texts: &[&str]| -> Vec<Vec<String>> {
            texts.iter().map(|t| t.split_whitespace().map(str::to_owned).collect()).collect()
        };
        let five = lines(&["a b c", "d e", "a b f", "a b", ""]);
        assert_eq!(places(&five, 80), "3 on a b, 1 on d e, 1 on the root");
        assert_eq!(places(&five, 12), "3 on a b, …");
        assert_eq!(Lang::Ja.speak(|| places(&five, 80)), "a bに3, d eに1, 初形に1");
        // The first is told however long it is.
        assert_eq!(places(&lines(&["▲２四飛 △同歩"]), 3), "1 on ▲２四飛 △同歩");
    }
}
