//! One turn of the defender on a line: replies that last as long as that of the line (変同), and if
//! the line was given, one that lasts longer (変長) or escapes (逃れ).

use andor::{Plies, Rules, Solved, Value};
use yomikiri_shogi::Move;

use super::finding::{EqualDefence, Finding, FindingKind};
use crate::answer::Solution;
use crate::ask::{self, Asker, length};
use crate::convention;
use crate::line::{self, Replies};
use crate::mate;
use crate::tsume::Tsume;

/// A turn of the defender.
pub(super) struct Reply<'a> {
    /// The position.
    pub at: &'a Tsume,
    /// After so many plies.
    pub ply: usize,
    /// His move on the line.
    pub played: Move,
    /// So many plies of the line are left.
    pub left: u16,
}

/// What comes of an exact solution that is looked for.
enum Exact {
    Mate(Solution),
    NoMate,
    Unknown,
}

/// What else he may play there.
#[derive(Default)]
pub(super) struct OtherReplies {
    /// It lasts longer than the line given, or escapes.
    pub better: Option<Finding>,
    /// They last as long as that of the line.
    pub equal: Vec<EqualDefence>,
    /// Of some it was not found out whether they last as long.
    pub is_unclear: bool,
}

/// Nodes to find out whether a reply lasts as long as that of the line.
const NODES: u64 = 1 << 14;

impl Reply<'_> {
    /// The replies that last as long as that of a line of best play: it is mate within the plies
    /// that are left. Interpositions for the checking piece to take are among them where they are
    /// seen to gain something.
    pub fn equal(&self, asker: &mut Asker<'_, '_>) -> OtherReplies {
        let Reply { at, ply, played, left } = *self;
        let mut others = OtherReplies::default();
        let mut moves = Vec::new();
        if line::is_mate(at, &mut moves) {
            return others;
        }
        let mut replies = Replies::new(at, &moves, left);
        let mut next = 0;
        while let Some(&(m, _)) = replies.list.get(next) {
            let i = next;
            next += 1;
            if m == played {
                continue;
            }
            match replies.lasts(asker, at, i, left - 1, NODES) {
                Some(true) => {}
                Some(false) => continue,
                None => {
                    others.is_unclear = true;
                    continue;
                }
            }
            if i >= replies.plain && !convention::is_needed(asker, at, left, m.to()) {
                next = replies.end_of_group(i);
                continue;
            }
            let mut child = at.clone();
            child.play(m);
            let rest = mate::solution(asker, &child, left - 1, true);
            if rest.shown_length() < left - 1 {
                continue;
            }
            let line = [&[m], rest.shown_line()].concat();
            let surplus = rest.always_left_over;
            others.equal.push(EqualDefence { ply, m, length: left, line, surplus });
        }
        others
    }

    /// Of a line that was given: can the defender last for more than the plies that are left of it,
    /// and not by futile interpositions alone, or for as many? `Err` if that was not found out.
    pub fn beside_given(&self, asker: &mut Asker<'_, '_>) -> Result<OtherReplies, ()> {
        match asker.ask(self.at, Plies::at_most(self.left)).ok_or(())?.value {
            Value::Proven => Ok(self.equal(asker)),
            Value::Disproven => {
                let better = self.better(asker)?;
                Ok(OtherReplies { better, ..OtherReplies::default() })
            }
        }
    }

    /// The reply that lasts longer than the plies that are left, or escapes.
    fn better(&self, asker: &mut Asker<'_, '_>) -> Result<Option<Finding>, ()> {
        let Reply { at, ply, played, left } = *self;
        let best = match solve(asker, at) {
            Exact::Mate(best) => best,
            Exact::NoMate => return self.escape(asker),
            Exact::Unknown => return Err(()),
        };
        let Some(&m) = best.shown_line().first().filter(|_| best.shown_length() > left) else {
            return Ok(None);
        };
        if m == played {
            // It is a later reply that is at fault.
            return Ok(None);
        }
        let mut child = at.clone();
        child.play(played);
        match solve(asker, &child) {
            Exact::Mate(given) if given.shown_length() + 1 < best.shown_length() => {
                let kind = FindingKind::LongerDefence;
                let line = best.shown_line().to_vec();
                let Solution { length, exact, .. } = best;
                Ok(Some(Finding { ply, m, kind, length, exact, line }))
            }
            Exact::Unknown => Err(()),
            _ => Ok(None),
        }
    }

    /// There is no mate here: a reply beside the line that shows it. Where there is none, a later
    /// reply is at fault.
    fn escape(&self, asker: &mut Asker<'_, '_>) -> Result<Option<Finding>, ()> {
        let Reply { at, ply, played, .. } = *self;
        let mut moves = Vec::new();
        at.legal_moves(&mut moves);
        let mut is_open = false;
        for &m in moves.iter().filter(|&&m| m != played) {
            let mut child = at.clone();
            child.play(m);
            match asker.ask(&child, Plies::UNBOUNDED) {
                Some(Solved { value: Value::Disproven, .. }) => {
                    let kind = FindingKind::Escape;
                    let line = vec![m];
                    return Ok(Some(Finding { ply, m, kind, length: 0, exact: false, line }));
                }
                Some(_) => {}
                None => is_open = true,
            }
        }
        if is_open { Err(()) } else { Ok(None) }
    }
}

/// The exact solution from a position of the line.
fn solve(asker: &mut Asker<'_, '_>, at: &Tsume) -> Exact {
    let Some(solved) = asker.ask(at, Plies::UNBOUNDED) else { return Exact::Unknown };
    if solved.value == Value::Disproven {
        return Exact::NoMate;
    }
    let (length, exact) = ask::shortest(asker, at, length(solved));
    let found = mate::solution(asker, at, length, exact);
    if found.exact && found.complete { Exact::Mate(found) } else { Exact::Unknown }
}
