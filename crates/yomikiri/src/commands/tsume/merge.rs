//! `yomikiri tsume merge`: one set of problems out of several files.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread::available_parallelism;

use anyhow::{Result, anyhow};
use yomikiri_files as files;
use yomikiri_question::games;
use yomikiri_question::games::shogi;
use yomikiri_question::lang::text;
use yomikiri_tsume::make::{Looked, Made, MakeOptions, Maker, look};

use super::make::{head, parse_lengths, row};
use crate::batch::Batch;
use crate::commands::Exit;
use crate::commands::options::{SoundName, parse_whole};
use crate::input::{self, Item};
use crate::interrupt::stop_on_interrupt;
use crate::terminal;

/// Options of `tsume merge`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri tsume merge --file hard1.tsv --file hard2.tsv --sound length --plies 31..101 \\
    --out hard.tsv
  yomikiri tsume merge --file mine.tsv --plies 9..11 --count 20

Every problem is solved again on an empty table, and its certificates are written and checked: that it
is mate within its length, and not within less. What is not as sound as asked for, has another length,
is the twin of another problem (see `tsume same`) or comes to the same position is left out. Of what
remains --count are taken, from the longest down, one of each length in turn, so that lengths are
spread. Problems are sorted by length and get new names; what the files say at their heads is kept.

Exit code: 0 if there are as many as asked for, 1 if there are fewer, 2 on bad input.")]
pub struct Args {
    /// A file of problems. May be given again
    #[arg(long, short, value_name = "FILE", required = true)]
    file: Vec<PathBuf>,

    /// At most so many problems
    #[arg(long, short = 'n', value_name = "N", default_value = "200",
        value_parser = parse_whole::<usize>(1, u64::from(u32::MAX)))]
    count: usize,

    /// Their lengths in plies: from..to, or one length
    #[arg(long, value_name = "PLIES", default_value = "3..101", value_parser = parse_lengths)]
    plies: (u16, u16),

    /// What a problem has to be
    #[arg(long, value_name = "WHAT", default_value = "strict")]
    sound: SoundName,

    /// So many problems at a time [default: cores]
    #[arg(long, value_name = "N", value_parser = parse_whole::<usize>(1, 1024))]
    jobs: Option<usize>,

    /// Where to [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    /// No progress bar, and no summary
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(args: &Args) -> Result<Exit> {
    let items = input::collect(&[], &args.file, games::find("shogi"))?;
    if let Some(out) = &args.out {
        files::check(out)?;
    }
    let stop = stop_on_interrupt()?;
    let (shortest, longest) = args.plies;
    let mut maker = {
        let sound = args.sound.into();
        Maker::new(MakeOptions { shortest, longest, sound, ..MakeOptions::default() })?
    };
    let mut exit = Exit::Done;
    let mut of_length: BTreeMap<u16, VecDeque<Looked>> = BTreeMap::new();
    let work = |_: &mut (), item: &Item| -> Result<Option<Looked>> {
        let (record, format) = item.read(shogi::read).map_err(|error| anyhow!(error))?;
        Ok(look(&shogi::position(&record, format), args.sound.into(), &stop)?)
    };
    let deliver = |item: &Item, looked: Result<Option<Looked>>| {
        match looked {
            Ok(Some(looked)) => of_length.entry(looked.length()).or_default().push_back(looked),
            Ok(None) => {}
            Err(error) => {
                terminal::complain(&format!("{}: {error:#}", item.id));
                exit = Exit::Bad;
            }
        }
        Ok(())
    };
    let cores = available_parallelism().map_or(1, NonZeroUsize::get);
    let jobs = args.jobs.unwrap_or(cores).min(items.len());
    let batch = Batch { jobs, stop: &stop, quiet: args.quiet };
    batch.run(&items, |item| item.id.clone(), || (), work, deliver)?;
    let certified: usize = of_length.values().map(VecDeque::len).sum();
    if stop.is_raised() {
        terminal::stopped(&text!("nothing was written", "何も書いていません"));
        return Ok(exit.max(Exit::Unknown));
    }
    let mut all = chosen(&mut maker, of_length, args.count);
    all.sort_by_key(|made| (made.length(), made.number));
    let mut text = heads(args)?;
    text += head(args.sound);
    text.extend(all.iter().map(|made| row(made, args.sound)));
    match &args.out {
        Some(out) => files::write(out, text)?,
        None => io::stdout().lock().write_all(text.as_bytes())?,
    }
    if !args.quiet {
        let (read, merged) = (items.len(), all.len());
        terminal::tell(&text!(
            "{read} problems read, {certified} certified, {merged} in the set",
            "{read}題を読み、{certified}題を証明書で確かめ、{merged}題をまとめました"
        ));
    }
    Ok(if all.len() < args.count { exit.max(Exit::Unknown) } else { exit })
}

/// One of each length in turn, from the longest down, until there are enough.
fn chosen(
    maker: &mut Maker,
    mut of_length: BTreeMap<u16, VecDeque<Looked>>,
    count: usize,
) -> Vec<Made> {
    let mut all = Vec::new();
    while all.len() < count && !of_length.is_empty() {
        for looked in of_length.values_mut().rev() {
            let next = std::iter::from_fn(|| looked.pop_front());
            let made = next.into_iter().find_map(|looked| maker.admit(looked));
            all.extend(made.filter(|_| all.len() < count));
        }
        of_length.retain(|_, looked| !looked.is_empty());
    }
    all
}

/// What the files say at their heads, each line once.
fn heads(args: &Args) -> Result<String> {
    let mut said: HashSet<String> = head(args.sound).lines().map(str::to_owned).collect();
    let mut text = String::new();
    for path in args.file.iter().filter(|path| !files::is_standard(path)) {
        for line in files::read_to_string(path)?.lines().filter(|line| line.starts_with('#')) {
            if said.insert(line.to_owned()) {
                text += line;
                text.push('\n');
            }
        }
    }
    Ok(text)
}
