//! `solve` for records of games: which position is asked about, or all of them one after the other.
//!
//! A position of a game is a problem like any other, so all that is done here is to choose it. With
//! `--every` each one is asked whether the side to move has a mate; where it has, the position after
//! the move that was played is asked whether the mate is still there. Both answers are verdicts of
//! their own, with their own limits and certificates, so a mate that was *missed* is proven to have
//! been there and disproven to be there still.

use std::collections::HashSet;
use std::io::Write;
use std::sync::Arc;

use andor::{Stop, Value, Verdict};
use anyhow::{Result, anyhow, bail};
use serde::Serialize;
use serde_json::json;
use yomikiri_files as files;
use yomikiri_question::games::played::{self, At, Played, State};
use yomikiri_question::games::{Game, parse};
use yomikiri_question::lang::{Text, text};

use super::args::{Args, RecordOptions};
use super::length;
use super::one::{solve, tell_uncertified};
use super::outputs::{self, Places};
use super::report::{CertificateReport, Report};
use crate::batch::{Batch, listed};
use crate::certificate_file::Second;
use crate::columns;
use crate::commands::jobs::Desk;
use crate::commands::{Exit, file_stem};
use crate::folder;
use crate::input::{self, Item, unlike};
use crate::interrupt::stop_on_interrupt;
use crate::json;
use crate::terminal;

/// Reads the games of an item; an error if it has none and an option is only for games.
fn games(
    options: &RecordOptions,
    item: &Item,
    game: Option<&'static Game>,
) -> Result<Vec<Played>, Text> {
    let games = item.read(|text| played::read(text, game))?;
    match options.name() {
        Some(name) if games.is_empty() => {
            let source = &item.source;
            Err(text!(
                "{name} is for records of games (KIF, KI2, CSA, JKF, SFEN with moves, PGN), and {source} is none",
                "{name} は棋譜（KIF・KI2・CSA・JKF・指し手つきの SFEN・PGN）用で、{source} は棋譜ではありません"
            ))
        }
        _ => Ok(games),
    }
}

/// Puts in the place of records the positions that are asked about.
pub fn choose(options: &RecordOptions, items: Vec<Item>, game: Option<&'static Game>) -> Vec<Item> {
    let several = items.len() > 1;
    let mut chosen = Vec::new();
    for item in items {
        let games = match games(options, &item, game) {
            Ok(games) => games,
            Err(reason) => {
                // It is told of when it is its turn.
                chosen.push(Item { unreadable: Some(reason), ..item });
                continue;
            }
        };
        let is_clear = games.iter().all(|game| game.is_way && options.name().is_none());
        if is_clear {
            chosen.push(item);
            continue;
        }
        let count = games.len();
        for (number, game) in (1..).zip(games) {
            let id = match count {
                1 => item.id.clone(),
                _ if several => format!("{}-{number}", item.id),
                _ => number.to_string(),
            };
            let said = |ply: usize| game.record.as_ref().map(|record| Arc::new(record.after(ply)));
            chosen.push(match options.ply(&game) {
                // The record itself says more than the position, and its faults have a place.
                Ok(ply) if ply.at == 0 && count == 1 => {
                    Item { ply: (ply.of > 0).then_some(ply), record: said(0), ..item.clone() }
                }
                Ok(ply) => {
                    let goal = game.goal.as_ref().map_or(String::new(), |g| format!(" goal {g}"));
                    let text = format!("{}{goal}", game.positions[ply.at].text);
                    let source = &item.source;
                    let source = text!("{source}, {ply}", "{source}、{ply}");
                    let (is_named, record) = (item.is_named, said(ply.at));
                    Item { ply: Some(ply), is_named, record, ..Item::new(id, source, text) }
                }
                Err(reason) => {
                    let source = &item.source;
                    let reason = text!("{source}: {reason}", "{source}: {reason}");
                    Item { id, unreadable: Some(reason), ..item.clone() }
                }
            });
        }
    }
    input::distinguish(&mut chosen);
    chosen
}

