//! Files, links, pipes and devices, each as a user may name it.

#![cfg(unix)]

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use yomikiri_files::{
    AtomicFile, Error, Growing, check, is_file, open, open_until, read, read_to_string, write,
};

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("files-{name}"));
    if path.exists() {
        fs::remove_dir_all(&path).expect("removed");
    }
    fs::create_dir_all(&path).expect("made");
    path
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("one").file_name().into_string().expect("text")).collect();
    names.sort();
    names
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("a file")
}

#[test]
fn a_draft_appears_when_it_is_complete() {
    let folder = folder("draft");
    let path = folder.join("a");
    write(&path, "old").expect("written");
    let mut permissions = fs::metadata(&path).expect("there").permissions();
    permissions.set_mode(0o640);
    fs::set_permissions(&path, permissions).expect("set");
    let draft = AtomicFile::new(&path).expect("begun");
    draft.file().write_all(b"half").expect("written");
    assert!(AtomicFile::new(&path).is_err(), "two at a time");
    drop(draft);
    assert_eq!((text(&path).as_str(), names(&folder)), ("old", vec!["a".to_owned()]));
    write(&path, "new").expect("written");
    assert_eq!((text(&path).as_str(), names(&folder)), ("new", vec!["a".to_owned()]));
    assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o640);
}

#[test]
fn links_are_followed_and_stay() {
    let folder = folder("links");
    fs::create_dir(folder.join("deep")).expect("made");
    let (target, new) = (folder.join("deep/target"), folder.join("deep/new"));
    fs::write(&target, "old").expect("written");
    symlink("deep/target", folder.join("one")).expect("linked");
    symlink(folder.join("one"), folder.join("two")).expect("linked");
    symlink("deep/new", folder.join("nowhere")).expect("linked");
    write(&folder.join("two"), "through two links").expect("written");
    write(&folder.join("nowhere"), "made").expect("written");
    assert_eq!((text(&target).as_str(), text(&new).as_str()), ("through two links", "made"));
    let mut growing = Growing::open(&folder.join("two")).expect("opened");
    assert_eq!(growing.read().expect("read"), "through two links");
    growing.cut(7).expect("cut");
    growing.add(" it all").expect("added");
    assert_eq!(text(&target), "through it all");
    for link in ["one", "two", "nowhere"] {
        assert!(fs::symlink_metadata(folder.join(link)).expect("there").is_symlink(), "{link}");
    }
    assert_eq!(names(&folder.join("deep")), ["new", "target"]);
    symlink("b", folder.join("a")).expect("linked");
    symlink("a", folder.join("b")).expect("linked");
    let error = write(&folder.join("a"), "").expect_err("a circle");
    let error = format!("{:?}", std::error::Error::source(&error).map(ToString::to_string));
    assert!(error.contains("circle"), "{error}");
}

#[test]
fn pipes_are_written_to_as_they_are() {
    let folder = folder("pipes");
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    symlink(&pipe, folder.join("link")).expect("linked");
    for name in ["pipe", "link"] {
        let path = folder.join(name);
        assert!(!is_file(&path));
        let from = path.clone();
        let reader = thread::spawn(move || {
            let mut text = String::new();
            fs::File::open(from).expect("opened").read_to_string(&mut text).expect("read");
            text
        });
        write(&path, "through the pipe").expect("written");
        assert_eq!(reader.join().expect("ended"), "through the pipe");
        assert!(fs::metadata(&path).expect("there").file_type().is_fifo());
    }
    assert_eq!(names(&folder), ["link", "pipe"]);
}

#[test]
fn devices_are_written_to_as_they_are() {
    let folder = folder("devices");
    let link = folder.join("link");
    symlink("/dev/null", &link).expect("linked");
    write(&link, "gone").expect("written");
    let mut growing = Growing::open(&link).expect("opened");
    growing.add("gone").expect("added");
    growing.cut(0).expect("nothing to cut");
    assert_eq!(growing.read().expect("nothing to read"), "");
    assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
    assert!(fs::metadata("/dev/null").expect("there").file_type().is_char_device());
    assert!(!is_file(&link) && !is_file(Path::new("-")) && is_file(&folder.join("new")));
}

