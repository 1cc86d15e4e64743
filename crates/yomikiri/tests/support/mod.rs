//! Running the built program.

// Not every test uses all of it.
#![allow(dead_code)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// What a run of the program left.
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// The object on the last line, which must be one of the schema.
    #[track_caller]
    pub fn json(&self) -> Value {
        let last = self.stdout.lines().last().unwrap_or_default();
        crate::json::types(last);
        serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}: {last}"))
    }

    /// Bad input: exit code 2, and a message with all of these.
    #[track_caller]
    pub fn fails_with(&self, parts: &[&str]) {
        self.ends_with(2, parts);
    }

    /// A certificate that is rejected: exit code 3, and a message with all of these.
    #[track_caller]
    pub fn is_rejected_with(&self, parts: &[&str]) {
        self.ends_with(3, parts);
    }

    #[track_caller]
    fn ends_with(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, Some(code), "{}{}", self.stdout, self.stderr);
        for part in parts {
            assert!(self.stderr.contains(part), "no `{part}` in: {}", self.stderr);
        }
    }
}

/// The program, to be started. It speaks English wherever the tests run.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yomikiri"));
    command.env("LC_ALL", "C");
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Waits for the end of a run.
pub fn finish(child: std::process::Child) -> Run {
    let output = child.wait_with_output().expect("it ends");
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// Runs the program.
pub fn yomikiri(arguments: &[&str]) -> Run {
    finish(command(arguments).spawn().expect("it starts"))
}

/// Runs the program with this as its standard input.
pub fn piped(arguments: &[&str], input: &str) -> Run {
    let mut child = command(arguments).stdin(Stdio::piped()).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    finish(child)
}

/// An empty directory for one test.
pub fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-{name}"));
    if path.exists() {
        fs::remove_dir_all(&path).expect("removed");
    }
    fs::create_dir_all(&path).expect("made");
    path
}

/// The names of the files in a directory.
pub fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("a directory");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
