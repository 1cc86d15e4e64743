//! The figures and the summary.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter, Write as _};
use std::time::Duration;

use andor::NodeKind;

use super::imbalance::{self, Share};
use super::options::Game;
use super::plan::Plan;
use super::table::{self, Line};
use crate::error::Result;
use crate::origin;
use crate::problems::{Audit, Base, Item, Record, Row};
use crate::stats::mean;
use crate::svg::scale::log_range;
use crate::svg::{Chart, Point, Scale, Series, Side, Style};

/// Positions of a proof below this size are not drawn: their shares are those of small numbers.
const LEAST_SIZE: u64 = 10;

/// A problem, its seconds with one agent and with several.
type Seconds = (String, f64, f64);

/// What the experiment found. Its [`Display`] is the text of `summary.txt`.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Table 1.
    pub lines: Vec<Line>,
    /// The searches, and how many of them are certified.
    pub audit: Audit,
    /// Problems not decided within the limits.
    pub left_out: Vec<String>,
    /// If the run was ended: searches of the table that are there, of so many.
    pub unfinished: Option<(usize, usize)>,
    /// Fig. 7: the problem, the nodes of its search, and its proof.
    pub imbalance: Option<(String, u64, Vec<Share>)>,
    text: String,
}

impl Display for Summary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

pub(super) fn write(plan: &Plan<'_>, record: &Record, elapsed: Duration) -> Result<Summary> {
    let options = plan.options;
    let mut summary = Summary {
        lines: table::lines(plan, record),
        audit: record.audit(&plan.searches)?,
        left_out: plan.left_out.clone(),
        unfinished: plan.unfinished,
        imbalance: plan.imbalance(record)?,
        text: String::new(),
    };
    let save = |name: &str, text: String| {
        let path = options.common.out.join(name);
        yomikiri_files::write(&path, text)
    };
    save("table1.csv", table::csv(&summary.lines))?;
    if let Some((threads, points)) = plan.per_problem(record) {
        let mut csv = format!(
            "# Fig. 5: seconds of df-pn+ by problem{}\nproblem,sequential,threads_{threads}\n",
            if options.turns.is_some() { ", ideal" } else { "" }
        );
        for (id, x, y) in &points {
            // Writing to a string cannot fail.
            let _ = writeln!(csv, "{id},{x:.6},{y:.6}");
        }
        save("fig5.csv", csv)?;
        save("fig5.svg", plan.fig5(threads, &points).to_string())?;
    }
    if let Some(chart) = plan.fig6(&summary.lines) {
        save("fig6.svg", chart.to_string())?;
    }
    if let Some((id, _, shares)) = &summary.imbalance {
        let mut csv = format!("# Fig. 7: {id}\nkind,size,share\n");
        for share in shares {
            let kind = if share.kind == NodeKind::Or { "or" } else { "and" };
            let _ = writeln!(csv, "{kind},{},{:.4}", share.size, share.share);
        }
        save("fig7.csv", csv)?;
        save("fig7.svg", fig7(id, shares).to_string())?;
    }
    let mut text = String::new();
    let _ = plan.describe(&mut text, &summary, elapsed);
    save("summary.txt", text.clone())?;
    summary.text = text;
    Ok(summary)
}

