//! From recorded searches to curves, and from curves to CSV and pictures.

use std::fmt::Write as _;

use super::options::Options;
use super::plan;
use super::record::Record;
use super::record::Row;
use super::search::{Choice, Game, Recognition, Search, ratio};
use crate::error::Result;
use crate::stats::{self, Cases, Effort};
use crate::svg::{Chart, Point, Scale, Series, Side, Style};

/// What a figure shows of one quantity at one `R`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// The mean over positions.
    pub mean: f64,
    /// The mean over positions of the percentage of PN-search: Fig. 3b.
    pub rate: f64,
    /// The median of that: a few positions may rule the mean.
    pub median_rate: f64,
    /// The mean in percent of PN-search's mean: Fig. 3a, and Fig. 5b and 6, which set averages in
    /// relation.
    pub rate_of_means: f64,
    /// Positions that took less, more and the same.
    pub cases: Cases,
}

/// All positions searched with one `R`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// `R` in hundredths.
    pub hundredths: u8,
    /// Positions searched.
    pub positions: usize,
    /// Positions not solved within the limit.
    pub unsolved: usize,
    /// Iterations.
    pub iterations: Measure,
    /// Nodes.
    pub nodes: Measure,
}

/// A game's points over `R`, from `R = 1` downwards.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The game.
    pub game: Game,
    /// When a finished game was recognised.
    pub recognition: Recognition,
    /// The points.
    pub points: Vec<CurvePoint>,
}

impl Curve {
    /// The curve, if all its searches are recorded.
    fn of(
        options: &Options,
        record: &Record,
        game: Game,
        recognition: Recognition,
        ratios: &[u8],
    ) -> Option<Curve> {
        let rows = |hundredths| {
            let choice = Choice::Deep(hundredths);
            rows(record, game, recognition, choice, plan::positions(options, game, choice))
        };
        let bases = rows(100)?;
        let point = |&hundredths: &u8| {
            let rows = rows(hundredths)?;
            let bases = &bases[..rows.len()];
            Some(CurvePoint {
                hundredths,
                positions: rows.len(),
                unsolved: rows.iter().filter(|row| row.value.is_none()).count(),
                iterations: measure(&rows, bases, |row| row.iterations),
                nodes: measure(&rows, bases, |row| row.nodes),
            })
        };
        let points = ratios.iter().map(point).collect::<Option<_>>()?;
        Some(Curve { game, recognition, points })
    }

    /// The point at `R`, given in hundredths.
    pub fn at(&self, hundredths: u8) -> Option<&CurvePoint> {
        self.points.iter().find(|point| point.hundredths == hundredths)
    }

    /// The point with the fewest iterations by this figure, of those where all positions were searched.
    pub fn best_by(&self, figure: impl Fn(&Measure) -> f64) -> Option<&CurvePoint> {
        complete(self).min_by(|a, b| figure(&a.iterations).total_cmp(&figure(&b.iterations)))
    }
}

/// All curves of the experiment, as far as they are recorded.
#[derive(Clone, Debug, Default)]
pub(super) struct Curves {
    pub othello: Option<Curve>,
    pub hex: Option<Curve>,
    pub hex_near_one: Option<Curve>,
    pub hex_created: Option<Curve>,
    pub hex_created_near_one: Option<Curve>,
}

/// The results of the first `positions` positions, if all are recorded.
pub(super) fn rows(
    record: &Record,
    game: Game,
    recognition: Recognition,
    choice: Choice,
    positions: u32,
) -> Option<Vec<Row>> {
    let search = |position| Search { game, recognition, choice, position };
    (0..positions).map(|position| record.get(&search(position)).copied()).collect()
}

/// Efforts, by one of the counts of a row.
pub(super) fn efforts(rows: &[Row], count: impl Fn(&Row) -> u64) -> Vec<Effort> {
    rows.iter().map(|row| Effort { count: count(row), solved: row.value.is_some() }).collect()
}

