//! Where figures come from: the command, the build, the machine.
//!
//! A build is told by
//!
//! - its version and the commit that it was compiled from: `-dirty` if the sources were changed since,
//!   `unknown` if it was not compiled in the repository;
//! - the *node signature* that goes with these sources, which is the one of `yomikiri bench` and of
//!   `.ci/signature`;
//! - the nodes of a few *trial searches*, which are run when they are asked for: two builds with the
//!   same number search alike, whatever was written down of them;
//! - a fingerprint of the program itself, which alone tells whether two are equally fast.

use std::fmt::{self, Write as _};
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use andor::table::MIN_BYTES;
use andor::{Algorithm, Control, Dfpn, Limits, PnSearch, Solvable, Table, mix64};
use yomikiri_alphabeta::bench;
use yomikiri_hex::{Board, Hex, Side, StrongHex};
use yomikiri_othello::{Goal, Othello, random_position};

use crate::error::{Result, at};

/// The processor and how many of its cores may be used.
pub(crate) fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or(std::env::consts::ARCH, |(_, model)| model);
    format!("{model}, {cores} cores")
}

/// The command line that was given, so that giving it again does the same.
fn command() -> String {
    let mut words = std::env::args_os();
    let program = words.next().unwrap_or_default();
    let program = Path::new(&program).file_name().unwrap_or_default().to_owned();
    let words = [program].into_iter().chain(words);
    let words: Vec<String> = words.map(|word| quote(&word.to_string_lossy())).collect();
    words.join(" ")
}

/// A word as a shell reads it.
fn quote(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./,:=+%@".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// The build that runs, in one line.
pub(crate) fn build() -> Result<&'static str> {
    static BUILD: OnceLock<String> = OnceLock::new();
    match BUILD.get() {
        Some(build) => Ok(build),
        None => {
            let build = find_build()?;
            Ok(BUILD.get_or_init(|| build))
        }
    }
}

fn find_build() -> Result<String> {
    let path = std::env::current_exe().map_err(at(Path::new("this program")))?;
    let program = fs::read(&path).map_err(at(&path))?;
    let (version, commit) = (env!("CARGO_PKG_VERSION"), env!("LAB_COMMIT"));
    let (signature, trials, program) =
        (env!("LAB_SIGNATURE"), trial_searches()?, fingerprint(&program));
    Ok(format!(
        "version {version}, commit {commit}, node signature {signature}, trial searches {trials} nodes, program {program:016x}"
    ))
}

/// A number that other bytes would not have.
pub(crate) fn fingerprint(bytes: &[u8]) -> u64 {
    let words = bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    words.fold(bytes.len() as u64, |sum, word| mix64(sum ^ word).wrapping_add(1))
}

/// The nodes of small searches of every kind that the experiments measure.
fn trial_searches() -> Result<u64> {
    let mut table = Table::new(MIN_BYTES)?;
    let othello = Othello::new(random_position(0, 50), Goal::Wins);
    let hex = Board::empty(3).map(|board| Hex::new(board, Side::Black));
    let hex = hex.expect("a board of 3×3");
    let mut nodes = bench::run(3, 1).nodes;
    nodes += searched(&othello, Algorithm::Dfpn(Dfpn::default()), &mut table);
    nodes += searched(&StrongHex::new(hex), Algorithm::Dfpn(Dfpn::default()), &mut table);
    nodes += searched(
        &othello,
        Algorithm::Pn(PnSearch { bytes: 8 << 20, ..PnSearch::default() }),
        &mut table,
    );
    Ok(nodes)
}

fn searched<P: Solvable>(problem: &P, algorithm: Algorithm, table: &mut Table) -> u64 {
    table.clear();
    let mut control = Control::new(Limits { nodes: Some(10_000), time: None });
    problem.search(&algorithm, table, &mut control).nodes
}

/// The lines of `summary.txt` that tell of it.
pub(crate) fn describe(out: &mut String) -> fmt::Result {
    writeln!(out, "command   {}", command())?;
    writeln!(out, "build     {}", build().unwrap_or("not known"))?;
    writeln!(out, "compiler  {}", env!("LAB_RUSTC"))?;
    writeln!(out, "machine   {}", machine())
}

#[cfg(test)]
mod tests {
    use yomikiri_engine::program::split_words;

    use super::*;

    #[test]
    fn a_quoted_word_is_read_as_it_was() {
        for word in ["--nodes", "", "a b", "it's", "\"", r"\", "$HOME", "#", "a|b;c", "読み"] {
            let quoted = quote(word);
            assert_eq!(split_words(&quoted), Ok(vec![word.to_owned()]), "{quoted}");
        }
        assert_eq!((quote("L,S|S"), quote("1,2")), ("'L,S|S'".into(), "1,2".into()));
    }

    #[test]
    fn every_byte_of_a_program_counts() {
        let bytes: Vec<u8> = (0..100).collect();
        let whole = fingerprint(&bytes);
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            other[at] ^= 1;
            assert_ne!(fingerprint(&other), whole);
            assert_ne!(fingerprint(&bytes[..at]), whole);
        }
        assert_eq!(build().unwrap(), build().unwrap());
    }
}
