//! Reading SFEN: what is accepted, what is refused, where and why; and that no text at all makes
//! the reader panic.

use crate::support::laws;
use crate::support::positions::{MATSURI, MAX_MOVES, PROBLEMS, read};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use yomikiri_shogi::{
    Color, Illegal, Kind, Move, Position, START, SfenError, SfenFault, SfenPart, Square,
};

fn square(name: &str) -> Square {
    Square::from_usi(name).expect("a square")
}

fn usi(name: &str) -> Move {
    Move::from_usi(name).expect("a move")
}

/// The text must be refused at that character, for that reason, in those words.
#[track_caller]
fn refused(text: &str, at: usize, fault: impl Into<SfenFault>, message: &str) {
    let fault = fault.into();
    let error = Position::from_sfen(text).expect_err(text);
    assert_eq!(error, SfenError { at, fault }, "{text}");
    assert_eq!(error.to_string(), format!("character {at}: {message}"), "{text}");
    laws::reading(text);
}

/// An SFEN with this board, Black to move and nothing in hand.
fn board(board: &str) -> String {
    format!("{board} b - 1")
}

#[test]
fn accepted() {
    let same = |text: &str, sfen: &str| {
        laws::reading(text);
        assert_eq!(read(text).to_string(), sfen, "{text}");
    };
    for sfen in [START, MATSURI].into_iter().chain(PROBLEMS) {
        // Hands are printed from the rook down; the others are written so already.
        assert_eq!(read(&read(sfen).to_string()), read(sfen));
    }
    same(START, START);
    same(MAX_MOVES, MAX_MOVES);
    assert_eq!(read("startpos"), Position::start());
    assert_eq!(START.parse(), Ok(Position::start()));
    same("position startpos", START);
    same("startpos moves", START);
    same(&format!("position sfen {START}"), START);
    same(&format!("  sfen\t{START}\n"), START);
    // The move number may be missing, and is 1 when printed.
    let (without_number, _) = START.rsplit_once(' ').expect("there is one");
    same(without_number, START);
    same(&format!("{without_number} 4294967295"), START);
    same(&format!("{without_number} 0"), START);
    let after = "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 1";
    let moves = "moves 7g7f 3c3d 8h2b+";
    same(&format!("{START} {moves}"), after);
    same(&format!("{without_number} {moves}"), after);
    same(&format!("position startpos {moves}"), after);
    // Hands: any order, counts in several parts, of one, and with zeros before.
    let hands = |hands: &str| read(&format!("4k4/9/9/9/9/9/9/9/4K4 b {hands}"));
    let expected = "4k4/9/9/9/9/9/9/9/4K4 b 2RG11Pb3p 1";
    for text in ["2RG11Pb3p", "3pbP10PGRR", "1R1R01G011P1b03p"] {
        assert_eq!(hands(text).to_string(), expected, "{text}");
    }
    // A full set in one hand.
    assert_eq!(hands("2r2b4g4s4n4l18p").hand(Color::White).total(), 38);
    // Either king alone.
    assert_eq!(read(&board("9/9/9/9/9/9/9/9/4K4")).king(Color::White), None);
    assert_eq!(read(&board("4k4/9/9/9/9/9/9/9/9")).king(Color::Black), None);
    // The side to move may be in check.
    assert!(read("4k4/4G4/9/9/9/9/9/9/9 w - 1").is_check());
}

