//! One family of problems: a first one, longer ones by backward play, and the one that is kept.

use std::collections::{BTreeMap, HashSet};

use andor::table::SizeError;
use andor::{Rules, SplitMix64, Stop};
use yomikiri_shogi::{Color, Kind, Move, Position};

use super::examine::{Examiner, Sound};
use super::images::canonical;
use super::last_look::{Certified, LastLook, last_look};
use super::plan::Share;
use super::{retract, start};
use crate::tsume::Tsume;

/// Nodes for one question about a problem with a piece less.
const BARE_NODES: u64 = 20_000;
/// So many problems of one length are extended in a family.
const BREADTH: usize = 30;
/// Of one problem so many longer ones are looked for.
const ENOUGH: usize = 6;
/// About so many positions are examined for a family after the first problem.
const EFFORT: u64 = 20_000;
/// So many times in a hundred a position gets one more piece.
const ONE_MORE: usize = 5;
/// Pieces on the board and in the attacker's hand, at most.
const MOST_ON_BOARD: u32 = 20;
const MOST_IN_HAND: u32 = 7;
/// Positions with so many plies to go belong to one problem alone.
const OWN_PLIES: usize = 3;

/// How far the work has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct MakeProgress {
    /// Problems made.
    pub made: usize,
    /// Families begun.
    pub families: u64,
    /// The length of the longest problem of the present family.
    pub length: u16,
    /// Positions examined, in all families.
    pub positions: u64,
    /// Nodes searched for that.
    pub nodes: u64,
}

/// Problems of a family by length.
pub(super) type Family = BTreeMap<u16, Vec<(Position, Sound)>>;

/// The work on one family.
pub(super) struct Work<'w, 'a, 't> {
    pub examiner: Examiner<'a, 't>,
    pub random: SplitMix64,
    /// Nodes for a question.
    pub nodes: u64,
    pub stop: &'w Stop,
    pub watch: &'w mut dyn FnMut(&MakeProgress),
    /// Nodes of the families before.
    pub nodes_before: u64,
    pub progress: &'w mut MakeProgress,
}

