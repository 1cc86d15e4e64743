//! For tests that need something beyond this repository.
//!
//! A test that cannot run says so and passes, and what it says is seen: it goes straight to
//! standard error, past the capture that hides the output of passing tests. Where `CI` is set in
//! the environment, what can be installed must be there, and a test that misses it fails.
//!
//! | a test needs | on a desk | in CI |
//! | --- | --- | --- |
//! | a program | skipped | fails |
//! | a problem set | skipped | fails if CI is said to have the sets: their folder is there, or `YOMIKIRI_PROBLEMS` names one |
//! | a right, a kind of system | skipped | skipped |

use std::ffi::OsStr;
use std::io::Write;

/// A program that a test needs, as some search for it has `found` it; `None`, with a word about it,
/// if the test is to be skipped.
///
/// # Panics
/// In CI, where it has not been found.
pub fn program<T>(name: &str, found: Option<T>) -> Option<T> {
    if found.is_none() {
        missing(name, is_ci());
    }
    found
}

/// The text of a problem set such as `ffo.tsv`; `None`, with a word about it, if the test is to be
/// skipped.
///
/// # Panics
/// In CI, if the sets are said to be there and this one is not.
pub fn problem_set(name: &str) -> Option<String> {
    let folder = yomikiri_problems::folder();
    let text = folder.as_ref().and_then(|folder| std::fs::read_to_string(folder.join(name)).ok());
    if text.is_none() {
        let is_promised = folder.is_some() || std::env::var_os("YOMIKIRI_PROBLEMS").is_some();
        let what = format!("problem sets ({name}); set YOMIKIRI_PROBLEMS to their folder");
        missing(&what, is_promised && is_ci());
    }
    text
}

/// A word about a test that is skipped for want of something that nobody can install, such as a
/// right.
pub fn skip(needs: &str) {
    missing(needs, false);
}

/// Continuous integration sets `CI`.
fn is_ci() -> bool {
    is_set(std::env::var_os("CI").as_deref())
}

fn is_set(value: Option<&OsStr>) -> bool {
    value.is_some_and(|value| !["", "0", "false"].iter().any(|off| value == *off))
}

fn missing(what: &str, must_be_there: bool) {
    assert!(!must_be_there, "this test needs {what}: in CI it may not be skipped");
    // A test's thread has the name of the test.
    let thread = std::thread::current();
    let test = thread.name().filter(|&name| name != "main").unwrap_or("a test");
    // One call, so that lines of several tests do not mix. Not by `eprintln!`, which a passing test
    // hides.
    let written =
        std::io::stderr().write_all(format!("skipped: needs {what} ({test})\n").as_bytes());
    drop(written);
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Output};

    use super::*;

    /// Tells the tests that play the part of one that skips from those that look on.
    const PART: &str = "YOMIKIRI_NEEDS_PART";

    /// Runs one of these tests by itself, in another process and as `cargo test` would: without
    /// `--nocapture`.
    fn play(test: &str, environment: &[(&str, Option<&str>)]) -> (Output, String) {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args(["--exact", test]).env(PART, "skips").env_remove("CI");
        for (name, value) in environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let output = command.output().expect("it starts");
        assert!(String::from_utf8_lossy(&output.stdout).contains("running 1 test"), "{output:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output, said)
    }

    #[test]
    fn a_missing_program_is_seen_and_fails_in_ci() {
        let test = "tests::a_missing_program_is_seen_and_fails_in_ci";
        if std::env::var_os(PART).is_some() {
            assert_eq!(program("no-such-program", None::<()>), None);
            return;
        }
        assert_eq!(program("a-program", Some(7)), Some(7));
        for desk in [None, Some(""), Some("false"), Some("0")] {
            let (output, said) = play(test, &[("CI", desk)]);
            assert!(output.status.success(), "{output:?}");
            assert_eq!(said, format!("skipped: needs no-such-program ({test})\n"));
        }
        for ci in ["true", "1", "yes"] {
            let (output, _) = play(test, &[("CI", Some(ci))]);
            assert!(!output.status.success(), "{output:?}");
            assert!(
                String::from_utf8_lossy(&output.stdout).contains("needs no-such-program: in CI")
            );
        }
    }

    #[test]
    fn a_missing_set_fails_where_sets_are_promised() {
        let test = "tests::a_missing_set_fails_where_sets_are_promised";
        if std::env::var_os(PART).is_some() {
            assert_eq!(problem_set("no-such-set.tsv"), None);
            return;
        }
        let (output, said) = play(test, &[]);
        assert!(output.status.success(), "{output:?}");
        assert!(said.starts_with("skipped: needs problem sets (no-such-set.tsv)"), "{said}");
        // Promised by the variable, whether it names a folder or not.
        for promised in [env!("CARGO_MANIFEST_DIR"), "/no/such/folder"] {
            let environment = [("CI", Some("true")), ("YOMIKIRI_PROBLEMS", Some(promised))];
            assert!(!play(test, &environment).0.status.success());
        }
        // Not promised: neither the variable nor the folder.
        if yomikiri_problems::folder().is_none() {
            let environment = [("CI", Some("true")), ("YOMIKIRI_PROBLEMS", None)];
            assert!(play(test, &environment).0.status.success());
        }
    }

    #[test]
    fn a_missing_right_is_seen_and_passes_in_ci() {
        let test = "tests::a_missing_right_is_seen_and_passes_in_ci";
        if std::env::var_os(PART).is_some() {
            skip("the right to do it");
            return;
        }
        let (output, said) = play(test, &[("CI", Some("true"))]);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(said, format!("skipped: needs the right to do it ({test})\n"));
    }
}
