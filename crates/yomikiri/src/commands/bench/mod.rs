//! `yomikiri bench`: a fixed suite with fixed settings on one thread.
//!
//! The last line is the signature: the total of nodes. It is the same on every machine, and a
//! change that should not change the search must not change it. The lines before it have the part of
//! each group, so that what a change moves can be told. Problems are only ever added in a new group
//! at the end, and every verdict is compared with the known one.

mod calls;
mod mates;
mod own;
mod program;
#[cfg(feature = "cluster")]
mod stops;
mod table;
mod tsume;
mod usi;

use std::collections::BTreeMap;
use std::io::{self, Write};

use andor::{Algorithm, Control, Limits, Outcome, Repetition, Solvable, Table, Value, Verdict};
use anyhow::{Context, Result, anyhow, bail};
use serde_json::json;
use yomikiri_graph::Graph;
use yomikiri_graph::fixpoint::Fixpoint;
use yomikiri_graph::random::{self, Shape};
use yomikiri_question::algorithms::{Changes, Entry};
use yomikiri_question::games::{self, AnyProblem, Visitor};
use yomikiri_question::team_options;

use super::Exit;
#[cfg(not(feature = "cluster"))]
use super::absent::stops;
use crate::json;

/// Options of `bench`.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  yomikiri bench
  yomikiri bench tsume zuko muso --time 10
  yomikiri bench mates --time 10
  yomikiri bench table --threads 1,2,4
  yomikiri bench calls --threads 1,2,4 --nodes 1000
  yomikiri bench stops --workers 60
  yomikiri bench usi --engine './engine' zuko --time 10

Without a subcommand the fixed suite is run. The last line printed is the signature, `Nodes: N`,
which does not depend on the machine; above it is the part of each group. Exit code: 2 if a verdict is not the known one."
)]
pub struct Args {
    #[command(subcommand)]
    suite: Option<Suite>,

    /// One JSON object a problem, and one for the total
    #[arg(long)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Suite {
    /// Sets of tsume-shogi, with a limit on time
    Tsume(Box<tsume::Args>),
    /// Mates in chess, with a limit on time; a table by length
    Mates(mates::Args),
    /// The transposition table under many threads
    Table(table::Args),
    /// Small searches for mate from many threads, on one table or on many
    Calls(calls::Args),
    /// How long a cluster takes from `stop` to `bestmove`
    #[cfg_attr(
        not(feature = "cluster"),
        command(
            about = "How long a cluster takes from `stop` to `bestmove` (not in this build: --features cluster)"
        )
    )]
    Stops(stops::Args),
    /// Any USI engine that looks for mates, over sets of tsume-shogi
    Usi(usi::Args),
}

/// Bytes for the table, or for the tree of pn.
const HASH: usize = 16 << 20;

/// Mates in chess: what is asked of a position, and whether there is one. The smothered mate, a quiet
/// key with a rook, a mate in the middle of a game, the queen against the bare king (its own king near
/// and far), the rook against the bare king, and checks that come to nothing.
const CHESS: &[(&str, &str, bool)] = &[
    ("5rk1/5Npp/8/3Q4/8/8/8/7K w - - 0 1", "checks", true),
    ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", "mate", true),
    ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", "mate", true),
    ("8/8/8/8/8/4k3/7Q/4K3 w - - 0 1", "mate", true),
    ("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", "mate", true),
    ("8/8/8/8/8/2k5/8/K6R w - - 0 1", "mate", true),
    ("6k1/5pp1/7p/8/8/8/5PPP/3Q2K1 w - - 0 1", "checks", false),
    ("r1b2rk1/pp3ppp/2n5/3Q4/8/8/PPP2PPP/R1B1R1K1 w - - 0 1", "checks", false),
];

/// 500 positions with 16 empty squares and their exact scores.
const OTHELLO: &str = yomikiri_othello::POSITIONS_16;

/// Who wins 5×5 Hex if Black opens on a cell, row by row.
const HEX_5: &str = "WWWWBWBBBBWBBBWBBBBWBWWWW";

/// Openings of 6×6 Hex, and who wins.
const HEX_6: &[(&str, char)] =
    &[("a1", 'W'), ("a2", 'W'), ("f1", 'B'), ("c2", 'B'), ("b4", 'B'), ("d5", 'B')];

struct Case {
    group: &'static str,
    name: String,
    algorithm: &'static str,
    team: team_options::Options,
    plain: bool,
    problem: AnyProblem,
    expected: Value,
}

