//! The record of a check: the line with its variations, and what was found beside them, each with
//! words in the comment of its first move. In Japanese, as records are.

use andor::{Rules, Value};
use yomikiri_shogi::Move;
use yomikiri_shogi::notation::{Record, hands};
use yomikiri_tsume::Branch;
use yomikiri_tsume::cook::{CookReport, Finding};
use yomikiri_tsume::necessity::Necessity;

use crate::games::shogi::Shogi;
use crate::lang::{Lang, said};
use crate::need;
use crate::solution_record::{add, add_branches};
use crate::soundness::{self, Soundness};

/// What goes into the record beside the report.
#[derive(Clone, Copy, Debug)]
pub struct Extras<'a> {
    /// The problem's own record, of which nothing is to be lost.
    pub record: &'a Record,
    /// The variations.
    pub branches: &'a [Branch],
    /// Which pieces are needed.
    pub necessity: Option<&'a Necessity>,
    /// At most so many findings on the line, and so many in variations.
    pub most: usize,
}

/// The record of a check.
pub fn of_report(shogi: &Shogi, report: &CookReport, extras: &Extras<'_>) -> Record {
    Lang::Ja.speak(|| written(shogi, report, extras))
}

fn written(shogi: &Shogi, report: &CookReport, extras: &Extras<'_>) -> Record {
    let mut record = Record::new(shogi.position.clone());
    record.comments.push(Soundness::of(report).words(report).to_string());
    if let Some(solution) = &report.answer.solution {
        let length = solution.shown_length();
        let within = if solution.exact { "" } else { "以内" };
        record.comments.push(format!("{length}手{within}"));
    }
    if report.early {
        record.comments.push("早詰：作意より短い詰みがある".into());
    }
    record.comments.extend(extras.necessity.into_iter().flat_map(spare));
    let nodes = add(&mut record, None, &report.line, is_mate(shogi, &report.line));
    if let (Some(&last), false) = (nodes.last(), report.left_over.is_empty()) {
        let left = hands::hand_name(report.left_over);
        record.tree.node_mut(last).comments.push(format!("持駒：{left}"));
    }
    let mut put = |path: &[Move], line: &[Move], words: String| {
        let whole = [path, line].concat();
        let nodes = add(&mut record, None, &whole, is_mate(shogi, &whole));
        if let Some(&first) = nodes.get(path.len()) {
            record.tree.node_mut(first).comments.push(words);
        }
    };
    for finding in report.findings.iter().take(extras.most) {
        put(&report.line[..finding.ply.min(report.line.len())], &finding.line, words(finding));
    }
    for equal in &report.equal_defences {
        let words = if equal.surplus == Some(true) { "同手数、駒余り" } else { "変同" };
        put(&report.line[..equal.ply.min(report.line.len())], &equal.line, words.into());
    }
    for aside in report.asides.iter().flat_map(|asides| &asides.findings).take(extras.most) {
        let words = format!("変化の{}", words(&aside.finding));
        put(&aside.path, &aside.finding.line, words);
    }
    add_branches(&mut record, &nodes, extras.branches);
    let all = report.findings.len();
    if all > extras.most {
        let most = extras.most;
        record.comments.push(format!("本手順の指摘は全部で{all}件、ここには{most}件まで"));
    }
    record.take_over(extras.record);
    record
}

fn words(finding: &Finding) -> String {
    format!("{}（{}）", said(&finding.kind), soundness::plies(finding))
}

/// The pieces that may go, or be weaker.
fn spare(necessity: &Necessity) -> Vec<String> {
    let one = |trial| format!("不要駒：{}", need::change(trial));
    necessity.spare().map(|trial| one(&trial.change)).collect()
}

/// Does a line from the problem end in mate?
fn is_mate(shogi: &Shogi, line: &[Move]) -> bool {
    let mut at = shogi.tsume();
    for &m in line {
        at.play(m);
    }
    let mut moves = Vec::new();
    match at.terminal() {
        Some(value) => value == Value::Proven,
        None => {
            at.legal_moves(&mut moves);
            moves.is_empty() && !line.is_empty() && at.position().turn() != shogi.attacker
        }
    }
}
