//! Matches between engines that follow a script, and between real ones.

mod scripted;

use std::fs;
use std::future::{Future, pending, ready};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use scripted::{Act, Scripted};
use yomikiri_chess::pgn;
use yomikiri_cluster::Game;
use yomikiri_cluster::match_play::game::Terms;
use yomikiri_cluster::match_play::runner::RunError;
use yomikiri_cluster::match_play::{
    Adjudication, Contestant, CrossTable, EngineSpec, Finish, GameRecord, Header, Journal,
    JournalError, Limits, Openings, Pairings, Plan, Reason, Report, Standing, notation, run,
};
use yomikiri_cluster::tally::Sprt;
use yomikiri_engine::program::find_program;
use yomikiri_engine::protocol::Dialect;
use yomikiri_engine::transport::OpenError;

const NODES: Limits = Limits { clock: None, movetime: None, nodes: Some(100), depth: None };
const MOVETIME: Limits = Limits { clock: None, movetime: Some(20), nodes: None, depth: None };

fn plan<const N: usize>(game: Game, contestants: [Contestant; N], plies: u32) -> Plan {
    let adjudication = Adjudication { plies: Some(plies), ..Adjudication::default() };
    let (margin, patience) = (Duration::from_millis(20), Duration::from_secs(60));
    let terms = Terms { game, adjudication, ponder: false, margin, patience };
    let openings = Openings::initial(game).unwrap();
    let (contestants, pairings) = (contestants.into(), Pairings::round_robin(N));
    Plan { contestants, pairings, terms, openings, pairs: 1, concurrency: 1, sprt: None }
}

async fn play_until(
    plan: &Plan,
    played: &[GameRecord],
    interrupt: impl Future<Output = ()>,
) -> (Result<Finish, RunError<()>>, Vec<GameRecord>) {
    let mut records = Vec::new();
    let finish = run(plan, played, interrupt, |report| {
        if let Report::Game(record) = report {
            records.push(*record);
        }
        Ok(())
    });
    (finish.await, records)
}

async fn play_all(plan: &Plan) -> Vec<GameRecord> {
    let (finish, records) = play_until(plan, &[], pending()).await;
    assert_eq!(finish.unwrap(), Finish::Complete);
    assert_eq!(records.len() as u64, 2 * plan.all_pairs());
    records
}

/// Plays a match of a good engine against a bad one, which must lose every game this way.
async fn play_bad(bad: &Scripted, limits: Limits, reason: Reason) -> Vec<GameRecord> {
    let good = Scripted::new("good", |_| Act::Play);
    let mut plan = plan(Game::Chess, [good.contestant(NODES), bad.contestant(limits)], 40);
    plan.pairs = 2;
    plan.terms.patience = Duration::from_secs(2);
    let records = play_all(&plan).await;
    for record in &records {
        assert_eq!(record.reason, reason, "{record:?}");
        assert_eq!(record.winner.map(|side| record.players[side].as_str()), Some("good"));
        assert!(record.detail.is_some());
    }
    let standing = Standing::new(&records);
    assert_eq!(standing.games, [4, 0, 0]);
    assert_eq!(standing.tally.pairs, [0, 0, 0, 0, 2]);
    let faults = |at: usize| {
        let deeds = &standing.deeds[at];
        [deeds.time_losses, deeds.illegal_moves, deeds.crashes]
    };
    assert_eq!(faults(0), [0; 3]);
    assert_eq!(
        faults(1),
        [Reason::Time, Reason::IllegalMove, Reason::Crash]
            .map(|kind| { if kind == reason { 4 } else { 0 } })
    );
    assert_eq!(good.starts(), 1, "nobody else is started again");
    records
}