#[test]
fn wrong_boards() {
    let no_piece = |c: char| format!("'{c}' is no piece, number or '/'");
    for (text, at, c) in [
        ("x8/9/9/9/9/9/9/9/4K4", 0, 'x'),
        ("9/9/4?4/9/9/9/9/9/4K4", 5, '?'),
        ("9/09/9/9/9/9/9/9/4K4", 2, '0'),
        ("9/9/9/9/9/9/9/9/4玉4", 17, '玉'),
        ("9/9/9/9/9/9/9/9/8+", 17, '+'),
        ("-", 0, '-'),
        ("garbage", 1, 'a'),
        ("\u{0}", 0, '\u{0}'),
    ] {
        refused(&board(text), at, SfenFault::NoPiece(c), &no_piece(c));
    }
    for (text, at, c) in [
        ("+G8/9/9/9/9/9/9/9/4K4", 1, 'G'),
        ("9/9/9/9/9/9/9/9/4+k4", 18, 'k'),
        ("+1P7/9/9/9/9/9/9/9/4K4", 1, '1'),
        ("++P8/9/9/9/9/9/9/9/4K4", 1, '+'),
        ("9+/9/9/9/9/9/9/9/4K4", 2, '/'),
        ("9/9/9/9/9/9/9/9/4+歩4", 18, '歩'),
    ] {
        let message = format!("'{c}' does not promote");
        refused(&board(text), at, SfenFault::NotPromotable(c), &message);
    }
    for (text, at, rank, squares) in [
        ("8/9/9/9/9/9/9/9/4K4", 1, 1, 8),
        ("9//9/9/9/9/9/9/4K4", 2, 2, 0),
        ("9/9/9/9/9/9/9/9/4K3", 19, 9, 8),
        ("9/9/9/9/9/9/9/9/", 16, 9, 0),
        ("9/9/9/91/9/9/9/9/4K4", 7, 4, 10),
        ("9/9/9/99/9/9/9/9/4K4", 7, 4, 18),
        ("9/9p/9/9/9/9/9/9/4K4", 3, 2, 10),
        ("9/9+p/9/9/9/9/9/9/4K4", 4, 2, 10),
        ("lnsgkgsnlp/9/9/9/9/9/9/9/4K4", 9, 1, 10),
    ] {
        let message = format!("rank {rank} has {squares} squares instead of 9");
        refused(&board(text), at, SfenFault::Squares { rank, squares }, &message);
    }
    for (text, at, ranks) in [
        ("9", 1, 1),
        ("9/9/9/9/9/9/9/4K4", 17, 8),
        ("9/9/9/9/9/9/9/9/4K4/", 19, 10),
        ("9/9/9/9/9/9/9/9/4K4/9/9", 19, 11),
    ] {
        let message = format!("the board has {ranks} ranks instead of 9");
        refused(&board(text), at, SfenFault::Ranks(ranks), &message);
    }
}

#[test]
fn something_is_missing() {
    for (text, at, what) in [
        ("", 0, SfenPart::Board),
        ("  \n\t", 0, SfenPart::Board),
        ("position", 8, SfenPart::Board),
        ("position sfen  ", 13, SfenPart::Board),
        ("sfen", 4, SfenPart::Board),
        ("4k4/9/9/9/9/9/9/9/9", 19, SfenPart::Side),
        ("4k4/9/9/9/9/9/9/9/9 b ", 21, SfenPart::Hand),
    ] {
        refused(text, at, SfenFault::Missing(what), &format!("the {what} is missing"));
    }
}

#[test]
fn wrong_words_after_the_board() {
    let sfen = |rest: &str| format!("4k4/9/9/9/9/9/9/9/9 {rest}");
    for side in ["B", "x", "-", "bw", "先手", "moves"] {
        let message = format!("the side to move is b or w, not '{side}'");
        refused(&sfen(&format!("{side} - 1")), 20, SfenFault::Side(side.into()), &message);
    }
    for number in ["x", "-1", "+1", "1.5", "4294967296", "99999999999999999999999", "一", "7g7f"] {
        let message = format!("'{number}' is no move number");
        refused(&sfen(&format!("b - {number}")), 24, SfenFault::Number(number.into()), &message);
    }
    for word in ["1", "Moves", "move", "7g7f", "sfen", "歩"] {
        let message =
            format!("'{word}' is not expected here: only 'moves' and the moves may follow");
        let fault = SfenFault::Trailing(word.into());
        refused(&sfen(&format!("b - 1 {word}")), 26, fault.clone(), &message);
        refused(&format!("startpos {word}"), 9, fault, &message);
    }
}

