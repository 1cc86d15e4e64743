//! Which build of this program runs, and on which machine: so that results of two are not mixed.
//!
//! A build is told by
//!
//! - its version and the commit that it was compiled from: `-dirty` if the sources were changed since,
//!   `unknown` if it was not compiled in the repository;
//! - the *node signature* that goes with these sources, which is the one of `yomikiri bench` and of
//!   `.ci/signature`;
//! - a fingerprint of the program itself, which alone tells whether two are equally fast.

use std::fs;
use std::path::Path;

use andor::mix64;
use yomikiri_files::Error;

/// The compiler.
pub const COMPILER: &str = env!("ORIGIN_RUSTC");

/// The version, the commit and the node signature, in words.
pub fn sources() -> String {
    let (version, commit) = (env!("CARGO_PKG_VERSION"), env!("ORIGIN_COMMIT"));
    format!("version {version}, commit {commit}, node signature {}", env!("ORIGIN_SIGNATURE"))
}

/// A fingerprint of this program, as text.
pub fn this_program() -> Result<String, Error> {
    let path = std::env::current_exe();
    let path = path.map_err(|source| Error::Read { path: "this program".into(), source })?;
    program(&path)
}

/// A fingerprint of a program, as text.
pub fn program(path: &Path) -> Result<String, Error> {
    yomikiri_files::read(path).map(|bytes| format!("{:016x}", fingerprint(&bytes)))
}

/// A number that other bytes would not have.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    let words = bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    words.fold(bytes.len() as u64, |sum, word| mix64(sum ^ word).wrapping_add(1))
}

/// The processor and how many of its cores may be used.
pub fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or(std::env::consts::ARCH, |(_, model)| model);
    format!("{model}, {cores} cores")
}

#[cfg(test)]
mod tests {
    use super::*;

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
    }
}
