//! How the program ends.

/// How the program ends; the worst of several counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Everything was decided, or accepted.
    Done = 0,
    /// Something stays unknown.
    Unknown = 1,
    /// Bad input.
    Bad = 2,
    /// What was to be checked is wrong: a certificate, or a problem of tsume-shogi that is not sound.
    /// Bad input is worse: nothing is known of it.
    Wrong = 3,
}

impl Exit {
    /// The worse of two.
    #[must_use]
    pub fn max(self, other: Exit) -> Exit {
        let badness = |exit: Exit| match exit {
            Exit::Done => 0,
            Exit::Unknown => 1,
            Exit::Wrong => 2,
            Exit::Bad => 3,
        };
        if badness(other) > badness(self) { other } else { self }
    }
}
