//! How several agents search one problem: the options that say so, and which algorithm takes which.

use andor::{Agents, Assignment, AssignmentError, Cover, Paths, Quanta, Scheme, Shares, Virtual};
use serde::Serialize;

use crate::display;
use crate::lang::{Text, said, text};

/// The most threads: more agents could not be told apart.
pub const MOST_THREADS: usize = 64;

/// Threads of the algorithms that make no sense with one.
const FEW_THREADS: usize = 2;

/// Pseudo-threads of `mps`, as in the paper.
const PSEUDO_THREADS: u8 = 8;

/// The assignment of `pmps`: 3A in the paper.
const PMPS_ASSIGNMENT: &str = "L|S,S";

/// What is asked of agents. What is not said is as the algorithm has it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Threads (df-pn, virtual, pincers).
    pub threads: Option<usize>,
    /// How much another agent below a move counts when a move is chosen (virtual).
    pub r#virtual: Option<Virtual>,
    /// All agents on one thread, in turns of so many nodes (virtual).
    pub turns: Option<u64>,
    /// The leader and its workers together, on one thread (mps).
    pub pseudo_threads: Option<u8>,
    /// Which pseudo-threads share a thread (pmps).
    pub assignment: Option<Assignment>,
    /// Nodes of the leader's turn (mps, pincers, pmps).
    pub quantum: Option<u64>,
    /// And of the workers' turns (mps, pmps).
    pub quanta: Option<Quanta>,
    /// How far a worker searches a child before it takes the next (mps, pincers, pmps).
    pub cover: Option<Cover>,
}

/// `T` of virtual numbers.
pub fn parse_virtual(text: &str) -> Result<Virtual, Text> {
    if text == "paper" {
        return Ok(Virtual::Paper);
    }
    let number = text.parse().ok().filter(|&each| each <= 1000);
    number.map(Virtual::Steer).ok_or_else(|| {
        text!(
            "expected a whole number from 0 to 1000, or `paper`",
            "0 から 1000 までの整数か `paper` を指定してください"
        )
    })
}

/// An assignment of no more threads and pseudo-threads than can be told apart.
pub fn parse_assignment(text: &str) -> Result<Assignment, Text> {
    let assignment: Assignment =
        text.parse().map_err(|error: AssignmentError| Text::new(|_| said(&error).to_string()))?;
    match assignment.pseudo_threads() {
        0..=MOST_THREADS => Ok(assignment),
        many => Err(text!(
            "{many} pseudo-threads: there are {MOST_THREADS} at most",
            "擬似スレッドが {many} あります。{MOST_THREADS} までです"
        )),
    }
}

/// How an algorithm works with several agents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Team {
    /// Not at all.
    Alone,
    /// With virtual numbers if there is more than one thread.
    Threads,
    /// With virtual numbers always.
    Virtual,
    /// With pseudo-threads on one thread.
    Mps,
    /// With a leader and workers on a thread each.
    Pincers,
    /// With pseudo-threads on several threads.
    Pmps,
}

/// An option was given to an algorithm that has no use for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misuse {
    /// The option.
    pub option: &'static str,
    /// Who takes it.
    pub takers: &'static [Team],
    /// What to do instead.
    pub hint: Text,
}

/// Every option, and who takes it.
pub const TAKEN_BY: &[(&str, &[Team])] = &[
    ("--threads", &[Team::Threads, Team::Virtual, Team::Pincers]),
    ("--virtual", &[Team::Virtual]),
    ("--turns", &[Team::Virtual]),
    ("--pseudo-threads", &[Team::Mps]),
    ("--assignment", &[Team::Pmps]),
    ("--quantum", &[Team::Mps, Team::Pincers, Team::Pmps]),
    ("--quanta", &[Team::Mps, Team::Pmps]),
    ("--cover", &[Team::Mps, Team::Pincers, Team::Pmps]),
];

