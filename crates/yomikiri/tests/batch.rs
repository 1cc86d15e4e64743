//! Several problems at a time: what is printed does not tell how many, but for the times.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Run, command, directory, finish, names, piped, yomikiri};

const OTHELLO: &str = "OOOOO----XXOOO--XXOXXOO-XXOOXX--OOXOXXXOXOOXXXOO--OOXXOO--X--XO- X";
const THREE: &str = "8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1";
const FIVE: &str = "9/5+p2k/9/5+B3/8S/9/9/9/9 b Rrb4g3s4n4l17p 1";
/// No mate, but that takes fifty thousand nodes.
const LONG: &str = "9/9/9/9/4k4/9/9/9/9 b R2Gr2b2g4s4n4l18p 1";
/// Nobody decides it while a test runs.
const OPEN: &str = "9/9/9/9/4k4/9/9/9/9 b RBGS2N9Prb3g3s2n4l9p 1";
const HEX: &str = "hex 3 .../.../... B";
const BAD: &str = "hex 3 .../.Q./... B";
const CHESS: &str = "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1";
/// Nor this one.
const HARD: &str = "hex 11 moves";

/// Small problems of all games, two bad lines, and some that take longer than a first try.
fn list() -> String {
    let mut list = String::new();
    for round in 0..2 {
        for (id, text) in
            [("o", OTHELLO), ("t", THREE), ("bad", BAD), ("h", HEX), ("c", CHESS), ("x", "8k/9")]
        {
            list += &format!("{id}{round}\t{text}\n");
        }
    }
    list + &format!("long\t{LONG}\nlast\thex 4 ..../..../..../.... B\n")
}

/// The lines without what is measured: times, and memory.
fn untimed(text: &str) -> Vec<String> {
    let cut = |line: &str| {
        let line = line.split("; peak").next().unwrap_or_default();
        let is_measured = line.starts_with("  search") || line.contains(" bad; ");
        match (is_measured, line.split_once(" nodes in ")) {
            (true, Some((before, _))) => before.to_owned(),
            _ => line.to_owned(),
        }
    };
    text.lines().map(cut).collect()
}

/// The objects without what is measured.
fn objects(text: &str) -> Vec<Value> {
    crate::json::types(text);
    let read = |line: &str| {
        let mut object: Value = serde_json::from_str(line).expect("JSON");
        for field in ["seconds", "cpu_seconds", "nodes_per_second", "peak_memory_mib"] {
            object.as_object_mut().expect("an object").remove(field);
        }
        object
    };
    text.lines().map(read).collect()
}

/// With the same table for each, everything is the same for any number of jobs, to the node.
#[test]
fn the_output_does_not_tell_how_many_jobs_there_were() {
    let list = list();
    for options in [&[][..], &["-q"], &["--plain", "--nodes", "60k"], &["-a", "deep-dfpn"]] {
        let run = |jobs: &str, hash: &str| -> Run {
            piped(&[&["solve", "--jobs", jobs, "--hash", hash], options].concat(), &list)
        };
        let (one, four) = (run("1", "4"), run("4", "16"));
        assert_eq!((one.code, four.code), (Some(2), Some(2)), "{}", four.stderr);
        assert_eq!(untimed(&one.stdout), untimed(&four.stdout), "{options:?}");
        assert_eq!(one.stderr, four.stderr);
        assert_eq!(one.stderr.matches("'Q' is no cell").count(), 2);
        assert!(four.stdout.trim_end().ends_with("s passed, 4 jobs"), "{}", four.stdout);
        let json = |jobs: &str, hash: &str| {
            let options = [&["solve", "--json", "--jobs", jobs, "--hash", hash], options].concat();
            objects(&piped(&options, &list).stdout)
        };
        let found = json("3", "12");
        assert_eq!(json("1", "4"), found, "{options:?}");
        let ids = found.iter().filter_map(|object| object["id"].as_str());
        assert!(ids.eq(list.lines().filter_map(|line| line.split('\t').next())));
    }
}

/// With another table for each the verdicts stay, of course.
#[test]
fn verdicts_are_those_of_one_job() {
    let list = list();
    let run = |jobs: &str| {
        let run = piped(&["solve", "-q", "--jobs", jobs, "--hash", "16"], &list);
        run.stdout.lines().filter(|line| !line.contains(" bad; ")).map(str::to_owned).collect()
    };
    let one: Vec<String> = run("1");
    assert_eq!(one.len(), 10);
    for jobs in ["2", "7", "16"] {
        assert_eq!(one, run(jobs), "{jobs}");
    }
}

