//! Which pseudo-threads run on which processor.

use std::fmt;
use std::str::FromStr;

/// The leader's number.
pub(crate) const LEADER: usize = 0;

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

/// A text is no assignment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AssignmentError {
    /// Nothing between two bars or commas.
    #[error("a processor without L or S in '{0}'")]
    Empty(String),
    /// Another letter.
    #[error("'{0}' is neither L, the leader, nor S, a worker")]
    Role(String),
    /// More processors than there can be.
    #[error("at most {} processors", Assignment::MOST)]
    TooMany,
    /// More workers on a processor than there can be.
    #[error("at most {} workers on a processor", u8::MAX)]
    Crowded,
    /// No leader, or several.
    #[error("'{0}' needs exactly one L, the leader")]
    Leader(String),
}

impl FromStr for Assignment {
    type Err = AssignmentError;

    fn from_str(text: &str) -> Result<Assignment, AssignmentError> {
        let mut leaders = 0;
        // Of each processor: is it without the leader, and how many workers are there?
        let mut counts: Vec<(bool, u8)> = Vec::new();
        for processor in text.split('|') {
            let mut count = (true, 0_u8);
            for role in processor.split(',') {
                match role.trim() {
                    "L" => {
                        leaders += 1;
                        count.0 = false;
                    }
                    "S" => count.1 = count.1.checked_add(1).ok_or(AssignmentError::Crowded)?,
                    "" => return Err(AssignmentError::Empty(text.into())),
                    role => return Err(AssignmentError::Role(role.into())),
                }
            }
            counts.push(count);
        }
        if counts.len() > Assignment::MOST {
            return Err(AssignmentError::TooMany);
        }
        if leaders != 1 {
            return Err(AssignmentError::Leader(text.into()));
        }
        // The leader's processor comes first.
        counts.sort_by_key(|count| count.0);
        let mut workers = [0; Assignment::MOST];
        workers.iter_mut().zip(&counts).for_each(|(to, from)| *to = from.1);
        Ok(Assignment { workers, processors: counts.len() as u8 })
    }
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

    #[test]
    fn what_is_too_many_is_refused() {
        let many = |role: &str, count| vec![role; count].join(",");
        let full: Assignment = format!("L,{}", many("S", 255)).parse().expect("an assignment");
        assert_eq!(full.pseudo_threads(), 256);
        let refused = |text: String| text.parse::<Assignment>().expect_err("too many");
        assert_eq!(refused(format!("L,{}", many("S", 256))), AssignmentError::Crowded);
        assert_eq!(refused(format!("L{}", "|S".repeat(64))), AssignmentError::TooMany);
        let leaders = many("L", 257);
        assert_eq!(refused(leaders.clone()), AssignmentError::Leader(leaders));
    }
}
