//! `yomikiri match`: engines against each other.

mod result;
mod screen;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use andor::Stop;
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use yomikiri_cluster::Game;
use yomikiri_cluster::match_play::game::Terms;
use yomikiri_cluster::match_play::runner::RunError;
use yomikiri_cluster::match_play::spec::LimitWords;
use yomikiri_cluster::match_play::{
    Adjudication, Contestant, EngineSpec, Finish, Header, Journal, Limits, Openings, Pairings,
    Plan, Report, notation, run as play_match,
};
use yomikiri_cluster::tally::Sprt;
use yomikiri_files::{self as files, Growing};

use self::screen::Screen;
use super::Exit;
use crate::interrupt::stop_on_interrupt;

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
Three engines or more play a tournament: everybody against everybody or, with --gauntlet, the first
against each of the others; every pairing plays all openings, and Elo is against the field.
An engine that dies, hangs, is late or plays an illegal move loses that game and is started again;
one that cannot be started ends the match. Ctrl-C keeps the games that have ended; with --out they
are in a file, and the same command with --resume goes on.

Examples:
  yomikiri match --engine stockfish,nodes=2000,name=strong --engine stockfish,nodes=500,name=weak \\
      --openings openings.epd --seed 1 --pairs 50 --concurrency 2 --pgn games.pgn
  yomikiri match --engine 'name=new,cmd=./engine --fast,option.Hash=64' --engine ./old \\
      --tc 10+0.1 --openings book.pgn --pairs 20000 --sprt elo0=0,elo1=5 --out match.jsonl --resume
  yomikiri match --game shogi --engine 'fairy-stockfish,name=a' --engine 'gpsusi,name=b' \\
      --byoyomi 1000 --pairs 10 --csa games.csa
  yomikiri match --engine ./new --engine ./old --engine stockfish,nodes=1000 --tc 5+0.05 \\
      --openings book.pgn --pairs 100 --gauntlet --out gauntlet.jsonl
  yomikiri match --engine 'name=cluster,cmd=yomikiri cluster uci --workers 4' \\
      --engine 'name=one,cmd=yomikiri engine chess' --movetime 100 --ponder --pairs 100")]
pub struct Args {
    /// An engine; give two of them, or more for a tournament
    #[arg(long = "engine", value_name = "SPEC", required = true)]
    engines: Vec<String>,
    /// Of more than two, only the first plays, against each of the others
    #[arg(long)]
    gauntlet: bool,
    /// What they play, and so which protocol they speak: chess is UCI, shogi USI
    #[arg(long, value_enum, default_value_t = Rules::Chess)]
    game: Rules,
    /// Openings: EPD, FEN, PGN or SFEN; without it all games begin at the beginning
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Take the openings in a random order, which depends on this number alone
    #[arg(long, value_name = "N", requires = "openings")]
    seed: Option<u64>,
    /// Play so many openings, each twice; in a tournament by every pairing
    #[arg(long, value_name = "N", conflicts_with = "games", value_parser = above_zero())]
    pairs: Option<u64>,
    /// Play so many games of every pairing, an even number [default: 100]
    #[arg(long, value_name = "N", value_parser = above_zero())]
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
    /// End a match of two when a sequential test decides between two differences in Elo
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

fn above_zero() -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(1..)
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
        if args.sprt.is_some() && engines.len() > 2 {
            bail!("--sprt decides between two engines, not {}: leave it out", engines.len());
        }
        let pairings = match args.gauntlet {
            true => Pairings::gauntlet(engines.len()),
            false => Pairings::round_robin(engines.len()),
        };
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
                let text = files::read_to_string(path)?;
                let name = || files::name(path, "standard input");
                Openings::parse(game, &text).with_context(name)?
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
        let contestants = engines.iter().map(contestant).collect::<Result<_, _>>()?;
        let header = Header {
            game: if game == Game::Chess { "chess" } else { "shogi" }.into(),
            engines,
            gauntlet: args.gauntlet,
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
        let sprt = args.sprt;
        let plan = Plan { contestants, pairings, terms, openings, pairs, concurrency, sprt };
        Ok(Setup { plan, header })
    }

    fn names(&self) -> Vec<&str> {
        self.header.engines.iter().map(|engine| engine.name.as_str()).collect()
    }

    /// What is played, in a few words.
    fn title(&self) -> String {
        match &self.names()[..] {
            [first, others @ ..] if others.len() == 1 || self.header.gauntlet => {
                format!("{first} against {}", others.join(", "))
            }
            names => names.join(", "),
        }
    }

