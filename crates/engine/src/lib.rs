//! UCI and USI from both sides, and engines driven as child processes, over TCP or NATS.
//!
//! - [`protocol`] is the text: what a user interface says ([`protocol::Command`]) and what an
//!   engine says ([`protocol::Reply`]), in both dialects and both directions.
//! - [`transport`] carries the lines: to a child process or over TCP.
//! - [`driver`] keeps one engine going: handshake, searches, liveness, restarts.
//! - [`nats`] lends engines to other machines and finds those that are lent.

pub mod driver;
pub mod nats;
pub mod protocol;
pub mod transport;
