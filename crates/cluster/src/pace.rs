//! When the tree grows: idle workers get something to do as soon as enough is known, and nobody waits
//! long for a table.

use std::time::Duration;

use tokio::time::Instant;

use crate::master::Master;

/// How often idle workers are given something to do, as far as that is known.
const GROW: Duration = Duration::from_millis(10);
/// Table reports that have not come by then are not waited for.
const LATE: Duration = Duration::from_millis(30);

/// The times of growth.
pub struct Pace {
    /// When idle workers may be given something to do again.
    next: Instant,
    /// Since when reports are awaited.
    asked: Instant,
}

impl Pace {
    /// From now on.
    pub fn new(now: Instant) -> Pace {
        Pace { next: now, asked: now }
    }

    /// The root is another: who is idle now gets something to do at once, if no table is awaited.
    pub fn begin(&mut self, master: &mut Master) {
        let now = Instant::now();
        (self.next, self.asked) = (now, now);
        self.grow(master, now);
    }

    /// Gives idle workers something to do, if it is time for that.
    pub fn grow(&mut self, master: &mut Master, now: Instant) {
        if master.workers().1 == 0 {
            return;
        }
        if master.is_waiting() {
            if now >= self.asked + LATE {
                self.grow_now(master, now);
            }
        } else if now >= self.next {
            master.ask_for_growth();
            self.asked = now;
            if !master.is_waiting() {
                self.grow_now(master, now);
            }
        }
    }

    /// A table was reported: it may have been the last.
    pub fn reported(&mut self, master: &mut Master) {
        if !master.is_waiting() && master.workers().1 > 0 {
            self.grow_now(master, Instant::now());
        }
    }

    fn grow_now(&mut self, master: &mut Master, now: Instant) {
        master.grow();
        self.next = now + GROW;
    }
}
