//! `yomikiri match` as its users see it.

use std::fs;
use std::path::Path;

use crate::support::{Run, directory, yomikiri};
use serde_json::Value;

/// Three strengths of our own engine, which play the same games every time.
fn tournament(out: &Path, more: &[&str]) -> Run {
    let engine = |name: &str, nodes: u32| {
        let program = env!("CARGO_BIN_EXE_yomikiri");
        format!("name={name},cmd=\"'{program}' engine chess\",nodes={nodes}")
    };
    let engines = [engine("weak", 1), engine("strong", 3000), engine("middling", 200)];
    let mut arguments = vec!["match", "--pairs", "1", "--adjudicate", "plies=80", "--json"];
    arguments.extend(engines.iter().flat_map(|engine| ["--engine", engine]));
    arguments.extend(["--out", out.to_str().expect("Unicode")]);
    arguments.extend(more);
    yomikiri(&arguments)
}

/// The games of a journal in order, without what depends on the machine.
fn games(out: &Path) -> Vec<Value> {
    let text = fs::read_to_string(out).expect("a journal");
    let records = text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut records: Vec<Value> = records.collect();
    records.sort_by_key(|record| (record["pair"].as_u64(), record["game"].as_u64()));
    for record in &mut records {
        record["date"].take();
        for ply in record["plies"].as_array_mut().expect("a list") {
            ply["ms"].take();
        }
    }
    records
}

