//! A visitor's engine on a thread of its own: a [`Session`] that is asked what comes in, and works when
//! the [room](crate::room) lets it.

use std::time::Duration;

use serde::Deserialize;
use yomikiri_question::lang::text;
use yomikiri_session::contract::Words;
use yomikiri_session::{Ceilings, Reply, Request, Running, Session, reading};

use crate::outbox::Outbox;
use crate::room::{Next, Seat, Want};

/// A longer message waits for room before it is received, and for a slot before it is answered.
pub(crate) const SHORT: usize = 16 << 10;

/// Bytes that the reading of a text takes for each of its own: so much for a long record of shogi, half of
/// it for a graph.
const READ: usize = 100;
/// Bytes that a text keeps for each of its own, while it is searched.
const KEPT: usize = 50;
/// Bytes that it takes to write a certificate, for each node of the search.
const WRITTEN: usize = 100;
/// A question whose text has no more bytes takes little beside its table.
const LITTLE: usize = 4 << 10;

/// More values are in no message: each of them takes many times its own bytes before it is looked at.
const MOST_VALUES: usize = 10_000;

pub(crate) struct Visitor {
    session: Session,
    ceilings: Ceilings,
    seat: Seat,
    outbox: Outbox,
    /// How long it works before it listens.
    slice: Duration,
    /// The visitor knows that the search goes on.
    has_begun: bool,
    /// Bytes that it has been given: for a search, for a certificate that is read, for a task.
    given: usize,
    /// Bytes of the problem that is searched, or was searched last.
    problem: usize,
    /// Nodes of the last answer.
    nodes: usize,
    /// A certificate that is read, and bytes of the shelf that are kept for it.
    reads: Option<(u64, usize)>,
}

/// Nobody waits for an engine that has ended, whatever ended it.
impl Drop for Visitor {
    fn drop(&mut self) {
        self.outbox.close();
    }
}

impl Visitor {
    pub fn new(
        session: Session,
        ceilings: Ceilings,
        seat: Seat,
        outbox: Outbox,
        slice: Duration,
    ) -> Visitor {
        seat.on_leave(session.stop());
        let (has_begun, given, problem, nodes, reads) = (false, 0, 0, 0, None);
        Visitor { session, ceilings, seat, outbox, slice, has_begun, given, problem, nodes, reads }
    }

    /// Answers until the visitor leaves.
    pub fn run(mut self, hello: Request) {
        self.ask(hello, 0);
        loop {
            if let Some(bytes) = self.outbox.is_full() {
                self.seat.wait_for_reader(self.given + bytes);
                self.outbox.wait();
                self.settle();
            }
            let running = self.session.running().filter(|_| self.session.is_busy());
            let id = running.as_ref().map(|running| running.id);
            let bytes = self.takes();
            let want = match running {
                Some(Running { id, stop, .. }) => Want::Search { id, bytes, stop },
                None => Want::Message,
            };
            self.has_begun &= id.is_some();
            match (self.seat.next(want), id) {
                (Next::Message(message), _) => self.receive(message),
                (Next::Work, Some(id)) => {
                    self.given = bytes.min(self.seat.size().memory);
                    let is_search = self.reads.is_none_or(|(other, _)| other != id);
                    if is_search && !std::mem::replace(&mut self.has_begun, true) {
                        self.say(Reply::Started { id });
                    }
                    self.work();
                }
                (Next::Place(place), Some(id)) => {
                    self.has_begun = false;
                    self.say(Reply::Queued { id, place });
                }
                (Next::Forget, _) => self.forget(),
                (Next::Gone, _) => return,
                (Next::Work | Next::Place(_), None) => {}
            }
        }
    }

    /// Answers a message: at once if that takes no more than a moment, else when there is a slot and memory
    /// for it.
    fn receive(&mut self, message: String) {
        let Envelope { id, kind } = serde_json::from_str(&message).unwrap_or_default();
        let length = message.len();
        if length > SHORT && values(&message) > MOST_VALUES {
            return self.refuse(
                id,
                text!(
                    "this message has more than {MOST_VALUES} values",
                    "この電文には値が{MOST_VALUES}個より多くあります"
                ),
            );
        }
        let shelved = self.session.open_bytes() + self.set_aside(length);
        if kind == "open" && self.seat.shelve(shelved).is_err() {
            return self.refuse(
                id,
                text!(
                    "there is no room for another open certificate here: close one, or open it in your browser",
                    "ここにはこれ以上証明書を開く余裕がありません。一つ閉じるか、ブラウザの中で開いてください"
                ),
            );
        }
        let needs = self.needs(&kind, length);
        if needs.is_none_or(|bytes| self.wait(id, bytes)) {
            let _passage = needs.is_none().then(|| self.seat.pass());
            match serde_json::from_str(&message) {
                Ok(request) => {
                    drop(message);
                    self.ask(request, length);
                }
                // It says what is wrong.
                Err(_) => self.session.receive(&message, &mut |reply| say(&self.outbox, reply)),
            }
        }
        self.settle();
    }

