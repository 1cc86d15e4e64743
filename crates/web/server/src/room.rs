//! Who works, who waits, and who has to give something back.
//!
//! A visitor has a *seat*. Work (a search, or any task that takes more than a moment) needs a *slot*, of
//! which there are few, and *memory*, of which there is an amount for all. Who wants to work stands in one
//! line, first come, first served. These rules make it fair and finite:
//!
//! - A visitor does one thing at a time, so a slot each at most.
//! - Who has worked for a *turn* while others wait goes to the end of the line, and keeps its table.
//! - A task that takes little memory, that of a *moment*, waits for a slot alone. What takes next to no time
//!   either needs no slot: it passes a gate, which lets as many through at a time as there are slots.
//! - The table of who neither works nor waits (an answered or a resting search) is its own until another
//!   needs the memory: then the one that rested longest gives it up. Answers that a visitor does not read
//!   are memory too: after a short *grace* they are given up like a table, by sending the visitor away.
//!   (Who reads, if slowly, is not sent away.)
//! - Who needs more memory than there is waits for it. Meanwhile those behind that have their memory pass,
//!   and no others. If nobody works because all in the line have something and want more, those who came
//!   later give up what they have.
//! - A long message needs room in the *mail* before it is received, until it is answered. If there is none,
//!   those who have some, and neither send nor read, are sent away after a grace.
//! - Open certificates are *shelved*: there is an amount for all of them, and who finds it full is refused.
//!
//! Nothing here knows of sockets, or what messages say.

use std::collections::{HashMap, VecDeque};
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use andor::Stop;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::sleep;

/// How much there is of everything.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Seats.
    pub visitors: usize,
    /// Slots.
    pub slots: usize,
    /// Bytes for all tables, tasks and unread answers.
    pub memory: usize,
    /// A task that takes no more bytes needs a slot, and no memory.
    pub moment: usize,
    /// Bytes for all that is shelved.
    pub shelf: usize,
    /// Bytes for the long messages of all.
    pub mail: usize,
    /// How long a turn is.
    pub turn: Duration,
    /// How long a visitor may not read or send while others need the memory.
    pub grace: Duration,
    /// Messages, and bytes of them, that wait for one visitor's engine; long ones are not counted.
    pub inbox: (usize, usize),
}

/// The room.
pub struct Room {
    size: Size,
    state: Mutex<State>,
    mail: Arc<Semaphore>,
    /// How many may pass the gate, and who waits there.
    gate: (Mutex<usize>, Condvar),
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
    inbox: VecDeque<(String, Option<Postage>)>,
    inbox_bytes: usize,
    /// The room of the message that the engine took last.
    taken: Option<Postage>,
    /// A long message is being received.
    receives: Option<Flow>,
    /// Raised when the visitor leaves; and that of its search.
    stop: Stop,
    search: Option<(u64, Stop)>,
    is_gone: bool,
    /// Rings when the visitor is sent away.
    expelled: Arc<Notify>,
    /// It has a slot, and works since then.
    has_slot: bool,
    turn: Option<Instant>,
    /// Bytes that it has, and that it wants to work with.
    held: usize,
    wanted: usize,
    /// Bytes that it has shelved.
    shelved: usize,
    /// Since when it neither works nor waits in the line.
    rests: Instant,
    /// It does so because the visitor has something to read.
    unread: Option<Flow>,
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
        /// Bytes that it takes in all.
        bytes: usize,
        /// Ends it.
        stop: Stop,
    },
    /// To do, before anything else, what was asked last.
    Task {
        /// Bytes that it takes with all that the visitor has.
        bytes: usize,
    },
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
    /// It has to give up what it has.
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
    /// Bytes that they have.
    pub memory: usize,
    /// Bytes that they have shelved.
    pub shelf: usize,
}

/// A message was refused: too many wait already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// A visitor's seat. It is free again when this is dropped, and so is all that the visitor had.
pub struct Seat {
    bell: Arc<Condvar>,
    door: Door,
}

/// Somebody does what takes a moment, until this is dropped.
pub struct Passage(Arc<Room>);

/// Bytes that have come through a door, in one direction.
#[derive(Clone, Default)]
pub struct Meter(Arc<AtomicUsize>);

/// What has come through a door since it was looked at last.
struct Flow {
    since: Instant,
    before: usize,
    meter: Meter,
}

