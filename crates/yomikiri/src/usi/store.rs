//! The table of a session.
//!
//! To make it, to empty it and to search in it can each take long, so each runs in a thread of its
//! own that begins when the one before has ended. So they come in the order in which they were
//! asked for, whatever the dialogue does meanwhile, and memory is measured when the table before
//! has given back its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard, TryLockError};
use std::thread::{self, JoinHandle};

use andor::{Stop, Table};
use anyhow::{Context, Result};
use yomikiri_tsume::Answer;

use super::info::Info;
use super::news::{Event, News};
use crate::memory;

/// A smaller table is of no use.
const LEAST: usize = 1 << 20;

/// So large a part of the free memory is left to others, and to what the engine needs beside its table.
const LEFT_FREE: usize = 10;

/// The table and what was asked for. There is none before the first `isready` or `go`.
#[derive(Default)]
struct Shelf {
    table: Option<Table>,
    /// The bytes that were asked for; there may have been fewer.
    wanted: usize,
}

/// The table, and the thread that uses it or waits for it.
pub struct Store {
    hands: Hands,
    last: Option<JoinHandle<()>>,
}

/// What a thread of the store works with.
#[derive(Clone)]
struct Hands {
    shelf: Arc<RwLock<Shelf>>,
    events: SyncSender<Event>,
    /// Raised where nobody will wait for memory any more.
    hurry: Stop,
}

impl Store {
    /// No table yet. What is to be said goes to `events`.
    pub fn new(events: SyncSender<Event>) -> Store {
        let hands = Hands { shelf: Arc::default(), events, hurry: Stop::new() };
        Store { hands, last: None }
    }

    /// Takes no more memory before it is used: what was asked for is to be answered, and then all ends.
    pub fn hurry(&self) {
        self.hands.hurry.raise();
    }

    /// Makes a table of so many bytes unless it is there, takes its memory if it is to be real, and
    /// tells that it is [ready](Event::Ready). A table that had to be smaller is tried again.
    pub fn get_ready(&mut self, bytes: usize, is_real: bool) -> Result<()> {
        self.in_turn("memory", move |hands| {
            let mut shelf = hands.shelf();
            if shelf.table.as_ref().is_none_or(|table| table.bytes() != bytes) {
                hands.make(&mut shelf, bytes);
            }
            hands.make_real(&shelf, is_real);
            drop(shelf);
            hands.tell(Event::Ready);
        })
    }

    /// Empties the table. What memory it has it keeps.
    pub fn empty(&mut self, bytes: usize) -> Result<()> {
        self.in_turn("memory", move |hands| {
            let mut shelf = hands.shelf();
            hands.fit(&mut shelf, bytes);
            if let Some(table) = &mut shelf.table
                && table.stored() > 0
            {
                table.clear();
            }
        })
    }

    /// Searches, and tells what came of the search of this number. If it breaks down the table is
    /// thrown away before anybody hears of it: what a search leaves behind in the middle of a step
    /// is not to be trusted.
    pub fn search(
        &mut self,
        bytes: usize,
        number: u64,
        search: impl FnOnce(&Table, &SyncSender<Event>) -> (Answer, Info) + Send + 'static,
    ) -> Result<()> {
        self.in_turn("search", move |hands| {
            hands.fit(&mut hands.shelf(), bytes);
            let shelf = hands.shelf.read().unwrap_or_else(PoisonError::into_inner);
            // Without a table the program is ending.
            let Some(table) = &shelf.table else { return };
            let result = catch_unwind(AssertUnwindSafe(|| search(table, &hands.events)));
            let was_real = table.is_real();
            drop(shelf);
            let news = match result {
                Ok((answer, info)) => News::Done(Box::new(answer), info),
                Err(_) => {
                    let mut shelf = hands.shelf();
                    hands.make(&mut shelf, bytes);
                    hands.make_real(&shelf, was_real);
                    News::Failed
                }
            };
            hands.tell(Event::News(number, news));
        })
    }

    /// Looks something up. None if there is no table, or if it is being made or emptied.
    pub fn look<T>(&self, look: impl FnOnce(&Table) -> T) -> Option<T> {
        let shelf = match self.hands.shelf.try_read() {
            Ok(shelf) => shelf,
            Err(TryLockError::Poisoned(error)) => error.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        shelf.table.as_ref().map(look)
    }

    /// Runs in a thread what is to be done after all that was asked for before.
    fn in_turn(&mut self, name: &str, job: impl FnOnce(&Hands) + Send + 'static) -> Result<()> {
        let before = self.last.take();
        let hands = self.hands.clone();
        let run = move || {
            // One that broke down has said so.
            before.map(JoinHandle::join);
            job(&hands);
        };
        let thread = thread::Builder::new().name(name.into()).spawn(run);
        self.last = Some(thread.context("cannot start a thread")?);
        Ok(())
    }
}

impl Hands {
    /// The shelf, for oneself.
    fn shelf(&self) -> RwLockWriteGuard<'_, Shelf> {
        self.shelf.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, event: Event) {
        // If nobody listens any more the program is ending.
        drop(self.events.send(event));
    }

