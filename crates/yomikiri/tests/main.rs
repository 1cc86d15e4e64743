//! All integration tests of this crate, in one program: linking is most of what building them costs.

mod batch;
mod bench_usi;
mod broken;
mod cli;
#[cfg(feature = "cluster")]
mod cluster;
mod colour;
mod compliance;
mod desk;
mod epd;
#[cfg(feature = "cluster")]
mod faults;
mod features;
#[cfg(feature = "cluster")]
mod hosts;
mod json;
#[cfg(feature = "lab")]
mod lab;
mod lang;
#[cfg(feature = "cluster")]
mod match_play;
mod outputs;
mod pictures;
#[cfg(feature = "cluster")]
#[path = "support/cluster.rs"]
mod processes;
mod records;
#[cfg(all(unix, feature = "serve"))]
mod serve;
mod shell;
mod shogi;
mod support;
#[cfg(target_os = "linux")]
mod terminal;
mod usi;
