//! Table 1.

use std::fmt::{self, Write as _};

use super::plan::Plan;
use crate::problems::{Base, Item, Record, Row};
use crate::stats::{mean, sigma};

/// An overhead in nodes visited, and a speed-up.
type Figures = (f64, f64);

/// The paper's Table 1, with 2, 4 and 8 threads.
const PAPER: [(&str, Base, [Figures; 3]); 6] = [
    ("Muso", Base::Dfpn, [(1.14, 1.47), (1.16, 2.45), (1.22, 3.13)]),
    ("Zuko", Base::Dfpn, [(1.09, 1.49), (1.11, 2.51), (1.21, 3.01)]),
    ("Hard", Base::Dfpn, [(1.06, 1.57), (1.07, 2.71), (1.11, 3.58)]),
    ("Muso", Base::NoEvaluation, [(1.02, 1.55), (1.03, 2.49), (1.12, 2.81)]),
    ("Zuko", Base::NoEvaluation, [(1.02, 1.65), (0.99, 2.82), (1.17, 2.92)]),
    ("Hard", Base::NoEvaluation, [(1.00, 1.66), (0.96, 2.88), (1.09, 3.15)]),
];

/// The paper's figures, if it has such a line.
fn paper(set: &str, base: Base, threads: usize) -> Option<Figures> {
    let place = [2, 4, 8].iter().position(|&count| count == threads)?;
    let (.., figures) = PAPER.iter().find(|line| (line.0, line.1) == (set, base))?;
    Some(figures[place])
}

/// One line of Table 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The set.
    pub set: String,
    /// How many of its problems are counted.
    pub problems: usize,
    /// With the game's knowledge (df-pn⁺) or without it (df-pn).
    pub base: Base,
    /// Agents.
    pub threads: usize,
    /// How many runs there are.
    pub runs: usize,
    /// Nodes visited over all problems, the mean over runs.
    pub nodes: f64,
    /// Nodes in relation to the sequential search.
    pub node_overhead: f64,
    /// Its deviation over runs.
    pub node_sigma: Option<f64>,
    /// Positions that the game evaluated: the paper counts them among the nodes visited.
    pub evaluated: f64,
    /// Positions evaluated in relation to the sequential search; nothing without `H`.
    pub evaluated_overhead: Option<f64>,
    /// Entries stored.
    pub stored: f64,
    /// Entries in relation to the sequential search.
    pub stored_overhead: f64,
    /// Seconds; with turns the ideal ones.
    pub seconds: f64,
    /// Their deviation over runs.
    pub sigma: Option<f64>,
    /// How many times as fast as the sequential search.
    pub speedup: f64,
    /// Its deviation over runs.
    pub speedup_sigma: Option<f64>,
    /// Searches given up at four times the limit, which count with what they took.
    pub undecided: usize,
    /// The paper's overhead in nodes and speed-up.
    pub paper: Option<(f64, f64)>,
}

/// What the searches of a line come to, each run the sum over its problems.
struct Totals {
    nodes: Vec<f64>,
    evaluated: Vec<f64>,
    stored: Vec<f64>,
    seconds: Vec<f64>,
    undecided: usize,
}

impl Totals {
    fn of(runs: &[Vec<&Row>]) -> Totals {
        let totals = |value: fn(&Row) -> f64| -> Vec<f64> {
            runs.iter().map(|rows| rows.iter().map(|row| value(row)).sum()).collect()
        };
        Totals {
            nodes: totals(|row| row.nodes as f64),
            evaluated: totals(|row| row.evaluated as f64),
            stored: totals(|row| row.stored as f64),
            seconds: totals(|row| row.seconds),
            undecided: runs.iter().flatten().filter(|row| row.value.is_none()).count(),
        }
    }
}

/// All lines, by algorithm and set.
pub(super) fn lines(plan: &Plan<'_>, record: &Record) -> Vec<Line> {
    let mut lines = Vec::new();
    for (base, solvable) in &plan.solvable {
        for (set, items) in &plan.chosen {
            let can = |item: &&Item| solvable.iter().any(|other| other.id == item.id);
            let items = items.iter().copied().filter(can).collect();
            let (items, runs) = plan.counted(record, items, *base);
            if items.is_empty() {
                continue;
            }
            let totals = |threads| {
                let row = |item, run| plan.row(record, item, *base, threads, run);
                let run = |run| items.iter().filter_map(|&item| row(item, run)).collect();
                Totals::of(&(0..runs).map(run).collect::<Vec<_>>())
            };
            let alone = totals(1);
            for &threads in &plan.options.threads {
                let about = (set.as_str(), items.len(), *base, threads);
                let line = line(about, &alone, &totals(threads));
                lines.push(if plan.options.turns.is_some() { line.ideal(&alone) } else { line });
            }
        }
    }
    // The names of the paper's sets may be those of other problems.
    if plan.options.game.is_none() && plan.options.problems.is_none() {
        for line in &mut lines {
            line.paper = paper(&line.set, line.base, line.threads);
        }
    }
    lines
}

