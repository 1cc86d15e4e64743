//! One search: on any game, with its line and its certificate.

use std::time::Duration;

use andor::suggest_r;
use andor::{
    Algorithm, Control, Dfpn, Limits, Outcome, Progress, Reason, Solvable, Stop, Table, Verdict,
};
use anyhow::Result;
use yomikiri_files::AtomicFile;
use yomikiri_question::attempt::attempt_any;
use yomikiri_question::certificate::Source;
use yomikiri_question::games::{AnyProblem, Visitor};
use yomikiri_question::solution_line;

use super::args::Args;
use super::outputs::certify;
use super::report::Report;
use crate::input::Item;
use crate::progress::Bar;

/// One problem being solved: runs on every game.
pub struct Solve<'a> {
    pub args: &'a Args,
    pub item: &'a Item,
    pub any: &'a AnyProblem,
    pub algorithm: Algorithm,
    pub table: &'a Table,
    pub certificate: Option<AtomicFile>,
    pub stop: &'a Stop,
    pub bar: Option<Bar>,
    pub limits: Limits,
}

impl Visitor for Solve<'_> {
    type Output = Result<Report>;

    fn visit<P: Solvable>(mut self, problem: &P) -> Result<Report> {
        if self.algorithm.r().is_some() && self.args.r.is_none() {
            self.algorithm = self.algorithm.with_r(suggest_r(problem));
        }
        // What is saved is the large table, and what was loaded is in it.
        let is_kept = self.args.load_table.is_some() || self.args.save_table.is_some();
        let tried = if is_kept {
            None
        } else {
            attempt_any(problem, &self.algorithm, self.limits, self.stop)
        };
        let (table, outcome) = match &tried {
            Some((table, tried)) if tried.verdict != Verdict::Unknown(Reason::Nodes) => {
                (&**table, tried.clone())
            }
            Some((_, tried)) => {
                self.table.make_real();
                (self.table, self.search(problem, tried.nodes, tried.elapsed))
            }
            None => (self.table, self.search(problem, 0, Duration::ZERO)),
        };
        self.bar = None;
        let mut report = Report::new(self.args, self.item, self.any, &outcome);
        report.table_entries = table.stored();
        report.r = self.algorithm.r();
        if let (Some(recorded), AnyProblem::Chess(_)) = (self.item.recorded, self.any) {
            report.set_recorded(recorded);
        }
        let Some(claim) = outcome.claim(problem) else {
            return Ok(report);
        };
        let dfpn = match self.algorithm {
            Algorithm::Dfpn(dfpn) | Algorithm::Team(dfpn, _) => dfpn,
            Algorithm::Pn(pn) => Dfpn { heuristics: pn.heuristics, ..self.any.dfpn() },
        };
        report.set_line(solution_line::line(problem, claim.value, dfpn.plies, table));
        let Some(draft) = self.certificate else {
            return Ok(report);
        };
        let Solve { any, stop, .. } = self;
        report.certificate = certify(claim, any, &Source { dfpn, table, stop }, draft)?;
        report.cut_short = report.certificate.is_none();
        Ok(report)
    }
}

impl Solve<'_> {
    /// Searches the large table. What was tried in vain counts.
    fn search<P: Solvable>(&mut self, problem: &P, tried: u64, elapsed: Duration) -> Outcome {
        let mut control = Control::new(Limits {
            nodes: self.limits.nodes.map(|nodes| nodes.saturating_sub(tried)),
            time: self.limits.time.map(|time| time.saturating_sub(elapsed)),
        });
        control.stop = self.stop.clone();
        let mut show = |progress: &Progress| {
            if let Some(bar) = &mut self.bar {
                bar.show(progress);
            }
        };
        control.progress = Some(&mut show);
        let mut outcome = problem.search(&self.algorithm, self.table, &mut control);
        outcome.nodes += tried;
        outcome.elapsed += elapsed;
        outcome
    }
}
