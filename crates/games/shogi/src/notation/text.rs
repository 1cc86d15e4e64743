//! A line of text, read from left to right with a count of characters.

use super::error::{ReadError, ReadReason};
use super::numerals::digit;

/// A place in a line.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Cursor<'a> {
    /// At the beginning of a line with this number.
    pub fn new(line: usize, text: &'a str) -> Cursor<'a> {
        Cursor { rest: text, line, column: 0 }
    }

    /// What is left.
    pub fn rest(&self) -> &'a str {
        self.rest
    }

    /// The next character.
    pub fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Takes the next character.
    pub fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next()?;
        self.rest = chars.as_str();
        self.column += 1;
        Some(next)
    }

    /// Takes the next character if it means something.
    pub fn next_as<T>(&mut self, meaning: impl Fn(char) -> Option<T>) -> Option<T> {
        let found = self.peek().and_then(meaning)?;
        self.next();
        Some(found)
    }

    /// Takes a text if it is next.
    pub fn eat(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                self.column += text.chars().count();
                true
            }
            None => false,
        }
    }

    /// Takes white space, wide or not.
    pub fn skip_space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }

    /// Takes a whole number.
    pub fn number(&mut self) -> Option<u32> {
        let mut number = self.next_as(digit)?;
        while let Some(next) = self.next_as(digit) {
            number = number.saturating_mul(10).saturating_add(next);
        }
        Some(number)
    }

    /// An error here.
    pub fn error(&self, reason: impl Into<ReadReason>) -> ReadError {
        ReadError::at(self.place(), reason)
    }

    /// The text from here to a later place in the line.
    pub fn up_to(&self, end: &Cursor) -> &'a str {
        self.rest.get(..self.rest.len().saturating_sub(end.rest.len())).unwrap_or_default()
    }

    /// The line and the column.
    pub fn place(&self) -> (usize, usize) {
        (self.line, self.column)
    }

    /// The word that is next, for an error.
    pub fn word(&self) -> &'a str {
        self.rest.split(char::is_whitespace).next().unwrap_or_default()
    }
}

/// The lines of a text with their numbers, without the marks at their ends.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).enumerate()
}
