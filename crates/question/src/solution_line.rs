//! The moves of a solution, read from what a search left in its table.

use std::collections::HashSet;

use andor::shortest::Bounds;
use andor::table::Lookup;
use andor::{Evaluation, Mirror, NodeKind, Plies, Problem, Repetition, Stock, Table, Value};

/// A longer line tells nobody anything.
const MOST: usize = 100;

/// Positions that are looked at for the moves after the first because the table does not know them.
/// A look can be dear (Hex on a large board).
const LOOKS: usize = 400;

/// A line of play from the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The moves, as the game writes them.
    pub moves: Vec<String>,
    /// Does it end with the game? It does not where the table has forgotten the rest, or where a
    /// position comes again.
    pub is_complete: bool,
    /// Does the side that has the solution begin?
    pub is_solver_first: bool,
}

/// The line of a solution: the side that has it plays what the table knows to keep it, the shortest
/// first, and the other side what lasts longest. `plies` is the bound that was asked for.
pub fn line<P: Problem>(problem: &P, value: Value, plies: Plies, table: &Table) -> Line {
    if P::REPETITION_MAY_FAVOUR_ATTACKER && problem.repetition() == Repetition::FavoursAttacker {
        follow(&mut Mirror(problem.clone()), value.other(), plies, table)
    } else {
        follow(&mut problem.clone(), value, plies, table)
    }
}

/// The line that comes with the bounds of a proof's length.
pub fn of_bounds<P: Problem>(problem: &P, bounds: &Bounds<P::Move>) -> Line {
    let mut at = problem.clone();
    let moves = bounds.line.moves.iter().map(|&m| {
        let name = at.describe_move(m);
        at.play(m);
        name
    });
    Line {
        moves: moves.collect(),
        is_complete: bounds.line.complete,
        is_solver_first: problem.kind() == NodeKind::Or,
    }
}

fn follow<P: Problem>(problem: &mut P, value: Value, mut plies: Plies, table: &Table) -> Line {
    let is_solver_first = problem.kind().goal() == value;
    let mut line = Line { is_solver_first, ..Line::default() };
    let (mut seen, mut looks) = (HashSet::new(), LOOKS);
    while line.moves.len() < MOST {
        if is_over(problem) {
            line.is_complete = true;
            break;
        }
        if plies == Plies::NONE || !seen.insert((problem.identity(), Stock::pack(problem.stock())))
        {
            break;
        }
        plies = plies.one_less();
        let first = line.moves.is_empty() && is_solver_first;
        let m = match first {
            true => best(problem, value, plies, table),
            false => next(problem, value, plies, table, &mut looks),
        };
        let Some(m) = m else { break };
        line.moves.push(problem.describe_move(m));
        problem.play(m);
    }
    line
}

/// Is the game over? Who cannot move has lost.
fn is_over<P: Problem>(problem: &P) -> bool {
    let mut moves = Vec::new();
    problem.legal_moves(&mut moves);
    moves.is_empty() || problem.terminal().is_some()
}

/// The move after which the value is reached soonest, of all that are known to keep it.
fn best<P: Problem>(problem: &mut P, value: Value, plies: Plies, table: &Table) -> Option<P::Move> {
    let known = children(problem, |child| {
        known(child, value, plies, table).or_else(|| seen(child, value, plies))
    });
    known.into_iter().min_by_key(|&(length, _)| length).map(|(_, m)| m)
}

/// The same for whoever is to move, by the table alone if it knows a move: the shortest way for the
/// side that has the solution, the longest for the other.
fn next<P: Problem>(
    problem: &mut P,
    value: Value,
    plies: Plies,
    table: &Table,
    looks: &mut usize,
) -> Option<P::Move> {
    let is_solver = problem.kind().goal() == value;
    let stored = children(problem, |child| known(child, value, plies, table)).into_iter();
    let stored = match is_solver {
        true => stored.min_by_key(|&(length, _)| length),
        false => stored.max_by_key(|&(length, _)| length),
    };
    let mut found = false;
    stored.map(|(_, m)| m).or_else(|| {
        let looked = children(problem, |child| {
            if found || *looks == 0 {
                return None;
            }
            *looks -= 1;
            let length = seen(child, value, plies);
            found = length.is_some();
            length
        });
        looked.first().map(|&(_, m)| m)
    })
}

/// The legal moves with what `judge` says of the positions after them, where it says anything.
fn children<P: Problem>(
    problem: &mut P,
    mut judge: impl FnMut(&mut P) -> Option<Plies>,
) -> Vec<(Plies, P::Move)> {
    let mut moves = Vec::new();
    problem.legal_moves(&mut moves);
    let judged = moves.into_iter().filter_map(|m| {
        let undo = problem.play(m);
        let length = judge(problem);
        problem.undo(m, undo);
        Some((length?, m))
    });
    judged.collect()
}

/// The plies within which the table knows a position to have the value; none for a disproof.
fn known<P: Problem>(position: &mut P, value: Value, plies: Plies, table: &Table) -> Option<Plies> {
    match table.lookup(position.key(), position.stock(), plies) {
        Lookup::Solved(solved) => within(solved.value, solved.plies, value, plies),
        _ => None,
    }
}

/// The same by a look at the position.
fn seen<P: Problem>(position: &mut P, value: Value, plies: Plies) -> Option<Plies> {
    match position.evaluate() {
        Evaluation::Solved { value: found, plies: length, .. } => {
            within(found, length, value, plies)
        }
        Evaluation::Open { .. } => None,
    }
}

fn within(found: Value, length: Plies, value: Value, plies: Plies) -> Option<Plies> {
    match value {
        _ if found != value => None,
        Value::Proven => (length <= plies).then_some(length),
        Value::Disproven => Some(Plies::NONE),
    }
}