/// What became of the mate of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Fate {
    /// The move that was played keeps it.
    Kept,
    /// It does not.
    Missed,
    /// It was not found out.
    Unknown,
}

/// What was found of a position of a game.
#[derive(Serialize)]
struct Row {
    id: String,
    /// So many moves were played before.
    ply: usize,
    side: &'static str,
    problem: String,
    /// The move that was played, as programs write it.
    played: Option<String>,
    /// And as people do.
    #[serde(skip)]
    played_name: Option<String>,
    #[serde(skip)]
    state: State,
    /// What the search found.
    #[serde(skip)]
    value: Option<Value>,
    verdict: String,
    reason: Text,
    /// The attacker mates within so many plies.
    length: Option<u16>,
    /// Is that the shortest mate?
    exact: bool,
    /// Its first move.
    first_move: Option<String>,
    /// The mate, as programs write it and as people do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    line: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    japanese: Vec<String>,
    /// What became of the mate.
    fate: Option<Fate>,
    /// The mate that is left after the move that was played, if that keeps it.
    length_after: Option<u16>,
    nodes: u64,
    seconds: f64,
    certificates: Vec<CertificateReport>,
    /// Questions whose certificates Ctrl-C has left out.
    #[serde(skip)]
    uncertified: Vec<String>,
}

impl Row {
    fn new(game: &Played, ply: usize, id: &str) -> Row {
        let At { text, word, state, .. } = &game.positions[ply];
        let (value, verdict, reason) = match state {
            State::Open => (None, "unknown".into(), Text::default()),
            State::Mated => (None, "mated".into(), text!("the game is over", "終局")),
            State::Stalemate => (None, "stalemate".into(), text!("the game is over", "終局")),
            State::Harmless => {
                let value = Value::Disproven;
                let reason = text!("there is nobody to mate", "詰ます相手の玉がない");
                (Some(value), value.to_string(), reason)
            }
        };
        Row {
            id: id.into(),
            ply,
            side: word,
            problem: text.clone(),
            played: game.coded.get(ply).cloned(),
            played_name: game.moves.get(ply).cloned(),
            state: *state,
            value,
            verdict,
            reason,
            length: None,
            exact: false,
            first_move: None,
            line: Vec::new(),
            japanese: Vec::new(),
            fate: None,
            length_after: None,
            nodes: 0,
            seconds: 0.0,
            certificates: Vec::new(),
            uncertified: Vec::new(),
        }
    }

    /// Counts what a question took, and keeps its certificates.
    fn add(&mut self, report: &mut Report) {
        self.nodes += report.nodes;
        self.seconds += report.seconds;
        let certificates = [report.certificate.take(), report.shorter_certificate.take()];
        self.certificates.extend(certificates.into_iter().flatten());
        self.uncertified.extend(report.cut_short.then(|| report.id.clone()));
    }

    /// Was it asked, and is there no answer?
    fn is_unknown(&self) -> bool {
        self.state == State::Open && self.value.is_none()
    }

    fn words(&self) -> Text {
        let plies = |n: u16| if n == 1 { "ply" } else { "plies" };
        let reason = &self.reason;
        let mate = match (self.value, self.length) {
            (Some(Value::Proven), Some(length)) if self.exact => {
                let plies = plies(length);
                text!("mate in {length} {plies}", "{length}手詰")
            }
            (Some(Value::Proven), Some(length)) => {
                let plies = plies(length);
                text!("mate within {length} {plies}", "{length}手以内の詰み")
            }
            (Some(Value::Proven), None) => text!("mate", "詰み"),
            (Some(Value::Disproven), _) => return "–".into(),
            (None, _) if self.state == State::Mated => return text!("is mated", "詰み上がり"),
            (None, _) if self.state == State::Stalemate => {
                return text!("cannot move: stalemate", "指す手がない（ステイルメイト）");
            }
            (None, _) => return text!("unknown ({reason})", "未解決（{reason}）"),
        };
        let first = self.japanese.first().or(self.first_move.as_ref());
        let first = match first {
            Some(first) => text!(" by {first}", "（{first}以下）"),
            None => Text::default(),
        };
        let fate = match (self.fate, self.length_after) {
            (Some(Fate::Kept), Some(0)) => text!("mates", "詰めた"),
            (Some(Fate::Kept), Some(after)) => {
                text!("kept, {after} more", "詰み筋のまま、あと{after}手")
            }
            (Some(Fate::Kept), None) => text!("kept", "詰み筋のまま"),
            (Some(Fate::Missed), _) => text!("MISSED", "詰み逃し"),
            (Some(Fate::Unknown), _) => {
                text!("whether it is kept stays unknown", "指し手のあとの詰みは未解決")
            }
            (None, _) => text!("not played out", "ここで終局"),
        };
        text!("{mate}{first}: {fate}", "{mate}{first}: {fate}")
    }
}

