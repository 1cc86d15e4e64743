//! `yomikiri solve`: problems in, verdicts and certificates out.

mod args;
mod game;
mod length;
mod mate;
mod mate_report;
mod one;
mod outputs;
mod recorded;
mod report;
mod score;
mod search;

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use andor::{Algorithm, Reason, Stop, Verdict};
use anyhow::{Result, anyhow, bail};
use yomikiri_files as files;
use yomikiri_question::algorithms::Traits;
use yomikiri_question::games::{self, AnyProblem, Game};
use yomikiri_question::lang::{Text, text};

use super::jobs::Desk;
use super::{Exit, file_stem};
use crate::batch::{Batch, listed};
use crate::certificate_file::Second;
use crate::folder;
use crate::input::{self, Item};
use crate::interrupt::stop_on_interrupt;
use crate::json;
use crate::lang;
use crate::memory;
use crate::terminal::{complain, is_reader_gone, stopped};
pub use args::Args;
use one::solve;
use outputs::Places;
use report::{Report, Tally};

/// A problem on its way: its text, and a name for its files.
struct Entry<'a> {
    item: &'a Item,
    stem: String,
}

/// What became of a problem.
struct Done {
    /// What its heading tells, where that is still to be printed.
    heading: Option<(AnyProblem, bool)>,
    result: Result<Report>,
}

/// Solves all that the options name.
pub fn run(args: &Args) -> Result<Exit> {
    let game = args.game.as_deref().and_then(games::find);
    let items = input::collect(&args.problems, &args.file, game)?;
    if args.record.every {
        check_options(args, true)?;
        return game::every(args, &items, game);
    }
    let items = game::choose(&args.record, items, game);
    let several = items.len() > 1;
    check_options(args, several)?;
    let share = args.jobs.share(items.len(), args.problem_threads()?, args.hash)?;
    let own = args.of_job(share);
    let stop = stop_on_interrupt()?;
    let mut names = HashSet::new();
    let entries: Vec<Entry<'_>> =
        items.iter().map(|item| Entry { item, stem: file_stem(&item.id, &mut names) }).collect();
    if several {
        let stems = entries.iter().map(|entry| entry.stem.as_str());
        folder::check(outputs::in_folders(args, stems), args.force)?;
    }
    let mut tally = Tally::default();
    let mut exit = Exit::Done;
    let start = Instant::now();
    let batch = Batch { jobs: share.jobs, stop: &stop, quiet: args.quiet };
    // Where the problems are searched one by one, people see what is asked before it is answered.
    let at_once = share.jobs > 1;
    let work = |desk: &mut Desk, entry: &Entry<'_>| {
        answer(&own, desk, entry, (game, several, at_once), &stop)
    };
    let deliver = |entry: &Entry<'_>, Done { heading, result }: Done| {
        if let Some((problem, is_score)) = heading {
            report::heading(args, entry.item, &problem, !several, is_score)?;
        }
        match result {
            Ok(mut report) => {
                report.advice = report.advice.map(|advice| match report.verdict {
                    Verdict::Unknown(Reason::Memory) => memory::advice(args.hash),
                    _ => advice,
                });
                if report.cut_short {
                    one::tell_uncertified(&report.id);
                }
                report.print(args)?;
                tally.add(&report);
                exit = exit.max(report.exit());
            }
            Err(error) if is_reader_gone(&error) => return Err(error),
            Err(error) => {
                let message = lang::chain(&error);
                complain(&message);
                if args.json && several {
                    json::error(&mut files::report(), entry.item, &message)?;
                }
                tally.bad += 1;
                exit = Exit::Bad;
            }
        }
        Ok(())
    };
    let name = |entry: &Entry<'_>| entry.item.id.clone();
    let begun = batch.run(&entries, name, Desk::default, work, deliver)?;
    if several {
        let untried: Vec<&str> = items[begun..].iter().map(|item| item.id.as_str()).collect();
        if !untried.is_empty() {
            let (count, names) = (untried.len(), listed(&untried));
            stopped(&text!(
                "{count} problems were not tried: {names}",
                "{count}題は解いていません: {names}"
            ));
            exit = exit.max(Exit::Unknown);
        }
        if !args.json {
            let passed = match share.jobs {
                1 => Text::default(),
                jobs => {
                    let seconds = start.elapsed().as_secs_f64();
                    text!(
                        "; {seconds:.3} s passed, {jobs} jobs",
                        "。実時間{seconds:.3}秒、同時に{jobs}題"
                    )
                }
            };
            writeln!(files::report(), "{tally}{passed}")?;
        }
    }
    Ok(exit)
}

