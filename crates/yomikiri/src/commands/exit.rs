//! How the program ends.

/// How the program ends; the worst of several counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exit {
    /// Everything was decided, or accepted.
    Done = 0,
    /// Something stays unknown.
    Unknown = 1,
    /// Bad input, or a certificate that is rejected.
    Bad = 2,
}
