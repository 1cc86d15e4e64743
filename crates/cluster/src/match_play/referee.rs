//! The rules: which moves are legal and when a game is over.
//!
//! Chess ends by mate, stalemate, threefold repetition, fifty moves or insufficient material, as
//! soon as it can. Shogi ends when a side has no move (it loses) or when a position stands on the
//! board for the fourth time: that is a draw, unless one side has given check with every move
//! since the first time, which loses. A win may be declared by the 27-point rule: the king has
//! entered the farthest three ranks and is not in check, ten other pieces of that side stand there
//! too, and with those in hand they count 28 points for Black or 27 for White, where rooks and
//! bishops count five and all others one.

use yomikiri_chess::{self as chess, Draw, Outcome};
use yomikiri_engine::protocol::{PositionText, Start};
use yomikiri_shogi::{Color, Kind, Move as ShogiMove, Position as Shogi, Square};

use super::record::{Ended, Reason};
use crate::{Board, BoardError, Game};

/// One game, as far as the rules go.
#[derive(Clone, Debug)]
pub enum Referee {
    /// Chess.
    Chess(Box<chess::Game>),
    /// Shogi.
    Shogi(Box<ShogiGame>),
}

/// A game of shogi with its past.
#[derive(Clone, Debug)]
pub struct ShogiGame {
    start: Shogi,
    moves: Vec<ShogiMove>,
    position: Shogi,
    /// Every position so far, with: was its side to move in check?
    past: Vec<(Shogi, bool)>,
}

impl Referee {
    /// A game with an opening.
    pub fn new(game: Game, opening: &PositionText) -> Result<Referee, BoardError> {
        let start = PositionText { start: opening.start.clone(), moves: Vec::new() };
        let mut referee = match Board::new(game, &start)? {
            Board::Chess(position, _) => Referee::Chess(Box::new(chess::Game::new(*position))),
            Board::Shogi(position) => Referee::Shogi(Box::new(ShogiGame::new(*position))),
        };
        for (at, text) in opening.moves.iter().enumerate() {
            if !referee.play(text) {
                return Err(BoardError::Move { number: at + 1, text: text.clone() });
            }
        }
        Ok(referee)
    }

    /// Whose turn it is: 0 for the side that begins a game.
    pub fn turn(&self) -> usize {
        match self {
            Referee::Chess(game) => game.position().side_to_move() as usize,
            Referee::Shogi(game) => game.position.turn().index(),
        }
    }

    /// Plays a move if it is legal.
    #[must_use]
    pub fn play(&mut self, text: &str) -> bool {
        match self {
            Referee::Chess(game) => {
                let Ok(m) = game.position().parse_uci(text) else { return false };
                game.play(m);
            }
            Referee::Shogi(game) => {
                let legal = ShogiMove::from_usi(text).filter(|&m| game.position.is_legal(m));
                let Some(m) = legal else { return false };
                game.play(m);
            }
        }
        true
    }

    /// Is this move legal?
    pub fn is_legal(&self, text: &str) -> bool {
        match self {
            Referee::Chess(game) => game.position().parse_uci(text).is_ok(),
            Referee::Shogi(game) => {
                ShogiMove::from_usi(text).is_some_and(|m| game.position.is_legal(m))
            }
        }
    }

    /// Is the game over, by the rules?
    pub fn verdict(&self) -> Option<Ended> {
        match self {
            Referee::Chess(game) => game.outcome().map(|outcome| match outcome {
                Outcome::Win { winner } => Ended::won(winner as usize, Reason::Mate),
                Outcome::Draw(draw) => Ended::drawn(match draw {
                    Draw::Stalemate => Reason::Stalemate,
                    Draw::Repetition => Reason::Repetition,
                    Draw::FiftyMoves => Reason::FiftyMoves,
                    Draw::InsufficientMaterial => Reason::InsufficientMaterial,
                }),
            }),
            Referee::Shogi(game) => game.verdict(),
        }
    }

