//! The two protocols, and the words in which they differ.

use std::fmt;

/// Which of the two protocols is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// Chess.
    Uci,
    /// Shogi.
    Usi,
}

impl Dialect {
    /// `uci` or `usi`: the name, and the word with which a dialogue begins.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Uci => "uci",
            Dialect::Usi => "usi",
        }
    }

    /// `uciok` or `usiok`.
    pub fn handshake_ok(self) -> &'static str {
        match self {
            Dialect::Uci => "uciok",
            Dialect::Usi => "usiok",
        }
    }

    /// `ucinewgame` or `usinewgame`.
    pub(super) fn new_game(self) -> &'static str {
        match self {
            Dialect::Uci => "ucinewgame",
            Dialect::Usi => "usinewgame",
        }
    }

    /// The letters of the side that moves first and of the other, in `wtime` and `btime`.
    pub(super) fn sides(self) -> [char; 2] {
        match self {
            Dialect::Uci => ['w', 'b'],
            Dialect::Usi => ['b', 'w'],
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
