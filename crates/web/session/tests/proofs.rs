//! Certificates: asked for, checked, opened and played against.

use std::time::Duration;

use andor::SplitMix64;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use yomikiri_session::{Ceilings, Place, Session};

use crate::{Page, THREE};

/// The certificate of a solved problem.
fn certificate(page: &mut Page, id: u64, text: &str, which: usize) -> Value {
    page.solve(id, text);
    let ask = json!({"type": "certificate", "id": id + 1, "of": id, "which": which});
    let said = page.ask(&ask);
    assert_eq!(said["type"], "certificate", "{said}");
    said["data"].clone()
}

#[test]
fn a_certificate_is_accepted_and_one_that_was_tampered_with_is_not() {
    let mut page = Page::new();
    for which in 0..2 {
        let data = certificate(&mut page, 10, THREE, which);
        let check = json!({"type": "check", "id": 20, "certificate": data, "text": THREE});
        let said = page.ask(&check);
        assert_eq!((&said["accepted"], &said["where"]), (&json!(true), &json!("browser")));
        let other = json!({"type": "check", "id": 21, "certificate": data, "text": "hex 1 . B"});
        assert_eq!(page.ask(&other)["accepted"], false);
        let cut = &data.as_str().expect("base64")[..data.as_str().map_or(0, str::len) / 8 * 4];
        let said = page.ask(&json!({"type": "check", "id": 22, "certificate": cut}));
        assert_eq!(said["accepted"], false);
        assert!(said["fault"]["ja"].is_string());
        let said = page.ask(&json!({"type": "open", "id": 23, "certificate": cut}));
        assert_eq!(said["type"], "error");
    }
}

#[test]
fn the_proof_answers_whatever_is_played() {
    let mut random = SplitMix64::new(7);
    let problems = [
        THREE,
        "hex 3 .../.../... B",
        "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1",
        // No mate: every check is answered.
        "8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1",
    ];
    for text in problems {
        let mut page = Page::new();
        let data = certificate(&mut page, 1, text, 0);
        let opened = page.ask(&json!({"type": "open", "id": 5, "certificate": data}));
        assert_eq!(opened["type"], "opened", "{opened}");
        for _ in 0..20 {
            let mut played: Vec<Value> = Vec::new();
            let mut left = None;
            for _ in 0..200 {
                let ask = json!({"type": "node", "id": 6, "proof": 5, "played": played});
                let node = page.ask(&ask);
                assert_eq!((&node["type"], &node["known"]), (&json!("node"), &json!(true)));
                if node["over"].is_object() {
                    break;
                }
                if let (Some(before), Some(now)) = (left, node["plies"].as_u64()) {
                    assert!(now < before, "{text}: {node}");
                }
                left = node["plies"].as_u64();
                let replies = node["replies"].as_array().expect("replies");
                if node["holder"] == true {
                    played.push(node["answer"]["move"].clone());
                } else {
                    assert!(replies.iter().all(|reply| reply["known"] == true), "{node}");
                    let Some(most) = replies.len().checked_sub(1) else { break };
                    let at = random.below(most + 1);
                    played.push(replies[at]["move"].clone());
                }
            }
            let proven = opened["value"] == "proven" && opened["plies"].is_u64();
            assert!(!proven || played.len() as u64 <= opened["plies"].as_u64().unwrap_or(0));
        }
        let closed = page.ask(&json!({"type": "close", "id": 9, "proof": 5}));
        assert_eq!(closed["type"], "closed");
    }
}

/// A certificate of a graph whose root leads to one position by so many edges, treated anew for each of
/// them: valid, and as hostile as can be.
fn star(edges: usize) -> Value {
    let problem = format!("graph\\na and{}\\nb or c\\nc win", " b".repeat(edges));
    let head = format!(
        "yomikiri certificate 3\ngame: graph\nproblem: {problem}\nverdict: proven\nplies: -\n\n"
    );
    let mut bytes = head.into_bytes();
    bytes.push(1);
    bytes.extend([1, 0, 0, 1].repeat(edges));
    bytes.extend([2, 0xff]);
    let mut positions = edges + 1;
    while positions > 0x7f {
        bytes.push(positions as u8 & 0x7f | 0x80);
        positions >>= 7;
    }
    bytes.push(positions as u8);
    json!(STANDARD.encode(bytes))
}

fn page(ceilings: Ceilings) -> Page {
    Page(Session::new(Place::Server, ceilings))
}

