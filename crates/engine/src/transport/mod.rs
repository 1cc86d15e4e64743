//! Lines out, lines in: how the words reach an engine.
//!
//! A [`Transport`] knows where an engine is and opens a [`Link`] to it, again and again if need
//! be: [`Process`] starts a child, [`Tcp`] connects to one that listens, and
//! [`crate::nats::Slot`] leases one on another machine. Dropping the link ends the engine.

mod line;
mod link;
mod process;
mod tcp;

use crate::program::split_words;

pub use line::{LineReader, MAX_LINE};
pub(crate) use link::QUEUE;
pub use link::{Incoming, Link, NotReading, OpenError, Opening, Transport};
pub use process::Process;
pub(crate) use tcp::Tasks;
pub use tcp::Tcp;

/// The transport for an address: `tcp://host:port`, or the command of a child process.
pub fn parse(address: &str) -> Result<Box<dyn Transport>, OpenError> {
    match address.trim().strip_prefix("tcp://") {
        Some(host) => Ok(Box::new(Tcp::new(host)?)),
        None => Ok(Box::new(process(address)?)),
    }
}

/// The same for one of many engines: a child process is [modest](Process::modest).
pub fn parse_modest(address: &str) -> Result<Box<dyn Transport>, OpenError> {
    match address.trim().strip_prefix("tcp://") {
        Some(_) => parse(address),
        None => Ok(Box::new(process(address)?.modest())),
    }
}

fn process(command: &str) -> Result<Process, OpenError> {
    Process::new(split_words(command).map_err(|error| OpenError(error.to_string()))?)
}

#[cfg(test)]
mod tests;
