//! Pictures, taken apart by an XML parser: every piece is there once, where and how it should be.

use andor::SplitMix64;
use roxmltree::{Document, Node};
use yomikiri_shogi::notation::hands::hand_name;
use yomikiri_shogi::notation::japanese::kind_char;
use yomikiri_shogi::picture::{HEIGHT, Picture, WIDTH, Words};
use yomikiri_shogi::{Color, Move, Position, START, Square};

use crate::support::positions::{MATSURI, MAX_MOVES, PROBLEMS, random_position, read};

fn has_class(node: &Node, class: &str) -> bool {
    node.attribute("class").is_some_and(|all| all.split(' ').any(|one| one == class))
}

fn number(node: &Node, name: &str) -> f64 {
    node.attribute(name).and_then(|value| value.parse().ok()).expect(name)
}

/// The letters with this class, in order.
fn letters(document: &Document, inside: &str, class: &str) -> String {
    let group =
        document.descendants().find(|node| has_class(node, "hand") && has_class(node, inside));
    let texts = group.expect("a hand").descendants().filter(|node| has_class(node, class));
    texts.filter_map(|node| node.text().map(str::to_owned)).collect()
}

/// Every law of a picture with both hands in full.
fn check(position: &Position) {
    let text = Picture::new(position).to_string();
    let document = Document::parse(&text).unwrap_or_else(|error| panic!("{position}: {error}"));
    let root = document.root_element();
    assert_eq!(root.attribute("viewBox"), Some(&*format!("0 0 {WIDTH} {HEIGHT}")));
    let pieces: Vec<Node> =
        document.descendants().filter(|node| has_class(node, "piece")).collect();
    assert_eq!(pieces.len(), position.occupied().count() as usize, "{position}");
    for square in Square::all() {
        let here: Vec<&Node> = pieces
            .iter()
            .filter(|node| node.attribute("data-square") == Some(&*square.to_string()))
            .collect();
        let Some(piece) = position.piece(square) else {
            assert!(here.is_empty(), "{position}: {square}");
            continue;
        };
        let [node] = here[..] else { panic!("{position}: {} times on {square}", here.len()) };
        assert_eq!(
            node.text(),
            Some(&*kind_char(piece.kind()).to_string()),
            "{position}: {square}"
        );
        // Squares are 44 wide; file 9 is at the left.
        let (x, y) = (number(node, "x"), number(node, "y"));
        assert_eq!(x, 48.0 + 44.0 * (9.5 - f64::from(square.file())), "{position}: {square}");
        let middle = 30.0 + 44.0 * (f64::from(square.rank()) - 0.5);
        assert!((10.0..18.0).contains(&(y - middle)), "{position}: {square}: {y}");
        let turned = (piece.color() == Color::White).then(|| format!("rotate(180 {x} {middle})"));
        assert_eq!(node.attribute("transform"), turned.as_deref(), "{position}: {square}");
    }
    for (color, class) in [(Color::Black, "black"), (Color::White, "white")] {
        let written = hand_name(position.hand(color)).replace('　', "");
        assert_eq!(letters(&document, class, "held"), written, "{position}");
    }
    // Nothing is outside the picture.
    for node in document.descendants().filter(|node| node.has_tag_name("text")) {
        let (x, y) = (number(&node, "x"), number(&node, "y"));
        assert!((10.0..WIDTH - 10.0).contains(&x) && (10.0..HEIGHT).contains(&y), "{position}");
    }
    let turn = document.descendants().find(|node| has_class(node, "turn")).expect("a line");
    let side = if position.turn() == Color::Black { "先手番" } else { "後手番" };
    assert_eq!(turn.text(), Some(side));
    assert!(!document.descendants().any(|node| has_class(&node, "last")));
}

#[test]
fn every_piece_is_in_the_picture_once() {
    for sfen in [START, MATSURI, MAX_MOVES].into_iter().chain(PROBLEMS) {
        check(&read(sfen));
    }
    for seed in 0..200 {
        check(&random_position(&mut SplitMix64::new(seed), seed % 2 == 0));
    }
}

#[test]
fn all_the_rest_is_said_so() {
    let problem = read(PROBLEMS[0]);
    let text = Picture::new(&problem).with_rest(Some(Color::White)).to_string();
    let document = Document::parse(&text).expect("XML");
    assert_eq!(letters(&document, "white", "held"), "残り全部");
    assert_eq!(letters(&document, "black", "held"), "金");
}

#[test]
fn the_last_move_is_marked_and_named() {
    let before = read(START);
    let mut after = before.clone();
    let m = Move::from_usi("7g7f").expect("a move");
    after.play(m);
    let text = Picture::new(&after).with_last(&before, m).to_string();
    let document = Document::parse(&text).expect("XML");
    let marks: Vec<Node> = document.descendants().filter(|node| has_class(node, "last")).collect();
    let [mark] = marks[..] else { panic!("{} marks", marks.len()) };
    assert_eq!((number(&mark, "x"), number(&mark, "y")), (48.0 + 2.0 * 44.0, 30.0 + 5.0 * 44.0));
    let turn = document.descendants().find(|node| has_class(node, "turn")).expect("a line");
    assert_eq!(turn.text(), Some("▲７六歩まで　後手番"));
}

#[test]
fn words_may_be_english() {
    let before = read(START);
    let mut after = before.clone();
    let m = Move::from_usi("7g7f").expect("a move");
    after.play(m);
    let problem = read(PROBLEMS[0]);
    let hands = read("k8/9/9/9/9/9/9/9/K8 b RB2G2S2N2L9Prb2g2s2n2l9p 1");
    let drawn = [
        Picture::new(&after).with_last(&before, m),
        Picture::new(&problem).with_rest(Some(Color::White)),
        Picture::new(&hands),
    ];
    let is_kanji = |c: char| c > '\u{2fff}';
    for (picture, turn) in drawn.into_iter().zip(["after P-7f: White", "Black", "Black"]) {
        let text = picture.with_words(Words::English).to_string();
        let document = Document::parse(&text).expect("XML");
        assert_eq!(document.root_element().attribute("lang"), Some("en"));
        let words = |node: &Node| !has_class(node, "piece") && !has_class(node, "held");
        for node in document.descendants().filter(|node| node.has_tag_name("text")) {
            let word = node.text().expect("a word");
            assert!(!words(&node) || !word.contains(is_kanji), "{word}");
            // It stands in its column.
            if has_class(&node, "held") || has_class(&node, "name") {
                let width =
                    word.chars().map(|c| if c.is_ascii() { 0.55 } else { 1.0 }).sum::<f64>();
                assert!(width * number(&node, "font-size") <= 40.5, "{word}");
            }
        }
        let line = document.descendants().find(|node| has_class(node, "turn")).expect("a line");
        assert_eq!(line.text(), Some(&*format!("{turn} to move")));
        let ranks: String = document
            .descendants()
            .filter(|n| has_class(n, "rank"))
            .filter_map(|n| n.text())
            .collect();
        assert_eq!(ranks, "abcdefghi");
    }
    let hand = |picture: Picture, side| {
        let text = picture.with_words(Words::English).to_string();
        letters(&Document::parse(&text).expect("XML"), side, "held")
    };
    assert_eq!(hand(Picture::new(&hands), "black"), "飛角金2銀2桂2香2歩9");
    assert_eq!(hand(Picture::new(&before), "black"), "none");
    assert_eq!(hand(Picture::new(&problem).with_rest(Some(Color::White)), "white"), "therest");
}
