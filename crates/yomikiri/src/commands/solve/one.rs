//! One problem solved: the search, what it leaves, and the report of it.

use std::io::BufWriter;
use std::path::Path;

use andor::deep::suggest_r;
use andor::{Algorithm, Control, Dfpn, Limits, Progress, Solvable, Stop, Table};
use anyhow::{Context, Result};
use yomikiri_files::{self as files, AtomicFile};

use super::args::{Args, small_table};
use super::mate;
use super::outputs::{Places, certify};
use super::report::Report;
use crate::certificate::Source;
use crate::games::{AnyProblem, Visitor};
use crate::input::Item;
use crate::progress::Bar;
use crate::{memory, solution_line, team_options};

/// One problem being solved: runs on every game.
struct Solve<'a> {
    args: &'a Args,
    item: &'a Item,
    any: &'a AnyProblem,
    algorithm: Algorithm,
    table: &'a Table,
    certificate: Option<AtomicFile>,
    stop: &'a Stop,
    bar: Option<Bar>,
}

impl Visitor for Solve<'_> {
    type Output = Result<Report>;

    fn visit<P: Solvable>(mut self, problem: &P) -> Result<Report> {
        let limits = Limits { nodes: self.args.node_limit(), time: self.args.time };
        let mut control = Control::new(limits);
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
        let mut report = Report::new(self.args, self.item, self.any, outcome);
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

/// Solves one problem. `heading` is printed when nothing can be wrong with the options any more, and
/// before the search.
pub fn solve(
    args: &Args,
    item: &Item,
    any: &AnyProblem,
    mut places: Places,
    stop: &Stop,
    heading: impl FnOnce() -> Result<()>,
) -> Result<Report> {
    let algorithm = args.settings(&any.traits())?;
    let saved = args.save_table.as_deref().map(AtomicFile::new).transpose()?;
    let bytes = match algorithm {
        Algorithm::Dfpn(_) | Algorithm::Team(..) => args.hash,
        Algorithm::Pn(_) => small_table(args.hash),
    };
    let table = match &args.load_table {
        Some(path) => load(path, bytes, &any.table_tag())?,
        None => Table::new(bytes).with_context(|| format!("--hash {}", args.hash >> 20))?,
    };
    heading()?;
    let bar = Bar::new(args.quiet, &item.id);
    let (dfpn, team) = match algorithm {
        Algorithm::Dfpn(dfpn) => (Some(dfpn), None),
        Algorithm::Team(dfpn, scheme) => (Some(dfpn), Some(scheme)),
        Algorithm::Pn(_) => (None, None),
    };
    let mut report = match (any, dfpn) {
        (AnyProblem::Shogi(problem), Some(dfpn)) if dfpn.deep == 1.0 => {
            let (shogi, scheme, table) = (problem, team, &table);
            mate::Job { args, item, any, shogi, dfpn, scheme, table, stop }.solve(places, bar)?
        }
        _ => {
            places.certificates.truncate(1);
            let certificate = places.certificates.pop();
            let visitor =
                Solve { args, item, any, algorithm, table: &table, certificate, stop, bar };
            any.visit(args.plain, visitor)?
        }
    };
    report.threads = team.map_or(1, |scheme| scheme.threads());
    report.scheme = team.map(|scheme| team_options::words(&scheme));
    if let Some(draft) = saved {
        report.saved_table = Some(files::name(draft.target(), "standard output"));
        table
            .save(&any.table_tag(), BufWriter::new(draft.file()))
            .context("cannot save the table")?;
        draft.finish()?;
    }
    report.peak_memory_mib = memory::peak_mib();
    if report.cut_short {
        eprintln!("stopped: the certificate of problem {} was not written", item.id);
    }
    Ok(report)
}

fn load(path: &Path, bytes: usize, tag: &str) -> Result<Table> {
    let cannot = || format!("cannot load the table {}", files::name(path, "of standard input"));
    let input = files::open(path).with_context(cannot)?;
    Table::load(bytes, tag, input).with_context(cannot)
}
