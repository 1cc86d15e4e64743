//! Where output goes: files, links, pipes, devices and `-`.

#![cfg(unix)]

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{Run, command, directory, finish, names, piped, yomikiri};

const THREE: &str = "8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1";
const HEX: &str = "hex 3 .../.../... B";

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
