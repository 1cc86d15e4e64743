//! The names of moves as players in the West write them: `P-7f`, `Bx3c+`, `G*5b`.
//!
//! The piece (`+` before a promoted one), where it comes from if another of its kind could go there too,
//! `-`, `x` for a capture or `*` for a drop, and where it goes. `+` promotes, `=` does not though it may.
//! Ranks are letters, as in USI.

use crate::moves::Move;
use crate::position::Position;

use super::disambiguation::candidates;
use super::japanese::{may_promote, moving_kind};

/// The name of a move.
pub fn move_name(position: &Position, m: Move) -> String {
    let (kind, to) = (moving_kind(position, m), m.to());
    let mut name = String::new();
    if kind.is_promoted() {
        name.push('+');
    }
    name.push(kind.letter());
    match m.from() {
        None => name.push('*'),
        Some(from) => {
            if !(candidates(position, kind, to) & !from.bit()).is_empty() {
                name += &from.to_string();
            }
            name.push(if position.piece(to).is_some() { 'x' } else { '-' });
        }
    }
    name += &to.to_string();
    if m.promotes() {
        name.push('+');
    } else if may_promote(position, m) {
        name.push('=');
    }
    name
}

/// The names of the moves of a line, as far as they are legal.
pub fn line_names(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut names = Vec::new();
    for &m in moves {
        if !position.is_legal(m) {
            break;
        }
        names.push(move_name(&position, m));
        position.play(m);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_named_as_in_the_west() {
        let start =
            Position::from_sfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
        let moves = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e", "6a5b"];
        let moves = moves.map(|m| Move::from_usi(m).unwrap());
        let names = line_names(&start.unwrap(), &moves);
        // Two golds of White could go to 5b.
        assert_eq!(names, ["P-7f", "P-3d", "Bx2b+", "Sx2b", "B*4e", "G6a-5b"]);
    }

    #[test]
    fn a_promotion_declined_and_a_promoted_piece_are_told() {
        let position = Position::from_sfen("7k1/9/5+R2S/9/9/9/9/9/8K b - 1").unwrap();
        let name = |m| move_name(&position, Move::from_usi(m).unwrap());
        assert_eq!(name("1c1b"), "S-1b=");
        assert_eq!(name("1c1b+"), "S-1b+");
        assert_eq!(name("4c4a"), "+R-4a");
    }
}
