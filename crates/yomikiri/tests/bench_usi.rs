//! `bench usi`: our own engine measured from outside, and engines that misbehave.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Run, directory, yomikiri};

const THREE: &str = "8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1";
const FIVE: &str = "9/5+p2k/9/5+B3/8S/9/9/9/9 b Rrb4g3s4n4l17p 1";
const NONE: &str = "8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1";
const HARD: &str = "9/9/9/9/4k4/9/9/9/9 b RBGS2N9Prb3g3s2n4l9p 1";

/// A file of problems.
fn problems(directory: &Path, rows: &[(&str, &str)]) -> String {
    let file = directory.join("mine.tsv");
    let rows = rows.iter().map(|(sfen, id)| format!("{sfen}\t{id}\t3\n"));
    fs::write(&file, rows.collect::<String>()).expect("written");
    file.to_str().expect("UTF-8").to_owned()
}

fn bench(engine: &str, more: &[&str]) -> Run {
    yomikiri(&[&["bench", "usi", "--engine", engine, "--hash", "16"], more].concat())
}

fn rows(run: &Run) -> Vec<Value> {
    let lines = run.stdout.lines();
    lines.map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn ours() -> String {
    format!("'{}' usi", env!("CARGO_BIN_EXE_yomikiri"))
}

#[test]
fn our_own_engine_is_measured_from_outside() {
    let directory = directory("bench-usi");
    let all = [(THREE, "three"), (FIVE, "five"), (NONE, "none"), (HARD, "hard")];
    let file = problems(&directory, &all);
    let engine = ours();
    let options = [
        "--file",
        &file,
        "--time",
        "0.5",
        "-o",
        "PostSearchLevel=None",
        "--name",
        "we",
        "--wall",
        "60",
    ];
    let run = bench(&engine, &[&options[..], &["--json"]].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""), "{}", run.stdout);
    let types: Vec<String> = crate::json::types(&run.stdout).into_iter().collect();
    assert_eq!(types, ["bench-usi", "bench-usi-total"]);
    let rows = rows(&run);
    assert_eq!(rows.len(), 5);
    let status = |at: usize| rows[at]["status"].as_str().expect("a word");
    assert_eq!([0, 1, 2, 3].map(status), ["mate", "mate", "nomate", "timeout"]);
    assert_eq!((&rows[0]["length"], &rows[0]["id"]), (&3.into(), &"three".into()));
    assert!(rows[0]["nodes"].as_u64() > Some(0), "{}", rows[0]);
    assert!(rows[3]["nodes"].as_u64() > Some(100), "{}", rows[3]);
    let total = &rows[4];
    assert_eq!(
        (&total["problems"], &total["decided"], &total["faults"]),
        (&4.into(), &3.into(), &0.into())
    );
    assert_eq!((&total["no_mates"], &total["as_recorded"]), (&1.into(), &1.into()));
    assert!(total["seconds"].as_f64() >= Some(0.5), "{total}");
    #[cfg(target_os = "linux")]
    {
        assert_eq!(total["clock"], "processor");
        let used = rows[3]["cpu_seconds"].as_f64().expect("a number");
        assert!((0.5..5.0).contains(&used), "{}", rows[3]);
    }
    // A table of it, and the same again beside that table.
    let table = bench(&engine, &[&options[..], &["--tsv"]].concat());
    assert!(table.stderr.starts_with("mine: we: 3/4 decided in "), "{}", table.stderr);
    let first = table.stdout.lines().nth(1).unwrap_or_default();
    assert!(first.starts_with("we\tmine\tthree\t16\t0.5\tmate\t"), "{first}");
    let kept = directory.join("kept.tsv");
    fs::write(&kept, &table.stdout).expect("written");
    let kept = kept.to_str().expect("UTF-8");
    let again = bench(&engine, &[&options[..], &["--against", kept]].concat());
    assert!(again.stdout.contains("against we: 3/4 decided in "), "{}", again.stdout);
    let row = again.stdout.lines().next().unwrap_or_default();
    assert!(row.starts_with("three            mate          3 /    3 "), "{row}");
    assert!(row.contains("[we mate 0."), "{row}");
    // Another verdict is not passed over.
    let lie = table.stdout.replace("\tnomate\t", "\tmate\t");
    fs::write(kept, lie).expect("written");
    let easy = problems(&directory, &all[..3]);
    let other = bench(&engine, &["--file", &easy, "--against", kept, "-q"]);
    assert_eq!(other.code, Some(1), "{}", other.stdout);
    assert!(
        other.stdout.contains("ANOTHER VERDICT  none: no mate here, mate there"),
        "{}",
        other.stdout
    );
    let alone = bench(&engine, &["--file", &easy, "-q", "--step", "2", "-o", "NoSuch=1"]);
    assert_eq!(alone.code, Some(0), "{}", alone.stderr);
    assert!(alone.stdout.starts_with("mine: yomikiri: 2/2 decided in "), "{}", alone.stdout);
    assert_eq!(alone.stderr, "note: yomikiri does not announce an option NoSuch\n");
}

