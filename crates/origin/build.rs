//! Tells the crate which compiler builds it and from which commit.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = run(Command::new(rustc).arg("--version"));
    tell("ORIGIN_RUSTC", version.as_deref().unwrap_or("rustc, version unknown"));
    let commit = commit();
    let signature = commit.as_ref().and_then(|_| fs::read_to_string("../../.ci/signature").ok());
    tell("ORIGIN_COMMIT", commit.as_deref().unwrap_or("unknown"));
    tell("ORIGIN_SIGNATURE", signature.as_deref().map_or("unknown", str::trim));
}

fn tell(name: &str, value: &str) {
    println!("cargo::rustc-env={name}={value}");
}

/// The commit, with `-dirty` if what experiments and matches are made of differs from it; nothing
/// outside the repository, as in a package. It is asked again when there is another commit or one of
/// these files changes. Nearly all of them are compiled into what uses this crate anyway.
fn commit() -> Option<String> {
    // A package may be unpacked inside of some repository, which does not know of it.
    git(&["ls-files", "--error-unmatch", "build.rs"])?;
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
    for name in ["HEAD", "logs/HEAD"].into_iter().chain(branch.as_deref()) {
        watch(Path::new(&git(&["rev-parse", "--git-path", name])?));
    }
    let parts = parts();
    parts.iter().for_each(|part| watch(part));
    let mut words = vec!["status", "--porcelain", "--"];
    words.extend(parts.iter().filter_map(|part| part.to_str()));
    let is_clean = git(&words)?.is_empty();
    Some(if is_clean { commit } else { format!("{commit}-dirty") })
}

/// The files and folders that experiments and matches are made of: those of all crates but for tests
/// and the command line, and the two commands.
fn parts() -> Vec<PathBuf> {
    let list = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    let crates = ["..", "../games"].into_iter().flat_map(|folder| list(Path::new(folder)));
    let crates = crates.filter(|entry| entry.file_name() != "yomikiri");
    let crates = crates.map(|entry| entry.path()).filter(|path| path.join("Cargo.toml").is_file());
    let parts = crates.flat_map(|path| list(&path)).filter(|entry| entry.file_name() != "tests");
    let others = [
        "../../Cargo.toml",
        "../../Cargo.lock",
        "../../.ci/signature",
        "../yomikiri/src/commands/lab.rs",
        "../yomikiri/src/commands/match_play.rs",
        "../yomikiri/src/commands/match_play",
    ];
    parts.map(|entry| entry.path()).chain(others.map(PathBuf::from)).collect()
}

/// A file that is not there would have this asked again at every build.
fn watch(path: &Path) {
    if path.exists() {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}

/// What git says of the repository that this folder is in, whatever a hook has told it.
fn git(words: &[&str]) -> Option<String> {
    let mut git = Command::new("git");
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        git.env_remove(name);
    }
    run(git.arg("--no-optional-locks").args(words))
}

/// What a program prints, if it succeeds.
fn run(program: &mut Command) -> Option<String> {
    let output = program.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
