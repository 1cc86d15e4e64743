//! `yomikiri bench table`: the transposition table under many threads at once.
//!
//! No search, only what a search asks of the table: the children of a node are touched together and
//! then looked up, and after that a node is stored. Nine look-ups in ten, one store, every fifth of
//! them of a solved node; the keys are drawn at random from twice as many as there is room for, in
//! a table that is nearly full to begin with, so that garbage is collected as in a long search.
//! What is stored follows from its key, and every answer is checked.

use std::io::{self, Write};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use andor::table::{Lookup, Open};
use andor::{Key, Plies, Solved, SplitMix64, Table, Value, mix64};
use anyhow::{Result, anyhow};
use serde::Serialize;

use crate::commands::Exit;
use crate::commands::options::{parse_hash, parse_time};
use crate::json;
use crate::terminal;

/// Options of `bench table`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri bench table
  yomikiri bench table --threads 1,2,4 --hash 1024 --seconds 5
  yomikiri bench table --threads 16 --json

Millions of operations a second: 90 % look-ups, 8 % stores of open nodes, 2 % of solved ones. Every
answer is checked. Exit code: 2 if one is wrong.")]
pub struct Args {
    /// Numbers of threads, one measurement each
    #[arg(long, value_name = "N,N,…", value_delimiter = ',', default_value = "1,2,4,8,16",
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Vec<u16>,

    /// Memory for the table, in MiB
    #[arg(long, value_name = "MIB", default_value = "64", value_parser = parse_hash)]
    hash: usize,

    /// Seconds for each measurement
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = parse_time)]
    seconds: Duration,

    /// One JSON object a measurement
    #[arg(long)]
    json: bool,
}

/// Children that are looked up together.
const CHILDREN: usize = 9;
/// One store in so many is of a solved node.
const SOLVED: usize = 5;
/// How full the table is in the beginning, in tenths.
const FILLED: usize = 8;

/// One measurement.
#[derive(Serialize)]
struct Row {
    threads: u16,
    hash_mib: usize,
    seconds: f64,
    operations: u64,
    millions_per_second: f64,
    /// Speed over that of the first measurement, thread for thread where that was one.
    scale: f64,
    /// Look-ups that found something, in percent.
    found_percent: f64,
    collections: usize,
    wrong: u64,
}

/// What a thread has done.
#[derive(Clone, Copy, Default)]
struct Work {
    lookups: u64,
    found: u64,
    stores: u64,
    wrong: u64,
}

impl Work {
    fn and(self, other: Work) -> Work {
        Work {
            lookups: self.lookups + other.lookups,
            found: self.found + other.found,
            stores: self.stores + other.stores,
            wrong: self.wrong + other.wrong,
        }
    }
}

pub fn run(args: &Args) -> Result<Exit> {
    crate::memory::check(args.hash)?;
    let mut out = io::stdout().lock();
    let mut first = None;
    let mut wrong = 0;
    if !args.json {
        writeln!(out, "threads     Mops/s   scale   found  collections")?;
    }
    for &threads in &args.threads {
        let mut row = measure(args, threads)?;
        let base = *first.get_or_insert(row.millions_per_second);
        row.scale = row.millions_per_second / f64::max(base, 1e-9);
        wrong += row.wrong;
        if args.json {
            json::line(&mut out, "bench-table", &row)?;
        } else {
            let Row { millions_per_second, scale, found_percent, collections, .. } = row;
            writeln!(
                out,
                "{threads:>7} {millions_per_second:>10.2} {scale:>7.2} {found_percent:>6.1}% \
                 {collections:>12}"
            )?;
        }
        out.flush()?;
    }
    if wrong > 0 {
        terminal::complain(&format!("{wrong} answers were not what was stored"));
    }
    Ok(if wrong == 0 { Exit::Done } else { Exit::Bad })
}

