//! A machine that lends engines.

use std::sync::Arc;
use std::time::Duration;

use async_nats::Client;
use tokio::sync::{mpsc, watch};
use tokio::time::{interval, timeout};

use super::lease::Tenancy;
use super::outbox::{publish, token};
use super::settings::WorkerSettings;
use super::wire::{
    HELLO, Hello, NameError, Offer, VERSION, check_name, hello_subject, slot_subjects,
};
use crate::driver::{Engine, EngineId, Event, Settings};
use crate::transport::{Opening, Tasks, Transport};

/// A worker could not be started.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The group or the worker has a bad name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The engine does not work.
    #[error("the engine does not work: {0}")]
    Engine(String),
    /// The server does not take part.
    #[error("the NATS server: {0}")]
    Nats(String),
}

/// A worker that serves its slots as long as it lives.
pub struct Worker {
    hello: Hello,
    warnings: Vec<String>,
    subject: String,
    client: Client,
    tasks: Tasks,
}

impl Worker {
    /// Tries the engine once, then announces the slots and serves them.
    pub async fn start(client: Client, settings: WorkerSettings) -> Result<Worker, WorkerError> {
        check_name(&settings.group)?;
        check_name(&settings.name)?;
        let settings = Arc::new(settings);
        let (engine, warnings) = try_engine(&settings).await?;
        let unique = token(&client);
        let unique = &unique[unique.len().saturating_sub(10)..];
        let worker = format!("{}-{unique}", settings.name);
        let offers =
            (1..=settings.slots).map(|n| Offer { id: format!("{worker}-{n}"), master: None });
        let slots: Vec<Offer> = offers.collect();
        let mut masters = Vec::new();
        let mut tasks = Vec::new();
        for slot in &slots {
            let (to_slot, subject) = slot_subjects(&settings.group, &slot.id);
            let subscribed = client.subscribe(to_slot).await;
            let inbox = subscribed.map_err(|error| WorkerError::Nats(error.to_string()))?;
            let (client, settings) = (client.clone(), settings.clone());
            let (sender, master) = watch::channel(None);
            let tenancy = Tenancy { client, settings, subject, inbox, master: sender };
            tasks.push(tokio::spawn(tenancy.run()).abort_handle());
            masters.push(master);
        }
        let dialect = settings.dialect;
        let hello = Hello { version: VERSION, worker, slots, engine, dialect };
        let subject = hello_subject(&settings.group);
        let announced = announce(client.clone(), subject.clone(), hello.clone(), masters);
        tasks.push(tokio::spawn(announced).abort_handle());
        Ok(Worker { hello, warnings, subject, client, tasks: Tasks(tasks) })
    }

    /// Its name, unlike all others.
    pub fn id(&self) -> &str {
        &self.hello.worker
    }

    /// The name of its engine.
    pub fn engine(&self) -> &str {
        &self.hello.engine
    }

    /// What was odd when the engine was tried: options that it does not have.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Ends the engines and says goodbye. A worker that is dropped is missed a little later.
    pub async fn stop(self) {
        drop(self.tasks);
        let bye = Hello { slots: Vec::new(), ..self.hello };
        let _ = publish(&self.client, &self.subject, &bye).await;
        let _ = timeout(Duration::from_secs(1), self.client.flush()).await;
    }
}

/// Says twice a second which slots there are, and who leases them.
async fn announce(
    client: Client,
    subject: String,
    mut hello: Hello,
    masters: Vec<watch::Receiver<Option<String>>>,
) {
    let mut tick = interval(HELLO);
    loop {
        tick.tick().await;
        for (slot, master) in hello.slots.iter_mut().zip(&masters) {
            slot.master.clone_from(&master.borrow());
        }
        // Without a connection nobody can hear it.
        let _ = publish(&client, &subject, &hello).await;
    }
}

/// Starts the engine once: its name and warnings, or why it does not work.
async fn try_engine(settings: &Arc<WorkerSettings>) -> Result<(String, Vec<String>), WorkerError> {
    let driven = Settings {
        options: settings.options.clone(),
        max_failures: 1,
        handshake: settings.patience,
        ready: settings.patience,
        ..Settings::new(settings.dialect)
    };
    let (sender, mut events) = mpsc::channel(16);
    let trial = Box::new(Trial(settings.clone()));
    let _engine = Engine::start(EngineId(0), trial, driven, sender);
    let mut warnings = Vec::new();
    while let Some((_, event)) = events.recv().await {
        match event {
            Event::Ready { name, .. } => return Ok((name, warnings)),
            Event::Warning(warning) => warnings.push(warning),
            Event::Failed { reason } => return Err(WorkerError::Engine(reason)),
            _ => {}
        }
    }
    Err(WorkerError::Engine("it does not start".into()))
}

/// The worker's transport, lent to a driver.
struct Trial(Arc<WorkerSettings>);

impl Transport for Trial {
    fn open(&self) -> Opening<'_> {
        self.0.transport.open()
    }

    fn name(&self) -> String {
        self.0.transport.name()
    }
}
