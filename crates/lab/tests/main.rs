//! All integration tests of this crate, in one program: linking is most of what building them costs.

mod deep;
mod pgpp;
mod problems;
mod ranks;
