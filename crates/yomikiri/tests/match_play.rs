//! `yomikiri match` as its users see it.

use std::fs;
use std::path::Path;

use crate::support::{Run, directory, finish, yomikiri};
use serde_json::Value;
use std::process::{Command, Stdio};

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
fn the_result_tells_elo_normalized_elo_superiority_and_pairs() {
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
    assert_eq!(drawn["los"], Value::Null);

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
    assert_eq!(number(&known["los"]), 0.99);
    let text = play(&["--resume"]).stdout;
    for line in [
        "pairs     0 0 4 3 1  ",
        "Elo       +112 (",
        "nElo      +206 (+36 to +377)",
        "LOS       99.1 %  (the likelihood that one is stronger)",
    ] {
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

/// Our engine at one node a move, with more parts if there are any.
fn engine(name: &str, command: &str) -> String {
    format!("name={name},cmd=\"{command}\",nodes=1")
}

fn own() -> String {
    format!("'{}' engine chess", env!("CARGO_BIN_EXE_yomikiri"))
}

#[test]
fn who_dies_in_the_middle_of_a_match_loses_that_game_and_no_other() {
    let folder = directory("dies");
    // Hands everything on to our engine, and ends in its so manyeth game.
    let script = folder.join("dies.sh");
    let text = format!(
        "while read -r line; do\n\
         case $line in ucinewgame) n=$((n+1));; go*) [ \"$n\" = \"$1\" ] && exit 1;; esac\n\
         echo \"$line\"\ndone | {}\n",
        own()
    );
    fs::write(&script, text).expect("written");
    for (concurrency, dies_in) in [("1", "50"), ("2", "20")] {
        let out = folder.join(format!("{concurrency}.jsonl"));
        let pgn = folder.join(format!("{concurrency}.pgn"));
        let mortal = engine("mortal", &format!("sh '{}' {dies_in}", script.display()));
        let run = yomikiri(&[
            "match",
            "--engine",
            &engine("good", &own()),
            "--engine",
            &mortal,
            "--games",
            "60",
            "--adjudicate",
            "plies=4",
            "--concurrency",
            concurrency,
            "--out",
            out.to_str().expect("Unicode"),
            "--pgn",
            pgn.to_str().expect("Unicode"),
            "--json",
        ]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let result = run.json();
        let crashes = result["engines"][1]["crashes"].as_u64().expect("a number");
        assert!(crashes == 1 || concurrency == "2" && crashes == 2, "{result}");
        assert_eq!((&result["finish"], &result["games"]), (&"complete".into(), &60.into()));
        assert_eq!((&result["won"], &result["lost"]), (&crashes.into(), &0.into()));
        let games = games(&out);
        assert_eq!(games.len(), 60);
        let lost: Vec<&Value> = games.iter().filter(|game| !game["winner"].is_null()).collect();
        assert_eq!(lost.len() as u64, crashes);
        if concurrency == "1" {
            // The fiftieth, counted from nought in pairs of two.
            assert_eq!((&lost[0]["pair"], &lost[0]["game"]), (&24.into(), &1.into()));
        }
        for game in lost {
            let winner = game["winner"].as_u64().expect("a side") as usize;
            assert_eq!(
                (&game["reason"], &game["players"][winner]),
                (&"crash".into(), &"good".into())
            );
        }
        let text = fs::read_to_string(&pgn).expect("a file");
        assert_eq!(text.matches("[Event ").count(), 60);
    }
}

#[test]
fn a_book_with_a_bad_line_is_refused_before_anything_is_played() {
    let folder = directory("book");
    let file = |name: &str| folder.join(name).to_str().expect("Unicode").to_owned();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (name, text, words) in [
        (
            "illegal.pgn",
            "[Event \"a\"]\n\n1. e4 e5 *\n\n[Event \"b\"]\n\n1. e4 e5\n2. Ke3 *\n".into(),
            &["game 2", "line 8", "`Ke3` is not legal"][..],
        ),
        (
            "broken.epd",
            format!("# a book\n{start}\n{}\n", start.replacen("8/", "7/", 1)),
            &["line 3"],
        ),
        ("moves.epd", format!("{start}\nstartpos moves e2e4 e2e4\n"), &["line 2", "e2e4"]),
        (
            "over.epd",
            format!("{start}\n\n7k/5KQ1/8/8/8/8/8/8 b - -\n"),
            &["line 3", "over already"],
        ),
        ("over.pgn", "1. e4 *\n\n1. f3 e5 2. g4 Qh4# *\n".into(), &["game 2", "over already"]),
    ] {
        fs::write(folder.join(name), text).expect("written");
        let engines = [engine("a", &own()), engine("b", &own())];
        let run = yomikiri(&[
            "match",
            "--engine",
            &engines[0],
            "--engine",
            &engines[1],
            "--openings",
            &file(name),
            "--out",
            &file("out.jsonl"),
            "--pgn",
            &file("out.pgn"),
        ]);
        run.fails_with(&[&[name], words].concat());
        assert_eq!((run.stdout.as_str(), run.stderr.lines().count()), ("", 1), "{}", run.stderr);
        assert!(!folder.join("out.jsonl").exists() && !folder.join("out.pgn").exists());
    }
}

/// A match of ten short games with its journal and its records.
fn short(out: &Path, pgn: &Path, more: &[&str]) -> Vec<String> {
    let (out, pgn) = (out.to_str().expect("Unicode"), pgn.to_str().expect("Unicode"));
    let engines = [engine("読み", &own()), engine("b", &own())];
    let words = ["match", "--engine", &engines[0], "--engine", &engines[1], "--games", "10"];
    let terms = ["--adjudicate", "plies=4", "--out", out, "--pgn", pgn];
    words.iter().chain(&terms).chain(more).map(|&word| word.to_owned()).collect()
}

fn played(arguments: &[String]) -> Run {
    yomikiri(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn on_a_full_disk_the_games_so_far_stay_and_the_match_can_go_on() {
    let folder = directory("full");
    let (out, pgn) = (folder.join("a.jsonl"), folder.join("a.pgn"));
    // Nothing can be written at all: no game is played.
    let run = played(&short(Path::new("/dev/full"), &pgn, &[]));
    run.fails_with(&["cannot write /dev/full", "No space left"]);
    assert_eq!(run.stdout, "");
    // The records cannot be written: the journal has what was played.
    let run = played(&short(&out, Path::new("/dev/full"), &[]));
    run.fails_with(&["cannot write /dev/full", "No space left", "1 games are in", "--resume"]);
    assert_eq!(games(&out).len(), 1);
    // Goes on until a file is full again, and again, to the end.
    let mut times = 0;
    for kibibytes in 2.. {
        // A process that ignores the signal is told of a limit as of a full disk.
        let command = r#"trap '' XFSZ; ulimit -f "$1"; shift; exec "$@""#;
        let mut limited = Command::new("bash");
        limited.args(["-c", command, "bash", &kibibytes.to_string()]);
        limited.arg(env!("CARGO_BIN_EXE_yomikiri")).args(short(&out, &pgn, &["--resume"]));
        limited.env("LC_ALL", "C").stdout(Stdio::piped()).stderr(Stdio::piped());
        let before = games_so_far(&out);
        let run = finish(limited.spawn().expect("it starts"));
        assert!(games_so_far(&out) >= before);
        if run.code == Some(0) {
            break;
        }
        run.fails_with(&["cannot write", "File too large", "games are in", "--resume goes on"]);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        times += 1;
        assert!(kibibytes < 50);
    }
    assert!(times >= 2);
    assert_eq!(games(&out).len(), 10);
    // Every game is in the records once, also the one that was lost there.
    let text = fs::read_to_string(&pgn).expect("a file");
    let rounds: Vec<&str> = text.lines().filter(|line| line.starts_with("[Round ")).collect();
    let wanted: Vec<String> =
        (2..12).map(|game| format!("[Round \"{}.{}\"]", game / 2, game % 2 + 1)).collect();
    assert_eq!(rounds, wanted);
    assert_eq!(yomikiri_chess::pgn::read_all(&text).expect("records").len(), 10);
    // Wherever the records were torn, also within a letter, they are made whole.
    let letter = text.rfind("読").expect("a name") + 1;
    for end in [0, letter, text.len() / 2, text.len() - 1, text.len()] {
        fs::write(&pgn, &text.as_bytes()[..end]).expect("written");
        let run = played(&short(&out, &pgn, &["--resume"]));
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_eq!(fs::read_to_string(&pgn).expect("a file"), text);
    }
    // Records of something else are left alone.
    fs::write(&pgn, "1. e4 *\n").expect("written");
    assert_eq!(played(&short(&out, &pgn, &["--resume"])).code, Some(0));
    assert_eq!(fs::read_to_string(&pgn).expect("a file"), "1. e4 *\n");
}

/// A command stays the same when its program is built anew, or is another one.
#[cfg(unix)]
#[test]
fn games_of_rebuilt_engines_are_not_mixed() {
    use std::os::unix::fs::PermissionsExt;
    let folder = directory("rebuilt");
    let (out, program) = (folder.join("a.jsonl"), folder.join("engine"));
    let build = |text: &str| {
        fs::write(&program, format!("#!/bin/sh\n{text}\n")).expect("written");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("set");
    };
    let play = |more: &[&str]| {
        let engines = [engine("new", &format!("'{}'", program.display())), engine("b", &own())];
        let words = ["match", "--engine", &engines[0], "--engine", &engines[1], "--games", "2"];
        let terms = ["--adjudicate", "plies=4", "--out", out.to_str().expect("Unicode")];
        yomikiri(&[&words[..], &terms, more].concat())
    };
    let journal = || fs::read_to_string(&out).expect("a journal");
    build(&format!("exec {}", own()));
    let run = play(&[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(play(&["--resume"]).code, Some(0));
    let before = journal();
    let head: Value = serde_json::from_str(before.lines().next().expect("a header")).expect("JSON");
    let build_told = head["build"].as_str().expect("a build");
    for part in ["version ", "commit ", "node signature ", "program "] {
        assert!(build_told.contains(part), "{build_told}");
    }
    let name = &games(&out)[0]["engines"][0];
    assert!(name.as_str().is_some_and(|name| name.starts_with("Yomikiri")), "{name}");

    // Other terms, another program, another build of ours.
    play(&["--resume", "--margin", "7"]).fails_with(&["another match", "--margin", "here:  7"]);
    play(&["--resume", "--patience", "7"]).fails_with(&["another match", "--patience", "here:  7"]);
    build(&format!("# mended\nexec {}", own()));
    play(&["--resume"]).fails_with(&["another match", "engines' programs differ", "--out"]);
    assert_eq!(journal(), before, "nothing is written");
    build(&format!("exec {}", own()));
    let other = before.replace(build_told, "version 0.0.1");
    fs::write(&out, &other).expect("written");
    play(&["--resume"]).fails_with(&["builds of this program differ", "there: \"version 0.0.1\""]);
    assert_eq!(journal(), other, "nothing is written");

    // What calls itself otherwise only now, behind a script that stayed, is noticed by the first game.
    let named = before.replace("\"Yomikiri alphabeta", "\"Another");
    let (first, _) = named.trim_end().rsplit_once('\n').expect("two games");
    fs::write(&out, format!("{first}\n")).expect("written");
    let run = play(&["--resume"]);
    run.fails_with(&["calls itself 'Yomikiri", "'Another", "--out"]);
    assert!(!run.stderr.contains("goes on"), "{}", run.stderr);
    assert_eq!(journal(), format!("{first}\n"), "nothing is written");

    // A journal of a time when none of this was written down.
    fs::write(&out, before.replacen("\"yomikiri_match\":2", "\"yomikiri_match\":1", 1))
        .expect("written");
    play(&["--resume"]).fails_with(&["older program", "--out"]);
}

/// How many whole lines of games a journal has.
fn games_so_far(out: &Path) -> usize {
    let bytes = fs::read(out).expect("a journal");
    bytes.iter().filter(|&&byte| byte == b'\n').count()
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
