//! One search: on any game, with its line and its certificate.

use std::time::{Duration, Instant};

use andor::length::{self, Aim};
use andor::shortest::Bounds;
use andor::suggest_r;
use andor::{
    Algorithm, Control, Dfpn, Limits, Outcome, Progress, Reason, Solvable, Stop, Table, Verdict,
};
use anyhow::Result;
use yomikiri_question::attempt::{self, Knowledge, Lent, attempt_any};
use yomikiri_question::certificate::Source;
use yomikiri_question::games::{AnyProblem, Visitor};
use yomikiri_question::solution_line;

use super::args::Args;
use super::outputs::certify;
use super::report::Report;
use crate::certificate_file::Draft;
use crate::input::Item;
use crate::progress::Bar;

/// One problem being solved: runs on every game.
pub struct Solve<'a> {
    pub args: &'a Args,
    pub item: &'a Item,
    pub any: &'a AnyProblem,
    pub algorithm: Algorithm,
    pub table: &'a Table,
    /// The certificate, and one that nothing is shorter.
    pub certificates: Vec<Draft>,
    pub stop: &'a Stop,
    pub bar: Option<Bar>,
    /// The limit on time counts from `start`.
    pub limits: Limits,
    pub start: Instant,
}

impl Visitor for Solve<'_> {
    type Output = Result<Report>;

    fn visit<P: Solvable>(mut self, problem: &P) -> Result<Report> {
        if self.algorithm.r().is_some() && self.args.r.is_none() {
            self.algorithm = self.algorithm.with_r(suggest_r(problem));
        }
        // What is saved is the large table, and what was loaded is in it.
        let is_kept = self.args.load_table.is_some() || self.args.save_table.is_some();
        let tried = if is_kept { None } else { self.attempt(problem) };
        let (table, Found { outcome, bounds }) = match &tried {
            Some((table, found)) if self.is_final(found) => (&**table, found.clone()),
            Some((small, tried)) => {
                attempt::prepare(self.table, self.time_left(), self.stop);
                let searched = self.search(problem, tried.outcome.nodes);
                let is_tried_better = tried.knowledge() > searched.knowledge();
                let best = if is_tried_better { tried } else { &searched };
                let outcome = attempt::of_both(&best.outcome, &tried.outcome, &searched.outcome);
                let found = Found { outcome, ..best.clone() };
                (if is_tried_better { &**small } else { self.table }, found)
            }
            None => (self.table, self.search(problem, 0)),
        };
        self.bar = None;
        let mut report = Report::new(self.args, self.item, self.any, &outcome);
        report.table_entries = table.stored();
        report.r = self.algorithm.r();
        if let Some(bounds) = &bounds {
            let is_wanted = self.aim() == Some(Aim::Shortest);
            report.set_length(self.any, (bounds.least, bounds.known), is_wanted);
            report.is_open = is_wanted && !(bounds.is_exact() && bounds.line.complete);
        }
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
        report.set_line(match &bounds {
            Some(bounds) => solution_line::of_bounds(problem, bounds),
            None => solution_line::line(problem, claim.value, dfpn.plies, table),
        });
        let shorter = bounds.as_ref().and_then(|bounds| length::claims(problem, bounds).1);
        let shorter = shorter.filter(|_| self.aim() == Some(Aim::Shortest));
        let Solve { any, stop, certificates, .. } = self;
        let source = Source { dfpn, table, stop };
        let mut drafts = certificates.into_iter();
        if let Some(draft) = drafts.next() {
            report.certificate = certify(claim, any, &source, draft)?;
            report.cut_short = report.certificate.is_none();
        }
        if let (Some(claim), Some(draft)) = (shorter, drafts.next()) {
            report.shorter_certificate = certify(claim, any, &source, draft)?;
            report.cut_short |= report.shorter_certificate.is_none();
        }
        Ok(report)
    }
}

/// What was found: of a proof that has a length, the bounds of it too.
#[derive(Clone)]
struct Found<M> {
    outcome: Outcome,
    bounds: Option<Bounds<M>>,
}

impl<M: Clone> Found<M> {
    /// What it has found out.
    fn knowledge(&self) -> Knowledge {
        let lengths = self.bounds.as_ref();
        let lengths = lengths.map(|found| (found.least, found.known, found.line.complete));
        attempt::knowledge(&self.outcome, lengths)
    }
}

impl Solve<'_> {
    /// What is left of the time.
    fn time_left(&self) -> Option<Duration> {
        self.limits.time.map(|time| time.saturating_sub(self.start.elapsed()))
    }

    fn aim(&self) -> Option<Aim> {
        super::length::aim(self.args, self.any)
    }

    /// A try on a small table.
    fn attempt<P: Solvable>(&self, problem: &P) -> Option<(Lent, Found<P::Move>)> {
        let limits = Limits { time: self.time_left(), ..self.limits };
        let (table, outcome) = attempt_any(problem, &self.algorithm, limits, self.stop)?;
        let nodes = Some(2 * attempt::NODES).into_iter().chain(limits.nodes).min();
        let mut control = Control::new(Limits { nodes, ..limits });
        control.stop = self.stop.clone();
        let found = self.shorten(problem, &table, &mut control, outcome);
        Some((table, found))
    }

    /// Is nothing left to be found by more than a try?
    fn is_final<M>(&self, Found { outcome, bounds }: &Found<M>) -> bool {
        let is_over =
            self.stop.is_raised() || self.limits.nodes.is_some_and(|limit| outcome.nodes >= limit);
        match bounds {
            _ if is_over => true,
            None => outcome.verdict != Verdict::Unknown(Reason::Nodes),
            Some(bounds) => {
                let is_found = bounds.is_exact() || self.aim() != Some(Aim::Shortest);
                bounds.line.complete && is_found
            }
        }
    }

    /// Goes on from a proof to its length.
    fn shorten<P: Solvable>(
        &self,
        problem: &P,
        table: &Table,
        control: &mut Control<'_>,
        mut outcome: Outcome,
    ) -> Found<P::Move> {
        let settings = length::settings(&self.algorithm, self.any.dfpn());
        let bounds =
            self.aim().and_then(|aim| problem.shorten(aim, settings, table, control, &mut outcome));
        Found { outcome, bounds }
    }

    /// Searches the large table. What was tried in vain counts.
    fn search<P: Solvable>(&mut self, problem: &P, tried: u64) -> Found<P::Move> {
        let mut control = Control::new(Limits {
            nodes: self.limits.nodes.map(|nodes| nodes.saturating_sub(tried)),
            time: self.time_left(),
        });
        control.stop = self.stop.clone();
        let mut bar = self.bar.take();
        let mut show = |progress: &Progress| {
            if let Some(bar) = &mut bar {
                bar.show(progress);
            }
        };
        control.progress = Some(&mut show);
        let outcome = problem.search(&self.algorithm, self.table, &mut control);
        let mut found = self.shorten(problem, self.table, &mut control, outcome);
        found.outcome.elapsed = self.start.elapsed();
        found
    }
}
