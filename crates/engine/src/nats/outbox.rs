//! How messages are sent.

use std::time::Duration;

use async_nats::Client;
use serde::Serialize;
use tokio::time::timeout;

use super::over::Over;
use super::wire::{Body, Message};

/// So long may it take to hand a message to the client. It takes long only when the connection
/// is gone and much is waiting for its return.
const PUBLISH: Duration = Duration::from_secs(1);

/// Sends a message. Fails, after a while, if there is no connection.
pub(super) async fn publish<T: Serialize>(
    client: &Client,
    subject: &str,
    message: &T,
) -> Result<(), Over> {
    let bytes = serde_json::to_vec(message)?;
    match timeout(PUBLISH, client.publish(subject.to_string(), bytes.into())).await {
        Ok(published) => Ok(published?),
        Err(_) => Err(Over::Lost),
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
    pub async fn send(&mut self, body: Body) -> Result<(), Over> {
        let message = Message { session: self.session.clone(), number: self.number, body };
        self.number += 1;
        publish(&self.client, &self.subject, &message).await
    }
}
