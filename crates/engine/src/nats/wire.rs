//! How messages go over the wire: as JSON, on subjects below `yomikiri.GROUP`.

use std::time::Duration;

use async_nats::Client;
use serde::Serialize;
use tokio::time::timeout;

use super::message::{Body, Message};

/// How often a worker announces its slots.
pub(super) const HELLO: Duration = Duration::from_millis(500);

/// A worker that has not announced its slots for so long is gone.
pub(super) const GONE: Duration = Duration::from_secs(2);

/// How often both sides of a lease say that they are there.
pub(super) const BEAT: Duration = Duration::from_millis(250);

/// A worker that is silent for so long is lost to its master.
pub(super) const SILENCE: Duration = Duration::from_millis(1500);

/// A master that is silent for so long loses its lease. Longer than [`SILENCE`]: a master that
/// comes back takes over what is still its own.
pub(super) const LEASE: Duration = Duration::from_secs(5);

/// So long may it take to hand a message to the client. It takes long only when the connection
/// is gone and much is waiting for its return.
const PUBLISH: Duration = Duration::from_secs(1);

/// The subject of the hellos of a group.
pub(super) fn hello_subject(group: &str) -> String {
    format!("yomikiri.{group}.hello")
}

/// The subjects to and from a slot.
pub(super) fn slot_subjects(group: &str, slot: &str) -> (String, String) {
    let slot = format!("yomikiri.{group}.slot.{slot}");
    (format!("{slot}.in"), format!("{slot}.out"))
}

/// Sends a message. Fails, after a while, if there is no connection.
pub(super) async fn publish<T: Serialize>(
    client: &Client,
    subject: &str,
    message: &T,
) -> Result<(), String> {
    let bytes = serde_json::to_vec(message).map_err(|error| error.to_string())?;
    match timeout(PUBLISH, client.publish(subject.to_string(), bytes.into())).await {
        Ok(published) => published.map_err(|error| error.to_string()),
        Err(_) => Err("the connection to the NATS server is lost".into()),
    }
}

/// A word that nobody else has.
pub(super) fn token(client: &Client) -> String {
    client.new_inbox().rsplit('.').next().unwrap_or_default().into()
}

/// One direction of a lease, at the side that sends.
pub(super) struct Outbox {
    pub client: Client,
    pub subject: String,
    pub session: String,
    pub number: u64,
}

impl Outbox {
    pub async fn send(&mut self, body: Body) -> Result<(), String> {
        let message = Message { session: self.session.clone(), number: self.number, body };
        self.number += 1;
        publish(&self.client, &self.subject, &message).await
    }
}
