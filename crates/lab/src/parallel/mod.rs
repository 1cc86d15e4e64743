//! Parallel df-pn (Kaneko, "Parallel depth first proof number search", 2010): Table 1 and Fig. 5
//! to 7.
//!
//! Sets of tsume-shogi problems are searched by one agent and by several, with the game's knowledge
//! (df-pn⁺) and without it (df-pn). What is not the paper's:
//!
//! - All problems of a set are taken that df-pn⁺ decides within the limits, those without a mate
//!   too; the paper leaves the defective ones out. What is left out is named.
//! - *Hard* are the problems for which the sequential df-pn⁺ takes more than a million nodes, and
//!   then the next largest up to 25: our df-pn⁺ takes fewer nodes than the paper's.
//! - With [`Options::turns`] the agents take turns on one thread. Nodes and entries are then
//!   repeatable and need no quiet machine, but seconds say nothing: the *ideal* time is given, that
//!   of the sequential search times the share of its nodes that each agent has.
//!
//! Each problem is searched by several agents with four times the limits of the sequential search.
//! A run that is ended while several agents search tells what is complete by then.

mod imbalance;
mod options;
mod plan;
mod report;
mod table;

use std::collections::BTreeSet;
use std::time::Instant;

use andor::Limits;
use yomikiri_tsume::CheckCost;

pub use self::imbalance::Share;
use self::options::Chosen;
pub use self::options::{Game, Options};
use self::plan::Plan;
pub use self::report::Summary;
pub use self::table::Line;
use crate::error::{Error, Result};
use crate::problems::{Base, Item, Record, Row, Search, Set, Subject, Way, search_all, sets};

/// The two algorithms of Table 1: df-pn⁺ and df-pn.
pub const BASES: [Base; 2] = [Base::Dfpn, Base::NoEvaluation];

