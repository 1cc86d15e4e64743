//! Problems as a page: one HTML file that needs nothing else, for screens of any width and for paper.
//!
//! Each problem has its diagram, then its solution and the variations (変化), which begin on a new
//! sheet when they are printed. All of it is in the language that is spoken, the names of moves too.
//! It is XML as well, so that other programs can take it apart.

use std::time::Duration;

use andor::{Reason, Stop, Table, Verdict};
use anyhow::Result;
use yomikiri_files::escaped;
use yomikiri_question::games::shogi::Shogi;
use yomikiri_question::lang::{Lang, Text, text};
use yomikiri_question::written;
use yomikiri_shogi::{Hand, Move, Position};
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
        many => {
            let count = many.len();
            text!("Tsume-shogi, {count} problems", "詰将棋 {count}題").to_string()
        }
    };
    let lang = lang();
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"{lang}\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n\
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
                let name = said_name(name).to_string();
                text += &format!("<dt>{}</dt><dd>{}</dd>\n", escaped(&name), escaped(value));
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
        let seconds = time.as_secs_f64();
        let words = match answer.outcome.verdict {
            Verdict::Disproven => text!("There is no mate.", "詰みはない。"),
            Verdict::Unknown(Reason::Stopped) => {
                text!("The search was stopped.", "探索は中断された。")
            }
            _ => text!("Not solved within {seconds} s.", "{seconds}秒では解けなかった。"),
        };
        let heading = text!("Solution", "解答");
        return Ok(format!("<h2>{heading}</h2>\n<p>{words}</p>\n"));
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
    let plies = plies(length.into());
    let heading = match found.exact {
        true => text!("Solution: mate in {length} {plies}", "解答（{length}手詰）"),
        false => text!("Solution: mate within {length} {plies}", "解答（{length}手以内の詰み）"),
    };
    let line = found.shown_line();
    let mut text = format!("<h2>{heading}</h2>\n<ol class=\"moves\">\n");
    for (ply, name) in (1..).zip(written::line_names(position, None, line)) {
        text += &format!("<li><span class=\"number\">{ply}</span>{name}</li>\n");
    }
    text += "</ol>\n";
    text += &format!("<p>{}</p>\n", ending(line.len(), found.complete, found.shown_left_over()));
    if !branches.is_empty() {
        let heading = text!("Variations", "変化");
        text += &format!("<h2>{heading}</h2>\n<ul class=\"variations\">\n");
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
    let names = written::line_names(&at, before.last().map(|m| m.to()), &branch.line);
    let number = branch.ply + 1;
    let number = text!("{number}", "{number}手目");
    let mut text = format!("<span class=\"number\">{number}</span>{}", moves(&names));
    if !branch.others.is_empty() {
        let kinds: Vec<Text> =
            branch.others.iter().filter_map(|m| m.dropped()).map(written::kind).collect();
        let (list, row) = (Text::joined(&kinds, ", "), Text::joined(&kinds, ""));
        let others = text!(" (the same if {list} is dropped there)", "（{row}合も同様）");
        text += &others.to_string();
    }
    let length = branch.ply + branch.line.len();
    format!("{text} {}", ending(length, branch.complete, branch.left_over))
}

/// Moves one after the other; a line is not broken within one.
pub fn moves(names: &[Text]) -> String {
    let one = |name: &Text| format!("<span class=\"move\">{name}</span>");
    names.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// How a line ends.
fn ending(length: usize, is_complete: bool, left_over: Hand) -> Text {
    let (hand, plies) = (written::hand(left_over), plies(length));
    match (is_complete, left_over.is_empty()) {
        (false, _) => "…".into(),
        (true, true) => text!("mate in {length} {plies}", "まで{length}手詰"),
        (true, false) => text!(
            "mate in {length} {plies} (left over: {hand})",
            "まで{length}手詰（駒余り：{hand}）"
        ),
    }
}

/// The English word after a number of plies.
pub fn plies(length: usize) -> &'static str {
    if length == 1 { "ply" } else { "plies" }
}

/// The language that is spoken, as HTML calls it.
pub fn lang() -> &'static str {
    match Lang::current() {
        Lang::Ja => "ja",
        Lang::En => "en",
    }
}

/// What a record calls a part of its header, in Japanese, and what that is in English.
const NAMES: [(&str, &str); 18] = [
    ("作品名", "title"),
    ("表題", "title"),
    ("作者", "author"),
    ("発表誌", "published in"),
    ("発表年月", "published"),
    ("発表日", "published"),
    ("出典", "source"),
    ("備考", "remarks"),
    ("棋戦", "event"),
    ("場所", "place"),
    ("開始日時", "began"),
    ("終了日時", "ended"),
    ("持ち時間", "time limit"),
    ("戦型", "opening"),
    ("先手", "Black"),
    ("下手", "Black"),
    ("後手", "White"),
    ("上手", "White"),
];

/// The name of a part of a header. One that is not known stays as the record has it.
pub fn said_name(name: &str) -> Text {
    let known = NAMES.iter().find(|(known, _)| *known == name);
    Text::new(|lang| match (lang, known) {
        (Lang::En, Some((_, english))) => (*english).to_owned(),
        _ => name.to_owned(),
    })
}
