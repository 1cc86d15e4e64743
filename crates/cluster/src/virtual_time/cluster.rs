//! A cluster whose time is counted in nodes.

use std::collections::BTreeMap;

use yomikiri_engine::protocol::PositionText;
#[cfg(test)]
use yomikiri_engine::protocol::TableEntry;

use super::error::{GameError, Lost};
use super::worker::Worker;
use crate::board::Game;
use crate::growth::Growth;
use crate::master::{Decision, Master, Order, WorkerId};
use crate::ranks::Ranks;

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
    /// Does the tree grow when the root changes and at no other time, as in the paper (Table 1)?
    /// Otherwise it also grows while a move is thought about, as soon as a worker is idle and enough
    /// is known.
    pub new_roots_only: bool,
    /// Do workers forget their tables whenever the cluster has moved? (The paper's test of what
    /// tables are worth.)
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
            new_roots_only: false,
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
            if self.master.workers().1 > 0 && !self.setup.new_roots_only {
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

    /// The move that it decided on is played: forgetful workers clear their tables.
    pub fn moved(&mut self) -> Result<(), Lost> {
        let mut forgetful = self.workers.values_mut().filter(|_| self.setup.forgetful);
        forgetful.try_for_each(Worker::forget)
    }

    fn obey(&mut self) -> Result<(), Lost> {
        for order in self.master.orders() {
            match order {
                Order::Search { worker, job, position, searchmoves, .. } => {
                    let worker = self.workers.get_mut(&worker).ok_or(Lost)?;
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

/// More positions than any table of a test holds.
#[cfg(test)]
pub(super) const WHOLE: usize = 1 << 20;

#[cfg(test)]
impl VirtualCluster {
    /// How many positions the workers' tables know below theirs.
    pub(super) fn known(&mut self) -> usize {
        let workers: Vec<WorkerId> = self.workers.keys().copied().collect();
        workers.into_iter().map(|worker| self.table(worker).len()).sum()
    }

    /// The positions that a worker's table knows below its own, deepest first.
    pub(super) fn table(&mut self, worker: WorkerId) -> Vec<TableEntry> {
        let worker = self.workers.get_mut(&worker).expect("a worker");
        worker.report(WHOLE).expect("it lives")
    }

    /// Lets a worker die.
    pub(super) fn lose(&mut self, worker: WorkerId) {
        if let Some(worker) = self.workers.get_mut(&worker) {
            worker.die();
        }
    }
}
