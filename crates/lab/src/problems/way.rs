//! How a problem is searched: the algorithm below, and the agents above.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use andor::{
    Agents, Algorithm, Assignment, Cover, Dfpn, Limits, Paths, Quanta, Scheme, Sums, Virtual,
};

use super::sets::Item;
use crate::error::UnknownWord;

/// The settings of df-pn that a search is built on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Base {
    /// What this program uses: df-pn⁺ with all its techniques.
    Dfpn,
    /// The same without `H` and `Cost`, and nothing else: no first numbers from the game's small
    /// solver, and no costs of moves.
    NoEvaluation,
    /// `Cost` without `H`: all children begin with (1, 1).
    NoFirstNumbers,
    /// `H` without `Cost`: every move costs the same.
    NoCosts,
    /// The same without the game's knowledge: that, and its choice and order of moves.
    NoHeuristics,
    /// No knowledge, no 1+ε trick, plain sums.
    Plain,
    /// The same without threshold control: loops are left to the limit on nodes.
    PlainNoControl,
    /// `Plain` without dominance: what is known with one hand says nothing of another.
    PlainNoDominance,
    /// `Plain` without either: the df-pn that Takano et al. describe. They do not say what more
    /// theirs had.
    Paper,
}

/// Every base with its name.
const BASES: [(Base, &str); 9] = [
    (Base::Dfpn, "dfpn"),
    (Base::NoEvaluation, "no-evaluation"),
    (Base::NoFirstNumbers, "no-first-numbers"),
    (Base::NoCosts, "no-costs"),
    (Base::NoHeuristics, "no-heuristics"),
    (Base::Plain, "plain"),
    (Base::PlainNoControl, "plain-no-control"),
    (Base::PlainNoDominance, "plain-no-dominance"),
    (Base::Paper, "paper"),
];

impl Base {
    /// The settings, made from those that serve the game best.
    pub fn settings(self, dfpn: Dfpn) -> Dfpn {
        let Dfpn { rest, comparable, .. } = Dfpn::plain();
        let sums = Sums::Plain;
        let plain = Dfpn { heuristics: false, epsilon: 0.0, sums, rest, comparable, ..dfpn };
        match self {
            Base::Dfpn => dfpn,
            Base::NoEvaluation => Dfpn { first_numbers: false, costs: false, ..dfpn },
            Base::NoFirstNumbers => Dfpn { first_numbers: false, ..dfpn },
            Base::NoCosts => Dfpn { costs: false, ..dfpn },
            Base::NoHeuristics => Dfpn { heuristics: false, ..dfpn },
            Base::Plain | Base::PlainNoDominance => plain,
            Base::PlainNoControl | Base::Paper => Dfpn { threshold_control: false, ..plain },
        }
    }

    /// Does a hand answer for a larger or a smaller one?
    pub(super) fn has_dominance(self) -> bool {
        !matches!(self, Base::PlainNoDominance | Base::Paper)
    }
}

impl Display for Base {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let name = BASES.iter().find(|(base, _)| base == self).map_or("", |(_, name)| name);
        f.write_str(name)
    }
}

impl FromStr for Base {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Base, UnknownWord> {
        let known = BASES.iter().find(|(_, name)| *name == text).map(|(base, _)| *base);
        known.ok_or_else(|| {
            let names = "dfpn, no-evaluation, no-first-numbers, no-costs, no-heuristics, plain, \
                         plain-no-control, plain-no-dominance, paper";
            UnknownWord::new(text, names)
        })
    }
}

/// How many agents search, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    /// One: df-pn.
    Alone,
    /// Agents with virtual numbers.
    Virtual(Agents),
    /// A leader and workers.
    Paths(Paths),
}

impl Way {
    /// Pseudo-threads on one processor, the leader among them.
    pub fn pseudo_threads(count: u8, quantum: u64, quanta: Quanta, cover: Cover) -> Way {
        let assignment = Assignment::one_processor(count.saturating_sub(1));
        Way::Paths(Paths { assignment, quantum, quanta, cover })
    }

    pub(super) fn algorithm(&self, settings: Dfpn) -> Algorithm {
        match *self {
            Way::Alone => Algorithm::Dfpn(settings),
            Way::Virtual(agents) => Algorithm::Team(settings, Scheme::Virtual(agents)),
            Way::Paths(paths) => Algorithm::Team(settings, Scheme::Paths(paths)),
        }
    }
}

/// As it stands in `raw.csv`: without a comma.
impl Display for Way {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Way::Alone => f.write_str("df-pn"),
            Way::Virtual(Agents { count, numbers, turns }) => {
                write!(f, "virtual {count}")?;
                match numbers {
                    Virtual::Usual => {}
                    Virtual::Steer(each) => write!(f, " T {each}")?,
                    Virtual::Paper => f.write_str(" T paper")?,
                }
                turns.map_or(Ok(()), |turns| write!(f, " turns {turns}"))
            }
            Way::Paths(Paths { assignment, quantum, quanta, cover }) => {
                let assignment = assignment.to_string().replace(',', "+");
                write!(f, "paths {assignment} {quantum} {quanta} {cover}")
            }
        }
    }
}

/// One search.
#[derive(Clone, Debug)]
pub struct Search<'a> {
    /// The problem.
    pub item: &'a Item,
    /// The settings of df-pn.
    pub base: Base,
    /// The agents.
    pub way: Way,
    /// Which of the runs, from 0.
    pub run: u32,
    /// When it is given up.
    pub limits: Limits,
}
