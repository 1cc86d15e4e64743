//! What a search left in its table, explained: the line that it holds for likely, what it knows of each
//! move, and the defence that holds out longest. The line of a solution is `solution_line`'s.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt;

use andor::table::Lookup;
use andor::{Known, NodeKind, Plies, Problem, Stock, Table, Value, known};
use yomikiri_question::display::number;

/// The moves that look best to both sides, as far as the table knows.
pub fn expected_line<P: Problem>(problem: &P, table: &Table) -> Vec<P::Move> {
    /// A longer line tells nobody anything.
    const MOST: usize = 30;
    let mut problem = problem.clone();
    let (mut line, mut moves, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    while line.len() < MOST && problem.terminal().is_none() {
        if !seen.insert((problem.identity(), problem.stock().pack())) {
            break;
        }
        moves.clear();
        problem.legal_moves(&mut moves);
        let kind = problem.kind();
        let numbers = moves.iter().filter_map(|&m| {
            let (key, stock) = problem.key_after(m);
            let (pn, dn) = match table.lookup(key, stock, Plies::UNBOUNDED) {
                Lookup::Open(open) => (open.pn, open.dn),
                Lookup::Solved(solved) if solved.value == Value::Proven => (0, u32::MAX),
                Lookup::Solved(_) => (u32::MAX, 0),
                Lookup::Missing => return None,
            };
            Some((m, if kind == NodeKind::Or { pn } else { dn }))
        });
        let Some((best, _)) = numbers.min_by_key(|&(_, number)| number) else { break };
        problem.play(best);
        line.push(best);
    }
    line
}

/// What is known of a position and of every move from it, for proofs of at most `plies` plies: a line
/// of text each, the most promising for the side to move first.
pub fn describe<P: Problem>(problem: &P, table: &Table, plies: Plies) -> Vec<String> {
    let side = match problem.kind() {
        NodeKind::Or => "attacker",
        NodeKind::And => "defender",
    };
    let here = known(&mut problem.clone(), table, plies);
    let mut lines = vec![format!("{side} to move: {}", Told(here))];
    let mut moves = moves(problem, table, plies.one_less());
    match problem.kind() {
        NodeKind::Or => moves.sort_by_key(|&(_, known)| comfort(known)),
        NodeKind::And => moves.sort_by_key(|&(_, known)| Reverse(comfort(known))),
    }
    let told = |(m, known)| format!("{:<6}{}", problem.describe_move(m), Told(known));
    lines.extend(moves.into_iter().map(told));
    if lines.len() == 1 {
        lines.push("no moves".into());
    }
    lines
}

/// The defender's move that holds out best, as far as is known; none if he has no move. Where the rules
/// call it over, any move will do.
pub fn best_defence<P: Problem>(problem: &P, table: &Table) -> Option<P::Move> {
    let known = moves(problem, table, Plies::UNBOUNDED);
    // Of equals the first, so that it is the same every time.
    let best = known.into_iter().rev().max_by_key(|&(_, known)| comfort(known));
    best.map(|(m, _)| m).or_else(|| {
        let mut moves = Vec::new();
        problem.legal_moves(&mut moves);
        moves.first().copied()
    })
}

/// The legal moves, with what is known of the position after each.
fn moves<P: Problem>(problem: &P, table: &Table, plies: Plies) -> Vec<(P::Move, Known<P::Stock>)> {
    let mut problem = problem.clone();
    let mut moves = Vec::new();
    if problem.terminal().is_none() {
        problem.legal_moves(&mut moves);
    }
    let with_known = moves.into_iter().map(|m| {
        let undo = problem.play(m);
        let known = known(&mut problem, table, plies);
        problem.undo(m, undo);
        (m, known)
    });
    with_known.collect()
}

/// How well a position suits the defender: best where there is no proof, or else where it is hardest
/// to find, or longest.
fn comfort<S>(known: Known<S>) -> (u8, u32) {
    let longer = |plies: Plies| plies.bounded().map_or(u32::MAX, u32::from);
    match known {
        Known::Solved(solved) => match solved.value {
            Value::Disproven => (2, longer(solved.plies)),
            Value::Proven => (0, longer(solved.plies)),
        },
        Known::Visited { pn, .. } | Known::New { pn, .. } => (1, pn),
    }
}

/// What is known of a position, in words.
struct Told<S>(Known<S>);

impl<S> fmt::Display for Told<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Known::Solved(solved) => match (solved.value, solved.plies.bounded()) {
                (Value::Proven, _) => write!(f, "pn 0 dn ∞ mate within {}", solved.plies),
                (Value::Disproven, None) => write!(f, "pn ∞ dn 0 no mate"),
                (Value::Disproven, Some(plies)) => write!(f, "pn ∞ dn 0 no mate within {plies}"),
            },
            Known::Visited { pn, dn } => write!(f, "pn {} dn {}", number(*pn), number(*dn)),
            Known::New { pn, dn } => {
                write!(f, "pn {} dn {} not visited", number(*pn), number(*dn))
            }
        }
    }
}
