//! One search: on any game, with its line and its certificate.

use andor::suggest_r;
use andor::{Algorithm, Control, Dfpn, Limits, Progress, Solvable, Stop, Table};
use anyhow::Result;
use yomikiri_files::AtomicFile;

use super::args::Args;
use super::outputs::certify;
use super::report::Report;
use crate::certificate::Source;
use crate::games::{AnyProblem, Visitor};
use crate::input::Item;
use crate::progress::Bar;
use crate::solution_line;

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
        let mut control = Control::new(self.limits);
        control.stop = self.stop.clone();
        let mut bar = self.bar.take();
        let mut show = |progress: &Progress| {
            if let Some(bar) = &mut bar {
                bar.show(progress);
            }
        };
        control.progress = Some(&mut show);
        if self.algorithm.r().is_some() && self.args.r.is_none() {
            self.algorithm = self.algorithm.with_r(suggest_r(problem));
        }
        let outcome = problem.search(&self.algorithm, self.table, &mut control);
        drop(bar);
        let mut report = Report::new(self.args, self.item, self.any, &outcome);
        report.table_entries = self.table.stored();
        report.r = self.algorithm.r();
        let Some(claim) = outcome.claim(problem) else {
            return Ok(report);
        };
        let dfpn = match self.algorithm {
            Algorithm::Dfpn(dfpn) | Algorithm::Team(dfpn, _) => dfpn,
            Algorithm::Pn(pn) => Dfpn { heuristics: pn.heuristics, ..self.any.dfpn() },
        };
        report.set_line(solution_line::line(problem, claim.value, dfpn.plies, self.table));
        let Some(draft) = self.certificate else {
            return Ok(report);
        };
        let Solve { any, table, stop, .. } = self;
        report.certificate = certify(claim, any, &Source { dfpn, table, stop }, draft)?;
        report.cut_short = report.certificate.is_none();
        Ok(report)
    }
}
