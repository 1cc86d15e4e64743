//! FEN, UCI and SAN: what is read, what is refused and where, what a game knows of draws.

use proptest::prelude::*;
use yomikiri_chess::epd::{self, EpdError};
use yomikiri_chess::{
    Color, Draw, FenError, Game, Outcome, Position, SanError, Square, Status, UciError,
};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn refused(fen: &str) -> String {
    Position::from_fen(fen).expect_err(fen).to_string()
}

#[test]
fn bad_fens_are_refused_with_their_place() {
    for (fen, message) in [
        ("", "byte 0: the board is missing"),
        ("8/8/8/8/8/8/8/8/8 w - -", "byte 17: the board has 9 ranks; 8 are needed"),
        ("8/8/8/8/8/8/8 w - -", "byte 13: the board has 7 ranks; 8 are needed"),
        ("8/8/7/8/8/8/8/8 w - -", "byte 5: rank 6 has 7 squares; 8 are needed"),
        ("8/8/ppppppppp/8/8/8/8/8 w - -", "byte 12: rank 6 has 9 squares; 8 are needed"),
        ("8/8/4x3/8/8/8/8/8 w - -", "byte 5: `x` is no piece"),
        ("4k3/8/8/8/8/8/8/4K3", "byte 19: the side to move (w or b) is missing"),
        ("4k3/8/8/8/8/8/8/4K3 x - -", "byte 20: `x` is no side to move (w or b)"),
        ("4k3/8/8/8/8/8/8/4K3 w", "byte 21: the castling field"),
        ("4k3/8/8/8/8/8/8/4K3 w - ", "byte 24: the en passant field"),
        ("4k3/8/8/8/8/8/8/4K3 w KX -", "byte 22: castling `K` needs"),
        ("4k3/8/8/8/8/8/8/4K2R w KX -", "byte 24: `X` is no castling right"),
        ("4k3/8/8/8/8/8/8/4K3 w - e4", "byte 24: `e4` is no en passant square"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6", "byte 24: no pawn can have passed e6"),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "byte 26: `x` is no count of halfmoves"),
        ("4k3/8/8/8/8/8/8/4K3 w - - +1 1", "byte 26: `+1` is no count of halfmoves"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0", "byte 27: the number of the move is missing"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 7", "byte 30: `7` after the last field"),
        ("8/8/8/8/8/8/8/4K3 w - -", "black has 0 kings"),
        ("4k3/8/8/8/8/8/8/3KK3 w - -", "white has 2 kings"),
        ("4k3/8/8/8/8/8/8/4K2P w - -", "there is a pawn on h1"),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - -", "black has 9 pawns; at most 8"),
        ("4k3/8/8/8/QQQQQQQQ/QQQQQQQQ/8/4K3 w - -", "white has 17 pieces; at most 16"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - -", "black is in check, but it is the other side's move"),
        ("8/8/8/8/8/3k4/3K4/8 w - -", "black is in check"),
    ] {
        let found = refused(fen);
        assert!(found.contains(message), "{fen}\n  found  {found}\n  wanted {message}");
    }
}

#[test]
fn fens_read_back() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 12 99",
        "1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    ] {
        assert_eq!(position(fen).fen(), fen);
    }
    // Either way to write the rights; the outermost rook is meant by K and Q.
    assert_eq!(
        position("4k3/8/8/8/8/8/8/R3K1RR w KQ -"),
        position("4k3/8/8/8/8/8/8/R3K1RR w HA -")
    );
    assert_eq!(position("4k3/8/8/8/8/8/8/R3K2R w HA -").epd(), "4k3/8/8/8/8/8/8/R3K2R w KQ -");
    // Counters beyond what the board keeps, and a count from 0.
    assert_eq!(position("4k3/8/8/8/8/8/8/4K2R w - - 250 0").board().halfmove_clock(), 100);
    assert_eq!(position("4k3/8/8/8/8/8/8/4K2R w - - 250 0").board().fullmove_number(), 1);
}

#[test]
fn epds_keep_what_follows() {
    let text = "8/8/8/8/8/8/4QRb1/R3K2k w Q - bm #2; O-O-O; 00:00;";
    let (read, rest) = Position::from_epd(text).expect("an EPD");
    assert_eq!((read.epd().as_str(), rest), (&text[..29], "bm #2; O-O-O; 00:00;"));
    assert!(matches!(Position::from_fen(text), Err(FenError::BadField { at: 30, .. })));
}

#[test]
fn castling_is_the_kings_step_or_takes_the_rook() {
    let standard = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -");
    for (step, takes) in [("e1g1", "e1h1"), ("e1c1", "e1a1")] {
        let m = standard.parse_uci(step).expect("castling");
        assert_eq!(standard.parse_uci(takes), Ok(m));
        assert_eq!(standard.uci(m), step);
    }
    // The step from b1 to c1 is a move of the king there.
    let shuffled = position("1k6/8/8/8/8/8/8/1K4R1 w G -");
    let castling = shuffled.parse_san("O-O").expect("castling");
    assert_eq!(shuffled.uci(castling), "b1g1");
    assert_eq!(shuffled.parse_uci("b1c1").map(|m| shuffled.san(m)), Ok("Kc1".into()));
}

