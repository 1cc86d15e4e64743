//! Engines lent to other machines over NATS.
//!
//! A [`Worker`] announces its slots and who leases them, twice a second, on
//! `yomikiri.GROUP.hello`. A master listens there ([`Discovery`]): slots appear and vanish while a
//! game runs, and one that another master has appears anew when that lets go. Each [`Slot`] is a
//! [`crate::transport::Transport`]: opening it takes a lease, a session with a token of its own,
//! for which the worker starts a fresh engine. Lines go to `yomikiri.GROUP.slot.ID.in` and come
//! from `….out`. Both sides send beats; when the other is silent for too long the lease is over
//! and the engine is ended, and so it is when numbers show that messages were lost or came twice.
//!
//! The command that a worker runs is set on the worker alone. What a master says is read,
//! checked and written anew: only the words of the protocol get through, and of the options only
//! numbers, switches and choices, for a text may be the path of a file. Those are set on the
//! worker. `wire` has all subjects and messages, and `docs/protocol.md` describes them.

mod connect;
mod discovery;
mod gate;
mod lease;
mod outbox;
mod over;
mod settings;
mod slot;
mod wire;
mod worker;

pub use connect::{ConnectError, Connection, Server};
pub use discovery::{Discovery, SlotEvent};
pub use settings::WorkerSettings;
pub use slot::Slot;
pub use wire::{NameError, NodeStatus, Status, VERSION, VersionError, check_name, tree_subject};
pub use worker::{Worker, WorkerError};

pub use async_nats::Client;