pub(super) fn measure(rows: &[Row], bases: &[Row], count: impl Fn(&Row) -> u64) -> Measure {
    let (efforts, bases) = (efforts(rows, &count), efforts(bases, &count));
    Measure {
        mean: stats::mean_count(&efforts),
        rate: stats::mean_rate(&efforts, &bases),
        median_rate: stats::median_rate(&efforts, &bases),
        rate_of_means: stats::rate_of_means(&efforts, &bases),
        cases: stats::cases(&efforts, &bases),
    }
}

/// Writes the CSV and the pictures of every complete figure.
pub(super) fn write(options: &Options, record: &Record) -> Result<Curves> {
    use Recognition::{Created, Expanded};
    let curve =
        |game, recognition, ratios: Vec<u8>| Curve::of(options, record, game, recognition, &ratios);
    let curves = Curves {
        othello: curve(Game::Othello, Expanded, plan::othello_ratios(options)),
        hex: curve(Game::Hex, Expanded, plan::hex_ratios(options)),
        hex_near_one: curve(Game::Hex, Expanded, plan::hex_near_one(options)),
        hex_created: curve(Game::Hex, Created, plan::hex_ratios(options)),
        hex_created_near_one: curve(Game::Hex, Created, plan::hex_near_one(options)),
    };
    let figure = Figures { options };
    if let Some(curve) = &curves.othello {
        figure.csv("fig3.csv", "Fig. 3", curve, MEANS)?;
        figure.csv("fig4.csv", "Fig. 4", curve, CASES)?;
        figure.chart("fig3a.svg", figure.means(curve, "Fig. 3a"))?;
        figure.chart("fig3b.svg", figure.rates(curve, "Fig. 3b"))?;
        figure.chart(
            "fig4a.svg",
            figure.cases(curve, "Fig. 4a", "iterations", |p| p.iterations.cases),
        )?;
        figure.chart("fig4b.svg", figure.cases(curve, "Fig. 4b", "nodes", |p| p.nodes.cases))?;
    }
    if let Some(curve) = &curves.hex {
        figure.csv("fig5.csv", "Fig. 5", curve, MEANS)?;
        figure.chart("fig5a.svg", figure.means(curve, "Fig. 5a"))?;
        figure.chart("fig5b.svg", figure.rates(curve, "Fig. 5b"))?;
    }
    if let Some(curve) = &curves.hex_near_one {
        figure.csv("fig6.csv", "Fig. 6", curve, MEANS)?;
        figure.chart("fig6.svg", figure.rates(curve, "Fig. 6"))?;
    }
    if let Some(curve) = &curves.hex_created {
        figure.csv("fig5_created.csv", "as Fig. 5", curve, MEANS)?;
        figure.chart("fig5b_created.svg", figure.rates(curve, "As Fig. 5b"))?;
    }
    if let Some(curve) = &curves.hex_created_near_one {
        figure.csv("fig6_created.csv", "as Fig. 6", curve, MEANS)?;
        figure.chart("fig6_created.svg", figure.rates(curve, "As Fig. 6"))?;
    }
    Ok(curves)
}

/// A table: its columns after `r,positions,unsolved`, what they mean, and a line of them.
type Table = (&'static str, &'static str, fn(&CurvePoint) -> String);

const MEANS: Table = (
    "iterations_mean,nodes_mean,iterations_rate,nodes_rate,iterations_median_rate,nodes_median_rate,iterations_rate_of_means,nodes_rate_of_means",
    "rate: mean over positions of the percentage of R = 1 on the same position; median_rate: the median; rate_of_means: the mean in percent of the mean at R = 1",
    |point| {
        let (i, n) = (&point.iterations, &point.nodes);
        format!(
            "{:.1},{:.1},{:.2},{:.2},{:.2},{:.2},{:.2},{:.2}",
            i.mean,
            n.mean,
            i.rate,
            n.rate,
            i.median_rate,
            n.median_rate,
            i.rate_of_means,
            n.rate_of_means
        )
    },
);

const CASES: Table = (
    "iterations_reducing,iterations_increasing,iterations_same,nodes_reducing,nodes_increasing,nodes_same",
    "reducing, increasing: positions that took less or more than with R = 1",
    |point| {
        let (i, n) = (&point.iterations.cases, &point.nodes.cases);
        format!(
            "{},{},{},{},{},{}",
            i.reducing, i.increasing, i.same, n.reducing, n.increasing, n.same
        )
    },
);

