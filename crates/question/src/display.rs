//! Numbers and reasons as people read them.

use andor::{INFINITY, Reason, Verdict};
use yomikiri_tsume::Phase;

use crate::lang::{Text, text};

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

/// Between which lengths the shortest mate lies.
pub fn interval(least: u16, length: u16) -> Text {
    text!("between {least} and {length} plies", "{least}手以上{length}手以下")
}

/// What a search for a mate of shogi is about.
pub fn phase(phase: Phase) -> Text {
    match phase {
        Phase::First => text!("first mate", "詰みを探索中"),
        Phase::Shortest { least, known, asking } => {
            let interval = interval(least.min(known), known);
            text!("{interval}, asking {asking}", "{interval}、{asking}手以内の詰みを探索中")
        }
        Phase::Line => text!("line", "手順を確認中"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::Lang;

    #[test]
    fn phases_tell_the_interval() {
        let said = |lang| {
            let asking = Phase::Shortest { least: 5, known: 17, asking: 15 };
            [Phase::First, asking, Phase::Line].map(|p| phase(p).as_str(lang).to_owned())
        };
        let english = ["first mate", "between 5 and 17 plies, asking 15", "line"];
        assert_eq!(said(Lang::En), english);
        assert_eq!(said(Lang::Ja)[1], "5手以上17手以下、15手以内の詰みを探索中");
    }

    #[test]
    fn counts_are_short() {
        let shown = [0, 9_999, 10_000, 123_456, 9_996_000, 1_500_000_000].map(count);
        assert_eq!(shown, ["0", "9999", "10.0k", "123k", "10.0M", "1.50G"]);
    }
}
