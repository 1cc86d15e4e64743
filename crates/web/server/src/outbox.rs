//! What is to be sent to a visitor, in order and not without end.
//!
//! An engine puts in what it has to say, and does nothing more before the visitor has read as much that
//! little is left. So what waits here is little, or one long answer. How a search gets on is not worth
//! waiting for: while something else is still to be sent, it is left out.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// With more bytes than this the box is full.
const MOST: usize = 64 << 10;

/// The box. Both ends have it.
#[derive(Clone, Default)]
pub(crate) struct Outbox(Arc<Inner>);

#[derive(Default)]
struct Inner {
    state: Mutex<State>,
    has_room: Condvar,
    has_message: Notify,
}

#[derive(Default)]
struct State {
    messages: VecDeque<String>,
    /// Of all messages, and of the one that is being sent.
    bytes: usize,
    sending: usize,
    is_closed: bool,
}

impl Outbox {
    /// Puts a message in. After the box was closed it goes nowhere.
    pub fn push(&self, message: String) {
        put(&self.0, self.lock(), message);
    }

    /// Puts a message in if nothing else waits.
    pub fn offer(&self, message: String) {
        let state = self.lock();
        if state.messages.is_empty() {
            put(&self.0, state, message);
        }
    }

    /// The bytes that are in it, if it is full.
    pub fn is_full(&self) -> Option<usize> {
        let state = self.lock();
        state.is_full().then_some(state.bytes)
    }

    /// Waits until it is not full, or closed.
    pub fn wait(&self) {
        let state = self.0.has_room.wait_while(self.lock(), |state| state.is_full());
        drop(state.unwrap_or_else(PoisonError::into_inner));
    }

    /// The next message, when the one before it was sent; none when the box is closed and empty.
    pub async fn pop(&self) -> Option<String> {
        loop {
            {
                let mut state = self.lock();
                state.bytes -= std::mem::take(&mut state.sending);
                self.0.has_room.notify_one();
                if let Some(message) = state.messages.pop_front() {
                    state.sending = message.len();
                    return Some(message);
                }
                if state.is_closed {
                    return None;
                }
            }
            self.0.has_message.notified().await;
        }
    }

    /// Nothing more comes, or nobody reads any more.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.0.has_room.notify_all();
        self.0.has_message.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn is_full(&self) -> bool {
        self.bytes > MOST && !self.is_closed
    }
}

fn put(inner: &Inner, mut state: MutexGuard<'_, State>, message: String) {
    if !state.is_closed {
        state.bytes += message.len();
        state.messages.push_back(message);
        inner.has_message.notify_one();
    }
}