/// Reads a problem and solves it. Its heading is printed at once, or left to be printed `later`.
fn answer(
    args: &Args,
    desk: &mut Desk,
    Entry { item, stem }: &Entry<'_>,
    (game, several, later): (Option<&'static Game>, bool, bool),
    stop: &Stop,
) -> Done {
    let place = |path: &Option<PathBuf>, extension: &str| {
        path.as_deref().map(|path| match several {
            true => path.join(format!("{stem}.{extension}")),
            false => path.to_owned(),
        })
    };
    let (certificate, kif) = (place(&args.certificate, "cert"), place(&args.kif, "kif"));
    let goal = args.goal();
    // The exact score is no goal of one search: it is left out of the text.
    let score = games::asks_for_score(&item.text, game, goal.as_deref());
    let problem = match score {
        Some(text) => Item { text: text.into(), ..(*item).clone() }.parse(game, None),
        None => item.parse(game, goal.as_deref()),
    };
    let problem = problem.map_err(|error| {
        let hint = input::file_hint(item);
        anyhow!(Text::new(|_| format!("{error}{hint}")))
    });
    let mut heading = None;
    let result = problem.and_then(|problem| {
        let is_told_of = item.recorded.is_none() || problem.is_told_of(&item.text);
        let recorded = item.recorded.filter(|_| is_told_of);
        let item = &Item { recorded, ..(*item).clone() };
        if score.is_some() && args.shortest {
            bail!(text!(
                "--shortest: the exact score is no proof of a length",
                "--shortest: 正確な得点に手数はありません"
            ));
        }
        let second = match score {
            Some(_) => Some(Second::More),
            None => length::is_wanted(args, &problem).then_some(Second::Shorter),
        };
        let certificate = (certificate.as_deref(), second);
        let places = Places::new(args, &problem, several, certificate, kif.as_deref())?;
        let tell = || {
            if later {
                heading = Some((problem.clone(), score.is_some()));
                return Ok(());
            }
            report::heading(args, item, &problem, !several, score.is_some())
        };
        solve(args, desk, (item, &problem), places, stop, tell, score.is_some())
    });
    Done { heading, result }
}

/// Complains about options that cannot be met, before anything is done.
fn check_options(args: &Args, several: bool) -> Result<()> {
    let algorithm = args.settings(&Traits::default())?;
    if args.save_table.is_some() || args.load_table.is_some() {
        if several {
            bail!(text!(
                "--save-table and --load-table take one problem at a time",
                "--save-table と --load-table は一題ずつにしか使えません"
            ));
        }
        if matches!(algorithm, Algorithm::Pn(_)) {
            bail!(text!(
                "--save-table and --load-table are for the df-pn algorithms",
                "--save-table と --load-table は df-pn 系の探索法用です"
            ));
        }
    }
    if args.any_mate && args.shortest {
        bail!(text!(
            "--any-mate takes the first mate, --shortest the shortest: only one can be met",
            "--any-mate は最初に見つかった詰み、--shortest は最短の詰みです。どちらか一方にしてください"
        ));
    }
    memory::check(args.hash)?;
    for (option, path) in [("--certificate", &args.certificate), ("--kif", &args.kif)] {
        let Some(path) = path.as_deref().filter(|path| several && !path.is_dir()) else { continue };
        if files::is_standard(path) || path.exists() {
            let path = path.display();
            bail!(text!(
                "{option} {path}: several problems need a directory, and that is none",
                "{option} {path}: 複数の問題にはフォルダを指定してください。これはフォルダではありません"
            ));
        }
    }
    Ok(())
}