#[test]
fn wrong_hands() {
    let sfen = |hands: &str| format!("4k4/9/9/9/9/9/9/9/4K4 b {hands} 1");
    for (hands, at, c) in [
        ("K", 24, 'K'),
        ("Pk", 25, 'k'),
        ("P-", 25, '-'),
        ("--", 24, '-'),
        ("+P", 24, '+'),
        ("x", 24, 'x'),
        ("P歩", 25, '歩'),
        ("3", 24, '3'),
        ("P12", 25, '1'),
        ("２P", 24, '２'),
    ] {
        let message = format!(
            "'{c}' does not belong into a hand: write pieces such as 2Rbg3p, or - for none"
        );
        refused(&sfen(hands), at, SfenFault::Hand(c), &message);
    }
    let huge = "99999999999999999999999999";
    for (hands, at, number) in
        [("0P", 24, "0"), ("R00g", 25, "00"), (&format!("P{huge}p"), 25, huge)]
    {
        let message = format!("'{number}' is no number of pieces");
        refused(&sfen(hands), at, SfenFault::Count(number.into()), &message);
    }
    let too_many = |kind, count, most| Illegal::TooMany { kind, count, most };
    for (hands, at, illegal, message) in [
        ("9G", 24, too_many(Kind::GOLD, 9, 4), "there are 9 golds (金): a set has 4"),
        ("P19p", 25, too_many(Kind::PAWN, 19, 18), "there are 19 pawns (歩): a set has 18"),
        ("PP17P", 26, too_many(Kind::PAWN, 19, 18), "there are 19 pawns (歩): a set has 18"),
        ("BBB", 26, too_many(Kind::BISHOP, 3, 2), "there are 3 bishops (角): a set has 2"),
        ("300N", 24, too_many(Kind::KNIGHT, 300, 4), "there are 300 knights (桂): a set has 4"),
        // Both hands hold no more than a set each, but more together.
        ("3S2s", 0, too_many(Kind::SILVER, 5, 4), "there are 5 silvers (銀): a set has 4"),
        ("18Pp", 0, too_many(Kind::PAWN, 19, 18), "there are 19 pawns (歩): a set has 18"),
    ] {
        refused(&sfen(hands), at, illegal, message);
    }
}

