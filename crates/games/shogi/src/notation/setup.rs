//! The start of a game, even or with pieces left away (駒落ち), by its names.

use crate::piece::Color;
use crate::position::Position;
use crate::square::Square;

/// A way to start a game: its name in KIF, its name in JKF, and the squares, by file and rank, from
/// which White's (上手) pieces are taken away.
struct Setup(&'static str, &'static str, &'static [(u8, u8)]);

const SETUPS: [Setup; 16] = [
    Setup("平手", "HIRATE", &[]),
    Setup("香落ち", "KY", &[(1, 1)]),
    Setup("右香落ち", "KY_R", &[(9, 1)]),
    Setup("角落ち", "KA", &[(2, 2)]),
    Setup("飛車落ち", "HI", &[(8, 2)]),
    Setup("飛香落ち", "HIKY", &[(8, 2), (1, 1)]),
    Setup("二枚落ち", "2", &[(8, 2), (2, 2)]),
    Setup("三枚落ち", "3", &[(8, 2), (2, 2), (1, 1)]),
    Setup("四枚落ち", "4", &FOUR),
    Setup("五枚落ち", "5", &[(8, 2), (2, 2), (1, 1), (9, 1), (8, 1)]),
    Setup("左五枚落ち", "5_L", &[(8, 2), (2, 2), (1, 1), (9, 1), (2, 1)]),
    Setup("六枚落ち", "6", &SIX),
    Setup("左七枚落ち", "7_L", &[(8, 2), (2, 2), (1, 1), (9, 1), (8, 1), (2, 1), (3, 1)]),
    Setup("右七枚落ち", "7_R", &[(8, 2), (2, 2), (1, 1), (9, 1), (8, 1), (2, 1), (7, 1)]),
    Setup("八枚落ち", "8", &EIGHT),
    Setup("十枚落ち", "10", &TEN),
];

const FOUR: [(u8, u8); 4] = [(8, 2), (2, 2), (1, 1), (9, 1)];
const SIX: [(u8, u8); 6] = [(8, 2), (2, 2), (1, 1), (9, 1), (8, 1), (2, 1)];
const EIGHT: [(u8, u8); 8] = [(8, 2), (2, 2), (1, 1), (9, 1), (8, 1), (2, 1), (3, 1), (7, 1)];
const TEN: [(u8, u8); 10] =
    [(8, 2), (2, 2), (1, 1), (9, 1), (8, 1), (2, 1), (3, 1), (7, 1), (4, 1), (6, 1)];

impl Setup {
    fn position(&self) -> Position {
        let mut position = Position::start();
        for &(file, rank) in self.2 {
            if let Some(square) = Square::new(file, rank) {
                position.set(square, None);
            }
        }
        // The side that gives pieces away moves first.
        position.set_turn(if self.2.is_empty() { Color::Black } else { Color::White });
        position
    }
}

/// The position of a name in KIF (手合割).
pub(super) fn from_kif(name: &str) -> Option<Position> {
    let name = match name {
        "左香落ち" => "香落ち",
        "飛落ち" => "飛車落ち",
        "2枚落ち" | "２枚落ち" => "二枚落ち",
        "4枚落ち" | "４枚落ち" => "四枚落ち",
        "6枚落ち" | "６枚落ち" => "六枚落ち",
        "8枚落ち" | "８枚落ち" => "八枚落ち",
        "10枚落ち" | "１０枚落ち" => "十枚落ち",
        _ => name,
    };
    SETUPS.iter().find(|setup| setup.0 == name).map(Setup::position)
}

/// The position of a name in JKF (preset).
pub(super) fn from_jkf(name: &str) -> Option<Position> {
    SETUPS.iter().find(|setup| setup.1 == name).map(Setup::position)
}

/// The names in KIF and JKF of a position that is one of these.
pub(super) fn names(position: &Position) -> Option<(&'static str, &'static str)> {
    let setup = SETUPS.iter().find(|setup| setup.position() == *position)?;
    Some((setup.0, setup.1))
}

/// Is it one of these, whoever is to move?
pub(super) fn is_known(position: &Position) -> bool {
    let mut position = position.clone();
    Color::ALL.into_iter().any(|turn| {
        position.set_turn(turn);
        names(&position).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_positions() {
        for setup in &SETUPS {
            let position = setup.position();
            assert_eq!(position.validate(), Ok(()));
            assert_eq!(from_kif(setup.0), Some(position.clone()));
            assert_eq!(from_jkf(setup.1), Some(position.clone()));
            assert_eq!(names(&position), Some((setup.0, setup.1)));
            let missing = Position::start().occupied().count() - position.occupied().count();
            assert_eq!(missing as usize, setup.2.len(), "{}", setup.0);
        }
        let sfen = "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
        assert_eq!(from_kif("香落ち").unwrap().to_string(), sfen);
        let sfen = "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
        assert_eq!(from_kif("八枚落ち").unwrap().to_string(), sfen);
        assert_eq!(from_kif("詰将棋"), None);
    }
}