#[tokio::test]
async fn openings_are_played_twice_with_sides_exchanged() {
    let engines = ["a", "b"].map(|name| Scripted::new(name, |_| Act::Play).contestant(NODES));
    let mut plan = plan(Game::Chess, engines, 6);
    let lines = "startpos moves e2e4\nstartpos moves d2d4 d7d5\n";
    plan.openings = Openings::parse(Game::Chess, lines).unwrap();
    (plan.pairs, plan.concurrency) = (3, 2);
    let mut records = play_all(&plan).await;
    records.sort_by_key(|record| (record.pair, record.game));
    for (at, record) in records.iter().enumerate() {
        assert_eq!((record.pair, usize::from(record.game)), (at as u64 / 2, at % 2));
        let names = if record.game == 0 { ["a", "b"] } else { ["b", "a"] };
        assert_eq!(record.players, names);
        assert_eq!(record.book[0], ["e2e4", "d2d4"][(at / 2) % 2]);
        assert_eq!((record.turn, record.plies.len()), (record.book.len() % 2, 6));
        assert_eq!((record.winner, record.reason), (None, Reason::MaxPlies));
    }
    // Both play the same: the games of a pair differ in the names alone.
    assert_eq!(records[0].plies.len(), records[1].plies.len());
    let texts = |at: usize| -> Vec<&str> {
        records[at].plies.iter().map(|ply| ply.text.as_str()).collect()
    };
    assert_eq!(texts(0), texts(1));
    assert_ne!(texts(0), texts(2));
    assert_eq!(Standing::new(&records).tally.pairs, [0, 0, 3, 0, 0]);
}

#[tokio::test]
async fn who_dies_loses_and_is_started_again() {
    let bad = Scripted::new("bad", |search| if search % 3 == 2 { Act::Die } else { Act::Play });
    let records = play_bad(&bad, NODES, Reason::Crash).await;
    assert_eq!(bad.starts(), 4, "for every game");
    assert!(records.iter().all(|record| record.plies.len() >= 4));
}

#[tokio::test]
async fn who_hangs_loses_and_is_started_again() {
    let bad = Scripted::new("bad", |search| if search % 2 == 1 { Act::Hang } else { Act::Play });
    let records = play_bad(&bad, NODES, Reason::Crash).await;
    assert!(records[0].detail.as_ref().is_some_and(|detail| detail.contains("hung")));
    assert_eq!(bad.starts(), 4, "for every game");
}

#[tokio::test]
async fn who_is_late_loses() {
    // The first search of every game is the one before it.
    let bad = Scripted::new("bad", |search| if search % 2 == 1 { Act::Wait } else { Act::Play });
    let records = play_bad(&bad, MOVETIME, Reason::Time).await;
    assert_eq!(bad.starts(), 1, "it still answers to stop");
    assert!(records[0].detail.as_ref().is_some_and(|detail| detail.contains("20 ms")));
}

#[tokio::test]
async fn who_is_late_and_hung_is_started_again() {
    let bad = Scripted::new("bad", |search| if search % 2 == 1 { Act::Hang } else { Act::Play });
    play_bad(&bad, MOVETIME, Reason::Time).await;
    assert_eq!(bad.starts(), 4, "for every game");
}

#[tokio::test]
async fn illegal_moves_lose() {
    for word in ["e1e5", "nonsense", "(none)", "win"] {
        let bad = Scripted::new("bad", move |search| match search % 2 {
            1 => Act::Say(word),
            _ => Act::Play,
        });
        let records = play_bad(&bad, NODES, Reason::IllegalMove).await;
        let detail = records[0].detail.clone().unwrap_or_default();
        assert!(detail.contains(&format!("'{word}'")), "{detail}");
        assert_eq!(bad.starts(), 4, "for every game");
    }
}

#[tokio::test]
async fn resignation_is_no_fault() {
    let one = Scripted::new("one", |_| Act::Say("resign"));
    let two = Scripted::new("two", |_| Act::Play);
    let records =
        play_all(&plan(Game::Shogi, [&one, &two].map(|engine| engine.usi(NODES)), 9)).await;
    assert!(records.iter().all(|record| record.reason == Reason::Resignation));
    assert_eq!(Standing::new(&records).games, [0, 0, 2]);
}

