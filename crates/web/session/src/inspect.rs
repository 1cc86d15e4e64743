//! Is a tsume-shogi sound? In slices, as a search is.
//!
//! Every slice inspects the problem from the beginning, on a table that stays: what was decided before is
//! found there. So that a long line is walked to its end, slices double, up to two seconds.

use std::time::Duration;

use andor::table::SizeError;
use andor::{Stop, Table};
use yomikiri_question::games::shogi::{self, Shogi};
use yomikiri_question::games::{self, AnyProblem};
use yomikiri_question::lang::{Text, said, text};
use yomikiri_question::soundness::{self, Soundness};
use yomikiri_question::written;
use yomikiri_shogi::Move as Played;
use yomikiri_shogi::notation::Format;
use yomikiri_tsume::cook::{self, CookLimits, CookReport};
use yomikiri_tsume::{Futile, Mate, VariationLimits, variations};

use crate::board;
use crate::contract::{Beside, FindingInfo, Inspected, Move, Reply, VariationInfo};

/// The longest slice.
const LONGEST: Duration = Duration::from_secs(2);

/// What is inspected.
#[derive(Debug)]
pub struct Inspection {
    /// The question's number.
    pub id: u64,
    /// Raised to end it at once.
    pub stop: Stop,
    shogi: Shogi,
    line: Option<Vec<Played>>,
    nodes_each: Option<u64>,
    time: Duration,
    table: Table,
    slices: u32,
    nodes: u64,
    elapsed: Duration,
}

/// The limits of an inspection.
#[derive(Clone, Copy, Debug)]
pub struct InspectionLimits {
    /// Bytes for the table.
    pub bytes: usize,
    /// At most about so many nodes for each move.
    pub nodes_each: Option<u64>,
    /// At most so long.
    pub time: Duration,
}

/// The problem of a text, and the line of its author, if it is a record of one.
fn read(text: &str) -> Result<(Shogi, Option<Vec<Played>>), Text> {
    // As `tsume check` has it.
    let futile = Futile::NotCounted;
    match shogi::read(text) {
        Ok((record, format)) if format != Some(Format::Sfen) && !record.main_line().is_empty() => {
            let position = shogi::position(&record, format);
            let attacker = shogi::attacker(&position, true);
            Ok((Shogi { position, attacker, futile }, Some(record.main_line())))
        }
        _ => match games::parse(text, games::find("shogi"), None) {
            Ok(AnyProblem::Shogi(shogi)) => Ok((Shogi { futile, ..*shogi }, None)),
            Ok(_) => Err(text!("this is no tsume-shogi", "これは詰将棋ではありません")),
            Err(wrong) => Err(wrong.reason),
        },
    }
}

impl Inspection {
    /// An inspection that has not begun; the text is a position or a record of the author's solution.
    pub fn new(id: u64, text: &str, limits: &InspectionLimits) -> Result<Inspection, Text> {
        let (shogi, line) = read(text)?;
        let in_words = |error: SizeError| Text::new(|_| said(&error).to_string());
        let table = Table::new(limits.bytes).map_err(in_words)?;
        let InspectionLimits { nodes_each, time, .. } = *limits;
        let (slices, nodes, elapsed) = (0, 0, Duration::ZERO);
        let stop = Stop::new();
        Ok(Inspection { id, stop, shogi, line, nodes_each, time, table, slices, nodes, elapsed })
    }

    /// Bytes of its table.
    pub fn bytes(&self) -> usize {
        self.table.bytes()
    }

