//! What `solve` prints of a problem.

use std::io::Write;
use std::time::Duration;

use andor::{INFINITY, Outcome, Reason, Totals, Value, Verdict};
use anyhow::Result;
use serde::Serialize;
use yomikiri_othello::Position;
use yomikiri_question::display;
use yomikiri_question::games::{self, AnyProblem};
use yomikiri_question::lang::{Text, said, text};
use yomikiri_question::solution_line::Line;
use yomikiri_question::team_options::SharesReport;

use super::args::Args;
use super::mate_report::MateReport;
use super::recorded;
use crate::columns;
use crate::commands::Exit;
use crate::input::Item;
use crate::json;
use crate::memory;
use crate::paint::Paint;
use crate::terminal;

/// What is printed of a problem.
#[derive(Serialize)]
pub struct Report {
    pub id: String,
    game: &'static str,
    problem: String,
    question: Text,
    /// Which position of a record it is: after so many moves of so many.
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    record_plies: Option<usize>,
    #[serde(skip)]
    asked: Option<Text>,
    #[serde(serialize_with = "json::in_words")]
    pub verdict: Verdict,
    pub reason: Text,
    answer: Option<Text>,
    /// The first move of the line, if the side that has the solution is to move.
    pub first_move: Option<String>,
    /// The line of the solution, as far as it is known: as USI writes it in shogi, SAN in chess.
    line: Vec<String>,
    /// Does it end with the game?
    line_complete: bool,
    pub plies: Option<u16>,
    /// There is no proof within fewer plies, where lengths are looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    least: Option<u16>,
    /// Are these the same?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<bool>,
    /// The plies of the mate that an EPD tells of.
    #[serde(skip_serializing_if = "Option::is_none")]
    recorded: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<MateReport>,
    pub nodes: u64,
    iterations: u64,
    evaluated: u64,
    pub seconds: f64,
    nodes_per_second: f64,
    pn: Option<u32>,
    dn: Option<u32>,
    algorithm: String,
    /// How several agents searched.
    pub scheme: Option<Text>,
    /// Who searched the nodes, where a leader and workers did.
    #[serde(skip_serializing_if = "Option::is_none")]
    shares: Option<SharesReport>,
    /// `R` of the deep algorithms.
    pub r: Option<f64>,
    hash_mib: usize,
    pub table_entries: usize,
    pub threads: usize,
    pub peak_memory_mib: Option<f64>,
    pub certificate: Option<CertificateReport>,
    /// The certificate that there is no shorter mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shorter_certificate: Option<CertificateReport>,
    /// The exact score of Othello, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<ScoreReport>,
    /// The certificate that the score is not more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more_certificate: Option<CertificateReport>,
    pub saved_table: Option<Text>,
    /// What to do about an unknown verdict, where something can be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<Text>,
    /// The verdict is there, but Ctrl-C came before its certificate.
    #[serde(skip)]
    pub cut_short: bool,
    /// The verdict is there, but not all that was asked for.
    #[serde(skip)]
    pub is_open: bool,
}

/// What is known of a score; both are the same if it is exact.
#[derive(Clone, Copy, Serialize)]
pub struct ScoreReport {
    pub at_least: i8,
    pub at_most: i8,
}

/// A certificate that was written.
#[derive(Clone, Serialize)]
pub struct CertificateReport {
    pub file: Text,
    pub positions: u64,
    pub nodes: u64,
    pub checked: bool,
}

impl Report {
    /// What an outcome says of a problem; the rest is filled in by whoever knows it.
    pub fn new(args: &Args, item: &Item, any: &AnyProblem, outcome: &Outcome) -> Report {
        let seconds = outcome.elapsed.as_secs_f64();
        let (pn, dn) = match outcome.value() {
            Some(Value::Proven) => (0, INFINITY),
            Some(Value::Disproven) => (INFINITY, 0),
            None => outcome.numbers,
        };
        Report {
            id: item.id.clone(),
            game: any.game().name,
            problem: any.text(),
            question: any.question(),
            ply: item.ply.map(|ply| ply.at),
            record_plies: item.ply.map(|ply| ply.of),
            asked: item.ply.map(|ply| Text::new(|_| ply.to_string())),
            verdict: outcome.verdict,
            reason: display::reason(outcome.verdict),
            answer: outcome.value().map(|value| any.answer(value, outcome.plies)),
            first_move: None,
            line: Vec::new(),
            line_complete: false,
            plies: outcome.value().and(outcome.plies.bounded()),
            least: None,
            exact: None,
            recorded: None,
            mate: None,
            nodes: outcome.nodes,
            iterations: outcome.iterations,
            evaluated: outcome.evaluated,
            seconds,
            nodes_per_second: outcome.nodes as f64 / seconds.max(1e-9),
            pn: display::finite(pn),
            dn: display::finite(dn),
            algorithm: args.algorithm.clone(),
            scheme: None,
            shares: SharesReport::new(&outcome.shares),
            r: None,
            hash_mib: args.hash >> 20,
            table_entries: 0,
            threads: 1,
            peak_memory_mib: None,
            certificate: None,
            shorter_certificate: None,
            score: None,
            more_certificate: None,
            saved_table: None,
            advice: match outcome.verdict {
                Verdict::Unknown(Reason::Memory) => Some(memory::advice(args.hash)),
                Verdict::Unknown(Reason::Threads) => Some(text!(
                    "the system does not give that many: use fewer --threads",
                    "その数は使えません。--threads を減らしてください"
                )),
                _ => None,
            },
            cut_short: false,
            is_open: false,
        }
    }

