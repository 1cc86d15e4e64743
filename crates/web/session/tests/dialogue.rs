//! What is asked, and what is refused.

use serde_json::json;

use crate::{Page, THREE};

#[test]
fn a_page_learns_what_can_be_asked() {
    let welcome = Page::new().ask(&json!({"type": "hello", "version": 1}));
    assert_eq!(welcome["engine"], "browser");
    let games = welcome["games"].as_array().expect("games");
    let names: Vec<&str> = games.iter().filter_map(|game| game["name"].as_str()).collect();
    assert_eq!(names, ["graph", "othello", "hex", "chess", "shogi"]);
    assert_eq!(games[4]["title"], json!({"en": "shogi", "ja": "詰将棋"}));
    let algorithms = welcome["algorithms"].as_array().expect("algorithms");
    assert_eq!(algorithms[0]["name"], "auto");
    // One thread: none that needs several.
    assert!(algorithms.iter().all(|entry| entry["name"] != "pmps" && entry["threads"] == false));
    assert!(Page::new().refused(&json!({"type": "hello", "version": 9})).contains("version 9"));
}

#[test]
fn every_example_is_read_and_can_be_played_on() {
    let mut page = Page::new();
    let welcome = page.ask(&json!({"type": "hello", "version": 1}));
    for game in welcome["games"].as_array().expect("games") {
        let read = page.ask(&json!({"type": "read", "id": 1, "text": game["example"]}));
        assert_eq!((&read["type"], &read["game"]), (&json!("position"), &game["name"]));
        for goal in game["goals"].as_array().expect("goals") {
            let ask =
                json!({"type": "read", "id": 1, "text": game["example"], "goal": goal["goal"]});
            let read = page.ask(&ask);
            assert_eq!(read["type"], "position", "{goal}: {read}");
        }
        let again = page.ask(&json!({"type": "read", "id": 1, "text": read["text"]}));
        assert_eq!(read, again);
        let moves = page.ask(&json!({"type": "moves", "id": 2, "text": read["text"]}));
        let first = &moves["moves"][0]["move"];
        let played = json!({"type": "moves", "id": 3, "text": read["text"], "played": [first]});
        let after = page.ask(&played);
        assert_eq!(after["type"], "moves", "{after}");
        assert_ne!(after["text"], moves["text"]);
        // The text alone says as much as the way to it.
        let alone = page.ask(&json!({"type": "moves", "id": 3, "text": after["text"]}));
        assert_eq!(alone, after);
    }
}

#[test]
fn more_moves_than_a_board_could_show_are_not_listed() {
    let mut page = Page::new();
    let ask = |moves: usize, played: &[&str]| {
        let text = format!("graph\na or{}\nb and a\n", " b".repeat(moves));
        json!({"type": "moves", "id": 1, "text": text, "played": played})
    };
    assert_eq!(page.ask(&ask(2048, &[]))["moves"].as_array().map(Vec::len), Some(2048));
    let why = page.refused(&ask(2049, &[]));
    assert!(why.contains("more than 2048 moves"), "{why}");
    assert!(page.refused(&ask(2049, &["b"])).contains("b cannot be played here"));
}

#[test]
fn records_are_read_with_their_moves() {
    let mut page = Page::new();
    let csa = "V2.2\nPI\n+\n+7776FU\n-3334FU\n";
    let read = page.ask(&json!({"type": "read", "id": 1, "text": csa}));
    assert_eq!(read["record"]["moves"].as_array().map(Vec::len), Some(2));
    assert_eq!(read["record"]["at"], 2);
    let pgn = "[White \"A\"]\n\n1. e4 e5 2. Nf3 *\n";
    let read = page.ask(&json!({"type": "read", "id": 1, "text": pgn}));
    assert_eq!((&read["game"], &read["record"]["at"]), (&json!("chess"), &json!(3)));
}

