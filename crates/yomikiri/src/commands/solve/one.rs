//! One problem solved: what is made ready, the search, and the report of it.

use std::io::BufWriter;
use std::path::Path;
use std::time::Instant;

use andor::{Algorithm, Limits, Stop, Table};
use anyhow::{Context, Result};
use yomikiri_files::{self as files, AtomicFile};
use yomikiri_question::games::AnyProblem;
use yomikiri_question::lang::text;
use yomikiri_question::team_options;

use super::args::{Args, small_table};
use super::outputs::Places;
use super::report::Report;
use super::search::Solve;
use super::{mate, score};
use crate::commands::jobs::Desk;
use crate::input::{Item, input_name, output_name};
use crate::memory;
use crate::progress::Bar;
use crate::terminal;

/// Solves one problem. `heading` is printed when nothing can be wrong with the options any more, and
/// before the search. With `is_score` the exact score of a position of Othello is looked for, whatever
/// its goal. The table is that of the desk.
pub fn solve(
    args: &Args,
    desk: &mut Desk,
    (item, any): (&Item, &AnyProblem),
    places: Places,
    stop: &Stop,
    heading: impl FnOnce() -> Result<()>,
    is_score: bool,
) -> Result<Report> {
    let start = Instant::now();
    let algorithm = args.settings(&any.traits())?;
    let saved = args.save_table.as_deref().map(AtomicFile::new).transpose()?;
    let bytes = match algorithm {
        Algorithm::Dfpn(_) | Algorithm::Team(..) => args.hash,
        Algorithm::Pn(_) => small_table(args.hash),
    };
    let loaded;
    let table = match &args.load_table {
        Some(path) => {
            loaded = load(path, bytes, &any.table_tag())?;
            &loaded
        }
        None => desk.table(bytes).with_context(|| format!("--hash {}", args.hash >> 20))?,
    };
    heading()?;
    let (dfpn, team) = match algorithm {
        Algorithm::Dfpn(dfpn) => (Some(dfpn), None),
        Algorithm::Team(dfpn, scheme) => (Some(dfpn), Some(scheme)),
        Algorithm::Pn(_) => (None, None),
    };
    let bar = || Bar::new(args.quiet, &item.id);
    let Places { certificates, kif } = places;
    let (drafts, certificates) = certificates.split();
    let mut report = match (any, dfpn) {
        (&AnyProblem::Othello(position, _), _) if is_score => {
            let job = score::Job { args, item, position, algorithm, table, stop, start };
            job.solve(drafts)?
        }
        (AnyProblem::Shogi(problem), Some(dfpn)) if dfpn.deep == 1.0 => {
            let (shogi, scheme) = (problem, team);
            let job = mate::Job { args, item, any, shogi, dfpn, scheme, table, stop, start };
            job.solve(drafts, kif, bar())?
        }
        _ => {
            let limits = Limits { nodes: args.node_limit(), time: args.time };
            let bar = bar();
            let certificates = drafts;
            let visitor =
                Solve { args, item, any, algorithm, table, certificates, stop, bar, limits, start };
            any.visit(args.plain, visitor)?
        }
    };
    certificates.finish()?;
    report.threads = team.map_or(1, |scheme| scheme.threads());
    report.scheme = team.map(|scheme| team_options::words(&scheme));
    if let Some(draft) = saved {
        report.saved_table = Some(output_name(draft.target()));
        table
            .save(&any.table_tag(), BufWriter::new(draft.file()))
            .with_context(|| text!("cannot save the table", "置換表を保存できません"))?;
        draft.finish()?;
    }
    report.peak_memory_mib = memory::peak_mib();
    Ok(report)
}

/// Says on standard error that Ctrl-C came before the certificate of a problem.
pub fn tell_uncertified(id: &str) {
    terminal::stopped(&text!(
        "the certificate of problem {id} was not written",
        "問題 {id} の証明書は書いていません"
    ));
}

fn load(path: &Path, bytes: usize, tag: &str) -> Result<Table> {
    let name = input_name(path);
    let of = if files::is_standard(path) { "of " } else { "" };
    let cannot = || text!("cannot load the table {of}{name}", "置換表 {name} を読み込めません");
    let input = files::open(path).with_context(cannot)?;
    Table::load(bytes, tag, input).with_context(cannot)
}
