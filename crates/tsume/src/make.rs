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
mod family;
mod images;
mod last_look;
mod plan;
mod retract;
mod start;

use std::collections::HashSet;

use andor::{Limits, SplitMix64, Stop, Table, mix64};
use yomikiri_shogi::{Move, Position};

use crate::mate::Mate;
use examine::Examiner;
use family::{Work, positions};
use last_look::Certified;

pub use family::MakeProgress;
pub use plan::{MakeError, MakeOptions, Share};

/// Bytes of the table of a family.
const TABLE_BYTES: usize = 16 << 20;

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
        let shares = plan::shares(&options)?;
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

#[cfg(test)]
mod tests {
    use yomikiri_shogi::{Color, Hand};

    use super::images::canonical;
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
}