#[test]
fn positions_that_cannot_be() {
    let too_many = |kind, count, most| Illegal::TooMany { kind, count, most };
    // 41 pieces: the start, and one more.
    refused(
        &START.replace(" - ", " P "),
        0,
        too_many(Kind::PAWN, 19, 18),
        "there are 19 pawns (歩): a set has 18",
    );
    // Promoted pieces count as what they were.
    refused(
        &board("4k4/9/9/4+r4/9/9/4R4/9/4R4"),
        0,
        too_many(Kind::ROOK, 3, 2),
        "there are 3 rooks (飛): a set has 2",
    );
    refused(
        "position sfen 4k4/9/9/9/9/9/9/9/+L+l7 b 2Ll",
        14,
        too_many(Kind::LANCE, 5, 4),
        "there are 5 lances (香): a set has 4",
    );
    for (text, at, color, side) in [
        ("4k4/9/9/9/9/9/9/9/3KK4", 20, Color::Black, "Black (先手)"),
        ("4k4/9/4k4/9/9/9/9/9/9", 7, Color::White, "White (後手)"),
    ] {
        let message = format!("{side} has two kings");
        refused(&board(text), at, Illegal::TwoKings(color), &message);
    }
    let no_king = "there is no king on the board";
    refused(&board("9/9/9/9/9/9/9/9/9"), 0, Illegal::NoKing, no_king);
    refused("sfen 9/9/9/9/4G4/9/9/9/9 w 18p 3", 5, Illegal::NoKing, no_king);
    for (text, color, file, side) in [
        ("4k4/9/9/P8/P8/9/9/9/9", Color::Black, 9, "Black (先手)"),
        ("4k4/9/9/6p2/9/9/6p2/9/9", Color::White, 3, "White (後手)"),
    ] {
        let message = format!("{side} has two unpromoted pawns on file {file} (二歩)");
        refused(&board(text), 0, Illegal::TwoPawns { color, file }, &message);
    }
    // A pawn of each side, or a promoted one, may share a file.
    laws::position(&read(&board("4k4/9/9/P8/p8/+P8/9/9/9")));
    for (text, color, kind, at, message) in [
        ("P3k4/9/9/9/9/9/9/9/9", Color::Black, Kind::PAWN, "9a", "pawn of Black (先手) on 9a"),
        ("4k4/9/9/9/9/9/9/9/8p", Color::White, Kind::PAWN, "1i", "pawn of White (後手) on 1i"),
        ("L3k4/9/9/9/9/9/9/9/9", Color::Black, Kind::LANCE, "9a", "lance of Black (先手) on 9a"),
        ("4k4/9/9/9/9/9/9/9/8l", Color::White, Kind::LANCE, "1i", "lance of White (後手) on 1i"),
        ("N3k4/9/9/9/9/9/9/9/9", Color::Black, Kind::KNIGHT, "9a", "knight of Black (先手) on 9a"),
        ("4k4/N8/9/9/9/9/9/9/9", Color::Black, Kind::KNIGHT, "9b", "knight of Black (先手) on 9b"),
        ("4k4/9/9/9/9/9/9/n8/9", Color::White, Kind::KNIGHT, "9h", "knight of White (後手) on 9h"),
        ("4k4/9/9/9/9/9/9/9/n8", Color::White, Kind::KNIGHT, "9i", "knight of White (後手) on 9i"),
    ] {
        let illegal = Illegal::DeadEnd { color, kind, square: square(at) };
        refused(&board(text), 0, illegal, &format!("the {message} can never move"));
    }
    // One rank before, or promoted, they may stand.
    laws::position(&read(&board("4k4/PL7/2N6/9/9/9/6n2/7lp/9")));
    laws::position(&read(&board("+P+L+N1k4/9/9/9/9/9/9/9/6+n+l+p")));
    for (text, turn, king, side) in [
        ("4k4/4G4/9/9/9/9/9/9/9 b - 1", Color::Black, "5a", "Black (先手)"),
        ("4k4/9/9/9/9/9/9/4R4/4K4 b - 1", Color::Black, "5a", "Black (先手)"),
        ("9/9/9/9/4b4/9/9/9/K8 w - 1", Color::White, "9i", "White (後手)"),
        ("4k4/4K4/9/9/9/9/9/9/9 w - 1", Color::White, "5b", "White (後手)"),
    ] {
        let message = format!("{side} is to move and could take the king on {king}");
        refused(text, 0, Illegal::KingCanBeTaken { turn, king: square(king) }, &message);
    }
}

