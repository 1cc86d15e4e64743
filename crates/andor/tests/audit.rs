//! The auditor: a right game passes, and of one with a mistake planted in it the law is named.

use std::sync::atomic::{AtomicUsize, Ordering};

use andor::audit::{Law, audit};
use andor::{Evaluation, Key, MoveList, NodeKind, Plies, Problem, Repetition, Rules, Stock, Value};

/// Tokens of the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Tokens<const MISTAKE: u8>(u8);

impl<const MISTAKE: u8> Stock for Tokens<MISTAKE> {
    fn within(self, other: Self) -> bool {
        self.0 <= other.0
    }
    fn join(self, other: Self) -> Self {
        Tokens(if MISTAKE == JOIN { self.0.min(other.0) } else { self.0.max(other.0) })
    }
    fn meet(self, other: Self) -> Self {
        Tokens(self.0.min(other.0))
    }
    fn pack(self) -> u32 {
        u32::from(if MISTAKE == PACK { self.0 & 1 } else { self.0 })
    }
    fn unpack(bits: u32) -> Self {
        Tokens(bits as u8)
    }
}

/// A heap: take one, two or three; whoever cannot move loses. The attacker may pass for a token,
/// and gets one for taking three.
#[derive(Clone, Debug)]
struct Heap<const MISTAKE: u8> {
    left: u8,
    kind: NodeKind,
    tokens: u8,
    plies: u32,
}

const NONE: u8 = 0;
const UNDO_LEFT: u8 = 1;
const UNDO_KIND: u8 = 2;
const UNDO_STOCK: u8 = 3;
const IDENTITY: u8 = 4;
const KEY_SHARED: u8 = 5;
const KEY_OF_PATH: u8 = 6;
const KEY_AFTER: u8 = 7;
const NUMBER: u8 = 8;
const LISTED_TWICE: u8 = 9;
const ORDER: u8 = 10;
const ILLEGAL: u8 = 11;
const NEVER: u8 = 12;
const RULE: u8 = 13;
const PACK: u8 = 14;
const JOIN: u8 = 15;
const MORE_HURTS: u8 = 16;
const LIE: u8 = 17;
const WEAK: u8 = 18;

/// Asked so often for moves.
static ASKED: AtomicUsize = AtomicUsize::new(0);
const PASS: u8 = 0;

impl<const MISTAKE: u8> Heap<MISTAKE> {
    fn new() -> Self {
        Heap { left: 9, kind: NodeKind::Or, tokens: 1, plies: 0 }
    }
}

impl<const MISTAKE: u8> Rules for Heap<MISTAKE> {
    type Move = u8;
    type Undo = u8;
    type Stock = Tokens<MISTAKE>;
    type Identity = (u8, NodeKind);

    fn kind(&self) -> NodeKind {
        self.kind
    }
    fn repetition(&self) -> Repetition {
        match MISTAKE {
            RULE if self.left < 5 => Repetition::FavoursDefender,
            _ => Repetition::Never,
        }
    }
    fn terminal(&self) -> Option<Value> {
        None
    }
    fn legal_moves(&self, moves: &mut Vec<u8>) {
        let is_attacker = self.kind == NodeKind::Or;
        if MISTAKE == MORE_HURTS && is_attacker && self.tokens > 1 {
            return;
        }
        if is_attacker && self.tokens > 0 || MISTAKE == NEVER {
            moves.push(PASS);
        }
        moves.extend(1..=self.left.min(3));
        if MISTAKE == LISTED_TWICE && self.left == 2 {
            moves.push(1);
        }
        if MISTAKE == ORDER && ASKED.fetch_add(1, Ordering::Relaxed) % 2 == 1 {
            moves.reverse();
        }
    }
    fn play(&mut self, m: u8) -> u8 {
        let tokens = self.tokens;
        if self.kind == NodeKind::Or {
            match m {
                PASS => self.tokens = self.tokens.saturating_sub(1),
                3 => self.tokens = (self.tokens + 1).min(3),
                _ => {}
            }
        }
        self.left -= m;
        self.kind = self.kind.opponent();
        self.plies += 1;
        tokens
    }
    fn undo(&mut self, m: u8, tokens: u8) {
        self.left += if MISTAKE == UNDO_LEFT && m == 3 { 2 } else { m };
        if MISTAKE != UNDO_KIND {
            self.kind = self.kind.opponent();
        }
        if MISTAKE != UNDO_STOCK {
            self.tokens = tokens;
        }
        self.plies -= 1;
    }
    fn identity(&self) -> (u8, NodeKind) {
        (self.left, if MISTAKE == IDENTITY { NodeKind::Or } else { self.kind })
    }
    fn stock(&self) -> Tokens<MISTAKE> {
        Tokens(self.tokens)
    }
    fn encode_move(m: u8) -> u32 {
        u32::from(if MISTAKE == NUMBER { m / 2 } else { m })
    }
    fn describe_move(&self, m: u8) -> String {
        if m == PASS { "pass".into() } else { format!("take {m}") }
    }
    fn weakened(&self, _: Value, _: &[u8]) -> Option<Self> {
        // With the turn exchanged: worse for nobody in particular.
        (MISTAKE == WEAK).then(|| Heap { kind: self.kind.opponent(), ..self.clone() })
    }
}

