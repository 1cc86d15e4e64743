//! A checked problem for people. Of a long list the beginning is shown, and how long it is.

use std::io::Write;

use anyhow::Result;
use yomikiri_question::lang::{Text, said, text};
use yomikiri_question::soundness::{self, plies};
use yomikiri_question::{need, written};
use yomikiri_shogi::notation::japanese;
use yomikiri_tsume::cook::{Asides, Finding, Severity};
use yomikiri_tsume::necessity::Necessity;

use super::told::Told;
use crate::columns;
use crate::page;
use crate::paint::Paint;

/// Where the second column begins.
const INDENT: usize = 15;

/// How much of a list is not shown.
pub fn more(all: usize, most: usize) -> Option<Text> {
    let left = all.checked_sub(most).filter(|&left| left > 0)?;
    Some(text!(
        "… and {left} more, {all} in all (--most {all})",
        "…ほか{left}件、全部で{all}件（--most {all} で表示）"
    ))
}

/// Prints it.
pub fn print(told: &Told<'_>, out: &mut impl Write) -> Result<()> {
    let Told { item, shogi, report, most, .. } = *told;
    let paint = Paint::stdout();
    let label = |label: Text| paint.label(label);
    let blank = " ".repeat(INDENT);
    let line = &report.line;
    writeln!(out, "{}: {}", item.id, shogi.position)?;
    let verdict = told.verdict.words(report).to_string();
    writeln!(out, "{}{}", label(text!("verdict", "判定")), paint.text(told.tone(), &verdict))?;
    if let Some(solution) = report.answer.solution.as_ref() {
        let length = solution.shown_length();
        let plies = page::plies(length.into());
        let exact = match solution.exact {
            true => text!("mate in {length} {plies}", "{length}手詰"),
            false => text!("at most {length} {plies}", "{length}手以内"),
        };
        let recorded = match item.recorded {
            Some(length) => text!(", recorded {length}", "（記録は{length}手）"),
            None => Text::default(),
        };
        writeln!(out, "{}{exact}{recorded}", label(text!("length", "手数")))?;
    }
    if !line.is_empty() {
        let names = japanese::line_names(&shogi.position, line);
        let left = written::hand(report.left_over);
        writeln!(out, "{}{}", label(text!("line", "手順")), columns::in_lines(&names, 8, INDENT))?;
        writeln!(out, "{}{left}", label(text!("left over", "残り持駒")))?;
    }
    if report.early {
        let words =
            text!("the solution is shorter than the author's", "作意より短い詰みがあります");
        writeln!(out, "  早詰         {words}")?;
    }
    if report.surplus == Some(true) {
        let hand = written::hand(report.left_over);
        let words = text!("the attacker has {hand} left over", "攻方の持駒に{hand}が残ります");
        writeln!(out, "  駒余り       {words}")?;
    }
    for severity in [Severity::Serious, Severity::Slight] {
        let of_it = report.findings.iter().filter(|found| found.kind.severity() == severity);
        let all = of_it.clone().count();
        for finding in of_it.take(most) {
            let (number, kind, plies) = (finding.ply + 1, said(&finding.kind), plies(finding));
            let title = columns::pad(&text!("move {number}", "{number}手目").to_string(), 12);
            let (mut flaw, words) =
                (text!("{kind}, {plies}", "{kind}（{plies}）"), soundness::severity(severity));
            if severity == Severity::Slight {
                flaw = text!("{words}: {flaw}", "{words}: {flaw}");
            }
            let names = told.beside(finding.ply, &finding.line);
            let file = told.certificate(told.before(finding.ply), finding);
            let file = file.map_or(String::new(), |file| format!("  [{file}]"));
            writeln!(out, "  {title} {flaw}{file}")?;
            writeln!(out, "{blank}{}", columns::in_lines(&names, 8, INDENT))?;
        }
        if let Some(more) = more(all, most) {
            writeln!(out, "{blank}{more}")?;
        }
    }
    permitted(told, out)?;
    let mut list = |title: Text, shown: Vec<String>| -> Result<()> {
        if shown.is_empty() {
            return Ok(());
        }
        let title = columns::pad(&title.to_string(), 12);
        let some = &shown[..shown.len().min(most)];
        writeln!(out, "  {title} {}", columns::in_lines(some, 6, INDENT))?;
        if let Some(more) = more(shown.len(), most) {
            writeln!(out, "{blank}{more}")?;
        }
        Ok(())
    };
    let beside = |(ply, m)| {
        let (number, name) = (ply + 1, told.beside(ply, &[m]).concat());
        text!("{number} {name}", "{number}手目{name}")
    };
    let equal = report.equal_defences.iter().map(|equal| {
        let reply = beside((equal.ply, equal.m));
        let left = match equal.surplus {
            Some(true) => text!("{reply} (駒余り)", "{reply}（駒余り）"),
            _ => reply,
        };
        left.to_string()
    });
    list(text!("変同", "変同"), equal.collect())?;
    let undecided = report.undecided.iter().map(|&open| beside(open).to_string());
    match report.open() {
        // Those at the last move do not matter.
        0 if !report.undecided.is_empty() => {
            let open = report.undecided.len();
            let words = text!("permitted either way: {open}", "最終手のみ{open}手（詰んでも許容）");
            list(text!("undecided", "未解決"), vec![words.to_string()])?;
        }
        _ => list(text!("undecided", "未解決"), undecided.collect())?,
    }
    if let Some(asides) = &report.asides {
        variations(told, asides, out)?;
    }
    match told.necessity {
        Some(necessity) => pieces(necessity, most, out)?,
        None if told.is_necessity_asked => {
            let words =
                text!("only asked of a sound problem", "完全作でないので駒の要否は調べていません");
            writeln!(out, "{}{words}", label(text!("pieces", "駒の要否")))?;
        }
        None => {}
    }
    let (nodes, seconds) = (report.nodes, report.elapsed.as_secs_f64());
    let search = text!("{nodes} nodes in {seconds:.3} s", "{nodes}ノード（{seconds:.3}秒）");
    writeln!(out, "{}{search}", label(text!("search", "探索")))?;
    let certificates = told.certificates.len();
    if certificates > 0 {
        let written = text!("{certificates}, all checked", "{certificates}通、すべて検査済み");
        writeln!(out, "{}{written}", label(text!("certificates", "証明書")))?;
    }
    if !told.files.is_empty() {
        writeln!(out, "{}{}", label(text!("files", "ファイル")), told.files.join(" "))?;
    }
    Ok(())
}

