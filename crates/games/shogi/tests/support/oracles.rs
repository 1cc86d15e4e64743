//! Three boards by other people, made to answer the questions that we ask of ours.
//!
//! `rsshogi` and `shunsai` are fast enough to be asked everywhere, `shogi_legality_lite` only now
//! and then: it plays every move on a copy of the board. All three accept positions in which a king
//! is missing. Each plays the moves of a walk by itself, so that playing is compared as well.

use rsshogi::board::movegen::generate_checks_all_move32;
use rsshogi::board::{Move32List, generate_legal_all_move32};
use rsshogi::mate::solve_mate_in_one;
use shogi_core::{PartialPosition, PieceKind};
use yomikiri_shogi::{Color, Kind, Move, Position, Square};

/// What is known of a position. Moves are in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Is the side to move in check?
    pub in_check: bool,
    /// The legal moves.
    pub legal: Vec<Move>,
    /// Those that give check.
    pub checks: Vec<Move>,
    /// Those that mate, if the oracle was asked for them.
    pub mates: Option<Vec<Move>>,
}

/// The two fast boards, in step with ours.
pub struct Oracles {
    rsshogi: rsshogi::board::Position,
    shunsai: shunsai::Position,
}

impl Oracles {
    pub fn new(position: &Position) -> Oracles {
        let sfen = position.to_string();
        let rsshogi = rsshogi::board::Position::from_sfen(&sfen)
            .unwrap_or_else(|error| panic!("{sfen}: rsshogi: {error}"));
        Oracles { rsshogi, shunsai: shunsai::Position::new(to_core(position)) }
    }

    /// Plays a move that is legal in both.
    pub fn play(&mut self, m: Move) {
        let theirs = self.rsshogi.move32_from_usi(&m.to_string());
        self.rsshogi.apply_move32(theirs.unwrap_or_else(|| panic!("rsshogi does not know {m}")));
        let side = self.shunsai.side_to_move();
        self.shunsai.do_move(to_core_move(m, side));
    }

    /// Asserts that both have what we have on the board and in hand.
    pub fn assert_in_step(&self, position: &Position) {
        assert_eq!(self.rsshogi.to_sfen(Some(1)), position.to_string(), "rsshogi");
        assert_eq!(self.shunsai.side_to_move(), to_core_color(position.turn()), "{position}");
        for square in Square::all() {
            let theirs = self.shunsai.piece_at(to_core_square(square));
            assert_eq!(theirs, to_core_piece(position, square), "{position}: shunsai on {square}");
        }
        for color in Color::ALL {
            let theirs = self.shunsai.hand(to_core_color(color));
            for kind in Kind::HAND {
                let count = theirs.count(to_core_kind(kind));
                assert_eq!(count, Some(position.hand(color).count(kind)), "{position}: shunsai");
            }
        }
    }

    /// `shunsai` has no generator of checks: it plays every legal move.
    pub fn shunsai(&self) -> Answer {
        let position = &self.shunsai;
        let (mut legal, mut checks, mut mates) = (Vec::new(), Vec::new(), Vec::new());
        for theirs in position.legal_moves() {
            let m = from_core_move(theirs);
            legal.push(m);
            let mut after = position.clone();
            after.do_move(theirs);
            if after.in_check() {
                checks.push(m);
                if !after.has_legal_moves() {
                    mates.push(m);
                }
            }
        }
        for moves in [&mut legal, &mut checks, &mut mates] {
            moves.sort_unstable();
        }
        Answer { in_check: position.in_check(), legal, checks, mates: Some(mates) }
    }

    /// `rsshogi` generates checks as such, some of them not legal. They are filtered here.
    pub fn rsshogi(&self) -> Answer {
        let position = &self.rsshogi;
        let mut list = Move32List::new();
        generate_legal_all_move32(position, &mut list);
        let mut legal: Vec<Move> = list.iter().map(|&m| from_rsshogi(m)).collect();
        list.clear();
        generate_checks_all_move32(position, &mut list);
        let checks = list.iter().filter(|&&m| position.is_legal_move32(m));
        let mut checks: Vec<Move> = checks.map(|&m| from_rsshogi(m)).collect();
        for moves in [&mut legal, &mut checks] {
            moves.sort_unstable();
        }
        Answer { in_check: position.is_in_check(), legal, checks, mates: None }
    }

