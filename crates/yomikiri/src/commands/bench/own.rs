//! The 500 problems of our own making.

/// A row each: SFEN, id and length, with tabs between them.
pub fn rows() -> impl Iterator<Item = &'static str> {
    yomikiri_tsume::OWN_PROBLEMS.lines().filter(|line| !line.starts_with('#'))
}
