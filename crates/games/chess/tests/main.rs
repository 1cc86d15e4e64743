//! All integration tests of this crate, in one program: linking is most of what building them costs.

mod audit;
mod mates;
mod notation;
mod pgn;
mod rules;
mod shortest;
