//! The result of a match, for people and for programs.

use serde_json::{Map, Value, json};
use yomikiri_cluster::match_play::{CrossTable, EngineSpec, Finish, Standing};
use yomikiri_cluster::tally::{Sprt, Tally, Verdict};
use yomikiri_question::display::count;

use super::setup::Setup;
use crate::columns::{pad, width};

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

/// A difference as people write it.
fn signed(elo: f64) -> String {
    format!("{:+}", elo.round() as i64).replace('-', "−")
}

/// The difference in Elo.
pub fn elo(standing: &Standing) -> String {
    let tally = &standing.tally;
    let (middle, [low, high]) = tally.elo();
    let (rate, margin) = (tally.rate(), tally.margin());
    let one = |elo: f64, rate: f64| match rate {
        _ if rate <= 0.0 => "−∞".into(),
        _ if rate >= 1.0 => "+∞".into(),
        _ => signed(elo),
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

/// The likelihood that the first engine is the stronger one.
fn superiority(tally: &Tally) -> Option<String> {
    tally.superiority().map(|los| format!("{:.1} %", 100.0 * los))
}

fn mean((sum, count): (u64, u64)) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}

/// Points as people write them.
pub fn halves(points: f64) -> String {
    match points.fract() == 0.0 {
        true => format!("{points:.0}"),
        false if points < 1.0 => "½".into(),
        false => format!("{}½", points.floor()),
    }
}

/// All engines with how they stand against the others, the best first in a tournament.
pub fn ranking<'a>(setup: &'a Setup, table: &CrossTable) -> Vec<(&'a str, Standing)> {
    let names = setup.names().into_iter().enumerate();
    let mut rows: Vec<_> = names.map(|(at, name)| (name, table.of(at))).collect();
    if rows.len() > 2 {
        let rate = |standing: &Standing| standing.points() / standing.len().max(1) as f64;
        rows.sort_by(|(_, one), (_, two)| rate(two).total_cmp(&rate(one)));
    }
    rows
}

