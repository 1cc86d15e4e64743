//! The master's side of a lease: a transport.

use async_nats::{Client, Subscriber};
use futures_util::StreamExt;
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use super::outbox::{Outbox, token};
use super::over::Over;
use super::wire::{BATCH, BEAT, Body, Message, Numbers, SILENCE, VERSION, slot_subjects};
use crate::protocol::Dialect;
use crate::transport::{Incoming, Link, OpenError, Opening, QUEUE, Transport};

/// An engine on another machine that can be leased.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Its name, unlike all others.
    pub id: String,
    /// The worker that offers it.
    pub worker: String,
    /// The name of its engine.
    pub engine: String,
    /// What that speaks.
    pub dialect: Dialect,
    /// Another master has it: when that lets go, the slot appears anew.
    pub is_taken: bool,
    pub(super) client: Client,
    pub(super) group: String,
    pub(super) master: String,
}

impl Slot {
    async fn lease(&self) -> Result<Link, OpenError> {
        let failed = |why: Over| OpenError(format!("cannot lease {}: {why}", self.id));
        let (subject, from_slot) = slot_subjects(&self.group, &self.id);
        let subscribed = self.client.subscribe(from_slot).await;
        let mut inbox = subscribed.map_err(|error| failed(error.into()))?;
        let session = token(&self.client);
        let mut outbox = Outbox { client: self.client.clone(), subject, session, number: 0 };
        let open = Body::Open { version: VERSION, master: self.master.clone() };
        outbox.send(open).await.map_err(failed)?;
        match timeout(SILENCE, opened(&mut inbox, &outbox.session)).await {
            Ok(answer) => answer.map_err(failed)?,
            Err(_) => return Err(failed(Over::NoAnswer(self.worker.clone()))),
        }
        let (sender, to_engine) = mpsc::channel(QUEUE);
        // There is no way to slow down the other side: there is room for more than usual.
        let (from_engine, receiver) = mpsc::channel(4 * QUEUE);
        let name = self.name();
        tokio::spawn(async move {
            let mut pump =
                Pump { outbox, inbox, to_engine, from_engine, numbers: Numbers::after(0) };
            let reason = pump.run().await;
            let _ = pump.outbox.send(reason.close()).await;
            let _ = pump.from_engine.try_send(Incoming::Closed(format!("{name}: {reason}")));
            // If this was the last that needs the connection, the word must still get out.
            let _ = timeout(SILENCE, pump.outbox.client.flush()).await;
        });
        Ok(Link::new(sender, receiver, ()))
    }
}

impl Transport for Slot {
    fn open(&self) -> Opening<'_> {
        Box::pin(self.lease())
    }

    fn name(&self) -> String {
        format!("{} of {}", self.id, self.worker)
    }
}

/// Waits for the answer to `Open`.
async fn opened(inbox: &mut Subscriber, session: &str) -> Result<(), Over> {
    while let Some(message) = inbox.next().await {
        match Message::read(&message.payload) {
            Some(Ok(message)) if message.session != session => {}
            Some(Ok(Message { body: Body::Opened, .. })) => return Ok(()),
            Some(Ok(Message { body: Body::Close { reason }, .. })) => {
                return Err(Over::Told(reason));
            }
            _ => {}
        }
    }
    Err(Over::Closed)
}

/// Carries lines between a driver and the subjects of a slot.
struct Pump {
    outbox: Outbox,
    inbox: Subscriber,
    to_engine: mpsc::Receiver<String>,
    from_engine: mpsc::Sender<Incoming>,
    numbers: Numbers,
}

impl Pump {
    /// Until one side ends: why?
    async fn run(&mut self) -> Over {
        let mut beat = interval(BEAT);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut heard = Instant::now();
        loop {
            let result = tokio::select! {
                biased;
                message = self.inbox.next() => match message {
                    Some(message) => {
                        let is_ours = self.deliver(&message.payload);
                        if let Ok(true) = is_ours {
                            heard = Instant::now();
                        }
                        is_ours.map(|_| ())
                    }
                    None => Err(Over::Closed),
                },
                line = self.to_engine.recv() => match line {
                    Some(line) => {
                        let mut lines = vec![line];
                        while lines.len() < BATCH && let Ok(line) = self.to_engine.try_recv() {
                            lines.push(line);
                        }
                        self.outbox.send(Body::Lines(lines)).await
                    }
                    None => Err(Over::NotNeeded),
                },
                _ = beat.tick() => match heard.elapsed() < SILENCE {
                    true => self.outbox.send(Body::Beat).await,
                    false => Err(Over::Silence),
                },
            };
            if let Err(reason) = result {
                return reason;
            }
        }
    }

    /// Gives what has come to the driver. Was it for us?
    fn deliver(&mut self, payload: &[u8]) -> Result<bool, Over> {
        let Some(Ok(message)) = Message::read(payload) else { return Ok(false) };
        if message.session != self.outbox.session {
            return Ok(false);
        }
        if let Body::Close { reason } = message.body {
            return Err(Over::Told(reason));
        }
        self.numbers.take(message.number)?;
        if let Body::Lines(lines) = message.body {
            for line in lines {
                let sent = self.from_engine.try_send(Incoming::Line(line));
                sent.map_err(|_| Over::MasterDoesNotRead)?;
            }
        }
        Ok(true)
    }
}
