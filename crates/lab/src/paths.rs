//! Multiple-paths search with pseudo-threads (Takano, Maekawa and Kasahara, 2009): Tables 2 to 4
//! and Fig. 5 to 7.
//!
//! Every problem is searched by df-pn and by a leader and workers in turns on one processor, over
//! a grid of leader quanta, numbers of pseudo-threads and covers (how far a worker searches a child,
//! which the paper leaves open). Such a search does the same every time, so nodes are what counts;
//! seconds stand beside them. Beside the totals stand what they are on problems that take df-pn few
//! nodes or many, an interval over the problems, and the same over other choices of problems
//! ([`Cell`]): the totals depend on what is not decided. What is not the paper's:
//!
//! - Its benchmark A (Zoku-tsumuya-tsumazaruya, 202 problems) is not at hand: Table 1 is left out,
//!   and *all* are B, Muso, and C, Zuko.
//! - The limit is one on nodes. As in the paper, a problem that neither arm decides is left out of
//!   the comparison, and one that only one arm decides counts with the limit for the other.
//! - The df-pn of both arms is ours, or a plainer one: see [`Base`].
//! - Fig. 5 compares the rules for quanta at one leader quantum.

use std::fmt::{self, Display, Formatter, Write as _};
use std::time::{Duration, Instant};

use andor::{Cover, Quanta};

use crate::error::{Error, Result};
use crate::origin;
use crate::problems::{Audit, Base, Common, Item, Record, Row, Search, Set, Way, search_all, sets};
use crate::stats::{geometric_mean, mean, ratio_of_sums};
use crate::svg::scale::log_range;
use crate::svg::{Chart, Point, Scale, Series, Side, Style};

/// Where the bins of problems end: by the nodes that df-pn takes.
const BINS: [f64; 3] = [1e5, 1e6, 1e7];
/// The rules for quanta of Fig. 5; the first is that of the tables.
const RULES: [Quanta; 3] = [Quanta::Shares, Quanta::Equally, Quanta::Tenth];
/// The leader quantum of Fig. 5 and 7.
const QUANTUM: u64 = 1000;
/// The pseudo-threads of Fig. 7.
const PSEUDO_THREADS: u8 = 8;

/// What to run and where to put it.
#[derive(Clone, Debug)]
pub struct Options {
    /// What all experiments are told. Nodes are the same in every run; seconds are means.
    pub common: Common,
    /// The df-pn of both arms.
    pub base: Base,
    /// Leader quanta.
    pub quanta: Vec<u64>,
    /// Numbers of pseudo-threads.
    pub pseudo_threads: Vec<u8>,
    /// How far workers search a child. Figures are made with the first.
    pub covers: Vec<Cover>,
    /// One problem in so many.
    pub step: usize,
    /// Searches at a time.
    pub at_once: usize,
}

impl Options {
    /// The experiment, or a minute of it.
    pub fn new(quick: bool) -> Options {
        let nodes = if quick { 50_000 } else { 20_000_000 };
        let mut common = Common::new(quick, "paths", Some(nodes), None);
        common.hash = common.hash.min(256 << 20);
        Options {
            common,
            base: Base::Dfpn,
            quanta: vec![100, 1000, 10_000],
            pseudo_threads: vec![4, 8],
            covers: vec![Cover::Least, Cover::Branch, Cover::Solved],
            step: 1,
            at_once: 1,
        }
    }

    fn check(&self) -> Result<()> {
        self.common.check()?;
        if self.common.limits.nodes.is_none() {
            return Err(Error::BadOption("this experiment needs a limit on nodes".into()));
        }
        if self.quanta.is_empty() || self.quanta.contains(&0) {
            return Err(Error::BadOption("a leader quantum is at least one node".into()));
        }
        if self.pseudo_threads.is_empty() || self.pseudo_threads.contains(&0) {
            return Err(Error::BadOption("at least one pseudo-thread is needed".into()));
        }
        if self.covers.is_empty() || self.step == 0 {
            return Err(Error::BadOption(
                "a cover is needed, and one problem in 1 at least".into(),
            ));
        }
        Ok(())
    }

