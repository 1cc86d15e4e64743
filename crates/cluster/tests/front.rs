//! The dialogue of the master with a user interface, whatever its engines do.
//!
//! With scripted engines the clock is a virtual one: what takes seconds takes no time here, and
//! how long it takes can be asserted.

mod gui;
mod script;
mod slow;
mod words;

use std::collections::BTreeMap;
use std::time::Duration;

use gui::{Gui, assert_covers};
use script::Habit::{
    Breaks, Dies, EndsAt, Exits, Good, Hangs, IllegalLine, IllegalMove, LastWord, LongLines, Mute,
    Shallow, Silent, Slow,
};
use script::{Job, Own, Script};
use tokio::time::{Instant, sleep};
use yomikiri_cluster::{Board, Game};
use yomikiri_engine::program::find_program;
use yomikiri_engine::protocol::Dialect::{Uci, Usi};
use yomikiri_engine::transport::{Process, Transport};

const MATED: &str = "position startpos moves f2f3 e7e5 g2g4 d8h4";
const STALEMATE: &str = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
const ONE_MOVE: &str = "position fen 7k/8/5QK1/8/8/8/8/8 b - - 0 1";

fn millis(time: u64) -> Duration {
    Duration::from_millis(time)
}

/// Replies that are owed, without what is said in between.
fn owed(gui: &Gui) -> Vec<&str> {
    let word = |line: &'static str| move |heard: &&String| heard.starts_with(line);
    let is_owed = |heard: &&String| {
        ["uciok", "usiok", "readyok", "bestmove", "checkmate"].iter().any(|w| word(w)(heard))
    };
    let lines = gui.heard.iter().filter(is_owed);
    lines.map(|line| line.split(' ').next().unwrap_or_default()).collect()
}

#[tokio::test(start_paused = true)]
async fn a_dialogue_with_garbage_is_answered_in_order() {
    let (mut gui, _) = Gui::ready(Uci, &[Good, Good]).await;
    gui.heard.clear();
    let long = "x".repeat(1 << 20);
    let garbage = ["", "   ", "hello", "\0\u{fffd}\u{202e}", "go_away", &long, "bestmove e2e4"];
    let script = [
        "uci",
        "isready",
        "ucinewgame",
        "setoption name Hash value many",
        "setoption name Hash value 4",
        "setoption",
        "position startpos moves e2e4 e7e5",
        "go movetime 100",
        "isready",
        "stop",
        "stop",
        "ponderhit",
        "position startpos moves e2e4 e7e5 g1f3 b8c6",
        "go infinite",
        "stop",
        "go depth 3 go",
        "stop",
        "debug on",
        "tree",
        "register later",
        "go nodes 10 movetime",
        "isready",
        "stop",
        "isready",
    ];
    for line in script {
        for line in garbage {
            gui.say(line);
        }
        gui.say(line);
    }
    while owed(&gui).iter().filter(|line| **line == "readyok").count() < 4 {
        gui.line().await;
    }
    let expected = "uciok readyok readyok bestmove bestmove bestmove readyok bestmove readyok";
    assert_eq!(owed(&gui).join(" "), expected);
    assert_eq!(gui.count("info string unknown command 'hello'"), script.len());
    let wrong = "info string option Hash is a whole number from 1 to 1048576, not 'many'";
    assert_eq!(gui.count(wrong), 1);
    assert_eq!(gui.count("info string ponderhit, but nothing is pondered"), 1);
    assert!(gui.heard.iter().all(|line| line.len() < 1000), "what is too long is not repeated");
}

#[tokio::test(start_paused = true)]
async fn the_workers_get_ready_first() {
    let start = Instant::now();
    let slow = Script::new(Uci, Slow("uci", millis(700)));
    let engines: Vec<Box<dyn Transport>> =
        vec![Box::new(slow.clone()), Box::new(Script::new(Uci, Good))];
    let mut gui = Gui::new(Uci, engines);
    for line in ["uci", "isready", "position startpos moves d2d4", "go movetime 100"] {
        gui.say(line);
    }
    gui.hear("uciok").await;
    assert!(start.elapsed() < millis(700));
    gui.hear("readyok").await;
    assert!(start.elapsed() >= millis(700));
    gui.answer().await;
    assert!(slow.count("isready") > 0);
    assert_eq!(owed(&gui).join(" "), "uciok readyok bestmove");
}

