//! All games of a match: who plays what where, side by side.

use std::collections::BTreeSet;
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc;
use tokio::task::JoinSet;
use yomikiri_engine::protocol::Start;

use super::game::{Terms, play};
use super::openings::Openings;
use super::player::{Contestant, Player, StartError};
use super::record::{GameRecord, today};
use super::standing::Standing;
use super::tournament::Pairings;
use crate::tally::{Sprt, Verdict};

/// A match.
#[derive(Clone)]
pub struct Plan {
    /// Who plays: at least two.
    pub contestants: Vec<Contestant>,
    /// Against whom.
    pub pairings: Pairings,
    /// What holds for every game.
    pub terms: Terms,
    /// Where games begin. If there are fewer than pairs they are used again.
    pub openings: Openings,
    /// So many openings, each played twice by every pairing.
    pub pairs: u64,
    /// So many games at a time.
    pub concurrency: usize,
    /// Ends the match when it is decided; a tournament it does not end.
    pub sprt: Option<Sprt>,
}

impl Plan {
    /// How many pairs of games there are in all.
    pub fn all_pairs(&self) -> u64 {
        self.pairs.saturating_mul(self.pairings.count())
    }
}

/// What is told while a match runs.
#[derive(Clone, Debug)]
pub enum Report {
    /// A game has ended.
    Game(Box<GameRecord>),
    /// Something odd about an engine.
    Warning(String),
}

/// Why a match has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// All was played.
    Complete,
    /// The sequential test has decided.
    Decided,
    /// It was broken off.
    Interrupted,
}

/// A match that cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E> {
    /// An engine cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Whoever was told did not want to go on.
    #[error(transparent)]
    Told(E),
}

/// The games that are still to be played.
#[derive(Debug)]
struct Schedule {
    done: BTreeSet<(u64, u8)>,
    next: (u64, u8),
    pairs: u64,
}

impl Schedule {
    fn new(pairs: u64, played: &[GameRecord]) -> Schedule {
        let done = played.iter().map(|record| (record.pair, record.game)).collect();
        Schedule { done, next: (0, 0), pairs }
    }
}

impl Iterator for Schedule {
    type Item = (u64, u8);

    fn next(&mut self) -> Option<(u64, u8)> {
        while self.next.0 < self.pairs {
            let (pair, game) = self.next;
            self.next = if game == 0 { (pair, 1) } else { (pair + 1, 0) };
            if !self.done.contains(&(pair, game)) {
                return Some((pair, game));
            }
        }
        None
    }
}

/// Plays what `played` lacks, and tells of every game when it ends, until all is played, the
/// sequential test decides, or `interrupt` comes true; games that run then are lost. Of those that
/// have ended before an interrupt, or before an engine that cannot be started, none is.
pub async fn run<E>(
    plan: &Plan,
    played: &[GameRecord],
    interrupt: impl Future<Output = ()>,
    mut tell: impl FnMut(Report) -> Result<(), E>,
) -> Result<Finish, RunError<E>> {
    let all = plan.all_pairs();
    let mut standing = Standing::new(played.iter().filter(|record| record.pair < all));
    let schedule = Arc::new(Mutex::new(Schedule::new(all, played)));
    let sprt = plan.sprt.filter(|_| plan.pairings.count() == 1);
    let is_decided = |standing: &Standing| {
        sprt.is_some_and(|sprt| sprt.verdict(&standing.tally) != Verdict::Open)
    };
    if is_decided(&standing) {
        return Ok(Finish::Decided);
    }
    // Without a bound: a game that has ended does not wait to be queued.
    let (sender, mut reports) = mpsc::unbounded_channel();
    // Dropping the set ends all games and their engines.
    let mut slots = JoinSet::new();
    let plan_of_slots = Arc::new(plan.clone());
    for _ in 0..plan.concurrency.max(1) {
        slots.spawn(slot(plan_of_slots.clone(), schedule.clone(), sender.clone()));
    }
    drop(sender);
    let mut interrupt = pin!(interrupt);
    let ended = loop {
        let report = tokio::select! {
            biased;
            () = &mut interrupt => break Ok(Finish::Interrupted),
            report = reports.recv() => match report {
                Some(Ok(report)) => report,
                Some(Err(error)) => break Err(error),
                None => break Ok(Finish::Complete),
            },
        };
        if let Report::Game(record) = &report {
            standing.add(record);
        }
        tell(report).map_err(RunError::Told)?;
        if is_decided(&standing) {
            return Ok(Finish::Decided);
        }
    };
    if let Ok(Finish::Complete) = ended {
        while let Some(ended) = slots.join_next().await {
            if let Err(error) = ended
                && error.is_panic()
            {
                std::panic::resume_unwind(error.into_panic());
            }
        }
    }
    // Nobody plays on, and what has ended by then is told.
    slots.shutdown().await;
    while let Ok(report) = reports.try_recv() {
        if let Ok(report) = report {
            tell(report).map_err(RunError::Told)?;
        }
    }
    Ok(ended?)
}

