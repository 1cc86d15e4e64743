//! The variations beside a solution, searched for what else the attacker may play there.
//!
//! The solution is more than its line: at each of the defender's turns every other reply has a line
//! of its own, at whose turns of the defender there are others again. They are taken breadth first,
//! so that what is near the solution comes first, and each position of the attacker once, however
//! many lines lead there. In a variation the attacker goes the shortest way, the defender the
//! longest.
//!
//! Which replies are variations is said in [`variations`](crate::variations()): drops on one square
//! are told by one of them, and those for the checking piece to take are passed over, since nearly
//! all of them are futile.
//!
//! There are far more of these turns than on the line. So only so many are looked at, with at most
//! [`NODES`] nodes a question: raised, fewer moves stay open, and one hard move of no great matter
//! takes longer.

use std::collections::{HashSet, VecDeque};

use andor::{NodeKind, Plies, Rules, Value};
use yomikiri_shogi::Move;

use super::finding::{Aside, Asides};
use super::turn::{self, Place, Turn};
use crate::ask::{self, Asker, length};
use crate::line;
use crate::mate;
use crate::tsume::Tsume;
use crate::variations;

/// Nodes for a question about a variation.
const NODES: u64 = 100_000;

/// A line from the problem to a mate, of which the first `from` plies belong to another line.
struct Way {
    moves: Vec<Move>,
    from: usize,
}

/// Looks at the attacker's turns in the variations beside a line that ends in mate, at most at so
/// many of them.
pub(super) fn asides(
    asker: &mut Asker<'_, '_>,
    problem: &Tsume,
    main: &[Move],
    most: usize,
) -> Asides {
    let patience = asker.patience;
    asker.patience = patience.min(NODES);
    let mut search = Search {
        asker,
        problem,
        most,
        seen: turn::places(problem, main).into_keys().collect(),
        ways: VecDeque::from([Way { moves: main.to_vec(), from: 0 }]),
        found: Asides { complete: true, ..Asides::default() },
    };
    while let Some(way) = search.ways.pop_front() {
        if !search.walk(&way) {
            search.found.complete = false;
            break;
        }
    }
    let found = search.found;
    asker.patience = patience;
    found
}

struct Search<'s, 'a, 't> {
    asker: &'s mut Asker<'a, 't>,
    problem: &'s Tsume,
    most: usize,
    /// The attacker's positions looked at already, or on the solution.
    seen: HashSet<Place>,
    ways: VecDeque<Way>,
    found: Asides,
}

impl Search<'_, '_, '_> {
    /// Looks at the variations that leave a line on its own part. False if that has to end.
    fn walk(&mut self, way: &Way) -> bool {
        let mut at = self.problem.clone();
        let mut moves = Vec::new();
        for (ply, &played) in way.moves.iter().enumerate() {
            if line::is_mate(&at, &mut moves) || !moves.contains(&played) {
                break;
            }
            if ply >= way.from && at.kind() == NodeKind::And {
                for (reply, _) in variations::groups(&at, &moves, played, false) {
                    let path = [&way.moves[..ply], &[reply]].concat();
                    let mut child = at.clone();
                    child.play(reply);
                    if !self.seen.contains(&turn::place(&child)) && !self.follow(path, child) {
                        return false;
                    }
                }
            }
            at.play(played);
        }
        true
    }

    /// Follows a variation to its mate. False if that has to end.
    fn follow(&mut self, path: Vec<Move>, child: Tsume) -> bool {
        if self.found.turns >= self.most || self.asker.reached().is_some() {
            return false;
        }
        let proof = match self.asker.ask(&child, Plies::UNBOUNDED) {
            Some(proof) if proof.value == Value::Proven => proof,
            // An escape from a line that was given: that is found on the line.
            Some(_) => return true,
            None => {
                self.found.undecided += 1;
                return true;
            }
        };
        let (plies, exact) = ask::shortest(self.asker, &child, length(proof));
        let rest = mate::solution(self.asker, &child, plies, exact);
        if !rest.complete {
            self.found.undecided += 1;
            return true;
        }
        let from = path.len();
        let mut moves = path;
        moves.extend(rest.shown_line());
        let goes_on = self.turns(&moves, from, child);
        self.ways.push_back(Way { moves, from });
        goes_on
    }

    /// Looks at the attacker's turns of a variation. False if that has to end.
    fn turns(&mut self, moves: &[Move], from: usize, mut at: Tsume) -> bool {
        let places = turn::places(self.problem, moves);
        for (ply, &played) in moves.iter().enumerate().skip(from) {
            if at.kind() == NodeKind::Or && self.seen.insert(turn::place(&at)) {
                if self.found.turns >= self.most || self.asker.reached().is_some() {
                    return false;
                }
                self.found.turns += 1;
                let left = moves.len() - ply;
                let turn = Turn { at: &at, ply, played, left, places: &places, is_given: false };
                let others = turn.other_checks(self.asker);
                self.found.undecided += others.undecided.len();
                let aside = |finding| Aside { path: moves[..ply].to_vec(), finding };
                self.found.findings.extend(others.found.into_iter().map(aside));
            }
            at.play(played);
        }
        true
    }
}
