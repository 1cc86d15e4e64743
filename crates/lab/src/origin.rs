//! Where figures come from: the command, the build, the machine.
//!
//! A build is told as [`yomikiri_origin`] does, and by the nodes of a few *trial searches*, which are
//! run when they are asked for: two builds with the same number search alike, whatever was written
//! down of them.

use std::fmt::{self, Write as _};
use std::path::Path;
use std::sync::OnceLock;

use andor::table::MIN_BYTES;
use andor::{Algorithm, Control, Dfpn, Limits, PnSearch, Solvable, Table};
use yomikiri_alphabeta::bench;
use yomikiri_hex::{Board, Hex, Side, StrongHex};
use yomikiri_othello::{Goal, Othello, random_position};

use yomikiri_origin::{COMPILER, machine};

use crate::error::Result;

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
    let (sources, trials) = (yomikiri_origin::sources(), trial_searches()?);
    let program = yomikiri_origin::this_program()?;
    Ok(format!("{sources}, trial searches {trials} nodes, program {program}"))
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
    writeln!(out, "compiler  {}", COMPILER)?;
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
    fn a_build_stays_what_it_is() {
        assert_eq!(build().unwrap(), build().unwrap());
    }
}