fn measure(args: &Args, threads: u16) -> Result<Row> {
    let table = Table::new(args.hash)?;
    table.make_real();
    let keys = table.capacity() * 2;
    let (begin, end) = (Barrier::new(usize::from(threads) + 1), AtomicBool::new(false));
    let (work, seconds, before) = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..u64::from(threads))
            .map(|id| {
                let (table, begin, end) = (&table, &begin, &end);
                scope.spawn(move || {
                    let random = &mut SplitMix64::new(id);
                    fill(table, keys, random, table.capacity() / 10 * FILLED);
                    begin.wait();
                    search(table, keys, random, end)
                })
            })
            .collect();
        begin.wait();
        let (start, before) = (Instant::now(), table.collections());
        std::thread::sleep(args.seconds);
        end.store(true, Ordering::Relaxed);
        let mut work = Work::default();
        for worker in workers {
            let part = worker.join().map_err(|_| anyhow!("a thread has broken down"))?;
            work = work.and(part);
        }
        anyhow::Ok((work, start.elapsed().as_secs_f64(), before))
    })?;
    let operations = work.lookups + work.stores;
    Ok(Row {
        threads,
        hash_mib: args.hash >> 20,
        seconds,
        operations,
        millions_per_second: operations as f64 / f64::max(seconds, 1e-9) / 1e6,
        scale: 1.0,
        found_percent: 100.0 * work.found as f64 / f64::max(work.lookups as f64, 1.0),
        collections: table.collections() - before,
        wrong: work.wrong,
    })
}

fn key(n: usize) -> Key {
    let n = n as u64;
    Key::from_halves(mix64(n ^ 0x5eed), mix64(n.wrapping_add(0x9e37_79b9_7f4a_7c15)))
}

/// The numbers of an open node: they follow from its own.
fn open(n: usize, effort: u64) -> Open {
    let hash = mix64(n as u64);
    Open {
        pn: 1 + hash as u32 % 10_000,
        dn: 1 + (hash >> 32) as u32 % 10_000,
        min_depth: hash as u16,
        extra: (hash >> 16) as u16,
        effort,
        parent: 0,
    }
}

/// What it is when it is solved.
fn solved(n: usize) -> Solved<()> {
    let value = if n.is_multiple_of(2) { Value::Proven } else { Value::Disproven };
    Solved { value, stock: (), plies: Plies::at_most((mix64(!(n as u64)) % 1_000) as u16) }
}

/// Is this answer what was stored?
fn is_right(n: usize, found: &Lookup<()>) -> bool {
    match found {
        Lookup::Solved(found) => *found == solved(n),
        Lookup::Open(found) => *found == open(n, found.effort),
        Lookup::Missing => true,
    }
}

/// Bounds on plies for which the answer about a node is the solved entry, whatever it says.
fn plies(n: usize) -> Plies {
    if solved(n).value == Value::Proven { Plies::UNBOUNDED } else { Plies::NONE }
}

fn store(table: &Table, n: usize, random: &mut SplitMix64) {
    let bits = random.next_u64();
    // Most nodes are small, a few are large.
    let effort = 1 + (bits >> 8) % (1 << ((bits & 0xff).count_ones() * 2));
    if bits >> 32 & 0xffff < 0x1_0000 / SOLVED as u64 {
        table.store_solved(key(n), solved(n), effort);
    } else {
        table.store_open(key(n), (), plies(n), open(n, effort));
    }
}

/// Stores until there are so many entries.
fn fill(table: &Table, keys: usize, random: &mut SplitMix64, entries: usize) {
    while table.stored() < entries {
        for _ in 0..1_000 {
            store(table, random.below(keys), random);
        }
    }
}

fn search(table: &Table, keys: usize, random: &mut SplitMix64, end: &AtomicBool) -> Work {
    let mut work = Work::default();
    while !end.load(Ordering::Relaxed) {
        let children: [usize; CHILDREN] = std::array::from_fn(|_| random.below(keys));
        children.iter().for_each(|&n| table.touch(key(n)));
        for n in children {
            let found = table.lookup(key(n), (), plies(n));
            work.found += u64::from(found != Lookup::Missing);
            work.wrong += u64::from(!is_right(n, &found));
        }
        work.lookups += CHILDREN as u64;
        store(table, children[0], random);
        work.stores += 1;
    }
    work
}
