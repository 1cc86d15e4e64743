//! Options and commands that every engine has: `MultiPV`, `UCI_Chess960`, `go mate`.

use std::collections::BTreeSet;

use yomikiri_engine::protocol::Dialect::{Uci, Usi};
use yomikiri_engine::protocol::{Info, Reply};

use super::gui::Gui;
use super::millis;
use super::script::Habit::{Good, Hangs, Mates, OneLine};

#[tokio::test(start_paused = true)]
async fn options_are_those_of_engines() {
    let (gui, _) = Gui::ready(Uci, &[Good]).await;
    for option in [
        "option name Hash type spin default 16",
        "option name Ponder type check default false",
        "option name MultiPV type spin default 1 min 1 max 256",
        "option name Move Overhead type spin default 20 min 0 max 5000",
        "option name UCI_Chess960 type check default false",
    ] {
        assert_eq!(gui.count(option), 1, "{option}: {:?}", gui.heard);
    }
    let (gui, _) = Gui::ready(Usi, &[Good]).await;
    assert_eq!(gui.count("option name USI_Hash "), 1);
    assert_eq!(gui.count("option name UCI_"), 0);
}

#[tokio::test(start_paused = true)]
async fn overhead_is_taken_from_the_clock() {
    let (mut gui, _) = Gui::ready(Uci, &[Good]).await;
    gui.say("position startpos");
    gui.say("setoption name Move Overhead value 400");
    let (_, time) = gui.ask("go movetime 1000").await;
    assert!((millis(550)..=millis(600)).contains(&time), "{time:?}");
    gui.say("setoption name Move Overhead value 6000");
    gui.hear("option Move Overhead is a whole number from 0 to 5000, not '6000'").await;
}

/// The lines that were shown last, best first.
fn last_lines(gui: &Gui) -> Vec<Info> {
    let mut last = Vec::new();
    for line in &gui.heard {
        match Reply::parse(line, Uci) {
            Reply::Info(info) if info.multipv == Some(1) => last = vec![*info],
            Reply::Info(info) if info.multipv.is_some() => last.push(*info),
            _ => {}
        }
    }
    last
}

/// Each has another first move, and a value.
fn assert_ranked(lines: &[Info], most: u64) {
    let ranks: Vec<_> = lines.iter().filter_map(|info| info.multipv).collect();
    assert_eq!(ranks, (1..=most).collect::<Vec<_>>(), "{lines:?}");
    let moves: BTreeSet<_> = lines.iter().map(|info| info.pv[0].clone()).collect();
    assert_eq!(moves.len(), lines.len(), "{lines:?}");
    assert!(lines.iter().all(|info| info.score.is_some()), "{lines:?}");
}

#[tokio::test(start_paused = true)]
async fn as_many_lines_as_wanted() {
    for workers in [1, 4] {
        let (mut gui, _) = Gui::ready(Uci, &vec![Good; workers]).await;
        gui.say("setoption name MultiPV value 3");
        gui.say("isready");
        gui.hear("readyok").await;
        gui.say("position startpos moves e2e4");
        gui.heard.clear();
        let (best, _) = gui.ask_and_see("go movetime 1000").await;
        let lines = last_lines(&gui);
        assert_ranked(&lines, 3);
        assert_eq!(best.as_ref(), lines[0].pv.first());
    }
}

/// Also where the tree has just grown, and the worker of the root begins anew.
#[tokio::test(start_paused = true)]
async fn a_depth_is_reached_by_all_lines() {
    for workers in 1..=6 {
        let (mut gui, _) = Gui::ready(Uci, &vec![Good; workers]).await;
        gui.say("setoption name MultiPV value 3");
        gui.say("isready");
        gui.hear("readyok").await;
        for depth in [1, 2, 3, 7] {
            gui.say("ucinewgame");
            gui.say("position startpos moves e2e4");
            gui.heard.clear();
            gui.ask_and_see(&format!("go depth {depth}")).await;
            let lines = last_lines(&gui);
            assert_ranked(&lines, 3);
            assert!(lines.iter().all(|info| info.depth >= Some(depth)), "{workers}: {lines:?}");
        }
    }
    // A king with two moves has no third line.
    let (mut gui, _) = Gui::ready(Uci, &[Good; 2]).await;
    gui.say("setoption name MultiPV value 3");
    gui.say("position fen 7k/8/8/8/8/8/8/K6R b - - 0 1");
    gui.ask_and_see("go depth 4").await;
    assert_ranked(&last_lines(&gui), 2);
}