#[tokio::test]
async fn who_cannot_start_ends_the_match() {
    let good = Scripted::new("good", |_| Act::Play);
    let bad = Scripted::new("bad", |_| Act::Play).stillborn();
    for limits in [NODES, MOVETIME] {
        let plan = plan(Game::Chess, [good.contestant(NODES), bad.contestant(limits)], 9);
        let (finish, records) = play_until(&plan, &[], pending()).await;
        let Err(RunError::Start(error)) = finish else { panic!("{finish:?}") };
        assert_eq!((error.name.as_str(), records.len()), ("bad", 0));
        assert!(error.reason.contains("stillborn"), "{error}");
    }
    // One that starts, but dies in its first search before every game.
    let bad = Scripted::new("bad", |_| Act::Die);
    let plan = plan(Game::Chess, [good.contestant(NODES), bad.contestant(MOVETIME)], 9);
    let (finish, _) = play_until(&plan, &[], pending()).await;
    assert!(matches!(finish, Err(RunError::Start(_))), "{finish:?}");
}

#[tokio::test]
async fn pondering_follows_the_protocol() {
    // Who plays its first move expects the opponent to do the same, and is right.
    for (act, is_right) in [(Act::Play, true), (Act::PlayAndHopeForLast, false)] {
        let one = Scripted::new("one", move |_| act);
        let two = Scripted::new("two", |_| Act::Play);
        let mut plan = plan(Game::Chess, [&one, &two].map(|engine| engine.contestant(NODES)), 12);
        plan.terms.ponder = true;
        let records = play_all(&plan).await;
        assert!(records.iter().all(|record| record.reason == Reason::MaxPlies), "{records:?}");
        let log = one.log();
        let count = |word: &str| log.iter().filter(|line| line.starts_with(word)).count();
        let ponders = log.iter().filter(|line| line.starts_with("go") && line.contains("ponder"));
        let ponders = ponders.count();
        assert!(ponders >= 10, "{log:?}");
        match is_right {
            // The last ponder search of a game is stopped.
            true => assert!(count("ponderhit") >= ponders - 2 && count("stop") <= 2, "{log:?}"),
            false => assert!(count("ponderhit") == 0 && count("stop") >= ponders - 2, "{log:?}"),
        }
    }
}

#[tokio::test]
async fn an_engine_that_does_not_ponder_is_left_alone() {
    let one = Scripted::new("one", |_| Act::Play).without_ponder();
    let two = Scripted::new("two", |_| Act::Play);
    let mut plan = plan(Game::Chess, [&one, &two].map(|engine| engine.contestant(NODES)), 12);
    plan.terms.ponder = true;
    play_all(&plan).await;
    assert!(!one.log().iter().any(|line| line.contains("ponder")));
    assert!(two.log().iter().any(|line| line.contains("ponder")));
}

#[tokio::test]
async fn engines_of_shogi_are_told_the_result() {
    let scripts = [(Act::Say("resign"), ["lose", "win"]), (Act::Play, ["draw", "draw"])];
    for (act, results) in scripts {
        let engines = [Scripted::new("one", move |_| act), Scripted::new("two", |_| Act::Play)];
        let mut plan = plan(Game::Shogi, engines.each_ref().map(|engine| engine.usi(NODES)), 9);
        plan.terms.ponder = true;
        play_all(&plan).await;
        for (engine, result) in engines.iter().zip(results) {
            let log = engine.log_to_end().await;
            let told: Vec<_> = log.iter().filter(|line| line.starts_with("gameover")).collect();
            assert_eq!(told, [&format!("gameover {result}"); 2], "{log:?}");
            // Not while it ponders: that is ended before.
            for (at, _) in log.iter().enumerate().filter(|(_, line)| *line == told[0]) {
                let said = |word: &str| log[..at].iter().rposition(|line| line.contains(word));
                assert!(said("go ponder").is_none_or(|go| said("stop") > Some(go)), "{log:?}");
            }
        }
    }
    let engines = ["a", "b"].map(|name| Scripted::new(name, |_| Act::Play));
    let plan = plan(Game::Chess, engines.each_ref().map(|engine| engine.contestant(NODES)), 4);
    play_all(&plan).await;
    for engine in &engines {
        let log = engine.log_to_end().await;
        assert!(!log.iter().any(|line| line.contains("gameover")), "UCI has no such word: {log:?}");
    }
}

