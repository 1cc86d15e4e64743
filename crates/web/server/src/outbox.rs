//! What is to be sent to a visitor, in order and not without end.
//!
//! A visitor who reads slowly is waited for: an engine that has said as much as fits goes on when there
//! is room again. How a search gets on is not worth waiting for: while something else is still to be
//! sent, it is left out.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// Bytes that wait at most, unless a single message has more.
const MOST: usize = 1 << 20;

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
    bytes: usize,
    is_closed: bool,
}

impl Outbox {
    /// Puts a message in, and waits for room. After the box was closed it goes nowhere.
    pub fn push(&self, message: String) {
        let mut state = self.lock();
        while !state.is_closed && state.bytes > 0 && state.bytes + message.len() > MOST {
            state = self.0.has_room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        self.put(state, message);
    }

    /// Puts a message in if nothing else waits.
    pub fn offer(&self, message: String) {
        let state = self.lock();
        if state.messages.is_empty() {
            self.put(state, message);
        }
    }

    fn put(&self, mut state: MutexGuard<'_, State>, message: String) {
        if !state.is_closed {
            state.bytes += message.len();
            state.messages.push_back(message);
            self.0.has_message.notify_one();
        }
    }

    /// The next message, or none when the box is closed and empty.
    pub async fn pop(&self) -> Option<String> {
        loop {
            {
                let mut state = self.lock();
                if let Some(message) = state.messages.pop_front() {
                    state.bytes -= message.len();
                    self.0.has_room.notify_one();
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
