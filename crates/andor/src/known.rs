//! What is known of a position without a search: by the table, or else by the game's own look.
//!
//! Whoever reads a solution off the table asks this of one position after the other: the certificate
//! writer, a line of play, an explanation for people.

use crate::number::Number;
use crate::plies::Plies;
use crate::problem::{Evaluation, Problem};
use crate::pulse::{Interrupted, Pulse};
use crate::table::{Lookup, Solved, Table};

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known<S> {
    /// It is solved, for proofs of as many plies as was asked.
    Solved(Solved<S>),
    /// A search has been there, and left these numbers.
    Visited {
        /// Proof number.
        pn: Number,
        /// Disproof number.
        dn: Number,
    },
    /// No search has been there, or the table has forgotten it: the game's first numbers.
    New {
        /// First proof number.
        pn: Number,
        /// First disproof number.
        dn: Number,
    },
}

impl<S> Known<S> {
    /// The result, if it is solved.
    pub fn solved(self) -> Option<Solved<S>> {
        match self {
            Known::Solved(solved) => Some(solved),
            Known::Visited { .. } | Known::New { .. } => None,
        }
    }
}

/// What is known of a position, for proofs of at most `plies` plies.
pub fn known<P: Problem>(problem: &mut P, table: &Table, plies: Plies) -> Known<P::Stock> {
    match table.lookup(problem.key(), problem.stock(), plies) {
        Lookup::Solved(solved) => Known::Solved(solved),
        entry => look(problem, entry, plies),
    }
}

/// The same where the game's look may take long, and has to end when `pulse` says so.
pub(crate) fn known_in_time<P: Problem>(
    problem: &mut P,
    table: &Table,
    plies: Plies,
    pulse: &Pulse,
) -> Result<Known<P::Stock>, Interrupted> {
    match table.lookup(problem.key(), problem.stock(), plies) {
        Lookup::Solved(solved) => Ok(Known::Solved(solved)),
        entry => {
            pulse.check()?;
            problem.prepare(pulse)?;
            Ok(look(problem, entry, plies))
        }
    }
}

/// The game's own look at a position that is not solved in the table.
fn look<P: Problem>(problem: &mut P, entry: Lookup<P::Stock>, plies: Plies) -> Known<P::Stock> {
    let evaluation = problem.evaluate();
    let solved = Solved::seen(evaluation, !problem.prunes());
    match (solved.filter(|solved| solved.holds_for(problem.stock(), plies)), entry, evaluation) {
        (Some(solved), ..) => Known::Solved(solved),
        (None, Lookup::Open(open), _) => Known::Visited { pn: open.pn, dn: open.dn },
        (None, _, Evaluation::Open { pn, dn, .. }) => Known::New { pn, dn },
        // Solved, but in more plies than were asked for.
        (None, _, Evaluation::Solved { .. }) => Known::New { pn: 1, dn: 1 },
    }
}