    /// Inspects for about so long: what was found at the end, or how far it has come.
    pub fn step(&mut self, time: Duration) -> Result<Reply, Text> {
        let slice = time.saturating_mul(1 << self.slices.min(20)).min(LONGEST.max(time));
        let left = self.time.saturating_sub(self.elapsed);
        self.slices += 1;
        let limits = CookLimits {
            nodes: self.nodes_each,
            time: Some(slice.min(left)),
            stop: self.stop.clone(),
            intended: None,
            last_move_nodes: Some(cook::LAST_MOVE_NODES),
            variation_turns: 0,
        };
        let mate = Mate::new(&self.table);
        let problem = self.shogi.tsume();
        let report = match &self.line {
            Some(line) => {
                let report = cook::check_line(&mate, &problem, line, &limits);
                report.map_err(|error| {
                    let error = Text::new(|_| said(&error).to_string());
                    text!(
                        "the record's moves are no solution: {error}",
                        "棋譜の手順は解になっていません: {error}"
                    )
                })?
            }
            None => cook::check(&mate, &problem, &limits),
        };
        self.nodes += report.nodes;
        self.elapsed += report.elapsed;
        let has_ended = report.ended.is_none() && report.answer.outcome.value().is_some();
        let is_decided = Soundness::of(&report) == Soundness::NoMate || report.is_complete();
        let is_over = self.stop.is_raised() || self.elapsed >= self.time;
        // Moves that took too many nodes stay undecided, in every slice.
        let is_stuck = self.nodes_each.is_some() && has_ended && slice >= LONGEST;
        if is_decided || is_over || is_stuck {
            return Ok(Reply::Inspected(Box::new(self.tell(&mate, &report))));
        }
        let solved = report.answer.solution.is_some();
        Ok(Reply::Inspecting {
            id: self.id,
            seconds: self.elapsed.as_secs_f64(),
            nodes: self.nodes,
            undecided: solved.then_some(report.undecided.len()),
        })
    }

    fn tell(&self, mate: &Mate<'_>, report: &CookReport) -> Inspected {
        let any = AnyProblem::Shogi(Box::new(self.shogi.clone()));
        let written = |line: &[Played]| line.iter().map(ToString::to_string).collect::<Vec<_>>();
        let line = written(&report.line);
        // The line as far as a ply, and on from there: named together, since names lean on the move before.
        let beside = |ply: usize, moves: &[Played]| -> Vec<Move> {
            let ply = ply.min(line.len());
            let mut whole = line[..ply].to_vec();
            whole.extend(written(moves));
            board::name_line(&any, &whole).split_off(ply)
        };
        let one = |&(ply, m): &(usize, Played)| {
            beside(ply, &[m]).pop().map(|named| Beside { ply, r#move: named })
        };
        let findings = report.findings.iter().filter_map(|finding| {
            Some(FindingInfo {
                beside: one(&(finding.ply, finding.m))?,
                kind: soundness::kind(finding.kind).into(),
                serious: finding.kind.is_serious(),
                plies: soundness::plies(finding).into(),
                line: beside(finding.ply, &finding.line),
            })
        });
        let limits = VariationLimits {
            stop: self.stop.clone(),
            time: Some(LONGEST),
            total: 100,
            ..VariationLimits::default()
        };
        let branches = variations(mate, &self.shogi.tsume(), &report.line, &limits).branches;
        let told = branches.iter().map(|branch| VariationInfo {
            ply: branch.ply,
            line: beside(branch.ply, &branch.line),
            complete: branch.complete,
            plies: branch.length,
            exact: branch.exact,
        });
        let equal = report.equal_defences.iter().filter_map(|equal| one(&(equal.ply, equal.m)));
        let verdict = Soundness::of(report);
        let left = written::hand(report.left_over);
        Inspected {
            id: self.id,
            text: any.text(),
            verdict: verdict.word(),
            words: verdict.words(report).into(),
            complete: report.is_complete(),
            plies: report.answer.solution.as_ref().map(|solution| solution.shown_length()),
            line: board::name_line(&any, &line),
            left_over: (report.surplus == Some(true)).then(|| left.into()),
            early: report.early,
            findings: findings.collect(),
            equal: equal.collect(),
            undecided: report.undecided.iter().filter_map(one).collect(),
            variations: told.collect(),
            nodes: self.nodes,
            seconds: self.elapsed.as_secs_f64(),
        }
    }
}
