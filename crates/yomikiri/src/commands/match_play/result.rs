//! The result of a match, for people and for programs.

use serde_json::json;
use yomikiri_cluster::match_play::{Finish, Standing};
use yomikiri_cluster::tally::{Sprt, Verdict};

use super::Setup;
use crate::words::{count, pad, width};

/// Is there an interval? Not as long as all pairs are alike.
fn has_interval(standing: &Standing) -> bool {
    standing.tally.margin() > 0.0
}

/// The part of the points that the first engine got.
pub fn rate(standing: &Standing) -> String {
    let tally = &standing.tally;
    match has_interval(standing) {
        true => format!("{:.1} % ± {:.1}", 100.0 * tally.rate(), 100.0 * tally.margin()),
        false => format!("{:.1} %", 100.0 * tally.rate()),
    }
}

/// The difference in Elo.
pub fn elo(standing: &Standing) -> String {
    let tally = &standing.tally;
    let (middle, [low, high]) = tally.elo();
    let (rate, margin) = (tally.rate(), tally.margin());
    let one = |elo: f64, rate: f64| match rate {
        _ if rate <= 0.0 => "−∞".into(),
        _ if rate >= 1.0 => "+∞".into(),
        _ => format!("{:+}", elo.round() as i64).replace('-', "−"),
    };
    match has_interval(standing) {
        true => format!(
            "{} ({} to {})",
            one(middle, rate),
            one(low, rate - margin),
            one(high, rate + margin)
        ),
        false => one(middle, rate),
    }
}

fn mean((sum, count): (u64, u64)) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}

/// The result as people read it.
pub fn text(setup: &Setup, standing: &Standing) -> String {
    let names = setup.names();
    let [won, drawn, lost] = standing.games;
    let points = standing.points();
    let all = standing.len() as f64;
    let column = names.map(width).into_iter().max().unwrap_or(0).max(6);
    let head = |text: &str| pad(text, column);
    let halves = |points: f64| match points.fract() == 0.0 {
        true => format!("{points:.0}"),
        false if points < 1.0 => "½".into(),
        false => format!("{}½", points.floor()),
    };
    let row = |cells: [&str; 10]| {
        let widths = [8, 6, 7, 6, 9, 9, 9, 7, 8, 9];
        let cells: Vec<String> = cells
            .iter()
            .zip(widths)
            .map(|(cell, width_of)| {
                format!("{}{cell}", " ".repeat(width_of - width(cell).min(width_of)))
            })
            .collect();
        cells.concat()
    };
    let titles = row([
        "points", "won", "drawn", "lost", "on time", "illegal", "crashes", "depth", "nodes",
        "ms/move",
    ]);
    let mut text = format!("\n{}{titles}\n", head("engine"));
    let scores = [(points, won, lost), (all - points, lost, won)];
    for ((name, deeds), (points, won, lost)) in names.iter().zip(&standing.deeds).zip(scores) {
        let dash = || "–".to_owned();
        let cells = [
            halves(points),
            won.to_string(),
            drawn.to_string(),
            lost.to_string(),
            deeds.time_losses.to_string(),
            deeds.illegal_moves.to_string(),
            deeds.crashes.to_string(),
            mean(deeds.depth).map_or_else(dash, |depth| format!("{depth:.1}")),
            mean(deeds.nodes).map_or_else(dash, |nodes| count(nodes as u64)),
            mean((deeds.millis, deeds.moves)).map_or_else(dash, |millis| format!("{millis:.0}")),
        ];
        text += &format!("{}{}\n", head(name), row(cells.each_ref().map(String::as_str)));
    }
    let ends: Vec<String> =
        standing.reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    text += &format!("\nended by  {}\n", ends.join(", "));
    let tally = &standing.tally;
    if !tally.is_empty() {
        let pairs = tally.pairs.map(|pairs| pairs.to_string()).join(" ");
        text += &format!("pairs     {pairs}  (with 0, ½, 1, 1½, 2 points of {})\n", names[0]);
        let note = match has_interval(standing) {
            true => "  (95 %, over pairs)",
            false => "  (no interval: all pairs are alike)",
        };
        text += &format!("win rate  {}{note}\n", rate(standing));
        text += &format!("Elo       {}\n", elo(standing));
    }
    if let Some(sprt) = setup.plan.sprt {
        let [low, high] = sprt.bounds();
        let Sprt { elo0, elo1, .. } = sprt;
        let verdict = match sprt.verdict(tally) {
            Verdict::Accepted => format!("{} is better by {elo1} Elo rather than {elo0}", names[0]),
            Verdict::Rejected => format!("{} is better by {elo0} Elo rather than {elo1}", names[0]),
            Verdict::Open => "undecided".into(),
        };
        text +=
            &format!("SPRT      {verdict}; LLR {:.2} in ({low:.2}, {high:.2})\n", sprt.llr(tally));
    }
    text
}

/// The result for programs.
pub fn json(setup: &Setup, standing: &Standing, finish: Option<Finish>) -> serde_json::Value {
    let tally = &standing.tally;
    let (elo, [elo_low, elo_high]) = tally.elo();
    let engines: Vec<_> = setup
        .header
        .engines
        .iter()
        .zip(&standing.deeds)
        .map(|(engine, deeds)| {
            json!({
                "name": engine.name,
                "cmd": engine.cmd,
                "limits": engine.limits,
                "time_losses": deeds.time_losses,
                "illegal_moves": deeds.illegal_moves,
                "crashes": deeds.crashes,
                "moves": deeds.moves,
                "mean_ms": mean((deeds.millis, deeds.moves)),
                "mean_depth": mean(deeds.depth),
                "mean_nodes": mean(deeds.nodes),
            })
        })
        .collect();
    let reasons: serde_json::Map<_, _> =
        standing.reasons.iter().map(|(reason, count)| (reason.to_string(), json!(count))).collect();
    let sprt = setup.plan.sprt.map(|sprt| {
        let verdict = match sprt.verdict(tally) {
            Verdict::Accepted => "accepted",
            Verdict::Rejected => "rejected",
            Verdict::Open => "open",
        };
        json!({
            "elo0": sprt.elo0, "elo1": sprt.elo1, "alpha": sprt.alpha, "beta": sprt.beta,
            "llr": sprt.llr(tally), "bounds": sprt.bounds(), "verdict": verdict,
        })
    });
    let finish = match finish {
        Some(Finish::Complete) => "complete",
        Some(Finish::Decided) => "decided",
        Some(Finish::Interrupted) => "interrupted",
        None => "failed",
    };
    let has_interval = has_interval(standing);
    let (rate, margin) = (tally.rate(), tally.margin());
    // At the ends of the scale there is no number.
    let finite = |elo: f64, rate: f64| {
        let is_there = !tally.is_empty() && rate > 0.0 && rate < 1.0;
        // No negative zero.
        Some(elo + 0.0).filter(|_| is_there)
    };
    let ends = [finite(elo_low, rate - margin), finite(elo_high, rate + margin)];
    json!({
        "finish": finish,
        "game": setup.header.game,
        "openings": setup.header.openings,
        "engines": engines,
        "games": standing.len(),
        "won": standing.games[0],
        "drawn": standing.games[1],
        "lost": standing.games[2],
        "ended_by": reasons,
        "pairs": tally.pairs,
        "rate": Some(rate).filter(|_| !tally.is_empty()),
        "rate_margin_95": Some(margin).filter(|_| has_interval),
        "elo": finite(elo, rate),
        "elo_95": has_interval.then_some(ends),
        "sprt": sprt,
    })
}
