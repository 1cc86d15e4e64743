//! A short search of the master's own, for the day when no worker has said a word.
//!
//! Workers may all be loading, hung or gone when the clock demands a move. Any legal move would do
//! for the rules, and lose the game: so the master looks for itself, for some milliseconds. In chess
//! that is our engine; in shogi a look at what can be taken.

mod chess;
mod found;
mod shogi;

use std::time::Duration;

use yomikiri_engine::protocol::PositionText;

use crate::board::{Board, Game};
use crate::master::{Decision, Master};
pub use found::Own;

/// What to play: what is known, or else what a look of our own finds. That takes time, so it is not
/// taken where there is a value.
pub fn unless_known(
    known: Decision,
    look: impl FnOnce() -> Option<(Decision, Option<&'static str>)>,
) -> (Decision, Option<&'static str>) {
    match known.score {
        Some(_) => (known, None),
        None => look().unwrap_or((known, None)),
    }
}

/// What to play if nobody has given a value, and what to say about it. In shogi, where our look is a
/// poor one, a move that a worker named counts more.
pub fn decide(master: &Master, time: Duration) -> Option<(Decision, Option<&'static str>)> {
    let tree = master.tree();
    let root = tree.get(tree.root())?;
    let named = master.last_word().filter(|_| tree.game() == Game::Shogi);
    let named = named.map(std::slice::from_ref);
    let found = search(root.board(), tree.text(), named.unwrap_or(root.legal()), time)?;
    let remark = match (named, root.legal()) {
        (_, [_]) => None,
        (Some(_), _) => Some("no worker has given a value: this is the move that one named"),
        (None, _) => Some("no worker has said anything: this is a move of our own short search"),
    };
    Some((found.into(), remark))
}

impl From<Own> for Decision {
    fn from(found: Own) -> Decision {
        Decision {
            best: found.pv.first().cloned(),
            ponder: found.pv.get(1).cloned(),
            score: Some(found.score),
            pv: found.pv,
            depth: found.depth,
        }
    }
}

/// Looks at a position, of which only these moves count, for so long. Nothing if there is no move.
pub fn search(board: &Board, text: &PositionText, moves: &[String], time: Duration) -> Option<Own> {
    match board {
        Board::Chess(position, castling) => chess::search(position, *castling, text, moves, time),
        Board::Shogi(position) => shogi::search(position, moves, time),
    }
}

#[cfg(test)]
mod tests {
    use yomikiri_engine::protocol::{Dialect, Score, Start, Value};

    use super::*;
    use crate::board::Game;

    fn look(dialect: Dialect, start: &str, only: &[&str]) -> Own {
        let text = PositionText { start: Start::Fen(start.into()), moves: Vec::new() };
        let board = Board::new(Game::from(dialect), &text).expect("a position");
        let mut moves = board.moves();
        moves.retain(|m| only.is_empty() || only.contains(&&m[..]));
        let own = search(&board, &text, &moves, Duration::from_millis(20)).expect("a move");
        let mut board = board;
        assert!(moves.contains(&own.pv[0]) && own.pv.iter().all(|m| board.play(m)), "{own:?}");
        own
    }

    #[test]
    fn who_knows_a_value_does_not_look() {
        let known = Decision {
            best: Some("e2e4".into()),
            ponder: None,
            score: Some(Score::cp(12)),
            pv: vec!["e2e4".into()],
            depth: 9,
        };
        let look = || -> Option<_> { panic!("it looked, and its clock runs") };
        assert_eq!(unless_known(known.clone(), look), (known.clone(), None));
        let unknown = Decision { score: None, ..known.clone() };
        let (found, remark) = unless_known(unknown.clone(), || Some((known.clone(), Some("own"))));
        assert_eq!((found, remark), (known, Some("own")));
        assert_eq!(unless_known(unknown.clone(), || None), (unknown, None));
    }

    #[test]
    fn chess_pieces_are_taken_and_kept() {
        // A queen that nobody protects; a mate; a queen that is attacked, by a pawn.
        assert_eq!(look(Dialect::Uci, "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", &[]).pv[0], "e4d5");
        let mate = look(Dialect::Uci, "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", &[]);
        assert_eq!((&mate.pv[0][..], mate.score.value), ("d1d8", Value::Mate(1)));
        let saved = look(Dialect::Uci, "4k3/8/8/2p5/3Q4/8/8/4K3 w - - 0 1", &[]);
        assert!(saved.pv[0].starts_with("d4") && saved.depth > 0, "{saved:?}");
        let only = look(Dialect::Uci, "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", &["e1e2", "e4e5"]);
        assert!(["e1e2", "e4e5"].contains(&&only.pv[0][..]), "{only:?}");
    }

    #[test]
    fn shogi_pieces_are_taken_and_kept() {
        // A rook that nobody protects; a gold drop that mates; a rook that a pawn attacks; a pawn
        // that is protected is not worth a rook.
        let taken = look(Dialect::Usi, "4k4/9/9/4r4/4P4/9/9/9/4K4 b - 1", &[]);
        assert_eq!(taken.pv[0], "5e5d");
        let mate = look(Dialect::Usi, "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", &[]);
        assert_eq!((&mate.pv[0][..], mate.score.value), ("G*5b", Value::Mate(1)));
        let saved = look(Dialect::Usi, "3k5/9/4p4/4R4/9/9/9/9/4K4 b - 1", &[]);
        assert!(saved.pv[0].starts_with("5d"), "{saved:?}");
        let kept = look(Dialect::Usi, "3k5/4g4/4p4/9/9/9/9/4R4/K8 b - 1", &[]);
        assert!(!kept.pv[0].starts_with("5h5c"), "{kept:?}");
    }

    #[test]
    fn where_all_is_equal_it_is_not_the_first_of_the_list() {
        let board = Board::new(Game::Shogi, &PositionText::initial()).expect("a position");
        let moves = board.moves();
        let time = Duration::from_millis(20);
        let own = search(&board, &PositionText::initial(), &moves, time).expect("a move");
        assert_ne!(own.pv[0], moves[0]);
    }
}
