//! Engines lent over a real NATS server.

use std::time::Duration;

use crate::common::{Rig, after, depth, hasty, misbehaving, needs};
use crate::nats_server::NatsServer;
use tokio::time::timeout;
use yomikiri_engine::driver::{Event, Settings};
use yomikiri_engine::nats::{
    Client, ConnectError, Discovery, Server, Slot, SlotEvent, Worker, WorkerError, WorkerSettings,
};
use yomikiri_engine::protocol::{BestMove, Dialect, Go};

const GROUP: &str = "test";

async fn connect(server: &NatsServer) -> Client {
    Server::new(server.url()).connect("test").await.expect("the server is there")
}

fn lends(habit: &str, slots: usize) -> WorkerSettings {
    WorkerSettings {
        group: GROUP.into(),
        name: "machine".into(),
        transport: misbehaving(&[habit]),
        dialect: Dialect::Uci,
        slots,
        options: vec![("Log".into(), Some("/tmp/x".into())), ("Nonsense".into(), None)],
        patience: Duration::from_secs(60),
    }
}

/// Restarts for as long as it takes.
fn patient() -> Settings {
    Settings {
        max_failures: 1000,
        longest_pause: Duration::from_millis(200),
        ..hasty(Dialect::Uci)
    }
}

async fn next(discovery: &mut Discovery) -> SlotEvent {
    let event = timeout(Duration::from_secs(60), discovery.next()).await;
    event.expect("nothing happens").expect("it listens")
}

async fn appeared(discovery: &mut Discovery) -> Slot {
    loop {
        if let SlotEvent::Appeared(slot) = next(discovery).await {
            return *slot;
        }
    }
}

fn plays(text: &str) -> BestMove {
    BestMove::Move(text.into())
}

#[tokio::test]
async fn slots_appear_work_and_vanish() {
    let Some(server) = NatsServer::start(&[]).await else { return };
    let mut discovery = Discovery::start(connect(&server).await, GROUP).await.expect("listens");
    let worker = Worker::start(connect(&server).await, lends("table", 3)).await.expect("works");
    assert_eq!(worker.engine(), "Misbehaving 1.0");
    assert_eq!(worker.warnings(), ["Misbehaving 1.0 has no option Nonsense"]);
    let mut rigs = Vec::new();
    for _ in 0..3 {
        let slot = appeared(&mut discovery).await;
        assert_eq!((slot.worker.as_str(), slot.dialect), (worker.id(), Dialect::Uci));
        let mut settings = hasty(Dialect::Uci);
        settings.options = ["Hash", "Log"].map(|name| (name.into(), Some("7".into()))).into();
        rigs.push(Rig::new(Box::new(slot), settings));
    }
    for (rig, text) in rigs.iter_mut().zip(["a2a3", "b2b3", "c2c3"]) {
        // A text is set on the worker only: the master does not even see the option.
        let warning = rig.event().await;
        assert!(
            matches!(&warning, Event::Warning(text) if text.contains("no option Log")),
            "{warning:?}"
        );
        rig.ready().await;
        rig.engine.search(1, after(&[text]), Go::infinite());
        rig.engine.table_report(1, 1);
        let entries = rig
            .wait(|event| match event {
                Event::TableReport { entries, .. } => Some(entries.len()),
                _ => None,
            })
            .await;
        assert_eq!(entries, 1);
        rig.engine.stop();
        assert_eq!(rig.bestmove().await, (1, plays(text)));
    }
    worker.stop().await;
    for _ in 0..3 {
        let event = next(&mut discovery).await;
        assert!(
            matches!(&event, SlotEvent::Vanished { reason, .. } if reason.contains("left")),
            "{event:?}"
        );
    }
    assert!(rigs[0].lost().await.contains("nothing was heard"));
}

#[tokio::test]
async fn one_master_at_a_time() {
    let Some(server) = NatsServer::start(&[]).await else { return };
    let mut first = Discovery::start(connect(&server).await, GROUP).await.expect("listens");
    let mut second = Discovery::start(connect(&server).await, GROUP).await.expect("listens");
    let _worker = Worker::start(connect(&server).await, lends("good", 1)).await.expect("works");
    let mut rig = Rig::new(Box::new(appeared(&mut first).await), patient());
    rig.ready().await;
    let mut other = Rig::new(Box::new(appeared(&mut second).await), patient());
    assert!(other.lost().await.contains("leased to another master"));
    rig.engine.search(1, after(&["a2a3"]), depth(1));
    assert_eq!(rig.bestmove().await, (1, plays("a2a3")));
    // When the first lets go, the second gets it.
    drop(rig);
    other.ready().await;
    other.engine.search(1, after(&["b2b3"]), depth(1));
    assert_eq!(other.bestmove().await, (1, plays("b2b3")));
}