    /// All ways to search but df-pn.
    fn ways(&self) -> Vec<Setting> {
        let mut ways = Vec::new();
        for &cover in &self.covers {
            for &quantum in &self.quanta {
                let setting =
                    |&count: &u8| Setting { rule: RULES[0], quantum, pseudo_threads: count, cover };
                ways.extend(self.pseudo_threads.iter().map(setting));
            }
        }
        for rule in &RULES[1..] {
            ways.extend(self.pseudo_threads.iter().map(|&count| self.fixed(*rule, count)));
        }
        ways
    }

    /// A setting of the figures: only the rule and the pseudo-threads differ there.
    fn fixed(&self, rule: Quanta, pseudo_threads: u8) -> Setting {
        let cover = self.covers.first().copied().unwrap_or_default();
        Setting { rule, quantum: self.fixed_quantum(), pseudo_threads, cover }
    }

    /// The leader quantum of Fig. 5 and 7: the paper's if it is in the grid.
    fn fixed_quantum(&self) -> u64 {
        let has = self.quanta.contains(&QUANTUM);
        if has { QUANTUM } else { self.quanta.first().copied().unwrap_or(QUANTUM) }
    }

    /// The pseudo-threads of Fig. 7.
    fn fixed_count(&self) -> u8 {
        let most = self.pseudo_threads.iter().max().copied().unwrap_or(PSEUDO_THREADS);
        if self.pseudo_threads.contains(&PSEUDO_THREADS) { PSEUDO_THREADS } else { most }
    }
}

/// How leader and workers search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// How quanta are divided.
    pub rule: Quanta,
    /// The leader's quantum.
    pub quantum: u64,
    /// Pseudo-threads, with the leader.
    pub pseudo_threads: u8,
    /// How far workers search a child.
    pub cover: Cover,
}

impl Display for Setting {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Setting { rule, quantum, pseudo_threads, cover } = self;
        write!(f, "{quantum} x {pseudo_threads} {rule} {cover}")
    }
}

/// Problems that take df-pn about as many nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// How many there are.
    pub problems: usize,
    /// Nodes of df-pn over nodes of the setting.
    pub by_nodes: f64,
}

/// Df-pn over a setting, both added up over some problems. What is not decided counts with the limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speedup {
    /// How many problems there are.
    pub problems: usize,
    /// Nodes of df-pn over nodes of the setting.
    pub by_nodes: f64,
    /// The 95 % interval of that over the problems.
    pub interval: (f64, f64),
    /// Seconds likewise.
    pub by_seconds: f64,
}

impl Speedup {
    fn of<'a>(pairs: impl Iterator<Item = &'a (Taken, Taken)> + Clone) -> Speedup {
        let nodes: Vec<(f64, f64)> = pairs.clone().map(|(a, b)| (a.nodes, b.nodes)).collect();
        let (by_nodes, interval) = ratio_of_sums(&nodes);
        let seconds = pairs.fold((0.0, 0.0), |sum, (a, b)| (sum.0 + a.seconds, sum.1 + b.seconds));
        let by_seconds = seconds.0 / seconds.1.max(1e-9);
        Speedup { problems: nodes.len(), by_nodes, interval, by_seconds }
    }
}

impl Display for Speedup {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Speedup { problems, by_nodes, interval: (low, high), by_seconds } = self;
        write!(f, "{by_nodes:.2} ({low:.2} to {high:.2}), {by_seconds:.2}, {problems:>3}")
    }
}

/// How one setting fared against df-pn on a set.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The set, or `all`.
    pub set: String,
    /// The setting.
    pub setting: Setting,
    /// On the problems that at least one of the two decides, as in the paper.
    pub either: Speedup,
    /// On all problems.
    pub whole: Speedup,
    /// On those that both decide.
    pub both: Speedup,
    /// Problems that df-pn does not decide and this setting does.
    pub only_paths: usize,
    /// Problems that df-pn decides and this setting does not.
    pub only_dfpn: usize,
    /// By the nodes that df-pn takes: below 10^5, 10^6, 10^7, and more.
    pub bins: [Bin; 4],
    /// The workers' nodes over the leader's.
    pub share: f64,
}

