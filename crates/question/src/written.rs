//! Moves, pieces and hands of shogi as people write them: in Japanese as in books (`▲１三金`,
//! `金　歩二`), in English as players in the West do (`G*1c`, `G, P×2`).

use std::collections::BTreeMap;

use yomikiri_shogi::notation::{Ending, hands, japanese, western};
use yomikiri_shogi::{Hand, Kind, Move, Position, Square};

use crate::lang::{Lang, Text};

/// The name of a move. `last` is where the move before it went.
pub fn move_name(position: &Position, m: Move, last: Option<Square>) -> Text {
    Text::new(|lang| match lang {
        Lang::En => western::move_name(position, m),
        Lang::Ja => japanese::move_name(position, m, last),
    })
}

/// The names of moves, of which the first may follow another one.
pub fn line_names(position: &Position, last: Option<Square>, line: &[Move]) -> Vec<Text> {
    let (mut at, mut last) = (position.clone(), last);
    let name = |&m: &Move| {
        let name = move_name(&at, m, last);
        at.play(m);
        last = Some(m.to());
        name
    };
    line.iter().map(name).collect()
}

/// The name of a kind.
pub fn kind(kind: Kind) -> Text {
    Text::new(|lang| match lang {
        Lang::En => letters(kind),
        Lang::Ja => japanese::kind_name(kind).into(),
    })
}

/// What is in a hand.
pub fn hand(hand: Hand) -> Text {
    Text::new(|lang| match lang {
        Lang::En if hand.is_empty() => "none".into(),
        Lang::En => {
            let pieces = hand.pieces().map(|(kind, count)| match count {
                1 => letters(kind),
                _ => format!("{}×{count}", letters(kind)),
            });
            pieces.collect::<Vec<String>>().join(", ")
        }
        Lang::Ja => hands::hand_name(hand),
    })
}

/// How a record ends.
pub fn ending(ending: Ending) -> Text {
    Text::new(|lang| match lang {
        Lang::En => ending.english().into(),
        Lang::Ja => ending.kif().into(),
    })
}

/// The letters of a kind, as in SFEN: `P`, `+R`.
pub fn letters(kind: Kind) -> String {
    let plus = if kind.is_promoted() { "+" } else { "" };
    format!("{plus}{}", kind.letter())
}

/// What is in a hand, for programs: how many of each kind there are some of.
pub fn counts(hand: Hand) -> BTreeMap<String, u8> {
    hand.pieces().map(|(kind, count)| (letters(kind), count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_hands_are_written_in_both_languages() {
        let position = Position::from_sfen("8k/4B4/9/6+R1P/9/9/9/9/9 b GSrb3g3s4n4l17p 1");
        let position = position.unwrap_or_else(|error| panic!("{error}"));
        let line = ["3d3a", "1a1b", "G*1c"].map(|m| Move::from_usi(m).expect("a move"));
        let said = |lang| -> Vec<String> {
            let names = line_names(&position, None, &line);
            let hands = [position.hand(yomikiri_shogi::Color::Black), Hand::EMPTY].map(hand);
            let all = names.into_iter().chain(hands).chain([kind(Kind::DRAGON)]);
            all.map(|text| text.as_str(lang).to_owned()).collect()
        };
        assert_eq!(said(Lang::En), ["+R-3a", "K-1b", "G*1c", "G, S", "none", "+R"]);
        assert_eq!(said(Lang::Ja), ["▲３一龍", "△１二玉", "▲１三金", "金　銀", "なし", "龍"]);
        let many = Hand::EMPTY.with(Kind::PAWN, 17).with(Kind::ROOK, 1);
        assert_eq!(hand(many).as_str(Lang::En), "R, P×17");
        assert_eq!(counts(many), BTreeMap::from([("P".into(), 17), ("R".into(), 1)]));
        let back = line_names(&position, Some(line[0].to()), &line[..1]);
        assert_eq!(back[0].as_str(Lang::Ja), "▲同龍");
    }
}
