//! All integration tests of this crate, in one program: linking is most of what building them costs.

mod bench_usi;
mod broken;
mod cli;
mod cluster;
mod compliance;
mod faults;
mod hosts;
mod lab;
mod match_play;
mod outputs;
#[path = "support/cluster.rs"]
mod processes;
mod records;
mod shogi;
mod support;
mod usi;
