//! Who works, who waits, and who has to give something back.
//!
//! A visitor has a *seat*. Work (a search, or the writing, checking or opening of a certificate) needs a
//! *slot*, of which there are few, and *memory*, of which there is an amount for all. Who wants to work
//! stands in one line, first come, first served. These rules make it fair and finite:
//!
//! - A visitor does one thing at a time, so a slot each at most.
//! - Who has worked for a *turn* while others wait goes to the end of the line, and keeps its table.
//! - The table of who neither works nor waits (an answered or a resting search) is its own until another
//!   needs the memory: then the one that rested longest gives it up.
//! - Who needs more memory than there is waits for it. Meanwhile those behind that have their table pass,
//!   and no others. So nobody who has something waits for what somebody else has, and somebody works.
//! - Open certificates are *shelved*: there is an amount for all of them, and who finds it full is refused.
//!
//! Nothing here knows of sockets, or what messages say.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use andor::Stop;

/// How much there is of everything.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Seats.
    pub visitors: usize,
    /// Slots.
    pub slots: usize,
    /// Bytes for all tables.
    pub memory: usize,
    /// Bytes for all that is shelved.
    pub shelf: usize,
    /// How long a turn is.
    pub turn: Duration,
    /// Messages, and bytes of them, that wait for one visitor's engine.
    pub inbox: (usize, usize),
}

/// The room.
pub struct Room {
    size: Size,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    desks: HashMap<u64, Desk>,
    line: VecDeque<u64>,
    latest: u64,
    is_closed: bool,
}

/// What is known of a visitor.
struct Desk {
    bell: Arc<Condvar>,
    inbox: VecDeque<String>,
    inbox_bytes: usize,
    /// Raised when the visitor leaves; and that of its search.
    stop: Stop,
    search: Option<(u64, Stop)>,
    is_gone: bool,
    /// It has a slot, and works since then.
    has_slot: bool,
    turn: Option<Instant>,
    /// Bytes that its table has, and that it wants to work with.
    held: usize,
    wanted: usize,
    /// Bytes that it has shelved.
    shelved: usize,
    /// Since when it neither works nor waits.
    rests: Instant,
    /// It has to give its memory up.
    is_called: bool,
    /// The place in the line that it was told last.
    told: Option<usize>,
}

/// What a visitor's engine wants next.
#[derive(Clone, Debug)]
pub enum Want {
    /// To hear the next message; there is nothing to do.
    Message,
    /// To search.
    Search {
        /// The search's number.
        id: u64,
        /// Bytes of its table.
        bytes: usize,
        /// Ends it.
        stop: Stop,
    },
    /// To do, before anything else, what was asked last.
    Task,
}

/// What it gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// A message.
    Message(String),
    /// It may work, for a slice.
    Work,
    /// It has this place in the line; 1 is next.
    Place(usize),
    /// It has to give up its table.
    Forget,
    /// The visitor has left.
    Gone,
}

/// How many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Census {
    /// Visitors.
    pub visitors: usize,
    /// Those at work.
    pub working: usize,
    /// Those in the line.
    pub waiting: usize,
    /// Bytes of their tables.
    pub memory: usize,
    /// Bytes that they have shelved.
    pub shelf: usize,
}

/// A message was refused: too many wait already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// A visitor's seat. It is free again when this is dropped, and so is all that the visitor had.
pub struct Seat {
    room: Arc<Room>,
    id: u64,
    bell: Arc<Condvar>,
}

/// A visitor as the network sees it.
#[derive(Clone)]
pub struct Door {
    room: Arc<Room>,
    id: u64,
}

impl Room {
    /// An empty room.
    pub fn new(size: Size) -> Arc<Room> {
        Arc::new(Room { size, state: Mutex::default() })
    }

    /// A seat, if there is one.
    pub fn sit(self: &Arc<Room>) -> Option<Seat> {
        let mut state = self.lock();
        if !state.has_seat(&self.size) {
            return None;
        }
        state.latest += 1;
        let id = state.latest;
        let bell = Arc::new(Condvar::new());
        let desk = Desk {
            bell: bell.clone(),
            inbox: VecDeque::new(),
            inbox_bytes: 0,
            stop: Stop::new(),
            search: None,
            is_gone: false,
            has_slot: false,
            turn: None,
            held: 0,
            wanted: 0,
            shelved: 0,
            rests: Instant::now(),
            is_called: false,
            told: None,
        };
        state.desks.insert(id, desk);
        Some(Seat { room: self.clone(), id, bell })
    }

