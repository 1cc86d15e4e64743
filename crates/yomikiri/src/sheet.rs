//! A checked problem as a sheet: one HTML file that needs nothing else, made for one page of paper.
//!
//! At the top the diagram, and beside it the verdict; below it the solution, what was found beside
//! it, the variations, and which pieces are needed. Long lists are cut, and say so. All of it is in the
//! language that is spoken, the names of moves too. It is XML as well, so that other programs can
//! take it apart.

use std::fmt::{self, Display, Formatter};

use yomikiri_files::escaped;
use yomikiri_question::lang::{Text, text};
use yomikiri_question::soundness::{self, Soundness, plies};
use yomikiri_question::{need, written};
use yomikiri_shogi::{Move, Position};
use yomikiri_tsume::Branch;
use yomikiri_tsume::cook::{CookReport, Finding, FindingKind, Severity};
use yomikiri_tsume::necessity::Necessity;

use crate::page;

const STYLE: &str = "\
body { margin: 0 auto; max-width: 190mm; padding: 0 1rem; color: #000; background: #fff;
  font-family: 'Noto Serif CJK JP', 'Noto Serif JP', 'Yu Mincho', YuMincho, 'Hiragino Mincho ProN', IPAexMincho, serif;
  font-size: 10.5pt; line-height: 1.55; }