impl<const MISTAKE: u8> Problem for Heap<MISTAKE> {
    fn key(&self) -> Key {
        match MISTAKE {
            KEY_SHARED => Key::of(&self.left),
            KEY_OF_PATH => Key::of(&(self.identity(), self.plies)),
            _ => Key::of(&self.identity()),
        }
    }
    fn key_after(&mut self, m: u8) -> (Key, Tokens<MISTAKE>) {
        if MISTAKE == KEY_AFTER && m == 2 {
            return (self.key(), self.stock());
        }
        let undo = self.play(m);
        let answer = (self.key(), self.stock());
        self.undo(m, undo);
        answer
    }
    fn moves(&mut self, list: &mut MoveList<u8>, scratch: &mut Vec<u8>) {
        self.legal_moves(scratch);
        scratch.iter().for_each(|&m| list.push(m));
        if MISTAKE == ILLEGAL {
            list.push(4);
        }
    }
    fn evaluate(&mut self) -> Evaluation<Tokens<MISTAKE>> {
        let (stock, plies, nodes) = (self.stock(), Plies::NONE, 0);
        let lost = self.kind.goal().other();
        let value = if MISTAKE == LIE { lost.other() } else { lost };
        let is_over = self.left == 0 && (self.kind == NodeKind::And || self.tokens == 0);
        match is_over {
            true => Evaluation::Solved { value, stock, plies, nodes },
            false => Evaluation::Open { pn: 1, dn: 1, nodes },
        }
    }
    fn weakening(
        &mut self,
        _: Value,
        _: &andor::Pulse,
    ) -> Result<Option<Vec<u8>>, andor::Interrupted> {
        Ok((MISTAKE == WEAK).then(Vec::new))
    }
}

#[track_caller]
fn names<const MISTAKE: u8>(law: Law) {
    let breach = audit(&Heap::<MISTAKE>::new(), 200).expect_err("a mistake is there");
    assert_eq!(breach.law, law, "{breach}");
}

#[test]
fn a_right_game_passes() {
    let audit = audit(&Heap::<NONE>::new(), 200).unwrap_or_else(|breach| panic!("{breach}"));
    assert_eq!(audit.games, 200);
    assert!(audit.positions > 40 && audit.values > 20, "{audit}");
}

#[test]
fn every_planted_mistake_is_named() {
    names::<UNDO_LEFT>(Law::Undo);
    names::<UNDO_KIND>(Law::Undo);
    names::<UNDO_STOCK>(Law::Undo);
    names::<IDENTITY>(Law::Identity);
    names::<KEY_SHARED>(Law::Key);
    names::<KEY_OF_PATH>(Law::Key);
    names::<KEY_AFTER>(Law::Key);
    names::<NUMBER>(Law::Moves);
    names::<LISTED_TWICE>(Law::Moves);
    names::<ORDER>(Law::Moves);
    names::<ILLEGAL>(Law::Moves);
    names::<NEVER>(Law::Repetition);
    names::<RULE>(Law::Repetition);
    names::<PACK>(Law::Stock);
    names::<JOIN>(Law::Stock);
    names::<MORE_HURTS>(Law::Stock);
    names::<LIE>(Law::Evaluation);
    names::<WEAK>(Law::Weakening);
}

#[test]
fn a_breach_says_where() {
    let breach = audit(&Heap::<PACK>::new(), 200).expect_err("a mistake is there");
    let text = breach.to_string();
    assert!(text.starts_with("the law of stock is broken: Tokens(2)"), "{text}");
    assert!(text.contains(", after take 3"), "{text}");
}