/// What the experiment found. Its [`Display`] is the text of `summary.txt`.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The tables: every setting on every set, and on all of them.
    pub cells: Vec<Cell>,
    /// The searches, and how many of them are certified.
    pub audit: Audit,
    text: String,
}

impl Display for Summary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Summary {
    /// One entry of a table.
    pub fn cell(&self, set: &str, setting: Setting) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.set == set && cell.setting == setting)
    }
}

/// Runs the experiment, calling `progress` with how many searches are done and how many there are.
/// Results already recorded in the folder are taken from there.
pub fn run(options: &Options, progress: &(dyn Fn(usize, usize) + Sync)) -> Result<Summary> {
    options.check()?;
    let start = Instant::now();
    let common = &options.common;
    let mut sets = match &common.sets {
        Some(sets) => sets.clone(),
        None => sets(&["muso", "zuko"], common.quick)?,
    };
    let settings = common.settings("paths", &sets);
    for set in &mut sets {
        set.items = std::mem::take(&mut set.items).into_iter().step_by(options.step).collect();
    }
    let mut record = Record::open(&common.out, &settings)?;
    let experiment = Experiment { options, sets: &sets };
    let mut searches = Vec::new();
    for run in 0..common.runs {
        for item in sets.iter().flat_map(|set| &set.items) {
            searches.push(experiment.search(item, None, run));
            let ways = options.ways();
            searches.extend(ways.iter().map(|&way| experiment.search(item, Some(way), run)));
        }
    }
    search_all(common, &mut record, &searches, options.at_once, progress)?;
    record.sort()?;
    experiment.report(&record, &searches, start.elapsed())
}

struct Experiment<'a> {
    options: &'a Options,
    sets: &'a [Set],
}

/// A problem searched in one way: means over runs.
#[derive(Clone, Copy)]
struct Taken {
    decided: bool,
    nodes: f64,
    seconds: f64,
    /// Nodes of the leader and of the workers.
    shares: (f64, f64),
}

/// A point of Fig. 6 or 7: the problem, the nodes of df-pn, the ratio, and whether it is a bound.
type Ratio = (String, f64, f64, bool);

impl<'a> Experiment<'a> {
    fn search(&self, item: &'a Item, way: Option<Setting>, run: u32) -> Search<'a> {
        let way = way.map_or(Way::Alone, |setting| {
            let Setting { rule, quantum, pseudo_threads, cover } = setting;
            Way::pseudo_threads(pseudo_threads, quantum, rule, cover)
        });
        let (base, limits) = (self.options.base, self.options.common.limits);
        Search { item, base, way, run, limits }
    }

    fn taken(&self, record: &Record, item: &'a Item, way: Option<Setting>) -> Option<Taken> {
        let runs = 0..self.options.common.runs;
        let rows: Option<Vec<&Row>> =
            runs.map(|run| record.get(&self.search(item, way, run))).collect();
        let rows = rows?;
        Some(Taken {
            decided: rows.iter().all(|row| row.value.is_some()),
            nodes: mean(rows.iter().map(|row| row.nodes as f64)),
            seconds: mean(rows.iter().map(|row| row.seconds)),
            shares: (
                mean(rows.iter().map(|row| row.shares.0 as f64)),
                mean(rows.iter().map(|row| row.shares.1 as f64)),
            ),
        })
    }

    fn items(&self, set: &str) -> impl Iterator<Item = &'a Item> {
        let sets = self.sets.iter().filter(move |other| set == "all" || other.name == set);
        sets.flat_map(|set| &set.items)
    }

