//! An engine's life: it is started, spoken with, and started again when it was lost.

use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

use super::actor::Actor;
use super::event::{End, Event};
use super::session::Session;
use crate::protocol::Command;
use crate::transport::Incoming;

/// An engine that has lived so long since it was ready is not failing in a row.
const HEALTHY: Duration = Duration::from_secs(10);

/// An engine that is told to quit has so long before it is killed.
const QUIT: Duration = Duration::from_millis(500);

impl Actor {
    pub async fn run(mut self) {
        let mut restarts = 0;
        loop {
            let (reason, is_broken) = match self.live(restarts).await {
                End::Quit => return,
                End::Lost(reason) => (reason, false),
                End::Broken(reason) => (reason, true),
            };
            restarts += 1;
            self.failures = self.complaints.max(self.failures + 1);
            if is_broken || self.failures >= self.settings.max_failures {
                let _ = self.tell(Event::Failed { reason }).await;
                return;
            }
            let doublings = (self.failures - 1).min(16);
            let pause = self.settings.first_pause.saturating_mul(1 << doublings);
            let pause = pause.min(self.settings.longest_pause);
            if self.tell(Event::Lost { reason }).await.is_err()
                || self.meanwhile(sleep(pause)).await.is_err()
            {
                return;
            }
        }
    }

    /// From the start to the end of one process or connection.
    async fn live(&mut self, restarts: u32) -> End {
        let mut link = match self.start(restarts).await {
            Ok(link) => link,
            Err(end) => return end,
        };
        let since = Instant::now();
        let end = Session::new(&mut link.0, link.1).run(self).await;
        if since.elapsed() >= HEALTHY {
            self.succeeded();
        }
        if matches!(end, End::Quit) && link.0.send(Command::Quit.to_line(self.dialect())).is_ok() {
            let _ = timeout(QUIT, async {
                while !matches!(link.0.receive().await, Incoming::Closed(_)) {}
            })
            .await;
        }
        end
    }
}