/// The second of two masters sees who has the slot, and when it is free again.
#[tokio::test]
async fn a_slot_goes_from_master_to_master() {
    let Some(server) = NatsServer::start(&[]).await else { return };
    let worker = Worker::start(connect(&server).await, lends("good", 1)).await.expect("works");
    let mut first = Discovery::start(connect(&server).await, GROUP).await.expect("listens");
    let slot = appeared(&mut first).await;
    assert!(!slot.is_taken);
    let mut rig = Rig::new(Box::new(slot), patient());
    rig.ready().await;
    let mut second = Discovery::start(connect(&server).await, GROUP).await.expect("listens");
    let slot = appeared(&mut second).await;
    // A hello from before the lease may have come first.
    let slot = if slot.is_taken { slot } else { appeared(&mut second).await };
    assert!(slot.is_taken);
    drop(rig);
    let slot = appeared(&mut second).await;
    assert!(!slot.is_taken);
    let mut rig = Rig::new(Box::new(slot), patient());
    rig.ready().await;
    rig.engine.search(1, after(&["a2a3"]), depth(1));
    assert_eq!(rig.bestmove().await, (1, plays("a2a3")));
    // To the first it has been free, and its own, all the time.
    assert!(appeared(&mut first).await.is_taken);
    drop(rig);
    assert!(!appeared(&mut first).await.is_taken);
    worker.stop().await;
    let event = next(&mut first).await;
    assert!(matches!(event, SlotEvent::Vanished { .. }), "{event:?}");
}