/// An engine without the option is not waited for.
#[tokio::test(start_paused = true)]
async fn who_has_one_line_shows_one() {
    let (mut gui, _) = Gui::ready(Uci, &[OneLine]).await;
    gui.say("setoption name MultiPV value 3");
    gui.say("isready");
    gui.hear("readyok").await;
    gui.say("position startpos");
    gui.heard.clear();
    let (_, time) = gui.ask_and_see("go depth 5").await;
    assert_ranked(&last_lines(&gui), 1);
    assert!(time < millis(1000), "{time:?}");
}

#[tokio::test(start_paused = true)]
async fn castling_is_written_as_the_option_says() {
    const CASTLES: &str = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for (option, castling) in [(None, "e1g1"), (Some("UCI_Chess960"), "e1h1")] {
        let (mut gui, scripts) = Gui::ready(Uci, &[Good]).await;
        if let Some(name) = option {
            gui.say(&format!("setoption name {name} value true"));
            gui.say("isready");
            gui.hear("readyok").await;
            assert_eq!(scripts[0].count(&format!("setoption name {name} value true")), 1);
        }
        gui.say(CASTLES);
        // Both ways are read.
        gui.say("go movetime 500 searchmoves e1h1 e1g1");
        let line = gui.hear("bestmove").await;
        assert!(line.starts_with(&format!("bestmove {castling}")), "{line}");
        gui.say(&format!("{CASTLES} moves {castling}"));
        gui.say("go movetime 100");
        gui.hear("bestmove").await;
        assert!(!gui.heard.iter().any(|line| line.contains("legal")), "{:?}", gui.heard);
    }
    // A game from another start.
    let (mut gui, _) = Gui::ready(Uci, &[Good]).await;
    gui.say("setoption name UCI_Chess960 value true");
    gui.say("position fen 1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1");
    gui.say("go movetime 500 searchmoves c1g1");
    gui.hear("bestmove c1g1").await;
}

const MATE: &str = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

/// Our own solver takes real time.
#[tokio::test]
async fn go_mate_is_answered_by_who_knows() {
    // A worker whose line is one, one whose line is none, one that does not know, none at all.
    let cases = [&[Mates("G*5b")][..], &[Mates("G*4b")], &[Good, Good], &[Good, Hangs], &[]];
    for habits in cases {
        let (mut gui, scripts) = Gui::ready(Usi, habits).await;
        gui.say(MATE);
        for go in ["go mate infinite", "go mate 60000"] {
            gui.say(go);
            let line = gui.hear("checkmate").await;
            assert_eq!(line, "checkmate G*5b", "{habits:?}");
            assert!(gui.heard.iter().any(|line| line.contains("score mate 1 ")), "{:?}", gui.heard);
        }
        let asked = scripts.iter().map(|s| s.count("go mate infinite")).sum::<usize>();
        assert!(asked > 0 || habits.is_empty(), "the workers are asked first");
        gui.say("position startpos");
        gui.say("go mate infinite");
        gui.hear("checkmate nomate").await;
        // Whoever was asked plays on.
        gui.ask_and_see("go btime 0 wtime 0 byoyomi 300").await;
    }
}

#[tokio::test]
async fn go_mate_ends_with_its_time_or_stop() {
    // A mate of more than a thousand plies is not found in a moment.
    const LONG: &str = "position sfen g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/\
                        1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1";
    let (mut gui, _) = Gui::ready(Usi, &[Good]).await;
    gui.say(LONG);
    gui.say("go mate 100");
    gui.hear("checkmate timeout").await;
    gui.say("go mate infinite");
    gui.say("isready");
    gui.hear("readyok").await;
    gui.say("stop");
    gui.hear("checkmate timeout").await;
    gui.say("go mate infinite");
    gui.say("usinewgame");
    gui.hear("checkmate timeout").await;
}
