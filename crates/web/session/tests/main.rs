//! Tests of the session: as a page speaks to it, in JSON.

mod dialogue;
mod proofs;
mod spelling;

use std::time::Duration;

use serde_json::{Value, json};
use yomikiri_session::{Ceilings, Place, Session};

/// A problem of three plies.
const THREE: &str = "8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1";

/// A page and its engine.
struct Page(Session);

impl Page {
    fn new() -> Page {
        Page(Session::new(Place::Browser, Ceilings::default()))
    }

    /// Says something and hears what is said to it at once.
    fn say(&mut self, message: &Value) -> Vec<Value> {
        self.text(&message.to_string())
    }

    /// The same with any text.
    fn text(&mut self, message: &str) -> Vec<Value> {
        let mut said = Vec::new();
        self.0.receive(message, &mut |reply| said.push(reply.to_json()));
        said.iter().map(|text| serde_json::from_str(text).expect("JSON")).collect()
    }

    /// Asks something that has one answer.
    fn ask(&mut self, message: &Value) -> Value {
        let mut said = self.say(message);
        if said.is_empty() {
            // It takes slices, as the reading of a certificate does.
            said = self.work();
        }
        assert_eq!(said.len(), 1, "{message}: {said:?}");
        said.remove(0)
    }

    /// Asks something that is refused: why, in English.
    fn refused(&mut self, message: &Value) -> String {
        let said = self.ask(message);
        assert_eq!(said["type"], "error", "{message}: {said}");
        assert!(said["message"]["ja"].as_str().is_some_and(|ja| !ja.is_empty()));
        said["message"]["en"].as_str().expect("words").to_owned()
    }

    /// Lets it work to the end: all that it says meanwhile.
    fn work(&mut self) -> Vec<Value> {
        let mut said = Vec::new();
        while self.0.step(Duration::from_millis(20), &mut |reply| said.push(reply.to_json())) {}
        said.iter().map(|text| serde_json::from_str(text).expect("JSON")).collect()
    }

    /// Searches to the end.
    fn solve(&mut self, id: u64, text: &str) -> Value {
        let started = self.ask(&json!({"type": "solve", "id": id, "text": text, "hash": 16}));
        assert_eq!(started, json!({"type": "started", "id": id}));
        let said = self.work();
        let answer = said.last().expect("an answer").clone();
        assert_eq!((&answer["type"], &answer["id"]), (&json!("answer"), &json!(id)));
        answer
    }
}
