//! Numbers and names as people read them.

use andor::{INFINITY, Reason, UNBOUNDED, Value, Verdict};

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

/// A bound on plies, if there is one.
pub fn bound(plies: u16) -> Option<u16> {
    (plies != UNBOUNDED).then_some(plies)
}

/// `proven` or `disproven`.
pub fn value(value: Value) -> &'static str {
    match value {
        Value::Proven => "proven",
        Value::Disproven => "disproven",
    }
}

/// A verdict and its reason.
pub fn verdict(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Proven => ("proven", "solved"),
        Verdict::Disproven => ("disproven", "solved"),
        Verdict::Unknown(reason) => {
            let reason = match reason {
                Reason::Nodes => "node limit",
                Reason::Time => "time limit",
                Reason::Memory => "memory",
                Reason::Stopped => "stopped",
                Reason::Bound => "no bound on plies where repetition favours the attacker",
            };
            ("unknown", reason)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_short() {
        let shown = [0, 9_999, 10_000, 123_456, 9_996_000, 1_500_000_000].map(count);
        assert_eq!(shown, ["0", "9999", "10.0k", "123k", "10.0M", "1.50G"]);
    }
}
