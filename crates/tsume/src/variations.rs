//! The variations (変化) beside a solution: what happens if the defender replies otherwise.
//!
//! At each of the defender's turns on the line, every other reply gets a line of its own to the
//! mate. Drops on one square are told by one of them, that of the least piece. The result is flat,
//! a list of branches with the ply at which they leave the line, which is how KIF writes them, and
//! no line is too long to copy or to drop.

use std::time::Duration;

use andor::{Limits, NodeKind, Plies, Rules, Stop, Value};
use yomikiri_shogi::{Hand, Move};

use crate::answer::Phase;
use crate::ask::{self, length};

use crate::line;
use crate::mate::{self, Mate};
use crate::tsume::Tsume;

/// How many variations, and when to give up.
#[derive(Clone, Debug)]
pub struct VariationLimits {
    /// At most so many at one turn of the defender, the longest first.
    pub each: usize,
    /// At most so many together.
    pub total: usize,
    /// Also interpositions that the checking piece can take? Most of them are futile.
    pub interpositions: bool,
    /// At most about so many nodes for one question. Where more would be needed, a variation has a
    /// bound for a length.
    pub nodes: Option<u64>,
    /// At most so long for everything.
    pub time: Option<Duration>,
    /// Raised by another thread to end the search.
    pub stop: Stop,
}

impl Default for VariationLimits {
    fn default() -> Self {
        VariationLimits {
            each: 8,
            total: 500,
            interpositions: false,
            nodes: Some(100_000),
            time: None,
            stop: Stop::new(),
        }
    }
}

/// A variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// The number of the defender's move in the line, from 0, that is replaced.
    pub ply: usize,
    /// The other reply, and the moves after it to the mate, without futile interpositions where
    /// these do not count.
    pub line: Vec<Move>,
    /// Does the line go on to the mate?
    pub complete: bool,
    /// From this ply on, it is mate within so many plies by the rules.
    pub length: u16,
    /// Is that the exact length?
    pub exact: bool,
    /// What the attacker holds at the end of the line.
    pub left_over: Hand,
    /// Other drops on the same square that it stands for.
    pub others: Vec<Move>,
}

/// A line with what may happen beside it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Variations {
    /// The line.
    pub line: Vec<Move>,
    /// The variations, in the order of the line, the longest first.
    pub branches: Vec<Branch>,
}

/// Finds the variations of a line that ends in mate. Moves of the line after an illegal one are not
/// looked at.
pub fn variations(
    mate: &Mate<'_>,
    problem: &Tsume,
    line: &[Move],
    limits: &VariationLimits,
) -> Variations {
    let mut asker = mate.asker(Limits { nodes: None, time: limits.time }, &limits.stop, None);
    asker.phase = Phase::Line;
    asker.patience = limits.nodes.unwrap_or(u64::MAX);
    let mut found = Variations { line: line.to_vec(), branches: Vec::new() };
    let mut at = problem.clone();
    let mut moves = Vec::new();
    for (ply, &played) in line.iter().enumerate() {
        let end = line::is_mate(&at, &mut moves) || !moves.contains(&played);
        if end || asker.reached().is_some() || found.branches.len() >= limits.total {
            break;
        }
        if at.kind() == NodeKind::And {
            let mut branches = Vec::new();
            for (m, others) in groups(&at, &moves, played, limits.interpositions) {
                let mut child = at.clone();
                child.play(m);
                let solved = asker.ask(&child, Plies::UNBOUNDED);
                let Some(proof) = solved.filter(|solved| solved.value == Value::Proven) else {
                    continue;
                };
                let (plies, exact) = ask::shortest(&mut asker, &child, length(proof));
                branches.push((m, others, child, plies, exact));
            }
            branches.sort_by_key(|branch| std::cmp::Reverse(branch.3));
            let room = limits.each.min(limits.total - found.branches.len());
            for (m, others, child, plies, exact) in branches.into_iter().take(room) {
                let rest = mate::solution(&mut asker, &child, plies, exact);
                let mut line = vec![m];
                line.extend(rest.shown_line());
                found.branches.push(Branch {
                    ply,
                    line,
                    complete: rest.complete,
                    length: plies.saturating_add(1),
                    exact,
                    left_over: rest.shown_left_over(),
                    others,
                });
            }
        }
        at.play(played);
    }
    found
}

/// The replies but for `played`. Drops on one square go together, and the first stands for the
/// others; but where the line itself has a drop, the choice of the piece matters, and each is told.
pub(crate) fn groups(
    at: &Tsume,
    moves: &[Move],
    played: Move,
    interpositions: bool,
) -> Vec<(Move, Vec<Move>)> {
    let mut found: Vec<(Move, Vec<Move>)> = Vec::new();
    for &m in moves.iter().filter(|&&m| m != played) {
        let choice = played.is_drop() && m.is_drop() && m.to() == played.to();
        let is_same = |other: Move| m.is_drop() && other.is_drop() && m.to() == other.to();
        match found.iter_mut().find(|group| !choice && is_same(group.0)) {
            Some(group) => group.1.push(m),
            None if choice || interpositions || line::taken_at(at, m).is_none() => {
                found.push((m, Vec::new()));
            }
            None => {}
        }
    }
    found
}
