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
//! With [`Soundness::Length`] long and hard problems are made of crowded positions by mutation
//! instead: see the module `climb`. Three of a family are kept at most, of different lengths.
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
//! With [`Soundness::Length`] only this holds: the length is exact where futile interpositions do not
//! count, and the same by convention; no two problems are twins or come to the same position on their
//! lines; and a first mate takes from 500 to a million nodes.
//!
//! Every question is asked with a limit of nodes; where it is reached the position is dropped. What
//! is kept is solved once more on an empty table (sound problems by both rules for futile
//! interpositions), and both that it is mate within its length and that it is not within less is
//! certified and checked.
//!
//! The same options give the same problems in the same order.

mod climb;
mod crowded;
mod examine;
mod family;
mod images;
mod last_look;
mod mutate;
mod plan;
mod retract;
mod start;

use std::collections::HashSet;

use andor::{Limits, SplitMix64, Stop, Table, mix64};
use yomikiri_shogi::{Color, Hand, Move, Position};

use crate::mate::Mate;
use crate::tsume::Tsume;
use crate::twins::{self, Shape};
use climb::Climber;
use examine::Examiner;
use family::{Work, positions};
use images::canonical;
use last_look::{Certified, LastLook, last_look, look_at_length};

pub use family::MakeProgress;
pub use plan::{MakeError, MakeOptions, Share, Soundness};

/// Bytes of the table of a family.
const TABLE_BYTES: usize = 16 << 20;
/// So many problems of a family by mutation are kept, of different lengths, and so many positions of
/// it are looked at closely.
const OF_A_FAMILY: usize = 3;
const LOOKS: usize = 6;

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

/// A position that was looked at closely, and is a problem.
#[derive(Clone, Debug)]
pub struct Looked {
    position: Position,
    solved: Certified,
}

impl Looked {
    /// The length in plies.
    pub fn length(&self) -> u16 {
        self.solved.line.len() as u16
    }
}

/// Solves and certifies a position on an empty table. None if it is not what is asked for, or if
/// that takes too many nodes. The position is to have Black to move without a king, and all pieces of
/// a set.
pub fn look(
    position: &Position,
    sound: Soundness,
    stop: &Stop,
) -> Result<Option<Looked>, MakeError> {
    let position = canonical(position);
    let is_fit = position.turn() == Color::Black
        && position.king(Color::Black).is_none()
        && position.king(Color::White).is_some()
        && position.material() == Hand::full_set()
        && position.validate().is_ok();
    if !is_fit {
        return Ok(None);
    }
    let looked = match sound {
        Soundness::Strict => last_look(&position, stop)?,
        Soundness::Length => look_at_length(&position, stop)?,
    };
    Ok(match looked {
        LastLook::Certified(solved) => Some(Looked { position, solved }),
        LastLook::Dropped | LastLook::Unsound => None,
        LastLook::Contradiction => return Err(MakeError::Contradiction(position.to_string())),
    })
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
    /// The longest of each line of families by mutation that began with a given position.
    heads: Vec<Position>,
    /// The positions of the problems made, and their shapes.
    taken: HashSet<String>,
    shapes: HashSet<Shape>,
    /// What is left of a family of long ones.
    rest: Rest,
    progress: MakeProgress,
    contradictions: Vec<String>,
}

/// Positions of a family that have not been looked at closely.
#[derive(Debug, Default)]
struct Rest {
    /// With their lengths, the longest last.
    positions: Vec<(u16, Position)>,
    /// So many more are kept, and so many more looked at.
    wanted: usize,
    looks: usize,
}

