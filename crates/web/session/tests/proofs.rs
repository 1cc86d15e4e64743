//! Certificates: asked for, checked, opened and played against.

use andor::SplitMix64;
use serde_json::{Value, json};

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
