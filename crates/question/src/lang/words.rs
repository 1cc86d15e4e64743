//! What the solver finds, in Japanese.

use andor::{Value, Verdict};
use yomikiri_tsume::cook::FindingKind;

use super::text::Japanese;

impl Japanese for Value {
    fn japanese(&self) -> String {
        match self {
            Value::Proven => "証明",
            Value::Disproven => "反証",
        }
        .into()
    }
}

impl Japanese for Verdict {
    fn japanese(&self) -> String {
        match self.value() {
            Some(value) => value.japanese(),
            None => "未解決".into(),
        }
    }
}

impl Japanese for FindingKind {
    fn japanese(&self) -> String {
        match self {
            FindingKind::Shorter => "早詰",
            FindingKind::Cook => "余詰",
            FindingKind::Transposition => "手順前後",
            FindingKind::Detour => "迂回手順",
            FindingKind::Promotion => "成・不成の非限定",
            FindingKind::Distance => "打ち場所の非限定",
            FindingKind::LastMove => "最終手余詰",
            FindingKind::LongerDefence => "変長",
            FindingKind::Escape => "逃れ",
        }
        .into()
    }
}
