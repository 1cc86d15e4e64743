//! Parallel multiple-paths search (Takano, Maekawa, Kasahara and Narita): Tables 4 to 6 and Fig. 4.
//!
//! Muso is searched by df-pn, by multiple-paths search on one processor (MPS), by AND/OR-tree
//! hierarchical pincers attack search (AOHPAS, one pseudo-thread a processor) and by PMPS with
//! several assignments of pseudo-threads to processors. What counts is wall time, so searches run
//! one at a time and the machine has to be quiet. What is not the paper's:
//!
//! - It ran on two processors throughout, AOHPAS with three or four threads too. Here each
//!   processor of an assignment is a thread, and where it runs is the system's business:
//!   `taskset -c 0,1` makes it two processors.
//! - A pseudo-thread's turn is 1,000 nodes, the leader's and the workers' alike; in MPS the leader's
//!   is 1,750.
//! - The df-pn of all arms is ours, or a plainer one: see [`Base`].
//! - A row for four processors, `L|S,S|S,S|S,S`.

use std::fmt::{self, Display, Formatter, Write as _};
use std::time::{Duration, Instant};

use andor::{Assignment, AssignmentError, Cover, Paths, Quanta};

use crate::error::{Error, Result};
use crate::origin;
use crate::problems::{Audit, Base, Common, Item, Record, Row, Search, Set, Way, search_all, sets};
use crate::stats::{mean, sigma};
use crate::svg::{Chart, Point, Scale, Series, Side, Style};

/// The nodes of a turn.
const QUANTUM: u64 = 1000;
/// The leader's turn in MPS, where leader and workers share the only processor.
const MPS_QUANTUM: u64 = 1750;

/// One arm of the comparison: its table, its name, its assignment, and the paper's speed-up.
type Arm = (&'static str, &'static str, &'static str, Option<f64>);

/// The arms besides df-pn. Those that stand in two tables are searched once.
const ARMS: [Arm; 12] = [
    ("Table 4", "3A", "L|S,S", Some(1.88)),
    ("Table 4", "3B", "L,S|S", Some(1.20)),
    ("Table 5", "4A", "L|S,S,S", Some(1.82)),
    ("Table 5", "4B", "L,S|S,S", Some(1.78)),
    ("Table 5", "4C", "L,S,S|S", Some(0.93)),
    ("Table 6", "MPS", "L,S,S", Some(1.13)),
    ("Table 6", "AOHPAS", "L|S|S", Some(1.54)),
    ("Table 6", "PMPS 3A", "L|S,S", Some(1.88)),
    ("Fig. 4", "AOHPAS 2", "L|S", None),
    ("Fig. 4", "AOHPAS 4", "L|S|S|S", Some(1.13)),
    ("four processors", "AOHPAS", "L|S|S|S", None),
    ("four processors", "PMPS", "L|S,S|S,S|S,S", None),
];

/// What to run and where to put it.
#[derive(Clone, Debug)]
pub struct Options {
    /// What all experiments are told.
    pub common: Common,
    /// The df-pn of all arms.
    pub base: Base,
    /// How far workers search a child.
    pub cover: Cover,
}

impl Options {
    /// The experiment, or a minute of it.
    pub fn new(quick: bool) -> Options {
        let mut common = Common::new(quick, "pmps", None, Some(if quick { 1 } else { 60 }));
        common.runs = if quick { 1 } else { 3 };
        Options { common, base: Base::Dfpn, cover: Cover::Least }
    }
}

/// How one arm fared.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The table or figure it belongs to.
    pub table: &'static str,
    /// Its name there.
    pub name: &'static str,
    /// The pseudo-threads on each processor.
    pub assignment: String,
    /// Wall seconds over all problems, the mean over runs.
    pub seconds: f64,
    /// Their deviation over runs.
    pub sigma: Option<f64>,
    /// How many times as fast as df-pn.
    pub speedup: f64,
    /// The deviation of that over runs.
    pub speedup_sigma: Option<f64>,
    /// Nodes of all threads in relation to df-pn.
    pub nodes: f64,
    /// Searches not decided, which count with the limit.
    pub undecided: usize,
    /// The paper's speed-up.
    pub paper: Option<f64>,
}

/// What the experiment found. Its [`Display`] is the text of `summary.txt`.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Df-pn, then the arms.
    pub lines: Vec<Line>,
    /// Problems that no arm decides.
    pub left_out: Vec<String>,
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
    /// The line of an assignment.
    pub fn line(&self, assignment: &str) -> Option<&Line> {
        self.lines.iter().find(|line| line.assignment == assignment)
    }
}

