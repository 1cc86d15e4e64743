//! `yomikiri bench calls`: many small searches for mate, as a game engine makes them.
//!
//! The use of Fig. 1 in Kaneko, "Parallel depth first proof number search" (2010): every thread of
//! an engine asks for a mate at many inner positions of its own search, each time with a few
//! thousand nodes at most. The positions are neighbours, and reached by more than one way, so a
//! table that all threads share knows more than a private one of each. Here they come from walks
//! through problems of our own, in the order of the walk; the threads take them from one queue.

use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use andor::{Rules, SplitMix64, Stop, Table, Value};
use anyhow::{Result, anyhow, bail};
use serde::Serialize;
use yomikiri_question::display;
use yomikiri_shogi::Position;
use yomikiri_tsume::{Mate, MateLimits, Tsume};

use super::own;
use crate::commands::Exit;
use crate::commands::options::{parse_hash, parse_nodes};
use crate::interrupt::stop_on_interrupt;
use crate::json;
use crate::{memory, terminal};

/// Options of `bench calls`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri bench calls
  yomikiri bench calls --threads 1,2,4,8 --nodes 10k --positions 5000
  yomikiri bench calls --threads 2 --json

For each number of threads twice the same calls: with one shared table, and with a table for each
thread, which all together are as large. Whatever both decide must agree. Exit code: 2 if it does
not, 1 if the run was stopped.")]
pub struct Args {
    /// Numbers of threads
    #[arg(long, value_name = "N,N,…", value_delimiter = ',', default_value = "1,2,4",
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Vec<u16>,

    /// At most so many nodes for each call, such as 1000, 10k or 1M
    #[arg(long, value_name = "N", default_value = "1000", value_parser = parse_nodes)]
    nodes: u64,

    /// How many calls
    #[arg(long, value_name = "N", default_value = "2000",
        value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    positions: u32,

    /// Memory for all tables together, in MiB
    #[arg(long, value_name = "MIB", default_value = "64", value_parser = parse_hash)]
    hash: usize,

    /// Draws other walks
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// One JSON object a measurement
    #[arg(long)]
    json: bool,
}

/// Positions from one problem, before the next one is taken.
const EACH: usize = 40;
/// A walk takes at most so many moves of a position.
const WIDTH: usize = 3;
/// And goes at most so deep.
const DEPTH: usize = 8;

/// One measurement.
#[derive(Serialize)]
struct Row {
    threads: u16,
    /// One table for all threads?
    shared: bool,
    hash_mib: f64,
    node_limit: u64,
    calls: usize,
    calls_per_second: f64,
    seconds: f64,
    nodes: u64,
    decided: usize,
    mates: usize,
    no_mates: usize,
}

pub fn run(args: &Args) -> Result<Exit> {
    memory::check(args.hash)?;
    let stop = stop_on_interrupt()?;
    let positions = positions(usize::try_from(args.positions)?, args.seed)?;
    let mut out = io::stdout().lock();
    if !args.json {
        writeln!(out, "threads  table      calls/s      nodes  decided   mates  seconds")?;
    }
    let mut known = vec![None; positions.len()];
    let mut contradictions = 0;
    for &threads in &args.threads {
        for shared in [true, false] {
            let (row, verdicts) = measure(args, threads, shared, &positions, &stop)?;
            if stop.is_raised() {
                terminal::stopped(&"what was measured so far is above");
                return Ok(Exit::Unknown);
            }
            for (i, (known, found)) in known.iter_mut().zip(verdicts).enumerate() {
                match (*known, found) {
                    (None, found) => *known = found,
                    (Some(before), Some(now)) if before != now => {
                        contradictions += 1;
                        terminal::complain(&format!("{}: {before}, then {now}", positions[i]));
                    }
                    (Some(_), _) => {}
                }
            }
            if args.json {
                json::line(&mut out, "bench-calls", &row)?;
            } else {
                let table = if shared { "shared" } else { "private" };
                let Row { calls_per_second, nodes, decided, mates, seconds, .. } = row;
                writeln!(
                    out,
                    "{threads:>7}  {table:<7} {calls_per_second:>10.0} {:>10} {decided:>8} \
                     {mates:>7} {seconds:>8.2}",
                    display::count(nodes)
                )?;
            }
            out.flush()?;
        }
    }
    Ok(if contradictions == 0 { Exit::Done } else { Exit::Bad })
}