#[tokio::test(start_paused = true)]
async fn every_go_is_answered_in_time() {
    let (mut gui, scripts) = Gui::ready(Uci, &[Good; 4]).await;
    // The clocks of `go`, and how long it takes.
    for (go, least, most) in [
        ("go movetime 500", 400, 500),
        ("go movetime 1", 0, 6),
        ("go wtime 30000 btime 30000", 900, 1000),
        ("go wtime 5 btime 30000", 900, 1000),
        ("go wtime 30000 btime 60", 0, 40),
        ("go wtime 30000 btime -100", 0, 6),
        ("go wtime 0 btime 0 winc 100 binc 100", 0, 6),
        ("go btime 1000 movestogo 1", 900, 1000),
        ("go movetime 500 depth 5", 80, 400),
        ("go depth 5", 80, 400),
        ("go nodes 9000", 20, 400),
        ("go", 4900, 5100),
    ] {
        gui.heard.clear();
        gui.say("ucinewgame");
        gui.say("position startpos moves e2e4");
        let (best, time) = gui.ask(go).await;
        assert!(best.is_some());
        assert!((millis(least)..=millis(most)).contains(&time), "{go}: {time:?}");
        assert_eq!(scripts.iter().filter_map(Script::job).count(), 0, "all rest after {go}");
        if go.contains("depth") {
            assert!(gui.heard.iter().any(|line| line.contains("depth 5 ")), "{:?}", gui.heard);
        }
    }
    gui.say("go infinite");
    gui.hears_no_answer(Duration::from_secs(30)).await;
    assert_covers(Uci, gui.position(), &scripts);
    assert!(scripts.iter().all(|script| script.job().is_some()), "all four work");
    let (_, time) = gui.ask("stop").await;
    assert!(time <= millis(5), "{time:?}");
}