    /// Is there a seat?
    pub fn has_seat(&self) -> bool {
        self.lock().has_seat(&self.size)
    }

    /// How many there are.
    pub fn census(&self) -> Census {
        let state = self.lock();
        Census {
            visitors: state.desks.len(),
            working: state.working(),
            waiting: state.line.len(),
            memory: state.held(),
            shelf: state.shelved(),
        }
    }

    /// All visitors have to leave, and no others come.
    pub fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        state.desks.values_mut().for_each(Desk::leave);
    }

    /// A thread that has panicked leaves nothing half done: every change is made in one go.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Door {
    /// Hands a message in.
    pub fn post(&self, message: String) -> Result<(), Full> {
        let (most, most_bytes) = self.room.size.inbox;
        let mut state = self.room.lock();
        let Some(desk) = state.desks.get_mut(&self.id) else { return Ok(()) };
        let bytes = desk.inbox_bytes + message.len();
        // One message is always taken: its size is limited elsewhere.
        if !desk.inbox.is_empty() && (desk.inbox.len() >= most || bytes > most_bytes) {
            return Err(Full);
        }
        desk.inbox.push_back(message);
        desk.inbox_bytes = bytes;
        desk.bell.notify_one();
        Ok(())
    }

    /// Stops this search at once, also in the middle of a slice. Is it the one that works or waits?
    pub fn stop(&self, id: u64) -> bool {
        let state = self.room.lock();
        let Some(desk) = state.desks.get(&self.id) else { return false };
        let Some((_, stop)) = desk.search.as_ref().filter(|(running, _)| *running == id) else {
            return false;
        };
        stop.raise();
        desk.bell.notify_one();
        true
    }

    /// The visitor has left: what is being done for it ends at once.
    pub fn leave(&self) {
        if let Some(desk) = self.room.lock().desks.get_mut(&self.id) {
            desk.leave();
        }
    }
}

impl Seat {
    /// For whoever hands messages in.
    pub fn door(&self) -> Door {
        Door { room: self.room.clone(), id: self.id }
    }

    /// Has this flag raised when the visitor leaves, or now, if it has left.
    pub fn on_leave(&self, stop: Stop) {
        if let Some(desk) = self.room.lock().desks.get_mut(&self.id) {
            desk.stop = stop;
            if desk.is_gone {
                desk.stop.raise();
            }
        }
    }

