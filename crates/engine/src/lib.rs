//! UCI and USI from both sides, and engines driven as child processes, over TCP or NATS.
//!
//! Features: `driver` for engines as child processes and over TCP, with tokio; `nats` (the default)
//! for those of other machines, too. The text of the protocols needs neither.
//!
//! - [`protocol`] is the text: what a user interface says ([`protocol::Command`]) and what an
//!   engine says ([`protocol::Reply`]), in both dialects and both directions.
//! - [`program`] finds the program of a command.
//! - [`transport`] carries the lines: to a child process or over TCP.
//! - [`driver`] keeps one engine going: handshake, searches, liveness, restarts.
//! - [`nats`] lends engines to other machines and finds those that are lent.

#[cfg(feature = "driver")]
pub mod driver;
#[cfg(feature = "nats")]
pub mod nats;
pub mod program;
pub mod protocol;
#[cfg(feature = "driver")]
pub mod transport;
