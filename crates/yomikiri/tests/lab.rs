//! `yomikiri lab` as its users see it.

use std::fs;
use std::path::Path;
use std::process::Command;

use yomikiri_engine::program::split_words;

use crate::support::{Run, command, directory, finish};

/// Runs an experiment in a folder.
fn lab(folder: &Path, arguments: &[&str]) -> Run {
    let mut command = command(&[&["lab"], arguments].concat());
    finish(command.current_dir(folder).spawn().expect("it starts"))
}

/// The smallest experiment there is.
const SMALL: [&str; 7] =
    ["deep", "--quick", "--positions", "1", "--only", "othello", "--threads=1"];

/// What a line of the summary says.
fn told(summary: &str, name: &str) -> String {
    let line = summary.lines().find_map(|line| line.strip_prefix(name)).expect(name);
    line.trim().to_owned()
}

#[test]
fn a_quick_run_does_not_stop_at_results_that_are_there() {
    let folder = directory("lab-quick");
    let kept = folder.join("lab/results/deep");
    fs::create_dir_all(&kept).expect("made");
    fs::write(kept.join("raw.csv"), "# results of long ago\n").expect("written");
    let quick = folder.join("lab/quick/deep/raw.csv");
    // Twice, and once more after another build has been there.
    for before in [None, None, Some("version 0.0.1, signature 1, program 2")] {
        if let Some(build) = before {
            let text = fs::read_to_string(&quick).expect("a journal");
            let here = text.lines().nth(1).and_then(|line| line.strip_prefix("# build: "));
            fs::write(&quick, text.replace(here.expect("a build"), build)).expect("written");
        }
        let run = lab(&folder, &SMALL);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stdout.contains("Results are in lab/quick/deep"), "{}", run.stdout);
        assert_eq!(run.stderr.contains("begun anew"), before.is_some(), "{}", run.stderr);
        assert!(!fs::read_to_string(&quick).expect("a journal").contains("0.0.1"));
    }
    let text = fs::read_to_string(kept.join("raw.csv")).expect("still there");
    assert_eq!(text, "# results of long ago\n");
    // What is not quick says what is in its way, and what to do.
    lab(&folder, &["deep", "--only", "othello"]).fails_with(&["other settings", "--out"]);
}

const GAME: &str = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n";

