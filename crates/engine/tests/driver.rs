//! The driver against engines with bad habits.

use std::time::Duration;

use crate::common::{Rig, after, depth, hasty, misbehaving};
use yomikiri_engine::driver::{Event, Ping, Settings};
use yomikiri_engine::protocol::{BestMove, Dialect, Go, PositionText, Score, TableEntry, Value};
use yomikiri_engine::transport::Tcp;

fn plays(text: &str) -> BestMove {
    BestMove::Move(text.into())
}

#[tokio::test]
async fn a_good_engine_answers() {
    let mut settings = hasty(Dialect::Uci);
    settings.options = vec![
        ("hash".into(), Some("64".into())),
        ("Hash".into(), Some("1000".into())),
        ("Contempt".into(), Some("3".into())),
    ];
    let mut rig = Rig::new(misbehaving(&["good"]), settings);
    let warnings = [rig.event().await, rig.event().await];
    assert!(matches!(&warnings[0], Event::Warning(text) if text.contains("no value 1000")));
    assert!(matches!(&warnings[1], Event::Warning(text) if text.contains("no option Contempt")));
    assert_eq!(rig.ready().await, "Misbehaving 1.0");
    rig.engine.search(1, after(&["a2a3"]), depth(3));
    let Event::Info { job: 1, info } = rig.event().await else { panic!() };
    assert_eq!((info.score, info.pv), (Some(Score::cp(5)), vec!["a2a3".into()]));
    let end = Event::BestMove { job: 1, best: plays("a2a3"), ponder: Some("e7e5".into()) };
    assert_eq!(rig.event().await, end);
}

#[tokio::test]
async fn an_older_search_never_reaches_a_newer_one() {
    for habit in ["good", "eager"] {
        let mut rig = Rig::misbehaving(&[habit]);
        rig.ready().await;
        let text = |job: u64| {
            format!("{}2{}3", (b'a' + (job % 8) as u8) as char, (b'a' + (job % 8) as u8) as char)
        };
        for job in 1..200 {
            rig.engine.search(job, after(&[&text(job)]), Go::infinite());
            // Sometimes it gets to speak, sometimes not.
            if job % 3 == 0 {
                tokio::time::sleep(Duration::from_micros(500)).await;
            }
        }
        rig.engine.search(200, after(&[&text(200)]), depth(1));
        loop {
            match rig.event().await {
                Event::Info { job, info } => assert_eq!(info.pv, [text(job)], "job {job}"),
                Event::BestMove { job, best, .. } => {
                    assert_eq!((job, best), (200, plays(&text(200))));
                    break;
                }
                event => panic!("{event:?}"),
            }
        }
    }
}

#[tokio::test]
async fn a_stopped_search_answers_once() {
    let mut rig = Rig::misbehaving(&["good"]);
    rig.ready().await;
    rig.engine.search(1, after(&["a2a3"]), Go::infinite());
    rig.engine.stop();
    rig.engine.stop();
    assert_eq!(rig.bestmove().await, (1, plays("a2a3")));
    rig.engine.stop();
    rig.engine.new_game();
    rig.engine.set_option("Hash", Some("2".into()));
    rig.engine.search(2, after(&["b2b3"]), depth(1));
    assert_eq!(rig.bestmove().await, (2, plays("b2b3")));
}

#[tokio::test]
async fn no_engine_has_a_reason() {
    let reason = |habit: &'static str| async move { Rig::misbehaving(&[habit]).failed().await };
    let exits = reason("exits").await;
    assert!(exits.contains("exit status: 3") && exits.contains("no licence found"), "{exits}");
    let silent = reason("silent").await;
    assert!(silent.contains("did not say uciok within"), "{silent}");
    assert!(reason("no-uciok").await.contains("did not say uciok within"));
    let calculator = reason("no-engine").await;
    assert!(calculator.contains("it said: Hello, I am a calculator."), "{calculator}");
}

#[tokio::test]
async fn the_wrong_dialect_has_a_reason() {
    let mut rig = Rig::new(misbehaving(&["good"]), hasty(Dialect::Usi));
    assert!(rig.failed().await.contains("did not say usiok"));
}