impl Case {
    fn new(name: impl Into<String>, problem: AnyProblem, is_proven: bool) -> Case {
        let expected = if is_proven { Value::Proven } else { Value::Disproven };
        Case {
            group: FIRST,
            name: name.into(),
            algorithm: "auto",
            team: team_options::Options::default(),
            plain: false,
            problem,
            expected,
        }
    }
}

/// The group that was there first.
const FIRST: &str = "Othello, Hex and graphs";

/// Every problem of the suite.
fn suite() -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for row in OTHELLO.lines().skip(1).step_by(10) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [id, board, side, score, ..] = columns[..] else { bail!("bad row: {row}") };
        let score: i32 = score.parse().with_context(|| format!("bad score: {row}"))?;
        let problem = parse(&format!("{board} {side} goal win"))?;
        cases.push(Case::new(format!("othello16 {id}"), problem, score > 0));
    }
    for (index, winner) in HEX_5.chars().enumerate() {
        let column = char::from(b'a' + (index % 5) as u8);
        cases.push(opening(5, &format!("{column}{}", index / 5 + 1), winner)?);
    }
    for &(cell, winner) in HEX_6 {
        cases.push(opening(6, cell, winner)?);
    }
    for seed in 1..=10 {
        for repetition in [Repetition::FavoursDefender, Repetition::FavoursAttacker] {
            cases.push(graph(format!("graph {seed} {repetition:?}"), &cyclic(repetition, seed)));
        }
    }
    cases.push(graph("graph chain 5000".into(), &random::chain(5_000)));
    for (algorithm, size) in [
        ("dfpn-plain", 4),
        ("dfpn-dag", 4),
        ("dfpn-weak", 4),
        ("deep-dfpn", 4),
        ("pn", 3),
        ("pn-deepest", 3),
        ("deep-pn", 3),
    ] {
        let opening = opening(size, "a1", 'W')?;
        let name = format!("{algorithm} plain {}", opening.name);
        cases.push(Case { algorithm, name, plain: true, ..opening });
        let graph =
            graph(format!("{algorithm} graph 11"), &cyclic(Repetition::FavoursDefender, 11));
        cases.push(Case { algorithm, ..graph });
    }
    cases.extend(tsume_shogi()?);
    cases.extend(chess()?);
    cases.extend(in_turns()?);
    Ok(cases)
}

/// Our own problem in this row.
fn own_case(row: &str) -> Result<Case> {
    let (sfen, rest) = row.split_once('\t').with_context(|| format!("bad row: {row}"))?;
    let id = rest.split('\t').next().unwrap_or_default();
    Ok(Case::new(id, parse(sfen)?, true))
}

fn tsume_shogi() -> Result<Vec<Case>> {
    own::rows().map(|row| Ok(Case { group: "tsume-shogi", ..own_case(row)? })).collect()
}

fn chess() -> Result<Vec<Case>> {
    let case = |&(fen, goal, is_mate): &(&str, &str, bool)| {
        let problem = games::parse(fen, None, Some(goal))
            .map_err(|fault| anyhow!("{fen}: {}", fault.reason))?;
        let board = fen.split(' ').next().unwrap_or_default();
        let name: String = board.chars().take(24).collect();
        Ok(Case { group: "chess", ..Case::new(format!("{name} {goal}"), problem, is_mate) })
    };
    CHESS.iter().map(case).collect()
}

/// Several agents on one thread, in turns of so many nodes: repeatable like one alone.
fn in_turns() -> Result<Vec<Case>> {
    let options = team_options::Options::default();
    let together: team_options::Options =
        team_options::Options { assignment: Some("L,S,S".parse()?), quantum: Some(20), ..options };
    let teams = [
        ("virtual", team_options::Options { threads: Some(4), turns: Some(20), ..options }),
        ("mps", team_options::Options { pseudo_threads: Some(4), quantum: Some(20), ..options }),
        ("pmps", together),
    ];
    let mut cases = Vec::new();
    for (algorithm, team) in teams {
        // Long ones: the shortest of our own come first.
        let mut problems: Vec<Case> =
            own::rows().skip(400).step_by(10).map(own_case).collect::<Result<_>>()?;
        problems.push(opening(6, "b4", 'B')?);
        problems.push(graph("graph 12".into(), &cyclic(Repetition::FavoursAttacker, 12)));
        cases.extend(problems.into_iter().map(|case| Case {
            group: "agents in turns",
            name: format!("{algorithm} {}", case.name),
            algorithm,
            team,
            ..case
        }));
    }
    Ok(cases)
}

