//! What a worker lends.

use std::time::Duration;

use crate::protocol::Dialect;
use crate::transport::Transport;

/// What a worker lends.
pub struct WorkerSettings {
    /// Masters of this group may have it.
    pub group: String,
    /// The worker's name, the machine's perhaps. Need not be unlike others.
    pub name: String,
    /// The engine. Every lease opens it anew.
    pub transport: Box<dyn Transport>,
    /// What the engine speaks.
    pub dialect: Dialect,
    /// How many at a time.
    pub slots: usize,
    /// Options of the engine that are set here: texts and paths can be set nowhere else.
    pub options: Vec<(String, Option<String>)>,
    /// The engine may take so long to start, and as long to set its options.
    pub patience: Duration,
}