#[tokio::test]
async fn illegal_moves_are_complained_about() {
    let mut rig = Rig::misbehaving(&["illegal"]);
    for job in 1..=3 {
        rig.ready().await;
        rig.engine.search(job, PositionText::initial(), depth(1));
        assert_eq!(rig.bestmove().await, (job, plays("e2e5")));
        rig.engine.complain("plays the illegal move e2e5");
    }
    assert_eq!(rig.failed().await, "plays the illegal move e2e5");
}

#[tokio::test]
async fn long_lines_and_garbage_do_no_harm() {
    let mut rig = Rig::misbehaving(&["long-line"]);
    rig.engine.search(1, after(&["a2a3"]), depth(1));
    rig.wait(|event| {
        matches!(event, Event::Warning(text) if text.contains("too long")).then_some(())
    })
    .await;
    assert_eq!(rig.bestmove().await, (1, plays("a2a3")));
    let mut rig = Rig::misbehaving(&["garbage"]);
    rig.engine.search(1, after(&["a2a3"]), depth(1));
    assert_eq!(rig.bestmove().await, (1, plays("a2a3")));
}

#[tokio::test]
async fn the_dead_and_the_hung_are_set_aside() {
    let mut rig = Rig::misbehaving(&["dies"]);
    rig.engine.search(1, PositionText::initial(), Go::infinite());
    let reason = rig.failed().await;
    assert!(reason.contains("exit status: 1"), "{reason}");
    let mut settings = hasty(Dialect::Uci);
    settings.ping =
        Some(Ping { every: Duration::from_millis(50), timeout: Duration::from_millis(300) });
    let mut rig = Rig::new(misbehaving(&["hangs"]), settings);
    rig.engine.search(1, PositionText::initial(), Go::infinite());
    assert!(rig.failed().await.contains("no readyok"));
}

/// A file that is gone with this.
struct Marker(std::path::PathBuf);

