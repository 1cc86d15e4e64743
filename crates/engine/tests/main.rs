//! All integration tests of this crate, in one program: linking is most of what building them costs.

mod common;
mod driver;
mod nats;
mod nats_security;
#[path = "common/nats_server.rs"]
mod nats_server;
mod real_engines;