/// Black has opened on that cell; does White, to move, win?
fn opening(size: usize, cell: &str, winner: char) -> Result<Case> {
    let text = format!("hex {size} moves {cell}");
    let problem = parse(&text)?;
    Ok(Case::new(text, problem, winner == 'W'))
}

/// A graph with many cycles and a few tokens.
fn cyclic(repetition: Repetition, seed: u64) -> Graph {
    let shape = Shape {
        nodes: 2_000,
        edges: 3,
        leaves: 3,
        anywhere: 50,
        tokens: 10,
        second: 0,
        repetition,
    };
    random::graph(&shape, seed)
}

fn parse(text: &str) -> Result<AnyProblem> {
    games::parse(text, None, None).map_err(|fault| anyhow!("{text}: {}", fault.reason))
}

fn graph(name: String, graph: &Graph) -> Case {
    let value = Fixpoint::of(graph).value(graph.root(), graph.stock());
    Case::new(name, AnyProblem::Graph(graph.start()), value == Value::Proven)
}

struct Search {
    algorithm: Algorithm,
}

impl Visitor for Search {
    type Output = Result<Outcome>;

    fn visit<P: Solvable>(self, problem: &P) -> Result<Outcome> {
        let table = Table::new(HASH)?;
        Ok(problem.search(&self.algorithm, &table, &mut Control::new(Limits::default())))
    }
}

pub fn run(args: &Args) -> Result<Exit> {
    match &args.suite {
        Some(Suite::Tsume(args)) => return tsume::run(args),
        Some(Suite::Mates(args)) => return mates::run(args),
        Some(Suite::Table(args)) => return table::run(args),
        Some(Suite::Calls(args)) => return calls::run(args),
        Some(Suite::Stops(args)) => return stops::run(args),
        Some(Suite::Usi(args)) => return usi::run(args),
        None => {}
    }
    let mut out = io::stdout().lock();
    let (mut nodes, mut seconds, mut wrong) = (0, 0.0, 0);
    let mut groups: Vec<(&str, u64)> = Vec::new();
    for case in suite()? {
        let entry = Entry::find(case.algorithm).context("unknown algorithm")?;
        let changes =
            Changes { plain: case.plain, bytes: HASH, team: case.team, ..Changes::default() };
        let algorithm = entry.settings(&case.problem.traits(), &changes)?;
        let outcome = case.problem.visit(case.plain, Search { algorithm })?;
        let elapsed = outcome.elapsed.as_secs_f64();
        let is_right = outcome.verdict == Verdict::from(case.expected);
        if args.json {
            let line = json!({
                "group": case.group, "name": case.name, "verdict": outcome.verdict.to_string(), "right": is_right, "nodes": outcome.nodes,
                "seconds": elapsed, "algorithm": case.algorithm,
            });
            json::line(&mut out, "bench", &line)?;
        } else {
            let mark = if is_right { "" } else { "  WRONG" };
            let Case { name, .. } = &case;
            writeln!(
                out,
                "{name:<32} {:<9} {:>10} nodes {elapsed:>8.3} s{mark}",
                outcome.verdict, outcome.nodes
            )?;
        }
        nodes += outcome.nodes;
        match groups.last_mut() {
            Some((name, sum)) if *name == case.group => *sum += outcome.nodes,
            _ => groups.push((case.group, outcome.nodes)),
        }
        seconds += elapsed;
        wrong += usize::from(!is_right);
    }
    let speed = nodes as f64 / f64::max(seconds, 1e-9);
    if args.json {
        let line = json!({
            "nodes": nodes, "seconds": seconds, "nodes_per_second": speed, "wrong": wrong,
            "threads": 1, "groups": groups.iter().copied().collect::<BTreeMap<&str, u64>>(),
        });
        json::line(&mut out, "bench-total", &line)?;
    } else {
        writeln!(out)?;
        for (group, nodes) in groups {
            writeln!(out, "{group:<32} {:>9} {nodes:>10} nodes", "")?;
        }
        writeln!(out, "\nSeconds: {seconds:.3}\nNodes/s: {speed:.0}\nNodes: {nodes}")?;
    }
    Ok(if wrong == 0 { Exit::Done } else { Exit::Bad })
}
