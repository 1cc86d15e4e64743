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

mod imbalance;
mod report;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use andor::Limits;

pub use self::imbalance::Share;
pub use self::report::{Line, Summary};
use crate::error::{Error, Result};
use crate::problems::{Base, Common, Item, Record, Row, Search, Set, Way, search_all, sets};

/// The two algorithms of Table 1: df-pn⁺ and df-pn.
pub const BASES: [Base; 2] = [Base::Dfpn, Base::NoHeuristics];

/// A game that is not in the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Game {
    /// Openings of Hex 7×7.
    Hex,
    /// Endgames of Othello.
    Othello,
}

/// What to run and where to put it.
#[derive(Clone, Debug)]
pub struct Options {
    /// What all experiments are told.
    pub common: Common,
    /// How many agents; 1, the sequential search, is always run.
    pub threads: Vec<usize>,
    /// Let the agents take turns of so many nodes on one thread.
    pub turns: Option<u64>,
    /// Searches at a time; more than one only where agents take turns.
    pub at_once: usize,
    /// One set only: `hard`, `zuko` or `muso`.
    pub only: Option<String>,
    /// A file with names of problems: these instead of the sets.
    pub problems: Option<PathBuf>,
    /// Df-pn⁺ only, not df-pn without the game's knowledge.
    pub only_plus: bool,
    /// Two problems of another game instead of the sets, with its knowledge only.
    pub game: Option<Game>,
    /// A hard problem takes more nodes than this.
    pub hard_nodes: u64,
    /// If there are fewer hard problems than this, the next largest are taken too.
    pub hard_count: usize,
}

impl Options {
    /// The experiment, or a minute of it.
    pub fn new(quick: bool) -> Options {
        let (nodes, seconds) = if quick { (400_000, 5) } else { (40_000_000, 60) };
        Options {
            common: Common::new(quick, "parallel", Some(nodes), Some(seconds)),
            threads: if quick { vec![1, 2, 4] } else { vec![1, 2, 4, 8, 16] },
            turns: None,
            at_once: 1,
            only: None,
            problems: None,
            only_plus: false,
            game: None,
            hard_nodes: 1_000_000,
            hard_count: if quick { 5 } else { 25 },
        }
    }

    /// The same with two problems of another game, which take a minute or so each: the limits are
    /// wider.
    pub fn of_game(game: Game, quick: bool) -> Options {
        let mut options = Options { game: Some(game), ..Options::new(quick) };
        options.common.limits = Limits { nodes: None, time: Some(Duration::from_secs(600)) };
        options
    }

    /// How often each search is run: agents in turns do the same every time.
    fn runs(&self) -> u32 {
        if self.turns.is_some() { 1 } else { self.common.runs }
    }

    /// Is the game's knowledge always used?
    fn knowledge_only(&self) -> bool {
        self.only_plus || self.game.is_some()
    }

    fn way(&self, threads: usize) -> Way {
        if threads == 1 { Way::Alone } else { Way::Virtual(threads, self.turns) }
    }

    fn check(&mut self) -> Result<()> {
        self.common.check()?;
        if self.threads.iter().any(|&threads| threads == 0 || threads > 256) {
            return Err(Error::BadOption("1 to 256 threads can be asked for".into()));
        }
        if self.turns == Some(0) {
            return Err(Error::BadOption("a turn of 0 nodes never ends".into()));
        }
        if self.at_once > 1 && self.turns.is_none() {
            let text = "searches on several threads are timed: one at a time, unless with turns";
            return Err(Error::BadOption(text.into()));
        }
        self.threads.push(1);
        self.threads.sort_unstable();
        self.threads.dedup();
        Ok(())
    }
}

/// A set of Table 1: its name for people and its problems.
type Chosen<'a> = (String, Vec<&'a Item>);

/// Runs the experiment, calling `progress` with how many searches of a stage are done and how many
/// there are. Results already recorded in the folder are taken from there.
pub fn run(options: &Options, progress: &(dyn Fn(usize, usize) + Sync)) -> Result<Summary> {
    let mut options = options.clone();
    options.check()?;
    let start = Instant::now();
    let common = &options.common;
    let text = options.problems.as_deref().map(yomikiri_files::read_to_string).transpose()?;
    let all = match &common.sets {
        Some(sets) => sets.clone(),
        // The long problems take too long for a minute.
        None if options.game == Some(Game::Hex) => vec![Set::hex()?],
        None if options.game == Some(Game::Othello) => vec![Set::othello()?],
        None if common.quick && options.problems.is_none() => sets(&["zuko", "muso"], true)?,
        None => sets(&["zuko", "muso", "long"], false)?,
    };
    let mut record = Record::open(&common.out, &common.settings("parallel"))?;
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
    search(&rest)?;
    searches.extend(rest);
    record.sort()?;
    let plan = report::Plan { options: &options, chosen, solvable, left_out, searches };
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
