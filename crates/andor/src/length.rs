//! The length of a proof that a search has found: a bound on it, or the shortest.
//!
//! A search gives a verdict, and of a proof some length, often many times what is needed.
//! [`shorten`] goes on from there, on the same table and within the same limits: it brings the bound
//! down ([`shortest::bound`]), or looks for the shortest proof ([`shortest::from_both_ends`]). The outcome
//! then claims the length of the line that comes with it.

use crate::ask::{Asked, Asker, Watcher};
use crate::control::{Control, Limits, Progress};
use crate::dfpn::Dfpn;
use crate::plies::Plies;
use crate::problem::Problem;
use crate::rules::{Repetition, Value};
use crate::search::{Algorithm, Scheme};
use crate::shortest::{self, Bounds};
use crate::table::Table;
use crate::verdict::{Claim, Outcome, Verdict};

/// What is wanted of the length of a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// A bound that is not far from it, for little more than the proof took.
    Bound,
    /// The shortest proof.
    Shortest,
}

/// Why the proofs of a problem have no length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoLength {
    /// Searches leave moves out that matter for it: [`Problem::prunes`].
    Prunes,
    /// Repetition favours the attacker: a proof may go round for ever.
    Endless,
}

/// Do the proofs of a problem have a length?
pub fn has_length<P: Problem>(problem: &P) -> Result<(), NoLength> {
    if P::REPETITION_MAY_FAVOUR_ATTACKER && problem.repetition() == Repetition::FavoursAttacker {
        Err(NoLength::Endless)
    } else if problem.prunes() {
        Err(NoLength::Prunes)
    } else {
        Ok(())
    }
}

/// How questions about lengths are searched where this algorithm found the proof. Deep values are
/// left aside, and PN-search has `otherwise`.
pub fn settings(algorithm: &Algorithm, otherwise: Dfpn) -> (Dfpn, Option<Scheme>) {
    let (dfpn, scheme) = match *algorithm {
        Algorithm::Dfpn(dfpn) => (dfpn, None),
        Algorithm::Team(dfpn, scheme) => (dfpn, Some(scheme)),
        Algorithm::Pn(pn) => (Dfpn { heuristics: pn.heuristics, ..otherwise }, None),
    };
    (Dfpn { deep: 1.0, ..dfpn }, scheme)
}

/// Goes on from a proof to its length. The outcome is that of a search on this table, within the
/// limits of `control`, which hold for both together; what is found and what it took is put down there.
/// Nothing if it is no proof, or has no length.
pub fn shorten<P: Problem>(
    problem: &P,
    aim: Aim,
    settings: (Dfpn, Option<Scheme>),
    table: &Table,
    control: &mut Control<'_>,
    outcome: &mut Outcome,
) -> Option<Bounds<P::Move>> {
    let first = outcome.plies.bounded().filter(|_| outcome.verdict == Verdict::Proven)?;
    has_length(problem).ok()?;
    let limits = control.limits;
    let watcher = control.progress.as_mut().map(|progress| Told(&mut **progress));
    let mut asker =
        Asker::new(table, settings, limits, control.stop.clone(), watcher).after(outcome);
    asker.set_limits(most_of(limits));
    let mut bounds = match aim {
        Aim::Bound => shortest::bound(&mut asker, problem, first),
        Aim::Shortest => shortest::from_both_ends(&mut asker, problem, first, |_, _| {}),
    };
    if !bounds.line.complete {
        asker.set_limits(limits);
        let again = shortest::bound(&mut asker, problem, bounds.known);
        bounds = Bounds { least: bounds.least.max(again.least).min(again.known), ..again };
    }
    let totals = asker.totals();
    outcome.plies = Plies::at_most(bounds.known);
    (outcome.nodes, outcome.iterations, outcome.evaluated) =
        (totals.nodes, totals.entered, totals.evaluated);
    outcome.elapsed = asker.elapsed();
    outcome.shares = std::mem::take(&mut asker.shares);
    Some(bounds)
}

/// What the bounds claim: a proof within the length that is known, and that there is none within less
/// than the least, where that says anything.
pub fn claims<'p, P: Problem>(
    problem: &'p P,
    bounds: &Bounds<P::Move>,
) -> (Claim<&'p P>, Option<Claim<&'p P>>) {
    let proof = Claim::new(problem, Value::Proven, Plies::at_most(bounds.known));
    let shorter = bounds.least.checked_sub(problem.length_step());
    let shorter = shorter.map(|plies| Claim::new(problem, Value::Disproven, Plies::at_most(plies)));
    (proof, shorter)
}

/// Seven eighths: something is left for the line.
fn most_of(limits: Limits) -> Limits {
    Limits {
        nodes: limits.nodes.map(|nodes| nodes - nodes / 8),
        time: limits.time.map(|time| time - time / 8),
    }
}

/// Who watches a search watches these questions, too.
struct Told<'a, 'b>(&'a mut (dyn FnMut(&Progress<'_>) + 'b));

impl Watcher for Told<'_, '_> {
    fn progress(&mut self, asked: &Asked<'_>) {
        let Asked { nodes, elapsed, pn, dn, depth, stored, capacity, agents, .. } = *asked;
        (self.0)(&Progress { nodes, elapsed, pn, dn, depth, stored, capacity, agents });
    }
}