#[test]
fn a_letter_that_was_torn_is_left_out() {
    let path = folder("torn").join("a");
    let whole = "読み";
    fs::write(&path, &whole.as_bytes()[..4]).expect("written");
    let mut growing = Growing::open(&path).expect("opened");
    let there = growing.read().expect("read");
    assert_eq!(there, "読");
    growing.cut(there.len()).expect("cut");
    growing.add("み").expect("added");
    assert_eq!(text(&path), whole);
    // In the middle it is no text.
    fs::write(&path, b"a\xe8b").expect("written");
    assert!(Growing::open(&path).expect("opened").read().is_err());
}

#[test]
fn a_file_that_is_open_already_is_added_to() {
    let folder = folder("open");
    let path = folder.join("a");
    fs::write(&path, "before, ").expect("written");
    let file = fs::OpenOptions::new().append(true).open(&path).expect("opened");
    let number = std::os::fd::AsRawFd::as_raw_fd(&file);
    write(Path::new(&format!("/proc/self/fd/{number}")), "after").expect("written");
    assert_eq!((text(&path).as_str(), names(&folder)), ("before, after", vec!["a".to_owned()]));
}

#[test]
fn what_cannot_be_is_said() {
    let folder = folder("wrong");
    for path in [folder.clone(), folder.join("no/such/folder"), "".into(), "/".into()] {
        let error = write(&path, "x").expect_err("no file");
        assert!(error.to_string().starts_with("cannot write "), "{error}");
        assert!(Growing::open(&path).is_err());
    }
    assert!(read(&folder.join("missing")).is_err() && read(&folder).is_err());
    fs::write(folder.join("bytes"), b"one\ntwo \xff\n").expect("written");
    let error = read_to_string(&folder.join("bytes")).expect_err("not UTF-8");
    let reason = std::error::Error::source(&error).map(ToString::to_string);
    assert_eq!(reason.as_deref(), Some("line 2 is not UTF-8"));
}

#[test]
fn no_input_is_written_to_whatever_it_is_called() {
    let folder = folder("both");
    let input = folder.join("in");
    fs::write(&input, "precious").expect("written");
    fs::create_dir(folder.join("deep")).expect("made");
    symlink(&input, folder.join("link")).expect("linked");
    symlink("link", folder.join("link-to-link")).expect("linked");
    fs::hard_link(&input, folder.join("hard")).expect("linked");
    assert_eq!(read(&input).expect("read"), b"precious");
    for name in ["in", "deep/../in", "link", "link-to-link", "hard"] {
        let path = folder.join(name);
        let tries = [write(&path, "x"), check(&path), Growing::open(&path).map(drop)];
        for tried in tries {
            let error = tried.expect_err(name);
            assert!(matches!(&error, Error::Both { .. }), "{name}: {error}");
            assert!(error.to_string().contains("input"), "{error}");
        }
    }
    // Nor is an output read that is still being written.
    let output = folder.join("out");
    fs::write(&output, "old").expect("written");
    let draft = AtomicFile::new(&output).expect("begun");
    assert!(matches!(read(&output), Err(Error::Both { .. })));
    drop(draft);
    assert_eq!(read(&output).expect("read"), b"old");
    // Devices are read and written at once.
    assert!(open(Path::new("/dev/null")).is_ok() && write(Path::new("/dev/null"), "x").is_ok());
    assert_eq!(text(&input), "precious");
    assert_eq!(names(&folder), ["deep", "hard", "in", "link", "link-to-link", "out"]);
}

