//! Moves as programs write them and as people do, wherever they travel.

use serde_json::{Value, json};

use crate::{Page, THREE};

/// A mate in three moves.
const MATE: &str = "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1";

/// Scholar's mate is threatened next.
const SCHOLAR: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - 0 1";

/// Is this UCI?
fn is_uci(m: &str) -> bool {
    let square = |at: usize| {
        let bytes = m.as_bytes().get(at..at + 2);
        bytes.is_some_and(|b| (b'a'..=b'h').contains(&b[0]) && (b'1'..=b'8').contains(&b[1]))
    };
    m.is_ascii() && square(0) && square(2) && matches!(&m[4..], "" | "n" | "b" | "r" | "q")
}

/// Is this USI?
fn is_usi(m: &str) -> bool {
    let place = |at: usize| {
        let bytes = m.as_bytes().get(at..at + 2);
        bytes.is_some_and(|b| b[0].is_ascii_digit() && (b'a'..=b'i').contains(&b[1]))
    };
    let drop = m.get(1..2) == Some("*") && "RBGSNLP".contains(&m[..1]) && m.len() == 4;
    m.is_ascii() && place(2) && (drop || place(0) && matches!(&m[4..], "" | "+"))
}

/// Is this a letter and a number, of Othello or Hex?
fn is_cell(m: &str) -> bool {
    m.starts_with(|c: char| c.is_ascii_lowercase()) && m[1..].parse::<u8>().is_ok()
}

/// Every `move` of a message, with its name in English, and the moves of `played`.
fn moves_in(said: &Value) -> Vec<(String, Option<String>)> {
    let mut found = Vec::new();
    match said {
        Value::Array(items) => found.extend(items.iter().flat_map(moves_in)),
        Value::Object(fields) => {
            if let Some(m) = fields.get("move") {
                let name = said["name"]["en"].as_str().map(str::to_owned);
                assert!(name.is_some(), "a move without a name: {said}");
                found.push((m.as_str().expect("text").to_owned(), name));
            }
            for m in fields.get("played").and_then(Value::as_array).into_iter().flatten() {
                found.push((m.as_str().expect("text").to_owned(), None));
            }
            found.extend(fields.values().flat_map(moves_in));
        }
        _ => {}
    }
    found
}

#[test]
fn every_message_writes_moves_as_the_games_protocol_does() {
    type Spelling = fn(&str) -> bool;
    let problems: [(&str, Spelling); 5] = [
        (MATE, is_uci),
        (THREE, is_usi),
        ("hex 3 .../.../... B", is_cell),
        ("OOOOO----XXOOO--XXOXXOO-XXOOXX--OOXOXXXOXOOXXXOO--OOXXOO--X--XO- X", is_cell),
        ("graph\na or b c\nb and a d\nc and d e\nd win\ne win", |m| "bcdea".contains(m)),
    ];
    for (text, is_spelt) in problems {
        let mut page = Page::new();
        let mut said = vec![page.ask(&json!({"type": "moves", "id": 1, "text": text}))];
        // One that tells of its numbers even where it is done at once.
        page.ask(
            &json!({"type": "solve", "id": 2, "text": text, "algorithm": "deep-dfpn", "hash": 16}),
        );
        let searched = page.work();
        let progress = searched.iter().find(|said| said["type"] == "progress").expect("progress");
        assert!(progress["roots"].as_array().is_some_and(|roots| !roots.is_empty()), "{progress}");
        let certificate = page.ask(&json!({"type": "certificate", "id": 3, "of": 2, "which": 0}));
        let open = json!({"type": "open", "id": 4, "certificate": certificate["data"]});
        page.ask(&open);
        let root = page.ask(&json!({"type": "node", "id": 5, "proof": 4}));
        let first = &root["replies"][0]["move"];
        let next = page.ask(&json!({"type": "node", "id": 6, "proof": 4, "played": [first]}));
        assert_eq!(next["played"], json!([first]), "{next}");
        said.extend(searched);
        said.extend([root, next]);
        for said in said {
            for (m, _) in moves_in(&said) {
                assert!(is_spelt(&m), "{m} in {said}");
            }
        }
    }
}

#[test]
fn people_read_chess_in_san() {
    let mut page = Page::new();
    let after = |page: &mut Page, played: &Value| {
        page.ask(&json!({"type": "moves", "id": 1, "text": SCHOLAR, "played": played}))
    };
    let named = |said: &Value, m: &str| {
        let found = moves_in(said).into_iter().find(|(written, _)| written == m);
        found.unwrap_or_else(|| panic!("no {m} in {said}")).1.expect("a name")
    };
    let start = after(&mut page, &json!([]));
    assert_eq!((named(&start, "d1h5"), named(&start, "c4f7")), ("Qh5".into(), "Bxf7+".into()));
    let mated = after(&mut page, &json!(["d1h5", "g8f6"]));
    assert_eq!(named(&mated, "h5f7"), "Qxf7#");
    // As people write them they are read too, and are the same moves.
    assert_eq!(after(&mut page, &json!(["Qh5", "Nf6"])), mated);
    assert_eq!(
        page.solve(2, mated["text"].as_str().expect("text"))["line"][0]["name"]["en"],
        "Qxf7#"
    );
    // What was not understood is said as it was given.
    let ask = json!({"type": "moves", "id": 3, "text": SCHOLAR, "played": ["d1h5", "e2e4"]});
    assert_eq!(page.refused(&ask), "e2e4 cannot be played here");
}

#[test]
fn castling_is_the_kings_step_where_that_is_unmistakable() {
    let mut page = Page::new();
    let mut play = |text: &str, played: &str| {
        let ask = json!({"type": "moves", "id": 1, "text": text, "played": [played]});
        page.ask(&ask)["text"].as_str().map(str::to_owned)
    };
    let text = "r3k3/7p/8/8/8/8/8/4K2R w Kq - 0 1";
    let castled = "r3k3/7p/8/8/8/8/8/5RK1 b q - 1 1 goal mate:white";
    for written in ["e1g1", "O-O", "0-0", "e1h1"] {
        assert_eq!(play(text, written).as_deref(), Some(castled), "{written}");
    }
    // Elsewhere the king takes his own rook.
    let elsewhere = "4k3/7p/8/8/8/8/8/1K4R1 w G - 0 1";
    assert_eq!(
        play(elsewhere, "b1g1").as_deref(),
        Some("4k3/7p/8/8/8/8/8/5RK1 b - - 1 1 goal mate:white")
    );
    for (text, m) in [(text, "e1g1"), (elsewhere, "b1g1")] {
        let moves = page.ask(&json!({"type": "moves", "id": 1, "text": text}));
        let castling: Vec<_> = moves_in(&moves)
            .into_iter()
            .filter(|(_, name)| name.as_deref() == Some("O-O"))
            .collect();
        assert_eq!(castling, [(m.to_owned(), Some("O-O".to_owned()))]);
    }
}

#[test]
fn with_checks_alone_only_checks_are_read() {
    let mut page = Page::new();
    let text = format!("{SCHOLAR} goal checks");
    let moves = page.ask(&json!({"type": "moves", "id": 1, "text": text}));
    assert_eq!(moves_in(&moves), [("c4f7".to_owned(), Some("Bxf7+".to_owned()))]);
    for m in ["d1h5", "Qh5"] {
        let ask = json!({"type": "moves", "id": 2, "text": text, "played": [m]});
        assert_eq!(page.refused(&ask), format!("{m} cannot be played here"));
    }
}
