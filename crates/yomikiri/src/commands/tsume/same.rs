//! `yomikiri tsume same`: twins in a set of problems.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Result, anyhow};
use serde_json::{Value, json};
use yomikiri_question::games;
use yomikiri_question::games::shogi::{self, Shogi};
use yomikiri_question::lang::{Lang, Text, text};
use yomikiri_tsume::twins::{self, Relation};
use yomikiri_tsume::{Futile, Tsume};

use crate::commands::Exit;
use crate::input::{self, Item};
use crate::json;
use crate::terminal;

/// Options of `tsume same`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri tsume same --file mine.kif --known collection.tsv
  yomikiri tsume same --file a.tsv --file b.kif        twins in both together
  yomikiri tsume same '8k/9/8P/9/9/9/9/9/9 b G 1' '4k4/9/4P4/9/9/9/9/9/9 b G 1' --json

Twins are problems with the same pieces in the same places up to a mirror (left and right exchanged),
a shift of all of them by some files and ranks, or both, and with the same pieces in the attacker's
hand. What the defender holds may differ; that is told. A shifted twin need not have the same
solution: edges and the promotion zone differ. A problem with White as the attacker is turned round.

Exit code: 0 if there are no twins, 3 if there are, 2 on bad input.")]
pub struct Args {
    /// Problems: SFEN, or a whole record
    #[arg(value_name = "PROBLEM")]
    problems: Vec<String>,

    /// A file of problems: SFEN lines, a table, KIF, KI2, CSA or JKF. May be given again
    #[arg(long, short, value_name = "FILE")]
    file: Vec<PathBuf>,

    /// A file of known problems: only twins of these are told. May be given again
    #[arg(long, short, value_name = "FILE")]
    known: Vec<PathBuf>,

    /// One JSON object for each group of twins
    #[arg(long)]
    json: bool,
}

/// A problem that was read.
struct Read<'a> {
    item: &'a Item,
    problem: Tsume,
    is_known: bool,
}

pub fn run(args: &Args) -> Result<Exit> {
    let game = games::find("shogi");
    let known = match args.known.is_empty() {
        true => Vec::new(),
        false => input::collect(&[], &args.known, game)?,
    };
    let items = input::collect(&args.problems, &args.file, game)?;
    let mut exit = Exit::Done;
    let mut all = Vec::new();
    let both = known.iter().map(|item| (item, true)).chain(items.iter().map(|item| (item, false)));
    for (item, is_known) in both {
        match read(item) {
            Ok(problem) => all.push(Read { item, problem, is_known }),
            Err(error) => {
                let hint = input::file_hint(item);
                let message = Text::new(|_| format!("{error}{hint}"));
                terminal::complain(&message);
                if args.json {
                    json::error(&mut io::stdout(), item, &message)?;
                }
                exit = Exit::Bad;
            }
        }
    }
    let groups = groups(&all, !args.known.is_empty());
    let mut out = io::stdout().lock();
    for group in &groups {
        if args.json {
            json::line(&mut out, "tsume-same", &object(group))?;
        } else {
            print(group, &mut out)?;
        }
    }
    if !args.json {
        let (problems, groups) = (all.len(), groups.len());
        let words = text!(
            "{problems} problems, groups of twins: {groups}",
            "{problems}題、同一・類似図は{groups}組"
        );
        writeln!(out, "{words}")?;
    }
    Ok(if groups.is_empty() { exit } else { exit.max(Exit::Wrong) })
}

fn read(item: &Item) -> Result<Tsume> {
    let (record, format) = item.read(shogi::read).map_err(|error| anyhow!(error))?;
    let position = shogi::position(&record, format);
    let attacker = shogi::attacker(&position, true);
    Ok(Shogi { position, attacker, futile: Futile::NotCounted }.tsume())
}

/// The twins, in the order of their first ones. Of known problems only those with a twin among the
/// others.
fn groups<'a>(all: &'a [Read<'a>], with_known: bool) -> Vec<Vec<&'a Read<'a>>> {
    let mut places = HashMap::new();
    let mut groups: Vec<Vec<&Read<'_>>> = Vec::new();
    for read in all {
        let place = *places.entry(twins::shape(&read.problem)).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[place].push(read);
    }
    groups.retain(|group| {
        let known = group.iter().filter(|read| read.is_known).count();
        match with_known {
            true => known > 0 && known < group.len(),
            false => group.len() > 1,
        }
    });
    groups
}

/// How the others of a group come of the first.
fn relations<'a>(group: &[&'a Read<'a>]) -> Vec<(&'a Read<'a>, Relation)> {
    let Some((first, others)) = group.split_first() else { return Vec::new() };
    let told =
        |other: &&'a Read<'a>| Some((*other, twins::relation(&first.problem, &other.problem)?));
    others.iter().filter_map(told).collect()
}

fn object(group: &[&Read<'_>]) -> Value {
    let one = |read: &Read<'_>| {
        json!({"id": read.item.id, "source": read.item.source, "known": read.is_known,
            "problem": read.problem.position().to_string()})
    };
    let others = relations(group).into_iter().map(|(read, told)| {
        let mut object = one(read);
        object["mirrored"] = told.mirrored.into();
        object["files"] = told.files.into();
        object["ranks"] = told.ranks.into();
        object["same_rest"] = told.same_rest.into();
        object
    });
    json!({"first": group.first().map(|read| one(read)), "twins": others.collect::<Vec<_>>()})
}

fn print(group: &[&Read<'_>], out: &mut impl Write) -> Result<()> {
    let Some(first) = group.first() else { return Ok(()) };
    let name = |read: &Read<'_>| format!("{} ({})", read.item.id, read.item.source);
    writeln!(out, "{}: {}", name(first), first.problem.position())?;
    for (read, told) in relations(group) {
        writeln!(out, "  {}: {}", name(read), words(&told))?;
    }
    Ok(())
}

/// How a twin comes of another problem.
fn words(told: &Relation) -> Text {
    let mut words = Vec::new();
    if told.is_same() {
        words.push(text!("the same", "同一図"));
    }
    if told.mirrored {
        words.push(text!("mirror image", "左右反転"));
    }
    let steps = |by: i8| by.unsigned_abs();
    match told.files {
        0 => {}
        files if files > 0 => {
            let by = steps(files);
            words.push(text!("shifted left by {by}", "左へ{by}筋"));
        }
        files => {
            let by = steps(files);
            words.push(text!("shifted right by {by}", "右へ{by}筋"));
        }
    }
    match told.ranks {
        0 => {}
        ranks if ranks > 0 => {
            let by = steps(ranks);
            words.push(text!("shifted down by {by}", "下へ{by}段"));
        }
        ranks => {
            let by = steps(ranks);
            words.push(text!("shifted up by {by}", "上へ{by}段"));
        }
    }
    if !told.same_rest {
        words.push(text!("the defender holds something else", "玉方の持駒が異なる"));
    }
    Text::new(|lang| {
        let between = if lang == Lang::Ja { "、" } else { ", " };
        Text::joined(&words, between).to_string()
    })
}
