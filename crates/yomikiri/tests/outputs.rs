//! Where output goes: files, links, pipes, devices and `-`.

#![cfg(unix)]

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::support::{Run, command, directory, finish, names, piped, yomikiri};

const THREE: &str = "8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1";
const FIVE: &str = "6k2/3s3+s1/5+Ns2/9/7N1/9/9/9/9 b Rr2b4gs2n4l18p 1";
const HEX: &str = "hex 3 .../.../... B";
/// Not decided for a long time.
const HARD: &str = "9/9/9/9/4k4/9/9/9/9 b RBGS2N9Prb3g3s2n4l9p 1";
/// A record that says more than its moves: `THREE`, with its solution and another defence.
const RECORD: &str = "\
作品名：試作
備考：よその見出し
後手の持駒：残り全部
| ・ ・ ・ ・ ・ ・ ・ ・v玉|一
| ・ ・ ・ ・ 角 ・ ・ ・ ・|二
| ・ ・ ・ ・ ・ ・ ・ ・ ・|三
| ・ ・ ・ ・ ・ ・ 龍 ・ 歩|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ ・ ・ ・ ・ ・|九
先手の持駒：金
手数----指手---------消費時間--
*はじめに
   1 ３一龍(34)    ( 0:16/00:00:16)
*好手
   2 １二玉(11)    ( 0:03/00:00:03)
   3 １三金打      ( 0:01/00:00:17)
   4 中断          ( 0:02/00:00:05)
*終わり
変化：2手
   2 ２一歩打      ( 1:00/00:01:00)
*合駒
   3 同　龍(31)    ( 0:04/00:00:20)
";

fn path(directory: &Path, name: &str) -> String {
    directory.join(name).to_str().expect("UTF-8").to_owned()
}

fn is_link(path: &str) -> bool {
    fs::symlink_metadata(path).expect("there").is_symlink()
}

fn good(run: &Run) {
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
}

#[test]
fn every_output_follows_links() {
    let directory = directory("outputs-links");
    let cases: [(&str, &[&str]); 5] = [
        ("certificate", &["solve", THREE, "--certificate"]),
        ("kif", &["solve", THREE, "--kif"]),
        ("table", &["solve", THREE, "--hash", "1", "--save-table"]),
        ("record", &["tsume", "convert", THREE, "--to", "kif", "--out"]),
        ("made", &["tsume", "make", "--count", "1", "--plies", "3", "-q", "--out"]),
    ];
    for (name, arguments) in cases {
        let (target, link) = (path(&directory, name), path(&directory, &format!("{name}.link")));
        fs::write(&target, "old").expect("written");
        symlink(&target, &link).expect("linked");
        good(&yomikiri(&[arguments, &[link.as_str()]].concat()));
        assert!(is_link(&link), "{name}");
        assert!(fs::metadata(&target).expect("there").len() > 20, "{name} is old");
    }
    good(&yomikiri(&["check", &path(&directory, "certificate.link")]));
}

#[test]
fn a_pipe_stays_a_pipe() {
    let directory = directory("outputs-pipe");
    let pipe = path(&directory, "pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    for arguments in [
        &["solve", THREE, "--kif", &pipe][..],
        &["tsume", "convert", THREE, "--to", "kif", "--out", &pipe],
    ] {
        let from = pipe.clone();
        let reader = std::thread::spawn(move || {
            let mut text = String::new();
            fs::File::open(from).expect("opened").read_to_string(&mut text).expect("read");
            text
        });
        good(&yomikiri(arguments));
        assert!(reader.join().expect("ended").contains("手数----指手"));
        assert!(fs::metadata(&pipe).expect("there").file_type().is_fifo());
    }
    assert_eq!(names(&directory), ["pipe"]);
}

#[test]
fn a_device_stays_a_device_and_nothing_is_put_beside_it() {
    let directory = directory("outputs-device");
    let link = path(&directory, "link");
    symlink("/dev/null", &link).expect("linked");
    for option in ["--kif", "--certificate", "--save-table"] {
        let run = yomikiri(&["solve", THREE, "--hash", "1", option, &link]);
        good(&run);
        assert!(run.stdout.contains("proven: mate in 3 plies"), "{}", run.stdout);
    }
    assert!(is_link(&link));
    assert!(fs::metadata(&link).expect("there").file_type().is_char_device());
    assert_eq!(names(&directory), ["link"]);
}

