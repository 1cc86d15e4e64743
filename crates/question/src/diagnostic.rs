//! Bad input, shown with a caret under the offending character.

use std::fmt;

use unicode_width::UnicodeWidthStr;

use crate::lang::{Text, text};

/// Why a text is not a problem, and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The line of the text, from 0.
    pub line: usize,
    /// The column, from 0, in characters.
    pub column: usize,
    /// What is wrong, and what would be right.
    pub reason: Text,
}

impl Diagnostic {
    /// Something wrong at the character of `text` that begins at this byte.
    pub fn at_byte(text: &str, byte: usize, reason: impl Into<Text>) -> Diagnostic {
        let before = text.get(..byte).unwrap_or(text);
        let line = before.matches('\n').count();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
        Diagnostic { line, column, reason: reason.into() }
    }

    /// Something wrong at a character counted from 0.
    pub fn at_char(text: &str, at: usize, reason: impl Into<Text>) -> Diagnostic {
        let byte = text.char_indices().nth(at).map_or(text.len(), |(byte, _)| byte);
        Diagnostic::at_byte(text, byte, reason)
    }
}

/// A diagnostic with the text it is about, which came from somewhere: prints the place, the reason, the line and a caret.
pub struct Located<'a> {
    /// What is wrong.
    pub diagnostic: &'a Diagnostic,
    /// The text it is in.
    pub text: &'a str,
    /// Where the text came from.
    pub source: &'a Text,
    /// What to add to the text's line and column to get those of the source.
    pub offset: (usize, usize),
}

impl Located<'_> {
    /// Line and column in the source, from 1.
    fn place(&self) -> (usize, usize) {
        let (lines, columns) = self.offset;
        let shift = if self.diagnostic.line == 0 { columns } else { 0 };
        (self.diagnostic.line + lines + 1, self.diagnostic.column + shift + 1)
    }
}

impl fmt::Display for Located<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// So many characters are shown before the caret and after it.
        const CONTEXT: usize = 70;
        let Diagnostic { line, column, reason } = self.diagnostic;
        let (in_line, in_column) = self.place();
        let source = self.source;
        let place = text!(
            "{source}, line {in_line}, column {in_column}: {reason}",
            "{source}、{in_line}行目の{in_column}文字目: {reason}"
        );
        writeln!(f, "{place}")?;
        let shown = self.text.lines().nth(*line).unwrap_or_default();
        let skipped = column.saturating_sub(CONTEXT);
        let part: String = shown
            .chars()
            .skip(skipped)
            .take(2 * CONTEXT)
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let dots = if skipped > 0 { "…" } else { "" };
        let before: String = part.chars().take(column - skipped).collect();
        let blanks = " ".repeat(dots.chars().count() + before.width());
        write!(f, "  {dots}{}\n  {blanks}^", part.trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_becomes_a_line_and_a_column() {
        let diagnostic = Diagnostic::at_byte("a\näöx", 6, "no");
        assert_eq!((diagnostic.line, diagnostic.column), (1, 2));
        let end = Diagnostic::at_byte("ab", 99, "no");
        assert_eq!((end.line, end.column), (0, 2));
        assert_eq!(Diagnostic::at_char("äöx", 2, "no").column, 2);
    }

    #[test]
    fn the_caret_stands_under_the_character() {
        let text = "x".repeat(200) + "!";
        for (text, column) in [("abc!", 3), (text.as_str(), 200)] {
            let diagnostic = Diagnostic { line: 0, column, reason: "bad".into() };
            let located =
                Located { diagnostic: &diagnostic, text, source: &"here".into(), offset: (4, 2) };
            let shown = located.to_string();
            let lines: Vec<Vec<char>> = shown.lines().map(|line| line.chars().collect()).collect();
            let caret = lines[2].iter().position(|&c| c == '^');
            assert_eq!(caret.map(|at| lines[1][at]), Some('!'), "{shown}");
            assert!(shown.starts_with(&format!("here, line 5, column {}: bad\n", column + 3)));
        }
    }
}
