//! What is to be made: how many problems, of which lengths.

use andor::table::SizeError;
use yomikiri_shogi::Position;

/// What a problem has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Soundness {
    /// It has one solution in the strictest sense.
    #[default]
    Strict,
    /// Its length is exact and certified; there may be other solutions of that length, longer ones,
    /// and needless pieces. And it is hard: a first mate takes from hundreds to a million nodes.
    Length,
}

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
    /// What a problem has to be.
    pub sound: Soundness,
    /// What families by mutation begin with, each with the next of these, and from then on with the
    /// longest that came of it: random positions if there are none.
    pub from: Vec<Position>,
}

impl Default for MakeOptions {
    fn default() -> Self {
        MakeOptions {
            count: 10,
            shortest: 3,
            longest: 9,
            seed: 1,
            nodes: 200,
            sound: Soundness::Strict,
            from: Vec::new(),
        }
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
    /// No position to begin with is a mate whose length was found out.
    #[error("of no position to begin with the length was found out: allow more nodes")]
    Begin,
    /// The search contradicted itself about this position.
    #[error("the search contradicted itself, please report it: {0}")]
    Contradiction(String),
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
    /// Are there too few yet?
    pub(super) fn is_open(&self) -> bool {
        self.made < self.wanted
    }
}

/// How many problems there are to be of each length: fewer and fewer of the long ones.
pub(super) fn shares(options: &MakeOptions) -> Result<Vec<Share>, MakeError> {
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
}
