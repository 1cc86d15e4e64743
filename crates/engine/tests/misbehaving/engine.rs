//! An engine with bad habits, to try the driver on. The first argument says which.
//!
//! Without bad habits it "searches" like this: to `go` it answers with the last move of the
//! position, so that everyone can see which search an answer belongs to.

use std::io::{BufRead, Write};
use std::path::Path;
use std::time::Duration;

use yomikiri_engine::protocol::{Command, Dialect, PositionText};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let habit = arguments.first().map_or("good", String::as_str);
    let marker = arguments.get(1).map(String::as_str);
    match habit {
        "exits" => {
            eprintln!("no licence found");
            std::process::exit(3);
        }
        "silent" => sleep_for_ever(),
        "no-engine" => say("Hello, I am a calculator."),
        "garbage" => garbage(),
        _ => {}
    }
    // Its child would outlive it, if nobody killed the group.
    if let ("parent", Some(marker)) = (habit, marker) {
        let child = std::process::Command::new("sleep").arg("1000").spawn();
        let pid = child.map(|child| child.id()).unwrap_or_default();
        let _ = std::fs::write(marker, pid.to_string());
    }
    // `slow WORD MILLISECONDS`: every line that begins with the word takes so long.
    let slow = match (habit, marker, arguments.get(2).and_then(|text| text.parse().ok())) {
        ("slow", Some(word), Some(time)) => Some((word, Duration::from_millis(time))),
        _ => None,
    };
    let mut position = PositionText::initial();
    let mut is_searching = false;
    let mut options = Vec::new();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        if let Some((word, time)) = slow
            && line.split(' ').next() == Some(word)
        {
            std::thread::sleep(time);
        }
        match Command::parse(&line, Dialect::Uci) {
            Command::Handshake => handshake(habit),
            Command::IsReady => say("readyok"),
            Command::SetOption { name, value } => {
                let value = value.unwrap_or_default();
                say(&format!("info string {name} is {value}"));
                options.push(format!("{name}={value}"));
            }
            Command::Position(new) => position = new,
            Command::Go(go) => {
                is_searching = go.infinite;
                if last(&position) == "options" {
                    say(&format!("info string {}", options.join(" ")));
                }
                search(habit, marker, &position, is_searching);
            }
            Command::TableReport(most) => report(most),
            Command::Stop if habit == "deaf" => {}
            Command::Stop if is_searching || habit == "eager" => {
                is_searching = false;
                say(&format!("info depth 9 pv {}", last(&position)));
                say(&format!("bestmove {}", last(&position)));
                if habit == "eager" {
                    say("bestmove h7h8q");
                }
            }
            Command::Quit => return,
            _ => {}
        }
    }
}

fn handshake(habit: &str) {
    if habit == "no-engine" {
        return;
    }
    say("id name Misbehaving 1.0\r\nid author nobody");
    say("option name Hash type spin default 1 min 1 max 100");
    say("option name Log type string default <empty>");
    if habit == "table" {
        say("option name TableReport type check default false");
    }
    if habit != "no-uciok" {
        say("uciok");
    }
}

fn search(habit: &str, marker: Option<&str>, position: &PositionText, is_infinite: bool) {
    match habit {
        "hangs" => sleep_for_ever(),
        "dies" => std::process::exit(1),
        "dies-once" => {
            let marker = Path::new(marker.unwrap_or("/nowhere"));
            if !marker.exists() {
                let _ = std::fs::write(marker, "was here");
                std::process::abort();
            }
        }
        "hangs-once" => {
            let marker = Path::new(marker.unwrap_or("/nowhere"));
            if !marker.exists() {
                let _ = std::fs::write(marker, "was here");
                sleep_for_ever();
            }
        }
        "long-line" => say(&format!("info string {}", "x".repeat(1 << 20))),
        "garbage" => garbage(),
        "illegal" => return say("bestmove e2e5"),
        "floods" => {
            for depth in 1..=20_000 {
                say(&format!("info depth {depth} multipv 1 score cp 1 pv {}", last(position)));
                say(&format!("info depth {depth} multipv 2 score cp 0 pv {}", last(position)));
            }
        }
        _ => {}
    }
    say(&format!("info depth 1 score cp 5 pv {}", last(position)));
    if !is_infinite {
        say(&format!("bestmove {} ponder e7e5", last(position)));
    }
}

fn report(most: u64) {
    let lines =
        ["depth 5 score cp 3 moves e2e4", "depth 4 score mate 2 lowerbound moves e2e4 e7e5"];
    for line in lines.iter().take(usize::try_from(most).unwrap_or(2)) {
        say(&format!("tableentry {line}"));
    }
    say("tableend");
}

fn last(position: &PositionText) -> &str {
    position.moves.last().map_or("e2e4", String::as_str)
}

fn garbage() {
    let bytes: Vec<u8> =
        (0..20_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let mut output = std::io::stdout().lock();
    let _ = output
        .write_all(&bytes)
        .and_then(|()| output.write_all(b"\n"))
        .and_then(|()| output.flush());
}

fn say(line: &str) {
    let mut output = std::io::stdout().lock();
    if writeln!(output, "{line}").and_then(|()| output.flush()).is_err() {
        std::process::exit(0);
    }
}

fn sleep_for_ever() {
    loop {
        std::thread::sleep(Duration::from_secs(1000));
    }
}