#[test]
fn wrong_moves() {
    for word in ["7g7", "7g7f++", "7g7f-", "0g7f", "7j7f", "K*5e", "p*5e", "P*5e+", "*5e", "resign"]
    {
        let message = format!("'{word}' is no move: moves are written like 7g7f, 8h2b+ or P*5e");
        let fault = SfenFault::NoMove(word.into());
        refused(&format!("startpos moves {word}"), 15, fault.clone(), &message);
        // A move that cannot be read is found before one that cannot be played.
        refused(&format!("startpos moves 1a1b {word}"), 20, fault, &message);
    }
    refused(
        "startpos moves ７六歩",
        15,
        SfenFault::NoMove("７六歩".into()),
        "'７六歩' is no move: moves are written like 7g7f, 8h2b+ or P*5e",
    );
    let illegal = |text: &str, at, name: &str| {
        let message = format!("the move {name} is not legal in this position");
        refused(text, at, SfenFault::IllegalMove(usi(name)), &message);
    };
    // Nothing there, the other side's, blocked, not how it moves, no promotion, nothing in hand.
    for name in ["5e5d", "3c3d", "8h2b+", "7g7e", "7g7f+", "P*5e", "5i5i"] {
        illegal(&format!("position startpos moves {name}"), 24, name);
    }
    illegal(&format!("sfen {START} moves 7g7f 3c3d 8h2b 1a1d"), 90, "1a1d");
    // Leaves the king in check.
    illegal("4k4/9/9/9/4r4/9/9/4G4/4K4 b - 1 moves 5h4h", 38, "5h4h");
    // A pawn-drop mate; a second pawn on the file; a pawn, a lance and a knight on the last ranks.
    illegal("7lk/9/7S1/9/9/9/9/9/9 b P 1 moves P*1b", 34, "P*1b");
    illegal("4k4/9/9/9/9/9/P8/9/9 b P 1 moves P*9c", 33, "P*9c");
    for name in ["P*1a", "L*1a", "N*1a", "N*1b", "2b2a", "2c1a", "2c3a", "3d3a"] {
        illegal(&format!("k8/7P1/7N1/6L2/9/9/9/9/9 b PLN 1 moves {name}"), 39, name);
    }
}

/// Places are counted in characters, not in bytes.
#[test]
fn places_are_characters() {
    let text = "\u{3000}\u{3000}sfen\u{3000}4k4/9/9/9/9/9/9/9/9\u{3000}白 - 1";
    let message = "the side to move is b or w, not '白'";
    refused(text, 27, SfenFault::Side("白".into()), message);
}

/// Every reason there is, once: a new one does not compile until it has a test here.
#[test]
fn every_reason_was_seen() {
    fn reason(fault: &SfenFault) -> usize {
        match fault {
            SfenFault::NoPiece(_) => 0,
            SfenFault::NotPromotable(_) => 1,
            SfenFault::Squares { .. } => 2,
            SfenFault::Ranks(_) => 3,
            SfenFault::Side(_) => 4,
            SfenFault::Missing(_) => 5,
            SfenFault::Hand(_) => 6,
            SfenFault::Count(_) => 7,
            SfenFault::Number(_) => 8,
            SfenFault::Trailing(_) => 9,
            SfenFault::NoMove(_) => 10,
            SfenFault::IllegalMove(_) => 11,
            SfenFault::Illegal(Illegal::TooMany { .. }) => 12,
            SfenFault::Illegal(Illegal::TwoKings(_)) => 13,
            SfenFault::Illegal(Illegal::NoKing) => 14,
            SfenFault::Illegal(Illegal::TwoPawns { .. }) => 15,
            SfenFault::Illegal(Illegal::DeadEnd { .. }) => 16,
            SfenFault::Illegal(Illegal::KingCanBeTaken { .. }) => 17,
        }
    }
    let texts = [
        "?",
        "+G",
        "8/",
        "9",
        "4k4/9/9/9/9/9/9/9/9 x",
        "",
        "4k4/9/9/9/9/9/9/9/9 b k",
        "4k4/9/9/9/9/9/9/9/9 b 0p",
        "4k4/9/9/9/9/9/9/9/9 b - x",
        "startpos x",
        "startpos moves x",
        "startpos moves 1a1b",
        "4k4/9/9/9/9/9/9/9/9 b 9g",
        "kk7/9/9/9/9/9/9/9/9 b -",
        "9/9/9/9/9/9/9/9/9 b -",
        "4k4/P8/9/P8/9/9/9/9/9 b -",
        "4k4/9/9/9/9/9/9/9/p8 b -",
        "k8/G8/9/9/9/9/9/9/9 b -",
    ];
    for (expected, text) in texts.iter().enumerate() {
        let error = Position::from_sfen(text).expect_err(text);
        assert_eq!(reason(&error.fault), expected, "{text}: {error}");
    }
}

