//! Makes tsume-shogi problems.
//!
//! # Method
//!
//! Problems are made in *families*, one after the other, each with random numbers of its own.
//!
//! 1. *Random positions.* A few pieces are put around a lone king near the edge of the board, some
//!    more in the attacker's hand, and the rest in the defender's, until the position is a sound
//!    problem (see below). Most of these have one ply or three.
//! 2. *Backward play.* From a sound problem a reply of the defender and a check of the attacker are
//!    taken back in every possible way: pieces go back to where they may have come from, dropped
//!    ones to the hand, and what a move may have taken stands on the board again. Some of the
//!    positions get one more piece. Those that are sound are problems that are longer by two plies
//!    (now and then by more), and the play goes on from them. The longest problem comes first;
//!    where it leads no further, another has its turn.
//! 3. *One of a family* is kept: the longest of a length of which not enough are made yet. Pieces
//!    without which the solution is the same are taken off it (飾り駒).
//!
//! # What is sound
//!
//! - At each of the attacker's turns on every line of best play one check mates and all others do
//!   not, at whatever length (no 余詰). This is stricter than the custom: it holds for the last
//!   move too, for promotion, and on all lines on which the defender lasts longest, not on one.
//! - Every such line ends with nothing in the attacker's hand (no 駒余り).
//! - The length is the same whether futile interpositions count or not, also by
//!   [`convention`](crate::convention): there are none to argue about.
//! - No piece can be taken off (to the defender's hand) with the same solution left.
//! - The attacker is Black and has no king; the defender holds what is left of a full set.
//! - No two problems come to the same position, or to mirror images, with three plies or more to
//!   go. The king stands in the right half of the board.
//!
//! Every question is asked with a limit of nodes; where it is reached the position is dropped. What
//! is kept is solved once more on an empty table by both rules for futile interpositions, and both
//! that it is mate within its length and that it is not within less is certified and checked.
//!
//! The same options give the same problems in the same order.

mod examine;
mod retract;
mod start;

use std::collections::{BTreeMap, HashSet};

use andor::table::SizeError;
use andor::{Limits, Rules, SplitMix64, Stop, Table, mix64};
use yomikiri_shogi::{Color, Kind, Move, Position, Square};

use crate::cook::{self, CookLimits};
use crate::mate::{Answer, Length, Mate, MateLimits, Solution};
use crate::tsume::{Futile, Tsume};
use examine::{Examiner, Sound};

/// Bytes of the table of a family, and of the last look at a problem.
const TABLE_BYTES: usize = 16 << 20;
const LAST_TABLE_BYTES: usize = 4 << 20;
/// Nodes for one question about a problem with a piece less.
const BARE_NODES: u64 = 20_000;
/// Nodes for one question in the last look at a problem.
const LAST_NODES: u64 = 1_000_000;
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

/// What is to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MakeOptions {
    /// How many problems.
    pub count: usize,
    /// The least length in plies.
    pub shortest: u16,
    /// The greatest.
    pub longest: u16,
    /// Other problems for every seed.
    pub seed: u64,
    /// About so many nodes at most for one question about a position; less for short problems, more
    /// for long ones.
    pub nodes: u64,
}

impl Default for MakeOptions {
    fn default() -> Self {
        MakeOptions { count: 10, shortest: 3, longest: 9, seed: 1, nodes: 200 }
    }
}

/// Why nothing can be made.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum MakeError {
    /// There is no such length.
    #[error("no problem has from {shortest} to {longest} plies: lengths are odd numbers")]
    Lengths {
        /// The least length asked for.
        shortest: u16,
        /// The greatest.
        longest: u16,
    },
    /// No memory for a table.
    #[error(transparent)]
    Memory(#[from] SizeError),
}

/// How many problems of a length are wanted and made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The length in plies.
    pub length: u16,
    /// So many are wanted.
    pub wanted: usize,
    /// So many are made.
    pub made: usize,
}

impl Share {
    fn is_open(&self) -> bool {
        self.made < self.wanted
    }
}

/// A problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The position, with the attacker, Black, to move.
    pub position: Position,
    /// The solution. Its length is that of the problem.
    pub line: Vec<Move>,
    /// The number of the problem among those of its length, from 1.
    pub number: usize,
    /// The bytes of the certificates that were checked: mate within its length, and no mate within
    /// less (0 for a problem of one ply).
    pub certificates: [usize; 2],
}

impl Made {
    /// The length in plies.
    pub fn length(&self) -> u16 {
        self.line.len() as u16
    }
}

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