impl Maker {
    /// Nothing is made yet.
    pub fn new(options: MakeOptions) -> Result<Maker, MakeError> {
        let shares = plan::shares(&options)?;
        Ok(Maker {
            heads: options.from.clone(),
            options,
            shares,
            taken: HashSet::new(),
            shapes: HashSet::new(),
            rest: Rest::default(),
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
        loop {
            let made = self.of_rest(stop)?;
            let Some(longest) = self.longest_wanted().filter(|_| made.is_none()) else {
                return Ok(made);
            };
            if stop.is_raised() {
                return Ok(None);
            }
            let made = match self.options.sound {
                Soundness::Strict => self.strict(longest, stop, watch)?,
                Soundness::Length => {
                    self.climb(longest, stop, watch)?;
                    None
                }
            };
            if made.is_some() {
                return Ok(made);
            }
        }
    }

    /// The problem that is kept of one family by backward play.
    fn strict(
        &mut self,
        longest: u16,
        stop: &Stop,
        watch: &mut dyn FnMut(&MakeProgress),
    ) -> Result<Option<Made>, MakeError> {
        let table = Table::new(TABLE_BYTES)?;
        let asker = Mate::new(&table).asker(Limits::default(), stop, None);
        let random = self.next_family();
        let mut work = Work {
            examiner: Examiner::new(asker),
            random,
            nodes: self.options.nodes,
            stop,
            watch,
            nodes_before: self.progress.nodes,
            progress: &mut self.progress,
        };
        let family = work.family(longest);
        let chosen = work.choose(&family, &self.shares, &self.taken)?;
        self.contradictions.append(&mut work.examiner.contradictions);
        Ok(chosen.and_then(|(position, solved)| self.admit(Looked { position, solved })))
    }

    /// The positions of one family by mutation.
    fn climb(
        &mut self,
        longest: u16,
        stop: &Stop,
        watch: &mut dyn FnMut(&MakeProgress),
    ) -> Result<(), MakeError> {
        let table = Table::new(TABLE_BYTES)?;
        let line = (self.progress.families as usize).checked_rem(self.heads.len());
        let random = self.next_family();
        let mut climber = Climber {
            mate: Mate::new(&table),
            random,
            nodes: self.options.nodes,
            stop,
            watch,
            progress: &mut self.progress,
        };
        let begin = line.map(|line| self.heads[line].clone());
        let positions = climber.family(begin, longest);
        match (line, positions.last()) {
            (Some(line), Some((_, longest))) => self.heads[line] = longest.clone(),
            (Some(line), None) if !stop.is_raised() => {
                self.heads.remove(line);
                if self.heads.is_empty() {
                    return Err(MakeError::Begin);
                }
            }
            _ => {}
        }
        self.rest = Rest { positions, wanted: OF_A_FAMILY, looks: LOOKS };
        Ok(())
    }

    /// The next problem of the positions that a family by mutation has left.
    fn of_rest(&mut self, stop: &Stop) -> Result<Option<Made>, MakeError> {
        while self.rest.wanted > 0 && self.rest.looks > 0 && !stop.is_raised() {
            let Some((length, position)) = self.rest.positions.pop() else { break };
            let is_open = |share: &Share| share.length == length && share.is_open();
            if !self.shares.iter().any(is_open) {
                continue;
            }
            self.rest.looks -= 1;
            let looked = match look(&position, self.options.sound, stop) {
                Err(MakeError::Contradiction(sfen)) => {
                    self.contradictions.push(sfen);
                    continue;
                }
                looked => looked?,
            };
            let looked = looked.filter(|looked| looked.length() == length);
            if let Some(made) = looked.and_then(|looked| self.admit(looked)) {
                self.rest.wanted -= 1;
                return Ok(Some(made));
            }
        }
        Ok(None)
    }

    /// Random numbers for a new family.
    fn next_family(&mut self) -> SplitMix64 {
        let family = self.progress.families;
        self.progress.families += 1;
        self.progress.length = 0;
        SplitMix64::new(mix64(self.options.seed) ^ mix64(!family))
    }

    /// Counts a problem as made, unless it has a length that is not asked for, or is the twin of
    /// another, or comes to the same position.
    pub fn admit(&mut self, looked: Looked) -> Option<Made> {
        let Looked { position, solved: Certified { line, certificates } } = looked;
        let shape = twins::shape(&Tsume::with_attacker(position.clone(), Color::Black));
        let is_twin = self.options.sound == Soundness::Length && self.shapes.contains(&shape);
        let is_new =
            !is_twin && !positions(&position, &line).any(|position| self.taken.contains(&position));
        let share = self.shares.iter_mut().find(|share| usize::from(share.length) == line.len());
        let share = share.filter(|_| is_new)?;
        share.made += 1;
        self.progress.made += 1;
        self.shapes.insert(shape);
        self.taken.extend(positions(&position, &line));
        Some(Made { position, line, number: share.made, certificates })
    }

    fn longest_wanted(&self) -> Option<u16> {
        self.shares.iter().rev().find(|share| share.is_open()).map(|share| share.length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(held, Hand::full_set(), "{position}");
            assert_eq!(position.king(Color::Black), None, "{position}");
            assert_eq!(&canonical(position), position);
            assert!([3, 5].contains(&line.len()) && certificates.iter().all(|&bytes| bytes > 0));
        }
    }

    /// Families that begin with a given problem make longer ones of it; what is no mate is of no use.
    #[test]
    fn longer_problems_are_made_of_given_ones() {
        let given = |id: &str| {
            let row = crate::STRENGTH_PROBLEMS.lines().find(|row| row.contains(id));
            let sfen = row.and_then(|row| row.split('\t').next()).expect("a problem of the suite");
            sfen.parse::<Position>().expect("a position")
        };
        let from = vec![given("hard-031-007")];
        let options = MakeOptions {
            count: 1,
            shortest: 33,
            longest: 35,
            sound: Soundness::Length,
            nodes: 1000,
            from,
            ..MakeOptions::default()
        };
        let mut maker = Maker::new(options.clone()).expect("options that make sense");
        let made = maker.make(&Stop::new(), &mut |_| {}).expect("memory").expect("a problem");
        assert!((33..=35).contains(&made.length()) && made.certificates.iter().all(|&n| n > 0));

        let bare = "4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1";
        let bare: Position = bare.parse().expect("a position");
        let hopeless = MakeOptions { from: vec![bare], ..options };
        let mut maker = Maker::new(hopeless).expect("options that make sense");
        assert_eq!(maker.make(&Stop::new(), &mut |_| {}).err(), Some(MakeError::Begin));
    }
}
