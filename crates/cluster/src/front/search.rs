//! A search, from `go` to `bestmove`.

use std::time::Duration;

use tokio::time::Instant;
use yomikiri_engine::protocol::{
    BestMove, Checkmate, Clock, Dialect, Go, Info, PositionText, Reply,
};

use super::state::Front;
use super::thinking::{PATIENCE, Thinking};
use crate::board::Board;
use crate::clock::{Budget, budget};
use crate::master::{Decision, WorkerId};
use crate::{mates, own};

/// How long the last words of workers are waited for. Many engines say what they found since their
/// last iteration only when they stop, and an iteration may take half of the time.
const LAST_WORDS: Duration = Duration::from_millis(8);
/// How long the master looks at a position itself, if nobody else has.
const OWN: Duration = Duration::from_millis(20);

impl Front {
    pub(super) fn go(&mut self, go: Go) {
        self.finish_if_thinking();
        if self.setup.dialect == Dialect::Usi && go.mate.is_some() {
            self.master.rest();
            // They stop before they are asked for a mate.
            self.obey();
            return self.mates.begin(&self.position, &go, self.options.overhead, &self.pool);
        }
        let pondering = go.ponder;
        let position = self.position.clone();
        self.thinking = Some(Thinking {
            go,
            position,
            start: Instant::now(),
            deadline: None,
            latest: None,
            nodes_before: self.master.nodes(),
            pondering,
            last_words: None,
        });
        self.shown = None;
        if pondering && self.options.ponder {
            // All answers are thought about: the root is the position before the expected one.
            let mut before = self.position.clone();
            before.moves.pop();
            if before != *self.master.tree().text() {
                self.make_root(before, &[]);
            }
        } else {
            self.take_up();
            if !pondering {
                self.start_clock();
            }
        }
        if self.thinking.is_some() {
            self.master.resume();
        }
    }

    /// How deep the workers are to search for a `go`. USI has no depth: an engine need not know it.
    fn depth(&self) -> Option<u64> {
        let go = self.thinking.as_ref().map(|thinking| &thinking.go)?;
        let is_bound = !go.infinite && self.setup.dialect == Dialect::Uci;
        go.depth.filter(|_| is_bound)
    }

    /// Makes the position of the search the root.
    fn take_up(&mut self) {
        self.master.set_depth(self.depth());
        let Some(thinking) = &self.thinking else { return };
        let (position, only) = (thinking.position.clone(), thinking.go.searchmoves.clone());
        self.make_root(position, &only);
    }

    fn make_root(&mut self, position: PositionText, only: &[String]) {
        let taken = match only.is_empty() {
            true => self.master.set_position(position),
            false => self.master.set_restricted(position, only),
        };
        if let Err(error) = taken {
            // It was checked when it came.
            self.remark(error.to_string());
        }
        self.pace.begin(&mut self.master);
    }

    fn start_clock(&mut self) {
        let root = self.master.tree().get(self.master.tree().root());
        let (side, moves) = root.map_or((0, 0), |root| (root.board().turn(), root.legal().len()));
        let Some(thinking) = &mut self.thinking else { return };
        thinking.start = Instant::now();
        let go = &thinking.go;
        let clock = Clock::of(go, side);
        let mut time = budget(&clock, self.options.overhead).filter(|_| !go.infinite);
        let is_bound = go.infinite || go.depth.is_some() || go.nodes.is_some() || go.mate.is_some();
        if moves <= 1 && time.is_some() && thinking.go.movetime.is_none() {
            time = Some(Budget::NONE);
        }
        if moves == 0 && !thinking.go.infinite {
            time = Some(Budget::NONE);
        }
        if time.is_none() && !is_bound {
            // A bare `go`: an answer must come some time.
            time = Some(Budget::exactly(PATIENCE));
        }
        // The last words need their time too, though seldom all of it; so does a look of our own.
        let less = |time: Duration, part: Duration| thinking.start + time - part.min(time / 4);
        thinking.deadline = time.map(|time| less(time.usual, LAST_WORDS / 2));
        thinking.latest = time.map(|time| less(time.most, OWN));
        if time == Some(Budget::NONE) {
            self.finish();
        }
    }

