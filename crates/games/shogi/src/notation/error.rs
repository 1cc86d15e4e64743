//! Why a text cannot be read.

use std::fmt;

use thiserror::Error;

/// Why a text cannot be read, and where in it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct ReadError {
    /// The line, from 0.
    pub line: usize,
    /// The column, in characters from 0.
    pub column: usize,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for ReadError {
    /// Lines and columns are counted from 1 here.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line + 1, self.column + 1, self.reason)
    }
}

impl ReadError {
    /// An error at the character of a text that begins at this byte.
    pub(super) fn at_byte(text: &str, byte: usize, reason: impl Into<String>) -> ReadError {
        let before = text.get(..byte).unwrap_or(text);
        let line = before.matches('\n').count();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
        ReadError { line, column, reason: reason.into() }
    }
}
