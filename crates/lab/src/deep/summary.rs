//! The run in words and one table: `summary.txt`.

use std::fmt::{self, Display, Formatter, Write as _};
use std::time::Duration;

use super::figures::{Curve, CurvePoint, Curves, Measure, measure, rows};
use super::options::Options;
use super::plan;
use super::record::Fresh;
use super::record::Record;
use super::search::{Choice, Game, Recognition, ratio};
use crate::error::Result;
use crate::origin;

/// The experiment of §3.1: ties broken to the deepest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TieBreak {
    /// Positions searched.
    pub positions: usize,
    /// Iterations against PN-search.
    pub iterations: Measure,
    /// Nodes against PN-search.
    pub nodes: Measure,
    /// Positions on which `R = 1` took exactly PN-search's iterations and nodes.
    pub equal_at_one: usize,
}

/// What the experiment found. Its [`Display`] is the text of `summary.txt`.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Fig. 3 and 4.
    pub othello: Option<Curve>,
    /// Fig. 5.
    pub hex: Option<Curve>,
    /// Fig. 6.
    pub hex_near_one: Option<Curve>,
    /// Fig. 5 with finished games recognised when they are created.
    pub hex_created: Option<Curve>,
    /// Fig. 6 likewise.
    pub hex_created_near_one: Option<Curve>,
    /// §3.1.
    pub tie_break: Option<TieBreak>,
    text: String,
}

impl Display for Summary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

pub(super) fn write(
    options: &Options,
    record: &Record,
    curves: Curves,
    fresh: Fresh,
    elapsed: Duration,
) -> Result<Summary> {
    let mut summary = Summary {
        othello: curves.othello,
        hex: curves.hex,
        hex_near_one: curves.hex_near_one,
        hex_created: curves.hex_created,
        hex_created_near_one: curves.hex_created_near_one,
        tie_break: tie_break(options, record),
        text: String::new(),
    };
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = summary.describe(&mut text, options, fresh, elapsed);
    let path = options.out.join("summary.txt");
    yomikiri_files::write(&path, &text)?;
    summary.text = text;
    Ok(summary)
}

fn tie_break(options: &Options, record: &Record) -> Option<TieBreak> {
    let positions = plan::positions(options, Game::Othello, Choice::Proof);
    let rows = |choice| rows(record, Game::Othello, Recognition::Expanded, choice, positions);
    let (proof, deepest) = (rows(Choice::Proof)?, rows(Choice::Deepest)?);
    let at_one = rows(Choice::Deep(100))?;
    let same = proof.iter().zip(&at_one);
    Some(TieBreak {
        positions: positions as usize,
        iterations: measure(&deepest, &proof, |row| row.iterations),
        nodes: measure(&deepest, &proof, |row| row.nodes),
        equal_at_one: same
            .filter(|(a, b)| (a.value, a.iterations, a.nodes) == (b.value, b.iterations, b.nodes))
            .count(),
    })
}