#[test]
fn a_table_of_ranks_by_our_own_engine_is_what_clusters_play_by() {
    let folder = directory("lab-ranks");
    fs::write(folder.join("game.pgn"), GAME).expect("written");
    // Its own openings, wherever the problem sets are.
    let opening = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    fs::write(folder.join("openings_3moves.epd"), opening).expect("written");
    let run = lab(&folder, &["ranks", "game.pgn", "--depth", "3", "--out", "ranks", "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let table = run.json();
    assert_eq!((&table["positions"], &table["type"]), (&6.into(), &"lab-ranks".into()));
    assert!(table["engine"].as_str().is_some_and(|name| name.starts_with("Yomikiri")), "{table}");
    fs::write(folder.join("printed.json"), &run.stdout).expect("written");

    let pgpp = |more: &[&str]| {
        let base =
            ["pgpp", "--pairs", "1", "--nodes", "60", "--arms", "pgpp-2,pgpp-2@root,linear-2"];
        let mut command = command(&[&["lab"], &base[..], more].concat());
        command.current_dir(&folder).env("YOMIKIRI_PROBLEMS", &folder);
        finish(command.spawn().expect("it starts"))
    };
    let run = pgpp(&["--out", "a", "--ranks", "ranks/ranks.json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let listed: Vec<f64> =
        table["listed"].as_array().expect("a list").iter().filter_map(|p| p.as_f64()).collect();
    let listed: Vec<String> = listed.iter().map(|p| format!("{p:.4}")).collect();
    let wanted = format!("ranks of ranks/ranks.json: {}", listed.join(" "));
    let read = |name: &str| fs::read_to_string(folder.join("a").join(name)).expect(name);
    let raw = read("raw.csv");
    assert!(raw.lines().next().is_some_and(|line| line.ends_with(&wanted)), "{raw}");
    assert!(read("summary.txt").contains("\nranks     of ranks/ranks.json: "), "{}", run.stdout);
    for arm in ["pgpp-2,0,", "pgpp-2@root,0,", "linear-2,0,"] {
        assert!(raw.contains(&format!("\n{arm}")), "{raw}");
    }
    // The paper's table is another one: what it would find is not mixed in.
    pgpp(&["--out", "a"]).fails_with(&["other settings", "ranks of the paper: 0.5472", &wanted]);
    // What was printed is a table, too.
    let run = pgpp(&["--out", "b", "--ranks", "printed.json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);

    for (name, text, reason) in [
        ("none.json", "rank,count\n1,5\n", "expected value"),
        ("empty.json", "{\"listed\":[]}", "at least one rank"),
        ("large.json", "{\"listed\":[0.8,0.3]}", "more than 1 together"),
        ("other.json", "{\"counts\":[1]}", "listed"),
    ] {
        fs::write(folder.join(name), text).expect("written");
        let run = pgpp(&["--out", "c", "--ranks", name]);
        run.fails_with(&[name, "no table of ranks", "yomikiri lab ranks", reason]);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    }
    pgpp(&["--out", "c", "--ranks", "nowhere.json"]).fails_with(&["nowhere.json"]);
    assert!(!folder.join("c").exists());
}

#[cfg(unix)]
#[test]
fn a_run_of_games_that_was_ended_is_unfinished() {
    let folder = directory("lab-ended");
    let opening = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    fs::write(folder.join("openings_3moves.epd"), opening).expect("written");
    let arguments = ["lab", "pgpp", "--pairs", "500", "--nodes", "60", "--arms", "pgpp-2"];
    let mut command = command(&[&arguments[..], &["--out", "a"]].concat());
    command.current_dir(&folder).env("YOMIKIRI_PROBLEMS", &folder);
    let child = command.spawn().expect("it starts");
    let rows = || {
        let raw = fs::read_to_string(folder.join("a/raw.csv")).unwrap_or_default();
        raw.lines().filter(|line| line.starts_with("pgpp-2,")).count()
    };
    while rows() == 0 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
    let run = finish(child);
    assert_eq!(run.code, Some(1), "{}{}", run.stdout, run.stderr);
    let said = format!("UNFINISHED {} of 500 pairs of games are there", rows());
    assert!(run.stdout.contains(&said), "no {said} in {}", run.stdout);
}

#[test]
fn builds_are_not_mixed_and_the_command_is_the_one_that_was_given() {
    let folder = directory("lab-builds");
    let arguments = [&SMALL[..], &["--out", "a b"]].concat();
    let run = lab(&folder, &arguments);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let read = |name: &str| fs::read_to_string(folder.join("a b").join(name)).expect(name);
    let (summary, raw) = (read("summary.txt"), read("raw.csv"));
    assert!(raw.contains(&told(&summary, "build ")), "{summary}\n{raw}");

    assert!(raw.contains(&format!("# machine: {}\n", told(&summary, "machine "))), "{raw}");

    // The command of the summary does the same, and finds all of it done.
    let words = split_words(&told(&summary, "command ")).expect("words");
    assert_eq!(words[1..], [&["lab"], &arguments[..]].concat());
    let again: Vec<&str> = words[2..].iter().map(String::as_str).collect();
    let run = lab(&folder, &again);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(told(&run.stdout, "this run ").starts_with("0 searches"), "{}", run.stdout);
    assert_eq!(read("raw.csv"), raw);

    // Another build has been at it.
    let here = told(&summary, "build ");
    let other = raw.replace(&here, "version 0.0.1, signature 1, program 2");
    fs::write(folder.join("a b/raw.csv"), &other).expect("written");
    let run = lab(&folder, &arguments);
    run.fails_with(&["another build", "--out", "remove the file", "version 0.0.1", &here]);
    assert_eq!(read("raw.csv"), other, "nothing is written");
}

/// Git, asked about this repository.
fn git(words: &[&str]) -> bool {
    let mut git = Command::new("git");
    let output = git.current_dir(env!("CARGO_MANIFEST_DIR")).args(words).output();
    output.is_ok_and(|output| output.status.success())
}

#[test]
fn the_commit_and_the_node_signature_are_told() {
    let folder = directory("lab-commit");
    let run = lab(&folder, &[&SMALL[..], &["--out", "x"]].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let build = told(&run.stdout, "build ");
    let part = |name: &str| {
        let part = build.split(", ").find_map(|part| part.strip_prefix(name));
        part.unwrap_or_else(|| panic!("no {name}in {build}")).to_owned()
    };
    let (commit, signature) = (part("commit "), part("node signature "));
    // The sources may lie outside of the repository.
    if git(&["ls-files", "--error-unmatch", "Cargo.toml"]) {
        let commit = commit.strip_suffix("-dirty").unwrap_or(&commit);
        let name = format!("{commit}^{{commit}}");
        assert!(commit.len() >= 12 && git(&["rev-parse", "--verify", &name]), "{build}");
        let recorded = include_str!("../../../.ci/signature").trim();
        assert_eq!(signature, recorded, "{build}");
    } else {
        assert_eq!((commit.as_str(), signature.as_str()), ("unknown", "unknown"), "{build}");
    }
    assert!(part("trial searches ").ends_with(" nodes") && part("program ").len() == 16, "{build}");
}

/// A run that may write no file of more than so many KiB. What is beyond fails in the middle of a line,
/// as on a full disk.
#[cfg(unix)]
fn lab_with_little_room(folder: &Path, kib: u32, arguments: &[&str]) -> Run {
    let script = format!("trap '' XFSZ; ulimit -f {kib}; exec \"$0\" lab \"$@\"");
    let mut shell = Command::new("bash");
    shell.env("LC_ALL", "C").args(["-c", &script, env!("CARGO_BIN_EXE_yomikiri")]).args(arguments);
    let output = shell.current_dir(folder).output().expect("bash");
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing_that_is_recorded() {
    let folder = directory("lab-full");
    let arguments = ["deep", "--quick", "--positions", "3", "--only=othello", "--threads=2"];
    let arguments = [&arguments[..], &["--out", "x"]].concat();
    let read = || fs::read_to_string(folder.join("x/raw.csv")).expect("a journal");
    let run = lab_with_little_room(&folder, 1, &arguments);
    run.fails_with(&["could not be recorded", "are kept", "the same command goes on", "x/raw.csv"]);
    assert_eq!(run.stderr.trim().lines().count(), 1, "{}", run.stderr);
    let half = read();
    assert!(half.ends_with('\n') && half.len() <= 1024, "{half}");
    let rows: Vec<&str> = half.lines().filter(|line| line.starts_with("othello,")).collect();
    assert!(rows.len() > 3, "{half}");
    assert!(!folder.join("x/summary.txt").exists());

    // With room again it goes on.
    let run = lab(&folder, &arguments);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let (whole, fresh) = (read(), told(&run.stdout, "this run "));
    let all: Vec<&str> = whole.lines().filter(|line| line.starts_with("othello,")).collect();
    assert!(rows.iter().all(|row| all.contains(row)), "{half}\n{whole}");
    assert!(fresh.starts_with(&format!("{} searches", all.len() - rows.len())), "{fresh}");

    // Where nothing can be written at all, nothing is searched.
    let full = folder.join("full");
    fs::create_dir(&full).expect("made");
    if Path::new("/dev/full").exists() {
        std::os::unix::fs::symlink("/dev/full", full.join("raw.csv")).expect("a link");
        let run = lab(&folder, &[&SMALL[..], &["--out", "full"]].concat());
        run.fails_with(&["full/raw.csv", "No space left"]);
        assert_eq!(run.stderr.trim().lines().count(), 1, "{}", run.stderr);
        assert_eq!(fs::read_dir(&full).expect("a folder").count(), 1, "nothing is written");
    }
}