#[test]
fn a_game_is_asked_about_by_several_jobs() {
    let pgn = "1. f3 e5 2. g4 a6 3. a3 *\n";
    let run = |jobs: &str, hash: &str, more: &[&str]| {
        let options = ["solve", "--every", "--nodes", "2k", "--jobs", jobs, "--hash", hash];
        piped(&[&options, more].concat(), pgn)
    };
    let measured = |text: &str| {
        let lines = text.lines().map(|line| line.split(" nodes in ").next().unwrap_or_default());
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let (one, three) = (run("1", "4", &[]), run("3", "12", &[]));
    assert_eq!(measured(&one.stdout), measured(&three.stdout), "{}", three.stderr);
    assert!(one.stdout.contains("mate in 1 ply by Qh4#"), "{}", one.stdout);
    assert_eq!(one.code, three.code);
    let json = |jobs, hash| objects(&run(jobs, hash, &["--json"]).stdout);
    assert_eq!(json("1", "4"), json("3", "12"));
}

#[test]
fn certificates_of_all_jobs_are_there_and_accepted() {
    let directory = directory("batch-certificates");
    let folder = directory.join("out");
    let folder = folder.to_str().expect("UTF-8");
    let list = format!("a\t{OTHELLO}\na\t{HEX}\nb\t{CHESS}\nc\t{HEX}\nd\t{BAD}\n");
    let run = piped(&["solve", "-q", "--jobs", "3", "--certificate", folder], &list);
    run.fails_with(&["line 5"]);
    let files = names(Path::new(folder));
    assert_eq!(files, ["a-2.cert", "a.cert", "b.cert", "c.cert"]);
    for file in files {
        let file = Path::new(folder).join(file);
        assert_eq!(yomikiri(&["check", file.to_str().expect("UTF-8")]).code, Some(0));
    }
    let kif = directory.join("kif");
    let kif = kif.to_str().expect("UTF-8");
    let run = yomikiri(&["solve", THREE, THREE, "-q", "--jobs", "2", "--kif", kif]);
    assert_eq!((run.code, names(Path::new(kif)).len()), (Some(0), 2), "{}", run.stderr);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let table = directory("batch-table").join("a.table");
    let table = table.to_str().expect("UTF-8");
    let save = yomikiri(&["solve", HEX, HEX, "--jobs", "2", "--save-table", table]);
    save.fails_with(&["--save-table and --load-table take one problem at a time"]);
    let small = yomikiri(&["solve", HEX, HEX, HEX, "--jobs", "3", "--hash", "2"]);
    small.fails_with(&["--jobs 3", "--hash 2", "--hash 3 or more"]);
    assert_eq!(small.stdout, "");
    for bad in ["0", "-1", "two", "1025", ""] {
        yomikiri(&["solve", HEX, "--jobs", bad]).fails_with(&["--jobs"]);
    }
    // One problem is one job, which has all of the memory.
    let one = yomikiri(&["solve", HEX, "--jobs", "8", "--hash", "2", "--json"]).json();
    assert_eq!(one["hash_mib"], 2);
    let three = yomikiri(&["solve", HEX, HEX, HEX, "--jobs", "3", "--hash", "10", "--json"]);
    assert!(objects(&three.stdout).iter().all(|object| object["hash_mib"] == 3));
    let advice = ["solve", "--plain", HARD, HARD, "-a", "pn", "--hash", "8", "--jobs", "2"];
    let advice = yomikiri(&[&advice[..], &["--json"]].concat()).json();
    assert_eq!(advice["reason"], "memory");
    // It speaks of --hash, not of a job's part.
    assert!(advice["advice"].as_str().is_some_and(|text| text.contains("--hash 32 ")), "{advice}");
}

#[test]
fn sets_are_measured_by_several_jobs() {
    let directory = directory("batch-bench");
    let file = directory.join("mine.tsv");
    let rows: String = (0..6)
        .map(|n| format!("{THREE}\tthree{n}\t3\n{FIVE}\tfive{n}\t7\n8k/9\tbad{n}\t1\n"))
        .collect();
    fs::write(&file, rows).expect("written");
    let file = file.to_str().expect("UTF-8");
    let run = |jobs: &str, hash: &str, more: &[&str]| {
        let options = ["bench", "tsume", file, "--certify", "--jobs", jobs, "--hash", hash];
        yomikiri(&[&options, more].concat())
    };
    let (one, four) = (run("1", "4", &["--json"]), run("4", "16", &["--json"]));
    assert_eq!((one.code, four.code), (Some(2), Some(2)), "{}", four.stderr);
    assert_eq!(one.stderr, four.stderr);
    assert_eq!(one.stderr.matches("error: ").count(), 6, "{}", one.stderr);
    let (mut one, mut four) = (objects(&one.stdout), objects(&four.stdout));
    let (last, all) = (one.pop().expect("a total"), four.pop().expect("a total"));
    assert_eq!(one, four);
    assert_eq!(one.len(), 12);
    for field in ["problems", "decided", "nodes", "accepted", "bad", "hash_mib"] {
        assert_eq!(last[field], all[field], "{field}");
    }
    assert_eq!((&last["jobs"], &all["jobs"], &all["bad"]), (&1.into(), &4.into(), &6.into()));
    let text = run("3", "12", &["-q", "--shortest"]).stdout;
    assert!(
        text.contains("mine: 12/12 decided in ") && text.contains("; 3 jobs of 4 MiB"),
        "{text}"
    );
    run("3", "2", &[]).fails_with(&["--jobs 3", "--hash 3 or more"]);
}

#[test]
fn problems_are_checked_by_several_jobs() {
    let list: String =
        (0..3).map(|n| format!("t{n}\t{THREE}\nf{n}\t{FIVE}\nbad{n}\t8k/9\n")).collect();
    let run = |jobs: &str, hash: &str, more: &[&str]| {
        let options = ["tsume", "check", "--file", "-", "--jobs", jobs, "--hash", hash];
        piped(&[&options, more].concat(), &list)
    };
    let (one, four) = (run("1", "4", &["-q"]), run("4", "16", &["-q"]));
    assert_eq!((one.code, four.code), (Some(2), Some(2)), "{}", four.stderr);
    assert_eq!((&one.stdout, &one.stderr), (&four.stdout, &four.stderr));
    assert_eq!(one.stdout.lines().count(), 6);
    let json = |jobs, hash| objects(&run(jobs, hash, &["--json"]).stdout);
    let found = json("4", "16");
    assert_eq!(json("1", "4"), found);
    let ids = found.iter().filter_map(|object| object["id"].as_str());
    assert!(ids.eq(["t0", "f0", "bad0", "t1", "f1", "bad1", "t2", "f2", "bad2"]));
    run("4", "3", &[]).fails_with(&["--jobs 4", "--hash 4 or more"]);
}

#[cfg(unix)]
fn interrupt(child: &std::process::Child) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
}