    /// All that is counted.
    pub fn totals(&self) -> Totals {
        Totals { nodes: self.nodes, entered: self.iterations, evaluated: self.evaluated }
    }

    fn set_totals(&mut self, Totals { nodes, entered, evaluated }: Totals) {
        (self.nodes, self.iterations, self.evaluated) = (nodes, entered, evaluated);
    }

    /// What it means for the exit code.
    pub fn exit(&self) -> Exit {
        let is_decided = self.verdict.value().is_some() && !self.cut_short && !self.is_open;
        if is_decided { Exit::Done } else { Exit::Unknown }
    }

    /// The report of the exact score, after all its questions.
    #[must_use]
    pub fn of_score(
        mut self,
        position: Position,
        score: ScoreReport,
        totals: Totals,
        elapsed: Duration,
    ) -> Report {
        let ScoreReport { at_least, at_most } = score;
        let side = position.side.letter();
        if at_least == at_most {
            (self.verdict, self.reason) = (Verdict::Proven, display::reason(Verdict::Proven));
            (self.pn, self.dn) = (Some(0), None);
            self.answer = Some(text!(
                "{side} scores exactly {at_least}",
                "{side} の得点はちょうど {at_least}"
            ));
        } else {
            let reason = &self.reason;
            self.answer = Some(text!(
                "{reason}; {side} scores from {at_least} to {at_most}",
                "{reason}。{side} の得点は {at_least} から {at_most}"
            ));
        }
        self.problem = format!("{position} goal {}", games::SCORE);
        self.question = games::score_question(position);
        self.score = Some(score);
        let seconds = elapsed.as_secs_f64();
        self.set_totals(totals);
        self.seconds = seconds;
        self.nodes_per_second = totals.nodes as f64 / seconds.max(1e-9);
        self
    }

    /// Between which lengths the shortest proof lies; `is_wanted` if that was asked for.
    pub fn set_length(&mut self, any: &AnyProblem, bounds: (u16, u16), is_wanted: bool) {
        let (least, known) = bounds;
        (self.least, self.exact, self.plies) = (Some(least), Some(least >= known), Some(known));
        self.answer = Some(any.answer_within(bounds, is_wanted));
    }

    /// Compares the answer with the plies that the source tells of.
    pub fn set_recorded(&mut self, recorded: u16) {
        self.recorded = Some(recorded);
        let (plies, verdict) = ((self.least, self.plies), self.verdict);
        self.answer = self.answer.take().map(|answer| {
            let words = recorded::words(verdict, plies, recorded);
            text!("{answer}{words}", "{answer}{words}")
        });
    }

    /// The line of the solution.
    pub fn set_line(&mut self, line: Line) {
        self.first_move = line.moves.first().filter(|_| line.is_solver_first).cloned();
        (self.line, self.line_complete) = (line.moves, line.is_complete);
    }

    /// The threads and the scheme, if several agents searched.
    fn team_words(&self) -> Text {
        let Some(scheme) = &self.scheme else { return Text::default() };
        let threads = self.threads;
        let plural = if threads == 1 { "" } else { "s" };
        text!(" on {threads} thread{plural} ({scheme})", "、{threads}スレッド（{scheme}）")
    }

    /// The verdict as people call it: a mate of shogi is there or not.
    fn verdict_words(&self) -> Text {
        let general = Text::new(|_| said(&self.verdict).to_string());
        if self.game != games::shogi::GAME.name {
            return general;
        }
        match self.verdict {
            Verdict::Proven => text!("{general}", "詰み"),
            Verdict::Disproven => text!("{general}", "不詰"),
            Verdict::Unknown(_) => general,
        }
    }