/// Plays one game after the other with engines of its own.
async fn slot(
    plan: Arc<Plan>,
    schedule: Arc<Mutex<Schedule>>,
    reports: mpsc::UnboundedSender<Result<Report, StartError>>,
) {
    let mut players: Vec<Player> = plan.contestants.iter().cloned().map(Player::new).collect();
    loop {
        // A lock that is poisoned was held by a slot that panicked; the schedule is whole.
        let next = schedule.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some((pair, game)) = next else { return };
        let result = play_one(&plan, pair, game, &mut players).await;
        let warnings = players.iter_mut().flat_map(Player::take_warnings);
        let warnings: Vec<String> = warnings.collect();
        let all = warnings.into_iter().map(|warning| Ok(Report::Warning(warning)));
        let is_over = result.is_err();
        for report in all.chain([result.map(|record| Report::Game(Box::new(record)))]) {
            if reports.send(report).is_err() {
                return;
            }
        }
        if is_over {
            return;
        }
    }
}

async fn play_one(
    plan: &Plan,
    pair: u64,
    game: u8,
    players: &mut [Player],
) -> Result<GameRecord, StartError> {
    let (opening, referee) = plan.openings.get(plan.pairings.opening(pair));
    let start = match &opening.start {
        Start::Initial => None,
        Start::Fen(text) => Some(text.clone()),
    };
    let Ok([first, second]) = players.get_disjoint_mut(plan.pairings.of(pair)) else {
        unreachable!("a pairing is of two of the contestants");
    };
    let [first, second] = if game == 0 { [first, second] } else { [second, first] };
    let played = play(&plan.terms, opening, referee.clone(), [first, second]).await?;
    Ok(GameRecord {
        pair,
        game,
        players: [&*first, &*second].map(|player| player.name().to_owned()),
        engines: [&*first, &*second].map(|player| player.engine().to_owned()),
        date: today(),
        start,
        book: opening.moves.clone(),
        turn: referee.turn(),
        winner: played.ended.winner,
        reason: played.ended.reason,
        detail: played.ended.detail,
        plies: played.plies,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_play::record::Reason;

    fn record(pair: u64, game: u8) -> GameRecord {
        GameRecord {
            pair,
            game,
            players: ["a".into(), "b".into()],
            engines: ["A 1".into(), "B 1".into()],
            date: today(),
            start: None,
            book: Vec::new(),
            turn: 0,
            winner: None,
            reason: Reason::Stalemate,
            detail: None,
            plies: Vec::new(),
        }
    }

    #[test]
    fn every_opening_is_played_twice() {
        let all: Vec<_> = Schedule::new(2, &[]).collect();
        assert_eq!(all, [(0, 0), (0, 1), (1, 0), (1, 1)]);
    }

    #[test]
    fn what_was_played_is_not_played_again() {
        let played = [record(1, 0), record(0, 1), record(7, 0)];
        let all: Vec<_> = Schedule::new(3, &played).collect();
        assert_eq!(all, [(0, 0), (1, 1), (2, 0), (2, 1)]);
    }
}