/// Makes problems, one after the other.
///
/// ```
/// use andor::Stop;
/// use yomikiri_tsume::make::{MakeOptions, Maker};
///
/// let options = MakeOptions { count: 2, longest: 3, ..MakeOptions::default() };
/// let mut maker = Maker::new(options)?;
/// while let Some(made) = maker.make(&Stop::new(), &mut |_| {})? {
///     println!("{}: {} plies", made.position, made.length());
/// }
/// assert_eq!(maker.progress().made, 2);
/// # Ok::<(), yomikiri_tsume::make::MakeError>(())
/// ```
#[derive(Debug)]
pub struct Maker {
    options: MakeOptions,
    shares: Vec<Share>,
    /// The positions of the problems made.
    taken: HashSet<String>,
    progress: MakeProgress,
    contradictions: Vec<String>,
}

impl Maker {
    /// Nothing is made yet.
    pub fn new(options: MakeOptions) -> Result<Maker, MakeError> {
        let shares = shares(&options)?;
        Ok(Maker {
            options,
            shares,
            taken: HashSet::new(),
            progress: MakeProgress::default(),
            contradictions: Vec::new(),
        })
    }

    /// How many there are to be of each length, and how many there are.
    pub fn shares(&self) -> &[Share] {
        &self.shares
    }

    /// How far the work has come.
    pub fn progress(&self) -> MakeProgress {
        self.progress
    }

    /// Positions about which the search contradicted itself. There should be none.
    pub fn contradictions(&self) -> &[String] {
        &self.contradictions
    }

    /// The next problem. None if all are made, or if `stop` is raised. `watch` is called after
    /// every position examined.
    pub fn make(
        &mut self,
        stop: &Stop,
        watch: &mut dyn FnMut(&MakeProgress),
    ) -> Result<Option<Made>, MakeError> {
        while let Some(longest) = self.longest_wanted() {
            if stop.is_raised() {
                break;
            }
            let table = Table::new(TABLE_BYTES)?;
            let asker = Mate::new(&table).asker(Limits::default(), stop, None);
            let family = self.progress.families;
            self.progress.families += 1;
            self.progress.length = 0;
            let mut work = Work {
                examiner: Examiner::new(asker),
                random: SplitMix64::new(mix64(self.options.seed) ^ mix64(!family)),
                nodes: self.options.nodes,
                stop,
                watch,
                nodes_before: self.progress.nodes,
                progress: &mut self.progress,
            };
            let family = work.family(longest);
            let chosen = work.choose(&family, &self.shares, &self.taken)?;
            self.contradictions.append(&mut work.examiner.contradictions);
            let Some((position, solved)) = chosen else { continue };
            let length = solved.line.len();
            let share = self.shares.iter_mut().find(|share| usize::from(share.length) == length);
            let Some(share) = share else { continue };
            share.made += 1;
            self.progress.made += 1;
            self.taken.extend(positions(&position, &solved.line));
            let Certified { line, certificates } = solved;
            return Ok(Some(Made { position, line, number: share.made, certificates }));
        }
        Ok(None)
    }

    fn longest_wanted(&self) -> Option<u16> {
        self.shares.iter().rev().find(|share| share.is_open()).map(|share| share.length)
    }
}

/// Problems of a family by length.
type Family = BTreeMap<u16, Vec<(Position, Sound)>>;

