//! The options of `solve`.

use std::path::PathBuf;
use std::time::Duration;

use andor::{Algorithm, Sums};
use anyhow::{Context, Result};
use clap::builder::{PossibleValue, PossibleValuesParser};
use yomikiri_question::algorithms::{ALGORITHMS, Changes, Entry, Traits};
use yomikiri_question::games::played::Played;
use yomikiri_question::games::{GAMES, shogi};
use yomikiri_question::lang::{Text, text};
use yomikiri_shogi::Color;
use yomikiri_tsume::Futile;

use crate::commands::jobs::{JobsArgs, Share};
use crate::commands::options::{
    AttackerName, FutileName, parse_hash, parse_nodes, parse_time, parse_whole,
};
use crate::commands::team::TeamArgs;
use crate::input::Ply;

/// Nodes for each position with --every, if no limit is given.
pub const NODES: u64 = 1_000_000;

const EXAMPLES: &str = "\
Examples:
  yomikiri solve 'hex 4 ..../..../..../.... B' --certificate hex.cert
  yomikiri solve --file positions.tsv --goal 'score>=2' --json
  yomikiri solve '8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1'
  yomikiri solve --file problem.kif --kif solution.kif --certificate mate.cert
  yomikiri solve '7k/8/5K2/8/8/8/8/6Q1 w - -' --shortest --certificate mate.cert
  yomikiri solve --file graph.txt --algorithm deep-pn --r 0.8
  yomikiri solve '8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1' --threads auto
  yomikiri solve 'hex 6 moves a1' --algorithm pmps --assignment 'L,S|S,S'
  yomikiri solve --file problems.tsv -q --jobs 4 --hash 1024
  yomikiri solve --file game.kif --every --time 5           where was a mate missed?
  yomikiri solve --file game.csa --at 87
  yomikiri solve < problem.txt

A problem is called by the name that its source gives it, or by its number. Of several with the same
name one keeps it, and the others are NAME-2, NAME-3, …: here, in JSON and as files.

Exit code: 0 if every problem is decided, 1 if one stays unknown, 2 on bad input.
Ctrl-C ends the search and prints what is known so far, and which problems were not tried; a second one ends the program at once.
";

/// Options of `solve`.
#[derive(Clone, clap::Args)]
#[command(
    after_help = format!("{EXAMPLES}\nHow problems are written: --help, or `yomikiri games`."),
    after_long_help = format!("{EXAMPLES}\nHow problems are written:\n\n{}", crate::commands::games::describe())
)]
pub struct Args {
    /// Problems, each as one text
    #[arg(value_name = "PROBLEM")]
    pub problems: Vec<String>,

    /// A file of problems (`-`: standard input): one a line, or one graph, or one record of shogi. May
    /// be given again
    #[arg(long, short, value_name = "FILE")]
    pub file: Vec<PathBuf>,

    #[command(flatten)]
    pub record: RecordOptions,

    /// The game; recognised from the text if not given
    #[arg(long, value_name = "NAME", value_parser = game_names())]
    pub game: Option<String>,

    /// What the attacker wants (see `yomikiri games`)
    #[arg(long, value_name = "GOAL")]
    pub goal: Option<String>,

    /// Shogi: stop at the first mate; otherwise the shortest one is looked for
    #[arg(long)]
    pub any_mate: bool,

    /// The shortest mate, and the proof that nothing is shorter; in graphs and Othello the shortest
    /// proof. Shogi does so anyway
    #[arg(long)]
    pub shortest: bool,

    /// Shogi: do interpositions in vain (無駄合い) count? [default: not-counted]
    #[arg(long, value_name = "RULE", conflicts_with = "goal")]
    pub futile: Option<FutileName>,

    /// Shogi: who is to give mate [default: auto, the side to move unless it is in check]
    #[arg(long, alias = "side", value_name = "SIDE", conflicts_with = "goal")]
    pub attacker: Option<AttackerName>,

    /// Shogi: write the solution with its variations as KIF; for several problems, a directory
    #[arg(long, value_name = "FILE")]
    pub kif: Option<PathBuf>,

    /// How to search
    #[arg(long, short, value_name = "NAME", default_value = ALGORITHMS[0].name,
        value_parser = algorithm_names())]
    pub algorithm: String,

    /// R of the deep algorithms: 1 goes by proof numbers alone, 0 by depth [default: one that suits
    /// the game, from some random games]
    #[arg(long, value_name = "R", value_parser = parse_r)]
    pub r: Option<f64>,

    /// ε of the 1+ε thresholds of df-pn; 0 switches them off
    #[arg(long, value_name = "E", value_parser = parse_epsilon)]
    pub epsilon: Option<f32>,

    /// How df-pn adds up the numbers of children
    #[arg(long, value_name = "SUMS")]
    pub sums: Option<SumsName>,

    /// Look only for proofs of at most so many plies (df-pn)
    #[arg(long, value_name = "N", value_parser = parse_whole::<u16>(0, u64::from(u16::MAX - 1)))]
    pub plies: Option<u16>,

    /// The plain game: no move order, no first numbers, no knowledge
    #[arg(long)]
    pub plain: bool,

    /// Memory for the table, or for the tree of pn, in MiB; for several problems, of all --jobs
    /// together
    #[arg(long, value_name = "MIB", default_value = "256", value_parser = parse_hash)]
    pub hash: usize,

    #[command(flatten)]
    pub jobs: JobsArgs,

    /// Give up after so many nodes (k, M and G are understood)
    #[arg(long, value_name = "N", value_parser = parse_nodes)]
    pub nodes: Option<u64>,

    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_time)]
    pub time: Option<Duration>,

    /// Write a certificate; for several problems, a directory of them, ID.cert each. `-`, here and
    /// below, is standard output: what is else said goes to standard error then
    #[arg(long, short, value_name = "FILE")]
    pub certificate: Option<PathBuf>,

    /// Replace files that are there in the directories of --certificate and --kif
    #[arg(long)]
    pub force: bool,

    /// Save the table after the search (one problem, df-pn)
    #[arg(long, value_name = "FILE")]
    pub save_table: Option<PathBuf>,

    /// Go on from a saved table (one problem, df-pn, the same --hash)
    #[arg(long, value_name = "FILE")]
    pub load_table: Option<PathBuf>,

    /// One JSON object a problem, on a line of its own (docs/json.schema.json tells what is in it)
    #[arg(long)]
    pub json: bool,

    /// No progress bar, and one line a problem
    #[arg(long, short)]
    pub quiet: bool,

    // Last, for its heading holds for all that comes after.
    #[command(flatten)]
    pub team: TeamArgs,
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub enum SumsName {
    /// The sum of all
    Plain,
    /// Children that meet again count once
    Dag,
    /// The maximum, plus one for each other unsolved child
    Weak,
}