/// Runs the experiment, calling `progress` with how many searches of a stage are done and how many
/// there are. Results already recorded in the folder are taken from there.
pub fn run(options: &Options, progress: &(dyn Fn(usize, usize) + Sync)) -> Result<Summary> {
    let mut options = options.clone();
    options.check()?;
    let start = Instant::now();
    let common = &options.common;
    let text = options.problems.as_deref().map(yomikiri_files::read_to_string).transpose()?;
    let mut all = match &common.sets {
        Some(sets) => sets.clone(),
        // The long problems take too long for a minute.
        None if options.game == Some(Game::Hex) => vec![Set::hex()?],
        None if options.game == Some(Game::Othello) => vec![Set::othello()?],
        None if common.quick && options.problems.is_none() => sets(&["muso", "zuko"], true)?,
        None => sets(&["muso", "zuko", "long"], false)?,
    };
    let mut settings = common.settings("parallel", &all);
    if options.sacrifice {
        settings += "; cost of a sacrifice";
        for item in all.iter_mut().flat_map(|set| &mut set.items) {
            if let Subject::Tsume(tsume) = &mut item.subject {
                **tsume = (**tsume).clone().with_cost(CheckCost::Sacrifice);
            }
        }
    }
    let mut record = Record::open(&common.out, &settings)?;
    let mut search = |searches: &[Search<'_>]| {
        search_all(common, &mut record, searches, options.at_once, progress)?;
        let rows = searches.iter().map(|search| {
            record
                .get(search)
                .copied()
                .ok_or_else(|| Error::BadOption("a search went missing from the record".into()))
        });
        rows.collect::<Result<Vec<Row>>>()
    };
    let task = |item, base, way, run| {
        let Limits { nodes, time } = common.limits;
        let limits = match way {
            Way::Alone => common.limits,
            _ => Limits { nodes: nodes.map(|n| n.saturating_mul(4)), time: time.map(|t| t * 4) },
        };
        Search { item, base, way, run, limits }
    };

    // First the sequential df-pn⁺, which says what is hard.
    let listed = listed(&options, text.as_deref(), &all)?;
    // What is hard is told of tsume-shogi only.
    let wants = |name: &str| match options.game {
        Some(_) => name != "hard",
        None => options.only.as_deref().is_none_or(|only| only == name),
    };
    let candidates: Vec<&Item> = match &listed {
        Some((_, items)) => items.clone(),
        None if wants("hard") => all.iter().flat_map(|set| &set.items).collect(),
        None => all.iter().filter(|set| wants(&set.name)).flat_map(|set| &set.items).collect(),
    };
    let first: Vec<Search<'_>> =
        candidates.iter().map(|item| task(*item, Base::Dfpn, Way::Alone, 0)).collect();
    let rows = search(&first)?;
    let decided: BTreeSet<&str> = candidates
        .iter()
        .zip(&rows)
        .filter(|(_, row)| row.value.is_some())
        .map(|(item, _)| item.id.as_str())
        .collect();
    let left_out: Vec<String> = candidates
        .iter()
        .map(|item| item.id.clone())
        .filter(|id| !decided.contains(id.as_str()))
        .collect();
    let mut chosen: Vec<Chosen<'_>> = match &listed {
        Some(listed) => vec![listed.clone()],
        None => {
            let tables = all.iter().filter(|set| set.name != "long" && wants(&set.name));
            tables.map(|set| (set.title(), set.items.iter().collect())).collect()
        }
    };
    if listed.is_none() && wants("hard") {
        chosen.push(("Hard".into(), hard(&options, &candidates, &rows)));
    }
    for (_, items) in &mut chosen {
        items.retain(|item| decided.contains(item.id.as_str()));
    }
    if chosen.iter().all(|(_, items)| items.is_empty()) {
        return Err(Error::BadOption("no problem is left to search".into()));
    }

    // Then the sequential searches, and the parallel ones of what these decide.
    let items: Vec<&Item> = {
        let mut seen = BTreeSet::new();
        let items = chosen.iter().flat_map(|(_, items)| items.iter().copied());
        items.filter(|item| seen.insert(item.id.as_str())).collect()
    };
    let mut searches = first;
    let mut solvable: Vec<(Base, Vec<&Item>)> = Vec::new();
    let bases = if options.knowledge_only() { &BASES[..1] } else { &BASES };
    for &base in bases {
        let alone: Vec<Search<'_>> =
            items.iter().map(|item| task(*item, base, Way::Alone, 0)).collect();
        let rows = search(&alone)?;
        let solved = items.iter().zip(rows).filter(|(_, row)| row.value.is_some());
        solvable.push((base, solved.map(|(item, _)| *item).collect()));
        searches.extend(alone);
    }
    let mut rest = Vec::new();
    for run in 0..options.runs() {
        for (base, items) in &solvable {
            for item in items {
                for &threads in &options.threads {
                    rest.push(task(*item, *base, options.way(threads), run));
                }
            }
        }
    }
    // What there is of the table is told, even if the run is ended.
    let unfinished = match search(&rest) {
        Ok(_) => None,
        Err(Error::Stopped { done, total }) => Some((done, total)),
        Err(error) => return Err(error),
    };
    searches.extend(rest);
    record.sort()?;
    let plan = Plan { options: &options, chosen, solvable, left_out, searches, unfinished };
    report::write(&plan, &record, start.elapsed())
}

/// The problems of the file that was given.
fn listed<'a>(options: &Options, text: Option<&str>, all: &'a [Set]) -> Result<Option<Chosen<'a>>> {
    let Some((path, text)) = options.problems.as_ref().zip(text) else { return Ok(None) };
    let ids = text.lines().map(str::trim).filter(|id| !id.is_empty() && !id.starts_with('#'));
    let items = ids.map(|id| {
        let found = all.iter().flat_map(|set| &set.items).find(|item| item.id == id);
        let missing = || format!("{}: there is no problem `{id}`", path.display());
        found.ok_or_else(|| Error::BadOption(missing()))
    });
    let name = path.file_stem().map_or("listed".into(), |stem| stem.to_string_lossy().into_owned());
    Ok(Some((crate::problems::title(&name), items.collect::<Result<_>>()?)))
}

/// The hard ones of what was searched.
fn hard<'a>(options: &Options, items: &[&'a Item], rows: &[Row]) -> Vec<&'a Item> {
    let solved = items.iter().zip(rows).filter(|(_, row)| row.value.is_some());
    let mut by_size: Vec<(u64, &'a Item)> = solved.map(|(item, row)| (row.nodes, *item)).collect();
    by_size.sort_by_key(|&(nodes, _)| std::cmp::Reverse(nodes));
    let large = by_size.iter().filter(|&&(nodes, _)| nodes > options.hard_nodes).count();
    by_size.truncate(large.max(options.hard_count));
    by_size.into_iter().map(|(_, item)| item).collect()
}
