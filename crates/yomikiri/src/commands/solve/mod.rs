//! `yomikiri solve`: problems in, verdicts and certificates out.

mod args;
mod game;
mod mate;
mod one;
mod outputs;
mod report;
mod score;
mod search;

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

use andor::Algorithm;
use anyhow::{Result, anyhow, bail};
use yomikiri_files as files;
use yomikiri_question::algorithms::Traits;
use yomikiri_question::games;
use yomikiri_question::lang::{Text, text};

use super::{Exit, file_stem};
use crate::input::{self, Item};
use crate::interrupt::stop_on_interrupt;
use crate::json;
use crate::lang;
use crate::memory;
use crate::terminal::{complain, is_reader_gone, stopped};
pub use args::Args;
use one::solve;
use outputs::Places;
use report::Tally;

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
    let goal = args.goal();
    let stop = stop_on_interrupt()?;
    let mut names = HashSet::new();
    let mut tally = Tally::default();
    let mut exit = Exit::Done;
    for item in &items {
        if stop.is_raised() {
            break;
        }
        let stem = file_stem(&item.id, &mut names);
        let place = |path: &Option<PathBuf>, extension: &str| {
            path.as_deref().map(|path| match several {
                true => path.join(format!("{stem}.{extension}")),
                false => path.to_owned(),
            })
        };
        let paths = (place(&args.certificate, "cert"), place(&args.kif, "kif"));
        // The exact score is no goal of one search: it is left out of the text.
        let score = games::asks_for_score(&item.text, game, goal.as_deref());
        let problem = match score {
            Some(text) => Item { text: text.into(), ..item.clone() }.parse(game, None),
            None => item.parse(game, goal.as_deref()),
        };
        let problem = problem.map_err(|error| {
            let hint = input::file_hint(item);
            anyhow!(Text::new(|_| format!("{error}{hint}")))
        });
        let result = problem.and_then(|problem| {
            let (certificate, kif) = (paths.0.as_deref(), paths.1.as_deref());
            let second = match score {
                Some(_) => Some("more.cert"),
                None => problem.is_shogi().then_some("shorter.cert").filter(|_| !args.any_mate),
            };
            let places = Places::new(args, &problem, several, (certificate, second), kif)?;
            let heading = || report::heading(args, item, &problem, !several, score.is_some());
            solve(args, item, &problem, places, &stop, heading, score.is_some())
        });
        match result {
            Ok(report) => {
                report.print(args)?;
                tally.add(&report);
                exit = exit.max(report.exit());
            }
            Err(error) if is_reader_gone(&error) => return Err(error),
            Err(error) => {
                let message = lang::chain(&error);
                complain(&message);
                if args.json && several {
                    json::error(&mut files::report(), item, &message)?;
                }
                tally.bad += 1;
                exit = Exit::Bad;
            }
        }
    }
    if several {
        let untried = items.len() - tally.total();
        if untried > 0 {
            stopped(&text!("{untried} problems were not tried", "{untried}題は解いていません"));
            exit = exit.max(Exit::Unknown);
        }
        if !args.json {
            writeln!(files::report(), "{tally}")?;
        }
    }
    Ok(exit)
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
