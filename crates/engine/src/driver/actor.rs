//! The life of an engine over its restarts.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::event::{End, Event, Request, Search};
use super::settings::{EngineId, Settings};
use crate::protocol::{Command, Dialect, Id, OptionSpec, Reply, TABLE_REPORT};
use crate::transport::{Incoming, Link, Transport};

pub(super) struct Actor {
    id: EngineId,
    transport: Arc<dyn Transport>,
    pub settings: Settings,
    events: mpsc::Sender<(EngineId, Event)>,
    pub requests: mpsc::UnboundedReceiver<Request>,
    /// The search that has not been answered.
    pub wanted: Option<Search>,
    /// Failures since the last success, and complaints.
    pub failures: u32,
    /// How often the owner has complained. That is not made good by further answers.
    pub complaints: u32,
    /// The longest that it took to come back when it was late.
    pub slowest: Duration,
    /// Has it ever been ready?
    was_ready: bool,
    /// Who asked, while it was starting, whether it is ready.
    pub asked: Vec<u64>,
    /// The options that it was told when it started.
    told: Vec<(String, Option<String>)>,
}

impl Actor {
    pub fn new(
        id: EngineId,
        transport: Arc<dyn Transport>,
        settings: Settings,
        events: mpsc::Sender<(EngineId, Event)>,
        requests: mpsc::UnboundedReceiver<Request>,
    ) -> Actor {
        Actor {
            id,
            transport,
            settings,
            events,
            requests,
            wanted: None,
            failures: 0,
            complaints: 0,
            slowest: Duration::ZERO,
            was_ready: false,
            asked: Vec::new(),
            told: Vec::new(),
        }
    }

    /// Tells the owner. Fails if there is none.
    pub async fn tell(&self, event: Event) -> Result<(), End> {
        self.events.send((self.id, event)).await.map_err(|_| End::Quit)
    }

    /// The engine has done what it should: it does not fail in a row.
    pub fn succeeded(&mut self) {
        self.failures = self.complaints;
    }

    pub fn dialect(&self) -> Dialect {
        self.settings.dialect
    }

    /// Opens the transport, shakes hands, sets the options, begins a game, and waits until all of
    /// that is worked off.
    pub(super) async fn start(&mut self, restarts: u32) -> Result<(Link, bool), End> {
        let name = self.transport.name();
        let transport = self.transport.clone();
        let opened = self.within(|settings| settings.handshake, transport.open()).await?;
        let mut link = opened
            .map_err(|limit| End::Lost(format!("cannot reach {name} within {limit:?}")))?
            .map_err(|error| End::Lost(error.to_string()))?;
        let mut hello = Hello::default();
        let dialect = self.dialect();
        send(&link, Command::Handshake, dialect, &name)?;
        let listening = hello.listen(&mut link, dialect);
        match self.within(|settings| settings.handshake, listening).await? {
            Ok(Ok(())) => {}
            Ok(Err(reason)) => return Err(End::Lost(hello.explain(reason))),
            Err(limit) => {
                let word = dialect.handshake_ok();
                let reason = format!("{name} did not say {word} within {limit:?}");
                return Err(self.out_of_time(hello.explain(reason)));
            }
        }
        let has_table_report = hello.options.iter().any(|option| option.name == TABLE_REPORT);
        if has_table_report {
            let (name, value) = (TABLE_REPORT.into(), Some("true".into()));
            send(&link, Command::SetOption { name, value }, dialect, &hello.name)?;
        }
        self.told.clear();
        for (option, value) in self.untold() {
            match hello.resolve(&option, value.as_deref(), dialect) {
                Ok(name) => send(&link, Command::SetOption { name, value }, dialect, &hello.name)?,
                Err(warning) => self.tell(Event::Warning(warning)).await?,
            }
        }
        self.get_ready(&mut link, &name).await?;
        send(&link, Command::NewGame, dialect, &name)?;
        // USI gets ready before every game; in UCI one asks after it.
        if dialect == Dialect::Uci {
            self.get_ready(&mut link, &name).await?;
        }
        self.was_ready = true;
        let name = if hello.name.is_empty() { name } else { hello.name };
        self.tell(Event::Ready { name, has_table_report, restarts, options: hello.options })
            .await?;
        Ok((link, has_table_report))
    }

    /// The options that it has not been told since it started. From now on it has.
    pub fn untold(&mut self) -> Vec<(String, Option<String>)> {
        let is_new = |option: &&(String, Option<String>)| !self.told.contains(*option);
        let options: Vec<_> = self.settings.options.iter().filter(is_new).cloned().collect();
        self.told.extend(options.iter().cloned());
        options
    }

    /// Waits until what was said so far is worked off.
    async fn get_ready(&mut self, link: &mut Link, name: &str) -> Result<(), End> {
        let dialect = self.dialect();
        send(link, Command::IsReady, dialect, name)?;
        match self.within(|settings| settings.ready, ready(link, dialect)).await? {
            Ok(Ok(())) => Ok(()),
            Ok(Err(reason)) => Err(End::Lost(reason)),
            Err(limit) => {
                Err(self.out_of_time(format!("{name} did not say readyok within {limit:?}")))
            }
        }
    }