/// The mates of a side.
#[derive(Default, Serialize)]
struct Mates {
    had: usize,
    kept: usize,
    missed: usize,
    /// The longest that was missed, and after which ply it was there.
    longest_missed: Option<(u16, usize)>,
}

/// A game with what it is called.
struct Named {
    game: Played,
    id: String,
    /// For its files.
    stem: String,
}

impl Named {
    /// The names of the files of all of its questions, without their extensions.
    fn stems(&self) -> impl Iterator<Item = String> {
        let questions = |ply| [stem(&self.stem, ply), stem_played(&self.stem, ply)];
        (0..self.game.positions.len()).flat_map(questions)
    }
}

/// What the files of a position are called.
fn stem(game: &str, ply: usize) -> String {
    format!("{game}-{ply:03}")
}

/// And those of the position after the move that was played there.
fn stem_played(game: &str, ply: usize) -> String {
    format!("{}-played", stem(game, ply))
}

/// The games of an item; no two have one id, or one name for their files.
fn named(
    options: &RecordOptions,
    item: &Item,
    game: Option<&'static Game>,
    (ids, stems): &mut (HashSet<String>, HashSet<String>),
) -> Result<Vec<Named>, Text> {
    let games = games(options, item, game)?;
    let count = games.len();
    let name = |(number, game)| {
        let id = if count > 1 { format!("{}-{number}", item.id) } else { item.id.clone() };
        let id = unlike(id, ids);
        let stem = file_stem(&id, stems);
        Named { game, id, stem }
    };
    Ok((1..).zip(games).map(name).collect())
}

/// Asks about every position of every game.
pub fn every(args: &Args, items: &[Item], game: Option<&'static Game>) -> Result<Exit> {
    if args.goal.as_deref().is_some_and(|goal| goal.contains(':')) {
        bail!(text!(
            "--every asks for mates of the side to move: leave the side out of --goal",
            "--every は手番側の詰みを調べます。--goal に先後を書かないでください"
        ));
    }
    let mut names = (HashSet::new(), HashSet::new());
    let read: Vec<Result<Vec<Named>, Text>> =
        items.iter().map(|item| named(&args.record, item, game, &mut names)).collect();
    let stems: Vec<String> = read.iter().flatten().flatten().flat_map(Named::stems).collect();
    folder::check(outputs::in_folders(args, stems.iter().map(String::as_str)), args.force)?;
    let stop = stop_on_interrupt()?;
    let mut exit = Exit::Done;
    for (item, games) in items.iter().zip(read) {
        let games = match games {
            Ok(games) => games,
            Err(reason) => {
                terminal::complain(&reason);
                if args.json && items.len() > 1 {
                    json::error(&mut files::report(), item, &reason)?;
                }
                exit = Exit::Bad;
                continue;
            }
        };
        for Named { game, id, stem } in &games {
            if stop.is_raised() {
                return Ok(exit.max(Exit::Unknown));
            }
            exit = exit.max(whole_game(args, game, (id, stem), &stop)?);
        }
    }
    Ok(exit)
}

