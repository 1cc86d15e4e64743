//! `isready`, asked by the interface and not answered yet.
//!
//! `readyok` says that what was told before is done, so it waits for every worker's own, and says
//! once a second for what. Whoever dies or hangs is not waited for; it joins when it can.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;
use yomikiri_engine::protocol::Command;

use crate::pool::Pool;

/// How often it says what it waits for.
const REMARK: Duration = Duration::from_secs(1);

/// A question that waits for its answer, and all that came after it.
pub struct Readiness {
    said: Instant,
    /// What the interface has said since: it is heard after the answer.
    pub commands: VecDeque<Command>,
}

/// How it stands.
pub enum Standing {
    /// It waits. To be said, now and then.
    Waits(Option<String>),
    /// It is ready. To be said before.
    Ready(Option<String>),
}

impl Readiness {
    /// Asks the workers.
    pub fn ask(pool: &mut Pool) -> Readiness {
        pool.ask_ready();
        Readiness { said: Instant::now(), commands: VecDeque::new() }
    }

    /// Are they ready?
    pub fn look(&mut self, pool: &Pool) -> Standing {
        let awaited = pool.awaited();
        if let Some(first) = awaited.first() {
            if self.said.elapsed() < REMARK {
                return Standing::Waits(None);
            }
            self.said = Instant::now();
            let more = match awaited.len() {
                1 => String::new(),
                n => format!(", and {} more", n - 1),
            };
            return Standing::Waits(Some(format!("waiting for {first}{more}")));
        }
        let remark = match pool.census() {
            (0, _) => format!("{}; until one comes the master plays by itself", pool.absence()),
            (ready, all) if ready < all => {
                format!("{ready} of {all} workers are ready; the others join later")
            }
            _ => return Standing::Ready(None),
        };
        Standing::Ready(Some(remark))
    }
}
