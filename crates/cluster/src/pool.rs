//! The workers of a master: engines on this machine and slots on others.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::sync::mpsc;
use yomikiri_engine::driver::{Engine, EngineId, Event, Settings};
use yomikiri_engine::nats::{Discovery, SlotEvent};
use yomikiri_engine::protocol::{BestMove, Go, Info, TableEntry};
use yomikiri_engine::transport::{OpenError, Transport, parse_modest};

use crate::master::{Order, WorkerId};

/// Something that the master or its user should know.
#[derive(Debug)]
pub enum Happening {
    /// A worker is ready.
    Joined {
        /// Who.
        worker: WorkerId,
        /// Does it report its table?
        reports: bool,
    },
    /// A worker is lost; it may come back.
    Left {
        /// Who.
        worker: WorkerId,
        /// Why.
        reason: String,
    },
    /// A worker is set aside.
    SetAside {
        /// Who.
        worker: WorkerId,
        /// Why.
        reason: String,
    },
    /// It says something of a search.
    Info(WorkerId, u64, Box<Info>),
    /// Its search has ended.
    Ended(WorkerId, u64, BestMove),
    /// Its table.
    Table(WorkerId, u64, Vec<TableEntry>),
    /// Worth a line.
    Remark(String),
}

/// The workers.
pub struct Pool {
    settings: Settings,
    members: BTreeMap<WorkerId, Member>,
    next: u32,
    sender: mpsc::Sender<(EngineId, Event)>,
    events: mpsc::Receiver<(EngineId, Event)>,
    discovery: Option<Discovery>,
}

struct Member {
    engine: Engine,
    name: String,
    /// Its slot, if it is on another machine.
    slot: Option<String>,
    ready: bool,
}

/// How many events may wait. Engines whose events find no place wait for one.
const QUEUE: usize = 4096;

/// For a slot: its worker or the server may be away for some seconds, and a slot that was set
/// aside does not come back.
fn patient(settings: Settings) -> Settings {
    let max_failures = settings.max_failures.max(10);
    Settings { max_failures, longest_pause: Duration::from_secs(2), ..settings }
}

impl Pool {
    /// A pool without workers, whose engines are driven in this way.
    pub fn new(settings: Settings) -> Pool {
        let (sender, events) = mpsc::channel(QUEUE);
        Pool { settings, members: BTreeMap::new(), next: 0, sender, events, discovery: None }
    }

    /// Adds engines at an address: a command, or `tcp://host:port`.
    pub fn add_local(&mut self, address: &str, count: usize) -> Result<(), OpenError> {
        for _ in 0..count {
            self.add_engine(parse_modest(address)?);
        }
        Ok(())
    }

    /// Adds an engine that is reached in this way.
    pub fn add_engine(&mut self, transport: Box<dyn Transport>) {
        self.add(transport, self.settings.clone(), None);
    }

    /// Takes in slots as they come and go.
    pub fn follow(&mut self, discovery: Discovery) {
        self.discovery = Some(discovery);
    }

    fn add(&mut self, transport: Box<dyn Transport>, settings: Settings, slot: Option<String>) {
        let worker = WorkerId(self.next);
        self.next += 1;
        let name = transport.name();
        let id = EngineId(worker.0 as usize);
        let engine = Engine::start(id, transport, settings, self.sender.clone());
        self.members.insert(worker, Member { engine, name, slot, ready: false });
    }

    /// Is anybody there, or may somebody come?
    pub fn has_hope(&self) -> bool {
        !self.members.is_empty() || self.discovery.is_some()
    }

    /// Are all ready that are there, and is there one?
    pub fn is_ready(&self) -> bool {
        !self.members.is_empty() && self.members.values().all(|member| member.ready)
    }

    /// Who is there, and who of them is ready.
    pub fn members(&self) -> impl Iterator<Item = (WorkerId, &str, bool)> {
        self.members.iter().map(|(&id, member)| (id, &member.name[..], member.ready))
    }