    /// How a start ends that takes too long. An engine that was ready once may be so again.
    fn out_of_time(&self, reason: String) -> End {
        if self.was_ready { End::Lost(reason) } else { End::Broken(reason) }
    }

    /// Waits, at most for a time of the settings, and takes note of what is asked meanwhile: that
    /// may be more patience. The error is the time that was too short.
    async fn within<T>(
        &mut self,
        limit: fn(&Settings) -> Duration,
        future: impl Future<Output = T>,
    ) -> Result<Result<T, Duration>, End> {
        let start = Instant::now();
        let mut future = pin!(future);
        loop {
            let most = limit(&self.settings);
            tokio::select! {
                biased;
                output = &mut future => return Ok(Ok(output)),
                request = self.requests.recv() => self.note(request.ok_or(End::Quit)?).await?,
                () = sleep_until(start + most) => return Ok(Err(most)),
            }
        }
    }

    /// Waits, and takes note of what is asked meanwhile.
    pub(super) async fn meanwhile<T>(&mut self, future: impl Future<Output = T>) -> Result<T, End> {
        let mut future = pin!(future);
        loop {
            tokio::select! {
                output = &mut future => return Ok(output),
                request = self.requests.recv() => self.note(request.ok_or(End::Quit)?).await?,
            }
        }
    }

    /// Takes note of a request while there is no engine.
    async fn note(&mut self, request: Request) -> Result<(), End> {
        match request {
            Request::Search(search) => self.wanted = Some(*search),
            Request::Stop => {
                if let Some(search) = self.wanted.take() {
                    self.tell(Event::Withdrawn { job: search.job }).await?;
                }
            }
            Request::PonderHit => self.ponder_hit(),
            Request::SetOption(name, value) => self.keep_option(name, value),
            Request::TableReport { job, .. } => {
                self.tell(Event::TableReport { job, entries: Vec::new() }).await?;
            }
            Request::Ready(token) => self.asked.push(token),
            Request::Patience(patience) => self.settings.set_patience(patience),
            // A fresh engine has no game yet, and is a stranger to complaints.
            Request::NewGame | Request::GameOver(_) | Request::Complain(_) => {}
        }
        Ok(())
    }

    /// From now on the search is no pondering, also after a restart.
    pub fn ponder_hit(&mut self) {
        if let Some(search) = &mut self.wanted {
            search.go.ponder = false;
        }
    }

    /// Remembers an option for the next start.
    pub fn keep_option(&mut self, name: String, value: Option<String>) {
        let options = &mut self.settings.options;
        options.retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
        options.push((name, value));
    }
}

/// What an engine says of itself.
#[derive(Default)]
struct Hello {
    name: String,
    options: Vec<OptionSpec>,
    /// The first line that makes no sense: it may tell why this is no engine.
    strange: Option<String>,
}

impl Hello {
    /// Listens until the engine has said all. Fails with a reason.
    async fn listen(&mut self, link: &mut Link, dialect: Dialect) -> Result<(), String> {
        /// More options than any engine has.
        const MAX_OPTIONS: usize = 4096;
        loop {
            let line = match link.receive().await {
                Incoming::Line(line) => line,
                Incoming::Cut(_) => continue,
                Incoming::Closed(reason) => return Err(reason),
            };
            match Reply::parse(&line, dialect) {
                Reply::HandshakeOk => return Ok(()),
                Reply::Id(Id::Name(name)) => self.name = name,
                Reply::Option(option) if self.options.len() < MAX_OPTIONS => {
                    self.options.push(option);
                }
                Reply::Other(line) if self.strange.is_none() => {
                    self.strange = Some(line.chars().take(100).collect());
                }
                _ => {}
            }
        }
    }

    fn explain(&self, reason: String) -> String {
        match &self.strange {
            Some(line) => format!("{reason} (it said: {line})"),
            None => reason,
        }
    }

    /// The option's name as the engine spells it, if it would take the value; or a warning.
    fn resolve(&self, name: &str, value: Option<&str>, dialect: Dialect) -> Result<String, String> {
        // In USI every engine has these, and none announces them.
        if dialect == Dialect::Usi && ["USI_Hash", "USI_Ponder"].contains(&name) {
            return Ok(name.into());
        }
        let spec = self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        match spec {
            Some(spec) if spec.accepts(value) => Ok(spec.name.clone()),
            Some(spec) => Err(format!(
                "{} takes no value {} for its option {} ({})",
                self.name,
                value.unwrap_or("(none)"),
                spec.name,
                spec.kind.name(),
            )),
            None => Err(format!("{} has no option {name}", self.name)),
        }
    }
}

async fn ready(link: &mut Link, dialect: Dialect) -> Result<(), String> {
    loop {
        match link.receive().await {
            Incoming::Line(line) if Reply::parse(&line, dialect) == Reply::ReadyOk => return Ok(()),
            Incoming::Closed(reason) => return Err(reason),
            _ => {}
        }
    }
}

fn send(link: &Link, command: Command, dialect: Dialect, name: &str) -> Result<(), End> {
    let line = command.to_line(dialect);
    link.send(line).map_err(|error| End::Lost(format!("{name} {error}")))
}
