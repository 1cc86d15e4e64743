//! `yomikiri cluster` and `yomikiri worker` as their users see them.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::processes::{NatsServer, Program, free_port, signal};
use crate::support::{command, finish, yomikiri};
use yomikiri_engine::program::find_program;

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
fn the_tree_is_shown_on_a_page() {
    let port = free_port();
    let mut master = Program::master(&["--workers", "1", "--status-port", &port.to_string()]);
    master.say("isready");
    master.hear("readyok");
    master.say("position startpos moves e2e4");
    master.say("go infinite");
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("the page");
    write!(
        stream,
        "GET /cluster HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    .expect("to ask");
    let mut answer = Vec::new();
    let mut part = [0; 4096];
    while !String::from_utf8_lossy(&answer).contains(r#""moves":["e2e4"]"#) {
        let length = stream.read(&mut part).expect("news");
        assert!(length > 0, "{}", String::from_utf8_lossy(&answer));
        answer.extend_from_slice(&part[..length]);
    }
    assert!(answer.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&answer));
    let taken = port.to_string();
    let second = ["cluster", "uci", "--workers", "1", "--status-port", &taken];
    yomikiri(&second).fails_with(&["--status-port", "cannot listen"]);
    master.say("stop");
    master.hear("bestmove");
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
    yomikiri(&["cluster", "uci", "--patience", "0"]).fails_with(&["--patience"]);
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
    let mut masters = commands
        .map(|engine| Program::master(&["--workers=1", "--patience=5", "--engine", engine]));
    for master in &mut masters {
        // A legal move comes all the same.
        assert!(master.play(&["e2e4".into()], "go movetime 100").0.is_some());
    }
    let reasons = [
        "worker 0 is set aside: true has ended (exit status: 0)",
        "cat did not say uciok within 5s (it said: uci)",
        "sleep did not say uciok within 5s",
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
    let types: Vec<String> = crate::json::types(&status.stdout).into_iter().collect();
    assert_eq!(types, ["cluster-master", "cluster-slot"]);
    let empty = yomikiri(&["cluster", "status", "--nats", &url, "--group", "others"]);
    assert_eq!(empty.code, Some(1), "{}", empty.stdout);
    assert!(empty.stderr.contains("nobody in group 'others'"), "{}", empty.stderr);
}

#[test]
fn the_server_may_be_restarted() {
    let Some(mut server) = NatsServer::start(&[]) else { return };
    let url = server.url();
    let mut worker = Program::worker(&url, &["--slots", "2"]);
    let mut master = Program::master(&["--nats", &url]);
    master.say("isready");
    master.hear("readyok");
    let mut moves = vec!["c2c4".to_string()];
    moves.extend(master.play(&moves, "go movetime 200").0);
    server.kill();
    worker.hear(&format!("the NATS server at {url} is lost"));
    wait(|| {
        moves.extend(master.play(&moves, "go movetime 200").0);
        workers(&mut master) == 0
    });
    master.assert_heard(&format!("the NATS server at {url} is lost"));
    master.say("isready");
    master.hear("the NATS server at");
    master.hear("readyok");
    server.restart();
    worker.hear(&format!("the NATS server at {url} is back"));
    wait(|| {
        moves.extend(master.play(&moves, "go movetime 200").0);
        workers(&mut master) == 2
    });
    master.assert_heard(&format!("the NATS server at {url} is back"));
}

#[test]
fn that_there_is_no_worker_is_said_at_once() {
    let Some(server) = NatsServer::start(&[]) else { return };
    let mut master = Program::master(&["--nats", &server.url()]);
    let start = Instant::now();
    master.say("isready");
    let remark = master.hear("there is no worker at");
    assert!(remark.contains("start `yomikiri worker`"), "{remark}");
    master.hear("readyok");
    // Workers say hello twice a second.
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert!(master.play(&[], "go movetime 200").0.is_some());
    master.assert_heard("a move of our own short search");
    // Whoever comes later is welcome.
    let _worker = Program::worker(&server.url(), &["--slots", "1"]);
    wait(|| workers(&mut master) == 1);
}

/// A table of 4 GiB takes seconds to make and to clear: that is waited for, and nobody is sent away.
#[test]
fn stockfish_with_a_large_table_plays() {
    let Some(_) = yomikiri_needs::program("stockfish", find_program("stockfish")) else { return };
    let mut master =
        Program::master(&["--workers", "1", "--engine", "stockfish", "-o", "Hash=4096"]);
    master.say("isready");
    master.hear("readyok");
    master.say("ucinewgame");
    master.say("isready");
    master.hear("readyok");
    for (option, go) in [
        (None, "go wtime 1000 btime 1000"),
        (None, "go wtime 100 btime 100"),
        (Some("setoption name Hash value 4000"), "go wtime 100 btime 100"),
        (Some("setoption name Hash value 16"), "go movetime 500"),
    ] {
        option.into_iter().for_each(|option| master.say(option));
        let before = master.heard.len();
        let (best, _) = master.play(&["e2e4".into(), "e7e5".into()], go);
        assert!(best.is_some());
        let is_shown = |(_, line): &(Instant, String)| line.contains(" pv ");
        assert!(master.heard[before..].iter().any(is_shown), "no line: {:#?}", master.heard);
        assert_ne!(best.as_deref(), Some("a2a3"), "{:#?}", master.heard);
    }
    master.say("isready");
    master.hear("readyok");
    assert_eq!(workers(&mut master), 1);
    for word in ["hung", "set aside"] {
        assert!(!master.has_heard(word), "{:#?}", master.heard);
    }
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
        // The two leases may run out one after the other, and one worker is enough to be ready.
        wait(|| workers(&mut master) == 2);
        assert!(master.play(&[], "go movetime 200").0.is_some());
        master.kill();
    }
}

