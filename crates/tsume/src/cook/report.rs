//! What a check has found out, and the statements in it that can be certified.

use std::time::Duration;

use andor::{Claim, Plies, Reason, Rules, Value};
use yomikiri_shogi::{Hand, Move};

use super::finding::{Asides, EqualDefence, Finding, FindingKind, OtherLines};
use super::turn;
use crate::answer::Answer;
use crate::tsume::Tsume;

/// The result of a check.
#[derive(Clone, Debug)]
pub struct CookReport {
    /// The problem solved.
    pub answer: Answer,
    /// The line that was examined: the one given, or of our own one with the fewest flaws.
    pub line: Vec<Move>,
    /// What was found beside it.
    pub findings: Vec<Finding>,
    /// Other replies that last as long as those of the line (変同).
    pub equal_defences: Vec<EqualDefence>,
    /// Moves that were not decided within the limits, with the ply.
    pub undecided: Vec<(usize, Move)>,
    /// Why the check was ended before the line was examined to its end, or other lines of its length
    /// where that matters, if it was.
    pub ended: Option<Reason>,
    /// The other lines of the same length. None where it is no matter: the line has no flaw, or it
    /// was given.
    pub other_lines: Option<OtherLines>,
    /// What the attacker may play otherwise in the variations, if that was asked for.
    pub asides: Option<Asides>,
    /// Is the solution shorter than the author has in mind?
    pub early: bool,
    /// What the attacker holds at the end of the line (駒余り).
    pub left_over: Hand,
    /// Is that a flaw? None if it was not found out. Where interpositions in vain count it is none:
    /// what they give away is left over nearly everywhere.
    pub surplus: Option<bool>,
    /// Nodes searched.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
    pub(super) refuted: Vec<(usize, Move)>,
}

impl CookReport {
    /// Is the check of the line complete: the exact length known, and every question decided? What
    /// stays open at the last move, where other mates are permitted, and in variations is no matter.
    pub fn is_complete(&self) -> bool {
        self.all_moves_are_decided() && self.surplus.is_some()
    }

    pub(super) fn all_moves_are_decided(&self) -> bool {
        let solved = self.answer.solution.as_ref().is_some_and(|solution| solution.exact);
        solved && self.ended.is_none() && self.open() == 0
    }

    /// How many moves were not decided that matter: other mates at the last move are permitted.
    pub fn open(&self) -> usize {
        let matters = |&&(ply, _): &&(usize, Move)| {
            !turn::is_permitted(ply, self.line.len().saturating_sub(ply))
        };
        self.undecided.iter().filter(matters).count()
    }

    /// The moves that make the problem unsound. It is so, too, if it ends [early](Self::early) or
    /// leaves a [surplus](Self::surplus).
    pub fn flaws(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.kind.is_serious())
    }

    /// How many flaws there are, of every kind.
    pub fn flaw_count(&self) -> usize {
        let surplus = self.surplus == Some(true);
        self.flaws().count() + usize::from(self.early) + usize::from(surplus)
    }

    /// Is it certain that the problem has one solution, and no flaw?
    pub fn is_sound(&self) -> bool {
        self.is_complete() && self.flaw_count() == 0
    }

    /// All that the report says, as statements to be certified: the solution, that each finding
    /// mates, that no other move at the attacker's turns on the line does, that the defender lasts
    /// longer or escapes where a finding says so, that other replies last as long, and that each
    /// finding in a variation mates.
    pub fn claims(&self) -> Vec<Claim<Tsume>> {
        let mut claims = self.answer.claims();
        let mut at = self.answer.problem.clone();
        for ply in 0..self.line.len() {
            for longer in self.findings.iter().filter(|found| found.ply == ply) {
                let lasts = longer.kind == FindingKind::LongerDefence && longer.exact;
                if let Some(shorter) = longer.length.checked_sub(2).filter(|_| lasts) {
                    let plies = Plies::at_most(shorter);
                    claims.push(Claim::new(at.clone(), Value::Disproven, plies));
                }
            }
            let found = self.findings.iter().filter(|found| found.ply == ply);
            claims.extend(found.map(|found| found.claim(&at)));
            let mut add = |m: Move, plies| claims.push(not_within(&at, m, plies));
            for equal in self.equal_defences.iter().filter(|equal| equal.ply == ply) {
                if let Some(shorter) = equal.length.checked_sub(3) {
                    add(equal.m, Plies::at_most(shorter));
                }
            }
            for &(_, m) in self.refuted.iter().filter(|refuted| refuted.0 == ply) {
                add(m, Plies::UNBOUNDED);
            }
            at.play(self.line[ply]);
        }
        for aside in self.asides.iter().flat_map(|asides| &asides.findings) {
            let mut at = self.answer.problem.clone();
            for &m in &aside.path {
                at.play(m);
            }
            claims.push(aside.finding.claim(&at));
        }
        claims
    }
}

/// There is no mate within so many plies after a move.
fn not_within(at: &Tsume, m: Move, plies: Plies) -> Claim<Tsume> {
    let mut problem = at.clone();
    problem.play(m);
    Claim::new(problem, Value::Disproven, plies)
}
