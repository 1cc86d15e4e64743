//! Attacks by certificates: some are true, and all take the checker long.

use andor::certificate::{Format, Header};
use andor::{Claim, NodeKind, Plies, Solvable, Value};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value as Json, json};
use yomikiri_question::games::{self, Visitor};

use crate::attack::{Fort, deaf};

/// The records of a certificate's body, by name.
const OVER: u8 = 0;
const EXPAND: u8 = 1;
const KNOWN: u8 = 2;
const END: u8 = 0xff;

/// A certificate in base64.
fn certificate(game: &str, problem: &str, value: Value, body: &[u8]) -> String {
    let claim = Claim::new(problem.to_owned(), value, Plies::UNBOUNDED);
    let mut bytes = Vec::new();
    Header { format: Format::LATEST, game: game.into(), claim }.write(&mut bytes).expect("written");
    bytes.extend(body);
    STANDARD.encode(bytes)
}

/// Seven bits a byte, least first.
fn number(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// It is true. Many edges lead to `b`, from where `c` wins; for so many of them it says so again, for the
/// others that it has said so.
fn repeated(again: usize, known: usize) -> String {
    let text = format!("graph\na and{}\nb or c\nc win\n", " b".repeat(again + known));
    let child = [EXPAND, 0, OVER, 1].repeat(again);
    let mut body = [&[EXPAND], &child[..], &[KNOWN].repeat(known), &[2, END]].concat();
    body.extend(number(again as u64 + 1));
    certificate("graph", &text, Value::Proven, &body)
}

/// So many positions of a game, one after the other, each claimed not to be won; there it ends.
struct Deep(usize);

impl Visitor for Deep {
    type Output = Vec<u8>;

    fn visit<P: Solvable>(self, problem: &P) -> Vec<u8> {
        let (mut position, mut body) = (problem.clone(), Vec::new());
        for _ in 0..self.0 {
            let mut moves = Vec::new();
            assert_eq!(position.terminal(), None, "after {} bytes", body.len());
            position.legal_moves(&mut moves);
            // The attacker's moves are treated in the order of their numbers; of the defender's, one is named.
            let first = moves.into_iter().min_by_key(|&m| P::encode_move(m)).expect("a move");
            body.push(EXPAND);
            if position.kind() == NodeKind::And {
                body.extend(number(P::encode_move(first).into()));
            }
            position.play(first);
        }
        body
    }
}

/// So many positions of chess, in two bytes each.
fn deep(positions: usize) -> String {
    // The pawns stay where they are, and the kings go to and fro.
    let text = "4k3/8/p1p1p1p1/P1P1P1P1/8/8/8/4K3 w - - 0 1";
    let problem = games::parse(text, None, None).expect("a problem");
    let body = problem.visit(true, Deep(positions));
    certificate("chess", &problem.text(), Value::Disproven, &body)
}

fn check(certificate: String) -> Json {
    json!({"type": "check", "id": 0, "certificate": certificate})
}

fn open(certificate: String) -> Json {
    json!({"type": "open", "id": 0, "certificate": certificate})
}

#[tokio::test]
async fn a_look_at_a_long_proof_ends_when_the_visitor_has_left() {
    let fort = Fort::with(8192).await;
    let mut pages = Vec::new();
    for _ in 0..3 {
        let mut page = fort.visitor().await;
        let mut ask = open(repeated(600_000, 0));
        ask["id"] = 1.into();
        page.say(&ask).await;
        loop {
            let said = page.hear().await;
            assert_ne!(said["type"], "error", "{said}");
            if said["type"] == "opened" {
                break;
            }
        }
        pages.push(page);
    }
    for page in &mut pages {
        page.say(&json!({"type": "node", "id": 2, "proof": 1})).await;
    }
    fort.answers().await;
    drop(pages);
    fort.stands().await;
}

#[tokio::test]
async fn checks_of_what_is_said_twice_keep_nobody_waiting() {
    let fort = Fort::with(256).await;
    let all = deaf(&fort, 8, 3, &check(repeated(150_000, 150_000)).to_string()).await;
    fort.answers().await;
    drop(all);
    fort.stands().await;
}

#[tokio::test]
async fn long_certificates_take_no_more_memory_than_there_is() {
    let fort = Fort::with(256).await;
    let certificate = deep(3_000_000);
    let checks = deaf(&fort, 4, 2, &check(certificate.clone()).to_string()).await;
    let opens = deaf(&fort, 4, 2, &open(certificate).to_string()).await;
    fort.answers().await;
    drop((checks, opens));
    fort.stands().await;
}
