//! The workers of a master: engines on this machine and slots on others.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;
use yomikiri_engine::driver::{Engine, EngineId, Event, Settings};
use yomikiri_engine::nats::{Connection, Discovery, SlotEvent};
use yomikiri_engine::protocol::{BestMove, Checkmate, Dialect, Go, Info, PositionText, TableEntry};
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
    /// A worker is lost, or late; it may come back.
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
    /// Its search for a mate has ended.
    Checkmate(WorkerId, u64, Checkmate),
    /// Its table.
    Table(WorkerId, u64, Vec<TableEntry>),
    /// A worker is ready, or it is one less to wait for.
    Ready,
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
    group: Option<Group>,
    /// How often the workers were asked whether they are ready.
    asked: u64,
    /// They were told something since that may take long.
    is_told: bool,
}

/// Workers on other machines, and the server between.
struct Group {
    discovery: Discovery,
    connection: mpsc::UnboundedReceiver<Connection>,
    server: String,
    since: Instant,
    is_lost: bool,
    /// Slots that another master has.
    taken: BTreeSet<String>,
}

struct Member {
    engine: Engine,
    name: String,
    /// Its slot, if it is on another machine.
    slot: Option<String>,
    state: State,
    reports: bool,
    /// What it was told last that may take long.
    work: String,
    /// The last question that it has answered.
    answered: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// It has never been ready.
    Starts,
    Ready,
    /// It does not answer. Does it load something?
    Late(bool),
    /// It was ready, and is started again.
    Lost,
}

/// Workers of a group that are there have said so by then: they do it twice a second.
const HELLO: Duration = Duration::from_millis(1300);