/// A master that opens a lease and falls silent, or loses count.
#[tokio::test]
async fn leases_end() {
    let Some(server) = NatsServer::start(&[]).await else { return };
    let client = connect(&server).await;
    let mut discovery = Discovery::start(connect(&server).await, GROUP).await.expect("listens");
    let _worker = Worker::start(connect(&server).await, lends("good", 1)).await.expect("works");
    let slot = appeared(&mut discovery).await;
    let subject = format!("yomikiri.{GROUP}.slot.{}", slot.id);
    let mut out = client.subscribe(format!("{subject}.out")).await.expect("subscribed");
    let say = async |session: &str, number: u64, body: &str| {
        let text = format!(r#"{{"session":"{session}","number":{number},"body":{body}}}"#);
        client.publish(format!("{subject}.in"), text.into()).await.expect("published");
    };
    let mut hear = async |session: &str, wanted: &str| {
        use futures_util::StreamExt;
        let search = async {
            while let Some(message) = out.next().await {
                let text = String::from_utf8_lossy(&message.payload).into_owned();
                if text.contains(session) && text.contains(wanted) {
                    return;
                }
            }
        };
        let found = timeout(Duration::from_secs(60), search).await;
        found.unwrap_or_else(|_| panic!("{session} never hears: {wanted}"));
    };
    say("old", 0, r#"{"open":{"version":99,"master":"m"}}"#).await;
    hear("old", "version 99").await;
    // Of a version that says other things, too.
    say("odd", 0, r#"{"open":{"version":2,"who":["m"],"more":{}}}"#).await;
    hear("odd", "the master speaks version 2 of the messages, not 1").await;
    // Garbage does no harm.
    client.publish(format!("{subject}.in"), vec![0xff; 999].into()).await.expect("published");
    client.publish(format!("yomikiri.{GROUP}.hello"), "{}".into()).await.expect("published");
    say("s1", 0, r#"{"open":{"version":1,"master":"m"}}"#).await;
    hear("s1", "opened").await;
    say("s1", 1, r#"{"lines":["uci"]}"#).await;
    hear("s1", "uciok").await;
    say("s1", 2, r#"{"lines":["export_net /tmp/x"]}"#).await;
    hear("s1", "no command of the protocol").await;
    say("s1", 4, r#""beat""#).await;
    hear("s1", "messages were lost").await;
    say("s1", 5, r#""beat""#).await;
    hear("s1", "the lease is over").await;
    say("s2", 0, r#"{"open":{"version":1,"master":"m"}}"#).await;
    hear("s2", "opened").await;
    let mut rig = Rig::new(Box::new(slot), patient());
    assert!(rig.lost().await.contains("leased to another master"));
    hear("s2", "the master was silent").await;
    rig.ready().await;
}

#[tokio::test]
async fn the_server_is_restarted() {
    let Some(mut server) = NatsServer::start(&[]).await else { return };
    let mut discovery = Discovery::start(connect(&server).await, GROUP).await.expect("listens");
    let _worker = Worker::start(connect(&server).await, lends("good", 1)).await.expect("works");
    let mut rig = Rig::new(Box::new(appeared(&mut discovery).await), patient());
    rig.ready().await;
    for job in 1..=3 {
        rig.engine.search(job, after(&["a2a3"]), Go::infinite());
        server.kill();
        // Once for a moment, once for longer than any lease.
        if job == 2 {
            tokio::time::sleep(Duration::from_secs(6)).await;
        }
        server.restart().await;
        rig.engine.search(100 + job, after(&["b2b3"]), depth(1));
        assert_eq!(rig.bestmove().await, (100 + job, plays("b2b3")));
    }
}

#[tokio::test]
async fn a_worker_that_dies_is_missed() {
    let Some(server) = NatsServer::start(&[]).await else { return };
    let mut discovery = Discovery::start(connect(&server).await, GROUP).await.expect("listens");
    let worker = Worker::start(connect(&server).await, lends("good", 1)).await.expect("works");
    let id = appeared(&mut discovery).await.id;
    drop(worker);
    let SlotEvent::Vanished { id: gone, reason } = next(&mut discovery).await else { panic!() };
    assert_eq!(gone, id);
    assert!(reason.contains("silent"));
    let other = r#"{"version":99,"worker":"future","anything":[]}"#;
    let client = connect(&server).await;
    client.publish(format!("yomikiri.{GROUP}.hello"), other.into()).await.expect("published");
    let event = next(&mut discovery).await;
    assert!(
        matches!(&event, SlotEvent::Refused { reason, .. } if reason.contains("version 99")),
        "{event:?}"
    );
}

#[tokio::test]
async fn a_worker_without_an_engine_does_not_start() {
    let Some(server) = NatsServer::start(&[]).await else { return };
    let start = async |settings| Worker::start(connect(&server).await, settings).await.err();
    let error = start(lends("exits", 1)).await;
    assert!(matches!(error, Some(WorkerError::Engine(reason)) if reason.contains("no licence")));
    let error = start(WorkerSettings { group: "a.>".into(), ..lends("good", 1) }).await;
    assert!(matches!(error, Some(WorkerError::Name(_))));
}

#[tokio::test]
async fn connections_fail_with_reasons() {
    let nobody = Server::new("nats://127.0.0.1:1").connect("test").await.err();
    assert!(matches!(nobody, Some(ConnectError::Nobody(..))), "{nobody:?}");
    let missing =
        Server { nkey: Some("/no/such/file".into()), ..Server::new("nats://127.0.0.1:1") };
    assert!(matches!(missing.connect("test").await.err(), Some(ConnectError::File(..))));
    let secret = format!("{:?}", Server::new("nats://user:secret@127.0.0.1:1"));
    assert!(!secret.contains("secret"), "{secret}");
    let Some(server) = NatsServer::start(&["--auth", "right"]).await else { return };
    for (token, is_right) in [(Some("right"), true), (Some("wrong"), false), (None, false)] {
        let token = token.map(String::from);
        let result = Server { token, ..Server::new(server.url()) }.connect("test").await;
        match result {
            Ok(_) => assert!(is_right),
            Err(error) => {
                assert!(!is_right && matches!(error, ConnectError::Refused(..)), "{error:?}")
            }
        }
    }
}

#[tokio::test]
async fn stockfish_over_nats() {
    let Some(program) = needs("stockfish") else { return };
    let Some(server) = NatsServer::start(&[]).await else { return };
    let mut discovery = Discovery::start(connect(&server).await, GROUP).await.expect("listens");
    let transport = yomikiri_engine::transport::parse(&program).expect("found");
    let settings = WorkerSettings { transport, options: Vec::new(), ..lends("good", 1) };
    let _worker = Worker::start(connect(&server).await, settings).await.expect("works");
    let mut rig = Rig::new(Box::new(appeared(&mut discovery).await), Settings::new(Dialect::Uci));
    rig.ready().await;
    let go = Go { searchmoves: vec!["a2a3".into()], ..depth(6) };
    rig.engine.search(1, after(&[]), go);
    assert_eq!(rig.bestmove().await, (1, plays("a2a3")));
}

/// A master with sixty engines, all stopped at once; the times are told, not judged.
#[tokio::test]
async fn sixty_engines_stop() {
    let Some(server) = NatsServer::start(&[]).await else { return };
    let client = connect(&server).await;
    let mut discovery = Discovery::start(client.clone(), GROUP).await.expect("listens");
    let _worker = Worker::start(connect(&server).await, lends("good", 60)).await.expect("works");
    let mut rigs = Vec::new();
    for _ in 0..60 {
        rigs.push(Rig::new(Box::new(appeared(&mut discovery).await), patient()));
    }
    for rig in &mut rigs {
        rig.ready().await;
    }
    let mut times = Vec::new();
    for job in 1..=10 {
        for rig in &rigs {
            rig.engine.search(job, after(&["a2a3"]), Go::infinite());
        }
        for rig in &mut rigs {
            rig.wait(|event| matches!(event, Event::Info { .. }).then_some(())).await;
        }
        let since = std::time::Instant::now();
        rigs.iter().for_each(|rig| rig.engine.stop());
        for rig in &mut rigs {
            assert_eq!(rig.bestmove().await, (job, plays("a2a3")));
            times.push(since.elapsed());
        }
    }
    times.sort();
    println!("stop to bestmove: median {:?}, 99 % {:?}", times[300], times[593]);
}
