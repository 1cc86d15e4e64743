//! The words in which is asked and answered: one shape for a question's answer on its whole way.
//!
//! A search gives an [`Outcome`]: a [`Verdict`] with the [`Plies`] that it holds for, and what it took.
//! A verdict that is decided makes a [`Claim`] about the problem, and a claim is what
//! [certificates](crate::certificate) show. Whoever talks to people turns these into words, and nobody
//! before.

use std::fmt;
use std::time::Duration;

use crate::plies::Plies;
use crate::rules::Value;
use crate::totals::Totals;

/// What is claimed of a problem. The problem may be a position, a reference to one, or its text: the
/// claim is the same ([`about`](Claim::about)).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Claim<P> {
    /// Of what.
    pub problem: P,
    /// The value that it has.
    pub value: Value,
    /// Proven: within so many plies. Disproven: not within so many. Where repetition favours the
    /// attacker: disproven within so many, and a proof has no length. [`Plies::UNBOUNDED`]: no bound is
    /// claimed.
    pub plies: Plies,
}

impl<P> Claim<P> {
    /// This value of this problem, within so many plies.
    pub fn new(problem: P, value: Value, plies: Plies) -> Claim<P> {
        Claim { problem, value, plies }
    }

    /// The same claim, of the same problem by reference.
    pub fn by_ref(&self) -> Claim<&P> {
        self.about(&self.problem)
    }

    /// The same claim with the problem in another shape, which must be the same problem.
    pub fn about<Q>(&self, problem: Q) -> Claim<Q> {
        Claim { problem, value: self.value, plies: self.plies }
    }
}

/// Why a search gives no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The limit on nodes was reached.
    Nodes,
    /// The limit on time was reached.
    Time,
    /// Memory ran out (PN-search keeps its whole tree).
    Memory,
    /// The system did not give as many threads as were asked for. In WebAssembly it gives none.
    Threads,
    /// Somebody raised the [`Stop`](crate::Stop) flag.
    Stopped,
    /// It is proven, but a bound on plies was asked for where repetition favours the attacker: a proof that
    /// goes round for ever has no length.
    Bound,
}

/// What a search says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The attacker reaches the goal.
    Proven,
    /// The attacker does not.
    Disproven,
    /// It was not found out.
    Unknown(Reason),
}

impl Verdict {
    /// The value, if there is one.
    pub fn value(self) -> Option<Value> {
        match self {
            Verdict::Proven => Some(Value::Proven),
            Verdict::Disproven => Some(Value::Disproven),
            Verdict::Unknown(_) => None,
        }
    }
}

impl From<Value> for Verdict {
    fn from(value: Value) -> Verdict {
        match value {
            Value::Proven => Verdict::Proven,
            Value::Disproven => Verdict::Disproven,
        }
    }
}

/// `proven`, `disproven` or `unknown`.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value() {
            Some(value) => value.fmt(f),
            None => f.pad("unknown"),
        }
    }
}

/// What one pseudo-thread of a [multiple-paths search](crate::Paths) did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Nodes that it searched.
    pub nodes: u64,
    /// Nodes of its turns that it could not use: a worker beside the leader, and no branch was left.
    pub unused: u64,
}

/// What the pseudo-threads of a multiple-paths search did, the leader first. Of any other search:
/// nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shares(pub Vec<Share>);

impl Shares {
    /// Nodes of the leader.
    pub fn leader(&self) -> u64 {
        self.0.first().map_or(0, |share| share.nodes)
    }

    /// Nodes of all workers.
    pub fn workers(&self) -> u64 {
        self.0.iter().skip(1).map(|share| share.nodes).sum()
    }

    /// Nodes of turns that were not used.
    pub fn unused(&self) -> u64 {
        self.0.iter().map(|share| share.unused).sum()
    }

    /// Adds what the same pseudo-threads did in another search.
    pub fn add(&mut self, other: &Shares) {
        self.0.resize(self.0.len().max(other.0.len()), Share::default());
        for (share, other) in self.0.iter_mut().zip(&other.0) {
            share.nodes += other.nodes;
            share.unused += other.unused;
        }
    }
}

/// The result of a search, with what it took.
#[derive(Clone, Debug)]
#[must_use]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// Proven: within so many plies. Disproven: not within so many
    /// ([`Plies::UNBOUNDED`]: never). Where repetition favours the attacker it is the other way
    /// round: disproven within so many plies, and a proof has no length.
    pub plies: Plies,
    /// Nodes visited. For df-pn: positions entered, again at every visit, plus those that the
    /// game's own small solver visited. For PN-search: nodes of the tree.
    pub nodes: u64,
    /// Expansions: for PN-search the iterations of the paper, for df-pn the positions entered.
    pub iterations: u64,
    /// Positions that the game evaluated: calls of [`evaluate`](crate::Problem::evaluate), one for each
    /// position that was looked at and is not known already, plus the nodes that these calls took. This is
    /// what Kaneko (2010) counts beside the nodes of df-pn⁺: those that `H` visits. Nothing where the
    /// game's first numbers are not asked for.
    pub evaluated: u64,
    /// Proof and disproof number of the root at the end.
    pub numbers: (u32, u32),
    /// Time taken.
    pub elapsed: Duration,
    /// Who searched the nodes, where a leader and workers did.
    pub shares: Shares,
}

impl Outcome {
    /// The value, if the verdict has one.
    pub fn value(&self) -> Option<Value> {
        self.verdict.value()
    }

    /// What it took, in all that is counted.
    pub fn totals(&self) -> Totals {
        Totals { nodes: self.nodes, entered: self.iterations, evaluated: self.evaluated }
    }

    /// What it claims of the problem that was searched, if it is decided.
    pub fn claim<P>(&self, problem: P) -> Option<Claim<P>> {
        Some(Claim::new(problem, self.value()?, self.plies))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_verdicts_have_one_word_each() {
        for value in [Value::Proven, Value::Disproven] {
            assert_eq!(value.to_string().parse(), Ok(value));
            assert_eq!(Verdict::from(value).to_string(), value.to_string());
        }
        assert_eq!(format!("{:<9}|", Verdict::Unknown(Reason::Time)), "unknown  |");
        assert!("unknown".parse::<Value>().is_err() && "Proven".parse::<Value>().is_err());
    }

    #[test]
    fn shares_add_up() {
        let share = |nodes, unused| Share { nodes, unused };
        let mut all = Shares::default();
        all.add(&Shares(vec![share(10, 0), share(3, 2)]));
        all.add(&Shares(vec![share(1, 0), share(4, 1), share(5, 0)]));
        assert_eq!(all, Shares(vec![share(11, 0), share(7, 3), share(5, 0)]));
        assert_eq!((all.leader(), all.workers(), all.unused()), (11, 12, 3));
        assert_eq!((Shares::default().leader(), Shares::default().workers()), (0, 0));
    }

    #[test]
    fn only_what_is_decided_is_claimed() {
        let outcome = |verdict| Outcome {
            verdict,
            plies: Plies::at_most(7),
            nodes: 1,
            iterations: 1,
            evaluated: 1,
            numbers: (1, 1),
            elapsed: Duration::ZERO,
            shares: Shares::default(),
        };
        let claim = outcome(Verdict::Disproven).claim("a problem");
        assert_eq!(claim, Some(Claim::new("a problem", Value::Disproven, Plies::at_most(7))));
        assert_eq!(outcome(Verdict::Unknown(Reason::Nodes)).claim("a problem"), None);
    }
}
