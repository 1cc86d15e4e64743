//! The first move of a solution, read from what a search left in its table.

use andor::table::Lookup;
use andor::{Evaluation, Mirror, Plies, Problem, Repetition, Table, Value};

/// How people write the first move of the solution, if the side that has it is to move and the
/// table still knows. `plies` is the bound on the length that was asked for.
pub fn first_move<P: Problem>(
    problem: &P,
    value: Value,
    plies: Plies,
    table: &Table,
) -> Option<String> {
    if P::REPETITION_MAY_FAVOUR_ATTACKER && problem.repetition() == Repetition::FavoursAttacker {
        find(&mut Mirror(problem.clone()), value.other(), plies, table)
    } else {
        find(&mut problem.clone(), value, plies, table)
    }
}

fn find<P: Problem>(problem: &mut P, value: Value, plies: Plies, table: &Table) -> Option<String> {
    if problem.terminal().is_some() || problem.kind().goal() != value {
        return None;
    }
    if plies == Plies::NONE {
        return None;
    }
    let left = plies.one_less();
    let mut moves = Vec::new();
    problem.legal_moves(&mut moves);
    let best = moves.into_iter().filter_map(|m| {
        let undo = problem.play(m);
        let length = length(problem, value, left, table);
        problem.undo(m, undo);
        Some((length?, m))
    });
    let (_, best) = best.min_by_key(|&(length, _)| length)?;
    Some(problem.describe_move(best))
}

/// The plies within which a position is known to have the value; 0 for a disproof.
fn length<P: Problem>(
    position: &mut P,
    value: Value,
    plies: Plies,
    table: &Table,
) -> Option<Plies> {
    let (found, within) = match table.lookup(position.key(), position.stock(), plies) {
        Lookup::Solved(solved) => (solved.value, solved.plies),
        _ => match position.evaluate() {
            Evaluation::Solved { value, plies, .. } => (value, plies),
            Evaluation::Open { .. } => return None,
        },
    };
    match value {
        _ if found != value => None,
        Value::Proven => (within <= plies).then_some(within),
        Value::Disproven => Some(Plies::NONE),
    }
}
