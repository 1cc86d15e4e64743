//! Chess: our own engine, with few nodes.

use std::time::{Duration, Instant};

use yomikiri_alphabeta::{Control, Job, Next, Score as Found, Searcher, View};
use yomikiri_chess::Position;
use yomikiri_engine::protocol::{PositionText, Score, Start};

use super::found::Own;
use crate::board::Castling;

/// Not more than this, however much time there is.
const NODES: u64 = 20_000;

/// So many are looked at even if there is no time: the first iteration takes less.
const FIRST_NODES: u64 = 2_000;

/// The clock is looked at after so many.
const STEP: u64 = 500;

/// Stops a search in time.
struct Brief {
    end: Instant,
}

impl Control for Brief {
    fn check(&mut self, nodes: u64, view: &View<'_>) -> Next {
        match nodes >= NODES || Instant::now() >= self.end {
            true if view.depth() == 0 && nodes < FIRST_NODES => Next::Until(FIRST_NODES),
            true => Next::Stop,
            false => Next::Until(nodes + STEP),
        }
    }
}

pub fn search(
    position: &Position,
    castling: Castling,
    text: &PositionText,
    moves: &[String],
    time: Duration,
) -> Option<Own> {
    let mut job = game(text).unwrap_or_else(|| Job::new(position.board().clone()));
    job.searchmoves = moves.iter().filter_map(|m| position.parse_uci(m).ok()).collect();
    if job.searchmoves.is_empty() {
        return None;
    }
    let outcome = Searcher::new(1).search(&job, &mut Brief { end: Instant::now() + time });
    let line = outcome.lines.first()?;
    let mut at = position.clone();
    let mut pv = Vec::new();
    for &m in &line.pv {
        pv.push(castling.write(&at, m));
        at.play(m);
    }
    let score = match line.score {
        Found::Cp(value) => Score::cp(value),
        Found::Mate(moves) => Score::mate(moves),
    };
    Some(Own { pv, score, depth: line.depth.max(1).into() })
}

/// The position with the game before it, so that repetitions are seen.
fn game(text: &PositionText) -> Option<Job> {
    let start = match &text.start {
        Start::Initial => Position::start(),
        Start::Fen(fen) => Position::from_fen(fen).ok()?,
    };
    let mut job = Job::new(start.board().clone());
    for m in &text.moves {
        let m = Position::from(job.position.clone()).parse_uci(m).ok()?;
        job.play(m);
    }
    Some(job)
}
