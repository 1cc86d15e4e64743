//! `yomikiri bench table`: the transposition table under many threads at once.
//!
//! No search, only what a search asks of the table (`andor::table::Load`, which is compiled as searches
//! are; this program is not).

use std::io::{self, Write};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use andor::Table;
use andor::table::{Load, Work};
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
    let (begin, end) = (Barrier::new(usize::from(threads) + 1), AtomicBool::new(false));
    let (work, seconds, before) = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..u64::from(threads))
            .map(|id| {
                let (table, begin, end) = (&table, &begin, &end);
                scope.spawn(move || {
                    let mut load = Load::new(table, id);
                    load.fill();
                    begin.wait();
                    load.run(end)
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