impl Marker {
    fn new(name: &str) -> Marker {
        let path = std::env::temp_dir().join(format!("yomikiri-{name}-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        Marker(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("plain")
    }
}

impl Drop for Marker {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[tokio::test]
async fn a_restarted_engine_goes_on_with_its_job() {
    for habit in ["dies-once", "hangs-once"] {
        let marker = Marker::new(habit);
        let mut rig = Rig::misbehaving(&[habit, marker.path()]);
        rig.ready().await;
        rig.engine.search(5, after(&["c2c3"]), depth(1));
        rig.lost().await;
        let restarts = rig
            .wait(|event| match event {
                Event::Ready { restarts, .. } => Some(*restarts),
                _ => None,
            })
            .await;
        assert_eq!(restarts, 1);
        assert_eq!(rig.bestmove().await, (5, plays("c2c3")));
    }
}

#[tokio::test]
async fn deaf_to_stop_is_hung() {
    let mut rig = Rig::misbehaving(&["deaf"]);
    rig.ready().await;
    rig.engine.search(1, PositionText::initial(), Go::infinite());
    rig.engine.stop();
    // The owner wanted it stopped: it does not begin again.
    rig.wait(|event| (*event == Event::Withdrawn { job: 1 }).then_some(())).await;
    assert!(rig.lost().await.contains("after stop"));
    rig.ready().await;
    rig.engine.search(2, after(&["d2d3"]), depth(1));
    assert_eq!(rig.bestmove().await, (2, plays("d2d3")));
}

#[tokio::test]
async fn tables_are_reported() {
    let mut rig = Rig::misbehaving(&["table"]);
    rig.wait(|event| matches!(event, Event::Ready { has_table_report: true, .. }).then_some(()))
        .await;
    let report = |event: &Event| match event {
        Event::TableReport { job, entries } => Some((*job, entries.clone())),
        _ => None,
    };
    rig.engine.search(1, PositionText::initial(), Go::infinite());
    rig.engine.table_report(1, 10);
    let (job, entries) = rig.wait(report).await;
    assert_eq!((job, entries.len()), (1, 2));
    let TableEntry { depth, score, moves } = &entries[1];
    assert_eq!((*depth, score.value, moves.len()), (4, Value::Mate(2), 2));
    // Not the job that runs.
    rig.engine.table_report(9, 10);
    assert_eq!(rig.wait(report).await, (9, Vec::new()));
}

#[tokio::test]
async fn infos_are_throttled() {
    let mut settings = hasty(Dialect::Uci);
    settings.throttle = Some(Duration::from_millis(20));
    let mut rig = Rig::new(misbehaving(&["floods"]), settings);
    rig.ready().await;
    rig.engine.search(1, after(&["a2a3"]), depth(1));
    let (mut infos, mut last) = (0, None);
    loop {
        match rig.event().await {
            Event::Info { info, .. } => {
                infos += 1;
                last = info.multipv.filter(|&line| line == 2).and(info.depth).or(last);
            }
            Event::BestMove { .. } => break,
            event => panic!("{event:?}"),
        }
    }
    assert!(infos < 40_000, "{infos} of 40,001");
    assert_eq!(last, Some(20_000), "the last is never lost");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_an_engine_started_ends_with_it() {
    let marker = Marker::new("parent");
    let mut rig = Rig::misbehaving(&["parent", marker.path()]);
    rig.ready().await;
    let pid = std::fs::read_to_string(&marker.0).expect("the engine has started a child");
    let is_alive = || {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.split(' ').nth(2).is_some_and(|state| state != "Z")
    };
    assert!(is_alive());
    drop(rig);
    while is_alive() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn engines_behind_tcp() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("bound").to_string();
    // The first connection is cut in mid-search, the next ones work.
    tokio::spawn(async move {
        let mut count = 0;
        while let Ok((socket, _)) = listener.accept().await {
            count += 1;
            let habit = if count == 1 { "dies" } else { "good" };
            let mut child = tokio::process::Command::new(env!("CARGO_BIN_EXE_misbehaving-engine"))
                .arg(habit)
                .stdin(std::process::Stdio::piped())
                .stdout(std::process::Stdio::piped())
                .kill_on_drop(true)
                .spawn()
                .expect("it is built");
            let (mut stdin, mut stdout) =
                (child.stdin.take().unwrap(), child.stdout.take().unwrap());
            let (mut input, mut output) = socket.into_split();
            tokio::spawn(async move {
                tokio::select! {
                    _ = tokio::io::copy(&mut input, &mut stdin) => {}
                    _ = tokio::io::copy(&mut stdout, &mut output) => {}
                }
                drop(child);
            });
        }
    });
    let mut rig = Rig::new(Box::new(Tcp::new(&address).expect("an address")), hasty(Dialect::Uci));
    rig.ready().await;
    rig.engine.search(1, after(&["a2a3"]), depth(1));
    assert!(rig.lost().await.contains("closed the connection"));
    assert_eq!(rig.bestmove().await, (1, plays("a2a3")));
    let nobody = Tcp::new("127.0.0.1:1").expect("an address");
    let settings = Settings { max_failures: 1, ..hasty(Dialect::Uci) };
    assert!(
        Rig::new(Box::new(nobody), settings).failed().await.contains("cannot connect to tcp://")
    );
}

/// Settings of an owner who has others for the work of an engine that is late.
fn relaxed() -> Settings {
    let long = Duration::from_secs(30);
    Settings {
        handshake: long,
        ready: long,
        ping: Some(Ping { every: Duration::from_millis(50), timeout: long }),
        stop: long,
        late: Some(Duration::from_millis(300)),
        ..hasty(Dialect::Uci)
    }
}

/// An engine may take its time for anything: it is late, and comes back.
#[tokio::test]
async fn slow_is_not_hung() {
    let steps = ["uci", "setoption", "ucinewgame", "isready", "position", "go", "stop"];
    for step in steps {
        let mut settings = relaxed();
        settings.options = vec![("Hash".into(), Some("2".into()))];
        let mut rig = Rig::new(misbehaving(&["slow", step, "1000"]), settings);
        let mut events = Vec::new();
        rig.ready().await;
        rig.engine.search(1, after(&["a2a3"]), Go::infinite());
        rig.engine.stop();
        let mut ends = 0;
        rig.engine.new_game();
        rig.engine.set_option("Hash", Some("3".into()));
        rig.engine.search(2, after(&["b2b3"]), depth(1));
        rig.engine.ask_ready(9);
        // Whether the first search ends or is replaced depends on who is faster.
        while ends == 0 || !events.contains(&Event::ReadyOk { token: 9 }) {
            let event = rig.event().await;
            if let Event::BestMove { job: 2, best, .. } = &event {
                assert_eq!(*best, plays("b2b3"));
                ends += 1;
            }
            assert!(
                !matches!(event, Event::Lost { .. } | Event::Failed { .. }),
                "{step}: {event:?}"
            );
            events.push(event);
        }
        let late = events.iter().filter(|event| matches!(event, Event::Late { .. })).count();
        let back = events.iter().filter(|event| **event == Event::Back).count();
        assert!(late == back || late == back + 1, "{step}: {events:?}");
        assert!(late > 0 || step == "uci", "{step} is slow: {events:?}");
    }
}

/// The deadline of a ping is short; that of what may take long is not, and what is behind it waits.
#[tokio::test]
async fn a_deadline_begins_when_the_turn_has_come() {
    for step in ["setoption", "ucinewgame"] {
        let ping = Ping { every: Duration::from_millis(50), timeout: Duration::from_millis(700) };
        let settings = Settings { ping: Some(ping), ..hasty(Dialect::Uci) };
        let mut rig = Rig::new(misbehaving(&["slow", step, "1500"]), settings);
        rig.ready().await;
        for job in 1..4 {
            rig.engine.search(job, after(&["a2a3"]), depth(1));
            assert_eq!(rig.bestmove().await, (job, plays("a2a3")), "{step}");
            rig.engine.set_option("Hash", Some(job.to_string()));
            rig.engine.new_game();
        }
        rig.engine.search(4, after(&["a2a3"]), Go::infinite());
        rig.engine.stop();
        assert_eq!(rig.bestmove().await, (4, plays("a2a3")), "{step}");
    }
}

/// Who was late once is given twice the time that it took.
#[tokio::test]
async fn the_slow_are_known() {
    let mut settings = relaxed();
    settings.ping = Some(Ping { every: Duration::from_secs(100), ..settings.ping.unwrap() });
    let mut rig = Rig::new(misbehaving(&["slow", "stop", "1000"]), settings);
    rig.ready().await;
    let mut late = Vec::new();
    for job in 1..4 {
        rig.engine.search(job, after(&["a2a3"]), Go::infinite());
        rig.wait(|event| matches!(event, Event::Info { .. }).then_some(())).await;
        rig.engine.stop();
        loop {
            match rig.event().await {
                Event::Late { .. } => late.push(job),
                Event::BestMove { .. } => break,
                _ => {}
            }
        }
    }
    assert_eq!(late, [1]);
}

/// Options that are set while it starts are not lost.
#[tokio::test]
async fn options_come_at_any_time() {
    for step in ["uci", "isready", "ucinewgame"] {
        let mut rig = Rig::new(misbehaving(&["slow", step, "500"]), relaxed());
        tokio::time::sleep(Duration::from_millis(200)).await;
        rig.engine.set_option("Hash", Some("7".into()));
        rig.engine.ask_ready(1);
        rig.engine.search(1, after(&["a2a3"]), depth(1));
        rig.wait(|event| (*event == Event::ReadyOk { token: 1 }).then_some(())).await;
        assert_eq!(rig.bestmove().await, (1, plays("a2a3")), "{step}");
        // After this move it says which options it was told.
        rig.engine.search(2, after(&["options"]), depth(1));
        let told = rig.wait(|event| match event {
            Event::Info { info, .. } => info.string.clone(),
            _ => None,
        });
        assert_eq!(told.await, "Hash=7", "{step}");
    }
}