fn whole_game(args: &Args, game: &Played, id: (&str, &str), stop: &Stop) -> Result<Exit> {
    let (id, stem) = id;
    let mut out = files::report();
    if !args.json {
        let comma = if game.title.is_empty() { "" } else { ", " };
        let (title, moves) = (terminal::plain(&game.title), game.moves.len());
        let head = text!("{title}{comma}{moves} moves", "{title}{comma}全{moves}手");
        writeln!(out, "{id}: {head}")?;
        let columns = text!(
            "  move  played           mate of the side to move",
            "  手数  指し手           手番側の詰み"
        );
        writeln!(out, "{columns}")?;
    }
    let mut sides: Vec<(&'static str, &Text, Mates)> = Vec::new();
    let (mut unknown, mut nodes, mut seconds, mut asked) = (0, 0, 0.0, 0);
    let plies: Vec<usize> = (0..game.positions.len()).collect();
    let mut left_out = Vec::new();
    let share = args.jobs.share(plies.len(), args.problem_threads()?, args.hash)?;
    let own = args.of_job(share);
    let work = |desk: &mut Desk, &ply: &usize| ask(&own, desk, game, ply, (id, stem), stop);
    let deliver = |&ply: &usize, row: Result<Row>| -> Result<()> {
        let row = row?;
        for name in &row.uncertified {
            tell_uncertified(name);
        }
        if stop.is_raised() && row.is_unknown() {
            left_out.push(ply);
            return Ok(());
        }
        asked += 1;
        nodes += row.nodes;
        seconds += row.seconds;
        unknown += usize::from(row.is_unknown() || row.fate == Some(Fate::Unknown));
        let At { side, word, .. } = &game.positions[ply];
        let word = *word;
        if !sides.iter().any(|(known, ..)| *known == word) {
            sides.push((word, side, Mates::default()));
        }
        if let Some((_, _, mates)) = sides.iter_mut().find(|(known, ..)| *known == word) {
            mates.had += usize::from(row.value == Some(Value::Proven));
            mates.kept += usize::from(row.fate == Some(Fate::Kept));
            mates.missed += usize::from(row.fate == Some(Fate::Missed));
            if row.fate == Some(Fate::Missed) {
                let this = row.length.map(|length| (length, ply));
                mates.longest_missed = mates.longest_missed.max(this);
            }
        }
        if args.json {
            json::line(&mut out, "solve-position", &row)?;
        } else if !args.quiet || row.value != Some(Value::Disproven) {
            let played = match (&row.played_name, &game.ending) {
                (Some(played), _) => terminal::plain(played),
                (None, Some(ending)) => format!("({})", terminal::plain(&ending.to_string())),
                (None, None) => text!("(the end)", "（終わり）").to_string(),
            };
            writeln!(out, "  {:>4}  {} {}", ply + 1, columns::pad(&played, 16), row.words())?;
        }
        Ok(())
    };
    let batch = Batch { jobs: share.jobs, stop, quiet: args.quiet };
    let name = |ply: &usize| (ply + 1).to_string();
    let begun = batch.run(&plies, name, Desk::default, work, deliver)?;
    left_out.extend(begun..plies.len());
    if !left_out.is_empty() {
        let numbers: Vec<String> = left_out.iter().map(|ply| (ply + 1).to_string()).collect();
        let numbers = listed(&numbers.iter().map(String::as_str).collect::<Vec<_>>());
        terminal::stopped(&text!(
            "{id}: the positions before these moves were not asked about: {numbers}",
            "{id}: 次の手の前の局面は調べていません: {numbers}手目"
        ));
    }
    if args.json {
        let sides: serde_json::Map<_, _> =
            sides.iter().map(|(word, _, mates)| (word.to_string(), json!(mates))).collect();
        let summary = json!({
            "id": id, "title": game.title, "moves": game.moves.len(), "ending": game.ending,
            "positions": asked, "unknown": unknown, "mates": sides, "nodes": nodes,
            "seconds": seconds,
        });
        json::line(&mut out, "solve-game", &summary)?;
    } else {
        for (_, side, mates) in &sides {
            let Mates { had, kept, missed, longest_missed } = mates;
            let times = if *had == 1 { "once".into() } else { format!("{had} times") };
            let longest = match longest_missed {
                Some((length, ply)) => {
                    let number = ply + 1;
                    text!(
                        "; the longest one missed: {length} plies, at move {number}",
                        "。最長の詰み逃しは{number}手目の{length}手"
                    )
                }
                None => Text::default(),
            };
            let mates = match had {
                0 => text!("{side} had no mate", "{side}に詰みはありませんでした"),
                _ => text!(
                    "{side} had a mate {times}: kept {kept}, missed {missed}{longest}",
                    "{side}の詰み{had}回: 続けた {kept}、逃した {missed}{longest}"
                ),
            };
            writeln!(out, "  {mates}")?;
        }
        let sum = text!(
            "{asked} positions, {unknown} unknown; {nodes} nodes in {seconds:.3} s",
            "{asked}局面、うち未解決 {unknown}。{nodes}ノード（{seconds:.3}秒）"
        );
        writeln!(out, "  {sum}")?;
    }
    let is_whole = asked == game.positions.len() && unknown == 0;
    Ok(if is_whole { Exit::Done } else { Exit::Unknown })
}

/// Asks about one position, and if there is a mate about the position after the move played.
fn ask(
    args: &Args,
    desk: &mut Desk,
    game: &Played,
    ply: usize,
    id: (&str, &str),
    stop: &Stop,
) -> Result<Row> {
    let mut row = Row::new(game, ply, id.0);
    let at = &game.positions[ply];
    if at.state != State::Open {
        return Ok(row);
    }
    let mut question = |ply: usize, name: String| -> Result<Report> {
        let wanted = game.goal.clone().or(args.goal()).unwrap_or("mate".into());
        if wanted.contains(':') {
            bail!(text!(
                "--every asks for mates of the side to move: leave the side out of the goal",
                "--every は手番側の詰みを調べます。目的に先後を書かないでください"
            ));
        }
        let wanted = format!("{wanted}:{}", at.word);
        let text = &game.positions[ply].text;
        let problem = parse(text, None, Some(&wanted))
            .map_err(|fault| anyhow!(Text::new(|_| format!("{text}: {}", fault.reason))))?;
        let certificate = args.certificate.as_ref().map(|folder| folder.join(name + ".cert"));
        let second = length::is_wanted(args, &problem).then_some(Second::Shorter);
        let certificate = (certificate.as_deref(), second);
        let places = Places::new(args, &problem, true, certificate, None)?;
        let (id, number) = (id.0, ply + 1);
        let name = text!("{id} move {number}", "{id} {number}手目").to_string();
        let item = Item::new(name, text!("the record", "棋譜"), text);
        solve(args, desk, (&item, &problem), places, stop, || Ok(()), false)
    };
    let mut report = question(ply, stem(id.1, ply))?;
    row.value = report.verdict.value();
    (row.verdict, row.reason) = (report.verdict.to_string(), report.reason.clone());
    row.first_move = report.first_move.take();
    row.length = report.plies.filter(|_| row.value == Some(Value::Proven));
    row.exact = report.exact == Some(true);
    if let Some(mate) = &report.mate {
        let (length, exact) = mate.length();
        (row.length, row.exact) = (Some(length), exact);
        (row.line, row.japanese) = (mate.shown().to_vec(), mate.names().to_vec());
    }
    row.add(&mut report);
    if row.value != Some(Value::Proven) {
        return Ok(row);
    }
    let Some(next) = game.positions.get(ply + 1) else {
        row.fate = game.is_given_up.then_some(Fate::Missed);
        return Ok(row);
    };
    (row.fate, row.length_after) = match next.state {
        State::Mated => (Some(Fate::Kept), Some(0)),
        State::Stalemate => (Some(Fate::Missed), None),
        State::Open | State::Harmless => {
            let mut report = question(ply + 1, stem_played(id.1, ply))?;
            row.add(&mut report);
            let fate = match report.verdict {
                Verdict::Proven => Fate::Kept,
                Verdict::Disproven => Fate::Missed,
                Verdict::Unknown(_) => Fate::Unknown,
            };
            let length = report.mate.as_ref().map(|mate| mate.length().0).or(report.plies);
            (Some(fate), length.filter(|_| fate == Fate::Kept))
        }
    };
    Ok(row)
}