#[tokio::test]
async fn three_engines_play_everybody_and_a_tournament_is_resumed() {
    // Fool's mate is given by the wise, and nobody else mates.
    let scripted = |name: &str, moves| Scripted::new(name, |_| Act::Play).with_moves(moves);
    let engines = [
        scripted("wise", &["e2e4", "d2d4", "d1h5", "e7e5", "d8h4"]),
        scripted("fool", &["f2f3", "f7f6", "g2g4", "g7g5"]),
        scripted("calm", &["a2a3", "a7a6", "h2h3", "h7h6"]),
    ];
    let contestants = engines.each_ref().map(|engine| engine.contestant(NODES));
    let mut plan = plan(Game::Chess, contestants, 8);
    let lines = "startpos\nstartpos moves b1c3 b8c6\n";
    plan.openings = Openings::parse(Game::Chess, lines).unwrap();
    (plan.pairs, plan.concurrency) = (2, 2);
    // Between three nothing is decided.
    plan.sprt = Some(Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.4, beta: 0.4 });
    let mut records = play_all(&plan).await;
    records.sort_by_key(|record| (record.pair, record.game));
    let pairings = [["wise", "fool"], ["wise", "calm"], ["fool", "calm"]];
    for (at, record) in records.iter().enumerate() {
        let [one, two] = pairings[at / 2 % 3];
        assert_eq!(record.players, if at % 2 == 0 { [one, two] } else { [two, one] });
        assert_eq!(record.book.len(), if at < 6 { 0 } else { 2 });
    }
    let table = CrossTable::new(&plan.pairings, &records);
    let games = [0, 1, 2].map(|engine| table.of(engine).games);
    assert_eq!(games, [[4, 4, 0], [0, 4, 4], [0, 8, 0]], "{records:?}");

    let (played, rest) = records.split_at(5);
    let (finish, mut more) = play_until(&plan, played, pending()).await;
    assert_eq!(finish.unwrap(), Finish::Complete);
    more.sort_by_key(|record| (record.pair, record.game));
    let essence = |record: &GameRecord| (record.pair, record.game, record.players.clone());
    assert!(more.iter().map(essence).eq(rest.iter().map(essence)), "{more:?}");

    plan.pairings = Pairings::gauntlet(3);
    let records = play_all(&plan).await;
    assert!(records.iter().all(|record| record.players.contains(&"wise".into())), "{records:?}");
    assert_eq!(CrossTable::new(&plan.pairings, &records).of(0).games, [4, 4, 0]);
}

#[tokio::test]
async fn mates_end_games_and_a_sequential_test_ends_matches() {
    // Fool's mate, whoever is White.
    let fool = |name: &str, is_wise: bool| {
        Scripted::new(name, |_| Act::Play).with_moves(match is_wise {
            true => &["e2e4", "d2d4", "d1h5", "e7e5", "d8h4"],
            false => &["f2f3", "f7f6", "g2g4", "g7g5"],
        })
    };
    let engines = [fool("wise", true), fool("fool", false)];
    let mut plan = plan(Game::Chess, engines.map(|engine| engine.contestant(NODES)), 40);
    let records = play_all(&plan).await;
    assert!(records.iter().all(|record| record.reason == Reason::Mate), "{records:?}");
    assert_eq!(Standing::new(&records).games, [2, 0, 0]);
    let text = notation::write(Game::Chess, &records[0], "a \"match\"").unwrap();
    let game = &pgn::read_all(&text).unwrap()[0];
    assert_eq!(game.result.to_string(), records[0].result());
    assert_eq!(game.tag("Event"), Some("a \"match\""));
    assert_eq!(game.tag("Termination"), Some("normal"));
    assert!(game.line.plies.last().unwrap().comments.join(" ").contains("wise wins, mate"));
    assert!(game.line.plies[0].comments[0].starts_with("+0.25/3 0."), "{text}");

    // A test that was decided before does not play on.
    let half = |won: bool, pair: u64| {
        let (one, two) = (records[0].clone(), records[1].clone());
        let mut games = [GameRecord { pair, ..one }, GameRecord { pair, ..two }];
        if !won {
            games[0].winner = None;
        }
        games
    };
    let played: Vec<GameRecord> = (0..20).flat_map(|pair| half(pair % 2 == 0, pair)).collect();
    plan.pairs = 100;
    plan.sprt = Some(Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 });
    let (finish, records) = play_until(&plan, &played, pending()).await;
    assert_eq!((finish.unwrap(), records.len()), (Finish::Decided, 0));
}

