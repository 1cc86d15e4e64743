//! Which pieces of a tsume-shogi are needed: what [`necessity`](yomikiri_tsume::necessity) has found,
//! in words.

use yomikiri_shogi::Color;
use yomikiri_shogi::notation::japanese;
use yomikiri_tsume::necessity::{Change, Need, Trial, Why};

use crate::lang::{Text, said, text};
use crate::written;

/// The piece that a change is about: `White's P on 9f` (`△９六歩`), `G in hand` (`持駒の金`).
pub fn piece(change: &Change) -> Text {
    let kind = written::kind(change.piece.kind());
    match change.square {
        Some(square) => {
            let (mark, name) =
                (japanese::mark(change.piece.color()), japanese::square_name(square));
            let side = if change.piece.color() == Color::Black { "Black" } else { "White" };
            text!("{side}'s {kind} on {square}", "{mark}{name}{kind}")
        }
        None => text!("{kind} in hand", "持駒の{kind}"),
    }
}

/// The change itself: `White's P on 9f`, or `Black's G on 2c as S`.
pub fn change(change: &Change) -> Text {
    let piece = piece(change);
    match change.into.map(written::kind) {
        None => piece,
        Some(into) => text!("{piece} as {into}", "{piece}→{into}"),
    }
}

/// Whose piece it is, for programs.
pub fn side(change: &Change) -> &'static str {
    match change.piece.color() {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// In one word, for programs.
pub fn word(need: &Need) -> &'static str {
    match need {
        Need::Needed(_) => "needed",
        Need::Spare { .. } => "spare",
        Need::Undecided => "undecided",
    }
}

/// What a piece is needed for, in one word for programs.
pub fn why(need: &Need) -> Option<&'static str> {
    let Need::Needed(why) = need else { return None };
    Some(match why {
        Why::Position => "position",
        Why::NoMate => "no mate",
        Why::Length(_) => "length",
        Why::Cook(_) => "cook",
        Why::Surplus => "surplus",
    })
}

/// What came of a change, for people.
pub fn words(trial: &Trial) -> Text {
    match &trial.need {
        Need::Needed(Why::Position) => {
            text!("the king would be in check", "初形で王手がかかります")
        }
        Need::Needed(Why::NoMate) => text!("no mate otherwise", "不詰になります"),
        Need::Needed(Why::Length(plies)) => text!("mate in {plies}", "{plies}手詰になります"),
        Need::Needed(Why::Cook(finding)) => {
            let kind = said(&finding.kind);
            text!("{kind}", "{kind}が生じます")
        }
        Need::Needed(Why::Surplus) => text!("something is left over (駒余り)", "駒が余ります"),
        Need::Spare { blemished: false, .. } => {
            text!("still one solution, as long", "それでも同じ手数の完全作です")
        }
        Need::Spare { .. } => text!(
            "still one solution, as long, but with more that is permitted beside it",
            "それでも同じ手数の完全作ですが、許容される余詰や変同が増えます"
        ),
        Need::Undecided => text!("not found out", "わかりませんでした"),
    }
}