impl<'a> Plan<'a> {
    /// Fig. 5: the number of threads, and for each problem its seconds alone and with these.
    fn per_problem(&self, record: &Record) -> Option<(usize, Vec<Seconds>)> {
        let threads = *self.options.threads.iter().find(|&&threads| threads == 8).or(self
            .options
            .threads
            .last()
            .filter(|&&threads| threads > 1))?;
        let items = &self.solvable.iter().find(|(base, _)| *base == Base::Dfpn)?.1;
        let point = |item: &&'a Item| {
            let rows = |threads| -> Option<Vec<&Row>> {
                let runs = 0..self.options.runs();
                runs.map(|run| self.row(record, item, Base::Dfpn, threads, run)).collect()
            };
            let (alone, team) = (rows(1)?, rows(threads)?);
            let seconds = |rows: &[&Row]| mean(rows.iter().map(|row| row.seconds));
            let nodes = |rows: &[&Row]| mean(rows.iter().map(|row| row.nodes as f64));
            let x = seconds(&alone);
            let y = if self.options.turns.is_some() {
                x * nodes(&team) / nodes(&alone) / threads as f64
            } else {
                seconds(&team)
            };
            Some((item.id.clone(), x, y))
        };
        let points: Vec<Seconds> = items.iter().filter_map(point).collect();
        (!points.is_empty()).then_some((threads, points))
    }

    fn fig5(&self, threads: usize, points: &[Seconds]) -> Chart {
        let ideal = if self.options.turns.is_some() { "ideal seconds" } else { "seconds" };
        // Below a tenth of a millisecond the clock says nothing.
        let floor = |value: f64| value.max(1e-4);
        let x_range = log_range(points.iter().map(|&(_, x, _)| floor(x)));
        let y = points.iter().map(|&(_, _, y)| floor(y)).fold(f64::INFINITY, f64::min);
        let dot = |&(_, x, y): &Seconds| point(floor(x), floor(y));
        let guide = |slope: f64| {
            // Only as far down as there are points.
            let from = x_range.0.max(y * slope);
            vec![point(from, from / slope), point(x_range.1, x_range.1 / slope)]
        };
        Chart {
            title: format!("Fig. 5: df-pn+, one agent and {threads}, by problem"),
            subtitle: format!("{} problems; below the upper dashed line: faster", points.len()),
            x_label: "seconds, sequential".into(),
            x_range,
            x_step: 0.0,
            left: Scale { label: format!("{ideal}, {threads} agents"), logarithmic: true },
            right: None,
            reference: None,
            series: vec![
                series("a problem", Side::Left, Style::Dots, points.iter().map(dot).collect()),
                series("equal", Side::Left, Style::Guide, guide(1.0)),
                series("linear speed-up", Side::Left, Style::Guide, guide(threads as f64)),
            ],
        }
    }

    /// Fig. 6: over the last set, which is Hard if that is searched.
    fn fig6(&self, lines: &[Line]) -> Option<Chart> {
        let (set, _) = self.chosen.last()?;
        let lines: Vec<&Line> =
            lines.iter().filter(|line| line.set == *set && line.base == Base::Dfpn).collect();
        let most = lines.last()?.threads;
        let curve = |name: &str, side, value: fn(&Line) -> f64| {
            let at = |line: &&Line| Point {
                x: line.threads as f64,
                y: value(line),
                hollow: line.undecided > 0,
                reach: 0.0,
            };
            series(name, side, Style::Line, lines.iter().map(at).collect())
        };
        let speed = if self.options.turns.is_some() { "ideal speed-up" } else { "speed-up" };
        Some(Chart {
            title: format!("Fig. 6: df-pn+ with several agents on {set}"),
            subtitle: format!("{} problems", lines.first().map_or(0, |line| line.problems)),
            x_label: "agents".into(),
            x_range: (0.0, most as f64),
            x_step: if most > 8 { 2.0 } else { 1.0 },
            left: Scale { label: speed.into(), logarithmic: false },
            right: Some(Scale { label: "overhead".into(), logarithmic: false }),
            reference: None,
            series: vec![
                curve(speed, Side::Left, |line| line.speedup),
                curve("nodes visited", Side::Right, |line| line.node_overhead),
                curve("entries stored", Side::Right, |line| line.stored_overhead),
            ],
        })
    }

    /// Fig. 7: Muso 100, or where it was not searched the largest problem that is.
    fn imbalance(&self, record: &Record) -> Result<Option<(String, u64, Vec<Share>)>> {
        let items = self.chosen.iter().flat_map(|(_, items)| items.iter().copied());
        let size = |item: &&'a Item| {
            let row = self.row(record, item, Base::Dfpn, 1, 0);
            (item.id == "muso100", row.map_or(0, |row| row.nodes))
        };
        let proven = |item: &&'a Item| {
            let row = self.row(record, item, Base::Dfpn, 1, 0);
            row.is_some_and(|row| row.value == Some(andor::Value::Proven))
        };
        let Some(item) = items.filter(proven).max_by_key(size) else { return Ok(None) };
        let found = imbalance::measure(&self.options.common, item)?;
        Ok(found.map(|(nodes, shares)| (item.id.clone(), nodes, shares)))
    }

    fn describe(&self, out: &mut String, summary: &Summary, elapsed: Duration) -> fmt::Result {
        let options = self.options;
        writeln!(out, "Parallel df-pn (Kaneko, 2010): Table 1, Fig. 5 to 7\n")?;
        if let Some((done, total)) = self.unfinished {
            writeln!(
                out,
                "UNFINISHED {done} of {total} searches are there; the same command goes on. A line counts the runs that are\n\
                 complete, or of the first run the problems that are.\n"
            )?;
        }
        origin::describe(out)?;
        writeln!(
            out,
            "searches  at most {} one agent, four times that several; table of {} MiB; {} runs",
            options.common.limits_text(),
            options.common.hash >> 20,
            options.runs()
        )?;
        if options.sacrifice {
            writeln!(out, "cost      1 for a piece given away, as in the paper")?;
        }
        summary.audit.describe(out, elapsed)?;
        if let Some(turns) = options.turns {
            writeln!(
                out,
                "\nThe agents took turns of {turns} nodes on ONE thread. Nodes and entries are exact and repeatable;\n\
                 seconds and speed-up of several agents are NOT measured but ideal: the time of the sequential search\n\
                 times nodes / (agents x sequential nodes), as if every agent ran at full speed on a core of its own."
            )?;
        } else {
            writeln!(out, "\nSeconds are wall time: they need a quiet machine.")?;
        }
        for &(base, _) in &self.solvable {
            table::describe(out, base, &summary.lines)?;
        }
        if options.game == Some(Game::Hex) {
            writeln!(
                out,
                "\nThe verdicts on Hex are compared with the known winners; no certificates are written."
            )?;
        }
        for (set, items) in &self.chosen {
            for (base, solvable) in &self.solvable {
                let lost: Vec<&str> = items
                    .iter()
                    .filter(|item| !solvable.iter().any(|other| other.id == item.id))
                    .map(|item| item.id.as_str())
                    .collect();
                if !lost.is_empty() {
                    let lost = lost.join(" ");
                    writeln!(out, "\nleft out of {set}, not decided by {base} alone: {lost}")?;
                }
            }
        }
        if !summary.left_out.is_empty() {
            let names = summary.left_out.join(" ");
            writeln!(out, "\nleft out, not decided by df-pn+ alone: {names}")?;
        }
        if let Some((_, items)) = self.chosen.iter().find(|(set, _)| set == "Hard") {
            let names: Vec<&str> = items.iter().map(|item| item.id.as_str()).collect();
            writeln!(
                out,
                "\nHard: more than {} nodes by the sequential df-pn+, and the next largest up to {}:\n{}",
                options.hard_nodes,
                options.hard_count,
                names.join(" ")
            )?;
        }
        if let Some((id, nodes, shares)) = &summary.imbalance {
            writeln!(
                out,
                "\nFig. 7: {id}, {nodes} nodes, a proof of {} positions. The size of a position is the number of positions\n\
                 entered at or below it, over all visits; the share is that of the primary child (OR: the proven one,\n\
                 AND: the largest). Positions of size {LEAST_SIZE} and more are drawn.",
                shares.len()
            )?;
            for (kind, name) in [(NodeKind::Or, "OR"), (NodeKind::And, "AND")] {
                let large: Vec<&Share> = shares
                    .iter()
                    .filter(|share| share.kind == kind && share.size >= LEAST_SIZE)
                    .collect();
                let over = large.iter().filter(|share| share.share > 0.9).count();
                writeln!(out, "  {name} nodes: {over} of {} have a share over 90 %", large.len())?;
            }
        }
        writeln!(
            out,
            "\nevaluated: positions that the game looked at for first numbers (H). The paper counts them among its\n\
             nodes visited, we do not.\n\
             overhead, speed-up: in relation to one agent on the same problems; sums over a set, means over runs, and\n\
             the deviation over runs. The paper's beside it (ten runs; another machine). Its sets leave out defective\n\
             problems; ours hold every problem that the algorithm decides alone within the limits, and no other: what\n\
             several agents decide beyond that does not count. A search of several agents that is given up at four\n\
             times the limits counts with what it took, so that the true speed-up is less than the one in its line."
        )
    }
}

