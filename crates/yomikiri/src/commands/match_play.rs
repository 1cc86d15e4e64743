//! `yomikiri match`: engines against each other.

use std::fs::{self, File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use andor::Stop;
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use yomikiri_cluster::Game;
use yomikiri_cluster::match_play::game::Terms;
use yomikiri_cluster::match_play::runner::RunError;
use yomikiri_cluster::match_play::spec::LimitWords;
use yomikiri_cluster::match_play::{
    Adjudication, Contestant, EngineSpec, Finish, GameRecord, Header, Journal, Openings, Plan,
    Report, Standing, notation, run as play_match,
};
use yomikiri_cluster::tally::{Sprt, Verdict};

use super::Exit;
use crate::interrupt::stop_on_interrupt;
use crate::words::{count, pad, width};

/// In shogi a game of so many plies is a draw, unless `--adjudicate` says otherwise.
const LONGEST_SHOGI: u32 = 512;

/// Options of `match`.
#[derive(clap::Args)]
#[command(after_help = "\
An engine is written as parts with commas between them; quotes keep commas together:

  cmd=COMMAND        what to start, or tcp://host:port; a first part without = is this too
  name=NAME          what to call it (otherwise the program's name)
  option.NAME=VALUE  an option of the engine; a button has no value
  nodes= movetime= depth= tc= byoyomi=
                     limits of its own, instead of those of the match

Every opening is played twice with sides exchanged, and intervals are taken over pairs of games.
An engine that dies, hangs, is late or plays an illegal move loses that game and is started again;
one that cannot be started ends the match. Ctrl-C keeps the games that have ended; with --out they
are in a file, and the same command with --resume goes on.

Examples:
  yomikiri match --engine stockfish,nodes=2000,name=strong --engine stockfish,nodes=500,name=weak \\
      --openings openings.epd --seed 1 --pairs 50 --concurrency 2 --pgn games.pgn
  yomikiri match --engine 'name=new,cmd=./engine --fast,option.Hash=64' --engine ./old --tc 10+0.1 \\
      --openings book.pgn --pairs 20000 --sprt elo0=0,elo1=5 --out match.jsonl --resume
  yomikiri match --game shogi --engine 'fairy-stockfish,name=a' --engine 'gpsusi,name=b' \\
      --byoyomi 1000 --pairs 10 --csa games.csa
  yomikiri match --engine 'name=cluster,cmd=yomikiri cluster uci --workers 4' \\
      --engine 'name=one,cmd=yomikiri engine chess' --movetime 100 --ponder --pairs 100")]
pub struct Args {
    /// One of the two engines
    #[arg(long = "engine", value_name = "SPEC", required = true)]
    engines: Vec<String>,
    /// What they play, and so which protocol they speak: chess is UCI, shogi USI
    #[arg(long, value_enum, default_value_t = Rules::Chess)]
    game: Rules,
    /// Openings: EPD, FEN, PGN or SFEN; without it all games begin at the beginning
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Take the openings in a random order, which depends on this number alone
    #[arg(long, value_name = "N", requires = "openings")]
    seed: Option<u64>,
    /// Play so many openings, each twice
    #[arg(long, value_name = "N", conflicts_with = "games", value_parser = clap::value_parser!(u64).range(1..))]
    pairs: Option<u64>,
    /// Play so many games, an even number [default: 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Milliseconds a move
    #[arg(long, value_name = "MS")]
    movetime: Option<String>,
    /// Nodes a move
    #[arg(long, value_name = "N")]
    nodes: Option<String>,
    /// Plies a move
    #[arg(long, value_name = "N")]
    depth: Option<String>,
    /// A clock in seconds: 10+0.1 adds 0.1 after every move, 40/60 gives 60 for every 40 moves
    #[arg(long, value_name = "[MOVES/]BASE[+INC]")]
    tc: Option<String>,
    /// Milliseconds for a move when the clock is at 0
    #[arg(long, value_name = "MS")]
    byoyomi: Option<String>,
    /// A move may come so much later before the game is lost on time
    #[arg(long, value_name = "MS", default_value_t = 100)]
    margin: u64,
    /// An engine without a limit of time is hung when a move takes longer
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    patience: u64,
    /// Let engines think in the opponent's time
    #[arg(long)]
    ponder: bool,
    /// Play so many games at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: usize,
    /// End games early: both say ±900 for 4 moves; both say within 10 for 8 moves, from move 40
    /// on; a draw after 400 plies
    #[arg(long, value_name = "resign=900:4,draw=10:8:40,plies=400")]
    adjudicate: Option<Adjudication>,
    /// End the match when a sequential test decides between two differences in Elo
    #[arg(long, value_name = "elo0=0,elo1=10,alpha=0.05,beta=0.05", value_parser = parse_sprt)]
    sprt: Option<Sprt>,
    /// Write the games of chess here, with scores, depths and times
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write the games of shogi here, with scores, depths and times
    #[arg(long, value_name = "FILE", conflicts_with = "pgn")]
    csa: Option<PathBuf>,
    /// Write a line of JSON here for every game when it ends
    #[arg(long, value_name = "FILE.jsonl")]
    out: Option<PathBuf>,
    /// Go on with the match in the file of --out
    #[arg(long, requires = "out")]
    resume: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Print nothing before the result
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Rules {
    Chess,
    Shogi,
}

impl From<Rules> for Game {
    fn from(rules: Rules) -> Game {
        match rules {
            Rules::Chess => Game::Chess,
            Rules::Shogi => Game::Shogi,
        }
    }
}

/// Reads `elo0=0,elo1=10,alpha=0.05,beta=0.05`; the risks may be left out.
fn parse_sprt(text: &str) -> Result<Sprt, String> {
    let (mut elo0, mut elo1, mut alpha, mut beta) = (None, None, 0.05, 0.05);
    for part in text.split(',') {
        let (key, value) = part.split_once('=').ok_or(format!("'{part}': write KEY=NUMBER"))?;
        let number = value.trim().parse().ok().filter(|number: &f64| number.is_finite());
        let number = number.ok_or(format!("'{value}' is no number"))?;
        match key.trim() {
            "elo0" => elo0 = Some(number),
            "elo1" => elo1 = Some(number),
            "alpha" => alpha = number,
            "beta" => beta = number,
            other => return Err(format!("'{other}' is none of elo0, elo1, alpha and beta")),
        }
    }
    let (Some(elo0), Some(elo1)) = (elo0, elo1) else {
        return Err("elo0 and elo1 are needed".into());
    };
    let is_risk = |risk: f64| risk > 0.0 && risk < 0.5;
    match elo0 < elo1 && is_risk(alpha) && is_risk(beta) {
        true => Ok(Sprt { elo0, elo1, alpha, beta }),
        false => Err("elo0 must be below elo1, and the risks between 0 and 0.5".into()),
    }
}

/// A match with all that belongs to it.
struct Setup {
    plan: Plan,
    header: Header,
}

impl Setup {
    fn new(args: &Args) -> Result<Setup> {
        let game = Game::from(args.game);
        let mut engines = read_engines(&args.engines)?;
        let limits = read_limits(args)?;
        for engine in &mut engines {
            if engine.limits.is_empty() {
                engine.limits = limits;
            }
            if engine.limits.is_empty() {
                bail!(
                    "{} has no limit: give --movetime, --nodes, --depth, --tc or --byoyomi, or one \
                     of them in its --engine",
                    engine.name
                );
            }
        }
        let pairs = match (args.pairs, args.games) {
            (Some(pairs), _) => pairs,
            (None, Some(games)) if games % 2 == 0 => games / 2,
            (None, Some(games)) => {
                bail!("--games {games}: openings are played twice, so give an even number")
            }
            (None, None) => 50,
        };
        let openings = match &args.openings {
            None => Openings::initial(game)?,
            Some(path) => {
                let text = fs::read_to_string(path)
                    .with_context(|| format!("cannot read {}", path.display()))?;
                Openings::parse(game, &text).with_context(|| path.display().to_string())?
            }
        };
        let openings = args.seed.map(|seed| openings.shuffled(seed)).unwrap_or(openings);
        let mut adjudication = args.adjudicate.unwrap_or_default();
        if game == Game::Shogi {
            adjudication.plies = adjudication.plies.or(Some(LONGEST_SHOGI));
        }
        let contestant = |engine: &EngineSpec| {
            Contestant::new(engine, game.dialect(), engine.limits, args.ponder)
        };
        let contestants = [contestant(&engines[0])?, contestant(&engines[1])?];
        let header = Header {
            game: if game == Game::Chess { "chess" } else { "shogi" }.into(),
            engines,
            openings: openings.fingerprint(),
            ponder: args.ponder,
            adjudication,
        };
        let terms = Terms {
            game,
            adjudication,
            ponder: args.ponder,
            margin: Duration::from_millis(args.margin),
            patience: Duration::from_secs(args.patience),
        };
        let concurrency = args.concurrency.max(1);
        let plan = Plan { contestants, terms, openings, pairs, concurrency, sprt: args.sprt };
        Ok(Setup { plan, header })
    }

    fn names(&self) -> [&str; 2] {
        [&self.header.engines[0].name, &self.header.engines[1].name]
    }
}

fn read_engines(texts: &[String]) -> Result<[EngineSpec; 2]> {
    let [one, two] = texts else {
        bail!("a match has two engines: give --engine twice, not {} times", texts.len());
    };
    let read =
        |text: &String| text.parse::<EngineSpec>().with_context(|| format!("--engine '{text}'"));
    let mut engines = [read(one)?, read(two)?];
    if engines[0].name == engines[1].name {
        for (at, engine) in engines.iter_mut().enumerate() {
            engine.name += &format!(" {}", at + 1);
        }
    }
    Ok(engines)
}

fn read_limits(args: &Args) -> Result<yomikiri_cluster::match_play::Limits> {
    let values = [&args.movetime, &args.nodes, &args.depth, &args.tc, &args.byoyomi];
    let mut words = LimitWords::default();
    for (key, value) in LimitWords::KEYS.into_iter().zip(values) {
        if let Some(value) = value {
            words.set(key, value).with_context(|| format!("--{key}"))?;
        }
    }
    Ok(words.limits()?)
}

/// A file of records that only grows.
fn open_records(path: &Path, is_resumed: bool) -> Result<File> {
    let is_there = fs::metadata(path).is_ok_and(|file| file.len() > 0);
    if is_there && !is_resumed {
        bail!("{} exists: give another name, or remove it", path.display());
    }
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.with_context(|| format!("cannot write {}", path.display()))
}

pub fn run(args: &Args) -> Result<Exit> {
    let setup = Setup::new(args)?;
    let game = setup.plan.terms.game;
    let records = match (game, &args.pgn, &args.csa) {
        (Game::Shogi, Some(_), _) => bail!("PGN is for chess: give --csa for games of shogi"),
        (Game::Chess, _, Some(_)) => bail!("CSA is for shogi: give --pgn for games of chess"),
        (_, Some(path), _) | (_, _, Some(path)) => Some(path),
        _ => None,
    };
    let mut records = records.map(|path| open_records(path, args.resume)).transpose()?;
    let (mut journal, played) = match &args.out {
        None => (None, Vec::new()),
        Some(path) if args.resume => {
            let (journal, played) = Journal::resume(path, &setup.header)?;
            (Some(journal), played)
        }
        Some(path) => (Some(Journal::create(path, &setup.header)?), Vec::new()),
    };
    let stop = stop_on_interrupt()?;
    let mut screen = Screen::new(args, &setup, &played);
    screen.greet(&setup, args)?;
    let event = format!("{} against {}", setup.names()[0], setup.names()[1]);
    let tell = |report: Report| -> Result<()> {
        match report {
            Report::Warning(warning) => screen.warn(&warning),
            Report::Game(record) => {
                if let Some(journal) = &mut journal {
                    journal.append(&record)?;
                }
                if let Some(file) = &mut records {
                    let text = notation::write(game, &record, &event)?;
                    file.write_all(text.as_bytes()).context("cannot write the record")?;
                }
                screen.show(&record)?;
            }
        }
        Ok(())
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("cannot start threads")?;
    let ended = runtime.block_on(play_match(&setup.plan, &played, interrupted(&stop), tell));
    // Engines are told to quit; who does not is killed.
    runtime.shutdown_timeout(Duration::from_secs(1));
    let standing = screen.finish();
    if !standing.is_empty() || ended.is_ok() {
        if args.json {
            println!("{}", result_json(&setup, &standing, ended.as_ref().ok().copied()));
        } else {
            print!("{}", result_text(&setup, &standing));
        }
    }
    match ended {
        Err(RunError::Start(error)) => Err(error.into()),
        Err(RunError::Told(error)) => Err(error),
        Ok(Finish::Interrupted) => {
            if args.out.is_some() {
                eprintln!("broken off; the same command with --resume goes on");
            } else {
                eprintln!("broken off");
            }
            Ok(Exit::Unknown)
        }
        Ok(Finish::Complete | Finish::Decided) => Ok(Exit::Done),
    }
}

async fn interrupted(stop: &Stop) {
    while !stop.is_raised() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// What is shown while games are played.
struct Screen {
    standing: Standing,
    bar: ProgressBar,
    is_quiet: bool,
    warned: Vec<String>,
    sprt: Option<Sprt>,
    total: u64,
}

impl Screen {
    fn new(args: &Args, setup: &Setup, played: &[GameRecord]) -> Screen {
        let total = 2 * setup.plan.pairs;
        let is_quiet = args.quiet || args.json;
        let target = match args.quiet || !io::stderr().is_terminal() {
            true => ProgressDrawTarget::hidden(),
            false => ProgressDrawTarget::stderr(),
        };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        let template = "{spinner} {elapsed} [{bar:25}] {pos}/{len} {wide_msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        let standing = Standing::new(played.iter().filter(|game| game.pair < setup.plan.pairs));
        let warned = Vec::new();
        let screen = Screen { standing, bar, is_quiet, warned, sprt: args.sprt, total };
        screen.draw();
        screen
    }

    fn greet(&self, setup: &Setup, args: &Args) -> Result<()> {
        if self.is_quiet {
            return Ok(());
        }
        let [one, two] = setup.names();
        let [limit_one, limit_two] = setup.plan.contestants.each_ref().map(|c| c.limits);
        let limits = match limit_one == limit_two {
            true => limit_one.to_string(),
            false => format!("{limit_one} against {limit_two}"),
        };
        let and =
            |is_so: bool, words: &str| if is_so { format!(", {words}") } else { String::new() };
        self.bar.suspend(|| {
            println!(
                "{one} against {two}: {}, {} games, {limits}{}{}",
                setup.header.game,
                self.total,
                and(setup.plan.concurrency > 1, &format!("{} at a time", setup.plan.concurrency)),
                and(args.ponder, "pondering"),
            );
            if args.openings.is_none() && setup.plan.pairs > 1 {
                println!("no --openings: all games begin at the beginning");
            }
            if !self.standing.is_empty() {
                println!("resumed after {} games", self.standing.len());
            }
        });
    }

    fn warn(&mut self, warning: &str) {
        if !self.warned.iter().any(|known| known == warning) {
            self.warned.push(warning.into());
            self.bar.suspend(|| eprintln!("note: {warning}"));
        }
    }

    fn show(&mut self, record: &GameRecord) -> Result<()> {
        self.standing.add(record);
        self.draw();
        if self.is_quiet {
            return Ok(());
        }
        let digits = self.total.to_string().len();
        let [one, two] = &record.players;
        let detail = record.detail.as_ref().map(|detail| format!(" ({detail})"));
        self.bar.suspend(|| {
            writeln!(
                io::stdout(),
                "{:>digits$}/{}  pair {:>digits$}  {one} – {two}  {}  {}, {} plies{}",
                self.standing.len(),
                self.total,
                record.pair + 1,
                record.result().replace("1/2", "½"),
                record.reason,
                record.book.len() + record.plies.len(),
                detail.unwrap_or_default(),
            )
        })?;
        Ok(())
    }

    fn draw(&self) {
        let Standing { games: [won, drawn, lost], tally, .. } = &self.standing;
        let mut words = format!("+{won} ={drawn} −{lost}");
        if !tally.is_empty() {
            words += &format!("  {}  Elo {}", rate(&self.standing), elo(&self.standing));
        }
        if let Some(sprt) = self.sprt {
            let [low, high] = sprt.bounds();
            words += &format!("  LLR {:.2} ({low:.2}, {high:.2})", sprt.llr(tally));
        }
        self.bar.set_message(words);
        self.bar.set_position(self.standing.len());
    }

    fn finish(self) -> Standing {
        self.bar.finish_and_clear();
        self.standing
    }
}

/// Is there an interval? Not as long as all pairs are alike.
fn has_interval(standing: &Standing) -> bool {
    standing.tally.margin() > 0.0
}

fn rate(standing: &Standing) -> String {
    let tally = &standing.tally;
    match has_interval(standing) {
        true => format!("{:.1} % ± {:.1}", 100.0 * tally.rate(), 100.0 * tally.margin()),
        false => format!("{:.1} %", 100.0 * tally.rate()),
    }
}

fn elo(standing: &Standing) -> String {
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
fn result_text(setup: &Setup, standing: &Standing) -> String {
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
fn result_json(setup: &Setup, standing: &Standing, finish: Option<Finish>) -> serde_json::Value {
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
    let interval = |value: f64| Some(value).filter(|_| has_interval);
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
        "rate": Some(tally.rate()).filter(|_| !tally.is_empty()),
        "rate_margin_95": interval(tally.margin()),
        "elo": Some(elo).filter(|_| !tally.is_empty()),
        "elo_95": [interval(elo_low), interval(elo_high)],
        "sprt": sprt,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequential_test_is_read() {
        let sprt = parse_sprt("elo0=-1.5,elo1=3,beta=0.1").unwrap();
        assert_eq!((sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta), (-1.5, 3.0, 0.05, 0.1));
        for text in ["", "elo0=1", "elo0=5,elo1=5", "elo0=0,elo1=x", "elo0=0,elo1=1,alpha=0.5"] {
            assert!(parse_sprt(text).is_err(), "{text}");
        }
    }

    #[test]
    fn two_engines_have_two_names() {
        let texts = ["stockfish,nodes=1".to_owned(), "stockfish,nodes=2".to_owned()];
        let engines = read_engines(&texts).unwrap();
        assert_eq!(engines.map(|engine| engine.name), ["stockfish 1", "stockfish 2"]);
        assert!(read_engines(&texts[..1]).is_err());
    }
}