    fn cell(&self, record: &Record, set: &str, setting: Setting) -> Cell {
        let all: Vec<(Taken, Taken)> = self
            .items(set)
            .filter_map(|item| {
                Some((self.taken(record, item, None)?, self.taken(record, item, Some(setting))?))
            })
            .collect();
        let either = all.iter().filter(|(alone, paths)| alone.decided || paths.decided);
        let bins = [0, 1, 2, 3].map(|bin: usize| {
            let (least, most) =
                (bin.checked_sub(1).map_or(0.0, |below| BINS[below]), BINS.get(bin));
            let inside = Speedup::of(either.clone().filter(|(alone, _)| {
                alone.nodes >= least && most.is_none_or(|most| alone.nodes < *most)
            }));
            Bin { problems: inside.problems, by_nodes: inside.by_nodes }
        });
        let total = |value: fn(&(f64, f64)) -> f64| -> f64 {
            either.clone().map(|(_, paths)| value(&paths.shares)).sum()
        };
        Cell {
            set: set.into(),
            setting,
            either: Speedup::of(either.clone()),
            whole: Speedup::of(all.iter()),
            both: Speedup::of(all.iter().filter(|(alone, paths)| alone.decided && paths.decided)),
            only_paths: either.clone().filter(|(alone, _)| !alone.decided).count(),
            only_dfpn: either.clone().filter(|(_, paths)| !paths.decided).count(),
            bins,
            share: total(|shares| shares.1) / total(|shares| shares.0).max(1.0),
        }
    }