/// Runs the experiment, calling `progress` with how many searches are done and how many there are.
/// Results already recorded in the folder are taken from there.
pub fn run(options: &Options, progress: &(dyn Fn(usize, usize) + Sync)) -> Result<Summary> {
    let common = &options.common;
    common.check()?;
    let Some(limit) = common.limits.time else {
        return Err(Error::BadOption("this experiment needs a limit on time".into()));
    };
    let start = Instant::now();
    let found = match &common.sets {
        Some(sets) => sets.clone(),
        None => sets(&["muso"], common.quick)?,
    };
    let set = found.iter().find(|set| set.name == "muso").or(found.first());
    let set = set.ok_or_else(|| Error::BadOption("no problem to search".into()))?;
    let mut record = Record::open(&common.out, &common.settings("pmps", &found))?;
    let experiment = Experiment { options, set, limit: limit.as_secs_f64() };
    let mut searches: Vec<Search<'_>> = Vec::new();
    for run in 0..common.runs {
        for item in &set.items {
            searches.push(experiment.search(item, "L", run)?);
            for (i, arm) in ARMS.iter().enumerate() {
                if !ARMS[..i].iter().any(|other| other.2 == arm.2) {
                    searches.push(experiment.search(item, arm.2, run)?);
                }
            }
        }
    }
    search_all(common, &mut record, &searches, 1, progress)?;
    record.sort()?;
    experiment.report(&record, &searches, start.elapsed())
}

struct Experiment<'a> {
    options: &'a Options,
    set: &'a Set,
    limit: f64,
}

