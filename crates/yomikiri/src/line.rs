//! The line that a search holds for likely, read from its table.

use std::collections::HashSet;

use andor::table::Lookup;
use andor::{NodeKind, Plies, Problem, Rules, Table, Value};

/// A longer line tells nobody anything.
const MOST: usize = 30;

/// The moves that look best to both sides, as far as the table knows.
pub fn expected<P: Problem>(problem: &P, table: &Table) -> Vec<<P as Rules>::Move> {
    let mut problem = problem.clone();
    let (mut line, mut moves, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    while line.len() < MOST && problem.terminal().is_none() {
        if !seen.insert((problem.identity(), andor::Stock::pack(problem.stock()))) {
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
