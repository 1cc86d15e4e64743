//! AND/OR-tree hierarchical pincers attack search, AOHPAS (Takano et al. 2004), and parallel
//! multiple-paths search, PMPS (Takano, Maekawa, Kasahara and Narita): leader and workers on many
//! processors.
//!
//! The leader searches from the side of the small proof numbers, the workers from the side of the
//! large ones: each takes an OR node of the leader's path, the shallow ones first and one worker a
//! node, and works through its children from the worst. With one pseudo-thread on each processor
//! that is AOHPAS; PMPS puts several on a processor, each processor with a scheduler of its own
//! ([`pseudo_threads`](crate::pseudo_threads)); and with all of them on one processor it is MPS.
//! No processor ever waits for another. The leader leaves a copy of its path where workers find it,
//! and solved nodes are made known by the table and by notices.

use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

use crate::control::{Control, Outcome};
use crate::dfpn::{Dfpn, Waypoint};
use crate::problem::{Key, Problem};
use crate::pseudo_threads::{Company, LEADER, Paths};
use crate::rules::NodeKind;
use crate::table::{Solved, Table};
use crate::team::{Team, desk};

/// Which pseudo-threads run on which processor, such as `L|S,S` (3A in the paper on PMPS) or
/// `L,S|S,S` (4B): the leader and any number of workers, `S`, on the first processor or alone, and
/// workers on the others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Assignment {
    /// Workers on each processor.
    workers: [u8; Assignment::MOST],
    processors: u8,
}

impl Assignment {
    /// The most processors.
    pub const MOST: usize = 64;

    /// All on one processor: the leader and so many workers. None is df-pn.
    pub fn one_processor(workers: u8) -> Assignment {
        let mut counts = [0; Assignment::MOST];
        counts[0] = workers;
        Assignment { workers: counts, processors: 1 }
    }

    /// The leader on a processor of its own and one worker on each of the others: AOHPAS.
    pub fn one_each(processors: usize) -> Assignment {
        let mut counts = [0; Assignment::MOST];
        let processors = processors.clamp(1, Assignment::MOST);
        counts[1..processors].fill(1);
        Assignment { workers: counts, processors: processors as u8 }
    }

    /// How many processors there are.
    pub fn processors(&self) -> usize {
        self.processors.into()
    }

    /// How many pseudo-threads there are, with the leader.
    pub fn pseudo_threads(&self) -> usize {
        1 + self.workers.iter().map(|&count| usize::from(count)).sum::<usize>()
    }

    /// The pseudo-threads of a processor; the leader is number 0.
    pub(crate) fn on(&self, processor: usize) -> impl Iterator<Item = usize> + use<> {
        let before: usize = self.workers[..processor].iter().map(|&count| usize::from(count)).sum();
        let workers = before + 1..before + 1 + usize::from(self.workers[processor]);
        (processor == 0).then_some(LEADER).into_iter().chain(workers)
    }
}

impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for processor in 0..self.processors() {
            let roles: Vec<&str> =
                self.on(processor).map(|id| if id == LEADER { "L" } else { "S" }).collect();
            let bar = if processor == 0 { "" } else { "|" };
            write!(f, "{bar}{}", roles.join(","))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Assignment {
    type Err = String;

    fn from_str(text: &str) -> Result<Assignment, String> {
        let mut counts: Vec<(u8, u8)> = Vec::new();
        for processor in text.split('|') {
            let mut count = (0, 0_u8);
            for role in processor.split(',') {
                match role.trim() {
                    "L" => count.0 += 1,
                    "S" => count.1 = count.1.saturating_add(1),
                    "" => return Err(format!("a processor without L or S in '{text}'")),
                    role => {
                        return Err(format!("'{role}' is neither L, the leader, nor S, a worker"));
                    }
                }
            }
            counts.push(count);
        }
        if counts.len() > Assignment::MOST {
            return Err(format!("at most {} processors", Assignment::MOST));
        }
        if counts.iter().map(|count| u32::from(count.0)).sum::<u32>() != 1 {
            return Err(format!("'{text}' needs exactly one L, the leader"));
        }
        // The leader's processor comes first.
        counts.sort_by_key(|count| count.0 == 0);
        let mut workers = [0; Assignment::MOST];
        workers.iter_mut().zip(&counts).for_each(|(to, from)| *to = from.1);
        Ok(Assignment { workers, processors: counts.len() as u8 })
    }
}

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

/// Solves a problem. A leader alone is the sequential search.
pub fn search<P: Problem>(
    problem: &P,
    settings: Dfpn,
    paths: &Paths,
    table: &Table,
    control: &mut Control<'_>,
) -> (Outcome, Option<Solved<P::Stock>>) {
    let assignment = paths.assignment;
    let team = &Team::new(assignment.pseudo_threads(), &settings, table);
    let lead = &Lead::new(assignment.pseudo_threads());
    let company = Company { problem, settings, paths, table, team, lead };
    desk::run(assignment.processors(), table, control, |processor, place| {
        company.run_processor(processor, place)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_read_back() {
        for text in ["L", "L,S", "L|S,S", "L,S|S,S", "L,S,S|S", "L|S|S|S"] {
            let assignment: Assignment = text.parse().expect("an assignment");
            assert_eq!(assignment.to_string(), text);
            let all: Vec<usize> =
                (0..assignment.processors()).flat_map(|p| assignment.on(p)).collect();
            assert_eq!(all, (0..assignment.pseudo_threads()).collect::<Vec<_>>());
        }
        assert_eq!("S,S|L".parse::<Assignment>().map(|a| a.to_string()), Ok("L|S,S".into()));
        for text in ["", "S", "L|L", "L,", "L|", "X", "L;S"] {
            assert!(text.parse::<Assignment>().is_err(), "{text}");
        }
    }
}
