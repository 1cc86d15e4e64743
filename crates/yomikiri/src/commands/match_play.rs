//! `yomikiri match`: engines against each other.

mod args;
mod result;
mod screen;
mod setup;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use andor::Stop;
use anyhow::{Context, Result, bail};
use yomikiri_cluster::Game;
use yomikiri_cluster::match_play::runner::RunError;
use yomikiri_cluster::match_play::{
    Finish, Journal, JournalError, Report, notation, run as play_match,
};
use yomikiri_files::{self as files, Growing};

pub use self::args::Args;
use self::screen::Screen;
use self::setup::Setup;
use super::Exit;
use crate::interrupt::stop_on_interrupt;
use crate::json;

/// Complains about a file of records that has some already, or cannot be written.
fn check_records(path: &Path, journal: Option<&Path>, is_resumed: bool) -> Result<()> {
    files::check(path)?;
    if files::is_standard(path) && journal.is_some_and(files::is_standard) {
        return Err(files::Error::OutputTaken.into());
    }
    let is_there = files::is_file(path) && fs::metadata(path).is_ok_and(|file| file.len() > 0);
    if is_there && !is_resumed {
        bail!("{} exists: give another name, or remove it", path.display());
    }
    Ok(())
}

/// Adds to the records of a match that goes on what they lack of the games before: the disk may have
/// been full in the middle of one. Where they hold anything else, that stays as it is.
fn catch_up(file: &mut Growing, known: &str) -> Result<(), files::Error> {
    let there = file.read()?;
    match known.strip_prefix(there.as_str()) {
        Some(missing) => {
            file.cut(there.len())?;
            file.add(missing)
        }
        None => Ok(()),
    }
}

pub fn run(args: &Args) -> Result<Exit> {
    let setup = Setup::new(args)?;
    let game = setup.plan.terms.game;
    let records = match (game, &args.pgn, &args.csa) {
        (Game::Shogi, Some(_), _) => bail!("PGN is for chess: give --csa for games of shogi"),
        (Game::Chess, _, Some(_)) => bail!("CSA is for shogi: give --pgn for games of chess"),
        (_, Some(path), _) | (_, _, Some(path)) => Some(path),
        _ => None,
    };
    if let Some(path) = records {
        check_records(path, args.out.as_deref(), args.resume)?;
    }
    let (mut journal, played) = match &args.out {
        None => (None, Vec::new()),
        Some(path) if args.resume => {
            let (journal, played) = Journal::resume(path, &setup.header)?;
            (Some(journal), played)
        }
        Some(path) => (Some(Journal::create(path, &setup.header)?), Vec::new()),
    };
    let event = setup.title();
    let mut records = records.map(|path| Growing::open(path)).transpose()?;
    if let Some(file) = records.as_ref().filter(|file| !file.lock()) {
        return Err(files::Error::InUse(file.path().into()).into());
    }
    if let Some(file) = records.as_mut().filter(|file| files::is_file(file.path())) {
        let known = played.iter().map(|record| notation::write(game, record, &event));
        catch_up(file, &known.collect::<Result<String, _>>()?)?;
    }
    let stop = stop_on_interrupt()?;
    let mut screen = Screen::new(args, &setup, &played);
    screen.greet(args)?;
    let mut recorded = played.len();
    let tell = |report: Report| -> Result<()> {
        match report {
            Report::Warning(warning) => screen.warn(&warning),
            Report::Game(record) => {
                if let Some(journal) = &mut journal {
                    journal.append(&record)?;
                    recorded += 1;
                }
                if let Some(file) = &mut records {
                    let text = notation::write(game, &record, &event)?;
                    file.add(&text)?;
                }
                screen.show(&record)?;
            }
        }
        Ok(())
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("cannot start threads")?;
    let ended = runtime.block_on(play_match(&setup.plan, &played, interrupted(&stop), tell));
    // Engines are told to quit; who does not is killed.
    runtime.shutdown_timeout(Duration::from_secs(1));
    let table = screen.finish();
    if !table.all().is_empty() || ended.is_ok() {
        if args.json {
            let finish = ended.as_ref().ok().copied();
            json::line(&mut files::report(), "match", &result::json(&setup, &table, finish))?;
        } else {
            files::report().write_all(result::text(&setup, &table).as_bytes())?;
        }
    }
    match ended {
        Err(RunError::Start(error)) => Err(kept(error.into(), args, recorded)),
        Err(RunError::Told(error)) => Err(kept(error, args, recorded)),
        Ok(Finish::Interrupted) => {
            if args.out.is_some() {
                eprintln!("broken off; the same command with --resume goes on");
            } else {
                eprintln!("broken off");
            }
            Ok(Exit::Unknown)
        }
        Ok(Finish::Complete | Finish::Decided) => Ok(Exit::Done),
    }
}

/// Why a match has ended early, with a word on what is left of it.
fn kept(error: anyhow::Error, args: &Args, games: usize) -> anyhow::Error {
    // It says by itself how to go on.
    let is_another = matches!(error.downcast_ref(), Some(JournalError::OtherEngine { .. }));
    let goes_on = games > 0 && !is_another;
    match args.out.as_deref().filter(|path| goes_on && files::is_file(path)) {
        Some(path) => error.context(format!(
            "broken off; {games} games are in {}, and the same command with --resume goes on",
            path.display()
        )),
        None => error,
    }
}

async fn interrupted(stop: &Stop) {
    while !stop.is_raised() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
