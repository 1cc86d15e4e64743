//! Records: what is read, what is refused and where; against pgn-reader.

use std::io::Cursor;
use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use proptest::prelude::*;
use yomikiri_chess::pgn::{self, GameResult, PgnReason, Record};
use yomikiri_chess::{Game, Position};

const RICH: &str = "\u{feff}[Event \"A \\\"quoted\\\" \\\\ name\"]
[Result \"1-0\"]

% an escape line that is no move: 1. e5
{before} 1.e4! $10 {good} e5 (1... c5 {Sicilian} 2. Nf3 (2. c3 d5 (2... Nf6)) 2... d6) (1...e6)
; a comment to the end { of the line
2. Nf3 Nc6?! 3 Bb5 a6 4. 0-0 1-0

[FEN \"8/8/8/8/8/8/4QRb1/R3K2k w Q - 0 1\"]

1. O-O-O+ *
1. d4 d5
[White \"no result before this tag\"]

1. c4 1/2-1/2
";

fn san(record: &Record) -> Vec<String> {
    let mut position = record.start.clone();
    record
        .moves()
        .map(|m| {
            let text = position.san(m);
            position.play(m);
            text
        })
        .collect()
}

#[test]
fn a_rich_text_is_read_and_reads_back() {
    let games = pgn::read_all(RICH).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(games.len(), 4);
    let first = &games[0];
    assert_eq!(first.tag("Event"), Some("A \"quoted\" \\ name"));
    assert_eq!(san(first), ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O"]);
    assert_eq!((first.result, games[2].result), (GameResult::White, GameResult::Unknown));
    assert_eq!(first.line.comments, ["before"]);
    let plies = &first.line.plies;
    assert_eq!(
        (plies[0].glyphs.as_slice(), plies[0].comments.as_slice()),
        (&[1, 10][..], &["good".to_owned()][..])
    );
    assert_eq!(plies[1].variations.len(), 2);
    assert_eq!(plies[1].variations[0].plies[1].variations[0].plies[1].variations.len(), 1);
    assert_eq!(plies[1].comments, ["a comment to the end { of the line"]);
    assert_eq!(plies[3].glyphs, [6]);
    assert_eq!(san(&games[1]), ["O-O-O+"]);
    assert_eq!(games[3].tag("White"), Some("no result before this tag"));

    let written: String = games.iter().map(|game| format!("{game}\n")).collect();
    assert!(written.lines().all(|line| line.chars().count() <= 80), "{written}");
    let again = pgn::read_all(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    for (before, after) in games.iter().zip(&again) {
        assert_eq!(
            (&before.start, &before.line, before.result),
            (&after.start, &after.line, after.result)
        );
    }
    assert_eq!(
        pgn::read_all(&again.iter().map(|game| format!("{game}\n")).collect::<String>()),
        Ok(again)
    );
}

#[test]
fn errors_name_game_line_and_move() {
    for (text, message) in [
        ("1. e4 e5\n2. Ke3 *", "game 1, line 2: move 2.: `Ke3` is not legal in"),
        ("1. e4 *\n\n1. e4 e5 2. Nf3 Qxh2 *", "game 2, line 3: move 2...: `Qxh2` is not legal in"),
        ("1. e4 (1. e5) *", "game 1, line 1: move 1.: `e5` is not legal in"),
        ("1. hello *", "move 1.: `hello` is no move"),
        ("1. 将棋 *", "move 1.: `将棋` is no move"),
        ("1. é$1 *", "move 1.: `é` is no move"),
        ("[Event x]\n\n1. e4 *", "game 1, line 1: a tag must look like"),
        ("[Event \"x\n\n1. e4 *", "game 1, line 1: a tag must look like"),
        ("[FEN \"8/8 w - -\"]\n\n*", "game 1, line 1: the tag FEN: byte 3: the board has 2 ranks"),
        ("1. e4 {never ends\n e5 *", "game 1, line 1: the comment that begins here"),
        ("(1. e4) *", "`(` does not belong here"),
        ("1. e4 ) *", "`)` does not belong here"),
        ("1. e4 } *", "`}` does not belong here"),
        ("1. e4 (1. d4 *", "the game ends inside a variation"),
        ("1. e4 $999 *", "`$999` is no annotation glyph"),
    ] {
        let error = pgn::read_all(text).expect_err(text).to_string();
        assert!(error.contains(message), "{text}\n  found  {error}\n  wanted {message}");
    }
    let deep = format!("1. e4 {}", "(1. e4 ".repeat(100_000));
    assert!(pgn::read_all(&deep).is_err_and(|error| error.reason == PgnReason::Nested));
}

#[test]
fn reading_goes_on_after_a_bad_game() {
    let text = "[White \"a\"]\n\n1. e5 *\n\n[White \"b\"]\n[Black \"c\"]\n\n1. e4 *\n";
    let games: Vec<_> = pgn::read(text).collect();
    assert_eq!(games.len(), 2);
    assert!(games[0].is_err());
    assert_eq!(games[1].as_ref().map(|game| game.tag("White")), Ok(Some("b")));
}

#[test]
fn a_played_game_is_written() {
    let start = Position::from_fen("7k/8/5K2/6Q1/8/8/8/8 w - - 3 40").expect("a position");
    let mut game = Game::new(start);
    game.play(game.position().parse_san("Qg7").expect("mate"));
    let record = Record::of(&game, &[("White", "one"), ("Black", "two")], game.outcome().into());
    assert_eq!(
        record.to_string(),
        "[White \"one\"]\n[Black \"two\"]\n[Result \"1-0\"]\n\
         [FEN \"7k/8/5K2/6Q1/8/8/8/8 w - - 3 40\"]\n[SetUp \"1\"]\n\n40. Qg7# 1-0\n"
    );
    assert_eq!(record.game().outcome(), game.outcome());
}

/// The export format of the PGN standard, section 8.1.1.
#[test]
fn the_seven_tag_roster_comes_first_and_in_order() {
    let tags = [("Termination", "normal"), ("Black", "b"), ("PlyCount", "0"), ("Date", "?")];
    let roster = [("Round", "1.2"), ("White", "a"), ("Event", "e"), ("Site", "here")];
    let record = Record::of(&Game::default(), &[tags, roster].concat(), GameResult::Draw);
    let written = record.to_string();
    let names: Vec<&str> =
        written.lines().filter_map(|line| line.strip_prefix('[')?.split(' ').next()).collect();
    assert_eq!(names[..7], ["Event", "Site", "Date", "Round", "White", "Black", "Result"]);
    assert_eq!(names[7..], ["PlyCount", "Termination"]);
}

/// The moves of every game, as pgn-reader reads them.
struct Moves;

impl Visitor for Moves {
    type Tags = ();
    type Movetext = Vec<String>;
    type Output = Vec<String>;

    fn begin_tags(&mut self) -> ControlFlow<Vec<String>> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), _: &[u8], _: RawTag<'_>) -> ControlFlow<Vec<String>> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Vec<String>, Vec<String>> {
        ControlFlow::Continue(Vec::new())
    }

    fn san(&mut self, moves: &mut Vec<String>, san: SanPlus) -> ControlFlow<Vec<String>> {
        moves.push(san.san.to_string());
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Vec<String>) -> ControlFlow<Vec<String>, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, moves: Vec<String>) -> Vec<String> {
        moves
    }
}

#[test]
fn deep_blue_and_kasparov_agree_with_pgn_reader() {
    let Some(text) = yomikiri_needs::problem_set("deepblue-kasparov.pgn") else { return };
    let games = pgn::read_all(&text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(games.len(), 12);
    assert_eq!(games.iter().map(|game| game.moves().count()).sum::<usize>(), 1091);
    let mut reader = Reader::new(Cursor::new(&text));
    for game in &games {
        let theirs = reader.read_game(&mut Moves).expect("readable").expect("as many games");
        let ours: Vec<String> =
            san(game).iter().map(|m| m.trim_end_matches(['+', '#']).to_owned()).collect();
        assert_eq!(ours, theirs);
        let again = pgn::read_all(&game.to_string()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again[0].line, game.line);
    }
}

proptest! {
    #[test]
    fn no_text_panics(text in "[ \\n1-9.(){};%$*e4Nf3d5x\\[\\]\"!?a-h-]{0,80}") {
        for game in pgn::read(&text).flatten() {
            // A brace inside a comment is the one thing that cannot be written as it is.
            let written = game.to_string();
            let again: Vec<String> = pgn::read(&written).flatten().map(|game| game.to_string()).collect();
            prop_assert_eq!(again, [written]);
        }
    }
}