h1 { font-size: 1.5em; margin: 0.6em 0 0.3em; }
h2 { font-size: 1.1em; margin: 1em 0 0.2em; border-bottom: 1px solid #000; break-after: avoid; }
.top { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start; }
.top svg { flex: 0 1 88mm; width: 88mm; max-width: 100%; height: auto; }
.top dl { flex: 1 1 60mm; display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1rem; margin: 0; }
dt { color: #555; }
dd { margin: 0; }
ol, ul { list-style: none; margin: 0; padding: 0; }
ol.moves { display: flex; flex-wrap: wrap; gap: 0 1rem; }
ul.list li { padding-left: 1.2em; text-indent: -1.2em; break-inside: avoid; }
.move { white-space: nowrap; }
.number, .kind { color: #555; font-size: 0.85em; margin-right: 0.4em; }
.serious .kind { color: #a00; font-weight: bold; }
.more { color: #555; }
.sfen { font-family: monospace; font-size: 0.8em; overflow-wrap: anywhere; }
@page { size: A4; margin: 12mm; }
@media print { body { max-width: none; padding: 0; } }
";

/// A sheet. Its [`Display`] is the page.
pub struct Sheet<'a> {
    /// What the problem is called.
    pub title: String,
    /// What the record says of it.
    pub header: &'a [(String, String)],
    /// The diagram as SVG.
    pub diagram: String,
    /// The problem.
    pub position: &'a Position,
    /// The check.
    pub report: &'a CookReport,
    /// Which pieces are needed, if that was asked.
    pub necessity: Option<&'a Necessity>,
    /// The variations.
    pub branches: &'a [Branch],
    /// At most so many lines of a list.
    pub most: usize,
}

impl Sheet<'_> {
    /// The names of moves that follow on a path from the problem.
    fn names(&self, path: &[Move], line: &[Move]) -> Vec<Text> {
        let mut at = self.position.clone();
        for &m in path {
            at.play(m);
        }
        written::line_names(&at, path.last().map(|m| m.to()), line)
    }

    fn before(&self, ply: usize) -> &[Move] {
        let line = &self.report.line;
        &line[..ply.min(line.len())]
    }

    /// The facts beside the diagram.
    fn facts(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let report = self.report;
        let verdict = Soundness::of(report).words(report);
        let mut rows: Vec<(String, String)> = Vec::new();
        let mut row = |name: Text, value: String| rows.push((name.to_string(), value));
        row(text!("verdict", "判定"), verdict.to_string());
        if let Some(solution) = &report.answer.solution {
            let length = solution.shown_length();
            let plies = page::plies(length.into());
            let words = match solution.exact {
                true => text!("mate in {length} {plies}", "{length}手詰"),
                false => text!("at most {length} {plies}", "{length}手以内"),
            };
            row(text!("length", "手数"), words.to_string());
            row(text!("left over", "残り持駒"), written::hand(report.left_over).to_string());
        }
        let flaws = report.flaw_count();
        row(text!("flaws", "不備"), text!("{flaws}", "{flaws}件").to_string());
        let pieces = self.position.occupied().count();
        row(
            text!("pieces", "使用駒"),
            text!("{pieces} on the board", "盤上{pieces}枚").to_string(),
        );
        let told = self.header.iter().filter(|(name, _)| name != "作品名");
        let told = told.map(|(name, value)| (page::said_name(name).to_string(), value.clone()));
        writeln!(f, "<dl>")?;
        for (name, value) in told.chain(rows) {
            writeln!(f, "<dt>{}</dt><dd>{}</dd>", escaped(&name), escaped(&value))?;
        }
        let sfen = escaped(&self.position.to_string());
        writeln!(f, "<dt>SFEN</dt><dd class=\"sfen\">{sfen}</dd>\n</dl>")
    }

    /// A finding after some moves.
    fn finding(&self, path: &[Move], found: &Finding, severity: Severity) -> String {
        let (number, kind, plies) = (path.len() + 1, soundness::kind(found.kind), plies(found));
        let words = soundness::severity(severity);
        let title = text!("{number}: {kind}, {plies}", "{number}手目 {kind}（{plies}）");
        let title = match severity {
            Severity::Serious | Severity::Aside => title,
            _ => text!("{title} [{words}]", "{title}［{words}］"),
        };
        let moves = page::moves(&self.names(path, &found.line));
        format!(
            "<li class=\"{}\"><span class=\"kind\">{}</span>{moves}</li>",
            severity.word(),
            escaped(&title.to_string())
        )
    }

    /// A list with its heading, cut where it is long.
    fn list(
        &self,
        f: &mut Formatter<'_>,
        class: &str,
        heading: &Text,
        rows: &[String],
    ) -> fmt::Result {
        if rows.is_empty() {
            return Ok(());
        }
        writeln!(f, "<h2>{}</h2>\n<ul class=\"list {class}\">", escaped(&heading.to_string()))?;
        for row in rows.iter().take(self.most) {
            writeln!(f, "{row}")?;
        }
        let all = rows.len();
        if let Some(left) = all.checked_sub(self.most).filter(|&left| left > 0) {
            let more = text!("… and {left} more, {all} in all", "…ほか{left}件、全部で{all}件");
            writeln!(f, "<li class=\"more\">{more}</li>")?;
        }
        writeln!(f, "</ul>")
    }

    fn findings(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let report = self.report;
        let mut found: Vec<&Finding> = report.findings.iter().collect();
        found.sort_by_key(|found| std::cmp::Reverse(found.kind.severity()));
        let mut rows = Vec::new();
        if report.early {
            let words =
                text!("the solution is shorter than the author's", "作意より短い詰みがあります");
            let kind = soundness::kind(FindingKind::Shorter);
            rows.push(format!(
                "<li class=\"serious\"><span class=\"kind\">{kind}</span>{words}</li>"
            ));
        }
        if report.surplus == Some(true) {
            let hand = written::hand(report.left_over);
            let words = text!("the attacker has {hand} left over", "攻方の持駒に{hand}が残ります");
            let kind = text!("left over", "駒余り");
            rows.push(format!(
                "<li class=\"serious\"><span class=\"kind\">{kind}</span>{words}</li>"
            ));
        }
        let on_line =
            |found: &&Finding| self.finding(self.before(found.ply), found, found.kind.severity());
        rows.extend(found.iter().map(on_line));
        rows.extend(report.equal_defences.iter().map(|equal| {
            let number = equal.ply + 1;
            let title = text!("{number}: lasts as long", "{number}手目 変同");
            let moves = page::moves(&self.names(self.before(equal.ply), &equal.line));
            format!("<li><span class=\"kind\">{title}</span>{moves}</li>")
        }));
        let open = report.undecided.len();
        if open > 0 {
            let words = text!("{open} moves were not decided", "{open}手の詰み・不詰が未解決");
            rows.push(format!("<li class=\"more\">{words}</li>"));
        }
        self.list(f, "findings", &text!("Beside the solution", "本手順の検討"), &rows)
    }

    fn variations(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let line = &self.report.line;
        let row =
            |branch: &Branch| format!("<li>{}</li>", page::variation(self.position, line, branch));
        let rows: Vec<String> = self.branches.iter().map(row).collect();
        self.list(f, "variations", &text!("Variations", "変化"), &rows)?;
        let Some(asides) = &self.report.asides else { return Ok(()) };
        let row = |aside: &yomikiri_tsume::cook::Aside| {
            let row = self.finding(&aside.path, &aside.finding, Severity::Aside);
            let reply = self.names(&[], &aside.path).pop();
            let reply = reply.unwrap_or_else(|| text!("the first position", "初形"));
            let after = text!("after {reply} ", "{reply}のとき ").to_string();
            row.replacen("<span class=\"kind\">", &format!("{after}<span class=\"kind\">"), 1)
        };
        let rows: Vec<String> = asides.findings.iter().map(row).collect();
        let heading = text!(
            "Alternatives in variations (no flaw by convention)",
            "変化の中の余詰など（不問）"
        );
        self.list(f, "asides", &heading, &rows)
    }

    fn pieces(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Some(necessity) = self.necessity else { return Ok(()) };
        let row = |trial: &yomikiri_tsume::necessity::Trial| {
            let (change, words) = (need::change(&trial.change), need::words(trial));
            format!("<li><span class=\"kind\">{change}</span>{words}</li>")
        };
        let mut rows: Vec<String> = necessity.spare().map(row).collect();
        let (tried, open) = (necessity.trials.len(), necessity.open());
        if rows.is_empty() && open == 0 {
            let words =
                text!("all are needed ({tried} changes)", "すべて必要（{tried}通りの変更）");
            rows.push(format!("<li>{words}</li>"));
        }
        if open > 0 {
            let words = text!("{open} changes undecided", "未解決{open}通り");
            rows.push(format!("<li class=\"more\">{words}</li>"));
        }
        self.list(f, "pieces", &text!("Pieces that may go", "不要駒の検討"), &rows)
    }
}

impl Display for Sheet<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let lang = page::lang();
        let title = escaped(&self.title);
        write!(
            f,
            "<!DOCTYPE html>\n<html lang=\"{lang}\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n\
             <meta charset=\"utf-8\"/>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
             <section class=\"top\">\n{}",
            self.diagram
        )?;
        self.facts(f)?;
        writeln!(f, "</section>")?;
        let names = self.names(&[], &self.report.line);
        if !names.is_empty() {
            let heading = text!("Solution", "手順");
            writeln!(f, "<h2>{heading}</h2>\n<ol class=\"moves\">")?;
            for (ply, name) in (1..).zip(names) {
                writeln!(f, "<li><span class=\"number\">{ply}</span>{name}</li>")?;
            }
            writeln!(f, "</ol>")?;
        }
        self.findings(f)?;
        self.variations(f)?;
        self.pieces(f)?;
        write!(f, "</body>\n</html>\n")
    }
}
