//! Positions and moves of any game, for a board that somebody plays on.
//!
//! The protocol writes moves as programs do: USI, UCI, `d3`, `a4`. [`Rules::describe_move`] gives the same
//! text in every game but chess, where it is SAN; it is translated here.

use andor::{NodeKind, Rules};
use yomikiri_hex::Hex;
use yomikiri_othello::Othello;
use yomikiri_question::diagnostic::Diagnostic;
use yomikiri_question::games::chess::Chess;
use yomikiri_question::games::shogi::{self, Shogi};
use yomikiri_question::games::{self, AnyProblem, played};
use yomikiri_question::lang::{Text, text};
use yomikiri_shogi::Move as Played;
use yomikiri_shogi::notation::{japanese, western};

use crate::contract::{Move, Moves, Position, Record};

/// A position where more can be played is none for a board: its moves are not listed.
const MOST_MOVES: usize = 2048;

/// What a text is: a position in any format, or a record of a game.
pub fn read(
    id: u64,
    text: &str,
    game: Option<&str>,
    goal: Option<&str>,
) -> Result<Position, Diagnostic> {
    let game = match game {
        None => None,
        Some(name) => Some(games::find(name).ok_or_else(|| {
            let known = games::names();
            Diagnostic {
                line: 0,
                column: 0,
                reason: text!(
                    "there is no game `{name}`; known are {known}",
                    "`{name}` というゲームはありません。あるのは {known} です"
                ),
            }
        })?),
    };
    let record = record(text, game)?;
    let goal = goal.map(str::to_owned);
    let (problem, record) = match record {
        Some((record, own)) => {
            let goal = goal.or(own);
            let position = record.positions.get(record.at).map_or("", String::as_str);
            (games::parse(position, game, goal.as_deref())?, Some(record))
        }
        None => (games::parse(text, game, goal.as_deref())?, None),
    };
    let terms = problem.terms();
    Ok(Position {
        id,
        game: problem.game().name,
        text: problem.text(),
        position: terms.position,
        goal: terms.goal,
        question: problem.question().into(),
        turn: terms.to_move.into(),
        note: if problem.is_shogi() { shogi::note(text).map(Into::into) } else { None },
        record,
    })
}

/// The first game of a record, and the goal that it names. Nothing of a text that is none.
fn record(
    text: &str,
    game: Option<&'static games::Game>,
) -> Result<Option<(Record, Option<String>)>, Diagnostic> {
    let Some(game) = played::read(text, game)?.into_iter().next() else { return Ok(None) };
    if game.moves.is_empty() {
        return Ok(None);
    }
    let at = if game.is_solution && !game.is_way { 0 } else { game.positions.len() - 1 };
    let positions = game.positions.into_iter().map(|at| at.text).collect();
    Ok(Some((Record { title: game.title, moves: game.moves, positions, at }, game.goal)))
}

/// The problem after these moves, or the first of them that cannot be played.
pub fn after(problem: &AnyProblem, played: &[String]) -> Result<AnyProblem, Text> {
    let mut problem = problem.clone();
    for (m, own) in played.iter().zip(own_names(&problem, played)) {
        problem = play(&problem, &own).ok_or_else(|| cannot(std::slice::from_ref(m)))?;
    }
    Ok(problem)
}

/// The moves of a line by their names in the game ([`Rules::describe_move`]). In chess they may be given in
/// UCI or in SAN. From the first that cannot be read, they are passed on as they were given.
pub(crate) fn own_names<'a>(
    problem: &AnyProblem,
    line: &'a [String],
) -> impl Iterator<Item = String> + use<'a> {
    let mut position = match problem {
        AnyProblem::Chess(chess) => Some(chess.position.clone()),
        _ => None,
    };
    line.iter().map(move |written| {
        let Some(at) = &mut position else { return written.clone() };
        let Ok(m) = at.parse_san(written) else {
            position = None;
            return written.clone();
        };
        let name = at.san(m);
        at.play(m);
        name
    })
}

/// That this cannot be played.
pub(crate) fn cannot(moves: &[String]) -> Text {
    let moves = moves.join(" ");
    text!("{moves} cannot be played here", "ここで {moves} は指せません")
}

/// That more can be played than is listed.
pub(crate) fn too_many() -> Text {
    text!(
        "more than {MOST_MOVES} moves can be played here: they are not listed",
        "指せる手が{MOST_MOVES}通りを超えるため、表示できません"
    )
}

/// What can be played after these moves.
pub fn moves(id: u64, problem: &AnyProblem, played: &[String]) -> Result<Moves, Text> {
    let problem = after(problem, played)?;
    let moves = legal(&problem).ok_or_else(too_many)?;
    Ok(Moves { id, text: problem.text(), moves, attacks: attacks(&problem) })
}

