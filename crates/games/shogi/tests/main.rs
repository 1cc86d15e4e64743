//! All integration tests of this crate, in one program: linking is most of what building them costs.

mod differential;
mod laws;
mod notation;
#[path = "support/oracles.rs"]
mod oracles;
mod picture;
mod sfen;
mod sliders;
mod support;
