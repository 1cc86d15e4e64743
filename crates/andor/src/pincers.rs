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

use std::sync::{Mutex, PoisonError};

use crate::control::Control;
use crate::dfpn::Dfpn;
use crate::problem::Problem;
use crate::pseudo_threads::{Company, Paths};
use crate::table::{Solved, Table};
use crate::team::lead::Lead;
use crate::team::{Team, desk};
use crate::verdict::{Outcome, Share, Shares};

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
    let shares = Mutex::new(Shares(vec![Share::default(); assignment.pseudo_threads()]));
    let company = Company { problem, settings, paths, table, team, lead, shares };
    let (mut outcome, result) =
        desk::run(assignment.processors(), table, control, |processor, place| {
            company.run_processor(processor, place)
        });
    outcome.shares = company.shares.into_inner().unwrap_or_else(PoisonError::into_inner);
    (outcome, result)
}
