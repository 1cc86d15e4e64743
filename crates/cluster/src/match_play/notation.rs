//! Games as text that other programs read: PGN for chess, CSA for shogi.

use yomikiri_chess::pgn::{GameResult, Record as Pgn};
use yomikiri_engine::protocol::{PositionText, Start};
use yomikiri_shogi::notation::{self, Ending, Format, Record as Shogi};

use super::record::{GameRecord, Ply, Reason};
use super::referee::Referee;
use crate::{BoardError, Game};

fn replay(game: Game, record: &GameRecord) -> Result<Referee, BoardError> {
    let start = record.start.clone().map_or(Start::Initial, Start::Fen);
    let played = record.plies.iter().map(|ply| ply.text.clone());
    let moves = record.book.iter().cloned().chain(played).collect();
    Referee::new(game, &PositionText { start, moves })
}

/// What an engine said about its move: `+0.35/12 0.105s`.
fn comment(ply: &Ply) -> String {
    let score = ply.score.as_ref().map(|score| match ply.depth {
        Some(depth) => format!("{score}/{depth} "),
        None => format!("{score} "),
    });
    format!("{}{:.3}s", score.unwrap_or_default(), ply.ms as f64 / 1000.0)
}

/// How the game ended, in words.
fn remark(record: &GameRecord) -> String {
    let detail = record.detail.as_ref().map(|detail| format!(": {detail}")).unwrap_or_default();
    match record.winner {
        Some(side) => format!("{} wins, {}{detail}", record.players[side], record.reason),
        None => format!("drawn, {}{detail}", record.reason),
    }
}

/// A game in PGN, or in CSA if it is one of shogi. Fails only if the moves cannot be played.
pub fn write(game: Game, record: &GameRecord, event: &str) -> Result<String, BoardError> {
    Ok(match replay(game, record)? {
        Referee::Chess(game) => pgn(&game, record, event),
        Referee::Shogi(game) => csa(game.start().clone(), game.moves(), record, event),
    })
}

fn pgn(game: &yomikiri_chess::Game, record: &GameRecord, event: &str) -> String {
    let result = match record.winner {
        Some(0) => GameResult::White,
        Some(_) => GameResult::Black,
        None => GameResult::Draw,
    };
    let termination = match record.reason {
        Reason::Time => "time forfeit",
        Reason::IllegalMove => "rules infraction",
        Reason::Crash => "abandoned",
        Reason::Adjudication | Reason::MaxPlies => "adjudication",
        _ => "normal",
    };
    let round = format!("{}.{}", record.pair + 1, record.game + 1);
    let plies = game.moves().len().to_string();
    let [white, black] = &record.players;
    let tags = [
        ("Event", event),
        ("Site", "?"),
        ("Date", &record.date),
        ("Round", &round),
        ("White", white),
        ("Black", black),
        ("PlyCount", &plies),
        ("Termination", termination),
    ];
    let mut pgn = Pgn::of(game, &tags, result);
    let said = pgn.line.plies.iter_mut().skip(record.book.len());
    for (ply, made) in said.zip(&record.plies) {
        ply.comments.push(comment(made));
    }
    let last = match pgn.line.plies.last_mut() {
        Some(ply) => &mut ply.comments,
        None => &mut pgn.line.comments,
    };
    last.push(remark(record));
    format!("{pgn}\n")
}

/// Games in one file are parted by a line with a stroke.
fn csa(
    start: yomikiri_shogi::Position,
    moves: &[yomikiri_shogi::Move],
    record: &GameRecord,
    event: &str,
) -> String {
    // Endings are said of the side to move; a win that was not one's own doing is the other's foul.
    let turn = record.side_of(record.plies.len());
    let ending = match record.reason {
        Reason::Mate | Reason::NoMoves => Ending::Mate,
        Reason::Repetition => Ending::Repetition,
        Reason::PerpetualCheck | Reason::IllegalMove | Reason::Crash => match record.winner {
            Some(side) if side == turn => Ending::FoulWin,
            _ => Ending::FoulLoss,
        },
        Reason::Time => Ending::TimeUp,
        Reason::Declaration => Ending::Declared,
        Reason::MaxPlies => Ending::MaxMoves,
        Reason::Resignation => Ending::Resigned,
        _ if record.winner.is_none() => Ending::Draw,
        _ => Ending::Interrupted,
    };
    let mut shogi = Shogi::from_moves(start, moves.iter().copied(), Some(ending));
    let header = [
        ("先手", record.players[0].as_str()),
        ("後手", record.players[1].as_str()),
        ("棋戦", event),
        ("開始日時", &record.date.replace('.', "/")),
    ];
    shogi.header = header.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let mut at = None;
    for step in 0.. {
        let Some(&node) = shogi.tree.children(at).first() else { break };
        let made = usize::checked_sub(step, record.book.len()).and_then(|at| record.plies.get(at));
        let node_text = shogi.tree.node_mut(node);
        if let Some(made) = made {
            node_text.seconds = Some(u32::try_from(made.ms / 1000).unwrap_or(u32::MAX));
            node_text.comments.push(comment(made));
        } else if step >= record.book.len() {
            node_text.comments.push(remark(record));
        }
        at = Some(node);
    }
    notation::write(&shogi, Format::Csa) + "/\n"
}