/// A line about a set, so many problems of it, an algorithm and so many agents, in relation to the
/// sequential search.
fn line(
    (set, problems, base, threads): (&str, usize, Base, usize),
    alone: &Totals,
    team: &Totals,
) -> Line {
    let all = |values: &[f64]| mean(values.iter().copied());
    let ratio = |these: &[f64], those: &[f64]| all(these) / all(those);
    let speedups = team.seconds.iter().map(|seconds| all(&alone.seconds) / seconds);
    let evaluates = all(&alone.evaluated) > 0.0;
    Line {
        set: set.into(),
        problems,
        base,
        threads,
        runs: team.nodes.len(),
        nodes: all(&team.nodes),
        node_overhead: ratio(&team.nodes, &alone.nodes),
        node_sigma: sigma(&team.nodes).map(|sigma| sigma / all(&alone.nodes)),
        evaluated: all(&team.evaluated),
        evaluated_overhead: evaluates.then(|| ratio(&team.evaluated, &alone.evaluated)),
        stored: all(&team.stored),
        stored_overhead: ratio(&team.stored, &alone.stored),
        seconds: all(&team.seconds),
        sigma: sigma(&team.seconds),
        speedup: ratio(&alone.seconds, &team.seconds),
        speedup_sigma: sigma(&speedups.collect::<Vec<_>>()),
        undecided: team.undecided,
        paper: None,
    }
}

impl Line {
    /// The same with the time that the agents would have taken side by side.
    fn ideal(self, alone: &Totals) -> Line {
        let alone = mean(alone.seconds.iter().copied());
        let seconds = alone * self.node_overhead / self.threads as f64;
        Line { seconds, speedup: alone / seconds, ..self }
    }
}

/// The lines of an algorithm as text.
pub(super) fn describe(out: &mut String, base: Base, lines: &[Line]) -> fmt::Result {
    let name = if base == Base::Dfpn { "df-pn+" } else { "df-pn (without H and Cost)" };
    writeln!(out, "\nTable 1, {name}")?;
    writeln!(
        out,
        "set       problems  runs  agents    nodes visited  overhead     σ      evaluated  overhead  entries stored  \
         overhead    seconds      σ  speed-up     σ  paper: overhead  speed-up"
    )?;
    let or_dash = |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:.2}"));
    for line in lines.iter().filter(|line| line.base == base) {
        let Line { set, problems, runs, threads, nodes, evaluated, stored, seconds, .. } = line;
        let (node_sigma, sigma) = (or_dash(line.node_sigma), or_dash(line.sigma));
        let speedup_sigma = or_dash(line.speedup_sigma);
        let evaluated_overhead = or_dash(line.evaluated_overhead);
        let (overhead, speedup) = line.paper.unzip();
        let (overhead, speedup) = (or_dash(overhead), or_dash(speedup));
        let given_up = match line.undecided {
            0 => String::new(),
            count => format!("  ({count} searches given up)"),
        };
        writeln!(
            out,
            "{set:<10}{problems:>8}{runs:>6}{threads:>8}{nodes:>17.1}{:>10.2}{node_sigma:>6}{evaluated:>15.1}\
             {evaluated_overhead:>10}{stored:>16.1}{:>10.2}{seconds:>11.2}{sigma:>7}{:>10.2}{speedup_sigma:>6}\
             {overhead:>17}{speedup:>10}{given_up}",
            line.node_overhead, line.stored_overhead, line.speedup
        )?;
    }
    Ok(())
}

/// All lines for programs.
pub(super) fn csv(lines: &[Line]) -> String {
    let mut csv = String::from(
        "set,problems,algorithm,runs,agents,nodes,node_overhead,node_sigma,evaluated,evaluated_overhead,stored,\
         stored_overhead,seconds,sigma,speedup,speedup_sigma,undecided,paper_node_overhead,paper_speedup\n",
    );
    let or_none = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.4}"));
    for line in lines {
        let Line { set, problems, runs, threads, nodes, evaluated, stored, undecided, .. } = line;
        let name = if line.base == Base::Dfpn { "df-pn+" } else { "df-pn" };
        let (overhead, speedup) = line.paper.unzip();
        // Writing to a string cannot fail.
        let _ = writeln!(
            csv,
            "{set},{problems},{name},{runs},{threads},{nodes:.1},{:.4},{},{evaluated:.1},{},{stored:.1},{:.4},{:.4},{},{:.4},{},{undecided},{},{}",
            line.node_overhead,
            or_none(line.node_sigma),
            or_none(line.evaluated_overhead),
            line.stored_overhead,
            line.seconds,
            or_none(line.sigma),
            line.speedup,
            or_none(line.speedup_sigma),
            or_none(overhead),
            or_none(speedup)
        );
    }
    csv
}