    /// May the side to move declare a win?
    pub fn may_declare(&self) -> bool {
        match self {
            Referee::Chess(_) => false,
            Referee::Shogi(game) => may_declare(&game.position),
        }
    }

    /// Where the game began, as text.
    pub fn start(&self) -> Start {
        match self {
            Referee::Chess(game) if *game.start() == chess::Position::start() => Start::Initial,
            Referee::Chess(game) => Start::Fen(game.start().fen()),
            Referee::Shogi(game) if game.start == Shogi::start() => Start::Initial,
            Referee::Shogi(game) => Start::Fen(game.start.to_string()),
        }
    }
}

impl ShogiGame {
    fn new(start: Shogi) -> ShogiGame {
        let past = vec![(start.clone(), start.is_check())];
        ShogiGame { position: start.clone(), start, moves: Vec::new(), past }
    }

    /// Where it began.
    pub fn start(&self) -> &Shogi {
        &self.start
    }

    /// What was played.
    pub fn moves(&self) -> &[ShogiMove] {
        &self.moves
    }

    fn play(&mut self, m: ShogiMove) {
        self.position.play(m);
        self.moves.push(m);
        self.past.push((self.position.clone(), self.position.is_check()));
    }

    fn verdict(&self) -> Option<Ended> {
        let turn = self.position.turn().index();
        let mut moves = Vec::new();
        self.position.legal_moves(&mut moves);
        if moves.is_empty() {
            let is_mate = self.position.is_check();
            let reason = if is_mate { Reason::Mate } else { Reason::NoMoves };
            return Some(Ended::won(1 - turn, reason));
        }
        let same = |(position, _): &(Shogi, bool)| *position == self.position;
        if self.past.iter().filter(|past| same(past)).count() < 4 {
            return None;
        }
        let first = self.past.iter().position(same)?;
        let since = &self.past[first + 1..];
        // A position in check was made by a check of the side that is not to move there.
        let always_checks = |side: usize| {
            let made = since.iter().filter(|(position, _)| position.turn().index() != side);
            made.clone().next().is_some() && made.clone().all(|&(_, is_check)| is_check)
        };
        Some(match [always_checks(0), always_checks(1)] {
            [true, false] => Ended::won(1, Reason::PerpetualCheck),
            [false, true] => Ended::won(0, Reason::PerpetualCheck),
            _ => Ended::drawn(Reason::Repetition),
        })
    }
}

