//! A game that was played.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Mate.
    Mate,
    /// The side to move has no move and is not in check: in shogi it loses.
    NoMoves,
    /// The side to move has no move and is not in check: in chess a draw.
    Stalemate,
    /// The position came back too often.
    Repetition,
    /// It came back with check every time, and who gave check loses.
    PerpetualCheck,
    /// Fifty moves without a capture or a move of a pawn.
    FiftyMoves,
    /// Neither side can mate.
    InsufficientMaterial,
    /// The loser resigned.
    Resignation,
    /// The winner declared to have won by points.
    Declaration,
    /// The loser was late.
    Time,
    /// The loser played an illegal move, or none.
    IllegalMove,
    /// The loser's engine died or hung.
    Crash,
    /// Both engines agreed on how it stood.
    Adjudication,
    /// The game was too long.
    MaxPlies,
}

impl Reason {
    /// Is the loser's engine at fault, rather than its play?
    pub fn is_fault(self) -> bool {
        matches!(self, Reason::Time | Reason::IllegalMove | Reason::Crash)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Mate => "mate",
            Reason::NoMoves => "no legal move",
            Reason::Stalemate => "stalemate",
            Reason::Repetition => "repetition",
            Reason::PerpetualCheck => "perpetual check",
            Reason::FiftyMoves => "fifty-move rule",
            Reason::InsufficientMaterial => "insufficient material",
            Reason::Resignation => "resignation",
            Reason::Declaration => "declared win",
            Reason::Time => "time forfeit",
            Reason::IllegalMove => "illegal move",
            Reason::Crash => "crash",
            Reason::Adjudication => "adjudication",
            Reason::MaxPlies => "length",
        })
    }
}

/// How a game has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The side that won: 0 for the one that begins a game.
    pub winner: Option<usize>,
    /// Why.
    pub reason: Reason,
    /// More about it.
    pub detail: Option<String>,
}

impl Ended {
    /// Won by a side.
    pub fn won(winner: usize, reason: Reason) -> Ended {
        Ended { winner: Some(winner), reason, detail: None }
    }

    /// Won by nobody.
    pub fn drawn(reason: Reason) -> Ended {
        Ended { winner: None, reason, detail: None }
    }
}

/// A move that an engine played, with what it said about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ply {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// What it took, in milliseconds.
    pub ms: u64,
    /// What the engine thought of its position: pawns, or `+M3` for a mate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// How deep it looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// What it searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// A game of a match, as it is written to the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Which pair of games, from 0.
    pub pair: u64,
    /// Which of its two games: in game 0 the first engine begins, in game 1 the second one.
    pub game: u8,
    /// The engines, the one that plays White (in shogi Black) first.
    pub players: [String; 2],
    /// What they call themselves.
    pub engines: [String; 2],
    /// The day, as `2026.01.31`.
    pub date: String,
    /// Where it began: a FEN or an SFEN; without one, where games begin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The moves of the opening.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub book: Vec<String>,
    /// Whose turn it was after the opening: 0 for the side that begins a game.
    pub turn: usize,
    /// The side that won; nothing for a draw.
    pub winner: Option<usize>,
    /// Why it ended.
    pub reason: Reason,
    /// More about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// What was played after the opening.
    pub plies: Vec<Ply>,
}

impl GameRecord {
    /// The engine (0 or 1 of its pairing) that plays this side.
    pub fn engine_of(&self, side: usize) -> usize {
        side ^ usize::from(self.game & 1)
    }

    /// The side that made this ply, counted from 0 after the opening.
    pub fn side_of(&self, ply: usize) -> usize {
        (self.turn + ply) % 2
    }

    /// The result as PGN has it.
    pub fn result(&self) -> &'static str {
        match self.winner {
            Some(0) => "1-0",
            Some(_) => "0-1",
            None => "1/2-1/2",
        }
    }
}

/// Today in UTC, as `2026.01.31`.
pub(super) fn today() -> String {
    let now = std::time::SystemTime::now();
    let since = now.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let (year, month, day) = civil(since.as_secs() / 86_400);
    format!("{year:04}.{month:02}.{day:02}")
}

/// The date so many days after the first of January 1970.
fn civil(mut days: u64) -> (u64, u64, u64) {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= lengths[month] {
        days -= lengths[month];
        month += 1;
    }
    (year, month as u64 + 1, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(20_453), (2025, 12, 31));
    }
}