#[test]
fn the_draft_of_a_run_that_was_killed_is_taken_over() {
    let folder = folder("dead");
    let path = folder.join("a");
    fs::write(folder.join(".a.part"), "what a killed run has left, and it is long")
        .expect("written");
    write(&path, "new").expect("written");
    assert_eq!((text(&path).as_str(), names(&folder)), ("new", vec!["a".to_owned()]));
    // A link is not followed to a file that is none of ours.
    fs::write(folder.join("other"), "precious").expect("written");
    symlink("other", folder.join(".a.part")).expect("linked");
    assert!(write(&path, "x").is_err());
    assert_eq!((text(&path).as_str(), text(&folder.join("other")).as_str()), ("new", "precious"));
}

#[test]
fn writers_at_once_leave_one_whole_set() {
    let folder = folder("sets");
    let (first, second) = (folder.join("a"), folder.join("b"));
    let written = |number: usize| -> Result<(), Error> {
        let files = vec![AtomicFile::new(&first)?, AtomicFile::new(&second)?];
        for file in &files {
            for _ in 0..100 {
                file.file().write_all(format!("{number} ").as_bytes()).expect("written");
            }
        }
        AtomicFile::finish_together(files, &[])
    };
    let done: usize = thread::scope(|scope| {
        let writers: Vec<_> = (0..8)
            .map(|number| {
                let written = &written;
                scope.spawn(move || {
                    let tries = (0..50).map(|_| match written(number) {
                        Ok(()) => 1,
                        Err(Error::InUse(_)) => 0,
                        Err(error) => panic!("{error}"),
                    });
                    tries.sum::<usize>()
                })
            })
            .collect();
        writers.into_iter().map(|writer| writer.join().expect("no panic")).sum()
    });
    assert!(done > 0);
    assert_eq!(text(&first), text(&second));
    let number = text(&first).split(' ').next().map(str::to_owned).expect("a number");
    assert_eq!(text(&first), format!("{number} ").repeat(100));
    assert_eq!(names(&folder), ["a", "b"]);
}

#[test]
fn what_is_outdated_goes_with_a_new_set() {
    let folder = folder("outdated");
    let (first, second, third) = (folder.join("a"), folder.join("b"), folder.join("c"));
    for path in [&first, &second, &third] {
        fs::write(path, "old").expect("written");
    }
    let files = vec![AtomicFile::new(&first).expect("begun")];
    AtomicFile::finish_together(files, &[second, third, folder.join("none")]).expect("done");
    assert_eq!((text(&first).as_str(), names(&folder)), ("", vec!["a".to_owned()]));
}

#[test]
fn a_silent_pipe_is_given_up() {
    let folder = folder("silent");
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let asked = std::cell::Cell::new(0);
    let is_over = || {
        asked.set(asked.get() + 1);
        asked.get() > 3
    };
    let mut text = Vec::new();
    let mut input = open_until(&pipe, is_over).expect("nobody waits for the other end");
    let error = input.read_to_end(&mut text).expect_err("given up");
    assert_eq!(error.kind(), std::io::ErrorKind::TimedOut);
    // What comes in time is read, in pieces of any size.
    let path = folder.join("other");
    assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
    let long = "letters ".repeat(100_000);
    let writer = thread::spawn({
        let (path, long) = (path.clone(), long.clone());
        move || fs::write(path, long).expect("it reads")
    });
    let mut text = String::new();
    open_until(&path, || false).expect("a pipe").read_to_string(&mut text).expect("read");
    writer.join().expect("written");
    assert!(text == long);
    assert!(open_until(&folder.join("none"), || false).is_err());
}

#[test]
fn the_number_of_an_input_that_is_gone_is_free() {
    let folder = folder("gone");
    // A system gives the numbers of files that were removed to new ones.
    for round in 0..50 {
        let input = folder.join(format!("in-{round}"));
        fs::write(&input, "x").expect("written");
        read(&input).expect("read");
        fs::remove_file(&input).expect("removed");
        let output = folder.join(format!("out-{round}"));
        Growing::open(&output).and_then(|mut file| file.add("y")).expect("written");
        write(&output, "z").expect("written");
    }
}