fn scratch(name: &str) -> PathBuf {
    let file = format!("yomikiri-match-{}-{name}.jsonl", std::process::id());
    let path = std::env::temp_dir().join(file);
    let _ = fs::remove_file(&path);
    path
}

fn header(limits: Limits) -> Header {
    let engine = |name: &str| EngineSpec { limits, ..name.parse().unwrap() };
    Header {
        game: "chess".into(),
        engines: vec![engine("a"), engine("b")],
        programs: vec![Some("1".into()), None],
        build: "one".into(),
        machine: "M".into(),
        gauntlet: false,
        openings: "1".into(),
        ponder: false,
        margin: 100,
        patience: 300,
        adjudication: Adjudication::default(),
    }
}

#[tokio::test]
async fn a_match_is_broken_off_and_resumed() {
    let path = scratch("resumed");
    let engines = ["a", "b"].map(|name| Scripted::new(name, |_| Act::Play).contestant(NODES));
    let mut plan = plan(Game::Chess, engines, 4);
    plan.pairs = 4;
    let mut journal = Journal::create(&path, &header(NODES)).unwrap();
    // The third game is the last one that is written down.
    let mut count = 0;
    let broken = run(&plan, &[], pending(), |report| {
        let Report::Game(record) = report else { return Ok(()) };
        journal.append(&record).map_err(|error| error.to_string())?;
        count += 1;
        if count == 3 { Err("enough".to_string()) } else { Ok(()) }
    });
    assert!(matches!(broken.await, Err(RunError::Told(reason)) if reason == "enough"));
    drop(journal);
    // The power went while a line was being written.
    let whole = fs::read_to_string(&path).unwrap();
    let torn = format!("{whole}{{\"pair\":1,\"ga");
    fs::write(&path, torn).unwrap();

    let (mut journal, played) = Journal::resume(&path, &header(NODES)).unwrap();
    assert_eq!(played.len(), 3);
    let (finish, records) = play_until(&plan, &played, pending()).await;
    assert_eq!((finish.unwrap(), records.len()), (Finish::Complete, 5));
    records.iter().for_each(|record| journal.append(record).unwrap());
    drop(journal);

    let (journal, all) = Journal::resume(&path, &header(NODES)).unwrap();
    let mut games: Vec<_> = all.iter().map(|record| (record.pair, record.game)).collect();
    games.sort_unstable();
    games.dedup();
    assert_eq!((games.len(), all.len()), (8, 8));
    assert_eq!(all[..3], played);
    assert!(fs::read_to_string(&path).unwrap().starts_with(&whole), "only appended");
    assert!(matches!(Journal::resume(&path, &header(NODES)), Err(JournalError::InUse(_))));
    drop(journal);
    let (finish, records) = play_until(&plan, &all, pending()).await;
    assert_eq!((finish.unwrap(), records.len()), (Finish::Complete, 0));
    fs::remove_file(&path).unwrap();
}

