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
//!
//! What the papers leave open is read in one way:
//!
//! - A leader alone on its processor is plain df-pn: where the workers find nothing, node for node.
//!   It learns from them what the table knows of a node when it comes there, and at once when a node
//!   of its path is solved. The search below a worker's child is the same.
//! - A turn is of 1,000 nodes for every pseudo-thread (the paper's base quantum), whoever shares the
//!   processor; only MPS, all on one processor, weighs the leader. In the paper's comparison that is
//!   1,750 nodes for it and 1,000 for a worker (`lab pmps`); where nothing else is asked for it is
//!   Eq. 1 of the paper on MPS ([`Quanta::Shares`](crate::Quanta)).
//! - A worker keeps its node until all children had their turn or it is solved, even if the leader
//!   has gone elsewhere meanwhile. Then it takes the shallowest free OR node of where the leader is.

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
    let team = &Team::new(problem, assignment.pseudo_threads(), &settings, table);
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
