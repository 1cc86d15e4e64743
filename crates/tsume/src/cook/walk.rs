//! A line walked down to its mate: what else the attacker may play at each of his turns, and what
//! else the defender may.
//!
//! # Lines of the same length
//!
//! Where several replies last equally long (変同) there are as many lines, and any of them may be the
//! one that the author has in mind. A problem is sound if one of them has no flaw. So where the line
//! that was walked has flaws, the others are walked as well, nearest to it first, for one that has
//! fewer ([`Walk::fewest_flaws`]). A walk ends where it has as many flaws as the best one, so most
//! are short, and what they ask was mostly asked before. At most [`TURNS`] turns are looked at that
//! no line had before, and [`LINES`] lines. Where these were all, what is said does not depend on
//! which line was taken first.

use std::collections::VecDeque;

use andor::{NodeKind, Reason, Rules};
use yomikiri_shogi::{Hand, Move};

use super::finding::{EqualDefence, Finding, OtherLines};
use super::replies::Reply;
use super::turn::{self, Turn};
use crate::ask::Asker;
use crate::tsume::Tsume;

/// At most so many of the attacker's turns on parts of lines that no other line has.
const TURNS: usize = 200;

/// At most so many other lines.
const LINES: usize = 1000;

/// Walks down lines of a problem.
pub(super) struct Walk<'s, 'a, 't> {
    pub asker: &'s mut Asker<'a, 't>,
    pub problem: &'s Tsume,
    /// Were the lines given? Then they need not be the shortest, nor their replies the longest.
    pub is_given: bool,
    /// Nodes for a question about the last move, where other mates are permitted.
    pub last_move_nodes: u64,
}

/// What was found along a line.
#[derive(Default)]
pub(super) struct Walked {
    pub line: Vec<Move>,
    pub findings: Vec<Finding>,
    pub equal_defences: Vec<EqualDefence>,
    pub refuted: Vec<(usize, Move)>,
    pub undecided: Vec<(usize, Move)>,
    pub ended: Option<Reason>,
    /// So many plies were looked at.
    seen: usize,
    /// May there be replies that last as long, beside those found?
    may_be_more_replies: bool,
}

impl Walked {
    /// How many findings make the problem unsound.
    pub fn flaws(&self) -> usize {
        self.findings.iter().filter(|finding| finding.kind.is_serious()).count()
    }

    /// The lines of the same length that leave this one after so many plies, or later, with where
    /// they leave it; and whether those are all.
    fn others(&self, from: usize) -> (Vec<(Vec<Move>, usize)>, bool) {
        let mut are_all = !self.may_be_more_replies && self.ended.is_none();
        let mut lines = Vec::new();
        for equal in self.equal_defences.iter().filter(|equal| equal.ply >= from) {
            let line = [&self.line[..equal.ply], &equal.line].concat();
            match line.len() == self.line.len() {
                true => lines.push((line, equal.ply)),
                false => are_all = false,
            }
        }
        (lines, are_all)
    }
}

impl Walk<'_, '_, '_> {
    /// Walks down a line, until it has so many flaws. Are its replies the longest by the rules?
    pub fn walk(&mut self, line: Vec<Move>, is_longest: bool, most_flaws: usize) -> Walked {
        let places = turn::places(self.problem, &line);
        let mut walked = Walked { may_be_more_replies: !is_longest, ..Walked::default() };
        let mut at = self.problem.clone();
        for (ply, &played) in line.iter().enumerate() {
            walked.ended = self.asker.reached();
            if walked.ended.is_some() {
                break;
            }
            let left = line.len() - ply;
            match at.kind() {
                NodeKind::Or => {
                    let patience = self.asker.patience;
                    if turn::is_permitted(ply, left) {
                        self.asker.patience = patience.min(self.last_move_nodes);
                    }
                    let is_given = self.is_given;
                    let turn = Turn { at: &at, ply, played, left, places: &places, is_given };
                    let others = turn.other_checks(self.asker);
                    self.asker.patience = patience;
                    walked.findings.extend(others.found);
                    walked.refuted.extend(others.refuted.into_iter().map(|m| (ply, m)));
                    walked.undecided.extend(others.undecided.into_iter().map(|m| (ply, m)));
                }
                NodeKind::And if self.is_given || is_longest => {
                    let Ok(left) = u16::try_from(left) else { continue };
                    let reply = Reply { at: &at, ply, played, left };
                    let others = match self.is_given {
                        true => reply.beside_given(self.asker),
                        false => Ok(reply.equal(self.asker)),
                    };
                    match others {
                        Ok(others) => {
                            walked.findings.extend(others.better);
                            walked.equal_defences.extend(others.equal);
                            walked.may_be_more_replies |= others.is_unclear;
                        }
                        Err(()) => walked.undecided.push((ply, played)),
                    }
                }
                NodeKind::And => {}
            }
            walked.seen = ply + 1;
            if walked.flaws() >= most_flaws {
                break;
            }
            at.play(played);
        }
        walked.line = line;
        walked
    }

    /// Is there another line of the same length that has fewer flaws? Then it takes the place of the
    /// one that was walked.
    pub fn fewest_flaws(&mut self, best: &mut Walked) -> Option<OtherLines> {
        if best.flaws() == 0 {
            return None;
        }
        let mut leaves_nothing = self.left_over(&best.line).is_empty();
        let (lines, mut are_all) = best.others(0);
        let mut open = VecDeque::from(lines);
        let (mut followed, mut turns) = (0, 0);
        while best.flaws() > 0 {
            let Some((line, from)) = open.pop_front() else { break };
            let is_empty = self.left_over(&line).is_empty();
            if leaves_nothing && !is_empty {
                // A variation as any other.
                continue;
            }
            let is_solution = is_empty && !leaves_nothing;
            if followed == LINES || turns >= TURNS || self.asker.reached().is_some() {
                are_all = false;
                break;
            }
            followed += 1;
            let most = if is_solution { usize::MAX } else { best.flaws() };
            let walked = self.walk(line, true, most);
            turns += walked.seen.saturating_sub(from) / 2;
            let (lines, are_all_of_it) = walked.others(from + 1);
            are_all &= are_all_of_it;
            open.extend(lines);
            if walked.ended.is_none() && walked.flaws() < most {
                leaves_nothing = is_empty;
                *best = walked;
            }
        }
        let all = are_all || best.flaws() == 0;
        if !all {
            best.ended = best.ended.or_else(|| self.asker.reached());
        }
        Some(OtherLines { followed, all })
    }

    /// What the attacker holds at the end of a line.
    pub fn left_over(&self, line: &[Move]) -> Hand {
        let mut end = self.problem.clone();
        for &m in line {
            end.play(m);
        }
        end.attackers_hand()
    }
}
