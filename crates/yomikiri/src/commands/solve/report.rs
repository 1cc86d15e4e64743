//! What `solve` prints of a problem.

use std::io::Write;

use andor::{INFINITY, Outcome, Reason, Value, Verdict};
use anyhow::Result;
use serde::Serialize;

use super::Args;
use super::mate::MateReport;
use crate::display;
use crate::games::AnyProblem;
use crate::input::Item;
use crate::memory;
use crate::paint::Paint;
use crate::solution_line::Line;

/// What is printed of a problem.
#[derive(Serialize)]
pub struct Report {
    pub id: String,
    game: &'static str,
    problem: String,
    question: String,
    /// Which position of a record it is: after so many moves of so many.
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    record_plies: Option<usize>,
    #[serde(skip)]
    asked: Option<String>,
    #[serde(serialize_with = "display::in_words")]
    pub verdict: Verdict,
    pub reason: &'static str,
    answer: Option<String>,
    /// The first move of the line, if the side that has the solution is to move.
    pub first_move: Option<String>,
    /// The line of the solution, as far as it is known: as USI writes it in shogi, SAN in chess.
    line: Vec<String>,
    /// Does it end with the game?
    line_complete: bool,
    pub plies: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<MateReport>,
    pub nodes: u64,
    iterations: u64,
    pub seconds: f64,
    nodes_per_second: f64,
    pn: Option<u32>,
    dn: Option<u32>,
    algorithm: String,
    /// How several agents searched.
    pub scheme: Option<String>,
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
    pub saved_table: Option<String>,
    /// What to do about an unknown verdict, where something can be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

/// A certificate that was written.
#[derive(Clone, Serialize)]
pub struct CertificateReport {
    pub file: String,
    pub positions: u64,
    pub nodes: u64,
    pub checked: bool,
}

impl Report {
    /// What an outcome says of a problem; the rest is filled in by whoever knows it.
    pub fn new(args: &Args, item: &Item, any: &AnyProblem, outcome: Outcome) -> Report {
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
            asked: item.ply.map(|ply| ply.to_string()),
            verdict: outcome.verdict,
            reason: display::reason(outcome.verdict),
            answer: outcome.value().map(|value| any.answer(value, outcome.plies)),
            first_move: None,
            line: Vec::new(),
            line_complete: false,
            plies: outcome.value().and(outcome.plies.bounded()),
            mate: None,
            nodes: outcome.nodes,
            iterations: outcome.iterations,
            seconds,
            nodes_per_second: outcome.nodes as f64 / seconds.max(1e-9),
            pn: display::finite(pn),
            dn: display::finite(dn),
            algorithm: args.algorithm.clone(),
            scheme: None,
            r: None,
            hash_mib: args.hash >> 20,
            table_entries: 0,
            threads: 1,
            peak_memory_mib: None,
            certificate: None,
            shorter_certificate: None,
            saved_table: None,
            advice: match outcome.verdict {
                Verdict::Unknown(Reason::Memory) => Some(memory::advice(args.hash)),
                _ => None,
            },
        }
    }

    /// The line of the solution.
    pub fn set_line(&mut self, line: Line) {
        self.first_move = line.moves.first().filter(|_| line.is_solver_first).cloned();
        (self.line, self.line_complete) = (line.moves, line.is_complete);
    }

    /// The threads and the scheme, if several agents searched.
    fn team_words(&self) -> String {
        let Some(scheme) = &self.scheme else { return String::new() };
        let plural = if self.threads == 1 { "" } else { "s" };
        format!(" on {} thread{plural} ({scheme})", self.threads)
    }

    /// Prints it as the options say; people have had its [`heading`].
    pub fn print(&self, args: &Args) -> Result<()> {
        let mut out = yomikiri_files::report();
        let Report { verdict, reason, .. } = self;
        let paint = Paint::report();
        let label = |label| paint.label(label);
        if args.json {
            writeln!(out, "{}", serde_json::to_string(self)?)?;
            return Ok(());
        }
        let id = &self.id;
        let words = self.mate.as_ref().map(MateReport::words);
        let answer = words.as_deref().or(self.answer.as_deref()).unwrap_or(reason);
        // The names in a graph may be anything.
        let answer = display::plain(answer);
        let verdict = paint.text((*verdict).into(), &verdict.to_string());
        if args.quiet {
            // That a solution is not the question goes without saying.
            let asked = self.asked.as_ref().filter(|_| self.ply > Some(0));
            let asked = asked.map_or(String::new(), |asked| format!(" ({asked})"));
            writeln!(out, "{id}: {verdict}: {answer}{asked}")?;
            return Ok(());
        }
        writeln!(out, "{}{verdict}: {answer}", label("verdict"))?;
        if let Some(advice) = &self.advice {
            writeln!(out, "{}{advice}", label("advice"))?;
        }
        match &self.mate {
            Some(mate) => mate.print(&mut out, paint)?,
            None if self.line.is_empty() => {}
            None => {
                let moves: Vec<String> = self.line.iter().map(|m| display::plain(m)).collect();
                let more = if self.line_complete { "" } else { " …" };
                writeln!(out, "{}{}{more}", label("line"), display::in_lines(&moves, 8, 15))?;
            }
        }
        let number = |n: Option<u32>| n.map_or("∞".into(), |n| n.to_string());
        writeln!(
            out,
            "{}{}{}{}: {} nodes in {:.3} s ({}/s), pn {}, dn {}",
            label("search"),
            self.algorithm,
            self.r.map_or(String::new(), |r| format!(" (R = {r})")),
            self.team_words(),
            self.nodes,
            self.seconds,
            display::count(self.nodes_per_second as u64),
            number(self.pn),
            number(self.dn),
        )?;
        let peak = self.peak_memory_mib.map_or(String::new(), |mib| format!("; peak {mib:.0} MiB"));
        writeln!(
            out,
            "{}{} table entries in {} MiB{peak}",
            label("memory"),
            self.table_entries,
            self.hash_mib
        )?;
        if let Some(CertificateReport { file, positions, .. }) = &self.certificate {
            writeln!(out, "{}{file} ({positions} positions, checked)", label("certificate"))?;
        }
        if let Some(CertificateReport { file, positions, .. }) = &self.shorter_certificate {
            writeln!(out, "{}{file} ({positions} positions, checked)", label("not shorter"))?;
        }
        if let Some(file) = &self.saved_table {
            writeln!(out, "{}{file}", label("table"))?;
        }
        Ok(())
    }
}

/// Prints for people what is asked, and the board, if that is wanted, before the answer is searched.
pub fn heading(args: &Args, item: &Item, any: &AnyProblem, with_board: bool) -> Result<()> {
    if args.json || args.quiet {
        return Ok(());
    }
    let mut out = yomikiri_files::report();
    let question = display::plain(&any.question());
    writeln!(out, "{}: {}: {question}", item.id, any.game().name)?;
    if let Some(ply) = item.ply {
        writeln!(out, "{}{ply}", Paint::report().label("asked"))?;
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
    }

    /// All problems that were tried, and the bad ones.
    pub fn total(&self) -> usize {
        self.proven + self.disproven + self.unknown + self.bad
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Tally { proven, disproven, unknown, bad, nodes, seconds } = self;
        write!(f, "{proven} proven, {disproven} disproven, {unknown} unknown, {bad} bad; ")?;
        write!(f, "{nodes} nodes in {seconds:.3} s")
    }
}