/// An engine has a greatest depth. Where all have come to it nothing more is waited for.
#[tokio::test(start_paused = true)]
async fn a_depth_that_no_engine_reaches_is_answered() {
    for (dialect, habits) in [
        (Uci, vec![Shallow(3)]),
        (Uci, vec![Shallow(3); 4]),
        (Uci, vec![EndsAt(3); 4]),
        (Uci, vec![Shallow(3), Good]),
        (Usi, vec![EndsAt(3)]),
        (Usi, vec![EndsAt(3); 4]),
    ] {
        for ponders in [false, true] {
            let (mut gui, _) = Gui::ready(dialect, &habits).await;
            let name = if dialect == Uci { "Ponder" } else { "USI_Ponder" };
            gui.say(&format!("setoption name {name} value {ponders}"));
            gui.say("position startpos");
            let (best, time) = gui.ask_and_see("go depth 20").await;
            assert!(time < Duration::from_secs(20), "{dialect:?} {habits:?}: {time:?}");
            // With pondering, the workers are at their greatest depth before they are asked.
            sleep(Duration::from_secs(20)).await;
            gui.say(&format!("position startpos moves {}", best.expect("a move")));
            let (best, time) = gui.ask_and_see("go depth 20").await;
            assert!(best.is_some());
            assert!(time < Duration::from_secs(20), "{dialect:?} {habits:?}: {time:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn pondering_is_answered_when_it_is_to_be() {
    for ponders in [true, false] {
        let (mut gui, scripts) = Gui::ready(Uci, &[Good; 3]).await;
        gui.say(&format!("setoption name Ponder value {ponders}"));
        let mut moves = "position startpos moves e2e4".to_string();
        gui.say(&moves);
        gui.say("go wtime 10000 btime 10000");
        for (at, how) in ["hit", "miss", "hit", "stop", "hit"].iter().enumerate() {
            let (Some(best), Some(ponder)) = gui.answer().await else { panic!("{at}") };
            let expected = format!("{moves} {best} {ponder}");
            gui.say(&expected);
            gui.say("go ponder wtime 10000 btime 10000");
            gui.hears_no_answer(Duration::from_secs(20)).await;
            match *how {
                "hit" => {
                    // Who thinks in the opponent's time does so about all answers.
                    let mut root = gui.position().clone();
                    root.moves.truncate(root.moves.len() - usize::from(ponders));
                    assert_covers(Uci, &root, &scripts);
                    gui.say("ponderhit");
                    moves = expected;
                }
                "stop" => {
                    // The answer to what was pondered.
                    gui.say("stop");
                    moves = expected;
                }
                _ => {
                    gui.say("stop");
                    gui.answer().await;
                    let other = if ponder == "h2h3" { "a2a3" } else { "h2h3" };
                    moves = format!("{moves} {best} {other}");
                    gui.say(&moves);
                    gui.say("go wtime 10000 btime 10000");
                }
            }
        }
        gui.answer().await;
    }
}

/// Another answer than the expected one: the tree below it is there, and its workers go on.
#[tokio::test(start_paused = true)]
async fn a_miss_keeps_what_was_pondered() {
    let (mut gui, scripts) = Gui::ready(Uci, &[Good; 16]).await;
    gui.say("setoption name Ponder value true");
    gui.say("position startpos moves e2e4");
    gui.say("go movetime 1000");
    let (Some(best), Some(ponder)) = gui.answer().await else { panic!() };
    let here = format!("position startpos moves e2e4 {best}");
    gui.say(&format!("{here} {ponder}"));
    gui.say("go ponder movetime 1000");
    gui.hears_no_answer(Duration::from_secs(1)).await;
    let before = at_work(&scripts);
    // The other answer that most workers are on.
    let mut beside: BTreeMap<String, usize> = BTreeMap::new();
    for (job, _) in &before {
        let third = job.as_ref().and_then(|job| job.position.moves.get(2));
        *beside.entry(third.cloned().unwrap_or_default()).or_default() += 1;
    }
    beside.retain(|m, _| !m.is_empty() && *m != ponder);
    let (other, workers) = beside.into_iter().max_by_key(|(_, n)| *n).expect("it is in the tree");
    assert!(workers > 2, "{other}: {workers}");
    gui.heard.clear();
    gui.say("stop");
    let (Some(_), Some(_)) = gui.answer().await else { panic!("it knew what to play") };
    gui.say("isready");
    gui.hear("readyok").await;
    gui.say(&format!("{here} {other}"));
    gui.say("go movetime 1000");
    gui.hears_no_answer(millis(900)).await;
    assert_covers(Uci, gui.position(), &scripts);
    let position = |job: Option<Job>| job.map(|job| job.position);
    for ((old, _), (new, _)) in before.into_iter().zip(at_work(&scripts)) {
        let (Some(old), new) = (old, position(new)) else { panic!("all work") };
        if old.position.moves.get(2) == Some(&other) {
            assert_eq!(new, Some(old.position), "it was on what was played");
        }
    }
    assert!(!gui.heard.iter().any(|line| line.contains("our own")), "{:?}", gui.heard);
    gui.answer().await;
}

/// Whoever does not go on has the last word, whether the others do or not.
#[tokio::test(start_paused = true)]
async fn last_words_count() {
    for ponders in [false, true] {
        for workers in [1, 4] {
            let (mut gui, scripts) = Gui::ready(Uci, &vec![LastWord; workers]).await;
            gui.say(&format!("setoption name Ponder value {ponders}"));
            gui.say("position startpos moves e2e4");
            gui.say("go movetime 1000");
            gui.hears_no_answer(millis(900)).await;
            let jobs: Vec<Job> = scripts.iter().filter_map(Script::job).collect();
            let root = jobs.iter().find(|job| job.position == *gui.position()).expect("manned");
            let legal = Board::new(Game::Chess, gui.position()).expect("legal").moves();
            let wanted = root.go.searchmoves.first().or(legal.first());
            let (best, _) = gui.answer().await;
            assert_eq!(best.as_ref(), wanted, "{workers} workers, pondering: {ponders}");
            // All have something to do, or nobody has.
            gui.hears_no_answer(millis(500)).await;
            let busy = scripts.iter().filter_map(Script::job).count();
            assert_eq!(busy, if ponders { workers } else { 0 });
        }
    }
}

/// What each of these engines does, and how often it was stopped.
fn at_work(scripts: &[Script]) -> Vec<(Option<Job>, usize)> {
    scripts.iter().map(|script| (script.job(), script.count("stop"))).collect()
}

#[tokio::test(start_paused = true)]
async fn who_is_on_a_kept_node_is_not_stopped() {
    let (mut gui, scripts) = Gui::ready(Uci, &[Good; 16]).await;
    gui.say("setoption name Ponder value true");
    gui.say("position startpos");
    gui.say("go movetime 1000");
    let mut moves = Vec::new();
    let (mut kept, mut grown, mut gone) = (0, 0, 0);
    for _ in 0..10 {
        let (Some(best), Some(ponder)) = gui.answer().await else { panic!() };
        moves.extend([best, ponder]);
        gui.hears_no_answer(Duration::from_secs(1)).await;
        let before = at_work(&scripts);
        // The predicted move is played.
        gui.say(&format!("position startpos moves {}", moves.join(" ")));
        gui.say("go movetime 1000");
        gui.hears_no_answer(millis(900)).await;
        assert_covers(Uci, gui.position(), &scripts);
        for ((old, stops), (new, now)) in before.into_iter().zip(at_work(&scripts)) {
            let (Some(old), Some(new)) = (old, new) else { panic!("all work") };
            if old == new {
                assert_eq!(now, stops, "{old:?} was stopped and begun again");
                kept += 1;
            } else if old.position == new.position {
                // Moves of the node were given to workers who had nothing to do.
                assert!(now > stops);
                grown += 1;
            } else {
                gone += 1;
            }
        }
    }
    println!("{kept} workers kept, {grown} gave moves to others, {gone} went elsewhere");
    assert!(kept >= 10 && gone >= 10, "{kept} kept, {gone} gone");
}

#[tokio::test(start_paused = true)]
async fn a_game_that_is_over_has_no_move() {
    let (mut gui, scripts) = Gui::ready(Uci, &[Good; 2]).await;
    for position in [MATED, STALEMATE] {
        gui.say(position);
        for go in ["go movetime 1000", "go wtime 1000 btime 1000", "go depth 4", "go"] {
            let (best, time) = gui.ask(go).await;
            assert_eq!(best, None);
            assert!(time < millis(10), "{position}, {go}: {time:?}");
        }
        assert_eq!(gui.heard.last().unwrap(), "bestmove (none)");
        gui.say("go infinite");
        gui.hears_no_answer(Duration::from_secs(10)).await;
        assert_eq!(gui.ask("stop").await.0, None);
    }
    gui.say(ONE_MOVE);
    let (best, time) = gui.ask("go wtime 60000 btime 60000").await;
    assert!(best.is_some() && time < millis(10), "{time:?}");
    sleep(Duration::from_secs(1)).await;
    assert_eq!(scripts.iter().filter_map(Script::job).count(), 0, "nobody works unasked");
}

#[tokio::test(start_paused = true)]
async fn a_position_that_cannot_be_changes_nothing() {
    let (mut gui, _) = Gui::ready(Uci, &[Good]).await;
    gui.say("position startpos moves e2e4 e7e5");
    for (bad, reason) in [
        ("position startpos moves e2e4 e7e5 e1e3", "move 3 of the position, 'e1e3', is not legal"),
        ("position startpos moves Nf3", "'Nf3', is not legal"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "bad position"),
        ("position fen nonsense", "bad position"),
        ("position", ""),
    ] {
        gui.heard.clear();
        gui.say(bad);
        gui.say("isready");
        gui.hear("readyok").await;
        let said = gui.heard.iter().any(|line| line.contains("string") && line.contains(reason));
        assert!(said || reason.is_empty(), "{bad}: {:?}", gui.heard);
    }
    gui.say("position startpos moves e2e4 e7e5");
    assert!(gui.ask("go movetime 100").await.0.is_some());
}

#[tokio::test(start_paused = true)]
async fn without_a_worker_a_legal_move_comes_in_time() {
    let (mut gui, _) = Gui::ready(Uci, &[]).await;
    let remark = "info string there is no worker; until one comes the master plays by itself";
    assert_eq!(gui.count(remark), 1, "{:?}", gui.heard);
    gui.say("position startpos moves e2e4 c7c5");
    let first = Board::new(Game::Chess, gui.position()).expect("legal").moves().remove(0);
    for (go, most) in [
        ("go movetime 100", 100),
        ("go wtime 30000 btime 30000", 1000),
        ("go depth 10", 6000),
        ("go nodes 1000000", 6000),
        ("go mate 3", 6000),
        ("go", 6000),
    ] {
        let (best, time) = gui.ask_and_see(go).await;
        assert!(best.is_some_and(|best| best != first), "{go}");
        assert!(time <= millis(most), "{go}: {time:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_for_late_workers() {
    for habit in [Silent, Hangs] {
        let (mut gui, _) = Gui::ready(Uci, &[habit; 3]).await;
        let mut moves = "position startpos moves g1f3".to_string();
        for at in 0..6 {
            gui.say(&moves);
            let (best, time) = gui.ask("go movetime 400").await;
            assert!(time <= millis(400), "{habit:?}, move {at}: {time:?}");
            moves = format!("{moves} {}", best.expect("a move"));
            gui.say("isready");
            let start = Instant::now();
            gui.hear("readyok").await;
            // Only until it is known that it does not answer.
            assert!(start.elapsed() < millis(650), "a game is held up: {:?}", start.elapsed());
        }
        let late = gui.heard.iter().any(|line| line.contains("it has not answered for 600.0ms"));
        assert_eq!(late, habit == Hangs, "{:?}", gui.heard);
        let away = gui.heard.iter().any(|line| line.contains("hung") || line.contains("set aside"));
        assert!(!away, "{:?}", gui.heard);
    }
}

/// A user interface may ask before every move, and has its own patience.
#[tokio::test(start_paused = true)]
async fn a_worker_that_starts_again_holds_up_nobody() {
    let (mut gui, _) = Gui::ready(Uci, &[Good, Breaks(millis(100))]).await;
    gui.say("position startpos");
    gui.say("go infinite");
    gui.hear("it has ended (signal: 9)").await;
    gui.hears_no_answer(millis(100)).await;
    let start = Instant::now();
    gui.say("isready");
    gui.hear("readyok").await;
    gui.ask("stop").await;
    assert!(start.elapsed() < millis(10), "{:?}", start.elapsed());
    gui.hear("is set aside: Breaks(100ms) did not say uciok").await;
}

#[tokio::test(start_paused = true)]
async fn a_worker_with_illegal_moves_is_set_aside() {
    for (habit, reason) in
        [(IllegalLine, "its line begins with 'e2e5'"), (IllegalMove, "its move 'e2e5' is not")]
    {
        for habits in [&[habit][..], &[Good, habit, Good], &[habit, habit]] {
            let (mut gui, scripts) = Gui::ready(Uci, habits).await;
            gui.say("position startpos");
            gui.say("go infinite");
            for _ in habits.iter().filter(|other| **other == habit) {
                let line = gui.hear("is set aside").await;
                assert!(line.contains(reason), "{line}");
            }
            gui.hears_no_answer(millis(500)).await;
            if habits.contains(&Good) {
                assert_covers(Uci, gui.position(), &scripts);
            }
            assert!(gui.ask("stop").await.0.is_some());
            assert!(gui.ask("go movetime 100").await.0.is_some());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_no_engine_is_set_aside() {
    for (habit, reason) in [(Exits, "exit status: 3"), (Mute, "did not say uciok within 2s")] {
        let start = Instant::now();
        let (mut gui, scripts) = Gui::ready(Uci, &[Good, habit]).await;
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
        let said = |line: &String| line.contains("set aside") && line.contains(reason);
        assert!(gui.heard.iter().any(said), "{:?}", gui.heard);
        gui.say("position startpos");
        gui.say("go infinite");
        gui.hears_no_answer(millis(500)).await;
        assert_covers(Uci, gui.position(), &scripts[..1]);
        assert!(gui.ask("stop").await.0.is_some());
    }
}

/// Half of a `position` would be another one.
#[tokio::test(start_paused = true)]
async fn what_is_too_long_is_not_obeyed_in_part() {
    let (mut gui, scripts) = Gui::ready(Uci, &[Good]).await;
    gui.say_cut("position startpos moves e2e4", 2_000_000);
    gui.hear("info string a line of 2000000 bytes is too long to be a command").await;
    gui.say_cut("quit", 2_000_000);
    gui.ask_and_see("go movetime 100").await;
    assert_eq!(scripts[0].count("moves e2e4"), 0);
}

#[tokio::test(start_paused = true)]
async fn long_lines_do_no_harm() {
    let (mut gui, scripts) = Gui::ready(Uci, &[LongLines, Good]).await;
    gui.say("position startpos");
    gui.say("go movetime 1000");
    gui.hear("a line too long was dropped").await;
    let (best, _) = gui.answer().await;
    assert!(best.is_some());
    assert!(gui.heard.iter().all(|line| line.len() < 1000));
    assert_eq!(scripts[0].count("uci"), 1, "it lives");
}

#[tokio::test(start_paused = true)]
async fn the_share_of_a_worker_that_dies_goes_to_others() {
    for dying in 0..4 {
        let mut habits = [Good; 4];
        habits[dying] = Dies(millis(900));
        let (mut gui, scripts) = Gui::ready(Uci, &habits).await;
        gui.say("position startpos moves e2e4");
        gui.say("go infinite");
        gui.hears_no_answer(millis(850)).await;
        let share = scripts[dying].job().expect("it works");
        assert_covers(Uci, gui.position(), &scripts);
        let remark = gui.hear("it has ended (signal: 9)").await;
        assert!(remark.starts_with(&format!("info string worker {dying} ")), "{remark}");
        gui.hears_no_answer(millis(50)).await;
        assert_covers(Uci, gui.position(), &scripts);
        assert_eq!(scripts[dying].job(), None, "{share:?} is another's");
        let reason = format!("info string worker {dying} is set aside: the machine is gone");
        assert_eq!(gui.count(&reason), 1, "{:?}", gui.heard);
        assert!(gui.ask("stop").await.0.is_some());
    }
}

#[tokio::test(start_paused = true)]
async fn a_dialogue_in_usi() {
    let (mut gui, scripts) = Gui::ready(Usi, &[Good; 3]).await;
    gui.heard.clear();
    gui.say("setoption name USI_Ponder value true");
    gui.say("usinewgame");
    gui.say("お待ちください");
    let mut moves = "position startpos moves 7g7f".to_string();
    for at in 0..10 {
        gui.say(&moves);
        gui.say("go btime 60000 wtime 60000 byoyomi 100");
        let (Some(best), Some(ponder)) = gui.answer().await else { panic!("move {at}") };
        moves = format!("{moves} {best} {ponder}");
        gui.hears_no_answer(millis(500)).await;
    }
    gui.say(&moves);
    gui.say("go infinite");
    gui.hears_no_answer(millis(500)).await;
    assert_covers(Usi, gui.position(), &scripts);
    gui.ask("stop").await;
    gui.say("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    gui.ask("go byoyomi 1000").await;
    assert_eq!(gui.heard.last().unwrap(), "bestmove resign");
    gui.say("position startpos moves 7g7e");
    gui.hear("'7g7e', is not legal").await;
    gui.say("gameover lose");
    gui.say("isready");
    gui.hear("readyok").await;
    sleep(Duration::from_secs(1)).await;
    assert_eq!(scripts.iter().filter_map(Script::job).count(), 0, "the game is over");
    assert_eq!(gui.count("bestmove"), 12);
}

#[tokio::test]
async fn our_own_engine_plays() {
    let engines = (0..3).map(|_| Box::new(Own) as Box<dyn Transport>).collect();
    play(Gui::new(Uci, engines), "uci", "go movetime 200", 12).await;
}

#[tokio::test]
async fn fairy_stockfish_plays_shogi() {
    let name = "fairy-stockfish";
    let Some(path) = yomikiri_needs::program(name, find_program(name)) else { return };
    let engine = || Process::new(vec![path.to_string_lossy().into_owned()]).expect("it is there");
    let engines = (0..2).map(|_| Box::new(engine()) as Box<dyn Transport>).collect();
    play(Gui::new(Usi, engines), "usi", "go btime 0 wtime 0 byoyomi 200", 12).await;
}

/// The master plays both sides, with garbage between the moves.
async fn play(mut gui: Gui, handshake: &str, go: &str, plies: usize) {
    for line in [handshake, "isready", "nonsense"] {
        gui.say(line);
    }
    gui.hear("readyok").await;
    let mut moves = Vec::new();
    while moves.len() < plies {
        let played = if moves.is_empty() { String::new() } else { " moves ".into() };
        gui.say(&format!("position startpos{played}{}", moves.join(" ")));
        gui.say("\u{7}");
        gui.say(go);
        gui.say("nonsense");
        let (Some(best), _) = gui.answer().await else { panic!("no move after {moves:?}") };
        moves.push(best);
    }
    let scores = gui.heard.iter().filter(|line| line.contains(" score ")).count();
    assert!(scores >= plies / 2, "the workers are heard: {:?}", gui.heard);
}
