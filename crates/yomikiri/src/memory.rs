//! What the system says of memory, where it says anything.

use std::fs;

use anyhow::{Result, bail};
use yomikiri_question::lang::{Text, text};

const MIB: u64 = 1 << 20;

/// The value in bytes of a line such as `VmHWM:   1234 kB`.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib << 10)
}

/// Complains about a table that is larger than what is there.
pub fn check(hash: usize) -> Result<()> {
    if let Some(available) = available()
        && hash as u64 > available
    {
        let (hash, available) = (hash >> 20, available >> 20);
        bail!(text!(
            "--hash {hash}: only {available} MiB of memory are available",
            "--hash {hash}: 使えるメモリは {available} MiB です"
        ));
    }
    Ok(())
}

/// What to do where a search ran out of its memory: PN-search does, for it keeps its whole tree.
pub fn advice(hash: usize) -> Text {
    let larger = match available().and_then(|available| larger(hash as u64, available)) {
        Some(bytes) => {
            let mib = bytes / MIB;
            text!("--hash {mib} gives the tree more room", "--hash {mib} なら木が大きくなれます")
        }
        None => text!(
            "a larger tree does not fit this machine",
            "これ以上大きな木は、このコンピューターに入りません"
        ),
    };
    text!(
        "{larger}; --algorithm dfpn keeps no tree and goes on with any --hash",
        "{larger}。木を持たない `--algorithm dfpn` は、どの --hash でも続けられます"
    )
}

/// A larger amount of memory that fits: four times as much, or seven eighths of what is there.
/// None if that is not half as much again.
fn larger(hash: u64, available: u64) -> Option<u64> {
    let larger = (4 * hash).min(available / 8 * 7);
    (larger >= hash + hash / 2).then_some(larger)
}

/// The most memory this process has had, in MiB.
pub fn peak_mib() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    Some(kilobytes(&status, "VmHWM")? as f64 / MIB as f64)
}

/// The memory that a process may still take, in bytes.
pub fn available() -> Option<u64> {
    let system =
        fs::read_to_string("/proc/meminfo").ok().and_then(|t| kilobytes(&t, "MemAvailable"));
    let limit =
        fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|t| t.trim().parse().ok());
    system.into_iter().chain(limit).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_advised_fits() {
        assert_eq!(larger(MIB, 1024 * MIB), Some(4 * MIB));
        assert_eq!(larger(512 * MIB, 1024 * MIB), Some(896 * MIB));
        assert_eq!(larger(800 * MIB, 1024 * MIB), None);
        assert_eq!(larger(2048 * MIB, 1024 * MIB), None);
    }
}
