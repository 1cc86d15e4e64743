//! Is a position a sound problem? Every line of best play is walked.

use std::collections::HashSet;

use andor::{Plies, Rules, Solved, Value};
use yomikiri_shogi::Move;

use crate::answer::Phase;
use crate::ask::{self, Asker, length};
use crate::line;
use crate::stock::AttackersHand;
use crate::tsume::Tsume;

/// More positions than this on the lines of best play are too many.
const WIDEST: usize = 96;

/// A sound problem's solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sound {
    /// Its length in plies.
    pub length: u16,
    /// A line of best play.
    pub line: Vec<Move>,
}

/// Examines positions one after the other.
pub(super) struct Examiner<'a, 't> {
    asker: Asker<'a, 't>,
    moves: Vec<Move>,
    /// Was the last examination given up?
    pub is_undecided: bool,
    /// Positions about which the answers contradict each other. There should be none.
    pub contradictions: Vec<String>,
}

impl<'a, 't> Examiner<'a, 't> {
    pub fn new(mut asker: Asker<'a, 't>) -> Self {
        asker.phase = Phase::Line;
        Examiner { asker, moves: Vec::new(), is_undecided: false, contradictions: Vec::new() }
    }

    /// Asks with at most so many nodes for a question from now on.
    pub fn set_nodes(&mut self, nodes: u64) {
        self.asker.patience = nodes;
    }

    /// Nodes searched so far.
    pub fn nodes(&self) -> u64 {
        self.asker.nodes()
    }

    /// Does the attacker mate in one way alone: one move at each of his turns, whatever the
    /// defender chooses among the replies that last longest, and with nothing left in hand at the
    /// end? `first` is the first move that is hoped for; of several lines of best play the one
    /// that goes along `along` is told.
    pub fn examine(
        &mut self,
        problem: &Tsume,
        first: Option<Move>,
        along: &[Move],
    ) -> Option<Sound> {
        self.is_undecided = false;
        let (m, after, bound) = self.only_mate(problem, first)?;
        let (rest, exact) = ask::shortest(&mut self.asker, &after, bound);
        self.asker.phase = Phase::Line;
        if !exact {
            self.is_undecided = true;
            return None;
        }
        let length = rest.checked_add(1)?;
        let mut sound = Sound { length, line: vec![m] };
        let mut seen = HashSet::new();
        // Positions after the attacker's only move, with the plies left to the mate.
        let mut open = vec![(after, rest, true)];
        while let Some((at, left, is_main)) = open.pop() {
            let mut moves = std::mem::take(&mut self.moves);
            let is_mate = line::is_mate(&at, &mut moves);
            let longest = if is_mate { Some(Vec::new()) } else { self.longest(&at, &moves, left) };
            self.moves = moves;
            let longest = longest?;
            if is_mate || longest.is_empty() {
                if is_mate != (left == 0) {
                    self.contradictions.push(problem.position().to_string());
                    return None;
                }
                if !at.attackers_hand().is_empty() {
                    return None;
                }
                continue;
            }
            let hoped = along.get(sound.line.len()).filter(|_| is_main);
            let main = hoped.filter(|m| longest.contains(m)).or(longest.first()).copied();
            let mut next = None;
            for reply in longest {
                let mut child = at.clone();
                child.play(reply);
                if !seen.insert((child.identity(), child.stock())) {
                    continue;
                }
                let (m, after, _) = self.only_mate(&child, None)?;
                let is_main = is_main && Some(reply) == main;
                let node = (after, left.checked_sub(2)?, is_main);
                if is_main {
                    sound.line.extend([reply, m]);
                    next = Some(node);
                } else {
                    open.push(node);
                }
            }
            open.extend(next);
            if seen.len() > WIDEST {
                self.is_undecided = true;
                return None;
            }
        }
        if sound.line.len() != usize::from(length) {
            self.contradictions.push(problem.position().to_string());
            return None;
        }
        Some(sound)
    }

    fn ask(&mut self, problem: &Tsume, plies: Plies) -> Option<Solved<AttackersHand>> {
        let answer = self.asker.ask(problem, plies);
        self.is_undecided |= answer.is_none();
        answer
    }

    /// The attacker's only check that mates, if there is just one; the position after it, and a
    /// bound on the plies to the mate.
    fn only_mate(&mut self, at: &Tsume, first: Option<Move>) -> Option<(Move, Tsume, u16)> {
        let mut moves = Vec::new();
        at.legal_moves(&mut moves);
        if let Some(first) = first {
            let place = moves.iter().position(|&m| m == first)?;
            moves.swap(0, place);
        }
        let mut found = None;
        for m in moves {
            let mut child = at.clone();
            child.play(m);
            let solved = self.ask(&child, Plies::UNBOUNDED)?;
            match solved.value {
                Value::Proven if found.is_some() => return None,
                Value::Proven => found = Some((m, child, length(solved))),
                Value::Disproven if first == Some(m) => return None,
                Value::Disproven => {}
            }
        }
        found
    }

    /// The replies after which it takes all of the plies that are left. None if that is not found
    /// out.
    fn longest(&mut self, at: &Tsume, moves: &[Move], left: u16) -> Option<Vec<Move>> {
        let mut longest = Vec::new();
        for &m in moves {
            let Some(shorter) = left.checked_sub(3) else {
                longest.push(m);
                continue;
            };
            let mut child = at.clone();
            child.play(m);
            if self.ask(&child, Plies::at_most(shorter))?.value == Value::Disproven {
                longest.push(m);
            }
        }
        Some(longest)
    }
}

#[cfg(test)]
mod tests {
    use andor::{Limits, Stop, Table};
    use yomikiri_shogi::{Color, Position};

    use super::*;
    use crate::mate::Mate;

    fn position(sfen: &str) -> Position {
        Position::from_sfen(sfen).expect("the test's SFEN is right")
    }

    #[test]
    fn unsound_positions_are_refused() {
        let table = Table::new(1 << 20).expect("memory");
        let asker = Mate::new(&table).asker(Limits::default(), &Stop::new(), None);
        let mut examiner = Examiner::new(asker);
        examiner.set_nodes(10_000);
        let mut examine = |sfen: &str| {
            let problem = Tsume::with_attacker(position(sfen), Color::Black);
            examiner.examine(&problem, None, &[]).map(|sound| sound.length)
        };
        let cases = [
            ("one mate", "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", Some(1)),
            ("two mates", "8k/9/7+P1/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", None),
            ("a gold left", "4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1", None),
            ("no mate", "4k4/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1", None),
            ("three plies", "7kg/9/6+P2/9/9/9/9/9/8+R b r2b3g4s4n4l17p 1", Some(3)),
        ];
        for (name, sfen, length) in cases {
            assert_eq!(examine(sfen), length, "{name}");
        }
    }
}
