//! One game between two players.

use std::time::Duration;

use yomikiri_engine::protocol::{BestMove, Dialect, PositionText, Score, Value as Said};

use super::adjudication::{Adjudication, Watch};
use super::limits::{Clock, go};
use super::player::{Failure, Player, StartError, Thought};
use super::record::{Ended, Ply, Reason};
use super::referee::Referee;
use crate::{Game, Value};

/// What holds for every game of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// What is played.
    pub game: Game,
    /// When a game is ended early.
    pub adjudication: Adjudication,
    /// Do the engines think in the opponent's time?
    pub ponder: bool,
    /// So much later than its time a move may come: it is on its way for a while.
    pub margin: Duration,
    /// A move without a limit of time may take so long; then the engine is hung.
    pub patience: Duration,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// The moves after the opening.
    pub plies: Vec<Ply>,
    /// How it ended.
    pub ended: Ended,
}

/// Plays a game. The player of the side that begins a game comes first; the opening must be one
/// that can be played.
pub async fn play(
    terms: &Terms,
    opening: &PositionText,
    referee: Referee,
    players: [&mut Player; 2],
) -> Result<Played, StartError> {
    let [first, second] = players;
    let (one, two) = tokio::join!(first.new_game(opening), second.new_game(opening));
    one.and(two)?;
    let clocks = [Clock::new(first.limits()), Clock::new(second.limits())];
    let watch = Watch::new(terms.adjudication);
    let text = opening.clone();
    let mut table = Table { terms, referee, clocks, watch, text, plies: Vec::new() };
    let ended = loop {
        let (mover, other) = match table.referee.turn() {
            0 => (&mut *first, &mut *second),
            _ => (&mut *second, &mut *first),
        };
        if let Some(ended) = table.turn(mover, other).await {
            break ended;
        }
    };
    let result = |side| match ended.winner {
        Some(winner) if winner == side => "win",
        Some(_) => "lose",
        None => "draw",
    };
    tokio::join!(first.end_game(result(0)), second.end_game(result(1)));
    Ok(Played { plies: table.plies, ended })
}

/// A board with its clocks.
struct Table<'a> {
    terms: &'a Terms,
    referee: Referee,
    clocks: [Clock; 2],
    watch: Watch,
    text: PositionText,
    plies: Vec<Ply>,
}

impl Table<'_> {
    fn dialect(&self) -> Dialect {
        self.terms.game.dialect()
    }

    /// One turn. Does the game end?
    async fn turn(&mut self, mover: &mut Player, other: &mut Player) -> Option<Ended> {
        let side = self.referee.turn();
        let go_now = go(&self.clocks, side, self.dialect());
        let allowance = self.clocks[side].allowance();
        let within = allowance.map_or(self.terms.patience, |time| time + self.terms.margin);
        let thought = tokio::select! {
            biased;
            thought = mover.think(&self.text, go_now, within) => thought,
            never = other.attend() => match never {},
        };
        let lost = |reason, detail: String| {
            Some(Ended { detail: Some(detail), ..Ended::won(1 - side, reason) })
        };
        let late = |taken: String| match allowance {
            Some(allowance) => lost(
                Reason::Time,
                format!("{} had {} ms and took {taken}", mover.name(), allowance.as_millis()),
            ),
            None => {
                lost(Reason::Crash, format!("{} is hung: no move within {within:?}", mover.name()))
            }
        };
        let Thought { best, ponder, info, taken } = match thought {
            Ok(thought) => thought,
            Err(Failure::Late) => {
                let ended = late(format!("more than {} ms", within.as_millis()));
                if allowance.is_none() {
                    mover.give_up();
                }
                return ended;
            }
            Err(Failure::Lost(reason)) => return lost(Reason::Crash, reason),
        };
        if !self.clocks[side].spend(taken, self.terms.margin) {
            return late(format!("{} ms", taken.as_millis()));
        }
        let best = match best {
            BestMove::Move(text) => text,
            BestMove::Resign => return Some(Ended::won(1 - side, Reason::Resignation)),
            BestMove::Win if self.referee.may_declare() => {
                return Some(Ended::won(side, Reason::Declaration));
            }
            BestMove::Win => "win".into(),
            BestMove::None => "(none)".into(),
        };
        if !self.referee.play(&best) {
            let detail = format!("{} played '{best}'", mover.name());
            mover.give_up();
            return lost(Reason::IllegalMove, detail);
        }
        let score = info.as_ref().and_then(|info| info.score);
        self.plies.push(Ply {
            text: best.clone(),
            ms: u64::try_from(taken.as_millis()).unwrap_or(u64::MAX),
            score: score.map(words),
            depth: info.as_ref().and_then(|info| info.depth),
            nodes: info.as_ref().and_then(|info| info.nodes),
        });
        self.text.moves.push(best);
        let value = score.map(|score| Value::of(score, self.dialect()));
        let early = self.watch.note(side, value);
        if let Some(ended) = self.referee.verdict().or(early) {
            return Some(ended);
        }
        if self.terms.ponder
            && let Some(expected) = ponder.filter(|text| self.referee.is_legal(text))
        {
            let mut position = self.text.clone();
            position.moves.push(expected);
            mover.ponder(&position, go(&self.clocks, side, self.dialect()));
        }
        None
    }
}

/// A score as people read it: `+0.35`, `-M3`.
fn words(score: Score) -> String {
    match score.value {
        Said::Cp(value) => format!("{:+.2}", f64::from(value) / 100.0),
        Said::Mate(n) if n > 0 => format!("+M{n}"),
        Said::Mate(n) => format!("-M{}", n.unsigned_abs()),
        Said::Winning => "+M".into(),
        Said::Losing => "-M".into(),
    }
}
