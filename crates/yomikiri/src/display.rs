//! Numbers and names as people read them.

use std::fmt;

use andor::{INFINITY, Reason, Verdict};
use serde::Serializer;

use crate::paint::{Paint, Tone};

/// A count, short: `999`, `12.3k`, `4.56M`.
pub fn count(n: u64) -> String {
    let units = [(1_000_000_000, "G"), (1_000_000, "M"), (10_000, "k")];
    let Some((unit, letter)) = units.into_iter().find(|&(unit, _)| n >= unit) else {
        return n.to_string();
    };
    let unit = if letter == "k" { 1_000 } else { unit };
    let value = n as f64 / unit as f64;
    let digits = if value < 9.995 { 2 } else { usize::from(value < 99.95) };
    format!("{value:.digits$}{letter}")
}

/// A proof or disproof number.
pub fn number(n: u32) -> String {
    if n == INFINITY { "∞".into() } else { n.to_string() }
}

/// A proof or disproof number for programs: infinity has none.
pub fn finite(n: u32) -> Option<u32> {
    (n != INFINITY).then_some(n)
}

/// Serialises what has words as these.
pub fn in_words<T: fmt::Display, S: Serializer>(
    what: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(what)
}

/// Why a verdict is what it is.
pub fn reason(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Proven | Verdict::Disproven => "solved",
        Verdict::Unknown(Reason::Nodes) => "node limit",
        Verdict::Unknown(Reason::Time) => "time limit",
        Verdict::Unknown(Reason::Memory) => "memory",
        Verdict::Unknown(Reason::Stopped) => "stopped",
        Verdict::Unknown(Reason::Bound) => {
            "no bound on plies where repetition favours the attacker"
        }
    }
}

/// A text of a file or a user, without what would steer the terminal: control characters are written
/// as Rust writes them, and so are those that change the direction of writing.
pub fn plain(text: &str) -> String {
    let steers = |c: char| {
        c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match steers(c) {
            true => plain.extend(c.escape_default()),
            false => plain.push(c),
        }
    }
    plain
}

/// Says on standard error what is wrong. The message may have several lines.
pub fn complain(message: &str) {
    let lines: Vec<String> = message.lines().map(plain).collect();
    let error = Paint::stderr().text(Tone::Bad, "error:");
    eprintln!("{error} {}", lines.join("\n"));
}

/// The columns that a text takes on a terminal: Japanese characters take two.
pub fn width(text: &str) -> usize {
    text.chars().map(|c| if is_wide(c) { 2 } else { 1 }).sum()
}

/// A text with blanks after it, so that it takes so many columns.
pub fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Words in lines of so many each; those after the first begin with so many blanks.
pub fn in_lines(words: &[String], each: usize, indent: usize) -> String {
    let lines: Vec<String> = words.chunks(each).map(|line| line.join(" ")).collect();
    lines.join(&format!("\n{}", " ".repeat(indent)))
}

/// Hangul, kana, kanji, full-width forms and what belongs to them.
fn is_wide(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}' | '\u{20000}'..='\u{3fffd}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_short() {
        let shown = [0, 9_999, 10_000, 123_456, 9_996_000, 1_500_000_000].map(count);
        assert_eq!(shown, ["0", "9999", "10.0k", "123k", "10.0M", "1.50G"]);
    }

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(
            plain("作品\u{1b}[31m \u{9b}2J\u{202e}x\ty"),
            "作品\\u{1b}[31m \\u{9b}2J\\u{202e}x\\ty"
        );
        assert_eq!(plain("まで3手詰"), "まで3手詰");
    }

    #[test]
    fn japanese_is_wide() {
        assert_eq!(width("mate 詰み"), 9);
        assert_eq!(width("９ ８"), 5);
        assert_eq!(pad("詰", 4), "詰  ");
        assert_eq!(pad("mate", 3), "mate");
    }
}
