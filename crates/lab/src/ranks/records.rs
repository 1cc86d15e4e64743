//! Records of games, as engines want them: a start and moves as text.

use std::path::{Path, PathBuf};

use yomikiri_chess::{Position as Chess, pgn};
use yomikiri_cluster::Game;
use yomikiri_engine::protocol::{PositionText, Start};
use yomikiri_shogi::Position as Shogi;
use yomikiri_shogi::notation;

use crate::error::{Error, Result};

/// The games of some files, all of chess or all of shogi. Variations are left out.
#[derive(Clone, Debug)]
pub struct Records {
    game: Game,
    played: Vec<Played>,
}

/// One game.
#[derive(Clone, Debug)]
struct Played {
    start: Start,
    moves: Vec<String>,
}

/// A position of a game in which a move was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// Which game, from 0.
    pub game: usize,
    /// How many moves were played before, from 0.
    pub ply: usize,
}

impl Records {
    /// Reads files. PGN is chess and may hold many games a file; KIF, KI2, CSA, JKF and SFEN are
    /// shogi. Which of them it is, the name's ending tells, or else the text, unless it is given.
    pub fn read(files: &[PathBuf], game: Option<Game>) -> Result<Records> {
        let mut found: Option<Game> = game;
        let mut played = Vec::new();
        for path in files {
            let bytes = yomikiri_files::read(path)?;
            let game = game.unwrap_or_else(|| recognise(path, &bytes));
            if *found.get_or_insert(game) != game {
                let reason = "not of the same game as the files before it".into();
                return Err(bad(path, 1, reason));
            }
            match game {
                Game::Chess | Game::Chess960 => read_pgn(path, &bytes, &mut played)?,
                Game::Shogi => played.push(read_shogi(path, &bytes)?),
            }
        }
        let moves: usize = played.iter().map(|game| game.moves.len()).sum();
        match found {
            Some(game) if moves > 0 => Ok(Records { game, played }),
            _ => Err(Error::BadOption("there are no moves in the records".into())),
        }
    }

    /// Chess or shogi.
    pub fn game(&self) -> Game {
        self.game
    }

    /// How many games.
    pub fn games(&self) -> usize {
        self.played.len()
    }

    /// All positions in which a move was played.
    pub(super) fn places(&self) -> impl Iterator<Item = Place> {
        let plies = self.played.iter().map(|played| played.moves.len());
        plies.enumerate().flat_map(|(game, plies)| (0..plies).map(move |ply| Place { game, ply }))
    }

    /// A position, with the game that led to it.
    pub(super) fn position(&self, place: Place) -> PositionText {
        let Played { start, moves } = &self.played[place.game];
        PositionText { start: start.clone(), moves: moves[..place.ply].to_vec() }
    }

    /// The move that was played there; none if there is no such place.
    pub(super) fn played(&self, place: Place) -> Option<&str> {
        self.played.get(place.game)?.moves.get(place.ply).map(String::as_str)
    }

    /// A number that other games would not have (FNV-1a of their text).
    pub(super) fn fingerprint(&self) -> u64 {
        let text: String = self.played.iter().map(|game| format!("{game:?}")).collect();
        text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }
}

/// What a file is, by its name or else by its first word.
fn recognise(path: &Path, bytes: &[u8]) -> Game {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match ending.to_ascii_lowercase().as_str() {
        "pgn" => return Game::Chess,
        "kif" | "kifu" | "ki2" | "ki2u" | "csa" | "jkf" | "sfen" | "usi" => return Game::Shogi,
        _ => {}
    }
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let is_chess = text.starts_with('[') || text.starts_with("1.");
    if is_chess { Game::Chess } else { Game::Shogi }
}

fn bad(path: &Path, line: usize, reason: String) -> Error {
    Error::BadProblem { set: path.display().to_string(), line, reason }
}

fn read_pgn(path: &Path, bytes: &[u8], played: &mut Vec<Played>) -> Result<()> {
    // Only names and comments are in other encodings.
    let text = String::from_utf8_lossy(bytes);
    for record in pgn::read(&text) {
        let record = record.map_err(|error| {
            bad(path, error.line, format!("game {}: {}", error.game, error.reason))
        })?;
        let start = match record.start == Chess::start() {
            true => Start::Initial,
            false => Start::Fen(record.start.fen()),
        };
        let mut position = record.start.clone();
        let moves = record.moves().map(|m| {
            let text = position.uci(m);
            position.play(m);
            text
        });
        played.push(Played { start, moves: moves.collect() });
    }
    Ok(())
}

fn read_shogi(path: &Path, bytes: &[u8]) -> Result<Played> {
    let record = notation::read(bytes).map_err(|error| {
        bad(path, error.line + 1, format!("column {}: {}", error.column + 1, error.reason))
    })?;
    let (sfen, initial) = (record.position.to_string(), Shogi::start().to_string());
    let start = if sfen == initial { Start::Initial } else { Start::Fen(sfen) };
    Ok(Played { start, moves: record.main_line().iter().map(ToString::to_string).collect() })
}
