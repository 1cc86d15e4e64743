//! What comes with time: the answer that is due, lines to be shown, the growth of the tree.

use std::time::Duration;

use tokio::time::Instant;
use yomikiri_engine::protocol::Value;

use super::state::Front;
use super::thinking::PATIENCE;

/// How often the state of a search is shown.
const SHOW: Duration = Duration::from_millis(250);
/// How often the tree is published.
const PUBLISH: Duration = Duration::from_millis(500);

impl Front {
    /// When the answer is due: a tick is too coarse for that.
    pub(super) fn due(&self) -> Option<Instant> {
        let Some(thinking) = &self.thinking else { return self.mates.due() };
        match &thinking.last_words {
            Some((until, _)) => Some(*until),
            None => self.deadline(),
        }
    }

    /// When it has to answer, by what it knows. Where there is nobody whose word it could wait for it
    /// takes no more time than usual, nor more than is left for a look of its own.
    fn deadline(&self) -> Option<Instant> {
        let thinking = self.thinking.as_ref()?;
        match self.master.is_known() {
            true => thinking.deadline,
            false if self.pool.has_hope() => thinking.latest,
            false => thinking.deadline.min(thinking.latest),
        }
    }

    pub(super) fn look_at_the_clock(&mut self) {
        let now = Instant::now();
        self.answer_ready();
        if let Some(thinking) = &self.thinking {
            if thinking.last_words.is_some() {
                self.finish_if_all_said();
            } else if self.deadline().is_some_and(|deadline| now >= deadline) || self.has_enough() {
                self.end();
            }
        }
        if self.mates.due().is_some_and(|deadline| now >= deadline) {
            self.call_off_mate();
        }
        self.grow(now);
        // As long as it ponders, the tree is that of the position before.
        let shows = self.thinking.as_ref().is_some_and(|thinking| !thinking.pondering);
        if shows && now >= self.shown_at + SHOW {
            let decision = self.master.decide();
            if self.shown.as_ref() != Some(&decision) {
                self.show(&decision);
                self.shown = Some(decision);
            }
            self.shown_at = now;
        }
        if now >= self.published_at + PUBLISH {
            self.published_at = now;
            self.publish();
        }
    }

    /// Is what `go` asked for found?
    fn has_enough(&self) -> bool {
        let Some(thinking) = self.thinking.as_ref().filter(|thinking| !thinking.pondering) else {
            return false;
        };
        let go = &thinking.go;
        if go.infinite {
            return false;
        }
        if self.master.workers().0 == 0 && thinking.start.elapsed() >= PATIENCE {
            return true;
        }
        // Whatever was asked for, they can do no more.
        if thinking.deadline.is_none() && self.master.has_ended() {
            return true;
        }
        let nodes = self.master.nodes().saturating_sub(thinking.nodes_before);
        if go.nodes.is_some_and(|most| nodes >= most) {
            return true;
        }
        if go.depth.is_none() && go.mate.is_none() {
            return false;
        }
        let decision = self.master.decide();
        let mates = || matches!(decision.score.map(|score| score.value), Some(Value::Mate(1..)));
        let most = self.options.multipv;
        let is_deep = |depth| decision.depth >= depth && self.master.has_lines(most, depth);
        go.depth.is_some_and(is_deep) || go.mate.is_some() && mates()
    }

    /// Gives idle workers something to do.
    fn grow(&mut self, now: Instant) {
        let ends = self.thinking.as_ref().is_some_and(|thinking| thinking.last_words.is_some());
        let rests = self.thinking.is_none() && !self.options.ponder;
        if !ends && !rests {
            self.pace.grow(&mut self.master, now);
        }
    }
}