/// A link to the descriptor, for the real device is nothing to play with.
#[test]
fn standard_output_takes_one_output_and_the_report_makes_room() {
    let directory = directory("outputs-standard");
    let link = path(&directory, "link");
    symlink("/proc/self/fd/1", &link).expect("linked");
    for name in ["-", "/proc/self/fd/1", &link] {
        let run = yomikiri(&["solve", THREE, "--kif", name]);
        good(&run);
        assert!(run.stdout.starts_with("手合割"), "{}", run.stdout);
        assert!(!run.stdout.contains("verdict"), "{}", run.stdout);
        assert!(run.stderr.contains("proven: mate in 3 plies"), "{}", run.stderr);
        let again = piped(&["solve", "--json", "--file", "-"], &run.stdout);
        good(&again);
        assert_eq!(again.json()["mate"]["length"], 3);
        let made = yomikiri(&["tsume", "make", "--count", "1", "--plies", "3", "--out", name]);
        good(&made);
        assert!(made.stdout.lines().last().is_some_and(|line| line.ends_with("\t3")));
    }
    assert!(is_link(&link));
    // A certificate is no text.
    let run = command(&["solve", HEX, "--certificate", "-", "--json"]).output().expect("it runs");
    let said = String::from_utf8(run.stderr).expect("text");
    assert!(said.contains("\"verdict\":\"proven\""), "{said}");
    let mut check = command(&["check", "-"]).stdin(Stdio::piped()).spawn().expect("it starts");
    check.stdin.take().expect("a pipe").write_all(&run.stdout).expect("it reads");
    let check = finish(check);
    good(&check);
    assert!(check.stdout.starts_with("standard input: accepted"), "{}", check.stdout);
    let run = yomikiri(&["tsume", "convert", THREE, "--to", "csa", "--out", "-"]);
    assert!(run.stdout.starts_with("V2"), "{}", run.stdout);
    assert_eq!(names(&directory), ["link"]);
    assert!(!Path::new(" -").exists() && !Path::new("-").exists());
}

#[test]
fn a_stream_cannot_be_taken_twice() {
    let twice = ["two outputs go to standard output"];
    yomikiri(&["solve", THREE, "--kif", "-", "--certificate", "-"]).fails_with(&twice);
    yomikiri(&["solve", HEX, "--save-table", "-", "--certificate", "-"]).fails_with(&twice);
    piped(&["solve", "--file", "-", "--file", "-"], HEX).fails_with(&["can be read once only"]);
    piped(&["check", "-", "-"], "").fails_with(&["can be read once only"]);
    let several = yomikiri(&["solve", HEX, HEX, "--certificate", "-"]);
    several.fails_with(&["--certificate -: several problems need a directory"]);
    assert!(several.stdout.is_empty());
}

/// A run in a directory.
fn run_in(directory: &Path, arguments: &[&str]) -> Run {
    finish(command(arguments).current_dir(directory).spawn().expect("it starts"))
}

#[test]
fn no_command_replaces_its_input() {
    let folder = directory("outputs-inputs");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("written");
    let old = [
        ("a.kif", RECORD.to_owned()),
        ("b.kif", RECORD.to_owned()),
        ("a.tsv", format!("{THREE}\ta\t3\n{FIVE}\tb\t5\n")),
        ("c.tsv", format!("{THREE}\tc.svg\n")),
        ("mate.shorter.cert", THREE.to_owned()),
    ];
    old.iter().for_each(|(name, text)| write(name, text));
    good(&run_in(&folder, &["solve", HEX, "--save-table", "table", "--hash", "1"]));
    let table = fs::read(folder.join("table")).expect("a table");
    symlink("a.kif", folder.join("link.kif")).expect("linked");
    fs::hard_link(folder.join("a.kif"), folder.join("hard.kif")).expect("linked");
    fs::hard_link(folder.join("a.tsv"), folder.join("2.kif")).expect("linked");
    let before = names(&folder);
    let here = folder.join("a.kif");
    let cases: &[&[&str]] = &[
        &["solve", "--file", "a.kif", "--kif", "a.kif"],
        &["solve", "--file", "a.kif", "--kif", "./a.kif"],
        &["solve", "--file", "a.kif", "--kif", here.to_str().expect("UTF-8")],
        &["solve", "--file", "a.kif", "--kif", "link.kif"],
        &["solve", "--file", "link.kif", "--kif", "hard.kif"],
        &["solve", "--file", "a.kif", "--certificate", "a.kif"],
        &["solve", "--file", "a.kif", "--save-table", "a.kif"],
        &["solve", "--file", "mate.shorter.cert", "--certificate", "mate.cert"],
        &["solve", HEX, "--load-table", "table", "--save-table", "table", "--hash", "1"],
        &["solve", "--file", "a.tsv", "--file", "a.kif", "--kif", "."],
        &["tsume", "check", "--file", "a.kif", "--file", "b.kif", "--kif", "."],
        &["tsume", "check", "--file", "a.kif", "--file", "b.kif", "--kif", ".", "--force"],
        &["tsume", "convert", "--file", "a.kif", "--out", "a.kif"],
        &["tsume", "convert", "--file", "a.kif", "--out", "hard.kif"],
        &[
            "tsume", "convert", "--file", "a.kif", "--file", "b.kif", "--to", "kif", "-o", ".",
            "--force",
        ],
        &["tsume", "show", "--file", "a.kif", "--to", "svg", "--out", "link.kif"],
        &["tsume", "show", "--file", "a.kif", "--to", "html", "--out", "a.kif"],
        &["tsume", "make", "--sound", "length", "--from", "a.tsv", "--out", "a.tsv", "--time", "0"],
        &["tsume", "merge", "--file", "a.tsv", "--out", "a.tsv"],
    ];
    let is_kept = |arguments: &[&str]| {
        for (name, text) in &old {
            assert_eq!(
                fs::read_to_string(folder.join(name)).expect("there"),
                *text,
                "{arguments:?}"
            );
        }
        assert_eq!(fs::read(folder.join("table")).expect("there"), table, "{arguments:?}");
        assert_eq!(names(&folder), before, "{arguments:?}");
    };
    for arguments in cases {
        run_in(&folder, arguments).fails_with(&["an input", "give the output another name"]);
        is_kept(arguments);
    }
    // Standard input may be a file, too.
    let arguments = ["solve", "--kif", "hard.kif"];
    let input = fs::File::open(&here).expect("opened");
    let child = command(&arguments).current_dir(&folder).stdin(input).spawn().expect("it starts");
    finish(child).fails_with(&["hard.kif is an input as well (standard input)"]);
    is_kept(&arguments);
}