/// A line that carries less is no reason to wait.
pub const BYTES_A_SECOND: usize = 50_000;

/// A visitor as the network sees it.
#[derive(Clone)]
pub struct Door {
    room: Arc<Room>,
    id: u64,
    /// What the visitor has sent.
    pub received: Meter,
    /// What it has read.
    pub sent: Meter,
    expelled: Arc<Notify>,
    /// A visitor's long messages come in one by one.
    long: Arc<Semaphore>,
}

/// Room for a long message, until this is dropped.
pub struct Postage {
    room: OwnedSemaphorePermit,
    /// Then the visitor's next long message may come in.
    _turn: OwnedSemaphorePermit,
}

/// What mail is counted in: a semaphore gives no more than 2³² at a time.
const KIB: usize = 1 << 10;

impl Room {
    /// An empty room.
    pub fn new(size: Size) -> Arc<Room> {
        let mail = Arc::new(Semaphore::new(size.mail / KIB));
        let gate = (Mutex::new(size.slots.max(1)), Condvar::new());
        Arc::new(Room { size, state: Mutex::default(), mail, gate })
    }

    /// A seat, if there is one.
    pub fn sit(self: &Arc<Room>) -> Option<Seat> {
        let mut state = self.lock();
        if !state.has_seat(&self.size) {
            return None;
        }
        state.latest += 1;
        let id = state.latest;
        let (bell, expelled) = (Arc::new(Condvar::new()), Arc::new(Notify::new()));
        let desk = Desk {
            bell: bell.clone(),
            inbox: VecDeque::new(),
            inbox_bytes: 0,
            taken: None,
            receives: None,
            stop: Stop::new(),
            search: None,
            is_gone: false,
            expelled: expelled.clone(),
            has_slot: false,
            turn: None,
            held: 0,
            wanted: 0,
            shelved: 0,
            rests: Instant::now(),
            unread: None,
            is_called: false,
            told: None,
        };
        state.desks.insert(id, desk);
        let (received, sent) = (Meter::default(), Meter::default());
        let long = Arc::new(Semaphore::new(1));
        Some(Seat { bell, door: Door { room: self.clone(), id, received, sent, expelled, long } })
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
    /// Hands a message in; a long one with the room that was made for it.
    pub fn post(&self, message: String, postage: Option<Postage>) -> Result<(), Full> {
        let (most, most_bytes) = self.room.size.inbox;
        let mut state = self.room.lock();
        let Some(desk) = state.desks.get_mut(&self.id) else { return Ok(()) };
        let bytes = if postage.is_some() { 0 } else { message.len() };
        let is_full = desk.inbox.len() >= most || desk.inbox_bytes + bytes > most_bytes;
        // One message is always taken: its size is limited elsewhere.
        if !desk.inbox.is_empty() && is_full {
            return Err(Full);
        }
        desk.inbox_bytes += bytes;
        desk.inbox.push_back((message, postage));
        desk.receives = None;
        desk.bell.notify_one();
        Ok(())
    }

    /// Waits until there is room for a message of so many bytes, and the one before it is taken. Calls
    /// `waits` now and then meanwhile.
    pub async fn make_room(&self, bytes: usize, waits: impl Fn()) -> Option<Postage> {
        let Size { mail, grace, .. } = self.room.size;
        let count = u32::try_from(bytes.min(mail) / KIB).unwrap_or(u32::MAX);
        let mut postage = pin!(async {
            let turn = self.long.clone().acquire_owned().await.ok()?;
            let room = self.room.mail.clone().acquire_many_owned(count).await.ok()?;
            Some(Postage { room, _turn: turn })
        });
        loop {
            tokio::select! {
                postage = &mut postage => {
                    if let Some(desk) = self.room.lock().desks.get_mut(&self.id) {
                        desk.receives = Some(self.received.flow());
                    }
                    return postage;
                }
                () = sleep(grace / 4) => {
                    waits();
                    self.room.lock().hurry(grace);
                }
            }
        }
    }

    /// Waits until the visitor is sent away, because others need what it keeps from them.
    pub async fn expelled(&self) {
        self.expelled.notified().await;
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

impl Meter {
    /// So many bytes have come through.
    pub fn add(&self, bytes: usize) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }

    fn flow(&self) -> Flow {
        let before = self.0.load(Ordering::Relaxed);
        Flow { since: Instant::now(), before, meter: self.clone() }
    }
}

impl Flow {
    /// Has little come for a grace? (After a grace in which more has come, another begins.)
    fn is_slow(&mut self, grace: Duration) -> bool {
        let time = self.since.elapsed();
        if time < grace {
            return false;
        }
        let bytes = self.meter.0.load(Ordering::Relaxed);
        let enough = BYTES_A_SECOND as f64 * time.as_secs_f64();
        let is_slow = ((bytes - self.before) as f64) < enough;
        if !is_slow {
            (self.since, self.before) = (Instant::now(), bytes);
        }
        is_slow
    }
}

impl Postage {
    /// The message has no more bytes than this.
    pub fn shrink(&mut self, bytes: usize) {
        let more = self.room.num_permits().saturating_sub(bytes.div_ceil(KIB));
        drop(self.room.split(more));
    }
}

impl Seat {
    /// For whoever hands messages in.
    pub fn door(&self) -> Door {
        self.door.clone()
    }

    /// Has this flag raised when the visitor leaves, or now, if it has left.
    pub fn on_leave(&self, stop: Stop) {
        if let Some(desk) = self.lock().desks.get_mut(&self.door.id) {
            desk.stop = stop;
            if desk.is_gone {
                desk.stop.raise();
            }
        }
    }

    /// Waits for what comes next. Messages come first, but not where a task is wanted.
    pub fn next(&self, want: Want) -> Next {
        let Door { room, id, .. } = &self.door;
        let mut state = room.lock();
        state.want(*id, &want, &room.size);
        let is_task = matches!(want, Want::Task { .. });
        loop {
            let place = state.place(*id);
            let Some(desk) = state.desks.get_mut(id) else { return Next::Gone };
            if desk.is_gone {
                return Next::Gone;
            }
            if !is_task && let Some((message, postage)) = desk.inbox.pop_front() {
                desk.inbox_bytes -= if postage.is_some() { 0 } else { message.len() };
                desk.taken = postage;
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
            if desk.is_called {
                return Next::Forget;
            }
            if let Some(place) = place
                && desk.told != Some(place)
            {
                desk.told = Some(place);
                return Next::Place(place);
            }
            // Who waits for memory looks now and then whose grace is over.
            let (next, timer) = self
                .bell
                .wait_timeout(state, room.size.grace)
                .unwrap_or_else(PoisonError::into_inner);
            state = next;
            if timer.timed_out() && place.is_some() {
                state.admit(&room.size);
            }
        }
    }

    /// Waits until few others do what takes a moment, to do the same.
    pub fn pass(&self) -> Passage {
        let room = self.door.room.clone();
        let free = room.gate.0.lock().unwrap_or_else(PoisonError::into_inner);
        let free = room.gate.1.wait_while(free, |free| *free == 0);
        *free.unwrap_or_else(PoisonError::into_inner) -= 1;
        Passage(room)
    }

    /// It has so many bytes now, and no more.
    pub fn keep(&self, bytes: usize) {
        let mut state = self.lock();
        if let Some(desk) = state.desks.get_mut(&self.door.id) {
            desk.held = bytes;
            desk.is_called = false;
        }
        state.admit(&self.door.room.size);
    }

    /// It has so many bytes now, and does nothing until the visitor has read some of them. Then it asks
    /// what comes [next](Seat::next).
    pub fn wait_for_reader(&self, bytes: usize) {
        let mut state = self.lock();
        if let Some(desk) = state.desks.get_mut(&self.door.id) {
            desk.held = bytes;
            desk.unread = Some(self.door.sent.flow());
            desk.taken = None;
        }
        state.rest(self.door.id);
        state.admit(&self.door.room.size);
    }

    /// How much there is of everything.
    pub fn size(&self) -> &Size {
        &self.door.room.size
    }

    /// Shelves so many bytes in all, if there is room for them.
    pub fn shelve(&self, bytes: usize) -> Result<(), Full> {
        let mut state = self.lock();
        let all = state.shelved();
        let Some(desk) = state.desks.get_mut(&self.door.id) else { return Ok(()) };
        if bytes > desk.shelved && all - desk.shelved + bytes > self.door.room.size.shelf {
            return Err(Full);
        }
        desk.shelved = bytes;
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.door.room.lock()
    }
}

impl Drop for Passage {
    fn drop(&mut self) {
        let (free, bell) = &self.0.gate;
        *free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        bell.notify_one();
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut state = self.lock();
        state.line.retain(|&id| id != self.door.id);
        state.desks.remove(&self.door.id);
        state.admit(&self.door.room.size);
    }
}

impl Desk {
    fn leave(&mut self) {
        self.is_gone = true;
        self.stop.raise();
        self.search.iter().for_each(|(_, stop)| stop.raise());
        self.bell.notify_one();
    }

    /// Others need what it keeps from them.
    fn expel(&mut self) {
        self.leave();
        self.expelled.notify_one();
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
        desk.unread = None;
        let wanted = match want {
            Want::Message => {
                desk.taken = None;
                desk.search = None;
                self.rest(id);
                return self.admit(size);
            }
            Want::Search { id, bytes, stop } => {
                desk.taken = None;
                desk.is_called = false;
                if desk.is_gone {
                    stop.raise();
                }
                desk.search = Some((*id, stop.clone()));
                let is_over = desk.turn.is_some_and(|since| since.elapsed() >= size.turn);
                desk.has_slot &= !(is_over && others_wait);
                *bytes
            }
            Want::Task { bytes } if desk.held > 0 && *bytes > size.memory => {
                // What does not fit beside what it has takes its place.
                desk.is_called = true;
                self.rest(id);
                return self.admit(size);
            }
            Want::Task { bytes } => {
                desk.is_called = false;
                *bytes
            }
        };
        desk.wanted = wanted.min(size.memory);
        desk.has_slot &= desk.wanted <= desk.held;
        if !desk.has_slot && !is_in_line {
            self.line.push_back(id);
        }
        self.admit(size);
    }

    /// A visitor neither works nor waits in the line.
    fn rest(&mut self, id: u64) {
        let is_in_line = self.line.contains(&id);
        self.line.retain(|&other| other != id);
        let Some(desk) = self.desks.get_mut(&id) else { return };
        if std::mem::take(&mut desk.has_slot) || is_in_line || desk.unread.is_some() {
            desk.rests = Instant::now();
        }
        desk.told = None;
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
                missing = Some((id, more - room));
            }
            self.line.push_back(id);
            if desk.told != Some(self.line.len()) {
                desk.bell.notify_one();
            }
        }
        if let Some((id, bytes)) = missing {
            self.call(id, bytes, size);
        }
    }

    /// Has others give up as many bytes, for somebody in the line: those who rested longest; and if nobody
    /// is at work who might be done some time, then those in the line who want more than they have.
    fn call(&mut self, by: u64, missing: usize, size: &Size) {
        let is_stuck = self.working() == 0;
        let mut others: Vec<_> = self
            .desks
            .iter_mut()
            .filter(|(id, desk)| **id != by && desk.held > 0 && !desk.has_slot)
            .filter_map(|(id, desk)| {
                let place = self.line.iter().position(|other| other == id);
                let may_be_called = match place {
                    None => desk.unread.as_mut().is_none_or(|flow| flow.is_slow(size.grace)),
                    Some(_) => is_stuck && desk.wanted > desk.held,
                };
                // The last in the line come first.
                let order = place.map_or(0, |place| usize::MAX - place);
                may_be_called.then_some((order, desk))
            })
            .collect();
        others.sort_by_key(|(order, desk)| (*order, desk.rests));
        let mut called = 0;
        for (_, desk) in others {
            if called >= missing {
                break;
            }
            called += desk.held;
            if desk.unread.is_some() {
                desk.expel();
            } else {
                desk.is_called = true;
                desk.bell.notify_one();
            }
        }
    }

    /// Sends away all who keep others from the room for mail: who send slowly, or have sent more and do not
    /// read.
    fn hurry(&mut self, grace: Duration) {
        for desk in self.desks.values_mut().filter(|desk| !desk.is_gone) {
            let has_mail = desk.inbox.iter().any(|(_, postage)| postage.is_some());
            let flow = desk.receives.as_mut().or(desk.unread.as_mut().filter(|_| has_mail));
            if flow.is_some_and(|flow| flow.is_slow(grace)) {
                desk.expel();
            }
        }
    }
}