#[test]
fn what_is_wrong_is_named_in_both_languages_and_pointed_at() {
    let mut page = Page::new();
    let two_pawns = "8k/9/9/9/9/9/P8/P8/9 b - 1";
    let said = page.ask(&json!({"type": "read", "id": 7, "text": two_pawns}));
    assert_eq!((&said["type"], &said["id"]), (&json!("error"), &json!(7)));
    assert!(said["message"]["ja"].as_str().is_some_and(|ja| ja.contains('歩')), "{said}");
    assert!(said["line"].is_u64() && said["column"].is_u64());
    let refused = [
        (json!({"type": "read", "id": 1, "text": "nonsense"}), "no game is recognised"),
        (json!({"type": "read", "id": 1, "text": THREE, "game": "go"}), "there is no game `go`"),
        (json!({"type": "moves", "id": 1, "text": THREE, "played": ["9a9b"]}), "9a9b"),
        (json!({"type": "solve", "id": 1, "text": THREE, "algorithm": "magic"}), "`magic`"),
        (json!({"type": "solve", "id": 1, "text": THREE, "algorithm": "pmps"}), "`pmps`"),
        (json!({"type": "solve", "id": 1, "text": THREE, "hash": 100000}), "from 1 to"),
        (json!({"type": "solve", "id": 1, "text": THREE, "hash": 0}), "from 1 to"),
        (json!({"type": "solve", "id": 1, "text": THREE, "threads": 2}), "from 1 to 1"),
        (json!({"type": "solve", "id": 1, "text": THREE, "seconds": -1}), "seconds"),
        (json!({"type": "stop", "id": 5}), "no search 5"),
        (json!({"type": "pause", "id": 5}), "no search 5"),
        (json!({"type": "certificate", "id": 1, "of": 3}), "nothing is kept"),
        (json!({"type": "node", "id": 1, "proof": 3}), "no certificate 3"),
        (json!({"type": "close", "id": 1, "proof": 3}), "no certificate 3"),
        (json!({"type": "open", "id": 1, "certificate": "?"}), "base64"),
        (json!({"type": "dance", "id": 1}), "not understood"),
        (json!({"type": "stop", "id": 1, "now": true}), "not understood"),
        (json!({"type": "stop", "id": "x"}), "not understood"),
        (json!([1, 2]), "not understood"),
    ];
    for (message, why) in refused {
        let said = page.refused(&message);
        assert!(said.contains(why), "{message}: {said}");
    }
    for text in ["", "{", "null", "\u{0}", "{\"type\":\"solve\"}"] {
        assert_eq!(page.text(text)[0]["type"], "error", "{text}");
    }
    let long = "x".repeat((1 << 20) + 1);
    assert!(page.refused(&json!({"type": "read", "id": 1, "text": long})).contains("at most"));
}

