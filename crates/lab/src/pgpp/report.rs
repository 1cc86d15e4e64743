//! Tables and figures of what was played.

use std::fmt::{self, Display, Formatter, Write as _};
use std::time::Instant;

use yomikiri_cluster::Growth;
use yomikiri_cluster::growth::simulated_utility;
use yomikiri_cluster::tally::Tally;

use super::arm::Arm;
use super::options::Options;
use crate::error::Result;
use crate::origin;
use crate::svg::{Chart, Point, Scale, Series, Side, Style};

/// How an arm fared.
#[derive(Clone, Debug)]
pub struct Line {
    /// Who.
    pub arm: Arm,
    /// The results.
    pub tally: Tally,
    /// The mean number of coming plies that were in its tree when it was to move.
    pub utility: f64,
    /// What a cluster gains in Elo, as a share of what one worker gains with as many times the
    /// nodes, and its 95 % interval. None where that was not played, or shows no gain.
    pub of_linear: Option<Share>,
}

/// A share, with the ends of its 95 % interval.
pub type Share = (f64, (f64, f64));

/// What the experiment found. Its [`Display`] is the text of `summary.txt`.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The arms.
    pub lines: Vec<Line>,
    /// If the run was ended: pairs of games that are there, of so many.
    pub unfinished: Option<(usize, usize)>,
    text: String,
}

impl Display for Summary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Writes all files.
pub(super) fn report(
    options: &Options,
    lines: Vec<Line>,
    unfinished: Option<(usize, usize)>,
    start: Instant,
) -> Result<Summary> {
    let save = |name: &str, text: &str| {
        let path = options.out.join(name);
        yomikiri_files::write(&path, text)
    };
    save("fig4.csv", &csv(options, &lines))?;
    save("fig4a.svg", &fig4a(options, &lines).to_string())?;
    save("fig4b.svg", &fig4b(options, &lines).to_string())?;
    let mut summary = Summary { lines, unfinished, text: String::new() };
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = describe(&mut text, options, &summary, start);
    save("summary.txt", &text)?;
    summary.text = text;
    Ok(summary)
}

fn csv(options: &Options, lines: &[Line]) -> String {
    let mut csv = String::from(
        "arm,games,won,drawn,lost,rate,margin,elo,utility,simulated,of_linear,of_linear_low,of_linear_high\n",
    );
    for Line { arm, tally, utility, of_linear } in lines {
        let [won, drawn, lost] = tally.games;
        let (games, simulated) = (won + drawn + lost, simulated(options, *arm));
        let simulated = simulated.map_or(String::new(), |u| format!("{u:.4}"));
        let share = of_linear
            .map_or(",,".into(), |(share, (low, high))| format!("{share:.4},{low:.4},{high:.4}"));
        let _ = writeln!(
            csv,
            "{arm},{games},{won},{drawn},{lost},{:.4},{:.4},{:.1},{utility:.4},{simulated},{share}",
            tally.rate(),
            tally.margin(),
            elo(tally)
        );
    }
    csv
}

/// The difference in Elo; without end where all games were won or lost.
fn elo(tally: &Tally) -> f64 {
    match tally.rate() {
        0.0 => f64::NEG_INFINITY,
        1.0 => f64::INFINITY,
        _ => tally.elo().0,
    }
}

/// U(T) of the tree that the greedy choice builds by ranks alone.
fn simulated(options: &Options, arm: Arm) -> Option<f64> {
    match arm {
        Arm::Cluster { growth: Growth::Pgpp, workers, .. } => {
            Some(simulated_utility(&options.ranks, workers as usize))
        }
        _ => None,
    }
}

/// A curve of Fig. 4: a name, and which arms are on it, by how many workers.
type Curve = (String, Box<dyn Fn(Arm) -> Option<u32>>);

/// The curves of clusters with this growth: trees that grow at any time, and at new roots only.
fn clusters(wanted: Growth, name: &str) -> [Curve; 2] {
    [(false, ""), (true, ", at new roots only")].map(|(only, when)| -> Curve {
        let of = move |arm| match arm {
            Arm::Cluster { growth, workers, new_roots_only } => {
                (growth == wanted && new_roots_only == only).then_some(workers)
            }
            Arm::Linear(_) | Arm::Forgetful => None,
        };
        (format!("{name}{when}"), Box::new(of))
    })
}