/// The slots of a master that has died are free by then.
const LEASES: Duration = Duration::from_secs(8);

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
        let (members, group) = (BTreeMap::new(), None);
        Pool { settings, members, next: 0, sender, events, group, asked: 0, is_told: true }
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

    /// Takes in the slots of this server as they come and go.
    pub fn follow(
        &mut self,
        discovery: Discovery,
        connection: mpsc::UnboundedReceiver<Connection>,
        server: impl Into<String>,
    ) {
        let (server, since, taken) = (server.into(), Instant::now(), BTreeSet::new());
        let group = Group { discovery, connection, server, since, is_lost: false, taken };
        self.group = Some(group);
    }

    fn add(&mut self, transport: Box<dyn Transport>, settings: Settings, slot: Option<String>) {
        let worker = WorkerId(self.next);
        self.next += 1;
        let name = transport.name();
        let id = EngineId(worker.0 as usize);
        let engine = Engine::start(id, transport, settings, self.sender.clone());
        let (state, work) = (State::Starts, String::new());
        // What was asked before it came it is not asked any more.
        let answered = self.asked;
        let member = Member { engine, name, slot, state, reports: false, work, answered };
        self.members.insert(worker, member);
    }

    /// Is a word of anybody to be expected? Not of those that are lost or do not answer.
    pub fn has_hope(&self) -> bool {
        let is_hopeless = |state| matches!(state, State::Lost | State::Late(false));
        self.members.values().any(|member| !is_hopeless(member.state))
    }

    /// How many are ready, and how many there are.
    pub fn census(&self) -> (usize, usize) {
        let ready = self.members.values().filter(|member| member.state == State::Ready).count();
        (ready, self.members.len())
    }

    /// Asks all whether they are ready; [`Pool::awaited`] says who has not answered. In UCI they are
    /// not asked again as long as they were told nothing but searches: an interface may ask before
    /// every move, when its clock runs, and an engine that searches answers when it gets a processor.
    /// (In USI the question is an order.)
    pub fn ask_ready(&mut self) {
        if !std::mem::take(&mut self.is_told) && self.settings.dialect == Dialect::Uci {
            return;
        }
        self.asked += 1;
        for member in self.members.values() {
            member.engine.ask_ready(self.asked);
        }
    }

    /// Who is still to say that it is ready, since they were asked: in words. Those that start again
    /// or do not answer are not waited for: they join when they can.
    pub fn awaited(&self) -> Vec<String> {
        let mut awaited = Vec::new();
        for (id, member) in &self.members {
            let doing = match member.state {
                State::Starts => "it starts",
                State::Ready | State::Late(true) if member.answered < self.asked => &member.work,
                _ => continue,
            };
            let doing = if doing.is_empty() { "isready" } else { doing };
            awaited.push(format!("worker {} ({}): {doing}", id.0, member.name));
        }
        if let Some(group) = self.group.as_ref().filter(|group| !group.is_lost)
            && self.members.is_empty()
        {
            if group.since.elapsed() < HELLO {
                awaited.push(format!("workers at {}", group.server));
            } else if !group.taken.is_empty() && group.since.elapsed() < LEASES {
                let taken = group.taken.len();
                awaited.push(format!("{taken} slots that are leased to another master"));
            }
        }
        awaited
    }

    /// Why nobody is ready, and what to do about it.
    pub fn absence(&self) -> String {
        match &self.group {
            Some(group) if group.is_lost => format!("the NATS server at {} is lost", group.server),
            _ if !self.members.is_empty() => "no worker is ready".into(),
            Some(group) if !group.taken.is_empty() => {
                format!("all workers at {} are leased to another master", group.server)
            }
            Some(group) => format!(
                "there is no worker at {}: start `yomikiri worker` with the same --nats and --group",
                group.server
            ),
            None => "there is no worker".into(),
        }
    }

    /// The name of a worker.
    pub fn name(&self, worker: WorkerId) -> &str {
        self.members.get(&worker).map_or("a worker that is gone", |member| &member.name)
    }

    /// What happens next. May be dropped at any time without losing anything.
    pub async fn next(&mut self) -> Happening {
        loop {
            let group = &mut self.group;
            let elsewhere = async {
                match group {
                    Some(group) => tokio::select! {
                        biased;
                        Some(news) = group.connection.recv() => Elsewhere::Server(news),
                        event = group.discovery.next() => Elsewhere::Slot(event),
                    },
                    None => std::future::pending().await,
                }
            };
            let happened = tokio::select! {
                biased;
                event = self.events.recv() => match event {
                    Some((id, event)) => self.engine_event(WorkerId(id.0 as u32), event),
                    None => std::future::pending().await,
                },
                event = elsewhere => match event {
                    Elsewhere::Server(news) => self.server_event(news),
                    Elsewhere::Slot(Some(event)) => self.slot_event(event),
                    Elsewhere::Slot(None) => {
                        self.group = None;
                        Some(Happening::Remark("the NATS connection is closed".into()))
                    }
                },
            };
            if let Some(happened) = happened {
                return happened;
            }
        }
    }

    fn server_event(&mut self, news: Connection) -> Option<Happening> {
        let group = self.group.as_mut()?;
        group.is_lost = news == Connection::Lost;
        // Whoever is there says so again.
        group.since = Instant::now();
        let server = &group.server;
        Some(Happening::Remark(match news {
            Connection::Lost => {
                format!(
                    "the NATS server at {server} is lost, and its workers with it; trying again"
                )
            }
            Connection::Back => format!("the NATS server at {server} is back"),
        }))
    }

    fn slot_event(&mut self, event: SlotEvent) -> Option<Happening> {
        match event {
            SlotEvent::Appeared(slot) if slot.dialect != self.settings.dialect => {
                let (theirs, ours) = (slot.dialect, self.settings.dialect);
                Some(Happening::Remark(format!("{} speaks {theirs}, not {ours}", slot.worker)))
            }
            SlotEvent::Appeared(slot) if slot.is_taken => {
                self.set_taken(&slot.id, true);
                let reason = "leased to another master, until that lets go";
                let waits = || Happening::Remark(format!("{} is {reason}", slot.name()));
                Some(self.remove(&slot.id, reason.into()).unwrap_or_else(waits))
            }
            SlotEvent::Appeared(slot) => {
                let id = slot.id.clone();
                self.set_taken(&id, false);
                let settings = patient(self.settings.clone());
                self.add(slot, settings, Some(id));
                None
            }
            SlotEvent::Vanished { id, reason } => {
                self.set_taken(&id, false);
                self.remove(&id, reason)
            }
            SlotEvent::Refused { worker, reason } => {
                Some(Happening::Remark(format!("worker {worker} is refused: {reason}")))
            }
        }
    }

    fn set_taken(&mut self, slot: &str, is_taken: bool) {
        let Some(group) = &mut self.group else { return };
        match is_taken {
            true => group.taken.insert(slot.into()),
            false => group.taken.remove(slot),
        };
    }

    /// A slot cannot be had any more.
    fn remove(&mut self, slot: &str, reason: String) -> Option<Happening> {
        let found = self.members.iter().find(|(_, member)| member.slot.as_deref() == Some(slot));
        let worker = *found?.0;
        self.members.remove(&worker);
        Some(Happening::SetAside { worker, reason })
    }

    fn engine_event(&mut self, worker: WorkerId, event: Event) -> Option<Happening> {
        let is_cut_off = self.group.as_ref().is_some_and(|group| group.is_lost);
        let member = self.members.get_mut(&worker)?;
        let is_cut_off = is_cut_off && member.slot.is_some();
        Some(match event {
            Event::Ready { name, has_table_report, .. } => {
                (member.state, member.reports) = (State::Ready, has_table_report);
                if member.slot.is_none() {
                    member.name = name;
                }
                Happening::Joined { worker, reports: has_table_report }
            }
            Event::ReadyOk { token } => {
                member.answered = token;
                Happening::Ready
            }
            Event::Late { reason, is_loading } => {
                member.state = State::Late(is_loading);
                // What it is to search is given to others.
                member.engine.stop();
                let reason = format!("{reason}; others do its part until it is back");
                Happening::Left { worker, reason }
            }
            Event::Back => {
                member.state = State::Ready;
                Happening::Joined { worker, reports: member.reports }
            }
            Event::Info { job, info } => Happening::Info(worker, job, info),
            Event::BestMove { job, best, .. } => Happening::Ended(worker, job, best),
            Event::Checkmate { job, checkmate } => Happening::Checkmate(worker, job, checkmate),
            Event::TableReport { job, entries } => Happening::Table(worker, job, entries),
            Event::Warning(text) => Happening::Remark(format!("{}: {text}", member.name)),
            Event::Lost { reason } => {
                if member.state != State::Starts {
                    member.state = State::Lost;
                }
                // What it searched is given to others.
                member.engine.stop();
                let cut_off = || "the NATS server is lost".to_string();
                Happening::Left { worker, reason: if is_cut_off { cut_off() } else { reason } }
            }
            Event::Failed { reason } => {
                self.members.remove(&worker);
                Happening::SetAside { worker, reason }
            }
            Event::Withdrawn { .. } => return None,
        })
    }

    /// Lets a worker that is ready look for a mate: who?
    pub fn search_mate(
        &self,
        not: &BTreeSet<WorkerId>,
        job: u64,
        position: PositionText,
        go: Go,
    ) -> Option<WorkerId> {
        let is_fit =
            |(id, member): &(&WorkerId, &Member)| member.state == State::Ready && !not.contains(id);
        let (&worker, member) = self.members.iter().find(is_fit)?;
        member.engine.search(job, position, go);
        Some(worker)
    }

    /// Lets a worker stop.
    pub fn stop(&self, worker: WorkerId) {
        if let Some(member) = self.members.get(&worker) {
            member.engine.stop();
        }
    }

    /// Carries out an order.
    pub fn obey(&self, order: Order) {
        let engine = |worker| self.members.get(&worker).map(|member| &member.engine);
        match order {
            Order::Search { worker, job, position, searchmoves, depth } => {
                if let Some(engine) = engine(worker) {
                    let infinite = depth.is_none();
                    engine.search(
                        job,
                        position,
                        Go { searchmoves, depth, infinite, ..Go::default() },
                    );
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
    pub fn new_game(&mut self) {
        self.is_told = true;
        for member in self.members.values_mut() {
            member.engine.new_game();
            member.work = "a new game".into();
        }
    }

    /// How long a worker may take for whatever it owes.
    pub fn patience(&self) -> Duration {
        self.settings.ready
    }

    /// From now on it may take so long, also for what it is at now.
    pub fn set_patience(&mut self, patience: Duration) {
        self.settings.set_patience(patience);
        for member in self.members.values() {
            member.engine.set_patience(patience);
        }
    }

    /// Sets an option of all, also of those that come later.
    pub fn set_option(&mut self, name: &str, value: Option<String>) {
        self.is_told = true;
        self.settings.options.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        self.settings.options.push((name.into(), value.clone()));
        for member in self.members.values_mut() {
            member.engine.set_option(name, value.clone());
            member.work = format!("option {name}");
        }
    }
}

/// What comes from other machines.
enum Elsewhere {
    Server(Connection),
    Slot(Option<SlotEvent>),
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
            let watched = Server::new(server.url()).connect_watched("test").await;
            let (client, connection) = watched.expect("connected");
            let discovery = Discovery::start(client, "test").await.expect("listens");
            let mut pool = Pool::new(Settings::new(Dialect::Uci));
            pool.follow(discovery, connection, server.url());
            pool
        };
        let settings = WorkerSettings {
            group: "test".into(),
            name: "machine".into(),
            transport: Box::new(Ready),
            dialect: Dialect::Uci,
            slots: 1,
            options: Vec::new(),
            patience: Duration::from_secs(60),
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
        assert_eq!(second.census(), (0, 0));
        drop(first);
        wait(&mut second, joined).await;
        assert_eq!(second.census(), (1, 1));
    }
}
