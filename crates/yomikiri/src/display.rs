//! Numbers and names as people read them.

use std::fmt;
use std::io::{self, Write};

use andor::{INFINITY, Reason, Verdict};
use serde::Serializer;

use crate::lang::{Text, text};
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
pub fn reason(verdict: Verdict) -> Text {
    match verdict {
        Verdict::Proven | Verdict::Disproven => text!("solved", "解決"),
        Verdict::Unknown(Reason::Nodes) => text!("node limit", "ノード数の上限"),
        Verdict::Unknown(Reason::Time) => text!("time limit", "時間切れ"),
        Verdict::Unknown(Reason::Memory) => text!("memory", "メモリ不足"),
        Verdict::Unknown(Reason::Threads) => text!("no more threads", "スレッド不足"),
        Verdict::Unknown(Reason::Stopped) => text!("stopped", "中断"),
        Verdict::Unknown(Reason::Bound) => text!(
            "no bound on plies where repetition favours the attacker",
            "同一局面が攻方に有利なゲームでは手数を限れない"
        ),
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
}
