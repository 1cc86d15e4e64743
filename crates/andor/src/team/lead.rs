//! Where the leader of a team is, and which workers branch off there.
//!
//! The leader leaves a copy of its path; workers take OR nodes of it, the shallow ones first and
//! one worker a node (see [`pincers`](crate::pincers)).

use std::sync::{Mutex, PoisonError};

use crate::dfpn::branch::Waypoint;
use crate::problem::Key;
use crate::rules::NodeKind;

/// What the workers know of the leader: a copy of its path, and who branches off where.
pub(crate) struct Lead<M>(Mutex<State<M>>);

struct State<M> {
    path: Vec<Waypoint<M>>,
    /// Nodes that a worker is at, by worker.
    taken: Vec<Option<Key>>,
    /// Nodes of the path that workers are done with.
    done: Vec<Key>,
}

impl<M: Copy> Lead<M> {
    pub fn new(pseudo_threads: usize) -> Lead<M> {
        let taken = vec![None; pseudo_threads];
        Lead(Mutex::new(State { path: Vec::new(), taken, done: Vec::new() }))
    }

    /// The leader is here now.
    pub fn publish(&self, path: impl Iterator<Item = Waypoint<M>>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.path.clear();
        state.path.extend(path);
    }

    /// The way to a node where a worker, done with the last one, can branch off: the shallowest OR
    /// node of the leader's path with something to do and nobody there. When all had a worker, they
    /// are up again, for their numbers are others now.
    pub fn branch(&self, worker: usize) -> Option<Vec<Waypoint<M>>> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let State { path, taken, done } = &mut *state;
        done.extend(taken[worker].take());
        let is_free = |at: &Waypoint<M>, done: &[Key]| {
            let is_taken = taken.contains(&Some(at.key)) || done.contains(&at.key);
            at.kind == NodeKind::Or && at.open > 1 && !is_taken
        };
        let found = path.iter().position(|at| is_free(at, done));
        if found.is_none() {
            done.clear();
        }
        let depth = found?;
        taken[worker] = Some(path[depth].key);
        Some(path[..=depth].to_vec())
    }
}
