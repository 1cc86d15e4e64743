//! Files, links, pipes and devices, each as a user may name it.

#![cfg(unix)]

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use yomikiri_files::{AtomicFile, Growing, is_file, read, read_to_string, write};

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
