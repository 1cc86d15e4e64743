//! The driver with engines that others wrote.

use std::time::Duration;

use crate::common::{Rig, after, depth, needs};
use yomikiri_engine::driver::{Event, Settings};
use yomikiri_engine::protocol::{BestMove, Dialect, Go, PositionText, Score, Start, Value};
use yomikiri_engine::transport::Process;

fn rig(program: String, settings: Settings) -> Rig {
    Rig::new(Box::new(Process::new(vec![program]).expect("found")), settings)
}

#[tokio::test]
async fn stockfish_mates_in_one() {
    let Some(program) = needs("stockfish") else { return };
    let mut settings = Settings::new(Dialect::Uci);
    settings.options =
        vec![("Hash".into(), Some("1".into())), ("Threads".into(), Some("1".into()))];
    let mut rig = rig(program, settings);
    assert!(rig.ready().await.contains("Stockfish"));
    let fen = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1".into();
    rig.engine.search(1, PositionText { start: Start::Fen(fen), moves: Vec::new() }, depth(5));
    let mut score = None;
    loop {
        match rig.event().await {
            Event::Info { info, .. } => score = info.score.or(score),
            Event::BestMove { job: 1, best, .. } => {
                assert_eq!(best, BestMove::Move("d1d8".into()));
                break;
            }
            event => panic!("{event:?}"),
        }
    }
    assert_eq!(score, Some(Score::mate(1)));
    // Mated already, then an endless search that is given up for another.
    let mate = after(&["f2f3", "e7e5", "g2g4", "d8h4"]);
    rig.engine.search(2, mate, depth(5));
    assert_eq!(rig.bestmove().await, (2, BestMove::None));
    rig.engine.search(3, PositionText::initial(), Go::infinite());
    rig.engine.search(4, after(&["e2e4"]), Go { searchmoves: vec!["a7a6".into()], ..depth(6) });
    assert_eq!(rig.bestmove().await, (4, BestMove::Move("a7a6".into())));
}

/// A large table takes seconds to make and to clear. Nobody calls that hung, however soon it is late.
#[tokio::test]
async fn stockfish_with_a_large_table() {
    let Some(program) = needs("stockfish") else { return };
    let mut settings = Settings::new(Dialect::Uci);
    settings.options = vec![("Hash".into(), Some("4096".into()))];
    let second = Duration::from_secs(1);
    settings.ready = 100 * second;
    settings.late = Some(second / 10);
    let mut rig = rig(program, settings);
    rig.ready().await;
    for (job, mib) in [(1, "4096"), (2, "3000"), (3, "16")] {
        rig.engine.set_option("Hash", Some(mib.into()));
        rig.engine.search(job, PositionText::initial(), depth(3));
        rig.engine.new_game();
        let mut has_ended = false;
        while !has_ended {
            let event = rig.event().await;
            assert!(
                !matches!(event, Event::Lost { .. } | Event::Failed { .. }),
                "{mib}: {event:?}"
            );
            has_ended = matches!(event, Event::BestMove { .. });
        }
    }
}

/// Shogi: a gold is dropped at the head of a bare king.
#[tokio::test]
async fn fairy_stockfish_speaks_usi() {
    let Some(program) = needs("fairy-stockfish") else { return };
    let mut settings = Settings::new(Dialect::Usi);
    settings.options =
        vec![("USI_Hash".into(), Some("16".into())), ("Threads".into(), Some("1".into()))];
    let mut rig = rig(program, settings);
    rig.ready().await;
    let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1".into();
    rig.engine.search(1, PositionText { start: Start::Fen(sfen), moves: Vec::new() }, depth(5));
    let mut value = None;
    let best = rig
        .wait(|event| match event {
            Event::Info { info, .. } => {
                value = info.score.map(|score| score.value).or(value);
                None
            }
            Event::BestMove { best, .. } => Some(best.clone()),
            _ => None,
        })
        .await;
    assert_eq!(best, BestMove::Move("G*5b".into()));
    assert!(matches!(value, Some(Value::Mate(1..))), "{value:?}");
    rig.engine.new_game();
    rig.engine.search(2, after(&["7g7f"]), Go::infinite());
    rig.engine.stop();
    assert!(matches!(rig.bestmove().await, (2, BestMove::Move(_))));
}

#[tokio::test]
async fn gpsshogi_speaks_usi() {
    let Some(program) = needs("gpsusi") else { return };
    let mut rig = rig(program, Settings::new(Dialect::Usi));
    rig.ready().await;
    let go = Go { byoyomi: Some(300), time: [Some(0), Some(0)], ..Go::default() };
    rig.engine.search(1, after(&["7g7f"]), go);
    assert!(matches!(rig.bestmove().await, (1, BestMove::Move(_))));
}
