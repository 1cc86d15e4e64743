//! A match as it was asked for: engines, limits, openings.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use yomikiri_cluster::Game;
use yomikiri_cluster::match_play::game::Terms;
use yomikiri_cluster::match_play::spec::LimitWords;
use yomikiri_cluster::match_play::{
    Contestant, EngineSpec, Header, Limits, Openings, Pairings, Plan,
};
use yomikiri_files as files;

use super::args::Args;

/// In shogi a game of so many plies is a draw, unless `--adjudicate` says otherwise.
const LONGEST_SHOGI: u32 = 512;

/// A match with all that belongs to it.
pub struct Setup {
    pub plan: Plan,
    pub header: Header,
}

impl Setup {
    pub fn new(args: &Args) -> Result<Setup> {
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
        // All of it is read for that, so only for a journal.
        let (build, programs) = match &args.out {
            Some(_) => (build()?, programs(&engines)),
            None => (String::new(), Vec::new()),
        };
        let header = Header {
            game: if game == Game::Chess { "chess" } else { "shogi" }.into(),
            engines,
            programs,
            build,
            machine: yomikiri_origin::machine(),
            gauntlet: args.gauntlet,
            openings: openings.fingerprint(),
            ponder: args.ponder,
            margin: args.margin,
            patience: args.patience,
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

    pub fn names(&self) -> Vec<&str> {
        self.header.engines.iter().map(|engine| engine.name.as_str()).collect()
    }

    /// What is played, in a few words.
    pub fn title(&self) -> String {
        match &self.names()[..] {
            [first, others @ ..] if others.len() == 1 || self.header.gauntlet => {
                format!("{first} against {}", others.join(", "))
            }
            names => names.join(", "),
        }
    }

    /// What moves may cost: once if it is the same for all, else for each in the order of the title.
    pub fn limits(&self) -> String {
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

/// The build that runs.
fn build() -> Result<String> {
    let program = yomikiri_origin::this_program()?;
    Ok(format!("{}, program {program}", yomikiri_origin::sources()))
}

/// Fingerprints of the engines' programs, as far as they can be read.
fn programs(engines: &[EngineSpec]) -> Vec<Option<String>> {
    let paths: Vec<Option<PathBuf>> = engines.iter().map(EngineSpec::program).collect();
    let mut known = BTreeMap::new();
    for path in paths.iter().flatten() {
        known.entry(path).or_insert_with(|| yomikiri_origin::program(path).ok());
    }
    paths.iter().map(|path| known.get(path.as_ref()?).cloned().flatten()).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

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