#[test]
fn a_directory_keeps_what_it_has() {
    let folder = directory("outputs-force");
    let path = |name: &str| path(&folder, name);
    let table = path("two.tsv");
    fs::write(&table, format!("{THREE}\tone\n{FIVE}\ttwo\n")).expect("written");
    let game = path("game.usi");
    fs::write(&game, format!("position sfen {THREE} moves 3d3a 1a1b")).expect("written");
    let (out, man) = (path("out"), path("man"));
    let cases: &[(&[&str], &str)] = &[
        (&["solve", "--file", &table, "-q", "--kif"], "two.kif"),
        (&["solve", "--file", &table, "-q", "--certificate"], "two.shorter.cert"),
        (&["solve", "--file", &game, "-q", "--every", "--certificate"], "1-000-played.cert"),
        (&["tsume", "check", "--file", &table, "-q", "--kif"], "one.kif"),
        (&["tsume", "check", "--file", &table, "-q", "--svg"], "two.svg"),
        (&["tsume", "check", "--file", &table, "-q", "--sheet"], "two.html"),
        (&["tsume", "check", "--file", &table, "-q", "--certificates"], "two-999.cert"),
        (&["tsume", "convert", "--file", &table, "--to", "csa", "--out"], "two.csa"),
        (&["tsume", "show", "--file", &table, "--to", "svg", "--out"], "one.svg"),
        (&["man", "--out"], "yomikiri-solve.1"),
    ];
    for (arguments, name) in cases {
        let folder = if arguments[0] == "man" { &man } else { &out };
        let _ = fs::remove_dir_all(folder);
        fs::create_dir(folder).expect("made");
        let file = Path::new(folder).join(name);
        fs::write(&file, "precious").expect("written");
        let arguments = [arguments, &[folder.as_str()][..]].concat();
        yomikiri(&arguments).fails_with(&[name, "exists: --force replaces it"]);
        assert_eq!(names(Path::new(folder)), [*name], "{arguments:?}");
        assert_eq!(fs::read_to_string(&file).expect("there"), "precious");
        let is_second = name.contains(".shorter.") || name.ends_with("999.cert");
        if is_second {
            // No certificate: nothing that this program may take away.
            let run = yomikiri(&[&arguments[..], &["--force"]].concat());
            assert_eq!(fs::read_to_string(&file).expect("there"), "precious", "{}", run.stderr);
            continue;
        }
        good(&yomikiri(&[&arguments[..], &["--force"]].concat()));
        assert_ne!(fs::read_to_string(&file).ok().as_deref(), Some("precious"), "{arguments:?}");
    }
}