#[test]
fn uci_says_what_is_wrong() {
    let start = Position::start();
    for text in ["", "e2", "e2e9", "e2e4x", "e2e4qq", "♔e2e4", "0000"] {
        assert!(matches!(start.parse_uci(text), Err(UciError::NotAMove { .. })), "{text}");
    }
    for text in ["e2e5", "e7e5", "e2e4q", "e1g1"] {
        assert!(matches!(start.parse_uci(text), Err(UciError::Illegal { .. })), "{text}");
    }
}

#[test]
fn san_is_read_with_patience() {
    let rich = position("r3k2r/1P6/8/3pP3/8/2N3N1/8/R3K2R w KQkq d6");
    for (written, wanted) in [
        ("0-0", "O-O"),
        ("o-o-o", "O-O-O"),
        ("O-O!?", "O-O"),
        ("e1g1", "O-O"),
        ("b8Q", "b8=Q+"),
        ("b8=Q", "b8=Q+"),
        ("b8(Q)+", "b8=Q+"),
        ("b7b8q", "b8=Q+"),
        ("bxa8=n", "bxa8=N"),
        ("ba8N", "bxa8=N"),
        ("exd6e.p.", "exd6"),
        ("ed6", "exd6"),
        ("Pe6", "e6"),
        ("e5-e6", "e6"),
        ("Nce4??", "Nce4"),
        ("Nc3e4#", "Nce4"),
        ("Kf2++", "Kf2"),
    ] {
        let read = rich.parse_san(written).map(|m| rich.san(m));
        assert_eq!(read.as_deref(), Ok(wanted), "{written}");
    }
    assert!(matches!(rich.parse_san("Ne4"), Err(SanError::Ambiguous { .. })));
    assert!(matches!(rich.parse_san("b8"), Err(SanError::Illegal { .. })));
    assert!(matches!(rich.parse_san("Qd4"), Err(SanError::Illegal { .. })));
    for text in ["", "x", "Nf", "N", "e9", "--", "Kg1g2g3", "O-O-O-O"] {
        assert!(matches!(rich.parse_san(text), Err(SanError::NotAMove { .. })), "{text}");
    }
}

/// Plays moves written in SAN.
fn game(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(position(fen));
    for text in moves.split_whitespace() {
        let m = game.position().parse_san(text).unwrap_or_else(|error| panic!("{error}"));
        game.play(m);
    }
    game
}

#[test]
fn a_game_knows_how_it_ends() {
    let start = Position::start().fen();
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ";
    for (fen, moves, outcome) in [
        (start.as_str(), "f3 e5 g4 Qh4", Some(Outcome::Win { winner: Color::Black })),
        (&start, shuffle, None),
        (&start, &shuffle.repeat(2), Some(Outcome::Draw(Draw::Repetition))),
        ("7k/8/8/6Q1/8/8/8/K7 w - - 98 90", "Kb1", None),
        ("7k/8/8/6Q1/8/8/8/K7 w - - 99 90", "Kb1", Some(Outcome::Draw(Draw::FiftyMoves))),
        ("7k/8/5K2/6Q1/8/8/8/8 w - - 99 90", "Qg7", Some(Outcome::Win { winner: Color::White })),
        ("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "Qg6", Some(Outcome::Draw(Draw::Stalemate))),
        ("7k/8/8/8/8/1p6/K7/8 w - - 0 1", "Kxb3", Some(Outcome::Draw(Draw::InsufficientMaterial))),
    ] {
        assert_eq!(game(fen, moves).outcome(), outcome, "{fen} {moves}");
    }
    // The first time castling was still possible: another position.
    let rook = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert_eq!(game(rook, "Kd1 Kd8 Ke1 Ke8 Kd1 Kd8 Ke1 Ke8").outcome(), None);
    assert_eq!(game(rook, "Kd1 Kd8 Ke1 Ke8 Kd1 Kd8 Ke1 Ke8 Kd1 Kd8").repetitions(), 3);
}

#[test]
fn ends_of_positions() {
    assert_eq!(Position::start().status(), Status::Ongoing);
    assert_eq!(position("7k/8/6Q1/8/8/8/8/K7 b - -").status(), Status::Stalemate);
    assert_eq!(position("7k/6Q1/5K2/8/8/8/8/8 b - -").status(), Status::Checkmate);
    assert_eq!(position("4k3/8/8/3pP3/8/8/8/4K3 w - d6").en_passant(), Some(Square::D6));
}

proptest! {
    #[test]
    fn no_text_panics(text in "[ -~/]{0,60}", board in "[pnbrqkPNBRQK1-8/]{0,40} [wb] [KQkqA-Ha-h-]{1,4} [a-h1-8-]{1,2}( [0-9]{1,12} [0-9]{1,12})?") {
        for text in [text, board] {
            if let Ok(position) = Position::from_fen(&text) {
                prop_assert_eq!(Position::from_fen(&position.fen()), Ok(position));
            }
            drop(Position::start().parse_san(&text));
            drop(Position::start().parse_uci(&text));
        }
    }
}

proptest! {
    /// Operations are read, or one of them is named with its place.
    #[test]
    fn no_operation_panics(rest in "[bdm#id\" ;0-9c\\-+é\u{3000}]{0,40}") {
        let text = format!("7k/8/5KQ1/8/8/8/8/8 w - - {rest}");
        match epd::read(&text) {
            Ok(_) => {}
            Err(EpdError::Operation { at, name, .. }) => {
                prop_assert!(text[at..].starts_with(&name), "{}, byte {}: {}", name, at, text)
            }
            Err(other) => prop_assert!(false, "{}: {}", other, text),
        }
    }
}
