//! What can be wrong with a command.

use super::words::{Words, shown};

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Misread {
    /// It does not begin with a command that we know: the line.
    #[error("unknown command '{}'", shown(.0))]
    Unknown(String),
    /// `setoption` without a name.
    #[error("setoption is written 'setoption name NAME value VALUE'")]
    SetOption,
    /// `position` without one, or with more than that.
    #[error(
        "position is written 'position startpos' or 'position {fen} …', and then perhaps 'moves' \
         and the moves"
    )]
    Position {
        /// What the dialect calls the text of a position.
        fen: &'static str,
    },
    /// A word in `go` that does not belong there.
    #[error("go: '{}' is not understood", shown(.0))]
    GoWord(String),
    /// A number is missing in `go`.
    #[error("go {word}: a number is expected, not '{}'", shown(found))]
    GoNumber {
        /// The word before it.
        word: String,
        /// What stands there; may be empty.
        found: String,
    },
    /// Something in `go mate` that does not belong there (USI).
    #[error(
        "go mate takes 'infinite', milliseconds, or 'nodes' and a number, not '{}'", shown(.0)
    )]
    GoMate(String),
}

impl Misread {
    /// There is no number after a word.
    pub(super) fn number(word: &str, rest: &Words<'_>) -> Misread {
        let found = rest.peek().unwrap_or_default().into();
        Misread::GoNumber { word: word.into(), found }
    }
}