/// A curve as a series; `y` is the value of an arm, and how far its error bar reaches.
fn series(lines: &[Line], curve: &Curve, y: impl Fn(&Line) -> Option<(f64, f64)>) -> Series {
    let (name, of) = curve;
    let mut points: Vec<Point> = lines
        .iter()
        .filter_map(|line| {
            let (workers, (y, reach)) = (of(line.arm)?, y(line)?);
            Some(Point { x: f64::from(workers), y, reach, hollow: false })
        })
        .collect();
    points.sort_by(|one, two| one.x.total_cmp(&two.x));
    Series { name: name.clone(), side: Side::Left, style: Style::Line, points }
}

/// How many games an arm has played: of a run that was ended, the fewest and the most.
fn games(lines: &[Line]) -> String {
    let counts = || lines.iter().map(|line| 2 * line.tally.len());
    let (least, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
    if least == most { format!("{most}") } else { format!("{least} to {most}") }
}

/// A figure with these curves, all of them about these arms.
fn chart(
    title: &str,
    (options, lines): (&Options, &[Line]),
    label: &str,
    series: Vec<Series>,
) -> Chart {
    let series = series.into_iter().filter(|series| !series.points.is_empty());
    Chart {
        title: title.into(),
        subtitle: format!(
            "{} games each, {} nodes a move, clusters {} % less",
            games(lines),
            options.nodes,
            options.penalty
        ),
        x_label: "workers".into(),
        x_range: (0.8, 100.0),
        x_step: 0.0,
        left: Scale { label: label.into(), logarithmic: false },
        right: None,
        reference: None,
        series: series.collect(),
    }
}

fn fig4a(options: &Options, lines: &[Line]) -> Chart {
    /// Points of different arms with as many workers lie this much apart, so that their error bars
    /// are told apart.
    const APART: f64 = 1.035;
    let single =
        |name: &str, of: fn(Arm) -> Option<u32>| -> [Curve; 1] { [(name.into(), Box::new(of))] };
    let linear = |arm| match arm {
        Arm::Linear(times) => Some(times),
        _ => None,
    };
    let forgetful = |arm| (arm == Arm::Forgetful).then_some(1);
    let curves = clusters(Growth::Pgpp, "P-GPP")
        .into_iter()
        .chain(single("linear speed-up", linear))
        .chain(clusters(Growth::Random, "random growth"))
        .chain(clusters(Growth::Gpp, "GPP's shares"))
        .chain(clusters(Growth::Pv, "along the PV"))
        .chain(single("one worker, forgetful", forgetful));
    let rate = |line: &Line| Some((100.0 * line.tally.rate(), 100.0 * line.tally.margin()));
    let all: Vec<Series> = curves.map(|curve| series(lines, &curve, rate)).collect();
    let title = "Fig. 4a: win rate against one worker, with 95 % intervals";
    let mut chart = chart(title, (options, lines), "win rate, %", all);
    let middle = (chart.series.len() as f64 - 1.0) / 2.0;
    for (at, series) in chart.series.iter_mut().enumerate() {
        series.points.iter_mut().for_each(|point| point.x *= APART.powf(at as f64 - middle));
    }
    Chart { reference: Some(50.0), ..chart }
}

fn fig4b(options: &Options, lines: &[Line]) -> Chart {
    let utility = |line: &Line| Some((line.utility, 0.0));
    let observed = clusters(Growth::Pgpp, "P-GPP, observed")
        .into_iter()
        .chain(clusters(Growth::Random, "random growth, observed"));
    let mut all: Vec<Series> = observed.map(|curve| series(lines, &curve, utility)).collect();
    let simulation: Curve = ("simulation by ranks alone".into(), Box::new(Arm::workers));
    // The same for all arms with as many workers.
    let mut simulated =
        series(lines, &simulation, |line| Some((simulated(options, line.arm)?, 0.0)));
    simulated.points.dedup();
    all.push(simulated);
    let title = "Fig. 4b: utility of the master tree";
    chart(title, (options, lines), "plies foreseen", all)
}

fn describe(out: &mut String, options: &Options, summary: &Summary, start: Instant) -> fmt::Result {
    writeln!(out, "P-GPP (Yokoyama, Kaneko and Tanaka 2015): Fig. 4a, 4b, in virtual time\n")?;
    if let Some((done, total)) = summary.unfinished {
        writeln!(
            out,
            "UNFINISHED {done} of {total} pairs of games are there; the same command goes on. A line counts the games that\n\
             are.\n"
        )?;
    }
    origin::describe(out)?;
    writeln!(
        out,
        "games     against one worker of our engine; {} nodes a move for each worker (clusters {} % less),\n\
         {:10}{} in the opponent's time; tables of {} MiB{}; this run {:.0} s\n\
         ranks     of {}: {}\n",
        options.nodes,
        options.penalty,
        "",
        if options.ponder { "also" } else { "not" },
        options.table_mib,
        if options.reports { "" } else { ", not reported" },
        start.elapsed().as_secs_f64(),
        options.ranks_from,
        options.rank_list()
    )?;
    writeln!(
        out,
        "{:<14}{:>7}{:>22}{:>10}{:>9}{:>8}{:>10}{:>11}{:>8}{:>22}",
        "arm",
        "games",
        "won/drawn/lost",
        "rate, %",
        "±95 %",
        "Elo",
        "utility",
        "simulated",
        "paper",
        "of linear's Elo"
    )?;
    for Line { arm, tally, utility, of_linear } in &summary.lines {
        let [won, drawn, lost] = tally.games;
        let simulated = simulated(options, *arm);
        let paper = paper(*arm);
        writeln!(
            out,
            "{:<14}{:>7}{:>22}{:>10.1}{:>9.1}{:>8.0}{:>10.2}{:>11}{:>8}{:>22}",
            arm.to_string(),
            won + drawn + lost,
            format!("{won}/{drawn}/{lost}"),
            100.0 * tally.rate(),
            100.0 * tally.margin(),
            elo(tally),
            utility,
            simulated.map_or("-".into(), |u| format!("{u:.2}")),
            paper.map_or("-".into(), |p| format!("{p:.1}")),
            of_linear.map_or("-".into(), |(share, (low, high))| {
                format!("{share:.2} ({low:.2} to {high:.2})")
            }),
        )?;
    }
    writeln!(
        out,
        "\nrate: wins plus half of the draws. utility: how many of the coming plies were in the tree when it was the\n\
         cluster's turn, the mean over its moves; simulated: by the probabilities of ranks alone. of linear's Elo:\n\
         what the cluster gains, as a share of what one worker gains with as many times the nodes (95 %, over pairs)."
    )
}

/// The win rates that the paper's text gives.
fn paper(arm: Arm) -> Option<f64> {
    match arm {
        // The paper's trees grow at new roots only, but for one worker that is the same.
        Arm::Cluster { growth: Growth::Pgpp, workers, .. } => match workers {
            1 => Some(48.1),
            32 => Some(62.5),
            60 => Some(64.6),
            _ => None,
        },
        Arm::Forgetful => Some(39.2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use yomikiri_cluster::tally::Points;

    use super::*;

    fn line(arm: &str, pairs: &[[Points; 2]]) -> Line {
        let mut tally = Tally::default();
        pairs.iter().for_each(|&pair| tally.add_pair(pair));
        Line { arm: arm.parse().unwrap(), tally, utility: 1.0, of_linear: None }
    }

    const WON: [Points; 2] = [Points::Win, Points::Win];
    const EVEN: [Points; 2] = [Points::Win, Points::Loss];
    const LOST: [Points; 2] = [Points::Loss, Points::Loss];

    #[test]
    fn every_arm_is_in_figure_4a_with_its_interval() {
        let pairs = [WON, EVEN, LOST, WON];
        let names = [
            "pgpp-8",
            "pgpp-1",
            "pgpp-8@root",
            "linear-8",
            "random-8",
            "gpp-8",
            "pv-8",
            "forgetful",
        ];
        let lines: Vec<Line> = names.iter().map(|name| line(name, &pairs)).collect();
        let chart = fig4a(&Options::new(true), &lines);
        let shown: usize = chart.series.iter().map(|series| series.points.len()).sum();
        assert_eq!((chart.series.len(), shown), (7, 8));
        let margin = 100.0 * lines[0].tally.margin();
        for point in chart.series.iter().flat_map(|series| &series.points) {
            assert_eq!((point.y, point.reach), (62.5, margin));
        }
        // In the order of their workers, and beside each other where those are as many.
        let [one, eight] = [0, 1].map(|at| chart.series[0].points[at].x);
        assert!((0.8..1.0).contains(&one) && (7.0..8.0).contains(&eight), "{one} {eight}");
        let mut places: Vec<f64> = chart.series.iter().map(|series| series.points[0].x).collect();
        places.dedup();
        assert_eq!(places.len(), 7);
    }
}
