//! `yomikiri bench stops`: how long a cluster takes from `stop` to `bestmove`.
//!
//! A user interface that says `stop` has made up its mind, and what comes later is lost on the
//! clock. The master must collect the last words of its workers and choose, however many there are
//! and however busy the machine is. Everything runs as it does for a user: a NATS server, a worker
//! that lends engines, a master that is spoken to over pipes; the time is taken at our end of the
//! pipes. The master plays a game against itself, so that its tree is grown and cut as usual.

use std::io::{self, Write};
use std::process::Command;
use std::time::{Duration, Instant};

use andor::{SplitMix64, Stop};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use yomikiri_cluster::{Board, Game};
use yomikiri_engine::program::find_program;
use yomikiri_engine::protocol::{BestMove, Dialect, PositionText, Reply};

use super::program::Program;
use crate::commands::Exit;
use crate::interrupt::stop_on_interrupt;
use crate::json;
use crate::progress::Bar;
use crate::terminal;

/// Options of `bench stops`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yomikiri bench stops                                60 workers over a NATS server of its own
  yomikiri bench stops --workers 8 --engine stockfish --ponder
  yomikiri bench stops --nats nats://server:4222 --json
  yomikiri bench stops --local --workers 4            without NATS

A game is played with `go infinite` and, after 100 to 400 ms, `stop`; these pauses are the same in
every run. The time is that from `stop` to `bestmove`, and every move is checked. The server is
looked for in PATH, /usr/local/bin and /usr/sbin, listens on a free port of this machine alone and
ends with the run, as all that was started does. A server of --nats that wants a token gets
$YOMIKIRI_NATS_TOKEN. Workers that are lost on the way, as on a machine that is too busy, are named
at the end. Ctrl-C keeps what was measured. Exit code: 1 if the run was stopped, 2 if something
does not start or answer.")]
pub struct Args {
    /// How many engines
    #[arg(long, value_name = "N", default_value = "60",
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    workers: u16,

    /// How many stops
    #[arg(long, value_name = "N", default_value = "200",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    stops: u32,

    /// Let the workers go on in the opponent's time
    #[arg(long)]
    ponder: bool,

    /// The command of the engine [default: our own engine of chess]
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,

    /// A NATS server that runs already [default: one is started]
    #[arg(long, value_name = "URL")]
    nats: Option<String>,

    /// No NATS: the engines are child processes of the master
    #[arg(long, conflicts_with = "nats")]
    local: bool,

    /// One JSON object
    #[arg(long)]
    json: bool,

    /// No progress bar
    #[arg(long, short)]
    quiet: bool,
}

/// After so many moves another game begins.
const GAME: usize = 20;
/// The shortest pause before a stop, and by how much others may be longer, in milliseconds.
const PAUSE: (u64, usize) = (100, 301);
/// The server, a worker and the master have so long to start.
const START: Duration = Duration::from_secs(60);
/// All engines have so long to get ready; then it begins without the rest.
const ALL_READY: Duration = Duration::from_secs(30);
/// An answer that takes longer will not come.
const HUNG: Duration = Duration::from_secs(30);

/// What was measured. Without a stop there are no times.
#[derive(Serialize)]
struct Row {
    over: &'static str,
    engine: String,
    ponder: bool,
    workers: u16,
    /// Workers that were ready when it began.
    ready: usize,
    /// And when it ended, unless it was broken off.
    ready_at_end: Option<usize>,
    stops: usize,
    median_ms: Option<f64>,
    p90_ms: Option<f64>,
    p99_ms: Option<f64>,
    slowest_ms: Option<f64>,
}

pub fn run(args: &Args) -> Result<Exit> {
    let stop = stop_on_interrupt()?;
    let Some(mut cluster) = Cluster::start(args, &stop)? else {
        terminal::tell(&"stopped before anything was measured");
        return Ok(Exit::Unknown);
    };
    let mut times = cluster.measure(args, &stop)?;
    let is_broken_off = stop.is_raised();
    let ready_at_end = if is_broken_off { None } else { cluster.count(&stop)? };
    let (ready, remarks) = (cluster.ready, std::mem::take(&mut cluster.remarks));
    drop(cluster);
    for remark in remarks {
        terminal::note(&remark);
    }
    times.sort_unstable();
    let millis = |percent| quantile(&times, percent).map(|time| time.as_secs_f64() * 1e3);
    let row = Row {
        over: if args.local { "pipes" } else { "nats" },
        engine: args.engine.clone().unwrap_or_else(|| "yomikiri engine chess".into()),
        ponder: args.ponder,
        workers: args.workers,
        ready,
        ready_at_end,
        stops: times.len(),
        median_ms: millis(50),
        p90_ms: millis(90),
        p99_ms: millis(99),
        slowest_ms: millis(100),
    };
    row.print(args, &mut io::stdout().lock())?;
    if is_broken_off {
        terminal::stopped(&"what was measured so far is above");
    }
    Ok(if is_broken_off { Exit::Unknown } else { Exit::Done })
}

