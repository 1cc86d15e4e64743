//! A command as words, with quotes, as a shell would split it. No shell ever sees it.

/// A command that cannot be split into words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SplitError {
    /// A quote without its partner.
    #[error("the command has an opening {0} without a closing one")]
    OpenQuote(char),
    /// A backslash at the end.
    #[error("the command ends with a backslash")]
    Backslash,
}

/// Splits at spaces. `'…'` keeps everything; `"…"` keeps all but `\"` and `\\`; outside of quotes a
/// backslash keeps the character after it.
pub fn split_words(text: &str) -> Result<Vec<String>, SplitError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c.is_whitespace() {
            words.extend(word.take());
            continue;
        }
        let word = word.get_or_insert_default();
        match c {
            '\\' => word.push(chars.next().ok_or(SplitError::Backslash)?),
            '\'' | '"' => loop {
                match chars.next().ok_or(SplitError::OpenQuote(c))? {
                    end if end == c => break,
                    '\\' if c == '"' => match chars.next().ok_or(SplitError::OpenQuote(c))? {
                        escaped @ ('"' | '\\') => word.push(escaped),
                        other => word.extend(['\\', other]),
                    },
                    other => word.push(other),
                }
            },
            other => word.push(other),
        }
    }
    words.extend(word);
    Ok(words)
}
