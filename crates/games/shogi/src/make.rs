//! Makes tsume-shogi problems.
//!
//! # Method
//!
//! Problems are made in *families*, one after the other, each with random numbers of its own.
//!
//! 1. *Random positions.* A few pieces are put around a lone king near the edge of the board, some
//!    more in the attacker's hand, and the rest in the defender's, until the position is a sound
//!    problem (see below), mostly of one or three plies.
//! 2. *Backward play.* From a sound problem a reply of the defender and a check of the attacker are
//!    taken back in every possible way: pieces go back to where they may have come from, dropped
//!    ones go back to the hand, and what a move may have taken is put back on the board. Some of
//!    the positions that come out get a piece more. Those that are sound are problems that are two
//!    plies longer (now and then more), and the play goes on from a few of them.
//! 3. *One of a family* is kept: the longest of which the wanted number is not reached yet. Pieces
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
//! - No two are the same or mirror images; the king stands on the right half.
//!
//! Every question is asked with a limit of nodes; where it is reached the position is dropped. What
//! is kept is solved once more from the beginning, and both that it is mate within its length and
//! that it is not within less is certified and checked.
//!
//! The same options give the same problems in the same order.

mod examine;
mod retract;
mod start;

use std::collections::{BTreeMap, HashSet};

use andor::table::SizeError;
use andor::{Limits, SplitMix64, Stop, Table, mix64};

use crate::cook::{self, CookLimits};
use crate::mate::{Answer, Length, Mate, MateLimits};
use crate::moves::Move;
use crate::piece::{Color, Kind};
use crate::position::Position;
use crate::square::Square;
use crate::tsume::{Futile, Tsume};
use examine::{Examiner, Sound};

/// Bytes of the table of a family.
const TABLE_BYTES: usize = 16 << 20;
/// The length of a problem to begin with is at most this.
const FIRST: u16 = 5;
/// So many problems of one length are extended.
fn env(n: &str, d: usize) -> usize {
    std::env::var(n).ok().and_then(|v| v.parse().ok()).unwrap_or(d)
}

/// When there are so many longer ones, no more are looked for.
const ENOUGH: usize = 24;
/// So many positions before a problem are looked at.
const TRIES: usize = 1_500;
/// So many positions are examined for a family, and some.
const EFFORT: u64 = 12_000;
/// Nodes for a question in the last look at a problem.
const LAST_NODES: u64 = 1_000_000;
/// Pieces on the board and in the attacker's hand, at most.
const MOST_ON_BOARD: u32 = 20;
const MOST_IN_HAND: u32 = 7;

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
    /// At most so many nodes for one question about a position.
    pub nodes: u64,
}

impl Default for MakeOptions {
    fn default() -> Self {
        MakeOptions { count: 10, shortest: 3, longest: 9, seed: 1, nodes: 10_000 }
    }
}

/// Why nothing can be made.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum MakeError {
    /// There is no such length.
    #[error("no problem has from {shortest} to {longest} plies: lengths are odd, and at least 1")]
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

/// A problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The position, with the attacker, Black, to move.
    pub position: Position,
    /// The solution; its length is that of the problem.
    pub line: Vec<Move>,
    /// The number of the problem among those of its length, from 1.
    pub number: usize,
    /// Bytes of its certificates: mate within its length, and no mate within less.
    pub certificates: [usize; 2],
}

impl Made {
    /// The length in plies.
    pub fn length(&self) -> u16 {
        self.line.len() as u16
    }
}

/// How far the work has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MakeProgress {
    /// Problems made.
    pub made: usize,
    /// Families begun.
    pub families: u64,
    /// The length of the longest problem of the present family.
    pub length: u16,
    /// Positions examined, in all families.
    pub positions: u64,
    /// Nodes searched.
    pub nodes: u64,
}

/// Makes problems, one after the other.
#[derive(Debug)]
pub struct Maker {
    options: MakeOptions,
    shares: Vec<Share>,
    /// What was made already.
    known: HashSet<String>,
    progress: MakeProgress,
    contradictions: Vec<String>,
}

