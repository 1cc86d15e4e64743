//! All integration tests of this crate, in one program: linking is most of what building them costs.

mod front;
mod growth;
mod match_play;
mod pipeline;
mod virtual_time;
