//! Engines that are slow, at every step of the protocol, and no more than that.

use std::time::Duration;

use tokio::time::Instant;
use yomikiri_cluster::{Board, Game};
use yomikiri_engine::protocol::Dialect::{self, Uci, Usi};
use yomikiri_engine::transport::Transport;

use super::gui::Gui;
use super::millis;
use super::script::Habit::{Exits, Good, Mute, Silent, Slow, Valueless};
use super::script::Script;

/// Much longer than an answer may take before others do the work.
const LONG: Duration = Duration::from_millis(1500);

fn gui(dialect: Dialect, scripts: &[Script]) -> Gui {
    let engines = scripts.iter().map(|s| Box::new(s.clone()) as Box<dyn Transport>).collect();
    Gui::new(dialect, engines)
}

/// Nobody was started again, and nobody was sent away.
fn assert_kept(gui: &Gui, scripts: &[Script], what: &str) {
    for script in scripts {
        let hellos = script.count("uci") + script.count("usi");
        assert_eq!(hellos, 1, "{what} was started again: {:?}", script.told());
    }
    for word in ["hung", "set aside"] {
        assert!(!gui.heard.iter().any(|line| line.contains(word)), "{what}: {:?}", gui.heard);
    }
}

/// `readyok` comes when the slow engine has done its part, and it plays on.
#[tokio::test(start_paused = true)]
async fn an_engine_slow_at_any_step_stays() {
    for dialect in [Uci, Usi] {
        let name = dialect.name();
        let hash = if dialect == Uci { "Hash" } else { "USI_Hash" };
        let new_game = format!("{name}newgame");
        let steps = [name, "setoption", &new_game, "isready", "position", "go", "stop"];
        for step in steps {
            // A step is the word of a script's habit, which lives for ever.
            let step: &'static str = String::leak(step.into());
            for habits in [&[Slow(step, LONG)][..], &[Good, Slow(step, LONG)]] {
                let scripts: Vec<_> = habits.iter().map(|&h| Script::new(dialect, h)).collect();
                let slow = scripts.last().expect("one is slow");
                let mut gui = gui(dialect, &scripts);
                gui.say(name);
                gui.hear(dialect.handshake_ok()).await;
                gui.say(&format!("setoption name {hash} value 64"));
                gui.say("isready");
                gui.say(&new_game);
                gui.hear("readyok").await;
                let told = format!("setoption name {hash} value 64");
                assert_eq!(slow.count(&told), 1, "{step}: {:?}", slow.told());
                if step == "setoption" {
                    assert_eq!(slow.count(&format!("(done) {told}")), 1, "readyok was early");
                }
                for game in 1..3 {
                    let mut moves = "position startpos moves".to_string();
                    for at in 0..4 {
                        gui.say(&if at == 0 { "position startpos".into() } else { moves.clone() });
                        let (best, time) = gui.ask_and_see("go movetime 3000").await;
                        assert!(time <= Duration::from_secs(3), "{step}: {time:?}");
                        moves = format!("{moves} {}", best.expect("a move"));
                    }
                    if dialect == Usi {
                        gui.say("gameover draw");
                    }
                    // USI interfaces ask before a game, those of UCI after the word of it.
                    let lines = ["isready", &new_game];
                    let before = slow.count(&format!("(done) {step}"));
                    if dialect == Uci {
                        gui.say(lines[1]);
                        gui.say(lines[0]);
                    } else {
                        gui.say(lines[0]);
                        gui.say(lines[1]);
                    }
                    gui.hear("readyok").await;
                    let is_new = step == new_game && dialect == Uci || step == "isready";
                    let done = slow.count(&format!("(done) {step}"));
                    assert!(!is_new || done > before, "{step}, game {game}: readyok was early");
                }
                assert_kept(&gui, &scripts, step);
                assert!(slow.count("go infinite") > 0 || habits.len() > 1, "{step}: it works");
            }
        }
    }
}

/// More patience counts at once: for an engine that is starting, and for one that is at work.
#[tokio::test(start_paused = true)]
async fn patience_is_an_option() {
    let seconds = Duration::from_secs;
    for (step, time, patience, is_kept) in [
        ("uci", seconds(5), None, false),
        ("uci", seconds(5), Some(8), true),
        ("setoption", seconds(15), None, false),
        ("setoption", seconds(15), Some(20), true),
        ("setoption", seconds(5), Some(3), false),
    ] {
        let scripts = [Script::new(Uci, Slow(step, time)), Script::new(Uci, Good)];
        let mut gui = gui(Uci, &scripts);
        gui.say("uci");
        gui.hear("option name Patience type spin default 10 min 1 max 86400").await;
        gui.say("setoption name Hash value 64");
        gui.hear_until(seconds(1)).await;
        if let Some(patience) = patience {
            gui.say(&format!("setoption name Patience value {patience}"));
        }
        gui.say("isready");
        gui.hear("readyok").await;
        gui.hear_until(seconds(20)).await;
        let says = |word: &&str| gui.heard.iter().any(|line| line.contains(*word));
        let is_lost = ["hung", "set aside"].iter().any(says);
        assert_eq!(!is_lost, is_kept, "{step} {time:?} {patience:?}: {:?}", gui.heard);
        assert_eq!(scripts[0].count("setoption name Patience value 8"), 0, "it is the master's");
    }
}