#[test]
fn journals_are_not_mixed_up() {
    let path = scratch("mixed");
    drop(Journal::create(&path, &header(NODES)).unwrap());
    assert!(matches!(Journal::create(&path, &header(NODES)), Err(JournalError::Exists(_))));
    let refused = |header: &Header| Journal::resume(&path, header).unwrap_err().to_string();
    let other = refused(&header(MOVETIME));
    assert!(other.contains("engines differ") && other.contains("--out"), "{other}");
    // The same command, and another program; another build of ours; other terms.
    let ours = || header(NODES);
    let others = [
        (Header { programs: vec![Some("2".into()), None], ..ours() }, "programs differ", "[\"2\","),
        (Header { build: "two".into(), ..ours() }, "builds of this program differ", "\"two\""),
        (Header { margin: 10, ..ours() }, "--margin", "10"),
        (Header { patience: 10, ..ours() }, "--patience", "10"),
    ];
    for (other, what, here) in &others {
        let error = refused(other);
        assert!(error.contains(what) && error.contains(&format!("here:  {here}")), "{error}");
    }
    // Another machine plays other games where time counts.
    let on = |machine: &str, limits| Header { machine: machine.into(), ..header(limits) };
    drop(Journal::resume(&path, &on("N", NODES)).unwrap());
    fs::remove_file(&path).unwrap();
    drop(Journal::create(&path, &on("M", MOVETIME)).unwrap());
    let error = refused(&on("N", MOVETIME));
    assert!(error.contains("machines") && error.contains("here:  \"N\""), "{error}");
    fs::write(&path, "{\"id\":1}\n").unwrap();
    let strange = Journal::resume(&path, &header(NODES)).unwrap_err();
    assert!(matches!(strange, JournalError::Strange { line: 1, .. }), "{strange}");
    fs::remove_file(&path).unwrap();
    let (journal, played) = Journal::resume(&path, &header(NODES)).unwrap();
    assert!(played.is_empty());
    drop(journal);
    fs::remove_file(&path).unwrap();
}

#[test]
fn a_journal_without_builds_is_not_gone_on_with() {
    let path = scratch("old");
    let text = "{\"yomikiri_match\":1,\"game\":\"chess\",\"engines\":[{\"name\":\"a\",\"cmd\":\"a\",\
        \"limits\":{\"nodes\":100}},{\"name\":\"b\",\"cmd\":\"b\",\"limits\":{\"nodes\":100}}],\
        \"openings\":\"1\",\"ponder\":false,\"adjudication\":{}}\n";
    fs::write(&path, text).unwrap();
    let error = Journal::resume(&path, &header(NODES)).unwrap_err();
    assert!(matches!(error, JournalError::Old(_)), "{error}");
    let error = error.to_string();
    assert!(error.contains("older program") && error.contains("--out"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), text, "nothing is written");
    fs::remove_file(&path).unwrap();
}

#[tokio::test]
async fn an_engine_that_has_become_another_one_is_noticed() {
    let path = scratch("renamed");
    let play = async |id: &str| {
        let engines =
            [Scripted::new("a", |_| Act::Play).with_id(id), Scripted::new("b", |_| Act::Play)];
        play_all(&plan(Game::Chess, engines.each_ref().map(|engine| engine.contestant(NODES)), 4))
            .await
    };
    let (one, two) = (play("A 1").await, play("A 2").await);
    assert_eq!((&one[0].players[0], &one[0].engines[0]), (&"a".into(), &"A 1".into()));
    let mut journal = Journal::create(&path, &header(NODES)).unwrap();
    journal.append(&one[0]).unwrap();
    drop(journal);
    let (mut journal, played) = Journal::resume(&path, &header(NODES)).unwrap();
    assert_eq!(played, one[..1]);
    let before = fs::read_to_string(&path).unwrap();
    let error = journal.append(&two[1]).unwrap_err();
    assert!(matches!(error, JournalError::OtherEngine { .. }), "{error}");
    let error = error.to_string();
    assert!(error.contains("a calls itself 'A 2'") && error.contains("'A 1'"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), before, "nothing is written");
    journal.append(&one[1]).unwrap();
    drop(journal);
    fs::remove_file(&path).unwrap();
}

#[tokio::test]
async fn an_interrupt_ends_it() {
    let engines = ["a", "b"].map(|name| Scripted::new(name, |_| Act::Hang).contestant(NODES));
    let plan = plan(Game::Chess, engines, 4);
    let (finish, records) = play_until(&plan, &[], ready(())).await;
    assert_eq!((finish.unwrap(), records.len()), (Finish::Interrupted, 0));
}