fn fig7(id: &str, shares: &[Share]) -> Chart {
    let large = || shares.iter().filter(|share| share.size >= LEAST_SIZE);
    // Many positions lie on the same dot.
    let dots = |kind| {
        let mut dots = BTreeMap::new();
        for share in large().filter(|share| share.kind == kind) {
            dots.insert((share.size, (share.share * 1000.0) as u32), share.share);
        }
        dots.into_iter().map(|((size, _), share)| point(size as f64, share)).collect()
    };
    Chart {
        title: format!("Fig. 7: imbalance in the proof of {id}"),
        subtitle: "size: positions entered at or below a position of the proof".into(),
        x_label: "size of the position".into(),
        x_range: log_range(large().map(|share| share.size as f64)),
        x_step: 0.0,
        left: Scale { label: "share of the primary child".into(), logarithmic: false },
        right: None,
        reference: Some(0.9),
        series: vec![
            series("OR nodes", Side::Left, Style::Dots, dots(NodeKind::Or)),
            series("AND nodes", Side::Left, Style::Dots, dots(NodeKind::And)),
        ],
    }
}

fn point(x: f64, y: f64) -> Point {
    Point { x, y, ..Point::default() }
}

fn series(name: &str, side: Side, style: Style, points: Vec<Point>) -> Series {
    Series { name: name.into(), side, style, points }
}
