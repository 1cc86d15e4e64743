//! Virtual time: a cluster of many workers, played on few cores.
//!
//! Time is counted in nodes. While a move is being thought about, every worker of both sides gets
//! the same number of nodes, one worker after the other, in slices; so what is measured is what as
//! many machines of equal speed would do, without the noise of clocks, and every game can be
//! repeated move by move. Workers are our own [alpha-beta searchers](yomikiri_alphabeta), each on
//! a thread of its own that waits inside the search while others have their turn: they are not
//! even restarted between slices.

mod game;
mod worker;

use std::collections::BTreeMap;

use yomikiri_engine::protocol::{Info, PositionText};

use crate::board::{BoardError, Game};
use crate::growth::Growth;
use crate::master::{Decision, Master, Order, WorkerId};
use crate::ranks::Ranks;
pub use game::{Budget, Played, Winner, play};
use worker::Worker;

/// A worker has ended before its cluster. What follows would be the play of a smaller cluster under
/// the name of this one, so the game is broken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a worker in virtual time has ended in the middle of a game, so the game does not count")]
pub struct Lost;

/// Why a game in virtual time has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// A position or a move is not one.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A worker was lost.
    #[error(transparent)]
    Lost(#[from] Lost),
    /// There is no thread for a worker.
    #[error("no thread for a worker: {0}")]
    Thread(String),
}

/// Into how many slices the time for a move is cut.
const SLICES: u64 = 8;

/// What a cluster in virtual time is made of.
#[derive(Clone, Debug)]
pub struct Setup {
    /// How many workers.
    pub workers: u32,
    /// How its tree grows.
    pub growth: Growth,
    /// The probabilities of ranks.
    pub ranks: Ranks,
    /// The table of each worker, in MiB.
    pub table_mib: usize,
    /// Do workers report their tables? Otherwise the tree grows by the lines that they print.
    pub reports: bool,
    /// Do workers forget their tables at every move? (The paper's test of what tables are worth.)
    pub forgetful: bool,
}

impl Setup {
    /// So many workers, and the paper's method.
    pub fn new(workers: u32) -> Setup {
        Setup {
            workers,
            growth: Growth::Pgpp,
            ranks: Ranks::paper(),
            table_mib: 2,
            reports: true,
            forgetful: false,
        }
    }
}

/// A cluster whose time is counted in nodes.
pub struct VirtualCluster {
    setup: Setup,
    master: Master,
    workers: BTreeMap<WorkerId, Worker>,
}

impl VirtualCluster {
    /// Its workers wait for the first position.
    pub fn new(setup: Setup) -> Result<VirtualCluster, GameError> {
        let mut workers = BTreeMap::new();
        for id in 0..setup.workers.max(1) {
            let worker = Worker::start(setup.table_mib);
            let worker = worker.map_err(|error| GameError::Thread(error.to_string()))?;
            workers.insert(WorkerId(id), worker);
        }
        let mut cluster = VirtualCluster { master: fresh(&setup), setup, workers };
        cluster.new_game()?;
        Ok(cluster)
    }

    /// The master, to look at.
    pub fn master(&self) -> &Master {
        &self.master
    }

    /// Forgets everything.
    pub fn new_game(&mut self) -> Result<(), Lost> {
        self.master = fresh(&self.setup);
        for (&id, worker) in &mut self.workers {
            worker.forget()?;
            self.master.join(id, self.setup.reports);
        }
        self.master.resume();
        self.obey()
    }

    /// This position is on the board.
    pub fn set_position(&mut self, text: PositionText) -> Result<(), GameError> {
        self.master.set_position(text)?;
        self.obey()?;
        self.master.grow();
        self.obey()?;
        Ok(())
    }

    /// Gives every worker so many nodes.
    pub fn think(&mut self, nodes: u64) -> Result<(), Lost> {
        let mut given = 0;
        for slice in 1..=SLICES {
            let until = nodes * slice / SLICES;
            for (&id, worker) in &mut self.workers {
                let (job, infos) = worker.run(until - given)?;
                for info in &infos {
                    self.master.info(id, job, info);
                }
            }
            given = until;
            if self.master.workers().1 > 0 {
                self.master.ask_for_growth();
                self.obey()?;
                self.master.grow();
                self.obey()?;
            }
        }
        Ok(())
    }

    /// What it would play: any legal move where too few nodes were given to say.
    pub fn decide(&self) -> Decision {
        let mut decision = self.master.decide();
        if decision.best.is_none() {
            let root = self.master.tree().get(self.master.tree().root());
            decision.pv = root.and_then(|root| root.legal().first().cloned()).into_iter().collect();
            decision.best = decision.pv.first().cloned();
        }
        decision
    }

    fn obey(&mut self) -> Result<(), Lost> {
        for order in self.master.orders() {
            match order {
                Order::Search { worker, job, position, searchmoves } => {
                    let worker = self.workers.get_mut(&worker).ok_or(Lost)?;
                    if self.setup.forgetful {
                        worker.forget()?;
                    }
                    worker.search(job, &position, &searchmoves)?;
                }
                Order::Stop { worker } => self.workers.get_mut(&worker).ok_or(Lost)?.stop()?,
                Order::Report { worker: id, job, entries } => {
                    let table = self.workers.get_mut(&id).ok_or(Lost)?.report(entries)?;
                    self.master.table_report(id, job, &table);
                }
            }
        }
        Ok(())
    }
}

fn fresh(setup: &Setup) -> Master {
    Master::new(Game::Chess, setup.ranks.clone(), setup.growth)
        .unwrap_or_else(|error| unreachable!("the start of a game is a position: {error}"))
}

/// What a worker says, as an engine would.
type Infos = Vec<Info>;

#[cfg(test)]
mod tests {
    use yomikiri_chess::Position;

    use super::*;

    /// A cluster of three whose second worker has died.
    fn bereft() -> VirtualCluster {
        let mut cluster = VirtualCluster::new(Setup::new(3)).unwrap();
        cluster.think(400).unwrap();
        cluster.workers.get_mut(&WorkerId(1)).unwrap().die();
        cluster
    }

    #[test]
    fn who_is_dead_does_not_play() {
        assert_eq!(bereft().think(400), Err(Lost));
        assert_eq!(bereft().new_game(), Err(Lost));
        let mut other = VirtualCluster::new(Setup::new(1)).unwrap();
        let budget = Budget { thinking: 400, pondering: 400 };
        let played = play(&Position::start(), [&mut bereft(), &mut other], [budget; 2]);
        assert_eq!(played, Err(GameError::Lost(Lost)));
    }
}
