//! `yomikiri cluster` and `yomikiri worker` as their users see them.
#![cfg(unix)]

#[path = "support/cluster.rs"]
mod processes;
mod support;

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use processes::{NatsServer, Program, free_port, signal};
use support::yomikiri;

#[test]
fn it_plays_out_of_the_box() {
    let mut master = Program::master(&["--workers", "2"]);
    master.say("isready");
    master.hear("readyok");
    let mut moves = vec!["e2e4".to_string()];
    for _ in 0..4 {
        moves.extend(master.play(&moves, "go movetime 200").0);
    }
    master.assert_heard(" score ");
    master.say("tree");
    master.hear("2 workers");
    master.say("quit");
    assert_eq!(master.end(), Some(0));
}

#[test]
fn bad_commands_say_what_to_do() {
    let nobody = format!("nats://127.0.0.1:{}", free_port());
    let engine = ["--engine", "no-such-engine"];
    yomikiri(&[&["cluster", "uci"], &engine[..]].concat()).fails_with(&[
        "--engine no-such-engine",
        "there is no program",
        "PATH",
    ]);
    yomikiri(&["cluster", "uci", "--engine", "tcp://nowhere"]).fails_with(&["tcp://nowhere"]);
    yomikiri(&["cluster", "uci", "--engine", "'half"]).fails_with(&["--engine 'half"]);
    yomikiri(&["cluster", "uci", "--workers", "0"]).fails_with(&["at least one worker"]);
    yomikiri(&["cluster", "uci", "--workers", "many"]).fails_with(&["--workers"]);
    yomikiri(&["cluster", "uci", "--growth", "wild"]).fails_with(&["no growth 'wild'"]);
    yomikiri(&["cluster", "uci", "--option", "=3"]).fails_with(&["NAME=VALUE"]);
    yomikiri(&["cluster", "uci", "--ranks", "/no/such/file"]).fails_with(&["/no/such/file"]);
    yomikiri(&["cluster", "usi"]).fails_with(&["which engine of shogi"]);
    yomikiri(&["cluster", "uci", "--nats", &nobody]).fails_with(&[&nobody]);
    yomikiri(&["cluster", "uci", "--nats", "http://\u{1}"]).fails_with(&["http://"]);
    yomikiri(&["cluster", "status"]).fails_with(&["--nats URL is needed"]);
    yomikiri(&["worker"]).fails_with(&["--nats URL is needed"]);
    yomikiri(&["worker", "--nats", &nobody]).fails_with(&[&nobody]);
    yomikiri(&[&["worker", "--nats", &nobody], &engine[..]].concat())
        .fails_with(&["--engine no-such-engine", "there is no program"]);
    yomikiri(&["worker", "--nats", &nobody, "--slots", "0"]).fails_with(&["--slots"]);
}

#[test]
fn what_is_no_engine_is_set_aside() {
    let commands = ["true", "cat", "sleep 100"];
    let mut masters =
        commands.map(|engine| Program::master(&["--workers", "1", "--engine", engine]));
    for master in &mut masters {
        // A legal move comes all the same.
        assert!(master.play(&["e2e4".into()], "go movetime 100").0.is_some());
    }
    let reasons = [
        "worker 0 is set aside: true has ended (exit status: 0)",
        "cat did not say uciok within 10s (it said: uci)",
        "sleep did not say uciok within 10s",
    ];
    for (master, reason) in masters.iter_mut().zip(reasons) {
        master.hear(reason);
        master.say("quit");
        assert_eq!(master.end(), Some(0));
    }
}

#[test]
fn a_server_may_demand_a_token() {
    let Some(server) = NatsServer::start(&["--auth", "secret"]) else { return };
    let url = server.url();
    for arguments in [&["cluster", "uci"][..], &["cluster", "status"], &["worker"]] {
        let wrong = ["--nats", &url, "--token", "wrong"];
        let run = yomikiri(&[arguments, &wrong].concat());
        run.fails_with(&[&url]);
        assert!(!run.stderr.contains("wrong"), "a token is not shown: {}", run.stderr);
    }
    let _worker = Program::worker(&url, &["--slots", "1", "--token", "secret"]);
    let status = yomikiri(&["cluster", "status", "--nats", &url, "--token", "secret"]);
    assert_eq!(status.code, Some(0), "{}", status.stderr);
    assert!(status.stdout.contains("slot "), "{}", status.stdout);
}