    /// Makes a table where another size is wanted than before.
    fn fit(&self, shelf: &mut Shelf, bytes: usize) {
        if shelf.wanted != bytes {
            self.make(shelf, bytes);
        }
    }

    /// Takes the memory of the table if it is to be real, unless there is a hurry.
    fn make_real(&self, shelf: &Shelf, is_real: bool) {
        if let Some(table) = shelf.table.as_ref().filter(|table| is_real && !table.is_real()) {
            table.make_real_until(|| self.hurry.is_raised());
        }
    }

    /// Makes a new table, as large as there is memory for. The system hands out memory when it is
    /// used, so this takes no time.
    fn make(&self, shelf: &mut Shelf, wanted: usize) {
        // The old one goes first: its memory counts.
        *shelf = Shelf { wanted, ..Shelf::default() };
        let fitting = fitting(wanted, memory::available());
        let mut bytes = fitting;
        while shelf.table.is_none() {
            match Table::new(bytes) {
                Ok(table) => shelf.table = Some(table),
                Err(error) if bytes <= LEAST => {
                    return self.tell(Event::NoMemory(error.to_string()));
                }
                Err(_) => bytes = (bytes / 2).max(LEAST),
            }
        }
        if bytes < wanted {
            let (wanted, mib) = (wanted >> 20, bytes >> 20);
            let why = if bytes == fitting { "a tenth of what is free is left" } else { "no more" };
            let remark = format!("USI_Hash {wanted}: the table has {mib} MiB, {why}");
            self.tell(Event::Remark(remark));
        }
    }
}

/// The size of a table that was asked for: not more than a part of what is free.
fn fitting(wanted: usize, free: Option<u64>) -> usize {
    let free = free.map_or(usize::MAX, |free| usize::try_from(free).unwrap_or(usize::MAX));
    wanted.min(free - free / LEFT_FREE).max(LEAST)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, sync_channel};
    use std::time::Duration;

    use andor::{Key, Solved, Value};

    use super::*;

    const BYTES: usize = 4 << 20;

    fn next(events: &Receiver<Event>) -> Event {
        events.recv_timeout(Duration::from_secs(60)).expect("an event")
    }

    fn ready() -> (Store, Receiver<Event>) {
        let (sender, events) = sync_channel(16);
        let mut store = Store::new(sender);
        store.get_ready(BYTES, true).expect("a thread");
        assert!(matches!(next(&events), Event::Ready));
        (store, events)
    }

    fn remember(table: &Table) {
        table.store_solved(
            Key(7),
            Solved { value: Value::Proven, stock: (), plies: andor::Plies::at_most(3) },
            1,
        );
        assert_eq!(table.stored(), 1);
    }

    #[test]
    fn after_a_search_that_breaks_down_nothing_is_left_of_the_table() {
        let (mut store, events) = ready();
        let breaks_down = |table: &Table, _: &SyncSender<Event>| {
            remember(table);
            panic!("this test wants it so");
        };
        store.search(BYTES, 5, breaks_down).expect("a thread");
        assert!(matches!(next(&events), Event::News(5, News::Failed)));
        let found = store.look(|table| (table.stored(), table.bytes(), table.is_real()));
        assert_eq!(found, Some((0, BYTES, true)));
    }

    #[test]
    fn a_tenth_of_the_free_memory_is_left() {
        const MIB: usize = 1 << 20;
        let free = Some(1000 * MIB as u64);
        assert_eq!(fitting(1 << 44, free), 900 * MIB);
        assert_eq!(fitting(1000 * MIB, free), 900 * MIB);
        assert_eq!(fitting(64 * MIB, free), 64 * MIB);
        assert_eq!(fitting(64 * MIB, Some(0)), LEAST);
        assert_eq!(fitting(64 * MIB, None), 64 * MIB);
    }

    #[test]
    fn in_a_hurry_no_memory_is_waited_for() {
        let (sender, events) = sync_channel(16);
        let mut store = Store::new(sender);
        store.hurry();
        store.get_ready(BYTES, true).expect("a thread");
        assert!(matches!(next(&events), Event::Ready));
        assert_eq!(store.look(|table| (table.bytes(), table.is_real())), Some((BYTES, false)));
    }

    #[test]
    fn an_emptied_table_keeps_its_memory() {
        let (mut store, events) = ready();
        store.look(remember).expect("a table");
        store.empty(BYTES).expect("a thread");
        store.get_ready(BYTES, false).expect("a thread");
        assert!(matches!(next(&events), Event::Ready));
        assert_eq!(store.look(|table| (table.stored(), table.is_real())), Some((0, true)));
    }
}
