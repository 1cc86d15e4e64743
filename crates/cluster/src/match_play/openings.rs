//! Where games begin: positions and moves from a file.
//!
//! Chess: PGN, or lines of FEN or EPD. Shogi: lines of SFEN. In both a line may also be what comes
//! after `position` in the protocol, such as `startpos moves …`. Empty lines and those that begin
//! with `#` are skipped.

use std::sync::Arc;

use yomikiri_chess::{FenError, Position as Chess, pgn};
use yomikiri_engine::protocol::{Command, PositionText, Start};

use super::record::Reason;
use super::referee::Referee;
use crate::{BoardError, Game};

/// Openings that can be played. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Openings(Arc<Vec<(PositionText, Referee)>>);

/// Openings that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningsError {
    /// No position, or moves that cannot be played.
    #[error("line {line}: {reason}")]
    Line {
        /// Which one, from 1.
        line: usize,
        /// What is wrong.
        reason: LineError,
    },
    /// A game that cannot be read.
    #[error(transparent)]
    Pgn(#[from] pgn::PgnError),
    /// A game that has ended.
    #[error("game {number} is over already ({reason})")]
    Over {
        /// Which one of the file, from 1.
        number: usize,
        /// How.
        reason: Reason,
    },
    /// Nothing.
    #[error("there are no openings in it")]
    Empty,
}

/// What is wrong with a line of a file of openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// A word that a position should follow.
    #[error("'{0}' has no position after it")]
    NoPosition(String),
    /// No position of chess.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A position that cannot be, or moves that cannot be played.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A game that has ended.
    #[error("the game is over already ({0})")]
    Over(Reason),
}

impl Openings {
    /// Where games usually begin.
    pub fn initial(game: Game) -> Result<Openings, BoardError> {
        let text = PositionText::initial();
        let referee = Referee::new(game, &text)?;
        Ok(Openings(Arc::new(vec![(text, referee)])))
    }

    /// Reads openings.
    pub fn parse(game: Game, text: &str) -> Result<Openings, OpeningsError> {
        let text = text.trim_start_matches('\u{feff}');
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let is_pgn = first.starts_with('[') || first.starts_with("1.");
        let openings = match game {
            Game::Chess | Game::Chess960 if is_pgn => read_pgn(text)?,
            _ => read_lines(game, text)?,
        };
        if openings.is_empty() {
            return Err(OpeningsError::Empty);
        }
        Ok(Openings(Arc::new(openings)))
    }

    /// The same in another order, which depends on the seed alone.
    #[must_use]
    pub fn shuffled(&self, seed: u64) -> Openings {
        let mut openings = self.0.as_ref().clone();
        let mut state = seed;
        for last in (1..openings.len()).rev() {
            let other = split_mix(&mut state) % (last as u64 + 1);
            openings.swap(last, other as usize);
        }
        Openings(Arc::new(openings))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Never.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The opening of a pair of games.
    pub(super) fn get(&self, pair: u64) -> &(PositionText, Referee) {
        &self.0[(pair % self.0.len() as u64) as usize]
    }

    /// What tells these openings, in this order, from others.
    pub fn fingerprint(&self) -> String {
        let lines = self.0.iter().map(|(text, _)| Command::Position(text.clone()));
        let mut hash = 0;
        for byte in lines.flat_map(|line| {
            line.to_line(yomikiri_engine::protocol::Dialect::Uci)
                .into_bytes()
                .into_iter()
                .chain([b'\n'])
        }) {
            let mut state = hash ^ u64::from(byte);
            hash = split_mix(&mut state);
        }
        format!("{} openings, {hash:016x}", self.len())
    }
}

/// A step of the generator SplitMix64 (Steele, Lea and Flood 2014).
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn read_pgn(text: &str) -> Result<Vec<(PositionText, Referee)>, OpeningsError> {
    let mut openings = Vec::new();
    for (at, record) in pgn::read(text).enumerate() {
        let record = record?;
        let mut position = record.start.clone();
        let moves = record.moves().map(|m| {
            let text = position.uci(m);
            position.play(m);
            text
        });
        let moves = moves.collect();
        let is_initial = record.start == Chess::start();
        let start = if is_initial { Start::Initial } else { Start::Fen(record.start.fen()) };
        let referee = Referee::Chess(Box::new(record.game()));
        if let Some(ended) = referee.verdict() {
            return Err(OpeningsError::Over { number: at + 1, reason: ended.reason });
        }
        openings.push((PositionText { start, moves }, referee));
    }
    Ok(openings)
}

fn read_lines(game: Game, text: &str) -> Result<Vec<(PositionText, Referee)>, OpeningsError> {
    let mut openings = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let bad = |reason: LineError| OpeningsError::Line { line: at + 1, reason };
        let mut text = read_line(game, line).map_err(bad)?;
        let referee = Referee::new(game, &text).map_err(|error| bad(error.into()))?;
        if let Some(ended) = referee.verdict() {
            return Err(bad(LineError::Over(ended.reason)));
        }
        text.start = referee.start();
        openings.push((text, referee));
    }
    Ok(openings)
}

