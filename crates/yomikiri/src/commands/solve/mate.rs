//! `solve` for shogi: the length and the line of a mate, what is left over, and the record of it.

use std::time::{Duration, Instant};

use andor::{Dfpn, Scheme, Stop, Table};
use anyhow::Result;
use yomikiri_files::AtomicFile;
use yomikiri_question::attempt::{self, Attempt, Knowledge, attempt};
use yomikiri_question::certificate::Source;
use yomikiri_question::games::AnyProblem;
use yomikiri_question::games::shogi::Shogi;
use yomikiri_question::lang::text;
use yomikiri_question::solution_line::Line;
use yomikiri_question::solution_record::of_solution;
use yomikiri_tsume::{Answer, Event, Length, Mate, MateLimits};

use super::args::Args;
use super::mate_report::MateReport;
use super::outputs::certify;
use super::report::Report;
use crate::certificate_file::Draft;
use crate::input::{Item, output_name};
use crate::progress::Bar;
use crate::solution_record;
use crate::terminal;

/// A problem of shogi that is to be solved with df-pn.
pub struct Job<'a> {
    pub args: &'a Args,
    pub item: &'a Item,
    pub any: &'a AnyProblem,
    pub shogi: &'a Shogi,
    pub dfpn: Dfpn,
    /// How several agents search, if there are several.
    pub scheme: Option<Scheme>,
    pub table: &'a Table,
    pub stop: &'a Stop,
    /// The limit on time counts from here.
    pub start: Instant,
}

impl Job<'_> {
    /// Solves it, and writes what is to be written.
    pub fn solve(
        self,
        certificates: Vec<Draft>,
        kif: Option<AtomicFile>,
        mut bar: Option<Bar>,
    ) -> Result<Report> {
        let Job { args, item, any, shogi, dfpn, scheme, table, stop, .. } = self;
        let limits = MateLimits {
            nodes: args.node_limit(),
            time: self.time_left(),
            stop: stop.clone(),
            length: if args.any_mate { Length::First } else { Length::Shortest },
            plies: args.plies.into(),
        };
        let problem = shogi.tsume();
        // What is saved is the large table, and what was loaded is in it.
        let is_kept = args.load_table.is_some() || args.save_table.is_some();
        let tried = if is_kept { None } else { attempt(&problem, dfpn, &limits) };
        let (table, answer) = match &tried {
            Some(tried) if tried.is_final => (&*tried.table, tried.answer.clone()),
            Some(tried) => {
                attempt::prepare(table, self.time_left(), stop);
                self.better(tried, self.search(limits, tried.answer.outcome.nodes, bar.as_mut()))
            }
            None => (table, self.search(limits, 0, bar.as_mut())),
        };
        drop(bar);
        let mut report = Report::new(args, item, any, &answer.outcome);
        report.table_entries = table.stored();
        let mate = Mate::new(table).with_settings(dfpn).with_scheme(scheme);
        if let Some(solution) = answer.solution.as_ref() {
            let mut found = MateReport::new(shogi, solution, !args.any_mate, item.recorded);
            report.set_line(Line {
                moves: found.line.clone(),
                is_complete: solution.complete,
                is_solver_first: shogi.attacks(),
            });
            report.is_open = !args.any_mate && !solution.exact || !solution.complete;
            if let Some(draft) = kif {
                let _bar = Bar::spinning(args.quiet, &text!("variations", "変化").to_string());
                found.kif = Some(output_name(draft.target()));
                let mut solution = of_solution(&mate, shogi, solution, stop);
                if let Some(record) = &item.record {
                    solution.take_over(record);
                }
                solution_record::write(&solution, draft)?;
            }
            report.mate = Some(found);
        }
        self.certify(&answer, table, certificates, &mut report)?;
        Ok(report)
    }

    /// What is left of the time.
    fn time_left(&self) -> Option<Duration> {
        self.args.time.map(|time| time.saturating_sub(self.start.elapsed()))
    }

    /// Searches the large table. So many nodes were tried in vain, and count.
    fn search(&self, mut limits: MateLimits, tried: u64, mut bar: Option<&mut Bar>) -> Answer {
        limits.nodes = limits.nodes.map(|nodes| nodes.saturating_sub(tried));
        limits.time = self.time_left();
        let mate = Mate::new(self.table).with_settings(self.dfpn).with_scheme(self.scheme);
        let mut answer = mate.solve_watched(&self.shogi.tsume(), &limits, &mut |event| {
            if let (Event::Progress(progress), Some(bar)) = (event, &mut bar) {
                bar.show_mate(progress, &self.shogi.position);
            }
        });
        answer.outcome.elapsed = self.start.elapsed();
        answer
    }

    /// Of a try and the search after it, the one that has found out more, with its table. It took
    /// both.
    fn better<'t>(&'t self, tried: &'t Attempt, searched: Answer) -> (&'t Table, Answer) {
        let is_tried_better = knowledge(&tried.answer) > knowledge(&searched);
        let best = if is_tried_better { &tried.answer } else { &searched };
        let outcome = attempt::of_both(&best.outcome, &tried.answer.outcome, &searched.outcome);
        let answer = Answer { outcome, ..best.clone() };
        (if is_tried_better { &*tried.table } else { self.table }, answer)
    }

    /// Writes a certificate of the answer, and another one that there is no shorter mate: of a length
    /// that is open, none within fewer plies than it is known to take.
    fn certify(
        &self,
        answer: &Answer,
        table: &Table,
        drafts: Vec<Draft>,
        report: &mut Report,
    ) -> Result<()> {
        let _bar = (!drafts.is_empty())
            .then(|| Bar::spinning(self.args.quiet, &text!("certificate", "証明書").to_string()));
        let source = Source { dfpn: self.dfpn, table, stop: self.stop };
        let mut reports = Vec::new();
        let claims = answer.claims();
        if !drafts.is_empty() && claims.len() > drafts.len() && !self.args.any_mate {
            terminal::note(&text!(
                "the certificate that there is no shorter mate is written beside a file only",
                "最短の証明書は、証明書をファイルに書くときだけ一緒に書きます"
            ));
        }
        for (claim, draft) in claims.into_iter().zip(drafts) {
            match certify(claim.by_ref(), self.any, &source, draft)? {
                Some(written) => reports.push(written),
                None => report.cut_short = true,
            }
        }
        let mut reports = reports.into_iter();
        report.certificate = reports.next();
        report.shorter_certificate = reports.next();
        Ok(())
    }
}

/// What an answer has found out.
fn knowledge(answer: &Answer) -> Knowledge {
    let lengths = answer.solution.as_ref().map(|found| (found.least, found.length, found.complete));
    attempt::knowledge(&answer.outcome, lengths)
}
