//! What the table knows of a position: for `matedebug`, and for a defender who has to choose.

use andor::table::Lookup;
use andor::{Evaluation, Plies, Problem, Rules, Table, Value};
use yomikiri_shogi::Move;
use yomikiri_tsume::Tsume;

use crate::display::number;

/// What is known of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// Solved: by the table or at a glance.
    Solved(Value, Plies),
    /// Numbers of an earlier visit.
    Open(u32, u32),
    /// The game's first numbers: the search has not been there, or has forgotten.
    First(u32, u32),
}

impl Known {
    fn of(problem: &mut Tsume, table: Option<&Table>, plies: Plies) -> Known {
        match table.map(|table| table.lookup(problem.key(), problem.stock(), plies)) {
            Some(Lookup::Solved(solved)) => return Known::Solved(solved.value, solved.plies),
            Some(Lookup::Open(open)) => return Known::Open(open.pn, open.dn),
            Some(Lookup::Missing) | None => {}
        }
        match problem.evaluate() {
            Evaluation::Solved { value, plies, .. } => Known::Solved(value, plies),
            Evaluation::Open { pn, dn, .. } => Known::First(pn, dn),
        }
    }

    /// How gladly the defender goes there: to where there is no mate, or else to where it is
    /// hardest to find.
    fn comfort(self) -> (u8, u32) {
        match self {
            Known::Solved(Value::Disproven, within) => {
                (2, within.bounded().map_or(u32::MAX, u32::from))
            }
            Known::Open(pn, _) | Known::First(pn, _) => (1, pn),
            Known::Solved(Value::Proven, within) => {
                (0, within.bounded().map_or(u32::MAX, u32::from))
            }
        }
    }
}

impl std::fmt::Display for Known {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Known::Solved(Value::Proven, plies) => write!(f, "pn 0 dn ∞ mate within {plies}"),
            Known::Solved(Value::Disproven, Plies::UNBOUNDED) => write!(f, "pn ∞ dn 0 no mate"),
            Known::Solved(Value::Disproven, plies) => write!(f, "pn ∞ dn 0 no mate within {plies}"),
            Known::Open(pn, dn) => write!(f, "pn {} dn {}", number(pn), number(dn)),
            Known::First(pn, dn) => write!(f, "pn {} dn {} not visited", number(pn), number(dn)),
        }
    }
}

fn children(problem: &Tsume, table: Option<&Table>, plies: Plies) -> Vec<(Move, Known)> {
    let mut problem = problem.clone();
    let mut moves = Vec::new();
    if problem.terminal().is_none() {
        problem.legal_moves(&mut moves);
    }
    let known = moves.into_iter().map(|m| {
        let undo = problem.play(m);
        let known = Known::of(&mut problem, table, plies);
        problem.undo(m, undo);
        (m, known)
    });
    known.collect()
}

/// What is known of a position and of every move from it, for proofs of at most `plies` plies.
pub fn describe(problem: &Tsume, table: &Table, plies: Plies) -> Vec<String> {
    let side =
        if problem.position().turn() == problem.attacker() { "attacker" } else { "defender" };
    let known = Known::of(&mut problem.clone(), Some(table), plies);
    let mut lines = vec![format!("{}", problem.position()), format!("{side} to move: {known}")];
    let mut children = children(problem, Some(table), plies.one_less());
    // The most promising for the side to move first.
    children.sort_by_key(|&(_, known)| match (side, known.comfort()) {
        ("attacker", (a, b)) => (i64::from(a), i64::from(b)),
        (_, (a, b)) => (-i64::from(a), -i64::from(b)),
    });
    lines.extend(children.iter().map(|(m, known)| format!("{:<6}{known}", m.to_string())));
    if children.is_empty() {
        lines.push("no moves".into());
    }
    lines
}

/// The defender's move that holds out best, as far as is known; none if he is mated.
pub fn best_defence(problem: &Tsume, table: Option<&Table>) -> Option<Move> {
    let mut moves = Vec::new();
    problem.legal_moves(&mut moves);
    let known = children(problem, table, Plies::UNBOUNDED);
    // Of equals the first, so that it is the same every time.
    let best = known.into_iter().rev().max_by_key(|&(_, known)| known.comfort());
    best.map(|(m, _)| m).or_else(|| moves.first().copied())
}