/// Inner positions with the attacker to move, in the order in which a search would come to them.
fn positions(count: usize, seed: u64) -> Result<Vec<Position>> {
    let rows: Vec<&str> = own::rows().collect();
    let mut random = SplitMix64::new(seed);
    let mut positions = Vec::with_capacity(count);
    // Evenly over all lengths, and over again if that is not enough.
    let step = (rows.len() * EACH / count.max(1)).clamp(1, rows.len());
    let mut idle = 0;
    for i in 0.. {
        let row = rows[(i * step + i * step / rows.len()) % rows.len()];
        let sfen = row.split('\t').next().unwrap_or_default();
        let problem = Position::from_sfen(sfen).map_err(|error| anyhow!("{sfen}: {error}"))?;
        let before = positions.len();
        let end = count.min(before + EACH);
        walk(&mut Tsume::new(problem), DEPTH, end, &mut random, &mut positions);
        if positions.len() >= count {
            break;
        }
        idle = if positions.len() == before { idle + 1 } else { 0 };
        if idle > rows.len() {
            bail!("the problems have no inner positions");
        }
    }
    Ok(positions)
}

/// Goes through a few moves of each position, depth first, and notes the attacker's ones.
fn walk(
    at: &mut Tsume,
    depth: usize,
    end: usize,
    random: &mut SplitMix64,
    positions: &mut Vec<Position>,
) {
    if positions.len() >= end || at.terminal().is_some() {
        return;
    }
    if at.kind() == andor::NodeKind::Or {
        positions.push(at.position().clone());
    }
    if depth == 0 {
        return;
    }
    let mut moves = Vec::new();
    at.legal_moves(&mut moves);
    for _ in 0..WIDTH.min(moves.len()) {
        let m = moves.swap_remove(random.below(moves.len()));
        let undo = at.play(m);
        walk(at, depth - 1, end, random, positions);
        at.undo(m, undo);
    }
}

/// Makes all calls once. Gives the verdicts in the order of the positions.
fn measure(
    args: &Args,
    threads: u16,
    shared: bool,
    positions: &[Position],
    stop: &Stop,
) -> Result<(Row, Vec<Option<Value>>)> {
    let count = usize::from(threads);
    let tables = if shared { 1 } else { count };
    let bytes = (args.hash / tables).max(andor::table::MIN_BYTES);
    let tables = (0..tables).map(|_| Table::new(bytes)).collect::<Result<Vec<_>, _>>()?;
    tables.iter().for_each(Table::make_real);
    let next = AtomicUsize::new(0);
    let limits =
        MateLimits { nodes: Some(args.nodes), stop: stop.clone(), ..MateLimits::default() };
    let start = Instant::now();
    /// The nodes of a thread, and what each of its calls came to.
    type Part = (u64, Vec<(usize, Option<Value>)>);
    let parts: Vec<Part> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..count)
            .map(|id| {
                let (mate, next, limits) = (Mate::new(&tables[id % tables.len()]), &next, &limits);
                scope.spawn(move || {
                    let (mut nodes, mut verdicts) = (0, Vec::new());
                    while !limits.stop.is_raised() {
                        let i = next.fetch_add(1, Ordering::Relaxed);
                        let Some(position) = positions.get(i) else { break };
                        let answer = mate.solve_position(position, limits);
                        nodes += answer.outcome.nodes;
                        verdicts.push((i, answer.outcome.value()));
                    }
                    (nodes, verdicts)
                })
            })
            .collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
    });
    let seconds = start.elapsed().as_secs_f64();
    let mut verdicts = vec![None; positions.len()];
    for &(i, verdict) in parts.iter().flat_map(|(_, part)| part) {
        verdicts[i] = verdict;
    }
    let calls = parts.iter().map(|(_, part)| part.len()).sum();
    if calls < positions.len() && !stop.is_raised() {
        bail!("a thread has broken down");
    }
    let number = |what| verdicts.iter().filter(|&&verdict| verdict == what).count();
    let (mates, no_mates) = (number(Some(Value::Proven)), number(Some(Value::Disproven)));
    let row = Row {
        threads,
        shared,
        hash_mib: (bytes * tables.len()) as f64 / (1 << 20) as f64,
        node_limit: args.nodes,
        calls,
        calls_per_second: calls as f64 / f64::max(seconds, 1e-9),
        seconds,
        nodes: parts.iter().map(|(nodes, _)| nodes).sum(),
        decided: mates + no_mates,
        mates,
        no_mates,
    };
    Ok((row, verdicts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_are_repeatable_and_come_to_positions_again() {
        let walk = positions(500, 1).expect("positions");
        assert_eq!(walk.len(), 500);
        assert_eq!(walk, positions(500, 1).expect("positions"));
        let mut texts: Vec<String> = walk.iter().map(Position::to_string).collect();
        texts.sort();
        texts.dedup();
        assert!((100..500).contains(&texts.len()), "{}", texts.len());
    }
}