impl Summary {
    fn describe(
        &self,
        out: &mut String,
        options: &Options,
        fresh: Fresh,
        elapsed: Duration,
    ) -> fmt::Result {
        writeln!(out, "DeepPN (Ishitobi, Plaat, Iida and van den Herik, 2015): Fig. 3 to 6\n")?;
        origin::describe(out)?;
        writeln!(
            out,
            "searches  seed {}; at most {} nodes each in Othello, {} in Hex {3}×{3}",
            options.seed, options.othello_limit, options.hex_limit, options.hex_size
        )?;
        let seconds = fresh.time.as_secs_f64();
        writeln!(
            out,
            "this run  {} searches, {} nodes, {:.0} s on {} threads, {:.2} M nodes/s a thread",
            fresh.searches,
            fresh.nodes,
            elapsed.as_secs_f64(),
            options.threads,
            fresh.nodes as f64 / seconds.max(1e-9) / 1e6
        )?;
        writeln!(out, "\nKey figures (share of PN-search, R = 1)")?;
        if let Some(curve) = &self.othello {
            key(out, "Othello, least mean of rates (Fig. 3b)", curve.best_by(|m| m.rate))?;
            key(out, "Othello, least mean (Fig. 3a)", curve.best_by(|m| m.mean))?;
            key(out, "Othello", curve.at(65))?;
            key(out, "Othello", curve.at(40))?;
        }
        if let Some(curve) = &self.hex {
            key(out, "Hex", curve.at(95))?;
            key(out, "Hex", curve.at(50))?;
        }
        if let Some(curve) = &self.hex_near_one {
            key(out, "Hex, least mean from R = 0.9", curve.best_by(|m| m.mean))?;
        }
        if let Some(curve) = &self.hex_created {
            key(out, "Hex, recognised when created", curve.at(95))?;
        }
        if let Some(ties) = &self.tie_break {
            writeln!(
                out,
                "\n§3.1, ties broken to the deepest, {} Othello positions",
                ties.positions
            )?;
            writeln!(
                out,
                "  iterations {:.1} % less a position, {:.1} % less in all; nodes {:.1} % and {:.1} %",
                100.0 - ties.iterations.rate,
                100.0 - ties.iterations.rate_of_means,
                100.0 - ties.nodes.rate,
                100.0 - ties.nodes.rate_of_means
            )?;
            writeln!(
                out,
                "  R = 1 took exactly PN-search's iterations and nodes on {} of {}",
                ties.equal_at_one, ties.positions
            )?;
        }
        let tables = [
            ("Othello (Fig. 3, 4)", &self.othello),
            ("Hex (Fig. 5)", &self.hex),
            ("Hex near R = 1 (Fig. 6)", &self.hex_near_one),
            ("Hex, finished games recognised when created (as Fig. 5)", &self.hex_created),
            (
                "Hex near R = 1, finished games recognised when created (as Fig. 6)",
                &self.hex_created_near_one,
            ),
        ];
        for (title, curve) in tables {
            if let Some(curve) = curve {
                table(out, title, curve)?;
            }
        }
        writeln!(
            out,
            "\nrate: mean over positions of the percentage of R = 1 on the same position (the paper's Fig. 3b), and the median\n\
             of that; of means: the mean in percent of the mean at R = 1 (its Fig. 3a, 5b, 6); less, more: positions that\n\
             took fewer or more iterations than with R = 1. Searches that reached the limit are unsolved and count with\n\
             what they took until then. At R = 0 few positions are tried."
        )
    }
}

fn key(out: &mut String, name: &str, point: Option<&CurvePoint>) -> fmt::Result {
    let Some(point) = point else { return Ok(()) };
    let shares = |measure: &Measure| {
        let Measure { rate, median_rate, rate_of_means, .. } = measure;
        let [rate, median, of_means] = [rate, median_rate, rate_of_means].map(|rate| rate / 100.0);
        format!("mean of rates {rate:.3}, median {median:.3}, of means {of_means:.3}")
    };
    let (r, iterations, nodes) =
        (ratio(point.hundredths), shares(&point.iterations), shares(&point.nodes));
    writeln!(out, "  {name}, R = {r:.2}: iterations: {iterations}; nodes: {nodes}")
}

fn table(out: &mut String, title: &str, curve: &Curve) -> fmt::Result {
    writeln!(out, "\n{title}")?;
    writeln!(
        out,
        "   R   positions unsolved  iterations       nodes   iter. rate %    median  (of means)  nodes rate %    median  \
         (of means)   less   more"
    )?;
    for point in &curve.points {
        let (i, n) = (&point.iterations, &point.nodes);
        writeln!(
            out,
            "{:5.2} {:>9} {:>8} {:>11.0} {:>11.0} {:>14.1} {:>9.1} {:>11.1} {:>13.1} {:>9.1} {:>11.1} {:>6} {:>6}",
            ratio(point.hundredths),
            point.positions,
            point.unsolved,
            i.mean,
            n.mean,
            i.rate,
            i.median_rate,
            i.rate_of_means,
            n.rate,
            n.median_rate,
            n.rate_of_means,
            i.cases.reducing,
            i.cases.increasing
        )?;
    }
    Ok(())
}