fn read_line(game: Game, line: &str) -> Result<PositionText, LineError> {
    let words = line.strip_prefix("position ").unwrap_or(line).trim_start();
    let first = words.split_whitespace().next().unwrap_or_default();
    if matches!(first, "startpos" | "fen" | "sfen") {
        return match Command::parse(&format!("position {words}"), game.dialect()) {
            Command::Position(text) => Ok(text),
            _ => Err(LineError::NoPosition(first.into())),
        };
    }
    let start = match game {
        // An EPD has operations after four fields, where a FEN has two numbers.
        Game::Chess | Game::Chess960 => match Chess::from_fen(words) {
            Ok(position) => position.fen(),
            Err(error) => match Chess::from_epd(words) {
                Ok((position, _)) => position.fen(),
                Err(_) => return Err(error.into()),
            },
        },
        Game::Shogi => match words.split_once(" moves ") {
            Some((sfen, moves)) => {
                let moves = moves.split_whitespace().map(str::to_owned).collect();
                return Ok(PositionText { start: Start::Fen(sfen.into()), moves });
            }
            None => words.into(),
        },
    };
    Ok(PositionText { start: Start::Fen(start), moves: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(openings: &Openings) -> Vec<PositionText> {
        openings.0.iter().map(|(text, _)| text.clone()).collect()
    }

    #[test]
    fn lines_of_many_kinds() {
        let text = "# comment\n\nstartpos moves e2e4 e7e5\nposition startpos\n\
            4k3/8/8/8/8/8/4P3/4K3 w - - 3 9\n4k3/8/8/8/8/8/4P3/4K3 b - - id \"x\"; bm Kd7;\n\
            rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n";
        let openings = Openings::parse(Game::Chess, text).unwrap();
        let openings = texts(&openings);
        assert_eq!(openings.len(), 5);
        assert_eq!(openings[0].moves, ["e2e4", "e7e5"]);
        assert_eq!(openings[2].start, Start::Fen("4k3/8/8/8/8/8/4P3/4K3 w - - 3 9".into()));
        assert!(matches!(&openings[3].start, Start::Fen(fen) if fen.contains(" b ")));
        assert_eq!(openings[4], PositionText::initial());
    }

    #[test]
    fn games_are_openings() {
        let text = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 *\n\n\
            [FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"]\n\n1... Kd7 *\n";
        let openings = texts(&Openings::parse(Game::Chess, text).unwrap());
        assert_eq!(openings[0].moves, ["e2e4", "e7e5", "g1f3"]);
        assert_eq!(openings[1].moves, ["e8d7"]);
        assert!(matches!(openings[1].start, Start::Fen(_)));
    }

    #[test]
    fn shogi_openings() {
        let text = "startpos moves 7g7f 3c3d\nsfen 4k4/9/9/9/9/9/9/9/4K4 b R 1 moves R*5b\n\
            4k4/9/9/9/9/9/9/9/4K4 w r 1\n4k4/9/9/9/9/9/9/9/4K4 b R 1 moves R*4b\n";
        let openings = texts(&Openings::parse(Game::Shogi, text).unwrap());
        assert_eq!(openings.len(), 4);
        assert_eq!(openings[1].moves, ["R*5b"]);
        assert_eq!(openings[3].moves, ["R*4b"]);
    }

    #[test]
    fn faults_have_lines() {
        let error = |text| Openings::parse(Game::Chess, text).unwrap_err();
        assert_eq!(error("# nothing\n"), OpeningsError::Empty);
        assert!(matches!(error("startpos\nnonsense\n"), OpeningsError::Line { line: 2, .. }));
        assert!(matches!(error("startpos moves e2e5"), OpeningsError::Line { line: 1, .. }));
        let over = error("# mate\n7k/5KQ1/8/8/8/8/8/8 b - -");
        assert_eq!(over, OpeningsError::Line { line: 2, reason: LineError::Over(Reason::Mate) });
        assert!(matches!(error("[White \"x\"]\n\n1. e5 *"), OpeningsError::Pgn(_)));
        let fools = error("1. e4 e5 *\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
        assert_eq!(fools, OpeningsError::Over { number: 2, reason: Reason::Mate });
    }

    #[test]
    fn the_order_depends_on_the_seed_alone() {
        let lines: Vec<String> =
            (1..=50).map(|number| format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number}")).collect();
        let openings = Openings::parse(Game::Chess, &lines.join("\n")).unwrap();
        let [one, again, two] = [1, 1, 2].map(|seed| openings.shuffled(seed));
        assert_eq!(one.fingerprint(), again.fingerprint());
        assert_ne!(one.fingerprint(), two.fingerprint());
        assert_ne!(one.fingerprint(), openings.fingerprint());
        for shuffled in [one, two] {
            let all = texts(&openings);
            assert!(texts(&shuffled).iter().all(|text| all.contains(text)));
            assert_eq!(shuffled.len(), 50);
            assert_eq!(shuffled.get(3).0, shuffled.get(53).0);
        }
    }
}