/// The 27-point rule.
fn may_declare(position: &Shogi) -> bool {
    let side = position.turn();
    let has_entered = |square: Square| square.is_in_zone_of(side);
    if position.is_check() || !position.king(side).is_some_and(has_entered) {
        return false;
    }
    let value = |kind: Kind| match kind {
        Kind::ROOK | Kind::BISHOP | Kind::DRAGON | Kind::HORSE => 5,
        _ => 1,
    };
    let (mut pieces, mut points) = (0, 0);
    for square in Square::all().filter(|&square| has_entered(square)) {
        if let Some(piece) = position.piece(square)
            && piece.color() == side
            && piece.kind() != Kind::KING
        {
            pieces += 1;
            points += value(piece.kind());
        }
    }
    let held = position.hand(side).pieces();
    points += held.map(|(kind, count)| value(kind) * u32::from(count)).sum::<u32>();
    let needed = if side == Color::Black { 28 } else { 27 };
    pieces >= 10 && points >= needed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(game: Game, start: Start, moves: &[&str]) -> Referee {
        let moves = moves.iter().map(|&text| text.into()).collect();
        Referee::new(game, &PositionText { start, moves }).unwrap()
    }

    /// Plays a cycle of moves again and again: after how many plies the game ends, and how.
    fn cycle(game: Game, start: Start, cycle: &[&str]) -> (usize, Ended) {
        let mut referee = after(game, start, &[]);
        for (plies, text) in cycle.iter().cycle().enumerate() {
            if let Some(ended) = referee.verdict() {
                return (plies, ended);
            }
            assert!(referee.play(text), "{text}");
        }
        unreachable!()
    }

    fn sfen(text: &str) -> Start {
        Start::Fen(text.into())
    }

    #[test]
    fn repetition_in_chess_and_shogi() {
        let knights = ["g1f3", "g8f6", "f3g1", "f6g8"];
        let drawn = Ended::drawn(Reason::Repetition);
        assert_eq!(cycle(Game::Chess, Start::Initial, &knights), (8, drawn.clone()));
        let kings = ["5i5h", "5a5b", "5h5i", "5b5a"];
        assert_eq!(cycle(Game::Shogi, Start::Initial, &kings), (12, drawn));
    }

    #[test]
    fn perpetual_check_loses() {
        let moves = ["9b9a", "5a5b", "9a9b", "5b5a"];
        let start = sfen("4k4/R8/9/9/9/9/9/9/4K4 b - 1");
        let lost = Ended::won(1, Reason::PerpetualCheck);
        assert_eq!(cycle(Game::Shogi, start, &moves), (12, lost));
        let moves = ["9h9i", "5i5h", "9i9h", "5h5i"];
        let start = sfen("4k4/9/9/9/9/9/9/r8/4K4 w - 1");
        let lost = Ended::won(0, Reason::PerpetualCheck);
        assert_eq!(cycle(Game::Shogi, start, &moves), (12, lost));
        // Every other move is no check.
        let moves = ["9c9a", "5a5b", "9a9c", "5b5a"];
        let start = sfen("4k4/9/R8/9/9/9/9/9/4K4 b - 1");
        assert_eq!(cycle(Game::Shogi, start, &moves), (12, Ended::drawn(Reason::Repetition)));
    }

    #[test]
    fn who_cannot_move_loses_in_shogi_alone() {
        let mate = after(Game::Shogi, sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), &["G*5b"]);
        assert_eq!(mate.verdict(), Some(Ended::won(0, Reason::Mate)));
        let stuck = after(Game::Shogi, sfen("k8/2G6/P8/9/9/9/9/9/4K4 w - 1"), &[]);
        let stalemate = after(Game::Chess, sfen("k7/2Q5/8/8/8/8/8/4K3 b - - 0 1"), &[]);
        assert_eq!(stuck.verdict(), Some(Ended::won(0, Reason::NoMoves)));
        assert_eq!(stalemate.verdict(), Some(Ended::drawn(Reason::Stalemate)));
        let mate = after(Game::Chess, Start::Initial, &["f2f3", "e7e5", "g2g4", "d8h4"]);
        assert_eq!(mate.verdict(), Some(Ended::won(1, Reason::Mate)));
    }

    #[test]
    fn a_win_is_declared_with_enough_points_and_pieces() {
        let may = |text: &str| after(Game::Shogi, sfen(text), &[]).may_declare();
        assert!(may("+R+BGGGG3/SSSS5/4K4/9/9/9/9/9/k8 b RB 1"), "28 points, 10 pieces");
        assert!(!may("+R+BGGGG3/SSSS5/4K4/9/9/9/9/9/k8 b R4P 1"), "27 points");
        assert!(may("8K/9/9/9/9/9/4k4/ssss5/+r+bgggg3 w r4p 1"), "27 do for White");
        assert!(!may("8K/9/9/9/9/9/4k4/ssss5/+r+bgggg3 w r3p 1"), "26 do not");
        assert!(!may("+R+BGGGG3/SSS6/4K4/9/9/9/9/9/k8 b RBS 1"), "9 pieces");
        assert!(!may("+R+BGGGG3/SSSS5/9/4K4/9/9/9/9/k8 b RB 1"), "the king is outside");
        assert!(!may("+R+BGGGG2r/SSSS5/8K/9/9/9/9/9/k8 b B5P 1"), "28 points, but in check");
    }
}