/// Waits, and keeps the match from hearing of anything, until an engine has begun its third game with
/// White: two have ended by then.
fn deaf_until_the_third_game(engine: &Scripted) {
    let begun = || engine.log().iter().filter(|line| *line == "position startpos").count();
    while begun() < 3 {
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_that_have_ended_are_told_when_a_match_is_broken_off() {
    let engines = ["a", "b"].map(|name| Scripted::new(name, |_| Act::Play));
    let mut plan = plan(Game::Chess, engines.each_ref().map(|engine| engine.contestant(NODES)), 4);
    plan.pairs = 1000;
    let (finish, records) =
        play_until(&plan, &[], async { deaf_until_the_third_game(&engines[0]) }).await;
    assert_eq!(finish.unwrap(), Finish::Interrupted);
    assert!(records.len() >= 2, "{records:?}");

    // One slot finds that an engine cannot be started, while another has games to tell.
    let engines = ["a", "b"].map(|name| Scripted::new(name, |_| Act::Play));
    plan.contestants = engines.iter().map(|engine| engine.contestant(NODES)).collect();
    plan.concurrency = 2;
    let (connect, starts) = (plan.contestants[1].connect.clone(), AtomicU64::new(0));
    plan.contestants[1].connect = Arc::new(move || match starts.fetch_add(1, Ordering::SeqCst) {
        0 => connect(),
        _ => Err(OpenError("there is but one".into())),
    });
    let (finish, records) = play_until(&plan, &[], async {
        deaf_until_the_third_game(&engines[0]);
        pending().await
    })
    .await;
    assert!(matches!(finish, Err(RunError::Start(_))), "{finish:?}");
    assert!(records.len() >= 2, "{records:?}");
}

/// An installed engine, or a word about what is skipped.
fn installed(cmd: &str, name: &str, nodes: u64, dialect: Dialect) -> Option<Contestant> {
    yomikiri_needs::program(cmd, find_program(cmd))?;
    let spec: EngineSpec = format!("name={name},cmd={cmd},option.Threads=1").parse().unwrap();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    Some(Contestant::new(&spec, dialect, limits, true).unwrap())
}

fn has_no_faults(records: &[GameRecord]) {
    for record in records {
        assert!(!record.reason.is_fault(), "{record:?}");
    }
}

#[tokio::test]
async fn stockfish_plays_the_same_match_twice() {
    let engine = |name, nodes| installed("stockfish", name, nodes, Dialect::Uci);
    let (Some(one), Some(two)) = (engine("strong", 2000), engine("weak", 50)) else { return };
    let mut plan = plan(Game::Chess, [one, two], 300);
    plan.openings = Openings::parse(Game::Chess, "startpos moves g2g4\n").unwrap();
    let games = [play_all(&plan).await, play_all(&plan).await];
    for records in &games {
        has_no_faults(records);
    }
    let moves = games.each_ref().map(|records| {
        let games = records.iter().map(|record| record.plies.iter().map(|ply| ply.text.clone()));
        games.map(Iterator::collect).collect::<Vec<Vec<_>>>()
    });
    assert_eq!(moves[0], moves[1]);
    assert_eq!(Standing::new(&games[0]).games, [2, 0, 0]);
    for record in &games[0] {
        let text = notation::write(Game::Chess, record, "test").unwrap();
        let game = &pgn::read_all(&text).unwrap()[0];
        assert_eq!(game.line.plies.len(), record.book.len() + record.plies.len());
        assert!(record.plies.iter().all(|ply| ply.nodes.is_some() && ply.score.is_some()));
    }
}

#[tokio::test]
async fn stockfish_ponders() {
    let engine = |name| installed("stockfish", name, 500, Dialect::Uci);
    let (Some(one), Some(two)) = (engine("one"), engine("two")) else { return };
    let mut plan = plan(Game::Chess, [one, two], 60);
    plan.terms.ponder = true;
    has_no_faults(&play_all(&plan).await);
}

#[tokio::test]
async fn fairy_stockfish_plays_shogi() {
    let engine = |name, nodes| installed("fairy-stockfish", name, nodes, Dialect::Usi);
    let (Some(one), Some(two)) = (engine("strong", 2000), engine("weak", 50)) else { return };
    let mut plan = plan(Game::Shogi, [one, two], 400);
    plan.terms.ponder = true;
    let records = play_all(&plan).await;
    has_no_faults(&records);
    for record in &records {
        let text = notation::write(Game::Shogi, record, "test").unwrap();
        let text = text.strip_suffix("/\n").unwrap();
        let read = yomikiri_shogi::notation::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(read.main_line().len(), record.plies.len());
        assert!(read.ending().is_some());
    }
}