struct Figures<'a> {
    options: &'a Options,
}

impl Figures<'_> {
    /// What is searched, for people.
    fn subject(&self, curve: &Curve) -> String {
        let count = self.options.positions_of(curve.game);
        let s = if count == 1 { "" } else { "s" };
        match curve.game {
            Game::Othello => format!("{count} random position{s} with 16 empty squares"),
            Game::Hex => format!("{count} random move order{s}"),
        }
    }

    fn name(&self, curve: &Curve) -> String {
        match curve.game {
            Game::Othello => "Othello".into(),
            Game::Hex => format!("Hex {0}×{0}", self.options.hex_size),
        }
    }

    fn csv(
        &self,
        file: &str,
        figure: &str,
        curve: &Curve,
        (columns, meaning, line): Table,
    ) -> Result<()> {
        let mut text = format!(
            "# DeepPN, {figure}: {}, {}; seed {}; limit {} nodes a search\n\
             # finished games recognised when {}; R = 1 is PN-search, R = 0 depth-first\n\
             # {meaning}\n\
             # unsolved: searches that reached the limit, counted with what they took until then\n\
             r,positions,unsolved,{columns}\n",
            self.name(curve),
            self.subject(curve),
            self.options.seed,
            self.options.limit_of(curve.game),
            curve.recognition,
        );
        for point in &curve.points {
            let r = ratio(point.hundredths);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{r:.2},{},{},{}", point.positions, point.unsolved, line(point));
        }
        self.put(file, &text)
    }

    fn chart(&self, file: &str, chart: Chart) -> Result<()> {
        self.put(file, &chart.to_string())
    }

    fn put(&self, file: &str, text: &str) -> Result<()> {
        let path = self.options.out.join(file);
        Ok(yomikiri_files::write(&path, text)?)
    }

    /// A chart over `R` without its scale and lines. Points where only a part of the positions was
    /// tried (`R = 0`) are left out, as in the paper.
    fn over_r(&self, curve: &Curve, title: String, left: Scale) -> Chart {
        let last = curve.points.iter().map(|point| point.hundredths).min().unwrap_or(0);
        let zoomed = last >= 90;
        let hollow = if complete(curve).any(|point| point.unsolved > 0) {
            "; hollow: not all solved within the limit"
        } else {
            ""
        };
        let created = match curve.recognition {
            Recognition::Expanded => "",
            Recognition::Created => "; finished games recognised when created",
        };
        Chart {
            title,
            subtitle: format!("{}{created}{hollow}", self.subject(curve)),
            x_label: "R (1: PN-search, towards 0: depth-first)".into(),
            x_range: (1.0, if zoomed { 0.9 } else { 0.0 }),
            x_step: if zoomed { 0.01 } else { 0.1 },
            left,
            right: None,
            reference: None,
            series: Vec::new(),
        }
    }

    /// Fig. 3a, 5a: means, each on its own scale.
    fn means(&self, curve: &Curve, figure: &str) -> Chart {
        let title = format!("{figure}: {}, iterations and nodes", self.name(curve));
        let scale = |label: &str| Scale { label: label.into(), logarithmic: false };
        let chart = self.over_r(curve, title, scale("mean number of iterations"));
        Chart {
            right: Some(scale("mean number of nodes")),
            series: vec![
                series(curve, "iterations", Side::Left, |point| point.iterations.mean),
                series(curve, "nodes", Side::Right, |point| point.nodes.mean),
            ],
            ..chart
        }
    }

    /// Fig. 3b, 5b, 6: mean rates.
    fn rates(&self, curve: &Curve, figure: &str) -> Chart {
        let title = format!("{figure}: {}, reduction rate", self.name(curve));
        let most = complete(curve).map(|point| point.iterations.rate.max(point.nodes.rate));
        let logarithmic = most.fold(0.0, f64::max) > 500.0;
        let label = "mean % of PN-search (lower is better)".into();
        let mut lines = vec![
            series(curve, "iterations", Side::Left, |point| point.iterations.rate),
            series(curve, "nodes", Side::Left, |point| point.nodes.rate),
        ];
        if curve.game == Game::Othello {
            // Positions differ in size by orders of magnitude: a small one can rule the mean rate.
            lines.push(series(curve, "iterations, of means", Side::Left, |point| {
                point.iterations.rate_of_means
            }));
            lines.push(series(curve, "nodes, of means", Side::Left, |point| {
                point.nodes.rate_of_means
            }));
        }
        Chart {
            reference: Some(100.0),
            series: lines,
            ..self.over_r(curve, title, Scale { label, logarithmic })
        }
    }

    /// Fig. 4: reducing and increasing cases, of all values of `R` but 1.
    fn cases(
        &self,
        curve: &Curve,
        figure: &str,
        what: &str,
        cases: fn(&CurvePoint) -> Cases,
    ) -> Chart {
        let title = format!("{figure}: {}, cases by number of {what}", self.name(curve));
        let scale = Scale { label: "positions".into(), logarithmic: false };
        let count = |pick: fn(Cases) -> usize| move |point: &CurvePoint| pick(cases(point)) as f64;
        // R = 1 is what the others are compared with.
        let points = curve.points.iter().filter(|point| point.hundredths != 100).copied().collect();
        let curve = &Curve { points, ..*curve };
        Chart {
            series: vec![
                series(curve, "reducing", Side::Left, count(|cases| cases.reducing)),
                series(curve, "increasing", Side::Left, count(|cases| cases.increasing)),
            ],
            ..self.over_r(curve, title, scale)
        }
    }
}