    /// The name of a worker.
    pub fn name(&self, worker: WorkerId) -> &str {
        self.members.get(&worker).map_or("a worker that is gone", |member| &member.name)
    }

    /// What happens next. May be dropped at any time without losing anything.
    pub async fn next(&mut self) -> Happening {
        loop {
            let discovered = async {
                match &mut self.discovery {
                    Some(discovery) => discovery.next().await,
                    None => std::future::pending().await,
                }
            };
            let happened = tokio::select! {
                biased;
                event = self.events.recv() => match event {
                    Some((id, event)) => self.engine_event(WorkerId(id.0 as u32), event),
                    None => std::future::pending().await,
                },
                event = discovered => match event {
                    Some(event) => self.slot_event(event),
                    None => {
                        self.discovery = None;
                        Some(Happening::Remark("the NATS connection is closed".into()))
                    }
                },
            };
            if let Some(happened) = happened {
                return happened;
            }
        }
    }

    fn slot_event(&mut self, event: SlotEvent) -> Option<Happening> {
        match event {
            SlotEvent::Appeared(slot) if slot.dialect != self.settings.dialect => {
                let (theirs, ours) = (slot.dialect, self.settings.dialect);
                Some(Happening::Remark(format!("{} speaks {theirs}, not {ours}", slot.worker)))
            }
            SlotEvent::Appeared(slot) if slot.is_taken => {
                let reason = "leased to another master, until that lets go";
                let waits = || Happening::Remark(format!("{} is {reason}", slot.name()));
                Some(self.remove(&slot.id, reason.into()).unwrap_or_else(waits))
            }
            SlotEvent::Appeared(slot) => {
                let id = slot.id.clone();
                let settings = patient(self.settings.clone());
                self.add(slot, settings, Some(id));
                None
            }
            SlotEvent::Vanished { id, reason } => self.remove(&id, reason),
            SlotEvent::Refused { worker, reason } => {
                Some(Happening::Remark(format!("worker {worker} is refused: {reason}")))
            }
        }
    }

    /// A slot cannot be had any more.
    fn remove(&mut self, slot: &str, reason: String) -> Option<Happening> {
        let found = self.members.iter().find(|(_, member)| member.slot.as_deref() == Some(slot));
        let worker = *found?.0;
        self.members.remove(&worker);
        Some(Happening::SetAside { worker, reason })
    }

    fn engine_event(&mut self, worker: WorkerId, event: Event) -> Option<Happening> {
        let member = self.members.get_mut(&worker)?;
        Some(match event {
            Event::Ready { name, has_table_report, .. } => {
                member.ready = true;
                if member.slot.is_none() {
                    member.name = name;
                }
                Happening::Joined { worker, reports: has_table_report }
            }
            Event::Info { job, info } => Happening::Info(worker, job, info),
            Event::BestMove { job, best, .. } => Happening::Ended(worker, job, best),
            Event::TableReport { job, entries } => Happening::Table(worker, job, entries),
            Event::Warning(text) => Happening::Remark(format!("{}: {text}", member.name)),
            Event::Lost { reason } => {
                member.ready = false;
                // What it searched is given to others.
                member.engine.stop();
                Happening::Left { worker, reason }
            }
            Event::Failed { reason } => {
                self.members.remove(&worker);
                Happening::SetAside { worker, reason }
            }
            Event::Checkmate { .. } | Event::Withdrawn { .. } => return None,
        })
    }

    /// Carries out an order.
    pub fn obey(&self, order: Order) {
        let engine = |worker| self.members.get(&worker).map(|member| &member.engine);
        match order {
            Order::Search { worker, job, position, searchmoves } => {
                if let Some(engine) = engine(worker) {
                    engine.search(job, position, Go { searchmoves, ..Go::infinite() });
                }
            }
            Order::Stop { worker } => {
                if let Some(engine) = engine(worker) {
                    engine.stop();
                }
            }
            Order::Report { worker, job, entries } => {
                if let Some(engine) = engine(worker) {
                    engine.table_report(job, entries as u64);
                }
            }
        }
    }