/// Setups that no text can describe are refused as well.
#[test]
fn a_setup_with_two_kings_is_refused() {
    use yomikiri_shogi::Piece;
    let mut position = Position::start();
    position.set(square("5e"), Some(Piece::new(Color::White, Kind::KING)));
    assert_eq!(position.validate(), Err(Illegal::TwoKings(Color::White)));
    assert_eq!(Position::empty().validate(), Err(Illegal::NoKing));
}

/// A change to a text.
#[derive(Clone, Debug)]
enum Change {
    Delete(Index),
    Insert(Index, char),
    Replace(Index, char),
    Swap(Index, Index),
    Cut(Index),
    Repeat(Index, Index),
}

const LETTERS: &str = "PLNSGBRKplnsgbrk+-/*0123456789 bwabcdefghi移歩\u{3000}\u{0}\t.é";

fn change() -> impl Strategy<Value = Change> {
    let letter = || select(LETTERS.chars().collect::<Vec<char>>());
    prop_oneof![
        any::<Index>().prop_map(Change::Delete),
        (any::<Index>(), letter()).prop_map(|(at, c)| Change::Insert(at, c)),
        (any::<Index>(), letter()).prop_map(|(at, c)| Change::Replace(at, c)),
        (any::<Index>(), any::<Index>()).prop_map(|(a, b)| Change::Swap(a, b)),
        any::<Index>().prop_map(Change::Cut),
        (any::<Index>(), any::<Index>()).prop_map(|(a, b)| Change::Repeat(a, b)),
    ]
}

fn changed(text: &str, changes: &[Change]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for change in changes {
        let length = chars.len();
        if length == 0 {
            break;
        }
        match change {
            Change::Delete(at) => {
                chars.remove(at.index(length));
            }
            Change::Insert(at, c) => chars.insert(at.index(length + 1), *c),
            Change::Replace(at, c) => chars[at.index(length)] = *c,
            Change::Swap(a, b) => chars.swap(a.index(length), b.index(length)),
            Change::Cut(at) => chars.truncate(at.index(length)),
            Change::Repeat(a, b) => {
                let (a, b) = (a.index(length), b.index(length));
                let part = chars[a.min(b)..a.max(b)].to_vec();
                chars.splice(b..b, part);
            }
        }
    }
    chars.into_iter().collect()
}

/// Right texts to begin with.
fn right() -> impl Strategy<Value = String> {
    let mut texts: Vec<String> = [START, MATSURI, MAX_MOVES].map(String::from).into();
    texts.extend(PROBLEMS.map(String::from));
    texts.push(format!("position sfen {START} moves 7g7f 3c3d 8h2b+ 3a2b B*5e"));
    texts.push("position startpos moves 2g2f 8c8d 2f2e 8d8e".into());
    select(texts)
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(20_000)
    })]

    #[test]
    fn no_text_near_an_sfen_panics(
        text in right(),
        changes in prop::collection::vec(change(), 1..6),
    ) {
        laws::reading(&changed(&text, &changes));
    }

    #[test]
    fn no_text_of_the_right_letters_panics(letters in prop::collection::vec(any::<Index>(), 0..90)) {
        let all: Vec<char> = LETTERS.chars().collect();
        laws::reading(&letters.iter().map(|letter| *letter.get(&all)).collect::<String>());
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
        laws::reading(&text);
        let _ = Move::from_usi(&text);
        let _ = Square::from_usi(&text);
    }

    #[test]
    fn no_hand_panics(hands in "[0-9PLNSGBRplnsgbr]{0,40}") {
        laws::reading(&format!("4k4/9/9/9/9/9/9/9/4K4 b {hands}"));
    }
}
