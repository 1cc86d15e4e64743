//! Options and commands that every engine has: `MultiPV`, `UCI_Chess960`, `go mate`.

use std::collections::BTreeSet;

use yomikiri_engine::protocol::Dialect::{Uci, Usi};
use yomikiri_engine::protocol::{Info, Reply};

use super::gui::Gui;
use super::millis;
use super::script::Habit::{Good, Hangs, Mates};

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
        let infos = gui.heard.iter().filter_map(|line| match Reply::parse(line, Uci) {
            Reply::Info(info) => info.multipv.is_some().then_some(info),
            _ => None,
        });
        let infos: Vec<Box<Info>> = infos.collect();
        let last = &infos[infos.len() - 3..];
        let ranks: Vec<_> = last.iter().filter_map(|info| info.multipv).collect();
        assert_eq!(ranks, [1, 2, 3], "{:?}", gui.heard);
        let moves: BTreeSet<_> = last.iter().map(|info| info.pv[0].clone()).collect();
        assert_eq!(moves.len(), 3, "{last:?}");
        assert_eq!(best.as_ref(), last[0].pv.first());
        let values: Vec<_> = last.iter().filter_map(|info| info.score).collect();
        let falls = values.iter().map(|score| format!("{:?}", score.value)).collect::<Vec<_>>();
        assert_eq!(values.len(), 3, "{falls:?}");
    }
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
