//! The tokenizer: a line as words, with a look at the next one and at all that is left.

/// The words of a line.
#[derive(Clone, Debug)]
pub(super) struct Words<'a> {
    left: &'a str,
}

impl<'a> Words<'a> {
    pub fn new(line: &'a str) -> Words<'a> {
        Words { left: line.trim_matches(is_blank) }
    }

    /// All that is left, without spaces at either end.
    pub fn rest(&self) -> &'a str {
        self.left
    }

    pub fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// A number, if the next word is one. Any other word stays where it is.
    pub fn number(&mut self) -> Option<i64> {
        let number = self.peek().and_then(number)?;
        self.next();
        Some(number)
    }

    /// A number that cannot be negative: one that is counts as 0.
    pub fn natural(&mut self) -> Option<u64> {
        let word = self.peek()?;
        let number = match number(word)? {
            i64::MAX => word.trim_start_matches('+').parse().unwrap_or(u64::MAX),
            number => u64::try_from(number).unwrap_or(0),
        };
        self.next();
        Some(number)
    }

    /// The words before the next that is one of `ends`, with one space between them.
    pub fn until(&mut self, ends: &[&str]) -> String {
        let mut text = String::new();
        while let Some(word) = self.peek().filter(|word| !ends.contains(word)) {
            push_word(&mut text, word);
            self.next();
        }
        text
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.left.is_empty() {
            return None;
        }
        let (word, left) = self.left.split_once(is_blank).unwrap_or((self.left, ""));
        self.left = left.trim_start_matches(is_blank);
        Some(word)
    }
}

/// What is between words: also what [`one_line`] turns into a space, so that a line that was read
/// and written is read as the same again.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\0'
}

/// A decimal number, with a sign or without. One that does not fit becomes the nearest that does.
pub(super) fn number(word: &str) -> Option<i64> {
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let limit = if word.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(word.parse().unwrap_or(limit))
}

/// Adds a word, with a space before it if it is not the first.
pub(super) fn push_word(text: &mut String, word: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(word);
}

/// Adds a word and a value.
pub(super) fn push_pair(text: &mut String, word: &str, value: impl std::fmt::Display) {
    push_word(text, word);
    push_word(text, &value.to_string());
}

/// Adds a word and a value, if there is one.
pub(super) fn push_some(text: &mut String, word: &str, value: Option<impl std::fmt::Display>) {
    if let Some(value) = value {
        push_pair(text, word, value);
    }
}

/// Adds words.
pub(super) fn push_words(text: &mut String, words: &[String]) {
    for word in words {
        push_word(text, word);
    }
}

/// A line is one line, whatever the texts in it: what would end it becomes a space. Otherwise the
/// value of an option could smuggle in a command.
pub(super) fn one_line(text: String) -> String {
    let ends_line = |c: char| matches!(c, '\n' | '\r' | '\0');
    if text.contains(ends_line) { text.replace(ends_line, " ") } else { text }
}

/// A text from outside as it may stand in a line of ours: short, and without control characters.
pub fn shown(text: &str) -> String {
    const MOST: usize = 60;
    let mut shown: String =
        text.chars().take(MOST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}