/// The smallest of these times, which are in order, that so many percent do not exceed.
fn quantile(times: &[Duration], percent: usize) -> Option<Duration> {
    let rank = (times.len() * percent).div_ceil(100).max(1);
    times.get(rank - 1).copied()
}

impl Row {
    fn print(&self, args: &Args, out: &mut impl Write) -> Result<()> {
        if args.json {
            return json::line(out, "bench-stops", self);
        }
        let Row { over, ready, workers, stops, .. } = self;
        let shown = |time: Option<f64>| time.map_or("–".into(), |time| format!("{time:.1}"));
        writeln!(out, "workers  ready  over   stops  median     90 %     99 %  slowest ms")?;
        writeln!(
            out,
            "{workers:>7} {ready:>6}  {over:<5} {stops:>6} {:>7} {:>8} {:>8} {:>8}",
            shown(self.median_ms),
            shown(self.p90_ms),
            shown(self.p99_ms),
            shown(self.slowest_ms),
        )?;
        Ok(())
    }
}

/// A cluster of our own. The master ends first, then the worker, then the server.
struct Cluster {
    master: Program,
    _worker: Option<Program>,
    _server: Option<Program>,
    /// Workers that were ready at the beginning.
    ready: usize,
    /// What the master said about workers that were lost.
    remarks: Vec<String>,
}

impl Cluster {
    /// Starts everything, and waits until the workers are ready. Nothing if it is broken off.
    fn start(args: &Args, stop: &Stop) -> Result<Option<Cluster>> {
        let _bar = Bar::spinning(args.quiet, &format!("starting {} workers", args.workers));
        let own = std::env::current_exe().context("where is this program?")?;
        let engine = args.engine.iter().flat_map(|engine| ["--engine", engine]);
        let count = args.workers.to_string();
        let mut master = Command::new(&own);
        master.args(["cluster", "uci"]);
        let (mut server, mut worker) = (None, None);
        if args.local {
            master.args(["--workers", &count]).args(engine);
        } else {
            let url = match &args.nats {
                Some(url) => url.clone(),
                None => {
                    let Some((program, url)) = start_server(stop)? else { return Ok(None) };
                    server = Some(program);
                    url
                }
            };
            // Nobody else's workers, and our workers for nobody else.
            let nats = ["--nats", &url, "--group", &format!("stops-{}", std::process::id())];
            let mut command = Command::new(&own);
            command.arg("worker").args(nats).args(["--slots", &count]).args(engine);
            let mut program = Program::serving("yomikiri worker", &mut command)?;
            let is_there = |line: &str| line.contains("slots of").then_some(());
            if program.hear("slots", START, stop, is_there)?.is_none() {
                return Ok(None);
            }
            worker = Some(program);
            master.args(nats);
        }
        let master = Program::speaking("yomikiri cluster uci", &mut master)?;
        let remarks = Vec::new();
        let mut cluster = Cluster { master, _worker: worker, _server: server, ready: 0, remarks };
        Ok(cluster.get_ready(args, stop)?.map(|ready| Cluster { ready, ..cluster }))
    }