/// The result as people read it.
pub fn text(setup: &Setup, table: &CrossTable) -> String {
    let names = setup.names();
    let is_tournament = names.len() > 2;
    let column = names.iter().map(|name| width(name)).max().unwrap_or(0).max(6);
    let head = |text: &str| pad(text, column);
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
    let last = |los: &str, elo: &str| match is_tournament {
        true => format!("{}{los}  {elo}", " ".repeat(9 - width(los).min(9))),
        false => String::new(),
    };
    let mut text = format!("\n{}{titles}{}\n", head("engine"), last("LOS", "Elo (95 %)"));
    for (name, standing) in ranking(setup, table) {
        let ([won, drawn, lost], deeds) = (standing.games, &standing.deeds[0]);
        let dash = || "–".to_owned();
        let cells = [
            halves(standing.points()),
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
        let elo = if standing.tally.is_empty() { dash() } else { elo(&standing) };
        let cells = row(cells.each_ref().map(String::as_str));
        let los = superiority(&standing.tally).unwrap_or_else(dash);
        text += &format!("{}{cells}{}\n", head(name), last(&los, &elo));
    }
    let ends: Vec<String> =
        table.all().reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    text += &format!("\nended by  {}\n", ends.join(", "));
    if is_tournament {
        return text + "Elo and LOS are against the field, over pairs of games\n";
    }
    let standing = &table.of(0);
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
        if let Some((middle, [low, high])) = tally.normalized_elo() {
            let [middle, low, high] = [middle, low, high].map(signed);
            text += &format!("nElo      {middle} ({low} to {high})  (normalized by the noise)\n");
        }
        if let Some(los) = superiority(tally) {
            text += &format!("LOS       {los}  (the likelihood that {} is stronger)\n", names[0]);
        }
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

/// A score for programs, from the point of view of the first of two.
fn score(standing: &Standing) -> Map<String, Value> {
    let tally = &standing.tally;
    let (elo, [elo_low, elo_high]) = tally.elo();
    let has_interval = has_interval(standing);
    let (rate, margin) = (tally.rate(), tally.margin());
    // At the ends of the scale there is no number.
    let finite = |elo: f64, rate: f64| {
        let is_there = !tally.is_empty() && rate > 0.0 && rate < 1.0;
        Some(elo).filter(|_| is_there)
    };
    let ends = [finite(elo_low, rate - margin), finite(elo_high, rate + margin)];
    let [won, drawn, lost] = standing.games;
    let normalized = tally.normalized_elo();
    let fields = [
        ("games", json!(standing.len())),
        ("won", json!(won)),
        ("drawn", json!(drawn)),
        ("lost", json!(lost)),
        ("pairs", json!(tally.pairs)),
        ("rate", json!(Some(rate).filter(|_| !tally.is_empty()))),
        ("rate_margin_95", json!(Some(margin).filter(|_| has_interval))),
        ("elo", json!(finite(elo, rate))),
        ("elo_95", json!(has_interval.then_some(ends))),
        ("normalized_elo", json!(normalized.map(|(middle, _)| middle))),
        ("normalized_elo_95", json!(normalized.map(|(_, ends)| ends))),
        ("los", json!(tally.superiority())),
    ];
    fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect()
}

fn sprt_json(sprt: Sprt, tally: &Tally) -> Value {
    let verdict = match sprt.verdict(tally) {
        Verdict::Accepted => "accepted",
        Verdict::Rejected => "rejected",
        Verdict::Open => "open",
    };
    json!({
        "elo0": sprt.elo0, "elo1": sprt.elo1, "alpha": sprt.alpha, "beta": sprt.beta,
        "llr": sprt.llr(tally), "bounds": sprt.bounds(), "verdict": verdict,
    })
}

/// The result for programs: in a match of two the score is that of the first; in a tournament every
/// engine has its own, against the field, and every pairing.
pub fn json(setup: &Setup, table: &CrossTable, finish: Option<Finish>) -> Value {
    let is_tournament = setup.header.engines.len() > 2;
    let engine = |(at, engine): (usize, &EngineSpec)| {
        let standing = table.of(at);
        let deeds = &standing.deeds[0];
        let mut fields = json!({
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
        });
        if let Some(fields) = fields.as_object_mut().filter(|_| is_tournament) {
            fields.extend(score(&standing));
        }
        fields
    };
    let engines: Vec<Value> = setup.header.engines.iter().enumerate().map(engine).collect();
    let all = table.all();
    let reasons: Map<String, Value> =
        all.reasons.iter().map(|(reason, count)| (reason.to_string(), json!(count))).collect();
    let finish = match finish {
        Some(Finish::Complete) => "complete",
        Some(Finish::Decided) => "decided",
        Some(Finish::Interrupted) => "interrupted",
        None => "failed",
    };
    let mut result = Map::from_iter([
        ("finish".to_owned(), json!(finish)),
        ("game".to_owned(), json!(setup.header.game)),
        ("openings".to_owned(), json!(setup.header.openings)),
        ("engines".to_owned(), json!(engines)),
        ("games".to_owned(), json!(all.len())),
        ("ended_by".to_owned(), json!(reasons)),
    ]);
    if is_tournament {
        let names = setup.names();
        let pairing = |(engines, standing): ([usize; 2], &Standing)| {
            let mut fields = score(standing);
            fields.insert("engines".into(), json!(engines.map(|at| names[at])));
            Value::Object(fields)
        };
        result.insert("pairings".into(), table.pairings().map(pairing).collect());
    } else {
        let standing = table.of(0);
        result.extend(score(&standing));
        let sprt = setup.plan.sprt.map(|sprt| sprt_json(sprt, &standing.tally));
        result.insert("sprt".into(), json!(sprt));
    }
    Value::Object(result)
}