/// Is it the turn of the side that wants the goal?
fn attacks(problem: &AnyProblem) -> bool {
    fn of<P: Rules>(problem: &P) -> bool {
        problem.kind() == NodeKind::Or
    }
    match problem {
        AnyProblem::Graph(position) => of(position),
        &AnyProblem::Othello(position, goal) => of(&Othello::new(position, goal)),
        AnyProblem::Hex(hex) => of(hex),
        AnyProblem::Chess(chess) => of(&chess.mates()),
        AnyProblem::Shogi(shogi) => of(&shogi.tsume()),
    }
}

/// The move with this name in the game: as the protocol writes it, and its names for people.
pub fn name(problem: &AnyProblem, m: &str) -> Move {
    name_line(problem, std::slice::from_ref(&m.to_owned())).pop().unwrap_or_else(|| plain(m))
}

fn plain(m: &str) -> Move {
    Move { r#move: m.into(), name: m.into() }
}

/// The same for the moves of a line. In shogi, Western and Japanese readers have names of their own.
pub fn name_line(problem: &AnyProblem, line: &[String]) -> Vec<Move> {
    match problem {
        AnyProblem::Chess(chess) => name_chess(chess, line),
        AnyProblem::Shogi(shogi) => name_shogi(shogi, line),
        _ => line.iter().map(|m| plain(m)).collect(),
    }
}

fn name_chess(chess: &Chess, line: &[String]) -> Vec<Move> {
    let mut position = chess.position.clone();
    let named = line.iter().map_while(|name| {
        let m = position.parse_san(name).ok()?;
        let written = position.uci(m);
        position.play(m);
        Some(Move { r#move: written, name: name.as_str().into() })
    });
    named.collect()
}

fn name_shogi(shogi: &Shogi, line: &[String]) -> Vec<Move> {
    let at = &shogi.position;
    let moves: Vec<_> = line.iter().map_while(|m| Played::from_usi(m)).collect();
    let names = western::line_names(at, &moves).into_iter().zip(japanese::line_names(at, &moves));
    let named = line.iter().zip(names).map(|(m, (west, east))| Move {
        r#move: m.clone(),
        name: text!("{west}", "{east}").into(),
    });
    named.collect()
}

/// The moves that can be played, if they are not too many for a board.
pub(crate) fn playable<P: Rules>(problem: &P) -> Option<Vec<P::Move>> {
    let mut moves = Vec::new();
    if problem.terminal().is_none() {
        problem.legal_moves(&mut moves);
    }
    (moves.len() <= MOST_MOVES).then_some(moves)
}

fn legal(problem: &AnyProblem) -> Option<Vec<Move>> {
    fn names<P: Rules>(problem: &P) -> Option<Vec<String>> {
        Some(playable(problem)?.into_iter().map(|m| problem.describe_move(m)).collect())
    }
    let names = match problem {
        AnyProblem::Graph(position) => names(position),
        &AnyProblem::Othello(position, goal) => names(&Othello::new(position, goal)),
        AnyProblem::Hex(hex) => names(hex),
        AnyProblem::Chess(chess) => names(&chess.mates()),
        AnyProblem::Shogi(shogi) => names(&shogi.tsume()),
    };
    Some(names?.iter().map(|m| name(problem, m)).collect())
}

/// The legal move with this name in the game.
pub(crate) fn find<P: Rules>(problem: &P, written: &str) -> Option<P::Move> {
    playable(problem)?.into_iter().find(|&m| problem.describe_move(m) == written)
}

fn played_on<P: Rules + Clone>(problem: &P, written: &str) -> Option<P> {
    let m = find(problem, written)?;
    let mut next = problem.clone();
    next.play(m);
    Some(next)
}

fn play(problem: &AnyProblem, m: &str) -> Option<AnyProblem> {
    Some(match problem {
        AnyProblem::Graph(position) => AnyProblem::Graph(played_on(position, m)?.rooted().start()),
        &AnyProblem::Othello(position, goal) => {
            // The goal is the attacker's, who need not be the one to move after it.
            let next: Othello = played_on(&Othello::new(position, goal), m)?;
            AnyProblem::Othello(next.position(), next.goal())
        }
        AnyProblem::Hex(hex) => AnyProblem::Hex(played_on::<Hex>(hex, m)?),
        AnyProblem::Chess(chess) => {
            let next = played_on(&chess.mates(), m)?;
            let position = next.position().clone();
            AnyProblem::Chess(Box::new(Chess { position, ..**chess }))
        }
        AnyProblem::Shogi(shogi) => {
            let next = played_on(&shogi.tsume(), m)?;
            let position = next.position().clone();
            AnyProblem::Shogi(Box::new(Shogi { position, ..**shogi }))
        }
    })
}