/// A table of ours can be compared with, whatever its problems are called.
#[test]
fn problems_of_one_name_are_told_apart() {
    let directory = directory("bench-usi-names");
    let engine = ours();
    for folder in ["a", "b"] {
        fs::create_dir(directory.join(folder)).expect("made");
    }
    let one = problems(&directory.join("a"), &[(THREE, "1"), (FIVE, "1")]);
    let two = problems(&directory.join("b"), &[(NONE, "1")]);
    let files = ["--file", &one, "--file", &two];
    let run = bench(&engine, &[&files[..], &["--tsv", "-q"]].concat());
    let rows: Vec<Vec<&str>> =
        run.stdout.lines().skip(1).map(|line| line.split('\t').take(3).collect()).collect();
    let row = |set: &'static str, id: &'static str| vec!["yomikiri", set, id];
    assert_eq!(rows, [row("mine", "1"), row("mine", "1-2"), row("mine-2", "1")]);
    let kept = directory.join("kept.tsv");
    fs::write(&kept, &run.stdout).expect("written");
    let kept = kept.to_str().expect("UTF-8");
    let again = bench(&engine, &[&files[..], &["--against", kept, "-q"]].concat());
    assert_eq!(again.code, Some(0), "{}{}", again.stdout, again.stderr);
    assert!(again.stdout.contains("there 3/3 in"), "{}", again.stdout);
    assert!(!again.stdout.contains("ANOTHER VERDICT"), "{}", again.stdout);
}

/// An engine that does something else for every problem.
#[cfg(unix)]
fn odd_engine(directory: &Path) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = directory.join("odd");
    let script = r#"#!/bin/sh
while read -r line; do
    case "$line" in
        usi) echo 'id name Odd'; [ "$1" = mute ] || echo usiok ;;
        isready) [ "$1" = slow ] || echo readyok ;;
        position*) place=$line ;;
        stop) kill "$busy"; echo 'checkmate 3d3a' ;;
        quit) exit 0 ;;
        go*)
            case "$place" in
                *8k/4B4*) echo 'info depth 3 nodes 42'; echo 'checkmate 3d3a 1a1b G*1c' ;;
                *9/5+p2k*) echo 'out of luck' >&2; exit 7 ;;
                *8k/9/9/9*) exec sleep 600 ;;
                *9/9/9/9/4k4*) (while :; do :; done) & busy=$! ;;
                *8k/8G*) echo 'checkmate hello world' ;;
                *4k4/9/4P4*) echo 'bestmove G*5b' ;;
                *) printf 'checkmate \033[31m\377\n' ;;
            esac ;;
    esac
done
"#;
    fs::write(&path, script).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("allowed");
    path
}