impl From<SumsName> for Sums {
    fn from(name: SumsName) -> Sums {
        match name {
            SumsName::Plain => Sums::Plain,
            SumsName::Dag => Sums::Dag,
            SumsName::Weak => Sums::Weak,
        }
    }
}

impl Args {
    /// The limit on nodes for a question. All positions of a game are not asked about without any.
    pub fn node_limit(&self) -> Option<u64> {
        let default = (self.record.every && self.time.is_none()).then_some(NODES);
        self.nodes.or(default)
    }
}

fn game_names() -> PossibleValuesParser {
    PossibleValuesParser::new(
        GAMES.iter().map(|game| PossibleValue::new(game.name).help(game.what)),
    )
}

fn algorithm_names() -> PossibleValuesParser {
    let names = ALGORITHMS.iter().map(|entry| PossibleValue::new(entry.name).help(entry.what));
    PossibleValuesParser::new(names)
}

fn parse_r(text: &str) -> Result<f64, Text> {
    let r = text.parse().ok().filter(|r| (0.0..=1.0).contains(r));
    r.ok_or_else(|| text!("R is a number from 0 to 1", "R は 0 から 1 までの数です"))
}

fn parse_epsilon(text: &str) -> Result<f32, Text> {
    let epsilon = text.parse().ok().filter(|e: &f32| e.is_finite() && *e >= 0.0);
    epsilon.ok_or_else(|| text!("ε is a number, 0 or more", "ε は 0 以上の数です"))
}

impl Args {
    /// The goal that the options ask for.
    pub fn goal(&self) -> Option<String> {
        if self.futile.is_none() && self.attacker.is_none() {
            return self.goal.clone();
        }
        let futile = self.futile.map_or(Futile::NotCounted, Futile::from);
        let attacker = self.attacker.and_then(Option::<Color>::from);
        Some(shogi::goal(futile, attacker))
    }

    /// The threads that a problem takes.
    pub fn problem_threads(&self) -> Result<usize> {
        Ok(match self.settings(&Traits::default())? {
            Algorithm::Team(_, scheme) => scheme.threads(),
            Algorithm::Dfpn(_) | Algorithm::Pn(_) => 1,
        })
    }

    /// The options of a job: its part of the memory, and where there are others no bars, for there is
    /// one for all.
    #[must_use]
    pub fn of_job(&self, share: Share) -> Args {
        Args { hash: share.hash, quiet: self.quiet || share.jobs > 1, ..self.clone() }
    }

    /// The algorithm for a game with these traits.
    pub fn settings(&self, game: &Traits) -> Result<Algorithm> {
        let entry = Entry::find(&self.algorithm)
            .with_context(|| text!("unknown algorithm", "知らない探索法です"))?;
        let changes = Changes {
            r: self.r,
            epsilon: self.epsilon,
            sums: self.sums.map(Sums::from),
            plies: self.plies.into(),
            plain: self.plain,
            bytes: self.hash - small_table(self.hash),
            team: self.team.into(),
        };
        Ok(entry.settings(game, &changes)?)
    }
}

/// Bytes for the table that PN-search leaves its solution in: an eighth, and 16 MiB at most.
pub fn small_table(hash: usize) -> usize {
    (hash / 8).min(16 << 20)
}

/// Which position of a record is asked about.
#[derive(Clone, clap::Args)]
#[group(id = "record", multiple = false)]
pub struct RecordOptions {
    /// A record of a game: ask about the position after N moves
    #[arg(long, value_name = "N", value_parser = parse_whole::<usize>(0, u64::MAX))]
    pub at: Option<usize>,

    /// A record of a game: ask about its last position [default, unless the moves are a solution]
    #[arg(long)]
    pub last: bool,

    /// A record of a game: where did the side to move have a mate, and did it play it? Limits are for
    /// each position [default: --nodes 1M]
    #[arg(long, conflicts_with_all = ["kif", "attacker", "save_table", "load_table"])]
    pub every: bool,
}

impl RecordOptions {
    /// The option that only records understand, if there is one.
    pub fn name(&self) -> Option<&'static str> {
        let options = [(self.at.is_some(), "--at"), (self.last, "--last"), (self.every, "--every")];
        options.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }

    /// Which position of a game.
    pub fn ply(&self, game: &Played) -> Result<Ply, Text> {
        let of = game.moves.len();
        let at = match self.at {
            Some(at) if at <= of => at,
            Some(at) => {
                return Err(text!(
                    "--at {at}: the record has {of} moves",
                    "--at {at}: 棋譜は {of} 手までです"
                ));
            }
            None if self.last || game.is_way || !game.is_solution => of,
            None => 0,
        };
        Ok(Ply { at, of, is_chosen: self.name().is_none() && of > 0 })
    }
}
