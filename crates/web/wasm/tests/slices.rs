//! The engine behind the module's functions, as an ordinary library.

use std::time::Duration;

use serde_json::{Value, json};
use yomikiri_tsume::OWN_PROBLEMS;
use yomikiri_web_wasm::Engine;

/// Puts a message, works in slices of this length, and gives all that was said.
fn ask(engine: &mut Engine, message: &[u8], slice: Duration) -> Vec<Value> {
    let mut said = Vec::new();
    let mut send =
        |text: &str| said.push(serde_json::from_str(text).expect("what is sent is JSON"));
    engine.receive(message, &mut send);
    while engine.step(slice, &mut send) {}
    said
}

fn problem(plies: &str) -> &'static str {
    let of_length = |line: &&str| line.ends_with(&format!("\t{plies}"));
    let line = OWN_PROBLEMS.lines().find(of_length).expect("there is one of this length");
    line.split('\t').next().expect("a line begins with the position")
}

#[test]
fn an_answer_comes_with_its_certificate_checked() {
    let no_mate = "8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1";
    for (text, verdict) in
        [(problem("3"), "proven"), (problem("25"), "proven"), (no_mate, "disproven")]
    {
        let message = json!({"type": "solve", "text": text, "hash": 16}).to_string();
        let said = ask(&mut Engine::default(), message.as_bytes(), Duration::from_secs(600));
        assert_eq!((said.len(), &said[0]["verdict"]), (1, &json!(verdict)), "{text} {said:?}");
        assert!(said[0]["certificate"].as_u64() > Some(1), "{said:?}");
        assert_eq!(said[0]["plies"].is_u64(), verdict == "proven", "{said:?}");
    }
}

#[test]
fn a_new_question_takes_the_place_of_the_old_one() {
    let mut engine = Engine::default();
    let mut said = Vec::new();
    let mut send = |text: &str| said.push(text.to_owned());
    let message = json!({"type": "solve", "text": problem("25"), "hash": 16}).to_string();
    engine.receive(message.as_bytes(), &mut send);
    let message = json!({"type": "solve", "text": problem("3"), "hash": 16}).to_string();
    engine.receive(message.as_bytes(), &mut send);
    assert!(!engine.step(Duration::from_secs(600), &mut send));
    assert!(said.len() == 1 && said[0].contains("\"plies\":3"), "{said:?}");
    // And one that is refused leaves nothing to do.
    engine.receive(b"{\"type\":\"solve\",\"text\":\"\"}", &mut |_| ());
    assert!(!engine.step(Duration::ZERO, &mut |_| ()));
}

#[test]
fn what_is_not_understood_is_refused_in_words() {
    let solve = |text: &str, hash: u64| json!({"type": "solve", "text": text, "hash": hash});
    for (message, words) in [
        (b"\"\xff\"".to_vec(), "not understood"),
        (b"{".to_vec(), "not understood"),
        (json!({"type": "dance"}).to_string().into_bytes(), "dance"),
        (solve("9/9 b -", 16).to_string().into_bytes(), "rank"),
        (solve(problem("3"), 0).to_string().into_bytes(), "at least"),
        (solve(problem("3"), 1 << 40).to_string().into_bytes(), "u32"),
    ] {
        let said = ask(&mut Engine::default(), &message, Duration::ZERO);
        assert_eq!((said.len(), &said[0]["type"]), (1, &json!("error")), "{said:?}");
        assert!(said[0]["message"].as_str().is_some_and(|said| said.contains(words)), "{said:?}");
    }
}