#[test]
fn what_is_written_keeps_what_the_record_says() {
    let folder = directory("outputs-kept");
    let file = path(&folder, "a.kif");
    fs::write(&file, RECORD).expect("written");
    let (solved, checked) = (path(&folder, "solved.kif"), path(&folder, "checked"));
    good(&yomikiri(&["solve", "--file", &file, "--kif", &solved]));
    good(&yomikiri(&["tsume", "check", "--file", &file, "--kif", &checked]));
    let converted = path(&folder, "converted.kif");
    good(&yomikiri(&["tsume", "convert", "--file", &file, "--out", &converted]));
    for file in [solved, path(Path::new(&checked), "1.kif"), converted] {
        let text = fs::read_to_string(&file).expect("a record");
        for part in [
            "作品名：試作\n備考：よその見出し\n",
            "*はじめに\n",
            "   1 ３一龍(34)    ( 0:16/00:00:16)\n*好手\n",
            "   2 １二玉(11)    ( 0:03/00:00:03)\n",
            "   3 １三金打      ( 0:01/00:00:17)\n",
            "( 0:02/00:00:05)\n",
            "*終わり\n",
            "変化：2手\n   2 ２一歩打      ( 1:00/00:01:00)\n*合駒\n",
            // In the checked one it is a variation of what was found there.
            "   3 同　龍(31)    ( 0:04/00:00:20)\n",
        ] {
            assert!(text.contains(part), "{file}: no {part} in\n{text}");
        }
    }
    // Of a position of a game what is said of that.
    let run =
        yomikiri(&["solve", "--file", &file, "--at", "1", "--attacker", "black", "--kif", "-"]);
    good(&run);
    assert!(run.stdout.contains("備考：よその見出し\n"), "{}", run.stdout);
    assert!(run.stdout.contains("*好手\n") && !run.stdout.contains("*はじめに"), "{}", run.stdout);
}

/// The problem that a certificate is about.
fn problem(path: &str) -> String {
    let bytes = fs::read(path).expect("a certificate");
    let text = String::from_utf8_lossy(&bytes);
    text.lines().find(|line| line.starts_with("problem: ")).expect("a header").to_owned()
}

#[test]
fn certificates_beside_each_other_are_of_one_answer() {
    let folder = directory("outputs-pairs");
    let (first, second) = (path(&folder, "mate.cert"), path(&folder, "mate.shorter.cert"));
    good(&yomikiri(&["solve", FIVE, "-c", &first]));
    assert_eq!(names(&folder), ["mate.cert", "mate.shorter.cert"]);
    good(&yomikiri(&["solve", THREE, "-c", &first]));
    assert!(problem(&first) == problem(&second) && problem(&first).contains(THREE));
    // Nothing is left of another answer, whatever it was.
    for arguments in [&["solve", HEX][..], &["solve", THREE, "--any-mate"]] {
        good(&yomikiri(&["solve", FIVE, "-c", &first]));
        good(&yomikiri(&[arguments, &["-c", &first]].concat()));
        assert_eq!(names(&folder), ["mate.cert"], "{arguments:?}");
    }
    // Where nothing is found, nothing changes.
    good(&yomikiri(&["solve", FIVE, "-c", &first]));
    assert_eq!(yomikiri(&["solve", HARD, "--nodes", "10", "-c", &first]).code, Some(1));
    assert!(problem(&first) == problem(&second) && problem(&first).contains(FIVE));
    // What is no certificate stays.
    fs::write(&second, "notes").expect("written");
    yomikiri(&["solve", THREE, "-c", &first]).fails_with(&["mate.shorter.cert is no certificate"]);
    assert_eq!(fs::read_to_string(&second).expect("there"), "notes");
    assert!(problem(&first).contains(FIVE));
}

#[test]
fn two_runs_with_one_name_leave_a_pair() {
    let folder = directory("outputs-two-runs");
    let (first, second) = (path(&folder, "mate.cert"), path(&folder, "mate.shorter.cert"));
    for _ in 0..10 {
        let start = |problem: &&str| command(&["solve", problem, "-c", &first]).spawn();
        let runs: Vec<Child> = [THREE, FIVE, THREE, FIVE]
            .iter()
            .map(start)
            .map(|run| run.expect("it starts"))
            .collect();
        for run in runs.into_iter().map(finish) {
            match run.code {
                Some(0) => {}
                _ => run.fails_with(&["is being written already"]),
            }
        }
        assert_eq!(names(&folder), ["mate.cert", "mate.shorter.cert"]);
        assert_eq!(problem(&first), problem(&second));
        good(&yomikiri(&["check", &first, &second]));
    }
}

#[test]
fn the_next_run_clears_what_a_killed_one_left() {
    let folder = directory("outputs-killed");
    let name = path(&folder, "mate.cert");
    let mut run = command(&["solve", HARD, "-c", &name]).spawn().expect("it starts");
    let draft = folder.join(".mate.cert.part");
    while !draft.exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    // Meanwhile the name is taken, as soon as the draft that was made is locked.
    let mut others = (0..100).map(|_| yomikiri(&["solve", HEX, "-c", &name]));
    let refused = others.find(|other| other.code != Some(0)).expect("one is refused");
    refused.fails_with(&["mate.cert is being written already"]);
    run.kill().expect("killed");
    run.wait().expect("ended");
    assert!(draft.exists());
    good(&yomikiri(&["solve", HEX, "-c", &name]));
    assert_eq!(names(&folder), ["mate.cert"]);
}
