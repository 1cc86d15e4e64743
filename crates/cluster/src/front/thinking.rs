//! A search that is under way.

use std::collections::BTreeSet;
use std::time::Duration;

use tokio::time::Instant;
use yomikiri_engine::protocol::{Go, PositionText};

use crate::master::WorkerId;

/// A search without a limit of time is answered by then, if it has no other limit either or there
/// is no worker.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// A search that is to be answered.
pub(super) struct Thinking {
    pub(super) go: Go,
    pub(super) position: PositionText,
    pub(super) start: Instant,
    pub(super) deadline: Option<Instant>,
    /// The deadline as long as nobody has said anything.
    pub(super) latest: Option<Instant>,
    pub(super) nodes_before: u64,
    /// `ponderhit` has not come yet.
    pub(super) pondering: bool,
    /// The workers were told to stop: whose last words have not come yet, and until when they are
    /// waited for.
    pub(super) last_words: Option<(Instant, BTreeSet<WorkerId>)>,
}