/// Does a process run with this among its arguments?
fn runs(argument: &str) -> bool {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = processes.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    let mut lines = lines.map(|line| String::from_utf8_lossy(&line).into_owned());
    lines.any(|line| line.split('\0').any(|part| part == argument))
}

#[test]
fn stops_are_measured_and_nothing_is_left() {
    let small = ["bench", "stops", "--workers", "3", "--stops", "3", "--json"];
    let mut ways = vec![("pipes", vec!["--local".to_string()])];
    let server = NatsServer::start(&["--auth", "secret"]);
    if let Some(server) = &server {
        ways.push(("nats", vec!["--ponder".into()]));
        ways.push(("nats", vec!["--nats".into(), server.url()]));
    }
    for (over, more) in ways {
        let more: Vec<&str> = more.iter().map(String::as_str).collect();
        let mut command = command(&[&small, &more[..]].concat());
        let child = command.env("YOMIKIRI_NATS_TOKEN", "secret").spawn().expect("it starts");
        let group = format!("stops-{}", child.id());
        let run = finish(child);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
        let json = run.json();
        assert_eq!(json["over"], over);
        assert_eq!(json["ponder"], more.contains(&"--ponder"));
        for key in ["workers", "ready", "stops"] {
            assert_eq!(json[key], 3, "{key}: {json}");
        }
        // On a machine that is too busy workers are lost, and it says so.
        let has_lost = run.stderr.contains("note: worker ");
        assert!(json["ready_at_end"] == 3 || has_lost, "{json}{}", run.stderr);
        let times = ["median_ms", "p90_ms", "p99_ms", "slowest_ms"].map(|key| json[key].as_f64());
        assert!(times[0].is_some() && times.is_sorted(), "{json}");
        assert!(!runs(&group), "it has left a process");
    }
}

#[test]
fn a_measurement_of_stops_may_be_broken_off_or_fail() {
    let stops = ["bench", "stops", "--workers", "1", "--stops", "1000000", "--json"];
    let child = command(&[&stops[..], &["--local"]].concat()).spawn().expect("it starts");
    std::thread::sleep(Duration::from_secs(4));
    signal("-INT", child.id());
    let run = finish(child);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("stopped"), "{}", run.stderr);
    // Whether it came to measuring depends on the machine.
    if !run.stdout.is_empty() {
        let json = run.json();
        assert!(json["stops"].as_u64().is_some_and(|stops| stops < 1_000_000), "{json}");
        assert!(json["ready"] == 1 && json["ready_at_end"].is_null(), "{json}");
    }
    let engine = ["--engine", "no-such-engine"];
    yomikiri(&[&stops[..], &["--local"], &engine].concat()).fails_with(&["there is no program"]);
    let nobody = format!("nats://127.0.0.1:{}", free_port());
    yomikiri(&[&stops[..], &["--nats", &nobody]].concat()).fails_with(&["worker", &nobody]);
    yomikiri(&[&stops[..], &["--nats", &nobody, "--local"]].concat()).fails_with(&["--local"]);
    yomikiri(&["bench", "stops", "--workers", "0"]).fails_with(&["--workers"]);
    yomikiri(&["bench", "stops", "--stops", "0"]).fails_with(&["--stops"]);
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