    /// Asks the session what came in a message of so many bytes.
    fn ask(&mut self, request: Request, length: usize) {
        let was_running = self.session.running().is_some();
        let begins = match &request {
            _ if was_running => None,
            Request::Open { id, .. } => Some((*id, self.set_aside(length))),
            Request::Check { id, .. } => Some((*id, 0)),
            _ => None,
        };
        self.session.ask(request, &mut |reply| say(&self.outbox, reply));
        if was_running || self.session.running().is_none() {
            return;
        }
        self.reads = begins;
        if begins.is_none() {
            // The table of the search before is gone, and the new one is not in use yet.
            self.given = 0;
            let text = length.min(self.ceilings.text);
            self.problem = if text > LITTLE { KEPT * text } else { 0 };
        }
    }

    /// Bytes that the answer to a message of so many bytes takes, if it takes more than a moment.
    fn needs(&self, kind: &str, length: usize) -> Option<usize> {
        match kind {
            // It is written where it has room, and sent in base64. The table has to stay.
            "certificate" | "export" if self.session.has_table() => {
                let spare = self.seat.size().memory.saturating_sub(self.given);
                let bytes = WRITTEN.saturating_mul(self.nodes);
                Some(bytes.min(2 * self.ceilings.certificate).min(spare))
            }
            // As it came, without base64, and read.
            "open" | "check" => Some(3 * length + self.set_aside(length)),
            "node" => Some(0),
            _ if length <= SHORT => None,
            _ => Some(2 * length + READ * length.min(self.ceilings.text)),
        }
    }

    /// Bytes that are set aside for the certificate in a message of so many bytes.
    fn set_aside(&self, length: usize) -> usize {
        reading::set_aside(length / 4 * 3, self.ceilings.reading)
    }

    /// Waits for its turn to do what takes long, and so many bytes. May it?
    fn wait(&mut self, id: Option<u64>, bytes: usize) -> bool {
        let bytes = if bytes > self.seat.size().moment { bytes } else { 0 };
        loop {
            let all = self.given + bytes;
            match self.seat.next(Want::Task { bytes: all }) {
                Next::Work => {
                    self.given = all.min(self.seat.size().memory);
                    return true;
                }
                Next::Place(place) => {
                    self.has_begun = false;
                    if let Some(id) = id {
                        self.say(Reply::Queued { id, place });
                    }
                }
                Next::Forget if self.session.is_busy() => {
                    self.refuse(
                        id,
                        text!(
                            "there is no memory for this beside your search: stop it first",
                            "探索中のメモリのほかに余裕がありません。先に探索を止めてください"
                        ),
                    );
                    return false;
                }
                Next::Forget => self.forget(),
                Next::Gone => return false,
                Next::Message(_) => {}
            }
        }
    }

    fn work(&mut self) {
        self.session.step(self.slice, &mut |reply| {
            if let Reply::Answer(answer) = &reply {
                self.nodes = answer.nodes.try_into().unwrap_or(usize::MAX);
            }
            say(&self.outbox, reply);
        });
        self.settle();
    }

    /// Gives the search's memory up.
    fn forget(&mut self) {
        self.session.forget(&mut |reply| say(&self.outbox, reply));
        self.settle();
    }

    /// Gives back what it was given and does not take any more.
    fn settle(&mut self) {
        self.given = self.given.min(self.takes());
        self.seat.keep(self.given);
        let running = self.session.running().map(|running| running.id);
        self.reads = self.reads.filter(|(id, _)| Some(*id) == running);
        let reserved = self.reads.map_or(0, |(_, bytes)| bytes);
        // Less than before, or what there was room for.
        let _ = self.seat.shelve(self.session.open_bytes() + reserved);
    }

    /// Bytes that the session takes, or may take without asking.
    fn takes(&self) -> usize {
        self.session.bytes() + if self.session.has_table() { self.problem } else { 0 }
    }

    fn refuse(&self, id: Option<u64>, message: impl Into<Words>) {
        self.say(Reply::error(id, message));
    }

    fn say(&self, reply: Reply) {
        self.outbox.push(reply.to_json());
    }
}

/// What is known of a message before it is read.
#[derive(Default, Deserialize)]
struct Envelope {
    #[serde(default)]
    id: Option<u64>,
    #[serde(default, rename = "type")]
    kind: String,
}

/// How many values there are in a message, or more.
fn values(message: &str) -> usize {
    let (mut count, mut is_text, mut is_escaped) = (0, false, false);
    for byte in message.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_text,
            b'"' => is_text = !is_text,
            b',' | b'[' | b'{' if !is_text => count += 1,
            _ => {}
        }
    }
    count
}

/// Hands on what a session says, but for when a search begins: that is known here only.
fn say(outbox: &Outbox, reply: Reply) {
    match reply {
        Reply::Started { .. } => {}
        Reply::Progress(_) | Reply::Inspecting { .. } => outbox.offer(reply.to_json()),
        reply => outbox.push(reply.to_json()),
    }
}
