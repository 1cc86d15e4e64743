//! Is a tsume-shogi sound? What [`cook`](yomikiri_tsume::cook) has found, in words.

use andor::Value;
use yomikiri_tsume::cook::{CookReport, Finding, FindingKind, OtherLines, Severity};

use crate::lang::{Japanese, Lang, Text, text};

/// What a report comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Soundness {
    /// There is one solution.
    Sound,
    /// There is a flaw.
    Unsound,
    /// There is no solution.
    NoMate,
    /// Not all was found out.
    Undecided,
}

impl Soundness {
    /// What it comes to.
    pub fn of(report: &CookReport) -> Soundness {
        match report.answer.outcome.value() {
            Some(Value::Disproven) => Soundness::NoMate,
            _ if report.flaw_count() > 0 => Soundness::Unsound,
            _ if report.is_complete() => Soundness::Sound,
            _ => Soundness::Undecided,
        }
    }

    /// In one word, for programs.
    pub fn word(self) -> &'static str {
        match self {
            Soundness::Sound => "sound",
            Soundness::Unsound => "unsound",
            Soundness::NoMate => "no mate",
            Soundness::Undecided => "undecided",
        }
    }

    /// In a sentence, for people.
    pub fn words(self, report: &CookReport) -> Text {
        let flaws = report.flaw_count();
        let open = report.open();
        match self {
            Soundness::Sound => {
                text!("sound: there is no other solution", "完全作: 余詰はありません")
            }
            Soundness::Unsound => {
                let plural = if flaws == 1 { "flaw" } else { "flaws" };
                let more = match report.is_complete() {
                    true => Text::default(),
                    false => text!(", and not all is decided", "、未解決の手も残っています"),
                };
                let (shown, others) = other_lines(report);
                text!(
                    "unsound: {flaws} {plural}{shown}{more}{others}",
                    "不完全作: {shown}不備{flaws}件{more}{others}"
                )
            }
            Soundness::NoMate => text!("there is no mate", "不詰: 詰みはありません"),
            Soundness::Undecided if report.answer.solution.as_ref().is_none() => text!(
                "undecided: whether there is a mate was not found out",
                "未解決: 詰むかどうかわかりませんでした"
            ),
            Soundness::Undecided => match report.ended {
                Some(_) => text!(
                    "undecided: the check was ended early",
                    "未解決: 検討を途中で打ち切りました"
                ),
                None if open == 0 && is_convention_open(report) => text!(
                    "undecided: the length without interpositions in vain (無駄合い) was not found out",
                    "未解決: 無駄合いを除いた手数がわかりませんでした"
                ),
                None if open == 0 => text!(
                    "undecided: whether all solutions leave something over stays open",
                    "未解決: どの手順でも駒が余るかどうかわかりませんでした"
                ),
                None if open == 1 => text!(
                    "undecided: one move was not decided",
                    "未解決: 1手の詰み・不詰がわかりませんでした"
                ),
                None => text!(
                    "undecided: {open} moves were not decided",
                    "未解決: {open}手の詰み・不詰がわかりませんでした"
                ),
            },
        }
    }
}

/// What a finding is, in one language alone: what it says by itself in English has the Japanese term
/// with it.
pub fn kind(kind: FindingKind) -> Text {
    Text::new(|lang| match lang {
        Lang::En => kind.english().into(),
        Lang::Ja => kind.japanese(),
    })
}

/// Was a limit reached before the line by convention was found?
fn is_convention_open(report: &CookReport) -> bool {
    report.answer.solution.as_ref().is_some_and(|solution| solution.is_convention_open)
}

/// Which line the flaws are on, and what is said of other lines of the same length.
fn other_lines(report: &CookReport) -> (Text, Text) {
    match report.other_lines {
        None | Some(OtherLines { followed: 0, all: true }) => Default::default(),
        Some(OtherLines { all: true, .. }) => (
            Text::default(),
            text!(
                "; no other line of the same length has fewer",
                "（同手数のほかの手順にも、これより不備の少ないものはありません）"
            ),
        ),
        Some(_) => (
            text!(" on the line shown", "この手順に"),
            text!(
                "; not all lines of the same length were looked at",
                "（同手数のほかの手順は、すべては調べていません）"
            ),
        ),
    }
}

/// How much a finding matters.
pub fn severity(severity: Severity) -> Text {
    match severity {
        Severity::Serious => text!("flaw", "不備"),
        Severity::Slight => text!("small flaw", "瑕疵"),
        Severity::Permitted => text!("permitted", "許容"),
        Severity::Aside => text!("no flaw", "不問"),
    }
}

/// How long a finding takes.
pub fn plies(finding: &Finding) -> Text {
    let length = finding.length;
    if finding.kind == FindingKind::Escape {
        return text!("no mate", "不詰");
    }
    let unit = if length == 1 { "ply" } else { "plies" };
    match finding.exact {
        true => text!("{length} {unit}", "{length}手"),
        false => text!("at most {length} {unit}", "{length}手以内"),
    }
}
