//! Games of a cluster over NATS whose engines, workers and server are killed, hung and cut off.
//!
//! `YOMIKIRI_FAULT_GAMES=20 cargo test --release --test tests faults -- --nocapture` plays the full run.
#![cfg(unix)]

use std::fs;
use std::time::{Duration, Instant};

use crate::processes::{NatsServer, Program, signal};

/// The time for a move.
const MOVE: Duration = Duration::from_millis(300);
/// A move that comes later than this after its time is lost on time. Machines that run tests may
/// be busy with other things; how late the latest was is printed.
const MARGIN: Duration = Duration::from_secs(1);
/// Something breaks every so many moves.
const EVERY: usize = 5;
/// Slots of a worker.
const SLOTS: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// An engine is killed.
    Killed,
    /// An engine does not get to run any more.
    Hung,
    /// A worker and its engines are killed; it is started again later.
    Worker,
    /// The server is killed and, after some moves, started again.
    Server,
}

const FAULTS: [Fault; 4] = [Fault::Killed, Fault::Hung, Fault::Worker, Fault::Server];

struct Cluster {
    server: NatsServer,
    workers: Vec<Option<Program>>,
    master: Program,
    /// Engines that are stopped: they are ended in the end.
    hung: Vec<u32>,
}

impl Cluster {
    fn start() -> Option<Cluster> {
        let server = NatsServer::start(&[])?;
        let workers = (0..2).map(|_| Some(worker(&server))).collect();
        let mut master = Program::master(&["--nats", &server.url()]);
        master.say("isready");
        master.hear("readyok");
        Some(Cluster { server, workers, master, hung: Vec::new() })
    }

    /// Breaks something.
    fn break_down(&mut self, fault: Fault, at: usize) {
        let engines = |worker: &Option<Program>| {
            worker.as_ref().map_or(Vec::new(), |worker| children(worker.id()))
        };
        let mut alive: Vec<u32> = self.workers.iter().flat_map(engines).collect();
        alive.retain(|engine| !self.hung.contains(engine));
        let engine = alive.get(at % alive.len().max(1)).copied();
        match (fault, engine) {
            (Fault::Killed, Some(engine)) => signal("-KILL", engine),
            (Fault::Hung, Some(engine)) => {
                signal("-STOP", engine);
                self.hung.push(engine);
            }
            (Fault::Worker, _) => {
                let which = at % self.workers.len();
                // Killed with its engines, as when a machine loses its power.
                let engines = engines(&self.workers[which]);
                self.workers[which] = None;
                for engine in engines {
                    end(engine);
                }
            }
            (Fault::Server, _) => self.server.kill(),
            (_, None) => {}
        }
    }

    /// Mends what only an operator can.
    fn mend(&mut self, fault: Fault) {
        match fault {
            Fault::Server => self.server.restart(),
            Fault::Worker => {
                for place in self.workers.iter_mut().filter(|place| place.is_none()) {
                    *place = Some(worker(&self.server));
                }
            }
            Fault::Killed | Fault::Hung => {}
        }
    }

    /// How long after this moment the master knew that it had lost somebody. It gives his share
    /// to others in the same moment.
    fn noticed(&mut self, since: Instant) -> Option<(Duration, String)> {
        self.master.listen();
        let later = self.master.heard.iter().filter(|(at, _)| *at >= since);
        // Who is set aside or cannot be had was lost before, maybe by an earlier fault.
        let is_lost = |line: &str| {
            line.starts_with("info string worker ")
                && !line.contains(" is set aside: ")
                && !line.contains(": cannot lease ")
        };
        let mut lost = later.filter(|(_, line)| is_lost(line));
        lost.next().map(|(at, line)| (at.duration_since(since), line.clone()))
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.hung.iter().for_each(|&engine| end(engine));
    }
}

fn worker(server: &NatsServer) -> Program {
    Program::worker(&server.url(), &["--slots", &SLOTS.to_string(), "-o", "Hash=1"])
}

