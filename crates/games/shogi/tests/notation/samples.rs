//! Sample files, and what is said of faulty ones.

use yomikiri_shogi::notation::{
    Encoding, Ending, Format, Record, decode, diagram, parse, read, read_and_tell,
};

use yomikiri_shogi::{Color, Hand, Position};

use super::games::without_times;

/// A mate in three of our own making.
const THREE: &str = "6k2/5g3/7Sn/5LPl1/9/9/9/9/9 b GN2r2b2g3s2n2l17p 1";

macro_rules! sample {
    ($name:literal) => {
        include_bytes!(concat!("../data/notation/", $name)).as_slice()
    };
}

fn usi(record: &Record) -> String {
    record.main_line().iter().map(|m| m.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn one_problem_in_every_format() {
    use Encoding::{ShiftJis, Utf8};
    let samples = [
        (sample!("three.kif"), Format::Kif, ShiftJis, "N*4c 4b4c G*3b"),
        (sample!("three.kifu"), Format::Kif, Utf8, "N*4c 4b4c G*3b"),
        (sample!("three.ki2"), Format::Ki2, ShiftJis, "N*4c 4b4c G*3b"),
        (sample!("three.csa"), Format::Csa, Utf8, "N*4c 4b4c G*3b"),
        (sample!("three.jkf"), Format::Jkf, Utf8, "N*4c 4b4c G*3b"),
        (sample!("three.sfen"), Format::Sfen, Utf8, "N*4c 4b4c G*3b"),
        (sample!("three.bod"), Format::Kif, Utf8, ""),
        (sample!("pieces.csa"), Format::Csa, Utf8, ""),
    ];
    for (bytes, format, encoding, moves) in samples {
        let (record, as_format, as_encoding) = read_and_tell(bytes).unwrap();
        assert_eq!((as_format, as_encoding), (format, encoding));
        assert_eq!(record.position, Position::from_sfen(THREE).unwrap(), "{format}");
        assert_eq!(usi(&record), moves, "{format}");
        assert_eq!(record.final_position().is_mated(), !moves.is_empty(), "{format}");
    }
}

#[test]
fn variations_comments_and_times() {
    let kif = read(sample!("three.kif")).unwrap();
    assert_eq!(kif.value("作者"), Some("見本"));
    assert_eq!(kif.value("先手"), Some("攻方"));
    assert_eq!(kif.comments, ["桂から"]);
    assert_eq!(kif.ending(), Some(Ending::Mate));
    assert_eq!(kif.tree.len(), 10);
    let first = kif.tree.children(None)[0];
    let second = kif.tree.children(Some(first)).to_vec();
    let names: Vec<String> = second
        .iter()
        .filter_map(|&id| kif.tree.node(id).step.as_move())
        .map(|m| m.to_string())
        .collect();
    assert_eq!(names, ["4b4c", "3a2a", "3a4a"]);
    assert_eq!(kif.tree.node(second[0]).comments, ["取らなければ早い"]);
    assert_eq!(kif.tree.node(second[0]).seconds, Some(2));
    assert_eq!(kif.tree.node(second[2]).comments, ["こちらも"]);
    // The same in the other formats that have all this.
    let same = |record: &Record| {
        let mut record = without_times(record);
        record.header.retain(|(name, _)| ["作者", "先手"].contains(&name.as_str()));
        record
    };
    for other in [sample!("three.kifu"), sample!("three.ki2"), sample!("three.jkf")] {
        assert_eq!(same(&read(other).unwrap()), same(&kif));
    }
    let csa = read(sample!("three.csa")).unwrap();
    assert_eq!(csa.value("棋戦"), Some("見本"));
    assert_eq!(csa.comments, ["桂から"]);
    assert_eq!(csa.ending(), Some(Ending::Mate));
    let first = csa.tree.children(None)[0];
    let second = csa.tree.children(Some(first))[0];
    assert_eq!(csa.tree.node(first).seconds, Some(1));
    assert_eq!(csa.tree.node(second).seconds, Some(2));
    assert_eq!(csa.tree.node(second).comments, ["取らなければ早い"]);
}

#[test]
fn games() {
    let handicap = read(sample!("handicap.kif")).unwrap();
    assert_eq!(usi(&handicap), "7a6b 7g7f 5c5d 4g4f");
    assert_eq!(handicap.ending(), Some(Ending::Interrupted));
    assert_eq!(handicap.value("上手"), Some("上手"));
    let game = read(sample!("game.ki2")).unwrap();
    let moves = "7g7f 3c3d 2g2f 8c8d 3i4h 7a6b 4i5h 6a5b 8h2b 3a2b 7i8h 2b3c 8h7g 7c7d 5i6h \
                 6c6d B*5e";
    assert_eq!(usi(&game), moves);
    assert_eq!(game.ending(), Some(Ending::Interrupted));
}

/// A problem with what White holds, in KIF.
fn with_hands(white: &str, black: &str) -> String {
    let position = Position::from_sfen(THREE).unwrap();
    format!("後手の持駒：{white}\n{}先手の持駒：{black}\n", diagram::board(&position))
}

#[test]
fn all_the_rest_is_everything_that_is_nowhere_else() {
    let expected = Position::from_sfen(THREE).unwrap();
    for rest in
        ["残り全部", "残り", "残り駒全部", "残り駒", "残駒全部", "残りの駒すべて", "残り全部　"]
    {
        assert_eq!(parse(&with_hands(rest, "金　桂")).unwrap().position, expected, "{rest}");
        // Either side can have it.
        let white = "飛二　角二　金二　銀三　桂二　香二　歩十七";
        assert_eq!(parse(&with_hands(white, rest)).unwrap().position, expected, "{rest}");
    }
    let none = parse(&with_hands("なし", "金　桂")).unwrap().position;
    assert_eq!(none.to_string(), "6k2/5g3/7Sn/5LPl1/9/9/9/9/9 b GN 1");
    let error = parse(&with_hands("残り全部", "残り")).unwrap_err();
    assert!(error.to_string().contains("only one side"), "{error}");
}

#[test]
fn a_hand_that_is_not_told_is_the_defender_s_and_all_the_rest() {
    let text = with_hands("残り全部", "金　桂");
    let told = parse(&text).unwrap();
    assert_eq!(told.assumed_rest, None);
    // The defender's: as if it said 残り全部. Of nothing that is told anything is assumed.
    let untold = parse(&text.replace("後手の持駒：残り全部\n", "")).unwrap();
    assert_eq!((untold.position, untold.assumed_rest), (told.position, Some(Color::White)));
    assert_eq!(parse(&with_hands("なし", "金　桂")).unwrap().assumed_rest, None);
    // The attacker's: nothing.
    let attacker = parse(&text.replace("先手の持駒：金　桂\n", "")).unwrap();
    assert_eq!((attacker.position.hand(Color::Black), attacker.assumed_rest), (Hand::EMPTY, None));
    // The defender is who has a king, whoever is to move; with two kings who is not to move.
    let board = |sfen: &str| diagram::board(&Position::from_sfen(sfen).unwrap());
    for (text, side) in [
        (board("8k/9/8P/9/9/9/9/9/9 b - 1") + "後手番\n", Color::White),
        (board("9/9/9/9/9/9/8p/9/8K w - 1"), Color::Black),
        (board("8k/9/8P/9/9/9/9/9/K8 b - 1"), Color::White),
        (board("8k/9/8P/9/9/9/9/9/K8 b - 1") + "後手番\n", Color::Black),
        (board("8k/8G/8P/9/9/9/9/9/K8 w - 1") + "後手番\n", Color::White),
    ] {
        let record = parse(&text).unwrap();
        assert_eq!(record.assumed_rest, Some(side), "{text}");
        assert_eq!(record.position.hand(!side), Hand::EMPTY, "{text}");
        assert!(!record.position.hand(side).is_empty(), "{text}");
    }
    // The start of a game, also with a handicap, has all its pieces.
    for start in [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    ] {
        let record = parse(&board(start)).unwrap();
        assert_eq!(record.assumed_rest, None, "{start}");
        assert!(record.position.hand(Color::White).is_empty(), "{start}");
    }
}

#[test]
fn sides_and_other_names() {
    let board = with_hands("なし", "金　桂");
    let white = parse(&(board.clone() + "後手番\n")).unwrap().position;
    assert_eq!(white.to_string(), "6k2/5g3/7Sn/5LPl1/9/9/9/9/9 w GN 1");
    for line in ["手番：後手\n", "上手番\n", "手数＝12  ▲２三銀  まで\n"] {
        assert_eq!(parse(&(board.clone() + line)).unwrap().position, white, "{line}");
    }
    // Where the last move went is known for 同.
    let same =
        parse(&(board.clone() + "手数＝12  ▲２三銀  まで\n   1 ４一玉(31)\n   2 ４二香成(44)\n"));
    assert_eq!(usi(&same.unwrap()), "3a4a 4d4b+");
    let other = board.replace("後手の持駒", "玉方の持ち駒").replace("先手の持駒：", "攻方持駒:");
    assert_eq!(parse(&other).unwrap().position, parse(&board).unwrap().position);
    // A board beats 手合割; other pieces' names.
    let game = format!("手合割：平手\n{}", board.replace("v玉", "v王").replace(" 銀", "成銀"));
    let promoted = parse(&game).unwrap().position;
    assert_eq!(promoted.to_string(), "6k2/5g3/7+Sn/5LPl1/9/9/9/9/9 b GN 1");
    assert_eq!(parse(&game.replace("成銀", " 全")).unwrap().position, promoted);
}

#[test]
fn moves_without_a_board_begin_a_game() {
    let game = parse("   1 ７六歩(77)\n   2 投了\n").unwrap();
    assert_eq!((game.position.clone(), usi(&game)), (Position::start(), "7g7f".into()));
    let csa = parse("V2.2\n+7776FU\n-3334FU\n").unwrap();
    assert_eq!(usi(&csa), "7g7f 3c3d");
    assert_eq!(usi(&parse("▲７六歩△３四歩").unwrap()), "7g7f 3c3d");
    assert_eq!(usi(&parse("７六歩 ３四歩 ２二角成 同銀").unwrap()), "7g7f 3c3d 8h2b+ 3a2b");
    assert_eq!(parse("{\"moves\":[{}]}").unwrap().position, Position::start());
    // Numbers may go on from the middle of a game.
    let later = with_hands("なし", "金　桂")
        + "  37 ４三桂打\n  38 ４一玉(31)\n変化：38手\n  38 ２一玉(31)\n";
    assert_eq!(parse(&later).unwrap().tree.len(), 3);
}

#[test]
fn a_summary_alone_ends_a_game() {
    let game = parse("   1 ７六歩(77)\nまで1手で後手の勝ち\n").unwrap();
    assert_eq!(game.ending(), Some(Ending::Resigned));
}

#[test]
fn faults_have_a_place_and_a_reason() {
    let position = Position::from_sfen(THREE).unwrap();
    let board = with_hands("なし", "金　桂");
    let with_move = |m: &str| format!("{board}   1 {m}\n");
    let with_board = |from: &str, to: &str| board.replacen(from, to, 1);
    let jkf_move = r#"{"from":{"x":7,"y":7},"to":{"x":7,"y":5},"piece":"FU"}"#;
    // Lines and columns from 1.
    let faults: Vec<(String, usize, usize, &str)> = vec![
        ("".into(), 1, 1, "there is nothing in it"),
        (" \n\n".into(), 1, 1, "there is nothing in it"),
        ("こんにちは".into(), 1, 1, "neither SFEN nor KIF"),
        ("\n\nhello world".into(), 3, 1, "neither SFEN nor KIF"),
        // The position.
        ("作者：見本\n".into(), 1, 1, "KIF without a board"),
        ("手合割：詰将棋\n".into(), 1, 5, "手合割：詰将棋 needs a board"),
        ("作者：見本\n手合割：その他　\n   1 ７六歩(77)\n".into(), 2, 5, "needs a board"),
        (with_hands("残り全部", "金五"), 14, 7, "5 金 are too many: a set has 4"),
        (with_hands("金三", "金　桂"), 14, 7, "there are 5 golds"),
        (with_hands("香車", "金"), 1, 8, "'車' is no hand"),
        (with_board("v桂", "桂桂"), 6, 19, "more than 9 squares"),
        (with_board("v桂", ""), 6, 19, "rank 3 has 8 squares"),
        (with_board("v桂", "v猫"), 6, 18, "'猫' is no piece"),
        (with_board(" 歩", "v玉"), 7, 14, "White (後手) has two kings"),
        (with_board("v玉", " ・"), 4, 2, "there is no king"),
        (with_board("v玉 ・", "v玉 桂"), 4, 17, "can never move"),
        (with_board("v金", " 銀"), 4, 14, "could take the king"),
        (with_board("|四", "|六"), 7, 21, "rank 6, but rank 4 comes here"),
        (
            with_board("９ ８ ７ ６ ５ ４ ３ ２ １", "１ ２ ３ ４ ５ ６ ７ ８ ９"),
            2,
            3,
            "White's side",
        ),
        (board.replace("| ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n", ""), 4, 2, "8 ranks"),
        (board.clone() + "何か\n", 15, 1, "'何か' is no move"),
        // Moves.
        (with_move("５五飛打"), 15, 6, "move 1, ５五飛打: no 飛 can go to ５五"),
        (
            with_move("３二金(42)"),
            15,
            6,
            "move 1, ３二金(42): the piece on ４二 belongs to the other side",
        ),
        (with_move("３三歩成(34) 疑問"), 15, 15, "'疑問' is not expected after a move"),
        (with_move("３三歩不成(35)"), 15, 6, "there is no piece on ３五"),
        (with_move("同　歩(34)"), 15, 6, "there is no move before it"),
        (with_move("休み"), 15, 6, "'休み' is no move"),
        (with_move("４三桂打\n   3 同　金(42)"), 16, 4, "move 2 is expected here, not 3"),
        (with_move("中断\n   2 ４三桂打"), 16, 4, "after the end"),
        (with_move("４三桂打\n変化：3手\n   3 ２一玉(31)"), 16, 1, "no move 3 comes before it"),
        (with_move("４三桂打\n変化：一手"), 16, 1, "変化：5手"),
        // KI2.
        (board.clone() + "▲４三桂 △同　角", 15, 6, "move 2, △同　角: no 角 can go to ４三"),
        ("▲５八金".into(), 1, 1, "more than one move can be meant: ▲５八金右, ▲５八金左"),
        ("▲７六歩 ▲３四歩".into(), 1, 6, "△ is to move, not ▲"),
        // CSA.
        ("V2.2\nPI\n+\n+7775FU\n".into(), 4, 1, "+7775FU: ▲７五歩(77) is not legal"),
        ("V2.2\nPI\n+\n-3334FU\n".into(), 4, 1, "other side's move"),
        ("V2.2\nPI\n+\n+7776GI\n".into(), 4, 1, "the piece on ７七 is 歩"),
        ("V2.2\nPI\n+\n+7076FU\n".into(), 4, 2, "70 is no square"),
        ("V2.2\nPI\n+\n+7776XX\n".into(), 4, 6, "'XX' is no piece"),
        ("V2.2\nPI\n+\n%NANIKA\n".into(), 4, 1, "%NANIKA is unknown"),
        ("V2.2\nP1-KY-KE\n".into(), 2, 9, "nine squares"),
        ("V2.2\nPI22FU\n".into(), 2, 3, "no such piece"),
        ("V2.2\nP-51OU\nP+00FU00OU\n".into(), 3, 7, "玉 is never in hand"),
        ("V2.2\nP-51OU\nP+51FU\n".into(), 3, 3, "a piece on ５一 already"),
        ("V2.2\nP+00AL\nP-00AL\n".into(), 3, 3, "only one side"),
        ("V2.2\nP+55KI\n".into(), 2, 1, "there is no king"),
        ("V2.2\nPI\n+\n/\nPI\n".into(), 4, 1, "a second record"),
        ("V2.2\n".into(), 1, 1, "CSA without a position"),
        // JKF.
        ("{\"moves\":[{},\n {\"move\":{\"color\":0}}]}".into(), 2, 20, "missing field `piece`"),
        ("{\"moves\":[{},]}".into(), 1, 14, "JSON: trailing comma"),
        (format!("{{\"moves\":[{{}},\n {{\"move\":{jkf_move}}}]}}"), 2, 10, "it does not go there"),
        ("{\"initial\":{\"preset\":\"9\"}}".into(), 1, 12, "the preset 9 is unknown"),
        ("{\"moves\":[{\"special\":\"X\"}]}".into(), 1, 11, "special: X is unknown"),
        // SFEN.
        (format!("sfen {position} moves\nN*4c 4b4d"), 2, 6, "4b4d: △４四金(42) is not legal"),
        ("position sfen 9/9/9/9/9/9/9/9/9 b -".into(), 1, 15, "no king"),
    ];
    let mut wrong = Vec::new();
    for (text, line, column, reason) in faults {
        let shown = match parse(&text) {
            Err(error) => error.to_string(),
            Ok(record) => format!("{record:?}"),
        };
        let place = format!("line {line}, column {column}: ");
        if !shown.starts_with(&place) || !shown.contains(reason) {
            wrong.push(format!("{}: {place}{reason}\n    {shown}", text.replace('\n', "/")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn bytes_in_no_encoding() {
    let error = read(b"\x8e\xe8\x8d\x87\x8a\x84\n\x81\x46\x81\x20").unwrap_err();
    assert_eq!(error.to_string(), "line 2, column 2: neither UTF-8 nor Shift_JIS at byte 9");
}

#[test]
fn what_the_bytes_are_counts() {
    // The file says Shift_JIS but is UTF-8.
    let (text, encoding) = decode(sample!("three.kifu")).unwrap();
    assert!(text.starts_with("#KIF version=2.0 encoding=Shift_JIS"));
    assert_eq!(encoding, Encoding::Utf8);
}
