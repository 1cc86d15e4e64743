//! A cluster on two hosts: network namespaces with a cable between them, which is pulled out.
#![cfg(target_os = "linux")]

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::processes::Program;
use yomikiri_engine::program::find_program;

const ADDRESS: &str = "10.77.0.1";
const URL: &str = "nats://10.77.0.1:4222";
const MOVE: Duration = Duration::from_millis(300);
/// As in the test of faults: machines that run tests may be busy with other things.
const MARGIN: Duration = Duration::from_secs(1);
/// Only a hang takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// Two hosts, `near` with the server and the master, `far` with workers.
struct Hosts {
    near: String,
    far: String,
    server: Option<Child>,
}

/// The program that makes hosts.
fn tool() -> String {
    find_program("ip").map_or("ip".into(), |path| path.to_string_lossy().into_owned())
}

fn ip(arguments: &str) -> bool {
    let mut command = Command::new(tool());
    command.args(arguments.split_whitespace());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

impl Hosts {
    fn start() -> Option<Hosts> {
        let nats_server = yomikiri_needs::program("nats-server", find_program("nats-server"))?;
        yomikiri_needs::program("ip", find_program("ip"))?;
        let (near, far) =
            (format!("yk{}n", std::process::id()), format!("yk{}f", std::process::id()));
        let mut hosts = Hosts { near, far, server: None };
        let Hosts { near, far, .. } = &hosts;
        let steps = [
            format!("netns add {near}"),
            format!("netns add {far}"),
            format!("-n {near} link add cable type veth peer name cable netns {far}"),
            format!("-n {near} addr add {ADDRESS}/24 dev cable"),
            format!("-n {far} addr add 10.77.0.2/24 dev cable"),
            format!("-n {near} link set lo up"),
            format!("-n {near} link set cable up"),
            format!("-n {far} link set cable up"),
        ];
        if !steps.iter().all(|step| ip(step)) {
            yomikiri_needs::skip("the right to make network namespaces (root)");
            return None;
        }
        let mut server = Command::new(tool());
        server.args(["netns", "exec", near]).arg(nats_server).args(["-a", ADDRESS, "-p", "4222"]);
        server.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        hosts.server = Some(server.spawn().expect("it starts"));
        Some(hosts)
    }

    fn program(&self, host: &str, arguments: &[&str]) -> Program {
        Program::start_through(&[&tool(), "netns", "exec", host], arguments)
    }

    fn worker(&self, host: &str, slots: &str) -> Program {
        // The server may not listen yet.
        let end = Instant::now() + PATIENCE;
        loop {
            let arguments = ["worker", "--nats", URL, "--slots", slots, "-o", "Hash=1"];
            let mut worker = self.program(host, &arguments);
            std::thread::sleep(Duration::from_millis(500));
            if worker.is_alive() {
                worker.hear("slots of");
                return worker;
            }
            assert!(Instant::now() < end, "{:?}", worker.heard);
        }
    }

    fn cable(&self, state: &str) {
        assert!(ip(&format!("-n {} link set cable {state}", self.far)));
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        if let Some(mut server) = self.server.take() {
            let _ = server.kill();
            let _ = server.wait();
        }
        ip(&format!("netns del {}", self.near));
        ip(&format!("netns del {}", self.far));
    }
}

/// Plays on until the master has so many workers.
fn play_until(master: &mut Program, moves: &mut Vec<String>, workers: usize) {
    let end = Instant::now() + PATIENCE;
    loop {
        master.say("tree");
        let line = master.hear(" workers, ");
        if line.contains(&format!(": {workers} workers, ")) {
            return;
        }
        assert!(Instant::now() < end, "no {workers} workers: {:#?}", master.heard);
        let start = master.ask(moves, &format!("go movetime {}", MOVE.as_millis()));
        let (best, time) = master.answer(moves, start);
        assert!(time <= MOVE + MARGIN, "{time:?}");
        match best {
            Some(best) => moves.push(best),
            None => moves.clear(),
        }
    }
}

#[test]
fn a_host_that_is_cut_off_costs_its_share_and_comes_back() {
    let Some(hosts) = Hosts::start() else { return };
    let _near = hosts.worker(&hosts.near, "1");
    let _far = hosts.worker(&hosts.far, "2");
    let mut master = hosts.program(&hosts.near, &["cluster", "uci", "--nats", URL]);
    master.say("uci");
    master.hear("uciok");
    master.say("isready");
    master.hear("readyok");
    let mut moves = Vec::new();
    play_until(&mut master, &mut moves, 3);

    let start = master.ask(&moves, &format!("go movetime {}", MOVE.as_millis()));
    std::thread::sleep(MOVE / 3);
    hosts.cable("down");
    let (best, time) = master.answer(&moves, start);
    assert!(time <= MOVE + MARGIN, "{time:?}");
    moves.extend(best);
    play_until(&mut master, &mut moves, 1);
    hosts.cable("up");
    play_until(&mut master, &mut moves, 3);
    assert!(master.is_alive());
    let said = |part: &str| master.heard.iter().filter(|(_, line)| line.contains(part)).count();
    println!("lost {} of 2 far workers, {} moves played", said("the engine is hung"), moves.len());
}