    pub(super) fn ponder_hit(&mut self) {
        match &mut self.thinking {
            Some(thinking) if thinking.pondering => {
                thinking.pondering = false;
                self.take_up();
                self.start_clock();
                if self.thinking.is_some() {
                    self.master.resume();
                }
            }
            _ => self.remark("ponderhit, but nothing is pondered"),
        }
    }

    /// Comes to an end: workers that are not to go on are stopped, and have the last word.
    pub(super) fn end(&mut self) {
        let Some(thinking) = &mut self.thinking else { return };
        if thinking.pondering {
            return self.miss();
        }
        if thinking.last_words.is_none() {
            let stopped = self.master.halt(self.options.ponder).into_iter().collect();
            thinking.last_words = Some((Instant::now() + LAST_WORDS, stopped));
        }
        self.finish_if_all_said();
    }

    /// Nothing more is to be expected of a worker.
    pub(super) fn has_said_all(&mut self, worker: WorkerId) {
        let thinking = self.thinking.as_mut();
        if let Some((_, waited)) = thinking.and_then(|thinking| thinking.last_words.as_mut()) {
            waited.remove(&worker);
            self.finish_if_all_said();
        }
    }

    pub(super) fn finish_if_all_said(&mut self) {
        let last_words = self.thinking.as_ref().and_then(|thinking| thinking.last_words.as_ref());
        if last_words.is_some_and(|(until, waited)| waited.is_empty() || Instant::now() >= *until) {
            self.finish();
        }
    }

    pub(super) fn finish_if_thinking(&mut self) {
        self.call_off_mate();
        match &self.thinking {
            Some(thinking) if thinking.pondering => self.miss(),
            Some(_) => self.finish(),
            None => {}
        }
    }

    /// The expected move was not played. An answer is owed all the same, but nobody plays it: it is
    /// what is known at once. The root stays where it is, for the move that was played is below it,
    /// in the tree or in what its workers know.
    fn miss(&mut self) {
        let Some(Thinking { position, .. }) = self.thinking.take() else { return };
        let known = self.master.decide_at(&position).filter(|known| known.best.is_some());
        let decision = known.or_else(|| {
            let board = Board::new(self.game(), &position).ok()?;
            own::search(&board, &position, &board.moves(), OWN).map(Decision::from)
        });
        let (best, ponder) = decision.map_or((BestMove::None, None), |decision| {
            let info = Info {
                depth: Some(decision.depth),
                score: decision.score,
                pv: decision.pv,
                ..Info::default()
            };
            self.say(Reply::Info(Box::new(info)));
            (decision.best.map_or(BestMove::None, BestMove::Move), decision.ponder)
        });
        self.say(Reply::BestMove { best, ponder });
        self.master.set_depth(None);
        if !self.options.ponder {
            self.master.rest();
        }
    }

    /// Answers.
    pub(super) fn finish(&mut self) {
        let look = || own::decide(&self.master, OWN);
        let (decision, remark) = own::unless_known(self.master.decide(), look);
        remark.into_iter().for_each(|remark| self.remark(remark));
        self.show(&decision);
        let Some(thinking) = self.thinking.take() else { return };
        self.master.set_depth(None);
        if self.debug {
            self.show_tree();
        }
        let best = decision.best.clone().map_or(BestMove::None, BestMove::Move);
        self.say(Reply::BestMove { best, ponder: decision.ponder });
        match decision.best.filter(|_| self.options.ponder) {
            Some(best) => {
                let mut next = thinking.position;
                next.moves.push(best);
                match self.master.set_position(next) {
                    Ok(()) => self.master.resume(),
                    Err(_) => self.master.rest(),
                }
                self.pace.begin(&mut self.master);
            }
            None => self.master.rest(),
        }
    }

    pub(super) fn call_off_mate(&mut self) {
        let outcome = self.mates.finish(Checkmate::Timeout, None, &self.pool);
        self.answer_mate(outcome);
    }

    pub(super) fn answer_mate(&self, outcome: Option<mates::Outcome>) {
        if let Some(outcome) = outcome {
            self.say(Reply::Info(Box::new(outcome.info)));
            self.say(Reply::Checkmate(outcome.checkmate));
        }
    }
}
