//! The slots that there are, as they come and go.

use std::collections::{HashMap, HashSet};

use async_nats::{Client, Subscriber};
use futures_util::StreamExt;
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use super::outbox::token;
use super::slot::Slot;
use super::wire::{GONE, HELLO, Hello, MOST, Offer, Refusal, check_name, hello_subject};
use crate::transport::{OpenError, Tasks};

/// A slot has come or gone.
#[derive(Clone, Debug)]
pub enum SlotEvent {
    /// A slot is there. Once more if [another master](Slot::is_taken) has taken it or let it go.
    Appeared(Box<Slot>),
    /// A slot is gone.
    Vanished {
        /// Its name.
        id: String,
        /// Why.
        reason: String,
    },
    /// A worker cannot be used. Said once.
    Refused {
        /// The worker.
        worker: String,
        /// Why.
        reason: String,
    },
}

/// Listens for workers of a group.
pub struct Discovery {
    events: mpsc::Receiver<SlotEvent>,
    _task: Tasks,
}

impl Discovery {
    /// Begins to listen. All slots that it finds are leased in the name of one master.
    pub async fn start(client: Client, group: &str) -> Result<Discovery, OpenError> {
        check_name(group).map_err(|error| OpenError(error.to_string()))?;
        let subscribed = client.subscribe(hello_subject(group)).await;
        let hellos = subscribed.map_err(|error| OpenError(error.to_string()))?;
        // From now on no hello is missed, unless the server is lost at this moment.
        let _ = timeout(HELLO, client.flush()).await;
        let (sender, events) = mpsc::channel(1000);
        let master = token(&client);
        let group = group.to_string();
        let register = Register {
            client,
            group,
            master,
            workers: HashMap::new(),
            refused: HashSet::new(),
            events: sender,
        };
        let task = tokio::spawn(register.run(hellos));
        Ok(Discovery { events, _task: Tasks(vec![task.abort_handle()]) })
    }

    /// The next event. May be dropped at any time without losing anything.
    pub async fn next(&mut self) -> Option<SlotEvent> {
        self.events.recv().await
    }
}

/// The workers that are known.
struct Register {
    client: Client,
    group: String,
    master: String,
    /// When each was last heard, and which of its slots another master has.
    workers: HashMap<String, (Instant, HashMap<String, bool>)>,
    /// Those that cannot be used.
    refused: HashSet<String>,
    events: mpsc::Sender<SlotEvent>,
}

/// Nobody listens any more.
struct Unheard;

impl Register {
    async fn run(mut self, mut hellos: Subscriber) {
        let mut tick = interval(HELLO);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let result = tokio::select! {
                biased;
                hello = hellos.next() => match hello {
                    Some(hello) => self.meet(&hello.payload).await,
                    None => return,
                },
                _ = tick.tick() => self.miss().await,
            };
            if result.is_err() {
                return;
            }
        }
    }

    async fn tell(&self, event: SlotEvent) -> Result<(), Unheard> {
        self.events.send(event).await.map_err(|_| Unheard)
    }

    /// A worker has said something.
    async fn meet(&mut self, payload: &[u8]) -> Result<(), Unheard> {
        let hello = match Hello::read(payload) {
            None => return Ok(()),
            Some(Err(Refusal { worker, reason })) => return self.refuse(worker, reason).await,
            Some(Ok(hello)) => hello,
        };
        let worker = hello.worker.clone();
        if self.workers.len() >= MOST && !self.workers.contains_key(&worker) {
            return self.refuse(worker, "there are too many workers".into()).await;
        }
        if hello.slots.is_empty() {
            return self.part(&worker, "the worker has left").await;
        }
        let known = self.workers.remove(&worker).map(|(_, slots)| slots).unwrap_or_default();
        let mut slots = HashMap::new();
        for Offer { id, master } in hello.slots {
            let is_taken = master.is_some_and(|master| master != self.master);
            slots.insert(id.clone(), is_taken);
            if known.get(&id) != Some(&is_taken) {
                let slot = Slot {
                    id,
                    worker: hello.worker.clone(),
                    engine: hello.engine.clone(),
                    dialect: hello.dialect,
                    is_taken,
                    client: self.client.clone(),
                    group: self.group.clone(),
                    master: self.master.clone(),
                };
                self.tell(SlotEvent::Appeared(Box::new(slot))).await?;
            }
        }
        self.workers.insert(worker, (Instant::now(), slots));
        Ok(())
    }

    async fn refuse(&mut self, worker: String, reason: String) -> Result<(), Unheard> {
        // Somebody who makes up names does not fill the memory.
        if self.refused.len() < MOST && self.refused.insert(worker.clone()) {
            self.tell(SlotEvent::Refused { worker, reason }).await?;
        }
        Ok(())
    }

    /// The slots of a worker are gone.
    async fn part(&mut self, worker: &str, reason: &str) -> Result<(), Unheard> {
        let slots = self.workers.remove(worker).map(|(_, slots)| slots).unwrap_or_default();
        for id in slots.into_keys() {
            self.tell(SlotEvent::Vanished { id, reason: reason.into() }).await?;
        }
        Ok(())
    }

    /// Who has not been heard for too long?
    async fn miss(&mut self) -> Result<(), Unheard> {
        let late = self.workers.iter().filter(|(_, (heard, _))| heard.elapsed() >= GONE);
        let late: Vec<String> = late.map(|(worker, _)| worker.clone()).collect();
        for worker in late {
            self.part(&worker, "the worker is silent").await?;
        }
        Ok(())
    }
}