    /// Nodes of one way over nodes of another, by problem.
    fn ratios(&self, record: &Record, over: Option<Setting>, under: Option<Setting>) -> Vec<Ratio> {
        let ratio = |item: &'a Item| {
            let alone = self.taken(record, item, None)?;
            let (over, under) = (self.taken(record, item, over)?, self.taken(record, item, under)?);
            let bound = !(over.decided && under.decided && alone.decided);
            let ratio = over.nodes / under.nodes.max(1.0);
            (over.decided || under.decided).then(|| (item.id.clone(), alone.nodes, ratio, bound))
        };
        self.items("all").filter_map(ratio).collect()
    }

    fn report(
        &self,
        record: &Record,
        searches: &[Search<'_>],
        elapsed: Duration,
    ) -> Result<Summary> {
        let options = self.options;
        let names: Vec<&str> =
            self.sets.iter().map(|set| set.name.as_str()).chain(["all"]).collect();
        let cells = names
            .iter()
            .flat_map(|set| options.ways().into_iter().map(|way| self.cell(record, set, way)));
        let mut summary =
            Summary { cells: cells.collect(), audit: record.audit(searches)?, text: String::new() };
        let save = |name: &str, text: String| {
            let path = options.common.out.join(name);
            yomikiri_files::write(&path, text)
        };
        save("tables.csv", cells_csv(&summary.cells))?;
        save("fig5.svg", self.fig5(&summary).to_string())?;
        // The best and the worst setting of Table 4.
        let mut grid: Vec<&Cell> = summary
            .cells
            .iter()
            .filter(|cell| cell.set == "all" && cell.setting.rule == RULES[0])
            .collect();
        grid.sort_by(|a, b| a.either.by_nodes.total_cmp(&b.either.by_nodes));
        let ends = grid.first().zip(grid.last()).map(|(worst, best)| (worst.setting, best.setting));
        // Of one setting there is no worst and best.
        let ends = ends.filter(|(worst, best)| worst != best);
        let fig6 = ends.map(|(worst, best)| self.ratios(record, Some(worst), Some(best)));
        let fig6 = fig6.unwrap_or_default();
        let fixed = options.fixed(RULES[0], options.fixed_count());
        let fig7 = self.ratios(record, None, Some(fixed));
        save("fig7.csv", ratios_csv("Fig. 7: nodes of df-pn / of the setting", &fig7))?;
        if let Some((worst, best)) = ends {
            save("fig6.csv", ratios_csv("Fig. 6: nodes with the worst setting / the best", &fig6))?;
            let title = format!("Fig. 6: {worst} / {best}");
            save("fig6.svg", scatter(title, "nodes: worst setting / best", &fig6).to_string())?;
        }
        let title = format!("Fig. 7: {fixed}");
        save("fig7.svg", scatter(title, "speed-up over df-pn, by nodes", &fig7).to_string())?;
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.describe(&mut text, &summary, &fig6, &fig7, elapsed);
        save("summary.txt", text.clone())?;
        summary.text = text;
        Ok(summary)
    }

    /// Fig. 5: the rules for quanta over the pseudo-threads.
    fn fig5(&self, summary: &Summary) -> Chart {
        let options = self.options;
        let most = options.pseudo_threads.iter().max().copied().unwrap_or(2);
        let line = |rule: &Quanta| {
            let point = |&count: &u8| {
                let cell = summary.cell("all", options.fixed(*rule, count))?;
                Some(Point { x: count.into(), y: cell.either.by_nodes, ..Point::default() })
            };
            Series {
                name: rule_name(*rule).into(),
                side: Side::Left,
                style: Style::Line,
                points: options.pseudo_threads.iter().filter_map(point).collect(),
            }
        };
        Chart {
            title: "Fig. 5: how quanta are divided".into(),
            subtitle: format!("all problems; leader quantum {}", options.fixed_quantum()),
            x_label: "pseudo-threads".into(),
            x_range: (0.0, most.into()),
            x_step: if most > 10 { 5.0 } else { 1.0 },
            left: Scale { label: "speed-up over df-pn, by nodes".into(), logarithmic: false },
            right: None,
            reference: Some(1.0),
            series: RULES.iter().map(line).collect(),
        }
    }

    fn describe(
        &self,
        out: &mut String,
        summary: &Summary,
        fig6: &[Ratio],
        fig7: &[Ratio],
        elapsed: Duration,
    ) -> fmt::Result {
        let options = self.options;
        writeln!(
            out,
            "Multiple-paths search (Takano, Maekawa and Kasahara, 2009): Tables 2 to 4, Fig. 5 to 7\n"
        )?;
        origin::describe(out)?;
        writeln!(
            out,
            "searches  base {}; at most {} each; table of {} MiB; {} runs, {} at a time",
            options.base,
            options.common.limits_text(),
            options.common.hash >> 20,
            options.common.runs,
            options.at_once
        )?;
        summary.audit.describe(out, elapsed)?;
        writeln!(
            out,
            "\nSpeed-up: the nodes of df-pn over those of the multiple-paths search, both added up over the problems that\n\
             at least one of the two decides; where one does not, it counts with the limit. Nodes are the same in every\n\
             run. By seconds stands beside it, and needs a quiet machine{}. Benchmark A (Zoku-tsumuya) is not at hand.",
            if options.at_once > 1 {
                " and one search at a time, which this run did not have"
            } else {
                ""
            }
        )?;
        let sets = self.sets.iter().map(|set| {
            let table = match set.name.as_str() {
                "muso" => "Table 2, benchmark B, Muso".to_owned(),
                "zuko" => "Table 3, benchmark C, Zuko".to_owned(),
                _ => set.title(),
            };
            (set.name.as_str(), table)
        });
        for (set, title) in sets.chain([("all", "Table 4, all problems".to_owned())]) {
            for &cover in &options.covers {
                self.describe_table(out, summary, set, &title, cover)?;
            }
        }
        self.describe_bins(out, summary)?;
        describe_choices(out, summary)?;
        writeln!(
            out,
            "\nFig. 5: leader quantum {}, all problems, by nodes",
            options.fixed_quantum()
        )?;
        for rule in RULES {
            write!(out, "  {:<36}", rule_name(rule))?;
            let cells: Vec<&Cell> = options
                .pseudo_threads
                .iter()
                .filter_map(|&count| summary.cell("all", options.fixed(rule, count)))
                .collect();
            for cell in &cells {
                write!(out, "{:>7.2}", cell.either.by_nodes)?;
            }
            writeln!(
                out,
                "   GM {:.2}",
                geometric_mean(cells.iter().map(|cell| cell.either.by_nodes))
            )?;
        }
        let faster = |ratios: &[Ratio]| {
            let count = ratios.iter().filter(|ratio| ratio.2 > 1.0).count();
            format!("{count} of {} ({:.0} %)", ratios.len(), {
                100.0 * count as f64 / ratios.len().max(1) as f64
            })
        };
        writeln!(out)?;
        if !fig6.is_empty() {
            let faster = faster(fig6);
            writeln!(out, "Fig. 6: the best setting takes fewer nodes than the worst on {faster}")?;
        }
        let fixed = options.fixed(RULES[0], options.fixed_count());
        writeln!(out, "Fig. 7: {fixed} takes fewer nodes than df-pn on {}", faster(fig7))?;
        if let Some((id, nodes, ratio, bound)) = fig7.iter().max_by(|a, b| a.2.total_cmp(&b.2)) {
            let bound = if *bound { " at least" } else { "" };
            writeln!(out, "  best: {id}, {nodes:.0} nodes by df-pn, speed-up{bound} {ratio:.2}")?;
        }
        if let Some(cell) = summary.cell("all", fixed) {
            writeln!(
                out,
                "  decided by it and not by df-pn: {}; by df-pn and not by it: {}",
                cell.only_paths, cell.only_dfpn
            )?;
        }
        writeln!(
            out,
            "\nThe paper, by seconds, all problems: 1.67 at 1000 x 8 (B 1.95, C 2.11), GM of the rules 1.28 shares, 1.03\n\
             equally, 1.08 tenth; faster than df-pn on 63 %, best 20.03, two problems solved that df-pn did not solve."
        )
    }

    /// All settings over all problems: with an interval, and by what the problems take df-pn.
    fn describe_bins(&self, out: &mut String, summary: &Summary) -> fmt::Result {
        writeln!(
            out,
            "\nAll problems, by nodes: 95 % interval over the problems (bootstrap), and by the nodes of df-pn (problems);\n\
             w/l: the workers' nodes over the leader's\n{:<28}{:>8}{:>16}{:>14}{:>14}{:>14}{:>14}{:>7}",
            "", "all", "95 %", "< 10^5", "< 10^6", "< 10^7", "more", "w/l"
        )?;
        for cell in summary.cells.iter().filter(|cell| cell.set == "all") {
            let (low, high) = cell.either.interval;
            write!(
                out,
                "{:<28}{:>8.2}{:>16}",
                cell.setting.to_string(),
                cell.either.by_nodes,
                format!("{low:.2} to {high:.2}")
            )?;
            for bin in &cell.bins {
                let text = match bin.problems {
                    0 => "-".into(),
                    problems => format!("{:.2} ({problems})", bin.by_nodes),
                };
                write!(out, "{text:>14}")?;
            }
            writeln!(out, "{:>7.2}", cell.share)?;
        }
        Ok(())
    }

    fn describe_table(
        &self,
        out: &mut String,
        summary: &Summary,
        set: &str,
        title: &str,
        cover: Cover,
    ) -> fmt::Result {
        let options = self.options;
        let grid = |quantum, pseudo_threads| {
            summary.cell(set, Setting { rule: RULES[0], quantum, pseudo_threads, cover })
        };
        let problems = self.items(set).count();
        writeln!(
            out,
            "\n{title}, cover {cover}: speed-up by nodes (by seconds); {problems} problems"
        )?;
        write!(out, "{:>14}", "quantum")?;
        for count in &options.pseudo_threads {
            write!(out, "{count:>15}")?;
        }
        writeln!(out, "{:>15}", "GM")?;
        let means = |out: &mut String, cells: &[&Cell]| {
            let nodes = geometric_mean(cells.iter().map(|cell| cell.either.by_nodes));
            let seconds = geometric_mean(cells.iter().map(|cell| cell.either.by_seconds));
            write!(out, "{nodes:>8.2} ({seconds:.2})")
        };
        for &quantum in &options.quanta {
            write!(out, "{quantum:>14}")?;
            let counts = options.pseudo_threads.iter();
            let row: Vec<&Cell> = counts.filter_map(|&count| grid(quantum, count)).collect();
            for cell in &row {
                write!(out, "{:>8.2} ({:.2})", cell.either.by_nodes, cell.either.by_seconds)?;
            }
            means(out, &row)?;
            writeln!(out)?;
        }
        write!(out, "{:>14}", "GM")?;
        for &count in &options.pseudo_threads {
            let quanta = options.quanta.iter();
            let column: Vec<&Cell> = quanta.filter_map(|&quantum| grid(quantum, count)).collect();
            means(out, &column)?;
        }
        writeln!(out)
    }
}