#[cfg(target_os = "linux")]
#[test]
fn an_engine_that_misbehaves_is_told_and_the_run_goes_on() {
    let directory = directory("bench-usi-odd");
    let engine = odd_engine(&directory);
    let engine = engine.to_str().expect("UTF-8");
    let file = problems(
        &directory,
        &[
            (FIVE, "dies"),
            (NONE, "sleeps"),
            (HARD, "busy"),
            ("8k/8G/8P/9/9/9/9/9/9 w 2r2b3g4s4n4l17p 1", "babbles"),
            ("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", "plays"),
            ("8k/9/8P/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", "paints"),
            (THREE, "good"),
        ],
    );
    let run = bench(engine, &["--file", &file, "--time", "0.3", "--wall", "10", "--json"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let rows = rows(&run);
    let status = |at: usize| rows[at]["status"].as_str().expect("a word");
    let expected = ["died", "hung", "timeout", "garbage", "garbage", "garbage", "mate"];
    assert_eq!([0, 1, 2, 3, 4, 5, 6].map(status), expected, "{}", run.stdout);
    for line in [
        "dies: odd died: it ended at work (out of luck)\n",
        "sleeps: odd hung: no answer within 3s of stop\n",
        "babbles: odd garbage: 'checkmate hello world': move 1, hello, is not legal, or no check\n",
        "plays: odd garbage: 'bestmove G*5b': is no answer to go mate\n",
    ] {
        assert!(run.stderr.contains(line), "{line} in {}", run.stderr);
    }
    assert!(!run.stderr.contains('\u{1b}') && !run.stdout.contains('\u{1b}'), "{}", run.stderr);
    // The work of its child was counted, and an answer after `stop` was not.
    let busy = rows[2]["cpu_seconds"].as_f64().expect("a number");
    assert!((0.3..5.0).contains(&busy) && rows[2]["length"].is_null(), "{}", rows[2]);
    let run = bench(engine, &["--file", &file, "--step", "2", "--time", "600", "--wall", "0.5"]);
    assert!(run.stdout.contains("stopped when 500ms had passed (--wall)\n"), "{}", run.stdout);
    assert_eq!((&rows[6]["nodes"], &rows[6]["length"]), (&42.into(), &3.into()));
    assert_eq!((&rows[7]["faults"], &rows[7]["decided"]), (&5.into(), &1.into()), "{}", rows[7]);
    // One that does not even get so far.
    for (argument, word) in [("mute", "usiok"), ("slow", "readyok")] {
        let engine = format!("'{engine}' {argument}");
        let run = bench(&engine, &["--file", &file, "--step", "9", "--patience", "0.5"]);
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        let expected = format!("dies: odd hung: no {word} within 500ms\n");
        assert_eq!(run.stderr, expected, "{}", run.stdout);
    }
    let run = bench("true", &["--file", &file, "--step", "9"]);
    assert_eq!(
        (run.code, run.stderr.as_str()),
        (Some(1), "dies: true died: it ended without usiok\n")
    );
}

#[test]
fn bad_input_is_refused() {
    let directory = directory("bench-usi-bad");
    let file = problems(&directory, &[(THREE, "three")]);
    let engine = ours();
    let refused = |more: &[&str], parts: &[&str]| {
        let run = bench(&engine, more);
        run.fails_with(parts);
        assert_eq!(run.stdout, "", "{more:?}");
    };
    refused(&["--file", "/nowhere.tsv"], &["cannot read /nowhere.tsv"]);
    refused(&["nosuchset"], &["'nosuchset' is neither a file nor one of zuko"]);
    refused(&["--file", &file, "-o", "Level"], &["NAME=VALUE"]);
    refused(&["--file", &file, "--time", "soon"], &["a number of seconds"]);
    refused(&["--file", &file, "--against", "/nowhere.tsv"], &["cannot read /nowhere.tsv"]);
    refused(&["--file", &file, "--against", &file], &["mine.tsv", "line 1"]);
    refused(&["--file", &file, "--go", "mate\nquit"], &["--go is one line"]);
    bench("no-such-engine", &["--file", &file]).fails_with(&["no program no-such-engine"]);
    bench("'open", &["--file", &file]).fails_with(&["--engine", "opening quote"]);
    bench("", &["--file", &file]).fails_with(&["command is empty"]);
    yomikiri(&["bench", "usi", "--file", &file]).fails_with(&["--engine"]);
    // A line that is no problem is named, and the others are measured.
    let text = fs::read_to_string(&file).expect("a file");
    fs::write(&file, format!("8k/9\tbad\t1\n{text}")).expect("written");
    let run = bench(&engine, &["--file", &file, "-q"]);
    run.fails_with(&["mine.tsv, line 1"]);
    assert!(run.stdout.starts_with("mine: yomikiri: 1/1 decided"), "{}", run.stdout);
    let help = yomikiri(&["bench", "usi", "--help"]);
    assert!(help.code == Some(0) && help.stdout.contains("Examples:"), "{}", help.stdout);
}
