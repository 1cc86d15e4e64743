//! A visitor's engine on a thread of its own: a [`Session`] that is asked what comes in, and works when
//! the [room](crate::room) lets it.

use std::time::Duration;

use yomikiri_question::lang::text;
use yomikiri_session::contract::Words;
use yomikiri_session::{Reply, Request, Running, Session};

use crate::outbox::Outbox;
use crate::room::{Next, Seat, Want};

/// Bytes of memory that an open certificate takes at most for each of its own: some 200 for a position, which
/// has four bytes in tsume-shogi, and eight in Hex.
const OPEN: usize = 64;

pub(crate) struct Visitor {
    pub session: Session,
    pub seat: Seat,
    pub outbox: Outbox,
    /// How long it works before it listens.
    pub slice: Duration,
    /// The visitor knows that the search goes on.
    has_begun: bool,
    /// Certificates that are open, and what they take.
    open: Vec<(u64, usize)>,
}

/// Nobody waits for an engine that has ended, whatever ended it.
impl Drop for Visitor {
    fn drop(&mut self) {
        self.outbox.close();
    }
}

impl Visitor {
    pub fn new(session: Session, seat: Seat, outbox: Outbox, slice: Duration) -> Visitor {
        seat.on_leave(session.stop());
        Visitor { session, seat, outbox, slice, has_begun: false, open: Vec::new() }
    }

    /// Answers until the visitor leaves.
    pub fn run(mut self, hello: Request) {
        self.ask(hello);
        loop {
            let running = self.session.running().filter(|_| self.session.is_busy());
            let id = running.as_ref().map(|running| running.id);
            let want = match running {
                Some(Running { id, bytes, stop }) => Want::Search { id, bytes, stop },
                None => Want::Message,
            };
            self.has_begun &= id.is_some();
            match (self.seat.next(want), id) {
                (Next::Message(message), _) => self.receive(&message),
                (Next::Work, Some(id)) => {
                    if !std::mem::replace(&mut self.has_begun, true) {
                        self.say(Reply::Started { id });
                    }
                    self.work();
                }
                (Next::Place(place), Some(id)) => {
                    self.has_begun = false;
                    self.say(Reply::Queued { id, place });
                }
                (Next::Forget, _) => {
                    let outbox = self.outbox.clone();
                    self.session.forget(&mut |reply| say(&outbox, reply));
                    self.seat.release();
                }
                (Next::Gone, _) => return,
                (Next::Work | Next::Place(_), None) => {}
            }
        }
    }

    fn receive(&mut self, message: &str) {
        match serde_json::from_str(message) {
            Ok(request) => self.ask(request),
            // It says what is wrong.
            Err(_) => {
                let outbox = self.outbox.clone();
                self.session.receive(message, &mut |reply| say(&outbox, reply));
            }
        }
    }

    fn ask(&mut self, request: Request) {
        let (mut opens, mut closes) = (None, None);
        match &request {
            Request::Open { id, certificate } => {
                let bytes = certificate.len() / 4 * 3 * OPEN;
                if self.seat.shelve(self.shelved() + bytes).is_err() {
                    return self.refuse(
                        *id,
                        text!(
                            "there is no room for another open certificate here: close one, or open it in your browser",
                            "ここにはこれ以上証明書を開く余裕がありません。一つ閉じるか、ブラウザの中で開いてください"
                        ),
                    );
                }
                opens = Some((*id, bytes));
            }
            Request::Close { proof, .. } => closes = Some(*proof),
            _ => {}
        }
        if takes_long(&request) && !request.id().is_none_or(|id| self.wait(id)) {
            return;
        }
        let was_searching = self.session.running().is_some();
        let outbox = self.outbox.clone();
        let open = &mut self.open;
        self.session.ask(request, &mut |reply| {
            match reply {
                Reply::Opened { .. } => open.extend(opens.take()),
                Reply::Closed { .. } => open.retain(|(id, _)| Some(*id) != closes),
                _ => {}
            }
            say(&outbox, reply);
        });
        if !was_searching && self.session.running().is_some() {
            // The table of the search before is gone, and the new one is not in use yet.
            self.seat.release();
        }
        // Less than before, or what there was room for.
        let _ = self.seat.shelve(self.shelved());
    }

    /// Waits for its turn to do what takes long. Is the visitor still there?
    fn wait(&mut self, id: u64) -> bool {
        loop {
            match self.seat.next(Want::Task) {
                Next::Work => return true,
                Next::Place(place) => {
                    self.has_begun = false;
                    self.say(Reply::Queued { id, place });
                }
                Next::Gone => return false,
                Next::Message(_) | Next::Forget => {}
            }
        }
    }

    fn work(&mut self) {
        let outbox = self.outbox.clone();
        self.session.step(self.slice, &mut |reply| say(&outbox, reply));
        if !self.session.has_table() {
            self.seat.release();
        }
    }

    fn shelved(&self) -> usize {
        self.open.iter().map(|(_, bytes)| bytes).sum()
    }

    fn refuse(&self, id: u64, message: impl Into<Words>) {
        self.say(Reply::error(Some(id), message));
    }

    fn say(&self, reply: Reply) {
        self.outbox.push(reply.to_json());
    }
}

/// Does the answer take more than a moment, and no slices?
fn takes_long(request: &Request) -> bool {
    matches!(
        request,
        Request::Open { .. }
            | Request::Check { .. }
            | Request::Certificate { .. }
            | Request::Export { .. }
    )
}

/// Hands on what a session says, but for when a search begins: that is known here only.
fn say(outbox: &Outbox, reply: Reply) {
    match reply {
        Reply::Started { .. } => {}
        Reply::Progress(_) | Reply::Inspecting { .. } => outbox.offer(reply.to_json()),
        reply => outbox.push(reply.to_json()),
    }
}