/// The work on one family.
struct Work<'w, 'a, 't> {
    examiner: Examiner<'a, 't>,
    random: SplitMix64,
    /// Nodes for a question.
    nodes: u64,
    stop: &'w Stop,
    watch: &'w mut dyn FnMut(&MakeProgress),
    /// Nodes of the families before.
    nodes_before: u64,
    progress: &'w mut MakeProgress,
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
    fn family(&mut self, longest: u16) -> Family {
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
    fn choose(
        &mut self,
        family: &Family,
        shares: &[Share],
        taken: &HashSet<String>,
    ) -> Result<Option<(Position, Certified)>, MakeError> {
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
                    LastLook::Contradiction => {
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

/// What the last look at a problem says.
enum LastLook {
    Certified(Certified),
    /// Its length is a matter of convention, or it took too many nodes.
    Dropped,
    /// The answers do not go together.
    Contradiction,
}

/// A problem that is solved and certified.
struct Certified {
    line: Vec<Move>,
    certificates: [usize; 2],
}

/// Solves a problem by both rules for futile interpositions, looks for other solutions once more,
/// and certifies the length.
fn last_look(position: &Position, stop: &Stop) -> Result<LastLook, MakeError> {
    let table = Table::new(LAST_TABLE_BYTES)?;
    let mate = Mate::new(&table);
    let nodes = Some(LAST_NODES);
    let counted = Tsume::with_attacker(position.clone(), Color::Black);
    let lenient = counted.clone().with_futile(Futile::NotCounted);
    let length = Length::Shortest;
    let limits = MateLimits { nodes, stop: stop.clone(), length, ..MateLimits::default() };
    let answers = [&counted, &lenient].map(|problem| mate.solve(problem, &limits));
    let [Some(found), Some(by_convention)] = answers.each_ref().map(Answer::solution) else {
        return Ok(LastLook::Dropped);
    };
    let is_done = |found: &Solution| found.exact && found.complete;
    if !is_done(found) || !is_done(by_convention) || by_convention.shown_length() != found.length {
        return Ok(LastLook::Dropped);
    }
    let limits = CookLimits { nodes, stop: stop.clone(), ..CookLimits::default() };
    let report = cook::check(&mate, &counted, &limits);
    if !report.is_complete() {
        return Ok(LastLook::Dropped);
    }
    let is_sound = report.findings.is_empty()
        && found.left_over.is_empty()
        && found.line.len() == usize::from(found.length);
    if !is_sound {
        return Ok(LastLook::Contradiction);
    }
    let mut certificates = [0; 2];
    for answer in &answers {
        for (bytes, claim) in certificates.iter_mut().zip(answer.claims()) {
            let mut file = Vec::new();
            let written = mate.certify(&claim, stop, &mut file);
            if written.is_err() && stop.is_raised() {
                return Ok(LastLook::Dropped);
            }
            if written.is_err() || claim.check(&mut file.as_slice()).is_err() {
                return Ok(LastLook::Contradiction);
            }
            *bytes += file.len();
        }
    }
    Ok(LastLook::Certified(Certified { line: found.line.clone(), certificates }))
}

/// The positions of a problem that no other may have: those at the attacker's turns but for the
/// last.
fn positions(position: &Position, line: &[Move]) -> impl Iterator<Item = String> {
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

/// The position or its mirror image, whichever has the king farther to the right; where he stands
/// in the middle, the one that comes first in SFEN.
fn canonical(position: &Position) -> Position {
    let mirrored = mirrored(position);
    let rank =
        |position: &Position| (position.king(Color::White).map(Square::file), position.to_string());
    if rank(&mirrored) < rank(position) { mirrored } else { position.clone() }
}

/// Left and right exchanged.
fn mirrored(position: &Position) -> Position {
    let mut mirrored = Position::empty();
    for square in position.occupied() {
        if let Some(image) = Square::new(10 - square.file(), square.rank()) {
            mirrored.set(image, position.piece(square));
        }
    }
    for color in Color::ALL {
        mirrored.set_hand(color, position.hand(color));
    }
    mirrored.set_turn(position.turn());
    mirrored
}

fn shuffle<T>(random: &mut SplitMix64, list: &mut [T]) {
    for i in (1..list.len()).rev() {
        list.swap(i, random.below(i + 1));
    }
}

/// How many problems there are to be of each length: fewer and fewer of the long ones.
fn shares(options: &MakeOptions) -> Result<Vec<Share>, MakeError> {
    /// Of 500 problems of 3 to 25 plies, so many of each length; and before them of one ply.
    const OFTEN: [u64; 13] = [20, 60, 80, 80, 70, 60, 50, 35, 25, 15, 11, 8, 6];
    const LONGER: u64 = 4;
    let MakeOptions { count, shortest, longest, .. } = *options;
    let often = |length: u16| OFTEN.get(usize::from(length / 2)).copied().unwrap_or(LONGER);
    let lengths: Vec<u16> = (shortest..=longest).filter(|n| n % 2 == 1).collect();
    if lengths.is_empty() {
        return Err(MakeError::Lengths { shortest, longest });
    }
    // Each takes its part of what is left, so that all together are the count.
    let mut parts: u64 = lengths.iter().map(|&length| often(length)).sum();
    let mut left = count;
    let mut shares = Vec::new();
    for length in lengths {
        let part = u128::from(often(length));
        let wanted = (left as u128 * part + u128::from(parts) / 2) / u128::from(parts);
        let wanted = (wanted as usize).min(left);
        left -= wanted;
        parts -= often(length);
        shares.push(Share { length, wanted, made: 0 });
    }
    Ok(shares)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(sfen: &str) -> Position {
        Position::from_sfen(sfen).expect("the test's SFEN is right")
    }

    fn made(options: &MakeOptions) -> Vec<Made> {
        let mut maker = Maker::new(options.clone()).expect("options that make sense");
        let stop = Stop::new();
        let all: Vec<Made> =
            std::iter::from_fn(|| maker.make(&stop, &mut |_| {}).expect("memory")).collect();
        assert_eq!(maker.contradictions(), [""; 0]);
        assert!(maker.shares().iter().all(|share| share.made == share.wanted));
        all
    }

    #[test]
    fn a_seed_gives_the_same_problems_again() {
        let options = MakeOptions { count: 5, shortest: 3, longest: 5, ..MakeOptions::default() };
        let first = made(&options);
        assert_eq!(first, made(&options));
        let other = made(&MakeOptions { seed: 2, ..options });
        assert!(first.iter().all(|made| !other.contains(made)));
        for Made { position, line, certificates, .. } in first.iter().chain(&other) {
            let held = position.material();
            assert_eq!(held, yomikiri_shogi::Hand::full_set(), "{position}");
            assert_eq!(position.king(Color::Black), None, "{position}");
            assert_eq!(&canonical(position), position);
            assert!([3, 5].contains(&line.len()) && certificates.iter().all(|&bytes| bytes > 0));
        }
    }

    #[test]
    fn what_was_played_can_be_taken_back() {
        // Forward by random checks and replies, and back again.
        let mut random = SplitMix64::new(7);
        let mut found = [0; 5];
        while found.iter().sum::<usize>() < 2_000 {
            let Some(start) = start::attempt(&mut random) else { continue };
            let mut at = Tsume::with_attacker(start.clone(), Color::Black);
            let mut line = Vec::new();
            for _ in 0..2 {
                let mut moves = Vec::new();
                at.legal_moves(&mut moves);
                let Some(&m) = moves.get(random.below(moves.len().max(1))) else { break };
                let is_capture = at.position().piece(m.to()).is_some();
                let kind = if m.is_drop() { 0 } else { 1 + usize::from(m.promotes()) };
                line.push((m, kind + 2 * usize::from(is_capture)));
                at.play(m);
            }
            let [(check, kind), _] = line[..] else { continue };
            let before = retract::before(at.position());
            assert!(before.contains(&(start.clone(), check)), "{start} {check}");
            found[kind] += 1;
        }
        assert!(found.iter().all(|&n| n > 0), "{found:?}");
    }

    #[test]
    fn positions_before_lead_to_the_position() {
        let end = position("7gk/8+n/6S2/8+R/9/9/9/9/1+B7 b rb3g3s3n4l18p 1");
        let before = retract::before(&end);
        assert!(before.len() > 100, "{}", before.len());
        for (start, check) in before {
            let mut after = start.clone();
            assert!(after.validate().is_ok() && after.is_legal(check), "{start} {check}");
            after.play(check);
            let mut replies = Vec::new();
            after.legal_moves(&mut replies);
            let comes = replies.iter().any(|&m| {
                let mut at = after.clone();
                at.play(m);
                at == end
            });
            assert!(after.is_check() && comes, "{start} {check}");
        }
    }

    #[test]
    fn mirror_images_are_one() {
        let right = position("7gk/8+n/6S2/8+R/9/9/9/9/1+B7 b rb3g3s3n4l18p 1");
        let left = mirrored(&right);
        assert_ne!(left, right);
        assert_eq!(mirrored(&left), right);
        assert_eq!((canonical(&left), canonical(&right)), (right.clone(), right));
        let middle = position("3gk4/9/4P4/9/9/9/9/9/9 b G2r2b2g4s4n4l17p 1");
        assert_eq!(canonical(&middle), canonical(&mirrored(&middle)));
    }

    #[test]
    fn shares_make_up_the_count() {
        let share = |count, shortest, longest| {
            let options = MakeOptions { count, shortest, longest, ..MakeOptions::default() };
            shares(&options).map(|shares| shares.iter().map(|s| s.wanted).collect::<Vec<_>>())
        };
        let all = share(500, 3, 25).expect("lengths");
        assert_eq!(all, [60, 80, 80, 70, 60, 50, 35, 25, 15, 11, 8, 6]);
        for count in [0, 1, 2, 7, 100, 12_345] {
            for (shortest, longest) in [(1, 1), (2, 4), (3, 9), (7, 41)] {
                let shares = share(count, shortest, longest).expect("lengths");
                assert_eq!(shares.iter().sum::<usize>(), count);
            }
        }
        assert_eq!(share(1, 4, 4), Err(MakeError::Lengths { shortest: 4, longest: 4 }));
        assert!(share(1, 9, 3).is_err());
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
