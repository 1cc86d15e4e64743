//! What a terminal shows after Ctrl-C: no bar is left on it, however the program ends.

use std::fs::File;
use std::io::Read;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer, openpt, unlockpt};

use crate::support::command;

const HEX: &str = "hex 7 ......./......./......./......./......./......./....... B";
const HARD: &str = "9/9/9/9/4k4/9/9/9/9 b RBGS2N9Prb3g3s2n4l9p 1";

/// Ctrl-C, as often as this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presses {
    Once,
    /// Again and again, until the program has ended.
    Often,
}

/// Runs the program with a terminal as its standard error, and presses Ctrl-C as soon as it shows a
/// bar. Gives the exit code, and what the terminal was told.
fn interrupted(arguments: &[&str], presses: Presses) -> (Option<i32>, String) {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
    let terminal = openpt(flags).expect("a terminal");
    unlockpt(&terminal).expect("unlocked");
    let inside = ioctl_tiocgptpeer(&terminal, flags).expect("its other side");
    // That side is closed when nobody holds it any more: the command and the program.
    let mut child = {
        let mut command = command(arguments);
        command.stdout(Stdio::null()).stderr(inside).spawn().expect("it starts")
    };
    let process = Pid::from_child(&child);
    let press = || kill_process(process, Signal::INT).expect("it was not waited for");
    let (mut terminal, mut told) = (File::from(terminal), Vec::new());
    // When the other side is closed, that is an error. A letter may come in parts.
    let mut hear = || {
        let mut part = [0; 4096];
        let length = terminal.read(&mut part).unwrap_or(0);
        told.extend_from_slice(&part[..length]);
        (length > 0).then(|| String::from_utf8_lossy(&told).into_owned())
    };
    let mut heard = String::new();
    while last_bar(&heard).is_none() {
        heard = hear().unwrap_or_else(|| panic!("{arguments:?} has shown no bar: {heard}"));
    }
    press();
    let has_ended = AtomicBool::new(presses == Presses::Once);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !has_ended.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
                press();
            }
        });
        while let Some(all) = hear() {
            heard = all;
        }
        has_ended.store(true, Ordering::Relaxed);
    });
    let code = child.wait().expect("it has ended").code();
    (code, heard)
}

/// Where the last bar was drawn: it begins with a letter of Braille that turns.
fn last_bar(told: &str) -> Option<usize> {
    told.rfind(|c| ('\u{2800}'..='\u{28ff}').contains(&c))
}

/// Was the line cleared after the last bar?
fn is_clear(told: &str) -> bool {
    last_bar(told) < told.rfind("\x1b[2K")
}

#[test]
fn no_bar_is_left_after_ctrl_c() {
    let engine = |name: &str| {
        format!("name={name},cmd=\"'{}' engine chess\"", env!("CARGO_BIN_EXE_yomikiri"))
    };
    let (one, two) = (engine("one"), engine("two"));
    let commands: &[&[&str]] = &[
        &["solve", HEX],
        &["solve", HEX, HEX, "--jobs", "2"],
        &["tsume", "check", HARD],
        &["tsume", "make", "--plies", "9", "--count", "500"],
        &["bench", "tsume", "--suite", "strength", "--jobs", "2"],
        #[cfg(feature = "cluster")]
        &["match", "--engine", &one, "--engine", &two, "--movetime", "300"],
    ];
    let mut codes = Vec::new();
    for arguments in commands {
        let (_, told) = interrupted(arguments, Presses::Once);
        assert!(is_clear(&told), "{arguments:?}: {told:?}");
        // A second one ends the program at once, unless it has ended by then.
        for _ in 0..5 {
            let (code, told) = interrupted(arguments, Presses::Often);
            assert!(is_clear(&told), "{arguments:?}, ended by {code:?}: {told:?}");
            codes.push(code);
        }
    }
    assert!(codes.contains(&Some(130)), "{codes:?}");
}
