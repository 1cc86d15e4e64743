//! What a page asks and is answered: `docs/web-protocol.md` as code.
//!
//! A session is one visitor's engine, with nothing of a network, of threads or of files in it. A
//! server has one for each connection, a browser has one in a worker; both hand it messages as text and
//! hand on what it says, and let it work in slices between them. So the page cannot tell the two apart.
//!
//! - [`contract`]: the messages;
//! - [`board`]: positions and moves of any game, for a board that somebody plays on;

pub mod board;
pub mod contract;

pub use contract::{Reply, Request};
