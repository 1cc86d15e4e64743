//! What a terminal shows: texts that cannot steer it, and what is said on standard error beside the results.

use std::fmt;
use std::io::{self, Write};

use yomikiri_question::lang::text;

use crate::paint::{Paint, Tone};

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
pub fn complain(message: &impl fmt::Display) {
    let error = text!("error:", "エラー:").to_string();
    let error = Paint::stderr().text(Tone::Bad, &error);
    tell(&format!("{error} {}", plain_lines(message)));
}

/// Did the reader of our output go away? Then nobody is left to complain to, or to work for.
pub fn is_reader_gone(error: &anyhow::Error) -> bool {
    let kinds = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    kinds.map(io::Error::kind).any(|kind| kind == io::ErrorKind::BrokenPipe)
}

/// Says something beside the results, on standard error. Where nobody listens any more it is lost, and
/// that is no reason to stop.
pub fn tell(message: &impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{message}");
}

/// The same for what a reader of the results should know.
pub fn note(message: &impl fmt::Display) {
    let message = plain_lines(message);
    tell(&text!("note: {message}", "注意: {message}"));
}

/// The same for what Ctrl-C has left out.
pub fn stopped(message: &impl fmt::Display) {
    let message = plain_lines(message);
    tell(&text!("stopped: {message}", "中断: {message}"));
}

/// A text of several lines, each of them [`plain`].
fn plain_lines(text: &impl fmt::Display) -> String {
    text.to_string().lines().map(plain).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(
            plain("作品\u{1b}[31m \u{9b}2J\u{202e}x\ty"),
            "作品\\u{1b}[31m \\u{9b}2J\\u{202e}x\\ty"
        );
        assert_eq!(plain("まで3手詰"), "まで3手詰");
    }
}