#[test]
fn three_engines_play_a_tournament_that_can_be_resumed() {
    let folder = directory("tournament");
    let (whole, torn) = (folder.join("whole.jsonl"), folder.join("torn.jsonl"));
    let pgn = folder.join("games.pgn");
    let run = tournament(&whole, &["--concurrency", "2", "--pgn", pgn.to_str().expect("Unicode")]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let result = run.json();
    assert_eq!((&result["finish"], &result["games"]), (&"complete".into(), &6.into()));
    let (engines, pairings) = (&result["engines"], &result["pairings"]);
    for (at, name) in ["weak", "strong", "middling"].into_iter().enumerate() {
        assert_eq!((&engines[at]["name"], &engines[at]["games"]), (&name.into(), &4.into()));
        assert_eq!(engines[at]["crashes"], 0);
    }
    assert_eq!(pairings[0]["engines"], serde_json::json!(["weak", "strong"]));
    assert_eq!(pairings[0]["lost"], 2, "by one node a move: {result}");
    assert!(engines[0]["rate"].as_f64() < engines[1]["rate"].as_f64(), "{result}");
    let text = fs::read_to_string(&pgn).expect("a file");
    assert_eq!(text.matches("[Event \"weak, strong, middling\"]").count(), 6, "{text}");

    // The power went after three games.
    let lines = fs::read_to_string(&whole).expect("a journal");
    let kept: Vec<&str> = lines.lines().take(4).collect();
    fs::write(&torn, kept.join("\n") + "\n{\"pa").expect("written");
    let resumed = tournament(&torn, &["--resume"]);
    assert_eq!(resumed.code, Some(0), "{}", resumed.stderr);
    assert_eq!(games(&torn), games(&whole));
    assert_eq!(resumed.json()["pairings"], *pairings);
    tournament(&torn, &["--resume", "--gauntlet"]).fails_with(&["another match", "--gauntlet"]);

    let gauntlet = tournament(&folder.join("gauntlet.jsonl"), &["--gauntlet"]).json();
    assert_eq!(gauntlet["games"], 4);
    assert_eq!([0, 1, 2].map(|at| gauntlet["engines"][at]["games"].as_u64()), [4, 2, 2].map(Some));
    // The same games as before.
    assert_eq!(gauntlet["pairings"][0], pairings[0]);
}

#[test]
fn the_result_tells_elo_normalized_elo_and_pairs() {
    let out = directory("normalized").join("match.jsonl");
    let program = env!("CARGO_BIN_EXE_yomikiri");
    let engine = |name: &str| format!("name={name},cmd=\"'{program}' engine chess\",nodes=1");
    let (one, two) = (engine("one"), engine("two"));
    let play = |more: &[&str]| {
        let base = ["match", "--engine", &one, "--engine", &two, "--pairs", "8"];
        let terms = ["--adjudicate", "plies=2", "--out", out.to_str().expect("Unicode")];
        let run = yomikiri(&[&base[..], &terms, more].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run
    };
    let drawn = play(&["--json"]).json();
    assert_eq!(drawn["pairs"], serde_json::json!([0, 0, 8, 0, 0]));
    assert_eq!((&drawn["elo"], &drawn["normalized_elo"]), (&0.0.into(), &Value::Null));

    // One pair of 2 points, three of 1½, four of 1.
    let points = [[2, 2], [2, 1], [1, 2], [2, 1], [2, 0], [0, 2], [1, 1], [1, 1]];
    let text = fs::read_to_string(&out).expect("a journal");
    let (head, games) = text.split_once('\n').expect("a header");
    let games = games.lines().map(|line| {
        let mut record: Value = serde_json::from_str(line).expect("JSON");
        let number = |name: &str| record[name].as_u64().expect("a number") as usize;
        let (pair, game) = (number("pair"), number("game"));
        // The first engine begins the first game of a pair.
        record["winner"] = match points[pair][game] {
            2 => game.into(),
            1 => Value::Null,
            _ => (1 - game).into(),
        };
        format!("{record}\n")
    });
    fs::write(&out, format!("{head}\n{}", games.collect::<String>())).expect("written");
    let known = play(&["--json", "--resume"]).json();
    assert_eq!(known["pairs"], serde_json::json!([0, 0, 4, 3, 1]));
    assert_eq!(known["rate"], 21.0 / 32.0);
    let number = |value: &Value| (value.as_f64().expect("a number") * 100.0).round() / 100.0;
    // Worked out by hand in `tally`.
    assert_eq!(number(&known["normalized_elo"]), 206.37);
    let ends = [0, 1].map(|end| number(&known["normalized_elo_95"][end]));
    assert_eq!(ends, [36.13, 376.61]);
    let text = play(&["--resume"]).stdout;
    for line in ["pairs     0 0 4 3 1  ", "Elo       +112 (", "nElo      +206 (+36 to +377)"] {
        assert!(text.contains(&format!("\n{line}")), "no `{line}` in {text}");
    }
}

/// The line that says what is going to be played.
fn greeting(engines: &[&str]) -> String {
    let program = env!("CARGO_BIN_EXE_yomikiri");
    let engine = |more: &&str| format!("cmd=\"'{program}' engine chess\",{more}");
    let engines: Vec<String> = engines.iter().map(engine).collect();
    let mut arguments = vec!["match", "--pairs", "1", "--adjudicate", "plies=2"];
    arguments.extend(engines.iter().flat_map(|engine| ["--engine", engine]));
    let run = yomikiri(&arguments);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stdout.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn limits_stand_in_the_order_of_the_engines() {
    assert_eq!(
        greeting(&["name=strong,nodes=300", "name=weak,nodes=100"]),
        "strong against weak: chess, 2 games, 300 nodes against 100 nodes"
    );
    assert_eq!(
        greeting(&["name=a,nodes=90", "name=b,nodes=90"]),
        "a against b: chess, 2 games, 90 nodes"
    );
    assert_eq!(
        greeting(&["name=a,nodes=90", "name=b,nodes=200", "name=c,nodes=90"]),
        "a, b, c: chess, 6 games, a 90 nodes; b 200 nodes; c 90 nodes"
    );
}

#[test]
fn what_cannot_be_played_is_refused() {
    let engines = ["match", "--nodes", "1", "--engine", "a", "--engine", "b"];
    yomikiri(&engines[..5]).fails_with(&["at least two engines"]);
    let sprt = ["--engine", "c", "--sprt", "elo0=0,elo1=5"];
    yomikiri(&[&engines[..], &sprt].concat()).fails_with(&["--sprt", "two engines, not 3"]);
    yomikiri(&[&engines[..], &["--engine", "b,name=a"]].concat())
        .fails_with(&["there is no program"]);
}