#[tokio::test(start_paused = true)]
async fn it_says_what_it_waits_for() {
    let scripts = [Script::new(Uci, Slow("setoption", millis(3500))), Script::new(Uci, Good)];
    let mut gui = gui(Uci, &scripts);
    gui.say("isready");
    gui.hear("readyok").await;
    gui.heard.clear();
    let start = Instant::now();
    gui.say("setoption name Hash value 1024");
    gui.say("isready");
    gui.hear("readyok").await;
    assert!(start.elapsed() >= millis(3500), "{:?}", start.elapsed());
    let remark = "info string waiting for worker 0 (Scripted): option Hash";
    assert_eq!(gui.count(remark), 3, "{:?}", gui.heard);
    assert_kept(&gui, &scripts, "setoption");
}

/// An interface that asks before every move has its answer at once, also while engines that take
/// their time to answer think in the opponent's.
#[tokio::test(start_paused = true)]
async fn a_question_between_moves_costs_no_time() {
    let (mut gui, scripts) = Gui::ready(Uci, &[Slow("isready", millis(50)); 2]).await;
    gui.say("setoption name Ponder value true");
    gui.say("setoption name Hash value 4");
    gui.say("isready");
    gui.hear("readyok").await;
    let mut moves = "position startpos moves e2e4".to_string();
    for at in 0..5 {
        let start = Instant::now();
        gui.say("isready");
        gui.hear("readyok").await;
        assert!(start.elapsed() < millis(5), "move {at}: {:?}", start.elapsed());
        gui.say(&moves);
        gui.say("go movetime 400");
        let (Some(best), Some(ponder)) = gui.answer().await else { panic!("move {at}") };
        assert!(start.elapsed() <= millis(400), "move {at}: {:?}", start.elapsed());
        moves = format!("{moves} {best} {ponder}");
        gui.hears_no_answer(millis(300)).await;
    }
    assert_kept(&gui, &scripts, "isready");
}

/// An interface need not ask: then the move comes in time, and is no nonsense.
#[tokio::test(start_paused = true)]
async fn a_move_while_an_option_is_worked_off() {
    for (go, most) in [("go wtime 100 btime 100", 90), ("go movetime 300", 300)] {
        let scripts = [Script::new(Uci, Slow("setoption", LONG))];
        let mut gui = gui(Uci, &scripts);
        gui.say("isready");
        gui.hear("readyok").await;
        gui.say("setoption name Hash value 1024");
        // A queen hangs.
        gui.say("position fen 4k3/8/8/3q4/4P3/8/P7/4K3 w - - 0 1");
        let (best, time) = gui.ask_and_see(go).await;
        assert_eq!(best.as_deref(), Some("e4d5"), "{go}");
        assert!(time <= millis(most), "{go}: {time:?}");
        gui.hear_until(LONG).await;
        gui.ask_and_see("go movetime 300").await;
        assert_kept(&gui, &scripts, "setoption");
        assert!(scripts[0].count("go infinite") > 0, "it is back");
    }
}

/// The first value counts, if it comes before half of the clock is gone.
#[tokio::test(start_paused = true)]
async fn who_knows_nothing_uses_the_clock() {
    let (mut gui, scripts) = Gui::ready(Uci, &[Good]).await;
    gui.say("position startpos");
    // The share of a move would be a millisecond; the first value comes after 20.
    let (_, time) = gui.ask_and_see("go wtime 120 btime 120").await;
    assert!((millis(20)..millis(40)).contains(&time), "{time:?}");
    assert!(!gui.heard.iter().any(|line| line.contains("our own")), "{:?}", gui.heard);
    assert_kept(&gui, &scripts, "good");
}

/// Without a word of any worker the master takes up to half of its clock, also where all of it could
/// go into one move: whether there is no worker, none that starts, or one that says nothing.
#[tokio::test(start_paused = true)]
async fn who_knows_nothing_leaves_half_of_the_clock() {
    for habits in [&[][..], &[Exits; 2], &[Mute], &[Silent]] {
        let (mut gui, _) = Gui::ready(Uci, habits).await;
        gui.say("position startpos");
        for go in ["go wtime 1000 btime 1000 movestogo 1", "go wtime 1000 movestogo 1 winc 1000"] {
            let (_, time) = gui.ask_and_see(go).await;
            assert!(time <= millis(500), "{go}, {habits:?}: {time:?}");
        }
        assert!(gui.count("info string no worker has said anything") > 0, "{:?}", gui.heard);
    }
}

/// In shogi a move that was named counts, if it has no value.
#[tokio::test(start_paused = true)]
async fn a_move_without_a_value() {
    let (mut gui, scripts) = Gui::ready(Usi, &[Valueless]).await;
    gui.say("position startpos");
    let (best, _) = gui.ask_and_see("go btime 0 wtime 0 byoyomi 200").await;
    let moves = Board::new(Game::Shogi, gui.position()).expect("legal").moves();
    assert_eq!(best.as_ref(), moves.get(moves.len() / 2), "what the worker named");
    assert!(gui.count("info string no worker has given a value") > 0, "{:?}", gui.heard);
    let (mut gui, _) = Gui::ready(Usi, &[]).await;
    gui.say("position startpos");
    let (best, _) = gui.ask_and_see("go btime 0 wtime 0 byoyomi 200").await;
    assert_ne!(best.as_ref(), moves.first());
    assert!(gui.count("info string no worker has said anything") > 0, "{:?}", gui.heard);
    assert_kept(&gui, &scripts, "valueless");
}
