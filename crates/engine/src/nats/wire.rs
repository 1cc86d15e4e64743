//! What goes over the wire: JSON, on subjects below `yomikiri.GROUP`.

use std::time::Duration;

use async_nats::Client;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use crate::protocol::Dialect;

/// The version of these messages. Other versions are refused.
pub const VERSION: u32 = 1;

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

/// A group or worker has a name that cannot be part of a subject.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no name: use 1 to 64 letters, digits, - and _")]
pub struct NameError(String);

/// Can this be the name of a group or a worker?
pub fn check_name(name: &str) -> Result<(), NameError> {
    let is_fine = is_plain(name) && (1..=64).contains(&name.len());
    if is_fine { Ok(()) } else { Err(NameError(name.chars().take(64).collect())) }
}

/// Only letters, digits, `-` and `_`?
pub(super) fn is_plain(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

/// What all versions of a hello have in common.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct AnyHello {
    pub version: u32,
    pub worker: String,
}

/// A worker says that it is there. Without slots: that it leaves.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Hello {
    pub version: u32,
    pub worker: String,
    pub slots: Vec<Offer>,
    pub engine: String,
    pub dialect: Dialect,
}

/// A slot in a hello.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Offer {
    pub id: String,
    /// Who leases it now.
    pub master: Option<String>,
}

/// A message of a lease. Each side numbers its own from 0.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Message {
    pub session: String,
    pub number: u64,
    pub body: Body,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Body {
    /// Master: lease me the slot.
    Open { version: u32, master: String },
    /// Worker: it is yours.
    Opened,
    /// Lines, to or from the engine.
    Lines(Vec<String>),
    /// I am here.
    Beat,
    /// The lease is over, or was not given.
    Close { reason: String },
}

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