    /// A worker said something that cannot be: it is started again, or set aside in the end.
    pub fn complain(&self, worker: WorkerId, reason: &str) {
        if let Some(member) = self.members.get(&worker) {
            member.engine.complain(reason);
        }
    }

    /// Tells all that another game begins.
    pub fn new_game(&self) {
        self.members.values().for_each(|member| member.engine.new_game());
    }

    /// Sets an option of all, also of those that come later.
    pub fn set_option(&mut self, name: &str, value: Option<String>) {
        self.settings.options.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        self.settings.options.push((name.into(), value.clone()));
        for member in self.members.values() {
            member.engine.set_option(name, value.clone());
        }
    }
}

#[cfg(test)]
#[path = "../../engine/tests/common/nats_server.rs"]
#[allow(dead_code, reason = "it is not restarted here")]
mod nats_server;

#[cfg(test)]
mod tests {
    use tokio::time::timeout;
    use yomikiri_engine::nats::{Server, Worker, WorkerSettings};
    use yomikiri_engine::protocol::Dialect;
    use yomikiri_engine::transport::{Incoming, Link, Opening};

    use super::nats_server::NatsServer;
    use super::*;

    /// An engine in this process that is ready, and no more.
    struct Ready;

    impl Transport for Ready {
        fn open(&self) -> Opening<'_> {
            let (sender, mut commands) = mpsc::channel::<String>(64);
            let (replies, receiver) = mpsc::channel(64);
            tokio::spawn(async move {
                while let Some(command) = commands.recv().await {
                    let reply = match &command[..] {
                        "uci" => "uciok",
                        "isready" => "readyok",
                        _ => continue,
                    };
                    if replies.send(Incoming::Line(reply.into())).await.is_err() {
                        return;
                    }
                }
            });
            Box::pin(async { Ok(Link::new(sender, receiver, ())) })
        }

        fn name(&self) -> String {
            "an engine".into()
        }
    }

    /// Waits for something that this recognises.
    async fn wait(pool: &mut Pool, mut wanted: impl FnMut(&Happening) -> bool) {
        let found = async { while !wanted(&pool.next().await) {} };
        timeout(Duration::from_secs(60), found).await.expect("it does not happen");
    }

    /// Two masters and one slot: when the first ends, the second gets it.
    #[tokio::test]
    async fn a_slot_is_handed_on() {
        let Some(server) = NatsServer::start(&[]).await else { return };
        let connect = async || Server::new(server.url()).connect("test").await.expect("connected");
        let master = async || {
            let discovery = Discovery::start(connect().await, "test").await.expect("listens");
            let mut pool = Pool::new(Settings::new(Dialect::Uci));
            pool.follow(discovery);
            pool
        };
        let settings = WorkerSettings {
            group: "test".into(),
            name: "machine".into(),
            transport: Box::new(Ready),
            dialect: Dialect::Uci,
            slots: 1,
            options: Vec::new(),
        };
        let _worker = Worker::start(connect().await, settings).await.expect("works");
        let joined = |happening: &Happening| matches!(happening, Happening::Joined { .. });
        let mut first = master().await;
        wait(&mut first, joined).await;
        let mut second = master().await;
        let is_taken = |text: &str| text.contains("leased to another master, until");
        wait(&mut second, |happening| match happening {
            Happening::Remark(text) => is_taken(text),
            Happening::SetAside { reason, .. } => is_taken(reason),
            Happening::Joined { .. } => panic!("two have it"),
            _ => false,
        })
        .await;
        assert_eq!(second.members().count(), 0);
        drop(first);
        wait(&mut second, joined).await;
        assert!(second.is_ready());
    }
}
