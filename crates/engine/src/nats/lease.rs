//! The worker's side of a slot: free, or leased to one master.

use std::future::pending;
use std::sync::Arc;

use async_nats::{Client, Subscriber};
use futures_util::StreamExt;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use super::gate::{Gate, Heard, Refused};
use super::outbox::Outbox;
use super::over::Over;
use super::settings::WorkerSettings;
use super::wire::{BATCH, BEAT, Body, LEASE, Message, Numbers, SILENCE, Stranger};
use crate::protocol::{Info, Reply};
use crate::transport::{Incoming, Link, MAX_LINE};

/// A slot with its engine, as long as it is leased.
pub(super) struct Tenancy {
    pub client: Client,
    pub settings: Arc<WorkerSettings>,
    /// The subject of what the engine says.
    pub subject: String,
    pub inbox: Subscriber,
    /// Who leases it, for the hello.
    pub master: watch::Sender<Option<String>>,
}

struct Lease {
    master: String,
    link: Link,
    outbox: Outbox,
    /// The master's.
    numbers: Numbers,
    heard: Instant,
    gate: Gate,
}

impl Tenancy {
    /// Serves until the connection is closed for good.
    pub async fn run(mut self) {
        let mut lease: Option<Lease> = None;
        let mut beat = interval(BEAT);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let result = tokio::select! {
                biased;
                message = self.inbox.next() => {
                    let Some(message) = message else { return };
                    match Message::read(&message.payload) {
                        Some(Ok(message)) => self.obey(message, &mut lease).await,
                        Some(Err(stranger)) => self.refuse(stranger).await,
                        None => Ok(()),
                    }
                }
                incoming = heard(&mut lease) => match &mut lease {
                    Some(lease) => lease.report(incoming, &self.settings).await,
                    None => Ok(()),
                },
                _ = beat.tick() => match &mut lease {
                    Some(lease) if lease.heard.elapsed() >= LEASE => {
                        Err(Over::MasterIsSilent)
                    }
                    Some(lease) => lease.outbox.send(Body::Beat).await,
                    None => Ok(()),
                },
            };
            // The engine ends with its lease.
            if let Err(reason) = result
                && let Some(mut over) = lease.take()
            {
                let _ = over.outbox.send(reason.close()).await;
            }
            let master = lease.as_ref().map(|lease| &lease.master);
            self.master.send_if_modified(|known| {
                let is_news = known.as_ref() != master;
                if is_news {
                    *known = master.cloned();
                }
                is_news
            });
        }
    }

    /// Answers a master of another version. The lease that there is goes on.
    async fn refuse(&self, stranger: Stranger) -> Result<(), Over> {
        let reason = format!("the master speaks {}", stranger.error);
        let _ = self.outbox(stranger.session).send(Body::Close { reason }).await;
        Ok(())
    }

    /// Does what a message demands. An error ends the lease.
    async fn obey(&self, message: Message, lease: &mut Option<Lease>) -> Result<(), Over> {
        let Message { session, number, body } = message;
        match (body, lease) {
            (Body::Open { master, .. }, lease) => {
                let is_known = |lease: &Lease| lease.outbox.session == session;
                if lease.as_ref().is_some_and(is_known) {
                    return Err(Over::OpenedTwice);
                }
                let mut outbox = self.outbox(session);
                match self.open(master, lease).await {
                    Ok((master, link)) => {
                        outbox.send(Body::Opened).await?;
                        let gate = Gate::new(self.settings.dialect);
                        let (numbers, heard) = (Numbers::after(number), Instant::now());
                        *lease = Some(Lease { master, link, outbox, numbers, heard, gate });
                        Ok(())
                    }
                    // The lease that there is goes on.
                    Err(reason) => {
                        let _ = outbox.send(reason.close()).await;
                        Ok(())
                    }
                }
            }
            (body, Some(lease)) if lease.outbox.session == session => {
                lease.obey(number, body).await
            }
            (Body::Close { .. }, _) => Ok(()),
            _ => {
                let _ = self.outbox(session).send(Over::Already.close()).await;
                Ok(())
            }
        }
    }

    fn outbox(&self, session: String) -> Outbox {
        Outbox { client: self.client.clone(), subject: self.subject.clone(), session, number: 0 }
    }

    /// A fresh engine for a master who may have the slot.
    async fn open(
        &self,
        master: String,
        lease: &mut Option<Lease>,
    ) -> Result<(String, Link), Over> {
        let is_taken = |lease: &Lease| lease.master != master && lease.heard.elapsed() < LEASE;
        if lease.as_ref().is_some_and(is_taken) {
            return Err(Over::Taken);
        }
        if let Some(mut over) = lease.take() {
            let reason = match over.heard.elapsed() < LEASE {
                true => Over::OpenedAnew,
                false => Over::MasterIsSilent,
            };
            let _ = over.outbox.send(reason.close()).await;
        }
        match timeout(SILENCE, self.settings.transport.open()).await {
            Ok(opened) => Ok((master, opened?)),
            Err(_) => Err(Over::SlowStart),
        }
    }
}

/// What the engine of the lease says; nothing, for ever, without one.
async fn heard(lease: &mut Option<Lease>) -> Incoming {
    match lease {
        Some(lease) => lease.link.receive().await,
        None => pending().await,
    }
}

impl Lease {
    /// Does what the master of the lease says.
    async fn obey(&mut self, number: u64, body: Body) -> Result<(), Over> {
        self.numbers.take(number)?;
        self.heard = Instant::now();
        match body {
            Body::Lines(lines) => {
                for line in lines {
                    match self.gate.pass(&line) {
                        Ok(Some(line)) => self.link.send(line)?,
                        Ok(None) => {}
                        Err(refused) => self.remark(&refused).await?,
                    }
                }
                Ok(())
            }
            Body::Close { reason } => Err(Over::Told(reason)),
            _ => Ok(()),
        }
    }

    /// Tells the master something that the engine did not say.
    async fn remark(&mut self, refused: &Refused) -> Result<(), Over> {
        let info = Info::string(format!("worker: {refused}"));
        let line = Reply::Info(Box::new(info)).to_line(self.gate.dialect());
        self.outbox.send(Body::Lines(vec![line])).await
    }

    /// Passes on what the engine says: this and what else is there.
    async fn report(&mut self, first: Incoming, settings: &WorkerSettings) -> Result<(), Over> {
        let mut lines = Vec::new();
        let mut bytes = 0;
        let mut end = Ok(());
        let mut next = Some(first);
        while let Some(incoming) = next {
            match incoming {
                Incoming::Line(line) => {
                    for line in self.gate.announce(line, &settings.options) {
                        match line {
                            Heard::Master(line) => {
                                bytes += line.len();
                                lines.push(line);
                            }
                            Heard::Engine(line) => {
                                self.link.send(line)?;
                            }
                        }
                    }
                }
                Incoming::Cut(_) => {
                    let info = Info::string("worker: a line too long was dropped");
                    lines.push(Reply::Info(Box::new(info)).to_line(self.gate.dialect()));
                }
                Incoming::Closed(reason) => {
                    end = Err(Over::Told(reason));
                    break;
                }
            }
            next = match lines.len() < BATCH && bytes < MAX_LINE {
                true => self.link.try_receive(),
                false => None,
            };
        }
        if !lines.is_empty() {
            self.outbox.send(Body::Lines(lines)).await?;
        }
        end
    }
}