impl<'a> Experiment<'a> {
    fn search(&self, item: &'a Item, assignment: &str, run: u32) -> Result<Search<'a>> {
        let way = if assignment == "L" {
            Way::Alone
        } else {
            let assignment: Assignment = assignment
                .parse()
                .map_err(|error: AssignmentError| Error::BadOption(error.to_string()))?;
            let (quantum, quanta) = match assignment.processors() {
                1 => (MPS_QUANTUM, Quanta::Weight(1.75)),
                _ => (QUANTUM, Quanta::Equally),
            };
            debug_assert_eq!(quanta.of_worker(quantum, assignment.pseudo_threads() - 1), QUANTUM);
            Way::Paths(Paths {
                quantum,
                quanta,
                cover: self.options.cover,
                ..Paths::new(assignment)
            })
        };
        let (base, limits) = (self.options.base, self.options.common.limits);
        Ok(Search { item, base, way, run, limits })
    }

    /// The results of an arm on these problems, run by run.
    fn rows(&self, record: &Record, items: &[&'a Item], assignment: &str) -> Result<Vec<Vec<Row>>> {
        let runs = 0..self.options.common.runs;
        runs.map(|run| {
            let row = |item: &&'a Item| {
                let row = record.get(&self.search(item, assignment, run)?).copied();
                row.ok_or_else(|| Error::BadOption("a search went missing".into()))
            };
            items.iter().map(row).collect()
        })
        .collect()
    }

    fn report(
        &self,
        record: &Record,
        searches: &[Search<'_>],
        elapsed: Duration,
    ) -> Result<Summary> {
        let decided = |item: &&'a Item| {
            searches
                .iter()
                .filter(|search| search.item.id == item.id)
                .any(|search| record.get(search).is_some_and(|row| row.value.is_some()))
        };
        let (items, lost): (Vec<&Item>, Vec<&Item>) = self.set.items.iter().partition(decided);
        let mut lines = Vec::new();
        let alone: Vec<Vec<Row>> = self.rows(record, &items, "L")?;
        let alone_seconds = self.seconds(&alone);
        let nodes = |rows: &[Vec<Row>]| -> f64 {
            mean(rows.iter().map(|rows| rows.iter().map(|row| row.nodes as f64).sum()))
        };
        let base = mean(alone_seconds.iter().copied());
        for (table, name, assignment, paper) in [("", "df-pn", "L", None)].into_iter().chain(ARMS) {
            let rows = self.rows(record, &items, assignment)?;
            let seconds = self.seconds(&rows);
            let speedups: Vec<f64> =
                alone_seconds.iter().zip(&seconds).map(|(alone, own)| alone / own).collect();
            let total = mean(seconds.iter().copied());
            lines.push(Line {
                table,
                name,
                assignment: assignment.into(),
                seconds: total,
                sigma: sigma(&seconds),
                speedup: base / total,
                speedup_sigma: sigma(&speedups),
                nodes: nodes(&rows) / nodes(&alone).max(1.0),
                undecided: rows.iter().flatten().filter(|row| row.value.is_none()).count(),
                paper,
            });
        }
        let mut summary = Summary {
            lines,
            left_out: lost.iter().map(|item| item.id.clone()).collect(),
            audit: record.audit(searches)?,
            text: String::new(),
        };
        let save = |name: &str, text: String| {
            let path = self.options.common.out.join(name);
            yomikiri_files::write(&path, text)
        };
        save("tables.csv", csv(&summary.lines))?;
        save("fig4.svg", self.fig4(&summary, items.len()).to_string())?;
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.describe(&mut text, &summary, items.len(), elapsed);
        save("summary.txt", text.clone())?;
        summary.text = text;
        Ok(summary)
    }

    /// Seconds of each run; what is not decided counts with the limit.
    fn seconds(&self, rows: &[Vec<Row>]) -> Vec<f64> {
        let seconds =
            |row: &Row| if row.value.is_some() { row.seconds } else { row.seconds.max(self.limit) };
        rows.iter().map(|rows| rows.iter().map(seconds).sum::<f64>().max(1e-9)).collect()
    }

    /// Fig. 4: AOHPAS and PMPS over the number of (pseudo-)threads.
    fn fig4(&self, summary: &Summary, problems: usize) -> Chart {
        let line = |name: &str, assignments: [&str; 3]| {
            let points = [2.0, 3.0, 4.0].into_iter().zip(assignments);
            let point = |(x, assignment): (f64, &str)| {
                let line = summary.line(assignment)?;
                Some(Point { x, y: line.speedup, hollow: line.undecided > 0, reach: 0.0 })
            };
            Series {
                name: name.into(),
                side: Side::Left,
                style: Style::Line,
                points: points.filter_map(point).collect(),
            }
        };
        Chart {
            title: format!("Fig. 4: AOHPAS and PMPS on {}", self.set.title()),
            subtitle: format!("{problems} problems; hollow: not all decided in time"),
            x_label: "(pseudo-)threads".into(),
            x_range: (1.0, 5.0),
            x_step: 1.0,
            left: Scale { label: "speed-up over df-pn, wall time".into(), logarithmic: false },
            right: None,
            reference: Some(1.0),
            series: vec![
                line("AOHPAS (L|S, L|S|S, L|S|S|S)", ["L|S", "L|S|S", "L|S|S|S"]),
                line("PMPS (L|S, 3A, 4A)", ["L|S", "L|S,S", "L|S,S,S"]),
            ],
        }
    }

    fn describe(
        &self,
        out: &mut String,
        summary: &Summary,
        problems: usize,
        elapsed: Duration,
    ) -> fmt::Result {
        let options = self.options;
        writeln!(out, "Parallel multiple-paths search (Takano et al.): Tables 4 to 6, Fig. 4\n")?;
        origin::describe(out)?;
        writeln!(
            out,
            "searches  {}, base {}, cover {}; at most {} each; table of {} MiB; {} runs",
            self.set.title(),
            options.base,
            options.cover,
            options.common.limits_text(),
            options.common.hash >> 20,
            options.common.runs
        )?;
        summary.audit.describe(out, elapsed)?;
        writeln!(
            out,
            "\nWall seconds over {problems} problems, one search at a time: they need a quiet machine with a core for every\n\
             processor of an assignment (this one: see above). What is not decided counts with the limit. Turns are of\n\
             {QUANTUM} nodes; MPS: the leader's of {MPS_QUANTUM}. The paper ran everything on two processors."
        )?;
        let mut table = None;
        for line in &summary.lines {
            if table.replace(line.table) != Some(line.table) {
                writeln!(
                    out,
                    "\n{:<16}{:<16}{:>10}{:>8}{:>10}{:>8}{:>8}{:>8}",
                    line.table, "", "seconds", "σ", "speed-up", "σ", "nodes", "paper"
                )?;
            }
            let text = |value: Option<f64>| value.map_or("-".into(), |v| format!("{v:.2}"));
            let undecided = match line.undecided {
                0 => String::new(),
                count => format!("  ({count} searches not decided)"),
            };
            writeln!(
                out,
                "{:<16}{:<16}{:>10.2}{:>8}{:>10.2}{:>8}{:>8.2}{:>8}{undecided}",
                line.name,
                line.assignment,
                line.seconds,
                text(line.sigma),
                line.speedup,
                text(line.speedup_sigma),
                line.nodes,
                text(line.paper)
            )?;
        }
        if !summary.left_out.is_empty() {
            writeln!(out, "\nleft out, decided by no arm: {}", summary.left_out.join(" "))?;
        }
        writeln!(
            out,
            "\nnodes: of all threads, in relation to df-pn. Four processors: a later version is reported 4.17 times as fast\n\
             as the sequential search (cited in the paper of 2009)."
        )
    }
}

fn csv(lines: &[Line]) -> String {
    let mut csv = String::from(
        "table,name,assignment,seconds,sigma,speedup,speedup_sigma,nodes,undecided,paper\n",
    );
    let text = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.4}"));
    for line in lines {
        // Writing to a string cannot fail.
        let _ = writeln!(
            csv,
            "{},{},{},{:.4},{},{:.4},{},{:.4},{},{}",
            line.table,
            line.name,
            line.assignment.replace(',', "+"),
            line.seconds,
            text(line.sigma),
            line.speedup,
            text(line.speedup_sigma),
            line.nodes,
            line.undecided,
            text(line.paper)
        );
    }
    csv
}