impl Work<'_, '_, '_> {
    /// Most positions are refuted with a few nodes; longer problems need more of them.
    fn set_length(&mut self, length: u16) {
        let nodes = self.nodes.saturating_mul(4 + u64::from(length)) / 8;
        self.examiner.set_nodes(nodes.max(1));
    }

    fn examine(
        &mut self,
        position: &Position,
        first: Option<Move>,
        along: &[Move],
    ) -> Option<Sound> {
        let problem = Tsume::with_attacker(position.clone(), Color::Black);
        let found = self.examiner.examine(&problem, first, along);
        self.progress.positions += 1;
        self.progress.nodes = self.nodes_before + self.examiner.nodes();
        if let Some(sound) = &found {
            self.progress.length = self.progress.length.max(sound.length);
        }
        (self.watch)(self.progress);
        found
    }

    /// A problem to begin with.
    fn first(&mut self, longest: u16) -> Option<(Position, Sound)> {
        self.set_length(1);
        while !self.stop.is_raised() {
            let Some(position) = start::attempt(&mut self.random) else { continue };
            let found = self.examine(&position, None, &[]);
            if let Some(sound) = found.filter(|sound| sound.length <= longest) {
                return Some((position, sound));
            }
        }
        None
    }

    /// Problems up to a length.
    pub fn family(&mut self, longest: u16) -> Family {
        let Some((position, sound)) = self.first(longest) else { return Family::new() };
        let mut known = HashSet::from([canonical(&position).to_string()]);
        let mut family = Family::from([(sound.length, vec![(position, sound)])]);
        // What is still to be extended, and how often problems of a length were.
        let mut open = family.clone();
        let mut extended: BTreeMap<u16, usize> = BTreeMap::new();
        let end = self.progress.positions.saturating_add(EFFORT);
        while !family.contains_key(&longest)
            && self.progress.positions < end
            && !self.stop.is_raised()
        {
            let next = open.iter_mut().rev().find(|(length, problems)| {
                let times = extended.get(*length).copied().unwrap_or(0);
                **length < longest && times < BREADTH && !problems.is_empty()
            });
            let Some((&length, problems)) = next else { break };
            let chosen = self.random.below(problems.len());
            let (position, _) = problems.swap_remove(chosen);
            *extended.entry(length).or_default() += 1;
            for (position, sound) in self.extended(&position, length, &mut known) {
                open.entry(sound.length).or_default().push((position.clone(), sound.clone()));
                family.entry(sound.length).or_default().push((position, sound));
            }
        }
        family
    }

    /// Longer problems that come to this one.
    fn extended(
        &mut self,
        position: &Position,
        length: u16,
        known: &mut HashSet<String>,
    ) -> Vec<(Position, Sound)> {
        let mut found = Vec::new();
        let mut candidates = retract::before(position);
        shuffle(&mut self.random, &mut candidates);
        // Most problems of one ply lead nowhere, which is soon seen.
        candidates.truncate(100 + 200 * usize::from(length.min(7)));
        self.set_length(length.saturating_add(2));
        for (mut position, check) in candidates {
            if self.stop.is_raised() || found.len() >= ENOUGH {
                break;
            }
            if self.random.percent(ONE_MORE)
                && let Some(king) = position.king(Color::White)
            {
                let color = if self.random.percent(50) { Color::Black } else { Color::White };
                start::add(&mut position, &mut self.random, color, king);
            }
            let is_small = position.occupied().count() <= MOST_ON_BOARD
                && position.hand(Color::Black).total() <= MOST_IN_HAND;
            if !is_small
                || position.validate().is_err()
                || !known.insert(canonical(&position).to_string())
            {
                continue;
            }
            let longer = self.examine(&position, Some(check), &[]);
            if let Some(sound) = longer.filter(|sound| sound.length > length) {
                found.push((position, sound));
            }
        }
        found
    }

    /// The longest problem of a length that is wanted, without needless pieces and as it is to be
    /// shown.
    pub fn choose(
        &mut self,
        family: &Family,
        shares: &[Share],
        taken: &HashSet<String>,
    ) -> Result<Option<(Position, Certified)>, SizeError> {
        let is_wanted =
            |length: u16| shares.iter().any(|share| share.length == length && share.is_open());
        for (&length, problems) in family.iter().rev().filter(|(length, _)| is_wanted(**length)) {
            for (position, sound) in problems {
                if positions(position, &sound.line).any(|sfen| taken.contains(&sfen)) {
                    continue;
                }
                let Some(bare) = self.bared(position.clone(), sound) else { continue };
                let bare = canonical(&bare);
                let last = last_look(&bare, self.stop)?;
                if self.stop.is_raised() {
                    return Ok(None);
                }
                match last {
                    LastLook::Certified(solved) => {
                        let is_new = !positions(&bare, &solved.line).any(|p| taken.contains(&p));
                        if is_new && solved.line.len() == usize::from(length) {
                            return Ok(Some((bare, solved)));
                        }
                    }
                    LastLook::Dropped => {}
                    // It was found to be sound before.
                    LastLook::Unsound | LastLook::Contradiction => {
                        self.examiner.contradictions.push(bare.to_string());
                    }
                }
            }
        }
        Ok(None)
    }

    /// Takes off all pieces without which the solution is the same. None if it is not found out
    /// which these are.
    fn bared(&mut self, mut position: Position, sound: &Sound) -> Option<Position> {
        self.examiner.set_nodes(BARE_NODES);
        while let Some(without) = self.without_one(&position, sound)? {
            position = without;
        }
        Some(position)
    }

    /// A position with a piece less, if there is one with the same solution.
    fn without_one(&mut self, position: &Position, sound: &Sound) -> Option<Option<Position>> {
        for square in position.occupied() {
            let Some(piece) = position.piece(square).filter(|piece| piece.kind() != Kind::KING)
            else {
                continue;
            };
            let mut without = position.clone();
            without.set(square, None);
            without.set_hand(Color::White, position.hand(Color::White).plus(piece.kind()));
            if without.validate().is_err() {
                continue;
            }
            let found = self.examine(&without, sound.line.first().copied(), &sound.line);
            if found.as_ref() == Some(sound) {
                return Some(Some(without));
            }
            if self.examiner.is_undecided {
                return None;
            }
        }
        Some(None)
    }
}

/// The positions of a problem that no other may have: those at the attacker's turns but for the
/// last.
pub(super) fn positions(position: &Position, line: &[Move]) -> impl Iterator<Item = String> {
    let mut at = Tsume::with_attacker(position.clone(), Color::Black);
    let mut found = vec![canonical(at.position()).to_string()];
    for (ply, &m) in (1..).zip(line) {
        at.play(m);
        if at.position().turn() == Color::Black && line.len() - ply >= OWN_PLIES {
            found.push(canonical(at.position()).to_string());
        }
    }
    found.into_iter()
}

fn shuffle<T>(random: &mut SplitMix64, list: &mut [T]) {
    for i in (1..list.len()).rev() {
        list.swap(i, random.below(i + 1));
    }
}