    /// Waits for what comes next. Messages come first, but not where a task is wanted.
    pub fn next(&self, want: Want) -> Next {
        let mut state = self.room.lock();
        state.want(self.id, &want, &self.room.size);
        loop {
            let place = state.place(self.id);
            let Some(desk) = state.desks.get_mut(&self.id) else { return Next::Gone };
            if desk.is_gone {
                return Next::Gone;
            }
            if !matches!(want, Want::Task)
                && let Some(message) = desk.inbox.pop_front()
            {
                desk.inbox_bytes -= message.len();
                return Next::Message(message);
            }
            if matches!(&want, Want::Search { stop, .. } if stop.is_raised()) {
                // To end takes no time, and no slot.
                return Next::Work;
            }
            if desk.has_slot {
                desk.turn.get_or_insert_with(Instant::now);
                desk.told = None;
                return Next::Work;
            }
            match place {
                Some(place) if desk.told != Some(place) => {
                    desk.told = Some(place);
                    return Next::Place(place);
                }
                None if desk.is_called => return Next::Forget,
                _ => {}
            }
            state = self.bell.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Its table is gone.
    pub fn release(&self) {
        let mut state = self.room.lock();
        if let Some(desk) = state.desks.get_mut(&self.id) {
            desk.held = 0;
            desk.is_called = false;
        }
        state.admit(&self.room.size);
    }

    /// Shelves so many bytes in all, if there is room for them.
    pub fn shelve(&self, bytes: usize) -> Result<(), Full> {
        let mut state = self.room.lock();
        let all = state.shelved();
        let Some(desk) = state.desks.get_mut(&self.id) else { return Ok(()) };
        if bytes > desk.shelved && all - desk.shelved + bytes > self.room.size.shelf {
            return Err(Full);
        }
        desk.shelved = bytes;
        Ok(())
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut state = self.room.lock();
        state.line.retain(|&id| id != self.id);
        state.desks.remove(&self.id);
        state.admit(&self.room.size);
    }
}

impl Desk {
    fn leave(&mut self) {
        self.is_gone = true;
        self.stop.raise();
        self.search.iter().for_each(|(_, stop)| stop.raise());
        self.bell.notify_one();
    }
}

impl State {
    fn has_seat(&self, size: &Size) -> bool {
        !self.is_closed && self.desks.len() < size.visitors
    }

    fn working(&self) -> usize {
        self.desks.values().filter(|desk| desk.has_slot).count()
    }

    fn held(&self) -> usize {
        self.desks.values().map(|desk| desk.held).sum()
    }

    fn shelved(&self) -> usize {
        self.desks.values().map(|desk| desk.shelved).sum()
    }

    fn place(&self, id: u64) -> Option<usize> {
        self.line.iter().position(|&other| other == id).map(|place| place + 1)
    }

    /// Notes what a visitor wants: it leaves its slot or the line, stands in line, or ends its turn.
    fn want(&mut self, id: u64, want: &Want, size: &Size) {
        let is_in_line = self.line.contains(&id);
        let others_wait = !self.line.is_empty();
        let Some(desk) = self.desks.get_mut(&id) else { return };
        if let Want::Message = want {
            if std::mem::take(&mut desk.has_slot) || is_in_line {
                desk.rests = Instant::now();
            }
            desk.told = None;
            desk.search = None;
            self.line.retain(|&other| other != id);
            return self.admit(size);
        }
        desk.is_called = false;
        if let Want::Search { id, bytes, stop } = want {
            if desk.is_gone {
                stop.raise();
            }
            desk.search = Some((*id, stop.clone()));
            desk.wanted = (*bytes).min(size.memory);
            let is_over = desk.turn.is_some_and(|since| since.elapsed() >= size.turn);
            if is_over && others_wait || desk.wanted > desk.held {
                desk.has_slot = false;
            }
        } else {
            desk.wanted = desk.held;
        }
        if !desk.has_slot && !is_in_line {
            self.line.push_back(id);
        }
        self.admit(size);
    }

    /// Gives free slots to those in line, and rings for all to whom something has changed.
    fn admit(&mut self, size: &Size) {
        let mut free = size.slots.saturating_sub(self.working());
        let mut room = size.memory.saturating_sub(self.held());
        let mut missing = None;
        for id in std::mem::take(&mut self.line) {
            let Some(desk) = self.desks.get_mut(&id) else { continue };
            let more = desk.wanted.saturating_sub(desk.held);
            if free > 0 && (more == 0 || missing.is_none() && more <= room) {
                free -= 1;
                room -= more;
                desk.held += more;
                desk.has_slot = true;
                desk.turn = None;
                desk.bell.notify_one();
                continue;
            }
            if free > 0 && missing.is_none() {
                missing = Some(more - room);
            }
            self.line.push_back(id);
            if desk.told != Some(self.line.len()) {
                desk.bell.notify_one();
            }
        }
        if let Some(missing) = missing {
            self.call(missing);
        }
    }

    /// Has those who rested longest give up as many bytes.
    fn call(&mut self, missing: usize) {
        let line = &self.line;
        let resting = self
            .desks
            .iter_mut()
            .filter(|(id, desk)| desk.held > 0 && !desk.has_slot && !line.contains(id));
        let mut resting: Vec<&mut Desk> = resting.map(|(_, desk)| desk).collect();
        resting.sort_by_key(|desk| desk.rests);
        let mut called = 0;
        for desk in resting {
            if called >= missing {
                break;
            }
            called += desk.held;
            desk.is_called = true;
            desk.bell.notify_one();
        }
    }
}
