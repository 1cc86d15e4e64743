//! Japanese names of moves against those of two other people's programs.

use andor::SplitMix64;
use shogi_core::{PartialPosition, PieceKind};
use yomikiri_shogi::notation::japanese::{ki2_move_name, kif_move_name, move_name};
use yomikiri_shogi::notation::written::read_move;
use yomikiri_shogi::{Color, Kind, Move, Position, Square};

use super::games;

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

fn core_kind(kind: Kind) -> PieceKind {
    KINDS.iter().find(|row| row.0 == kind).expect("every kind is there").1
}

fn core_color(color: Color) -> shogi_core::Color {
    match color {
        Color::Black => shogi_core::Color::Black,
        Color::White => shogi_core::Color::White,
    }
}

fn core_square(square: Square) -> shogi_core::Square {
    shogi_core::Square::new(square.file(), square.rank()).expect("it is on the board")
}

fn core_move(m: Move, turn: Color) -> shogi_core::Move {
    let to = core_square(m.to());
    match (m.from(), m.dropped()) {
        (Some(from), _) => {
            shogi_core::Move::Normal { from: core_square(from), to, promote: m.promotes() }
        }
        (None, kind) => {
            let kind = core_kind(kind.expect("it is a drop"));
            shogi_core::Move::Drop { piece: shogi_core::Piece::new(kind, core_color(turn)), to }
        }
    }
}

fn core_position(position: &Position) -> PartialPosition {
    let mut board = PartialPosition::empty();
    for square in position.occupied() {
        let piece = position.piece(square).expect("it is occupied");
        let theirs = shogi_core::Piece::new(core_kind(piece.kind()), core_color(piece.color()));
        board.piece_set(core_square(square), Some(theirs));
    }
    for color in Color::ALL {
        let hand = board.hand_of_a_player_mut(core_color(color));
        for (kind, count) in position.hand(color).pieces() {
            for _ in 0..count {
                *hand = hand.added(core_kind(kind)).expect("it can be held");
            }
        }
    }
    board.side_to_move_set(core_color(position.turn()));
    board
}

/// Visits the positions of random games and problems.
fn walk(walks: u64, mut visit: impl FnMut(&Position, Option<Square>)) {
    for seed in 0..walks {
        let mut rng = SplitMix64::new(seed);
        let mut position = if seed % 4 == 0 { Position::start() } else { games::problem(&mut rng) };
        let mut last = None;
        for _ in 0..40 {
            visit(&position, last);
            let moves = games::legal(&position);
            if moves.is_empty() {
                break;
            }
            let m = moves[rng.below(moves.len())];
            position.play(m);
            last = Some(m.to());
        }
    }
}

/// All moves whose names have words, and some of the others: the name is theirs, and is read as the
/// move that it names.
#[test]
fn names_are_those_of_shogi_official_kifu() {
    let (mut positions, mut names, mut with_words, mut others) = (0, 0, 0, 0);
    walk(80, |position, last| {
        positions += 1;
        let theirs = core_position(position);
        for m in games::legal(position) {
            let name = move_name(position, m, None);
            let has_words = name.contains(['右', '左', '直', '上', '寄', '引', '打']);
            others += 1;
            if !has_words && others % 12 != 0 {
                continue;
            }
            let core = core_move(m, position.turn());
            let official = shogi_official_kifu::display_single_move_kansuji(&theirs, core);
            // They write the dragon as 竜.
            let official = official.map(|name| name.replace('竜', "龍"));
            assert_eq!(Some(&name), official.as_ref(), "{position} {m}");
            names += 1;
            with_words += usize::from(has_words);
            assert_eq!(read_move(position, last, &name), Ok(m), "{position} {name}");
            let ki2 = ki2_move_name(position, m, last);
            assert_eq!(read_move(position, last, &ki2), Ok(m), "{position} {ki2}");
            let kif = kif_move_name(position, m, last);
            assert_eq!(read_move(position, last, &kif), Ok(m), "{position} {kif}");
        }
    });
    println!("{names} names ({with_words} with words) in {positions} positions");
    assert!(names > 25_000 && with_words > 5_000, "{names} {with_words}");
}

/// The same against `rsshogi`.
#[test]
fn names_are_those_of_rsshogi() {
    let mut names = 0;
    walk(100, |position, _| {
        let sfen = position.to_string();
        let theirs = rsshogi::board::Position::from_sfen(&sfen).expect("they read it");
        for m in games::legal(position) {
            let name = move_name(position, m, None);
            let move32 = theirs.move32_from_usi(&m.to_string()).expect("they know the move");
            assert_eq!(move32.to_ki2(&theirs), Some(name), "{sfen} {m}");
            names += 1;
        }
    });
    println!("{names} names");
}