/// What is permitted takes one line for each of its kinds.
fn permitted(told: &Told<'_>, out: &mut impl Write) -> Result<()> {
    let (report, most) = (told.report, told.most);
    let small = report.findings.iter();
    let small = small.filter(|finding| finding.kind.severity() <= Severity::Permitted);
    let mut kinds = Vec::new();
    for finding in small.clone() {
        if !kinds.contains(&finding.kind) {
            kinds.push(finding.kind);
        }
    }
    for kind in kinds {
        let of_kind = small.clone().filter(|finding| finding.kind == kind);
        let all = of_kind.clone().count();
        let moves = of_kind.take(most).map(|finding| {
            let Finding { ply, m, .. } = *finding;
            let (number, name, plies) = (ply + 1, told.beside(ply, &[m]).concat(), plies(finding));
            text!("{number} {name} ({plies})", "{number}手目{name}（{plies}）").to_string()
        });
        let moves: Vec<String> = moves.collect();
        let label = Paint::stdout().label(text!("permitted", "許容"));
        writeln!(out, "{label}{}", said(&kind))?;
        writeln!(out, "{}{}", " ".repeat(INDENT), columns::in_lines(&moves, 4, INDENT))?;
        if let Some(more) = more(all, most) {
            writeln!(out, "{}{more}", " ".repeat(INDENT))?;
        }
    }
    Ok(())
}

/// What the attacker may play otherwise in the variations.
fn variations(told: &Told<'_>, asides: &Asides, out: &mut impl Write) -> Result<()> {
    let blank = " ".repeat(INDENT);
    let label = Paint::stdout().label(text!("variations", "変化"));
    let (turns, all, open) = (asides.turns, asides.findings.len(), asides.undecided);
    let mut words = match all {
        0 => text!("turns: {turns}, no alternative", "攻方の手番{turns}か所に余詰なし"),
        _ => text!(
            "turns: {turns}, alternatives: {all}, no flaw by convention",
            "攻方の手番{turns}か所に余詰など{all}件（不問）"
        ),
    };
    if open > 0 {
        words = text!("{words}; undecided: {open}", "{words}、未解決{open}手");
    }
    if !asides.complete {
        words = text!("{words}; not all turns were looked at", "{words}、以下は調べていません");
    }
    writeln!(out, "{label}{words}")?;
    for aside in asides.findings.iter().take(told.most) {
        let finding = &aside.finding;
        let (kind, plies) = (said(&finding.kind), plies(finding));
        let before = told.names(&[], &aside.path);
        let (number, reply) = (aside.path.len(), before.last().cloned().unwrap_or_default());
        let line = told.names(&aside.path, &finding.line).join(" ");
        let after = text!(
            "after {number} {reply}: {kind}, {plies}",
            "{number}手目{reply}のとき: {kind}（{plies}）"
        );
        let file = told.certificate(&aside.path, finding);
        let file = file.map_or(String::new(), |file| format!("  [{file}]"));
        writeln!(out, "{blank}{after}{file}")?;
        writeln!(out, "{blank}  {line}")?;
    }
    if let Some(more) = more(all, told.most) {
        writeln!(out, "{blank}{more}")?;
    }
    Ok(())
}

/// Which pieces are needed.
fn pieces(necessity: &Necessity, most: usize, out: &mut impl Write) -> Result<()> {
    let blank = " ".repeat(INDENT);
    let label = Paint::stdout().label(text!("pieces", "駒の要否"));
    let (tried, open) = (necessity.trials.len(), necessity.open());
    let spare = necessity.spare().count();
    let mut words = match spare {
        0 if open == 0 => {
            text!("all are needed ({tried} changes)", "すべて必要です（{tried}通りの変更）")
        }
        0 => text!("none found that may go", "不要駒は見つかっていません"),
        _ => text!(
            "{spare} of {tried} changes leave it sound",
            "{tried}通りの変更のうち{spare}通りでも完全作"
        ),
    };
    if open > 0 {
        words = text!("{words}; {open} changes undecided", "{words}、未解決{open}通り");
    }
    writeln!(out, "{label}{words}")?;
    for trial in necessity.spare().take(most) {
        let title = match trial.change.into {
            None => text!("may go (不要駒)", "不要駒"),
            Some(_) => text!("may be weaker", "弱い駒でもよい"),
        };
        let (change, came) = (need::change(&trial.change), need::words(trial));
        writeln!(out, "{blank}{title}: {change}")?;
        writeln!(out, "{blank}  {came}")?;
    }
    if let Some(more) = more(spare, most) {
        writeln!(out, "{blank}{more}")?;
    }
    Ok(())
}