    /// Listens to the master, see [`Program::hear`].
    fn hear<T>(
        &mut self,
        what: &str,
        within: Duration,
        stop: &Stop,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<(Instant, T)>> {
        let Cluster { master, remarks, .. } = self;
        master.hear(what, within, stop, |line| {
            let remark = line.strip_prefix("info string ");
            remarks.extend(remark.filter(|text| text.starts_with("worker ")).map(str::to_owned));
            read(line)
        })
    }

    /// How many workers are ready when all are, or it is not worth waiting any longer.
    fn get_ready(&mut self, args: &Args, stop: &Stop) -> Result<Option<usize>> {
        for (say, hear) in [("uci", "uciok"), ("isready", "readyok")] {
            self.master.say(say)?;
            let is_it = |line: &str| (line == hear).then_some(());
            if self.hear(hear, START, stop, is_it)?.is_none() {
                return Ok(None);
            }
        }
        self.master.say(&format!("setoption name Ponder value {}", args.ponder))?;
        let end = Instant::now() + ALL_READY;
        loop {
            let Some(ready) = self.count(stop)? else { return Ok(None) };
            if ready >= usize::from(args.workers) || Instant::now() >= end {
                if ready == 0 {
                    bail!("no worker is ready{}", self.master.last_words());
                }
                return Ok(Some(ready));
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// How many workers the master has now.
    fn count(&mut self, stop: &Stop) -> Result<Option<usize>> {
        self.master.say("tree")?;
        let number = |line: &str| {
            let (before, _) = line.split_once(" workers, ")?;
            before.rsplit(' ').next()?.parse().ok()
        };
        Ok(self.hear("tree", HUNG, stop, number)?.map(|(_, count)| count))
    }

    /// Plays, and takes the time of every stop.
    fn measure(&mut self, args: &Args, stop: &Stop) -> Result<Vec<Duration>> {
        let mut bar = Bar::counting(args.quiet, "stops", args.stops.into());
        let mut random = SplitMix64::new(1);
        let mut times: Vec<Duration> = Vec::new();
        let mut text = PositionText::initial();
        let mut board = Board::new(Game::Chess, &text)?;
        for done in 0..args.stops {
            if done == 0 || text.moves.len() == GAME || board.moves().is_empty() {
                text = PositionText::initial();
                board = Board::new(Game::Chess, &text)?;
                self.master.say("ucinewgame")?;
            }
            let moves = match &text.moves[..] {
                [] => String::new(),
                moves => format!(" moves {}", moves.join(" ")),
            };
            self.master.say(&format!("position startpos{moves}"))?;
            self.master.say("go infinite")?;
            let pause = PAUSE.0 + random.below(PAUSE.1) as u64;
            std::thread::sleep(Duration::from_millis(pause));
            let since = Instant::now();
            self.master.say("stop")?;
            let best_move = |line: &str| match Reply::parse(line, Dialect::Uci) {
                Reply::BestMove { best, .. } => Some((best, line.to_owned())),
                _ => None,
            };
            let answer = self.hear("bestmove", HUNG, stop, best_move)?;
            // After a Ctrl-C the workers may be leaving: that is not what is measured.
            let Some((at, (best, line))) = answer.filter(|_| !stop.is_raised()) else { break };
            match best {
                BestMove::Move(best) if board.play(&best) => text.moves.push(best),
                _ => bail!("after startpos{moves} the master said: {line}"),
            }
            let time = at.saturating_duration_since(since);
            times.push(time);
            if let Some(bar) = &mut bar {
                let slowest = times.iter().max().map_or(0.0, |time| time.as_secs_f64() * 1e3);
                let last = time.as_secs_f64() * 1e3;
                bar.show_count(u64::from(done) + 1, || {
                    format!("{last:.1} ms, slowest {slowest:.1} ms")
                });
            }
        }
        Ok(times)
    }
}

/// Starts a NATS server on a free port of this machine, and waits until it listens. Nothing if it
/// is broken off.
fn start_server(stop: &Stop) -> Result<Option<(Program, String)>> {
    let Some(program) = find_program("nats-server") else {
        bail!(
            "there is no nats-server in PATH, /usr/local/bin or /usr/sbin: install it \
             (https://nats.io/download), name one that runs with --nats URL, or give --local"
        );
    };
    let mut command = Command::new(program);
    // It chooses the port, and says which.
    command.args(["--addr", "127.0.0.1", "--port", "-1"]);
    let mut server = Program::serving("nats-server", &mut command)?;
    let address = |line: &str| Some(line.split_once("client connections on ")?.1.to_owned());
    let heard = server.hear("word of its port", START, stop, address)?;
    Ok(heard.map(|(_, address)| (server, format!("nats://{address}"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_times_that_were_taken() {
        let times: Vec<Duration> = (1..=200).map(Duration::from_millis).collect();
        let of = |count: usize, percent| quantile(&times[..count], percent);
        let ms = |millis| Some(Duration::from_millis(millis));
        assert_eq!([50, 90, 99, 100].map(|percent| of(200, percent)), [100, 180, 198, 200].map(ms));
        assert_eq!([50, 90, 99, 100].map(|percent| of(3, percent)), [2, 3, 3, 3].map(ms));
        assert_eq!((of(1, 50), of(0, 50)), (ms(1), None));
    }
}