    /// Is there a mate in one, in the opinion of `rsshogi`'s own search for one?
    pub fn rsshogi_mates_in_one(&self) -> Option<Move> {
        solve_mate_in_one(&self.rsshogi).map(from_rsshogi)
    }

    /// Does a pawn dropped there leave the other side in check without a legal move? The drop is
    /// played on `shunsai`'s board whether it is legal or not; the side to move is not in check.
    pub fn is_mate_after_pawn_drop(&self, to: Square) -> bool {
        let mut after = self.shunsai.clone();
        after.do_move(to_core_move(Move::drop(Kind::PAWN, to), after.side_to_move()));
        after.in_check() && !after.has_legal_moves()
    }

    /// Does the move leave the other side without a legal move, in check or not?
    fn leaves_no_move(&self, m: Move) -> bool {
        let mut after = self.shunsai.clone();
        after.do_move(to_core_move(m, after.side_to_move()));
        !after.has_legal_moves()
    }

    /// Would `shogi_legality_lite` answer? To see whether a pawn drop is mate it tries the answers,
    /// and to see whether an answer that drops a pawn is mate, the answers to that. It hardly ever
    /// comes back where both sides hold pawns and have little else to play.
    pub fn lite_answers(position: &Position) -> bool {
        let ends = |color| position.king(color).is_none() || !position.hand(color).has(Kind::PAWN);
        let has_other_moves = |turn| {
            let mut position = position.clone();
            position.set_turn(turn);
            let mut moves = Vec::new();
            if !position.is_check() {
                position.legal_moves(&mut moves);
            }
            moves.iter().filter(|m| !m.is_drop()).count() >= 8
        };
        Color::ALL.into_iter().any(ends) || Color::ALL.into_iter().all(has_other_moves)
    }

    /// `shogi_legality_lite`, on a board made from ours. It forbids a pawn drop that leaves the
    /// other side without a move even if it gives no check, which no rule says: those moves are
    /// taken from `shunsai`.
    pub fn lite(&self, position: &Position) -> Answer {
        let board = to_core(position);
        let mut legal = shogi_legality_lite::all_legal_moves_partial(&board);
        let mut checks = Vec::new();
        for &m in &legal {
            let mut after = board.clone();
            after.make_move(m).unwrap_or_else(|| panic!("{position}: {m:?} cannot be played"));
            if shogi_legality_lite::is_in_check_partial_lite(&after) {
                checks.push(from_core_move(m));
            }
        }
        let mut legal: Vec<Move> = legal.drain(..).map(from_core_move).collect();
        for theirs in self.shunsai.legal_moves() {
            let m = from_core_move(theirs);
            let pawn = m.dropped() == Some(Kind::PAWN);
            if pawn && !legal.contains(&m) && self.leaves_no_move(m) {
                let mut after = self.shunsai.clone();
                after.do_move(theirs);
                assert!(!after.in_check(), "{position}: {m} is a pawn-drop mate");
                legal.push(m);
            }
        }
        legal.sort_unstable();
        checks.sort_unstable();
        let in_check = shogi_legality_lite::is_in_check_partial_lite(&board);
        Answer { in_check, legal, checks, mates: None }
    }
}