/// What was finished is printed in order, what was being searched is unknown, the rest is named.
#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_was_finished() {
    for jobs in ["1", "3"] {
        let directory = directory(&format!("batch-interrupt-{jobs}"));
        let file = directory.join("list.tsv");
        let hard = |id: &str| format!("{id}\t{HARD}\n");
        let easy = |id: &str| format!("{id}\t{HEX}\n");
        let mut list = easy("e1") + &hard("h1") + &easy("e2") + &hard("h2") + &hard("h3");
        list += &(4..20).map(|number| hard(&format!("h{number}"))).collect::<String>();
        fs::write(&file, list).expect("written");
        let file = file.to_str().expect("UTF-8");
        let options = ["solve", "--plain", "--file", file, "--hash", "12", "--jobs", jobs];
        let child = command(&[&options[..], &["--json"]].concat()).spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(1500));
        interrupt(&child);
        let run = finish(child);
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        let found = objects(&run.stdout);
        let verdicts: Vec<(&str, &str)> = found
            .iter()
            .filter_map(|object| Some((object["id"].as_str()?, object["verdict"].as_str()?)))
            .collect();
        let (begun, untried) = match jobs {
            "1" => (2, "19 problems were not tried: e2, h2, h3, h4, h5, h6, h7, h8 and 11 more"),
            _ => (5, "16 problems were not tried: h4, h5, h6, h7, h8, h9, h10, h11 and 8 more"),
        };
        let whole = [
            ("e1", "proven"),
            ("h1", "unknown"),
            ("e2", "proven"),
            ("h2", "unknown"),
            ("h3", "unknown"),
        ];
        assert_eq!(verdicts, whole[..begun], "{}", run.stderr);
        assert_eq!(run.stderr, format!("stopped: {untried}\n"));
    }
}

