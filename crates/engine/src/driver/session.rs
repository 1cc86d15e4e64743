//! The dialogue with an engine that is ready.

use std::collections::{BTreeMap, VecDeque};
use std::future::pending;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::actor::Actor;
use super::event::{End, Event, Request};
use super::owed::{Ledger, Owed};
use crate::protocol::{Command, Dialect, Info, Reply, TableEntry};
use crate::transport::{Incoming, Link};

/// The search that the engine makes.
struct Running {
    job: u64,
    /// Another is wanted: nobody listens to this one any more.
    is_stale: bool,
    /// When it was told to search, or was through with what it was told before that.
    since: Instant,
    /// When `stop` was said.
    stopped: Option<Instant>,
}

/// Something that can be said only between searches.
enum Task {
    Say(Command),
    /// The owner wants to know when all before this is worked off.
    Ready(u64),
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
    /// Our `isready`s.
    owed: Ledger,
    /// So many `readyok`s must come before what the engine says is about the running search.
    barrier: usize,
    next_ping: Instant,
    waiting: Vec<Task>,
    /// It was told something that may take long, and nothing that it said since shows that it has
    /// come to the end of it.
    is_loading: bool,
    /// It has searched in this game.
    is_used: bool,
    /// In USI: it has got ready, and neither searched nor been told an option since.
    is_prepared: bool,
    /// The owner was told that it is late: since when it owed something, and was that much work?
    late_since: Option<(Instant, bool)>,
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
            owed: Ledger::new(),
            barrier: 0,
            next_ping: now,
            waiting: Vec::new(),
            // In USI the start of its first game.
            is_loading: true,
            is_used: false,
            is_prepared: true,
            late_since: None,
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
        // Who wants to know when it is ready wants to know it of the next one.
        while let Some(owed) = self.owed.answered() {
            actor.asked.extend(owed.tokens);
        }
        actor.asked.extend(self.waiting.drain(..).filter_map(|task| match task {
            Task::Ready(token) => Some(token),
            Task::Say(_) => None,
        }));
        // A search that was to stop must not begin again.
        let is_stopped = |running: &Running| running.stopped.is_some() && !running.is_stale;
        if self.running.as_ref().is_some_and(is_stopped)
            && let Some(search) = actor.wanted.take()
            && let Err(end) = actor.tell(Event::Withdrawn { job: search.job }).await
        {
            return end;
        }
        end
    }

    async fn dialogue(&mut self, actor: &mut Actor) -> Result<(), End> {
        // What came while it was starting.
        for (name, value) in actor.untold() {
            self.waiting.push(Task::Say(Command::SetOption { name, value }));
        }
        self.waiting.extend(std::mem::take(&mut actor.asked).into_iter().map(Task::Ready));
        self.begin(actor).await?;
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

    /// Asks whether it is ready.
    fn ask_ready(&mut self, work: Option<String>, dialect: Dialect) -> Result<(), End> {
        self.owed.ask(Owed { work, tokens: Vec::new() });
        self.say(&Command::IsReady, dialect)
    }

    /// Says what was to wait for the end of a search, and begins the search that is wanted, if none
    /// runs.
    async fn begin(&mut self, actor: &mut Actor) -> Result<(), End> {
        if self.running.is_some() {
            return Ok(());
        }
        for task in std::mem::take(&mut self.waiting) {
            match task {
                Task::Say(command) => self.prepare(&command, actor.dialect())?,
                Task::Ready(token) => self.find_out(token, actor).await?,
            }
        }
        let dialect = actor.dialect();
        let Some(search) = &actor.wanted else { return Ok(()) };
        if actor.settings.ping.is_some() {
            self.ask_ready(None, dialect)?;
        }
        self.barrier = self.owed.len();
        self.say(&Command::Position(search.position.clone()), dialect)?;
        self.say(&Command::Go(search.go.clone()), dialect)?;
        let (job, since) = (search.job, Instant::now());
        self.running = Some(Running { job, is_stale: false, since, stopped: None });
        (self.is_used, self.is_prepared) = (true, false);
        Ok(())
    }

    /// Says something between searches. What may take long is followed by an `isready`, in USI,
    /// which gets ready for every game, by none or one before it.
    fn prepare(&mut self, command: &Command, dialect: Dialect) -> Result<(), End> {
        let work = match command {
            Command::NewGame if !self.is_used => return Ok(()),
            Command::NewGame => "a new game".to_string(),
            Command::SetOption { name, .. } => format!("option {name}"),
            _ => return self.say(command, dialect),
        };
        let is_game = *command == Command::NewGame;
        if is_game && dialect == Dialect::Usi && !self.is_prepared {
            self.ask_ready(Some(work.clone()), dialect)?;
        }
        self.say(command, dialect)?;
        self.is_loading = true;
        self.is_used &= !is_game;
        self.is_prepared = is_game;
        match dialect {
            Dialect::Uci => self.ask_ready(Some(work), dialect),
            Dialect::Usi => Ok(()),
        }
    }

    /// The owner wants to know when it is ready. In USI `isready` is no question but an order: to
    /// one that has got ready already, or searches, it is not given.
    async fn find_out(&mut self, token: u64, actor: &Actor) -> Result<(), End> {
        let dialect = actor.dialect();
        let is_new = dialect == Dialect::Uci || self.running.is_none() && !self.is_prepared;
        if is_new {
            let work = (dialect == Dialect::Usi).then(|| "isready".to_string());
            self.ask_ready(work, dialect)?;
            self.is_prepared = true;
        }
        match self.owed.last() {
            Some(owed) => owed.tokens.push(token),
            None => actor.tell(Event::ReadyOk { token }).await?,
        }
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
                self.begin(actor).await?;
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
                self.waiting.push(Task::Say(Command::NewGame));
                self.begin(actor).await?;
            }
            Request::GameOver(result) => {
                if actor.dialect() == Dialect::Usi {
                    self.waiting.push(Task::Say(Command::GameOver(result)));
                    self.begin(actor).await?;
                }
            }
            Request::SetOption(name, value) => {
                actor.keep_option(name.clone(), value.clone());
                self.waiting.push(Task::Say(Command::SetOption { name, value }));
                self.begin(actor).await?;
            }
            Request::Ready(token) => {
                let is_stale = self.running.as_ref().is_some_and(|running| running.is_stale);
                if self.waiting.is_empty() && !is_stale {
                    self.find_out(token, actor).await?;
                } else {
                    self.waiting.push(Task::Ready(token));
                }
            }
            Request::Patience(patience) => actor.settings.set_patience(patience),
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
            Some(running) if running.stopped.is_none() => {
                running.stopped = Some(Instant::now());
                self.say(&Command::Stop, actor.dialect())
            }
            _ => Ok(()),
        }
    }

    async fn hear(&mut self, line: &str, actor: &mut Actor) -> Result<(), End> {
        self.owed.heard();
        match Reply::parse(line, actor.dialect()) {
            Reply::ReadyOk => {
                if self.barrier > 0 {
                    self.barrier -= 1;
                    if let Some(running) = &mut self.running {
                        running.since = Instant::now();
                    }
                }
                let answered = self.owed.answered();
                self.is_loading &= !self.owed.is_empty();
                for token in answered.map(|owed| owed.tokens).unwrap_or_default() {
                    actor.tell(Event::ReadyOk { token }).await?;
                }
                self.come_back(actor).await?;
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
        self.come_back(actor).await?;
        self.is_loading = false;
        self.begin(actor).await
    }

    async fn hear_info(&mut self, info: Box<Info>, actor: &Actor) -> Result<(), End> {
        /// Lines beyond this `multipv` share a place.
        const MAX_LINES: u64 = 600;
        let Some(Running { job, is_stale: false, .. }) = self.running else { return Ok(()) };
        // Words about an option are none about the search.
        self.is_loading &= info.depth.is_none();
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

    /// Since when it owes the end of its search. Before its turn has come it cannot know of that.
    fn stop_owed(&self) -> Option<Instant> {
        let running = self.running.as_ref().filter(|_| self.barrier == 0)?;
        running.stopped.map(|at| at.max(running.since))
    }

    /// When it is hung, and why.
    fn hung(&self, actor: &Actor) -> Option<(Instant, String)> {
        let settings = &actor.settings;
        let stop = self.stop_owed().map(|since| {
            let limit = if self.is_loading { settings.ready } else { settings.stop };
            (since + limit, format!("the engine is hung: no bestmove {limit:?} after stop"))
        });
        let ready = self.owed.limit(settings).map(|limit| {
            let work = self.owed.first().and_then(|owed| owed.work.as_ref());
            let what = work.map_or("isready".to_string(), |work| format!("isready after {work}"));
            let reason = format!("the engine is hung: no readyok within {limit:?} to {what}");
            (self.owed.turn() + limit, reason)
        });
        [stop, ready].into_iter().flatten().min_by_key(|(due, _)| *due)
    }

    /// Since when it keeps somebody waiting, and is that because it has much to do? Nobody waits for
    /// its work as long as nothing is to be searched.
    fn keeps_waiting(&self) -> Option<(Instant, bool)> {
        let work = self.owed.first().map(|owed| owed.work.is_some());
        let ready = work
            .filter(|is_work| !is_work || self.running.is_some())
            .map(|is_work| (self.owed.turn(), is_work));
        let stop = self.stop_owed().map(|since| (since, self.is_loading));
        [ready, stop].into_iter().flatten().min()
    }

    /// When it is late.
    fn late(&self, actor: &Actor) -> Option<(Instant, bool)> {
        let patience = actor.settings.late?.max(2 * actor.slowest);
        let (since, is_work) = self.keeps_waiting().filter(|_| self.late_since.is_none())?;
        Some((since + patience, is_work))
    }

    /// If it was late: has it done what it owed?
    async fn come_back(&mut self, actor: &mut Actor) -> Result<(), End> {
        if self.keeps_waiting().is_some() {
            return Ok(());
        }
        let Some((since, is_work)) = self.late_since.take() else { return Ok(()) };
        if !is_work {
            actor.slowest = actor.slowest.max(since.elapsed());
        }
        actor.tell(Event::Back).await
    }

    /// When something has to be done even if nobody says anything.
    fn next_deadline(&self, actor: &Actor) -> Option<Instant> {
        let hung = self.hung(actor).map(|(due, _)| due);
        let late = self.late(actor).map(|(due, _)| due);
        let ping = actor.settings.ping.filter(|_| self.owed.is_empty()).map(|_| self.next_ping);
        let flush = actor.settings.throttle.filter(|_| !self.infos.is_empty());
        let flush = flush.map(|span| self.last_flush + span);
        [hung, late, ping, flush].into_iter().flatten().min()
    }

    async fn tick(&mut self, actor: &Actor) -> Result<(), End> {
        let now = Instant::now();
        if let Some((_, reason)) = self.hung(actor).filter(|(due, _)| *due <= now) {
            return Err(End::Lost(reason));
        }
        if let Some((_, is_loading)) = self.late(actor).filter(|(due, _)| *due <= now) {
            let since = self.keeps_waiting().map_or(now, |(since, _)| since);
            self.late_since = Some((since, is_loading));
            let reason = self.excuse(now - since);
            actor.tell(Event::Late { reason, is_loading }).await?;
        }
        if let Some(ping) = actor.settings.ping
            && self.owed.is_empty()
            && self.next_ping <= now
        {
            self.next_ping = now + ping.every;
            self.ask_ready(None, actor.dialect())?;
        }
        if let Some(span) = actor.settings.throttle
            && self.last_flush + span <= now
            && !self.infos.is_empty()
        {
            self.flush(actor).await?;
        }
        Ok(())
    }

    /// What it has not done for so long.
    fn excuse(&self, time: Duration) -> String {
        let work = self.owed.first().and_then(|owed| owed.work.as_ref());
        match (work, self.is_loading) {
            (Some(work), _) => format!("it has been busy with {work} for {time:.1?}"),
            (None, true) => format!("it has been getting ready for {time:.1?}"),
            (None, false) => format!("it has not answered for {time:.1?}"),
        }
    }
}