    /// Prints it as the options say; people have had its [`heading`].
    pub fn print(&self, args: &Args) -> Result<()> {
        let mut out = yomikiri_files::report();
        let Report { verdict, reason, .. } = self;
        let paint = Paint::report();
        let label = |label: Text| paint.label(label);
        if args.json {
            return json::line(&mut out, "solve", self);
        }
        let id = &self.id;
        let words = self.mate.as_ref().map(MateReport::words);
        let answer = words.as_ref().or(self.answer.as_ref()).unwrap_or(reason);
        // The names in a graph may be anything.
        let answer = terminal::plain(&answer.to_string());
        let verdict = paint.text((*verdict).into(), &self.verdict_words().to_string());
        if args.quiet {
            // That a solution is not the question goes without saying.
            let asked = self.asked.as_ref().filter(|_| self.ply > Some(0));
            let asked = asked.map_or(Text::default(), |asked| text!(" ({asked})", "（{asked}）"));
            writeln!(out, "{id}: {verdict}: {answer}{asked}")?;
            return Ok(());
        }
        writeln!(out, "{}{verdict}: {answer}", label(text!("verdict", "判定")))?;
        if let Some(advice) = &self.advice {
            writeln!(out, "{}{advice}", label(text!("advice", "対策")))?;
        }
        match &self.mate {
            Some(mate) => mate.print(&mut out, paint)?,
            None if self.line.is_empty() => {}
            None => {
                let moves: Vec<String> = self.line.iter().map(|m| terminal::plain(m)).collect();
                let more = if self.line_complete { "" } else { " …" };
                writeln!(
                    out,
                    "{}{}{more}",
                    label(text!("line", "手順")),
                    columns::in_lines(&moves, 8, 15)
                )?;
            }
        }
        let number = |n: Option<u32>| n.map_or("∞".into(), |n| n.to_string());
        let Report { algorithm, nodes, seconds, table_entries, hash_mib, .. } = self;
        let r = self.r.map_or(String::new(), |r| format!(" (R = {r})"));
        let (team, speed) = (self.team_words(), display::count(self.nodes_per_second as u64));
        let (pn, dn) = (number(self.pn), number(self.dn));
        let search = text!(
            "{algorithm}{r}{team}: {nodes} nodes in {seconds:.3} s ({speed}/s), pn {pn}, dn {dn}",
            "{algorithm}{r}{team}: {nodes}ノード、{seconds:.3}秒（毎秒{speed}）、証明数 {pn}、反証数 {dn}"
        );
        writeln!(out, "{}{search}", label(text!("search", "探索")))?;
        if let Some(shares) = &self.shares {
            writeln!(out, "{}{}", label(text!("shares", "分担")), shares.words())?;
        }
        let peak = match self.peak_memory_mib {
            Some(mib) => text!("; peak {mib:.0} MiB", "、最大使用量 {mib:.0} MiB"),
            None => Text::default(),
        };
        let memory = text!(
            "{table_entries} table entries in {hash_mib} MiB{peak}",
            "置換表 {hash_mib} MiB に{table_entries}件{peak}"
        );
        writeln!(out, "{}{memory}", label(text!("memory", "メモリ")))?;
        let is_open = self.mate.as_ref().is_some_and(|mate| !mate.length().1);
        let shorter = match is_open {
            true => text!("not shorter", "下限の証明"),
            false => text!("not shorter", "最短の証明"),
        };
        let certificates = [
            (&self.certificate, text!("certificate", "証明書")),
            (&self.shorter_certificate, shorter),
            (&self.more_certificate, text!("not more", "上限の証明")),
        ];
        for (certificate, name) in certificates {
            if let Some(CertificateReport { file, positions, .. }) = certificate {
                let written = text!(
                    "{file} ({positions} positions, checked)",
                    "{file}（{positions}局面、検査済み）"
                );
                writeln!(out, "{}{written}", label(name))?;
            }
        }
        if let Some(file) = &self.saved_table {
            writeln!(out, "{}{file}", label(text!("table", "置換表")))?;
        }
        Ok(())
    }
}

/// Prints for people what is asked, and the board, if that is wanted, before the answer is searched.
pub fn heading(
    args: &Args,
    item: &Item,
    any: &AnyProblem,
    with_board: bool,
    is_score: bool,
) -> Result<()> {
    if args.json || args.quiet {
        return Ok(());
    }
    let mut out = yomikiri_files::report();
    let question = match any {
        AnyProblem::Othello(position, _) if is_score => games::score_question(*position),
        any => any.question(),
    };
    let question = terminal::plain(&question.to_string());
    writeln!(out, "{}: {}: {question}", item.id, any.game().title())?;
    if let Some(ply) = item.ply {
        writeln!(out, "{}{ply}", Paint::report().label(text!("asked", "局面")))?;
    }
    let board = any.board().filter(|_| with_board);
    for line in board.iter().flat_map(|board| board.lines()) {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

/// What became of several problems.
#[derive(Default)]
pub struct Tally {
    proven: usize,
    disproven: usize,
    unknown: usize,
    pub bad: usize,
    nodes: u64,
    seconds: f64,
    /// Are there problems of other games than shogi among them?
    is_mixed: bool,
}

impl Tally {
    /// Counts a problem that was tried.
    pub fn add(&mut self, report: &Report) {
        match report.verdict {
            Verdict::Proven => self.proven += 1,
            Verdict::Disproven => self.disproven += 1,
            Verdict::Unknown(_) => self.unknown += 1,
        }
        self.nodes += report.nodes;
        self.seconds += report.seconds;
        self.is_mixed |= report.game != games::shogi::GAME.name;
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Tally { proven, disproven, unknown, bad, nodes, seconds, is_mixed } = self;
        let (yes, no) = if *is_mixed { ("証明", "反証") } else { ("詰み", "不詰") };
        let tally = text!(
            "{proven} proven, {disproven} disproven, {unknown} unknown, {bad} bad; {nodes} nodes in {seconds:.3} s",
            "{yes} {proven}、{no} {disproven}、未解決 {unknown}、誤り {bad}。{nodes}ノード（{seconds:.3}秒）"
        );
        write!(f, "{tally}")
    }
}