/// The points where all positions were searched.
fn complete(curve: &Curve) -> impl Iterator<Item = &CurvePoint> {
    let all = curve.points.iter().map(|point| point.positions).max();
    curve.points.iter().filter(move |point| Some(point.positions) == all)
}

fn series(curve: &Curve, name: &str, side: Side, value: impl Fn(&CurvePoint) -> f64) -> Series {
    let point = |point: &CurvePoint| Point {
        x: ratio(point.hundredths),
        y: value(point),
        hollow: point.unsolved > 0,
        reach: 0.0,
    };
    let points = complete(curve).map(point).collect();
    Series { name: name.into(), side, style: Style::Line, points }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andor::Value;

    fn rows(choice: Choice, iterations: [u64; 3]) -> Vec<Row> {
        let (game, recognition) = (Game::Othello, Recognition::Expanded);
        let search = |position| Search { game, recognition, choice, position };
        let row = |(position, &iterations): (usize, &u64)| Row {
            search: search(position as u32),
            value: Some(Value::Proven),
            iterations,
            nodes: iterations,
        };
        iterations.iter().enumerate().map(row).collect()
    }

    /// A small position that takes long with one R: Fig. 3b sees it, Fig. 3a does not.
    #[test]
    fn the_best_r_of_figure_3b_is_not_that_of_figure_3a() {
        let bases = rows(Choice::Deep(100), [100, 1_000, 10_000]);
        let point = |hundredths, iterations| {
            let rows = rows(Choice::Deep(hundredths), iterations);
            let measure = measure(&rows, &bases, |row| row.iterations);
            let (positions, unsolved) = (rows.len(), 0);
            CurvePoint { hundredths, positions, unsolved, iterations: measure, nodes: measure }
        };
        let points = vec![point(75, [60, 600, 6_000]), point(40, [900, 400, 4_000])];
        let curve = Curve { game: Game::Othello, recognition: Recognition::Expanded, points };
        let best = |figure: fn(&Measure) -> f64| curve.best_by(figure).map(|p| p.hundredths);
        assert_eq!(best(|m| m.rate), Some(75));
        assert_eq!((best(|m| m.mean), best(|m| m.median_rate)), (Some(40), Some(40)));
        let small_r = curve.at(40).expect("a point").iterations;
        assert!((small_r.rate - 980.0 / 3.0).abs() < 1e-9 && small_r.median_rate == 40.0);
    }
}