/// A set keeps what was measured; what Ctrl-C has cut short is not, and is named with the rest.
#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_was_measured() {
    let file = directory("batch-bench-interrupt").join("mine.tsv");
    let rows = [("e1", THREE), ("l1", OPEN), ("e2", THREE), ("l2", OPEN), ("l3", OPEN)];
    let rows: String = rows.iter().map(|(id, text)| format!("{text}\t{id}\t3\n")).collect();
    fs::write(&file, rows).expect("written");
    let file = file.to_str().expect("UTF-8");
    let options = ["bench", "tsume", file, "--shortest", "--time", "600", "--jobs", "2"];
    let child = command(&[&options[..], &["--hash", "32"]].concat()).spawn().expect("it starts");
    std::thread::sleep(Duration::from_millis(1500));
    interrupt(&child);
    let run = finish(child);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let rows: Vec<&str> = run.stdout.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(rows, ["e1", "e2", "mine:"], "{}", run.stdout);
    assert!(run.stderr.contains("3 problems were not measured: l1, l2, l3\n"), "{}", run.stderr);
}

#[test]
fn a_reader_who_goes_ends_it_quietly() {
    let directory = directory("batch-pipe");
    let file = directory.join("list.tsv");
    let list: String = (0..50).map(|_| format!("{HEX}\n")).chain([format!("{HARD}\n")]).collect();
    fs::write(&file, list.repeat(4)).expect("written");
    let file = file.to_str().expect("UTF-8");
    let options = ["solve", "--plain", "--file", file, "--json", "--jobs", "2", "--hash", "8"];
    let mut child = command(&options).spawn().expect("it starts");
    let start = Instant::now();
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    stdout.read_line(&mut line).expect("a line");
    assert!(line.contains("\"solve\""), "{line}");
    drop(stdout);
    let mut said = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("UTF-8");
    assert!(child.wait().expect("it ends").success());
    assert_eq!(said, "");
    assert!(start.elapsed() < Duration::from_secs(60));
}

/// One name for what is printed, for JSON and for files, whatever the source says.
#[test]
fn no_two_problems_are_called_the_same() {
    let directory = directory("batch-names");
    // The first has no name, and its number is that of the second; the name of the third is taken.
    let table = directory.join("names.tsv");
    fs::write(&table, format!("{THREE}\n{FIVE}\t1\t5\n{HEX}\n1\t{HEX}\n")).expect("written");
    let table = table.to_str().expect("UTF-8");
    let wanted = ["1-2", "1", "3", "1-3"];
    let (certificates, kif) = (directory.join("certificates"), directory.join("kif"));
    let run = yomikiri(&[
        "solve",
        "--file",
        table,
        "--json",
        "--certificate",
        certificates.to_str().expect("UTF-8"),
    ]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let ids: Vec<Value> = objects(&run.stdout).iter().map(|object| object["id"].clone()).collect();
    assert_eq!(ids, wanted);
    let files: Vec<String> =
        names(&certificates).into_iter().filter(|name| !name.contains(".shorter.")).collect();
    assert_eq!(files, ["1-2.cert", "1-3.cert", "1.cert", "3.cert"]);
    let lines = yomikiri(&["solve", "--file", table, "-q"]).stdout;
    let printed: Vec<&str> =
        lines.lines().filter_map(|line| line.split_once(": ")).map(|(id, _)| id).collect();
    assert_eq!(printed[..4], wanted);
    // Files of the same name in two folders.
    for folder in ["a", "b"] {
        fs::create_dir(directory.join(folder)).expect("made");
        fs::write(directory.join(folder).join("x.sfen"), format!("x\t{THREE}\n")).expect("written");
    }
    let file =
        |folder: &str| directory.join(folder).join("x.sfen").to_str().expect("UTF-8").to_owned();
    let run = yomikiri(&[
        "tsume",
        "convert",
        "--file",
        &file("a"),
        "--file",
        &file("b"),
        "--to",
        "kif",
        "--out",
        kif.to_str().expect("UTF-8"),
    ]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(names(&kif), ["x-2.kif", "x.kif"]);
}