/// All settings over the problems that either decides, over all, and over those that both decide.
fn describe_choices(out: &mut String, summary: &Summary) -> fmt::Result {
    let line = |out: &mut String, name: &str, columns: [String; 3]| {
        let [either, whole, both] = columns;
        writeln!(out, "{name:<28}{either:>32}{whole:>32}{both:>32}")
    };
    let titles = ["either decides", "all, undecided at the limit", "both decide"];
    writeln!(
        out,
        "\nAll problems, by which of them count; the paper counts those that at least one of the two decides. By nodes\n\
         (95 %), by seconds, problems"
    )?;
    line(out, "", titles.map(String::from))?;
    for cell in summary.cells.iter().filter(|cell| cell.set == "all") {
        let columns = [cell.either, cell.whole, cell.both].map(|speedup| speedup.to_string());
        line(out, &cell.setting.to_string(), columns)?;
    }
    Ok(())
}

fn rule_name(rule: Quanta) -> &'static str {
    match rule {
        Quanta::Shares => "shares (proposal)",
        Quanta::Equally => "equally",
        Quanta::Tenth => "tenth (10-times)",
        Quanta::Weight(_) => "weight",
    }
}

fn cells_csv(cells: &[Cell]) -> String {
    let mut csv = String::from(
        "set,rule,quantum,pseudo_threads,cover,problems,only_paths,only_dfpn,speedup_nodes,low,high,speedup_seconds,\
         workers_over_leader,problems_below_1e5,speedup_below_1e5,problems_below_1e6,speedup_below_1e6,problems_below_1e7,\
         speedup_below_1e7,problems_more,speedup_more,problems_whole,whole_nodes,whole_low,whole_high,whole_seconds,\
         problems_both,both_nodes,both_low,both_high,both_seconds\n",
    );
    for cell in cells {
        let Setting { rule, quantum, pseudo_threads, cover } = cell.setting;
        // Writing to a string cannot fail.
        let _ = write!(
            csv,
            "{},{rule},{quantum},{pseudo_threads},{cover},{},{},{},{:.4},{:.4},{:.4},{:.4},{:.4}",
            cell.set,
            cell.either.problems,
            cell.only_paths,
            cell.only_dfpn,
            cell.either.by_nodes,
            cell.either.interval.0,
            cell.either.interval.1,
            cell.either.by_seconds,
            cell.share
        );
        for bin in &cell.bins {
            let _ = write!(csv, ",{},{:.4}", bin.problems, bin.by_nodes);
        }
        for Speedup { problems, by_nodes, interval: (low, high), by_seconds } in
            [cell.whole, cell.both]
        {
            let _ = write!(csv, ",{problems},{by_nodes:.4},{low:.4},{high:.4},{by_seconds:.4}");
        }
        csv.push('\n');
    }
    csv
}

fn ratios_csv(title: &str, ratios: &[Ratio]) -> String {
    let mut csv = format!("# {title}\nproblem,dfpn_nodes,ratio,is_bound\n");
    for (id, nodes, ratio, bound) in ratios {
        // Writing to a string cannot fail.
        let _ = writeln!(csv, "{id},{nodes:.0},{ratio:.4},{bound}");
    }
    csv
}

fn scatter(title: String, label: &str, ratios: &[Ratio]) -> Chart {
    let point = |&(_, x, y, hollow): &Ratio| Point { x, y, hollow, reach: 0.0 };
    let bounds = ratios.iter().filter(|ratio| ratio.3).count();
    let hollow = if bounds > 0 { "; hollow: one search reached the limit" } else { "" };
    Chart {
        title,
        subtitle: format!("{} problems{hollow}", ratios.len()),
        x_label: "nodes of df-pn".into(),
        x_range: log_range(ratios.iter().map(|ratio| ratio.1)),
        x_step: 0.0,
        left: Scale { label: label.into(), logarithmic: true },
        right: None,
        reference: Some(1.0),
        series: vec![Series {
            name: "a problem".into(),
            side: Side::Left,
            style: Style::Dots,
            points: ratios.iter().map(point).collect(),
        }],
    }
}