impl Maker {
    /// Nothing is made yet.
    pub fn new(options: MakeOptions) -> Result<Maker, MakeError> {
        let shares = shares(&options)?;
        let progress = MakeProgress { made: 0, families: 0, length: 0, positions: 0, nodes: 0 };
        let (known, contradictions) = (HashSet::new(), Vec::new());
        Ok(Maker { options, shares, known, progress, contradictions })
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
            let mut work = Work {
                examiner: Examiner::new(asker),
                random: SplitMix64::new(mix64(self.options.seed) ^ mix64(!family)),
                nodes: self.options.nodes,
                stop,
                watch,
                nodes_before: self.progress.nodes,
                progress: &mut self.progress,
            };
            work.progress.families += 1;
            work.progress.length = 0;
            let problems = work.family(longest);
            let wanted =
                |length: u16| self.shares.iter().any(|s| s.length == length && s.made < s.wanted);
            let chosen = work.choose(&problems, wanted, &self.known);
            self.contradictions.append(&mut work.examiner.contradictions);
            let Some(position) = chosen else { continue };
            drop(table);
            match certified(&position, stop)? {
                Verdict::Sound(line, certificates) => {
                    let Some(share) =
                        self.shares.iter_mut().find(|s| s.length == line.len() as u16)
                    else {
                        continue;
                    };
                    share.made += 1;
                    self.progress.made += 1;
                    self.known.insert(position.to_string());
                    let number = share.made;
                    return Ok(Some(Made { position, line, number, certificates }));
                }
                Verdict::Contradiction => self.contradictions.push(position.to_string()),
                Verdict::Open => {}
            }
        }
        Ok(None)
    }

    fn longest_wanted(&self) -> Option<u16> {
        self.shares.iter().rev().find(|share| share.made < share.wanted).map(|share| share.length)
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

    /// Most positions are refuted with a few nodes; longer problems need more of them.
    fn set_length(&mut self, length: u16) {
        self.examiner.set_nodes((self.nodes * (4 + u64::from(length)) / 8).max(50));
    }

    /// A problem to begin with.
    fn first(&mut self) -> Option<(Position, Sound)> {
        self.set_length(1);
        while !self.stop.is_raised() {
            let Some(position) = start::attempt(&mut self.random) else { continue };
            if let Some(sound) = self.examine(&position, None, &[])
                && sound.length <= FIRST
            {
                return Some((position, sound));
            }
        }
        None
    }

    /// Problems up to a length. The longest that was not extended yet is extended next, so that
    /// where one leads no further others have their turn.
    fn family(&mut self, longest: u16) -> Family {
        let mut family = Family::new();
        let mut known = HashSet::new();
        let Some((position, sound)) = self.first() else { return family };
        known.insert(canonical(&position).to_string());
        // The problems still to be extended, and how many of a length were.
        let mut open = Family::from([(sound.length, vec![(position.clone(), sound.clone())])]);
        let mut extended: BTreeMap<u16, usize> = BTreeMap::new();
        family.entry(sound.length).or_default().push((position, sound));
        let end = self.progress.positions + env("EFFORT", 12000) as u64;
        while self.progress.positions < end && !self.stop.is_raised() {
            let next = open.iter_mut().rev().find(|(length, problems)| {
                let times = extended.get(*length).copied().unwrap_or(0);
                **length < longest && times < env("BREADTH", 6) && !problems.is_empty()
            });
            let Some((&length, problems)) = next else { break };
            let chosen = self.random.below(problems.len());
            let (position, _) = problems.swap_remove(chosen);
            *extended.entry(length).or_default() += 1;
            for (position, sound) in self.extended(&position, length, &mut known) {
                open.entry(sound.length).or_default().push((position.clone(), sound.clone()));
                family.entry(sound.length).or_default().push((position, sound));
            }
            if family.contains_key(&longest) {
                break;
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
        self.set_length(length + 2);
        let mut candidates = retract::before(position);
        shuffle(&mut self.random, &mut candidates);
        for (mut position, check) in candidates
            .into_iter()
            .take((env("TA", 100) + env("TB", 200) * usize::from(length)).min(1500))
        {
            if self.stop.is_raised() || found.len() >= env("ENOUGH", 24) {
                break;
            }
            if self.random.percent(env("ADD", 20))
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
            if let Some(sound) = self.examine(&position, Some(check), &[])
                && sound.length > length
            {
                found.push((position, sound));
            }
        }
        found
    }

    /// The longest problem of a wanted length, without needless pieces, as it is to be shown.
    fn choose(
        &mut self,
        family: &Family,
        wanted: impl Fn(u16) -> bool,
        known: &HashSet<String>,
    ) -> Option<Position> {
        for (&length, problems) in family.iter().rev() {
            if !wanted(length) {
                continue;
            }
            for (position, sound) in problems {
                self.set_length(length);
                let bare = canonical(&self.bared(position.clone(), sound));
                if !known.contains(&bare.to_string()) {
                    return Some(bare);
                }
            }
        }
        None
    }

    /// Takes off all pieces without which the solution is the same.
    fn bared(&mut self, mut position: Position, sound: &Sound) -> Position {
        loop {
            let pieces: Vec<Square> = position
                .occupied()
                .filter(|&s| position.piece(s).is_some_and(|p| p.kind() != Kind::KING))
                .collect();
            let mut less = None;
            for square in pieces {
                let mut without = position.clone();
                let Some(piece) = position.piece(square) else { continue };
                without.set(square, None);
                without.set_hand(Color::White, position.hand(Color::White).plus(piece.kind()));
                if without.validate().is_ok()
                    && self.examine(&without, None, &sound.line).as_ref() == Some(sound)
                {
                    less = Some(without);
                    break;
                }
            }
            match less {
                Some(without) => position = without,
                None => return position,
            }
        }
    }
}

/// What a last look says.
enum Verdict {
    /// The solution, and the bytes of its certificates.
    Sound(Vec<Move>, [usize; 2]),
    /// By convention it is no problem of this kind, or it took too many nodes.
    Open,
    /// The answers do not go together.
    Contradiction,
}

/// Solves a problem by both rules for futile interpositions, looks for other solutions, and
/// certifies the length.
fn certified(position: &Position, stop: &Stop) -> Result<Verdict, MakeError> {
    let table = Table::new(TABLE_BYTES)?;
    let mate = Mate::new(&table);
    let nodes = Some(LAST_NODES);
    let counted = Tsume::with_attacker(position.clone(), Color::Black);
    let lenient = counted.clone().with_futile(Futile::NotCounted);
    let limits =
        MateLimits { nodes, stop: stop.clone(), length: Length::Shortest, ..MateLimits::default() };
    let answers = [&counted, &lenient].map(|problem| mate.solve(problem, &limits));
    let [Some(found), Some(by_convention)] = answers.each_ref().map(Answer::solution) else {
        return Ok(Verdict::Open);
    };
    let is_done = |s: &crate::mate::Solution| s.exact && s.complete;
    if !is_done(found) || !is_done(by_convention) || by_convention.shown_length() != found.length {
        return Ok(Verdict::Open);
    }
    if !found.left_over.is_empty() {
        return Ok(Verdict::Contradiction);
    }
    let report = cook::check(
        &mate,
        &counted,
        &CookLimits { nodes, stop: stop.clone(), ..CookLimits::default() },
    );
    if !report.is_complete() {
        return Ok(Verdict::Open);
    }
    if !report.findings.is_empty() {
        return Ok(Verdict::Contradiction);
    }
    let mut bytes = [0; 2];
    for answer in &answers {
        for (i, claim) in answer.claims().iter().enumerate() {
            let mut file = Vec::new();
            if mate.certify(claim, stop, &mut file).is_err() {
                return Ok(if stop.is_raised() { Verdict::Open } else { Verdict::Contradiction });
            }
            if claim.check(&mut file.as_slice()).is_err() {
                return Ok(Verdict::Contradiction);
            }
            bytes[i] = file.len();
        }
    }
    Ok(Verdict::Sound(found.line.clone(), bytes))
}

/// The position or its mirror image, whichever has the king on the right; where he stands in the
/// middle, the one that comes first in SFEN.
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

/// How many problems there are to be of each length: many short ones, fewer and fewer long ones.
fn shares(options: &MakeOptions) -> Result<Vec<Share>, MakeError> {
    /// Of 500 problems of 3 to 25 plies.
    const OFTEN: [usize; 13] = [20, 60, 80, 80, 70, 60, 50, 35, 25, 15, 11, 8, 6];
    let MakeOptions { count, shortest, longest, .. } = *options;
    let lengths: Vec<u16> = (shortest.max(1)..=longest).filter(|n| n % 2 == 1).collect();
    if lengths.is_empty() {
        return Err(MakeError::Lengths { shortest, longest });
    }
    let often = |length: u16| OFTEN.get(usize::from(length / 2)).copied().unwrap_or(4);
    let all: usize = lengths.iter().map(|&length| often(length)).sum();
    // Rounded so that they make up the count: each takes its part of what is left.
    let (mut left, mut parts) = (count, all);
    let shares = lengths.iter().map(|&length| {
        let wanted =
            (left as u128 * often(length) as u128 + parts as u128 / 2) / parts.max(1) as u128;
        let wanted = (wanted as usize).min(left);
        left -= wanted;
        parts -= often(length);
        Share { length, wanted, made: 0 }
    });
    Ok(shares.collect())
}