impl Team {
    /// The options that it takes.
    pub fn options(self) -> impl Iterator<Item = &'static str> {
        let taken = TAKEN_BY.iter().filter(move |(_, teams)| teams.contains(&self));
        taken.map(|(option, _)| *option)
    }

    /// The scheme that the options ask for, or the option that makes no sense here. None: one agent
    /// alone.
    pub fn scheme(self, options: &Options) -> Result<Option<Scheme>, Misuse> {
        self.check(options)?;
        let paths = |assignment| {
            let usual = Paths::new(assignment);
            Scheme::Paths(Paths {
                quantum: options.quantum.unwrap_or(usual.quantum),
                quanta: options.quanta.unwrap_or(usual.quanta),
                cover: options.cover.unwrap_or(usual.cover),
                ..usual
            })
        };
        let agents = Agents::on_threads(options.threads.unwrap_or(FEW_THREADS));
        Ok(match self {
            Team::Alone => None,
            Team::Threads => {
                options.threads.filter(|_| agents.count > 1).map(|_| Scheme::Virtual(agents))
            }
            Team::Virtual => {
                let numbers = options.r#virtual.unwrap_or(agents.numbers);
                Some(Scheme::Virtual(Agents { numbers, turns: options.turns, ..agents }))
            }
            Team::Mps => {
                let workers = options.pseudo_threads.unwrap_or(PSEUDO_THREADS).saturating_sub(1);
                Some(paths(Assignment::one_processor(workers)))
            }
            Team::Pincers => Some(paths(Assignment::one_each(agents.count))),
            Team::Pmps => options.assignment.or(parse_assignment(PMPS_ASSIGNMENT).ok()).map(paths),
        })
    }

    /// Complains about options that the algorithm has no use for.
    fn check(self, options: &Options) -> Result<(), Misuse> {
        let Options {
            threads,
            r#virtual,
            turns,
            pseudo_threads,
            assignment,
            quantum,
            quanta,
            cover,
        } = options;
        let given = [
            // One thread is what everybody has who takes no number of them.
            ("--threads", threads.is_some_and(|threads| threads > 1)),
            ("--virtual", r#virtual.is_some()),
            ("--turns", turns.is_some()),
            ("--pseudo-threads", pseudo_threads.is_some()),
            ("--assignment", assignment.is_some()),
            ("--quantum", quantum.is_some()),
            ("--quanta", quanta.is_some()),
            ("--cover", cover.is_some()),
        ];
        for (option, _) in given.into_iter().filter(|&(_, given)| given) {
            let takes = TAKEN_BY.iter().find(|(name, _)| *name == option);
            let teams = takes.map_or(&[][..], |(_, teams)| *teams);
            if teams.contains(&self) {
                continue;
            }
            let hint = match (option, self) {
                ("--threads", Team::Mps) => text!(
                    "; mps runs on one thread, pmps and pincers on several",
                    "。`mps` は 1 スレッドで動きます。複数なら `pmps` か `pincers` を使ってください"
                ),
                ("--threads", Team::Pmps) => text!(
                    "; the threads of pmps are in its --assignment",
                    "。`pmps` のスレッドは --assignment で指定してください"
                ),
                _ => Text::default(),
            };
            return Err(Misuse { option, takers: teams, hint });
        }
        Ok(())
    }
}

/// A scheme for people and programs: `virtual numbers, 4 agents`, or `L|S,S, quantum 1000, shares,
/// cover least`.
pub fn words(scheme: &Scheme) -> Text {
    match scheme {
        Scheme::Virtual(Agents { count, numbers, turns }) => {
            let numbers = match numbers {
                Virtual::Usual => Text::default(),
                Virtual::Steer(each) => text!(", T = {each}", "、T = {each}"),
                Virtual::Paper => text!(", T as in the paper", "、T は論文のとおり"),
            };
            let turns = turns.map_or_else(Text::default, |turns| {
                text!(" in turns of {turns} nodes", "、{turns} ノードずつ交代")
            });
            text!(
                "virtual numbers, {count} agents{numbers}{turns}",
                "仮想証明数、{count} エージェント{numbers}{turns}"
            )
        }
        Scheme::Paths(Paths { assignment, quantum, quanta, cover }) => text!(
            "{assignment}, quantum {quantum}, {quanta}, cover {cover}",
            "`{assignment}`、1回{quantum}ノード、`{quanta}`、`cover {cover}`"
        ),
    }
}

/// Who searched the nodes of a multiple-paths search, for programs.
#[derive(Clone, Serialize)]
pub struct SharesReport {
    leader: u64,
    workers: u64,
    unused: u64,
    /// Of each pseudo-thread, the leader first.
    each: Vec<u64>,
}

impl SharesReport {
    /// Nothing where no leader and workers searched.
    pub fn new(shares: &Shares) -> Option<SharesReport> {
        let (leader, workers, unused) = (shares.leader(), shares.workers(), shares.unused());
        let each: Vec<u64> = shares.0.iter().map(|share| share.nodes).collect();
        (!each.is_empty()).then_some(SharesReport { leader, workers, unused, each })
    }

    /// The same for people.
    pub fn words(&self) -> Text {
        let count = self.each.len().saturating_sub(1);
        let plural = if count == 1 { "" } else { "s" };
        let (leader, workers) = (display::count(self.leader), display::count(self.workers));
        let unused = match self.unused {
            0 => Text::default(),
            unused => {
                let unused = display::count(unused);
                text!("; no branch for {unused} more", "、分岐がなく使われなかったのは{unused}")
            }
        };
        text!(
            "leader {leader} nodes, {count} worker{plural} {workers}{unused}",
            "リーダー{leader}ノード、ワーカー{count}つで{workers}ノード{unused}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::Lang;

    #[test]
    fn schemes_have_words() {
        let told = |team: Team, options: &Options| {
            team.scheme(options)
                .ok()
                .flatten()
                .map(|scheme| words(&scheme).as_str(Lang::En).to_owned())
        };
        let four = Options { threads: Some(4), ..Options::default() };
        assert_eq!(told(Team::Threads, &four).as_deref(), Some("virtual numbers, 4 agents"));
        assert_eq!(
            told(Team::Pincers, &four).as_deref(),
            Some("L|S|S|S, quantum 1000, equally, cover least")
        );
        let usual = told(Team::Pmps, &Options::default());
        assert_eq!(usual.as_deref(), Some("L|S,S, quantum 1000, equally, cover least"));
    }
}
