//! Problems as a page: one HTML file that needs nothing else, for screens of any width and for paper.
//!
//! Each problem has its diagram, then its solution and the variations (変化), which begin on a new
//! sheet when they are printed. The page is in Japanese, as the notation is. It is XML as well, so
//! that other programs can take it apart.

use std::time::Duration;

use andor::{Reason, Stop, Table, Verdict};
use anyhow::Result;
use yomikiri_files::escaped;
use yomikiri_question::games::shogi::Shogi;
use yomikiri_shogi::notation::{hands, japanese};
use yomikiri_shogi::{Hand, Move, Position, Square};
use yomikiri_tsume::{Branch, Length, Mate, MateLimits, Solution, VariationLimits, variations};

const STYLE: &str = "\
body { margin: 0 auto; max-width: 42rem; padding: 0 1rem; color: #000; background: #fff;
  font-family: 'Noto Serif CJK JP', 'Noto Serif JP', 'Yu Mincho', YuMincho, 'Hiragino Mincho ProN', IPAexMincho, serif; line-height: 1.7; }
svg { display: block; width: 100%; max-width: 518px; height: auto; margin: 0 auto; }
dl { display: grid; grid-template-columns: max-content auto; gap: 0 1rem; margin: 0; }
dd { margin: 0; }
ol, ul { list-style: none; padding: 0; }
ol.moves { display: flex; flex-wrap: wrap; gap: 0 1rem; margin: 0; }
.number { color: #555; font-size: 0.8em; margin-right: 0.3em; }
.variations li { margin-bottom: 0.4rem; }
.move { white-space: nowrap; }
.sfen { color: #555; font-family: monospace; font-size: 0.8rem; overflow-wrap: anywhere; }
@page { margin: 15mm; }
@media print {
  body { max-width: none; padding: 0; }
  article { break-before: page; }
  article:first-of-type { break-before: auto; }
  .solution { break-before: page; }
  .variations li { break-inside: avoid; }
}
";

/// A problem on the page.
pub struct Problem {
    /// Its title, or what else it is called.
    pub title: String,
    /// What the record says of it beside that.
    pub header: Vec<(String, String)>,
    /// The diagram as SVG.
    pub diagram: String,
    /// The position as SFEN.
    pub sfen: String,
    /// The solution as HTML.
    pub solution: String,
}

/// The page.
pub fn page(problems: &[Problem]) -> String {
    let title = match problems {
        [one] => escaped(&one.title),
        many => format!("詰将棋 {}題", many.len()),
    };
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"ja\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n\
         <meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    );
    for problem in problems {
        text += "<article>\n";
        text += &format!("<h1>{}</h1>\n", escaped(&problem.title));
        if !problem.header.is_empty() {
            text += "<dl>\n";
            for (name, value) in &problem.header {
                text += &format!("<dt>{}</dt><dd>{}</dd>\n", escaped(name), escaped(value));
            }
            text += "</dl>\n";
        }
        text += &problem.diagram;
        text += &format!("<p class=\"sfen\">{}</p>\n", escaped(&problem.sfen));
        text +=
            &format!("<section class=\"solution\">\n{}</section>\n</article>\n", problem.solution);
    }
    text + "</body>\n</html>\n"
}

/// Solves a problem in a table of so many bytes, and writes the solution as HTML.
pub fn solution(shogi: &Shogi, hash: usize, time: Duration, stop: &Stop) -> Result<String> {
    let table = Table::new(hash)?;
    let mate = Mate::new(&table);
    let limits = MateLimits {
        time: Some(time),
        stop: stop.clone(),
        length: Length::Shortest,
        ..MateLimits::default()
    };
    let problem = shogi.tsume();
    let answer = mate.solve(&problem, &limits);
    let Some(found) = &answer.solution else {
        let words = match answer.outcome.verdict {
            Verdict::Disproven => "詰みはない。".into(),
            Verdict::Unknown(Reason::Stopped) => "探索は中断された。".into(),
            _ => format!("{}秒では解けなかった。", time.as_secs_f64()),
        };
        return Ok(format!("<h2>解答</h2>\n<p>{words}</p>\n"));
    };
    let limits =
        VariationLimits { time: Some(time), stop: stop.clone(), ..VariationLimits::default() };
    let branches = match found.complete {
        true => variations(&mate, &problem, found.shown_line(), &limits).branches,
        false => Vec::new(),
    };
    Ok(written(&shogi.position, found, &branches))
}

/// A solution with its variations.
fn written(position: &Position, found: &Solution, branches: &[Branch]) -> String {
    let length = found.shown_length();
    let heading = match found.exact {
        true => format!("解答（{length}手詰）"),
        false => format!("解答（{length}手以内の詰み）"),
    };
    let line = found.shown_line();
    let mut text = format!("<h2>{heading}</h2>\n<ol class=\"moves\">\n");
    for (ply, name) in (1..).zip(names(position, None, line)) {
        text += &format!("<li><span class=\"number\">{ply}</span>{name}</li>\n");
    }
    text += "</ol>\n";
    text += &format!("<p>{}</p>\n", ending(line.len(), found.complete, found.shown_left_over()));
    if !branches.is_empty() {
        text += "<h2>変化</h2>\n<ul class=\"variations\">\n";
        for branch in branches {
            text += &format!("<li>{}</li>\n", variation(position, line, branch));
        }
        text += "</ul>\n";
    }
    text
}

/// A variation: the number of the move that is replaced, and the moves.
pub fn variation(position: &Position, line: &[Move], branch: &Branch) -> String {
    let mut at = position.clone();
    let before = &line[..branch.ply.min(line.len())];
    for &m in before {
        at.play(m);
    }
    let names = names(&at, before.last().map(|m| m.to()), &branch.line);
    let mut text = format!("<span class=\"number\">{}手目</span>{}", branch.ply + 1, moves(&names));
    if !branch.others.is_empty() {
        let kinds: String =
            branch.others.iter().filter_map(|m| m.dropped()).map(japanese::kind_name).collect();
        text += &format!("（{kinds}合も同様）");
    }
    let length = branch.ply + branch.line.len();
    text + " " + &ending(length, branch.complete, branch.left_over)
}

/// Moves one after the other; a line is not broken within one.
pub fn moves(names: &[String]) -> String {
    let one = |name: &String| format!("<span class=\"move\">{name}</span>");
    names.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// How a line ends.
fn ending(length: usize, is_complete: bool, left_over: Hand) -> String {
    match (is_complete, left_over.is_empty()) {
        (false, _) => "…".into(),
        (true, true) => format!("まで{length}手詰"),
        (true, false) => format!("まで{length}手詰（駒余り：{}）", hands::hand_name(left_over)),
    }
}

/// The names of moves, of which the first may follow another one.
pub fn names(position: &Position, last: Option<Square>, line: &[Move]) -> Vec<String> {
    let (mut at, mut last) = (position.clone(), last);
    let name = |&m: &Move| {
        let name = japanese::move_name(&at, m, last);
        at.play(m);
        last = Some(m.to());
        name
    };
    line.iter().map(name).collect()
}