#[test]
fn a_search_is_answered_with_its_line_and_its_claims() {
    let mut page = Page::new();
    let answer = page.solve(3, THREE);
    assert_eq!((&answer["verdict"], &answer["plies"]), (&json!("proven"), &json!(3)));
    assert_eq!((&answer["exact"], &answer["complete"]), (&json!(true), &json!(true)));
    assert_eq!(answer["least"], json!(3));
    let line = answer["line"].as_array().expect("a line");
    assert_eq!(line.len(), 3);
    assert!(line[0]["name"]["ja"].as_str().is_some_and(|name| name.contains('龍')), "{answer}");
    // That there is a mate in three, and that there is none shorter.
    assert_eq!(answer["claims"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_length_that_stays_open_is_an_interval() {
    let mut page = Page::new();
    let text = "2+B6/B8/6L1k/9/8K/6p2/9/9/9 b Rl 1";
    page.ask(&json!({"type": "solve", "id": 1, "text": text, "nodes": 20_000}));
    let said = page.work();
    let answer = said.last().expect("an answer");
    let number = |value: &serde_json::Value| value.as_u64().unwrap_or_default();
    let (least, plies) = (number(&answer["least"]), number(&answer["plies"]));
    assert!(answer["exact"] == false && (1..=17).contains(&least) && plies >= 17, "{answer}");
    assert_eq!(answer["line"].as_array().map(Vec::len), usize::try_from(plies).ok(), "{answer}");
    // How far it comes with so many nodes depends on the slices.
    let is_bounded = least >= 3;
    let claims = 1 + usize::from(is_bounded);
    assert_eq!(answer["claims"].as_array().map(Vec::len), Some(claims), "{answer}");
    let words = format!("between {least} and {plies} plies");
    let said_so = answer["words"]["en"].as_str().is_some_and(|said| said.contains(&words));
    assert_eq!(said_so, is_bounded, "{answer}");
    let bounds = said.iter().filter_map(|said| said.get("bounds"));
    let told: Vec<_> = bounds.map(|b| (number(&b["at_least"]), number(&b["at_most"]))).collect();
    assert!(told.is_sorted_by(|a, b| a.0 <= b.0 && a.1 >= b.1), "{told:?}");
    assert!(told.iter().all(|&(low, high)| low <= 17 && 17 <= high), "{told:?}");
}

#[test]
fn a_search_rests_goes_on_and_is_stopped() {
    let mut page = Page::new();
    // The empty board of Hex 6×6 takes longer than the test.
    let long = "hex 6 ....../....../....../....../....../...... B";
    let ask = json!({"type": "solve", "id": 1, "text": long, "algorithm": "dfpn-plain"});
    page.ask(&ask);
    let step = |page: &mut Page| {
        let mut said = Vec::new();
        let time = std::time::Duration::from_millis(20);
        let more = page.0.step(time, &mut |reply| said.push(reply));
        (more, said)
    };
    let (more, said) = step(&mut page);
    assert!(more && matches!(said[..], [yomikiri_session::Reply::Progress(_)]));
    let again = json!({"type": "solve", "id": 2, "text": THREE});
    assert!(page.refused(&again).contains("search 1 is not answered"));
    assert_eq!(page.ask(&json!({"type": "pause", "id": 1}))["type"], "paused");
    assert!(!page.0.is_busy());
    assert!(matches!(step(&mut page), (false, said) if said.is_empty()));
    assert_eq!(page.ask(&json!({"type": "go-on", "id": 1}))["type"], "started");
    assert!(step(&mut page).0);
    assert!(page.say(&json!({"type": "stop", "id": 1})).is_empty());
    let said = page.work();
    let answer = said.last().expect("an answer");
    assert_eq!((&answer["type"], &answer["verdict"]), (&json!("answer"), &json!("unknown")));
    assert_eq!(page.solve(2, THREE)["verdict"], "proven");
}

#[test]
fn slices_too_short_for_a_node_lead_to_an_answer_all_the_same() {
    // A look at the empty board takes longer than the shortest slice.
    let board = "hex 6 ....../....../....../....../....../...... B";
    let mut page = Page::new();
    page.ask(&json!({"type": "solve", "id": 1, "text": board, "hash": 16}));
    let mut last = None;
    let is_answered = (0..100).any(|_| {
        let hear = &mut |reply: yomikiri_session::Reply| last = Some(reply.to_json());
        !page.0.step(std::time::Duration::ZERO, hear)
    });
    assert!(is_answered);
    assert!(last.is_some_and(|said| said.contains("\"proven\"")));
}

#[test]
fn a_root_that_a_slice_does_not_come_back_to_is_shown_with_numbers() {
    // Of the algorithms, one comes back to it now and then at first, the other never.
    for algorithm in ["dfpn-plain", "deep-dfpn"] {
        let board = "hex 7 ......./......./......./......./......./......./....... B";
        let mut page = Page::new();
        let limit = 300_000;
        page.ask(&json!({
            "type": "solve", "id": 1, "text": board, "algorithm": algorithm, "nodes": limit, "seconds": 2
        }));
        let mut seen = Vec::new();
        let hear = &mut |reply: yomikiri_session::Reply| {
            if let yomikiri_session::Reply::Progress(progress) = reply {
                seen.push((progress.pn.0, progress.dn.0));
            }
        };
        while page.0.step(std::time::Duration::ZERO, hear) {}
        assert!(seen.iter().all(|&numbers| numbers != (1, 1)), "{algorithm}: {seen:?}");
        assert!(!seen.is_empty());
    }
}

#[test]
fn limits_end_a_search() {
    let mut page = Page::new();
    let long = "hex 6 ....../....../....../....../....../...... B";
    for limit in ["nodes", "seconds"] {
        let value = if limit == "nodes" { json!(300) } else { json!(0.05) };
        page.ask(&json!({"type": "solve", "id": 1, "text": long, "algorithm": "dfpn-plain", limit: value}));
        let said = page.work();
        assert_eq!(said.last().expect("an answer")["verdict"], "unknown", "{limit}");
    }
}

#[test]
fn our_own_problems_are_on_the_shelf() {
    let mut page = Page::new();
    let sets = page.ask(&json!({"type": "sets", "id": 1}));
    assert_eq!(sets["sets"][0]["name"], "own");
    let set = page.ask(&json!({"type": "set", "id": 2, "name": "own"}));
    let problems = set["problems"].as_array().expect("problems");
    assert_eq!(Some(problems.len() as u64), sets["sets"][0]["problems"].as_u64());
    assert_eq!(problems.len(), 500);
    assert_eq!((&problems[0]["name"], &problems[0]["plies"]), (&json!("own-003-001"), &json!(3)));
    assert!(page.refused(&json!({"type": "set", "id": 3, "name": "../own"})).contains("no set"));
}

#[test]
fn a_mate_is_written_as_kif_that_is_read_again() {
    let mut page = Page::new();
    page.solve(1, THREE);
    let said = page.ask(&json!({"type": "export", "id": 2, "of": 1, "format": "kif"}));
    assert_eq!(said["name"], "solution.kif");
    let kif = said["data"].as_str().expect("a record");
    assert!(kif.contains("3手詰"), "{kif}");
    let read = page.ask(&json!({"type": "read", "id": 3, "text": kif}));
    assert_eq!((&read["position"], &read["record"]["at"]), (&json!(THREE), &json!(0)));
    page.solve(4, "hex 1 . B");
    let other = json!({"type": "export", "id": 5, "of": 4, "format": "kif"});
    assert!(page.refused(&other).contains("shogi"));
}

#[test]
fn an_authors_line_is_compared_with_what_else_there_is() {
    let mut page = Page::new();
    page.solve(1, THREE);
    let kif = page.ask(&json!({"type": "export", "id": 2, "of": 1, "format": "kif"}));
    let said = inspect(&mut page, kif["data"].as_str().expect("a record"));
    assert_eq!((&said["type"], &said["plies"]), (&json!("inspected"), &json!(3)), "{said}");
    // It is a record of two moves then, which do not mate.
    let kif = kif["data"].as_str().expect("a record");
    let cut = kif.split_once("   3 ").expect("a third move").0;
    let asked = page.ask(&json!({"type": "inspect", "id": 3, "text": cut}));
    assert_eq!(asked["type"], "started", "{asked}");
    let said = page.work().pop().expect("why not");
    assert!(said["message"]["en"].as_str().is_some_and(|en| en.contains("no solution")), "{said}");
}

/// Inspects to the end.
fn inspect(page: &mut Page, text: &str) -> serde_json::Value {
    let started = page.ask(&json!({"type": "inspect", "id": 1, "text": text, "hash": 16}));
    assert_eq!(started["type"], "started", "{started}");
    page.work().pop().expect("what was found")
}

#[test]
fn an_inspection_tells_sound_problems_from_others() {
    let mut page = Page::new();
    let own = page.ask(&json!({"type": "set", "id": 2, "name": "own"}));
    let sound = own["problems"][30]["text"].as_str().expect("a problem");
    let said = inspect(&mut page, &format!("{sound} goal mate"));
    assert_eq!((&said["type"], &said["verdict"]), (&json!("inspected"), &json!("sound")));
    assert_eq!((&said["plies"], &said["complete"]), (&own["problems"][30]["plies"], &json!(true)));

    // Two golds in hand: many ways to mate.
    let cooked = "8k/9/7GG/9/9/9/9/9/9 b 2G2r2b4s4n4l18p 1";
    let said = inspect(&mut page, cooked);
    assert_eq!(said["verdict"], "unsound", "{said}");
    let finding = &said["findings"][0];
    assert!(finding["move"].is_string() && finding["kind"]["ja"].is_string(), "{finding}");
    assert_eq!(finding["line"][0]["move"], finding["move"]);

    let said = inspect(&mut page, "8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1");
    assert_eq!(said["verdict"], "no mate");

    // Another reply lasts as long: told of our own line, and of one that was given.
    let five = "7k1/9/6G1s/9/9/9/9/9/9 b GS2r2b2g2s4n4l18p 1";
    page.solve(8, five);
    let kif = page.ask(&json!({"type": "export", "id": 9, "of": 8, "format": "kif"}));
    for text in [five, kif["data"].as_str().expect("a record")] {
        let said = inspect(&mut page, text);
        assert_eq!(
            (&said["verdict"], &said["equal"][0]["move"]),
            (&json!("sound"), &json!("2a1b"))
        );
    }
    // Of the lines of one length the one with the fewest flaws.
    let lines = "2l6/9/1n2+N3+n/9/6B1l/5+p1+B1/7G+n/6+Pgk/4+RP1P1 b r2g4s2l14p 1";
    let said = inspect(&mut page, lines);
    let en = said["words"]["en"].as_str().expect("words");
    assert!(en.contains("no other line of the same length has fewer"), "{said}");
    let ja = said["words"]["ja"].as_str().expect("words");
    assert!(ja.contains("同手数のほかの手順にも"), "{said}");
    assert!(page.refused(&json!({"type": "inspect", "id": 1, "text": "hex 1 . B"})).len() > 5);
    let busy = json!({"type": "inspect", "id": 3, "text": cooked});
    assert_eq!(page.ask(&busy)["type"], "started");
    assert!(page.refused(&busy).contains("search 3 is not answered"));
    assert!(page.say(&json!({"type": "stop", "id": 3})).is_empty());
    assert_eq!(page.work().pop().expect("an end")["type"], "inspected");
}

#[test]
fn a_table_is_given_back() {
    let mut page = Page::new();
    page.solve(1, THREE);
    page.0.forget(&mut |reply| panic!("{reply:?}"));
    let why = page.refused(&json!({"type": "certificate", "id": 2, "of": 1}));
    assert!(why.contains("nothing is kept"), "{why}");
    // One that rests is answered.
    let long = "hex 6 ....../....../....../....../....../...... B";
    page.ask(&json!({"type": "solve", "id": 3, "text": long, "algorithm": "dfpn-plain"}));
    page.ask(&json!({"type": "pause", "id": 3}));
    let mut said = Vec::new();
    page.0.forget(&mut |reply| said.push(reply));
    assert!(matches!(said.last(), Some(yomikiri_session::Reply::Answer(_))), "{said:?}");
    assert_eq!(page.solve(4, THREE)["verdict"], "proven");
}

#[test]
fn a_certificate_longer_than_is_sent_is_refused() {
    let ceilings = yomikiri_session::Ceilings { certificate: 100, ..Default::default() };
    let session = yomikiri_session::Session::new(yomikiri_session::Place::Server, ceilings);
    let mut page = Page(session);
    page.solve(1, THREE);
    let why = page.refused(&json!({"type": "certificate", "id": 2, "of": 1}));
    assert!(why.contains("more than 100 bytes"), "{why}");
}
