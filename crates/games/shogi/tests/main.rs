//! All integration tests of this crate, in one program: linking is most of what building them costs.

mod brute;
mod cook;
mod differential;
mod laws;
mod mate;
mod no_mate;
mod notation;
#[path = "support/oracles.rs"]
mod oracles;
mod own;
mod sfen;
mod stock;
mod support;
mod teams;
