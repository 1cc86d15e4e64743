//! Certificates that earlier versions wrote are accepted for ever, and what is not written as the format
//! says is not.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::{fs, io};

use andor::{Pulse, Stop};
use yomikiri_question::certificate::{Accepted, CheckLimits, Error, check};

/// The golden certificates by name.
fn golden() -> Vec<(String, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let files = fs::read_dir(folder).and_then(|files| files.collect::<io::Result<Vec<_>>>());
    let mut all: Vec<_> = files
        .expect("the folder of golden certificates")
        .into_iter()
        .filter_map(|file| Some((file.file_name().into_string().ok()?, file.path())))
        .filter(|(name, _)| name.ends_with(".cert"))
        .map(|(name, path)| (name, fs::read(path).expect("a golden certificate")))
        .collect();
    all.sort();
    all
}

fn read(bytes: &[u8]) -> Result<Accepted, Error> {
    let limits = CheckLimits { length: Some(bytes.len() as u64), memory: None };
    check(bytes, None, limits, &Pulse::new(Stop::new()))
}

/// The certificate of this name with one text replaced by another.
fn changed(name: &str, from: &[u8], to: &[u8]) -> Vec<u8> {
    let (_, bytes) = golden().into_iter().find(|(other, _)| other == name).expect("a golden name");
    let place = bytes.windows(from.len()).position(|part| part == from).expect("what is replaced");
    [&bytes[..place], to, &bytes[place + from.len()..]].concat()
}

#[test]
fn certificates_of_all_formats_and_games_are_accepted_for_ever() {
    let mut seen = BTreeSet::new();
    for (name, bytes) in golden() {
        let accepted = read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let format = name.strip_suffix(".cert").and_then(|name| name.rsplit_once('.'));
        let (_, format) = format.expect("a format in the name");
        let magic = format!("yomikiri certificate {format}\n");
        assert!(bytes.starts_with(magic.as_bytes()), "{name}");
        let game = accepted.claim.problem.game().name;
        assert!(name.starts_with(game), "{name}");
        seen.insert((game, format.to_owned(), accepted.claim.value.to_string()));
    }
    for game in ["graph", "othello", "hex", "chess", "shogi"] {
        for (format, value) in
            [("1", "proven"), ("1", "disproven"), ("3", "proven"), ("3", "disproven")]
        {
            let is_there = seen.contains(&(game, format.into(), value.into()));
            // Formats differ in the order of children, of which this certificate of Othello has many.
            assert!(
                is_there || (game, value) == ("othello", "disproven"),
                "{game} {format} {value}"
            );
        }
    }
    for game in ["graph", "chess", "shogi"] {
        assert!(seen.contains(&(game, "2".into(), "disproven".into())), "{game}, format 2");
    }
}

#[test]
fn children_stand_in_the_order_of_the_format() {
    // Read as format 3, what stands in the order of a move generator is another certificate, and wrong.
    for name in ["chess-mated.1.cert", "chess-mated-2.1.cert", "shogi-seventeen-shorter.2.cert"] {
        let (_, number) = name.trim_end_matches(".cert").rsplit_once('.').expect("a format");
        let from = format!("certificate {number}\n");
        let as_latest = changed(name, from.as_bytes(), b"certificate 3\n");
        assert!(read(&as_latest).is_err_and(|error| error.is_rejection()), "{name}");
    }
}

#[test]
fn only_format_2_and_later_raise() {
    let as_first =
        changed("shogi-seventeen-shorter.2.cert", b"certificate 2\n", b"certificate 1\n");
    let error = read(&as_first).err().expect("rejected").to_string();
    assert!(error.contains("an unknown record"), "{error}");
}

#[test]
fn plies_are_written_in_one_way_only() {
    let name = "chess-mated.3.cert";
    assert!(read(&changed(name, b"plies: 2\n", b"plies: 3\n")).is_ok(), "a weaker claim");
    for plies in ["+2", "02", "0002", " 2", "2 ", "65535", "65536", "-1", "", "2.0", "２"] {
        let written = format!("plies: {plies}\n");
        let error = read(&changed(name, b"plies: 2\n", written.as_bytes()));
        let error = error.err().unwrap_or_else(|| panic!("{plies} is accepted")).to_string();
        assert!(error.contains("plies: N|-"), "{plies}: {error}");
    }
}
