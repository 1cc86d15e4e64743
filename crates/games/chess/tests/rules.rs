//! Moves, checks, ends of games, SAN and FEN against shakmaty, over random games.

use andor::SplitMix64;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};
use yomikiri_chess::{Board, Position, Status};

/// Starts with all that is rare: castling, promotions, en passant, pins.
const STARTS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "3k4/8/8/K2pP2r/8/8/8/8 w - d6 0 1",
];

fn oracle(fen: &str, mode: CastlingMode) -> Chess {
    let fen: Fen = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    fen.into_position(mode).unwrap_or_else(|error| panic!("{error}"))
}

/// Everything that both can say of a position.
fn compare(position: &Position, oracle: &Chess, mode: CastlingMode) {
    let fen = position.fen();
    let mut theirs: Vec<(String, String)> = oracle
        .legal_moves()
        .iter()
        .map(|&m| (m.to_uci(mode).to_string(), SanPlus::from_move(oracle.clone(), m).to_string()))
        .collect();
    let moves = position.legal_moves();
    let uci = |m| match mode {
        CastlingMode::Standard => position.uci(m),
        // Castling is the king taking his rook there; ours are written so already.
        CastlingMode::Chess960 => m.to_string(),
    };
    let mut ours: Vec<(String, String)> =
        moves.iter().map(|&m| (uci(m), position.san(m))).collect();
    ours.sort();
    theirs.sort();
    assert_eq!(ours, theirs, "{fen}");
    assert_eq!(position.in_check(), oracle.is_check(), "{fen}");
    assert_eq!(position.insufficient_material(), oracle.is_insufficient_material(), "{fen}");
    let status = match (oracle.is_checkmate(), oracle.is_stalemate()) {
        (true, _) => Status::Checkmate,
        (_, true) => Status::Stalemate,
        _ => Status::Ongoing,
    };
    assert_eq!(position.status(), status, "{fen}");
    if mode == CastlingMode::Standard {
        let theirs = Fen::from_position(oracle, EnPassantMode::Legal).to_string();
        assert_eq!(fen, theirs);
    }
    assert_eq!(Position::from_fen(&fen).as_ref(), Ok(position));
    for &m in &moves {
        assert_eq!(position.parse_uci(&position.uci(m)), Ok(m), "{fen}");
        assert_eq!(position.parse_uci(&m.to_string()), Ok(m), "{fen}");
        assert_eq!(position.parse_san(&position.san(m)), Ok(m), "{fen}");
    }
}

fn random_game(start: Position, mode: CastlingMode, random: &mut SplitMix64, plies: u32) -> usize {
    let mut oracle = oracle(&start.fen(), mode);
    let mut position = start;
    let mut seen = 0;
    for _ in 0..plies {
        compare(&position, &oracle, mode);
        seen += 1;
        let moves = position.legal_moves();
        if moves.is_empty() || position.board().halfmove_clock() >= 100 {
            break;
        }
        let m = moves[random.below(moves.len())];
        let wanted = if mode == CastlingMode::Standard { position.uci(m) } else { m.to_string() };
        let theirs =
            oracle.legal_moves().into_iter().find(|m| m.to_uci(mode).to_string() == wanted);
        oracle = oracle.play(theirs.expect("compared above")).expect("a legal move");
        position.play(m);
    }
    seen
}

#[test]
fn random_games_agree_with_shakmaty() {
    let mut random = SplitMix64::new(5);
    let mut seen = 0;
    for round in 0..120 {
        let start = Position::from_fen(STARTS[round % STARTS.len()]).expect("a position");
        seen += random_game(start, CastlingMode::Standard, &mut random, 120);
    }
    assert!(seen > 5_000, "only {seen} positions");
}

#[test]
fn chess960_agrees_with_shakmaty() {
    let mut random = SplitMix64::new(6);
    for number in (0..960).step_by(16) {
        let start = Position::from(Board::chess960_startpos(number));
        random_game(start, CastlingMode::Chess960, &mut random, 80);
    }
}

fn perft(position: &Position, depth: u32) -> u64 {
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.into_iter().map(|m| perft(&position.after(m), depth - 1)).sum()
}

#[test]
fn perft_is_known() {
    for (fen, depth, nodes) in [
        (STARTS[0], 4, 197_281),
        (STARTS[1], 3, 97_862),
        (STARTS[2], 4, 43_238),
        (STARTS[3], 3, 9_467),
        (STARTS[4], 3, 9_483),
    ] {
        let position = Position::from_fen(fen).expect("a position");
        assert_eq!(perft(&position, depth), nodes, "{fen}");
    }
}

#[test]
fn equal_identity_is_the_same_position() {
    let identity = |fen: &str| Position::from_fen(fen).expect("a position").identity();
    let key = |fen: &str| Position::from_fen(fen).expect("a position").key();
    // The pawn is pinned, so the en passant square means nothing.
    for (with, without, same) in [
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 7 9", false),
        ("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4r1k1/8/8/3pP3/8/8/8/4K3 w - - 0 1", true),
        ("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", false),
    ] {
        assert_eq!(identity(with) == identity(without), same, "{with}");
        assert_eq!(key(with) == key(without), same, "{with}");
    }
}
