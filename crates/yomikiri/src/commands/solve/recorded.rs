//! What is found beside what the source says: the words for it.
//!
//! A length that was found is a bound: the attacker mates within so many plies, and may mate sooner.
//! So more plies than recorded contradict nothing unless nothing is shorter, fewer do, and so does the
//! proof that there is no mate, if it holds for as many plies.

use andor::Verdict;
use yomikiri_question::lang::{Text, text};

/// Follows an answer that holds within so many plies, and of a proof not within fewer than `least`.
pub fn words(verdict: Verdict, (least, plies): (Option<u16>, Option<u16>), recorded: u16) -> Text {
    let unit = if recorded == 1 { "ply is" } else { "plies are" };
    match (verdict, plies) {
        (Verdict::Proven, Some(plies)) if plies == recorded => {
            text!(", as recorded", "（記録どおり）")
        }
        (Verdict::Proven, Some(plies)) if plies < recorded => {
            text!(", but {recorded} {unit} recorded", "（記録は{recorded}手で、それより短い）")
        }
        (Verdict::Proven, Some(_)) if least.is_some_and(|least| least > recorded) => {
            text!(", but {recorded} {unit} recorded", "（記録は{recorded}手で、それより長い）")
        }
        (Verdict::Disproven, plies) if plies.is_none_or(|plies| plies >= recorded) => {
            let unit = if recorded == 1 { "ply" } else { "plies" };
            text!(
                ", but a mate in {recorded} {unit} is recorded",
                "（記録では{recorded}手の詰みがある）"
            )
        }
        (Verdict::Proven | Verdict::Disproven, _) => {
            text!("; {recorded} {unit} recorded", "（記録は{recorded}手）")
        }
        (Verdict::Unknown(_), _) => Text::default(),
    }
}

#[cfg(test)]
mod tests {
    use yomikiri_question::lang::Lang;

    use super::*;

    #[test]
    fn only_what_contradicts_says_but() {
        let said = |verdict, plies| words(verdict, (None, plies), 9).as_str(Lang::En).to_owned();
        assert_eq!(said(Verdict::Proven, Some(9)), ", as recorded");
        assert_eq!(said(Verdict::Proven, Some(11)), "; 9 plies are recorded");
        assert_eq!(said(Verdict::Proven, None), "; 9 plies are recorded");
        assert_eq!(said(Verdict::Proven, Some(7)), ", but 9 plies are recorded");
        let exact = words(Verdict::Proven, (Some(11), Some(13)), 9);
        assert_eq!(exact.as_str(Lang::En), ", but 9 plies are recorded");
        assert_eq!(said(Verdict::Disproven, None), ", but a mate in 9 plies is recorded");
        assert_eq!(said(Verdict::Disproven, Some(9)), ", but a mate in 9 plies is recorded");
        assert_eq!(said(Verdict::Disproven, Some(7)), "; 9 plies are recorded");
    }
}