    /// What moves may cost: once if it is the same for all, else for each in the order of the title.
    fn limits(&self) -> String {
        let engines = &self.header.engines;
        match &engines[..] {
            [first, others @ ..] if others.iter().all(|other| other.limits == first.limits) => {
                first.limits.to_string()
            }
            [first, second] => format!("{} against {}", first.limits, second.limits),
            _ => {
                let each = |engine: &EngineSpec| format!("{} {}", engine.name, engine.limits);
                engines.iter().map(each).collect::<Vec<_>>().join("; ")
            }
        }
    }
}

fn read_engines(texts: &[String]) -> Result<Vec<EngineSpec>> {
    if texts.len() < 2 {
        bail!("a match has at least two engines: give --engine twice, or more often");
    }
    let read =
        |text: &String| text.parse::<EngineSpec>().with_context(|| format!("--engine '{text}'"));
    let mut engines = texts.iter().map(read).collect::<Result<Vec<EngineSpec>>>()?;
    let names: Vec<String> = engines.iter().map(|engine| engine.name.clone()).collect();
    for (at, engine) in engines.iter_mut().enumerate() {
        let same = |among: &[String]| among.iter().filter(|name| **name == names[at]).count();
        if same(&names) > 1 {
            engine.name += &format!(" {}", same(&names[..=at]));
        }
    }
    let is_known = |at: usize| engines[..at].iter().any(|other| other.name == engines[at].name);
    if let Some(at) = (1..engines.len()).find(|&at| is_known(at)) {
        bail!("two engines are called '{}': give them other names with name=", engines[at].name);
    }
    Ok(engines)
}

fn read_limits(args: &Args) -> Result<Limits> {
    let values = [&args.movetime, &args.nodes, &args.depth, &args.tc, &args.byoyomi];
    let mut words = LimitWords::default();
    for (key, value) in LimitWords::KEYS.into_iter().zip(values) {
        if let Some(value) = value {
            words.set(key, value).with_context(|| format!("--{key}"))?;
        }
    }
    Ok(words.limits()?)
}

/// Complains about a file of records that has some already, or cannot be written.
fn check_records(path: &Path, journal: Option<&Path>, is_resumed: bool) -> Result<()> {
    files::check(path)?;
    if files::is_standard(path) && journal.is_some_and(files::is_standard) {
        return Err(files::Error::OutputTaken.into());
    }
    let is_there = files::is_file(path) && fs::metadata(path).is_ok_and(|file| file.len() > 0);
    if is_there && !is_resumed {
        bail!("{} exists: give another name, or remove it", path.display());
    }
    Ok(())
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
    if let Some(path) = records {
        check_records(path, args.out.as_deref(), args.resume)?;
    }
    let (mut journal, played) = match &args.out {
        None => (None, Vec::new()),
        Some(path) if args.resume => {
            let (journal, played) = Journal::resume(path, &setup.header)?;
            (Some(journal), played)
        }
        Some(path) => (Some(Journal::create(path, &setup.header)?), Vec::new()),
    };
    let mut records = records.map(|path| Growing::open(path)).transpose()?;
    let stop = stop_on_interrupt()?;
    let mut screen = Screen::new(args, &setup, &played);
    screen.greet(args)?;
    let event = setup.title();
    let tell = |report: Report| -> Result<()> {
        match report {
            Report::Warning(warning) => screen.warn(&warning),
            Report::Game(record) => {
                if let Some(journal) = &mut journal {
                    journal.append(&record)?;
                }
                if let Some(file) = &mut records {
                    let text = notation::write(game, &record, &event)?;
                    file.add(&text)?;
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
    let table = screen.finish();
    if !table.all().is_empty() || ended.is_ok() {
        if args.json {
            let finish = ended.as_ref().ok().copied();
            writeln!(files::report(), "{}", result::json(&setup, &table, finish))?;
        } else {
            files::report().write_all(result::text(&setup, &table).as_bytes())?;
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
    fn engines_have_names_of_their_own() {
        let names = |texts: &[&str]| {
            let texts: Vec<String> = texts.iter().map(|text| text.to_string()).collect();
            let engines = read_engines(&texts)?;
            anyhow::Ok(engines.into_iter().map(|engine| engine.name).collect::<Vec<_>>())
        };
        let two = names(&["stockfish,nodes=1", "stockfish,nodes=2"]).unwrap();
        assert_eq!(two, ["stockfish 1", "stockfish 2"]);
        assert_eq!(names(&["a", "b", "./a", "c"]).unwrap(), ["a 1", "b", "a 2", "c"]);
        assert!(names(&["a", "a", "x,name=a 2"]).is_err());
        assert!(names(&["a"]).is_err());
    }
}