#[test]
fn a_large_certificate_is_read_in_slices_and_can_be_stopped() {
    for purpose in ["check", "open"] {
        let mut page = page(Ceilings::default());
        let said = page.say(&json!({"type": purpose, "id": 1, "certificate": star(100_000)}));
        assert!(said.is_empty() && page.0.is_busy(), "{said:?}");
        let (held, running) = (page.0.bytes(), page.0.running().expect("it is being read"));
        assert_eq!((running.id, running.bytes), (1, held));
        assert!(page.0.step(Duration::ZERO, &mut |reply| panic!("{reply:?}")), "there is more");
        // Other questions are answered meanwhile, a second certificate is not read.
        assert_eq!(page.ask(&json!({"type": "moves", "id": 2, "text": THREE}))["type"], "moves");
        let check = json!({"type": "check", "id": 3, "certificate": star(1)});
        assert!(page.refused(&check).contains("certificate 1 is still being read"));
        assert!(page.say(&json!({"type": "stop", "id": 1})).is_empty());
        let said = page.work();
        assert_eq!((said.len(), &said[0]["type"], &said[0]["id"]), (1, &json!("error"), &json!(1)));
        assert_eq!((page.0.bytes(), page.0.is_busy()), (0, false));
        // It is as if nothing had been asked.
        assert_eq!(page.ask(&check)["accepted"], true);
    }
}

#[test]
fn a_search_waits_while_a_certificate_is_read() {
    let mut page = page(Ceilings::default());
    page.ask(&json!({"type": "solve", "id": 1, "text": THREE, "hash": 2}));
    let said = page.say(&json!({"type": "check", "id": 2, "certificate": star(1_000)}));
    assert!(said.is_empty());
    let table = 2 << 20;
    assert!(page.0.bytes() > table, "the table and the certificate");
    let kinds: Vec<_> = page.work().iter().map(|reply| reply["type"].clone()).collect();
    assert_eq!((kinds.first(), kinds.last()), (Some(&json!("checked")), Some(&json!("answer"))));
    assert_eq!(page.0.bytes(), table, "the table is kept for a certificate");
}

#[test]
fn what_takes_too_long_or_too_much_is_neither_accepted_nor_rejected() {
    let all = Ceilings::default();
    for (ceilings, why) in [
        (Ceilings { time: Some(Duration::ZERO), ..all }, "stopped while"),
        (Ceilings { reading: 1 << 20, ..all }, "takes more than"),
    ] {
        for purpose in ["check", "open"] {
            let mut page = page(ceilings);
            let ask = json!({"type": purpose, "id": 1, "certificate": star(100_000)});
            let refused = page.refused(&ask);
            assert!(refused.contains(why), "{refused}");
            assert_eq!(page.0.bytes(), 0);
        }
    }
}

#[test]
fn a_look_at_a_position_ends_when_the_visitor_has_left() {
    let mut page = page(Ceilings::default());
    let opened = page.ask(&json!({"type": "open", "id": 1, "certificate": star(2_000)}));
    assert_eq!(opened["type"], "opened", "{opened}");
    assert!(page.0.open_bytes() < 100_000, "a claim that is repeated is kept once");
    let node = json!({"type": "node", "id": 2, "proof": 1});
    assert_eq!(page.ask(&node)["replies"].as_array().map(Vec::len), Some(2_000));
    page.0.stop().raise();
    assert!(page.refused(&node).contains("stopped while"));
}

#[test]
fn a_position_of_a_proof_with_more_moves_than_a_board_could_show_is_not_shown() {
    let mut page = page(Ceilings::default());
    page.ask(&json!({"type": "open", "id": 1, "certificate": star(20_000)}));
    let why = page.refused(&json!({"type": "node", "id": 2, "proof": 1}));
    assert!(why.contains("more than 2048 moves"), "{why}");
}

#[test]
fn a_table_is_given_back_while_a_certificate_is_read() {
    let mut page = page(Ceilings::default());
    page.ask(&json!({"type": "solve", "id": 1, "text": THREE, "hash": 2}));
    page.ask(&json!({"type": "pause", "id": 1}));
    assert!(page.say(&json!({"type": "check", "id": 2, "certificate": star(100_000)})).is_empty());
    let mut said = Vec::new();
    page.0.forget(&mut |reply| said.push(reply.to_json()));
    assert!(said.last().is_some_and(|last| last.contains("\"answer\"")), "{said:?}");
    assert!(said.iter().all(|reply| !reply.contains("checked")), "{said:?}");
    assert!(!page.0.has_table() && page.0.is_busy());
    assert_eq!(page.work().last().map(|last| last["accepted"].clone()), Some(json!(true)));
}