/// Publishes a message, as a client would that knows nothing but the text protocol of NATS.
fn publish(url: &str, subject: &str, message: &str) {
    let mut stream = TcpStream::connect(url.trim_start_matches("nats://")).expect("a server");
    let mut info = String::new();
    BufReader::new(stream.try_clone().expect("a handle")).read_line(&mut info).expect("INFO");
    let text = format!("PUB {subject} {}\r\n{message}\r\n", message.len());
    write!(stream, "CONNECT {{\"verbose\":false}}\r\n{text}PING\r\n").expect("sent");
    let mut pong = String::new();
    BufReader::new(stream).read_line(&mut pong).expect("PONG");
    assert_eq!(pong.trim(), "PONG");
}

#[test]
fn a_worker_of_another_version_is_refused() {
    let Some(server) = NatsServer::start(&[]) else { return };
    let mut master = Program::master(&["--nats", &server.url()]);
    let hello = r#"{"version":99,"worker":"future","what":"it says"}"#;
    publish(&server.url(), "yomikiri.default.hello", "nonsense");
    publish(&server.url(), "yomikiri.default.hello", hello);
    let line = master.hear("worker future is refused");
    assert!(line.contains("version 99"), "{line}");
    assert!(master.play(&[], "go movetime 100").0.is_some());
}

#[test]
fn workers_come_and_go_while_a_game_runs() {
    let Some(server) = NatsServer::start(&[]) else { return };
    let url = server.url();
    let mut first = Program::worker(&url, &["--slots", "2", "--name", "first"]);
    let mut master = Program::master(&["--nats", &url]);
    master.say("isready");
    master.hear("readyok");
    let mut moves = vec!["d2d4".to_string()];
    let mut play = |master: &mut Program, n: usize| {
        for _ in 0..n {
            moves.extend(master.play(&moves, "go movetime 200").0);
        }
    };
    play(&mut master, 2);
    let status = yomikiri(&["cluster", "status", "--nats", &url]);
    assert_eq!(status.code, Some(0), "{}", status.stderr);
    assert_eq!(status.stdout.matches("slot first-").count(), 2, "{}", status.stdout);
    assert!(status.stdout.contains("2 workers"), "{}", status.stdout);
    let _second = Program::worker(&url, &["--slots", "3", "--name", "second"]);
    wait(|| {
        play(&mut master, 1);
        workers(&mut master) == 5
    });
    signal("-INT", first.id());
    assert_eq!(first.end(), Some(0));
    wait(|| {
        play(&mut master, 1);
        workers(&mut master) == 3
    });
    master.assert_heard("the worker has left");
    let status = yomikiri(&["cluster", "status", "--nats", &url, "--json"]);
    assert_eq!(status.stdout.matches(r#""worker":"second-"#).count(), 3, "{}", status.stdout);
    assert!(!status.stdout.contains("first-"), "{}", status.stdout);
    let empty = yomikiri(&["cluster", "status", "--nats", &url, "--group", "others"]);
    assert_eq!(empty.code, Some(1), "{}", empty.stdout);
    assert!(empty.stderr.contains("nobody in group 'others'"), "{}", empty.stderr);
}

#[test]
fn the_server_may_be_restarted() {
    let Some(mut server) = NatsServer::start(&[]) else { return };
    let url = server.url();
    let _worker = Program::worker(&url, &["--slots", "2"]);
    let mut master = Program::master(&["--nats", &url]);
    master.say("isready");
    master.hear("readyok");
    let mut moves = vec!["c2c4".to_string()];
    moves.extend(master.play(&moves, "go movetime 200").0);
    server.kill();
    wait(|| {
        moves.extend(master.play(&moves, "go movetime 200").0);
        workers(&mut master) == 0
    });
    server.restart();
    wait(|| {
        moves.extend(master.play(&moves, "go movetime 200").0);
        workers(&mut master) == 2
    });
}

/// The leases of a master that has died run out, and its successor gets the workers.
#[test]
fn the_master_may_be_restarted() {
    let Some(server) = NatsServer::start(&[]) else { return };
    let url = server.url();
    let _worker = Program::worker(&url, &["--slots", "2"]);
    for _ in 0..2 {
        let mut master = Program::master(&["--nats", &url]);
        master.say("isready");
        master.hear("readyok");
        assert_eq!(workers(&mut master), 2, "{:#?}", master.heard);
        assert!(master.play(&[], "go movetime 200").0.is_some());
        master.kill();
    }
}

/// How many workers the master has now.
fn workers(master: &mut Program) -> usize {
    master.say("tree");
    let line = master.hear(" workers, ");
    let number = line.split_whitespace().rev().skip_while(|word| *word != "workers,").nth(1);
    number.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{line}"))
}

/// Waits until this is so.
fn wait(mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < end, "it does not become so");
    }
}