/// Ends a process that may have ended.
fn end(process: u32) {
    if fs::exists(format!("/proc/{process}")).unwrap_or(false) {
        let mut kill = std::process::Command::new("kill");
        let _ =
            kill.args(["-KILL", &process.to_string()]).stderr(std::process::Stdio::null()).status();
    }
}

/// The processes that a process has started.
fn children(parent: u32) -> Vec<u32> {
    let Ok(all) = fs::read_dir("/proc") else { return Vec::new() };
    let numbers = all.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let is_child = |process: &u32| {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        // After the name, which may have blanks in it: the state, and the parent.
        let rest = stat.rsplit(')').next().unwrap_or_default();
        let words: Vec<&str> = rest.split_whitespace().take(2).collect();
        words.get(1) == Some(&&parent.to_string()[..]) && words[0] != "Z"
    };
    numbers.filter(is_child).collect()
}

#[test]
fn whatever_breaks_the_cluster_plays_on() {
    if !fs::exists("/proc/self/stat").unwrap_or(false) {
        yomikiri_needs::skip("/proc");
        return;
    }
    let Some(mut cluster) = Cluster::start() else { return };
    let games = std::env::var("YOMIKIRI_FAULT_GAMES").ok().and_then(|n| n.parse().ok());
    let (games, plies) = games.map_or((1, 20), |games: usize| (games, 100));
    let go = format!("go movetime {}", MOVE.as_millis());
    let (mut faults, mut played) = (0, 0);
    let mut latest = Duration::ZERO;
    let mut seen: Vec<(Fault, Option<(Duration, String)>)> = Vec::new();
    for game in 0..games {
        cluster.master.say("ucinewgame");
        cluster.master.say("isready");
        cluster.master.hear("readyok");
        // Games differ by their first move.
        let first = ["e2e4", "d2d4", "c2c4", "g1f3", "b1c3", "e2e3", "d2d3", "b2b3", "g2g3"];
        let mut moves = vec![first[game % first.len()].to_string()];
        let mut open: Option<(Fault, Instant)> = None;
        for ply in 1..=plies {
            // Three moves after the fault; the next comes two moves later, and finds workers that
            // have something to do.
            if ply % EVERY == 0
                && let Some((fault, since)) = open.take()
            {
                seen.push((fault, cluster.noticed(since)));
                cluster.mend(fault);
            }
            let start = cluster.master.ask(&moves, &go);
            if ply % EVERY == 2 {
                let fault = FAULTS[faults % FAULTS.len()];
                // In mid-search.
                std::thread::sleep(MOVE / 3);
                open = Some((fault, Instant::now()));
                cluster.break_down(fault, faults);
                faults += 1;
            }
            let (best, time) = cluster.master.answer(&moves, start);
            assert!(time <= MOVE + MARGIN, "game {game}, ply {ply}: {time:?}, {open:?}");
            latest = latest.max(time.saturating_sub(MOVE));
            played += 1;
            assert!(cluster.master.is_alive());
            let Some(best) = best else { break };
            moves.push(best);
        }
        if let Some((fault, since)) = open {
            seen.push((fault, cluster.noticed(since)));
            cluster.mend(fault);
        }
    }
    println!(
        "{games} games, {played} moves, {faults} faults: 0 lost on time, 0 illegal moves, \
         0 crashes; the latest answer {latest:?} after its time"
    );
    for fault in FAULTS {
        let of = || seen.iter().filter(|(other, _)| *other == fault);
        let mut times: Vec<_> = of().filter_map(|(_, noticed)| noticed.as_ref()).collect();
        times.sort_unstable();
        let (Some((middle, _)), Some((most, remark))) = (times.get(times.len() / 2), times.last())
        else {
            continue;
        };
        let (noticed, all) = (times.len(), of().count());
        println!("{fault:?}: the share of {noticed} of {all} was reassigned, in the middle after");
        println!("  {middle:?}, at the latest after {most:?} ({remark})");
    }
    // Who was told nothing had nothing to do; but a cluster that never notices is no cluster.
    assert!(seen.iter().any(|(_, time)| time.is_some()), "{:#?}", cluster.master.heard);
}
