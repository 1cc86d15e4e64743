//! A checked problem for programs.

use serde_json::{Value, json};
use yomikiri_question::games::shogi;
use yomikiri_question::{need, soundness, written};
use yomikiri_shogi::Move;
use yomikiri_shogi::notation::japanese;
use yomikiri_tsume::Futile;
use yomikiri_tsume::cook::{Finding, Severity};
use yomikiri_tsume::necessity::{Necessity, Need, Trial, Why};

use super::told::Told;

fn usi(line: &[Move]) -> Vec<String> {
    line.iter().map(ToString::to_string).collect()
}

/// The object.
pub fn object(told: &Told<'_>) -> Value {
    let Told { item, shogi, report, most, .. } = *told;
    let line = &report.line;
    let on_line = |finding: &Finding| {
        let names = told.beside(finding.ply, &finding.line);
        let mut object = self::finding(finding, finding.kind.severity(), names);
        object["certificate"] = told.certificate(told.before(finding.ply), finding).into();
        object
    };
    let undecided = report.undecided.iter().take(most).map(|&(ply, m)| {
        json!({"move_number": ply + 1, "move": m.to_string(),
            "japanese": told.beside(ply, &[m]).concat()})
    });
    let equal = report.equal_defences.iter().map(|equal| {
        let names = told.beside(equal.ply, &equal.line);
        json!({"move_number": equal.ply + 1, "move": equal.m.to_string(),
            "japanese": names.first(), "length": equal.length, "line": usi(&equal.line),
            "line_japanese": names, "pieces_left_over": equal.surplus})
    });
    let other_lines =
        report.other_lines.map(|others| json!({"followed": others.followed, "all": others.all}));
    let variations = report.asides.as_ref().map(|asides| {
        let findings = asides.findings.iter().take(most).map(|aside| {
            let names = told.names(&aside.path, &aside.finding.line);
            let mut object = finding(&aside.finding, Severity::Aside, names);
            object["certificate"] = told.certificate(&aside.path, &aside.finding).into();
            object["path"] = usi(&aside.path).into();
            object["path_japanese"] = told.names(&[], &aside.path).into();
            object
        });
        json!({
            "turns": asides.turns,
            "complete": asides.complete,
            "undecided": asides.undecided,
            "findings_total": asides.findings.len(),
            "findings": findings.collect::<Vec<_>>(),
        })
    });
    let solution = report.answer.solution.as_ref();
    let pieces = told.necessity.map(|pieces| necessity(told, pieces));
    let (nodes, elapsed) = match told.necessity {
        Some(more) => (report.nodes + more.nodes, report.elapsed + more.elapsed),
        None => (report.nodes, report.elapsed),
    };
    json!({
        "id": item.id,
        "problem": shogi::text(shogi),
        "verdict": told.verdict.word(),
        "complete": report.is_complete(),
        "length": solution.map(|solution| solution.length),
        "conventional_length": solution.map(|solution| solution.shown_length()),
        "exact": solution.is_some_and(|solution| solution.exact),
        "recorded": item.recorded,
        "shorter_than_intended": report.early,
        "line": usi(line),
        "japanese": japanese::line_names(&shogi.position, line),
        "left_over": written::counts(report.left_over),
        "pieces_left_over": report.surplus,
        "futile_counted": shogi.futile == Futile::Counted,
        "findings": report.findings.iter().take(most).map(on_line).collect::<Vec<_>>(),
        "findings_total": report.findings.len(),
        "equal_defences": equal.collect::<Vec<_>>(),
        "other_lines": other_lines,
        "undecided": undecided.collect::<Vec<_>>(),
        "undecided_total": report.undecided.len(),
        "variations": variations,
        "necessity": pieces,
        "nodes": nodes,
        "seconds": elapsed.as_secs_f64(),
        "certificates": told.certificates.len(),
        "files": told.files,
    })
}

fn finding(finding: &Finding, severity: Severity, names: Vec<String>) -> Value {
    json!({
        "move_number": finding.ply + 1,
        "move": finding.m.to_string(),
        "japanese": names.first(),
        "kind": format!("{:?}", finding.kind),
        "words": soundness::kind(finding.kind),
        "severity": severity.word(),
        "serious": severity == Severity::Serious,
        "length": finding.length,
        "exact": finding.exact,
        "line": usi(&finding.line),
        "line_japanese": names,
    })
}

fn necessity(told: &Told<'_>, necessity: &Necessity) -> Value {
    let piece = |trial: &Trial| {
        let Trial { change, need, position, .. } = trial;
        let (length, cook) = match need {
            Need::Needed(Why::Length(plies)) => (Some(*plies), None),
            Need::Needed(Why::Cook(finding)) => (None, Some(finding)),
            _ => (None, None),
        };
        let spare = match *need {
            Need::Spare { same_line, blemished } => Some((same_line, blemished)),
            _ => None,
        };
        let certificates = trial.claims().iter().filter_map(|claim| told.certificates.of(claim));
        json!({
            "square": change.square.map(|square| square.to_string()),
            "side": need::side(change),
            "piece": written::letters(change.piece.kind()),
            "into": change.into.map(written::letters),
            "need": need::word(need),
            "why": need::why(need),
            "length": length,
            "cook": cook.map(|finding| json!({"kind": format!("{:?}", finding.kind),
                "move_number": finding.ply + 1, "line": usi(&finding.line)})),
            "same_line": spare.map(|spare| spare.0),
            "blemished": spare.map(|spare| spare.1),
            "problem": position.to_string(),
            "line": usi(&trial.line),
            "certificates": certificates.collect::<Vec<_>>(),
        })
    };
    json!({
        "pieces": necessity.trials.iter().map(piece).collect::<Vec<_>>(),
        "spare": necessity.spare().count(),
        "open": necessity.open(),
        "complete": necessity.open() == 0,
    })
}
