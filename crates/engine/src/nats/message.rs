//! The messages of masters and workers, and what is sound in them. Nothing here knows the network.

use serde::{Deserialize, Serialize};

use crate::protocol::Dialect;

/// The version of these messages. Other versions are refused.
pub const VERSION: u32 = 1;

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
fn is_plain(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

/// Can this be part of a subject? It is longer than a name by its endings.
fn is_id(id: &str) -> bool {
    is_plain(id) && (1..=128).contains(&id.len())
}

/// More slots than any worker has, more workers than any master meets.
pub(super) const MOST: usize = 4096;

/// What all versions of a hello have in common.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct AnyHello {
    pub version: u32,
    pub worker: String,
}

impl AnyHello {
    /// A hello, or who says it and why it cannot be used; nothing if it is none at all.
    pub fn read(payload: &[u8]) -> Option<Result<Hello, (String, String)>> {
        let AnyHello { version, worker } = serde_json::from_slice(payload).ok()?;
        if version != VERSION {
            return Some(Err((worker, format!("it speaks version {version}, we {VERSION}"))));
        }
        let Ok(hello) = serde_json::from_slice::<Hello>(payload) else {
            return Some(Err((worker, "its hello makes no sense".into())));
        };
        let is_sound = hello.slots.len() <= MOST
            && is_id(&hello.worker)
            && hello.slots.iter().all(|slot| is_id(&slot.id));
        Some(
            is_sound.then_some(hello).ok_or((worker, "it has bad names, or too many slots".into())),
        )
    }
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

/// One direction of a lease, at the side that reads: the number that the next message must have.
pub(super) struct Numbers(u64);

impl Numbers {
    /// After the message with this number, whatever it is: it may come from anybody.
    pub fn after(number: u64) -> Numbers {
        Numbers(number.wrapping_add(1))
    }

    /// Takes note of a message. An error ends the lease.
    pub fn take(&mut self, number: u64) -> Result<(), String> {
        if number != self.0 {
            return Err("messages were lost or came twice".into());
        }
        *self = Numbers::after(number);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_message_may_have_any_number() {
        let mut numbers = Numbers::after(u64::MAX);
        assert_eq!(numbers.take(0), Ok(()));
        assert_eq!(numbers.take(1), Ok(()));
        assert!(numbers.take(1).is_err() && numbers.take(3).is_err());
    }
}
