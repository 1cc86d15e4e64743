//! Colour: where it is asked for, and nowhere else.

use crate::support::{Run, command, directory, finish};

const HEX: &str = "hex 3 .../.../... B";
const THREE: &str = "8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Runs the program with these variables and none of the usual ones.
fn run(variables: &[(&str, &str)], arguments: &[&str]) -> Run {
    let mut command = command(arguments);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied());
    finish(command.spawn().expect("it starts"))
}

/// The text without what paints it.
fn bare(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |bare, part| bare + part.split_once('m').map_or(part, |(_, rest)| rest))
}

#[test]
fn a_pipe_is_not_painted_unless_it_is_asked_for() {
    let colours = |variables: &[(&str, &str)], arguments: &[&str]| {
        let run = run(variables, arguments);
        run.stdout.contains('\x1b') || run.stderr.contains('\x1b')
    };
    assert!(!colours(&[], &["solve", HEX]));
    assert!(!colours(&[("TERM", "xterm-256color")], &["solve", HEX]));
    assert!(!colours(&[], &["solve", HEX, "--color", "never"]));
    assert!(!colours(&[("CLICOLOR_FORCE", "1")], &["solve", HEX, "--color", "never"]));
    assert!(!colours(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &["solve", HEX]));
    assert!(colours(&[("CLICOLOR_FORCE", "1")], &["solve", HEX]));
    assert!(colours(&[], &["solve", HEX, "--color", "always"]));
    assert!(colours(&[("NO_COLOR", "1")], &["--color", "always", "solve", HEX]));
    // What is wrong, too.
    assert!(!colours(&[], &["solve", "hex 3"]));
    assert!(colours(&[("CLICOLOR_FORCE", "1")], &["solve", "hex 3"]));
}

#[test]
fn verdicts_have_their_colours_and_the_words_stay() {
    for (arguments, painted) in [
        (&["solve", HEX][..], "\x1b[1m\x1b[32mproven\x1b[0m"),
        (&["solve", "hex 3 .../.B./... W"], "\x1b[1m\x1b[31mdisproven\x1b[0m"),
        (&["solve", START, "--nodes", "10"], "\x1b[1m\x1b[33munknown\x1b[0m"),
        (&["solve", "-q", HEX], "\x1b[1m\x1b[32mproven\x1b[0m"),
        (&["tsume", "check", "-q", THREE], "\x1b[1m\x1b[32msound"),
        (&["solve", HEX], "\x1b[2mverdict"),
    ] {
        let always = run(&[], &[arguments, &["--color", "always"]].concat());
        assert!(always.stdout.contains(painted), "{:?}", always.stdout);
        let plain = run(&[], arguments).stdout;
        // Times differ from run to run.
        let words = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| !line.contains(" nodes in "));
            lines.filter(|line| !line.contains("peak")).map(str::to_owned).collect()
        };
        assert_eq!(words(&bare(&always.stdout)), words(&plain));
    }
}

#[test]
fn programs_and_files_get_no_colour() {
    let directory = directory("colour");
    let file = |name: &str| directory.join(name).to_str().expect("UTF-8").to_owned();
    let (certificate, kif) = (file("a.cert"), file("a.kif"));
    for arguments in [
        &["solve", HEX, "--json"][..],
        &["solve", THREE, "--json", "--certificate", &certificate, "--kif", &kif],
        &["tsume", "check", THREE, "--json"],
        &["check", &certificate, "--json"],
        &["games", "--json"],
    ] {
        let run = run(&[("CLICOLOR_FORCE", "1")], &[arguments, &["--color", "always"]].concat());
        assert!(run.code == Some(0) && !run.stdout.contains('\x1b'), "{:?}", run.stdout);
    }
    for file in [certificate, kif] {
        let bytes = std::fs::read(&file).expect("a file");
        assert!(!bytes.contains(&0x1b), "{file}");
    }
}
