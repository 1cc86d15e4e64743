//! What a game is, for people and for the parser.

use crate::diagnostic::Diagnostic;
use crate::lang::{Text, text};

/// A game, for people and for the parser.
pub struct Game {
    /// Its name on the command line and in certificates.
    pub name: &'static str,
    /// What it is called in Japanese.
    pub japanese: &'static str,
    /// What it is.
    pub what: &'static str,
    /// How a position is written.
    pub form: &'static str,
    /// The goals and what they ask; the first is the default.
    pub goals: &'static [(&'static str, &'static str)],
    /// A problem to try.
    pub example: &'static str,
    /// Which it is.
    pub(super) kind: Kind,
    /// Does this text look like a position of the game, right or wrong?
    pub(super) recognise: fn(&str) -> bool,
}

impl Game {
    /// What people call it.
    pub fn title(&self) -> Text {
        let Game { name, japanese, .. } = self;
        text!("{name}", "{japanese}")
    }
}

/// What is wrong with the position or with the goal.
pub enum ParseError {
    /// In the position.
    Position(Diagnostic),
    /// In the goal, at this character of it.
    Goal(usize, Text),
}

impl From<Diagnostic> for ParseError {
    fn from(diagnostic: Diagnostic) -> Self {
        ParseError::Position(diagnostic)
    }
}

/// All that a question is about, part by part.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Terms {
    /// The position alone.
    pub position: String,
    /// Who is to move in it.
    pub to_move: Text,
    /// Whose goal it is.
    pub attacker: Text,
    /// The goal, as it is written.
    pub goal: String,
    /// What the attacker wants.
    pub wants: Text,
    /// Whom a repeated position favours, and what else is to be known.
    pub rule: Text,
}

/// An error message of a game crate without the place it begins with, for that is shown by a caret.
pub fn without_place(message: &str) -> String {
    match message.split_once(": ") {
        Some((place, reason)) if place.starts_with("byte ") || place.starts_with("character ") => {
            reason.into()
        }
        _ => message.into(),
    }
}

/// The games, one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Graph,
    Othello,
    Hex,
    Chess,
    Shogi,
}