const KINDS: [(Kind, PieceKind); 14] = [
    (Kind::PAWN, PieceKind::Pawn),
    (Kind::LANCE, PieceKind::Lance),
    (Kind::KNIGHT, PieceKind::Knight),
    (Kind::SILVER, PieceKind::Silver),
    (Kind::GOLD, PieceKind::Gold),
    (Kind::BISHOP, PieceKind::Bishop),
    (Kind::ROOK, PieceKind::Rook),
    (Kind::KING, PieceKind::King),
    (Kind::PRO_PAWN, PieceKind::ProPawn),
    (Kind::PRO_LANCE, PieceKind::ProLance),
    (Kind::PRO_KNIGHT, PieceKind::ProKnight),
    (Kind::PRO_SILVER, PieceKind::ProSilver),
    (Kind::HORSE, PieceKind::ProBishop),
    (Kind::DRAGON, PieceKind::ProRook),
];

fn to_core_kind(kind: Kind) -> PieceKind {
    KINDS.iter().find(|pair| pair.0 == kind).expect("every kind is there").1
}

fn from_core_kind(kind: PieceKind) -> Kind {
    KINDS.iter().find(|pair| pair.1 == kind).expect("every kind is there").0
}

fn to_core_color(color: Color) -> shogi_core::Color {
    match color {
        Color::Black => shogi_core::Color::Black,
        Color::White => shogi_core::Color::White,
    }
}

fn to_core_square(square: Square) -> shogi_core::Square {
    shogi_core::Square::new(square.file(), square.rank()).expect("it is on the board")
}

fn from_core_square(square: shogi_core::Square) -> Square {
    Square::new(square.file(), square.rank()).expect("it is on the board")
}

fn to_core_piece(position: &Position, square: Square) -> Option<shogi_core::Piece> {
    let piece = position.piece(square)?;
    Some(shogi_core::Piece::new(to_core_kind(piece.kind()), to_core_color(piece.color())))
}

fn to_core_move(m: Move, side: shogi_core::Color) -> shogi_core::Move {
    let to = to_core_square(m.to());
    match (m.from(), m.dropped()) {
        (Some(from), _) => {
            shogi_core::Move::Normal { from: to_core_square(from), to, promote: m.promotes() }
        }
        (None, kind) => {
            let kind = to_core_kind(kind.expect("it is a drop"));
            shogi_core::Move::Drop { piece: shogi_core::Piece::new(kind, side), to }
        }
    }
}

fn from_core_move(m: shogi_core::Move) -> Move {
    match m {
        shogi_core::Move::Normal { from, to, promote } => {
            Move::new(from_core_square(from), from_core_square(to), promote)
        }
        shogi_core::Move::Drop { piece, to } => {
            Move::drop(from_core_kind(piece.piece_kind()), from_core_square(to))
        }
    }
}

fn to_core(position: &Position) -> PartialPosition {
    let mut board = PartialPosition::empty();
    for square in Square::all() {
        board.piece_set(to_core_square(square), to_core_piece(position, square));
    }
    for color in Color::ALL {
        let hand = board.hand_of_a_player_mut(to_core_color(color));
        for (kind, count) in position.hand(color).pieces() {
            for _ in 0..count {
                *hand = hand.added(to_core_kind(kind)).expect("a kind that can be held");
            }
        }
    }
    board.side_to_move_set(to_core_color(position.turn()));
    board
}

fn from_rsshogi(m: rsshogi::types::Move32) -> Move {
    let square = |square: rsshogi::types::Square| {
        let (file, rank) = (square.raw() / 9 + 1, square.raw() % 9 + 1);
        Square::new(file as u8, rank as u8).expect("it is on the board")
    };
    use rsshogi::types::PieceType;
    match m.dropped_piece() {
        Some(kind) => {
            let kind = match kind {
                PieceType::PAWN => Kind::PAWN,
                PieceType::LANCE => Kind::LANCE,
                PieceType::KNIGHT => Kind::KNIGHT,
                PieceType::SILVER => Kind::SILVER,
                PieceType::GOLD => Kind::GOLD,
                PieceType::BISHOP => Kind::BISHOP,
                PieceType::ROOK => Kind::ROOK,
                _ => panic!("rsshogi drops {kind:?}"),
            };
            Move::drop(kind, square(m.to_sq()))
        }
        None => Move::new(square(m.from_sq()), square(m.to_sq()), m.is_promotion()),
    }
}
