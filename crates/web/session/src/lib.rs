//! What a page asks and is answered: `docs/web-protocol.md` as code.
//!
//! A [`Session`] is one visitor's engine, with nothing of a network, of threads or of files in it. A
//! server has one for each connection, a browser has one in a worker; both hand it messages as text and
//! hand on what it says, and let it work in slices between them. So the page cannot tell the two apart.
//!
//! - [`contract`]: the messages;
//! - [`board`]: positions and moves of any game, for a board that somebody plays on;
//! - [`search`]: a search in slices, on a table that stays; [`inspect`]: is a tsume-shogi sound?
//! - [`shelf`]: sets of problems;
//! - [`reading`]: a certificate that is checked or opened, in slices; [`proof`]: one that is open, to be
//!   played against;
//! - [`session`]: who is asked what.
//!
//! ```
//! use std::time::Duration;
//! use yomikiri_session::{Ceilings, Place, Running, Session};
//!
//! let mut session = Session::new(Place::Browser, Ceilings::default());
//! let mut said = Vec::new();
//! let ask = r#"{"type":"solve","id":1,"text":"8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1","hash":1}"#;
//! session.receive(ask, &mut |reply| said.push(reply.to_json()));
//! while session.step(Duration::from_millis(50), &mut |reply| said.push(reply.to_json())) {}
//! assert!(said.last().is_some_and(|last| last.contains(r#""verdict":"proven""#)));
//! ```

pub mod board;
mod bounded;
pub mod contract;
pub mod inspect;
pub mod proof;
pub mod reading;
pub mod search;
pub mod session;
pub mod shelf;

pub use contract::{Reply, Request};
pub use session::{Ceilings, Place, Running, Session};
