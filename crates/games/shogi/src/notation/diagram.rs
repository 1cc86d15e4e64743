//! The board drawn in text, as KIF has it.

use crate::piece::Color;
use crate::position::Position;
use crate::square::Square;

use super::hands::hand_name;
use super::japanese::kind_char;
use super::numerals::KANJI_DIGITS;

/// The board as KIF draws it, nine ranks in a box.
pub fn board(position: &Position) -> String {
    let mut text = String::from("  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n");
    for rank in 1..=9 {
        text.push('|');
        for file in (1..=9).rev() {
            match Square::new(file, rank).and_then(|square| position.piece(square)) {
                None => text += " ・",
                Some(piece) => {
                    text.push(if piece.color() == Color::Black { ' ' } else { 'v' });
                    text.push(kind_char(piece.kind()));
                }
            }
        }
        text.push('|');
        text.push(KANJI_DIGITS[usize::from(rank - 1)]);
        text.push('\n');
    }
    text + "+---------------------------+\n"
}

/// The board between the two hands, and 後手番 if White is to move.
pub fn diagram(position: &Position) -> String {
    let [black, white] = Color::ALL.map(|color| hand_name(position.hand(color)));
    let turn = if position.turn() == Color::White { "後手番\n" } else { "" };
    format!("後手の持駒：{white}\n{}先手の持駒：{black}\n{turn}", board(position))
}
