//! The dialogue with an engine that is ready.

use std::collections::{BTreeMap, VecDeque};
use std::future::pending;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::actor::{Actor, End};
use super::{Event, Request};
use crate::protocol::{Command, Dialect, Info, Reply, TableEntry};
use crate::transport::{Incoming, Link};

/// The search that the engine makes.
struct Running {
    job: u64,
    /// Another is wanted: nobody listens to this one any more.
    is_stale: bool,
    /// `stop` was said: the answer must come before this.
    deadline: Option<Instant>,
}

/// A table report that has been asked for.
struct Report {
    job: u64,
    most: usize,
    entries: Vec<TableEntry>,
}

pub(super) struct Session<'a> {
    link: &'a mut Link,
    has_table_report: bool,
    running: Option<Running>,
    /// When the answers to our `isready`s are due, the oldest first.
    ready_due: VecDeque<Instant>,
    /// So many `readyok`s must come before what the engine says is about the running search.
    barrier: usize,
    next_ping: Instant,
    /// What can be said only between searches.
    waiting: Vec<Command>,
    reports: VecDeque<Report>,
    /// Infos held back, by `multipv`.
    infos: BTreeMap<u64, Box<Info>>,
    last_flush: Instant,
}

impl<'a> Session<'a> {
    pub fn new(link: &'a mut Link, has_table_report: bool) -> Session<'a> {
        let now = Instant::now();
        Session {
            link,
            has_table_report,
            running: None,
            ready_due: VecDeque::new(),
            barrier: 0,
            next_ping: now,
            waiting: Vec::new(),
            reports: VecDeque::new(),
            infos: BTreeMap::new(),
            last_flush: now,
        }
    }

    /// Until the engine is lost or nobody wants it.
    pub async fn run(mut self, actor: &mut Actor) -> End {
        let end = match self.dialogue(actor).await {
            Ok(()) => return End::Quit,
            Err(end) => end,
        };
        // A search that was to stop must not begin again.
        let is_stopped = |running: &Running| running.deadline.is_some() && !running.is_stale;
        if self.running.as_ref().is_some_and(is_stopped)
            && let Some(search) = actor.wanted.take()
            && let Err(end) = actor.tell(Event::Withdrawn { job: search.job }).await
        {
            return end;
        }
        end
    }

    async fn dialogue(&mut self, actor: &mut Actor) -> Result<(), End> {
        self.begin(actor)?;
        loop {
            let wake = self.next_deadline(actor);
            let timer = async {
                match wake {
                    Some(instant) => sleep_until(instant).await,
                    None => pending().await,
                }
            };
            // Lines before deadlines: an answer that is here is not late.
            tokio::select! {
                biased;
                incoming = self.link.receive() => match incoming {
                    Incoming::Line(line) => self.hear(&line, actor).await?,
                    Incoming::Cut(line) => {
                        let start: String = line.chars().take(40).collect();
                        let warning = format!("a line too long was dropped: {start}…");
                        actor.tell(Event::Warning(warning)).await?;
                    }
                    Incoming::Closed(reason) => return Err(End::Lost(reason)),
                },
                request = actor.requests.recv() => match request {
                    Some(request) => self.obey(request, actor).await?,
                    None => return Ok(()),
                },
                () = timer => self.tick(actor).await?,
            }
        }
    }

    fn say(&self, command: &Command, dialect: Dialect) -> Result<(), End> {
        let line = command.to_line(dialect);
        self.link.send(line).map_err(|error| End::Lost(format!("the engine {error}")))
    }

    /// Asks whether it is ready; the answer is due within this time.
    fn ask_ready(&mut self, within: Duration, dialect: Dialect) -> Result<(), End> {
        self.ready_due.push_back(Instant::now() + within);
        self.say(&Command::IsReady, dialect)
    }

    /// Begins the search that is wanted, if none runs.
    fn begin(&mut self, actor: &mut Actor) -> Result<(), End> {
        let dialect = actor.dialect();
        if self.running.is_some() {
            return Ok(());
        }
        for command in std::mem::take(&mut self.waiting) {
            // USI gets ready for every game; in UCI one may ask after it.
            let is_game = command == Command::NewGame;
            if is_game && dialect == Dialect::Usi {
                self.ask_ready(actor.settings.ready, dialect)?;
            }
            self.say(&command, dialect)?;
            if is_game && dialect == Dialect::Uci {
                self.ask_ready(actor.settings.ready, dialect)?;
            }
        }
        let Some(search) = &actor.wanted else { return Ok(()) };
        if let Some(ping) = actor.settings.ping {
            self.ask_ready(ping.timeout, dialect)?;
        }
        self.barrier = self.ready_due.len();
        self.say(&Command::Position(search.position.clone()), dialect)?;
        self.say(&Command::Go(search.go.clone()), dialect)?;
        self.running = Some(Running { job: search.job, is_stale: false, deadline: None });
        Ok(())
    }

    async fn obey(&mut self, request: Request, actor: &mut Actor) -> Result<(), End> {
        match request {
            Request::Search(search) => {
                actor.wanted = Some(*search);
                if let Some(running) = &mut self.running {
                    running.is_stale = true;
                }
                self.stop(actor)?;
                self.begin(actor)?;
            }
            Request::Stop if self.running.as_ref().is_some_and(|running| running.is_stale) => {
                // The one that was to come next has not begun.
                if let Some(search) = actor.wanted.take() {
                    actor.tell(Event::Withdrawn { job: search.job }).await?;
                }
            }
            Request::Stop => self.stop(actor)?,
            Request::PonderHit => {
                actor.ponder_hit();
                if self.running.as_ref().is_some_and(|running| !running.is_stale) {
                    self.say(&Command::PonderHit, actor.dialect())?;
                }
            }
            Request::NewGame => {
                self.waiting.push(Command::NewGame);
                self.begin(actor)?;
            }
            Request::GameOver(result) => {
                if actor.dialect() == Dialect::Usi {
                    self.waiting.push(Command::GameOver(result));
                    self.begin(actor)?;
                }
            }
            Request::SetOption(name, value) => {
                actor.keep_option(name.clone(), value.clone());
                self.waiting.push(Command::SetOption { name, value });
                self.begin(actor)?;
            }
            Request::TableReport { job, most } => {
                let is_running = |running: &Running| running.job == job && !running.is_stale;
                if self.has_table_report && self.running.as_ref().is_some_and(is_running) {
                    let most_entries = usize::try_from(most).unwrap_or(usize::MAX);
                    self.reports.push_back(Report { job, most: most_entries, entries: Vec::new() });
                    self.say(&Command::TableReport(most), actor.dialect())?;
                } else {
                    actor.tell(Event::TableReport { job, entries: Vec::new() }).await?;
                }
            }
            Request::Complain(reason) => {
                actor.complaints += 1;
                return Err(End::Lost(reason));
            }
        }
        Ok(())
    }

    /// Stops the running search, once.
    fn stop(&mut self, actor: &Actor) -> Result<(), End> {
        match &mut self.running {
            Some(running) if running.deadline.is_none() => {
                running.deadline = Some(Instant::now() + actor.settings.stop);
                self.say(&Command::Stop, actor.dialect())
            }
            _ => Ok(()),
        }
    }

    async fn hear(&mut self, line: &str, actor: &mut Actor) -> Result<(), End> {
        match Reply::parse(line, actor.dialect()) {
            Reply::ReadyOk => {
                self.ready_due.pop_front();
                self.barrier = self.barrier.saturating_sub(1);
            }
            Reply::TableEntry(entry) => {
                if let Some(report) = self.reports.front_mut()
                    && report.entries.len() < report.most
                {
                    report.entries.push(entry);
                }
            }
            Reply::TableEnd => {
                if let Some(Report { job, entries, .. }) = self.reports.pop_front() {
                    actor.tell(Event::TableReport { job, entries }).await?;
                }
            }
            // What follows would be of an earlier search.
            _ if self.barrier > 0 => {}
            Reply::Info(info) => self.hear_info(info, actor).await?,
            Reply::BestMove { best, ponder } => {
                self.end(actor, |job| Event::BestMove { job, best, ponder }).await?;
            }
            Reply::Checkmate(checkmate) => {
                self.end(actor, |job| Event::Checkmate { job, checkmate }).await?;
            }
            _ => {}
        }
        Ok(())
    }

    /// The running search has ended.
    async fn end(
        &mut self,
        actor: &mut Actor,
        event: impl FnOnce(u64) -> Event,
    ) -> Result<(), End> {
        self.flush(actor).await?;
        let Some(running) = self.running.take() else { return Ok(()) };
        actor.succeeded();
        if !running.is_stale {
            actor.wanted = None;
            actor.tell(event(running.job)).await?;
        }
        self.begin(actor)
    }

    async fn hear_info(&mut self, info: Box<Info>, actor: &Actor) -> Result<(), End> {
        /// Lines beyond this `multipv` share a place.
        const MAX_LINES: u64 = 600;
        let Some(Running { job, is_stale: false, .. }) = self.running else { return Ok(()) };
        let Some(span) = actor.settings.throttle else {
            return actor.tell(Event::Info { job, info }).await;
        };
        // Without a line: texts, or the move being searched.
        let place = match info.pv.is_empty() {
            true => 0,
            false => info.multipv.unwrap_or(1).clamp(1, MAX_LINES),
        };
        self.infos.insert(place, info);
        if self.last_flush.elapsed() >= span { self.flush(actor).await } else { Ok(()) }
    }

    /// Tells the infos that were held back.
    async fn flush(&mut self, actor: &Actor) -> Result<(), End> {
        let infos = std::mem::take(&mut self.infos);
        self.last_flush = Instant::now();
        if let Some(Running { job, is_stale: false, .. }) = self.running {
            for info in infos.into_values() {
                actor.tell(Event::Info { job, info }).await?;
            }
        }
        Ok(())
    }

    /// When something has to be done even if nobody says anything.
    fn next_deadline(&self, actor: &Actor) -> Option<Instant> {
        let stop = self.running.as_ref().and_then(|running| running.deadline);
        let ready = self.ready_due.front().copied();
        let ping = actor.settings.ping.filter(|_| ready.is_none()).map(|_| self.next_ping);
        let flush = actor.settings.throttle.filter(|_| !self.infos.is_empty());
        let flush = flush.map(|span| self.last_flush + span);
        [stop, ready, ping, flush].into_iter().flatten().min()
    }

    async fn tick(&mut self, actor: &Actor) -> Result<(), End> {
        let now = Instant::now();
        let is_due = |deadline: Option<Instant>| deadline.is_some_and(|deadline| deadline <= now);
        if is_due(self.ready_due.front().copied()) {
            return Err(End::Lost("the engine is hung: no readyok to isready".into()));
        }
        if is_due(self.running.as_ref().and_then(|running| running.deadline)) {
            let limit = actor.settings.stop;
            return Err(End::Lost(format!("the engine is hung: no bestmove {limit:?} after stop")));
        }
        if let Some(ping) = actor.settings.ping
            && self.ready_due.is_empty()
            && self.next_ping <= now
        {
            self.next_ping = now + ping.every;
            self.ask_ready(ping.timeout, actor.dialect())?;
        }
        if let Some(span) = actor.settings.throttle
            && self.last_flush + span <= now
            && !self.infos.is_empty()
        {
            self.flush(actor).await?;
        }
        Ok(())
    }
}
